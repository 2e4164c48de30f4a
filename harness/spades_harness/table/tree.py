"""What came of a process: its children, theirs, and so on. Reads `/proc`; where there is none, a process is alone.

A helper that has left the process group is still found, since its parent is. One whose parent has ended belongs to
nobody any more: `watch` remembers those that it has seen before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")


def descendants(pid: int) -> tuple[int, ...]:
    """A process and all that came of it, parents first, at this moment; the process is named even if it has ended."""
    found = {pid: None}
    waiting = [pid]
    for each in waiting:
        new = [child for child in _children(each) if child not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return tuple(found)


def _children(pid: int) -> Iterator[int]:
    """The kernel keeps them by thread: each thread knows those that it started."""
    with suppress(OSError):  # it has ended, or this is no Linux
        for thread in (PROC / str(pid) / "task").iterdir():
            with suppress(OSError):
                yield from map(int, (thread / "children").read_text().split())
