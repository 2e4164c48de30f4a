"""Who plays how well beside whom, where partners change: bot by partner, and each beside itself. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from .standings import Standings, as_csv
from .statistics.clustered import error_of_difference, mean_and_error
from .statistics.meeting import Results, side_lead
from .statistics.rounding import POINT_DIGITS, rounded

Seen: TypeAlias = tuple[Hashable, float]
"""The boards of a table, and what the side led by a hand."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What a bot and a partner came to together. The fields, in this order, are JSON keys and CSV columns."""

    entrant: str
    partner: str
    """The same again: both seats of a side are its own."""
    points_per_hand: float
    """The points of their side less the other's, a hand; the mean over their tables."""
    points_error: float | None
    """The standard error of that mean, clustered by board stream."""
    tables: int
    """Without those at which anybody was at fault."""


@dataclass(frozen=True, slots=True)
class Own:
    """A bot beside itself against beside others. The fields are JSON keys."""

    entrant: str
    self_play: float | None
    """Points a hand beside itself."""
    cross_play: float | None
    """Points a hand beside others, each partner counting the same."""
    difference: float | None
    """The first less the second. Of a strong bot it is above 0, of a weak one below: beside itself it sits twice."""
    difference_error: float | None
    """Its standard error: what both share on one board stream cancels out."""
    understanding: float | None
    """The first less twice the second: above 0 where a bot plays better beside itself than its strength says.

    Were a side worth what its two are worth together (`partnership`), a bot that is worth w more than the mean of the
    others would lead by w beside them, against others, and by 2 w beside itself, against others beside themselves.
    """
    understanding_error: float | None


@dataclass(frozen=True, slots=True)
class Crossplay:
    """Who was whose partner. The fields are the keys of the JSON object; the cells alone are the CSV."""

    entrants: tuple[str, ...]
    """In the order of the standings."""
    cells: tuple[Beside, ...]
    """Both ways round, by row and then by column; those that were never partners have none."""
    own: tuple[Own, ...]


def crossplay(table: Standings, results: Results) -> Crossplay:
    """Of those who stand in this table."""
    names = tuple(row.entrant for row in table.entrants)
    met = _by_team(results)
    cells = tuple(
        _beside(one, other, found)
        for one in names
        for other in names
        if (found := met.get(tuple(sorted((one, other)))))
    )
    return Crossplay(names, cells, tuple(_own(name, cells, met) for name in names))


def as_csv_of_cells(found: Crossplay) -> str:
    """The fields of `Beside` as columns, a row for each two, both ways round."""
    return as_csv(found.cells, Beside)


def _by_team(results: Results) -> Mapping[tuple[str, ...], Sequence[Seen]]:
    """By partners in the order of names."""
    found: dict[tuple[str, ...], list[Seen]] = {}
    for meeting, _ in results:
        if (lead := side_lead(meeting)) is not None:
            for team, led in zip(meeting.sides, (lead, -lead), strict=True):
                found.setdefault(tuple(sorted(team)), []).append((meeting.boards, led))
    return found


def _beside(one: str, other: str, found: Sequence[Seen]) -> Beside:
    mean, error = mean_and_error(found)
    return Beside(one, other, rounded(mean, POINT_DIGITS) or 0.0, rounded(error, POINT_DIGITS), len(found))


def _own(name: str, cells: Iterable[Beside], met: Mapping[tuple[str, ...], Sequence[Seen]]) -> Own:
    seats = [cell for cell in cells if cell.entrant == name]
    alone = next((cell.points_per_hand for cell in seats if cell.partner == name), None)
    beside = [cell.points_per_hand for cell in seats if cell.partner != name]
    cross = fmean(beside) if beside else None
    own = met.get((name, name), ())
    others = [each for team, found in met.items() if name in team and len({*team}) > 1 for each in found]

    def less(times: int) -> tuple[float | None, float | None]:
        if alone is None or cross is None:
            return None, None
        error = error_of_difference(own, others, times)
        return rounded(alone - times * cross, POINT_DIGITS), rounded(error, POINT_DIGITS)

    difference, understanding = less(1), less(2)
    return Own(
        entrant=name,
        self_play=alone,
        cross_play=rounded(cross, POINT_DIGITS),
        difference=difference[0],
        difference_error=difference[1],
        understanding=understanding[0],
        understanding_error=understanding[1],
    )
