"""Who sits where, and with whom: seats and sides. Values; which of them a game has, its rules say."""

from __future__ import annotations

from typing import Final, NamedTuple


class Side(NamedTuple):
    """Seats that win and lose together, in the order of play."""

    name: str
    seats: tuple[int, ...]


class Shape(NamedTuple):
    """Who sits where: seat letters clockwise, the sides, and for each seat the index of its side."""

    seats: tuple[str, ...]
    sides: tuple[Side, ...]
    side_of: tuple[int, ...]

    def partner(self, seat: int) -> int | None:
        """The other seat of this seat's side, None for a player who stands alone."""
        others = [other for other in self.sides[self.side_of[seat]].seats if other != seat]
        return others[0] if others else None


def _alone(seats: str) -> Shape:
    """Everybody for himself."""
    return Shape(tuple(seats), tuple(Side(letter, (seat,)) for seat, letter in enumerate(seats)), (*range(len(seats)),))


PARTNERSHIPS: Final = Shape(("N", "E", "S", "W"), (Side("NS", (0, 2)), Side("EW", (1, 3))), (0, 1, 0, 1))
CUTTHROAT: Final = _alone("NESW")
TWO_PLAYERS: Final = _alone("NS")
