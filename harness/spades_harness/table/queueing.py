"""How long a bot stood in line for a processor that others had. Reads `/proc`; knows no clock.

The kernel counts for each thread the time in which it could have run and did not. A bot that sleeps has none of it,
whatever the machine is doing, and one that was kept from running has it, however it is spread over threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Final, TypeAlias

from .tree import PROC

Waits: TypeAlias = Mapping[int, float]
"""Seconds in line so far, by thread."""

LOOK: Final = 0.05
"""Seconds of an answer after which the count begins: a look costs 50 µs a thread, and a JVM has thirty of them."""
_NS: Final = 1e-9


@lru_cache(maxsize=1)
def is_told() -> bool:
    """Whether this kernel counts at all; one that doesn't says that nothing ever ran."""
    _, turns = _schedstat(PROC / "self")
    return turns > 0


def waits(pids: Iterable[int]) -> Waits:
    """Of all threads of these processes, at this moment."""
    return {int(thread.name): _schedstat(thread)[0] * _NS for pid in pids for thread in _threads(pid)}


def longest(before: Waits, after: Waits) -> float:
    """Seconds in line between two looks, of the thread that stood there longest; a new one has stood since it began."""
    return max((waited - before.get(thread, 0.0) for thread, waited in after.items()), default=0.0)


def _threads(pid: int) -> Iterator[Path]:
    with suppress(OSError):  # it has ended, or this is no Linux
        yield from (PROC / str(pid) / "task").iterdir()


def _schedstat(of: Path) -> tuple[int, int]:
    """Nanoseconds in line, and how often it got its turn (Linux, Documentation/scheduler/sched-stats.rst)."""
    try:
        _, waited, turns = map(int, (of / "schedstat").read_text().split())
    except (OSError, ValueError):  # it has ended, or nobody counts
        return 0, 0
    return waited, turns
