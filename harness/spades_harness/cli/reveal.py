"""`spades reveal`: the secret of a run before its end, on the record."""

from __future__ import annotations

from .console import command, say, tell
from .show import RunArgument


@command
def reveal(run: RunArgument) -> None:
    """Show the secret of a run's deals; if matches are left to be played, the standings say so from now on."""
    from spades_harness.tournament.records.ledger import open_to_amend

    from .deals import deals_of

    with open_to_amend(run) as ledger:
        ledger.reveal()
        for sealed in ledger.run.terms.secrets:
            say(sealed.secret.hex())
        for line in deals_of(ledger):
            tell(line)
