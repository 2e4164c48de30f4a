"""An anchor: what it moves, what the intervals then mean, where it is kept, and that nothing played knows it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from cli.calling import ask, spades
from spades_harness.errors import UserError
from spades_harness.tournament.anchor import Anchor, typed_anchor
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.statistics.comparison import chances_of, compare
from spades_harness.tournament.statistics.rating import PairResult, Rated, elo, observations
from spades_harness.tournament.statistics.strength import ELO

from .playing import FIELD
from .test_rating import NAMES, TOURNAMENTS, Scorer, decided_by_the_pair, legs_apart, legs_mirrored, share, width

DEEP = bool(os.environ.get("SPADES_DEEP"))
ACE = Anchor("ace", 1000)

# --- What it means ----------------------------------------------------------------------------------------------------


@given(TOURNAMENTS)
def test_all_of_its_group_move_with_the_anchor_and_nobody_else_does(pairs: list[PairResult]) -> None:
    """RS-10: of those who never met it nobody knows how far they are from it."""
    plain, moved = elo(NAMES, pairs), elo(NAMES, pairs, ACE)
    groups = compare(observations(pairs))
    own = next((group.entrants for group in groups if "ace" in group.entrants), ())
    for name in NAMES:
        if name in own:
            assert moved[name].elo == pytest.approx(plain[name].elo - plain["ace"].elo + 1000, abs=1e-5)
        else:
            assert moved[name] == plain[name]
    if own:
        assert moved["ace"] == Rated(1000.0, 1000.0, 1000.0)


def test_the_interval_of_another_is_that_of_its_distance_from_the_anchor() -> None:
    """Of two who met nobody else each stands half of it from the mean, and the whole of it from the other."""
    pairs = [PairResult("ace", "bower", (won,)) for won in (1.0, 1.0, 0.0)] * 10
    assert width(elo(NAMES, pairs, ACE)["bower"]) == pytest.approx(2 * width(elo(NAMES, pairs)["bower"]), abs=1e-5)
    (chance,) = (chances_of(compare(observations(pairs)), NAMES)[1][0],)
    assert chance is not None
    high = elo(NAMES, pairs, ACE)["bower"].high
    assert high is not None
    assert (high < 1000) == (chance < 0.025)


def test_too_few_pairs_of_the_anchor_leave_nobody_an_interval_but_itself() -> None:
    """RS-11."""
    pairs = [PairResult("ace", "bower", (1.0, 0.0))] * 4 + [PairResult("bower", "club", (1.0, 0.0))] * 20
    found = elo(NAMES, pairs, ACE)
    assert found["ace"] == Rated(1000.0, 1000.0, 1000.0)
    assert [found[name].low for name in ("bower", "club")] == [None, None]
    assert elo(NAMES, [*pairs, pairs[0]], ACE)["club"].low is not None


COUNT = 1000 if DEEP else 25


@pytest.mark.parametrize("scorer", [decided_by_the_pair, legs_apart, legs_mirrored])
def test_intervals_from_the_anchor_hold_95_times_in_100_and_its_copy_is_told_from_it_in_5(scorer: Scorer) -> None:
    fields = [("AB", 30, 150), ("ABC", 10, 100), ("ABCDEF", 6, 50), ("ABCDEF", 20, 200), ("ABCDEFGHIJKL", 2, 150)]
    dice, held, apart = Random(scorer.__name__), [], []
    for names, rounds, gap in fields * COUNT:
        true = {name: dice.gauss(0, gap) for name in names}
        true["B"] = true["A"]
        found = anchored(dice, true, rounds, scorer)
        hits = [(found[name].low or 0) <= true[name] - true["A"] <= (found[name].high or 0) for name in names[1:]]
        held += hits
        apart.append(not hits[0])
    slack = 0 if DEEP else 3
    assert 93 - slack <= 100 * sum(held) / len(held) <= 97 + slack
    assert 3 - slack <= 100 * sum(apart) / len(apart) <= 7 + slack


def anchored(dice: Random, true: Mapping[str, float], rounds: int, scorer: Scorer) -> Mapping[str, Rated]:
    """A simulated tournament of all against all, rated from A at 0."""
    return elo(
        [*true],
        [
            PairResult(a, b, scorer(dice, share((true[a] - true[b]) / ELO)))
            for a, b in combinations(true, 2)
            for _ in range(rounds)
        ],
        Anchor("A", 0),
    )


# --- Where it is kept -------------------------------------------------------------------------------------------------


def test_it_may_change_with_each_call_and_stands_in_the_ledger(tmp_path: Path) -> None:
    """It is no part of what makes the run this run; the head of a finished one is made anew with it."""
    heads = []
    for anchor in (None, ACE, ACE, Anchor("ace", 1000.5), Anchor("bower", 1000), None):
        with open_run(tmp_path, replace(FIELD, anchor=anchor)) as run:
            run.finish()
            heads.append(run.run.head)
        with read_ledger(tmp_path) as ledger:
            assert ledger.anchor() == anchor
            assert verify(ledger, heads[-1]).differences == ()
    assert heads[0] == heads[5]
    assert heads[1] == heads[2]
    assert len(set(heads)) == 4


def test_one_that_this_version_does_not_know_is_one_line(tmp_path: Path) -> None:
    with open_run(tmp_path, replace(FIELD, anchor=ACE)) as run:
        run._db.execute("UPDATE setting SET value = '7' WHERE path = 'standings.anchor'")
        with pytest.raises(LedgerError, match=r"standings\.anchor: .*; choose with --anchor"):
            run.anchor()


def test_nothing_that_is_played_knows_of_it() -> None:
    fixed: Setup = replace(FIELD, anchor=ACE)
    assert (fixed.settings, fixed.terms) == (FIELD.settings, FIELD.terms)


# --- As people meet it ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["", "ace", "=5", "ace=", "ace=much", "ace=nan", "ace=1e9"])
def test_what_is_no_anchor_is_one_line(typed: str) -> None:
    with pytest.raises(UserError, match=r"^--anchor: must be one entrant with a number from -10000 to 10000, as in"):
        typed_anchor(typed)


def test_a_name_may_have_any_letters() -> None:
    assert typed_anchor("a=b=-12.5") == Anchor("a=b", -12.5)


FILE = (
    "{name: small, seed: 7, anchor: {ann: 1000}, format: {boards: 4}, schedule: {round_robin: {rounds: 5}}, "
    "entrant_check: play, "
    "bots: [{name: ann, bot: threes}, {name: bob, bot: counter}]}"
)


def test_a_run_is_shown_from_the_anchor_of_its_file_or_for_one_look_from_another(tmp_path: Path) -> None:
    def listed(*words: str) -> tuple[object, dict[str, float]]:
        found = json.loads(ask("standings", run, "--json", *words).stdout)
        return found["anchor"], {row["entrant"]: row["elo"] for row in found["entrants"]}

    run = str(tmp_path / "runs/small")
    (tmp_path / "t.yaml").write_text(FILE.replace("{ann:", "{amm:"), encoding="utf-8")
    refused = spades("run", "t.yaml", cwd=tmp_path)
    assert refused.stderr == (
        "spades: t.yaml:1:32: anchor: no entrant 'amm' that could be the anchor; there are: ann, bob\n"
    )
    (tmp_path / "t.yaml").write_text(FILE, encoding="utf-8")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert "+1000 (anchor)" in done.stdout
    assert "\nElo: ann is 1000 by definition, and ± is of the distance from it\n" in done.stdout
    anchor, elos = listed()
    assert (anchor, elos["ann"]) == ({"entrant": "ann", "elo": 1000.0}, 1000.0)
    anchor, other = listed("--anchor", "bob=0")
    assert other["bob"] == 0
    assert other["ann"] == pytest.approx(1000 - elos["bob"], abs=0.11)
    unknown = ask("standings", run, "--anchor", "bo=0")
    assert (unknown.returncode, unknown.stderr) == (
        2, "spades: --anchor: no entrant 'bo' that could be the anchor; did you mean 'bob'?\n"
    )  # fmt: skip
    (tmp_path / "t.yaml").write_text(FILE.replace("anchor: {ann: 1000}, ", ""), encoding="utf-8")
    assert spades("run", "t.yaml", cwd=tmp_path).returncode == 0
    anchor, plain = listed()
    assert (anchor, plain["ann"]) == (None, -plain["bob"])
