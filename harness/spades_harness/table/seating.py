"""The table of a match: what sits on each seat, on which transport, and how long all of it lives.

Whatever ends the table, no process of a bot's group outlives it. What a process is, `process` and its twin `linux` say.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

import trio

from .conversation import RemoteSeat
from .keeping import Keeping, keeping_of
from .launchers import UNENCLOSED, Launcher
from .local import Factory, local_seat
from .match import Failure, MatchSpec, MatchStart, Player, Plugin, Reply, Request, Started
from .process import PortableBot
from .seats import Seat, Table
from .watch import machine_load

if sys.platform == "linux":
    from .linux import LinuxBot

Hear: TypeAlias = Callable[[int, bytes], None]
"""Called with a seat and what it just wrote to its standard error."""


def _deaf(seat: int, data: bytes) -> None:
    pass


@asynccontextmanager
@trio.lowlevel.enable_ki_protection
async def open_table(
    spec: MatchSpec,
    factories: Mapping[str, Factory] = MappingProxyType({}),
    hear: Hear = _deaf,
    launchers: Mapping[str, Launcher] = UNENCLOSED,
) -> AsyncIterator[Table]:
    """The seats of a match; when the block is left, however that comes, all of its bots have ended.

    `factories` make the bots that play in this process, by their names; `hear` gets what bots write to their standard
    error as they write it; `launchers` enclose bots, by the names of sandboxes.
    """
    try:
        async with trio.open_nursery() as nursery:
            table = tuple(
                _seat(player, nursery, factories, partial(hear, seat), keeping_of(player, spec, launchers))
                for seat, player in enumerate(spec.players)
            )
            try:
                yield table
            finally:
                await _close(table)
                nursery.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        # What the block raised, as it raised it: the tasks of a bot raise nothing but what its launcher does.
        raised, *others = group.exceptions
        if others:
            raise
        raise raised from raised.__cause__


def _seat(
    player: Player,
    nursery: trio.Nursery,
    factories: Mapping[str, Factory],
    hear: Callable[[bytes], None],
    keeping: Keeping,
) -> Seat:
    launch = player.launch
    if isinstance(launch, Plugin) and launch.in_process:
        return local_seat(launch, factories)
    bot = transport()(launch, nursery, hear, keeping)
    return (StillSeat if keeping.still else RemoteSeat)(bot, trio.current_time, machine_load)


def transport() -> type[PortableBot]:
    """What bots are started with on this system."""
    if sys.platform == "linux":
        return LinuxBot
    return PortableBot


@trio.lowlevel.enable_ki_protection
async def _close(table: Table) -> None:
    with trio.CancelScope(shield=True):
        async with trio.open_nursery() as nursery:
            for seat in table:
                if isinstance(seat, RemoteSeat):
                    nursery.start_soon(_close_one, seat)


@trio.lowlevel.enable_ki_protection
async def _close_one(seat: RemoteSeat) -> None:
    await seat.close()


class StillSeat(RemoteSeat):
    """A seat whose bot stands still while it is not asked, from the moment when it is ready, or has failed to be."""

    def __init__(self, bot: PortableBot, clock: Callable[[], float], load: Callable[[], float]) -> None:
        super().__init__(bot, clock, load)
        self._body = bot

    async def start(self, start: MatchStart) -> Started | Failure:
        """As of any seat; who isn't ready by now is out of the match, which goes on without it."""
        started = await super().start(start)
        self._body.rest()
        return started

    async def ask(self, request: Request) -> Reply:
        """As of any seat, between the two."""
        self._body.wake()
        reply = await super().ask(request)
        self._body.rest()
        return reply
