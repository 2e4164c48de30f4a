"""The standings as a schedule would have them: its places instead of the ranks by rating, its column, its lines. Pure.

A row against a field is computed from the results against that field alone, as if nobody else had taken part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TypeAlias

from .guests import BrokenPlugin, file_of, guarded
from .outcome import Outcome
from .schedule import Options
from .schedules.placing import Place, Places, Placing, Unplaced
from .standings import Row, Standings
from .statistics.rounding import ELO_DIGITS, rounded

Tabulate: TypeAlias = Callable[[Sequence[str], Sequence[Outcome]], Standings]
"""The standings of these entrants by these results; `standings.standings` with all else given."""


def placed(
    tabulate: Tabulate,
    entrants: Sequence[str],
    absent: Collection[str],
    options: Options,
    results: Sequence[Outcome],
    seen: Sequence[Outcome],
    places: Places,
) -> Standings:
    """The standings of these entrants as the schedule places them; those whom it doesn't place stand last, unranked.

    Places go by what is `seen`, all else by the results. Of those who are `absent` the schedule hears nothing: they
    were dropped before the first match. Places that fail, or that name others, are left out and told.
    """
    table = tabulate(entrants, results)
    try:
        with guarded("fails"):
            placing = _checked(places([name for name in entrants if name not in absent], options, seen), entrants)
    except BrokenPlugin as error:
        return replace(table, troubles=(*table.troubles, Unplaced(f"{error}{file_of(places)}")))
    rows, own = {row.entrant: row for row in table.entrants}, _by_entrant(results)
    first = [_row(place, rows.pop(place.entrant), tabulate, own) for place in placing.places]
    last = [replace(row, rank=None) for row in rows.values()]
    return replace(table, entrants=(*first, *last), title=placing.title, lines=placing.lines)


def _by_entrant(results: Sequence[Outcome]) -> Mapping[str, Sequence[Outcome]]:
    found: defaultdict[str, list[Outcome]] = defaultdict(list)
    for each in results:
        for name in {*each.leg.entrants}:
            found[name].append(each)
    return found


def _checked(answer: object, entrants: Sequence[str]) -> Placing:
    """An answer that places each entrant once at most; raises BrokenPlugin for any other."""
    if not isinstance(answer, Placing):
        raise BrokenPlugin(f"must answer with a Placing, not {type(answer).__name__}")
    names = [place.entrant for place in answer.places]
    if wrong := [name for name in names if name not in entrants or names.count(name) > 1]:
        raise BrokenPlugin(f"must place each entrant once, and places {wrong[0]!r}")
    return answer


def _row(place: Place, row: Row, tabulate: Tabulate, results: Mapping[str, Sequence[Outcome]]) -> Row:
    own = _against(place, tabulate, results.get(place.entrant, ())) if place.field else row
    if not place.rated:
        own = replace(own, elo=None, elo_low=None, elo_high=None, ratings=dict.fromkeys(own.ratings))
    if place.field or not place.rated:
        own = replace(own, rank_low=None, rank_high=None, group=None)
    return replace(own, rank=place.rank, score=place.score, placing=place.said)


# --- Against a field --------------------------------------------------------------------------------------------------


def _against(place: Place, tabulate: Tabulate, results: Sequence[Outcome]) -> Row:
    """The row of an entrant by its results against a field alone, its ratings above the mean of those that it met.

    `elo` has the mean 0 over all who met. So of n opponents, the distance from their mean is (n+1)/n of the rating, and
    so is that of the ends of its interval.
    """
    names = (place.entrant, *place.field)
    rows = {
        row.entrant: row
        for row in tabulate(names, [each for each in results if {*each.leg.entrants} <= {*names}]).entrants
    }
    row, met = rows[place.entrant], [rows[each] for each in place.field if rows[each].elo is not None]
    if row.elo is None or not met:
        return row
    scale = (len(met) + 1) / len(met)
    elo, low, high = (at and rounded(at * scale, ELO_DIGITS) for at in (row.elo, row.elo_low, row.elo_high))
    return replace(row, elo=elo, elo_low=low, elo_high=high, ratings=dict(_others(row, met)))


def _others(row: Row, met: Sequence[Row]) -> Iterator[tuple[str, float | None]]:
    """The other ratings above the mean of those that were met."""
    for by, own in row.ratings.items():
        theirs = [each.ratings[by] for each in met]
        known = [value for value in theirs if value is not None]
        yield by, rounded(own - fmean(known), ELO_DIGITS) if own is not None and known else None
