"""Two ways of doing the same work, timed in turns, so that whatever else the machine does falls on both."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import NamedTuple, TypeAlias

Work: TypeAlias = Callable[[], object]
ROUNDS = 21
"""Pairs of blocks: odd, so that the median is one that was measured."""


class Pair(NamedTuple):
    """Seconds of one block of each, one right after the other."""

    ours: float
    theirs: float


def seconds(work: Work) -> float:
    """Of one call."""
    began = perf_counter()
    work()
    return perf_counter() - began


def in_turns(ours: Work, theirs: Work, rounds: int = ROUNDS) -> Iterator[Pair]:
    """Pairs of blocks, after one of each that only warms up; who begins changes with every pair."""
    ours(), theirs()
    for turn in range(rounds):
        if turn % 2:
            after = seconds(theirs)
            yield Pair(seconds(ours), after)
        else:
            yield Pair(seconds(ours), seconds(theirs))


def spread(values: list[float]) -> str:
    """The median, and in brackets the lowest and the highest."""
    return f"{median(values):.2f} ({min(values):.2f}..{max(values):.2f})"


def say(line: str) -> None:
    """One line of a report."""
    sys.stdout.write(f"{line}\n")
