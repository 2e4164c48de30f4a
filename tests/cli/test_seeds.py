"""Seeds on the command line: numbers and texts."""

from pathlib import Path

import pytest

from .calling import spades

FILE = "{name: small, seed: spring cup, format: {boards: 4}, bots: [{name: a, bot: threes}, {name: b, bot: threes}]}"


@pytest.mark.parametrize("call", [("run", "t.yaml", "--dry-run"), ("match", "threes", "threes")])
def test_a_seed_that_is_none_is_one_line_and_exit_code_2(tmp_path: Path, call: tuple[str, ...]) -> None:
    (tmp_path / "t.yaml").write_text(FILE, encoding="utf-8")
    done = spades(*call, "--seed", "18446744073709551616", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "--seed: must be a whole number from 0 to 18446744073709551615 or a text" in line


def test_the_seed_of_a_run_may_be_a_text(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(FILE, encoding="utf-8")
    assert 'seed: "spring cup"' in spades("run", "t.yaml", "--dry-run", cwd=tmp_path).stdout
    assert "seed: autumn" in spades("run", "t.yaml", "--dry-run", "--seed", "autumn", cwd=tmp_path).stdout
    assert "public seed spring cup" in spades("run", "t.yaml", cwd=tmp_path).stderr


def test_the_seed_of_a_match_may_be_a_text_and_is_printed_to_be_copied(tmp_path: Path) -> None:
    done = spades("match", "threes", "threes", "--boards", "4", "--seed", "spring cup", cwd=tmp_path)
    assert "(again on the same boards: --seed 'spring cup')" in done.stdout.replace('"', "'")
