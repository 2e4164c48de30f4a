"""Lanes of this machine: a worker process each, and what ties it to the run.

The terminal's Ctrl-C does not reach workers and their bots: only the run decides when a match is broken off. A worker
holds one end of a pipe, the lifeline. When the other end is let go, be it on purpose or because the run's process was
killed, the worker interrupts its match, so that `play` ends the bots, and exits. So no process outlives the run.

A worker takes a processor for itself, where one is free, and plays on it with its bots: only one of them thinks at a
time, and to wake another up on the same processor costs a tenth of what it costs across two. One whose matches all wait
for something elsewhere takes none. Each match at a time has a worker: it takes 21 MiB, about as much as four small bots
in Python, so to put many matches into one would save half of the memory at most, and lose them all when it dies.
"""

from __future__ import annotations

import _thread
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from typing import Final, Protocol

from spades_harness.table import cores
from spades_harness.table.match import MatchRecord, MatchSpec

from .lanes import Play
from .voiding import guarded, told, void

if sys.platform == "win32":
    import ctypes
else:
    from multiprocessing import resource_tracker

UNWINDING: Final = 8.0
"""Seconds that a broken-off match has to end its bots, beyond what its terms give them to exit: the graces of those
who must be told to, and the system's, fit in."""
PATIENCE: Final = 2.0
"""Seconds beyond that, after which a worker that should have ended is killed."""
SETTLING: Final = 30.0
"""Seconds to wait for a worker to come up before yet another is started."""


class _End(Protocol):
    """The worker's end of the pipe."""

    def recv(self) -> object:
        """Raises EOFError when the other end was let go."""
        ...


# ------------------------------------------------------------------------------------------------ in the run's process


_settling: deque[Future[int]] = deque()
"""The first jobs of workers that may not have come up yet."""
_ABREAST: Final = len(cores.EVERYWHERE) or os.cpu_count() or 1


def _await_turn() -> None:
    """No more workers come up at a time than there are processors.

    Each then has bots to start, whose clocks run: of fifty that did so at once, none would have the machine it needs.
    """
    while len(_settling) >= _ABREAST:
        with suppress(TimeoutError, BrokenExecutor):  # whoever submits to one that has died will hear of it
            _settling.popleft().result(SETTLING)


class WorkerLane:
    """A single worker process; `prepare` runs in it before its first match, and voids its matches if it raises."""

    def __init__(self, prepare: Callable[[], object] | None = None) -> None:
        _await_turn()
        context = multiprocessing.get_context("spawn")
        theirs, self._lifeline = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(1, context, _settle, (theirs, prepare))
        others = multiprocessing.active_children()
        with deaf_to_interrupts():
            _settling.append(self._executor.submit(os.getpid))  # the first job starts the process
        born = (child for child in multiprocessing.active_children() if child not in others)
        self._process = next(born, None)  # None: it has died already, and whatever is submitted will say so
        theirs.close()
        self._unwinding = UNWINDING

    def submit(self, play: Play, spec: MatchSpec, /) -> Future[MatchRecord]:
        """Begin a match. The future fails with BrokenExecutor when the process has died."""
        self._unwinding = _unwinding(spec)
        return self._executor.submit(_work, play, spec)

    def cut(self) -> None:
        """Let go of the lifeline."""
        self._lifeline.close()

    def close(self) -> None:
        """Wait until the worker has ended; kill it if it takes too long."""
        self.cut()
        if self._process and not wait([self._process.sentinel], self._unwinding + PATIENCE):
            self._process.kill()
        self._executor.shutdown()


@contextmanager
def deaf_to_interrupts() -> Iterator[None]:
    """A process that is started inside is born with interrupts held back, until it has left the terminal.

    An interrupt that comes meanwhile is felt here at the end.
    """
    if sys.platform == "win32":
        yield
    else:
        resource_tracker.ensure_running()  # it would be started along with the first worker, and lift the mask
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ------------------------------------------------------------------------------------------------------- in the worker


class _Work:
    """What this worker is doing."""

    def __init__(self) -> None:
        self.unfit = ""
        """Why it cannot play at all."""
        self.core: int | None = None
        """The processor that is its own, from the first match that fits on one."""
        self.unwinding = UNWINDING
        """Seconds that what it is doing may take to end."""
        self.idle = threading.Event()
        self.lock = threading.Lock()
        """Held while `idle` changes, so that nothing is interrupted but a match."""
        self.idle.set()


_THIS: Final = _Work()


def _settle(lifeline: _End, prepare: Callable[[], object] | None) -> None:
    """Out of the terminal's reach, tied to the run, ready to play."""
    _leave_the_terminal()
    _leave_the_output()
    threading.Thread(target=_watch, args=(lifeline,), daemon=True).start()
    try:
        if prepare:
            prepare()
    except Exception as error:  # noqa: BLE001 - whatever it is, each match says it
        _THIS.unfit = f"the worker could not get ready: {told(error)}"


def _leave_the_terminal() -> None:
    """A Ctrl-C reaches all processes of a terminal; this one, and those that it starts, are no longer among them."""
    if sys.platform == "win32":
        ctypes.windll.kernel32.SetConsoleCtrlHandler(None, 1)
        return
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # drops one that came while they were held back
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _leave_the_output() -> None:
    """What a plugin's bot, or a program that it starts, writes here past Python goes to standard error: standard output
    is where the run's results stand."""
    with suppress(OSError):  # somebody runs the command without a standard error
        os.dup2(2, 1)


def _watch(lifeline: _End) -> None:
    """Wait for the end of the run; then break off what is being played, and end."""
    with suppress(EOFError, OSError):
        lifeline.recv()
    with _THIS.lock:
        if not _THIS.idle.is_set():
            _interrupt()
    _THIS.idle.wait(_THIS.unwinding)
    os._exit(1)


def _unwinding(spec: MatchSpec) -> float:
    """Seconds that this match may take to end when it is broken off."""
    return spec.limits.shutdown + UNWINDING


def _interrupt() -> None:
    """A KeyboardInterrupt in the thread that plays, also out of a wait; trio delivers it where it does no harm."""
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)


def _work(play: Play, spec: MatchSpec) -> MatchRecord:
    """Play one match, or say why this worker can't."""
    with _THIS.lock:
        _THIS.unwinding = _unwinding(spec)
        _THIS.idle.clear()
    cores.keep_to(_own_core() if fits_on_one(spec) else None)
    try:
        return void(spec, _THIS.unfit) if _THIS.unfit else guarded(play, spec)
    except KeyboardInterrupt:
        os._exit(1)  # the run is over, and `play` has ended its bots: nobody waits for a record
    finally:
        with _THIS.lock:
            _THIS.idle.set()


def _own_core() -> int | None:
    """The processor that this worker took, or takes now if one is free."""
    if _THIS.core is None:
        _THIS.core = cores.take()
    return _THIS.core


def fits_on_one(spec: MatchSpec) -> bool:
    """Whether a match is best played on one processor: bots may use no more, none of them thinks while another is
    asked, and not all of them only wait for something elsewhere."""
    return spec.custody.resources.cores == 1 and not spec.custody.ponder and not spec.waits
