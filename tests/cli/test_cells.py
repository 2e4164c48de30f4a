"""What a row of the standings says in a cell: no zero with a sign, and nothing made up where a number is unknown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from spades_harness.cli.cells import bags, faults, points
from spades_harness.cli.summary import table
from spades_harness.cli.tables import COLUMNS
from spades_harness.game.score import Game
from spades_harness.tournament.standings import standings

(ROW,) = standings(["a"], [], Game(), {}).entrants


@pytest.mark.parametrize(
    ("mean", "error", "shown"),
    [
        (None, None, "–"),
        (3.25, 1.26, "+3.2 ± 1.3"),
        (-3.25, 0.0, "-3.2 ± 0.0"),
        (-0.04, 0.01, "+0.0 ± 0.0"),
        (12.0, None, "+12.0 ± ?"),
    ],
)
def test_the_lead_is_shown_with_its_error_wherever_it_is_shown(
    mean: float | None, error: float | None, shown: str
) -> None:
    row = replace(ROW, points_per_hand=mean, points_error=error)
    assert points(row) == COLUMNS["points a hand"](row) == shown
    assert shown in [*table([row])][1]


def test_names_of_any_script_leave_the_columns_straight() -> None:
    names = ("ann", "名前", "слон", "e\u0301a")
    lines = [*table([replace(ROW, entrant=name, points_per_hand=1.0) for name in names])][1:]
    assert {cell_len(line[: line.index("+1.0")]) for line in lines} == {cell_len(lines[0][: lines[0].index("+1.0")])}
    assert [line.split("  ")[0] for line in lines] == [*names]


def test_bags_and_faults_are_shown_wherever_they_are_shown() -> None:
    row = replace(ROW, bags_per_hand=1.256, faults={"crash": 2, "timeout": 1})
    assert (bags(ROW), faults(ROW)) == ("–", "0")
    assert bags(row) == COLUMNS["bags a hand"](row) == "1.26"
    assert faults(row) == COLUMNS["faults"](row) == "2 crash, 1 timeout"
    assert [*table([row])][1].split("   ")[-1] == "2 crash, 1 timeout"
