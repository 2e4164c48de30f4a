"""Two players: which drawn cards to keep, and which to throw away beside a Double Nil, as steady does it. Pure."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from searcher_bids import DRAWN_SIDE, DRAWN_SPADE, RISK, SPADE_RISK, Bidder, riskiest, standing
from searcher_sight import Sight
from spades_harness.game.cards import SPADES, Card, Cards, cards_of, iterate, strength


def keeps(sight: Sight, card: Card) -> bool:
    """Whether a card is worth no less than the next one should be, any that isn't known; for a Nil, or for tricks."""
    bid, model = sight.bids[sight.seat], sight.model
    worth: Callable[[Card], int] = partial(_safety if bid is not None and bid.is_nil else _worth, model)
    rest = [worth(other) for other in iterate(model.deck & ~(sight.hand | sight.given | 1 << card))]
    return worth(card) * len(rest) >= sum(rest)


def _worth(model: Bidder, card: Card) -> int:
    """Tenths of a trick."""
    place = standing(card, model.deck)
    return DRAWN_SPADE[place] if SPADES >> card & 1 else DRAWN_SIDE.get(place, 0)


def _safety(model: Bidder, card: Card) -> int:
    """The less a card threatens a Nil, the more; a spade is never quite safe."""
    return -3 - SPADE_RISK[standing(card, model.deck)] if SPADES >> card & 1 else -RISK[1][strength(card)]


def thrown(sight: Sight, most: int) -> Cards:
    """The cards that a Double Nil throws away: those that threaten it more than the unused ones should."""
    rest = [_safety(sight.model, card) for card in iterate(sight.model.deck & ~sight.hand)]
    risks = iterate(riskiest(sight.hand, sight.model, most))
    return cards_of(card for card in risks if _safety(sight.model, card) * len(rest) < sum(rest))
