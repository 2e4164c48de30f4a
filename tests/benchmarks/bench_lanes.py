"""What more lanes are worth: two on two cores against one, and many matches of bots that only wait against one of them.

Targets: two lanes play at least 1.7 times as many matches a second as one; ten matches at once of bots that wait take
little longer than one. Both are times on the clock, with everything that lanes do: so they mean something on a quiet
machine alone, and the load is told beside them.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import NamedTuple

from benchmarks.paired import say, spread
from spades_harness.cli.playing import play
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.table import cores
from spades_harness.table.bounds import Limits
from spades_harness.table.match import Command, MatchSpec, Player
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.room import Room, physical_cores
from spades_harness.tournament.execution.worker import WorkerLane

MATCHES = 16
"""Of eight boards: a second or more each, so that starts are as much of it as in a tournament."""
TURNS = 5
AT_ONCE = 10
WAIT = 0.05
"""Seconds that a bot waits before each answer; 224 of them are a match."""
LONG = Limits(start=60.0, move=30.0, bank=3600.0)
BOT = """
import time
import spades_bot

class Waiting(spades_bot.Bot):
    def bid(self, request):
        time.sleep({wait})
        return 3

    def play(self, request):
        time.sleep({wait})
        return request.legal[0]

spades_bot.run(Waiting)
"""


def bot(folder: Path, wait: float) -> Player:
    """A bot of the Python SDK that takes so long for each answer, and does nothing meanwhile."""
    (folder / "bot.py").write_text(BOT.format(wait=wait), encoding="utf-8")
    return Player("bot", Command(("{python}", "bot.py"), str(folder)), waits=wait > 0)


def matches(player: Player, count: int, boards: int) -> list[MatchSpec]:
    """So many matches, each on boards of its own."""
    first = MatchSpec("", 1, Rules(), Boards(boards), secret_of_seed(1), 0, 0, (player,) * 4, LONG)
    return [replace(first, identity=f"{number:064x}", stream=number) for number in range(count)]


class Spent(NamedTuple):
    """Seconds of some matches."""

    clock: float
    processor: float
    """Of workers and bots, the lanes' own coming up included; 0 where the system doesn't tell."""


def spent(specs: list[MatchSpec], room: Room | int, warm: int = 0) -> Spent:
    """On all of them, by a clock that starts when so many lanes are up; every match comes to its end."""
    before = processor()
    with Lanes(partial(play, files=()), room, WorkerLane) as lanes:
        first = [replace(spec, identity=f"f{spec.identity[1:]}", format=Boards(4)) for spec in specs[:warm]]
        list(lanes.run(first))
        began = time.monotonic()
        records = list(lanes.run(specs))
        took = time.monotonic() - began
    assert all(record.result and not record.faults for record in records)
    return Spent(took, processor() - before)


def processor() -> float:
    """Seconds that all processes had that were started here and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def load() -> str:
    """How much else the machine does."""
    if sys.platform == "win32":
        return "unknown"
    return f"{os.getloadavg()[0]:.1f}"


def test_two_lanes_against_one(tmp_path: Path) -> None:
    specs = matches(bot(tmp_path, 0), MATCHES, 8)
    say(f"\n{physical_cores()} cores, {len(cores.EVERYWHERE)} processors; load before: {load()}")
    turns = [(spent(specs, 1, 1), spent(specs, 2, 2)) for _ in range(TURNS)]
    ratios = spread([one.clock / two.clock for one, two in turns])
    each = median(one.clock for one, _ in turns) / MATCHES
    say(f"two lanes against one: {ratios} times as many matches, target at least 1.7; a match takes {each:.2f} s")
    dearer = [two.processor / one.processor for one, two in turns if one.processor]
    say(f"processor time of the same matches in two lanes: {spread(dearer) if dearer else 'unknown'} of that in one")
    say(f"load after: {load()}, with the lanes themselves")


def test_many_matches_that_wait_against_one_of_them(tmp_path: Path) -> None:
    specs = matches(bot(tmp_path, WAIT), AT_ONCE, 4)
    say(f"\nload before: {load()}")
    one = spent(specs[:1], 1).clock
    many = spent(specs, Room(1, AT_ONCE)).clock
    took = f"{many:.1f} s, one: {one:.1f} s: {many / one:.2f} times as long"
    say(f"{AT_ONCE} matches that wait {WAIT} s an answer, starts and all: {took}")
