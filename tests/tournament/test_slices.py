"""A run that has to be over in time: on a clock that only matches move."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.records.ledger import Planned, open_run
from spades_harness.tournament.runner import next_batch, play_out
from spades_harness.tournament.slices import TimeBox, TimeIsUp, slices
from tournament.playing import FIELD, play, tournament
from tournament.test_lanes import Heard, HereLane

ROUND = 6
"""Matches of a round of the field: three meetings of two legs."""


class Watch:
    """A clock that stands still but for the matches played under it."""

    def __init__(self, seconds: Sequence[float]) -> None:
        """`seconds` of each match in turn."""
        self.now, self.seconds = 1000.0, list(seconds)

    def __call__(self) -> float:
        return self.now

    def play(self, spec: MatchSpec) -> MatchRecord:
        self.now += self.seconds.pop(0)
        return play(spec)


def run_within(folder: Path, seconds: float, watch: Watch) -> tuple[int, bool, bool]:
    """How many matches have a result after this, whether the time was up, and whether the secret may be shown."""
    with open_run(folder, FIELD) as run:
        up = False
        with Lanes(watch.play, 1, HereLane) as lanes:
            try:
                play_out(tournament(FIELD, run), run, lanes, Heard(), TimeBox(watch.now + seconds, watch))
            except TimeIsUp:
                up = True
        return len(run.outcomes()), up, run.run.finished is not None


@pytest.mark.parametrize(
    ("box", "each", "played"),
    [
        (12.0, [1.0] * 12, 12),
        (11.9, [1.0] * 12, 6),
        (0.0, [1.0] * 12, 6),
        (15.0, [2.0] * 6 + [0.5] * 6, 6),
        (24.0, [2.0] * 6 + [5.0] * 6, 12),
    ],
    ids=["just fits", "just doesn't", "the first is always played", "as long as the longest", "a guess, no promise"],
)
def test_a_run_ends_after_the_last_whole_round_that_fits(
    tmp_path: Path, box: float, each: list[float], played: int
) -> None:
    assert run_within(tmp_path, box, Watch(each)) == (played, played < 12, played == 12)


def test_a_run_whose_time_was_up_goes_on_with_the_next_round_and_ends_as_in_one_go(tmp_path: Path) -> None:
    """PR-01: what was played is no part of the next call's time."""
    watch = Watch([1.0] * 12)
    assert run_within(tmp_path / "twice", 1, watch) == (6, True, False)
    assert run_within(tmp_path / "twice", 1, watch) == (12, False, True)
    assert not watch.seconds
    run_within(tmp_path / "once", 100, Watch([1.0] * 12))
    with open_run(tmp_path / "twice", FIELD) as twice, open_run(tmp_path / "once", FIELD) as once:
        assert twice.outcomes() == once.outcomes()


def test_slices_are_the_batch_in_its_order_cut_between_rounds(tmp_path: Path) -> None:
    with open_run(tmp_path, FIELD) as run:
        batch: tuple[Planned, ...] = next_batch(tournament(FIELD, run), (), ())
    parts = list(slices(batch))
    assert tuple(each for part in parts for each in part) == batch
    assert [len(part) for part in parts] == [ROUND, ROUND]
    assert [{each.leg.stream for each in part} for part in parts] == [{0}, {1}]
    assert list(slices(())) == []
