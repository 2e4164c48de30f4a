"""How long `spades plan` says that a run takes, against how long it takes: before the run and after it, in one go.

Other work on the machine changes both; that is why it is asked twice.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

SPADES = (sys.executable, "-c", "from spades_harness.cli import main; main()")
GAMES = """
name: games
seed: 1
format: game
schedule: {round_robin: {rounds: 6}}
bots:
  - {name: steady, bot: steady}
  - {name: counter, bot: counter}
  - {name: threes, plugin: threes, in_process: true}
"""


def call(folder: Path, *words: str) -> str:
    return subprocess.run([*SPADES, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def predicted(folder: Path, file: str) -> float:
    return float(json.loads(call(folder, "plan", file, "--json"))["seconds"])


@pytest.mark.parametrize("file", ["demo", "games.yaml"])
def test_the_time_that_is_planned_against_the_time_that_it_takes(tmp_path: Path, file: str) -> None:
    (tmp_path / "games.yaml").write_text(GAMES, encoding="utf-8")
    before = predicted(tmp_path, file)
    began = time.perf_counter()
    call(tmp_path, "run", file)
    took = time.perf_counter() - began
    after = predicted(tmp_path, file)
    ratio = (before + after) / 2 / took
    print(f"\n{file}: planned {before:.0f} s before and {after:.0f} s after, took {took:.0f} s: ratio {ratio:.2f}")
