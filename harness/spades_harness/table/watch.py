"""What a bot and all that it has started use of the machine, held against what they may. Reads `/proc`, and
ends what it has seen there; no trio.

Memory is what is resident, looked at every PERIOD, of a bot that mostly stands still when it has answered, and once at
its end: never address space, of which a JVM or Node reserves gigabytes that
it doesn't use. What goes up and down between two looks is not seen. Where several processes are over the bound in
plain sum, each page that they share is counted once. Processor time is that of all that live, with the children that
they waited for, or that of all that were ever seen, whichever is more. How large a file may be, the kernel itself
enforces.

Which of these a launcher enforces as well is its own affair: whoever is over a bound here is ended.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from .bounds import Resources
from .tree import PROC, descendants

if sys.platform == "linux":
    import resource

PERIOD: Final = 0.05
"""Seconds between two looks: a bot that takes a GiB a second is found 50 MiB later, and a look takes 0.06 ms, 0.2
where there are a dozen threads."""
MIB: Final = 1_048_576
BOUNDS: Final = ("memory", "cpu", "processes", "file_size")
"""What can be bounded; cores are granted."""
_REFUSED: Final = re.compile(r"EFBIG|File too large|\[Errno 27\]")
"""How runtimes tell that a file can grow no more. Python, Node and Java ignore the signal."""


class Use(NamedTuple):
    """What one process uses."""

    started: int
    """When, by the kernel's count: with its number it tells a process from all others that ever were."""
    cpu: float
    """Seconds, children that it waited for included."""
    own: float
    """Seconds without them."""
    threads: int
    memory: float
    """MiB that are resident."""


def use_of(pid: int) -> Use | None:
    """What a process uses at this moment; None if it has ended."""
    if sys.platform == "win32":
        return None
    try:
        stat = (PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()  # from the third on: the second is a name that may hold anything
    tick = os.sysconf("SC_CLK_TCK")
    user, system, *waited_for = (int(ticks) / tick for ticks in fields[11:15])
    return Use(
        int(fields[19]),
        user + system + sum(waited_for),
        user + system,
        int(fields[17]),
        int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / MIB,
    )


def began(pid: int) -> float:
    """By when a process had begun, in seconds since the machine did; the kernel tells it to a tick, a hundredth."""
    if sys.platform == "win32":
        return 0.0
    use = use_of(pid)
    return (use.started + 1) / os.sysconf("SC_CLK_TCK") if use else 0.0


class Meter:
    """Holds one bot's use against its bounds, and remembers the most that it saw."""

    def __init__(self, resources: Resources) -> None:
        self._bounds = resources
        self._known: dict[int, int] = {}
        self._own: dict[tuple[int, int], float] = {}
        """Seconds of each process that was ever seen, by number and start, when it was seen last."""
        self.memory = 0.0
        """MiB, the most that was seen."""
        self.cpu = 0.0
        """Seconds, the most that was seen."""
        self.over = ""
        """Which bound was broken, in words, once one was."""

    @property
    def has_bounds(self) -> bool:
        """Whether there is anything to look for."""
        bounds = self._bounds
        return (bounds.memory, bounds.cpu, bounds.processes) != (None, None, None)

    def look(self, members: Iterable[int]) -> str:
        """Measure these processes, and those seen before; which bound they break, in words, empty for none."""
        uses = self._uses(members)
        self._own.update({(pid, use.started): use.own for pid, use in uses.items()})
        self.cpu = max(self.cpu, sum(use.cpu for use in uses.values()), sum(self._own.values()))
        memory = self._memory(uses)
        self.memory = max(self.memory, memory)
        self.over = self.over or self._broken(memory, sum(use.threads for use in uses.values()))
        return self.over

    async def until_over(self, members: Callable[[], Iterable[int]], sleep: Callable[[float], Awaitable[None]]) -> str:
        """Look again and again until a bound is broken, whoever saw it; which, in words. Where `members` names none
        nobody looks."""
        while not (self.over or ((named := tuple(members())) and self.look(named))):
            await sleep(PERIOD)
        return self.over

    def end_all(self) -> None:
        """End by force what was seen at the last look: helpers that have left their group are out of others' reach."""
        if sys.platform == "win32":
            return
        for pid in filter(self._is_the_same, self._known):
            with suppress(ProcessLookupError, PermissionError):  # it has just ended, or is its launcher's
                os.kill(pid, signal.SIGKILL)

    def _uses(self, members: Iterable[int]) -> dict[int, Use]:
        """By number; those whose parent ended since they were seen belong here still, with what came of them."""
        named = set(members)
        lost = [pid for pid in self._known if pid not in named and self._is_the_same(pid)]
        named.update(child for pid in lost for child in descendants(pid))
        found = {pid: use for pid in named if (use := use_of(pid))}
        self._known = {pid: use.started for pid, use in found.items()}
        return found

    def _is_the_same(self, pid: int) -> bool:
        use = use_of(pid)
        return use is not None and use.started == self._known[pid]

    def _memory(self, uses: dict[int, Use]) -> float:
        """MiB of all of them together."""
        plain = sum(use.memory for use in uses.values())
        if len(uses) < 2 or self._bounds.memory is None or plain <= self._bounds.memory:
            return plain
        return sum(min(_shared_out(pid, use.memory), use.memory) for pid, use in uses.items())

    def _broken(self, memory: float, threads: int) -> str:
        bounds = self._bounds
        if bounds.memory is not None and memory > bounds.memory:
            return f"killed: over {bounds.memory} MiB (used {memory:.0f})"
        if bounds.cpu is not None and self.cpu > bounds.cpu:
            return f"killed: over {bounds.cpu:g} s of processor time (used {self.cpu:.2f})"
        if bounds.processes is not None and threads > bounds.processes:
            return f"killed: over {bounds.processes} processes, each thread counted (had {threads})"
        return ""


def _shared_out(pid: int, plain: float) -> float:
    """MiB of a process, of each page that it shares only its share; the plain figure where that isn't told."""
    try:
        lines = (PROC / str(pid) / "smaps_rollup").read_text().splitlines()
    except OSError:
        return plain
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), plain)


# --------------------------------------------------------------------------------------------- what the kernel enforces


def bind(pid: int, resources: Resources) -> None:
    """Let the kernel keep a process that has just been started, and all that will come of it, from larger files."""
    if sys.platform == "linux" and resources.file_size is not None:
        most = resources.file_size * MIB
        with suppress(ProcessLookupError, PermissionError):  # it has ended, or is its launcher's
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))


def ended_by_limit(code: int, resources: Resources, signals_from: int = 0) -> str:
    """The bound for which the kernel ended a process with this exit code, in words; empty for any other end.

    `signals_from` as in `launch.Launch`: without it no code that a bot chooses for itself is taken for a signal.
    """
    if sys.platform == "win32":
        return ""
    number = code - signals_from if signals_from and code > 0 else -code
    if number == signal.SIGXFSZ and resources.file_size is not None:
        return f"killed: over {resources.file_size} MiB in one file"
    return ""


def refused_by_limit(folder: Path, said: str, resources: Resources) -> str:
    """The bound at which the kernel refused to write, in words, for a bot that ignores the signal and failed of itself.

    Found by a file in its working folder that is as large as it may be; where that can't be looked into, as in a box
    that is gone, by what it said on standard error.
    """
    if resources.file_size is None or not (_REFUSED.search(said) or _has_full(folder, resources.file_size * MIB)):
        return ""
    return f"over {resources.file_size} MiB in one file, more of which was refused"


def _has_full(folder: Path, most: int) -> bool:
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):  # it has just been removed
                if (Path(place) / name).lstat().st_size >= most:
                    return True
    return False


# ---------------------------------------------------------------------------------------------------------- the machine


def machine_load() -> float:
    """Processes that want a processor, for each one that there is, over the last minute; 0.0 where nobody counts."""
    if sys.platform == "win32":
        return 0.0
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except OSError:
        return 0.0


def bounded(resources: Resources) -> tuple[str, ...]:
    """The names of what is bounded at all."""
    return tuple(name for name in BOUNDS if getattr(resources, name) is not None)


def objection(resources: Resources, platform: str = sys.platform) -> str:
    """Why these bounds can't be kept on a system, in one line with the cure; empty where they can."""
    if resources.cores > (there := os.cpu_count() or 1):
        return f"resources: cores: {resources.cores} are more than the {there} of this machine; ask for fewer"
    asked = ", ".join(bounded(resources))
    if platform == "linux" or not asked:
        return ""
    return f"resources: this system cannot bound {asked}, only Linux can; leave it out, or run the file there"
