"""Everybody meets everybody; with it, orders in which all pairs, and all choices of some, can be gone through. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, permutations
from math import comb
from typing import Final, TypeVar

from spades_harness.tournament.outcome import Leg, Outcome, legs_of
from spades_harness.tournament.schedule import Batch, Entrant, Options, ScheduleError

from .option_reading import MAX_ROUNDS, Given, refuse_too_many

T = TypeVar("T")

NAME: Final = "round_robin"
ROUNDS: Final = 8
"""Board streams unless the file says otherwise: two entrants alone get an interval, which takes `FEWEST_PAIRS` (5)."""


def round_robin(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """Everybody meets everybody on every board stream, from every seat; option `rounds`: so many board streams, 8.

    Where a match takes two, every pairing plays once each way round. At any moment no entrant is more than two pairings
    ahead of another (one where their number is even), and no pairing more than one board stream ahead of another.

    Where it takes four, every four of the entrants sit together: n entrants make n(n-1)(n-2)(n-3)/24 tables a board
    stream, of four matches each. No entrant is more than four tables ahead of another, and no table more than one board
    stream. Two entrants fill a table with two copies each; three can't.
    """
    rounds = Given(NAME, options, "rounds").whole("rounds", ROUNDS, 1, MAX_ROUNDS)
    named = {outcome.leg for outcome in results}
    places = len(options.rules.shape.sides)
    refuse_too_many(NAME, comb(len(entrants), places) * places * rounds)
    tables = _tables([entrant.name for entrant in entrants], places)
    legs = (leg for stream in range(rounds) for table in tables for leg in _legs(arranged(table, stream), stream))
    return tuple(leg for leg in legs if leg not in named)


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
        raise ScheduleError(f"schedule: {NAME} can't fill tables of {places} with {count} entrants; it takes {takes}")
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
