"""Who came where, where a schedule knows better than the ratings: a knockout's winner, the points of an exam. Values.

A schedule is a function; one that also says who came where, or something of itself before it is played, is registered
as a `Placed`, with such functions beside it. `placement` puts what it says into the standings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, Protocol

from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule

GONE: Final = "plays no more"
"""What is said of one that has left, where its schedule has no better word."""


class Place(NamedTuple):
    """What a schedule says of an entrant."""

    entrant: str
    rank: int | None
    """From 1, shared by equals; None for one that is not ranked."""
    said: str
    """What stands in the schedule's column: `winner`, `4½ of 6`."""
    score: float | None = None
    """The same as a number, if it is one."""
    field: tuple[str, ...] = ()
    """Its results against these alone make up its row, and its ratings are above their mean; empty: all results do."""
    rated: bool = True
    """False: its row has no rating, since it would be on another scale than those of the others."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Who came where, in the order of the table, under the title of a column; then lines that stand below the table."""

    title: str
    places: tuple[Place, ...]
    lines: tuple[str, ...] = ()


class Places(Protocol):
    """A way to say who came where, so far or in the end."""

    def __call__(self, entrants: Sequence[str], options: Options, results: Sequence[Outcome], /) -> Placing:
        """The places of these entrants; `results` are those that there are, in plan order, as the schedule sees them.

        The end of what was planned may still be missing, in no order: lanes play several matches at a time. Of a match
        that was amended to stay without a result there is one that says so (`Outcome.played`).
        """
        ...


@dataclass(frozen=True, slots=True)
class Unplaced:
    """That a schedule's places failed, or were nonsense, in one line."""

    why: str

    def __str__(self) -> str:
        return f"the schedule's order is left out: it {self.why}"


class Notes(Protocol):
    """A way to say what is to be known of a plan before it is played."""

    def __call__(self, entrants: Sequence[Entrant], options: Options, /) -> Sequence[str]:
        """Lines; asked only where the schedule itself refuses nothing."""
        ...


class Joinable(Enum):
    """When entrants may join a run that its schedule has begun without them."""

    ALWAYS = "always"
    """Whatever its results are: it goes on with them, though asked of all it would have begun otherwise."""
    WHERE_KEPT = "where kept"
    """Where it still names at first, asked of all, what was planned without them."""
    UNTIL_PLANNED = "until planned"
    """Only before its first matches are planned: these hang on how many take part, be they the same or not."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A schedule, and what else it can tell."""

    schedule: Schedule
    places: Places | None = None
    """Who came where; without it the ratings say so."""
    joinable: Joinable = Joinable.WHERE_KEPT
    """When others may join a run of it."""
    notes: Notes | None = None
    shares_sides: bool = False
    """Whether entrants share sides: then who is at fault is replaced, so that it costs nobody else anything."""
    leaves_out: bool = False
    """Whether it is asked without those who play no more, so that it can't send anybody to them. Otherwise what it is
    asked of stays the same whoever leaves, as the tree of a knockout has to, and they forfeit what it names."""

    def __call__(self, entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
        """What the schedule names."""
        return self.schedule(entrants, options, results)

    @property
    def __wrapped__(self) -> Schedule:
        """Whose code it is, as of any function that wraps another."""
        return self.schedule


def joinable(schedule: Schedule) -> Joinable:
    """When entrants may join a run of a schedule; of one that doesn't say so, where what was planned is kept."""
    return schedule.joinable if isinstance(schedule, Placed) else Joinable.WHERE_KEPT


def has_places(schedule: Schedule) -> bool:
    """Whether a schedule says who came where, and doesn't leave it to the ratings."""
    return isinstance(schedule, Placed) and schedule.places is not None


def shares_sides(schedule: Schedule | None) -> bool:
    """Whether entrants share sides in a schedule."""
    return isinstance(schedule, Placed) and schedule.shares_sides


def leaves_out(schedule: Schedule) -> bool:
    """Whether a schedule is asked without those who play no more."""
    return isinstance(schedule, Placed) and schedule.leaves_out


def notes_of(schedule: Schedule, entrants: Sequence[Entrant], options: Options) -> Sequence[str]:
    """What a schedule says of its plan."""
    return schedule.notes(entrants, options) if isinstance(schedule, Placed) and schedule.notes else ()


def in_halves(number: float) -> str:
    """A number of points, with halves as players write them: `4½`."""
    whole, half = divmod(number, 1)
    if half not in (0, 0.5):
        return f"{number:g}"
    return f"{whole:.0f}{'½' if half else ''}" if whole or not half else "½"
