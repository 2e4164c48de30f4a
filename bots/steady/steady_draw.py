"""Two players: which cards of the stock steady keeps, and which it replaces beside a Double Nil. Pure."""

from __future__ import annotations

from steady_bids import RISK, SPADE_RISK, drawn_worth, riskiest, standing
from steady_game import Game
from steady_sight import SPADES, Card, Cards, iterate, rank


def keeps(game: Game, card: Card, known: Cards, *, nil: bool) -> bool:
    """Whether a card is worth no less than the next one, any that isn't known, should be; for a Nil, or for tricks."""

    def worth(each: Card) -> int:
        return -threat(game, each) if nil else drawn_worth(each, game.deck)

    rest = [worth(other) for other in iterate(game.deck & ~known & ~(1 << card))]
    return worth(card) * len(rest) >= sum(rest)


def threat(game: Game, card: Card) -> int:
    """What a card threatens a Nil with, whatever else is held; a spade is never quite safe."""
    return 3 + SPADE_RISK[standing(card, game.deck)] if SPADES >> card & 1 else RISK[1][rank(card)]


def replaced(game: Game, hand: Cards, most: int) -> Cards:
    """The cards that a Double Nil throws: those that threaten it more than the unused ones should."""
    rest = [threat(game, card) for card in iterate(game.deck & ~hand)]
    risks = [card for card in iterate(riskiest(hand, most, game)) if threat(game, card) * len(rest) > sum(rest)]
    return sum(1 << card for card in risks)
