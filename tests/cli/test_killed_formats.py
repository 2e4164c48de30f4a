"""Each format with bots that are processes, its plug pulled in the middle: it goes on to what it would have come to.

One of them on every change, all with `SPADES_DEEP`: what resumes them is the same, and `test_formats.py` of tournaments
stops all of them without a process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .calling import PATIENCE, SPADES, ask, gated_bot, heard, shut_gate, spades

DEEP = bool(os.environ.get("SPADES_DEEP"))
GIVEN = {
    "knockout": "{elimination: double, streams: 1, extra: 1}",
    "swiss": "{rounds: 3, streams: 1}",
    "gauntlet": "{field: [bob], rounds: 2}",
    "ladder": "{streams: 1, most: 2}",
}
FILE = (
    "{{name: cup, seed: 11, format: {{boards: 4}}, limits: {{move: 60, bank: 600}}, entrant_check: play, "
    "schedule: {{{name}: {given}}}, bots: [{{name: ann, bot: ./ann/ann.py}}, {{name: bob, bot: counter}}, "
    "{{name: cat, plugin: threes, params: {{bid: 2}}, in_process: true}}]}}"
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX's")


def killed_after(matches: int, run: str, cwd: Path) -> None:
    """Begin a run, and kill it in the middle of the match that its first bot plays after so many others."""
    call = (*SPADES, "run", "cup.yaml", "--jobs", "1", "--out", run, "--events", "-")
    pipe = subprocess.PIPE
    with (
        shut_gate(cwd, 2 * matches) as fifo,
        subprocess.Popen(call, cwd=cwd, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True) as process,
    ):
        assert heard(fifo, process)
        process.kill()
        process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize("name", [*GIVEN] if DEEP else ["knockout"])
def test_a_format_that_was_killed_goes_on_to_the_standings_of_one_that_was_not(tmp_path: Path, name: str) -> None:
    gated_bot(tmp_path, "ann")
    (tmp_path / "cup.yaml").write_text(FILE.format(name=name, given=GIVEN[name]), encoding="utf-8")
    run = ("run", "cup.yaml", "--jobs", "1", "--out")
    assert spades(*run, "whole", cwd=tmp_path).returncode == 0
    killed_after(2, "killed", tmp_path)
    assert "so far" in ask("standings", str(tmp_path / "killed")).stderr
    assert spades(*run, "killed", cwd=tmp_path).returncode == 0
    whole, killed = (ask("standings", str(tmp_path / each), "--json").stdout for each in ("whole", "killed"))
    assert json.loads(killed)["entrants"]
    assert killed == whole
    assert ask("verify", str(tmp_path / "killed")).returncode == 0
