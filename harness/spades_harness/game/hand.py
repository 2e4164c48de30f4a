"""One hand as its current phase: draw, bidding, exchange, play, finished. The door to legality; pure values throughout.

Each phase knows the seat that is to act, its legal actions, and the phase that an action leads to. `apply` refuses
whatever `legal` does not list; a phase never changes, so a refused action leaves everything as it was. Hidden cards
are in here: only `view` hands them out.

The phases stand in modules of their own, in the order `draw` (two players), `bidding`, `exchange`, `play`; this one
deals, and offers them all by name.
"""

from __future__ import annotations

from collections.abc import Sequence

from .bidding import Bidding, next_to_bid
from .cards import PLAIN_SUITS, RANKS, SUIT_OF, Card, Deck, cards_of, strength
from .deal import disguises, permutation, second_order
from .draw import Drawing, begin_draw
from .exchange import Exchanging
from .phase import Deal, FinishedHand, Hand, IllegalAction, Kind, Pass, Trick, Unfinished
from .play import Finished, Playing
from .rules import Rules
from .score import Totals, no_points

__all__ = [
    "Bidding",
    "Deal",
    "Drawing",
    "Exchanging",
    "Finished",
    "FinishedHand",
    "Hand",
    "IllegalAction",
    "Kind",
    "Pass",
    "Playing",
    "Totals",
    "Trick",
    "Unfinished",
    "deal_hand",
    "no_points",
    "start_hand",
]


def deal_hand(rules: Rules, secret: bytes, stream: int, number: int, totals: Totals, disguise: int = 0) -> Hand:
    """Hand `number` (from 0) of a board stream, ready for its first choice (D14: the dealer is stream + number).

    `disguise` 1 to 5 has the plain suits stand for each other in its own way; 0 is the deal itself. Raises ValueError
    where the deck has no like suits.
    """
    deck, seats = rules.cards.cards, len(rules.shape.seats)
    if disguise:
        deck = _disguised(rules.cards, disguises(secret, stream, number)[disguise - 1])
    order = tuple([deck[place] for place in permutation(secret, stream, number, len(deck))])
    dealer = (stream + number) % seats
    if rules.players == 2:
        second = tuple(deck[place] for place in second_order(secret, stream, number, len(deck)))
        return begin_draw(Deal(rules, number, dealer, (0, 0), totals, order, second))
    share = len(deck) // seats
    hands = tuple(cards_of(order[seat * share : (seat + 1) * share]) for seat in range(seats))
    return start_hand(Deal(rules, number, dealer, hands, totals))


def _disguised(deck: Deck, becomes: Sequence[int]) -> tuple[Card, ...]:
    """The deck in its order, with another suit in the place of each plain one; trumps stay what they are."""
    if not deck.has_like_suits:
        raise ValueError(f"the plain suits of the deck {deck.name!r} are not alike: none can stand for another")
    return tuple(
        len(RANKS) * becomes[SUIT_OF[card]] + strength(card) if SUIT_OF[card] in PLAIN_SUITS else card
        for card in deck.cards
    )


def start_hand(deal: Deal) -> Hand:
    """A hand from cards that were chosen by somebody else."""
    return next_to_bid(deal, (None,) * len(deal.hands), ())
