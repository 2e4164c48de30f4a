"""What stands under the standings about the deals: who could know them, and when. Formats; computes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from spades_harness.tournament.records.ledger import Ledger, Use
from spades_harness.tournament.sealed import Sealed


def deals_of(ledger: Ledger) -> Iterator[str]:
    """For under the standings: a public seed, each salt, and each secret that was shown while matches were to come."""
    run = ledger.run
    if run.seed is not None:
        yield f"deals: from the public seed {run.seed}, which tells them beforehand"
        return
    uses = ledger.uses()
    for number, sealed in enumerate(run.terms.secrets):
        whose = f"the secret behind {sealed.commitment[:16]}…" if run.terms.secrets[1:] else "the secret"
        if sealed.salt is not None:
            yield f"deals: {whose} {f'is mixed with the salt {sealed.salt}' if sealed.salt else 'waits for its salt'}"
        if shown := _shown_early(sealed, uses.get(number, Use(0, 0)), over=run.finished is not None):
            yield f"deals: {whose} {shown}"


def commitments_of(ledger: Ledger) -> Iterator[str]:
    """For who verifies: what was to be published before the first match, and all of the above."""
    for sealed in ledger.run.terms.secrets if ledger.run.seed is None else ():
        yield f"deals: committed to {sealed.commitment}"
    yield from deals_of(ledger)


def _shown_early(sealed: Sealed, use: Use, *, over: bool) -> str:
    """When the secret was shown, if matches of its own were played after that or are to be played."""
    before = sealed.played if sealed.revealed else None
    if before is None or (before >= (use.played if over else use.planned) and not use.after):
        return ""
    shown = f"was shown {sealed.revealed}, when {before:,} of its {use.planned:,} matches were played"
    return f"{shown}; {_matches(use.after)} played after that" if use.after else shown


def _matches(count: int) -> str:
    return f"{count:,} match{' was' if count == 1 else 'es were'}"
