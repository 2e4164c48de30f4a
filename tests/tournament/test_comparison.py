"""Who is stronger than whom: probabilities, groups, ranges of ranks, and how often they hold in simulations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.tournament.statistics.comparison import Compared, Ranks, chances_of, compare
from spades_harness.tournament.statistics.fitting import Observation, fitted, groups_of
from spades_harness.tournament.statistics.interval import FEWEST_PAIRS, contrasts
from spades_harness.tournament.statistics.rating import PairResult, elo, observations
from spades_harness.tournament.statistics.strength import ELO
from spades_harness.tournament.statistics.student import probability, quantile

from .test_rating import NAMES, TOURNAMENTS, Scorer, decided_by_the_pair, legs_apart, legs_mirrored, share

DEEP = bool(os.environ.get("SPADES_DEEP"))


def compared(pairs: Iterable[PairResult]) -> tuple[Compared, ...]:
    return compare(observations(pairs))


def chance(pairs: Iterable[PairResult], one: str, other: str) -> float | None:
    return chances_of(compared(pairs), [one, other])[0][1]


# --- Student's t ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("t", "freedom", "known"),
    [
        (0.0, 4, 0.5),
        (2.776445, 4, 0.975),
        (2.131847, 4, 0.95),
        (0.740697, 4, 0.75),
        (-8.610302, 4, 0.0005),
        (2.228139, 10, 0.975),
        (2.042272, 30, 0.975),
        (1.959964, 1e9, 0.975),
    ],
)
def test_probabilities_of_students_t_are_those_of_the_tables(t: float, freedom: float, known: float) -> None:
    assert probability(np.array([t]), np.array([freedom])) == pytest.approx([known], abs=3e-6)


def test_with_four_degrees_of_freedom_the_probability_is_that_of_the_closed_form() -> None:
    t = np.linspace(-12, 12, 97)
    x = t / np.sqrt(4 + t**2)
    assert probability(t, np.full(97, 4.0)) == pytest.approx(0.5 + 0.75 * (x - x**3 / 3), abs=3e-6)


def test_quantile_and_probability_are_each_the_inverse_of_the_other() -> None:
    freedom = np.array([4.0, 4.5, 7.3, 20.0, 1e4])
    assert probability(quantile(freedom), freedom) == pytest.approx([0.975] * 5, abs=5e-5)


# --- Probabilities ----------------------------------------------------------------------------------------------------


def test_the_probability_is_that_of_the_interval_s_end_where_the_interval_of_the_difference_ends_at_zero() -> None:
    """Two entrants stand half the difference off each: where one's interval ends at the mean, it is 97.5 %."""
    for lost in range(1, 30):
        pairs = [PairResult("A", "B", (1.0,))] * 30 + [PairResult("A", "B", (0.0,))] * lost
        low, found = elo("AB", pairs)["A"].low, chance(pairs, "A", "B")
        assert low is not None
        assert found is not None
        assert (low > 0.01) <= (found >= 0.975)
        assert (low < -0.01) <= (found <= 0.975)


@given(TOURNAMENTS)
def test_two_probabilities_of_one_question_are_one_together(pairs: list[PairResult]) -> None:
    chances = chances_of(compared(pairs), NAMES)
    for one, other in combinations(range(len(NAMES)), 2):
        forth, back = chances[one][other], chances[other][one]
        assert (forth is None) == (back is None)
        if forth is not None and back is not None:
            assert forth + back == pytest.approx(1, abs=1.5e-4)
            assert 0 <= forth <= 1
    assert {chances[own][own] for own in range(len(NAMES))} == {None}


@given(TOURNAMENTS, st.randoms(use_true_random=False))
def test_neither_the_order_of_play_nor_of_the_names_changes_a_bit(pairs: list[PairResult], dice: Random) -> None:
    assert compared(dice.sample(pairs, len(pairs))) == compared(pairs)
    names = dice.sample(NAMES, len(NAMES))
    chances, other = chances_of(compared(pairs), NAMES), chances_of(compared(pairs), names)
    at = [names.index(name) for name in NAMES]
    assert chances == tuple(tuple(other[row][column] for column in at) for row in at)


def test_nothing_is_said_of_one_with_too_few_pairs() -> None:
    pairs = [PairResult("A", "B", (1.0, 0.0))] * 20 + [PairResult("A", "C", (1.0, 1.0))] * (FEWEST_PAIRS - 1)
    assert chance(pairs, "A", "B") is not None
    assert (chance(pairs, "A", "C"), chance(pairs, "C", "B")) == (None, None)
    (group,) = compared(pairs)
    assert dict(zip(group.entrants, group.ranks, strict=True))["C"] == (1, 3)
    assert chance([*pairs, PairResult("A", "C", (1.0, 1.0))], "C", "B") is not None


def test_two_copies_that_draw_all_pairs_are_as_likely_the_one_stronger_as_the_other() -> None:
    """RS-11."""
    assert chance([PairResult("A", "B", (1.0, 0.0))] * 12, "A", "B") == 0.5


def test_who_met_nobody_in_common_is_compared_along_the_chain_and_less_surely() -> None:
    won, even = (1.0, 1.0), (1.0, 0.0)
    pairs = [PairResult(a, b, got) for a, b in ("AB", "BC") for got in (won, won, even)] * 4
    near, far = chance(pairs, "A", "B"), chance(pairs, "A", "C")
    assert near is not None
    assert far is not None
    assert 0.9 < near < far


# --- Groups that never met --------------------------------------------------------------------------------------------


def test_groups_are_chains_of_meetings_the_largest_first_then_by_name() -> None:
    assert groups_of([("a", "b"), ("f", "e"), ("g", "c"), ("c", "d"), ("d", "a"), ("y", "x")]) == (
        ("a", "b", "c", "d", "g"), ("e", "f"), ("x", "y"),
    )  # fmt: skip
    assert groups_of([]) == ()


@given(st.lists(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True), max_size=6))
def test_everybody_is_in_one_group_with_all_whom_he_met(meetings: list[list[str]]) -> None:
    found = groups_of(meetings)
    assert sorted(name for names in found for name in names) == sorted({name for met in meetings for name in met})
    assert all(any(set(met) <= set(names) for names in found) for met in meetings)


def test_between_groups_nothing_is_said_and_each_has_its_own_ranks() -> None:
    """RS-10."""
    pairs = [PairResult(a, b, got) for a, b in ("AB", "CD") for got in ((1.0, 1.0), (1.0, 0.0))] * 10
    one, other = compared(pairs)
    assert (one.entrants, other.entrants) == (("A", "B"), ("C", "D"))
    assert one.ranks == other.ranks == ((1, 1), (2, 2))
    chances = chances_of((one, other), "ABCDE")
    assert chances[0][1] == chances[2][3] != None  # noqa: E711
    assert {chances[row][column] for row, column in ((0, 2), (0, 3), (1, 2), (3, 1), (4, 0), (0, 4))} == {None}


# --- Ranges of ranks --------------------------------------------------------------------------------------------------


def test_a_clear_ladder_leaves_no_rank_open_and_equals_leave_all() -> None:
    ladder = [PairResult(a, b, got) for a, b in combinations("ABCD", 2) for got in ((1.0, 1.0), (1.0, 0.0))] * 15
    (group,) = compared(ladder)
    assert group.ranks == ((1, 1), (2, 2), (3, 3), (4, 4))
    level = [PairResult(a, b, (won, won)) for a, b in combinations("ABCD", 2) for won in (1.0, 0.0)] * 15
    (group,) = compared(level)
    assert group.ranks == ((1, 4),) * 4


@given(TOURNAMENTS)
def test_the_range_holds_the_rank_by_elo(pairs: list[PairResult]) -> None:
    rated = elo(NAMES, pairs)
    for group in compared(pairs):
        for name, ranks in zip(group.entrants, group.ranks, strict=True):
            above = sum(rated[other].elo > rated[name].elo for other in group.entrants)
            below = sum(rated[other].elo < rated[name].elo for other in group.entrants)
            assert 1 <= ranks.low <= 1 + above
            assert len(group.entrants) - below <= ranks.high <= len(group.entrants)


def test_all_of_one_s_comparisons_must_hold_at_once() -> None:
    """Eleven comparisons at 1.4 % of doubt each: any of them would do alone, but of eleven chance brings one so far."""
    even = [PairResult(a, b, (won,)) for a, b in combinations("ABCDEFGHIJKL", 2) for won in (1.0, 0.0)] * 3
    won = [PairResult("A", other, (1.0,)) for other in "BCDEFGHIJKL"]
    assert chance([*even, *won * 3], "A", "B") == pytest.approx(0.986, abs=0.002)
    ((ranks, *_),) = (group.ranks for group in compared([*even, *won * 3]))
    assert ranks == (1, 12)
    ((ranks, *_),) = (group.ranks for group in compared([*even, *won * 5]))
    assert ranks == (1, 1)


# --- Simulated tournaments, in which A and B are copies of one bot ----------------------------------------------------


class Count(NamedTuple):
    """Percentages over all tournaments."""

    held: float
    """Intervals of the difference of two that hold the true one."""
    apart: float
    """A and B called different: a probability outside of 2.5 to 97.5 %."""
    ranks: float
    """Ranges of ranks that hold the true one."""


TOURNAMENT_COUNT = 1000 if DEEP else 25


def simulated(names: str, rounds: int, gap: float, scorer: Scorer, tournaments: int = TOURNAMENT_COUNT) -> Count:
    dice = Random(f"{names} {rounds} {gap} {scorer.__name__}")
    held, apart, ranks = [], [], []
    for _ in range(tournaments):
        true = {name: dice.gauss(0, gap) for name in names}
        true["B"] = true["A"]
        seen = observations(
            PairResult(a, b, scorer(dice, share((true[a] - true[b]) / ELO)))
            for a, b in combinations(names, 2)
            for _ in range(rounds)
        )
        (group,) = compare(seen)
        held += differences_held(true, seen)
        apart.append(not 0.025 <= (group.stronger[0][1] or 0) <= 0.975)
        ranks += [holds(ranks_of, true[name], true) for name, ranks_of in zip(group.entrants, group.ranks, strict=True)]
    return Count(*(100 * float(np.mean(found)) for found in (held, apart, ranks)))


def holds(ranks: Ranks, own: float, true: Mapping[str, float]) -> bool:
    """Whether a range has all of the ranks that equals share: nobody is called stronger than its equal."""
    above, level = (sum(other > own for other in true.values()), sum(other == own for other in true.values()))
    return ranks.low <= above + 1 and ranks.high >= above + level


def differences_held(true: Mapping[str, float], seen: tuple[Observation, ...]) -> list[bool]:
    """Whether each two's 95 % interval holds their true difference."""
    (group,) = fitted(seen)
    error, freedom = contrasts(group.doubt)
    strength = np.array([true[name] for name in group.names])
    off = group.elo - strength
    held = np.abs(off[:, None] - off[None, :]) <= ELO * quantile(freedom) * error
    return [bool(hit) for hit in held[np.triu_indices(len(true), 1)]]


SCORERS = (decided_by_the_pair, legs_apart, legs_mirrored)
FIELDS = [("AB", 30, 150), ("ABC", 10, 100), ("ABCDEF", 6, 50), ("ABCDEF", 20, 200), ("ABCDEFGHIJKL", 2, 150)]
"""Names, rounds, deviation of the strengths; 20 pairs an entrant or more."""


@pytest.mark.parametrize("scorer", SCORERS)
def test_differences_hold_95_times_in_100_and_copies_are_told_apart_in_5_over_all_fields(scorer: Scorer) -> None:
    """As many tournaments again would move these means by a percent or so: hence the slack."""
    found = [simulated(names, rounds, gap, scorer) for names, rounds, gap in FIELDS]
    slack = 0 if DEEP else 3
    assert 93 - slack <= np.mean([each.held for each in found]) <= 97 + slack
    assert 3 - slack <= np.mean([each.apart for each in found]) <= 7 + slack
    assert np.mean([each.ranks for each in found]) >= 95 - slack


def test_with_all_equal_a_range_of_ranks_leaves_one_out_in_5_of_100_at_most() -> None:
    missed = [100 - simulated("ABCDEF", rounds, 0, legs_apart).ranks for rounds in (4, 8, 16)]
    assert 0 < np.mean(missed) <= 5 + (not DEEP) * 3
