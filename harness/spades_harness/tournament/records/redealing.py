"""Which planned matches get another secret, since the one they were planned with was shown meanwhile. Pure.

Who knows a secret knows the cards of all that is dealt from it. So what a run planned and hasn't begun when its secret
was shown is dealt from the next one, as soon as there is one that nobody knows. A meeting has one secret: where one of
its legs was dealt, the others have to follow on the same cards, and `cli.deals` tells of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from spades_harness.tournament.sealed import Sealed

from .ledger_items import Planned


def redealt(planned: Iterable[Planned], tried: Collection[int], secrets: Sequence[Sealed]) -> tuple[Planned, ...]:
    """Those of these matches that get the last secret, with its number; their identities are the old ones.

    `tried` are the numbers of the matches that were begun. None, unless the last secret is one that nobody knows.
    """
    if secrets[-1].revealed is not None:
        return ()
    plan, last = tuple(planned), len(secrets) - 1
    begun = {each.leg.meeting for each in plan if each.ordinal in tried}
    return tuple(
        each._replace(secret=last)
        for each in plan
        if secrets[each.secret].revealed is not None and each.leg.meeting not in begun
    )


def is_open(missing: Iterable[Planned], planned: Iterable[Planned], tried: Collection[int]) -> bool:
    """Whether one of the matches that are missing is of a meeting that was never begun."""
    begun = {each.leg.meeting for each in planned if each.ordinal in tried}
    return any(each.leg.meeting not in begun for each in missing)
