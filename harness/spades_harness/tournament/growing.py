"""Entrants that join a run which stands in a ledger: who they are, and whether its schedule has room for them. Pure.

What was planned and played stays: its numbers, its cards, its results. The matches of those who join follow after it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence

from .identity import Settings
from .outcome import Leg
from .schedule import Entrant, ScheduleError


def joining(stored: Settings, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The entrants that a run of these settings doesn't have yet.

    None, unless all those that it has are there, in their order: who is gone or has changed is another matter.
    """
    had = json.loads(stored.get("entrants", "[]"))
    given = [{entrant.name: [player.name for player in entrant.players]} for entrant in entrants]
    if [each for each in given if each in had] != had:
        return ()
    return tuple(entrant for entrant, each in zip(entrants, given, strict=True) if each not in had)


def refuse_unless_kept(schedule: str, planned: Iterable[Leg], named: Collection[Leg]) -> None:
    """Raises ScheduleError where a schedule, asked of all entrants, no longer names what was planned without some.

    Everybody against everybody leaves the meetings that there are as they are; a knockout would be another.
    """
    if not {*named}.issuperset(planned):
        raise ScheduleError(
            f"schedule: {schedule} has no room for more entrants once it has begun: choose another folder with --out"
        )
