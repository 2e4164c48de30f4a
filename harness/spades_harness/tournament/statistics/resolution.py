"""Which difference in strength so many matches can tell: from a plan alone, before anything is played. Pure.

Two entrants of the same strength that meet in `n` pairs of legs, each worth one result, have Elo that differ by chance.
In the model of Bradley and Terry ("Rank Analysis of Incomplete Block Designs", Biometrika 39, 1952) a result between
equals carries the information 1/4 about the difference of log odds; with the information of all planned results summed
into the matrix H, the variance of a difference is that of the maximum-likelihood estimate, e' H^-1 e, and the half
width of its 95 % interval is 1.96 times the root, times 400/ln 10 Elo. For m entrants that all meet in n such results
this comes to

    1.96 * 173.7 * sqrt(8 / (m n))

At a table of k, the k(k-1)/2 results on the same cards are no independent witnesses. Were the places at its end drawn
by lot, the variance of a score would be (k+1)/3 times as large as with independent results; each counts for 1/(k-1), so
the variance of a difference is (k+1)/(3(k-1)) times that of the formula.

Where partners share sides, a side is as strong as its members in the mean, so that each has half a share in it.

It is exact for equals without draws. Draws, and cards that both legs share, make the true interval narrower; opponents
who are far stronger or weaker tell less, and make it wider.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, product
from typing import Final

import numpy as np

from spades_harness.game.score import Format, Game
from spades_harness.tournament.outcome import Leg, batched, legs_of

from .interval import FEWEST_PAIRS
from .strength import ELO, PRIOR_DEVIATION, Floats

Z95: Final = 1.959963984540054
"""The 97.5 % quantile of the normal distribution."""
MOST: Final = 2_000
"""Entrants up to which this is computed: the matrix of so many is inverted in a second."""


def resolution(legs: Iterable[Leg], game: Format) -> float | None:
    """Half the 95 % interval of the difference of two entrants of equal strength, in Elo; the widest of any two.

    None where one of them meets in fewer pairs of legs than an interval takes, or where they are too many to say.
    """
    planned = tuple(legs)
    number = {name: index for index, name in enumerate(sorted({name for leg in planned for name in leg.entrants}))}
    if len(number) > MOST or fewest(planned) < FEWEST_PAIRS:
        return None
    keys = Counter((leg.entrants, leg.stream, leg.mates) for leg in planned if not _has_own_partner(leg))
    known = np.eye(len(number)) * (ELO / PRIOR_DEVIATION) ** 2
    for (seated, _, mates), played in keys.items():
        results = played if isinstance(game, Game) else played / legs_of(seated, mates)
        sides = [[number[name] for name in side] for side in batched(seated, mates)]
        _learn(known, sides, results / (len(sides) - 1) / 4)
    inverse = np.linalg.inv(known)
    own = np.diag(inverse)
    variance = float((own[:, None] + own[None, :] - 2 * inverse).max())
    places = max(len(seated) // mates for seated, _, mates in keys)
    return float(Z95 * ELO * (variance * (places + 1) / (3 * (places - 1))) ** 0.5)


def _has_own_partner(leg: Leg) -> bool:
    """A table of which nothing is rated."""
    return leg.mates > 1 and any(len({*side}) < len(side) for side in leg.sides)


def fewest(legs: Sequence[Leg]) -> int:
    """In how many meetings the one takes part who is in fewest of them; 0 without any.

    Tables at which somebody is its own partner are none: nothing is rated of them.
    """
    meetings = {leg.meeting for leg in legs if not _has_own_partner(leg)}
    seen = Counter(name for seated, _ in meetings for name in set(seated))
    return min((seen[name] for leg in legs for name in leg.entrants), default=0)


def _learn(known: Floats, sides: Sequence[Sequence[int]], information: float) -> None:
    """Add what a meeting tells, so much about each two sides; copies of one tell nothing of each other."""
    for one, other in combinations(sides, 2):
        share = Counter[int]()
        for side, sign in ((one, 1), (other, -1)):
            for member in side:
                share[member] += sign
        for (a, first), (b, second) in product(share.items(), repeat=2):
            known[a, b] += information * first * second / len(one) ** 2
