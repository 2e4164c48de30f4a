"""Playing one match for real: what lanes are given. It ties a spec to plugins, processes and the referee."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import trio

from spades_harness.game.deal import SECRET_BYTES
from spades_harness.plugins import load_registry
from spades_harness.table.judge import judge_start
from spades_harness.table.local import Factory
from spades_harness.table.match import MatchRecord, MatchSpec, Player, Plugin
from spades_harness.table.process import Hear, open_table
from spades_harness.table.referee import Listener, match_start, play_match, with_reports
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
    record = guarded(lambda spec: trio.run(_play, spec, _factories(spec, files, own), listen, hear), spec)
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
    )
    return trio.run(_shake_hands, spec, _factories(spec, files))


async def _shake_hands(spec: MatchSpec, factories: Mapping[str, Factory]) -> str:
    async with open_table(spec, factories) as table:
        reply = await table[0].start(match_start(spec, 0))
    ruling = judge_start(spec.limits.start, reply)
    said = table[0].report().stderr.strip().splitlines()[-1:]
    return ": ".join([ruling.what, *said]) if ruling else ""


async def _play(spec: MatchSpec, factories: Mapping[str, Factory], listen: Listener, hear: Hear) -> MatchRecord:
    async with open_table(spec, factories, hear) as table:
        record = await play_match(spec, table, listen)
    return with_reports(record, table)


def _factories(
    spec: MatchSpec, files: tuple[str, ...], own: Mapping[str, Factory] = MappingProxyType({})
) -> Mapping[str, Factory]:
    """The bots that play in this process, by name; no plugin is loaded for a table that doesn't need one."""
    launches = [player.launch for player in spec.players]
    if any(isinstance(bot, Plugin) and bot.in_process and bot.name not in own for bot in launches):
        return {**_loaded(files), **own}
    return own


@lru_cache(maxsize=1)
def _loaded(files: tuple[str, ...]) -> Mapping[str, Factory]:
    return {name: bot.factory for name, bot in load_registry(files, kinds=("bots",)).bots.items()}
