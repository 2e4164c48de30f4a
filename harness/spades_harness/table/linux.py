"""Bots as processes on Linux: the twin of `process.PortableBot` that starts, writes and reads without trio's help.

All that is said of a bot's life and end holds here as well; only what the system does more quickly is done otherwise.
The process is started by the thread that plays, so that it runs on that thread's processor and is tied to its life.
Where the two share one processor, an answer costs a write and a read, and the event loop gets its turn now and then;
whenever a bot takes its time, the event loop waits as it does everywhere.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext, suppress
from typing import Final

import trio

from . import cores
from .conversation import NOW, Ended, Nothing, Sent, Stamped
from .keeping import AT_LARGE, READ_SIZE, Keeping
from .launch import Launch, LaunchError, is_bots_own, refusal
from .match import Command, Plugin
from .process import SETTLE_ROUNDS, PortableBot, Running
from .queueing import LOOK, Waits, is_told, longest, waits
from .watch import began

if sys.platform != "linux":  # what stands below is looked at by nobody else
    raise ImportError("only for Linux")

TURN: Final = 1
"""Milliseconds that the thread itself waits for an answer before the event loop does: time enough for a bot that hardly
thinks; of a millisecond of thought the loop's 50 µs are not much."""
HITS: Final = 16
"""Lines that may come without a turn of the event loop (8 µs): others must run, and a cancellation be felt, within
a millisecond or so."""


class LinuxProcess:
    """A process with its pipes, as `process.Running` has it."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdin
        assert popen.stdout
        assert popen.stderr
        self.pid = popen.pid
        self.returncode: int | None = None
        self.used = 0.0
        """Seconds of processor time of it and all that it waited for, known when it has ended."""
        self._popen = popen
        pipes = popen.stdin, popen.stdout, popen.stderr
        self._end, self.input, self.output, errors = _descriptors(popen.pid, [pipe.fileno() for pipe in pipes])
        self.stdin = trio.lowlevel.FdStream(self.input)
        self.stdout = trio.lowlevel.FdStream(self.output)
        self.stderr = trio.lowlevel.FdStream(errors)
        for pipe in pipes:
            pipe.close()

    async def wait(self) -> int:
        """Its exit code, when it has ended, and its group with it: until it is buried nobody else has its number."""
        if self.returncode is None:
            await trio.lowlevel.wait_readable(self._end)
            self._bury()
        assert self.returncode is not None
        return self.returncode

    def _bury(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self.pid, 0)
        self.used = usage.ru_utime + usage.ru_stime
        self.returncode = self._popen.returncode = os.waitstatus_to_exitcode(status)
        os.close(self._end)

    def kill(self) -> None:
        """End it by force."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


def _descriptors(pid: int, pipes: Iterable[int]) -> tuple[int, ...]:
    """One for the process and one of our own for each pipe; all or none, where there are too few left."""
    found: list[int] = []
    try:
        found.append(os.pidfd_open(pid))
        for pipe in pipes:
            found.append(os.dup(pipe))  # noqa: PERF401 - what was opened must be known if the next one fails
    except OSError:
        for each in found:
            os.close(each)
        raise
    return tuple(found)


class LinuxBot(PortableBot):
    """A bot's process behind the operations of `conversation.Transport`."""

    def __init__(
        self,
        launch: Command | Plugin,
        nursery: trio.Nursery,
        hear: Callable[[bytes], None],
        keeping: Keeping = AT_LARGE,
    ) -> None:
        super().__init__(launch, nursery, hear, keeping)
        self._linux: LinuxProcess | None = None
        self._wait: Callable[[int], object] = _no_wait
        self._hits = 0
        self._members: Sequence[int] = ()
        self._before: dict[int, float] = {}
        """What helpers had used that were found late."""
        self._used = 0.0
        self._in_line: Waits | None = {}
        """How long its threads had stood in line when it was asked; None: nobody has looked yet."""
        self._look_at = self._asked = 0.0

    async def _begin(self, prepared: Launch) -> LinuxProcess:
        with cores.everywhere() if self._keeping.roams else nullcontext():
            popen = _popen(prepared)
        try:
            self._linux = LinuxProcess(popen)
            self._wait = _wait_for(self._linux.output)
        except BaseException:
            popen.kill()
            popen.wait()
            raise
        return self._linux

    def begin(self) -> float:
        """It is about to be asked."""
        self._in_line, self._look_at = None, trio.current_time() + LOOK
        self._asked = time.clock_gettime(time.CLOCK_BOOTTIME)
        return self.cpu()

    def cpu(self) -> float:
        """Of the processes that were there when they were last looked for; at the end, the most that was ever told."""
        if self._linux is None:
            return 0.0
        if self._linux.returncode is not None:
            return max(self._used, self._linux.used)
        self._members = self._members or self._keeping.launcher.members(self._linux.pid)
        own = sum(cores.processor_time(pid) - self._before.get(pid, 0.0) for pid in self._members)
        self._used = max(self._used, own)
        return own

    def waited(self) -> float | None:
        """Of the thread that stood in line longest."""
        if self._in_line is None or not is_told():
            return None
        return longest(self._in_line, waits(self._found()))

    def _found(self) -> Sequence[int]:
        """Its processes, looked for at this moment."""
        if self._linux and self._linux.returncode is None:
            self._members = self._keeping.launcher.members(self._linux.pid)
        return self._members

    def _look(self) -> Waits:
        """How long its threads have stood in line by now; of helpers that nobody had seen before, what they used before
        the question counts for nothing."""
        known = {*self._members}
        found = self._found()
        older = [pid for pid in found if known and pid not in known and began(pid) <= self._asked]
        self._before.update({pid: cores.processor_time(pid) for pid in older})
        return waits(found)

    async def _end(self, process: Running) -> None:
        """As everywhere; what it used is read before, since of a box the system tells nothing afterwards."""
        self.cpu()
        await super()._end(process)

    async def send(self, data: bytes, deadline: float) -> Sent:
        """Write to the bot's standard input; one that stands still gets its turn if its pipe is full."""
        written = self._write(data)
        if written == len(data):
            return Sent.DONE
        return await super().send(data[written:], deadline)

    def _write(self, data: bytes) -> int:
        """As many bytes as there is room for; what else is the matter, whoever writes the rest will find."""
        if self._linux is None:
            return 0
        try:
            return os.write(self._linux.input, data)
        except OSError:
            return 0

    async def next_line(self, deadline: float) -> Stamped | Nothing | Ended:
        """The oldest line that was read and not yet given, read right now where one is there."""
        if not self._lines and self._over is None:
            if deadline == NOW:
                await self._settle()
                if not self._lines and self._over is None:
                    return Nothing(self._buffer.partial)
            elif self._hits < HITS and deadline - trio.current_time() > TURN / 1000:  # no chatter moves a deadline
                self._hits += 1
                self._catch()
        if self._lines:
            return self._oldest()
        self._hits = 0
        return await self._wait_long(deadline)

    async def _wait_long(self, deadline: float) -> Stamped | Nothing | Ended:
        """Wait as it is done everywhere, with one look at those who stand in line once it takes time."""
        if self._in_line is None and self._look_at < deadline:
            came = await super().next_line(self._look_at)
            if not isinstance(came, Nothing):
                return came
            self._in_line = self._look()
        return await super().next_line(deadline)

    def _oldest(self) -> Stamped:
        line = self._lines.popleft()
        if self._news.is_set():  # old news would wake up whoever waits next
            self._news = trio.Event()
        if not self._lines:
            self._room.set()
        return line

    def _catch(self) -> None:
        """Read the answer: it is there already if the bot had its turn while it was written to, as on one processor."""
        if not self._read_on():
            self._wait(TURN)
            self._read_on()

    def _read_on(self) -> bool:
        """Take what lies in the pipe; False where nothing does."""
        if self._linux is None:
            return False
        try:
            data = os.read(self._linux.output, READ_SIZE)
        except OSError:
            return False
        if data:  # nobody waits for news: who reads here is whom they would be for
            now = trio.current_time()
            self._lines.extend(Stamped(line, now) for line in self._buffer.feed(data))
        else:
            self._no_more_lines()
        return bool(data)

    async def _settle(self) -> None:
        for _ in range(SETTLE_ROUNDS):
            if self._lines or not self._read_on():
                return


def _no_wait(milliseconds: int) -> None:
    pass


def _wait_for(pipe: int) -> Callable[[int], object]:
    """What waits so many milliseconds until there is something to be read."""
    found = select.poll()
    found.register(pipe, select.POLLIN)
    return found.poll


def _popen(prepared: Launch) -> subprocess.Popen[bytes]:
    """Start a process in a group of its own; 0.3 ms, most of which the new process needs to become the bot."""
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(
            prepared.argv,
            bufsize=0,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            cwd=prepared.folder,
            env=prepared.env,
            process_group=0,
        )
    except OSError as error:
        if not is_bots_own(error):
            raise
        raise LaunchError(refusal(prepared.program, error)) from error
