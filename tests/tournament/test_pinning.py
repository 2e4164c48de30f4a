"""A lane plays on a processor of its own, where the match fits on one."""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.table import cores
from spades_harness.table.bounds import Custody, Resources
from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.tournament.execution.voiding import void
from spades_harness.tournament.execution.worker import WorkerLane, fits_on_one

from .playing import specs

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or len(cores.EVERYWHERE) < 2, reason="a processor of its own takes Linux, and two of them"
)


def where(spec: MatchSpec) -> MatchRecord:
    """A match that comes to nothing but a list of the processors that it was played on."""
    return void(spec, json.dumps(sorted(cores.allowed())))


def played_on(lane: WorkerLane, spec: MatchSpec) -> frozenset[int]:
    """Where a lane plays a match."""
    return frozenset(json.loads(lane.submit(where, spec).result(timeout=60).void))


@pytest.fixture
def spec(tmp_path: Path) -> MatchSpec:
    """Any match."""
    return specs(tmp_path)[0]


@pytest.fixture
def lane() -> Iterator[WorkerLane]:
    """A lane, while all other processors are taken by none."""
    lane = WorkerLane()
    yield lane
    lane.close()


def test_a_match_that_may_use_more_than_one_processor_is_not_kept_to_one(lane: WorkerLane, spec: MatchSpec) -> None:
    wide = replace(spec, custody=Custody(resources=Resources(cores=2)))
    assert played_on(lane, wide) == cores.EVERYWHERE
    on = played_on(lane, spec)
    assert len(on) == 1 or on == cores.EVERYWHERE  # other lanes of this machine may have taken them all
    assert played_on(lane, wide) == cores.EVERYWHERE


def test_a_match_fits_on_one_processor_unless_its_bots_may_think_at_once_or_need_none(spec: MatchSpec) -> None:
    waiting = replace(spec.players[0], waits=True)
    assert fits_on_one(spec)
    assert fits_on_one(replace(spec, players=(waiting, *spec.players[1:])))
    assert not fits_on_one(replace(spec, players=(waiting,) * 4))
    assert not fits_on_one(replace(spec, custody=Custody(ponder=True)))


def test_lanes_of_matches_that_wait_take_no_processor_from_those_that_think(spec: MatchSpec) -> None:
    waiting = replace(spec, players=tuple(replace(player, waits=True) for player in spec.players))
    lanes = [WorkerLane() for _ in range(len(cores.EVERYWHERE) + 1)]
    try:
        assert {played_on(lane, waiting) for lane in lanes} == {cores.EVERYWHERE}
        there = [played_on(lane, spec) for lane in lanes]
        own = [on for on in there if len(on) == 1]
        assert len(set(own)) == len(own)  # other lanes of this machine may have taken some of them
    finally:
        for lane in lanes:
            lane.close()


def take_all(said: multiprocessing.Queue[list[int | None]], end: multiprocessing.synchronize.Event) -> None:
    """Take every processor that can be had, until told to end."""
    said.put([cores.take() for _ in range(len(cores.EVERYWHERE) + 1)])
    end.wait(60)


def test_no_processor_is_taken_twice_and_lanes_beyond_them_have_none(spec: MatchSpec) -> None:
    context = multiprocessing.get_context("spawn")
    said, end = context.Queue(), context.Event()
    other = context.Process(target=take_all, args=(said, end))
    other.start()
    try:
        *taken, none = said.get(timeout=60)
        mine = [core for core in taken if core is not None]
        assert len(set(mine)) == len(mine)
        assert none is None
        lane = WorkerLane()
        try:
            on = played_on(lane, spec)
            assert on == cores.EVERYWHERE or not on & {*mine}  # who had the rest may have let go of it meanwhile
        finally:
            lane.close()
    finally:
        end.set()
        other.join(60)
