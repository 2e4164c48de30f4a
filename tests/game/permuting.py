"""Hands in which every card that is hidden from a seat has changed its place: what the seat gets must stay the same."""

from collections.abc import Iterator, Sequence
from random import Random

from hypothesis import strategies as st

from game.build import CLASSIC, walk
from spades_harness.game.cards import STANDARD, Card, Cards, cards_of, iterate
from spades_harness.game.hand import Bidding, Finished, Playing, Totals, Unfinished, deal_hand

NUMBERS_TO_CHOOSE_BY = st.binary(min_size=70, max_size=70)
"""More than the 8 questions, 8 exchanges and 52 cards of any hand."""


def permuted(hand: Unfinished, dice: Random) -> Unfinished:
    """The same hand as the seat that is to act sees it, where all cards hidden from it have changed places."""
    known = seen_by_the_seat(hand)
    hidden = [one for one in STANDARD.cards if not known >> one & 1]
    shuffled = hidden[:]
    dice.shuffle(shuffled)
    swap = {**{one: one for one in STANDARD.cards}, **dict(zip(hidden, shuffled, strict=True))}
    return renamed(hand, swap)


def seen_by_the_seat(hand: Unfinished) -> Cards:
    """The cards that the seat that is to act may know: its own once it looked, what it gave away, what was played."""
    if hand.kind == "blind":
        return 0
    gave = sum(given.cards for given in hand.passes if given.giver == hand.seat)
    played = cards_of(one for trick in hand.tricks for one in trick.cards)
    table = cards_of(hand.trick) if isinstance(hand, Playing) else 0
    return hand.hands[hand.seat] | gave | played | table


def renamed(hand: Unfinished, swap: dict[Card, Card]) -> Unfinished:
    """The hand with other cards in the place of its cards, wherever they stand."""

    def other(held: Cards) -> Cards:
        return cards_of(swap[one] for one in iterate(held))

    deal = hand.deal._replace(hands=tuple(other(held) for held in hand.deal.hands))
    if isinstance(hand, Bidding):
        return hand._replace(deal=deal)
    passes = tuple(given._replace(cards=other(given.cards)) for given in hand.passes)
    return hand._replace(deal=deal, passes=passes, hands=tuple(other(held) for held in hand.hands))


def unfinished(numbers: Sequence[int], stream: int) -> Iterator[Unfinished]:
    """The states of one random hand in which somebody is to act."""
    start = deal_hand(CLASSIC, bytes(range(32)), stream, 0, Totals((120, -35), (4, 9)))
    return (state for state in walk(start, numbers) if not isinstance(state, Finished))
