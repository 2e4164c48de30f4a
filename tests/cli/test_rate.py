"""`spades rate`: results from anywhere come to what the same results of a run come to; what it refuses."""

from __future__ import annotations

import json
import subprocess
from math import isfinite
from pathlib import Path
from typing import Any

import pytest

from spades_harness.cli.rated import rate
from spades_harness.errors import UserError
from spades_harness.tournament.statistics.rating import PairResult, elo
from spades_harness.tournament.statistics.results_file import WEIGHTS, read_results

from .calling import SPADES, ask

TEN = "a,b,score\n" + "ann,bob,1\nann,bob,0.5\nbob,ann,1\n" * 4


def rated(folder: Path, text: str, *words: str) -> list[dict[str, Any]]:
    """Those in a file of this text, in JSON."""
    path = folder / "results.csv"
    path.write_text(text, encoding="utf-8")
    done = ask("rate", str(path), "--json", *words)
    assert (done.returncode, done.stderr) == (0, ""), done
    found: list[dict[str, Any]] = json.loads(done.stdout)["entrants"]
    return found


def refusal(text: str) -> str:
    """What is said of a file of this text."""
    with pytest.raises(UserError) as caught:
        read_results(text, "r.csv")
    return str(caught.value)


# ------------------------------------------------------------------------------------------------------- what it says


def test_results_are_rated_by_the_code_that_rates_a_run(tmp_path: Path) -> None:
    results = [PairResult("ann", "bob", (1.0,)), PairResult("ann", "bob", (0.5,)), PairResult("bob", "ann", (1.0,))] * 4
    expected = elo(["ann", "bob"], results)
    for row in rated(tmp_path, TEN):
        known = expected[row["entrant"]]
        assert (row["elo"], row["elo_low"]) == pytest.approx((known.elo, known.low), abs=0.05)
        assert row["rank"] == 1
    (ann, bob) = rated(tmp_path, TEN)
    assert (ann["wins"], ann["draws"], ann["losses"]) == (4, 4, 4) == (bob["losses"], bob["draws"], bob["wins"])


def test_the_order_of_columns_and_blank_lines_and_spaces_and_a_mark_at_the_front_mean_nothing() -> None:
    plain = read_results("a,b,score\nann,bob,0.5\n", "r")
    assert read_results("\ufeffscore, b ,a\r\n\r\n 0.5,bob, ann\r\n,,\r\n", "r") == plain


def test_lines_of_one_pair_are_one_observation_and_weights_count() -> None:
    head = "a,b,score,pair\n"
    apart = read_results(head + "".join(f"ann,bob,{n % 2},{n}\n" for n in range(12)), "r")
    together = read_results(head + "".join(f"ann,bob,{n % 2},{n // 2}\n" for n in range(12)), "r")
    assert [result.cluster for result in together] == [n // 2 for n in range(12)]
    by_line, by_pair = (elo(["ann", "bob"], results)["ann"] for results in (apart, together))
    assert by_line.high
    assert by_pair.high
    assert by_pair.high < by_line.high  # each pair of legs comes to exactly one half
    (heavy,) = read_results("a,b,score,weight\nann,bob,1,2.5\n", "r")
    assert heavy.weight == 2.5


def test_ranks_are_shared_and_the_next_is_as_many_further() -> None:
    results = [PairResult("b", "c", (1.0, 0.0))] + [PairResult(one, "d", (1.0,)) for one in "bc"] * 3
    results += [PairResult("a", one, (1.0,)) for one in "bcd"] * 3
    assert [(row.rank, row.entrant) for row in rate(results).entrants] == [(1, "a"), (2, "b"), (2, "c"), (4, "d")]


def test_people_see_a_table_and_few_results_are_called_few(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("a,b,score\nann,bob,1\n", encoding="utf-8")
    done = ask("rate", str(path))
    assert done.returncode == 0
    assert " ".join(done.stdout.split("\n")[0].split()) == "rank ranks 95 % entrant Elo ± 95 % W–D–L elo_k"
    assert "(too few pairs)   1–0–0     +16" in done.stdout


def test_who_never_met_is_rated_apart_and_that_is_said(tmp_path: Path) -> None:
    """RS-10."""
    path = tmp_path / "r.csv"
    path.write_text(TEN + "cy,dee,1\n" * 6, encoding="utf-8")
    assert (
        "\nThese groups never met, and are rated and ranked apart: ann, bob | cy, dee\n"
        in ask("rate", str(path)).stdout
    )
    found = json.loads(ask("rate", str(path), "--json").stdout)
    assert [(row["entrant"], row["group"], row["rank"]) for row in found["entrants"]] == [
        *(("ann", 1, 1), ("bob", 1, 1), ("cy", 2, 1), ("dee", 2, 2)),
    ]
    assert [group["entrants"] for group in found["groups"]] == [["ann", "bob"], ["cy", "dee"]]
    assert found["groups"][0] == {
        "entrants": ["ann", "bob"],
        "stronger": [[None, 0.5], [0.5, None]],
        "ranks": [[1, 2]] * 2,
    }


def test_it_shows_who_is_stronger_and_measures_from_an_anchor_as_standings_do(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(TEN + "bob,cy,1\nbob,cy,0.5\n" * 6, encoding="utf-8")
    shown = ask("rate", str(path), "--matrix").stdout.splitlines()
    assert shown[0].split() == ["entrant", "bob", "ann", "cy"]
    assert [line.split()[0] for line in shown[2:5]] == ["bob", "ann", "cy"]
    assert sorted((shown[2].split()[2], shown[3].split()[1])) == ["49", "51"]
    done = ask("rate", str(path), "--anchor", "cy=500")
    assert "+500 (anchor)" in done.stdout
    assert done.stdout.endswith("\nElo: cy is 500 by definition, and ± is of the distance from it\n")
    found = json.loads(ask("rate", str(path), "--anchor", "cy=500", "--json").stdout)
    assert found["anchor"] == {"entrant": "cy", "elo": 500.0}
    assert found["entrants"][2] | {"elo_k": 0} == {
        "rank": 3,
        "rank_low": 1,
        "rank_high": 3,
        "group": 1,
        "entrant": "cy",
        "elo": 500.0,
        "elo_low": 500.0,
        "elo_high": 500.0,
        "wins": 0,
        "draws": 6,
        "losses": 6,
        "elo_k": 0,
    }
    wrong = ask("rate", str(path), "--anchor", "dee=500")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "--anchor: no entrant 'dee' that could be the anchor" in wrong.stderr


@pytest.mark.parametrize("weight", WEIGHTS)
def test_the_least_and_the_greatest_weight_are_rated_but_not_game_by_game(weight: float) -> None:
    text = "a,b,score,weight\n" + f"ann,bob,1,{weight}\n" * 6 + "ann,cy,0,1\nbob,cy,0.5,1\n" * 6
    table = rate(read_results(text, "r"))
    assert all(isfinite(value) for row in table.entrants for value in (row.elo, row.elo_low or 0, row.elo_high or 0))
    assert [row.elo_k is None for row in table.entrants] == [weight > 1] * 3


def test_where_a_weight_is_no_single_game_people_are_told_why_a_column_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("a,b,score,weight\nx,y,1,1000\nx,z,0.5,1\n", encoding="utf-8")
    shown = ask("rate", str(path)).stdout
    assert "\nelo_k is left out: it goes game by game, and a weight above 1 is no single game\n" in shown
    assert {row["elo_k"] for row in json.loads(ask("rate", str(path), "--json").stdout)["entrants"]} == {None}


def test_a_dash_reads_standard_input(tmp_path: Path) -> None:
    done = subprocess.run(
        [*SPADES, "rate", "-", "--json"], input=TEN.encode(), capture_output=True, cwd=tmp_path, timeout=60, check=False
    )
    assert [row["entrant"] for row in json.loads(done.stdout)["entrants"]] == ["ann", "bob"]


# ---------------------------------------------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "r.csv:1: the first line must name the column 'a', as in: a,b,score"),
        ("a,b\nx,y\n", "r.csv:1: the first line must name the column 'score', as in: a,b,score"),
        ("a,b,score,date\n", "r.csv:1: no column 'date' is known here; there are: a, b, score, weight, pair"),
        ("a,a,b,score\n", "r.csv:1: names a column twice"),
        ("a,b,score\n", "r.csv: holds no result; below the line with the columns, write one result a line"),
        ("a,b,score\n\nx,y,2\n", "r.csv:3: score must be 1, 0.5 or 0, what a got, not '2'"),
        ("a,b,score\nx,y,nan\n", "r.csv:2: score must be 1, 0.5 or 0, what a got, not 'nan'"),
        ("a,b,score\nx,y\n", "r.csv:2: has 2 values, the first line names 3 columns"),
        ("a,b,score\nx,,1\n", "r.csv:2: names nobody in column 'b'"),
        ("a,b,score\nx,x,1\n", "r.csv:2: 'x' can't meet itself: a pair of legs takes two entrants"),
        ("a,b,score,weight\nx,y,1,0\n", "r.csv:2: weight must be a number from 0.001 to 1000, not '0'"),
        ("a,b,score,weight\nx,y,1,nan\n", "r.csv:2: weight must be a number from 0.001 to 1000, not 'nan'"),
        ("a,b,score,weight\nx,y,1,much\n", "r.csv:2: weight must be a number from 0.001 to 1000, not 'much'"),
        ("a,b,score,weight\nx,y,1,1001\n", "r.csv:2: weight must be a number from 0.001 to 1000, not '1001'"),
        ("a,b,score,weight\nx,y,1,1e308\n", "r.csv:2: weight must be a number from 0.001 to 1000, not '1e308'"),
        ("a,b,score,weight\nx,y,1,1e-4\n", "r.csv:2: weight must be a number from 0.001 to 1000, not '1e-4'"),
        ('a,b,score\nx,"y\nz",1\n', "r.csv:3: the name in column 'b' has a line break or another invisible character"),
        ('a,b,score\nx,"y"z,1\n', "r.csv:2: is no CSV: ',' expected after '\"'"),
        ('a,b,score\nx,y,1\n"', "r.csv:3: is no CSV: unexpected end of data"),
    ],
)
def test_a_mistake_is_one_line_that_says_where(text: str, line: str) -> None:
    assert refusal(text) == line


@pytest.mark.parametrize(
    ("content", "words"),
    [(None, "No such file"), (b"a,b,score\n\xff,y,1\n", "r.csv:2: is no UTF-8 text; save the file as UTF-8")],
)
def test_a_file_that_cannot_be_read_is_one_line_and_exit_code_2(
    tmp_path: Path, content: bytes | None, words: str
) -> None:
    path = tmp_path / "r.csv"
    if content is not None:
        path.write_bytes(content)
    done = ask("rate", str(path))
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
