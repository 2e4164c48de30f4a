"""`spades repro`: the fault of a match comes again outside of it, or what comes instead is told."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from spades_harness.cli import reproducing
from spades_harness.cli.pitch import UNTIMED
from spades_harness.table.bounds import Limits
from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.table.rehearsal import Alike, Finding

from .calling import ask, python_bot, spades, zoo_bot
from .test_debug import at_a_terminal

PLAY = "def play(self, request): return self.random.choice(request.legal)"
RAISES = f"def bid(self, request): return 2\n{PLAY} if len(request.tricks) < 3 else [].pop()"
MENDED = f"def bid(self, request): return 2\n{PLAY}"


def play(folder: Path, *bots: str) -> None:
    """A match of the bots, kept in runs/match."""
    done = spades("match", *bots, "--boards", "4", "--seed", "5", cwd=folder)
    assert done.returncode in (0, 1), done.stderr


@pytest.fixture
def raising(tmp_path: Path) -> Path:
    """A folder with a match in which a bot that rolls dice has raised at its fourth trick."""
    python_bot(tmp_path, "mine", RAISES)
    play(tmp_path, "mine.py", "threes")
    return tmp_path


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The run of such a match, only to be read."""
    folder = tmp_path_factory.mktemp("kept")
    python_bot(folder, "mine", RAISES)
    play(folder, "mine.py", "threes")
    return str(folder / "runs" / "match")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--crash-at", "6"), "5 answers as in the match, then the same fault: crash in hand 1, play: exited with"),
        (("--illegal-at", "5"), "4 answers as in the match, then the same fault: illegal in hand 1, play: no card"),
        (("--babble",), "0 answers as in the match, then the same fault: malformed in hand 1, "),
        (("--exit-at-start",), "0 answers as in the match, then the same fault: start at the start: exited with"),
        (("--hang-at", "3"), "2 answers as in the match, then the same fault: timeout in hand 1, play: no complete"),
    ],
)
def test_each_kind_of_fault_comes_again(tmp_path: Path, flags: tuple[str, ...], words: str) -> None:
    """PL-09, PL-10, PL-14, PF-01, TM-02."""
    zoo_bot(tmp_path, "sick", *flags)
    play(tmp_path, "sick", "threes")
    done = spades("repro", "runs/match", "1", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert words in done.stdout


def test_dice_fall_as_they_fell_and_the_last_words_are_shown(raising: Path) -> None:
    done = spades("repro", "runs/match", "1", cwd=raising)
    assert done.returncode == 1
    assert "4 answers as in the match, then the same fault: crash in hand 1, play: exited with code 1" in done.stdout
    assert "| IndexError: pop from empty list" in done.stderr


def test_a_bot_that_was_mended_goes_on_where_it_had_ended_and_is_told_to_have_changed(raising: Path) -> None:
    python_bot(raising, "mine", MENDED)
    done = spades("repro", "runs/match", "1", cwd=raising)
    assert done.returncode == 0
    first, now, then = done.stdout.splitlines()
    assert first.endswith(": 4 answers as in the match, then something else")
    assert now.endswith(" in hand 1, play")
    assert then.startswith("  in the match: crash in hand 1, play: exited with code 1")
    assert "mine has changed since the match" in done.stderr


def test_another_version_of_the_bot_may_be_named(raising: Path) -> None:
    python_bot(raising, "newer", MENDED)
    done = spades("repro", "runs/match", "1", "--bot", "newer.py", cwd=raising)
    assert done.returncode == 0
    assert "then something else" in done.stdout


def test_another_command_may_start_it(raising: Path) -> None:
    command = json.dumps([sys.executable, "-X", "dev", "mine.py"])[1:-1].replace('", "', '" "')
    done = spades("repro", "runs/match", "1", "--command", command, cwd=raising)
    assert done.returncode == 1
    assert "then the same fault: crash in hand 1, play" in done.stdout


def test_another_seat_of_the_match_is_gone_through_to_its_end(raising: Path) -> None:
    done = spades("repro", "runs/match", "1", "--seat", "e", cwd=raising)
    assert done.returncode == 0
    assert "threes (E): " in done.stdout
    assert done.stdout.endswith(" answers, all as in the match; no fault\n")


def test_in_this_process_it_does_the_same_and_its_traceback_is_shown(raising: Path) -> None:
    done = spades("repro", "runs/match", "1", "--debug", cwd=raising)
    assert done.returncode == 1
    assert "4 answers as in the match, then the same fault: crash in hand 1, play: raised IndexError" in done.stdout
    assert "  in the match: exited with code 1" in done.stdout
    assert "| IndexError: pop from empty list" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals in Python")
def test_breakpoint_stops_in_a_bot_that_is_debugged(raising: Path) -> None:
    python_bot(raising, "mine", RAISES.replace("return 2", "breakpoint(); return 2"))
    code, shown = at_a_terminal(raising, ["repro", "runs/match", "1", "--debug"], ["p request.legal[2]"])
    assert code == 1
    assert "(Pdb) " in shown
    assert "then the same fault" in shown


def test_a_bot_whose_folder_is_gone_is_one_line_with_the_cure(raising: Path) -> None:
    other = raising / "elsewhere"
    other.mkdir()
    python_bot(other, "his", RAISES)
    play(raising, "elsewhere/his.py", "threes")
    (other / "his.py").rename(raising / "his.py")
    other.rmdir()
    done = spades("repro", "runs/match", "1", cwd=raising)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (f"spades: his: {other} is gone; name it with --bot, or say how to start it with --command\n")
    assert spades("repro", "runs/match", "1", "--bot", "his.py", cwd=raising).returncode == 1


def test_a_value_of_its_environment_stands_in_no_ledger_and_comes_from_the_shell(tmp_path: Path) -> None:
    body = f"def bid(self, request):\n    import os\n    return int(os.environ['DEPTH'])\n{PLAY}"
    python_bot(tmp_path, "mine", body)
    (tmp_path / "t.yaml").write_text(
        "name: t\nformat: {boards: 4}\nseed: 1\nschedule: {round_robin: {rounds: 1}}\nentrant_check: play\nbots:\n"
        "  - {name: mine, bot: mine.py, env: {DEPTH: '3'}}\n  - {name: threes, bot: threes}\n",
        encoding="utf-8",
    )
    assert spades("run", "t.yaml", "--jobs", "1", cwd=tmp_path).returncode == 0
    with_it = spades("repro", "runs/t", "1", "--seat", "N", cwd=tmp_path, DEPTH="3")
    assert (with_it.returncode, "no fault" in with_it.stdout) == (0, True)
    without = spades("repro", "runs/t", "1", "--seat", "N", cwd=tmp_path)
    assert without.returncode == 1
    assert "mine was given DEPTH, which no ledger keeps: set it for this call if it needs it" in without.stderr


def test_a_plugin_s_bot_is_found_where_its_file_lies(tmp_path: Path) -> None:
    (tmp_path / "plug.py").write_text(
        "from spades_bot import Bot\nfrom spades_harness import hookimpl\n\n"
        "class Bold(Bot):\n    def bid(self, request): return 99\n    def play(self, request): return 'AS'\n\n"
        "@hookimpl\ndef spades_register_bots():\n    return {'bold': Bold}\n",
        encoding="utf-8",
    )
    play(tmp_path, "bold", "threes", "--plugin", "plug.py")
    done = spades("repro", "runs/match", "1", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "then the same fault: illegal in hand 1, bid" in done.stdout


# --------------------------------------------------------------------------------------------- the limits, and mistakes


@pytest.mark.parametrize(("option", "limits"), [((), Limits()), (("--no-clock",), UNTIMED), (("--debug",), UNTIMED)])
def test_the_limits_are_those_of_the_run_or_none(
    kept: str, monkeypatch: pytest.MonkeyPatch, option: tuple[str, ...], limits: Limits
) -> None:
    specs: list[MatchSpec] = []

    def played(spec: MatchSpec, _seat: int, _record: MatchRecord, *_: object) -> Finding:
        specs.append(spec)
        return Alike(1)

    monkeypatch.setattr(reproducing, "play_again", played)
    done = ask("repro", kept, "1", *option)
    assert (done.returncode, done.stdout[-20:]) == (0, "the match; no fault\n")
    assert [spec.limits for spec in specs] == [limits]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("1", "--seat", "X"), "--seat X: there is none; this match has N E S W"),
        (("2", "--seat", ""), "--seat : there is none; this match has N E S W"),
        (("9",), "there is no match 9: the plan has 1 to 2"),
        (("1", "--command", "'"), "--command: No closing quotation; quote its words as a shell wants them"),
        (("1", "--command", " "), "--command: it is empty; say how to start the bot"),
        (("1", "--command", "x", "--bot", "y"), "--bot and --command: choose one"),
        (("1", "--command", "x", "--debug"), "--command and --debug: choose one"),
        (("1", "--bot", "nobody"), "no bot 'nobody'"),
    ],
)
def test_a_wrong_call_is_one_line(kept: str, words: tuple[str, ...], told: str) -> None:
    done = ask("repro", kept, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_sandbox_that_is_not_known_here_is_one_line_and_no_command_needs_it(
    raising: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(raising / "runs" / "match" / "ledger.sqlite")) as db:
        db.execute("""UPDATE run SET terms = replace(terms, '"sandbox":"none"', '"sandbox":"box"')""")
        db.commit()
    run = str(raising / "runs" / "match")
    done = ask("repro", run, "1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("spades: the run's sandbox is 'box', which nothing registers here: load its plugin")
    monkeypatch.setattr(reproducing, "play_again", lambda *_: Alike(1))
    assert ask("repro", run, "1", "--command", "{python} mine.py").returncode == 0


def test_a_match_without_a_fault_wants_a_seat(tmp_path: Path) -> None:
    play(tmp_path, "threes", "counter")
    done = spades("repro", "runs/match", "1", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "spades: match 1 has no fault: say whose bot is meant, such as --seat N\n"
