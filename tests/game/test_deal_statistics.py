"""Deals as a statistician looks at them: no card, place, neighbour or suit is favoured, and neighbours share nothing.

Twenty thousand deals on every change, a million with SPADES_DEEP. The seeds are fixed, so what passes passes always: a
bound is not a chance to fail but what a fair shuffle keeps to.
"""

from __future__ import annotations

import math
import os
from functools import cache
from itertools import product
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from spades_harness.game.cards import STANDARD
from spades_harness.game.deal import permutation, second_order, secret_of_seed

Orders: TypeAlias = NDArray[np.int64]
"""A shuffled deck a row."""
DEALS = 1_000_000 if os.environ.get("SPADES_DEEP") else 20_000
NEIGHBOURS = DEALS // 10
SECRET = secret_of_seed(7)
BOUND = 4.5
"""Deviations that a sum of squares may lie from its mean, above or below: a fair shuffle does one time in 150,000."""
DEPENDENT = 51 / 52
"""What makes counts of a whole deck's places a chi-square: who draws a card leaves one fewer for the next place."""


@cache
def deals() -> Orders:
    """Deals of one secret, 100 hands in each board stream."""
    return np.array([permutation(SECRET, n // 100, n % 100) for n in range(DEALS)])


def deviation(statistic: float, freedom: int) -> float:
    """How many standard deviations a chi-square lies from its mean (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))


def chi_square(seen: NDArray[np.int64], expected: NDArray[np.float64] | float) -> float:
    """Pearson's sum over all cells."""
    return float(((seen - expected) ** 2 / expected).sum())


def table(first: NDArray[np.int64], second: NDArray[np.int64], wide: int) -> NDArray[np.int64]:
    """How often each pair of values comes up, as a matrix of 52 rows."""
    return np.bincount((first * wide + second).ravel(), minlength=52 * wide).reshape(52, wide)


def goodness(seen: NDArray[np.int64], shares: NDArray[np.float64]) -> float:
    """The deviation of independent counts from these shares; cells of fewer than 5 expected count as one."""
    expected = shares * seen.sum()
    rare = expected < 5
    counts = np.append(seen[~rare], seen[rare].sum())
    means = np.append(expected[~rare], expected[rare].sum())
    kept = means > 0
    return deviation(chi_square(counts[kept], means[kept]), int(kept.sum()) - 1)


# --------------------------------------------------------------------------------------------------------------- places


def test_every_card_comes_equally_often_to_every_seat() -> None:
    """DS-05."""
    seats = np.broadcast_to(np.arange(52) // 13, deals().shape)
    found = chi_square(table(deals(), seats, 4), DEALS / 4)
    assert abs(deviation(found * DEPENDENT, 51 * 3)) < BOUND


def test_every_card_comes_equally_often_to_every_place_of_the_deck() -> None:
    """DS-05."""
    places = np.broadcast_to(np.arange(52), deals().shape)
    found = chi_square(table(deals(), places, 52), DEALS / 52)
    assert abs(deviation(found * DEPENDENT, 51 * 51)) < BOUND


def test_every_card_follows_every_other_equally_often_at_each_place_of_the_deck() -> None:
    """The 2,652 ordered pairs at each of 51 places: those of one place are independent from deal to deal."""
    for place in range(51):
        seen = table(deals()[:, place], deals()[:, place + 1], 52)
        assert not seen.diagonal().any()
        apart = seen[~np.eye(52, dtype=bool)]
        assert abs(deviation(chi_square(apart, DEALS / 2652), 2651)) < BOUND, place


def test_no_card_stays_where_it_was_more_often_than_by_chance() -> None:
    """An off-by-one shuffle never leaves a card in place."""
    assert abs(goodness(coincidences(deals(), np.arange(52)), COINCIDENCES)) < BOUND


def test_the_counts_of_ten_thousand_deals_lie_where_anybody_can_check_them() -> None:
    """DS-05: the ace of spades to each seat, every card on top of the deck, ace and king of spades to one seat."""
    first, five_sigma = deals()[:10_400], {"seat": 221, "top": 70, "together": 216}
    ace, king = ((first == STANDARD.by_name[name]).argmax(axis=1) // 13 for name in ("AS", "KS"))
    assert abs(np.bincount(ace, minlength=4) - 2600).max() <= five_sigma["seat"]
    assert abs(np.bincount(first[:, 0], minlength=52) - 200).max() <= five_sigma["top"]
    assert abs(int((ace == king).sum()) - 2447) <= five_sigma["together"]


# ---------------------------------------------------------------------------------------------------------------- suits


def length_shares() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The 560 ways in which 13 cards split over four kinds of 13 each, and how likely each is: exact, by counting."""
    splits = [each for each in product(range(14), repeat=4) if sum(each) == 13]
    hands = [math.prod(math.comb(13, length) for length in each) for each in splits]
    assert sum(hands) == math.comb(52, 13)
    return np.array(splits), np.array(hands) / math.comb(52, 13)


def split_counts(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """How often each of the splits comes up; four lengths a row."""
    splits, _ = length_shares()
    digits = 14 ** np.arange(4)
    seen: NDArray[np.int64] = np.bincount(lengths @ digits, minlength=14**4)[splits @ digits]
    return seen


@pytest.mark.parametrize("seat", range(4))
def test_suit_lengths_of_a_seat_are_distributed_as_counting_says(seat: int) -> None:
    """How many clubs, diamonds, hearts and spades a hand has, all four at once."""
    suits = deals()[:, 13 * seat : 13 * seat + 13] // 13
    lengths = np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1)
    assert abs(goodness(split_counts(lengths), length_shares()[1])) < BOUND


@pytest.mark.parametrize("suit", range(4))
def test_a_suit_splits_over_the_seats_as_counting_says(suit: int) -> None:
    lengths = (deals() // 13 == suit).reshape(DEALS, 4, 13).sum(axis=2)
    assert abs(goodness(split_counts(lengths), length_shares()[1])) < BOUND


# ----------------------------------------------------------------------------------------------------------- neighbours


def _coincidence_shares() -> NDArray[np.float64]:
    """How likely it is that two shuffles agree in k of 52 places: C(52, k) D(52 - k) / 52!, D the derangements."""
    derangements = [1, 0]
    for size in range(2, 53):
        derangements.append((size - 1) * (derangements[-1] + derangements[-2]))
    return np.array([math.comb(52, k) * derangements[52 - k] / math.factorial(52) for k in range(53)])


COINCIDENCES = _coincidence_shares()


def coincidences(one: Orders, other: Orders) -> NDArray[np.int64]:
    """How many pairs of decks agree in 0, 1, … 52 places."""
    return np.bincount((one == other).sum(axis=1), minlength=53)


def _neighbours(kind: str, n: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two deals that somebody might fear to be kin."""
    match kind:
        case "seed":
            return permutation(secret_of_seed(n), 0, 0), permutation(secret_of_seed(n + 1), 0, 0)
        case "secret":
            flipped = (int.from_bytes(SECRET, "big") ^ 1 << n % 256).to_bytes(32, "big")
            return permutation(SECRET, n, 0), permutation(flipped, n, 0)
        case "stream":
            return permutation(SECRET, n, 0), permutation(SECRET, n + 1, 0)
        case "hand":
            return permutation(SECRET, 0, n), permutation(SECRET, 0, n + 1)
        case "swapped":
            return permutation(SECRET, n, n + 1), permutation(SECRET, n + 1, n)
        case _:
            return permutation(SECRET, 1, n), second_order(SECRET, 1, n)


@pytest.mark.parametrize("kind", ["seed", "secret", "stream", "hand", "swapped", "second"])
def test_neighbours_share_nothing(kind: str) -> None:
    """Seeds one apart, secrets of which one bit differs, the next stream or hand: they agree as strangers do, and
    which card lies in a place of the one says nothing about that place in the other."""
    pairs = np.array([_neighbours(kind, n) for n in range(NEIGHBOURS)])
    one, other = pairs[:, 0], pairs[:, 1]
    assert abs(goodness(coincidences(one, other), COINCIDENCES)) < BOUND
    found = chi_square(table(one, other, 52), NEIGHBOURS / 52)
    assert abs(deviation(found * DEPENDENT, 51 * 51)) < BOUND


def test_no_deal_comes_twice() -> None:
    """DS-02: there are 8 · 10⁶⁷ of them."""
    assert len({row.tobytes() for row in deals().astype(np.uint8)}) == DEALS


def test_a_biased_shuffle_would_be_noticed() -> None:
    """What these tests are for: the naive swap, in which each place changes with any other, is far out."""
    dice = np.random.default_rng(1)
    rows = np.tile(np.arange(52), (20_000, 1))
    each = np.arange(len(rows))
    for place in range(52):
        chosen = dice.integers(0, 52, len(rows))
        rows[each, place], rows[each, chosen] = rows[each, chosen], rows[each, place].copy()
    found = chi_square(table(rows, np.broadcast_to(np.arange(52), rows.shape), 52), len(rows) / 52)
    assert deviation(found * DEPENDENT, 51 * 51) > 10 * BOUND
