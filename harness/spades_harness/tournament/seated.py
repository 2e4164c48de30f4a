"""Who sat where in a match: entrants are what is ranked, bots are what sits on seats. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from spades_harness.game.shape import Shape

from .outcome import Leg

T = TypeVar("T")


def by_seat(shape: Shape, leg: Leg, own: Mapping[str, Sequence[T]]) -> tuple[T, ...]:
    """What is on each seat, where each entrant has something for every seat of a side, such as its bots.

    Who has a side alone brings all of it; of those who share one, each brings what it has for its own seat. Raises
    ValueError if something is short.
    """
    found: dict[int, T] = {}
    for side, names in zip(shape.sides, leg.sides, strict=True):
        things = own[names[0]] if len(names) == 1 else [own[name][number] for number, name in enumerate(names)]
        found.update(zip(side.seats, things, strict=True))
    return tuple(found[seat] for seat in range(len(shape.seats)))


def entrant_at(shape: Shape, leg: Leg, seat: int) -> str:
    """Who has a seat, be it alone on its side or not."""
    side = shape.side_of[seat]
    names = leg.sides[side]
    return names[0] if len(names) == 1 else names[shape.sides[side].seats.index(seat)]
