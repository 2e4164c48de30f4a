"""Whist tournaments: rounds in which everybody has everybody for a partner once, and for an opponent twice. Pure.

They are known for all numbers of players of the form 4k (in 4k - 1 rounds) and 4k + 1 (in 4k + 1, each player sits out
once); built in are those of `EXACT`:

- Where 4k + 1 is a power of a prime, one formula gives the first round: in the field of so many elements, with g a
  primitive one, g^i and g^(i+2k) play g^(i+k) and g^(i+3k), for i below k (E. H. Moore, "Tactical Memoranda I-III",
  American Journal of Mathematics 18, 1896). Adding each element of the field to it gives the others.
- Others are cyclic: the first round stands here, found by a search, and adding 1, 2, … gives the others (I. Anderson,
  "Combinatorial Designs and Tournaments", 1997, chapters 6 and 7); one of 4k players stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import count, product
from typing import Final, TypeAlias

Table: TypeAlias = tuple[int, int, int, int]
"""Two who are partners, then the two whom they play; players are numbers from 0."""
Rounds: TypeAlias = tuple[tuple[Table, ...], ...]

MOST: Final = 200
"""Players of a mixer at most; a whole tournament of so many has 9,950 tables a board stream."""

_STAYS: Final = -1
_FIRST: Final[dict[int, tuple[Table, ...]]] = {
    4: ((-1, 0, 1, 2),),
    8: ((-1, 6, 0, 4), (2, 1, 3, 5)),
    12: ((-1, 10, 4, 3), (1, 7, 9, 0), (5, 8, 2, 6)),
    16: ((-1, 1, 12, 2), (5, 4, 10, 8), (11, 14, 6, 13), (7, 3, 9, 0)),
    20: ((-1, 15, 6, 10), (7, 8, 14, 12), (3, 11, 4, 1), (9, 18, 5, 17), (2, 16, 0, 13)),
    21: ((16, 12, 18, 11), (9, 15, 1, 20), (19, 10, 13, 8), (7, 17, 3, 4), (6, 14, 5, 2)),
    24: ((-1, 18, 4, 10), (13, 8, 1, 12), (5, 14, 15, 11), (3, 6, 21, 19), (0, 22, 17, 2), (7, 20, 16, 9)),
    28: (
        *((-1, 25, 14, 17), (26, 20, 2, 21), (24, 11, 13, 9), (8, 23, 22, 4), (0, 1, 7, 18)),
        *((5, 3, 15, 10), (19, 12, 16, 6)),
    ),
}
"""First rounds by the number of players; who stays is -1, the others are numbers modulo as many as they are."""


@lru_cache(maxsize=8)
def whist(players: int) -> Rounds | None:
    """A whist tournament of so many; None where none is built in."""
    if players in _FIRST:
        return _developed(_FIRST[players], *_cyclic(players))
    if players % 4 == 1 and (field := _prime_power(players)):
        return _moore(*field)
    return None


def cycle(players: int) -> int:
    """Rounds in which each two can be partners once, and all sit out equally often, whatever their number."""
    return players - 1 if players % 4 == 0 else players


def _cyclic(players: int) -> tuple[int, Callable[[int, int], int]]:
    """How many rounds, and where a player of the first one stands so many rounds later."""
    size = cycle(players)
    return size, lambda player, by: size if player == _STAYS else (player + by) % size


def _developed(first: Iterable[Table], rounds: int, moved: Callable[[int, int], int]) -> Rounds:
    tables = tuple(first)
    return tuple(tuple(reseated(table, by, moved) for table in tables) for by in range(rounds))


def reseated(table: Table, by: int, moved: Callable[[int, int], int]) -> Table:
    """A table with others in the places of its players: who that is, moved by so many, `moved` says."""
    a, b, c, d = (moved(player, by) for player in table)
    return a, b, c, d


# ------------------------------------------------------------------------------------------------------- finite fields


def _moore(prime: int, degree: int) -> Rounds:
    """By the formula of Moore, in the field of so many elements."""
    size = prime**degree
    powers, quarter = _powers(prime, degree), size // 4
    first = [(powers[i], powers[i + 2 * quarter], powers[i + quarter], powers[i + 3 * quarter]) for i in range(quarter)]
    return _developed(first, size, lambda player, by: _sum(prime, player, by))


def _sum(prime: int, a: int, b: int) -> int:
    """Of two elements, each a number whose digits to the base of the prime are its coefficients."""
    total, unit = 0, 1
    while a or b:
        total += (a + b) % prime * unit
        a, b, unit = a // prime, b // prime, unit * prime
    return total


def _powers(prime: int, degree: int) -> tuple[int, ...]:
    """All powers of a primitive element x, by the first polynomial x^degree = … modulo which x is one."""
    orbits = (_orbit(prime, reduced) for reduced in product(range(prime), repeat=degree))
    return next(orbit for orbit in orbits if len(orbit) == prime**degree - 1)


def _orbit(prime: int, reduced: tuple[int, ...]) -> tuple[int, ...]:
    """1, x, x², … until 1 comes again, or 0."""
    one = (1,) + (0,) * (len(reduced) - 1)
    seen: dict[tuple[int, ...], None] = {}
    element = one
    while element not in seen and any(element):
        seen[element] = None
        top = element[-1]
        element = tuple((low + top * each) % prime for low, each in zip((0, *element[:-1]), reduced, strict=True))
    return tuple(sum(digit * prime**place for place, digit in enumerate(each)) for each in seen)


def _prime_power(number: int) -> tuple[int, int] | None:
    """The prime and the exponent, if it is one."""
    prime = next(each for each in count(2) if number % each == 0 or each * each > number)
    prime = prime if number % prime == 0 else number
    degree = next(each for each in count(1) if prime**each >= number)
    return (prime, degree) if prime**degree == number else None


EXACT: Final = tuple(sorted({*_FIRST, *filter(_prime_power, range(5, MOST + 1, 4))}))
"""The numbers of players for which one is built in."""
