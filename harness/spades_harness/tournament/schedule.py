"""Who meets whom: schedules as pure functions of entrants, options and the results so far. No I/O, no clock, no dice.

A schedule names legs; what a leg needs to be played (secret, rules, players on seats) is added in `identity`. A
schedule may look at results, so a ladder or a knockout fits the same shape as a round robin: it is asked again when
every leg that it named has been played, and it is done when it names no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import chain
from typing import Final, Protocol, TypeAlias, TypeVar

from spades_harness.errors import UserError
from spades_harness.game.rules import Rules
from spades_harness.game.score import Format, Game
from spades_harness.table.match import Player, Scalar

from .outcome import Leg, Outcome

T = TypeVar("T")


class ScheduleError(UserError):
    """Options that a schedule doesn't have, or entrants that it cannot serve."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """What is ranked: a name, and a player for each seat of a side, in the order of the seats."""

    name: str
    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """What the tournament file says to a schedule: its own options by name, the format of the matches, the rules."""

    values: Mapping[str, Scalar] = field(default_factory=dict)
    format: Format = field(default_factory=Game)
    rules: Rules = field(default_factory=Rules)
    """`rules.shape.sides` says how many entrants a match takes."""


Batch: TypeAlias = tuple[Leg, ...]


class Schedule(Protocol):
    """A way to let entrants meet."""

    def __call__(self, entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
        """The legs to play next, in plan order; empty when the tournament is over.

        `results` are those of every leg named so far, in plan order. Raises ScheduleError for options that it doesn't
        have; it is called once without results before anything is started.
        """
        ...


ROUNDS: Final = 8
"""Board streams unless the file says otherwise: two entrants alone get an interval, which takes `FEWEST_PAIRS` (5)."""
MAX_ROUNDS: Final = 1_000_000
"""A slip of the finger beyond this would fill memory before the first match is played."""


def round_robin(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """Every pairing plays every board stream, once each way round; option `rounds`: so many board streams, 8.

    At any moment no entrant is more than two pairings ahead of another (one where their number is even), and no
    pairing more than one board stream ahead of another.
    """
    rounds = whole_number("round_robin", options, "rounds", ROUNDS, MAX_ROUNDS)
    named = {outcome.leg for outcome in results}
    names = [entrant.name for entrant in entrants]
    legs = (leg for stream in range(rounds) for leg in _round(names, stream))
    return tuple(leg for leg in legs if leg not in named)


def _round(names: Sequence[str], stream: int) -> Iterator[Leg]:
    """Both legs of every pairing, each pairing's legs one after the other."""
    for pairing in chain.from_iterable(circle(names)):
        for leg in (0, 1):
            yield Leg(pairing, stream, leg, round=stream + 1)


def circle(names: Sequence[T]) -> Iterator[tuple[tuple[T, T], ...]]:
    """The circle method: turns in which everybody meets somebody (all but one where their number is odd).

    The first stays, the others move on by one place a turn; who faces the empty place has a bye. In each pairing the
    one who was named first comes first.
    """
    size = len(names) + len(names) % 2
    for turn in range(size - 1):
        places = [0, *((turn + place) % (size - 1) + 1 for place in range(size - 1))]
        facing = (sorted((places[i], places[-1 - i])) for i in range(size // 2))
        yield tuple((names[i], names[j]) for i, j in facing if j < len(names))


def whole_number(schedule: str, options: Options, name: str, default: int, highest: int) -> int:
    """A schedule's only option, a whole number from 1; raises ScheduleError, also for any other option."""
    for given in options.values:
        if given != name:
            near = get_close_matches(given, [name], n=1)
            hint = f"did you mean {name!r}?" if near else f"it has only {name!r}"
            raise ScheduleError(f"schedule: {schedule} has no option {given!r}; {hint}")
    value = options.values.get(name, default)
    if type(value) is not int or not 1 <= value <= highest:
        raise ScheduleError(f"schedule: {name} must be a whole number from 1 to {highest}, not {value!r}")
    return value
