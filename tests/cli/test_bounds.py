"""A tournament with bounds from the file to the standings: what is refused, what is told, what is played again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from spades_harness.cli import custody
from spades_harness.errors import UserError
from spades_harness.table.bounds import Custody, Resources
from spades_harness.table.launchers import UNENCLOSED
from spades_harness.table.match import Player, Plugin
from spades_harness.table.watch import objection

from .calling import python_bot, spades

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="bounds and signals are Linux's")
FILE = """
name: t
bots: [{{name: odd, bot: ./odd.py}}, {{name: threes, plugin: threes}}]
format: {{boards: 4}}
schedule: {{round_robin: {{rounds: 1}}}}
entrant_check: play
seed: 1
{more}
"""


def run(folder: Path, body: str, more: str) -> dict[str, Any]:
    """The row of a bot of one file in the standings of two legs against `threes`."""
    python_bot(folder, "odd", f"{body.strip()}\ndef play(self, request):\n    return request.legal[0]")
    (folder / "t.yaml").write_text(FILE.format(more=more), encoding="utf-8")
    done = spades("run", "t.yaml", "--out", "r", "--jobs", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    shown = spades("standings", "r", "--json", cwd=folder)
    (row,) = [row for row in json.loads(shown.stdout)["entrants"] if row["entrant"] == "odd"]
    return dict(row)


@LINUX
def test_a_bot_that_takes_too_much_memory_forfeits_and_its_dossier_and_replay_say_why(tmp_path: Path) -> None:
    """SE-07."""
    body = "def bid(self, request):\n    self.held = bytearray(b'x') * (200 << 20)\n    import time; time.sleep(60)"
    row = run(tmp_path, body, "limits: {move: 60, bank: 600}\nresources: {memory: 128}")
    assert row["faults"] == {"limits": 2}
    told = json.loads(spades("fault", "r", "1", "--json", cwd=tmp_path).stdout)
    assert [each["kind"] for each in told] == ["limits"]
    assert told[0]["what"].startswith("killed: over 128 MiB (used ")
    assert told[0]["memory"] > 128
    assert told[0]["suspect"] is False
    assert "killed: over 128 MiB" in spades("replay", "r", "1", cwd=tmp_path).stdout


STOPS = """
def start(self):
    import subprocess, sys
    wake = "import os, signal, sys, time; pid = sys.stdin.readline()"
    wake += "; pid and (time.sleep(2), os.kill(int(pid), signal.SIGCONT))"
    self.helper = subprocess.Popen(
        [sys.executable, "-c", wake], stdin=-1, stdout=-3, stderr=-3, text=True, start_new_session=True)

def bid(self, request):
    import os, pathlib, signal, time
    first = pathlib.Path({marker!r})
    if not first.exists():
        first.touch()
        print(os.getppid(), file=self.helper.stdin, flush=True)
        os.kill(os.getppid(), signal.SIGSTOP)
        time.sleep({thinks})
    return request.legal[0]
"""
"""A bot that lets the harness stand still for two seconds when it is first asked; who wakes it up is there by then, for
a process takes its time to start on a busy machine."""


@LINUX
def test_an_answer_that_came_while_the_harness_stood_still_is_in_time(tmp_path: Path) -> None:
    """TM-14."""
    row = run(tmp_path, STOPS.format(marker=str(tmp_path / "first"), thinks=0), "limits: {move: 1, bank: 60}")
    assert row["faults"] == {}
    assert (tmp_path / "first").exists()


@LINUX
def test_a_match_in_which_the_harness_stood_still_is_played_again_where_the_file_says_so(tmp_path: Path) -> None:
    body = STOPS.format(marker=str(tmp_path / "first"), thinks=60)
    row = run(tmp_path, body, "limits: {move: 1, bank: 60}\nsuspect: replay")
    assert row["faults"] == {}
    assert row["matches"] == 2
    assert (tmp_path / "first").exists()


def test_bounds_that_this_system_cannot_keep_are_refused_before_the_first_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bounded = Custody(resources=Resources(memory=512))
    in_process = Player("quick", Plugin("threes", in_process=True))
    with pytest.raises(UserError, match=r"^quick: in_process: true goes with no bound of resources"):
        custody.demand(UNENCLOSED, bounded, [in_process])
    custody.demand(UNENCLOSED, Custody(), [in_process])
    monkeypatch.setattr(custody, "objection", lambda resources: objection(resources, "darwin"))
    with pytest.raises(UserError, match=r"^resources: this system cannot bound memory, only Linux can"):
        custody.demand(UNENCLOSED, bounded, [])
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    custody.demand(UNENCLOSED, Custody(resources=Resources(cores=2)), [])
