"""`--executor`: the same run on a cluster of Dask's as in lanes, whoever comes, goes and is refused meanwhile.

Loopback alone; every process that is started here is ended here, by its number.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

import spades_harness
from cli.calling import PATIENCE, SPADES, ask, group_is_gone, heard, spades
from cli.clusters import Cluster, held, kill, standings
from spades_harness.tournament.execution.executors import named
from spades_harness.tournament.records.ledger import read_ledger

if sys.platform == "win32":
    pytest.skip("gates and SIGKILL are POSIX's", allow_module_level=True)
import fcntl

BOT = """
import fcntl
import os
import spades_bot

class Gated(spades_bot.Bot):
    def bid(self, request):
        with open(self.params["gate"]) as gate:
            try:
                fcntl.flock(gate, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                os.write(os.open(self.params["fifo"], os.O_WRONLY), b"%d\\n" % os.getpid())
                fcntl.flock(gate, fcntl.LOCK_SH)
        return 3

    def play(self, request):
        return request.legal[0]

spades_bot.run(Gated)
"""
"""Tells its process number and waits wherever its gate is shut."""


@dataclass
class Home:
    """Where a run was played in lanes, and whatever makes it stand still."""

    folder: Path
    gate: Path
    fifo: int

    def call(self, *words: str) -> subprocess.CompletedProcess[str]:
        return spades(*words, cwd=self.folder, PATH=self.path, SPADES_CACHE=str(self.folder / "cache"))

    @property
    def path(self) -> str:
        return f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"

    @contextmanager
    def shut(self) -> Iterator[None]:
        """All gates are shut in here."""
        with self.gate.open("w") as gate:
            fcntl.flock(gate, fcntl.LOCK_EX)
            yield

    @contextmanager
    def running(self, *words: str) -> Iterator[subprocess.Popen[str]]:
        """A run that goes on meanwhile."""
        env = {**os.environ, "PATH": self.path, "SPADES_CACHE": str(self.folder / "cache")}
        pipe = subprocess.PIPE
        with subprocess.Popen(
            [*SPADES, "run", "t.yaml", *words], cwd=self.folder, env=env, stdout=pipe, stderr=pipe, encoding="utf-8"
        ) as run:
            try:
                yield run
            finally:
                run.kill()

    def waiting(self, run: subprocess.Popen[str], count: int) -> list[int]:
        """The process numbers of so many bots that stand before their gates."""
        told = ""
        while told.count("\n") < count:
            told += heard(self.fifo, run)
        return [int(line) for line in told.splitlines()]

    def is_as_in_lanes(self, run: str) -> None:
        assert standings(self.folder / run) == standings(self.folder / "here")
        assert [*held(self.folder / run)] == [*held(self.folder / "here")]
        assert ask("verify", str(self.folder / run)).returncode == 0


def attempts(run: Path) -> list[int]:
    """How often each match was tried."""
    with read_ledger(run) as ledger:
        kept = [each.link.ordinal for each in ledger.kept()]
    return [kept.count(ordinal) for ordinal in sorted(set(kept))]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("cluster")
    gate, fifo, program = folder / "gate", folder / "fifo", folder / "bin" / "odd-python"
    gate.touch()
    os.mkfifo(fifo)
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (folder / "ann").mkdir()
    (folder / "ann" / "ann.py").write_text(BOT, encoding="utf-8")
    (folder / "ann" / "bot.yaml").write_text(
        json.dumps({"command": ["odd-python", "built.py"], "build": ["cp", "ann.py", "built.py"]}), encoding="utf-8"
    )
    params = {"gate": str(gate), "fifo": str(fifo)}
    file = {
        "name": "field",
        "seed": 11,
        "format": {"boards": 4},
        "schedule": {"round_robin": {"rounds": 2}},
        "entrant_check": "play",
        "limits": {"move": 60, "bank": 120},
        "bots": [{"name": "ann", "bot": "./ann", "params": params}, {"name": "bob", "bot": "threes"}],
    }
    (folder / "t.yaml").write_text(json.dumps(file), encoding="utf-8")
    opened = os.open(fifo, os.O_RDWR)
    home = Home(folder, gate, opened)
    done = home.call("run", "t.yaml", "--out", "here", "--executor", "lanes", "--jobs", "2")
    assert done.returncode == 0, done.stderr
    yield home
    os.close(opened)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    yield cluster
    cluster.end()


def test_standings_and_ledger_of_a_cluster_on_this_machine_are_those_of_lanes(home: Home) -> None:
    done = home.call("run", "t.yaml", "--out", "local", "--executor", "dask=local:2")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    home.is_as_in_lanes("local")
    (arrived,) = (home.folder / "cache" / "bots").iterdir()
    assert (arrived / "ann.py").read_text(encoding="utf-8") == BOT


@pytest.mark.parametrize(
    ("executor", "why"),
    [
        ("dusk", "--executor: no executor 'dusk'; did you mean 'dask'?"),
        ("lanes=4", "--executor lanes=4: lanes are here and nowhere else; how many, --jobs says"),
        ("dask=local:none", "--executor dask=local:none: the number of workers must be 1 to 256"),
        ("dask=somewhere", "--executor dask=somewhere: give the scheduler's address, as dask=tcp://"),
    ],
)
def test_an_executor_that_cannot_be_is_one_line_and_nothing_is_lost(
    home: Home, executor: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPADES_CACHE", str(home.folder / "cache"))
    done = ask("run", str(home.folder / "t.yaml"), "--out", str(home.folder / "none"), "--executor", executor)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"spades: {why}")


def test_the_page_on_clusters_is_found_and_its_programs_can_be_read() -> None:
    root = Path(__file__).resolve().parents[2]
    page = (root / "tournaments" / "CLUSTER.md").read_text(encoding="utf-8")
    assert "](tournaments/CLUSTER.md)" in (root / "README.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert [name for program in programs for name in compile(program, page[:20], "exec").co_names if "Cluster" in name]
    for option in re.findall(r"--executor (\S+)", page):
        assert named(option.strip("`)")).name == "dask"


def test_workers_that_lack_something_are_refused_by_name_before_a_match(
    home: Home, cluster: Cluster, tmp_path: Path
) -> None:
    package = Path(spades_harness.__file__).parent
    shutil.copytree(package, tmp_path / package.name)
    with (tmp_path / package.name / "errors.py").open("a", encoding="utf-8") as changed:
        changed.write("# of another day\n")
    unfit = [cluster.worker("older", PYTHONPATH=str(tmp_path), PATH=home.path), cluster.worker("bare")]
    done = home.call("run", "t.yaml", "--out", "unfit", "--executor", f"dask={cluster.address}")
    for worker in unfit:
        kill(worker)
    assert done.returncode == 2, done.stderr
    told = done.stderr
    assert "the worker older (tcp://127.0.0.1:" in told
    assert f"is refused: its spades-harness {spades_harness.__version__} is not the program that this run has" in told
    assert "the worker bare (tcp://127.0.0.1:" in told
    assert "is refused: ann: there is no program 'odd-python', which it is started with; install it" in told
    assert "no worker of the cluster is fit" in told
    with read_ledger(home.folder / "unfit") as ledger:
        assert not ledger.kept()


def test_a_worker_is_killed_in_the_middle_and_another_comes_late_then_the_scheduler_goes(
    home: Home, cluster: Cluster
) -> None:
    one, two = (cluster.worker(name, PATH=home.path) for name in ("one", "two"))
    executor = ("--executor", f"dask={cluster.address}")
    with home.running("--out", "lossy", *executor) as run:
        with home.shut():
            bots = home.waiting(run, 2)
            kill(one)
            three = cluster.worker("three", PATH=home.path)
            bots += home.waiting(run, 1)  # the match that was lost is played by the one that came late
        _, told = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, told
    assert sorted(attempts(home.folder / "lossy")) == [1, 1, 1, 2]
    home.is_as_in_lanes("lossy")

    with home.running("--out", "shot", *executor) as run, home.shut():
        shot = home.waiting(run, 2)
        run.kill()
        assert all(map(group_is_gone, shot))

    with home.running("--out", "cut", *executor) as run, home.shut():
        bots += home.waiting(run, 2)
        kill(cluster.scheduler)
        _, told = run.communicate(timeout=PATIENCE)
        assert all(map(group_is_gone, bots))
    assert run.returncode == 3, told
    assert "Traceback" not in told
    assert "the connection to the scheduler is lost; 0 matches are recorded in cut. To go on: spades run t.yaml" in told
    for worker in (two, three):
        kill(worker)
    done = home.call("run", "t.yaml", "--out", "cut")
    assert done.returncode == 0, done.stderr
    home.is_as_in_lanes("cut")
