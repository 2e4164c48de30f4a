"""A run that ends when two entrants are told apart: its error rates, and that nothing but results has a say."""

from __future__ import annotations

import os
import random
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.statistics.sprt import (
    FEWEST,
    Decision,
    Evidence,
    Sprt,
    bounds,
    decide,
    expected_score,
    log_likelihood_ratio,
    told,
)
from tournament.playing import entrant, play, setup, tournament
from tournament.test_lanes import Heard, HereLane

RUNS = 4_000 if os.environ.get("SPADES_DEEP") else 400
WIDE = Sprt(elo0=0, elo1=200, alpha=0.05, beta=0.05)
DUEL = replace(setup(entrant("a"), entrant("b", "dull"), game=Boards(4)), options={"rounds": 60}, stop=WIDE)


def simulated(rule: Sprt, elo: float, luck: float, dice: random.Random) -> Decision:
    """What a test finds where the first is so much stronger, and the cards shift both legs by so much, either way."""
    evidence, chance = Evidence(), expected_score(elo)
    while (found := decide(rule, evidence)) is None:
        shift = dice.choice((luck, -luck))
        evidence = evidence.plus([((dice.random() < chance + shift) + (dice.random() < chance - shift)) / 2])
    return found


@pytest.mark.parametrize("luck", [0.0, 0.2, 0.3])
@pytest.mark.parametrize("truth", [Decision.ELO0, Decision.ELO1])
def test_the_wrong_difference_is_found_in_no_more_runs_than_asked(luck: float, truth: Decision) -> None:
    """Wald's bounds hold up to overshoot; four standard errors of so many runs are allowed on top."""
    rule, dice = Sprt(elo0=0, elo1=100, alpha=0.05, beta=0.05), random.Random(11)
    elo = rule.elo0 if truth is Decision.ELO0 else rule.elo1
    wrong = sum(simulated(rule, elo, luck, dice) is not truth for _ in range(RUNS)) / RUNS
    assert wrong <= 0.05 + 4 * (0.05 * 0.95 / RUNS) ** 0.5


def test_the_ratio_is_the_published_formula() -> None:
    """By hand: 1,000 meetings with mean 0.51 and variance 0.1, but for the two that are taken to be known."""
    evidence = Evidence(1000, 510.0, 1000 * (0.1 + 0.51**2))
    s1 = expected_score(10)
    assert log_likelihood_ratio(Sprt(), evidence) == pytest.approx(
        1000 * (s1 - 0.5) * (2 * 0.51 - 0.5 - s1) / 0.2, rel=0.001
    )
    assert log_likelihood_ratio(Sprt(), Evidence()) == 0
    assert [round(bound, 3) for bound in bounds(Sprt())] == [-2.944, 2.944]


def test_nothing_is_decided_on_a_handful_even_where_one_wins_all() -> None:
    assert decide(WIDE, Evidence().plus([1.0] * (FEWEST - 1))) is None
    assert decide(WIDE, Evidence().plus([1.0] * FEWEST)) is Decision.ELO1
    assert decide(WIDE, Evidence().plus([0.0] * FEWEST)) is Decision.ELO0


def played(folder: Path, base: Setup, jobs: int = 1, stops: tuple[int, ...] = ()) -> list[int]:
    """The matches that are played by the end of a run that is thrown over after so many matches, and gone on with."""
    for stop in (*stops, 1_000_000):
        with open_run(folder, base) as run, Lanes(play, jobs, HereLane) as lanes, suppress(KeyboardInterrupt):
            duel = replace(tournament(base, run), stop=base.stop)
            assert not play_out(duel, run, lanes, Heard(stop_after=stop))
            assert run.run.finished
    with open_run(folder, base) as run:
        assert [each.planned.ordinal for each in run.missing()] == list(range(len(run.outcomes()) + 1, 121))
        return [outcome.ordinal for outcome in run.outcomes()]


def test_lanes_and_interruptions_do_not_change_what_is_played(tmp_path: Path) -> None:
    whole = played(tmp_path / "one", DUEL)
    assert FEWEST * 2 <= len(whole) < 120
    assert len(whole) % 2 == 0
    assert played(tmp_path / "two", DUEL, jobs=2, stops=(1, 4, 9)) == whole


def test_a_run_with_another_rule_is_another_run_but_its_matches_are_the_same(tmp_path: Path) -> None:
    with open_run(tmp_path / "a", DUEL) as run:
        assert run.stop() == WIDE
    for other in (replace(DUEL, stop=None), replace(DUEL, stop=replace(WIDE, elo1=50))):
        with pytest.raises(LedgerError, match=r"stop\.sprt\.elo1: 200 there"):
            open_run(tmp_path / "a", other)
    with open_run(tmp_path / "b", replace(DUEL, stop=None)) as run:
        assert run.stop() is None


def test_what_is_said_before_the_fewest_meetings_says_how_many_it_takes() -> None:
    said = told(Sprt(), "a", "b", Evidence().plus([1.0] * (FEWEST - 1)))
    assert said.startswith("SPRT: nothing is decided between a and b (")
    assert said.endswith(f", {FEWEST - 1} meetings of {FEWEST} at least)")
    assert told(Sprt(), "a", "b", Evidence().plus([1.0] * FEWEST)).endswith(f", {FEWEST} meetings)")
