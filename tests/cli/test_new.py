"""`spades new`: a folder with a bot that runs as it is, or one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest

from spades_harness.cli.new import FILES, TEMPLATE, make
from spades_harness.errors import UserError

from .calling import spades


def test_a_new_bot_has_its_name_in_all_of_its_files_and_nothing_of_the_template_left(tmp_path: Path) -> None:
    folder = make("my-bot_2", tmp_path)
    assert folder == tmp_path / "my-bot_2"
    assert {file.name for file in folder.iterdir()} == set(FILES) == {file.name for file in TEMPLATE.glob("*.*")}
    for file in folder.iterdir():
        text = file.read_text(encoding="utf-8")
        assert "my-bot_2" in text, file.name
        assert "NEW_BOT" not in text, file.name


@pytest.mark.slow
def test_a_new_bot_passes_its_check_and_plays_a_match_as_it_is(tmp_path: Path) -> None:
    """In a folder with a space in its path, by the very commands that `new` prints."""
    home = tmp_path / "my bots"
    home.mkdir()
    made = spades("new", "mine", cwd=home)
    assert made.returncode == 0
    assert "spades check mine" in made.stdout
    assert "spades match mine" in made.stdout
    checked = spades("check", "mine", cwd=home)
    assert (checked.returncode, checked.stdout.splitlines()[-1]) == (0, "mine: ok, no faults"), checked.stdout
    played = spades("match", "mine", "threes", "--boards", "4", "--seed", "1", cwd=home)
    assert played.returncode == 0, played.stderr
    assert "FAULT" not in played.stderr
    assert "mine against threes" in played.stdout


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "a\\b", "-x", "7up", "my bot", "é", "a.py", "x" * 41, "con", "LPT1"]
)
def test_a_name_that_is_trouble_somewhere_is_refused_and_nothing_is_made(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match="no name for a bot"):
        make(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_path_is_told_what_to_do_instead(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"'class/pupil1' is a path and no name for a bot: .* \(cd\) first"):
        make("class/pupil1", tmp_path)


@pytest.mark.parametrize("name", ["counter", "threes"])
def test_the_name_of_a_bot_that_ships_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError, match=f"there is a bot '{name}' already"):
        make(name, tmp_path)


def test_what_is_there_already_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "bot.py").write_text("precious", encoding="utf-8")
    (tmp_path / "file").write_text("precious", encoding="utf-8")
    for name in ("mine", "file"):
        with pytest.raises(UserError, match="exists already"):
            make(name, tmp_path)
    assert (tmp_path / "mine" / "bot.py").read_text(encoding="utf-8") == "precious"


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot make"):
        make("mine", tmp_path / "nowhere")


def test_a_mistake_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    done = spades("new", "my bot", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
