"""Ratings: known numbers, symmetries, and how often the interval holds the true strength."""

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, permutations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.tournament.statistics import interval, rating, strength, student
from spades_harness.tournament.statistics.rating import PairResult, Rated, elo, elo_k
from spades_harness.tournament.statistics.strength import ELO, PRIOR_DEVIATION

DEEP = bool(os.environ.get("SPADES_DEEP"))
NAMES = ("ace", "bower", "club", "deuce", "eight", "five")
SCORES = st.sampled_from((0.0, 0.5, 1.0))


def pairs_among(names: Sequence[str]) -> st.SearchStrategy[PairResult]:
    two = st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)
    return st.builds(
        lambda who, scores: PairResult(who[0], who[1], tuple(scores)), two, st.lists(SCORES, min_size=1, max_size=2)
    )


TOURNAMENTS = st.lists(pairs_among(NAMES), max_size=40)


def all_meet(names: Sequence[str], *scores: float, times: int = 1) -> list[PairResult]:
    return [PairResult(a, b, scores) for a, b in combinations(names, 2)] * times


def elos(rated: Mapping[str, Rated]) -> dict[str, float]:
    return {name: found.elo for name, found in rated.items()}


def width(found: Rated) -> float:
    assert found.low is not None
    assert found.high is not None
    assert found.low < found.elo < found.high
    return found.high - found.low


# --- Known numbers ----------------------------------------------------------------------------------------------------


EVEN: list[PairResult] = []
A_WIN_AHEAD = [PairResult("A", "B", (1.0,))]
"""A stands at 16 and B at -16."""
A_HUNDRED_AHEAD = [PairResult("A", "B", (1.0,), weight=50 / 16)]
"""A stands at 50 and B at -50."""


@pytest.mark.parametrize(
    ("before", "score", "change"),
    [
        (EVEN, 1.0, 16),
        (A_HUNDRED_AHEAD, 1.0, 11.52),
        (A_WIN_AHEAD, 1.0, 14.53),
        (EVEN, 0.5, 0),
        (A_HUNDRED_AHEAD, 0.5, -4.48),
    ],
)
def test_a_game_moves_sequential_ratings_by_the_known_amounts(
    before: list[PairResult], score: float, change: float
) -> None:
    """RS-03, RS-05."""
    stood, stands = (elos(elo_k("AB", pairs)) for pairs in (before, [*before, PairResult("A", "B", (score,))]))
    assert stands["A"] - stood["A"] == pytest.approx(change, abs=0.005)
    assert stands["A"] == -stands["B"]


def test_a_game_between_ratings_that_are_any_distance_apart_moves_them_by_the_formula_or_by_all_or_nothing() -> None:
    for distance in (0.5, 40, 400, 4000):
        expected = 1 / (1 + 10 ** (distance / 400))
        assert rating._change(0, distance, 1) == pytest.approx(rating.K * (1 - expected), rel=1e-9)
        assert rating._change(distance, 0, 0) == pytest.approx(-rating.K * (1 - expected), rel=1e-9)
    assert (rating._change(0, 1e9, 1), rating._change(1e9, 0, 1)) == (rating.K, 0)


@pytest.mark.parametrize(
    ("wins", "losses", "difference"), [(3, 1, 190.85), (2, 1, 120.41), (1, 3, -190.85), (1, 1, 0.0)]
)
def test_a_share_of_very_many_points_stands_for_the_known_difference(wins: int, losses: int, difference: float) -> None:
    """RS-05: so many that the prior has no say."""
    scores = (1.0,) * wins + (0.0,) * losses
    found = elos(elo("AB", [PairResult("A", "B", scores, weight=1e6)]))
    assert found["A"] - found["B"] == pytest.approx(difference, abs=0.005)


def test_half_the_points_stand_for_zero_and_not_for_minus_zero() -> None:
    """RS-05."""
    assert [str(found) for found in elos(elo("AB", [PairResult("A", "B", (1.0, 0.0))])).values()] == ["0.0", "0.0"]


@pytest.mark.parametrize("rate", [elo, elo_k])
def test_a_draw_leaves_two_equals_equal(rate: rating.Rating) -> None:
    """RS-03."""
    assert elos(rate(["A", "B"], [PairResult("A", "B", (0.5,))])) == {"A": 0, "B": 0}


def test_a_draw_counts_as_half_a_win_and_half_a_loss() -> None:
    """RS-03."""
    drawn = [PairResult("A", "B", (0.5, 0.5)), PairResult("B", "C", (1.0, 0.5))]
    split = [PairResult("A", "B", (1.0, 0.0)), PairResult("B", "C", (0.5, 1.0))]
    assert elos(elo("ABC", drawn)) == elos(elo("ABC", split))


@pytest.mark.parametrize("scores", [[(0.0, 0.0)], [(0.0,), (0.0,)]])
def test_every_lost_game_costs_the_sequential_rating_points(scores: list[tuple[float, ...]]) -> None:
    """RS-12: two games that ran at the same time are two games."""
    rated = elo_k("AB", [PairResult("A", "B", found) for found in scores])
    assert elos(rated) == pytest.approx({"A": -30.53, "B": 30.53}, abs=0.005)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_the_most_probable_difference_of_two_solves_its_equation(wins: int, draws: int, losses: int) -> None:
    """Points scored are the points expected, and the prior's pull; by symmetry each stands half the difference off."""
    results = [(1.0, wins), (0.5, draws), (0.0, losses)]
    rated = elo("AB", [PairResult("A", "B", (score,)) for score, times in results for _ in range(times)])
    difference = (rated["A"].elo - rated["B"].elo) / ELO
    expected = (wins + draws + losses) * share(difference) + PULL * difference / 2
    assert wins + draws / 2 == pytest.approx(expected, abs=1e-6)


PULL = (ELO / PRIOR_DEVIATION) ** 2


def share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


@given(TOURNAMENTS)
def test_the_most_probable_strengths_expect_the_points_that_were_scored(pairs: list[PairResult]) -> None:
    found = {name: rated.elo / ELO for name, rated in elo(NAMES, pairs).items()}
    for name in {name for pair in pairs for name in (pair.a, pair.b)}:
        of_name = [(pair.b, pair.scores) for pair in pairs if pair.a == name]
        of_name += [(pair.a, tuple(1 - score for score in pair.scores)) for pair in pairs if pair.b == name]
        scored = sum(sum(scores) for _, scores in of_name)
        expected = sum(len(scores) * share(found[name] - found[other]) for other, scores in of_name)
        assert scored == pytest.approx(expected + PULL * found[name], abs=1e-5)


# --- Who is rated how -------------------------------------------------------------------------------------------------


def test_a_winless_bot_is_rated_last_with_a_finite_number_and_the_others_as_if_it_were_any_bot() -> None:
    """RS-01."""
    even, won = PairResult("A", "B", (1.0, 0.0)), (1.0, 1.0)
    rated = elo("CBA", [even, PairResult("A", "C", won), PairResult("B", "C", won)] * 5)
    assert rated["A"] == rated["B"]
    assert -1500 < rated["C"].elo < rated["A"].elo - 400
    assert width(rated["C"]) > width(rated["A"])
    assert "Infinity" not in (text := json.dumps([vars_of(found) for found in rated.values()]))
    assert "NaN" not in text


def vars_of(found: Rated) -> list[float | None]:
    return [found.elo, found.low, found.high]


def test_an_undefeated_bot_gains_with_every_pair_and_its_interval_stays_open() -> None:
    """RS-01."""
    rated = [elo("AB", [PairResult("A", "B", (1.0, 1.0))] * times)["A"] for times in (5, 10, 100, 1000)]
    assert [found.elo for found in rated] == sorted({found.elo for found in rated})
    assert all(200 < width(found) < 1500 for found in rated)


@pytest.mark.parametrize("rate", [elo, elo_k])
def test_four_bots_that_drew_all_pairs_are_equal_in_any_order(rate: rating.Rating) -> None:
    """RS-07."""
    pairs = all_meet("ABCD", 0.5, 0.5, times=3)
    for order in (pairs, pairs[::-1], pairs[3:] + pairs[:3]):
        assert set(elos(rate("DBCA", order)).values()) == {0.0}


@pytest.mark.parametrize("rate", [elo, elo_k])
def test_a_bot_without_a_pair_has_the_middle_rating_and_no_interval(rate: rating.Rating) -> None:
    """RS-09."""
    rated = rate("ABC", [PairResult("A", "B", (1.0,))] * 6)
    assert rated["C"] == Rated(0.0, None, None)
    assert elos(rated)["A"] == elos(rate("AB", [PairResult("A", "B", (1.0,))] * 6))["A"]


@pytest.mark.parametrize("rate", [elo, elo_k])
@pytest.mark.parametrize("entrants", ["", "A", "ABC"])
def test_no_results_rate_everyone_zero(rate: rating.Rating, entrants: str) -> None:
    """RS-09."""
    assert rate(entrants, []) == dict.fromkeys(entrants, Rated(0.0, None, None))


@pytest.mark.parametrize("rate", [elo, elo_k])
def test_ratings_come_in_the_order_of_the_entrants(rate: rating.Rating) -> None:
    assert list(rate("CAB", [PairResult("A", "B", (1.0,))])) == ["C", "A", "B"]


@pytest.mark.parametrize("rate", [elo, elo_k])
def test_results_of_someone_who_is_no_entrant_are_refused_by_name(rate: rating.Rating) -> None:
    with pytest.raises(ValueError, match="'B'"):
        rate("A", [PairResult("A", "B", (1.0,))])


@pytest.mark.parametrize("scores", [(), (1.5,), (-0.5, 1.0), (math.nan,), (math.inf,)])
def test_scores_that_are_none_are_refused(scores: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="scores"):
        PairResult("A", "B", scores)


@pytest.mark.parametrize("weight", [0.0, -1.0, math.nan, math.inf])
def test_weights_that_are_none_are_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="weight"):
        PairResult("A", "B", (0.5,), weight)


def test_a_bot_does_not_meet_itself() -> None:
    with pytest.raises(ValueError, match="itself"):
        PairResult("A", "A", (0.5,))


# --- Symmetries -------------------------------------------------------------------------------------------------------


@given(TOURNAMENTS, st.randoms(use_true_random=False))
def test_neither_the_order_of_play_nor_of_the_entrants_changes_a_bit(pairs: list[PairResult], dice: Random) -> None:
    shuffled, names = dice.sample(pairs, len(pairs)), dice.sample(NAMES, len(NAMES))
    assert elo(names, shuffled) == elo(NAMES, pairs)


@given(TOURNAMENTS)
def test_a_pair_told_from_the_other_side_is_the_same_pair(pairs: list[PairResult]) -> None:
    turned = [PairResult(pair.b, pair.a, tuple(1 - score for score in pair.scores)) for pair in pairs]
    assert elo(NAMES, turned) == elo(NAMES, pairs)


@given(TOURNAMENTS)
def test_which_leg_was_won_means_nothing(pairs: list[PairResult]) -> None:
    assert elo(NAMES, [PairResult(pair.a, pair.b, pair.scores[::-1]) for pair in pairs]) == elo(NAMES, pairs)


@given(TOURNAMENTS)
def test_all_results_reversed_reverse_the_ratings(pairs: list[PairResult]) -> None:
    reversed_ = elo(NAMES, [PairResult(pair.b, pair.a, pair.scores) for pair in pairs])
    for name, found in elo(NAMES, pairs).items():
        other = reversed_[name]
        assert other.elo == pytest.approx(-found.elo, abs=1e-5)
        assert (other.low is None) == (found.high is None)
        if found.high is not None:
            assert other.low == pytest.approx(-found.high, abs=1e-5)


@given(TOURNAMENTS)
def test_names_mean_nothing(pairs: list[PairResult]) -> None:
    renamed = dict(zip(NAMES, reversed(NAMES), strict=True))
    found = elo(NAMES, [PairResult(renamed[pair.a], renamed[pair.b], pair.scores) for pair in pairs])
    expected = elos(elo(NAMES, pairs))
    assert {name: found[renamed[name]].elo for name in NAMES} == pytest.approx(expected, abs=1e-5)


@given(TOURNAMENTS)
@pytest.mark.parametrize("rate", [elo, elo_k])
def test_ratings_sum_to_zero_and_every_number_is_finite(rate: rating.Rating, pairs: list[PairResult]) -> None:
    rated = rate(NAMES, pairs)
    assert sum(elos(rated).values()) == pytest.approx(0, abs=1e-5)
    for found in rated.values():
        assert all(math.isfinite(number) for number in vars_of(found) if number is not None)
        assert found.low is None or width(found) > 0


@given(st.lists(pairs_among(NAMES), min_size=1, max_size=40))
def test_a_better_result_never_brings_a_bot_nearer_to_the_one_it_beat(pairs: list[PairResult]) -> None:
    first = pairs[0]
    better = PairResult(first.a, first.b, tuple(min(score + 0.5, 1) for score in first.scores))
    before, after = elos(elo(NAMES, pairs)), elos(elo(NAMES, [better, *pairs[1:]]))
    assert after[first.a] - after[first.b] >= before[first.a] - before[first.b] - 1e-5


# --- The interval -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", [1, 4])
def test_fewer_than_five_pairs_give_no_interval(times: int) -> None:
    """RS-11: the documented minimum."""
    found = elo("AB", [PairResult("A", "B", (1.0, 0.0))] * times)["A"]
    assert (found.low, found.high) == (None, None)
    assert width(elo("AB", [PairResult("A", "B", (1.0, 0.0))] * 5)["A"]) > 0


def test_only_those_with_too_few_pairs_lack_an_interval() -> None:
    rated = elo("ABC", [PairResult("A", "B", (1.0, 0.0))] * 6 + [PairResult("B", "C", (1.0, 0.0))])
    assert [found.low is None for found in rated.values()] == [False, False, True]


@pytest.mark.parametrize("scores", [(0.5,), (1.0, 0.0)])
def test_two_copies_of_one_bot_are_surely_near_but_never_certainly_equal(scores: tuple[float, ...]) -> None:
    """RS-11: all pairs even, no spread at all; the interval shrinks as the pairs do grow, faster than by the root."""
    few, more, many = (width(elo("AB", [PairResult("A", "B", scores)] * times)["A"]) for times in (10, 100, 1000))
    assert 20 < few < 100
    assert 0.5 < more < few / 6
    assert 0.01 < many < more / 6


def test_the_pair_and_not_the_leg_is_what_the_interval_counts() -> None:
    """RS-11: the same legs, once shared out evenly within each pair, once won and lost together."""
    shared = [PairResult("A", "B", (1.0, 0.0))] * 18 + [
        PairResult("A", "B", (1.0, 1.0)),
        PairResult("A", "B", (0.0, 0.0)),
    ]
    together = [PairResult("A", "B", (1.0, 1.0)), PairResult("A", "B", (0.0, 0.0))] * 10
    assert width(elo("AB", shared)["A"]) < 0.6 * width(elo("AB", together)["A"])


def test_four_times_the_pairs_halve_the_interval() -> None:
    scores = ((1.0, 0.5), (0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.0, 0.5))
    pairs = [PairResult(a, b, got) for a, b in combinations("ABCD", 2) for got in scores]
    for name, found in elo("ABCD", pairs * 4).items():
        assert width(found) == pytest.approx(width(elo("ABCD", pairs * 16)[name]) * 2, rel=0.05)


def test_groups_that_never_met_are_rated_apart_each_as_if_there_were_no_other() -> None:
    """RS-10: around means of their own, until one result links them."""
    results = ((1.0, 0.0), (1.0, 1.0), (0.0, 0.0), (1.0, 0.5))
    one, other = ([PairResult(a, b, got) for got in results] * times for a, b, times in (("A", "B", 5), ("C", "D", 7)))
    apart = elo("ABCD", [*other, *one])
    assert apart == {**elo("AB", one), **elo("CD", other)}
    assert apart["A"].elo + apart["B"].elo == apart["C"].elo + apart["D"].elo == 0
    linked = elo("ABCD", [*one, *other, PairResult("A", "C", (1.0, 1.0))])
    assert linked["A"].elo > apart["A"].elo + 50


def test_quantiles_of_students_t_are_those_of_the_tables() -> None:
    table = {4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228, 20: 2.086, 30: 2.042, 120: 1.980}
    found = student.quantile(np.array([float(freedom) for freedom in table]))
    assert list(found) == pytest.approx(list(table.values()), abs=0.001)


def test_a_bot_whose_pairs_are_steadier_than_the_others_has_a_narrower_interval() -> None:
    steady = [PairResult("A", other, (1.0, 0.0)) for other in "BCD"] * 20
    wild = [PairResult(a, b, (won, won)) for a, b in combinations("BCD", 2) for won in (1.0, 0.0)] * 10
    rated = elo("ABCD", steady + wild)
    assert width(rated["A"]) < 0.7 * width(rated["B"])


def test_the_spread_makes_good_for_what_fitting_the_strengths_took_from_it() -> None:
    """Ten even pairs of two bots: a tenth of the spread is lost to the one difference that was fitted."""
    rows = strength.rows_of(2, {((((0, 1.0), (1, -1.0)), 1.0, score),): 5 for score in (1.0, 0.0)})
    fit = strength.fit_of(rows, np.zeros(2))
    inverse = np.asarray(np.linalg.inv(strength.curvature(rows, fit)), np.float64)
    (block,) = interval._blocks(rows)
    squared = interval._unfitted(rows, fit, inverse, block) ** 2
    assert list(squared.ravel()) == pytest.approx([0.25 * 10 / 9] * 2, rel=0.01)


def test_each_step_of_a_long_ladder_is_found() -> None:
    names = [f"rung {number:02}" for number in range(40)]
    found = list(elos(elo(names, [PairResult(a, b, (1.0, 1.0)) for a, b in pairwise(names)] * 200)).values())
    assert found == sorted(set(found), reverse=True)


def test_results_over_which_full_steps_would_leap_to_and_fro_settle() -> None:
    chain = (("D", "A", 512), ("A", "B", 6880), ("B", "C", 730), ("D", "E", 717))
    pairs = [PairResult(winner, loser, (1.0,)) for winner, loser, times in chain for _ in range(times)]
    found = elos(elo("ABCDE", [*pairs, *[PairResult("C", "E", (0.5,))] * 26, *[PairResult("D", "E", (0.5,))] * 7]))
    assert found["D"] > found["A"] > found["B"] > found["C"]
    assert all(abs(number) < 4000 for number in found.values())


def test_what_rounds_to_nothing_is_shown_without_a_minus() -> None:
    assert str(rating._rounded(-1e-12)) == "0.0"


# --- Tables: results that were played together ------------------------------------------------------------------------


def at_table(order: Sequence[str], cluster: int, weight: float = 1 / 3) -> list[PairResult]:
    """Who came before whom in this order is who scored more."""
    return [PairResult(a, b, (1.0,), weight, cluster) for a, b in combinations(order, 2)]


def test_what_a_table_came_to_moves_sequential_ratings_at_once_and_each_result_by_its_weight() -> None:
    """RS-12. From equal ratings three wins of a third are one win, whoever is named first."""
    for order in permutations(at_table("ABCD", 0)):
        rated = elos(elo_k("ABCD", order))
        assert rated == pytest.approx({"A": 16, "B": 16 / 3, "C": -16 / 3, "D": -16})
    after = elos(elo_k("ABCD", at_table("ABCD", 0) + at_table("DCBA", 1)))
    assert after["A"] == pytest.approx(-sum(16 * 2 / 3 * (share(gap / ELO) - 0.5) for gap in (32 / 3, 64 / 3, 32)))


def test_the_legs_of_a_table_follow_each_other_in_the_sequential_rating() -> None:
    apart = at_table("ABCD", 0) + at_table("DBCA", 1)
    legs = [
        PairResult(
            first.a, first.b, (1.0, 1.0 if (first.a, first.b) in {(p.a, p.b) for p in apart[6:]} else 0.0), 1 / 3, 0
        )
        for first in apart[:6]
    ]
    assert elos(elo_k("ABCD", legs)) == pytest.approx(elos(elo_k("ABCD", apart)))


@given(TOURNAMENTS)
@pytest.mark.parametrize("rate", [elo, elo_k])
def test_a_pair_that_is_numbered_and_weighs_one_is_any_pair(rate: rating.Rating, pairs: list[PairResult]) -> None:
    assert rate(NAMES, [replace(pair, cluster=n) for n, pair in enumerate(pairs)]) == rate(NAMES, pairs)


TABLES = st.lists(st.permutations(NAMES).map(lambda order: order[:4]), max_size=12)


@given(TABLES, st.randoms(use_true_random=False))
def test_neither_the_numbers_of_tables_nor_the_order_of_their_results_changes_a_bit(
    orders: list[list[str]], dice: Random
) -> None:
    numbers = dice.sample(range(100), len(orders))
    pairs = [pair for n, order in enumerate(orders) for pair in at_table(order, n)]
    other = [pair for n, order in zip(numbers, orders, strict=True) for pair in at_table(order, n)]
    assert elo(NAMES, dice.sample(other, len(other))) == elo(NAMES, pairs)


def test_the_results_of_copies_at_one_table_are_one_result_of_their_sum() -> None:
    """Each of A's two copies against each of B's: one table is one witness, however many copies tell of it."""
    results = ([1.0, 1.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 1.0, 1.0]) * 2
    copies = [PairResult("A", "B", (score,), 1 / 4, n) for n, scores in enumerate(results) for score in scores]
    assert elo("AB", copies) == elo("AB", [PairResult("A", "B", (sum(scores) / 4,)) for scores in results])


def test_fewer_than_five_tables_give_no_interval_however_many_results_they_gave() -> None:
    """RS-11: the documented minimum."""
    orders = ("ABCD", "BADC", "DCAB", "CABD", "DBCA")
    four = [pair for n, order in enumerate(orders[:4]) for pair in at_table(order, n)]
    assert {found.low for found in elo("ABCD", four).values()} == {None}
    assert all(width(found) > 0 for found in elo("ABCD", four + at_table(orders[4], 4)).values())


def test_copies_of_one_table_make_no_interval_narrower_than_the_table_itself() -> None:
    """RS-11: the same results told as one table, twice as many of half the weight, and as independent ones."""
    orders = ("ABCD", "BADC", "DCAB", "CABD", "DBCA", "ACBD", "CDBA", "BDAC")
    once = [pair for n, order in enumerate(orders) for pair in at_table(order, n)]
    twice = [pair for n, order in enumerate(orders) for pair in at_table(order, n, 1 / 6) * 2]
    apart = [replace(pair, cluster=None, weight=1.0) for pair in once]
    assert elo("ABCD", twice) == elo("ABCD", once)
    assert all(width(elo("ABCD", apart)[name]) < 0.8 * width(elo("ABCD", once)[name]) for name in "ABCD")


# --- Coverage: simulated tournaments, whose strengths are known -------------------------------------------------------

Scorer = Callable[[Random, float], tuple[float, ...]]


def decided_by_the_pair(dice: Random, chance: float) -> tuple[float, ...]:
    """One value: a third of what can be drawn is drawn."""
    drawn = 2 / 3 * chance * (1 - chance)
    at = dice.random()
    return (1.0,) if at < chance - drawn else (0.5,) if at < chance + drawn else (0.0,)


def legs_apart(dice: Random, chance: float) -> tuple[float, ...]:
    """Two legs that know nothing of each other."""
    return float(dice.random() < chance), float(dice.random() < chance)


def legs_mirrored(dice: Random, chance: float) -> tuple[float, ...]:
    """Two legs on the same cards: most of the luck of the one is the other's bad luck."""
    luck = dice.random()
    return float(luck < chance), float((1 - luck if dice.random() < 0.7 else dice.random()) < chance)


def legs_alike(dice: Random, chance: float) -> tuple[float, ...]:
    """Two legs of which the second often goes as the first."""
    luck = dice.random()
    return float(luck < chance), float((luck if dice.random() < 0.5 else dice.random()) < chance)


def some_mirrored(dice: Random, chance: float) -> tuple[float, ...]:
    return dice.choice((legs_mirrored, legs_alike))(dice, chance)


@cache
def coverage(names: str, rounds: int, gap: float, scorer: Scorer, tournaments: int) -> float:
    """The percentage of intervals that hold the truth; strengths are normal with this deviation in Elo."""
    dice = Random(f"{names} {rounds} {gap} {scorer.__name__}")
    held = [hit for _ in range(tournaments) for hit in one_tournament(dice, names, rounds, gap, scorer)]
    return 100 * sum(held) / len(held)


def one_tournament(dice: Random, names: Sequence[str], rounds: int, gap: float, scorer: Scorer) -> list[bool]:
    true = {name: dice.gauss(0, gap) for name in names}
    mean = sum(true.values()) / len(true)
    rated = elo(names, [
        PairResult(a, b, scorer(dice, share((true[a] - true[b]) / ELO)))
        for a, b in combinations(names, 2)
        for _ in range(rounds)
    ])  # fmt: skip
    return [abs(found.elo - (true[name] - mean)) <= width(found) / 2 for name, found in rated.items()]


SCORERS = (decided_by_the_pair, legs_apart, legs_mirrored, legs_alike, some_mirrored)
FIELDS = [  # names, rounds, deviation of the strengths
    ("AB", 10, 150),
    ("AB", 30, 150),
    ("ABC", 5, 150),
    ("ABC", 10, 100),
    ("ABCDEF", 2, 200),
    ("ABCDEF", 4, 400),
    ("ABCDEF", 6, 50),
    ("ABCDEF", 20, 200),
    ("ABCDEFGHIJKL", 1, 150),
]


TOURNAMENT_COUNT = 1000 if DEEP else 30


@pytest.mark.parametrize("scorer", SCORERS)
def test_the_interval_holds_the_true_strength_95_times_in_100_over_all_fields(scorer: Scorer) -> None:
    found = [coverage(names, rounds, gap, scorer, TOURNAMENT_COUNT) for names, rounds, gap in FIELDS]
    assert 94 - (not DEEP) <= sum(found) / len(found) <= 97 + (not DEEP)


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize(("names", "rounds", "gap"), FIELDS)
def test_the_interval_holds_the_true_strength_about_95_times_in_100(
    names: str, rounds: int, gap: float, scorer: Scorer
) -> None:
    """From 20 pairs an entrant 93 to 97; with 10 the results are so few and lumpy that it may hold it more often."""
    slack = 0 if DEEP else 12  # three standard errors of 30 tournaments
    most = 97 if rounds * (len(names) - 1) >= 20 else 98
    assert 93 - slack <= coverage(names, rounds, gap, scorer, TOURNAMENT_COUNT) <= most + slack


# --- Coverage of tables: each has its strength and the luck of its own; who has more of both scored more --------------

Legs = Sequence[Sequence[float]]
"""The luck of each leg, by place."""
Luck = Callable[[Random], Legs]


def luck(dice: Random) -> float:
    """Gumbel's: then the chance to be ahead of another is that of the model, whoever else is at the table."""
    return -math.log(-math.log(1 - dice.random()))


def one_result(dice: Random) -> Legs:
    """As in the format `boards`."""
    return [[luck(dice) for _ in range(4)]]


def four_legs(dice: Random) -> Legs:
    """As in the format `game`: on the same cards a seat has most of its luck in every leg, whoever sits there."""
    seats = [luck(dice) for _ in range(4)]
    return [[seats[(place + leg) % 4] if dice.random() < 0.7 else luck(dice) for place in range(4)] for leg in range(4)]


TABLE_FIELDS = [  # names, rounds, deviation of the strengths
    ("AABB", 8, 150),
    ("AABB", 20, 150),
    ("ABCD", 8, 150),
    ("ABCD", 20, 100),
    ("ABCD", 40, 200),
    ("ABCDE", 3, 200),
    ("ABCDEF", 1, 150),
    ("ABCDEF", 3, 300),
]


@cache
def table_coverage(names: str, rounds: int, gap: float, play: Luck, tournaments: int) -> float:
    dice = Random(f"{names} {rounds} {gap} {play.__name__}")
    held = [hit for _ in range(tournaments) for hit in one_tournament_at_tables(dice, names, rounds, gap, play)]
    return 100 * sum(held) / len(held)


def one_tournament_at_tables(dice: Random, names: str, rounds: int, gap: float, play: Luck) -> list[bool]:
    true = {name: dice.gauss(0, gap) for name in names}
    mean = sum(true.values()) / len(true)
    tables = enumerate([*combinations(names, 4)] * rounds)
    rated = elo([*true], [pair for n, table in tables for pair in results_of(true, table, play(dice), n)])
    return [abs(found.elo - (true[name] - mean)) <= width(found) / 2 for name, found in rated.items()]


def results_of(true: Mapping[str, float], table: Sequence[str], legs: Legs, cluster: int) -> list[PairResult]:
    scored = [[true[name] / ELO + luck for name, luck in zip(table, leg, strict=True)] for leg in legs]
    return [
        PairResult(table[i], table[j], tuple(float(leg[i] > leg[j]) for leg in scored), 1 / 3, cluster)
        for i, j in combinations(range(4), 2)
        if table[i] != table[j]
    ]


@pytest.mark.parametrize("play", [one_result, four_legs])
def test_the_interval_of_those_at_tables_holds_the_true_strength_95_times_in_100_over_all_fields(play: Luck) -> None:
    found = [table_coverage(*field, play, TOURNAMENT_COUNT) for field in TABLE_FIELDS]
    assert 94 - (not DEEP) <= sum(found) / len(found) <= 97 + (not DEEP)


@pytest.mark.parametrize("play", [one_result, four_legs])
@pytest.mark.parametrize(("names", "rounds", "gap"), TABLE_FIELDS)
def test_the_interval_of_those_at_tables_holds_the_true_strength_about_95_times_in_100(
    names: str, rounds: int, gap: float, play: Luck
) -> None:
    """From 20 tables an entrant 93 to 97; with eight the results are so few that it may hold it more often."""
    slack = 0 if DEEP else 12
    most = 97 if rounds * math.comb(len(set(names)) - 1, 3) >= 20 else 98.5
    assert 93 - slack <= table_coverage(names, rounds, gap, play, TOURNAMENT_COUNT) <= most + slack
