"""Where the matches of a run are played: what an executor is, and the lanes of this machine as the first of them.

An executor is a function of a text (what follows its name on the command line) and a job. In its `with` stands a site,
whose lanes `lanes.Lanes` keeps busy. It knows no ledger and no schedule, and may not touch what a match came to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol, TypeAlias

from spades_harness.errors import UserError
from spades_harness.table.match import Player

from .kits import Kit
from .lanes import Lane, Play
from .room import Room, crowded, room
from .worker import WorkerLane

LANES: Final = "lanes"


class NoSite(UserError):
    """An executor has no place for the run: one line that says what is wrong, and what to do."""


Fit: TypeAlias = Callable[[Sequence[Kit]], tuple[Player, ...]]
"""Makes bots ready to be started on the machine where it is called; raises UserError for what that machine lacks. It
can be pickled."""


@dataclass(frozen=True, slots=True)
class Job:
    """What an executor is told of a run before its first match."""

    play: Play
    """Plays a match; it can be pickled, and so can what it is given and gives back."""
    jobs: int | None
    """Matches at a time at the most; None: as many as suit the site."""
    waits: bool
    """Whether every bot of the run only waits for something elsewhere."""
    kits: tuple[Kit, ...]
    """Its bots, for whoever takes them elsewhere."""
    fit: Fit
    """To be called once in each process elsewhere that plays, with the kits where they are there."""
    tell: Callable[[str], None]
    """Gets lines for whoever watches the run; may be called from any thread."""


class Site(Protocol):
    """Where matches run, while a run goes on."""

    @property
    def room(self) -> Room:
        """For how many matches there is room now; it may change at any time. Raises ExecutorLost."""
        ...

    def lane(self) -> Lane:
        """One more lane; no more are asked for than there is room for."""
        ...


Executor: TypeAlias = Callable[[str, Job], AbstractContextManager[Site]]
"""Raises NoSite for a text that it can't use, and where nobody could play. Leaving its `with` leaves nothing of the run
behind."""


@dataclass(frozen=True, slots=True)
class Checked:
    """An executor whose text is looked at before a run is founded: one that isn't is asked when the run begins."""

    inner: Executor
    objection: Callable[[str], str]
    """What is wrong with a text, and what to do, as it follows the text in a line; empty where nothing is."""

    def __call__(self, where: str, job: Job) -> AbstractContextManager[Site]:
        """What the executor gives. Raises NoSite."""
        return self.inner(where, job)


class Named(NamedTuple):
    """An executor as it was named on the command line: `NAME`, or `NAME=WHERE`."""

    text: str

    @property
    def name(self) -> str:
        """What it is registered as."""
        return self.text.partition("=")[0]

    @property
    def where(self) -> str:
        """What it is told, empty where nothing follows its name."""
        return self.text.partition("=")[2]


HERE: Final = Named(LANES)
"""What is taken where none is named."""


def named(text: str | None) -> Named:
    """What was typed; None: nothing."""
    return HERE if text is None else Named(text)


class _Here(NamedTuple):
    """This machine."""

    room: Room

    def lane(self) -> Lane:
        """A worker process."""
        return WorkerLane()


def lanes_objection(where: str) -> str:
    """What is wrong with a text for lanes: that there is one."""
    return "lanes are here and nowhere else; how many, --jobs says" if where else ""


@contextmanager
def lanes(where: str, job: Job) -> Iterator[Site]:
    """Worker processes of this machine; tells of more than do each other good. Raises NoSite for any text."""
    if why := lanes_objection(where):
        raise NoSite(f"--executor {LANES}={where}: {why}")
    found = room(job.jobs)
    if warning := crowded(found, waits=job.waits):
        job.tell(f"spades: {warning}")
    yield _Here(found)
