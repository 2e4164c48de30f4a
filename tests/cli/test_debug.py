"""`spades match --debug`: the bot plays in the command's own process, where `breakpoint()` has a terminal."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from spades_harness.cli.debug import NAME, bot_class, debugged
from spades_harness.errors import UserError
from spades_harness.table.match import Command, Player, Plugin

from .calling import PATIENCE, SPADES, python_bot, spades, zoo_bot

PLAY = "def play(self, request): return request.legal[0]"
STOPS = f"def bid(self, request):\n    tricks = 2 + 1\n    breakpoint()\n    return tricks\n{PLAY}"


def at_a_terminal(folder: Path, words: Sequence[str], typed: Sequence[str]) -> tuple[int, str]:
    """The call at a terminal of its own; each of `typed` is typed at the next prompt of the debugger, then `c`."""
    if sys.platform == "win32":
        raise NotImplementedError
    import pty

    terminal, inner = pty.openpty()
    with subprocess.Popen(
        [*SPADES, *words], cwd=folder, stdin=inner, stdout=inner, stderr=inner, start_new_session=True
    ) as process:
        os.close(inner)
        try:
            shown = _converse(terminal, list(typed))
            return process.wait(PATIENCE), shown
        finally:
            os.close(terminal)
            process.kill()


def _converse(terminal: int, typed: list[str]) -> str:
    """Everything that the terminal showed until the program ended, or had nothing to say for far too long."""
    shown, answered = "", 0
    while select.select([terminal], [], [], PATIENCE)[0]:
        try:
            shown += os.read(terminal, 65_536).decode()
        except OSError:  # Linux's way to say that nobody writes to it any more
            break
        while shown.count("(Pdb) ") > answered:
            answered += 1
            os.write(terminal, ((typed.pop(0) if typed else "c") + "\n").encode())
    return shown


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals in Python")
class TestAtATerminal:
    def test_breakpoint_stops_in_the_bot_and_the_match_goes_on_to_its_end(self, tmp_path: Path) -> None:
        python_bot(tmp_path, "mine", STOPS)
        call = ["match", "mine.py", "counter", "--boards", "4", "--debug"]
        code, shown = at_a_terminal(tmp_path, call, ["p tricks * 1000", "p self.seat, len(request.hand)"])
        assert code == 0
        assert "-> return tricks" in shown
        assert "3000" in shown
        assert re.search(r"\('[NS]', 13\)", shown)
        assert shown.count("(Pdb) ") == 2 + 16
        assert "mine against counter: 8 hands in 2 matches" in shown
        assert "FAULT" not in shown

    def test_leaving_the_debugger_ends_the_match_and_is_no_fault(self, tmp_path: Path) -> None:
        python_bot(tmp_path, "mine", STOPS)
        code, shown = at_a_terminal(tmp_path, ["match", "mine.py", "counter", "--boards", "4", "--debug"], ["q"])
        assert code == 0
        assert "left the debugger" in shown
        assert "FAULT" not in shown
        assert "Traceback" not in shown


def test_what_the_bot_raises_ends_the_match_with_its_traceback(tmp_path: Path) -> None:
    python_bot(tmp_path, "mine", f"def bid(self, request): return [].pop()\n{PLAY}")
    done = spades("match", "mine.py", "counter", "--boards", "8", "--debug", cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr.count("FAULT") == 1
    assert "    | IndexError: pop from empty list" in done.stderr


def test_the_bot_finds_its_files_and_its_siblings_as_when_it_is_run_by_hand(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.yaml").write_text('command: ["{python}", mine.py]\nparams: {more: 1}\n', encoding="utf-8")
    (folder / "mine_tables.py").write_text("BASE = 1\n", encoding="utf-8")
    (folder / "weights.txt").write_text("1", encoding="utf-8")
    body = (
        "def bid(self, request):\n    from mine_tables import BASE\n"
        f"    return BASE + int(open('weights.txt').read()) + self.params['more']\n{PLAY}"
    )
    python_bot(folder, "mine", body)
    done = spades("match", "mine", "counter", "--boards", "4", "--debug", "--out", "kept", cwd=tmp_path)
    assert done.returncode == 0
    assert "FAULT" not in done.stderr
    assert (tmp_path / "kept" / "ledger.sqlite").exists()
    story = spades("replay", "kept", "1", "--hand", "1", cwd=tmp_path).stdout
    bids = dict(re.findall(r"([NESW]) (\d+)", re.search(r"^  bids   (.*)$", story, re.MULTILINE)[1]))  # type: ignore[index]
    assert (bids["N"], bids["S"]) == ("3", "3")


# ------------------------------------------------------------------------------------------------ what can be debugged


def test_a_bot_becomes_a_player_in_this_process_with_all_that_it_was(tmp_path: Path) -> None:
    script = python_bot(tmp_path, "some_bot", STOPS)
    launch = Command(("{python}", script.name), str(tmp_path))
    player, factory = debugged(Player("mine", launch, (("depth", 3),), "content"))
    assert player == Player("mine", Plugin(NAME, in_process=True), (("depth", 3),), "content")
    assert type(factory()).__name__ == "It"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import sys\nfor line in sys.stdin: pass\n", "doesn't import spades_bot"),
        ("import spades_bot\n1/0\n", "cannot be loaded: ZeroDivisionError"),
        ("import spades_bot\nraise SystemExit(3)\n", "cannot be loaded: SystemExit"),
        ("import spades_bot\n", "must define one subclass"),
        ("def (:\n", "cannot be read as Python"),
        ("from spades_bot import Bot, run\nclass A(Bot): pass\nrun(A)\n", "calls run.. when it is loaded"),
    ],
)
def test_a_file_that_cannot_be_debugged_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    script = tmp_path / "strange.py"
    script.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said) as caught:
        bot_class(script)
    assert "\n" not in str(caught.value)


def test_a_bot_that_is_no_python_file_with_the_sdk_is_refused(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "raw")
    done = spades("match", "raw", "counter", "--debug", cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "--debug is for bots made with spades_bot in Python" in done.stderr
