"""Partners by draw (V1): four players draw a card each, and the cards say who plays with whom. Pure.

Which cards are drawn is a matter of secret and board stream alone, as the deal is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from .cards import SUIT_OF, Card, Suit, strength
from .deal import drawn_for_partners
from .rules import Rules

Pair: TypeAlias = tuple[int, int]
"""Two players, by their numbers in the order in which they drew; the lower first."""


def draw_cards(rules: Rules, secret: bytes, stream: int) -> tuple[Card, ...]:
    """The card that each player draws, in the order in which they draw."""
    deck = rules.cards.cards
    order = drawn_for_partners(secret, stream, len(deck))
    return tuple(deck[place] for place in order[: len(rules.shape.seats)])


def pairs_of(drawn: Sequence[Card]) -> tuple[Pair, Pair]:
    """Who plays with whom: highest and lowest card, second and third; the first player's pair comes first."""
    lowest, third, second, highest = sorted(range(len(drawn)), key=lambda player: _height(drawn[player]))
    one, other = sorted((min(pair), max(pair)) for pair in ((highest, lowest), (second, third)))
    return one, other


def _height(card: Card) -> tuple[int, Suit]:
    """Rank first, then spades, hearts, diamonds, clubs; the trumps above the ace of spades are ranks above the ace."""
    return strength(card), SUIT_OF[card]
