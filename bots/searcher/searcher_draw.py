"""Two players: which drawn cards to keep, and which to throw away beside a Double Nil. Pure, and by rule of thumb."""

from __future__ import annotations

from typing import Final

from searcher_bids import riskiest, worth
from spades_harness.game.cards import SPADES, Card, Cards, strength

GOOD_RANK: Final = 9
"""A jack: half of the cards that come next are better than a ten, counting spades."""
GOOD_SPADE: Final = 2
SAFE: Final = 20
"""A risk to a Double Nil from which on cards are thrown: what comes for them is no better than an average card."""


def keeps(card: Card) -> bool:
    """Whether to keep a drawn card: honours and spades take tricks."""
    return strength(card) >= (GOOD_SPADE if SPADES >> card & 1 else GOOD_RANK)


def thrown(hand: Cards, most: int) -> Cards:
    """The cards that a Double Nil throws away: the riskiest, as long as the hand is in danger."""
    for number in range(most + 1):
        given = riskiest(hand, number)
        if number == most or worth(hand & ~given).risk <= SAFE:
            return given
    return 0
