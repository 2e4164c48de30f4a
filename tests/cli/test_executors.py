"""Where matches run, for whoever brings a place of his own: the hook, and what comes of a place that is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import ask
from spades_harness.tournament.execution.cluster import objection

FILE = """
{name: t, seed: 1, format: {boards: 4}, schedule: {round_robin: {rounds: 2}}, bots: [
  {name: ann, plugin: threes, in_process: true}, {name: bob, plugin: threes, in_process: true, params: {bid: 2}}]}
"""
PLUGIN = """
from concurrent.futures import Future
from contextlib import contextmanager
from spades_harness import hookimpl
from spades_harness.tournament.execution.lanes import ExecutorLost
from spades_harness.tournament.execution.room import Room


class Place:
    def __init__(self, lasts):
        self.lasts = lasts

    @property
    def room(self):
        return Room(1, 1)

    def lane(self):
        return self

    def submit(self, play, spec):
        done = Future()
        if self.lasts:
            self.lasts -= 1
            done.set_result(play(spec))
        else:
            done.set_exception(ExecutorLost("the place has gone"))
        return done

    def cut(self):
        pass

    def close(self):
        pass


@contextmanager
def own(where, job):
    job.tell(f"played at {where}: {' '.join(kit.player.name for kit in job.kits)}")
    yield Place(int(where))


@hookimpl
def spades_register_executors():
    return {"own": own}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "t.yaml").write_text(FILE, encoding="utf-8")
    (tmp_path / "own.py").write_text(PLUGIN, encoding="utf-8")
    return tmp_path


def run(home: Path, out: str, *words: str) -> tuple[int, str]:
    """Exit code and standard error of a run."""
    done = ask("run", str(home / "t.yaml"), "--out", str(home / out), "--plugin", str(home / "own.py"), *words)
    return done.returncode, done.stderr


def table(home: Path, out: str) -> str:
    return ask("standings", str(home / out), "--json").stdout


def test_a_plugin_brings_a_place_of_its_own_and_the_standings_are_the_same(home: Path) -> None:
    code, told = run(home, "own", "--executor", "own=99")
    assert code == 0, told
    assert "played at 99: ann bob" in told
    assert run(home, "lanes", "--jobs", "1")[0] == 0
    assert table(home, "own") == table(home, "lanes")


def test_a_place_that_is_lost_ends_the_run_as_interrupted_and_it_goes_on_elsewhere(home: Path) -> None:
    code, told = run(home, "own", "--executor", "own=1")
    assert code == 3
    assert "spades: the place has gone; 1 matches are recorded in" in told
    assert "--executor own=1" in told.splitlines()[-1]
    assert run(home, "own", "--executor", "own=3")[0] == 0
    assert ask("verify", str(home / "own")).returncode == 0


def test_without_dask_its_executor_says_how_to_get_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    code, told = run(home, "none", "--executor", "dask=local:1")
    assert code == 2
    why = "Dask is not installed here: pip install 'spades-harness[dask]'"
    assert told == f"spades: --executor dask=local:1: {why}\n"
    assert not (home / "none").exists()


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("dusk", ": no executor 'dusk'; did you mean 'dask'?"),
        ("dask", " dask: give the scheduler's address, as dask=tcp://HOST:8786, or dask=local:N"),
        ("dask=", " dask=: give the scheduler's address, as dask=tcp://HOST:8786, or dask=local:N"),
        ("dask=local:0", " dask=local:0: the number of workers must be 1 to 256, not '0'"),
        ("dask=local:x", " dask=local:x: the number of workers must be 1 to 256, not 'x'"),
        (f"dask=local:{'9' * 5000}", f" dask=local:{'9' * 5000}: the number of workers must be 1 to 256, not"),
        ("lanes=3", " lanes=3: lanes are here and nowhere else; how many, --jobs says"),
    ],
)
def test_an_executor_that_cannot_be_is_refused_as_it_was_typed_before_a_run_is_founded(
    home: Path, typed: str, why: str
) -> None:
    code, told = run(home, "none", "--executor", typed)
    assert (code, len(told.splitlines())) == (2, 1)
    assert told.startswith(f"spades: --executor{why}")
    assert not (home / "none").exists()


@pytest.mark.parametrize("number", ["1", "256", ""])
def test_a_cluster_of_this_machine_has_1_to_256_workers_or_one_a_core(number: str) -> None:
    assert objection(f"local:{number}") == ""


def test_nobody_else_loads_dask() -> None:
    """What ships is registered whole, and Dask is not among what that loads."""
    code = (
        "import sys; from spades_harness.plugins import load_registry; found = load_registry().executors; "
        "print(*found, 'distributed' in sys.modules, 'dask' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["dask", "lanes", "False", "False"]
