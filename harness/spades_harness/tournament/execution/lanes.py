"""Where matches run: lanes, each of which plays one match after another, and the loop that keeps them busy.

A lane is given its `play` function and knows no game. What goes wrong in a lane is never a bot's fault: the match is
void, and is tried again. Lanes that are worker processes of this machine stand in `worker`, how many there are room for
in `room`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import replace
from types import TracebackType
from typing import Final, NamedTuple, Protocol, Self, TypeAlias

from spades_harness.table.match import MatchRecord, MatchSpec

from .room import Room
from .voiding import set_aside, void

Play: TypeAlias = Callable[[MatchSpec], MatchRecord]
"""Plays a match. An exception voids it; a KeyboardInterrupt in it means: end the bots, and leave."""

ATTEMPTS: Final = 3
"""How often a match is tried before it is given up: a worker may be shot by chance once, hardly three times."""
HEARTBEAT: Final = 0.5
"""Seconds between two looks for an interrupt, which on Windows does not end a wait."""


class ExecutorLost(Exception):
    """All lanes are gone at once, and what they played with them; no match is to blame for it. In words."""


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


class _Kind:
    """The matches of one kind, those that need a processor or those that need none, and the lanes that play them.

    Lanes are not lent to the other kind: one that has a processor of its own would let it idle there.
    """

    def __init__(self) -> None:
        self.queue: deque[_Try] = deque()
        self.idle: list[Lane] = []
        self.busy: dict[Future[MatchRecord], tuple[Lane, _Try]] = {}


class Lanes:
    """So many lanes at once, each replaced when it dies. Use it in a `with`: leaving it leaves no process behind."""

    def __init__(
        self,
        play: Play,
        room: Room | int | Callable[[], Room],
        make: Callable[[], Lane],
        lost: Callable[[MatchSpec], object] | None = None,
    ) -> None:
        """`room` may be a number of matches of any kind, or says how much there is now; `lost` is told of the match
        over which a lane died. What `room` raises ends the run, and so does ExecutorLost in a match."""
        self._room = Room(room, room) if isinstance(room, int) else room
        self._play, self._make, self._lost = play, make, lost
        self._thinking, self._waiting = self._kinds = _Kind(), _Kind()
        self._open: set[str] = set()
        """The identities of all matches that were handed in and are not over."""
        self._early: dict[str, list[MatchRecord]] = {}
        """What was played ahead, by identity, until it is due."""

    @property
    def room(self) -> Room:
        """For how many matches there is room now."""
        return self._room() if callable(self._room) else self._room

    def run(
        self, specs: Iterable[MatchSpec], attempts: int = ATTEMPTS, ahead: Iterable[MatchSpec] = ()
    ) -> Iterator[MatchRecord]:
        """Play them all; yields each record as soon as it is there, in any order.

        A void match is yielded as well, and tried again under its next attempt, up to `attempts` times in all. The last
        of them counts even where one with a suspect fault should be played again. Where a lane would idle, it goes on
        with those `ahead`. Their records are kept until they are handed in as specs themselves; if they never are,
        nobody hears of them.
        """
        due = self._take(specs, attempts)
        self._take(ahead, attempts)
        self._fill()
        yield from (record for identity in due for record in self._early.pop(identity, ()))
        while not self._open.isdisjoint(due):
            done, _ = wait(self._busy(), timeout=HEARTBEAT, return_when=FIRST_COMPLETED)
            records = [self._collect(future) for future in done]
            self._fill()  # before the records are looked at: lanes don't wait for whoever writes them down
            for record in records:
                if record.identity in due:
                    yield record
                else:
                    self._early.setdefault(record.identity, []).append(record)

    def _take(self, specs: Iterable[MatchSpec], attempts: int) -> dict[str, None]:
        """Queue those that aren't there already; returns all of their identities, in their order."""
        named: dict[str, None] = {}
        for spec in specs:
            named[spec.identity] = None
            if spec.identity not in self._open and spec.identity not in self._early:
                self._open.add(spec.identity)
                self._kind(spec).queue.append(_Try(spec, attempts - 1))
        return named

    def _kind(self, spec: MatchSpec) -> _Kind:
        return self._waiting if spec.waits else self._thinking

    def _busy(self) -> dict[Future[MatchRecord], tuple[Lane, _Try]]:
        return self._thinking.busy | self._waiting.busy

    def _fill(self) -> None:
        """Give every lane something to do."""
        while kind := self._next():
            tried = kind.queue.popleft()
            lane = kind.idle.pop() if kind.idle else self._make()
            kind.busy[_begin(lane, self._play, tried.spec)] = lane, tried

    def _next(self) -> _Kind | None:
        """The kind of which one more match may begin: what needs a processor first, since there is less room for it."""
        thinking, waiting = (len(kind.busy) for kind in self._kinds)
        room = self.room
        if thinking + waiting >= room.matches:
            return None
        if self._thinking.queue and thinking < room.thinking:
            return self._thinking
        return self._waiting if self._waiting.queue and waiting < room.waiting else None

    def _collect(self, future: Future[MatchRecord]) -> MatchRecord:
        """The record of a match that is over; back into the queue with one that came to nothing."""
        kind = self._thinking if future in self._thinking.busy else self._waiting
        lane, (spec, again) = kind.busy.pop(future)
        try:
            record = set_aside(spec, future.result()) if again else future.result()
        except BrokenExecutor:
            lane.close()
            if self._lost:
                self._lost(spec)
            record = void(spec, "the process that played it died")
        except ExecutorLost:
            lane.close()
            raise
        except Exception as error:  # noqa: BLE001 - what the lane itself got wrong: a record that can't be pickled
            kind.idle.append(lane)
            record = void(spec, f"{type(error).__name__}: {error}")
        else:
            kind.idle.append(lane)
        if record.result is None and again:
            kind.queue.append(_Try(replace(spec, attempt=spec.attempt + 1), again - 1))
        else:
            self._open.discard(spec.identity)
        return record

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        lanes = [lane for kind in self._kinds for lane in (*kind.idle, *(lane for lane, _ in kind.busy.values()))]
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
