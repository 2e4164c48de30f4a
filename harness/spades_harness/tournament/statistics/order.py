"""Whether the order of a field is decided: for each two neighbours in it, how surely the upper is the stronger. Pure.

A run that is looked at again and again, until it says what one hopes for, is wrong far more often than a run that is
looked at once. So more is asked than the confidence itself, by a boundary that may be crossed at any time: with n
meetings, the difference must be z standard errors away from 0, where

    z^2 = (1 + R/n) (ln(1 + n/R) + 2 ln(1/(1 - confidence)))

This is the normal mixture boundary of H. Robbins, "Statistical Methods Related to the Law of the Iterated Logarithm",
Annals of Mathematical Statistics 41 (1970), in the form of S. Howard, A. Ramdas, J. McAuliffe and J. Sekhon,
"Time-uniform, Nonparametric, Nonasymptotic Confidence Sequences", Annals of Statistics 49 (2021), equation 14: two
equals cross it, in one direction or the other, however often and for however long they are looked at, in no more than
1 - confidence of all runs. Nothing need be known beforehand of when looks are taken, nor of how many: so a run may be
made longer, and a schedule may look as well. The price: with 95 % about 3.1 to 3.3 standard errors instead of 2. In
simulation 1.8 % of 1,000 runs of two equals ended decided within 256 rounds (the bound of 5 % is for runs without end),
with draws or without.

Of many neighbours each must be decided, so a field of which any two are equal is decided no more often than these two.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan, log, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

from .comparison import chances
from .fitting import Observation, fitted

SOONEST: Final = 8.0
"""R, in meetings: the boundary is closest for those who meet some nine times as often; from 20 to 500 it is fair."""
SHARED: Final = 6
"""Digits of Elo after the point: later ones are noise of the linear algebra."""
EXACT: Final = 9
"""Digits of a chance after the point, for the same reason: what is played next must not hang on the machine."""


@dataclass(frozen=True, slots=True)
class Decided:
    """Play until every rank is decided with this confidence."""

    confidence: float = 0.95


LEAST: Final = 0.5
MOST: Final = 0.999
"""Of a confidence: with less than the one, more runs of equals than not would be called decided; with more than the
other, the tails of a distribution that is only nearly normal would have to be known."""


class Step(NamedTuple):
    """Two neighbours in the order of the field."""

    upper: str
    lower: str
    chance: float
    """That the upper is the stronger: 0.5 where nothing is known."""
    meetings: int
    """Of the one who has fewer."""


def steps(entrants: Sequence[str], results: tuple[Observation, ...]) -> tuple[Step, ...]:
    """The field in its order by Elo, those who share one by name: each with the next."""
    field = _Field(results)
    return tuple(field.step(one, two) for one, two in pairwise(sorted(entrants, key=field.place)))


class _Field:
    """Who stands where, and how surely before whom."""

    def __init__(self, results: tuple[Observation, ...]) -> None:
        of_all = (each.sides for each in results if not each.alone)
        self._met = Counter(name for sides in of_all for side in sides for name in {*side})
        self._groups = [(group, chances(group)) for group in fitted(results)]
        self._home = {
            name: (number, index)
            for number, (group, _) in enumerate(self._groups)
            for index, name in enumerate(group.names)
        }

    def place(self, name: str) -> tuple[float, str]:
        """What puts it into its place."""
        if name not in self._home:
            return 0.0, name
        number, index = self._home[name]
        return -round(float(self._groups[number][0].elo[index]), SHARED), name

    def step(self, upper: str, lower: str) -> Step:
        """From one to the next below it; nothing is known of two who are linked by no results."""
        chance = 0.5
        if upper in self._home and lower in self._home and self._home[upper][0] == self._home[lower][0]:
            (number, row), (_, column) = self._home[upper], self._home[lower]
            found = float(self._groups[number][1][row, column])
            chance = 0.5 if isnan(found) else round(found, EXACT)  # none where there are too few
        return Step(upper, lower, chance, min(self._met[upper], self._met[lower]))


def needed(confidence: float, meetings: int) -> float:
    """The chance at which two who met so often, at any look, are told apart with this confidence."""
    if not meetings:
        return 1.0
    ratio = meetings / SOONEST
    return NormalDist().cdf(sqrt((1 + 1 / ratio) * (log(1 + ratio) - 2 * log(1 - confidence))))


def undecided(confidence: float, found: Iterable[Step]) -> tuple[Step, ...]:
    """The steps that are not decided, the least certain first."""
    doubtful = (step for step in found if step.chance < needed(confidence, step.meetings))
    return tuple(sorted(doubtful, key=lambda step: step.chance))
