"""Whole hands by chance are hands: the phases of `hand` come to the same by the same choices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.rules_by_chance import any_rules, play_rules
from spades_harness.game.bids import BLIND_NIL, LOOK, NUMBERS, Action, BidKind, Draw
from spades_harness.game.cards import Card, cards_of
from spades_harness.game.chance import Chance, ChanceHand, _exchange
from spades_harness.game.draw import Drawing, begin_draw
from spades_harness.game.exchange import after_bidding
from spades_harness.game.hand import Bidding, Deal, Exchanging, Finished, Hand, Pass, Playing, no_points, start_hand
from spades_harness.game.playout import shuffled
from spades_harness.game.rules import PRESETS, Rules

N, S, W = 0, 2, 3
BLIND = {BidKind.BLIND_NIL, BidKind.BLIND_NUMBER}


def walk(chance: ChanceHand) -> tuple[Playing, Finished]:
    """The same hand step by step: the moment before its first lead, and its end."""
    deal, passes, cards = chance.start.deal, iter(chance.start.passes), iter(chance.course.cards)
    hand: Hand = begin_draw(deal._replace(hands=(0, 0))) if deal.stock else start_hand(deal)
    start = None
    while not isinstance(hand, Finished):
        assert not hand.over
        start = hand if isinstance(hand, Playing) and start is None else start
        hand = hand.apply(_next(hand, chance, passes, cards))
    assert start is not None
    return start, hand


def _next(hand: Hand, chance: ChanceHand, passes: Iterator[Pass], cards: Iterator[Card]) -> Action:
    """What was chosen at this moment."""
    if isinstance(hand, Playing):
        return next(cards)
    if isinstance(hand, Exchanging):
        return next(each.cards for each in passes if each.giver is not None)
    assert isinstance(hand, Bidding | Drawing)
    if isinstance(hand, Drawing) and hand.drawn is not None:
        return Draw.DISCARD if next(passes).cards == 1 << hand.drawn else Draw.KEEP
    bid = chance.start.bids[hand.seat]
    return bid if hand.kind == "bid" or bid.kind in BLIND else LOOK


def assert_is_a_hand(rules: Rules, seed: int) -> None:
    """Play one by chance and again in its phases."""
    chance = Chance(rules).hand(seed % len(rules.shape.seats), Random(seed).random)
    start, end = walk(chance)
    assert start == chance.start
    assert end.won == tuple(chance.course.won)
    assert end.scores() == chance.scores


@pytest.mark.parametrize("rules", [*PRESETS.values(), *play_rules()], ids=repr)
def test_a_hand_by_chance_is_a_hand_under_every_preset_and_rule_of_play(rules: Rules) -> None:
    for seed in range(8):
        assert_is_a_hand(rules, seed)


@given(rules=any_rules(), seed=st.integers(0, 2**32))
def test_a_hand_by_chance_is_a_hand_under_any_rules(rules: Rules, seed: int) -> None:
    assert_is_a_hand(rules, seed)


def test_the_same_dice_give_the_same_hand() -> None:
    one, other = (Chance(Rules()).hand(1, Random(5).random) for _ in range(2))
    assert one == other


def test_shuffling_gives_each_order_to_as_many_throws() -> None:
    orders = Counter[tuple[Card, ...]]()
    for throws in permutations((0.1, 0.2, 0.3, 0.4)):
        orders[tuple(shuffled(range(4), partial(next, iter(throws))))] += 1
    assert len(orders) == 24
    assert set(orders.values()) == {1}


def test_each_legal_bid_is_made_about_as_often() -> None:
    dice, chance = Random(1).random, Chance(Rules(blind_nil=False))
    made = Counter(bid for _ in range(3500) for bid in chance.hand(0, dice).start.bids)
    # 14,000 bids, 1,000 of each expected with a deviation of 30.
    assert len(made) == 14
    assert all(850 < number < 1150 for number in made.values())


def test_double_nil_is_bid_by_one_in_two_and_then_cards_are_exchanged() -> None:
    dice, chance = Random(1).random, Chance(Rules())
    starts = [chance.hand(0, dice).start for _ in range(1000)]
    blind = sum(bid.kind is BidKind.BLIND_NIL for start in starts for bid in start.bids)
    assert 1850 < blind < 2150
    # A side exchanges when just one of its two bids blind: on two sides of a hand one is expected, two cards sets each.
    assert 1850 < sum(len(start.passes) for start in starts) < 2150


def test_a_card_that_was_given_stands_at_each_place_of_a_hand_as_often() -> None:
    # 14,000 gifts at 14 places, 1,000 expected at each with a deviation of 30: a hand stays in an order by chance.
    dice, places, rules = Random(1).random, Counter[int](), Rules(exchange=1)
    dealt = [[*range(first, first + 13)] for first in range(0, 52, 13)]
    deal = Deal(rules, 0, W, tuple(cards_of(own) for own in dealt), no_points(rules))
    start = after_bidding(deal, (BLIND_NIL, *NUMBERS[3:6]), ())
    assert isinstance(start, Exchanging)
    for _ in range(14_000):
        held = [own[:] for own in dealt]
        _exchange(start, held, dice)
        assert held[N] == dealt[N][:-1]
        places[held[S].index(dealt[N][-1])] += 1
    assert len(places) == 14
    assert all(850 < number < 1150 for number in places.values())
