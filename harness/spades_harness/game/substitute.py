"""The choice that is made for a seat that makes none. Pure, and dull on purpose: it must be foreseeable."""

from __future__ import annotations

from .bids import LOOK, Action, Bid, Draw
from .cards import SUIT_OF, Card, cards_of, iterate, strength
from .view import View


def substitute(view: View) -> Action:
    """The choice of the seat that sees this.

    Blind: look, or the first legal bid where rules compel a blind one; bid: the lowest number, Nil only if nothing else
    is legal; exchange: as few as may be, the lowest; play: the lowest card; draw: keep.
    """
    match view.kind:
        case "blind":
            return LOOK if LOOK in view.legal else view.legal[0]
        case "bid":
            return min((bid for bid in view.legal if isinstance(bid, Bid)), key=lambda bid: (bid.is_nil, bid.tricks))
        case "exchange":
            return cards_of(sorted(iterate(view.hand or 0), key=_low_first)[: view.give[0]])
        case "draw":
            return Draw.KEEP
        case "play":
            return min((card for card in view.legal if isinstance(card, int)), key=_low_first)


def _low_first(card: Card) -> tuple[int, int]:
    """By rank, then clubs, diamonds, hearts, spades."""
    return strength(card), SUIT_OF[card]
