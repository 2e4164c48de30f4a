"""What a player like `steady` bids on a hand, and which cards it gives beside a Nil: the model of all bidders. Pure.

The tables are steady's. What a hand is worth is the sum over its suits, so each holding of a suit is reckoned once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from spades_harness.game.bids import NIL, Bid, BidKind
from spades_harness.game.cards import SPADES, SUIT_MASK, SUIT_OF, Card, Cards, cards_of, iterate, strength
from spades_harness.game.rules import Rules

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
ALONE_NIL_LIMIT: Final = 24
MUST_NIL_LIMIT: Final = 60
NO_NIL: Final = -1000
SMALL_NIL: Final = 50
"""What a Nil is threatened by, up to where it is bid, and the value below which it isn't."""
GIFT: Final = 7
SOLE: Final = 8
ADDED_TRUMPS: Final = 3
DRAWN_SIDE: Final[Mapping[int, int]] = {12: 8, 11: 5, 10: 2}
DRAWN_SPADE: Final = (5, 5, 6, 6, 6, 6, 7, 7, 9, 11, 14, 16, 16)
EMPTY_SUIT: Final = 7
CAUTION: Final = 5
"""Tenths of a trick; see `steady_bids`."""


class Holding(NamedTuple):
    """What the cards of one suit are good for: tenths of a trick, and points of risk to a Nil."""

    tenths: int
    risk: int


class Bidder(NamedTuple):
    """What the rules of a match mean to the model."""

    deck: Cards
    seats: int
    holding: Callable[[Cards, Cards], Holding]
    taken_off: int
    """Tenths that any hand is worth less than its cards are."""
    nil_limit: int
    must_nil: bool
    """Whether one of each pair must bid Nil."""
    least: int
    """The lowest number that may be meant."""
    nil_exchange: int
    """Cards that leave a hand beside a plain Nil."""


def bidder(rules: Rules) -> Bidder:
    """The model under these rules."""
    deck, drawn = cards_of(rules.cards.cards), rules.players == 2
    added = ADDED_TRUMPS * ((deck & SPADES).bit_count() - 13) // 2
    return Bidder(
        deck=deck,
        seats=len(rules.shape.seats),
        holding=drawn_holding if drawn else holding,
        taken_off=added + (CAUTION if drawn else 0),
        nil_limit=_nil_limit(rules),
        must_nil=rules.suicide == "one_nil",
        least=0 if rules.zero == "only" else 1,
        nil_exchange=rules.exchange if rules.nil_exchange else 0,
    )


def _nil_limit(rules: Rules) -> int:
    if rules.suicide == "one_nil":
        return MUST_NIL_LIMIT
    if rules.zero == "only" or rules.players == 2 or rules.nil_value < SMALL_NIL:
        return NO_NIL
    return NIL_LIMIT if rules.shape.partner(0) is not None else ALONE_NIL_LIMIT


@cache  # at most 2 ** 13 holdings of a suit and 2 ** 17 of spades, of which a match sees few
def holding(cards: Cards, deck: Cards) -> Holding:
    """The worth of cards of one suit, of which the deck has these, when all are dealt to four."""
    held, places = cards.bit_count(), [standing(card, deck) for card in iterate(cards)]
    if deck & SPADES:
        return Holding(
            sum(_worth(TRUMPS, place, held) for place in places) + LONG_SPADE * max(held - 3, 0), risk(cards, deck)
        )
    return Holding(sum(_worth(SIDE_SUIT, place, held) for place in places), risk(cards, deck))


@cache
def drawn_holding(cards: Cards, deck: Cards) -> Holding:
    """The same when two draw and half of the cards are out of play."""
    places = [standing(card, deck) for card in iterate(cards)]
    if deck & SPADES:
        return Holding(sum(DRAWN_SPADE[place] for place in places), risk(cards, deck))
    tenths = sum(DRAWN_SIDE.get(place, 0) for place in places) if cards else EMPTY_SUIT
    return Holding(tenths, risk(cards, deck))


def risk(cards: Cards, deck: Cards) -> int:
    """What cards of one suit threaten a Nil with."""
    held = cards.bit_count()
    if deck & SPADES:
        return sum(SPADE_RISK[standing(card, deck)] for card in iterate(cards)) + (FOUR_SPADES_RISK if held > 3 else 0)
    lowest = sum(RISK[place][strength(card)] for place, card in enumerate(iterate(cards)[:3]))
    return lowest + (LONG_SUIT_RISK if held > 3 else 0)


def standing(card: Card, deck: Cards) -> int:
    """A card's rank counted from the top of its suit: 12 for the highest that the deck has."""
    return max(12 - (deck & SUIT_MASK[SUIT_OF[card]] & -2 << card).bit_count(), 0)


def _worth(table: Mapping[int, Sequence[int]], place: int, held: int) -> int:
    row = table.get(place, (0,))
    return row[min(held, len(row)) - 1]


def worth(hand: Cards, model: Bidder) -> Holding:
    """The worth of a whole hand."""
    held, deck = model.holding, model.deck
    clubs, diamonds, hearts, spades = (held(hand & suit, deck & suit) for suit in SUIT_MASK)
    return Holding(
        clubs.tenths + diamonds.tenths + hearts.tenths + spades.tenths - model.taken_off,
        clubs.risk + diamonds.risk + hearts.risk + spades.risk,
    )


def wish(hand: Cards, model: Bidder, partner: int | None, others: Sequence[int], gifts: int = 0) -> int:
    """The tricks that steady would bid, 0 for Nil.

    `partner` is the partner's bid if he has spoken, `others` are all bids so far that promise tricks, and `gifts` the
    cards that the partner, who has bid Double Nil, is going to give.
    """
    tenths = worth(hand, model).tenths + GIFT * gifts
    if _wants_nil(hand, model, partner, tenths):
        return 0
    if len(others) == model.seats - 1:
        tenths -= sum(others) - 9 if len(others) > 1 else 4 * (sum(others) - 6)
    return max(model.least, (tenths + (SOLE if model.must_nil else 0) + 3) // 10)


def _wants_nil(hand: Cards, model: Bidder, partner: int | None, tenths: int) -> bool:
    if model.must_nil and partner is not None:
        return partner != 0
    return partner != 0 and nil_doubt(hand, model) + tenths // 2 <= model.nil_limit


def nil_doubt(hand: Cards, model: Bidder) -> int:
    """The risk of a Nil, after the exchange where there is one."""
    return worth(hand & ~riskiest(hand, model, model.nil_exchange), model).risk


def nearest(legal: Sequence[Bid], tricks: int) -> Bid:
    """The legal bid that comes nearest to a wish; Nil only where it is meant, or nothing else is left."""
    if tricks == 0 and NIL in legal:
        return NIL
    numbers = [bid for bid in legal if bid.kind is BidKind.NUMBER]
    return min(numbers, key=lambda bid: abs(bid.tricks - tricks), default=legal[0])


def safest(hand: Cards, number: int) -> Cards:
    """What a Nil's partner gives: his lowest cards, no spades if possible."""
    return cards_of(sorted(iterate(hand), key=lambda card: (SPADES >> card & 1, strength(card)))[:number])


def riskiest(hand: Cards, model: Bidder, number: int) -> Cards:
    """What a Nil gives away: one after another, the card without which the hand is safest."""
    given = 0
    for _ in range(number):
        left = hand & ~given
        given |= 1 << min(iterate(left), key=lambda card: _risk_without(left, model, card))
    return given


def _risk_without(hand: Cards, model: Bidder, card: Card) -> tuple[int, int]:
    return worth(hand ^ 1 << card, model).risk, -strength(card)
