"""Bids, and the other choices that are not cards. Pure values; which of them are legal, the rules say."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from .cards import Card, Cards


class BidKind(Enum):
    """What a bid promises."""

    NUMBER = "number"
    """So many tricks."""
    NIL = "nil"
    """No trick, for the Nil bonus."""
    BLIND_NIL = "blind_nil"
    """Double Nil: no trick, bid before looking."""


class Bid(NamedTuple):
    """One player's bid: its kind, and the tricks that it adds to the side's contract."""

    kind: BidKind
    tricks: int = 0

    @property
    def is_nil(self) -> bool:
        """Whether the bidder promises to take no trick."""
        return self.kind is BidKind.NIL or self.kind is BidKind.BLIND_NIL

    def __str__(self) -> str:
        return str(self.tricks) if self.kind is BidKind.NUMBER else self.kind.value.replace("_", " ")


class Look(Enum):
    """The answer to the blind question of a player who would rather see the cards first."""

    LOOK = "look"

    def __str__(self) -> str:
        return "look"


NIL: Final = Bid(BidKind.NIL)
BLIND_NIL: Final = Bid(BidKind.BLIND_NIL)
LOOK: Final = Look.LOOK
NUMBERS: Final[tuple[Bid, ...]] = tuple(Bid(BidKind.NUMBER, tricks) for tricks in range(14))

Action: TypeAlias = Bid | Look | Card | Cards
"""A choice in a hand: what it is follows from the phase that it is made in (a card, or a set of cards, is an int)."""
