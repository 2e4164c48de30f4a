"""Rounds in which partners change, for any number of players: exact where that is built in, else nearly so.

Pure, and the same on every machine: no clock, a fixed number of steps, and no dice but such as are promised.

A cycle lets each two be partners once. Where a whist tournament is built in (`whist.EXACT`), it is one; in the next
cycle everybody moves on by one, so that other fours meet. Elsewhere it comes as close to one as a search makes it
(`near_whist`), and each further cycle makes good what was uneven before.

However many rounds are wanted, nobody sits out more than once oftener than another in the end. After whole cycles some
two were partners at most once oftener than others, and opponents once or twice, of many players three times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, islice, product
from operator import itemgetter
from typing import Final, TypeAlias, TypeVar

from .near_whist import near_whist
from .whist import Rounds, Table, reseated, whist

T = TypeVar("T")
Pair: TypeAlias = tuple[int, int]

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
    cycles = _whole(players, found) if found else near_whist(players)
    made: list[Sequence[Table]] = [*islice(chain.from_iterable(cycles), count)]
    return tuple(_seats_in_turn(players, _rest_shared(players, made)))


def _whole(players: int, found: Rounds) -> Iterator[Rounds]:
    """Cycle after cycle of a whist tournament."""
    moved = 0
    while True:
        named = [(player + moved) % players for player in range(players)]
        yield tuple(_renamed(tables, named) for tables in found)
        moved += 1


def _renamed(tables: Sequence[Table], named: Sequence[int]) -> tuple[Table, ...]:
    """The tables of a round with others in the places of its players."""
    return tuple(reseated(table, 0, lambda player, _: named[player]) for table in tables)


def _rest_shared(players: int, rounds: list[Sequence[Table]]) -> list[Sequence[Table]]:
    """With who sat out twice oftener than another, the last time at the end, in the seat of that one there."""
    seated = Counter(chain.from_iterable(chain.from_iterable(rounds)))
    least, most = (best(range(players), key=seated.__getitem__) for best in (min, max))
    if seated[most] - seated[least] > 1:
        named = [*range(players)]
        named[most], named[least] = least, most
        rounds[-1] = _renamed(rounds[-1], named)
    return rounds


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
