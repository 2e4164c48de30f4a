"""The order of a table: by a measure, ties by what was won from each other, equal ranks for what is left. Pure.

Knows names and measures only; what a measure is, `standings` says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby, product

from .meeting import Duel, Meeting, Results


def ranked(measures: Mapping[str, float | None], results: Results) -> Iterator[tuple[str, int | None]]:
    """All who have a measure in order, the highest first, with their ranks; then the others, without one.

    Of equal measures the head-to-head decides: the points that they won from each other, less those that they lost to
    each other. Who is still equal shares the rank, in the order of names by code points; the next rank is as many
    further.
    """
    rank, own = 1, _by_name(results)
    for tied in _groups({name: measure for name, measure in measures.items() if measure is not None}):
        net = head_to_head(tied, _of(tied, own, results)) if len(tied) > 1 else dict.fromkeys(tied, 0.0)
        for equal in _groups(net):
            yield from ((name, rank) for name in equal)
            rank += len(equal)
    yield from ((name, None) for name in sorted(measures) if measures[name] is None)


def _by_name(results: Results) -> Mapping[str, Sequence[int]]:
    """The numbers of each one's results."""
    found: dict[str, list[int]] = {}
    for number, (meeting, _) in enumerate(results):
        for name in {*meeting.entrants}:
            found.setdefault(name, []).append(number)
    return found


def _of(names: Collection[str], own: Mapping[str, Sequence[int]], results: Results) -> Results:
    """The results of these, in order: of a thousand entrants many are tied, and to look through all takes long."""
    numbers = {number for name in names for number in own.get(name, ())}
    return [results[number] for number in sorted(numbers)]


def _groups(measures: Mapping[str, float]) -> Iterator[list[str]]:
    """Names of equal measures together, the highest first."""
    falling = sorted(measures, key=lambda name: (-measures[name], name))
    return (list(names) for _, names in groupby(falling, key=measures.__getitem__))


def _sides(meeting: Meeting, duel: Duel) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who has this result with whom."""
    first, second = duel.places
    return ((meeting.entrants[first],), meeting.side_of(second)) if duel.alone else meeting.of(duel)


def head_to_head(names: Collection[str], results: Results) -> Mapping[str, float]:
    """What each of these won from the others of them, in points of the results, less what it lost to them.

    What was lost by a fault beside a partner is lost to both opponents, who have won nothing.

    A difference, and no sum, so that somebody whom the others have not met yet stands between winners and losers.
    """
    net = dict.fromkeys(names, 0.0)
    for meeting, duels in results:
        for duel in duels:
            won = sum(own.worth - other.worth for own, other in duel.results)
            for first, second in product(*_sides(meeting, duel)):
                if first in net and second in net and first != second:
                    net[first] += won
                    net[second] -= 0 if duel.alone else won
    return net
