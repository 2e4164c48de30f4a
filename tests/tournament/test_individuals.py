"""Bots by themselves, out of the results of sides: known cases, symmetries, and how often the intervals hold."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from random import Random
from typing import NamedTuple, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.tournament.anchor import Anchor
from spades_harness.tournament.statistics.comparison import chances_of, compare
from spades_harness.tournament.statistics.fitting import Observation, Side
from spades_harness.tournament.statistics.individuals import Individual, anchor_of, individuals, of_partners
from spades_harness.tournament.statistics.rating import PairResult, elo
from spades_harness.tournament.statistics.strength import ELO

from .test_rating import TOURNAMENTS, Scorer, decided_by_the_pair, legs_apart, legs_mirrored, share

DEEP = bool(os.environ.get("SPADES_DEEP"))
Sides: TypeAlias = tuple[Side, Side]


def by_bot(observations: Sequence[Observation]) -> dict[str, Individual]:
    return {each.bot: each for each in individuals(tuple(observations))}


def seen(sides: Sides, *scores: float, times: int = 1) -> list[Observation]:
    return [Observation(sides, (score,)) for score in scores] * times


AA, AB, BB, CD, CC, DD = (tuple(two) for two in ("AA", "AB", "BB", "CD", "CC", "DD"))

# --- Who is rated how -------------------------------------------------------------------------------------------------


@given(TOURNAMENTS)
def test_bots_that_are_their_own_partners_are_rated_as_entrants_are(pairs: list[PairResult]) -> None:
    names = sorted({name for pair in pairs for name in (pair.a, pair.b)})
    twice = tuple(Observation(((pair.a,) * 2, (pair.b,) * 2), pair.scores) for pair in pairs)
    rated, found = elo(names, pairs), by_bot(twice)
    assert sorted(found) == names
    for name in names:
        assert found[name].elo == pytest.approx(rated[name].elo, abs=0.051)
        assert found[name].elo_low == (low if (low := rated[name].low) is None else pytest.approx(low, abs=0.051))


def test_a_mixed_pair_half_way_between_two_bots_puts_each_where_it_stands_alone() -> None:
    """Three of four points of AA against AB, and of AB against BB: AA is twice as far from BB."""
    found = by_bot([*seen((AA, AB), 1, 1, 1, 0, times=500), *seen((AB, BB), 1, 1, 1, 0, times=500)])
    assert found["A"].elo - found["B"].elo == pytest.approx(2 * 190.85, abs=3)
    assert (found["A"].pairs, found["B"].pairs) == (4000, 4000)


def test_a_bot_on_both_sides_of_a_table_has_no_part_in_its_result() -> None:
    found = by_bot(seen((("A", "C"), ("B", "C")), 1, 0, 1, times=10))
    assert [(each.bot, each.pairs) for each in found.values()] == [("A", 30), ("B", 30)]
    assert individuals(tuple(seen((AB, AB), 1, times=6))) == ()


def test_partners_who_never_part_are_told_from_each_other_by_the_prior_alone() -> None:
    """What is known of A and B is known of both together."""
    found = by_bot([*seen((AB, CC), 1, 1, 0, times=60), *seen((CC, DD), 1, 1, 0, times=60)])
    assert found["A"].elo == found["B"].elo > found["D"].elo
    (a, b, c, d) = (width(found[bot]) for bot in "ABCD")
    assert a == b > 1500
    assert c < 500 > d


def width(found: Individual) -> float:
    assert found.elo_low is not None
    assert found.elo_high is not None
    return found.elo_high - found.elo_low


def test_fewer_than_five_pairs_of_legs_give_no_interval() -> None:
    """RS-11: the documented minimum."""
    found = by_bot([*seen((AB, CD), 1, 0, 1, 0, times=2), *seen((AB, ("C", "E")), 1, 0, 1, 0)])
    assert found["E"].elo_low is found["E"].elo_high is None
    assert width(found["A"]) > 0
    assert found["E"].pairs == 4


def test_bots_that_no_chain_of_tables_links_are_rated_apart() -> None:
    """RS-10."""
    one, other = seen((AB, AA), 1, 0, 1, times=5), seen((CD, DD), 1, 1, 0, times=3)
    found = by_bot([*other, *one])
    assert found == {**by_bot(one), **{name: each_in(2, each) for name, each in by_bot(other).items()}}


def each_in(group: int, each: Individual) -> Individual:
    return Individual(each.bot, each.elo, each.elo_low, each.elo_high, each.pairs, group)


def test_an_anchor_that_is_one_bot_fixes_the_scale_of_bots_too() -> None:
    bots = {"one": ("A", "A"), "two": ("B", "B"), "both": ("A", "B")}
    pairs = [PairResult(a, b, (score,)) for a, b in combinations(bots, 2) for score in (1.0, 1.0, 0.0)] * 4
    found = of_partners(bots, pairs)
    plain, moved = individuals(found), individuals(found, anchor_of(bots, Anchor("two", 500)))
    assert moved[1] == Individual("B", 500.0, 500.0, 500.0, plain[1].pairs, 1)
    assert moved[0].elo == pytest.approx(plain[0].elo - plain[1].elo + 500, abs=0.11)
    assert [anchor_of(bots, anchor) for anchor in (None, Anchor("both", 500), Anchor("three", 500))] == [None] * 3


def test_entrants_of_single_bots_need_no_table_of_bots() -> None:
    pairs = [PairResult("one", "two", (1.0,))] * 6
    assert of_partners({"one": ("A", "A"), "two": ("B", "B")}, pairs) == ()
    mixed = of_partners({"one": ("A", "B"), "two": ("B", "B")}, pairs)
    assert mixed == (Observation((AB, BB), (1.0,)),) * 6


@given(st.lists(st.tuples(st.permutations("ABCDE"), st.sampled_from((0.0, 0.5, 1.0))), max_size=12), st.randoms())
def test_neither_the_order_of_tables_nor_of_partners_nor_of_sides_changes_a_bit(
    tables: list[tuple[list[str], float]], dice: Random
) -> None:
    first = tuple(Observation(((n, e), (s, w)), (score,)) for (n, e, s, w, _), score in tables)
    turned = [Observation(((w, s), (e, n)), (1 - score,)) for (n, e, s, w, _), score in tables]
    assert individuals(tuple(dice.sample(turned, len(turned)))) == individuals(first)


def test_the_same_results_told_as_one_table_are_one_observation() -> None:
    """RS-11."""
    apart = [Observation((AB, CC), (float(n % 3 > 0),)) for n in range(60)]
    together = [Observation((AB, CC), each.scores, 1.0, n // 3) for n, each in enumerate(apart)]
    assert by_bot(apart)["C"].elo == by_bot(together)["C"].elo
    assert width(by_bot(together)["C"]) < width(by_bot(apart)["C"])  # each table came to exactly two of three
    assert by_bot(together)["C"].pairs == 20


# --- Simulated tournaments, in which A and B are copies of one bot ----------------------------------------------------

Meet = Callable[[Random], Sequence[Sides]]


def every_pair_of_four(_: Random) -> Sequence[Sides]:
    """Ten entrants, of which each meets each."""
    return [*combinations([*combinations_with_replacement("ABCD", 2)], 2)]


def mixed_pairs_of_four(_: Random) -> Sequence[Sides]:
    """Six entrants of two different bots, of which each meets each three times."""
    return [*combinations([*combinations("ABCD", 2)], 2)] * 3


def tables_of_strangers(dice: Random) -> Sequence[Sides]:
    """Eight bots of which four sit together at each of a hundred tables, partners by lot."""
    drawn = (dice.sample("ABCDEFGH", 4) for _ in range(100))
    return [((n, s), (e, w)) for n, s, e, w in drawn]


class Count(NamedTuple):
    """Percentages over all tournaments."""

    held: float
    """Intervals that hold the true strength."""
    apart: float
    """A and B called different: a probability outside of 2.5 to 97.5 %."""


def simulated(meet: Meet, scorer: Scorer, tournaments: int) -> Count:
    dice, held, apart = Random(f"{meet.__name__} {scorer.__name__}"), [], []
    for _ in range(tournaments):
        true = {bot: dice.gauss(0, 150) for bot in "ABCDEFGH"}
        true["B"] = true["A"]
        results = tuple(Observation(sides, scorer(dice, chance(true, sides))) for sides in meet(dice))
        found = individuals(results)
        mean = float(np.mean([true[each.bot] for each in found]))
        held += [(each.elo_low or 0) <= true[each.bot] - mean <= (each.elo_high or 0) for each in found]
        apart.append(not 0.025 <= (chances_of(compare(results), "AB")[0][1] or 0) <= 0.975)
    return Count(100 * float(np.mean(held)), 100 * float(np.mean(apart)))


def chance(true: Mapping[str, float], sides: Sides) -> float:
    first, second = (float(np.mean([true[bot] for bot in side])) for side in sides)
    return share((first - second) / ELO)


@pytest.mark.parametrize("meet", [every_pair_of_four, mixed_pairs_of_four, tables_of_strangers])
def test_the_interval_of_a_bot_holds_in_95_of_100_and_copies_are_told_apart_in_5(meet: Meet) -> None:
    found = [simulated(meet, each, 1000 if DEEP else 25) for each in (decided_by_the_pair, legs_apart, legs_mirrored)]
    slack = 0 if DEEP else 3
    assert 93 - slack <= np.mean([each.held for each in found]) <= 97 + slack
    assert 3 - slack <= np.mean([each.apart for each in found]) <= 7 + slack
