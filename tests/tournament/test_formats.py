"""What all schedules that look at results have in common: they end, resume, and are the same plan whoever asks."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

from spades_harness.builtin import spades_register_schedules
from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import RunLedger, open_run
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import OptionValue

from .playing import entrant, play, setup, tournament
from .test_lanes import Heard, HereLane

SCHEDULES = spades_register_schedules()
GIVEN: dict[str, dict[str, OptionValue]] = {
    "round_robin": {"rounds": 1},
    "adaptive": {"rounds": 2, "first": 1},
    "gauntlet": {"rounds": 2, "field": ("b", "d")},
    "swiss": {"rounds": 3, "streams": 1},
    "knockout": {"elimination": "double", "streams": 1, "extra": 2, "seeds": ("d",)},
    "ladder": {"streams": 1, "most": 2},
    "mixer": {"rounds": 5},
}
"""Short ones of each that ships."""

remembered = lru_cache(maxsize=None)(play)


def founded(name: str) -> Setup:
    """Five entrants, of whom one plays like another: they draw."""
    five = (entrant("a"), entrant("b", "dull"), entrant("c"), entrant("d", "dull"), entrant("e"))
    return replace(setup(*five, game=Boards(4)), schedule=name, options=GIVEN[name])


def go_on(run: RunLedger, base: Setup, stop_after: int = 1_000) -> Heard:
    heard = Heard(stop_after=stop_after)
    with suppress(KeyboardInterrupt), Lanes(remembered, 1, HereLane) as lanes:
        assert not play_out(tournament(base, run, SCHEDULES[base.schedule]), run, lanes, heard)
    return heard


def test_every_schedule_that_ships_is_among_these() -> None:
    assert {*GIVEN} == {*SCHEDULES}


@pytest.mark.parametrize("name", GIVEN)
def test_a_run_that_was_stopped_again_and_again_is_the_run_that_was_not(tmp_path: Path, name: str) -> None:
    base = founded(name)
    with open_run(tmp_path / "whole", base) as whole:
        go_on(whole, base)
        plan, outcomes = whole.planned(), whole.outcomes()
        assert whole.run.finished
    assert len(plan) == len(outcomes) > 6
    played: list[str] = []
    for stop in (1, 4, 3, 1_000):
        with open_run(tmp_path / "stopped", base) as run:
            played += [line.split()[1] for line in go_on(run, base, stop).lines if line.startswith("played")]
    with open_run(tmp_path / "stopped", base) as run:
        assert run.planned() == plan
        assert run.outcomes() == outcomes
        assert run.run.head is not None
    assert played == [f"{number}:" for number in range(1, len(plan) + 1)]


PLAN = """
from tournament.simulating import field, legs_of, options, played
from tournament.test_formats import GIVEN, SCHEDULES
for name, given in GIVEN.items():
    given = {**given, **{key: ("b1", "b3") for key in given.keys() & {"field", "seeds"}}}
    print(name, *legs_of(played(SCHEDULES[name], field(11), options(**given))[0]))
"""


def test_the_plan_is_the_same_in_every_process() -> None:
    """Whatever the seed of Python's hashes."""
    told = set()
    for seed in ("0", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parents[1])}
        done = subprocess.run([sys.executable, "-c", PLAN], env=env, capture_output=True, check=True, timeout=60)
        told.add(done.stdout)
    (plan,) = told
    assert len(plan.splitlines()) == len(GIVEN)
