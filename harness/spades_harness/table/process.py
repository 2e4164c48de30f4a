"""Bots as processes, on trio's portable ones: start, send, next line, kill.

What a bot writes is read as it comes, whether it was asked or not, so that no bot ever blocks on a full pipe; what
its lines mean, `conversation` says. Knows no table and no other seat: `seating` does.
"""

from __future__ import annotations

import math
import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

import trio

from .bounds import GRACE
from .conversation import NOW, Ended, Nothing, Sent, Stamped
from .keeping import (
    AT_LARGE,
    EXIT_GRACE,
    KILL_GRACE,
    QUEUE_CAP,
    READ_SIZE,
    TERM_GRACE,
    Excerpt,
    Keeping,
    ready_to_start,
)
from .launch import BoxError, Launch, LaunchError, end_group, how_it_exited, is_bots_own, own_group, refusal, remove
from .match import Command, Plugin
from .watch import PERIOD, Meter, bind, ended_by_limit, refused_by_limit
from .wire import LineBuffer, show

SETTLE_ROUNDS: Final = 32
"""How often the reader may get its turn to empty a pipe: a pipe holds four reads, a flood never ends."""


class Running(Protocol):
    """As much of `trio.Process` as is needed of a bot that was started, and its pipes."""

    @property
    def pid(self) -> int: ...

    @property
    def returncode(self) -> int | None: ...

    @property
    def stdin(self) -> trio.abc.SendStream | None: ...

    @property
    def stdout(self) -> trio.abc.ReceiveStream | None: ...

    @property
    def stderr(self) -> trio.abc.ReceiveStream | None: ...

    async def wait(self) -> int:
        """Its exit code, when it has ended."""
        ...

    def kill(self) -> None:
        """End it by force; nothing happens if it has ended."""
        ...


class PortableBot:
    """A bot's process behind the operations of `conversation.Transport`, and one that can stand still."""

    def __init__(
        self,
        launch: Command | Plugin,
        nursery: trio.Nursery,
        hear: Callable[[bytes], None],
        keeping: Keeping = AT_LARGE,
    ) -> None:
        self._launch, self._nursery, self._hear, self._keeping = launch, nursery, hear, keeping
        self._prepared: Launch | None = None
        self._process: Running | None = None
        self._rests = False
        self._serving = trio.CancelScope(shield=True)
        self._holding = trio.CancelScope()
        self._exited = trio.Event()
        self._served = trio.Event()
        self._over: float | None = None
        self._how_is_known = trio.Event()
        self._ended: Ended | None = None
        self._trouble = ""
        self._is_closing = False
        self._buffer = LineBuffer()
        self._lines: deque[Stamped] = deque()
        self._news = trio.Event()
        self._room = trio.Event()
        self._reads = 0
        self._errors = Excerpt()
        self._heard = trio.Event()
        self._meter = Meter(keeping.box.resources)
        self._looked = -math.inf

    # ---------------------------------------------------------------------------------------------- the operations

    @trio.lowlevel.enable_ki_protection
    async def start(self) -> Ended | None:
        """Make the working folder, start the process, and begin to read.

        Raises OSError where the harness itself has run out of something. Neither Ctrl-C nor a cancellation comes
        between a process and its being known here: trio waits for the thread that starts it.
        """
        try:
            self._prepared = await trio.to_thread.run_sync(ready_to_start, self._launch, self._keeping)
            self._process = await self._begin(self._prepared)
            bind(self._process.pid, self._keeping.box.resources)
        except LaunchError as error:
            self._ended = Ended(str(error), trio.current_time())
            return self._ended
        self._nursery.start_soon(self._serve, self._process)
        if self._meter.has_bounds:
            self._nursery.start_soon(self._hold_to_bounds, self._process)
        return None

    async def _begin(self, prepared: Launch) -> Running:
        return await _spawn(prepared)

    async def send(self, data: bytes, deadline: float) -> Sent:
        """Write to the bot's standard input; one that stands still may run meanwhile, lest its pipe be full."""
        if not self._rests:
            return await self._send(data, deadline)
        self.wake()
        sent = await self._send(data, deadline)
        self.rest()
        return sent

    async def _send(self, data: bytes, deadline: float) -> Sent:
        if self._process is None or self._process.stdin is None:
            return Sent.CLOSED
        try:
            # Who comes to write too late has not found a full pipe: a bot with room for it is late, not deaf.
            with trio.move_on_at(max(deadline, trio.current_time() + GRACE)):
                await self._process.stdin.send_all(data)
                return Sent.DONE
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            return Sent.CLOSED
        return Sent.BLOCKED

    async def next_line(self, deadline: float) -> Stamped | Nothing | Ended:
        """The oldest line that was read and not yet given. Raises BoxError where there never was a bot to write any."""
        if not self._lines and self._over is None:
            await self._wait_for_news(deadline)
        self._news = trio.Event()
        if self._lines:
            line = self._lines.popleft()
            if not self._lines:
                self._room.set()
            return line
        if self._over is not None:
            await self._how_is_known.wait()
        elif self._process and self._exited.is_set():  # who holds its pipe now, speaks for nobody
            self._finish(self._process)
        if self._trouble and not self._is_closing:
            said = " ".join(self._errors.text().split())
            raise BoxError(f"the bot's box could not be made: {self._trouble}{said and f': {said}'}")
        return self._ended or Nothing(self._buffer.partial)

    async def _wait_for_news(self, deadline: float) -> None:
        if deadline > NOW:
            with trio.move_on_at(deadline):
                await self._news.wait()
        if not self._lines:
            await self._settle()

    def begin(self) -> float:
        """Nobody counts from here."""
        return self.cpu()

    def cpu(self) -> float:
        """Not every system tells."""
        return 0.0

    def waited(self) -> float | None:
        """Not every system tells."""
        return None

    def memory(self) -> float:
        """As its meter saw it."""
        return self._meter.memory

    def rest(self) -> None:
        """Let it stand still, with all that it has started; where the system can't do that (Windows) it runs on."""
        if self._process and not self._exited.is_set():
            self._keeping.launcher.freeze(self._process.pid)
            self._rests = True
            if self._meter.has_bounds and trio.current_time() - self._looked >= PERIOD:
                self._measure(self._process)  # a quick one stands still whenever the meter's own time has come

    def wake(self) -> None:
        """Let it go on."""
        if self._rests and self._process and not self._exited.is_set():
            self._keeping.launcher.thaw(self._process.pid)
        self._rests = False

    @trio.lowlevel.enable_ki_protection
    async def kill(self) -> str:
        """Close its input, ask it, end it by force, each after a grace; then remove its working folder.

        Whatever its launcher raises, nothing of it is left: nobody else would end it, or wait for it.
        """
        self._is_closing = True
        with trio.CancelScope(shield=True):
            try:
                if self._process:
                    await self._end(self._process)
            finally:
                if self._process:
                    await self._leave(self._process)
                if self._prepared:
                    await trio.to_thread.run_sync(remove, self._prepared.folder)
        return self._errors.text()

    # ------------------------------------------------------------------------------------------------------ its end

    async def _end(self, process: Running) -> None:
        if self._meter.has_bounds and not self._exited.is_set():
            self._measure(process)
        self.wake()
        if process.stdin:
            await process.stdin.aclose()
        if not await self._exits_within(self._keeping.shutdown):
            self._keeping.launcher.end(process.pid, by_force=False)
        if not await self._exits_within(TERM_GRACE):
            self._keeping.launcher.end(process.pid, by_force=True)
            await self._exits_within(KILL_GRACE)

    async def _leave(self, process: Running) -> None:
        """Let go of it; who hasn't ended by now, its launcher couldn't end."""
        if not self._exited.is_set():
            end_group(process, by_force=True)
        with trio.move_on_after(KILL_GRACE):
            await self._served.wait()
        self._serving.cancel()
        for stream in (process.stdout, process.stderr):
            if stream:
                await stream.aclose()

    async def _exits_within(self, seconds: float) -> bool:
        with trio.move_on_after(seconds):
            await self._exited.wait()
        return self._exited.is_set()

    @property
    def _signals_from(self) -> int:
        return self._prepared.signals_from if self._prepared else 0

    def _end_of_lines(self, process: Running, at: float) -> Ended:
        code = process.returncode if self._exited.is_set() else None
        bounds = self._keeping.box.resources
        if over := self._meter.over or (code is not None and ended_by_limit(code, bounds, self._signals_from)):
            return Ended(over, at, limits=True)
        how = "closed its standard output" if code is None else how_it_exited(code, self._signals_from)
        if code and (refused := self._refused()):
            return Ended(f"{refused}: {how}", at, limits=True)
        begun = self._buffer.partial
        return Ended(f"{how}, in the middle of a line: {show(begun)}" if begun else how, at, begun=begun)

    def _refused(self) -> str:
        """The bound at which it failed, in words."""
        if not self._prepared:
            return ""
        said = self._errors.text() if self._prepared.status else ""
        return refused_by_limit(self._prepared.folder, said, self._keeping.box.resources)

    # ------------------------------------------------------------------------------------- what runs beside the match

    @trio.lowlevel.enable_ki_protection
    async def _serve(self, process: Running) -> None:
        """Read what the bot writes and wait for its end, until the table is closed, whatever else is cancelled."""
        with self._serving:
            async with trio.open_nursery() as life:
                life.start_soon(self._watch, process, life.cancel_scope)
                async with trio.open_nursery() as reading:
                    reading.start_soon(self._read_errors, process)
                    reading.start_soon(self._read_lines, process)
                await self._exited.wait()
                life.cancel_scope.cancel()
        self._finish(process)
        self._served.set()

    @trio.lowlevel.enable_ki_protection
    async def _watch(self, process: Running, life: trio.CancelScope) -> None:
        """When the bot ends, so does its group; what has left the group may hold its pipes, but not for long."""
        await process.wait()
        end_group(process, by_force=True)
        self._holding.cancel()
        self._exited.set()
        await trio.sleep(EXIT_GRACE)
        life.cancel()

    @trio.lowlevel.enable_ki_protection
    async def _hold_to_bounds(self, process: Running) -> None:
        """End the bot, with all that it has started, when they use more than they may together.

        Nobody looks while it stands still: that would be at the cost of whoever is asked. `rest` looks before that.
        """
        launcher = self._keeping.launcher
        with self._holding:
            await self._meter.until_over(
                lambda: () if self._rests else self._in_use(process),
                trio.sleep,
            )
            launcher.end(process.pid, by_force=True)
            self._meter.end_all()

    def _measure(self, process: Running) -> None:
        """See what it uses at this moment; if that is too much, `_hold_to_bounds` ends it."""
        self._meter.look(self._in_use(process))

    def _in_use(self, process: Running) -> Sequence[int]:
        """What is to be looked at now."""
        self._looked = trio.current_time()
        return self._keeping.launcher.members(process.pid)

    @trio.lowlevel.enable_ki_protection
    async def _read_lines(self, process: Running) -> None:
        while data := await _next_bytes(process.stdout):
            self._take(data, trio.current_time())
            if len(self._lines) >= QUEUE_CAP:
                self._room = trio.Event()
                await self._room.wait()
        self._no_more_lines()
        await self._exits_within(EXIT_GRACE)
        if self._keeping.box.resources.file_size:  # its last words tell whether that was the matter
            with trio.move_on_after(EXIT_GRACE):
                await self._heard.wait()
        self._finish(process)

    @trio.lowlevel.enable_ki_protection
    async def _read_errors(self, process: Running) -> None:
        while data := await _next_bytes(process.stderr):
            self._errors.feed(data)
            self._hear(data)
        self._heard.set()

    def _take(self, data: bytes, now: float) -> None:
        self._reads += 1
        self._lines.extend(Stamped(line, now) for line in self._buffer.feed(data))
        if self._lines:
            self._news.set()

    def _no_more_lines(self) -> float:
        """When its lines came to their end: now, if they had not before."""
        if self._over is None:
            self._over = trio.current_time()
        self._news.set()
        return self._over

    def _finish(self, process: Running) -> None:
        self._ended = self._ended or self._end_of_lines(process, self._no_more_lines())
        if self._prepared and process.returncode and not self._is_closing:
            self._trouble = self._keeping.launcher.trouble(self._prepared, process.returncode)
        self._how_is_known.set()

    async def _settle(self) -> None:
        """Let the reader take what already lies in the pipe.

        Two turns of the loop without a read mean that it is empty: in the first the system tells, in the second the
        reader reads.
        """
        quiet = 0
        for _ in range(SETTLE_ROUNDS):
            before = self._reads
            await trio.lowlevel.checkpoint()
            quiet = quiet + 1 if self._reads == before else 0
            if quiet == 2:
                return


async def _spawn(prepared: Launch) -> trio.Process:
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    options: dict[str, Any] = {**pipes, **own_group(), "cwd": prepared.folder, "env": prepared.env}
    try:
        process: trio.Process = await trio.lowlevel.open_process(list(prepared.argv), **options)
    except OSError as error:
        if not is_bots_own(error):
            raise
        raise LaunchError(refusal(prepared.program, error)) from error
    return process


async def _next_bytes(stream: trio.abc.ReceiveStream | None) -> bytes:
    """What comes out of a pipe next, nothing when it is closed or broken."""
    try:
        return bytes(await stream.receive_some(READ_SIZE)) if stream else b""
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        return b""
