"""What a match costs on a cluster beyond what it costs in a lane here: spec there, record back, a scheduler between.

A cluster of one worker on this machine against one lane, by the clock, in turns, on matches so short that what is more
shows: bots in the lane's process, which answer at once. A network adds its round trips.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.bench_lanes import load
from benchmarks.paired import say, spread
from spades_harness.cli.intended import tournament_of
from spades_harness.cli.opening import open_tournament
from spades_harness.cli.outfitting import fitting, kits_of, noting
from spades_harness.cli.playing import play
from spades_harness.table.match import MatchSpec
from spades_harness.tournament.execution.cluster import dask
from spades_harness.tournament.execution.executors import Executor, Job, lanes
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.file.bots import Bot, unbuilt_player
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.runner import next_batch

MATCHES = 20
TURNS = 5
FILE = """
{name: cluster, seed: 1, format: {boards: 8}, schedule: {round_robin: {rounds: 10}}, bots: [
  {name: ann, plugin: threes, in_process: true}, {name: bob, plugin: threes, in_process: true}]}
"""


def test_a_match_on_a_cluster_against_one_in_a_lane(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(FILE, encoding="utf-8")
    job, specs = prepared(tmp_path / "t.yaml")
    say(f"\nload before: {load()}")
    with up(lanes, "", job) as here, up(dask, "local:1", job) as there:
        turns = [(took(here, specs), took(there, specs)) for _ in range(TURNS)]
    more = [1000 * (far - near) / len(specs) for near, far in turns]
    each = [1000 * near / len(specs) for near, _ in turns]
    say(f"a match in a lane: {spread(each)} ms; on a cluster of one worker {spread(more)} ms more")
    say(f"load after: {load()}, with the matches themselves")


def prepared(file: Path) -> tuple[Job, list[MatchSpec]]:
    """The job of a tournament file, and its first matches."""
    opened = open_tournament(str(file), None, ())
    noted: dict[str, Bot] = {}
    roster = opened.roster(noting(unbuilt_player, noted))
    entrants = roster.entrants
    terms, kits = opened.terms(), kits_of(entrants, noted)
    batch = next_batch(tournament_of(opened, roster, terms), (), ())
    specs = [make_spec(terms, {each.name: each for each in entrants}, planned.leg) for planned in batch[:MATCHES]]
    return Job(partial(play, files=()), 1, waits=False, kits=kits, fit=fitting(opened, kits), tell=say), specs


@contextmanager
def up(executor: Executor, where: str, job: Job) -> Iterator[Lanes]:
    with executor(where, job) as site, Lanes(job.play, lambda: site.room, site.lane) as made:
        yield made


def took(made: Lanes, specs: list[MatchSpec]) -> float:
    """Seconds of all of them, after one that only warms up."""
    list(made.run(specs[:1]))
    began = time.monotonic()
    records = list(made.run(specs))
    assert all(record.result and not record.faults for record in records)
    return time.monotonic() - began
