"""A batch in slices, between which a run may end: whole rounds, and a time to be done by. Pure, but for its clock.

A slice is the longest run of legs of one round and board stream, so that whoever ends between two of them leaves no
meeting half played. Knows neither lanes nor a ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import TypeAlias

from .records.ledger import Planned

Clock: TypeAlias = Callable[[], float]
"""Seconds since some moment."""


class TimeIsUp(Exception):
    """The next slice would not be over in time; all that was begun is recorded."""


class TimeBox:
    """When a run has to be over. The next slice is taken to last as long as the longest so far; the first is played."""

    def __init__(self, end: float, clock: Clock) -> None:
        """`end` in seconds on the clock."""
        self._end, self._clock = end, clock
        self._longest: float | None = None

    @contextmanager
    def slice(self) -> Iterator[None]:
        """Around the play of a slice. Raises TimeIsUp instead of beginning one that would not be over in time."""
        begun = self._clock()
        if self._longest is not None and begun + self._longest > self._end:
            raise TimeIsUp
        yield
        self._longest = max(self._longest or 0.0, self._clock() - begun)


def slices(batch: Sequence[Planned]) -> Iterator[tuple[Planned, ...]]:
    """The batch in its order, cut wherever the round or the board stream changes."""
    for _, group in groupby(batch, lambda each: (each.leg.round, each.leg.stream)):
        yield tuple(group)
