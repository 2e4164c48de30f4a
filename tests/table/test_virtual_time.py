"""Clocks and graces in virtual time: trio's tasks and pipes of memory, a clock that jumps, and not a second of waiting.

The seat and the transport are the real ones; only the process is made of memory, and its bot is a task.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import trio
from trio.testing import MemoryReceiveStream, MemorySendStream, MockClock, memory_stream_one_way_pair

from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.game.view import view
from spades_harness.table import process, seating
from spades_harness.table.bounds import GRACE, Limits, Overrun
from spades_harness.table.conversation import RemoteSeat
from spades_harness.table.keeping import EXIT_GRACE, TERM_GRACE
from spades_harness.table.launch import Launch
from spades_harness.table.launchers import Unboxed
from spades_harness.table.match import (
    Answer,
    Command,
    Failure,
    FaultKind,
    Gone,
    MatchSpec,
    MatchStart,
    Player,
    Request,
    Silent,
    Started,
    Substitute,
)
from spades_harness.table.process import PortableBot
from spades_harness.table.referee import play_match
from spades_harness.table.seating import open_table

RULES = Rules(blind_nil=False)
HAND = deal_hand(RULES, bytes(32), 0, 0, no_points(RULES))
assert not HAND.over
REQUEST = Request(view(HAND), time_left=1.0, bank_left=60.0)
LAUNCH = Command(("bot",), "/")


@dataclass
class MemoryProcess:
    """What the transport uses of a process, and the other ends of its pipes for the bot."""

    pid: int
    stdin: MemorySendStream
    stdout: MemoryReceiveStream
    stderr: MemoryReceiveStream
    requests: MemoryReceiveStream
    answers: MemorySendStream
    errors: MemorySendStream
    read: bytes = b""
    returncode: int | None = None
    life: trio.CancelScope = field(default_factory=trio.CancelScope)
    ended: trio.Event = field(default_factory=trio.Event)

    async def wait(self) -> None:
        await self.ended.wait()

    async def live(self, life: Life) -> None:
        with self.life:
            await life(self)

    def exit(self, code: int) -> None:
        """What the system does at the end of a process."""
        self.returncode = code
        for end in (self.requests, self.answers, self.errors):
            end.close()
        self.ended.set()
        self.life.cancel()

    async def hear(self) -> dict[str, Any]:
        """The next message, an empty one at the end of the input."""
        while b"\n" not in self.read and (data := await self.requests.receive_some()):
            self.read += data
        line, _, self.read = self.read.partition(b"\n")
        return dict(json.loads(line or b"{}"))

    async def say(self, **message: Any) -> None:
        await self.answers.send_all(json.dumps(message).encode() + b"\n")


Life: TypeAlias = Callable[[MemoryProcess], Awaitable[None]]
Act: TypeAlias = Callable[[MemoryProcess, dict[str, Any]], Awaitable[None]]


async def choose(bot: MemoryProcess, request: dict[str, Any]) -> None:
    """The first legal action, at once."""
    key = "card" if request["type"] == "play" else "bid"
    await bot.say(**{"id": request["id"], key: request["legal"][0]})


def a_bot(act: Act = choose, hello: float = 0.0, ready: float = 0.0) -> Life:
    """A bot that takes so many seconds for its start, and acts on each request; it exits when its input ends."""

    async def live(bot: MemoryProcess) -> None:
        while message := await bot.hear():
            match message["type"]:
                case "hello":
                    await trio.sleep(hello)
                    await bot.say(type="hello", protocol=1)
                case "match_start":
                    await trio.sleep(ready)
                    await bot.say(id=message["id"], ready=True)
                case "bid" | "play":
                    await act(bot, message)
                case _:
                    pass
        bot.exit(0)

    return live


def after(*seconds: float) -> Act:
    """Answer the n-th request after so many seconds, from the last of them on always."""
    turns = iter(seconds)
    delay = 0.0

    async def act(bot: MemoryProcess, request: dict[str, Any]) -> None:
        nonlocal delay
        delay = next(turns, delay)
        await trio.sleep(delay)
        await choose(bot, request)

    return act


@pytest.fixture
async def system(monkeypatch: pytest.MonkeyPatch, nursery: trio.Nursery) -> AsyncIterator[System]:
    """A system whose processes are tasks."""
    system = System(nursery)
    monkeypatch.setattr(process, "ready_to_start", lambda *_: Launch(("bot",), {}, Path("/nowhere"), "'bot'"))
    monkeypatch.setattr(process, "remove", lambda _: None)
    monkeypatch.setattr(process, "_spawn", system.spawn)
    monkeypatch.setattr(process, "end_group", system.end_group)
    monkeypatch.setattr(Unboxed, "end", system.end)
    monkeypatch.setattr(seating, "transport", lambda: PortableBot)
    yield system
    nursery.cancel_scope.cancel()


class System:
    """Starts the lives that it is given, one a process, the last of them for all that follow."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._pids = count(2**30)  # no process of this machine, should a signal be sent after all
        self.lives: list[Life] = []
        self.bots: dict[int, MemoryProcess] = {}
        self.killed: list[tuple[float, bool]] = []
        """When a process that had not ended was told to, and whether by force."""

    async def spawn(self, _: Launch) -> MemoryProcess:
        stdin, requests = memory_stream_one_way_pair()
        answers, stdout = memory_stream_one_way_pair()
        errors, stderr = memory_stream_one_way_pair()
        started = MemoryProcess(next(self._pids), stdin, stdout, stderr, requests, answers, errors)
        self.bots[started.pid] = started
        self._nursery.start_soon(started.live, self.lives.pop(0) if len(self.lives) > 1 else self.lives[0])
        return started

    def end(self, pid: int, *, by_force: bool) -> None:
        self.end_group(self.bots[pid], by_force=by_force)

    def end_group(self, bot: MemoryProcess, *, by_force: bool) -> None:
        if bot.returncode is None:
            self.killed.append((trio.current_time(), by_force))
            if by_force:
                bot.exit(-9)


@asynccontextmanager
async def seated(
    system: System, life: Life, start_limit: float = 10.0
) -> AsyncIterator[tuple[RemoteSeat, Started | Failure]]:
    """A seat with this bot, and how it started; when the block is left it has ended."""
    system.lives = [life]
    async with trio.open_nursery() as nursery:
        seat = RemoteSeat(PortableBot(LAUNCH, nursery, lambda _: None), trio.current_time)
        try:
            yield seat, await seat.start(MatchStart("tag", 0, RULES, Limits(start=start_limit), (), "00"))
        finally:
            with trio.CancelScope(shield=True):
                await seat.close()


# ---------------------------------------------------------------------------------------------------------- the clocks


async def test_one_start_clock_runs_from_the_process_to_ready(system: System, autojump_clock: MockClock) -> None:
    began = trio.current_time()
    async with seated(system, a_bot(hello=6, ready=3.5)) as (_, started):
        assert started == Started(9.5)
    async with seated(system, a_bot(hello=6, ready=6)) as (_, started):
        assert started == Silent(10.0)
        assert trio.current_time() - began == pytest.approx(9.5 + 10 + GRACE)


async def test_an_answer_after_the_limit_is_a_silence_that_ends_with_the_grace_and_spoils_no_later_answer(
    system: System, autojump_clock: MockClock
) -> None:
    """TM-01, TM-04."""
    async with seated(system, a_bot(after(0.25, 1 + GRACE / 2, 1.5, 0.125))) as (seat, _):
        assert await seat.ask(REQUEST) == Answer(0, 0.25)
        assert await seat.ask(REQUEST) == Answer(0, 1.0)
        began = trio.current_time()
        assert await seat.ask(REQUEST) == Silent(1.0)
        assert trio.current_time() - began == pytest.approx(1 + GRACE)
        last = await seat.ask(REQUEST)
    assert isinstance(last, Answer)
    assert last.elapsed == pytest.approx(1.5 - 1 - GRACE + 0.125)
    assert seat.report().dropped == 1


async def test_the_bank_is_what_all_answers_of_a_match_take_together(system: System, autojump_clock: MockClock) -> None:
    """TM-13: the last request gets what is left, and after it none is made."""
    system.lives = [a_bot(after(0.75)), a_bot()]
    players = (Player("bot", LAUNCH),) * 4
    limits = Limits(start=10, move=1, bank=2)
    spec = MatchSpec("id", 1, RULES, Boards(4), bytes(32), 0, 0, players, limits, Substitute(1000))
    async with open_table(spec) as table:
        record = await play_match(spec, table)
    faults = [(fault.kind, fault.what, fault.elapsed) for fault in record.faults]
    used_up = FaultKind.TIMEOUT, "the bank of 2 s for the whole match is used up", 0.0
    assert faults[0] == (FaultKind.TIMEOUT, "no complete line received within 0.5 s (output not flushed?)", 0.5)
    assert set(faults[1:]) == {used_up}
    assert len(faults) == 4 * 14 - 2
    assert {fault.seat for fault in record.faults} == {0}
    assert table[0].report().thinking == pytest.approx(2.0)


async def test_late_answers_are_let_in_by_the_margin_while_strikes_are_left_and_waited_for_no_longer_after_them(
    system: System, autojump_clock: MockClock
) -> None:
    late = 1 + GRACE + 0.25
    system.lives = [a_bot(after(late, 0.5, late, late)), a_bot()]
    players = (Player("bot", LAUNCH),) * 4
    limits = Limits(start=10, move=1, bank=60, overrun=Overrun(margin=0.5, strikes=2))
    spec = MatchSpec("id", 1, RULES, Boards(4), bytes(32), 0, 0, players, limits)
    began = trio.current_time()
    async with open_table(spec) as table:
        record = await play_match(spec, table)
        took = trio.current_time() - began
    own = [decision for decision in record.decisions if decision.seat == 0]
    assert [decision.elapsed for decision in own] == [1.0, 0.5, 1.0]
    assert [decision.over for decision in own] == pytest.approx([0.25, 0.0, 0.25])
    assert [(fault.kind, fault.seat, fault.elapsed) for fault in record.faults] == [(FaultKind.TIMEOUT, 0, 1.0)]
    assert took == pytest.approx(late + 0.5 + late + 1 + GRACE)


async def test_an_increment_lets_a_bank_last_as_long_as_each_answer_takes_no_more(
    system: System, autojump_clock: MockClock
) -> None:
    system.lives = [a_bot(after(0.5)), a_bot()]
    players = (Player("bot", LAUNCH),) * 4
    limits = Limits(start=10, move=1, bank=0.75, increment=0.5)
    spec = MatchSpec("id", 1, RULES, Boards(4), bytes(32), 0, 0, players, limits)
    async with open_table(spec) as table:
        record = await play_match(spec, table)
    assert record.faults == ()
    assert table[0].report().thinking == pytest.approx(4 * 14 * 0.5)


# ------------------------------------------------------------------------------------------------------ ends of a bot


def closing(code: int | None, seconds: float = 0.0) -> Act:
    """Close the output a quarter of a second after the request; exit with this code so many seconds later, or never."""

    async def act(bot: MemoryProcess, _: dict[str, Any]) -> None:
        await trio.sleep(0.25)
        await bot.answers.aclose()
        if code is not None:
            await trio.sleep(seconds)
            bot.exit(code)

    return act


@pytest.mark.parametrize("limit", [0.25, 0.5, 60.0])
async def test_the_end_of_its_output_is_the_end_of_a_bot_whatever_the_limit(
    system: System, autojump_clock: MockClock, limit: float
) -> None:
    """PL-09: the time in which it might still exit is waited for beyond the limit, and not charged."""
    request = Request(REQUEST.view, limit, 60.0)
    async with seated(system, a_bot(closing(code=None))) as (seat, _):
        began = trio.current_time()
        assert await seat.ask(request) == Gone("closed its standard output", 0.25)
        assert trio.current_time() - began == pytest.approx(0.25 + EXIT_GRACE)
        assert await seat.ask(request) == Gone("closed its standard output", 0.0)
    assert seat.report().thinking == 0.25
    async with seated(system, a_bot(closing(code=3, seconds=EXIT_GRACE * 0.75))) as (seat, _):
        assert await seat.ask(request) == Gone("exited with code 3", 0.25)


async def test_a_bot_that_exits_after_its_limit_is_silent_first_and_gone_when_next_asked(
    system: System, autojump_clock: MockClock
) -> None:
    request = Request(REQUEST.view, 0.125, 60.0)
    async with seated(system, a_bot(closing(code=3))) as (seat, _):
        assert await seat.ask(request) == Silent(0.125)
        await trio.sleep(1)
        assert await seat.ask(request) == Gone("exited with code 3", 0.0)


async def test_a_bot_that_does_not_end_is_asked_to_and_then_ended_each_after_its_grace(
    system: System, autojump_clock: MockClock
) -> None:
    async def deaf(_: MemoryProcess) -> None:
        await trio.sleep_forever()

    async with seated(system, deaf, start_limit=1.0) as (_, started):
        assert started == Silent(1.0)
        began = trio.current_time()
    asked, forced = (began + EXIT_GRACE, False), (began + EXIT_GRACE + TERM_GRACE, True)
    assert system.killed == [pytest.approx(asked), pytest.approx(forced)]
    async with seated(system, a_bot()):
        pass
    assert len(system.killed) == 2
