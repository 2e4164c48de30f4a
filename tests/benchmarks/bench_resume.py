"""What it costs to go on with a run of which all is played: twice the matches should cost about twice as much.

The ledger is made without playing more than one match, which is told of again under each identity.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from spades_harness.game.score import Boards
from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.room import room
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule
from spades_harness.tournament.schedules.ladder import LADDER
from spades_harness.tournament.schedules.swiss import SWISS
from tournament.playing import entrant, play, setup, tournament
from tournament.test_lanes import Heard, HereLane

A_BATCH = 100
"""Matches of a batch of the plainest schedule."""


class Teller:
    """Plays one match, and tells of every other that it had the same cards and the same end."""

    def __init__(self) -> None:
        self.record: MatchRecord | None = None

    def __call__(self, spec: MatchSpec) -> MatchRecord:
        self.record = self.record or play(spec)
        return replace(self.record, identity=spec.identity, attempt=spec.attempt)


def by_batches(matches: int) -> Schedule:
    """Two who meet so often, by batches."""

    def schedule(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
        first, last = len(results), min(len(results) + A_BATCH, matches)
        names = tuple(each.name for each in entrants[:2])
        return tuple(Leg(names, n // 2, n % 2, 1 + n // A_BATCH) for n in range(first, last))

    return schedule


@dataclass(frozen=True)
class Case:
    """A tournament of some size."""

    setup: Setup
    schedule: Schedule


def plain(matches: int) -> Case:
    return Case(setup(entrant("a"), entrant("b"), game=Boards(4)), by_batches(matches))


def ladder(entrants: int) -> Case:
    base = setup(*(entrant(f"b{n}") for n in range(entrants)), game=Boards(4))
    return Case(replace(base, options={"streams": 1, "most": 4}), LADDER)


def swiss(rounds: int) -> Case:
    base = setup(*(entrant(f"b{n}") for n in range(64)), game=Boards(4))
    return Case(replace(base, options={"streams": 1, "rounds": rounds}), SWISS)


def go_on(case: Case, folder: Path) -> tuple[int, int]:
    """Play what is missing; how many matches and batches there are then."""
    with open_run(folder, case.setup) as run, Lanes(Teller(), room(1), HereLane) as lanes:
        assert not play_out(tournament(case.setup, run, case.schedule), run, lanes, Heard())
        batches = run.batches()
    return sum(map(len, batches)), len(batches)


def seconds(case: Case, folder: Path) -> tuple[int, int, float]:
    """Matches, batches, and the seconds of processor time that it takes to find that there is nothing left to do."""
    go_on(case, folder)
    began = time.process_time()
    matches, batches = go_on(case, folder)
    return matches, batches, time.process_time() - began


@pytest.mark.parametrize(("make", "size"), [(plain, 1_000), (ladder, 24), (swiss, 12)])
def test_what_it_costs_to_go_on_with_what_is_over(tmp_path: Path, make: Callable[[int], Case], size: int) -> None:
    small, large = (seconds(make(times * size), tmp_path / str(times)) for times in (1, 2))
    for matches, batches, spent in (small, large):
        print(f"\n{make.__name__}: {matches:,} matches in {batches} batches: {spent:.2f} s of processor time", end="")
    print(
        f"\n{make.__name__}: {large[0] / small[0]:.2f} times the matches cost {large[2] / small[2]:.2f} times as much"
    )
