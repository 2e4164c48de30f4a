"""What a run tells while it goes on: events, to a person's display and to a file of JSON lines. Plays nothing.

Nobody need read along: a reader who has gone, or a disk that is full, costs a line of complaint at most, and no match.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from io import FileIO
from pathlib import Path

from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.tournament.events import (
    AnyEvent,
    BatchPlanned,
    Consumer,
    LaneLost,
    MatchPlayed,
    MatchVoid,
    Stopped,
    line,
    match_over,
)
from spades_harness.tournament.records.ledger import Planned, RunLedger

from .console import tell
from .progress import Progress
from .quoting import fault_command
from .seated import Seated

STANDARD_OUTPUT = "-"
"""The name of a file that is none, as everywhere on a command line."""


class Teller:
    """Makes events of what the run tells, and passes them on; a `runner.Listener`."""

    def __init__(self, ledger: RunLedger, consumers: Sequence[Consumer]) -> None:
        self._seated, self._consumers = Seated(ledger), consumers

    def planned(self, done: int, total: int) -> None:
        """The plan was continued."""
        self._pass_on(BatchPlanned(done=done, planned=total))

    def played(self, planned: Planned, record: MatchRecord, done: int, total: int) -> None:
        """A match was recorded."""
        self._pass_on(match_over(planned, record, self._seated.bots(planned.leg), done, total))

    def stopped(self, why: str, done: int, total: int) -> None:
        """The rule to stop ended the run."""
        self._pass_on(Stopped(why=why, done=done, planned=total))

    def lost(self, spec: MatchSpec) -> None:
        """A lane died."""
        self._pass_on(LaneLost(identity=spec.identity, attempt=spec.attempt))

    def _pass_on(self, event: AnyEvent) -> None:
        for consumer in self._consumers:
            consumer(event)


class Display:
    """Shows a person how far the run is, and each bot's first fault of a kind; the standings count the rest."""

    def __init__(self, shown: Progress, folder: Path) -> None:
        self._shown, self._folder = shown, folder
        self._told: set[tuple[str, str]] = set()

    def __call__(self, event: AnyEvent) -> None:
        """Show what of an event is of interest now."""
        match event:
            case BatchPlanned():
                self._shown.matches(event.done, event.planned)
            case MatchVoid():
                why = event.why.splitlines()[0]
                self._shown.note(f"match {event.match} is void and counts for nobody: {why}")
                self._shown.matches(event.done, event.planned)
            case MatchPlayed():
                self._tell_faults(event)
                self._shown.matches(event.done, event.planned)
            case _:
                pass  # the command itself says how a run begins and ends

    def _tell_faults(self, played: MatchPlayed) -> None:
        for fault in played.faults:
            if (fault.bot, fault.kind) not in self._told:
                self._told.add((fault.bot, fault.kind))
                more = fault_command(self._folder, played.match)
                self._shown.note(f"{fault.bot}: {fault.kind}: {fault.what} ({more})")


class EventLines:
    """Writes each event as a line, as soon as it happens; stops for good where it can't."""

    def __init__(self, file: FileIO, name: str) -> None:
        self._file: FileIO | None = file
        self._name = name

    def __call__(self, event: AnyEvent) -> None:
        """Write it; half a line may be left behind by a full disk."""
        try:
            if self._file:
                _write_all(self._file, line(event))
        except BrokenPipeError:
            self._file = None
        except OSError as error:
            self._file = None
            tell(f"spades: {self._name}: {error.strerror}: no more events are written there; the run goes on")


def _nobody(event: AnyEvent) -> None:
    """Is told, and does nothing."""


def _write_all(file: FileIO, data: bytes) -> None:
    """All of it: a system may take a part and refuse the rest only when it is asked again."""
    while data:
        data = data[file.write(data) or 0 :]


@contextmanager
def events_to(where: str | None) -> Iterator[Consumer]:
    """What writes events to a file, be it standard output (`-`): results then go to standard error. None: nowhere.

    Raises OSError where the file can't be written.
    """
    if where is None:
        yield _nobody
    elif where == STANDARD_OUTPUT:
        with FileIO(os.dup(sys.stdout.fileno()), "w") as file, redirect_stdout(sys.stderr):
            yield EventLines(file, "standard output")
    else:
        with FileIO(where, "a") as file:
            if _is_cut(Path(where)):
                _write_all(file, b"\n")
            yield EventLines(file, where)


def _is_cut(path: Path) -> bool:
    """Whether a file ends in the middle of a line, as after a crash: nothing may be appended to that."""
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"
