"""How far a run is: one moving line on a terminal, a plain line now and then elsewhere. On standard error only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TextIO

from .console import rich_console, tell

PLAIN_INTERVAL = 10.0
"""Seconds between plain lines: a log of an hour's run stays readable."""


class Progress(Protocol):
    """Where a run says how far it is."""

    def matches(self, done: int, total: int) -> None:
        """So many matches are recorded, out of those planned so far."""

    def note(self, text: str) -> None:
        """Something worth a line of its own, now."""


@contextmanager
def progress(stream: TextIO | None = None) -> Iterator[Progress]:
    """The progress display that suits the stream (standard error)."""
    stream = stream or sys.stderr
    if stream.isatty() and not rich_console(stream).is_dumb_terminal:
        with _moving(stream) as shown:
            yield shown
    else:
        plain = PlainProgress()
        yield plain
        plain.end()


@dataclass
class Pace:
    """Rate and time left, from what was played since the start: neither what a stopped run had done before counts, nor
    what a batch that is planned later brings along."""

    clock: Callable[[], float] = time.monotonic
    began: float = 0.0
    before: int | None = None
    done: int = 0
    total: int = 0
    played: int = 0
    """Matches since the start."""
    grows: bool = False
    """Whether more was planned than at first: then nobody knows how much is to come."""

    def say(self, done: int, total: int) -> str:
        """`12/40 matches, 3.1 a second, 9 s left`."""
        now = self.clock()
        if self.before is None:
            self.began, self.before = now, done
        elif total != self.total:
            self.grows = self.grows or self.total > 0
            self.before += done - self.done
        self.done, self.total = done, total
        self.played = played = done - self.before
        seconds = now - self.began
        said = f"{done}/{total} matches{' planned so far' if self.grows else ''}"
        if played <= 0 or seconds <= 0:
            return said
        rate = played / seconds
        left = f", {duration((total - done) / rate)} left{' of these' if self.grows else ''}" if done < total else ""
        return f"{said}, {_rate(rate)}{left}"


def _rate(a_second: float) -> str:
    return f"{a_second:.1f} a second" if a_second >= 1 else f"{60 * a_second:.1f} a minute"


def duration(seconds: float) -> str:
    """A time as people say it: `38 s`, `12 min`, `7 h 05 min`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60:02d} min"


class PlainProgress:
    """A line at the start, at the end, and every ten seconds between; one at most of what was played before."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, line: Callable[[str], None] = tell) -> None:
        self._pace, self._clock, self._line = Pace(clock), clock, line
        self._next = 0.0
        self._told, self._held = 0, ""

    def matches(self, done: int, total: int) -> None:
        """Say it when it is time, or when all is done; nothing while nothing is planned.

        Where all is done, and nothing of it since the last line, there may be more to come: that waits for the end.
        """
        text, now = self._pace.say(done, total), self._clock()
        self._held = text if total and done == total and self._pace.played == self._told else ""
        if total and not self._held and (now >= self._next or done == total):
            self._line(text)
            self._next, self._told = now + PLAIN_INTERVAL, self._pace.played

    def note(self, text: str) -> None:
        """A line at once."""
        self._line(text)

    def end(self) -> None:
        """Say that all is done, if that wasn't said."""
        if self._held:
            self._line(self._held)


@contextmanager
def _moving(stream: TextIO) -> Iterator[Progress]:
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bars

    console = rich_console(stream)
    columns = (BarColumn(), TextColumn("{task.description}", markup=False))
    with Bars(*columns, console=console, transient=True) as bars:
        task = bars.add_task("", total=None)
        pace = Pace()

        class Moving:
            def matches(self, done: int, total: int) -> None:
                bars.update(task, completed=done, total=total, description=pace.say(done, total))

            def note(self, text: str) -> None:
                console.print(text, soft_wrap=True)  # a request that is shown can be copied whole

        yield Moving()
