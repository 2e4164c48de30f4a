"""A seat whose bot is an object in this process: the fast lane for trusted self-play, and for breakpoints.

It never suspends, so `seats.run_unsuspended` plays it without an event loop. What a bot returns goes through the same
wire as everybody's, so the same answers are accepted. It can't be stopped: a bot that is late is found out
afterwards, and one that never returns is not found out at all. What it prints, raises and draws is kept to itself.
"""

from __future__ import annotations

import dis
import inspect
import random
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from functools import partial
from time import perf_counter
from types import TracebackType
from typing import Any, Final, TypeAlias, TypeVar

import spades_bot

from .match import BotReport, Failure, Gone, MatchSpec, MatchStart, Notice, Plugin, Reply, Request, Started
from .messages import ToBot, as_object, greeting, match_start_message, notice_message, request_message
from .seats import Seat
from .wire import (
    LINE_CAP,
    NOTE_CAP,
    Hello,
    Ignored,
    Line,
    Ready,
    TooLong,
    decode,
    decode_hello,
    decode_ready,
    encode,
    raw,
    storable,
    storable_text,
)

T = TypeVar("T")
Factory: TypeAlias = Callable[[], spades_bot.Bot]
"""Makes a bot; called once for each seat of each match, so that partners share nothing."""
TRACE_CAP: Final = 16_384
"""Bytes of a traceback that are kept, as many as of a process's standard error."""


class _Dice:
    """The generator behind the functions of `random`, lent to one bot at a time: each goes on with what it left there.

    30 µs a call; without it one bot's `random.seed(1)` would choose the cards of another that throws the same dice.
    """

    def __init__(self, seed: str) -> None:
        self._own = random.Random(seed).getstate()
        self._others = self._own

    def __enter__(self) -> None:
        self._others = random.getstate()
        random.setstate(self._own)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._own = random.getstate()
        random.setstate(self._others)


class LocalSeat:
    """A bot object on its seat."""

    def __init__(self, factory: Factory) -> None:
        self._factory = factory
        self._bot: spades_bot.Bot | None = None
        self._said: MatchStart | Request | None = None
        self._number = 0
        self._lost: Gone | None = None
        self._hello = Hello("", "", frozenset())
        self._start = self._thinking = 0.0
        self._trace = ""
        self._wrote = b""

    async def start(self, start: MatchStart) -> Started | Failure:
        """Make the bot, and let it get ready."""
        self._said, self._number = start, 1
        self._dice = _Dice(start.random_seed)
        began = perf_counter()
        hello = self._hear(greeting(), began, decode_hello)
        if not isinstance(hello, Hello):
            return hello
        self._hello = hello
        ready = self._hear(match_start_message(start, 1), began, _ready_after)
        if not isinstance(ready, float):
            return ready
        self._start = ready
        return Started(ready, hello.name, hello.version, hello.answers)

    async def ask(self, request: Request) -> Reply:
        """Let the bot choose."""
        self._said = request
        self._number += 1
        number, kind = self._number, request.view.kind
        message = request_message(request, number)
        reply: Reply = self._hear(message, perf_counter(), lambda line, elapsed: decode(line, number, kind, elapsed))
        self._thinking += reply.elapsed
        return reply

    async def tell(self, notice: Notice) -> None:
        """Let the bot know; should it raise, that is found out when it is next asked."""
        self._call(notice_message(notice), perf_counter())

    def sent(self) -> str:
        """The last request, as it would have gone over a wire."""
        return encode(self._said, self._number).decode().rstrip("\n") if self._said else ""

    def answered(self) -> bytes:
        """The last answer, as it would have gone over a wire."""
        return self._wrote

    def report(self) -> BotReport:
        """What the bot said of itself; in place of standard error the traceback of what it raised."""
        hello = self._hello
        return BotReport(hello.name, hello.version, self._start, self._thinking, 0, self._trace)

    def _hear(self, message: ToBot, began: float, read: Callable[[Line, float], T | Failure | Ignored]) -> T | Failure:
        """The bot's answer to a message, by the same rules as a line of a process."""
        reply = self._call(message, began)
        self._wrote = b"" if isinstance(reply, Gone) else raw(reply)
        if isinstance(reply, Gone):
            return reply
        found = read(_as_line(reply), perf_counter() - began)
        return Gone("returned nothing", perf_counter() - began) if isinstance(found, Ignored) else found

    def _call(self, message: ToBot, began: float) -> bytes | Gone:
        """The line that the bot would have written, empty for none. What it prints goes to standard error."""
        reply: dict[str, Any] | None = None
        if self._lost is None:
            try:
                with redirect_stdout(sys.stderr), self._dice:
                    self._bot = self._bot or self._factory()
                    reply = spades_bot.respond(self._bot, spades_bot.Message(as_object(message)))
                    return spades_bot._write(reply) if reply else b""
            except BaseException as error:
                if _is_interruption(error):
                    raise
                _close_coroutines(reply)
                self._lose(error)
        assert self._lost
        return Gone(self._lost.how, perf_counter() - began)

    def _lose(self, error: BaseException) -> None:
        text = "".join(traceback.format_exception(error))
        self._trace = storable_text(text.encode("utf-8", "replace")[-TRACE_CAP:])
        said = "".join(traceback.format_exception_only(error)).strip()
        self._lost = Gone(f"raised {storable(said, NOTE_CAP)}", 0.0)


def _as_line(written: bytes) -> Line:
    """What the bot wrote as its line; there is no buffer here that would not grow past the cap."""
    return written if len(written) <= LINE_CAP + 1 else TooLong(written[:LINE_CAP])


def _ready_after(line: Line, elapsed: float) -> float | Failure | Ignored:
    found = decode_ready(line, 1, elapsed)
    return elapsed if isinstance(found, Ready) else found


def _close_coroutines(reply: Mapping[str, Any] | None) -> None:
    """An `async def` method gives a coroutine, which would complain later that nobody awaited it."""
    for value in (reply or {}).values():
        if inspect.iscoroutine(value):
            value.close()


def _is_interruption(error: BaseException) -> bool:
    """Whether this is Ctrl-C, which is no bot's doing, and not a `raise KeyboardInterrupt` in the bot itself."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    innermost = _innermost(error.__traceback__)
    if innermost is None:
        return True
    frame = innermost.tb_frame
    raised = dis.opname[frame.f_code.co_code[innermost.tb_lasti]] == "RAISE_VARARGS"
    return not raised or frame.f_globals.get("__name__", "").startswith("trio.")  # trio's own handler of the signal


def _innermost(trace: TracebackType | None) -> TracebackType | None:
    while trace and trace.tb_next:
        trace = trace.tb_next
    return trace


def local_seat(launch: Plugin, factories: Mapping[str, Factory]) -> Seat:
    """The seat of a plugin's bot in this process."""
    return LocalSeat(factories.get(launch.name) or partial(_unknown, launch.name))


def _unknown(name: str) -> spades_bot.Bot:
    raise LookupError(f"no plugin registers a bot by the name {name!r}")


def local_table(spec: MatchSpec, factories: Mapping[str, Factory]) -> tuple[Seat, ...]:
    """A table of bots that are all plugins and play in this process; raises ValueError for one that is a process."""
    launches = [player.launch for player in spec.players]
    if not all(isinstance(launch, Plugin) and launch.in_process for launch in launches):
        raise ValueError("a bot that is a process needs an event loop: open_table")
    return tuple(local_seat(launch, factories) for launch in launches if isinstance(launch, Plugin))
