"""Where matches run: lanes, each of which plays one match after another, and the loop that keeps them busy.

A lane is given its `play` function and knows no game. What goes wrong in a lane is never a bot's fault: the match is
void, and is tried again. Lanes that are worker processes of this machine stand in `worker`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import replace
from types import TracebackType
from typing import Final, NamedTuple, Protocol, Self, TypeAlias

from spades_harness.table.match import MatchRecord, MatchSpec

from .voiding import set_aside, void

Play: TypeAlias = Callable[[MatchSpec], MatchRecord]
"""Plays a match. An exception voids it; a KeyboardInterrupt in it means: end the bots, and leave."""

ATTEMPTS: Final = 3
"""How often a match is tried before it is given up: a worker may be shot by chance once, hardly three times."""
HEARTBEAT: Final = 0.5
"""Seconds between two looks for an interrupt, which on Windows does not end a wait."""


class Lane(Protocol):
    """What plays one match at a time; an executor with a single worker, here or on a cluster, fits behind it."""

    def submit(self, play: Play, spec: MatchSpec, /) -> Future[MatchRecord]:
        """Begin a match. The future fails with BrokenExecutor when the lane has died."""
        ...

    def cut(self) -> None:
        """Break off whatever is being played, without waiting for its end."""
        ...

    def close(self) -> None:
        """Break off, and wait until nothing of the lane is left."""
        ...


class _Try(NamedTuple):
    """A match to be tried, and how often again if it comes to nothing."""

    spec: MatchSpec
    again: int


class Lanes:
    """So many lanes at once, each replaced when it dies. Use it in a `with`: leaving it leaves no process behind."""

    def __init__(
        self, play: Play, jobs: int, make: Callable[[], Lane], lost: Callable[[MatchSpec], object] | None = None
    ) -> None:
        """`lost` is told of the match over which a lane died."""
        self._play, self._jobs, self._make, self._lost = play, jobs, make, lost
        self._idle: list[Lane] = []
        self._busy: dict[Future[MatchRecord], tuple[Lane, _Try]] = {}

    def run(self, specs: Iterable[MatchSpec], attempts: int = ATTEMPTS) -> Iterator[MatchRecord]:
        """Play them all; yields each record as soon as it is there, in any order.

        A void match is yielded as well, and tried again under its next attempt, up to `attempts` times in all. The last
        of them counts even where one with a suspect fault should be played again.
        """
        queue = deque(_Try(spec, attempts - 1) for spec in specs)
        self._fill(queue)
        while self._busy:
            done, _ = wait(self._busy, timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
            records = [self._collect(future, queue) for future in done]
            self._fill(queue)  # before the records are looked at: lanes don't wait for whoever writes them down
            yield from records

    def _fill(self, queue: deque[_Try]) -> None:
        """Give every lane something to do."""
        while queue and len(self._busy) < self._jobs:
            lane = self._idle.pop() if self._idle else self._make()
            tried = queue.popleft()
            self._busy[_begin(lane, self._play, tried.spec)] = lane, tried

    def _collect(self, future: Future[MatchRecord], queue: deque[_Try]) -> MatchRecord:
        """The record of a match that is over; back into the queue with one that came to nothing."""
        lane, (spec, again) = self._busy.pop(future)
        try:
            record = set_aside(spec, future.result()) if again else future.result()
        except BrokenExecutor:
            lane.close()
            if self._lost:
                self._lost(spec)
            record = void(spec, "the process that played it died")
        except Exception as error:  # noqa: BLE001 - what the lane itself got wrong: a record that can't be pickled
            self._idle.append(lane)
            record = void(spec, f"{type(error).__name__}: {error}")
        else:
            self._idle.append(lane)
        if record.result is None and again:
            queue.append(_Try(replace(spec, attempt=spec.attempt + 1), again - 1))
        return record

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        lanes = [*self._idle, *(lane for lane, _ in self._busy.values())]
        for lane in lanes:
            lane.cut()
        for lane in lanes:
            lane.close()


def _begin(lane: Lane, play: Play, spec: MatchSpec) -> Future[MatchRecord]:
    """Submit a match; a lane that is dead already fails like one that dies over it."""
    try:
        return lane.submit(play, spec)
    except BrokenExecutor as error:
        failed: Future[MatchRecord] = Future()
        failed.set_exception(error)
        return failed
