"""Two ways of doing the same work, timed in turns, so that whatever else the machine does falls on both.

Times are those that this thread had the processor, where the system tells them finely: a core that others use as well
gives the same figures more slowly.
"""

from __future__ import annotations

import cProfile
import io
import pstats
import sys
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import NamedTuple, TypeAlias

Work: TypeAlias = Callable[[], object]
ROUNDS = 21
"""Pairs of blocks: odd, so that the median is one that was measured."""

FINE = 1e-5
"""Seconds; blocks take 10 ms and more, and Windows tells a thread's time in steps of 16."""
clock = time.thread_time if time.get_clock_info("thread_time").resolution < FINE else time.perf_counter


class Pair(NamedTuple):
    """Seconds of one block of each, one right after the other."""

    ours: float
    theirs: float


def seconds(work: Work) -> float:
    """Of one call."""
    began = clock()
    work()
    return clock() - began


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


def profile(work: Work, lines: int = 20) -> str:
    """The functions that a call spends the most time in, one a line."""
    profiler, text = cProfile.Profile(), io.StringIO()
    work()
    profiler.runcall(work)
    pstats.Stats(profiler, stream=text).strip_dirs().sort_stats("tottime").print_stats(lines)
    return text.getvalue().strip()


def say(line: str) -> None:
    """One line of a report."""
    sys.stdout.write(f"{line}\n")
