"""Entrants that join a run which stands in a ledger, and those that play no more in it and have left the file. Pure.

What was planned and played stays: its numbers, its cards, its results. The matches of those who join follow after it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from spades_harness.tournament.identity import Settings, canonical
from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.schedule import Entrant, ScheduleError


def without(stored: Settings, gone: Collection[str]) -> Settings:
    """The settings of a run but for these entrants, and for the bots that nobody else has."""
    had = json.loads(stored.get("entrants", "[]"))
    rest = [each for each in had if not {*gone}.issuperset(each)]
    bots, all_bots = _bots(rest), _bots(had)
    lost = {path for path in stored if path.startswith(_under(all_bots - bots)) and not path.startswith(_under(bots))}
    return {**{path: stored[path] for path in stored if path not in lost}, "entrants": canonical(rest)}


def changed(stored: Settings, given: Settings, entrant: str) -> bool:
    """Whether a bot of an entrant is another in these settings than in those, or has other files."""
    own = _under(_bots(each for each in json.loads(given.get("entrants", "[]")) if entrant in each))
    return any(stored.get(path) != given.get(path) for path in {*stored, *given} if path.startswith(own))


def _bots(entrants: Iterable[Mapping[str, Sequence[str]]]) -> set[str]:
    return {bot for each in entrants for bots in each.values() for bot in bots}


def _under(bots: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"bots.{bot}." for bot in bots)


def joining(stored: Settings, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The entrants that a run of these settings doesn't have yet.

    None, unless all those that it has are there, in their order: who is gone or has changed is another matter.
    """
    had = json.loads(stored.get("entrants", "[]"))
    given = [{entrant.name: [player.name for player in entrant.players]} for entrant in entrants]
    if [each for each in given if each in had] != had:
        return ()
    return tuple(entrant for entrant, each in zip(entrants, given, strict=True) if each not in had)


def in_order(stored: Sequence[str], given: Sequence[str]) -> list[str]:
    """All entrants in the order of those that are given; the others behind whom they stood behind before.

    The order of any two of a run never changes: it makes who is at which place when they meet.
    """
    found = [*given]
    for number, name in enumerate(stored):
        if name not in found:
            found.insert(found.index(stored[number - 1]) + 1 if number else 0, name)
    return found


def refuse_unless_kept(schedule: str, planned: Iterable[Leg], named: Collection[Leg]) -> None:
    """Raises ScheduleError where a schedule, asked of all entrants, no longer names what was planned without some.

    Everybody against everybody leaves the meetings that there are as they are; a knockout would be another.
    """
    if not {*named}.issuperset(planned):
        raise ScheduleError(
            f"schedule: {schedule} has no room for more entrants once it has begun: choose another folder with --out"
        )
