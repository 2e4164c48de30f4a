"""The salt of a run, from the file or the call to its ledger: when it may come, and what is refused. Plays nothing."""

from __future__ import annotations

from typing import Final

from spades_harness.errors import UserError
from spades_harness.tournament.file.seeds import REQUIRED
from spades_harness.tournament.records.ledger import RunLedger

WITHOUT_SALT: Final = "nothing is played before the salt is known: publish the commitment first, then draw the salt"


def check_salt(salt: str | None, *, founded: bool) -> None:
    """Raise UserError for a salt that is known before there is a commitment: the secret could be chosen to suit it."""
    if not founded and salt not in (None, REQUIRED):
        raise UserError(
            "salt: it has to come after the commitment: found the run without it (--commit), publish the commitment,"
            " draw the salt, and go on with it"
        )


def settle_salt(salt: str | None, ledger: RunLedger) -> None:
    """Let the run's last secret have this salt, or `required` wait for one. Raises LedgerError if it is too late.

    The salt of an earlier secret is none for a later one: it was known when that was drawn.
    """
    *earlier, last = (each.salt for each in ledger.run.terms.secrets)
    if salt is None or salt == last:
        return
    if salt != REQUIRED and salt not in earlier:
        ledger.mix_in(salt)
    elif last is None:
        ledger.mix_in("")
