"""Whole hands by chance: cards, bids, play and score, each choice as likely as any other. Pure: the dice come in.

The rules of `draw`, `bidding` and `exchange` say what comes before the first lead; the play is `Playout`, which is
quick, and scores that have come up are kept. Tests hold all of it equal to the phases of `hand`. Not for matches: their
cards come from `deal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from .bidding import Bids, blind_choices, open_bids, with_bid
from .bids import Bid
from .cards import Card, Cards, cards_of, iterate
from .draw import HELD, begin_draw
from .exchange import Exchanging, after_bidding
from .phase import Deal, Hand
from .play import Playing
from .playout import Course, Dice, Playout, ScoreBook
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
        start = _to_the_lead(self._begin(dealer, dice), dice)
        course = Playout.of(start).by_chance(dice)
        return ChanceHand(start, course, self._book.scores(start.bids, course.won, self._nothing.bags))

    def _begin(self, dealer: int, dice: Dice) -> Hand:
        """The hand when four players have bid, or when two are to draw."""
        rules, deck = self._rules, self._rules.cards.cards
        order = _shuffled(deck, dice)
        if rules.players == 2:
            return begin_draw(Deal(rules, 0, dealer, (0, 0), self._nothing, order, _shuffled(deck, dice)))
        hands = tuple(cards_of(order[first : first + HELD]) for first in range(0, len(order), HELD))
        deal = Deal(rules, 0, dealer, hands, self._nothing)
        return after_bidding(deal, _bids(deal, dice), ())


def _shuffled(deck: Sequence[Card], dice: Dice) -> tuple[Card, ...]:
    left = list(deck)
    return tuple([left.pop(int(dice() * number)) for number in range(len(left), 0, -1)])


def _bids(deal: Deal, dice: Dice) -> tuple[Bid, ...]:
    """What four players bid, one after another: blind, or else looking."""
    bids: Bids = (None,) * len(deal.hands)
    for turn in range(len(bids)):
        seat = (deal.first_seat + turn) % len(bids)
        blind = blind_choices(deal, bids, seat)
        bid = _one(blind, dice) if blind else None
        if not isinstance(bid, Bid):
            bid = _one(open_bids(deal, bids, seat, deal.hands[seat]), dice)
        bids = with_bid(bids, seat, bid)
    return tuple(bid for bid in bids if bid is not None)


def _to_the_lead(hand: Hand, dice: Dice) -> Playing:
    """The draws of two players and their bids, and any exchange."""
    while not isinstance(hand, Playing):
        assert not hand.over
        action = _gift(hand, dice) if isinstance(hand, Exchanging) else _one(hand.legal(), dice)
        hand = hand.apply(action)
    return hand


def _gift(hand: Exchanging, dice: Dice) -> Cards:
    """As many cards as may be given, any set of so many as likely; a number that is free is drawn first."""
    least, most = hand.give
    number = least + int(dice() * (most - least + 1))
    left = list(iterate(hand.hands[hand.seat]))
    return cards_of([left.pop(int(dice() * len(left))) for _ in range(number)])


def _one(choices: Sequence[T], dice: Dice) -> T:
    return choices[int(dice() * len(choices))]
