"""Whether each bot of a run can take part: before the first match it starts and plays a hand of its own.

The cards are public, and no others' business: the neighbours sit in this process, and bring about every kind of request
that the rules have. Nothing of it is kept, nor counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

import trio

from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import Rules
from spades_harness.game.score import no_points
from spades_harness.table.bounds import REPLAY
from spades_harness.table.local import Factory
from spades_harness.table.match import Fault, HandRecord, MatchRecord, MatchSpec, Player, Plugin, Result
from spades_harness.table.referee import Event, play_match
from spades_harness.table.seating import open_table
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.room import Room
from spades_harness.tournament.execution.voiding import guarded
from spades_harness.tournament.execution.worker import WorkerLane
from spades_harness.tournament.identity import Terms

from .neighbours import Neighbour, Scene
from .playing import closed, loaded_for

SECRET: Final = secret_of_seed("entrant check")
SCENE: Final = Scene("blind", "number", "number")
"""The partner bids a Double Nil where the rules have one, so that cards are exchanged with it."""
PLACES: Final = ("left", "partner", "right")
"""The neighbours from the bot's left on, clockwise."""


class _Host(Neighbour):
    """A neighbour in the scene of this check."""

    def _role(self, request: object) -> str:
        return str(getattr(SCENE, self.place))


def _name(place: str) -> str:
    """Of a neighbour, as no plugin calls its bots."""
    return f"entrant check: {place}"


_HOSTS: Final[Mapping[str, Factory]] = {_name(place): partial(_Host, place) for place in PLACES}


class _Seen(Exception):
    """The hand is over, or a fault has come before that."""


def troubles(players: Sequence[Player], terms: Terms, files: tuple[str, ...], room: Room) -> Mapping[str, str]:
    """What went wrong with each of these bots that can't take part, in one line; `files` are the plugin files.

    They play in lanes, as in a match, since a bot may do anything to the process that it is started from. One whose
    lateness the machine may explain has further tries.
    """
    specs = {spec.identity: player for player in players for spec in [_spec(player, terms)]}
    found: dict[str, str] = {}
    with Lanes(partial(look_at, files=files), _no_more_than(len(players), room), WorkerLane) as lanes:
        for record in lanes.run(_spec(player, terms) for player in players):
            name = specs[record.identity].name
            found.pop(name, None)
            if said := _said(record):
                found[name] = said
    return {player.name: found[player.name] for player in players if player.name in found}


def _no_more_than(count: int, room: Room) -> Room:
    """No lane for nobody."""
    return Room(min(room.thinking, count), min(room.waiting, count))


def _spec(player: Player, terms: Terms) -> MatchSpec:
    """The bot on the first seat, its neighbours around it."""
    hosts = [Player(place, Plugin(_name(place), in_process=True), waits=player.waits) for place in PLACES]
    seats = len(terms.rules.shape.seats)
    return MatchSpec(
        identity=f"entrant check {player.name}",
        attempt=1,
        rules=_at_any_score(terms.rules),
        format=terms.format,
        secret=SECRET,
        stream=0,
        leg=0,
        players=(player, *(hosts if seats > 2 else hosts[:1]))[:seats],
        limits=terms.limits,
        custody=replace(terms.custody, suspect=REPLAY),
    )


def _at_any_score(rules: Rules) -> Rules:
    """With Double Nil where nobody is behind yet: in a first hand nobody would be asked for it."""
    return replace(rules, blind_deficit=0) if rules.blind_nil else rules


def look_at(spec: MatchSpec, files: tuple[str, ...]) -> MatchRecord:
    """Play the hand; the record has the bot's first fault, if it made one. What goes wrong here makes it void."""
    return guarded(lambda spec: trio.run(_look_at, spec, files), spec)


async def _look_at(spec: MatchSpec, files: tuple[str, ...]) -> MatchRecord:
    faults: list[Fault] = []

    def listen(event: Event) -> None:
        if isinstance(event, Fault | HandRecord):
            faults.extend([event] if isinstance(event, Fault) else [])
            raise _Seen

    loaded = loaded_for(spec, files, _HOSTS)
    async with open_table(spec, loaded.factories, launchers=loaded.launchers) as table:
        with suppress(_Seen):
            await play_match(spec, table, listen)
    over = Result(None, (), no_points(spec.rules), 0)
    return closed(MatchRecord(spec.identity, spec.attempt, over, (), (), tuple(faults), ()), table, spec)


def _said(record: MatchRecord) -> str:
    """What went wrong, in one line; empty if nothing did."""
    if record.result is None:
        return f"its hand came to nothing: {record.void.splitlines()[0]}"
    if not record.faults:
        return ""
    (fault,) = record.faults
    last = record.bots[fault.seat].stderr.strip().splitlines()[-1:]
    what = f"{fault.kind.value}, asked for {fault.asked}: {fault.what}" if fault.hand_no else fault.what
    return ": ".join([what, *last])
