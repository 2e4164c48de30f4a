"""The looks at a run that `spades standings` offers, called as a person calls them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from .calling import ask, spades

FILE = (
    "{name: small, seed: 7, rank_by: wins, format: {boards: 4}, schedule: {round_robin: {rounds: 2}}, "
    "bots: [{name: steady, bot: steady}, {name: '[ж] 名', bot: threes}, {name: counter, bot: counter}]}"
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of three, of whom one has a name of several scripts."""
    cwd = tmp_path_factory.mktemp("looks")
    (cwd / "small.yaml").write_text(FILE, encoding="utf-8")
    done = spades("run", "small.yaml", cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert "\nranked by wins\n" in done.stdout
    return cwd / "runs" / "small"


def listed(run: Path, *words: str) -> list[dict[str, Any]]:
    done = ask("standings", str(run), "--json", *words)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["entrants"]
    return found


def test_a_run_is_ranked_as_its_file_says_or_for_one_look_as_one_asks(run: Path) -> None:
    assert "ranked by wins" in ask("standings", str(run)).stdout
    assert "ranked by" not in ask("standings", str(run), "--rank-by", "elo").stdout
    for words, key in (((), "wins"), (("--rank-by", "points"), "points_per_hand"), (("--rank-by", "elo"), "elo")):
        measures = [row[key] for row in listed(run, *words)]
        assert measures == sorted(measures, reverse=True)
    text = ask("standings", str(run), "--csv", "--rank-by", "points").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["entrant"] for row in rows] == [row["entrant"] for row in listed(run, "--rank-by", "points")]


def test_what_cannot_rank_is_one_line(run: Path) -> None:
    wrong = ask("standings", str(run), "--rank-by", "luck")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "'luck' is not one of 'elo', 'points', 'wins'; see spades standings --help\n" in wrong.stderr
    assert wrong.stderr.count("\n") == 1
