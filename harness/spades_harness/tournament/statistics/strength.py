"""The most probable strengths of those who met, by Newton's method on the model of Bradley and Terry. Pure.

A contest is a sum of strengths, each times a share: of two entrants, the first less the second; of two sides of
partners, half of each on the one less half of each on the other. Its score is expected to be the logistic function of
that sum (logistic regression without an intercept; R. A. Bradley and M. E. Terry, Biometrika 39, 1952).

Knows numbers only: who met whom how often and what came of it. Names and Elo are `fitting`'s, uncertainty `interval`'s.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log, log1p
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

ELO: Final = 400 / log(10)
"""Elo points in one unit of natural log odds."""

PRIOR_DEVIATION: Final = 600.0
"""Elo: before any result, strengths are taken to be normal around the mean with this standard deviation.

It keeps the undefeated finite, and holds groups together that never met. It is weak: who stands 600 above the mean is
drawn down as by 0.3 of a lost leg. In simulations 400 pulled the ends of a wide field in so far that their intervals
missed the truth in one case of ten, and 1200 made the intervals of small tournaments too wide.
"""

_HOLD: Final = (ELO / PRIOR_DEVIATION) ** 2
"""The curvature that the prior adds for each entrant."""

_SETTLED: Final = 1e-6
"""Newton ends with a step below this (log odds): what is left is about its square, far below what is shown."""

_MOST_STEPS: Final = 200
"""Far more than a fit takes (under 30): only a number gone wrong gets there."""

Contest: TypeAlias = tuple[tuple[int, float], ...]
"""Who takes part, and his share in the difference of the sides, never 0; in order, the first share above 0."""
Row: TypeAlias = tuple[Contest, float, float]
"""Contest, legs, score of the side whose shares are above 0: the same whichever way round it was told."""
Cluster: TypeAlias = tuple[Row, ...]
"""What one table came to, a row for each contest; in order, so that equal clusters are equal."""


class Rows(NamedTuple):
    """All results, a row for each contest of a cluster, in an order that does not hang on the order of play.

    Equal clusters are taken together: one value a row, the rows of a cluster one after the other.
    """

    size: int
    """How many take part in all; they are numbers here."""
    who: Ints
    """Those of each row; a column for each, as many as the fullest row has."""
    share: Floats
    """Theirs; 0 where there is nobody."""
    legs: Floats
    """By weight: matches, or parts of them."""
    score: Floats
    """Over the legs."""
    times: Floats
    """How many clusters ended so."""
    cluster: Ints
    """From 0."""

    def net(self, value: Floats) -> Floats:
        """By number: the sum over the rows, each times the share in it."""
        return self._summed(value[:, None] * self.share)

    def total(self, value: Floats) -> Floats:
        """By number: the sum over the rows in which it takes part."""
        return self._summed(value[:, None] * (self.share != 0))

    def spread(self, value: Floats) -> Floats:
        """The matrix of net sums: value times xx', summed over the rows, where x holds the shares of a row."""
        cells = self.who[:, :, None] * self.size + self.who[:, None, :]
        products = value[:, None, None] * self.share[:, :, None] * self.share[:, None, :]
        found = np.bincount(cells.ravel(), products.ravel(), self.size**2)
        return np.asarray(found.reshape(self.size, self.size), np.float64)

    def odds(self, strength: Floats) -> Floats:
        """By row: the difference of the sides."""
        return np.asarray((strength[self.who] * self.share).sum(axis=1))

    def plus(self, other: Rows) -> Rows:
        """These and others of as many who take part, for `strengths`, to which clusters mean nothing."""
        width = max(self.who.shape[1], other.who.shape[1])
        who, share = (
            np.concatenate([np.pad(each, ((0, 0), (0, width - each.shape[1]))) for each in two])
            for two in ((self.who, other.who), (self.share, other.share))
        )
        return Rows(
            size=self.size,
            who=np.asarray(who, np.int64),
            share=np.asarray(share, np.float64),
            legs=np.concatenate([self.legs, other.legs]),
            score=np.concatenate([self.score, other.score]),
            times=np.concatenate([self.times, other.times]),
            cluster=np.concatenate([self.cluster, other.cluster]),
        )

    def _summed(self, values: Floats) -> Floats:
        return np.asarray(np.bincount(self.who.ravel(), values.ravel(), self.size), np.float64)


def rows_of(size: int, counted: Mapping[Cluster, int]) -> Rows:
    """The rows of these clusters, of which each came so often, among so many who take part; at least one."""
    numbered = enumerate(sorted(counted.items()))
    table = [(*row, times, index) for index, (cluster, times) in numbered for row in cluster]
    contests = [contest for contest, *_ in table]
    width = max(map(len, contests))
    filled = np.array([(*contest, *(((0, 0.0),) * (width - len(contest)))) for contest in contests])
    legs, score, times, cluster = np.array([rest for _, *rest in table]).T
    who, share = filled[:, :, 0].astype(np.int64), filled[:, :, 1]
    return Rows(size, who, share, legs, score, times, cluster.astype(np.int64))


class Fit(NamedTuple):
    """What the model says at certain strengths."""

    surplus: Floats
    """By row: score above what was expected."""
    information: Floats
    """By row: the variance of its score that the model expects, were the legs independent; 1/4 an even match."""


def fit_of(rows: Rows, strength: Floats) -> Fit:
    """What the model says at these strengths, in log odds."""
    odds = rows.odds(strength)
    return Fit(
        surplus=rows.score - rows.legs * _expected(odds),
        information=rows.legs * _variance(odds),
    )


def _expected(log_odds: Floats) -> Floats:
    """The expected share of the points; by tanh, which can't overflow."""
    return (1 + np.tanh(log_odds / 2)) / 2


def _variance(log_odds: Floats) -> Floats:
    """Share times the rest, in a form that is above 0 however lopsided the odds."""
    against = np.exp(-np.abs(log_odds))
    return np.asarray(against / (1 + against) ** 2)


def curvature(rows: Rows, fit: Fit) -> Floats:
    """Minus the second derivative of the log posterior: pairs and prior."""
    return rows.spread(rows.times * fit.information) + prior(rows)


def prior(rows: Rows) -> Floats:
    """The curvature of the prior alone."""
    return _HOLD * np.eye(rows.size)


def _slope(rows: Rows, strength: Floats) -> Floats:
    """The first derivative of the log posterior."""
    return rows.net(rows.times * fit_of(rows, strength).surplus) - _HOLD * strength


def strengths(rows: Rows, near: Floats | None = None) -> Floats:
    """The most probable strengths, by Newton's method, which is over sooner if it begins near to them."""
    strength = np.zeros(rows.size) if near is None else near
    for _ in range(_MOST_STEPS):
        bent = curvature(rows, fit_of(rows, strength))
        step = np.asarray(np.linalg.solve(bent, _slope(rows, strength)), np.float64)
        if np.abs(step).max() < _SETTLED:
            return strength + step
        strength = strength + step * _length(rows, strength, step)
    raise ArithmeticError("the strengths of the entrants did not settle")


def _length(rows: Rows, strength: Floats, step: Floats) -> float:
    """How much of the step to take: all, or halves of it until that is not past the top.

    But at least the share that can do no harm: ln(1+b)/b, where b is the most that the step moves a difference of
    strengths, since along it the curvature changes by no more than e^b (Sun and Tran-Dinh, "Generalized
    self-concordant functions", Mathematical Programming 178, 2019).
    """
    most = 2 * float(np.abs(step).max())
    harmless, length = log1p(most) / most, 1.0
    while length > harmless and _slope(rows, strength + length * step) @ step < 0:
        length /= 2
    return max(length, harmless)


def no_higher(who: int, strength: Floats, charged: Floats) -> float:
    """The strength at which one is as far above some other of these as where it was charged, and above none further."""
    return float(charged[who] + np.delete(strength - charged, who).min())
