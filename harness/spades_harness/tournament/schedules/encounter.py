"""What two entrants took from each other over all their meetings, and how strong that makes them. Pure.

A won result is a point, a drawn one half a point to each; one that both lost, since both forfeited, is nobody's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from spades_harness.game.score import Format, Game
from spades_harness.tournament.outcome import MeetingKey, Outcome, forfeiting
from spades_harness.tournament.statistics.meeting import Verdict, results_of
from spades_harness.tournament.statistics.paired import pair_results
from spades_harness.tournament.statistics.rating import elo

_DIGITS: Final = 1
"""Of Elo, after the point."""


class Taken(NamedTuple):
    """What one took from another, and of how many results."""

    points: float = 0.0
    results: int = 0

    @property
    def more_than_half(self) -> bool:
        """Whether it is more than half of all that there was."""
        return 2 * self.points > self.results


def counting(game: Format, outcomes: Iterable[Outcome]) -> list[Outcome]:
    """What was played; where all legs of a meeting are one result, only of those that were played in all of them.

    Of a match that was amended to stay without a result a schedule sees that it is none: here it is left out, and so
    is what was played on the same cards the other way round.
    """
    found = tuple(outcomes)
    halved = set[MeetingKey]() if isinstance(game, Game) else {each.meeting for each in found if not each.played}
    return [each for each in found if each.played and each.meeting not in halved]


def leavers(outcomes: Iterable[Outcome]) -> frozenset[str]:
    """Those who left some of these matches without a result, since they play no more."""
    return frozenset(name for each in outcomes if not each.played for name in forfeiting(each))


def taken(game: Format, outcomes: Iterable[Outcome]) -> Mapping[tuple[str, str], Taken]:
    """By who took it, and from whom; those who never met, or whose meeting is no result yet, are not in it."""
    found: defaultdict[tuple[str, str], Taken] = defaultdict(Taken)
    for meeting, duels in results_of(game, outcomes):
        for duel in duels:
            for (one, other), (first, second) in product(product(*meeting.of(duel)), duel.results):
                found[one, other] = _plus(found[one, other], first)
                found[other, one] = _plus(found[other, one], second)
    return found


def _plus(before: Taken, verdict: Verdict) -> Taken:
    worth = 0.0 if verdict is Verdict.LOST_BY_BOTH else verdict.worth
    return Taken(before.points + worth, before.results + 1)


def ratings(entrants: Sequence[str], game: Format, outcomes: Iterable[Outcome]) -> Mapping[str, float]:
    """The Elo of each by these results between two, be it with others; 0 for one without any; to a tenth.

    Schedules go by it, so it may not hang on how a machine rounds its last digits: a tenth is far coarser than those.
    """
    pairs = pair_results(game, outcomes)
    everybody = dict.fromkeys((*entrants, *(name for pair in pairs for name in (pair.a, pair.b))))
    found = elo((*everybody,), pairs)
    return {name: round(found[name].elo, _DIGITS) for name in entrants}
