"""Where matches run, for whoever brings a place of his own: the hook, and what comes of a place that is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import ask

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
    assert "spades: --executor dask: Dask is not installed here: pip install 'spades-harness[dask]'" in told


def test_nobody_else_loads_dask() -> None:
    """What ships is registered whole, and Dask is not among what that loads."""
    code = (
        "import sys; from spades_harness.plugins import load_registry; found = load_registry().executors; "
        "print(*found, 'distributed' in sys.modules, 'dask' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == ["dask", "lanes", "False", "False"]
