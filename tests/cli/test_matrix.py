"""The matrix of who is stronger on the screen, and that the standings of a run have it for machines."""

from __future__ import annotations

import json
from itertools import combinations

import pytest

from spades_harness.cli.matrix import MEANING, cell, put_matrix
from spades_harness.cli.tables import BY_ITSELF
from spades_harness.tournament.statistics.comparison import Compared, compare
from spades_harness.tournament.statistics.rating import PairResult, observations

from .calling import ask, spades


def shown(names: str, groups: tuple[Compared, ...], width: int, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The matrix in the order of these names."""
    put_matrix(names, groups, width)
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def groups_of(*meetings: tuple[str, str, float]) -> tuple[Compared, ...]:
    return compare(observations(PairResult(a, b, (score,)) for a, b, score in meetings for _ in range(8)))


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (None, "–"),
        (0.5, "50"),
        (0.9949, "> 99"),
        (1.0, "> 99"),
        (0.99, "99"),
        (0.0, "< 1"),
        (0.0075, "< 1"),
        (0.126, "13"),
    ],
)
def test_what_is_nearly_sure_is_never_told_as_sure(chance: float | None, told: str) -> None:
    assert cell(chance) == told


def test_each_row_says_how_likely_it_is_stronger_than_each_column_in_the_order_of_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """RS-10: of those who never met it says nothing."""
    groups = groups_of(("a", "b", 1.0), ("a", "b", 0.5), ("c", "d", 0.5))
    head, _, *rows, meaning = shown("acbd", groups, 80, capsys)
    assert head.split() == ["entrant", "a", "c", "b", "d"]
    assert [row.split() for row in rows] == [
        ["a", "×", "–", ">", "99", "–"],
        ["c", "–", "×", "–", "50"],
        ["b", "<", "1", "–", "×", "–"],
        ["d", "–", "50", "–", "×"],
    ]
    assert meaning == MEANING


def test_a_wide_matrix_is_numbered_and_comes_in_blocks(capsys: pytest.CaptureFixture[str]) -> None:
    names = "abcdefghijklmnopqrst"
    groups = groups_of(*((one, other, 0.5) for one, other in combinations(names, 2)))
    lines = shown(names, groups, 60, capsys)
    assert max(map(len, lines[:-1])) <= 60
    assert lines[0].split()[:4] == ["entrant", "1", "2", "3"]
    assert sum(line.split().count("50") for line in lines) == 20 * 19


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a run of two bots and of the pair of both."""
    cwd = tmp_path_factory.mktemp("matrix")
    (cwd / "t.yaml").write_text(FILE, encoding="utf-8")
    done = spades("run", "t.yaml", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return str(cwd / "runs/small")


FILE = (
    "{name: small, seed: 7, format: {boards: 4}, schedule: {round_robin: {rounds: 3}}, entrant_check: play, "
    "bots: [{name: ann, bot: threes}, {name: bob, bot: counter}], "
    "entrants: [ann, bob, {name: both, pair: [ann, bob]}]}"
)


def test_a_run_has_it_on_the_screen_and_for_machines(run: str) -> None:
    done = ask("standings", run, "--matrix")
    assert (done.returncode, done.stderr, MEANING in done.stdout) == (0, "", True)
    found = json.loads(ask("standings", run, "--json", "--matrix").stdout)
    (group,) = found["groups"]
    assert group["entrants"] == ["ann", "bob", "both"]
    assert group["stronger"][0][1] + group["stronger"][1][0] == pytest.approx(1)
    rows = {row["entrant"]: row for row in found["entrants"]}
    assert {row["group"] for row in rows.values()} == {1}
    assert [[rows[name]["rank_low"], rows[name]["rank_high"]] for name in group["entrants"]] == group["ranks"]
    for words in (["--csv"], ["--crosstable"], ["--pairs"]):
        refused = ask("standings", run, "--matrix", *words)
        assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_where_partners_are_different_bots_each_bot_is_rated_by_itself_too(run: str) -> None:
    table = ask("standings", run).stdout.partition(BY_ITSELF)[2]
    rows = [line.split() for line in table.splitlines() if "±" in line]
    found = json.loads(ask("standings", run, "--json").stdout)["individuals"]
    assert rows[0] == ["bot", "Elo", "±", "95", "%", "pairs", "of", "legs"]
    assert [row[0] for row in rows[1:]] == [each["bot"] for each in found] == ["bob", "ann"]
    assert found[0]["elo"] == -found[1]["elo"] > 0
    assert [each["pairs"] for each in found] == [9, 9]
