"""What a player like `steady` bids on a hand, and which cards it gives beside a Nil: the model of all bidders. Pure.

The tables are steady's. What a hand is worth is the sum over its suits, so each holding of a suit is reckoned once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from spades_harness.game.bids import NIL, Bid, BidKind
from spades_harness.game.cards import SPADES, SUIT_MASK, SUIT_OF, Card, Cards, cards_of, iterate, strength

SIDE_SUIT: Final[Mapping[int, Sequence[int]]] = {12: (10,), 11: (3, 7), 10: (0, 1, 4)}
TRUMPS: Final[Mapping[int, Sequence[int]]] = {12: (10,), 11: (5, 10), 10: (0, 3, 9), 9: (0, 0, 3, 5)}
"""Tenths of a trick, by standing and by how many cards the suit has."""
LONG_SPADE: Final = 9
RISK: Final[Sequence[Sequence[int]]] = (
    (0, 0, 0, 0, 2, 3, 5, 7, 9, 11, 13, 17, 46),
    (0, 0, 0, 0, 0, 0, 2, 4, 6, 7, 9, 13, 28),
    (0, 0, 0, 0, 1, 1, 1, 3, 3, 4, 5, 8, 12),
)
SPADE_RISK: Final = (0, 0, 0, 0, 1, 1, 2, 4, 5, 8, 10, 15, 99)
LONG_SUIT_RISK: Final = 4
FOUR_SPADES_RISK: Final = 9
NIL_LIMIT: Final = 35
GIFT: Final = 7
"""What a Nil is threatened by, and up to where it is bid; see `steady_bids`."""


class Holding(NamedTuple):
    """What the cards of one suit are good for: tenths of a trick, and points of risk to a Nil."""

    tenths: int
    risk: int


@cache  # at most 2 ** 13 holdings of a suit and 2 ** 17 of spades, of which a match sees few
def holding(cards: Cards, deck: Cards) -> Holding:
    """The worth of cards of one suit, of which the deck has these."""
    held, places = cards.bit_count(), [standing(card, deck) for card in iterate(cards)]
    if cards & SPADES:
        tenths = sum(_worth(TRUMPS, place, held) for place in places) + LONG_SPADE * max(held - 3, 0)
        return Holding(tenths, sum(SPADE_RISK[place] for place in places) + (FOUR_SPADES_RISK if held > 3 else 0))
    ranks = [strength(card) for card in iterate(cards)]
    risk = sum(RISK[place][rank] for place, rank in enumerate(ranks[:3])) + (LONG_SUIT_RISK if held > 3 else 0)
    return Holding(sum(_worth(SIDE_SUIT, place, held) for place in places), risk)


def standing(card: Card, deck: Cards) -> int:
    """A card's rank counted from the top of its suit: 12 for the highest that the deck has."""
    return max(12 - (deck & SUIT_MASK[SUIT_OF[card]] & -2 << card).bit_count(), 0)


def _worth(table: Mapping[int, Sequence[int]], place: int, held: int) -> int:
    row = table.get(place, (0,))
    return row[min(held, len(row)) - 1]


def worth(hand: Cards, deck: Cards) -> Holding:
    """The worth of a whole hand."""
    clubs, diamonds, hearts, spades = (holding(hand & suit, deck & suit) for suit in SUIT_MASK)
    return Holding(
        clubs.tenths + diamonds.tenths + hearts.tenths + spades.tenths,
        clubs.risk + diamonds.risk + hearts.risk + spades.risk,
    )


def wish(hand: Cards, deck: Cards, partner: int | None, others: Sequence[int], gifts: int = 0) -> int:
    """The tricks that steady would bid, 0 for Nil.

    `partner` is the partner's bid if he has spoken, `others` are all bids so far that promise tricks, and `gifts` the
    cards that the partner, who has bid Double Nil, is going to give.
    """
    tenths, risk = worth(hand, deck)
    tenths += GIFT * gifts
    if partner != 0 and risk + tenths // 2 <= NIL_LIMIT:
        return 0
    if len(others) == 3:
        tenths -= sum(others) - 9
    return max(1, (tenths + 3) // 10)


def nearest(legal: Sequence[Bid], tricks: int) -> Bid:
    """The legal bid that comes nearest to a wish; Nil only where it is meant, or nothing else is left."""
    if tricks == 0 and NIL in legal:
        return NIL
    numbers = [bid for bid in legal if bid.kind is BidKind.NUMBER]
    return min(numbers, key=lambda bid: abs(bid.tricks - tricks), default=legal[0])


def safest(hand: Cards, number: int) -> Cards:
    """What a Nil's partner gives: his lowest cards, no spades if possible."""
    return cards_of(sorted(iterate(hand), key=lambda card: (SPADES >> card & 1, strength(card)))[:number])


def riskiest(hand: Cards, deck: Cards, number: int) -> Cards:
    """What a Nil gives away: one after another, the card without which the hand is safest."""
    given = 0
    for _ in range(number):
        left = hand & ~given
        given |= 1 << min(iterate(left), key=lambda card: _risk_without(left, deck, card))
    return given


def _risk_without(hand: Cards, deck: Cards, card: Card) -> tuple[int, int]:
    return worth(hand ^ 1 << card, deck).risk, -strength(card)
