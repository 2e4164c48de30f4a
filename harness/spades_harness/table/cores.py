"""Processors: those that a process may use, and one of them for a lane alone. Knows no bots and no matches.

Only Linux lets a process be kept to a processor; elsewhere nothing here does anything.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .topology import one_a_core_first

_taken: list[socket.socket] = []
"""What says that a processor is ours, for as long as this process lives."""


def allowed() -> frozenset[int]:
    """The processors that the calling thread may use now; empty where the system doesn't tell."""
    if sys.platform == "linux":
        return frozenset(os.sched_getaffinity(0))
    return frozenset()


EVERYWHERE = allowed()
"""Those that this process might use when it began."""


def take() -> int | None:
    """A processor that no other lane of this machine has taken, and that no other will take while this process lives.

    One of a core of which no other is taken, while there is such a core. None where all are taken, or where there is
    but one: nothing would be won.
    """
    free = one_a_core_first(EVERYWHERE) if len(EVERYWHERE) > 1 else ()
    return next((core for core in free if _is_ours(core)), None)


def _is_ours(core: int) -> bool:
    """Whether a name could be had that only one process at a time can have; the system frees it at that one's end."""
    if sys.platform != "linux":
        return False
    name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        name.bind(f"\0spades-harness-core-{core}")
    except OSError:
        name.close()
        return False
    _taken.append(name)
    return True


def keep_to(core: int | None) -> None:
    """Keep the calling thread, and all that it starts from now on, to a processor; None: to none in particular."""
    if sys.platform == "linux" and EVERYWHERE:
        with suppress(OSError):  # a processor may have been taken from us: then it is as it is
            os.sched_setaffinity(0, EVERYWHERE if core is None else {core})


@contextmanager
def everywhere() -> Iterator[None]:
    """What is started inside may run on every processor that this process began with."""
    here = allowed()
    keep_to(None)
    try:
        yield
    finally:
        if sys.platform == "linux" and here:
            os.sched_setaffinity(0, here)


def processor_time(pid: int) -> float:
    """Seconds that a process and its threads have run; 0.0 when it has gone, or where the system doesn't tell.

    The number is the kernel's name for a process's clock; to read it takes a microsecond.
    """
    if sys.platform == "linux":
        try:
            return time.clock_gettime(~pid << 3 | 2)
        except OSError:
            return 0.0
    return 0.0
