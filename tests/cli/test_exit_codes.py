"""Every exit code of the README is reached by a call that deserves it; a run's end is in its last event, too."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.calling import PATIENCE, SPADES, ask, python_bot, spades
from spades_harness.cli.console import Exit

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
TWO = "{name: small, seed: 7, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, entrant_check: play, bots: ["
GOOD = "{name: ann, bot: threes}, {name: bob, bot: counter}]}"
LEGAL = "def play(self, r):\n    return r.legal[0]\ndef bid(self, r):\n    "


def documented() -> Mapping[int, str]:
    """The codes of the README, each with its words."""
    (sentence,) = re.findall(r"^Exit codes: (.*?)\.(?:$| A)", README, re.MULTILINE | re.DOTALL)
    found = re.findall(r"(?:^|;\s)(\d) (.*?)(?=;\s\d|$)", sentence, re.DOTALL)
    return {int(code): " ".join(words.split()) for code, words in found}


def test_the_readme_and_the_help_tell_every_code_and_no_other(tmp_path: Path) -> None:
    """CL-05."""
    assert [*documented()] == sorted(Exit)
    told = " ".join(spades("--help", cwd=tmp_path).stdout.split("Exit codes:")[1].split())
    assert [int(code) for code in re.findall(r"\b(\d) [a-z]", told)] == sorted(Exit)


# ---------------------------------------------------------------------------------------------------------------- runs


def bad_bid(folder: Path) -> str:
    """Whose bot makes a fault in each match."""
    python_bot(folder, "bad", LEGAL + "return 99")
    return TWO.replace("bots:", "fail_on: [faults], bots:") + "{name: bad, bot: ./bad.py}, {name: bob, bot: threes}]}"


def never_up(folder: Path) -> str:
    """Whose bot never comes up, and is not asked to beforehand."""
    (folder / "dead.py").write_text("raise SystemExit(1)\n", encoding="utf-8")
    return TWO + "{name: dead, bot: ./dead.py}, {name: bob, bot: threes}]}"


def deadly(folder: Path) -> str:
    """Whose bot kills the harness's own process in each attempt."""
    python_bot(folder, "killer", LEGAL + "import os, signal; os.kill(os.getppid(), signal.SIGKILL)")
    return TWO + "{name: killer, bot: ./killer.py}, {name: bob, bot: threes}]}"


DIED = "match 1 and 1 more came to nothing, 3 times each; the last: the process that played it died\n"


def tiring(folder: Path) -> str:
    """Whose schedule breaks when it has seen a result."""
    leg = "(Leg(('ann', 'bob'), 0, 0, 1),) if not results else 1 / 0"
    schedule = "from spades_harness.tournament.outcome import Leg\n"
    schedule += f"def odd(entrants, options, results):\n    return {leg}\n"
    hook = "@hookimpl\ndef spades_register_schedules():\n    return {'odd': odd}\n"
    (folder / "plug.py").write_text(f"from spades_harness import hookimpl\n{schedule}{hook}", encoding="utf-8")
    return TWO.replace("round_robin: {rounds: 1}", "odd: {}").replace("bots:", "plugins: [plug.py], bots:") + GOOD


def good(folder: Path) -> str:
    return TWO + GOOD


def long(folder: Path) -> str:
    """Which no second is long enough for."""
    return good(folder).replace("rounds: 1}", "rounds: 2000}")


POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a worker is killed by a signal")
ENDS = [
    pytest.param(good, (), Exit.DONE, "finished", "", id="all is well"),
    pytest.param(never_up, (), Exit.TROUBLE, "finished", "dead never started", id="an entrant never started"),
    pytest.param(bad_bid, (), Exit.TROUBLE, "finished", "bad: illegal: ", id="fail_on: [faults]"),
    pytest.param(tiring, (), Exit.USER, "stopped", "odd fails: ZeroDivisionError", id="the schedule is at fault"),
    pytest.param(long, ("--for", "1s"), Exit.INTERRUPTED, "time_up", "the time is up", id="the time is up"),
    pytest.param(
        deadly,
        (),
        Exit.BUG,
        "stopped",
        DIED,
        id="came to nothing",
        marks=POSIX,
    ),
]


@pytest.mark.parametrize(("text", "words", "code", "how", "said"), ENDS)
def test_a_run_ends_with_the_code_and_the_event_that_its_end_deserves(
    tmp_path: Path, text: Callable[[Path], str], words: Sequence[str], code: Exit, how: str, said: str
) -> None:
    """CL-05."""
    (tmp_path / "t.yaml").write_text(text(tmp_path), encoding="utf-8")
    done = spades("run", "t.yaml", "--jobs", "2", "--events", "e.log", *words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
    last = json.loads((tmp_path / "e.log").read_text(encoding="utf-8").splitlines()[-1])
    assert (last["event"], last["how"]) == ("run_ended", how)
    assert (last["why"] != "") == (how == "stopped")
    assert (last["done"] == last["planned"]) == (how == "finished" or code == Exit.USER)


@pytest.mark.skipif(sys.platform == "win32", reason="the interrupt is a signal")
def test_a_run_that_is_interrupted_says_so_in_its_last_event_and_exits_with_3(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(long(tmp_path), encoding="utf-8")
    words = [*SPADES, "run", "t.yaml", "--events", "-"]
    with subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        assert run.stdout
        try:
            events = []
            for line in run.stdout:
                events.append(json.loads(line))
                if len(events) == EARLY:
                    run.send_signal(signal.SIGINT)
            assert run.wait(PATIENCE) == Exit.INTERRUPTED
        finally:
            run.kill()
    assert [event["event"] for event in events[:EARLY]] == ["run_begun", "batch_planned", "match_played"]
    last: dict[str, Any] = events[-1]
    assert (last["event"], last["how"], last["why"], last["secret"]) == ("run_ended", "interrupted", "", None)
    assert 1 <= last["done"] < last["planned"] == 4000


EARLY = 3
"""Events after which it is interrupted: one match is over."""


# -------------------------------------------------------------------------------------------------------- other calls


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one match with a fault in it, and the file of the bot that made it."""
    folder = tmp_path_factory.mktemp("codes")
    (folder / "t.yaml").write_text(bad_bid(folder).replace("fail_on: [faults], ", ""), encoding="utf-8")
    assert spades("run", "t.yaml", cwd=folder).returncode == Exit.DONE
    return folder


def test_check_repro_and_verify_exit_with_1_where_they_find_what_they_look_for(played: Path) -> None:
    run = str(played / "runs" / "small")
    assert ask("verify", run).returncode == Exit.DONE
    assert ask("check", str(played / "bad.py")).returncode == Exit.TROUBLE
    assert ask("repro", run, "1").returncode == Exit.TROUBLE
    with sqlite3.connect(played / "runs" / "small" / "ledger.sqlite") as db:
        db.execute("UPDATE match SET hands = hands + 1")
    db.close()
    assert ask("verify", run).returncode == Exit.TROUBLE


@pytest.mark.parametrize(
    "words",
    [
        ["standings", "nowhere"],
        ["run", "nowhere.yaml"],
        ["run", "demo", "--jobs", "0"],
        ["no-such-command"],
        ["export"],
    ],
)
def test_a_mistake_in_the_call_is_2(words: Sequence[str]) -> None:
    assert ask(*words).returncode == Exit.USER


def test_a_fault_of_the_harness_itself_is_4(monkeypatch: pytest.MonkeyPatch) -> None:
    from spades_harness.tournament.records import ledger

    def broken(folder: Path) -> None:
        raise LookupError("of our own")

    monkeypatch.setattr(ledger, "read_ledger", broken)
    assert ask("standings", "nowhere").returncode == Exit.BUG
