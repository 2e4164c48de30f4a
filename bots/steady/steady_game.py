"""The rules of a match, as far as steady's choices depend on them. A value: nothing is read or decided in here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from steady_sight import DECK, NUMBERS, Card, Cards


class Game(NamedTuple):
    """What is played; the defaults are those of the classic rules."""

    seats: str = "NESW"
    """The letters of the seats, clockwise."""
    side_of: tuple[int, ...] = (0, 1, 0, 1)
    """For each seat its side."""
    numbers: Mapping[str, Card] = NUMBERS
    """The number of each card by its name."""
    deck: Cards = DECK
    bidding: str = "free"
    zero: str = "nil"
    """What 0 and `zero` mean: see the option of that name."""
    must_nil: bool = False
    """Whether one of each pair must bid Nil."""
    nil_value: int = 100
    blind_value: int = 200
    exchange: int = 3
    """Cards that partners exchange beside a Double Nil, or that a player who is alone may replace."""
    nil_exchange: int = 0
    """The same beside a plain Nil."""
    nil_helps: bool = False
    """Whether the tricks of a failed Nil count towards the contract."""
    overtrick: int = -9
    """What a trick above the contract is worth: a point, less its share of a penalty for bags."""
    target: int | None = 500
    behind: int | None = None
    floor: int | None = None

    @property
    def alone(self) -> bool:
        """Whether nobody has a partner."""
        return len(set(self.side_of)) == len(self.seats)

    @property
    def drawn(self) -> bool:
        """Whether two players draw their cards, and half of the deck stays out."""
        return len(self.seats) == 2


CLASSIC: Final = Game()
