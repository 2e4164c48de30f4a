"""Whole hands by chance: cards, bids, play and score, each choice as likely as any other. Pure: the dice come in.

The rules of `draw`, `bidding` and `exchange` say what comes before the first lead; the play is `Playout`, which is
quick, and scores that have come up are kept. Tests hold all of it equal to the phases of `hand`. Not for matches: their
cards come from `deal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from .bidding import blind_choices, open_bids
from .bids import LOOK, Bid
from .cards import HAND_SIZE, Card, Cards, cards_of, iterate
from .draw import begin_draw
from .exchange import Exchanging, after_bidding
from .phase import Deal, Hand
from .play import Playing
from .playout import Course, Dice, Playout, ScoreBook, shuffled
from .rules import Rules
from .score import SideScore, no_points

T = TypeVar("T")


class ChanceHand(NamedTuple):
    """A hand by chance: the moment before its first lead, what was played from there, and the score by side."""

    start: Playing
    course: Course
    scores: tuple[SideScore, ...]


class Chance:
    """Hands of one set of rules, each as the first of a game."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._book, self._nothing = rules, ScoreBook(rules), no_points(rules)

    def hand(self, dealer: int, dice: Dice) -> ChanceHand:
        """One hand from the cards to the score."""
        start, course = self._drawn(dealer, dice) if self._rules.players == 2 else self._dealt(dealer, dice)
        return ChanceHand(start, course, self._book.scores(start.bids, course.won, self._nothing.bags))

    def _drawn(self, dealer: int, dice: Dice) -> tuple[Playing, Course]:
        """A hand of two players, who draw and bid step by step."""
        rules, deck = self._rules, self._rules.cards.cards
        order, second = (tuple(shuffled(deck, dice)) for _ in range(2))
        hand = begin_draw(Deal(rules, 0, dealer, (0, 0), self._nothing, order, second))
        while not isinstance(hand, Playing):
            assert not hand.over
            hand = hand.apply(_gift(hand, dice) if isinstance(hand, Exchanging) else _one(hand.legal(), dice))
        return hand, Playout.of(hand).by_chance(dice)

    def _dealt(self, dealer: int, dice: Dice) -> tuple[Playing, Course]:
        """A hand of four players. The order in which the deck was shuffled serves all later chances of its cards."""
        order = shuffled(self._rules.cards.cards, dice)
        held = [order[first : first + HAND_SIZE] for first in range(0, len(order), HAND_SIZE)]
        deal = Deal(self._rules, 0, dealer, tuple([cards_of(own) for own in held]), self._nothing)
        hand = after_bidding(deal, _bids(deal, dice), ())
        while isinstance(hand, Exchanging):
            hand = _exchange(hand, held, dice)
        assert isinstance(hand, Playing)
        return hand, Playout(self._rules, hand.hands, hand.seat).by_chance_from(held, dice)


def _bids(deal: Deal, dice: Dice) -> tuple[Bid, ...]:
    """What four players bid, one after another: blind, or else looking."""
    bids: list[Bid | None] = [None] * len(deal.hands)
    first = deal.first_seat
    for turn in range(first, first + len(bids)):
        seat = turn % len(bids)
        blind = blind_choices(deal, bids, seat)
        bid = blind[int(dice() * len(blind))] if blind else LOOK
        if not isinstance(bid, Bid):
            choices = open_bids(deal, bids, seat, deal.hands[seat])
            bid = choices[int(dice() * len(choices))]
        bids[seat] = bid
    return tuple([bid for bid in bids if bid is not None])


def _exchange(hand: Exchanging, held: list[list[Card]], dice: Dice) -> Hand:
    """One gift. `held` has every hand in an order by chance: its last cards are any, and it stays one for the rest."""
    (giver, receiver), (_, most) = hand.queue[0], hand.give
    assert receiver is not None
    for card in (given := [held[giver].pop() for _ in range(most)]):
        held[receiver].insert(int(dice() * (len(held[receiver]) + 1)), card)
    return hand.apply(cards_of(given))


def _gift(hand: Exchanging, dice: Dice) -> Cards:
    """As many cards as may be given, any set of so many as likely; a number that is free is drawn first."""
    least, most = hand.give
    number = least + int(dice() * (most - least + 1))
    return cards_of(shuffled(iterate(hand.hands[hand.seat]), dice)[:number])


def _one(choices: Sequence[T], dice: Dice) -> T:
    return choices[int(dice() * len(choices))]
