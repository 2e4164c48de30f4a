"""Bids, and the other choices that are not cards. Pure values; which of them are legal, the rules say."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from .cards import HAND_SIZE, Card, Cards


class BidKind(Enum):
    """What a bid promises."""

    NUMBER = "number"
    """So many tricks."""
    NIL = "nil"
    """No trick, for the Nil bonus."""
    BLIND_NIL = "blind_nil"
    """Double Nil: no trick, bid before looking."""
    ZERO = "zero"
    """V6: no trick, beside a Nil of the same number: nothing is lost when one is taken."""
    BLIND_NUMBER = "blind"
    """V9: so many tricks, bid before looking; they count double."""


class Bid(NamedTuple):
    """One player's bid: its kind, and the tricks that it adds to the side's contract."""

    kind: BidKind
    tricks: int = 0

    @property
    def is_nil(self) -> bool:
        """Whether the bidder promises to take no trick, and loses points with one."""
        return self.kind is BidKind.NIL or self.kind is BidKind.BLIND_NIL

    def __str__(self) -> str:
        match self.kind:
            case BidKind.NUMBER:
                return str(self.tricks)
            case BidKind.BLIND_NUMBER:
                return f"blind {self.tricks}"
            case _:
                return str(self.kind.value).replace("_", " ")


class Look(Enum):
    """The answer to the blind question of a player who would rather see the cards first."""

    LOOK = "look"

    def __str__(self) -> str:
        return "look"


class Draw(Enum):
    """What two players do with a card drawn from the stock: keep it, or put it aside and take the next."""

    KEEP = "keep"
    DISCARD = "discard"

    def __str__(self) -> str:
        return str(self.value)


NIL: Final = Bid(BidKind.NIL)
BLIND_NIL: Final = Bid(BidKind.BLIND_NIL)
ZERO: Final = Bid(BidKind.ZERO)
LOOK: Final = Look.LOOK
NUMBERS: Final[tuple[Bid, ...]] = tuple(Bid(BidKind.NUMBER, tricks) for tricks in range(HAND_SIZE + 1))
BLIND_NUMBERS: Final[tuple[Bid, ...]] = tuple(Bid(BidKind.BLIND_NUMBER, tricks) for tricks in range(HAND_SIZE + 1))

Action: TypeAlias = Bid | Look | Draw | Card | Cards
"""A choice in a hand: what it is follows from the phase that it is made in (a card, or a set of cards, is an int)."""
