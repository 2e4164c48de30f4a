"""The table people read: from the outcomes of a run to ranks, ratings and counts. Pure.

It is a function of the outcomes alone: their order, the number of lanes and every interruption leave it as it is, to
the last byte, since all numbers are rounded to a fixed number of digits (`ELO_DIGITS`, `POINT_DIGITS`). What is unknown
is None, never a number that is none.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import groupby
from math import isfinite, sqrt
from operator import attrgetter
from statistics import fmean, stdev
from typing import Any, Final, TypeAlias

from spades_harness.game.score import Format
from spades_harness.table.match import FaultKind

from .guests import BrokenPlugin, file_of, guarded
from .meeting import Meeting, Verdict, Verdicts, meetings, points_per_hand, verdicts
from .outcome import Outcome, add
from .rating import PairResult, Rated, Rating

RANKING: Final = "elo"
"""The rating that ranks. No plugin can take its name, so what goes wrong in it is a fault of the harness."""
ELO_DIGITS: Final = 1
"""Digits of Elo after the point: far finer than any interval, far coarser than what adding in another order changes."""
POINT_DIGITS: Final = 3
"""Digits of points and bags a hand after the point."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant. The fields, in this order, are the keys of the JSON list and the columns of the CSV."""

    rank: int | None
    """By Elo; those who share a rating share the rank, and the next rank is as many further. None without a result."""
    entrant: str
    elo: float | None
    elo_low: float | None
    """The 95 % interval's ends."""
    elo_high: float | None
    wins: int
    """Of legs in the format `game`, of meetings (pairs of legs) in `boards`; as are draws and losses."""
    draws: int
    losses: int
    points_per_hand: float | None
    """Own points less the opponents', a hand: the mean over all meetings without a forfeit."""
    points_error: float | None
    """The standard error of that mean, over meetings; None for fewer than two."""
    contracts_made: int
    contracts: int
    """Hands with a contract of at least one trick."""
    nils_made: int
    nils: int
    bags_per_hand: float | None
    forfeits: int
    """Matches that the entrant forfeited."""
    faults: Mapping[str, int]
    """By kind, the kinds that occurred."""
    hands: int
    """Finished hands of all matches."""
    matches: int
    ratings: Mapping[str, float | None] = field(default_factory=dict)
    """Other ratings by name, such as the sequential `elo_k`; None in one that was set aside."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A rating that failed or answered with nonsense, and why, in one line."""

    rating: str
    why: str

    def __str__(self) -> str:
        return f"the rating {self.rating} is left out: it {self.why}"


@dataclass(frozen=True, slots=True)
class Standings:
    """The rows in the order of the table, one an entrant, and the ratings that are missing from them."""

    rows: tuple[Row, ...]
    troubles: tuple[SetAside, ...] = ()


Results: TypeAlias = Sequence[tuple[Meeting, Sequence[Verdicts]]]
"""Meetings in plan order, and what each came to."""


def standings(
    entrants: Sequence[str], outcomes: Iterable[Outcome], game: Format, ratings: Mapping[str, Rating]
) -> Standings:
    """What the outcomes come to, for each of these entrants.

    `ratings` are functions by name: `elo` ranks, the others stand beside it. Entrants of equal Elo are ordered by what
    they scored against each other, then by name in code points.
    """
    results = [(meeting, tuple(verdicts(game, meeting))) for meeting in meetings(outcomes)]
    pairs = tuple(_for_rating(meeting, found) for meeting, found in results if found)
    answers = {name: _rated(name, rate, tuple(entrants), pairs) for name, rate in ratings.items()}
    rated = {by: {} if isinstance(found, SetAside) else found for by, found in answers.items()}
    rows = [_row(name, results, {by: found.get(name) for by, found in rated.items()}) for name in entrants]
    troubles = tuple(found for found in answers.values() if isinstance(found, SetAside))
    return Standings(tuple(_ranked(rows, results)), troubles)


def _rated(
    name: str, rate: Rating, entrants: tuple[str, ...], pairs: tuple[PairResult, ...]
) -> Mapping[str, Rated] | SetAside:
    """What a rating says; ratings come from plugins, too, and theirs may do and answer whatever they like."""
    if name == RANKING:
        return rate(entrants, pairs)
    try:
        with guarded("fails"):
            return _checked(rate(entrants, pairs), entrants, file_of(rate))
    except BrokenPlugin as error:
        return SetAside(name, str(error))


def _checked(answer: object, entrants: Iterable[str], file: str) -> dict[str, Rated]:
    """The ratings of these entrants as plain numbers; raises BrokenPlugin for what is none."""
    if not isinstance(answer, Mapping):
        raise BrokenPlugin(f"must answer with a mapping of Rated by entrant, not {type(answer).__name__}{file}")
    found: dict[str, Rated] = {}
    for name in entrants:
        rated = answer.get(name)
        if not isinstance(rated, Rated):
            raise BrokenPlugin(f"must answer with Rated for {name!r}, not {type(rated).__name__}{file}")
        found[name] = _in_floats(rated, file)
    return found


def _in_floats(rated: Rated, file: str) -> Rated:
    """With plain floats, whatever kind of number they were."""
    try:
        low, high = (None if end is None else float(end) for end in (rated.low, rated.high))
        return Rated(float(rated.elo), low, high)
    except (TypeError, ValueError, OverflowError) as error:
        raise BrokenPlugin(f"must answer with numbers: {error}{file}") from error


def _for_rating(meeting: Meeting, found: Sequence[Verdicts]) -> PairResult:
    first, second = meeting.entrants
    return PairResult(first, second, tuple(verdict.worth for verdict, _ in found))


# ---------------------------------------------------------------------------------------------------------- one entrant


def _row(name: str, results: Results, rated: Mapping[str, Rated | None]) -> Row:
    own = [(meeting, meeting.entrants.index(name), found) for meeting, found in results if name in meeting.entrants]
    legs = [(leg, place) for meeting, place, _ in own for leg in meeting.legs]
    verdict = Counter(each[place] for _, place, found in own for each in found)
    elo, low, high = _interval(rated.get(RANKING) if verdict else None)
    counts = add(leg.tallies[place] for leg, place in legs)
    hands = sum(leg.hands for leg, _ in legs)
    points, error = _points((meeting, place) for meeting, place, _ in own)
    return Row(
        rank=None,
        entrant=name,
        elo=elo,
        elo_low=low,
        elo_high=high,
        wins=verdict[Verdict.WIN],
        draws=verdict[Verdict.DRAW],
        losses=verdict[Verdict.LOSS] + verdict[Verdict.LOST_BY_BOTH],
        points_per_hand=points,
        points_error=error,
        contracts_made=counts.contracts_made,
        contracts=counts.contracts,
        nils_made=counts.nils_made,
        nils=counts.nils,
        bags_per_hand=_rounded(counts.bags / hands if hands else None, POINT_DIGITS),
        forfeits=sum(leg.forfeited[place] for leg, place in legs),
        faults=_by_kind(kind for leg, place in legs for kind in leg.faults[place]),
        hands=hands,
        matches=len(legs),
        ratings={by: _interval(each if verdict else None)[0] for by, each in rated.items() if by != RANKING},
    )


def _interval(rated: Rated | None) -> tuple[float | None, float | None, float | None]:
    """A rating and the ends of its interval."""
    if rated is None:
        return None, None, None
    return _rounded(rated.elo, ELO_DIGITS), _rounded(rated.low, ELO_DIGITS), _rounded(rated.high, ELO_DIGITS)


def _points(own: Iterable[tuple[Meeting, int]]) -> tuple[float | None, float | None]:
    """Points a hand over the meetings that have any, and their standard error: one meeting is one observation."""
    found = [-points if place else points for meeting, place in own if (points := points_per_hand(meeting)) is not None]
    mean = fmean(found) if found else None
    error = stdev(found) / sqrt(len(found)) if len(found) > 1 else None
    return _rounded(mean, POINT_DIGITS), _rounded(error, POINT_DIGITS)


def _by_kind(kinds: Iterable[FaultKind]) -> dict[str, int]:
    """Counts in the order of the kinds, without zeros."""
    counts = Counter(kinds)
    return {kind.value: counts[kind] for kind in FaultKind if counts[kind]}


def _rounded(number: float | None, digits: int) -> float | None:
    """Rounded, and never the zero that has a sign."""
    return None if number is None or not isfinite(number) else round(number, digits) + 0.0


# ---------------------------------------------------------------------------------------------------------------- ranks


def _ranked(rows: Iterable[Row], results: Results) -> Iterator[Row]:
    """The rows in order with their ranks; those without a rating come last, without a rank."""
    rated = sorted((row for row in rows if row.elo is not None), key=lambda row: -(row.elo or 0))
    rank = 1
    for _, tied in groupby(rated, key=attrgetter("elo")):
        group = _untied(list(tied), results)
        yield from (replace(row, rank=rank) for row in group)
        rank += len(group)
    yield from sorted((row for row in rows if row.elo is None), key=attrgetter("entrant"))


def _untied(group: Sequence[Row], results: Results) -> list[Row]:
    """A group of equal Elo in its order."""
    names = {row.entrant for row in group}
    scored: Counter[str] = Counter()
    for meeting, found in results:
        if names.issuperset(meeting.entrants):
            for verdict in found:
                scored.update({name: each.worth for name, each in zip(meeting.entrants, verdict, strict=True)})
    return sorted(group, key=lambda row: (-scored[row.entrant], row.entrant))


# -------------------------------------------------------------------------------------------------------- for machines


def as_json(rows: Iterable[Row]) -> str:
    """A list of objects with the fields of `Row` as keys, in ASCII; unknown numbers are null."""
    return json.dumps([asdict(row) for row in rows], indent=2, allow_nan=False)


def as_csv(rows: Iterable[Row]) -> str:
    """The fields of `Row` as columns; unknown numbers are empty, counts by kind are written `crash:2 timeout:1`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [each.name for each in fields(Row)]
    writer.writerow(names)
    writer.writerows([_cell(getattr(row, name)) for name in names] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, Mapping):
        return " ".join(f"{name}:{number}" for name, number in value.items() if number is not None)
    return value
