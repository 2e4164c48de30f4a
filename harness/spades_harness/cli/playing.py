"""Playing one match for real: what lanes are given. It ties a spec to plugins, processes and the referee."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache, partial

import trio

from spades_harness.plugins import load_registry
from spades_harness.table.local import Factory
from spades_harness.table.match import MatchRecord, MatchSpec, Plugin
from spades_harness.table.process import Hear, open_table
from spades_harness.table.referee import Listener, play_match, with_reports


def play(spec: MatchSpec, files: tuple[str, ...] = ()) -> MatchRecord:
    """Play a match; `files` are plugin files to load first, once a process.

    Never raises: what goes wrong here is no bot's fault, and makes the match void.
    """
    return play_live(spec, files, listen=lambda _: None, hear=lambda _seat, _data: None)


def play_live(spec: MatchSpec, files: tuple[str, ...], listen: Listener, hear: Hear) -> MatchRecord:
    """As `play`; `listen` hears what happens as it happens, `hear` what bots write to their standard error."""
    started, began = datetime.now(UTC).isoformat(timespec="milliseconds"), time.monotonic()
    try:
        record = trio.run(partial(_play, spec, _factories(spec, files), listen, hear))
    except Exception as error:  # noqa: BLE001 - whatever it is, it must become a void match and not end the run
        record = MatchRecord(spec.identity, spec.attempt, None, (), (), (), (), void=_reason(error))
    return replace(record, started=started, duration=time.monotonic() - began)


async def _play(spec: MatchSpec, factories: Mapping[str, Factory], listen: Listener, hear: Hear) -> MatchRecord:
    async with open_table(spec, factories, hear) as table:
        record = await play_match(spec, table, listen)
    return with_reports(record, table)


def _factories(spec: MatchSpec, files: tuple[str, ...]) -> Mapping[str, Factory]:
    """The bots that play in this process, by name; nothing is loaded for a table of processes."""
    if not any(isinstance(player.launch, Plugin) and player.launch.in_process for player in spec.players):
        return {}
    return _loaded(files)


@lru_cache(maxsize=1)
def _loaded(files: tuple[str, ...]) -> Mapping[str, Factory]:
    return {name: bot.factory for name, bot in load_registry(files, kinds=("bots",)).bots.items()}


def _reason(error: BaseException) -> str:
    """What went wrong, and where, in one line."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" in {trace.tb_frame.f_code.co_qualname}, line {trace.tb_lineno}" if trace else ""
    return f"a fault of the harness: {type(error).__name__}: {error}{where}"
