"""The table people read: from the outcomes of a run to ranks, ratings and counts. Pure.

It is a function of the outcomes alone: their order, the number of lanes and every interruption leave it as it is, to
the last byte, since all numbers are rounded to a fixed number of digits (see `rounding`). What is unknown
is None, never a number that is none.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final

from spades_harness.game.score import Format
from spades_harness.table.match import FaultKind

from .anchor import Anchor
from .guests import BrokenPlugin, file_of, guarded
from .outcome import Outcome, add
from .rank_by import RankBy
from .records.amending import Amendment
from .replaced import told_replaced
from .schedules.placing import Unplaced
from .sealed import Shown
from .statistics.comparison import Compared, compare
from .statistics.faulted import mean_of, missed_points, missed_wins, own_points, told_missed, told_untold
from .statistics.individuals import Individual
from .statistics.meeting import Duel, Meeting, Results, Verdict, results_of
from .statistics.paired import at_fault, for_rating, leads, observed
from .statistics.pairings import pair_counts, scale, verdict_counts
from .statistics.partnership import Effect, partner_effects, told
from .statistics.ranking import ranked
from .statistics.rating import Rated, Rating, elo, elo_of
from .statistics.rounding import ELO_DIGITS, POINT_DIGITS, rounded

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RANKING: Final = "elo"
"""The rating that ranks. No plugin can take its name, so what goes wrong in it is a fault of the harness."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entrant. The fields, in this order, are the keys of its JSON object and the columns of the CSV."""

    rank: int | None
    """By Elo, or what `rank_by` says; of equals those come first who did better against each other, and who is still
    equal shares the rank. None without a result. Groups that never met have ranks of their own, each from 1."""
    entrant: str
    elo: float | None
    elo_low: float | None
    """The 95 % interval's ends."""
    elo_high: float | None
    wins: int
    """Of legs in the format `game`, of meetings (all legs on the same cards) in `boards`; as are draws and losses.

    Each opponent at a table is a result of its own: three a leg or meeting where four play, each for himself, and for
    an entrant that plays there with copies four, those of each copy against each of the other's.
    """
    draws: int
    losses: int
    points_per_hand: float | None
    """Own points less the opponents', a hand: the mean over all meetings without a forfeit, or also over those with one
    of its own if that is lower; see `faulted`. Of several opponents it is their mean, and that of the own copies where
    there are any."""
    points_error: float | None
    """The standard error of that mean, clustered by board stream; None for fewer than two streams."""
    contracts_made: int
    contracts: int
    """Hands with a contract of at least one trick; those of copies at one table count apart, as do their nils."""
    nils_made: int
    nils: int
    bags_per_hand: float | None
    """Of one side: copies at one table are several."""
    forfeits: int
    """Matches that the entrant forfeited."""
    faults: Mapping[str, int]
    """By kind, the kinds that occurred."""
    hands: int
    """Finished hands of all matches."""
    matches: int
    ratings: Mapping[str, float | None] = field(default_factory=dict)
    """Other ratings by name, such as the sequential `elo_k`; None in one that was set aside."""
    score: float | None = None
    """What the schedule gives for coming so far, where that is a number: points of an exam, of a Swiss."""
    placing: str = ""
    """The same as people read it: `winner`, `4½ of 6`; empty where the schedule leaves it to the ratings."""
    pairs: Mapping[str, int] = field(default_factory=dict)
    """Complete pairs of legs by what they were worth: `0` to `2` in `game`, `0` to `1` in `boards`; see `pairings`."""
    rank_low: int | None = None
    """The best and the worst rank by strength that the results allow, 95 %; see `comparison`."""
    rank_high: int | None = None
    group: int | None = None
    """Which of the groups that never met, from 1; see `Standings.groups`."""
    partner_effect: float | None = None
    """Where partners change: points a hand that others lead by more beside it; see `partnership`."""
    partner_effect_low: float | None = None
    """The 95 % interval's ends."""
    partner_effect_high: float | None = None


@dataclass(frozen=True, slots=True)
class SetAside:
    """A rating that failed or answered with nonsense, and why, in one line."""

    rating: str
    why: str

    def __str__(self) -> str:
        return f"the rating {self.rating} is left out: it {self.why}"


@dataclass(frozen=True, slots=True)
class Standings:
    """All that is said of a run. The fields are the keys of the JSON object: what joins them is printed."""

    entrants: tuple[Row, ...]
    """In the order of the table."""
    groups: tuple[Compared, ...] = ()
    """Those linked by a chain of results, and who of them is stronger than whom; the largest first. Mostly one."""
    troubles: tuple[SetAside | Unplaced, ...] = ()
    """The ratings that are missing from the rows, and the schedule's order if that is."""
    title: str = ""
    """Of the column with the schedule's words, `Row.placing`; empty where the ratings alone rank."""
    lines: tuple[str, ...] = ()
    """What the schedule says below the table, or where partners change, who is the best; who has no points, and why."""
    anchor: Anchor | None = None
    """Who has which Elo by definition."""
    individuals: tuple[Individual, ...] = ()
    """Each bot by itself, where some entrant is made of different ones."""
    amendments: tuple[Amendment, ...] = ()
    """What was done to the run after the fact."""
    secrets: tuple[Shown, ...] = ()
    """What may be known of those that the deals came from."""


def standings(
    entrants: Sequence[str],
    outcomes: Iterable[Outcome],
    game: Format,
    ratings: Mapping[str, Rating],
    rank_by: RankBy = RankBy.ELO,
    anchor: Anchor | None = None,
) -> Standings:
    """What the outcomes come to, for each of these entrants, in the order of their ranks (see `ranking`).

    `ratings` are functions by name: `elo` is the one with an interval, the others stand beside it. It alone knows of an
    anchor: the others have scales of their own.
    """
    if anchor:
        ratings = {**ratings, RANKING: partial(elo, anchor=anchor)}
    results = results_of(game, outcomes)
    seen = observed(results)
    answers = {name: _rated(name, rate, tuple(entrants), results) for name, rate in ratings.items()}
    if RANKING in answers and any(meeting.mates > 1 for meeting, _ in results):
        answers[RANKING] = elo_of(entrants, seen, anchor)
    rated = {by: {} if isinstance(found, SetAside) else found for by, found in answers.items()}
    compared = compare(seen)
    own, among = _by_entrant(entrants, results), scale(game, results)
    linked = {name for group in compared for name in group.entrants}
    numbers = {
        name: {by: found.get(name) if name in linked else None for by, found in rated.items()} for name in entrants
    }
    rows = [_row(name, own[name], numbers[name], among) for name in entrants]
    ranking = {row.entrant for row in rows if row.entrant in linked and (measure(row, rank_by) or 0) > -inf}
    missed = {name: count for name, count in _missed(game, own, rank_by).items() if name in ranking}
    effects = partner_effects([*leads(results)])
    rows = [*_with_effects(rows, effects)]
    troubles = tuple(found for found in answers.values() if isinstance(found, SetAside))
    return Standings(
        tuple(_ranked(_in_groups(rows, compared), own, rank_by, missed)),
        compared,
        troubles,
        lines=(*_lines(game, results, effects, own), *filter(None, [told_missed(missed, rank_by.words)])),
        anchor=anchor,
    )


def _rated(name: str, rate: Rating, entrants: tuple[str, ...], results: Results) -> Mapping[str, Rated] | SetAside:
    """What a rating says; ratings come from plugins, too, and theirs may do and answer whatever they like.

    Who lost by a fault beside a partner is rated once more, with these losses, in which nobody else has a part.
    """
    pairs = tuple(for_rating(results))
    if name == RANKING:
        return rate(entrants, pairs)
    try:
        with guarded("fails"):
            found = _checked(rate(entrants, pairs), entrants, file_of(rate))
            for each in at_fault(results):
                own = tuple(for_rating(results, charged=each))
                found[each] = _checked(rate(entrants, own), entrants, file_of(rate))[each]
            return found
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


# ---------------------------------------------------------------------------------------------------------- one entrant


def _by_entrant(entrants: Iterable[str], results: Results) -> Mapping[str, Results]:
    """Each entrant's own results, in plan order."""
    own: dict[str, list[tuple[Meeting, Sequence[Duel]]]] = {name: [] for name in entrants}
    for result in results:
        for name in dict.fromkeys(result[0].entrants):
            if name in own:
                own[name].append(result)
    return own


def _row(name: str, results: Results, rated: Mapping[str, Rated | None], among: Sequence[str]) -> Row:
    """The row of an entrant; `results` are its own alone, `among` is the scale of its pairs of legs."""
    own = [meeting for meeting, _ in results]
    legs = [leg for meeting in own for leg in meeting.legs]
    seats = [(leg, place) for meeting in own for leg in meeting.legs for place in meeting.places(name)]
    verdict = verdict_counts(name, results)
    is_rated = any(name in side for meeting, found in results for duel in found for side in meeting.of(duel))
    elo, low, high = _interval(rated.get(RANKING) if is_rated else None)
    counts = add(leg.tallies[place] for leg, place in seats)
    dealt = sum(leg.hands for leg, _ in seats)
    points, error = mean_of(own_points(results, name))
    return Row(
        rank=None,
        entrant=name,
        elo=elo,
        elo_low=low,
        elo_high=high,
        wins=verdict[Verdict.WIN],
        draws=verdict[Verdict.DRAW],
        losses=verdict[Verdict.LOSS] + verdict[Verdict.LOST_BY_BOTH],
        points_per_hand=rounded(points, POINT_DIGITS),
        points_error=rounded(error, POINT_DIGITS),
        contracts_made=counts.contracts_made,
        contracts=counts.contracts,
        nils_made=counts.nils_made,
        nils=counts.nils,
        bags_per_hand=rounded(counts.bags / dealt if dealt else None, POINT_DIGITS),
        forfeits=len({leg.ordinal for leg, place in seats if leg.forfeited[place]}),
        faults=_by_kind(kind for leg, place in seats for kind in leg.faults[place]),
        hands=sum(leg.hands for leg in legs),
        matches=len(legs),
        ratings={by: _interval(each if is_rated else None)[0] for by, each in rated.items() if by != RANKING},
        pairs=pair_counts(name, results, among),
    )


def _interval(rated: Rated | None) -> tuple[float | None, float | None, float | None]:
    """A rating and the ends of its interval."""
    if rated is None:
        return None, None, None
    return rounded(rated.elo, ELO_DIGITS), rounded(rated.low, ELO_DIGITS), rounded(rated.high, ELO_DIGITS)


def _by_kind(kinds: Iterable[FaultKind]) -> dict[str, int]:
    """Counts in the order of the kinds, without zeros."""
    counts = Counter(kinds)
    return {kind.value: counts[kind] for kind in FaultKind if counts[kind]}


# ---------------------------------------------------------------------------------------------------------------- ranks


def _in_groups(rows: Iterable[Row], groups: Sequence[Compared]) -> Iterator[Row]:
    """The rows with their groups, and the ranks that these leave open."""
    known = {
        name: (number, ranks)
        for number, group in enumerate(groups, 1)
        for name, ranks in zip(group.entrants, group.ranks, strict=True)
    }
    for row in rows:
        if row.entrant in known:
            number, (low, high) = known[row.entrant]
            yield replace(row, group=number, rank_low=low, rank_high=high)
        else:
            yield row


def _with_effects(rows: Iterable[Row], effects: Mapping[str, Effect]) -> Iterator[Row]:
    """The rows with what each is worth to a partner, where partners change."""
    for row in rows:
        at, low, high = (rounded(each, POINT_DIGITS) for each in effects.get(row.entrant, (None,) * 3))
        yield replace(row, partner_effect=at, partner_effect_low=low, partner_effect_high=high)


def _untold(own: Mapping[str, Results]) -> Iterator[str]:
    """Those who have no points, since they forfeited."""
    faulty = ((name, [each for each in results if name in each[0].culprits]) for name, results in own.items())
    return (name for name, results in faulty if own_points(results, name).cut_short)


def _missed(game: Format, own: Mapping[str, Results], by: RankBy) -> Mapping[str, float]:
    """How much of the measure another may miss by the faults of each, of those by whose it may."""
    match by:
        case RankBy.WINS:
            return missed_wins(game, own)
        case RankBy.POINTS:
            return missed_points(own)
        case RankBy.ELO:  # others have their distances by the rest, and a loss by fault costs as much as one to them
            return {}


def _lines(game: Format, results: Results, effects: Mapping[str, Effect], own: Mapping[str, Results]) -> Iterator[str]:
    """What there is to say where partners change, or where somebody was at fault."""
    if any(meeting.mates > 1 for meeting, _ in results):
        yield told(effects)
    if replaced := told_replaced(game, results):
        yield replaced
    if without := told_untold([*_untold(own)]):
        yield without


def _ranked(rows: Iterable[Row], own: Mapping[str, Results], by: RankBy, missed: Mapping[str, float]) -> Iterator[Row]:
    """The rows in order with their ranks, group by group; those without a result come last, without a rank.

    Of a measure is taken off what others may have missed of it.
    """
    groups: dict[int | None, dict[str, Row]] = {}
    for row in rows:
        groups.setdefault(row.group, {})[row.entrant] = row
    for _, named in sorted(groups.items(), key=lambda group: group[0] or inf):
        measured = {name: measure(row, by) if row.group else None for name, row in named.items()}
        measures = {name: at if at is None else at - missed.get(name, 0) for name, at in measured.items()}
        results = {id(result): result for name in named for result in own[name]}
        yield from (replace(named[name], rank=rank) for name, rank in ranked(measures, [*results.values()]))


def measure(row: Row, by: RankBy) -> float | None:
    """What ranks an entrant, as it is shown; who has results but no points, since it forfeited, is behind all."""
    if not row.wins + row.draws + row.losses:
        return None
    match by:
        case RankBy.ELO:
            return row.elo
        case RankBy.POINTS:
            return -inf if row.points_per_hand is None else row.points_per_hand
        case RankBy.WINS:
            return row.wins


# -------------------------------------------------------------------------------------------------------- for machines


def as_json(table: DataclassInstance) -> str:
    """One object with the fields of the table as keys, in ASCII; unknown numbers are null.

    Each item of a list has a line of its own, so that a long table can be read by people and by `grep`, too.
    """
    members = (f"  {json.dumps(name)}: {_in_lines(value)}" for name, value in asdict(table).items())
    return "{\n" + ",\n".join(members) + "\n}"


def _in_lines(value: Any) -> str:
    if not isinstance(value, list | tuple) or not value:
        return json.dumps(value, allow_nan=False)
    return "[\n" + ",\n".join(f"    {json.dumps(item, allow_nan=False)}" for item in value) + "\n  ]"


def as_csv(rows: Iterable[DataclassInstance], shape: type[DataclassInstance] = Row) -> str:
    """The fields of rows of one shape as columns; unknown numbers are empty, counts are written `crash:2 timeout:1`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [each.name for each in fields(shape)]
    writer.writerow(names)
    writer.writerows([_cell(getattr(row, name)) for name in names] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, Mapping):
        return " ".join(f"{name}:{number}" for name, number in value.items() if number is not None)
    return value
