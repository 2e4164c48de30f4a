"""How many matches a machine has room for at a time. Asks the system; starts nothing."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from typing import Final, NamedTuple

from spades_harness.table import cores, topology
from spades_harness.tournament.schedule import Entrant

WAITING: Final = 50
"""Matches at a time of bots that all wait for something elsewhere. They need next to no processor, but memory: a lane
with four small bots in Python takes some 40 MiB, and 2 GiB is what a machine that runs tournaments can spare. A service
that answers more than fifty at a time is rare, too."""


class Room(NamedTuple):
    """How many matches may be played at a time."""

    thinking: int
    """That need a processor."""
    waiting: int
    """All of whose bots wait for something elsewhere."""

    @property
    def matches(self) -> int:
        """Of both kinds together."""
        return max(self)


def physical_cores() -> int:
    """How many cores this process may use: a lane each, since of a match's bots only one thinks at a time.

    On Linux a core counts once, however many processors it shows itself as; the mask of this process and the quota of
    its control group hold. A part of a processor is none: a lane would stand still for the rest of each period, with
    the clocks running. Elsewhere nobody tells, and every processor that the system counts is taken for a core.
    """
    counted = len(topology.by_core(cores.EVERYWHERE)) or os.cpu_count() or 1
    share = topology.quota()
    return max(1, counted if share is None else min(counted, math.floor(share)))


def room(jobs: int | None) -> Room:
    """Room for so many matches of whatever kind, or what suits the machine."""
    if jobs is not None:
        return Room(jobs, jobs)
    there = physical_cores()
    return Room(there, max(there, WAITING))


def all_wait(entrants: Iterable[Entrant]) -> bool:
    """Whether every bot of a run only waits."""
    return all(player.waits for entrant in entrants for player in entrant.players)


def crowded(room: Room, *, waits: bool) -> str:
    """What is to be said of more lanes than cores; empty where there are none, or where all bots of a run wait."""
    there = physical_cores()
    if waits or room.thinking <= there:
        return ""
    each = f"{there} core" if there == 1 else f"{there} cores"
    return (
        f"{room.thinking} matches at a time on {each}: their bots share processors, and think more slowly by the"
        f" clock (--jobs {there} gives each match a core)"
    )
