"""Swiss: who meets whom round by round, what a round is worth, and the byes; by properties over many entrants."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.rules import make_rules
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import Batch, ScheduleError
from spades_harness.tournament.schedules.matchmaking import best_pairs
from spades_harness.tournament.schedules.placing import Placing
from spades_harness.tournament.schedules.swiss import SWISS, places

from .simulating import assert_duplicate, by_number, ended, field, legs_of, level, options, played

SIZES = st.integers(2, 12)


def pairs(batch: Batch) -> set[frozenset[str]]:
    return {frozenset(leg.entrants) for leg in batch}


def names(count: int) -> list[str]:
    return [entrant.name for entrant in field(count)]


def byes(batches: list[Batch], count: int) -> list[set[str]]:
    """Who has none to play, round by round."""
    return [{*names(count)}.difference(*pairs(batch)) for batch in batches]


# ------------------------------------------------------------------------------------------------------ who meets whom


@given(SIZES, st.integers(1, 12), st.integers(1, 3))
def test_every_round_pairs_everybody_but_one_at_most_on_boards_of_its_own(
    count: int, rounds: int, streams: int
) -> None:
    batches, _ = played(SWISS, field(count), options(rounds=rounds, streams=streams))
    assert len(batches) == rounds
    assert_duplicate(legs_of(batches))
    for number, batch in enumerate(batches):
        assert {leg.round for leg in batch} == {number + 1}
        assert {leg.stream for leg in batch} == {*range(number * streams, (number + 1) * streams)}
        assert len(batch) == len(pairs(batch)) * streams * 2
        playing = Counter(name for pair in pairs(batch) for name in pair)
        assert set(playing.values()) == {1}
        assert len(playing) == count - count % 2


def repeats_without_need(met: set[frozenset[str]], batch: Batch, count: int) -> bool:
    """Whether a pairing is repeated though another would have repeated none."""
    if not pairs(batch) & met:
        return False
    free = nx.Graph([pair for pair in combinations(names(count), 2) if frozenset(pair) not in met])
    return len(nx.max_weight_matching(free, maxcardinality=True)) == count // 2


@given(SIZES, st.integers(1, 12))
def test_no_pairing_is_repeated_while_another_is_possible(count: int, rounds: int) -> None:
    met: set[frozenset[str]] = set()
    for batch in played(SWISS, field(count), options(rounds=rounds, streams=1))[0]:
        assert not repeats_without_need(met, batch, count)
        met |= pairs(batch)


@pytest.mark.parametrize("count", [2, 3, 5, 31])
def test_in_the_rounds_that_it_has_by_default_nobody_meets_anybody_twice(count: int) -> None:
    batches, _ = played(SWISS, field(count), options(streams=1))
    met = [pair for batch in batches for pair in pairs(batch)]
    assert len(met) == len(set(met))
    assert len(batches) == {2: 1, 3: 3, 5: 5, 31: 7}[count]


@given(st.integers(1, 5), st.integers(1, 12))
def test_nobody_has_a_second_bye_while_another_has_none_unless_that_would_repeat_a_pairing(
    half: int, rounds: int
) -> None:
    count, met = 2 * half + 1, set[frozenset[str]]()
    had = Counter(dict.fromkeys(names(count), 0))
    batches, _ = played(SWISS, field(count), options(rounds=rounds, streams=1))
    for batch, (free,) in zip(batches, byes(batches, count), strict=True):
        for other in (name for name in names(count) if had[name] < had[free]):
            graph = nx.Graph([p for p in combinations({*names(count)} - {other}, 2) if frozenset(p) not in met])
            assert len(nx.max_weight_matching(graph, maxcardinality=True)) < count // 2
        had[free] += 1
        met |= pairs(batch)


@pytest.mark.parametrize("count", [3, 5, 9, 25])
def test_half_as_many_rounds_as_entrants_give_nobody_a_second_bye(count: int) -> None:
    batches, _ = played(SWISS, field(count), options(rounds=(count + 1) // 2, streams=1))
    free = [name for (name,) in byes(batches, count)]
    assert len(free) == len(set(free))


def test_at_first_the_upper_half_of_the_file_meets_the_lower_and_the_last_has_the_bye() -> None:
    (batch,), _ = played(SWISS, field(8), options(rounds=1))
    assert pairs(batch) == {frozenset((f"b{number}", f"b{number + 4}")) for number in range(4)}
    (batch,), _ = played(SWISS, field(5), options(rounds=1))
    assert byes([batch], 5) == [{"b4"}]


def test_those_of_equal_score_meet() -> None:
    batches, _ = played(SWISS, field(16), options(rounds=4, streams=1), by_number)
    won = Counter[str]()
    for batch in batches:
        assert all(len({won[name] for name in pair}) == 1 for pair in pairs(batch))
        won.update(min(pair, key=lambda name: int(name[1:])) for pair in pairs(batch))
    assert [name for name, points in won.items() if points == 4] == ["b0"]


def test_of_those_who_had_no_bye_yet_the_lowest_has_it_in_every_round() -> None:
    batches, _ = played(SWISS, field(5), options(rounds=5, streams=1), by_number)
    assert byes(batches, 5) == [{"b4"}, {"b3"}, {"b2"}, {"b1"}, {"b0"}]


def after(*rounds: str) -> list[Outcome]:
    """Results of such rounds, each on a board stream: of `0>4 2=3` b0 won against b4, and the others drew."""
    points = {">": (1, 0), "=": (0, 0), "<": (0, 1)}
    found: list[Outcome] = []
    for stream, pairs in enumerate(rounds):
        for one, how, other in map(tuple, pairs.split()):
            for leg in (0, 1):
                named = Leg((f"b{one}", f"b{other}"), stream, leg, stream + 1)
                found.append(ended(len(found) + 1, named, lambda leg, how=how: points[how]))  # type: ignore[misc]
    return found


def test_several_who_meet_others_of_about_their_score_are_better_than_one_who_meets_one_far_below() -> None:
    """By 3, 2 and 3 halves: with b2 - b1, b3 - b0 and b5 - b4 it would be 4, 1 and 3, as much in all."""
    results = after("1<5 3>4 0<2", "0=5 2>3 1>4", "0>1 3>5 2>4")
    scores = {place.entrant: place.score for place in places(names(6), options(streams=1), results).places}
    assert scores == {"b2": 3, "b3": 2, "b0": 1.5, "b5": 1.5, "b1": 1, "b4": 0}
    batch = SWISS(field(6), options(rounds=4, streams=1), results)
    assert pairs(batch) == {frozenset(("b2", "b5")), frozenset(("b3", "b1")), frozenset(("b0", "b4"))}


def test_where_two_scores_meet_several_are_a_little_off_the_border_rather_than_one_far_off() -> None:
    """By 3, 1 and 2 in the order of the table: b5 - b2, b1 - b3 and b4 - b0 would be 4 off and twice none."""
    results = after("3>4 0=2 1=5", "2<4 0<1 3<5")
    found = places(names(6), options(streams=1), results).places
    assert [(place.entrant, place.score) for place in found] == [
        *(("b5", 1.5), ("b1", 1.5), ("b3", 1.0), ("b4", 1.0), ("b0", 0.5), ("b2", 0.5))
    ]
    batch = SWISS(field(6), options(rounds=3, streams=1), results)
    assert pairs(batch) == {frozenset(("b5", "b0")), frozenset(("b1", "b4")), frozenset(("b3", "b2"))}


@pytest.mark.parametrize("count", [2, 3, 200 if os.environ.get("SPADES_DEEP") else 121])
def test_a_round_is_paired_for_two_and_for_hundreds(count: int) -> None:
    (batch,), _ = played(SWISS, field(count), options(rounds=1, streams=1))
    assert len(pairs(batch)) == count // 2


# ------------------------------------------------------------------------------------------- the same plan everywhere


def test_the_pairing_depends_on_no_order_but_that_of_the_file() -> None:
    entrants, given = field(9), options(rounds=5, streams=1)
    _, results = played(SWISS, entrants, given)
    done = [each for each in results if each.leg.round < 5]
    assert SWISS(entrants, given, done) == SWISS(entrants, given, done[::-1])


@given(
    st.dictionaries(st.tuples(st.integers(0, 4), st.integers(5, 9)), st.tuples(st.integers(0, 3), st.integers(0, 3)))
)
def test_the_best_pairs_cost_least_place_by_place(costs: dict[tuple[int, int], tuple[int, int]]) -> None:
    found = best_pairs(costs)
    most = max((size for size in range(6) if any(map(_apart, combinations(costs, size)))), default=0)
    least = min(
        (tuple(map(sum, zip(*(costs[edge] for edge in edges), strict=True))), edges)[0]
        for edges in combinations(costs, most)
        if _apart(edges)
    )
    assert tuple(map(sum, zip(*(costs[edge] for edge in found), strict=True))) == least
    assert _apart(found)


def _apart(edges: tuple[tuple[int, int], ...]) -> bool:
    ends = [end for edge in edges for end in edge]
    return len(ends) == len(set(ends))


@pytest.mark.parametrize("size", [4, 6, 8])
def test_of_equal_matchings_the_one_with_the_least_sum_of_hashes_is_found_and_no_other_has_it(size: int) -> None:
    """So the library that looks for it has no choice."""

    def tie(edge: tuple[int, int]) -> int:
        return int.from_bytes(hashlib.sha256("{} {}".format(*edge).encode()).digest()[:8], "big")

    edges = combinations(range(size), 2)
    whole = [some for some in combinations(edges, size // 2) if _apart(some)]
    least, second, *_ = sorted(whole, key=lambda some: sum(map(tie, some)))
    assert best_pairs(dict.fromkeys(combinations(range(size), 2), (0,))) == least
    assert sum(map(tie, least)) < sum(map(tie, second))


def test_of_equal_matchings_the_same_is_found_whatever_the_order_of_the_edges() -> None:
    edges = list(combinations(range(12), 2))
    assert best_pairs(dict.fromkeys(edges, (0,))) == best_pairs(dict.fromkeys(reversed(edges), (0,)))


# ----------------------------------------------------------------------------------------------------- what it comes to


def score(*matches: tuple[str, str, int, int], forfeited: tuple[bool, bool] = (False, False)) -> Placing:
    """The places of b0 to b3 after a round of such matches: entrants and points, each both ways round."""
    results: list[Outcome] = []
    for one, other, first, second in matches:
        for leg in (0, 1):
            outcome = ended(len(results) + 1, Leg((one, other), 0, leg, 1), lambda leg, p=(first, second): p)  # type: ignore[misc]
            results.append(
                Outcome(outcome.ordinal, outcome.leg, outcome.scores, forfeited, 4, *(outcome.tallies, ((), ())))
            )
    return places(names(4), options(rounds=3, streams=1), results)


def test_a_round_won_is_a_point_a_drawn_one_a_half_and_a_bye_a_point() -> None:
    found = score(("b0", "b1", 5, 5), ("b2", "b3", 3, 1))
    assert [(place.entrant, place.rank, place.said, place.score) for place in found.places] == [
        ("b2", 1, "1 of 1", 1.0),
        ("b0", 2, "½ of 1", 0.5),
        ("b1", 2, "½ of 1", 0.5),
        ("b3", 4, "0 of 1", 0.0),
    ]
    three = places(names(3), options(rounds=3, streams=1), score_results())
    assert [(place.entrant, place.score) for place in three.places] == [("b0", 1.0), ("b2", 1.0), ("b1", 0.0)]
    assert three.lines[1:] == ("Byes: b2 (round 1).", "1 of 3 rounds are played.")


def test_of_a_round_that_is_being_played_nobody_has_points_or_a_bye_yet() -> None:
    begun = places(names(3), options(rounds=3, streams=2), score_results())
    assert {place.score for place in begun.places} == {0.0}
    assert begun.lines[-1] == "Round 1 of 3 is being played."
    assert not any(line.startswith("Byes") for line in begun.lines)


def score_results() -> list[Outcome]:
    legs = [Leg(("b0", "b1"), 0, leg, 1) for leg in (0, 1)]
    return [ended(number, leg, by_number) for number, leg in enumerate(legs, 1)]


def test_a_round_that_both_forfeited_is_worth_nothing_to_either() -> None:
    found = score(("b0", "b1", 0, 0), forfeited=(True, True))
    assert {place.entrant: place.score for place in found.places}["b0"] == 0.0


def test_nobody_has_points_before_the_first_result() -> None:
    found = places(names(3), options(), ())
    assert [(place.rank, place.said) for place in found.places] == [(1, "0 of 0")] * 3


# -------------------------------------------------------------------------------------------------------- what it isn't


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"round": 3}, "swiss has no option 'round'; did you mean 'rounds'?"),
        ({"rounds": 0}, "rounds must be a whole number from 1 to 1000, not 0"),
        ({"streams": "2"}, "streams must be a whole number from 1 to 1000, not '2'"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_line(given: dict[str, int], complaint: str) -> None:
    with pytest.raises(ScheduleError) as refused:
        SWISS(field(4), options(**given), ())
    assert str(refused.value) == f"schedule: {complaint}"


def test_one_entrant_or_none_and_tables_of_four_are_refused_in_one_line() -> None:
    for entrants in ([], field(1)):
        with pytest.raises(ScheduleError, match=r"^schedule: swiss needs two entrants or more, and there is "):
            SWISS(entrants, options(), ())
    with pytest.raises(ScheduleError, match=r"^schedule: swiss lets two entrants meet, but "):
        SWISS(field(4), options(make_rules("cutthroat")), ())


def test_more_than_can_be_paired_in_reasonable_time_are_refused_in_one_line() -> None:
    with pytest.raises(ScheduleError, match=r"^schedule: swiss pairs at most 500 entrants, not 501$"):
        SWISS(field(501), options(), ())


def test_who_joins_a_swiss_that_has_begun_is_refused_in_one_line() -> None:
    given = options(rounds=5, streams=1)
    results = [each for each in played(SWISS, field(4), given, level)[1] if each.leg.round < 3]
    with pytest.raises(ScheduleError) as refused:
        SWISS(field(6), given, results)
    assert str(refused.value) == (
        "schedule: swiss takes no entrant when it has begun, and b4, b5 had no match in round 1; found a new run"
    )
