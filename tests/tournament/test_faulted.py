"""Points of who was at fault: worked out by hand, and in simulated tournaments with a bot that crashes when behind."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import pytest

from spades_harness.game.score import Boards
from spades_harness.table.match import FaultKind
from spades_harness.tournament.crossplay import Crossplay, Own, crossplay
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.schedule import Entrant, Options
from spades_harness.tournament.schedules.mixer import mixer
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.standings import Row, Standings, standings
from spades_harness.tournament.statistics.meeting import results_of
from spades_harness.tournament.statistics.pairings import pairings
from spades_harness.tournament.statistics.rating import elo

DEEP = bool(os.environ.get("SPADES_DEEP"))
BOARDS = Boards(4)
HANDS: Final = 4


def played(
    number: int, sides: Sequence[str], lead: int, faulty: str = "", *, stream: int | None = None, length: int = HANDS
) -> list[Outcome]:
    """Two legs of four hands, each won by the first side by so much; those named were at fault in the second."""
    mates = len(sides[0])
    names = tuple("".join(sides))
    legs = [Leg(names, number if stream is None else stream, leg, number + 1, mates) for leg in (0, 1)]
    first, second = (
        Outcome(
            ordinal=2 * number + leg.leg + 1,
            leg=leg,
            scores=tuple(lead if at < mates else 0 for at in range(len(names))),
            forfeited=(False,) * len(names),
            hands=HANDS,
            tallies=(Tally(),) * len(names),
            faults=((),) * len(names),
            length=HANDS,
        )
        for leg in legs
    )
    return [first, at_fault(second, faulty, length)]


def at_fault(outcome: Outcome, faulty: str, length: int = HANDS) -> Outcome:
    """The same with these at fault; `length` 0: it was forfeited."""
    did = tuple(name in faulty for name in outcome.leg.entrants)
    kinds = tuple((FaultKind.CRASH,) if each else () for each in did)
    return replace(outcome, forfeited=did, faults=kinds, hands=0 if any(did) else outcome.hands, length=length)


def table(outcomes: Sequence[Outcome], by: RankBy = RankBy.ELO) -> Standings:
    names = sorted({name for each in outcomes for name in each.leg.entrants})
    return standings(names, outcomes, BOARDS, {"elo": elo}, by)


def rows(outcomes: Sequence[Outcome]) -> dict[str, Row]:
    return {row.entrant: row for row in table(outcomes).entrants}


def points(outcomes: Sequence[Outcome]) -> dict[str, tuple[float | None, float | None]]:
    return {name: (row.points_per_hand, row.points_error) for name, row in rows(outcomes).items()}


def sum_of(outcomes: Sequence[Sequence[Outcome]]) -> list[Outcome]:
    return [each for found in outcomes for each in found]


# --- Points a hand ----------------------------------------------------------------------------------------------------

CLEAN = [*played(0, "ab", 8), *played(1, "ab", 16)]
"""2 and 4 points a hand."""


def test_a_meeting_with_a_fault_counts_in_the_points_of_who_made_it_if_they_are_less_with_it() -> None:
    """By hand: 2, 4 and -9 are -1 in the mean; the error of -1 is that of 3, 5 and -8 from it."""
    found = points([*CLEAN, *played(2, "ab", -36, "a")])
    assert found["a"][0] == -1.0
    assert found["a"][1] == pytest.approx((98 / 2 / 3) ** 0.5, abs=0.001)
    assert found["b"] == (-3.0, 1.0)


def test_it_does_not_where_they_are_more_with_it_than_without() -> None:
    """So a weak bot gains nothing by having the substitute play for it."""
    assert points([*CLEAN, *played(2, "ab", 36, "a")]) == points(CLEAN)


def test_there_are_no_points_of_who_was_at_fault_in_all_of_its_meetings() -> None:
    found = points(sum_of([played(number, "ab", 8, "a") for number in range(3)]))
    assert found == {"a": (None, None), "b": (None, None)}


def test_a_meeting_at_which_both_were_at_fault_counts_in_the_points_of_neither() -> None:
    assert points([*CLEAN, *played(2, "ab", -36, "ab")]) == points(CLEAN)


def test_there_are_no_points_of_who_forfeited_a_match_and_a_line_says_so() -> None:
    found = table([*CLEAN, *played(2, "ab", 36, "a", length=0)])
    assert {row.entrant: row.points_per_hand for row in found.entrants} == {"a": None, "b": -3.0}
    (line,) = found.lines
    assert line.startswith("No points a hand are told of a: nobody knows what a match would have come to")
    assert table(CLEAN).lines == ()


def test_who_forfeited_a_match_is_behind_all_where_points_rank() -> None:
    found = table([*CLEAN, *played(2, "ab", 36, "a", length=0)], RankBy.POINTS)
    assert [(row.entrant, row.rank) for row in found.entrants] == [("b", 1), ("a", 2)]


def test_two_by_two_it_counts_against_that_one_alone() -> None:
    outcomes = [*CLEAN, *played(2, "ac", 4), *played(3, "ab", -36, "a"), *played(4, "ac", 4, "c", length=0)]
    found = {(each.entrant, each.opponent): each for each in pairings("abc", BOARDS, results_of(BOARDS, outcomes))}
    assert {two: each.points_per_hand for two, each in found.items()} == {
        ("a", "b"): -1.0,
        ("b", "a"): -3.0,
        ("a", "c"): 1.0,
        ("c", "a"): None,
    }


def test_of_four_for_themselves_it_is_the_same() -> None:
    def four(number: int, lead: int, faulty: str = "") -> Iterator[Outcome]:
        """`a` leads each of the others by so much in each of four legs."""
        for leg in range(4):
            first, _ = played(number, ["a", "b", "c", "d"], lead)
            seats = replace(first, ordinal=4 * number + leg + 1, leg=Leg(tuple("abcd"), number, leg, number + 1))
            yield at_fault(seats, faulty if leg == 2 else "")

    outcomes = [*four(0, 8), *four(1, -40, "a")]
    found = rows(outcomes)
    assert found["a"].points_per_hand == (2 - 10) / 2
    assert found["b"].points_per_hand == pytest.approx(-2 / 3, abs=0.001)


# --- Beside whom ------------------------------------------------------------------------------------------------------

SPLITS = (("ab", "cd"), ("ac", "bd"), ("ad", "bc"))


def mixed(faulty: str = "", lead: int = 8, streams: int = 6) -> list[Outcome]:
    """All splits on each stream, won by the side of `a`; on the first those named are at fault in all of them."""
    return sum_of(
        [
            played(3 * at + number, sides, lead, "" if at else faulty, stream=at)
            for at in range(streams)
            for number, sides in enumerate(SPLITS)
        ]
    )


def effects(outcomes: Sequence[Outcome]) -> dict[str, float | None]:
    return {name: row.partner_effect for name, row in rows(outcomes).items()}


def test_a_table_counts_in_the_partner_effect_of_who_was_at_fault_if_that_is_less_with_it() -> None:
    """By hand: `a` leads by 2 a hand at fifteen tables, and at three, at which it was at fault, it is behind by 10: it
    is worth 0 more than the others, who are alike, as if these had not been."""
    lost = [replace(each, scores=(0, 0, 40, 40)) if each.leg.stream == 0 else each for each in mixed("a")]
    assert effects(lost) == {"a": 0.0, "b": 0.0, "c": 0.0, "d": 0.0}


def test_it_does_not_where_that_is_more_with_it_than_without() -> None:
    won = [replace(each, scores=(90, 90, 0, 0)) if each.leg.stream == 0 else each for each in mixed("a")]
    assert effects(won) == effects(mixed()) == {"a": 2.0, **dict.fromkeys("bcd", -0.667)}


def test_who_was_at_fault_at_a_table_that_ended_there_has_no_partner_effect_and_the_others_have() -> None:
    ended = [replace(each, length=0) if each.leg.stream == 0 else each for each in mixed("a")]
    assert effects(ended) == {"a": None, "b": 0.0, "c": 0.0, "d": 0.0}


def test_the_best_partner_is_not_who_crashes_wherever_it_is_behind() -> None:
    """Two streams of three are lost by more than the third is won by, and left out they would make it the best."""
    streams = [mixed(lead=40), mixed("a", lead=-200), mixed("a", lead=-200)]
    outcomes = sum_of(
        [
            [
                replace(each, ordinal=100 * at + each.ordinal, leg=each.leg._replace(stream=6 * each.leg.stream + at))
                for each in found
                if at == 0 or each.leg.stream == 0
            ]
            for at, found in enumerate(streams)
        ]
    )
    assert len(outcomes) == 2 * 3 * 8
    honest = [replace(each, forfeited=(False,) * 4, hands=HANDS) for each in outcomes]
    assert effects(outcomes) == effects(honest)
    assert str(table(honest).lines[0]).startswith("The best partner so far is b")
    assert str(table(outcomes).lines[0]).startswith("The best partner so far is b")


def own(outcomes: Sequence[Outcome]) -> tuple[Crossplay, dict[str, Own]]:
    found = crossplay(table(outcomes), results_of(BOARDS, outcomes))
    return found, {each.entrant: each for each in found.own}


def test_a_table_counts_in_the_row_of_who_was_at_fault_and_in_no_other() -> None:
    diagonal = [*played(50, ("aa", "bb"), 8), *played(51, ("aa", "cc"), 8)]
    clean = [*mixed(), *diagonal]
    found, by = own([*clean, *played(60, ("ab", "cd"), -160, "a"), *played(61, ("aa", "dd"), -160, "a")])
    cells = {(each.entrant, each.partner): (each.points_per_hand, each.tables) for each in found.cells}
    assert cells["a", "b"] == (-4.0, 7)  # six of 2, and one of -40
    assert cells["b", "a"] == (2.0, 6)
    assert cells["a", "a"] == (-12.0, 3)
    assert cells["d", "c"] == (-2.0, 6)
    assert by["a"].self_play == -12.0
    assert by["a"].cross_play == pytest.approx(0.0, abs=0.001)
    assert by["b"] == own(clean)[1]["b"]


def test_no_difference_is_told_of_who_was_at_fault() -> None:
    """Beside others it may be behind on purpose, and seem to understand itself."""
    diagonal = [*played(50, ("aa", "bb"), 8), *played(51, ("aa", "cc"), 8)]
    found = own([*mixed(), *diagonal, *played(60, ("ab", "cd"), -160, "a")])[1]["a"]
    assert (found.difference, found.difference_error, found.understanding) == (None, None, None)
    assert own([*mixed(), *diagonal])[1]["a"].difference == 0.0


def test_beside_others_it_has_no_mean_where_it_was_at_fault_at_all_tables_with_one_of_them() -> None:
    """Else it would choose its partners."""
    found, by = own([*played(0, ("ab", "cd"), 8), *played(1, ("ac", "bd"), -8, "a"), *played(2, ("ad", "bc"), 8)])
    assert by["a"].cross_play is None
    assert {(each.partner, each.points_per_hand) for each in found.cells if each.entrant == "a"} == {
        ("b", 2.0),
        ("c", None),
        ("d", 2.0),
    }


# --- Where something else than Elo ranks ------------------------------------------------------------------------------


def ranks(outcomes: Sequence[Outcome], by: RankBy) -> dict[str, int | None]:
    return {row.entrant: row.rank for row in table(outcomes, by).entrants}


def test_wins_that_others_may_have_missed_by_a_fault_are_taken_off_where_wins_rank() -> None:
    """`a` has 1, `c` and `d` would have 2: its fault keeps them at 1."""
    outcomes = [*played(0, ("ab", "cd"), 8), *played(1, ("cd", "ba"), 8), *played(2, ("ab", "cd"), -8, "a")]
    assert {row.entrant: row.wins for row in table(outcomes).entrants} == dict.fromkeys("abcd", 1)
    assert ranks(outcomes, RankBy.WINS) == {"b": 1, "c": 1, "d": 1, "a": 4}
    said = "Ranked by wins less those that one's faults may have kept others from: a 1"
    assert table(outcomes, RankBy.WINS).lines[-1] == said
    assert said not in table(outcomes).lines


def test_points_that_others_missed_by_a_fault_are_taken_off_where_points_rank() -> None:
    """Of 2 and -10 `a` shows -4; `c` would show 4 and shows -2, and 6 are taken off; `b` is where it was without it."""
    outcomes = [*played(0, ("ab", "cd"), 8), *played(1, ("ab", "cd"), -40, "a"), *played(2, ("ab", "cd"), -4, "b")]
    found = table(outcomes, RankBy.POINTS)
    assert {row.entrant: row.points_per_hand for row in found.entrants} == {"a": -4.0, "b": 0.5, "c": -2.0, "d": -2.0}
    assert [row.entrant for row in found.entrants] == ["b", "c", "d", "a"]
    assert (
        found.lines[-1] == "Ranked by points a hand less those that one's faults may have kept others from: a 6, b 1.5"
    )


def test_who_was_at_fault_at_all_of_its_tables_has_no_rank_by_which_it_would_be_before_those_it_kept_from_any() -> None:
    outcomes = sum_of([played(number, ("ab", "cd"), 8, "a") for number in range(3)])
    for by in RankBy:
        assert ranks(outcomes, by) == dict.fromkeys("abcd")


def test_who_kept_another_from_having_any_points_is_behind_it() -> None:
    outcomes = [*played(0, "ab", 8), *played(1, "ac", -8, "a")]
    assert table(outcomes, RankBy.POINTS).lines[-1].endswith(": a all")
    assert ranks(outcomes, RankBy.POINTS)["b"] == 1


# --- Simulated --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cheat:
    """A bot as strong as all others that crashes in a match wherever its side is behind after half of it."""

    name: str = "e0"
    loses: int = 0
    """What the substitute is worse by in the other half; below 0: it is better."""


def simulated(
    legs: Sequence[Leg], seed: int, cheat: Cheat, *, ends: bool = False
) -> tuple[list[Outcome], list[Outcome]]:
    """What the cheat makes of these legs, and what comes of the same cards and plays if it plays on by itself.

    `ends`: a crash ends the match; else the substitute plays on.
    """
    dice, crashed, honest = Random(seed), list[Outcome](), list[Outcome]()
    luck = [dice.gauss(0, 40) for _ in range(1 + max(leg.stream for leg in legs))]
    for number, leg in enumerate(legs, 1):
        half, rest = luck[leg.stream] * (1, -1)[leg.leg] + dice.gauss(0, 60), dice.gauss(0, 60)
        sign = 1 if cheat.name in leg.entrants[: leg.mates] else -1
        behind = cheat.name in leg.entrants and sign * half < 0
        plain = outcome(number, leg, round(half + rest))
        honest.append(plain)
        lost = outcome(number, leg, round(half + rest - sign * cheat.loses))
        crashed.append(at_fault(lost, cheat.name, 0 if ends else HANDS) if behind else plain)
    return crashed, honest


def outcome(number: int, leg: Leg, lead: int) -> Outcome:
    places = len(leg.entrants)
    scores = tuple(lead if at < leg.mates else 0 for at in range(places))
    none: tuple[tuple[FaultKind, ...], ...] = ((),) * places
    return Outcome(number, leg, scores, (False,) * places, HANDS, (Tally(),) * places, none, length=HANDS)


FIELD = [Entrant(f"e{number}", ()) for number in range(8)]
MIXED = mixer(FIELD, Options({"rounds": 16, "self_play": True}, BOARDS), ())
ROUND_ROBIN = round_robin(FIELD, Options({"rounds": 4}, BOARDS), ())
TRIALS = range(100 if DEEP else 3)


def figures(outcomes: Sequence[Outcome], name: str) -> Mapping[str, float]:
    """All that is the better the more it is; those that are not told are behind all."""
    tables = {by: table(outcomes, by) for by in RankBy}
    found = {by: next(row for row in each.entrants if row.entrant == name) for by, each in tables.items()}
    row, results = found[RankBy.ELO], results_of(BOARDS, outcomes)
    names = [each.entrant for each in tables[RankBy.ELO].entrants]
    met = [each for each in pairings(names, BOARDS, results) if each.entrant == name]
    beside = crossplay(tables[RankBy.ELO], results)
    alone = next(each for each in beside.own if each.entrant == name)
    plain = {
        "elo": row.elo,
        "points": row.points_per_hand,
        "effect": row.partner_effect,
        "self": alone.self_play,
        "cross": alone.cross_play,
        "difference": alone.difference,
        "understanding": alone.understanding,
        **{f"rank by {by.value}": -(each.rank or 99) for by, each in found.items()},
        **{f"against {each.opponent}": each.points_per_hand for each in met},
        **{f"beside {each.partner}": each.points_per_hand for each in beside.cells if each.entrant == name},
    }
    return {what: float("-inf") if value is None else value for what, value in plain.items()}


def given_up(honest: Sequence[Outcome], name: str = "e0") -> Iterator[Outcome]:
    """The same, but in the second leg of all that its side loses, the first counted, it crashes when that is sure."""
    for first, second in zip(honest[::2], honest[1::2], strict=True):
        lead = first.scores[0] + second.scores[0] - first.scores[-1] - second.scores[-1]
        own = name in first.leg.entrants
        lost = own and (lead < 0) == (name in first.leg.entrants[: first.leg.mates]) and lead != 0
        yield from (first, at_fault(second, name) if lost else second)


def better(crashed: Sequence[Outcome], honest: Sequence[Outcome]) -> dict[str, tuple[float, float]]:
    """What is better with faults than without, by more than what rounding does."""
    with_, without = figures(crashed, "e0"), figures(honest, "e0")
    assert with_.keys() <= without.keys()
    return {what: (value, without[what]) for what, value in with_.items() if value > without[what] + ROUNDING}


ROUNDING = 0.11
"""Elo are told to a tenth, and points to a thousandth."""


@pytest.mark.parametrize(("legs", "ends"), [(MIXED, False), (ROUND_ROBIN, False), (ROUND_ROBIN, True)])
def test_who_crashes_wherever_it_is_behind_has_no_figure_that_is_better_for_it(legs: Sequence[Leg], ends: bool) -> None:
    for seed in TRIALS:
        assert not better(*simulated(legs, seed, Cheat(), ends=ends)), seed


@pytest.mark.parametrize("legs", [MIXED, ROUND_ROBIN])
def test_who_crashes_where_it_has_lost_anyway_gains_nothing_either(legs: Sequence[Leg]) -> None:
    for seed in TRIALS:
        _, honest = simulated(legs, seed, Cheat())
        assert not better([*given_up(honest)], honest), seed


@pytest.mark.parametrize("legs", [MIXED, ROUND_ROBIN])
def test_who_crashes_where_the_substitute_is_better_gains_no_more_than_by_playing_as_it_does(
    legs: Sequence[Leg],
) -> None:
    for seed in TRIALS:
        crashed, _ = simulated(legs, seed, Cheat(loses=-40))
        played_so = [replace(each, forfeited=(False,) * len(each.forfeited), hands=HANDS) for each in crashed]
        assert not better(crashed, played_so), seed


def test_the_best_partner_is_named_as_often_as_it_would_be_without_its_faults_or_less() -> None:
    def named(outcomes: Sequence[Outcome]) -> bool:
        return " e0" in table(outcomes).lines[0].split(":")[0].split(",")[0]

    runs = [simulated(MIXED, seed, Cheat()) for seed in TRIALS]
    assert all(named(honest) for crashed, honest in runs if named(crashed))
    assert not all(named(crashed) for crashed, _ in runs)
