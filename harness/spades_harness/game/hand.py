"""One hand as its current phase: draw, bidding, exchange, play, finished. The door to legality; pure values throughout.

Each phase knows the seat that is to act, its legal actions, and the phase that an action leads to. `apply` refuses
whatever `legal` does not list; a phase never changes, so a refused action leaves everything as it was. Hidden cards
are in here: only `view` hands them out.

The phases stand in modules of their own, in the order `draw` (two players), `bidding`, `exchange`, `play`; this one
deals, and offers them all by name.
"""

from __future__ import annotations

from .bidding import Bidding, next_to_bid
from .cards import cards_of
from .deal import permutation, second_order
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


def deal_hand(rules: Rules, secret: bytes, stream: int, number: int, totals: Totals) -> Hand:
    """Hand `number` (from 0) of a board stream, ready for its first choice (D14: the dealer is stream + number)."""
    deck, seats = rules.cards.cards, len(rules.shape.seats)
    order = tuple([deck[place] for place in permutation(secret, stream, number, len(deck))])
    dealer = (stream + number) % seats
    if rules.players == 2:
        second = tuple(deck[place] for place in second_order(secret, stream, number, len(deck)))
        return begin_draw(Deal(rules, number, dealer, (0, 0), totals, order, second))
    share = len(deck) // seats
    hands = tuple(cards_of(order[seat * share : (seat + 1) * share]) for seat in range(seats))
    return start_hand(Deal(rules, number, dealer, hands, totals))


def start_hand(deal: Deal) -> Hand:
    """A hand from cards that were chosen by somebody else."""
    return next_to_bid(deal, (None,) * len(deal.hands), ())
