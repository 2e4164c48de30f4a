"""Two players: which drawn cards to keep, and which to throw away beside a Double Nil. Pure, and by rule of thumb."""

from __future__ import annotations

from typing import Final

from searcher_bids import riskiest, worth
from spades_harness.game.bids import Bid
from spades_harness.game.cards import SPADES, Card, Cards, strength

GOOD_RANK: Final = 8
"""A ten: of the cards that come next nearly half are as good, counting spades."""
GOOD_SPADE: Final = 2
LOW: Final = 6
"""An eight: a Double Nil keeps what is lower."""
SAFE: Final = 20
"""A risk to a Double Nil from which on cards are thrown: what comes for them is no better than an average card."""


def keeps(card: Card, bid: Bid | None) -> bool:
    """Whether to keep a drawn card: a Double Nil wants low ones, anybody else honours and spades."""
    is_spade = bool(SPADES >> card & 1)
    if bid is not None and bid.is_nil:
        return not is_spade and strength(card) < LOW
    return strength(card) >= (GOOD_SPADE if is_spade else GOOD_RANK)


def thrown(hand: Cards, deck: Cards, most: int) -> Cards:
    """The cards that a Double Nil throws away: the riskiest, as long as the hand is in danger."""
    for number in range(most):
        given = riskiest(hand, deck, number)
        if worth(hand & ~given, deck).risk <= SAFE:
            return given
    return riskiest(hand, deck, most)
