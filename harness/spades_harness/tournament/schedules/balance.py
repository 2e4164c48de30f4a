"""Rounds in which partners change, for any number of players: exact where that is built in, else balanced.

Pure, and the same on every machine: no dice, no clock, a fixed number of steps.

A cycle lets each two be partners once. Where a whist tournament is built in (`whist.EXACT`), it is one; in the next
cycle everybody moves on by one, so that other fours meet. Elsewhere the pairs of a round come from the circle method,
and are matched into tables so that opponents, over all that was played so far, come out even: first one pair after the
other with the pair that it met least, then two tables of a round change pairs wherever that makes it more even, for a
number of sweeps that only hangs on how many players there are. Of a cycle, in which the mean is two, that leaves no two
who met more than four times, and mostly none who never met.

Where the number of pairs of a round is odd, one of them sits out: who was partners oftenest, of these who rested least.
So of 4k + 2 and 4k + 3 players some two are partners less often than others, by one in the first two cycles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, product
from operator import itemgetter
from typing import Final, TypeAlias, TypeVar

from .round_robin import circle
from .whist import Rounds, Table, cycle, reseated, whist

T = TypeVar("T")
Pair: TypeAlias = tuple[int, int]

COMPARISONS: Final = 400_000
"""Of two tables, in all sweeps of a cycle: some seconds, and two hundred players still get one sweep."""
MOST_SWEEPS: Final = 10
"""Later ones change hardly anything."""

_ARRANGED: Final = tuple(
    (*first, *second)
    for one, other in (((0, 1), (2, 3)), ((2, 3), (0, 1)))
    for first in (one, one[::-1])
    for second in (other, other[::-1])
)
"""The eight ways in which partners and sides of a table may change places."""


@dataclass(frozen=True, slots=True)
class Imbalance:
    """How far from even: the least and the most that two were partners, or opponents, and that one sat out."""

    partners: Pair
    opponents: Pair
    sat_out: Pair


@lru_cache(maxsize=8)
def balanced(players: int, count: int) -> Rounds:
    """So many rounds for so many players, at least 4; in each nobody has two seats."""
    found = whist(players)
    made = _whole(players, found) if found else _Search(players, count).rounds()
    return tuple(_seats_in_turn(players, islice(made, count)))


def _whole(players: int, found: Rounds) -> Iterator[Sequence[Table]]:
    """Cycle after cycle of a whist tournament."""
    moved = 0
    while True:
        for tables in found:
            yield [reseated(table, moved, lambda player, by: (player + by) % players) for table in tables]
        moved += 1


def _prices_of_places(had: Sequence[int]) -> list[int]:
    """What each place costs a player who had each of them so often."""
    rarest = min(had)
    return [(count - rarest) ** 2 for count in had]


def _seats_in_turn(players: int, rounds: Iterable[Sequence[Table]]) -> Iterator[tuple[Table, ...]]:
    """With the places at each table so that everybody has each of the four about equally often.

    What a place costs a player is the square of how much oftener than its rarest it had it. So of up to sixty players
    nobody ever has one place more than three times oftener than another, where a plain sum lets some be four ahead; of
    more players, up to two hundred, none is more than four ahead after half a cycle or a whole one.
    """
    had = [[0] * 4 for _ in range(players)]

    def seated(table: Table) -> Table:
        costs = [_prices_of_places(had[player]) for player in table]
        ways = (sum(costs[at][place] for place, at in enumerate(places)) for places in _ARRANGED)
        _, places = min(zip(ways, _ARRANGED, strict=True), key=itemgetter(0))
        a, b, c, d = (table[at] for at in places)
        for place, player in enumerate((a, b, c, d)):
            had[player][place] += 1
        return a, b, c, d

    for tables in rounds:
        yield tuple(seated(table) for table in tables)


# ------------------------------------------------------------------------------------------------------ how even it is


def imbalance(players: Iterable[T], rounds: Iterable[Iterable[Sequence[T]]]) -> Imbalance:
    """Of any rounds of tables: two partners, then the two whom they play. A table of more than one round is several."""
    everybody, tables = [*players], [[*each] for each in rounds]
    partners = Counter(frozenset(two) for each in tables for table in each for two in (table[:2], table[2:]))
    opponents = Counter(frozenset(two) for each in tables for table in each for two in product(table[:2], table[2:]))
    seated = Counter(player for each in tables for player in {player for table in each for player in table})
    out = [len(tables) - seated[player] for player in everybody]
    return Imbalance(_range(everybody, partners), _range(everybody, opponents), (min(out), max(out)))


def _range(players: Sequence[T], counted: Counter[frozenset[T]]) -> Pair:
    counts = [counted[frozenset(two)] for two in combinations(players, 2)]
    return min(counts), max(counts)


# ---------------------------------------------------------------------------------------------------------- the search


class _Search:
    """Rounds cycle by cycle, each with an eye on who met whom in those before."""

    def __init__(self, players: int, count: int) -> None:
        """`count` rounds are wanted: what is beyond has no say in them."""
        self._players, self._count = players, count
        self._partners: Counter[Pair] = Counter()
        self._rested = [0] * players
        self._met = [0] * players**2
        self._price = _prices(0)

    def rounds(self) -> Iterator[Sequence[Table]]:
        """All that are wanted."""
        done = 0
        while done < self._count:
            made = self._cycle(done // cycle(self._players), self._count - done)
            yield from ([(*one, *other) for one, other in _tables(pairs)] for pairs in made)
            done += len(made)

    def _cycle(self, number: int, wanted: int) -> list[list[Pair]]:
        """The rounds of a cycle, as pairs of which each two after one another share a table."""
        players = self._players
        named = [(player + number) % players for player in range(players)]
        seated = [self._seated(list(pairs)) for pairs in islice(circle(named), wanted)]
        meetings = sum(self._met) // 2 + sum(2 * len(pairs) for pairs in seated)
        self._price = _prices(round(meetings / (players * (players - 1) / 2)))
        made = [self._matched(pairs) for pairs in seated]
        for _ in range(_sweeps(made)):
            for pairs in made:
                self._even_out(pairs)
        return made

    def _seated(self, pairs: list[Pair]) -> list[Pair]:
        """The pairs of a round that play."""
        if len(pairs) % 2:
            pairs.remove(max(pairs, key=self._due_to_rest))
        playing = {player for pair in pairs for player in pair}
        self._partners.update(map(_ordered, pairs))
        for player in range(self._players):
            self._rested[player] += player not in playing
        return pairs

    def _due_to_rest(self, pair: Pair) -> tuple[int, int, int]:
        rested = [self._rested[player] for player in pair]
        return self._partners[_ordered(pair)], -max(rested), -sum(rested)

    def _matched(self, pairs: list[Pair]) -> list[Pair]:
        """Each pair with the one that it met least."""
        found: list[Pair] = []
        while pairs:
            one = pairs.pop()
            other = min(pairs, key=lambda pair: self._cost(one, pair))
            pairs.remove(other)
            self._meet(one, other, 1)
            found += one, other
        return found

    def _even_out(self, pairs: list[Pair]) -> None:
        """Let two tables of a round change pairs wherever that evens out who met whom."""
        for i, j in combinations(range(0, len(pairs), 2), 2):
            a, b, c, d = pairs[i], pairs[i + 1], pairs[j], pairs[j + 1]
            self._meet(a, b, -1)
            self._meet(c, d, -1)
            partings = (a, b, c, d), (a, d, c, b), (a, c, b, d)
            costs = [self._cost(p, q) + self._cost(r, s) for p, q, r, s in partings]
            a, b, c, d = partings[costs.index(min(costs))]
            self._meet(a, b, 1)
            self._meet(c, d, 1)
            pairs[i], pairs[i + 1], pairs[j], pairs[j + 1] = a, b, c, d

    def _meet(self, one: Pair, other: Pair, by: int) -> None:
        met, size = self._met, self._players
        for p in one:
            for q in other:
                met[p * size + q] += by
                met[q * size + p] += by

    def _cost(self, one: Pair, other: Pair) -> int:
        """What these meetings would add to all that is uneven."""
        met, price, (a, b), (c, d) = self._met, self._price, one, other
        row, below = a * self._players, b * self._players
        return price(met[row + c]) + price(met[row + d]) + price(met[below + c]) + price(met[below + d])


def _prices(even: int) -> Callable[[int], int]:
    """What one more meeting costs two who met so often, where each two are to meet `even` times.

    The fourth power keeps anybody from standing far out; the square alone lets a few, in return for many who are even.
    """
    found = [(off + 1) ** 4 - off**4 + 2 * ((off + 1) ** 2 - off**2) for off in range(-even, even + 2 * even + 16)]
    return found.__getitem__


def _sweeps(rounds: Sequence[Sequence[Pair]]) -> int:
    """As many as the comparisons are enough for, and at least one."""
    tables = [len(pairs) // 2 for pairs in rounds]
    each = sum(count * (count - 1) // 2 for count in tables)
    return max(1, min(MOST_SWEEPS, COMPARISONS // max(each, 1)))


def _tables(pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Pair]]:
    return zip(pairs[::2], pairs[1::2], strict=True)


def _ordered(two: Pair) -> Pair:
    return two if two[0] < two[1] else (two[1], two[0])
