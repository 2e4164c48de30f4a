"""What two entrants took from each other over all their meetings. Pure.

A won result is a point, a drawn one half a point to each; one that both lost, since both forfeited, is nobody's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from spades_harness.game.score import Format

from .meeting import Verdict, duels, meetings
from .outcome import Outcome


class Taken(NamedTuple):
    """What one took from another, and of how many results."""

    points: float = 0.0
    results: int = 0

    @property
    def more_than_half(self) -> bool:
        """Whether it is more than half of all that there was."""
        return 2 * self.points > self.results


def taken(game: Format, outcomes: Iterable[Outcome]) -> Mapping[tuple[str, str], Taken]:
    """By who took it, and from whom; those who never met, or whose meeting is no result yet, are not in it."""
    found: defaultdict[tuple[str, str], Taken] = defaultdict(Taken)
    for meeting in meetings(outcomes):
        for duel in duels(game, meeting):
            one, other = (meeting.entrants[place] for place in duel.places)
            for first, second in duel.results:
                found[one, other] = _plus(found[one, other], first)
                found[other, one] = _plus(found[other, one], second)
    return found


def _plus(before: Taken, verdict: Verdict) -> Taken:
    worth = 0.0 if verdict is Verdict.LOST_BY_BOTH else verdict.worth
    return Taken(before.points + worth, before.results + 1)
