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
    "entrant_check: play, "
    "bots: [{name: threes, plugin: threes, in_process: true}, {name: '[ж] 名', plugin: threes, params: {bid: 4}, "
    "in_process: true}, {name: fives, plugin: threes, params: {bid: 5}, in_process: true}]}"
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


# --------------------------------------------------------------------------------------------------------- two by two


def two_by_two(run: Path, *words: str) -> dict[str, Any]:
    done = ask("standings", str(run), *words, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout, parse_constant=pytest.fail)
    return found


def test_the_crosstable_is_in_the_order_of_the_standings_and_adds_up_to_them(run: Path) -> None:
    for by in ("elo", "points", "wins"):
        found, rows = two_by_two(run, "--crosstable", "--rank-by", by), listed(run, "--rank-by", by)
        names = [row["entrant"] for row in rows]
        assert found["entrants"] == [{key: row[key] for key in ("rank", "entrant", "pairs")} for row in rows]
        met = [(each["entrant"], each["opponent"]) for each in found["pairings"]]
        assert met == [(a, b) for a in names for b in names if a != b]
        for row in rows:
            own = [each for each in found["pairings"] if each["entrant"] == row["entrant"]]
            for key in ("wins", "draws", "losses"):
                assert sum(each[key] for each in own) == row[key]
            assert sum(each["points_per_hand"] for each in own) / 2 == pytest.approx(row["points_per_hand"], abs=0.002)
            assert row["pairs"] == {key: sum(each["pairs"][key] for each in own) for key in ("0", "0.5", "1")}


def test_csv_has_the_pairings_of_the_json_and_stays_one_table_of_rows(run: Path) -> None:
    found = two_by_two(run, "--pairs")
    for look in ("--crosstable", "--pairs"):
        rows = list(csv.DictReader(io.StringIO(ask("standings", str(run), look, "--csv").stdout)))
        assert [row["entrant"] for row in rows] == [each["entrant"] for each in found["pairings"]]
        for row, each in zip(rows, found["pairings"], strict=True):
            assert {key: row[key] for key in ("wins", "losses")} == {key: str(each[key]) for key in ("wins", "losses")}
            assert row["pairs"] == " ".join(f"{worth}:{count}" for worth, count in each["pairs"].items())


def test_the_looks_are_tables_on_the_screen_and_exclude_each_other(run: Path) -> None:
    crossed, pairs = (ask("standings", str(run), look).stdout.splitlines() for look in ("--crosstable", "--pairs"))
    names = [row["entrant"] for row in listed(run)]
    heading = crossed[0].split("  ")
    assert [cell.strip() for cell in heading if cell.strip()] == ["entrant", *names]
    assert pairs[0].split() == ["rank", "entrant", "0", "0.5", "1"]
    assert pairs[-1].endswith("(trinomial)")
    wrong = ask("standings", str(run), "--crosstable", "--pairs")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr == "spades: --crosstable and --pairs: choose one; as --json and --csv they are the same\n"
