"""A call that is born in a nursery, beside one of a fresh interpreter: what is said, and how it ends, is the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli import nursery
from cli.calling import call, spades

pytestmark = pytest.mark.skipif(not nursery.SERVES, reason="no nursery serves this system")
PLUGIN = """
import atexit, os, sys, threading
from spades_harness import hookimpl

@hookimpl
def spades_register_rules():
    return {}

{told}
"""
FILE = "{name: t, seed: 1, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, bots: [{name: a, bot: threes}, "
FILE += "{name: b, bot: counter}]}"


def told(folder: Path, code: str, **env: str) -> list[str]:
    """What a plugin tells on standard error of the process that it is loaded in, at a dry run."""
    (folder / "plug.py").write_text(PLUGIN.replace("{told}", code), encoding="utf-8")
    (folder / "t.yaml").write_text(FILE, encoding="utf-8")
    done = spades("run", "t.yaml", "--dry-run", "--plugin", "plug.py", cwd=folder, **env)
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


@pytest.mark.parametrize("words", [["rules"], ["--help"], ["run", "nowhere.yaml"], ["nonsense"], ["bots", "ö"]])
def test_a_call_says_what_a_fresh_interpreter_says_and_ends_like_it(tmp_path: Path, words: list[str]) -> None:
    born = spades(*words, cwd=tmp_path)
    fresh = spades(*words, cwd=tmp_path, ANYTHING="else")
    assert (born.returncode, born.stdout, born.stderr) == (fresh.returncode, fresh.stdout, fresh.stderr)


def test_a_call_is_a_process_of_its_own_in_its_folder_with_its_streams_and_nothing_else_open(tmp_path: Path) -> None:
    code = "print(os.getcwd(), sys.argv[1:3], len(os.listdir('/proc/self/fd')), os.getpid(), file=sys.stderr)"
    (first,), (second,), (fresh,) = told(tmp_path, code), told(tmp_path, code), told(tmp_path, code, ANYTHING="else")
    *alike, number = first.rsplit(" ", 1)
    assert alike == fresh.rsplit(" ", 1)[:1]
    assert number != second.rsplit(" ", 1)[1]
    assert first.startswith(f"{tmp_path} ['run', 't.yaml']")


def test_two_calls_in_a_row_differ_in_the_order_of_their_sets(tmp_path: Path) -> None:
    code = "print(hash('a'), file=sys.stderr)"
    first, second, third = (told(tmp_path, code) for _ in range(3))
    assert first != second != third


def test_a_call_ends_as_an_interpreter_ends_and_leaves_nothing_to_the_next(tmp_path: Path) -> None:
    code = "print(hasattr(sys, 'left'), file=sys.stderr); sys.left = atexit.register(print, 'the end', file=sys.stderr)"
    assert [told(tmp_path, code) for _ in range(3)] == [["False", "the end"]] * 3


def test_an_environment_of_its_own_comes_with_an_interpreter_of_its_own(tmp_path: Path) -> None:
    code = "print(os.getppid(), hash('a'), file=sys.stderr)"
    (line,) = told(tmp_path, code, PYTHONHASHSEED="1")
    seeded = {**os.environ, "PYTHONHASHSEED": "1"}
    hashed = subprocess.check_output([sys.executable, "-c", "print(hash('a'))"], env=seeded, text=True)
    assert line == f"{os.getpid()} {hashed.strip()}"


def test_a_call_that_takes_too_long_is_ended_and_the_next_is_served(tmp_path: Path) -> None:
    (tmp_path / "plug.py").write_text(PLUGIN.replace("{told}", "threading.Event().wait()"), encoding="utf-8")
    (tmp_path / "t.yaml").write_text(FILE, encoding="utf-8")
    with pytest.raises(subprocess.TimeoutExpired):
        call(["run", "t.yaml", "--plugin", "plug.py"], tmp_path, 0.5, {})
    assert spades("rules", cwd=tmp_path).returncode == 0
