"""Hands in which every card that is hidden from a seat has changed its place: what the seat gets must stay the same."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from hypothesis import strategies as st

from game.build import CLASSIC, walk
from spades_harness.game.cards import Card, Cards, cards_of, iterate
from spades_harness.game.hand import Bidding, Deal, Drawing, Exchanging, Playing, Totals, Unfinished, deal_hand
from spades_harness.game.rules import Rules

NUMBERS_TO_CHOOSE_BY = st.binary(min_size=70, max_size=70)
"""More than the 8 questions, 8 exchanges and 52 cards of any hand, or the 26 draws and 26 cards of two players."""


def permuted(hand: Unfinished, dice: Random) -> Unfinished:
    """The same hand as the seat that is to act sees it, where all cards hidden from it have changed places."""
    known, deck = seen_by_the_seat(hand), hand.deal.rules.cards.cards
    hidden = [one for one in deck if not known >> one & 1]
    shuffled = hidden[:]
    dice.shuffle(shuffled)
    return renamed(hand, {**{one: one for one in deck}, **dict(zip(hidden, shuffled, strict=True))})


def seen_by_the_seat(hand: Unfinished) -> Cards:
    """The cards that the seat that is to act may know: its own once it looked, what left them, what was played."""
    if hand.kind == "blind":
        return 0
    gave = cards_of(one for given in hand.passes if given.giver == hand.seat for one in iterate(given.cards))
    played = cards_of(one for trick in hand.tricks for one in trick.cards) | cards_of(hand.trick)
    drawn = 0 if hand.drawn is None else 1 << hand.drawn
    return hand.hands[hand.seat] | gave | played | drawn


def renamed(hand: Unfinished, swap: Mapping[Card, Card]) -> Unfinished:
    """The hand with other cards in the place of its cards, wherever they stand."""
    deal = _renamed_deal(hand.deal, swap)
    passes = tuple(given._replace(cards=_other(given.cards, swap)) for given in hand.passes)
    match hand:
        case Bidding():
            return hand._replace(deal=deal, passes=passes)
        case Drawing() | Exchanging() | Playing():
            hands = tuple(_other(held, swap) for held in hand.hands)
            return hand._replace(deal=deal, passes=passes, hands=hands)
        case _:
            raise AssertionError(f"{type(hand).__name__} is no phase of Spades")


def _renamed_deal(deal: Deal, swap: Mapping[Card, Card]) -> Deal:
    return deal._replace(
        hands=tuple(_other(held, swap) for held in deal.hands),
        stock=tuple(swap[one] for one in deal.stock),
        second=tuple(swap[one] for one in deal.second),
    )


def _other(held: Cards, swap: Mapping[Card, Card]) -> Cards:
    return cards_of(swap[one] for one in iterate(held))


def some_totals(rules: Rules) -> Totals:
    """Different scores and bags for each side."""
    sides = len(rules.shape.sides)
    return Totals((120, -35, 60, 7)[:sides], (4, 9, 0, 2)[:sides])


def unfinished(numbers: Sequence[int], stream: int, rules: Rules = CLASSIC) -> Iterator[Unfinished]:
    """The states of one random hand in which somebody is to act."""
    start = deal_hand(rules, bytes(range(32)), stream, 0, some_totals(rules))
    return (state for state in walk(start, numbers) if not state.over)
