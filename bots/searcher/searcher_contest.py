"""Which of some choices is best, tried on one world after another until the time is up. Pure but for what is handed in.

All choices are tried on the same worlds, so that only their differences count; a choice that is clearly behind drops
out. Values are whole numbers: the same worlds give the same winner on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

T = TypeVar("T")
W = TypeVar("W")

FIRST_LOOK: Final = 16
"""Worlds after which choices may drop out for the first time, then at twice as many, and so on."""
DROP: Final = 7
"""A choice drops out when it is behind by the root of so many standard errors."""
PREFER: Final = 1
"""A choice replaces the favourite when it is ahead by the root of so many standard errors."""


def best_choice(
    choices: Sequence[T],
    favourite: int,
    worlds: Iterator[W],
    value: Callable[[W, T], int],
    enough: Callable[[int], bool],
    prefer: int = PREFER,
) -> T:
    """The choice of the highest mean value.

    The favourite (a place among the choices) stays unless another is ahead beyond chance. `enough` is asked before each
    world, with the number of choices that would be tried on it.
    """
    columns: list[list[int]] = [[] for _ in choices]
    alive, look, tried = list(range(len(choices))), FIRST_LOOK, 0
    while len(alive) > 1 and not enough(len(alive)):
        one = next(worlds)
        for place in alive:
            columns[place].append(value(one, choices[place]))
        tried += 1
        if tried == look:
            look *= 2
            alive = _still_in(columns, alive)
    best = max(alive, key=lambda place: (sum(columns[place]), place == favourite))
    # The favourite may have dropped out early: the two are compared on the worlds that both were tried on.
    return choices[best if is_ahead(columns[best], columns[favourite], prefer) else favourite]


def _still_in(columns: Sequence[Sequence[int]], alive: Sequence[int]) -> list[int]:
    leader = max(alive, key=lambda place: sum(columns[place]))
    return [place for place in alive if place == leader or not is_ahead(columns[leader], columns[place], DROP)]


def is_ahead(one: Sequence[int], other: Sequence[int], factor: int) -> bool:
    """Whether the mean difference of the pairs is positive, and its square over `factor` times its squared error."""
    differences = [first - second for first, second in zip(one, other, strict=False)]
    number, total = len(differences), sum(differences)
    spread = number * sum(each * each for each in differences) - total * total
    return total > 0 and number * total * total > factor * spread
