"""Who plays how well beside whom, where partners change: bot by partner, and each beside itself. Pure.

A table at which one was at fault is in no cell but those of its own row, and there only to its loss (`faulted`); so a
cell may differ from the one the other way round. A figure that is the higher the lower another is, such as self-play
less cross-play, is not told of who was at fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeAlias

from .standings import Standings, as_csv
from .statistics.clustered import error_of_difference
from .statistics.faulted import Points, is_in, mean_of, points_of
from .statistics.meeting import Meeting, Results, side_lead
from .statistics.rounding import POINT_DIGITS, rounded

Tables: TypeAlias = Sequence[tuple[Meeting, float | None]]
"""Where two were partners, and what their side led by, a hand; None of one that a fault ended."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What a bot and a partner came to together. The fields, in this order, are JSON keys and CSV columns."""

    entrant: str
    partner: str
    """The same again: both seats of a side are its own."""
    points_per_hand: float | None
    """The points of their side less the other's, a hand; the mean over their tables. None where the entrant was at
    fault at all of them."""
    points_error: float | None
    """The standard error of that mean, clustered by board stream."""
    tables: int
    """So many are in it: without those at which anybody was at fault, or with those at which the entrant alone was."""


@dataclass(frozen=True, slots=True)
class Own:
    """A bot beside itself against beside others. The fields are JSON keys."""

    entrant: str
    self_play: float | None
    """Points a hand beside itself."""
    cross_play: float | None
    """Points a hand beside others, each partner counting the same; None where one of these cells is empty."""
    difference: float | None
    """The first less the second; None of who was at fault.

    Of a strong bot it is above 0, of a weak one below: beside itself it sits twice.
    """
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
    seen = {name: _seen(name, names, met) for name in names}
    cells = tuple(_beside(one, other, points) for one in names for other, points in seen[one].items())
    return Crossplay(names, cells, tuple(_own(name, cells, seen[name]) for name in names))


def as_csv_of_cells(found: Crossplay) -> str:
    """The fields of `Beside` as columns, a row for each two, both ways round."""
    return as_csv(found.cells, Beside)


def _by_team(results: Results) -> Mapping[tuple[str, ...], Tables]:
    """By partners in the order of names."""
    found: dict[tuple[str, ...], list[tuple[Meeting, float | None]]] = {}
    for meeting, _ in results:
        if meeting.mates > 1 and len(meeting.sides) == 2 and meeting.complete:
            lead = side_lead(meeting)
            for team, led in zip(meeting.sides, (lead, None if lead is None else -lead), strict=True):
                found.setdefault(tuple(sorted(team)), []).append((meeting, led))
    return found


def _seen(name: str, partners: Iterable[str], met: Mapping[tuple[str, ...], Tables]) -> Mapping[str, Points]:
    """What one's own cells may be made of, by partner; without those that it has no table with."""
    found = {}
    for partner in partners:
        tables = met.get(tuple(sorted((name, partner))), ())
        if own := [each for each in tables if is_in(each[0], name)]:
            found[partner] = points_of(own)
    return found


def _beside(one: str, other: str, points: Points) -> Beside:
    mean, error = mean_of(points)
    return Beside(one, other, rounded(mean, POINT_DIGITS), rounded(error, POINT_DIGITS), len(points.counting))


def _own(name: str, cells: Iterable[Beside], seen: Mapping[str, Points]) -> Own:
    seats = [cell for cell in cells if cell.entrant == name]
    alone = next((cell.points_per_hand for cell in seats if cell.partner == name), None)
    beside = [cell.points_per_hand for cell in seats if cell.partner != name]
    known = [points for points in beside if points is not None]
    cross = fmean(known) if known and len(known) == len(beside) else None
    own = seen[name].counting if name in seen else ()
    others = [each for partner, points in seen.items() if partner != name for each in points.counting]
    faulty = any(points.faulted or points.cut_short for points in seen.values())

    def less(times: int) -> tuple[float | None, float | None]:
        if alone is None or cross is None or faulty:
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
