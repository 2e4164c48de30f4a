"""From results with names to strengths on the Elo scale, apart for each group of those who met. Pure.

Here names become numbers and numbers names again; what may be said of the numbers, `rating`, `comparison` and
`individuals` say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from .interval import Doubt, doubt_of
from .strength import ELO, Cluster, Contest, Floats, Row, fit_of, no_higher, rows_of, strengths

Side: TypeAlias = tuple[str, ...]
"""Those who play together; one who holds several of its places is named as often."""


class Clustered(Protocol):
    """Whatever may share a table with others."""

    @property
    def cluster(self) -> int | None: ...


C = TypeVar("C", bound=Clustered)


@dataclass(frozen=True, slots=True)
class Observation:
    """What came of two sides that met: one value where all legs decide together, or one a leg.

    A side is as strong as its members in the mean, whoever they are: partners may change from one table to the next.
    """

    sides: tuple[Side, Side]
    scores: tuple[float, ...]
    """What the first side got, 1, 0.5 or 0 each."""
    weight: float = 1.0
    """What each of them counts for, in matches."""
    cluster: int | None = None
    """Those of one number come from one table on the same cards; None: from one that gave no other."""
    alone: str | None = None
    """Who it counts for, if not for all: who was at fault beside a partner. No other two come further apart by it."""


class Group(NamedTuple):
    """Those whom a chain of results links, and what is known of them, in the order of the names."""

    names: tuple[str, ...]
    """In the order of code points."""
    elo: Floats
    """Around the mean 0."""
    doubt: Doubt


@lru_cache(maxsize=2)  # the table of a run asks for a rating and for a comparison of the same results
def fitted(observations: tuple[Observation, ...]) -> tuple[Group, ...]:
    """The groups, the largest first; of those who had no part in any difference nothing is known.

    What counts for one alone is seen in a second step: a fit in which its side has lost that. It is put where it is no
    higher against any other than there; then the zero is put where the mean is now. How far the others are from each
    other stays as it was, and how sure it is of one that was moved is what the rest of its results say.
    """
    found = [(observation, contest) for observation in observations if (contest := _contest(observation.sides))]
    groups = groups_of(tuple(name for name, _ in contest) for _, contest in found)
    home = {name: number for number, names in enumerate(groups) for name in names}
    parts: list[list[Observation]] = [[] for _ in groups]
    for observation, contest in found:
        parts[home[contest[0][0]]].append(observation)
    known = ((names, part) for names, part in zip(groups, parts, strict=True) if any(not each.alone for each in part))
    return tuple(_fit(names, part) for names, part in known)


def groups_of(meetings: Iterable[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Those who are linked by a chain of meetings, each group in the order of code points, the largest first."""
    group: dict[str, list[str]] = {}
    for names in meetings:
        largest = max((group.setdefault(name, [name]) for name in names), key=len)
        for name in names:
            if (other := group[name]) is not largest:
                largest += other
                group.update(dict.fromkeys(other, largest))
    found = {id(members): tuple(sorted(members)) for members in group.values()}
    return tuple(sorted(found.values(), key=lambda members: (-len(members), members)))


def together(results: Iterable[C]) -> Iterable[Sequence[C]]:
    """The results of each table, in the order in which the tables first appear."""
    found: dict[tuple[int, int | None], list[C]] = {}
    for index, result in enumerate(results):
        found.setdefault((index, None) if result.cluster is None else (-1, result.cluster), []).append(result)
    return found.values()


def _contest(sides: tuple[Side, Side]) -> tuple[tuple[str, float], ...]:
    """The share of each in the difference of the sides, without those whose shares cancel out."""
    first, second = sides
    shares = (
        (name, first.count(name) / len(first) - second.count(name) / len(second))
        for name in dict.fromkeys((*first, *second))
    )
    return tuple((name, share) for name, share in shares if share)


def _fit(names: tuple[str, ...], observations: Sequence[Observation]) -> Group:
    number = {name: index for index, name in enumerate(names)}
    shared = [each for each in observations if not each.alone]
    rows = rows_of(len(names), _clusters(number, shared))
    strength = strengths(rows)
    doubt = doubt_of(rows, fit_of(rows, strength))
    moved = strength.copy()
    for name in sorted({each.alone for each in observations if each.alone}):
        own = rows_of(len(names), _clusters(number, (each for each in observations if each.alone == name)))
        charged = strengths(rows.plus(own), strength)
        moved[number[name]] = no_higher(number[name], strength, charged)
    return Group(names, ELO * (moved - moved.mean()), doubt)


def _clusters(number: dict[str, int], observations: Iterable[Observation]) -> Counter[Cluster]:
    return Counter(tuple(_rows(number, each)) for each in together(observations))


def _rows(number: dict[str, int], table: Iterable[Observation]) -> Iterator[Row]:
    """A row for each contest at a table, those of copies taken together; in order."""
    found: dict[Contest, list[tuple[float, float]]] = {}
    for observation in table:
        contest, legs, score = _row(number, observation)
        found.setdefault(contest, []).append((legs, score))
    for contest, parts in sorted(found.items()):
        yield contest, fsum(legs for legs, _ in parts), fsum(score for _, score in parts)


def _row(number: dict[str, int], observation: Observation) -> Row:
    contest = sorted((number[name], share) for name, share in _contest(observation.sides))
    legs, score = len(observation.scores), fsum(observation.scores)
    turned = contest[0][1] < 0
    of_first = legs - score if turned else score
    shares = tuple((who, -share if turned else share) for who, share in contest)
    return shares, observation.weight * legs, observation.weight * of_first
