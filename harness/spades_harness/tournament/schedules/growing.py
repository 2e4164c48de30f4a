"""Entrants that join a run which stands in a ledger, and those that play no more in it and have left the file. Pure.

What was planned and played stays: its numbers, its cards, its results. The matches of those who join follow after it.
So do they: in a run that goes on, its own entrants keep the order in which they came, whatever the file's is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from spades_harness.tournament.identity import ENTRANTS, Key, Settings, canonical
from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.schedule import Entrant, ScheduleError

from .placing import Joinable


def without(stored: Settings, gone: Collection[str]) -> Settings:
    """The settings of a run but for these entrants, and for the bots that nobody else has."""
    had = json.loads(stored.get(ENTRANTS, "[]"))
    rest = [each for each in had if not {*gone}.issuperset(each)]
    lost = _bots(had) - _bots(rest)
    return {**{path: value for path, value in stored.items() if not _is_of(path, lost)}, ENTRANTS: canonical(rest)}


def changed(stored: Settings, given: Settings, entrant: str) -> bool:
    """Whether an entrant has other bots in these settings than in those, or one of them has other files."""
    had, has = (_bots_of(entrant, each) for each in (stored, given))
    own = {*has}
    return had != has or any(stored.get(path) != given.get(path) for path in {*stored, *given} if _is_of(path, own))


def _bots_of(entrant: str, settings: Settings) -> list[str]:
    """The names of its bots, by seat; empty if it isn't there."""
    return [bot for each in json.loads(settings.get(ENTRANTS, "[]")) for bot in each.get(entrant, ())]


def _bots(entrants: Iterable[Mapping[str, Sequence[str]]]) -> set[str]:
    return {bot for each in entrants for bots in each.values() for bot in bots}


def _is_of(path: Key, bots: Collection[str]) -> bool:
    """Whether a setting is of one of these bots."""
    return path[0] == "bots" and any(name in bots for name in path[1:2])


def joining(stored: Settings, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """The entrants that a run of these settings doesn't have yet.

    None, unless all those that it has are there: who is gone or has changed is another matter.
    """
    had = json.loads(stored.get(ENTRANTS, "[]"))
    given = [{entrant.name: [player.name for player in entrant.players]} for entrant in entrants]
    if any(each not in given for each in had):
        return ()
    return tuple(entrant for entrant, each in zip(entrants, given, strict=True) if each not in had)


def in_order(stored: Sequence[str], given: Iterable[str]) -> list[str]:
    """All entrants of a run: those that it has, in the order in which they came, then those of the given who join it.

    The order of any two of a run never changes: it makes who is at which place when they meet, and who stands on a
    ladder before whom. What a file's order is counts for a run that is founded on it, and for those who join together.
    """
    return [*stored, *(name for name in given if name not in stored)]


def as_they_came(stored: Settings, entrants: Sequence[Entrant]) -> tuple[Entrant, ...]:
    """These entrants in the order of the run of these settings."""
    given = {entrant.name: entrant for entrant in entrants}
    had = [name for each in json.loads(stored.get(ENTRANTS, "[]")) for name in each]
    return tuple(given[name] for name in in_order(had, given) if name in given)


def refuse_unless_room(
    schedule: str, joinable: Joinable, planned: Collection[Leg], kept: Iterable[Leg], named: Collection[Leg]
) -> None:
    """Raises ScheduleError where others may not join a run of this schedule by now.

    `planned` are all legs that are, `kept` those of them that may be played yet, `named` those that it names at first,
    asked of all: everybody against everybody leaves the meetings that there are as they are.
    """
    if joinable is Joinable.UNTIL_PLANNED and planned:
        raise _no_room(f"{schedule} is joined by nobody once its first matches are planned")
    if joinable is Joinable.WHERE_KEPT and not {*named}.issuperset(kept):
        raise _no_room(f"with more entrants {schedule} names at first not all that is planned by now")


def _no_room(why: str) -> ScheduleError:
    return ScheduleError(f"schedule: {why}: choose another folder with --out")
