"""The tournament files that ship are played as they are, only shorter, and say in comments what they are for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.calling import ask, spades

FOLDER = Path(__file__).resolve().parents[2] / "tournaments"
SHORTER = {
    "classroom": [("streams: 8, most: 32", "streams: 1, most: 1")],
    "exam": [("boards: 8", "boards: 4"), ("rounds: 12", "rounds: 1")],
    "knockout": [
        ("boards: 8", "boards: 4"),
        ("streams: 8", "streams: 1"),
        ("extra: 8", "extra: 1"),
        ("elimination: double", "elimination: single"),
    ],
}


def played(folder: Path, name: str) -> tuple[dict[str, Any], str]:
    """The standings of a file that was cut short, as JSON, and as people see them."""
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    for long, short in SHORTER[name]:
        assert text.count(long) == 1, long
        text = text.replace(long, short)
    quicker = text.replace("plugin: threes", "plugin: threes, in_process: true")
    (folder / f"{name}.yaml").write_text(quicker, encoding="utf-8")
    done = spades("run", f"{name}.yaml", "--jobs", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(ask("standings", str(folder / "runs" / name), "--json").stdout)
    return found, done.stdout


def test_the_classroom_ends_with_everybody_on_the_ladder(tmp_path: Path) -> None:
    found, shown = played(tmp_path, "classroom")
    assert [row["rank"] for row in found["entrants"]] == [1, 2, 3, 4]
    assert {row["entrant"] for row in found["entrants"][:2]} == {"steady", "counter"}
    assert shown.splitlines()[0].split()[:3] == ["rank", "entrant", "challenges"]


def test_the_exam_ends_with_points_for_each_candidate(tmp_path: Path) -> None:
    found, shown = played(tmp_path, "exam")
    points = {row["entrant"]: row["score"] for row in found["entrants"]}
    assert points.keys() == {"steady", "fives", "ones", "threes", "counter"}
    assert points["ones"] is points["threes"] is points["counter"] is None
    assert 0 <= points["fives"] <= points["steady"] <= 7
    assert " of 7 " in shown


def test_the_knockout_ends_with_a_winner_and_its_bracket(tmp_path: Path) -> None:
    found, shown = played(tmp_path, "knockout")
    winner = found["entrants"][0]
    assert (winner["rank"], winner["placing"]) == (1, "winner")
    assert f"Winner: {winner['entrant']}" in shown.splitlines()
    assert "final:" in shown.splitlines()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_file_that_ships_is_named_like_its_tournament_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert f"\nname: {path.stem}" in text
    assert f"`spades run {path.stem}`" in text
    assert max(map(len, text.splitlines())) <= 130
