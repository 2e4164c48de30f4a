"""How long to think: a share of the time that is given, or a fixed number of playouts. The one place with a clock.

Time must never run out: a late answer is a fault. So a part of each limit is kept back, and what is left in the bank is
shared with the answers to come. Where nobody knows how many those are, as many and some are expected as were given.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

MOVE_SHARE: Final = 0.6
"""Of the time for one answer; the rest is for the way there and back on a busy machine."""
MARGIN: Final = 0.03
"""Seconds taken off the time for one answer, besides."""
SPREAD: Final = 100
"""Answers expected of a game that has just begun: one of a dozen hands has 170 or so, many of them with one choice."""
ANSWERS_A_HAND: Final = 15
"""A bid, thirteen cards, and one more, blind or of an exchange. Draws need no time."""
RESERVE: Final = 0.15
"""The part of the bank that is for answering at once, by the policy: a match may have a thousand hands."""


class Playouts:
    """A fixed number of playouts for each answer: no clock, so the same answers on every machine."""

    def __init__(self, number: int) -> None:
        self._left = number

    def enough(self, choices: int) -> bool:
        """Whether so many more are too many."""
        self._left -= choices
        return self._left < 0


class Clock:
    """Until a moment."""

    def __init__(self, seconds: float, now: Callable[[], float] = perf_counter) -> None:
        self._now, self._end = now, now() + seconds

    def enough(self, choices: int) -> bool:
        """Whether that moment has come."""
        return self._now() >= self._end


def to_come(boards: int | None, hand_no: int, tricks: int) -> int:
    """How many answers to share the bank with, this one included; `boards`: so many hands are played in all."""
    if boards is not None:
        return max(ANSWERS_A_HAND * (boards - hand_no + 1) - tricks, 1)
    return SPREAD + ANSWERS_A_HAND * (hand_no - 1) + tricks


def seconds(time_left: float, bank_left: float, bank: float, answers: int) -> float:
    """How long to think about an answer that shares the bank with so many; 0 or less: not at all."""
    return min(MOVE_SHARE * time_left - MARGIN, (bank_left - RESERVE * bank) / answers)
