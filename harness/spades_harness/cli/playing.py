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
from spades_harness.plugins import load_registry
from spades_harness.table.launch import BoxError
from spades_harness.table.launchers import UNENCLOSED, Launcher
from spades_harness.table.local import Factory
from spades_harness.table.match import Decision, Fault, HandRecord, MatchRecord, MatchSpec, Plugin
from spades_harness.table.redaction import redacted, values_of
from spades_harness.table.referee import Event, Listener, play_match, with_reports
from spades_harness.table.rehearsal import Finding, rehearse
from spades_harness.table.seating import Hear, open_table
from spades_harness.table.seats import Table
from spades_harness.tournament.execution.voiding import guarded
from spades_harness.tournament.times import now


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
    record = guarded(lambda spec: trio.run(_play, spec, loaded_for(spec, files, own), listen, hear), spec)
    return replace(record, started=started, duration=time.monotonic() - began)


async def _play(spec: MatchSpec, loaded: Loaded, listen: Listener, hear: Hear) -> MatchRecord:
    async with open_table(spec, loaded.factories, hear, loaded.launchers) as table:
        record = await play_match(spec, table, listen)
    return closed(record, table, spec)


def closed(record: MatchRecord, table: Table, spec: MatchSpec) -> MatchRecord:
    """With what the bots left behind, and without what nobody may read."""
    return redacted(with_reports(record, table), values_of(spec.players, os.environ))


class _Enough(Exception):
    """A sample has shown what it was played for."""


def play_sample(spec: MatchSpec, files: tuple[str, ...], seconds: float) -> MatchRecord:
    """As `play`, but broken off after so many seconds: between two hands, or three times later anywhere.

    A record of that has no result, but all that happened so far.
    """
    began = time.monotonic()
    record = guarded(lambda spec: trio.run(_sample, spec, loaded_for(spec, files), seconds), spec)
    return replace(record, duration=time.monotonic() - began)


async def _sample(spec: MatchSpec, loaded: Loaded, seconds: float) -> MatchRecord:
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
    return closed(record, table, spec)


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
        return trio.run(_play_again, spec, seat, record, loaded_for(spec, files, own), hear)
    except BoxError as error:
        raise UserError(str(error)) from None


async def _play_again(spec: MatchSpec, seat: int, record: MatchRecord, loaded: Loaded, hear: Hear) -> Finding:
    async with open_table(spec, loaded.factories, hear, loaded.launchers) as table:
        finding = await rehearse(spec, table, seat, record)
        hear(seat, table[seat].report().stderr.encode())  # of a bot in this process its traceback; others are heard
    return finding


class Loaded(NamedTuple):
    """What a match needs of plugins."""

    factories: Mapping[str, Factory]
    launchers: Mapping[str, Launcher]


def loaded_for(spec: MatchSpec, files: tuple[str, ...], own: Mapping[str, Factory] = MappingProxyType({})) -> Loaded:
    """The bots that play in this process, and what makes the sandbox; no plugin is loaded that a match doesn't need."""
    launches = [player.launch for player in spec.players]
    plugged = any(isinstance(bot, Plugin) and bot.in_process and bot.name not in own for bot in launches)
    factories = {**_bots(files), **own} if plugged else own
    return Loaded(factories, UNENCLOSED if spec.custody.sandbox in UNENCLOSED else _launchers(files))


@lru_cache(maxsize=1)
def _bots(files: tuple[str, ...]) -> Mapping[str, Factory]:
    return {name: bot.factory for name, bot in load_registry(files, kinds=("bots",)).bots.items()}


@lru_cache(maxsize=1)
def _launchers(files: tuple[str, ...]) -> Mapping[str, Launcher]:
    return load_registry(files, kinds=("launchers",)).launchers
