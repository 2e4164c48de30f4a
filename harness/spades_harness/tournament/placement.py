"""The standings as a schedule would have them: its places instead of the ranks by rating, its column, its lines. Pure.

A row against a field is computed from the results against that field alone, as if nobody else had taken part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import fmean
from typing import Final, Protocol

from .anchor import Anchor, told_outside
from .guests import BrokenPlugin, file_of, guarded
from .outcome import Outcome
from .rank_by import RankBy
from .schedule import Options
from .schedules.option_reading import settled
from .schedules.placing import GONE, Place, Places, Placing, Unplaced
from .standings import Row, Standings, measure
from .statistics.rounding import ELO_DIGITS, rounded

DROPPED: Final = "dropped"
"""In the schedule's column, of those who were dropped before the first match."""


class Tabulate(Protocol):
    """The standings of these entrants by these results, from this anchor; `standings.standings` with all else given."""

    def __call__(self, entrants: Sequence[str], results: Sequence[Outcome], anchor: Anchor | None, /) -> Standings: ...


@dataclass(frozen=True, slots=True)
class Played:
    """What was played, by whom, and what the schedule was told."""

    entrants: Sequence[str]
    absent: Collection[str]
    """Those of them that were dropped before the first match: the schedule hears nothing of them."""
    options: Options
    results: Sequence[Outcome]
    """Those that count."""
    seen: Sequence[Outcome]
    """What the schedule sees: places go by these, all else by the results."""


def placed(tabulate: Tabulate, run: Played, places: Places, by: RankBy, anchor: Anchor | None = None) -> Standings:
    """The standings as the schedule places the entrants; those whom it doesn't place stand last, unranked.

    Where something else than Elo is to rank, it does, and the schedule's order is passed over; but who is measured by
    a field has its row all the same, and is only put in that order. Places that fail, or that name others, are left
    out and told.
    """
    table = tabulate(run.entrants, run.results, anchor)
    try:
        with guarded("fails"):
            placing = _places(places, run)
    except BrokenPlugin as error:
        return replace(table, troubles=(*table.troubles, Unplaced(f"{error}{file_of(places)}")))
    field = dict.fromkeys(name for place in placing.places for name in place.field)
    if by != RankBy.ELO and not field:
        return table
    fixed = anchor if anchor and (anchor.entrant in field or not field) else None
    rows, own = {row.entrant: row for row in table.entrants}, _by_entrant(run.results)
    first = [_row(place, rows.pop(place.entrant), tabulate, own, fixed) for place in placing.places]
    if by != RankBy.ELO:
        first.sort(key=lambda row: _order(row, by, field))
    known = dict.fromkeys(run.options.gone, GONE) | dict.fromkeys(run.absent, DROPPED)
    last = [replace(row, rank=None, placing=known.get(row.entrant, "")) for row in rows.values()]
    lines = (*placing.lines, *_zero(tuple(field), anchor, fixed), *table.lines)
    return replace(table, entrants=(*first, *last), title=placing.title, lines=lines, anchor=fixed)


def _places(places: Places, run: Played) -> Placing:
    """An answer that places each entrant once at most; raises BrokenPlugin for any other."""
    taking_part = [name for name in run.entrants if name not in run.absent]
    answer: object = places(taking_part, settled(run.options, taking_part), run.seen)
    if not isinstance(answer, Placing):
        raise BrokenPlugin(f"must answer with a Placing, not {type(answer).__name__}")
    names = [place.entrant for place in answer.places]
    if wrong := [name for name in names if name not in run.entrants or names.count(name) > 1]:
        raise BrokenPlugin(f"must place each entrant once, and places {wrong[0]!r}")
    return answer


def ranked_among(rows: Sequence[Row], names: Collection[str]) -> tuple[Row, ...]:
    """The rows of these; where others were between them, the ranks close up."""
    kept = tuple(row for row in rows if row.entrant in names)
    if len(kept) == len(rows):
        return kept
    ranks = [row.rank for row in kept if row.rank is not None]
    return tuple(
        row if row.rank is None else replace(row, rank=1 + sum(rank < row.rank for rank in ranks)) for row in kept
    )


def _by_entrant(results: Sequence[Outcome]) -> Mapping[str, Sequence[Outcome]]:
    found: defaultdict[str, list[Outcome]] = defaultdict(list)
    for each in results:
        for name in {*each.leg.entrants}:
            found[name].append(each)
    return found


def _row(
    place: Place, row: Row, tabulate: Tabulate, results: Mapping[str, Sequence[Outcome]], anchor: Anchor | None
) -> Row:
    own = _against(place, tabulate, results.get(place.entrant, ()), anchor) if place.field else row
    if not place.rated:
        own = _unrated(own, anchor)
    if place.field or not place.rated:
        own = replace(own, rank_low=None, rank_high=None, group=None)
    return replace(own, rank=place.rank, score=place.score, placing=place.said)


def _unrated(row: Row, anchor: Anchor | None) -> Row:
    """A row without any rating, but for that which it has by definition."""
    is_fixed = anchor and anchor.entrant == row.entrant and row.elo is not None
    elo = anchor.elo if anchor and is_fixed else None
    return replace(row, elo=elo, elo_low=elo, elo_high=elo, ratings=dict.fromkeys(row.ratings))


def _order(row: Row, by: RankBy, field: Collection[str]) -> tuple[bool, float]:
    """Those who are measured by the field, the best first; then the field. Equals stay as the schedule has them."""
    found = measure(row, by)
    return (row.entrant in field, 0) if row.entrant in field else (False, inf if found is None else -found)


def _zero(field: Sequence[str], anchor: Anchor | None, fixed: Anchor | None) -> Iterator[str]:
    """What those who are measured by a field are rated from, in a line."""
    if anchor and not fixed:
        yield told_outside(anchor, field)
    if field and not fixed:
        yield f"Elo counts from {'the mean of the field' if field[1:] else field[0]}."


# --- Against a field --------------------------------------------------------------------------------------------------


def _against(place: Place, tabulate: Tabulate, results: Sequence[Outcome], anchor: Anchor | None) -> Row:
    """The row of an entrant by its results against a field alone, its ratings above the mean of those that it met.

    `elo` has the mean 0 over all who met. So of n opponents, the distance from their mean is (n+1)/n of the rating, and
    so is that of the ends of its interval. With an anchor in the field it is measured from that instead, if they met.
    """
    names = (place.entrant, *place.field)
    own = [each for each in results if {*each.leg.entrants} <= {*names}]
    rows = {row.entrant: row for row in tabulate(names, own, anchor).entrants}
    row, met = rows[place.entrant], [rows[each] for each in place.field if rows[each].elo is not None]
    if row.elo is None or not met:
        return row
    row = replace(row, ratings=dict(_others(row, met)))
    if anchor:
        is_linked = anchor.entrant in {each.entrant for each in met}
        return row if is_linked else replace(row, elo=None, elo_low=None, elo_high=None)
    scale = (len(met) + 1) / len(met)
    elo, low, high = (at and rounded(at * scale, ELO_DIGITS) for at in (row.elo, row.elo_low, row.elo_high))
    return replace(row, elo=elo, elo_low=low, elo_high=high)


def _others(row: Row, met: Sequence[Row]) -> Iterator[tuple[str, float | None]]:
    """The other ratings above the mean of those that were met."""
    for by, own in row.ratings.items():
        theirs = [each.ratings[by] for each in met]
        known = [value for value in theirs if value is not None]
        yield by, rounded(own - fmean(known), ELO_DIGITS) if own is not None and known else None
