"""Playing one match for real: what lanes are given. It ties a spec to plugins, processes and the referee."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

import trio

from spades_harness.errors import UserError
from spades_harness.game.deal import SECRET_BYTES
from spades_harness.plugins import load_registry
from spades_harness.table.judge import judge_start
from spades_harness.table.launch import BoxError
from spades_harness.table.launchers import UNENCLOSED, Launcher
from spades_harness.table.local import Factory
from spades_harness.table.match import Decision, Fault, HandRecord, MatchRecord, MatchSpec, Player, Plugin
from spades_harness.table.redaction import redacted, values_of
from spades_harness.table.referee import Event, Listener, match_start, play_match, with_reports
from spades_harness.table.rehearsal import Finding, rehearse
from spades_harness.table.seating import Hear, open_table
from spades_harness.table.seats import Table
from spades_harness.tournament.identity import Terms
from spades_harness.tournament.times import now
from spades_harness.tournament.voiding import guarded


def play(spec: MatchSpec, files: tuple[str, ...] = ()) -> MatchRecord:
    """Play a match; `files` are plugin files to load first, once a process.

    Never raises: what goes wrong here is no bot's fault, and makes the match void.
    """
    return play_live(spec, files, listen=lambda _: None, hear=lambda _seat, _data: None)


def play_live(
    spec: MatchSpec,
    files: tuple[str, ...],
    listen: Listener,
    hear: Hear,
    own: Mapping[str, Factory] = MappingProxyType({}),
) -> MatchRecord:
    """As `play`; `listen` hears what happens as it happens, `hear` what bots write to their standard error.

    `own` makes bots that play in this process and that no plugin registers.
    """
    started, began = now(), time.monotonic()
    record = guarded(lambda spec: trio.run(_play, spec, _loaded_for(spec, files, own), listen, hear), spec)
    return replace(record, started=started, duration=time.monotonic() - began)


def handshake(player: Player, terms: Terms, files: tuple[str, ...]) -> str:
    """Start one bot as for a match, and end it: why it doesn't come up, empty if it does."""
    seats = len(terms.rules.shape.seats)
    spec = MatchSpec(
        "handshake",
        1,
        terms.rules,
        terms.format,
        bytes(SECRET_BYTES),
        0,
        0,
        (player,) * seats,
        terms.limits,
        terms.faults,
        custody=terms.custody,
    )
    try:
        return trio.run(_shake_hands, spec, _loaded_for(spec, files))
    except BoxError as error:
        return str(error)


async def _shake_hands(spec: MatchSpec, loaded: _Loaded) -> str:
    async with open_table(spec, loaded.factories, launchers=loaded.launchers) as table:
        reply = await table[0].start(match_start(spec, 0))
    ruling = judge_start(spec.limits.start, reply)
    said = table[0].report().stderr.strip().splitlines()[-1:]
    return ": ".join([ruling.what, *said]) if ruling else ""


async def _play(spec: MatchSpec, loaded: _Loaded, listen: Listener, hear: Hear) -> MatchRecord:
    async with open_table(spec, loaded.factories, hear, loaded.launchers) as table:
        record = await play_match(spec, table, listen)
    return _closed(record, table, spec)


def _closed(record: MatchRecord, table: Table, spec: MatchSpec) -> MatchRecord:
    """With what the bots left behind, and without what nobody may read."""
    return redacted(with_reports(record, table), values_of(spec.players, os.environ))


class _Enough(Exception):
    """A sample has shown what it was played for."""


def play_sample(spec: MatchSpec, files: tuple[str, ...], seconds: float) -> MatchRecord:
    """As `play`, but broken off after so many seconds: between two hands, or three times later anywhere.

    A record of that has no result, but all that happened so far.
    """
    began = time.monotonic()
    record = guarded(lambda spec: trio.run(_sample, spec, _loaded_for(spec, files), seconds), spec)
    return replace(record, duration=time.monotonic() - began)


async def _sample(spec: MatchSpec, loaded: _Loaded, seconds: float) -> MatchRecord:
    heard: list[Event] = []
    began = trio.current_time()

    def listen(event: Event) -> None:
        heard.append(event)
        late = trio.current_time() - began
        if late > (seconds if isinstance(event, HandRecord) else 3 * seconds):
            raise _Enough

    async with open_table(spec, loaded.factories, launchers=loaded.launchers) as table:
        try:
            record = await play_match(spec, table, listen)
        except _Enough:
            record = _so_far(spec, heard)
    return _closed(record, table, spec)


def _so_far(spec: MatchSpec, heard: Sequence[Event]) -> MatchRecord:
    """What was heard of a match that was broken off, as a record without a result."""
    hands = tuple(event for event in heard if isinstance(event, HandRecord))
    decisions = tuple(event for event in heard if isinstance(event, Decision))
    faults = tuple(event for event in heard if isinstance(event, Fault))
    return MatchRecord(spec.identity, spec.attempt, None, hands, decisions, faults, ())


def play_again(
    spec: MatchSpec,
    seat: int,
    record: MatchRecord,
    files: tuple[str, ...],
    hear: Hear,
    own: Mapping[str, Factory] = MappingProxyType({}),
) -> Finding:
    """Go through a recorded match with the bot of one seat, the only one that is started; the rest as `play_live`."""
    try:
        return trio.run(_play_again, spec, seat, record, _loaded_for(spec, files, own), hear)
    except BoxError as error:
        raise UserError(str(error)) from None


async def _play_again(spec: MatchSpec, seat: int, record: MatchRecord, loaded: _Loaded, hear: Hear) -> Finding:
    async with open_table(spec, loaded.factories, hear, loaded.launchers) as table:
        finding = await rehearse(spec, table, seat, record)
        hear(seat, table[seat].report().stderr.encode())  # of a bot in this process its traceback; others are heard
    return finding


class _Loaded(NamedTuple):
    """What a match needs of plugins."""

    factories: Mapping[str, Factory]
    launchers: Mapping[str, Launcher]


def _loaded_for(spec: MatchSpec, files: tuple[str, ...], own: Mapping[str, Factory] = MappingProxyType({})) -> _Loaded:
    """The bots that play in this process, and what makes the sandbox; no plugin is loaded that a match doesn't need."""
    launches = [player.launch for player in spec.players]
    plugged = any(isinstance(bot, Plugin) and bot.in_process and bot.name not in own for bot in launches)
    factories = {**_bots(files), **own} if plugged else own
    return _Loaded(factories, UNENCLOSED if spec.custody.sandbox in UNENCLOSED else _launchers(files))


@lru_cache(maxsize=1)
def _bots(files: tuple[str, ...]) -> Mapping[str, Factory]:
    return {name: bot.factory for name, bot in load_registry(files, kinds=("bots",)).bots.items()}


@lru_cache(maxsize=1)
def _launchers(files: tuple[str, ...]) -> Mapping[str, Launcher]:
    return load_registry(files, kinds=("launchers",)).launchers
