"""What bots use of the machine: what is measured, in which words a bound is told, and what one system lacks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from spades_harness.table import watch
from spades_harness.table.bounds import Resources
from spades_harness.table.seats import run_unsuspended
from spades_harness.table.tree import descendants
from spades_harness.table.watch import PERIOD, Meter, Use, bind, ended_by_limit, machine_load, objection, use_of

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what processes use")


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> dict[int, Use]:
    """The processes of a machine, by number; none of them has children that aren't named."""
    found: dict[int, Use] = {}
    monkeypatch.setattr(watch, "use_of", found.get)
    monkeypatch.setattr(watch, "descendants", lambda pid: (pid,))
    return found


def using(memory: float = 10.0, cpu: float = 0.0, threads: int = 1, started: int = 1) -> Use:
    return Use(started, cpu, cpu, threads, memory)


# --------------------------------------------------------------------------------------------------------------- meters


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        (Resources(memory=512), "killed: over 512 MiB (used 600)"),
        (Resources(cpu=1.5), "killed: over 1.5 s of processor time (used 2.25)"),
        (Resources(processes=6), "killed: over 6 processes, each thread counted (had 7)"),
        (Resources(memory=600, cpu=2.25, processes=7), ""),
        (Resources(), ""),
    ],
)
def test_the_bound_that_the_whole_tree_breaks_is_told_with_what_it_used(
    processes: dict[int, Use], bounds: Resources, words: str
) -> None:
    processes.update({7: using(400, cpu=2, threads=4), 8: using(200, cpu=0.25, threads=3), 9: using(5000)})
    meter = Meter(bounds)
    assert meter.look([7, 8]) == words
    assert (meter.memory, meter.cpu, meter.over) == (600, 2.25, words)


def test_processor_time_of_children_that_nobody_waited_for_is_not_forgotten(processes: dict[int, Use]) -> None:
    meter = Meter(Resources(cpu=1))
    for child in range(10, 14):
        processes.clear()
        processes.update({7: using(cpu=0.0), child: using(cpu=0.25)})
        assert meter.over == ""
        meter.look([7, child])
    assert meter.cpu == 1.0
    processes[14] = using(cpu=0.125)
    assert meter.look([7, 14]) == "killed: over 1 s of processor time (used 1.12)"


def test_nobody_is_measured_where_nobody_is_named(processes: dict[int, Use]) -> None:
    """A bot that stands still is not looked at: that would be at the cost of whoever is asked."""
    processes[7] = using(memory=500)
    turns = iter([(7,), (), (), (7,)])
    meter, looked = Meter(Resources(memory=600)), list[bool]()

    async def sleep(seconds: float) -> None:
        looked.append(meter.memory == 900)
        processes[7] = using(memory=900)

    assert run_unsuspended(meter.until_over(lambda: next(turns), sleep)).startswith("killed: over 600 MiB")
    assert looked == [False, False, False]


def test_the_most_that_was_seen_is_remembered_and_what_broke_a_bound_first_stays(processes: dict[int, Use]) -> None:
    meter = Meter(Resources(memory=100))
    for memory in (50, 120, 400, 10):
        processes[7] = using(memory)
        meter.look([7])
    assert meter.memory == 400
    assert meter.over == "killed: over 100 MiB (used 120)"


def test_a_helper_whose_parent_has_ended_still_counts_but_not_a_stranger_with_its_number(
    processes: dict[int, Use],
) -> None:
    processes.update({7: using(), 8: using(70, started=5)})
    meter = Meter(Resources(memory=75))
    assert meter.look([7, 8]) == "killed: over 75 MiB (used 80)"
    meter = Meter(Resources(memory=85))
    assert not meter.look([7, 8])
    processes[7] = using(20)
    assert meter.look([7]) == "killed: over 85 MiB (used 90)"
    meter = Meter(Resources(memory=85))
    assert not meter.look([8])
    processes[8] = using(70, started=6)
    assert not meter.look([7])


def test_a_meter_looks_every_period_until_a_bound_is_broken(processes: dict[int, Use]) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        processes[7] = using(100 * len(slept))

    processes[7] = using(0)
    over = run_unsuspended(Meter(Resources(memory=250)).until_over(lambda: [7], sleep))
    assert over == "killed: over 250 MiB (used 300)"
    assert slept == [PERIOD] * 3


def test_what_another_look_has_found_ends_the_looking(processes: dict[int, Use]) -> None:
    """Its bot stands still whenever the meter's own time has come, and is looked at just before."""
    processes[7] = using(300)
    meter, slept = Meter(Resources(memory=250)), list[float]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        meter.look([7])

    assert run_unsuspended(meter.until_over(list, sleep)) == "killed: over 250 MiB (used 300)"
    assert slept == [PERIOD]


@pytest.mark.parametrize(
    ("bounds", "looks"),
    [
        (Resources(), False),
        (Resources(file_size=1, cores=4), False),
        (Resources(memory=1), True),
        (Resources(cpu=1), True),
        (Resources(processes=1), True),
    ],
)
def test_nobody_looks_where_nothing_is_bounded(bounds: Resources, looks: bool) -> None:
    assert Meter(bounds).has_bounds is looks


# ------------------------------------------------------------------------------------------------------------ for real


@contextmanager
def running(source: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """A Python program that says `ready` and then waits for its input to end."""
    program = [sys.executable, "-c", f"{source}\nprint('ready', flush=True)\ninput()", *words]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


@LINUX
def test_a_helper_that_left_the_process_group_is_found_with_its_children() -> None:
    """PL-03."""
    if sys.platform == "win32":
        raise NotImplementedError
    child = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', sys.argv[1], *sys.argv[2:]],"
    child += " stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True); p.stdout.readline()"
    with running(child, f"{child}\nprint('ready', flush=True)\ninput()", "print(flush=True); input()") as process:
        found = descendants(process.pid)
        assert found[0] == process.pid
        assert len(found) == 3
        assert len({os.getpgid(pid) for pid in found[1:]} - {os.getpgid(process.pid)}) == 2


@LINUX
def test_memory_is_what_is_resident_and_never_what_is_only_reserved() -> None:
    with running("import mmap; reserved = mmap.mmap(-1, 4 << 30); held = bytearray(b'x') * (64 << 20)") as process:
        use = use_of(process.pid)
    assert use
    assert 64 < use.memory < 512


@LINUX
def test_pages_that_a_bot_shares_with_its_helpers_are_counted_once() -> None:
    fork = "import os; held = bytearray(b'x') * (64 << 20)\nfor _ in range(3):\n    if os.fork() == 0: input()"
    with running(fork) as process:
        meter = Meter(Resources(memory=150))
        members = descendants(process.pid)
        assert len(members) == 4
        assert sum(use.memory for pid in members if (use := use_of(pid))) > 200
        assert not meter.look(members)
        assert 64 < meter.memory < 150


@LINUX
def test_threads_are_counted_and_processor_time_is_of_children_too() -> None:
    burn = "import subprocess, sys, threading, time\nfor _ in range(3): threading.Thread(target=input).start()\n"
    burn += "subprocess.run([sys.executable, '-c', 'import time\\nwhile time.process_time() < 0.25: pass'])"
    with running(burn) as process:
        use = use_of(process.pid)
    assert use
    assert use.threads == 4
    assert use.cpu >= 0.25


@LINUX
def test_a_process_that_has_gone_uses_nothing() -> None:
    with running("") as process:
        pass
    assert use_of(process.pid) is None
    assert descendants(process.pid) == (process.pid,)
    bind(process.pid, Resources(file_size=1))


@LINUX
def test_the_kernel_keeps_a_bot_from_a_larger_file_than_it_may_write(tmp_path: os.PathLike[str]) -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    source = "import os, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_DFL); input()\n"
    program = [sys.executable, "-c", source + "open(sys.argv[1], 'wb').write(bytes(3 << 20))", f"{tmp_path}/large"]
    with subprocess.Popen(program, stdin=subprocess.PIPE) as process:
        bind(process.pid, Resources(file_size=2))
        process.communicate(b"\n", timeout=60)
    assert process.returncode == -signal.SIGXFSZ
    assert os.stat(f"{tmp_path}/large").st_size <= 2 << 20  # noqa: PTH116


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_an_end_by_the_kernel_for_a_bound_is_told_as_that_bound() -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    large, bounds = int(signal.SIGXFSZ), Resources(file_size=2, cpu=30)
    assert (
        ended_by_limit(-large, bounds) == ended_by_limit(128 + large, bounds, 128) == "killed: over 2 MiB in one file"
    )
    assert ended_by_limit(-large, Resources()) == ""
    assert [ended_by_limit(other, bounds) for other in (0, 1, -signal.SIGKILL, -signal.SIGXCPU)] == [""] * 4


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_code_that_a_bot_chose_for_itself_is_no_signal() -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    assert ended_by_limit(128 + int(signal.SIGXFSZ), Resources(file_size=2)) == ""


# ---------------------------------------------------------------------------------------------------------- the machine


def test_a_system_that_lacks_a_bound_says_so_and_names_it() -> None:
    asked = Resources(memory=512, file_size=64)
    assert objection(asked, "linux") == ""
    assert objection(Resources(cores=1), "win32") == ""
    for system in ("win32", "darwin"):
        assert "cannot bound memory, file_size, only Linux can" in objection(asked, system)


def test_more_processors_than_the_machine_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    assert objection(Resources(cores=4)) == ""
    assert objection(Resources(cores=5)) == ("resources: cores: 5 are more than the 4 of this machine; ask for fewer")


@pytest.mark.parametrize(("counts", "load"), [([6.0, 1.0, 1.0], 1.5), (None, 0.0)])
def test_the_load_is_for_each_processor_and_nothing_where_the_system_does_not_count(
    monkeypatch: pytest.MonkeyPatch, counts: Sequence[float] | None, load: float
) -> None:
    def average() -> Sequence[float]:
        if counts is None:
            raise OSError
        return counts

    monkeypatch.setattr(os, "getloadavg", average, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    assert machine_load() == load
