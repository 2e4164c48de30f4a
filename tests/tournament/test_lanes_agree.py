"""However many lanes play, in whatever order they end, and though one is shot: the standings are the same."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cli.calling import ask
from spades_harness.game.score import Boards
from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.tournament.execution.lanes import Lane, Lanes, Play
from spades_harness.tournament.execution.worker import WorkerLane
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run, read_ledger
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.statistics.sprt import Sprt

from .playing import FIELD, entrant, play, setup, tournament
from .test_lanes import Heard, HereLane, remembered

DUEL = replace(
    setup(entrant("a"), entrant("b", "dull"), game=Boards(4)),
    options={"rounds": 40},
    stop=Sprt(elo0=0, elo1=200, alpha=0.05, beta=0.05),
)
"""Two entrants, of whom one is soon shown to be the stronger."""


def play_until_shot(spec: MatchSpec) -> MatchRecord:
    """A match whose worker is shot in the first attempt at some of them; so each number of lanes loses a few."""
    if (
        sys.platform != "win32"
        and spec.attempt == 1
        and (spec.stream, spec.leg, int(spec.identity[0], 16) % 3) == (0, 1, 0)
    ):
        os.kill(os.getpid(), signal.SIGKILL)
    return play(spec)


def played(folder: Path, base: Setup, jobs: int, how: Play = remembered, make: Callable[[], Lane] = HereLane) -> str:
    """The standings of a run in so many lanes, as a machine reads them."""
    with open_run(folder, base) as run, Lanes(how, jobs, make) as lanes:
        assert not play_out(replace(tournament(base, run), stop=base.stop), run, lanes, Heard())
    done = ask("standings", str(folder), "--json")
    assert done.returncode == 0
    return done.stdout


def void(folder: Path) -> int:
    with read_ledger(folder) as ledger:
        kept = ledger.kept()
        return len(kept) - len(ledger.outcomes())


@pytest.mark.skipif(sys.platform == "win32", reason="a worker is shot by a signal")
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_standings_are_the_same_byte_for_byte_for_any_number_of_lanes_though_one_is_shot(
    tmp_path: Path, jobs: int
) -> None:
    """PR-01: real workers, a SIGKILL in the middle."""
    assert played(tmp_path / "shot", FIELD, jobs, play_until_shot, WorkerLane) == played(tmp_path / "whole", FIELD, 1)
    assert void(tmp_path / "shot") > 0
    assert void(tmp_path / "whole") == 0
    assert ask("verify", str(tmp_path / "shot")).returncode == 0


@pytest.mark.parametrize("jobs", [2, 5])
def test_a_rule_to_stop_stops_at_the_same_match_for_any_number_of_lanes(tmp_path: Path, jobs: int) -> None:
    """What lanes play beyond it, since they would idle, is in no ledger."""
    watched: list[MatchSpec] = []

    def noted(spec: MatchSpec) -> MatchRecord:
        watched.append(spec)
        return remembered(spec)

    assert played(tmp_path / "many", DUEL, jobs, noted) == played(tmp_path / "one", DUEL, 1)
    with read_ledger(tmp_path / "many") as many, read_ledger(tmp_path / "one") as one:
        kept = len(one.outcomes())
        assert many.outcomes() == one.outcomes()
        assert [each.link.ordinal for each in many.kept()] == list(range(1, kept + 1))
        assert kept < len(one.planned())
    assert kept < len(watched) < kept + jobs


def test_a_run_in_slices_plays_no_match_twice_when_it_is_gone_on_with(tmp_path: Path) -> None:
    """PR-01: what was played ahead of its turn is not in the ledger yet, and is played again."""
    for stop in (1, 4, 9):
        with open_run(tmp_path / "stopped", DUEL) as run, Lanes(remembered, 3, HereLane) as lanes:
            with pytest.raises(KeyboardInterrupt):
                play_out(replace(tournament(DUEL, run), stop=DUEL.stop), run, lanes, Heard(stop_after=stop))
            kept = [each.link.ordinal for each in run.kept()]
            assert max(kept) - len(kept) in {0, 1}  # of the last slice one may be missing
    assert played(tmp_path / "stopped", DUEL, 3) == played(tmp_path / "whole", DUEL, 1)
