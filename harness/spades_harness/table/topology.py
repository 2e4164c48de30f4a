"""How processors are to be counted: which of them share a core, and what share of them a control group leaves us.

Reads what Linux tells in `/proc` and `/sys`, below a folder that tests put in their place; elsewhere it knows nothing,
and says so. It keeps nothing to a processor: `cores` does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path("/")
_PROCESSOR: Final = "sys/devices/system/cpu/cpu{}/topology/{}"
_SIBLINGS: Final = ("thread_siblings_list", "core_cpus_list")
"""Where a processor's siblings stand, itself among them: by the name of every kernel, and by that of late ones."""
_SECOND: Final = "cgroup2"
"""The kind of a hierarchy that controls all there is; those of the first version control what their options name."""


def by_core(processors: Collection[int], root: Path = ROOT) -> tuple[tuple[int, ...], ...]:
    """These processors, those of one core together; one whose siblings nobody tells is a core by itself."""
    cores: dict[frozenset[int], list[int]] = {}
    for processor in sorted(processors):
        cores.setdefault(_siblings(processor, root), []).append(processor)
    return tuple(map(tuple, cores.values()))


def one_a_core_first(processors: Collection[int], root: Path = ROOT) -> tuple[int, ...]:
    """These processors in the order in which lanes take them: no core has a second lane while another has none."""
    cores = by_core(processors, root)
    most = max(map(len, cores), default=0)
    return tuple(core[turn] for turn in range(most) for core in cores if turn < len(core))


def _siblings(processor: int, root: Path) -> frozenset[int]:
    for name in _SIBLINGS:
        if found := _numbers(_text(root / _PROCESSOR.format(processor, name))):
            return found
    return frozenset({processor})


def _numbers(text: str) -> frozenset[int]:
    """The numbers of a list as the kernel writes it, `0-1,8`; empty where it is none."""
    try:
        ends = [(first, last or first) for first, _, last in (part.partition("-") for part in text.split(","))]
        return frozenset(number for first, last in ends for number in range(int(first), int(last) + 1))
    except ValueError:
        return frozenset()


# --------------------------------------------------------------------------------------------------------- the quota


def quota(root: Path = ROOT) -> float | None:
    """How many processors' time this process may use, by its control group and all above it; None: no bound is told."""
    return min((share for folder in _groups(root) if (share := _share(folder)) is not None), default=None)


class _Mount(NamedTuple):
    """A hierarchy of control groups: which group stands at its top here, where that is, and what it controls."""

    top: str
    folder: str
    controls: frozenset[str]


def _groups(root: Path) -> Iterator[Path]:
    """The folders of our control groups and of those above them, as far as they are to be seen."""
    mounts = [*_mounts(root)]
    for line in _text(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        wanted = _SECOND if not controllers else "cpu" if "cpu" in controllers.split(",") else None
        for mount in mounts:
            if wanted in mount.controls:
                yield from _upwards(root / mount.folder.lstrip("/"), path.removeprefix(mount.top.rstrip("/")))


def _upwards(top: Path, path: str) -> Iterator[Path]:
    """A group's folder, and each above it up to the top; a container may see the top alone, under another's path."""
    here = top / path.lstrip("/")
    yield from (folder for folder in (here, *here.parents) if folder.is_relative_to(top))


def _mounts(root: Path) -> Iterator[_Mount]:
    """The hierarchies that are mounted; see proc_pid_mountinfo(5) for the fields."""
    for line in _text(root / "proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        kind, *_, options = after.split() or [""]
        if kind.startswith("cgroup"):
            _, _, _, top, folder, *_ = before.split()
            yield _Mount(top, folder, frozenset({kind} if kind == _SECOND else options.split(",")))


def _share(folder: Path) -> float | None:
    """Processors' worth of time that a group may use: `cpu.max` of the second version, two files of the first."""
    words = _text(folder / "cpu.max").split() or [
        *_text(folder / "cpu.cfs_quota_us").split(),
        *_text(folder / "cpu.cfs_period_us").split(),
    ]
    try:
        allowed, period = map(int, words)
    except ValueError:  # `max`, or nothing
        return None
    return allowed / period if allowed > 0 and period > 0 else None


def _text(path: Path) -> str:
    """What stands in a file of the kernel's; empty where there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
