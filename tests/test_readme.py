"""The README, taken literally: what it says to type is typed, what it shows is run."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from cli.calling import spades

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS: list[str] = re.findall(r"^```\w*\n(.*?)^```", README, re.MULTILINE | re.DOTALL)

SHORT = {"boards: ": "4", "rounds: ": "1"}
"""How much of the tournament that is shown is played here; each match that the calls name is in it."""


def block(start: str) -> str:
    """The block that starts so."""
    (found,) = [text for text in BLOCKS if text.startswith(start)]
    return found


def calls(text: str) -> list[list[str]]:
    """The `spades` commands of a block, without their comments."""
    return [shlex.split(line.split("#")[0])[1:] for line in text.splitlines() if line.startswith("spades ")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A newcomer's folder, with a space in its path and a bot in it."""
    home = tmp_path / "my spades"
    home.mkdir()
    assert spades("new", "mybot", cwd=home).returncode == 0
    return home


def test_a_first_bot_is_made_checked_and_played_as_the_readme_says(tmp_path: Path) -> None:
    said = [spades(*call, cwd=tmp_path) for call in calls(block("spades new mybot"))]
    assert [done.returncode for done in said] == [0, 0, 0]
    assert "mybot: ok, no faults" in said[1].stdout
    assert "The boards that cost mybot most" in said[2].stdout
    for replay in re.findall(r"spades (replay .*)", said[2].stdout)[:2]:
        assert spades(*replay.split(), cwd=tmp_path).returncode == 0


def test_the_bot_that_is_shown_is_a_bot(tmp_path: Path) -> None:
    (tmp_path / "shown.py").write_text(block("from spades_bot import Bot, run"), encoding="utf-8")
    done = spades("check", "shown.py", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_tournament_that_is_shown_runs(folder: Path) -> None:
    whole = block("# friends.yaml")
    text, changed = re.subn(r"(boards: |rounds: )\d+", lambda found: found[1] + SHORT[found[1]], whole)
    assert changed == len(SHORT)
    (folder / "friends.yaml").write_text(text, encoding="utf-8")
    said = [spades(*call, cwd=folder) for call in calls(block("spades plan friends.yaml"))]
    assert [done.returncode for done in said] == [0, 0, 0, 0, 0], [done.stderr for done in said]
    assert "mixed" in said[-1].stdout
    amended = [spades(*call, cwd=folder) for call in calls(block("spades amend"))]
    assert [done.returncode for done in amended] == [0, 0, 0, 0, 0], [done.stderr for done in amended]
    verified = spades("verify", "runs/friends", cwd=folder)
    assert verified.returncode == 0, verified.stdout
    assert all(line in verified.stdout for done in amended for line in done.stdout.splitlines())


def test_the_plugin_that_is_shown_is_a_plugin(tmp_path: Path) -> None:
    (tmp_path / "plug.py").write_text(block("# plug.py"), encoding="utf-8")
    (call,) = calls(block("spades match bold"))
    done = spades(*call, "--boards", "4", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "bold against threes" in done.stdout


def test_tables_of_four_strangers_and_of_other_rules_play_as_the_readme_says(folder: Path) -> None:
    said = [spades(*call, "--seed", "1", cwd=folder) for call in calls(block("spades match mybot counter threes"))]
    assert [done.returncode for done in said] == [0, 0, 0, 0], [done.stderr for done in said]
    strangers, drawn, alone, two = (done.stdout for done in said)
    assert strangers.startswith("mybot+threes against counter+steady: 8 hands in 2 matches of 4 boards")
    assert drawn.startswith("Drawn for partners: mybot ")
    assert alone.startswith("mybot against counter against threes against steady: 16 hands")
    assert two.startswith("mybot against counter: 8 hands")


def test_what_the_rules_are_asked_is_answered_as_the_readme_shows_it(tmp_path: Path) -> None:
    asked = [shlex.split(line)[1:] for line in block("spades score").splitlines()]
    said = [spades(*call, cwd=tmp_path) for call in asked]
    assert [done.returncode for done in said] == [0] * 4, [done.stderr for done in said]
    assert said[0].stdout == block("NS: N bid 4")
    assert json.loads(said[1].stdout)["NS"]["delta"] == 32
    assert "5H may be played" in said[2].stdout
    assert json.loads(said[3].stdout)["legal"] == ["3H"]
    shown = spades("rules", cwd=tmp_path).stdout.split()
    assert {"classic", "encyclopedia", "suicide", "whiz", "cutthroat", "two_player"} <= {*shown}


def test_a_fault_is_looked_into_as_the_readme_says(tmp_path: Path) -> None:
    """PL-14."""
    shown = block("from spades_bot import Bot, run")
    broken = shown.replace("return request.legal[0]", "return request.legal[len(request.tricks) * 13]")
    (tmp_path / "broken.py").write_text(broken, encoding="utf-8")
    said = [spades(*call, cwd=tmp_path) for call in calls(block("spades match broken.py"))]
    assert [done.returncode for done in said] == [0, 0, 1, 1, 1, 0], [done.stderr for done in said]
    assert "FAULT 1 of 1: crash" in said[1].stdout
    assert all("then the same fault: crash in hand 1, play" in done.stdout for done in said[2:4])


def test_a_hand_is_dealt_once_more_as_the_readme_and_the_page_of_deals_say(tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[1] / "protocol" / "DEALS.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```\n(spades deal.*?)^```", page, re.MULTILINE | re.DOTALL)
    said = [spades(*call, cwd=tmp_path) for call in [*calls(block("spades deal")), *calls(shown)]]
    assert [done.returncode for done in said] == [0] * 6, [done.stderr for done in said]
    assert said[0].stdout == said[1].stdout
    assert said[0].stdout.startswith("Board stream 0, hand 1, dealt by N.\n  N  ♠ A T 8 5 3  ♥ Q 6")
    assert list(json.loads(said[2].stdout)) == ["commitment", "stream", "hand", "dealer", "hands"]
    assert [done.stdout.splitlines()[-1] for done in said[4:5]] == ["Salt: 04 11 23 31 40 46"]


def test_every_command_is_in_the_table_and_every_option_that_it_names_exists(tmp_path: Path) -> None:
    table = dict(re.findall(r"^\| `spades (\w+)[^|]*\| (.*) \|$", README, re.MULTILINE))
    commands = spades("--help", cwd=tmp_path).stdout.split("Commands:")[1].split("Exit")[0]
    helped = re.findall(r"^  (\w+) ", commands, re.MULTILINE)
    rows = [line for line in README.splitlines() if line.startswith("| `spades")]
    listed = re.findall(r"`spades (\w+)", "\n".join(rows))
    assert sorted(listed) == sorted(helped)
    for command, words in table.items():
        text = spades(command, "--help", cwd=tmp_path).stdout
        for option in re.findall(r"--[\w-]+", words):
            assert option in text, f"{command} {option}"


def test_every_file_that_is_linked_is_there() -> None:
    root = Path(__file__).resolve().parents[1]
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (root / link).exists()] == []
