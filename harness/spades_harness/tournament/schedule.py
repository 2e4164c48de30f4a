"""Who meets whom: schedules as pure functions of entrants, options and the results so far. No I/O, no clock, no dice.

A schedule names legs; what a leg needs to be played (secret, rules, players on seats) is added in `identity`. A
schedule may look at results, so a ladder or a knockout fits the same shape as a round robin: it is asked again when
every leg that it named has been played, and it is done when it names no more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, permutations
from math import comb
from typing import Final, NamedTuple, Protocol, TypeAlias, TypeVar

from spades_harness.errors import UserError
from spades_harness.game.rules import Rules
from spades_harness.game.score import Format, Game
from spades_harness.suggestion import near_miss
from spades_harness.table.match import Player, Scalar

from .outcome import Leg, Outcome, legs_of

T = TypeVar("T")


class ScheduleError(UserError):
    """Options that a schedule doesn't have, or entrants that it cannot serve."""


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


def written(value: object) -> str:
    """Such a value as a file says it, not as Python does."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case Mapping():
            return f"{{{', '.join(f'{key}: {written(each)}' for key, each in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(written, value))}]"
        case _:
            return repr(value)


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


ROUNDS: Final = 8
"""Board streams unless the file says otherwise: two entrants alone get an interval, which takes `FEWEST_PAIRS` (5)."""
MAX_ROUNDS: Final = 1_000_000
"""Rounds of whatever; more are a slip of the finger."""
MAX_MATCHES: Final = 1_000_000
"""Matches named at a time: more would take minutes and a gigabyte before the first of them is played. Every four of a
hundred entrants are four million tables."""


def round_robin(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """Everybody meets everybody on every board stream, from every seat; option `rounds`: so many board streams, 8.

    Where a match takes two, every pairing plays once each way round. At any moment no entrant is more than two pairings
    ahead of another (one where their number is even), and no pairing more than one board stream ahead of another.

    Where it takes four, every four of the entrants sit together: n entrants make n(n-1)(n-2)(n-3)/24 tables a board
    stream, of four matches each. No entrant is more than four tables ahead of another, and no table more than one board
    stream. Two entrants fill a table with two copies each; three can't.
    """
    rounds = whole_number("round_robin", options, "rounds", ROUNDS, MAX_ROUNDS)
    named = {outcome.leg for outcome in results}
    places = len(options.rules.shape.sides)
    refuse_too_many("round_robin", comb(len(entrants), places) * places * rounds)
    tables = _tables([entrant.name for entrant in entrants], places)
    legs = (leg for stream in range(rounds) for table in tables for leg in _legs(arranged(table, stream), stream))
    return tuple(leg for leg in legs if leg not in named)


def refuse_too_many(schedule: str, matches: int) -> None:
    """Raise ScheduleError for more than can be named at a time."""
    if matches > MAX_MATCHES:
        raise ScheduleError(
            f"schedule: {schedule} comes to {matches:,} matches, and {MAX_MATCHES:,} are the most that can be planned"
            " at a time; let fewer take part, or play fewer rounds"
        )


def _tables(names: Sequence[str], places: int) -> Sequence[tuple[str, ...]]:
    """Who sits together on a board stream, table after table. Raises ScheduleError where a table can't be filled."""
    count = len(names)
    if count < 2:
        return ()
    if places == 2:
        return tuple(chain.from_iterable(circle(names)))
    if count >= places:
        return tuple(tuple(names[number] for number in table) for table in choices(count, places))
    if places % count:
        takes = f"two, with copies, or {places} and more"
        raise ScheduleError(
            f"schedule: round_robin can't fill tables of {places} with {count} entrants; it takes {takes}"
        )
    return (tuple(name for name in names for _ in range(places // count)),)


def arranged(table: Sequence[T], stream: int) -> tuple[T, ...]:
    """Who sits at a table by place: from one board stream to the next another order round the table, six for four."""
    first, *others = table
    orders = list(permutations(others))
    return (first, *orders[stream % len(orders)])


def _legs(seated: tuple[str, ...], stream: int) -> Iterator[Leg]:
    """All legs of a meeting, one after the other."""
    for leg in range(legs_of(seated)):
        yield Leg(seated, stream, leg, round=stream + 1)


def choices(count: int, size: int) -> Iterator[tuple[int, ...]]:
    """Every choice of so many of the numbers below `count`, in an order in which no number runs far ahead.

    One choice moved round by 1, 2, … has each number as often as any other, until it is itself again; then comes the
    next that was not among these. Within such a turn those come first that were chosen least.
    """
    done: set[tuple[int, ...]] = set()
    for choice in combinations(range(count), size):
        if choice not in done:
            turn = dict.fromkeys(tuple(sorted((each + by) % count for each in choice)) for by in range(count))
            done.update(turn)
            yield from _least_first(turn)


def _least_first(choices: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    left, chosen = list(choices), Counter[int]()
    while left:
        least = min(left, key=lambda choice: sum(chosen[each] for each in choice))
        left.remove(least)
        chosen.update(least)
        yield least


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
            hint = f"did you mean {name!r}?" if near_miss(given, [name]) else f"it has only {name!r}"
            raise ScheduleError(f"schedule: {schedule} has no option {given!r}; {hint}")
    value = options.values.get(name, default)
    if type(value) is not int or not 1 <= value <= highest:
        raise ScheduleError(f"schedule: {name} must be a whole number from 1 to {highest}, not {written(value)}")
    return value
