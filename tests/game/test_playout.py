"""The quick play of a hand is the play of `Playing`: the same legal cards, the same winners, the same scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import product
from math import lcm
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import N, card, cards, first_trick, playing
from game.rules_by_chance import any_rules, play_rules
from spades_harness.game.bids import NUMBERS
from spades_harness.game.cards import SUIT_MASK, SUIT_OF, Card, Cards, iterate
from spades_harness.game.hand import Exchanging, Finished, Hand, Playing, deal_hand, no_points
from spades_harness.game.play import best_of
from spades_harness.game.playout import Course, Playout, ScoreBook
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import score_hand
from spades_harness.game.substitute import substitute
from spades_harness.game.view import view

PLAY_RULES = [*PRESETS.values(), *play_rules()]
SEEDS = st.integers(0, 2**32)


def at_first_lead(rules: Rules, seed: int) -> Playing:
    """A hand before its first lead: bids by chance where there is a choice."""
    dice = Random(seed)
    hand: Hand = deal_hand(rules, dice.randbytes(32), 0, seed % 4, no_points(rules))
    while not isinstance(hand, Playing):
        assert not hand.over
        hand = hand.apply(substitute(view(hand)) if isinstance(hand, Exchanging) else dice.choice(hand.legal()))
    return hand


class Line(NamedTuple):
    """A hand from its first lead on: each moment with the card that is played then, and its end."""

    moves: list[tuple[Playing, Card]]
    end: Finished

    @property
    def start(self) -> Playing:
        """Before the first lead."""
        return self.moves[0][0]


def line_of(rules: Rules, seed: int) -> Line:
    """A hand by chance, in its phases."""
    dice, moves, hand = Random(seed), list[tuple[Playing, Card]](), at_first_lead(rules, seed)
    while True:
        moves.append((hand, dice.choice(iterate(hand.legal_cards))))
        after = hand.apply(moves[-1][1])
        if isinstance(after, Finished):
            return Line(moves, after)
        assert isinstance(after, Playing)
        hand = after


def voids_of(hand: Playing) -> list[Cards]:
    """The suits that each seat has not followed."""
    voids = [0] * len(hand.hands)
    for leader, played in [*((trick.leader, trick.cards) for trick in hand.tricks), (hand.leader, hand.trick)]:
        for turn, each in enumerate(played, leader):
            led = SUIT_MASK[SUIT_OF[played[0]]]
            voids[turn % len(voids)] |= 0 if led >> each & 1 else led
    return voids


def assert_same(quick: Playout, hand: Playing) -> None:
    """Whether both know the same of the same moment."""
    assert (quick.seat, quick.legal(), quick.over, quick.broken) == (hand.seat, hand.legal_cards, False, hand.broken)
    assert (tuple(quick.hands), tuple(quick.won), tuple(quick.trick)) == (hand.hands, hand.won, hand.trick)
    assert quick.voids == voids_of(hand)
    if hand.trick:
        place = best_of(hand.trick)
        assert (quick.best, quick.taker) == (hand.trick[place], (hand.leader + place) % len(hand.hands))


def facts(quick: Playout) -> list[object]:
    """All that it knows, to compare."""
    return [getattr(quick, name) for name in Playout.__slots__]


def walk_beside(line: Line) -> None:
    """Play a line on both, and compare all the way."""
    quick = Playout.of(line.start)
    for hand, played in line.moves:
        assert_same(quick, hand)
        quick.play(played)
    assert (quick.over, quick.legal(), tuple(quick.won)) == (True, 0, line.end.won)


@pytest.mark.parametrize("rules", PLAY_RULES, ids=repr)
def test_each_card_leads_to_the_same_moment_under_every_rule_of_play(rules: Rules) -> None:
    for seed in range(4):
        walk_beside(line_of(rules, seed))


@given(rules=any_rules(), seed=SEEDS)
def test_each_card_leads_to_the_same_moment_under_any_rules(rules: Rules, seed: int) -> None:
    walk_beside(line_of(rules, seed))


@pytest.mark.parametrize("rules", PLAY_RULES, ids=repr)
def test_it_can_be_taken_up_at_any_moment(rules: Rules) -> None:
    line = line_of(rules, 1)
    played = Playout.of(line.start)
    for hand, now in line.moves:
        assert facts(Playout.of(hand)) == facts(played)
        played.play(now)


def test_a_copy_goes_its_own_way() -> None:
    hand = playing(first_trick("AC 2S", "KC 3S", "QC 4S", "JC 5S", leader=N), "AC KC")
    one = Playout.of(hand)
    other, before = one.copy(), facts(one.copy())
    for name in ("QC", "JC", "2S", "3S", "4S", "5S"):
        other.play(card(name))
    assert facts(one) == before
    assert (other.won, other.over) == ([1, 0, 0, 1], True)


def test_hidden_hands_may_be_filled_in_later() -> None:
    known = cards("AC 2S")
    blank = Playout(Rules(), [known, 0, 0, 0], N)
    world = blank.copy()
    world.hands[1:] = [cards("KC 3S"), cards("QC 4S"), cards("JC 5S")]
    assert facts(world) == facts(Playout.of(first_trick("AC 2S", "KC 3S", "QC 4S", "JC 5S", leader=N)))


# ----------------------------------------------------------------------------------------------------------- by chance


def replay(start: Playing, course: Course) -> Finished:
    """The end that the phases of a hand come to with the same cards; they refuse what isn't legal."""
    hand: Hand = start
    for each in course.cards:
        assert isinstance(hand, Playing)
        hand = hand.apply(each)
    assert isinstance(hand, Finished)
    return hand


@pytest.mark.parametrize("rules", PLAY_RULES, ids=repr)
def test_play_by_chance_is_legal_and_ends_as_the_hand_does(rules: Rules) -> None:
    for seed in range(4):
        start = at_first_lead(rules, seed)
        course = Playout.of(start).by_chance(Random(seed).random)
        assert replay(start, course).won == tuple(course.won)


@given(rules=any_rules(), seed=SEEDS, moment=st.integers(0, 51))
def test_play_by_chance_starts_at_any_moment_and_changes_nothing(rules: Rules, seed: int, moment: int) -> None:
    moves = line_of(rules, seed).moves
    hand, _ = moves[moment % len(moves)]
    quick, before = Playout.of(hand), facts(Playout.of(hand))
    course = quick.by_chance(Random(seed).random)
    assert facts(quick) == before
    assert replay(hand, course).won == tuple(course.won)


@pytest.mark.parametrize("rules", PLAY_RULES, ids=repr)
def test_play_by_chance_chooses_each_legal_card_as_often(rules: Rules) -> None:
    for hand, _ in line_of(rules, 2).moves[::5]:
        quick, choices, chosen = Playout.of(hand), hand.legal(), Counter[Card]()
        # Throws in the middle of so many equal parts of 0 … 1, and hands in which each card of a suit is last as often.
        throws = [(part + 0.5) / len(choices) for part in range(len(choices))]
        for throw, hands in product(throws, turned(quick)):
            chosen[quick.by_chance_from(hands, partial(float, throw)).cards[0]] += 1
        assert sorted(chosen) == list(choices)
        assert len(set(chosen.values())) == 1


def turned(quick: Playout) -> Iterator[list[list[Card]]]:
    """The hands, that of who is to play in orders in which each card is the last of its suit as often as its others."""
    hands = [list(iterate(held)) for held in quick.hands]
    suits = [iterate(quick.hands[quick.seat] & mask) for mask in SUIT_MASK]
    for turn in range(lcm(*filter(None, map(len, suits)))):
        own = [suit[(place + turn) % len(suit)] for suit in suits for place in range(len(suit))]
        yield [*hands[: quick.seat], own, *hands[quick.seat + 1 :]]


def test_play_by_chance_begins_with_each_order_as_likely() -> None:
    quick, dice = (
        Playout.of(first_trick("AS KS QS JS", "2C 3C 4C 5C", "2D 3D 4D 5D", "2H 3H 4H 5H", leader=N)),
        Random(1).random,
    )
    firsts = Counter(quick.by_chance(dice).cards[0] for _ in range(4000))
    # 1,000 of each expected with a deviation of 27.
    assert len(firsts) == 4
    assert all(850 < number < 1150 for number in firsts.values())


# ------------------------------------------------------------------------------------------------------------- scores


@given(rules=any_rules(), seed=SEEDS)
def test_a_score_that_is_looked_up_is_the_score(rules: Rules, seed: int) -> None:
    book, dice, start = ScoreBook(rules), Random(seed), at_first_lead(rules, seed)
    for _ in range(20):
        won = Playout.of(start).by_chance(dice.random).won
        bids = dice.sample(start.bids, len(start.bids))  # other partners: other sums, and the same sums of others
        bags = [dice.randrange(rules.bag_limit) for _ in rules.shape.sides]
        assert book.scores(bids, won, bags) == score_hand(rules, bids, won, bags)


def test_the_numbers_of_a_side_are_looked_up_by_their_sum() -> None:
    book = ScoreBook(Rules())
    first, second = [NUMBERS[3], NUMBERS[2], NUMBERS[4], NUMBERS[2]], [NUMBERS[6], NUMBERS[2], NUMBERS[1], NUMBERS[2]]
    assert book.scores(first, [4, 2, 4, 3], [0, 0])[0] is book.scores(second, [8, 2, 0, 3], [0, 0])[0]
