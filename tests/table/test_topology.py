"""Processors are counted by cores, and by what a control group leaves, from the files in which Linux tells it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from spades_harness.table import cores
from spades_harness.table.topology import by_core, one_a_core_first, quota

TOPOLOGY = "sys/devices/system/cpu/cpu{}/topology/{}"


def system(root: Path, files: Mapping[str, str]) -> Path:
    """A root folder with these files in it."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")
    return root


def siblings(*lists: str, name: str = "thread_siblings_list") -> dict[str, str]:
    """What the kernel tells of processors 0, 1 and so on."""
    return {TOPOLOGY.format(number, name): text for number, text in enumerate(lists)}


# --------------------------------------------------------------------------------------------------------------- cores


@pytest.mark.parametrize(
    ("lists", "found", "order"),
    [
        (("0-1", "0-1", "2-3", "2-3"), ((0, 1), (2, 3)), (0, 2, 1, 3)),
        (("0,2", "1,3", "0,2", "1,3"), ((0, 2), (1, 3)), (0, 1, 2, 3)),
        (("0", "1"), ((0,), (1,)), (0, 1)),
        (("0-1", "0-1", "2"), ((0, 1), (2,)), (0, 2, 1)),
    ],
)
def test_processors_of_one_core_count_once_and_lanes_take_a_core_each_first(
    tmp_path: Path, lists: tuple[str, ...], found: tuple[tuple[int, ...], ...], order: tuple[int, ...]
) -> None:
    root = system(tmp_path, siblings(*lists))
    assert by_core(range(len(lists)), root) == found
    assert one_a_core_first(range(len(lists)), root) == order


def test_the_late_kernels_name_for_siblings_is_known_too(tmp_path: Path) -> None:
    root = system(tmp_path, siblings("0-1", "0-1", name="core_cpus_list"))
    assert by_core({0, 1}, root) == ((0, 1),)


def test_only_the_processors_that_may_be_used_count(tmp_path: Path) -> None:
    root = system(tmp_path, siblings("0-1", "0-1", "2-3", "2-3"))
    assert by_core({0, 1}, root) == ((0, 1),)
    assert by_core({1, 3}, root) == ((1,), (3,))


@pytest.mark.parametrize("text", ["", "none", "1-", "0-x"])
def test_a_processor_of_which_nothing_is_told_is_a_core_by_itself(tmp_path: Path, text: str) -> None:
    assert by_core({0, 1}, system(tmp_path, siblings(text, text))) == ((0,), (1,))
    assert by_core((), tmp_path) == ()
    assert one_a_core_first((), tmp_path) == ()


def test_what_this_system_tells_covers_the_processors_of_this_process() -> None:
    assert sorted(number for core in by_core(cores.EVERYWHERE) for number in core) == sorted(cores.EVERYWHERE)


# --------------------------------------------------------------------------------------------------------------- quota

SECOND = "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"
FIRST = "36 32 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:15 - cgroup cgroup rw,cpu,cpuacct"
OTHER = "37 32 0:31 / /sys/fs/cgroup/memory rw shared:16 - cgroup cgroup rw,memory"
IN_A_CONTAINER = "30 24 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw"


def group(mountinfo: str, own: str, **files: str) -> dict[str, str]:
    """What a process is told of its control groups; files by their paths below /sys/fs/cgroup, `__` for a slash."""
    tree = {f"sys/fs/cgroup/{name.replace('__', '/').replace('MAX', 'cpu.max')}": text for name, text in files.items()}
    return {"proc/self/mountinfo": f"22 1 0:20 / / rw - ext4 /dev/sda rw\n{mountinfo}", "proc/self/cgroup": own, **tree}


@pytest.mark.parametrize(
    ("files", "share"),
    [
        (group(SECOND, "0::/user/run", user__run__MAX="150000 100000"), 1.5),
        (group(SECOND, "0::/user/run", user__run__MAX="max 100000", user__MAX="400000 100000"), 4.0),
        (group(SECOND, "0::/user/run", user__run__MAX="200000 100000", user__MAX="100000 100000"), 1.0),
        (group(SECOND, "0::/user/run", user__run__MAX="max 100000"), None),
        (group(SECOND, "0::/", MAX="50000 100000"), 0.5),
        (group(IN_A_CONTAINER, "0::/docker/abc", MAX="200000 100000"), 2.0),
        (group(IN_A_CONTAINER, "0::/elsewhere", MAX="200000 100000"), 2.0),
        (group(OTHER, "8:memory:/"), None),
        ({}, None),
    ],
)
def test_the_tightest_quota_of_a_group_and_those_above_it_holds(
    tmp_path: Path, files: Mapping[str, str], share: float | None
) -> None:
    assert quota(system(tmp_path, files)) == share


@pytest.mark.parametrize(("allowed", "share"), [("300000", 3.0), ("-1", None)])
def test_groups_of_the_first_version_are_known_too(tmp_path: Path, allowed: str, share: float | None) -> None:
    own = "9:memory:/a\n4:cpu,cpuacct:/a\n0::/"
    folder = "sys/fs/cgroup/cpu,cpuacct/a"
    files = {f"{folder}/cpu.cfs_quota_us": allowed, f"{folder}/cpu.cfs_period_us": "100000"}
    assert quota(system(tmp_path, {**group(f"{OTHER}\n{FIRST}", own), **files})) == share
