"""Who meets whom: schedules as pure functions of entrants, options and the results so far. No I/O, no clock, no dice.

A schedule names legs; what a leg needs to be played (secret, rules, players on seats) is added in `identity`. A
schedule may look at results, so a ladder or a knockout fits the same shape as a round robin: it is asked again when
every leg that it named has been played, and it is done when it names no more.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeAlias

from spades_harness.errors import UserError
from spades_harness.game.rules import Rules
from spades_harness.game.score import Format, Game
from spades_harness.table.match import Player, Scalar

from .outcome import Leg, Outcome


class ScheduleError(UserError):
    """Options that a schedule doesn't have, or entrants that it cannot serve; `option` is the one that is wrong."""

    def __init__(self, what: str, option: str = "") -> None:
        super().__init__(what)
        self.option = option


@dataclass(frozen=True, slots=True)
class Entrant:
    """What is ranked: a name, and a player for each seat of a side, in the order of the seats."""

    name: str
    players: tuple[Player, ...]


class Away(NamedTuple):
    """That an entrant was not there while these matches were planned: those after so many, up to so many."""

    entrant: str
    since: int
    until: int | None = None
    """None: it hasn't come back."""

    def misses(self, ordinal: int) -> bool:
        """Whether the match of this number was planned without it."""
        return self.since < ordinal and (self.until is None or ordinal <= self.until)


OptionValue: TypeAlias = Scalar | Sequence[Scalar] | Mapping[str, Scalar]
"""What the file may say to an option of a schedule; `option_reading` reads them."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the tournament file says to a schedule: its own options by name, the format of the matches, the rules."""

    values: Mapping[str, OptionValue] = field(default_factory=dict)
    format: Format = field(default_factory=Game)
    rules: Rules = field(default_factory=Rules)
    """`rules.shape.sides` says how many entrants a match takes."""
    absent: Collection[str] = frozenset()
    """Entrants that `values` may name, too, and that don't take part: their bots didn't come up."""
    away: tuple[Away, ...] = ()
    """Who had withdrawn or was disqualified while something was planned: not the file but the organiser says so."""

    @property
    def gone(self) -> frozenset[str]:
        """Those who play no more, as far as is known."""
        return frozenset(each.entrant for each in self.away if each.until is None)


Batch: TypeAlias = tuple[Leg, ...]


class Schedule(Protocol):
    """A way to let entrants meet."""

    def __call__(self, entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
        """The legs to play next, in plan order; empty when the tournament is over.

        `results` are those of every leg named so far, in plan order. Raises ScheduleError for options that it doesn't
        have; it is called once without results before anything is started.
        """
        ...
