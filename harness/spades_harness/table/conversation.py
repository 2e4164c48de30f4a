"""The protocol from the harness's side: a seat whose bot stands behind a transport. No process, no pipe, no trio.

Here is what becomes of a bot's lines over time: numbers, deadlines, what is dropped, what is a fault. The bot itself
is whatever can start, send, give its next line and be killed; the clock is whatever both agree on. Nothing that a bot
does raises. Lateness is decided here: what has not come by the limit and the grace (and the margin, where the request
gives one) is not waited for, so the judge never sees it. No chatter moves a deadline.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Final, Protocol, TypeAlias, TypeVar

from .bounds import GRACE
from .match import (
    Answer,
    BotReport,
    Circumstances,
    Failure,
    FaultKind,
    Garbled,
    Gone,
    MatchStart,
    Notice,
    Reply,
    Request,
    Silent,
    Started,
)
from .wire import (
    IGNORED_CAP,
    Hello,
    Ignored,
    Line,
    decode,
    decode_hello,
    decode_ready,
    encode,
    encode_hello,
    encode_notice,
    is_blank,
    raw,
    show,
)

T = TypeVar("T")
NOW: Final = float("-inf")
"""A deadline that has passed: take what already lies there, and don't wait."""
TELL_LIMIT: Final = 1.0
"""Seconds that a notice may wait for a bot to make room in its pipe (64 KB on Linux: a hand or two of unread lines):
a bot that reads at all makes it in milliseconds."""
FLOOD_CAP: Final = 10_000
"""Lines that may lie in the pipe when a request is sent: they are thrown away, but not for ever."""
END_WAIT: Final = 1.0
"""Seconds to learn how a bot ended whose input is closed; the end of a process is known within milliseconds."""


# --------------------------------------------------------------------------------------------- a bot, as seen from here


@dataclass(frozen=True, slots=True)
class Stamped:
    """A line, and when it came."""

    line: Line
    at: float


@dataclass(frozen=True, slots=True)
class Nothing:
    """No line by the deadline; `partial` is the line that was begun."""

    partial: bytes = b""


@dataclass(frozen=True, slots=True)
class Ended:
    """There will be no more lines: how the bot ended, as the end of a sentence about it (`exited with code 1`), and
    when its lines did. To learn how may take the transport longer than that."""

    how: str
    at: float
    limits: bool = False
    """Whether it was ended for using more of the machine than it may."""
    begun: bytes = b""
    """The line in the middle of which it ended."""


class Sent(Enum):
    """What became of bytes for the bot."""

    DONE = "done"
    BLOCKED = "blocked"
    """The deadline passed before the bot had room for them; a part may be lost, so the pipe is of no more use."""
    CLOSED = "closed"
    """Nobody is there to read them."""


class Transport(Protocol):
    """What a bot stands behind, and what it used. None of them raises for what a bot does."""

    async def start(self) -> Ended | None:
        """Start the bot; an Ended says in words why it can't be."""
        ...

    async def send(self, data: bytes, deadline: float) -> Sent:
        """Hand bytes to the bot."""
        ...

    async def next_line(self, deadline: float) -> Stamped | Nothing | Ended:
        """The oldest line not yet given, waiting for it until the deadline.

        What already lies in the pipe when the deadline has passed is still given: the harness may have slept. That
        there will be no more lines is told whatever the deadline, and a little after it where the bot is still ending.
        """
        ...

    def begin(self) -> float:
        """The bot is about to be asked: what `cpu` says at this moment, from which on `waited` counts."""
        ...

    def cpu(self) -> float:
        """Seconds of processor time that the bot has used by now; 0.0 where the system doesn't tell."""
        ...

    def waited(self) -> float | None:
        """Seconds that it stood in line for a processor since it began, or was last asked; None: nobody tells."""
        ...

    def memory(self) -> float:
        """MiB of resident memory, the most that was seen; 0.0 where nobody looked."""
        ...

    async def kill(self) -> str:
        """End the bot and all that it has started, whatever its state; what it left on its standard error."""
        ...


# ------------------------------------------------------------------------------------------------------------- the seat

Reader: TypeAlias = Callable[[Line, float], T | Failure | Ignored]
"""What a line is, given the moment at which it came."""


@dataclass(frozen=True, slots=True)
class _Clock:
    """The time for one answer: when it began, and how long it may take."""

    began: float
    limit: float
    margin: float = 0.0
    cpu: float = 0.0
    """What the bot had used of the processor when it began."""

    @property
    def deadline(self) -> float:
        return self.began + self.limit + GRACE + self.margin

    def over(self, now: float) -> float:
        """Seconds after limit and grace, never more than the margin.

        What came more than another grace after the deadline lay in the pipe while the harness slept: it is in time.
        """
        late = now - self.began - self.limit - GRACE
        return 0.0 if late > self.margin + GRACE else min(max(late, 0.0), self.margin)

    def elapsed(self, now: float) -> float:
        """Seconds until `now`, never more than the limit: what came late is thrown away and has no time.

        What the grace forgives is not charged, nor what the harness slept past the deadline.
        """
        return min(max(now - self.began, 0.0), self.limit)


class RemoteSeat:
    """A seat whose bot is spoken to in lines."""

    def __init__(self, bot: Transport, clock: Callable[[], float], load: Callable[[], float] = lambda: 0.0) -> None:
        self._bot, self._clock, self._load = bot, clock, load
        self._number = 0
        self._sent = self._answered = b""
        self._lost = ""
        self._hello = Hello("", "", frozenset())
        self._start = self._thinking = 0.0
        self._dropped = 0
        self._stderr = self._end = ""

    async def start(self, start: MatchStart) -> Started | Failure:
        """Start the bot, greet it, and wait until it is ready, all on one clock, which runs from when it is there."""
        if failed := await self._bot.start():
            return _gone(failed, 0.0)
        clock = _Clock(self._clock(), start.limits.start)
        hello = await self._say(encode_hello(), clock, lambda line, at: decode_hello(line, clock.elapsed(at)))
        if not isinstance(hello, Hello):
            return _early(hello)
        self._hello = hello
        self._number = 1
        ready = await self._say(encode(start, 1), clock, partial(_ready, clock))
        if not isinstance(ready, float):
            return _early(ready)
        self._start = ready
        return Started(ready, hello.name, hello.version, hello.answers)

    async def ask(self, request: Request) -> Reply:
        """Put a request under the next number, and wait for its answer and no other."""
        self._number += 1
        self._sent, self._answered = (said := encode(request, self._number)), b""
        if self._lost:
            return Gone(self._lost, 0.0)
        if not await self._drop_waiting():
            return Garbled(FaultKind.MALFORMED, f"more than {FLOOD_CAP} lines that nobody had asked for", "", 0.0)
        clock = _Clock(self._clock(), request.time_left, request.margin, self._bot.begin())
        reply: Reply = await self._say(said, clock, partial(self._read, request, clock))
        self._thinking += reply.elapsed
        return reply

    def _read(self, request: Request, clock: _Clock, line: Line, at: float) -> Reply | Ignored:
        """What a line is to a request."""
        found = decode(line, self._number, request.view.kind, clock.elapsed(at))
        if isinstance(found, Answer):
            return found._replace(over=clock.over(at), cpu=self._used(clock))
        return found

    async def tell(self, notice: Notice) -> None:
        """Send a notice; a bot that makes no room for it in time is not spoken to again."""
        if not self._lost:
            self._note(await self._bot.send(encode_notice(notice), self._clock() + TELL_LIMIT))

    def sent(self) -> str:
        """The last line that wanted an answer, also if nobody was there to read it."""
        return self._sent.decode().rstrip("\n")

    def answered(self) -> bytes:
        """The line that was judged as the answer to it, or what was begun of one."""
        return self._answered

    def report(self) -> BotReport:
        """What the bot said of itself; its standard error is known when the seat is closed."""
        hello = self._hello
        times = self._start, self._thinking, self._dropped
        used = self._bot.cpu(), self._bot.memory()
        return BotReport(hello.name, hello.version, *times, self._stderr, *used, self._end)

    async def close(self) -> None:
        """End the bot."""
        self._stderr = await self._bot.kill()
        self._end = await self._how_it_was_ended()

    async def _how_it_was_ended(self) -> str:
        """How a bot that was ended did end, empty where nobody knows; lines that it left are passed over."""
        for _ in range(FLOOD_CAP):
            came = await self._bot.next_line(NOW)
            if not isinstance(came, Stamped):
                return came.how if isinstance(came, Ended) else ""
        return ""

    async def _say(self, said: bytes, clock: _Clock, read: Reader[T]) -> T | Failure:
        """Send a line, and listen for what answers it."""
        self._sent, self._answered = said, b""
        sent = await self._bot.send(said, clock.deadline)
        self._note(sent)
        if sent is Sent.BLOCKED:
            return Gone(self._lost, clock.limit)
        if sent is Sent.CLOSED:
            return await self._how_it_ended(clock)
        return await self._listen(clock, read)

    async def _listen(self, clock: _Clock, read: Reader[T]) -> T | Failure:
        """The first line that is something. The deadline stands, whatever else comes meanwhile."""
        before = self._dropped
        for _ in range(IGNORED_CAP + 1):
            came = await self._bot.next_line(clock.deadline)
            match came:
                case Nothing(partial=begun):
                    self._answered = raw(begun)
                    return Silent(clock.limit, show(begun), self._dropped - before, self._circumstances(clock))
                case Ended(at=at, begun=begun):
                    self._answered = raw(begun)
                    return _gone(came, clock.elapsed(at))
                case Stamped(line=line, at=at):
                    found = read(line, at)
                    if not isinstance(found, Ignored):
                        self._answered = raw(line)
                        return found
                    self._dropped += found is Ignored.OLD
        flood = f"more than {IGNORED_CAP} blank or outdated lines to one request"
        return Garbled(FaultKind.MALFORMED, flood, "", clock.elapsed(self._clock()))

    async def _drop_waiting(self) -> bool:
        """Throw away what came before it was asked for: it can answer nothing. False where there is no end to it."""
        for _ in range(FLOOD_CAP):
            came = await self._bot.next_line(NOW)
            if not isinstance(came, Stamped):
                return True
            self._dropped += not is_blank(came.line)
        return False

    async def _how_it_ended(self, clock: _Clock) -> Gone:
        """Nobody reads any more: the bot has ended, or has closed its input."""
        found_out = self._clock()
        until = found_out + END_WAIT
        for _ in range(FLOOD_CAP):
            came = await self._bot.next_line(until)
            if isinstance(came, Ended):
                return _gone(came, clock.elapsed(found_out))
            if isinstance(came, Nothing):
                break
        self._lost = "closed its standard input"
        return Gone(self._lost, clock.elapsed(found_out))

    def _circumstances(self, clock: _Clock) -> Circumstances:
        """How the harness and its machine fared until now, just after the deadline."""
        delay = max(self._clock() - clock.deadline, 0.0)
        waited = self._bot.waited()
        return Circumstances(delay, self._load(), self._used(clock), waited)

    def _used(self, clock: _Clock) -> float:
        """Seconds of processor time; helpers that have ended may take theirs out of the sum."""
        return max(self._bot.cpu() - clock.cpu, 0.0)

    def _note(self, sent: Sent) -> None:
        if sent is Sent.BLOCKED:
            self._lost = "did not read its standard input until the pipe was full"


def _ready(clock: _Clock, line: Line, at: float) -> float | Failure | Ignored:
    elapsed = clock.elapsed(at)
    found = decode_ready(line, 1, elapsed)
    return found if isinstance(found, Garbled | Gone | Ignored) else elapsed


def _early(failure: Failure) -> Failure:
    """A failure at the start says so."""
    return replace(failure, how=f"{failure.how} before it was ready") if isinstance(failure, Gone) else failure


def _gone(ended: Ended, elapsed: float) -> Gone:
    return Gone(ended.how, elapsed, ended.limits)
