"""The page of the formats, taken literally: its schedule is installed and played, its figures are computed anew."""

from __future__ import annotations

import json
import os
import re
from math import sqrt
from pathlib import Path

import pytest

from cli.calling import ask, spades
from cli.packages import installed
from spades_harness.builtin import spades_register_schedules
from spades_harness.game.score import Boards
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.statistics.resolution import Z95, resolution
from spades_harness.tournament.statistics.strength import ELO
from tournament.matches_needed import PAIRS, ROWS, SIZES, TIE, needed
from tournament.simulating import field, options

FOLDER = Path(__file__).resolve().parents[2] / "tournaments"
PAGE = (FOLDER / "FORMATS.md").read_text(encoding="utf-8")
MATCHES = PAGE[PAGE.index("## How many matches") : PAGE.index("## Your own schedule")]
DEEP = bool(os.environ.get("SPADES_DEEP"))

HILL = """
name: hill
seed: 2
format: {boards: 4}
schedule: {hill: {streams: 1}}
bots:
  - {name: ones, plugin: threes, params: {bid: 1}, in_process: true}
  - {name: threes, plugin: threes, in_process: true}
  - {name: twos, plugin: threes, params: {bid: 2}, in_process: true}
"""


def figures(row: str) -> list[str]:
    """What stands in a row of the table of matches, by the number of entrants."""
    (line,) = [line for line in MATCHES.splitlines() if line.startswith(f"| {row} |")]
    return [cell.strip() for cell in line.split("|")[3:6]]


def test_every_schedule_that_ships_is_on_the_page_and_no_other() -> None:
    table = PAGE[: PAGE.index("## What each promises")]
    assert sorted(re.findall(r"^\| `(\w+): ", table, re.MULTILINE)) == sorted(spades_register_schedules())


def test_every_file_that_is_linked_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert links
    assert [link for link in links if not (FOLDER / link).exists()] == []


def test_the_table_has_a_row_for_each_thing_that_is_counted_and_for_every_schedule() -> None:
    rows = [line.split(" | ")[0].removeprefix("| ") for line in MATCHES.splitlines() if line.startswith("| `")]
    assert rows == [*ROWS]
    assert {re.findall(r"`(\w+)`", row)[0] for row in rows} == {*spades_register_schedules()}


@pytest.mark.parametrize("count", SIZES if DEEP else SIZES[:1])
@pytest.mark.parametrize("row", [row for row in ROWS if "decided" not in row])
def test_each_schedule_tells_20_elo_apart_with_as_many_matches_as_the_page_says(row: str, count: int) -> None:
    """The program that made the figures makes them again."""
    matches = ROWS[row](count)
    assert matches is not None
    assert figures(row)[SIZES.index(count)] == f"{round(matches):,}"


@pytest.mark.parametrize("row", [row for row in ROWS if "decided" in row])
def test_what_takes_too_long_to_be_counted_is_left_open(row: str) -> None:
    assert figures(row)[1:] == ["–", "–"]
    assert [ROWS[row](count) for count in SIZES[1:]] == [None, None]
    if DEEP:
        assert figures(row)[0] == f"{round(ROWS[row](10) or 0):,}"


def test_the_formula_is_the_one_that_the_page_tells() -> None:
    assert (PAIRS, TIE) == (1160, 817)
    assert Z95 * ELO * sqrt(4 / PAIRS) == pytest.approx(20, abs=0.01)
    plan = round_robin(field(10), options(rounds=232), ())
    assert resolution(plan, Boards(4)) == pytest.approx(20, abs=0.1)
    assert needed(plan) == pytest.approx(len(plan), rel=0.002)


def test_the_schedule_that_is_shown_is_played_from_an_installed_package(tmp_path: Path) -> None:
    (source,) = re.findall(r"^```python\n(# king_of_the_hill.py\n.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    site = installed(tmp_path, "king_of_the_hill", source)
    (tmp_path / "hill.yaml").write_text(HILL, encoding="utf-8")
    done = spades("run", "hill.yaml", "--out", "r", "--jobs", "1", cwd=tmp_path, PYTHONPATH=str(site))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split()[:3] == ["rank", "entrant", "reign"]
    shown = json.loads(spades("standings", "r", "--json", cwd=tmp_path, PYTHONPATH=str(site)).stdout)
    assert [row["rank"] for row in shown["entrants"]] == [1, 2, 3]
    assert shown["entrants"][0]["placing"].startswith("king no. ")
    assert shown["lines"] == [f"The king is {shown['entrants'][0]['entrant']}."]
    assert [row["matches"] for row in shown["entrants"]].count(4) == 1
    for number in (4, 5):
        fours = f"  - {{name: bids {number}, plugin: threes, params: {{bid: {number}}}, in_process: true}}\n"
        with (tmp_path / "hill.yaml").open("a", encoding="utf-8") as file:
            file.write(fours)
        joined = spades("run", "hill.yaml", "--out", "r", "--jobs", "1", cwd=tmp_path, PYTHONPATH=str(site))
        assert joined.returncode == 0, joined.stderr
    more = json.loads(spades("standings", "r", "--json", cwd=tmp_path, PYTHONPATH=str(site)).stdout)
    assert sum(row["matches"] for row in more["entrants"]) == 2 * 4 * 2
    without = ask("standings", str(tmp_path / "r"))
    assert without.returncode == 0
    assert "spades: no schedule 'hill'" in without.stderr
