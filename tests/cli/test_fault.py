"""`spades fault`: a bot's author finds in it what was asked, what was answered, when, how it ended, and what to do."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from spades_harness.cli.dossier import Dossier, tell_dossier
from spades_harness.table.bounds import Limits
from spades_harness.table.match import BotReport, Fault, FaultKind

from .calling import spades, zoo_bot

HABITS = {
    "crash": ("--crash-at", "6", "--stderr-flood"),
    "half": ("--abort-in-line-at", "4"),
    "illegal": ("--illegal-at", "5"),
    "babble": ("--babble",),
    "binary": ("--say-at", "3", "\x7f\x1b[2J é"),
    "hang": ("--hang-at", "2"),
    "never": ("--exit-at-start",),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a space in its name, in which each of the bots has played against a sound one."""
    folder = tmp_path_factory.mktemp("sick bots")
    zoo_bot(folder, "sound")
    for name, flags in HABITS.items():
        zoo_bot(folder, name, *flags)
        played = spades("match", name, "sound", "--boards", "4", "--seed", "5", "--out", f"of {name}", cwd=folder)
        assert played.returncode in (0, 1), played.stderr
    return folder


def told(folder: Path, bot: str) -> tuple[str, dict[str, Any]]:
    """The dossier of a bot's first fault, for people and for machines."""
    text = spades("fault", f"of {bot}", "1", cwd=folder)
    values = spades("fault", f"of {bot}", "1", "--json", cwd=folder)
    assert (text.returncode, text.stderr, values.returncode, values.stderr) == (0, "", 0, "")
    first, *_ = json.loads(values.stdout)
    assert (first["bot"], first["entrant"]) == (bot, bot)
    return text.stdout, first


def test_a_crash_is_told_with_its_exit_code_its_request_and_the_ends_of_its_standard_error(folder: Path) -> None:
    """PL-09, PL-07: what is kept of a flood is a bounded head and tail."""
    text, values = told(folder, "crash")
    assert "FAULT 1 of 1: crash\n" in text
    assert "what     exited with code 3\n" in text
    assert (values["kind"], values["ended"]) == ("crash", "exited with code 3")
    assert (values["request"]["seat"], values["asked"]) == (values["seat"], values["request"]["type"])
    assert values["stderr"].count("bytes …]") == 1
    assert len(values["stderr"]) < 30_000


def test_the_request_can_be_copied_out_of_the_text(folder: Path) -> None:
    text, values = told(folder, "illegal")
    shown = text[text.index("  request  ") + len("  request  ") : text.index("\n  stderr")]
    assert json.loads(shown) == values["request"]


def test_a_death_in_the_middle_of_a_line_is_a_crash_with_its_signal_and_the_line(folder: Path) -> None:
    """PL-14."""
    text, values = told(folder, "half")
    assert values["kind"] == "crash"
    assert "SIGABRT" in values["what"] or "exited with code" in values["what"]  # Windows has no signals
    assert 'in the middle of a line: {"id"' in text
    assert values["answer"] == '{"id": 5, "'


def test_an_illegal_card_is_told_with_the_rule_the_trick_the_answer_and_the_cure(folder: Path) -> None:
    text, values = told(folder, "illegal")
    assert f"hand 1, trick {values['trick']}, asked for: {values['asked']}" in text
    assert json.loads(values["answer"])["id"] == values["request"]["id"]
    assert values["answer_bytes"] == values["answer"].encode().hex()
    assert values["what"] in text
    assert "  cure     answer one of the request's legal" in text


def test_chatter_is_told_as_it_was_written(folder: Path) -> None:
    """PF-01."""
    text, values = told(folder, "babble")
    assert values["answer"].startswith("thinking")
    assert f"  answer   {values['answer']}\n" in text
    assert "print to standard error" in values["cure"]


def test_bytes_that_cannot_be_printed_are_told_one_by_one_and_reach_no_terminal(folder: Path) -> None:
    text, values = told(folder, "binary")
    assert bytes.fromhex(values["answer_bytes"]).startswith(b"\x7f\x1b[2J")
    assert "bytes    7f 1b 5b 32 4a" in text
    assert "\x1b" not in text


def test_a_late_answer_is_told_with_its_time_and_its_limit(folder: Path) -> None:
    """TM-02."""
    text, values = told(folder, "hang")
    assert values["kind"] == "timeout"
    assert (values["limit"], values["elapsed"]) == (1.0, 1.0)
    assert "1.000 s of the 1 s that there were for this answer" in text
    assert "  answer   none\n" in text


def test_a_bot_that_never_came_up_is_told_with_its_last_words(folder: Path) -> None:
    """PL-10."""
    text, values = told(folder, "never")
    assert (values["kind"], values["hand_no"]) == ("start", None)
    assert "at the start, before the first hand" in text
    assert "    | the weights are missing\n" in text


def test_a_program_that_is_not_there_is_told_without_a_request(tmp_path: Path) -> None:
    (tmp_path / "lost").mkdir()
    (tmp_path / "lost" / "bot.yaml").write_text("command: [./nowhere]\n", encoding="utf-8")
    assert spades("match", "lost", "threes", "--boards", "4", cwd=tmp_path).returncode == 1
    text = spades("fault", "runs/match", "1", cwd=tmp_path).stdout
    assert " s that there were to get ready\n" in text
    assert "  request" not in text
    assert "FAULT 1 of 2: start" in text


def test_a_bank_that_is_used_up_is_told_as_such() -> None:
    """TM-13: with nothing left nobody is asked."""
    fault = Fault(FaultKind.TIMEOUT, 0, 2, 70, "play", "the bank of 60 s for the whole match is used up", "", 0.0)
    dossier = Dossier(1, 1, fault, BotReport(), "mine", "mine", "N", 3, Limits())
    told = list(tell_dossier(dossier, ("spades repro x 1",)))
    assert "  time     none was left: the bank of 60 s for the whole match was used up" in told
    assert "  when     hand 2, trick 3, asked for: play; decision 71 of the match" in told
    assert told[-1] == "  go on    spades repro x 1"
    assert not any(line.startswith("  request") for line in told)


def test_the_calls_to_go_on_with_name_the_run_the_match_and_the_seat(folder: Path) -> None:
    _, values = told(folder, "hang")
    repro, replay = (shlex.split(call) for call in values["commands"])
    assert repro == ["spades", "repro", "of hang", "1", "--seat", values["seat"]]
    assert replay == ["spades", "replay", "of hang", "1", "--hand", "1"]


def test_a_match_without_a_fault_and_one_that_was_not_played_are_one_line_each(tmp_path: Path) -> None:
    assert spades("match", "threes", "threes", "--boards", "4", cwd=tmp_path).returncode == 0
    clean = spades("fault", "runs/match", "1", cwd=tmp_path)
    assert (clean.returncode, clean.stdout) == (0, "Match 1 of match: no fault\n")
    empty = spades("fault", "runs/match", "1", "--json", cwd=tmp_path)
    assert (empty.returncode, json.loads(empty.stdout)) == (0, [])
    absent = spades("fault", "runs/match", "3", cwd=tmp_path)
    assert (absent.returncode, absent.stdout) == (2, "")
    assert absent.stderr == "spades: there is no match 3: the plan has 1 to 2\n"
