"""Two players: which cards of the stock steady keeps, and which it replaces beside a Double Nil. Pure."""

from __future__ import annotations

from steady_bids import riskiest
from steady_game import Game
from steady_sight import SPADES, Card, Cards, iterate, rank


def keeps(game: Game, card: Card, held: Cards, gone: Cards) -> bool:
    """Whether a card is worth more than the next one should be."""
    unknown = game.deck & ~held & ~gone & ~(1 << card)
    rest = [value(other) for other in iterate(unknown)]
    return value(card) * len(rest) >= sum(rest)


def value(card: Card) -> int:
    """What a card is worth."""
    return rank(card) + (6 if SPADES >> card & 1 else 0)


def replaced(game: Game, hand: Cards, most: int) -> Cards:
    """The cards to be thrown for unused ones."""
    return riskiest(hand, most, game)
