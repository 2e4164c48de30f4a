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

from .calling import PATIENCE, SPADES, ask, spades

DEEP = bool(os.environ.get("SPADES_DEEP"))
GIVEN = {
    "knockout": "{elimination: double, streams: 1, extra: 1}",
    "swiss": "{rounds: 3, streams: 1}",
    "gauntlet": "{field: [bob], rounds: 2}",
    "ladder": "{streams: 1, most: 2}",
}
FILE = (
    "{{name: cup, seed: 11, format: {{boards: 4}}, schedule: {{{name}: {given}}}, bots: [{{name: ann, bot: threes}}, "
    "{{name: bob, bot: counter}}, {{name: cat, plugin: threes, params: {{bid: 2}}, in_process: true}}]}}"
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX's")


def killed_after(matches: int, run: str, cwd: Path) -> None:
    """Begin a run, and kill it as soon as so many matches are recorded."""
    call = (*SPADES, "run", "cup.yaml", "--jobs", "1", "--out", run, "--events", "-")
    with subprocess.Popen(
        call, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        while matches and (line := process.stdout.readline()):
            matches -= json.loads(line)["event"] == "match_played"
        process.kill()
        process.wait(PATIENCE)
    assert not matches, "it was over before that"


@pytest.mark.parametrize("name", [*GIVEN] if DEEP else ["knockout"])
def test_a_format_that_was_killed_goes_on_to_the_standings_of_one_that_was_not(tmp_path: Path, name: str) -> None:
    (tmp_path / "cup.yaml").write_text(FILE.format(name=name, given=GIVEN[name]), encoding="utf-8")
    run = ("run", "cup.yaml", "--jobs", "1", "--out")
    assert spades(*run, "whole", cwd=tmp_path).returncode == 0
    killed_after(3, "killed", tmp_path)
    assert "so far" in ask("standings", str(tmp_path / "killed")).stderr
    assert spades(*run, "killed", cwd=tmp_path).returncode == 0
    whole, killed = (ask("standings", str(tmp_path / each), "--json").stdout for each in ("whole", "killed"))
    assert json.loads(killed)["entrants"]
    assert killed == whole
    assert ask("verify", str(tmp_path / "killed")).returncode == 0
