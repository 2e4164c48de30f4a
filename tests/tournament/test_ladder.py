"""The ladder: newcomers climb until their place is known, on the same boards whoever takes part, and nothing is played
twice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.rules import make_rules
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import Entrant, OptionValue, ScheduleError
from spades_harness.tournament.schedules.ladder import LADDER, places
from spades_harness.tournament.schedules.placing import Placing
from spades_harness.tournament.statistics.sprt import Evidence, Sprt, decide

from .simulating import assert_duplicate, by_chance, by_number, ended, field, legs_of, level, options, played

SHORT = options(streams=1, most=2)


def ranked(entrants: Sequence[Entrant], results: Sequence[Outcome]) -> list[str]:
    """The ladder, the best first."""
    return [place.entrant for place in found(entrants, results).places if place.rank]


def found(entrants: Sequence[Entrant], results: Sequence[Outcome]) -> Placing:
    return places([entrant.name for entrant in entrants], SHORT, results)


@given(st.permutations(range(9)))
def test_the_better_stand_above_whatever_the_order_of_the_file(order: list[int]) -> None:
    entrants = [Entrant(f"b{number}", ()) for number in order]
    batches, results = played(LADDER, entrants, SHORT, by_number)
    assert ranked(entrants, results) == [entrant.name for entrant in field(9)]
    assert_duplicate(legs_of(batches))


@pytest.mark.parametrize("count", [2, 3, 5, 17, 64, 121])
def test_everybody_gets_a_place_after_no_more_challenges_than_a_sort_takes(count: int) -> None:
    """About n log n of them, many at the same time."""
    entrants, given = field(count), options(streams=1, most=1)
    batches, results = played(LADDER, entrants, given)
    assert_duplicate(legs_of(batches))
    assert len(legs_of(batches)) / 2 <= count * (count - 1).bit_length()
    assert len(batches) <= (count - 1).bit_length() * 12
    ladder = places([entrant.name for entrant in entrants], given, results)
    assert sorted(place.entrant for place in ladder.places) == sorted(entrant.name for entrant in entrants)
    assert [place.rank for place in ladder.places] == [*range(1, count + 1)]


@given(st.permutations(range(8)))
def test_a_place_is_known_when_the_one_below_was_beaten_and_the_one_above_was_not(order: list[int]) -> None:
    """Of those who were on the ladder at the time: the last newcomer has met both neighbours."""
    entrants = [Entrant(f"b{number}", ()) for number in order]
    _, results = played(LADDER, entrants, SHORT, by_chance)
    ladder, last = ranked(entrants, results), entrants[-1].name
    place = ladder.index(last)
    met = {frozenset(each.leg.entrants) for each in results}
    for neighbour in ladder[max(place - 1, 0) : place] + ladder[place + 1 : place + 2]:
        assert frozenset((last, neighbour)) in met


def test_a_challenge_ends_at_the_look_that_shows_who_is_stronger() -> None:
    batches, _ = played(LADDER, field(2), options(), by_number)
    assert [sorted({leg.stream for leg in batch}) for batch in batches] == [[*range(8)], [*range(8, 16)]]


def test_a_challenge_ends_where_one_is_shown_to_be_50_elo_the_stronger_rather_than_the_other() -> None:
    def two_of_three(leg: Leg) -> tuple[int, int]:
        return (0, 1) if leg.stream % 3 else (1, 0)

    rule, evidence = Sprt(elo0=-50, elo1=50), Evidence()
    while decide(rule, evidence) is None:
        evidence = evidence.plus([float(evidence.meetings % 3 > 0)])
    batches, _ = played(LADDER, field(2), options(streams=1, most=1_000), two_of_three)
    assert len(batches) == evidence.meetings


def test_a_challenge_that_shows_nothing_goes_to_whoever_has_more_or_else_came_first() -> None:
    def by_a_hair(leg: Leg) -> tuple[int, int]:
        return (0, 1) if leg.stream % 2 or leg.stream == 22 else (1, 0)

    given = options(streams=10, most=24)
    batches, results = played(LADDER, field(2), given, by_a_hair)
    assert [len({leg.stream for leg in batch}) for batch in batches] == [10, 10, 4]
    upset = places(["b0", "b1"], given, results)
    assert [(place.entrant, place.rank, place.said) for place in upset.places] == [
        ("b1", 1, "won 1 of 1"),
        ("b0", 2, "stood first"),
    ]
    assert upset.lines[-1] == "Not told apart, so that points decided: b1 stands above b0 (13–11)."
    _, results = played(LADDER, field(2), SHORT, level)
    assert ranked(field(2), results) == ["b0", "b1"]
    assert found(field(2), results).lines[-1] == (
        "After 2 board streams of a challenge points decide: too few to tell two apart."
    )


def test_one_that_only_forfeits_is_at_the_bottom_and_two_such_keep_their_order() -> None:
    from dataclasses import replace

    results: list[Outcome] = []
    entrants, given = field(4), options(streams=16)
    while batch := LADDER(entrants, given, results):
        results += [
            replace(ended(at, leg, level), forfeited=(leg.entrants[0] in ("b1", "b2"), leg.entrants[1] in ("b1", "b2")))
            for at, leg in enumerate(batch, len(results) + 1)
        ]
    assert [place.entrant for place in places([e.name for e in entrants], given, results).places] == [
        *("b0", "b3", "b1", "b2")
    ]


# ------------------------------------------------------------------------------------------------- what changed alone


def test_who_joins_at_the_end_plays_its_own_challenges_and_nobody_plays_again() -> None:
    _, results = played(LADDER, field(8), SHORT)
    joined, named = field(9), list[Leg]()
    while batch := LADDER(joined, SHORT, results):
        named += batch
        results += [ended(at, leg, by_chance) for at, leg in enumerate(batch, len(results) + 1)]
    assert named
    assert all("b8" in leg.entrants for leg in named)
    assert ranked(joined, results) == ranked(joined, played(LADDER, joined, SHORT)[1])


def test_a_challenge_is_on_the_same_boards_and_legs_whoever_else_takes_part() -> None:
    whole = {leg[:3] for leg in legs_of(played(LADDER, field(9), SHORT, by_number)[0])}
    fewer = [entrant for entrant in field(9) if entrant.name != "b4"]
    without = {leg[:3] for leg in legs_of(played(LADDER, fewer, SHORT, by_number)[0])}
    again = {pair: {leg[1:3] for leg in whole if leg[0] == pair} for pair, *_ in whole & without}
    assert again
    assert all({leg[1:3] for leg in without if leg[0] == pair} == legs for pair, legs in again.items())


def test_legs_that_are_played_are_not_named_again() -> None:
    _, results = played(LADDER, field(6), options(streams=2, most=4))
    for at in range(0, len(results), 5):
        rest = LADDER(field(6), options(streams=2, most=4), results[:at])
        assert rest[0] == results[at].leg
        assert not {*rest} & {each.leg for each in results[:at]}


# ------------------------------------------------------------------------------------------------------ who came where


def test_on_the_way_up_the_ladder_so_far_is_told_and_what_newcomers_have_done() -> None:
    _, results = played(LADDER, field(5), SHORT, by_number)
    shown = [found(field(5), results[:at]) for at in (0, 4, 12, len(results))]
    assert [[(place.entrant, place.rank, place.said) for place in each.places[:4]] for each in shown] == [
        [("b0", 1, "stood first"), ("b1", None, "won 0 of 0 so far"), ("b2", None, "waits"), ("b3", None, "waits")],
        [
            ("b0", 1, "stood first"),
            ("b1", 2, "won 0 of 1"),
            *((name, None, "won 0 of 0 so far") for name in ("b2", "b3")),
        ],
        [
            ("b0", 1, "stood first"),
            ("b1", 2, "won 0 of 1"),
            ("b2", None, "won 0 of 1"),
            ("b3", None, "won 0 of 1 so far"),
        ],
        [("b0", 1, "stood first"), ("b1", 2, "won 0 of 1"), ("b2", 3, "won 0 of 1"), ("b3", 4, "won 0 of 2")],
    ]


# ------------------------------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"stream": 4}, "ladder has no option 'stream'; did you mean 'streams'?"),
        ({"streams": 0}, "streams must be a whole number from 1 to 100000, not 0"),
        ({"most": 1.5}, "most must be a whole number from 1 to 100000, not 1.5"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_line(given: dict[str, OptionValue], complaint: str) -> None:
    with pytest.raises(ScheduleError) as refused:
        LADDER(field(3), options(**given), ())
    assert str(refused.value) == f"schedule: {complaint}"


def test_one_entrant_or_none_and_tables_of_four_are_refused_in_one_line() -> None:
    for entrants in ([], field(1)):
        with pytest.raises(ScheduleError, match=r"^schedule: ladder needs two entrants or more, and there is "):
            LADDER(entrants, options(), ())
    with pytest.raises(ScheduleError, match=r"^schedule: ladder lets two entrants meet, but "):
        LADDER(field(4), options(make_rules("cutthroat")), ())
