"""The page of the formats, taken literally: its schedule is installed and played, its figures are computed anew."""

from __future__ import annotations

import json
import re
from math import ceil, sqrt
from pathlib import Path
from random import Random
from statistics import fmean

import pytest

from cli.calling import ask, spades
from cli.packages import installed
from spades_harness.builtin import spades_register_schedules
from spades_harness.game.score import Boards
from spades_harness.tournament.schedule import round_robin
from spades_harness.tournament.schedules.ladder import LADDER
from spades_harness.tournament.statistics.resolution import Z95, resolution
from spades_harness.tournament.statistics.strength import ELO
from tournament.simulating import by_number, field, options, played

FOLDER = Path(__file__).resolve().parents[2] / "tournaments"
PAGE = (FOLDER / "FORMATS.md").read_text(encoding="utf-8")
SIZES = (10, 30, 100)
Z90 = 1.6448536
"""The 95 % quantile of the normal distribution: one side of it."""

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


def figures(row: str) -> list[int]:
    """The numbers of matches in a row of the table."""
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {row} |")]
    return [int(cell.replace(",", "")) for cell in line.split("|")[3:6]]


def test_every_schedule_that_ships_is_on_the_page_and_no_other() -> None:
    table = PAGE[: PAGE.index("## What each promises")]
    assert sorted(re.findall(r"^\| `(\w+): ", table, re.MULTILINE)) == sorted(spades_register_schedules())


def test_every_file_that_is_linked_is_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert links
    assert [link for link in links if not (FOLDER / link).exists()] == []


def test_a_round_robin_tells_20_elo_apart_with_as_many_matches_as_the_page_says() -> None:
    for count, matches in zip(SIZES, figures("`round_robin`"), strict=True):
        rounds = ceil(8 * (Z95 * ELO / 20) ** 2 / count)
        assert matches == rounds * count * (count - 1)
    plan = round_robin(field(10), options(rounds=figures("`round_robin`")[0] // 90), ())
    assert resolution(plan, Boards(4)) == pytest.approx(20, abs=0.1)


def test_the_other_figures_are_those_of_the_formula() -> None:
    pairs = ceil(4 * (Z95 * ELO / 20) ** 2)
    tie = ceil(4 * (Z90 * ELO / 20) ** 2)
    assert (pairs, tie) == (1160, 817)
    assert Z95 * ELO * sqrt(4 / pairs) == pytest.approx(20, abs=0.01)
    assert figures("`gauntlet`: a challenger from the field's mean") == [2 * pairs * count for count in SIZES]
    assert figures("`gauntlet`: two challengers from each other") == [4 * pairs * count for count in SIZES]
    assert figures("`knockout`, single: the stronger goes on in 95 %") == [2 * tie * (count - 1) for count in SIZES]
    assert figures("`ladder`: the stronger stands above in 95 %") == pytest.approx(
        [2 * tie * challenges for challenges in (24, 112, 542)], rel=0.002
    )
    swiss = [matches * more for matches, more in zip(figures("`round_robin`"), (1.03, 1.14, 1.19), strict=True)]
    assert figures("`swiss`, 7 rounds") == pytest.approx(swiss, rel=0.02)


def test_a_ladder_of_a_file_in_no_order_takes_about_as_many_challenges_as_the_page_says() -> None:
    made, dice = [], Random(1)
    for _ in range(10):
        shuffled = dice.sample(field(10), 10)
        made.append(len(played(LADDER, shuffled, options(streams=1, most=1), by_number)[1]) / 2)
    assert fmean(made) == pytest.approx(24, abs=2)


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
    without = ask("standings", str(tmp_path / "r"))
    assert without.returncode == 0
    assert "spades: no schedule 'hill'" in without.stderr
