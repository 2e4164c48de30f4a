"""Rounds that come close to a whist tournament, for numbers of players for which none is built in. Pure.

As in one, a first round makes the others: adding 1, 2, … to its players, modulo as many as they are. Of 4k players one
stays where it is; of 4k + 2 and 4k + 3 two and three sit out. So how often two meet in a cycle hangs on their
difference alone, and everybody sits out equally often. What is left to a search is a first round

- in which no two couples of partners have the same difference, so that no two are partners twice: by hill climbing
  (J. H. Dinitz and D. R. Stinson, "A fast algorithm for finding strong starters", SIAM Journal on Algebraic and
  Discrete Methods 2, 1981);
- and all differences of opponents come about equally often: couples change tables, for better and now and then for
  worse (S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, "Optimization by simulated annealing", Science 220, 1983).

Each further cycle has a first round of its own, which makes good what was uneven before. The search has a number of
steps that hangs on that of the players alone, and its dice are `Random.random`, whose sequence Python promises, held
against powers of two: so what it finds is the same on every machine. Six players have too few differences for that; for
them, rounds stand here that are exact after two and a half cycles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product, repeat
from math import gcd
from operator import itemgetter
from random import Random
from typing import Final, NamedTuple, TypeAlias

from .whist import Rounds, Table, reseated

Pair: TypeAlias = tuple[int, int]
Dice: TypeAlias = Callable[[], float]

CHANGES: Final = 5
"""Of tables in a search, for each two players: two hundred take a second."""
GOES: Final = 20_000
"""Searches for a first cycle, each from other couples, by the square of so many players: a hundred thousand changes."""
LATER_GOES: Final = 1_000
"""The same for each later cycle: what is left uneven there is made good again."""
LEAST_GOES: Final = 2
"""More of either: of many players, one in fifty searches leaves two who meet four times."""
CLIMBS: Final = 100
"""Tries to find pairs, of which nearly every one does."""
CLIMB: Final = 40
"""Steps of each for each player, several times as many as it takes where there is a way up."""
_SIX: Final[Rounds] = tuple(
    (table,)
    for table in (
        *((1, 2, 3, 4), (0, 2, 3, 5), (0, 5, 1, 4), (2, 3, 4, 5), (0, 4, 1, 3)),
        *((0, 1, 2, 5), (1, 5, 3, 4), (0, 5, 2, 4), (0, 3, 1, 2), (1, 5, 2, 4)),
        *((0, 1, 3, 5), (0, 4, 2, 3), (1, 3, 2, 5), (0, 2, 1, 4), (0, 3, 4, 5)),
    )
)
"""Each two of six sit out once, are partners twice and opponents four times: found by trying what is nearly even after
each third round, too."""
_ODDS: Final = tuple(1 / 4**worse for worse in range(64))
"""How likely a change is made that is worse by so much; by more, never."""


class _First(NamedTuple):
    """A first round: its couples, of which each two that follow one another share a table, and who sit out."""

    pairs: tuple[Pair, ...]
    out: tuple[int, ...]
    step: int
    """What is added to come to those who sit out next."""


@dataclass(slots=True)
class _Had:
    """What each difference had so far; that of two of whom one stays where it is, and so meets all alike, is 0."""

    players: int
    partners: list[int] = field(init=False)
    opponents: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.partners = [0] * (self.size // 2 + 1)
        self.opponents = [0] * (self.size // 2 + 1)

    @property
    def size(self) -> int:
        """Players are numbers modulo this; one more, of this number, stays where it is if there are 4k."""
        return self.players - (self.players % 4 == 0)

    def times(self, difference: int) -> int:
        """How often two of this difference meet in a cycle if two in the first round have it: that of half of all
        comes from either side."""
        return 2 if 2 * difference == self.size else 1

    def add(self, first: _First) -> None:
        """A cycle."""
        for one, other in first.pairs:
            each = _apart(self.size, one, other)
            self.partners[each] += self.times(each)
        for each in _opponents(self.size, first.pairs):
            self.opponents[each] += self.times(each)

    def spread_with(self, first: _First) -> int:
        """How much oftener some two are opponents than others, with a cycle more."""
        met = [*self.opponents]
        for each in _opponents(self.size, first.pairs):
            met[each] += self.times(each)
        return max(met[1:]) - min(met[1:])


def near_whist(players: int) -> Iterator[Rounds]:
    """Cycle after cycle for so many, at least 4, in each of which everybody sits out equally often.

    After each of them some two were partners at most once oftener than others, and nobody ever sits out more than
    once oftener than another, but in the middle of some cycles of 4k + 2: there, for one round, twice. For six, what
    comes at a time is two and a half cycles.
    """
    return repeat(_SIX) if players == 6 else _searched(players)


def _searched(players: int) -> Iterator[Rounds]:
    """A cycle at a time, each from a first round that makes good what was uneven before."""
    had, dice, goes = _Had(players), Random(players).random, GOES
    while True:
        first = _found(had, dice, goes // players**2 + LEAST_GOES)
        yield _developed(had.size, first)
        had.add(first)
        goes = LATER_GOES


def _developed(size: int, first: _First) -> Rounds:
    tables = [(*one, *other) for one, other in zip(first.pairs[::2], first.pairs[1::2], strict=True)]
    return tuple(tuple(_moved(size, table, by * first.step) for table in tables) for by in _turns(size, first))


def _moved(size: int, table: Table, by: int) -> Table:
    return reseated(table, by, lambda player, by: player if player == size else (player + by) % size)


def _turns(size: int, first: _First) -> list[int]:
    """By how many steps each round is on from the first: who rested least sits out next."""
    rested, left, turns = [0] * size, [*range(size)], list[int]()
    while left:
        had = [[rested[(player + by * first.step) % size] for player in first.out] for by in left]
        _, _, by = min((max(each, default=0), sum(each), by) for each, by in zip(had, left, strict=True))
        left.remove(by)
        turns.append(by)
        for player in first.out:
            rested[(player + by * first.step) % size] += 1
    return turns


# ------------------------------------------------------------------------------------------------------- the partners


def _partners(had: _Had, dice: Dice) -> _First:
    """Couples of all who play, no two of the same difference, as those of earlier cycles allow."""
    size = had.size
    steps = [each for each in range(1, size // 2 + 1) if gcd(each, size) == 1]
    for _ in range(CLIMBS):
        step = steps[_below(len(steps), dice)]
        wanted = _wanted(had, dice)
        out = tuple(step * each % size for each in _out(had.players, wanted))
        fixed = ((0, size),) if had.players % 4 == 0 else ()
        alone = sorted({*range(size)}.difference(out, *fixed))
        if pairs := _climb(size, alone, wanted, dice):
            return _First((*fixed, *pairs), out, step)
    raise AssertionError(f"no partners for {had.players} players")


def _wanted(had: _Had, dice: Dice) -> list[int]:
    """The differences of partners: all, but of 4k + 3 players one of those that there were oftenest.

    Of 4k + 2 it is half of all that is left out; who are so far apart are partners twice in the next cycle.
    """
    every, most = [*range(1, had.size // 2 + 1)], max(had.partners[1:])
    if had.players % 4 == 2 and had.partners[-1] == most:
        return every[:-1]
    if had.players % 4 > 1:
        oftenest = [each for each in every if had.partners[each] == most]
        every.remove(oftenest[_below(len(oftenest), dice)])
    return every


def _out(players: int, wanted: Iterable[int]) -> tuple[int, ...]:
    """Who sit out in the first round.

    Of 4k + 2 two of the same parity if an odd number of couples is to be of an even and an odd number each, else not.
    """
    if players % 4 == 2:
        return (0, 1 + sum(each % 2 for each in wanted) % 2)
    return ((), (0,), (), (players - 1, 0, 1))[players % 4]


def _climb(size: int, alone: list[int], lacking: list[int], dice: Dice) -> list[Pair]:
    """Couples of these players of these differences; none if they aren't found.

    Someone without a partner takes one at a difference that no couple has, be it from another.
    """
    mates: dict[int, int] = {}
    for _ in range(CLIMB * size):
        if not alone:
            return [(one, other) for one, other in mates.items() if one < other]
        one, at = alone[_below(len(alone), dice)], _below(len(lacking), dice)
        other = (one + lacking[at] * (1 if dice() < 0.5 else -1)) % size
        if other in alone:
            del lacking[at]
            alone.remove(other)
        elif other in mates:
            left = mates.pop(other)
            del mates[left]
            lacking[at] = _apart(size, other, left)
            alone.append(left)
        else:
            continue
        alone.remove(one)
        mates[one], mates[other] = other, one
    return []


def _below(number: int, dice: Dice) -> int:
    return int(dice() * number)


def _apart(size: int, one: int, other: int) -> int:
    """The difference of two, whichever way round; 0 if one of them stays where it is."""
    return 0 if size in (one, other) else min((one - other) % size, (other - one) % size)


# ------------------------------------------------------------------------------------------------------ the opponents


def _found(had: _Had, dice: Dice, goes: int) -> _First:
    """The best of so many searches; they end when opponents are as even as can be."""
    best = _at_tables(had, _partners(had, dice), dice)
    for _ in range(1, goes):
        if best.spread <= 1:
            break
        best = min(best, _at_tables(had, _partners(had, dice), dice), key=itemgetter(0, 1))
    return best.first


class _Tried(NamedTuple):
    """A first round; how much oftener some two are opponents with it than others, and how uneven that is in all."""

    spread: int
    uneven: int
    first: _First


def _at_tables(had: _Had, first: _First, dice: Dice) -> _Tried:
    """The same couples at such tables that each two become opponents as often as others."""
    size, seats = had.size, [*first.pairs]
    apart = [[_apart(size, one, other) for other in range(size + 1)] for one in range(size + 1)]
    prices, times = _prices(had, 2 * len(seats) + 1), [0] * (size // 2 + 1)
    uneven = best = _exchange(times, prices, (), _opponents(size, seats))
    found = first.pairs
    for _ in range(CHANGES * had.players**2):
        i, j = _below(len(seats), dice), _below(len(seats), dice)
        if i | 1 == j | 1:
            continue
        one, other, by_one, by_other = seats[i], seats[j], seats[i ^ 1], seats[j ^ 1]
        before = _across(apart, one, by_one) + _across(apart, other, by_other)
        after = _across(apart, other, by_one) + _across(apart, one, by_other)
        worse = _exchange(times, prices, before, after)
        if worse > 0 and (worse >= len(_ODDS) or dice() >= _ODDS[worse]):
            _exchange(times, prices, after, before)
            continue
        seats[i], seats[j], uneven = other, one, uneven + worse
        if uneven < best:
            best, found = uneven, tuple(seats)
    first = first._replace(pairs=found)
    return _Tried(had.spread_with(first), best, first)


def _opponents(size: int, pairs: Sequence[Pair]) -> list[int]:
    """The differences of all opponents of a first round."""
    tables = zip(pairs[::2], pairs[1::2], strict=True)
    return [_apart(size, one, other) for two, against in tables for one, other in product(two, against)]


def _across(apart: Sequence[Sequence[int]], one: Pair, other: Pair) -> tuple[int, int, int, int]:
    """The differences of the opponents at a table of these couples."""
    first, second, (a, b) = apart[one[0]], apart[one[1]], other
    return first[a], first[b], second[a], second[b]


def _exchange(times: list[int], prices: Sequence[Sequence[int]], before: Iterable[int], after: Iterable[int]) -> int:
    """Count these differences instead of those; how much more uneven that is."""
    worse = 0
    for each in before:
        times[each] -= 1
        worse -= prices[each][times[each]]
    for each in after:
        worse += prices[each][times[each]]
        times[each] += 1
    return worse


def _prices(had: _Had, most: int) -> list[list[int]]:
    """By difference, how much more uneven it gets by one more of it in a first round that has so many of it.

    Uneven is the sum of the squares of how much oftener or less often than the mean two of each difference met.
    """
    mean, prices = sum(had.opponents[1:]) // len(had.opponents[1:]), [[0] * most]
    for each, met in enumerate(had.opponents[1:], 1):
        off = [(met - mean - 2 + had.times(each) * more) ** 2 for more in range(most + 1)]
        prices.append([after - before for before, after in pairwise(off)])
    return prices
