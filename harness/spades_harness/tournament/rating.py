"""How strong the entrants are, and how sure that is: results between two in, Elo numbers out.

Pure: no file, no clock, no dice. Knows nothing of matches, sides and points, and does not rank.

`elo` fits all results at once, so the order of play means nothing to it. Its interval rests on three choices:

- The unit is the cluster: a pair of legs, or all that a table of four came to on the same cards. Its results are no
  independent witnesses: the variance is taken from cluster to cluster (a "sandwich"), with the leverage correction of
  Bell and McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage samples" (2002), and
  Student's t.
- An entrant that wins or loses nearly everything has hardly any spread of its own to measure. So its sandwich is mixed
  with the variance that the model expects, scaled to the spread of all pairs of the tournament: the more its own
  results could vary, the more they count.
- That scale starts from what the model expects, with the weight of one even leg. So results without any spread (two
  copies of one bot draw every pair) give an interval that shrinks with the number of pairs, and never one of no width.

In simulated tournaments the interval holds the true strength in 94 to 97 % of cases with 20 pairs an entrant or more,
and in 94 to 99 % with 10, when results are few and lumpy; at tables of four likewise, by tables an entrant. The tests
repeat that. It is weakest where a very wide field (strengths 400 apart) met at eight tables: 92 %, for there the prior
still pulls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import fsum, inf, log, log1p, log10
from typing import Final, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

_Floats: TypeAlias = NDArray[np.float64]
_Ints: TypeAlias = NDArray[np.int64]

ELO: Final = 400 / log(10)
"""Elo points in one unit of natural log odds."""

K: Final = 32.0
"""What one game moves at most in `elo_k`: the classic value for players whose strength is not yet known."""

PRIOR_DEVIATION: Final = 600.0
"""Elo: before any result, strengths are taken to be normal around the mean with this standard deviation.

It keeps the undefeated finite, and holds groups together that never met. It is weak: who stands 600 above the mean is
drawn down as by 0.3 of a lost leg. In simulations 400 pulled the ends of a wide field in so far that their intervals
missed the truth in one case of ten, and 1200 made the intervals of small tournaments too wide.
"""

FEWEST_PAIRS: Final = 5
"""An entrant with fewer pairs, or tables, gets no interval: from four values and less a spread can't be told."""

SPREAD_PRIOR: Final = 0.25
"""Information (see `_Fit.information`) with which the common spread starts at what the model expects: one even leg."""

OWN_SPREAD: Final = 2.5
"""Information at which an entrant's own spread counts as much as the common one: ten even legs."""

_HOLD: Final = (ELO / PRIOR_DEVIATION) ** 2
"""The curvature that the prior adds for each entrant."""

_SETTLED: Final = 1e-6
"""Newton ends with a step below this (log odds): what is left is about its square, far below `_DIGITS`."""

_MOST_STEPS: Final = 200
"""Far more than a fit takes (under 30): only a number gone wrong gets there."""

_DIGITS: Final = 6
"""Digits after the point. Later ones are noise of the linear algebra, and equal records must get equal numbers."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """What a pair of legs came to, or a table between two who sat there. Raises ValueError if it can't be that."""

    a: str
    b: str
    scores: tuple[float, ...]
    """What `a` got, 1, 0.5 or 0 each: one value where the pair decides, or one a leg."""
    weight: float = 1.0
    """What each of them counts for, in matches: a third where `a` sat with three opponents and met each of them."""
    cluster: int | None = None
    """Results of the same number come from one table on the same cards; None: from one that gave no other."""

    def __post_init__(self) -> None:
        if self.a == self.b:
            raise ValueError(f"{self.a!r} can't meet itself: a pair of legs takes two entrants")
        if not self.scores or not all(0 <= score <= 1 for score in self.scores):
            raise ValueError(f"{self.a!r} - {self.b!r}: scores are numbers from 0 to 1, not {self.scores}")
        if not 0 < self.weight < inf:
            raise ValueError(f"{self.a!r} - {self.b!r}: a weight is a number above 0, not {self.weight}")


@dataclass(frozen=True, slots=True)
class Rated:
    """An entrant's Elo, and the ends of its 95 % interval; None where there are too few pairs to say."""

    elo: float
    low: float | None
    high: float | None


class Rating(Protocol):
    """A way to rate: all results in plan order in, one `Rated` an entrant out, in the order of the entrants."""

    def __call__(self, entrants: Sequence[str], pairs: Sequence[PairResult]) -> Mapping[str, Rated]: ...


def elo_difference(share: float) -> float:
    """The Elo difference at which this share of the points is expected; ValueError unless 0 < share < 1."""
    if not 0 < share < 1:
        raise ValueError(f"no Elo difference stands for a share of {share}")
    return 400 * log10(share / (1 - share))


# --- One after another ------------------------------------------------------------------------------------------------


def elo_k(entrants: Sequence[str], pairs: Sequence[PairResult]) -> Mapping[str, Rated]:
    """Sequential Elo from 0, leg by leg in the order given; it has no interval. ValueError at an unknown entrant.

    What one leg of a table came to counts at once, each result by its weight: the seating has no say in it.
    """
    _check_known(entrants, pairs)
    ratings = dict.fromkeys(entrants, 0.0)
    for together in _clusters(pairs):
        for leg in range(max(len(pair.scores) for pair in together)):
            _rate_leg(ratings, [(pair, pair.scores[leg]) for pair in together if leg < len(pair.scores)])
    return {name: Rated(rating, None, None) for name, rating in ratings.items()}


def _rate_leg(ratings: dict[str, float], results: Iterable[tuple[PairResult, float]]) -> None:
    """Move the ratings by results that all start from the same ones."""
    changes = [(pair, pair.weight * _change(ratings[pair.a], ratings[pair.b], score)) for pair, score in results]
    for pair, change in changes:
        ratings[pair.a] += change
        ratings[pair.b] -= change


def after_game(a: float, b: float, score: float) -> tuple[float, float]:
    """Both ratings after a game in which `a` got this score (Elo, "The Rating of Chessplayers", 1978)."""
    change = _change(a, b, score)
    return a + change, b - change


def _change(a: float, b: float, score: float) -> float:
    return K * (score - 1 / (1 + 10 ** ((b - a) / 400)))


def _clusters(pairs: Iterable[PairResult]) -> Iterable[Sequence[PairResult]]:
    """The results of each table, in the order in which the tables first appear."""
    found: dict[tuple[int, int | None], list[PairResult]] = {}
    for index, pair in enumerate(pairs):
        found.setdefault((index, None) if pair.cluster is None else (-1, pair.cluster), []).append(pair)
    return found.values()


def _check_known(entrants: Sequence[str], pairs: Iterable[PairResult]) -> None:
    unknown = {name for pair in pairs for name in (pair.a, pair.b)}.difference(entrants)
    if unknown:
        raise ValueError(f"results of {', '.join(map(repr, sorted(unknown)))}, which is no entrant")


# --- All at once ------------------------------------------------------------------------------------------------------


def elo(entrants: Sequence[str], pairs: Sequence[PairResult]) -> Mapping[str, Rated]:
    """Bradley-Terry strengths on the Elo scale, a draw being half a win; those who played have the mean 0.

    The strengths are the most probable ones under a weak prior (`PRIOR_DEVIATION`). An entrant without a pair has 0, no
    interval, and no influence. Entrants that no chain of pairs links are held together by the prior alone, and their
    intervals are as wide as that leaves them. Raises ValueError at an unknown entrant.
    """
    _check_known(entrants, pairs)
    played = sorted({name for pair in pairs for name in (pair.a, pair.b)})
    rated = dict(zip(played, _rate(_rows(played, pairs)), strict=True)) if played else {}
    return {name: rated.get(name, Rated(0.0, None, None)) for name in entrants}


class _Rows(NamedTuple):
    """All results, a row for each two entrants of a cluster, in an order that does not hang on the order of play.

    Equal clusters are taken together: one value a row, the rows of a cluster one after the other.
    """

    size: int
    """How many entrants; they are numbers here."""
    first: _Ints
    second: _Ints
    legs: _Floats
    """By weight: matches, or parts of them."""
    score: _Floats
    """Of the first, over the legs."""
    times: _Floats
    """How many clusters ended so."""
    cluster: _Ints
    """From 0."""

    def net(self, value: _Floats) -> _Floats:
        """By entrant: the sum over its rows, of those where it is second with the other sign."""
        return self._by_first(value) - self._by_second(value)

    def total(self, value: _Floats) -> _Floats:
        """By entrant: the sum over its rows."""
        return self._by_first(value) + self._by_second(value)

    def spread(self, value: _Floats) -> _Floats:
        """The matrix of net sums: value times (e_first - e_second)(e_first - e_second)', summed over the rows."""
        cells = np.bincount(self.first * self.size + self.second, value, self.size**2)
        upper = cells.reshape(self.size, self.size)
        return np.diag(self.total(value)) - upper - upper.T

    def _by_first(self, value: _Floats) -> _Floats:
        return np.asarray(np.bincount(self.first, value, self.size), np.float64)

    def _by_second(self, value: _Floats) -> _Floats:
        return np.asarray(np.bincount(self.second, value, self.size), np.float64)


def _rows(names: Sequence[str], pairs: Iterable[PairResult]) -> _Rows:
    number = {name: index for index, name in enumerate(names)}
    counted = Counter(_cluster_rows(number, together) for together in _clusters(pairs))
    numbered = enumerate(sorted(counted.items()))
    table = np.array([(*row, times, index) for index, (cluster, times) in numbered for row in cluster])
    first, second, cluster = table[:, [0, 1, 5]].T.astype(np.int64)
    legs, score, times = table[:, 2:5].T
    return _Rows(len(names), first, second, legs, score, times, cluster)


_Row: TypeAlias = tuple[int, int, float, float]
"""First, second, legs, score: the same whichever way round it was told."""


def _cluster_rows(number: Mapping[str, int], together: Iterable[PairResult]) -> tuple[_Row, ...]:
    """A row for each two that met at a table, copies of them taken together; in order."""
    found: dict[tuple[int, int], list[_Row]] = {}
    for pair in together:
        row = _row(number[pair.a], number[pair.b], pair)
        found.setdefault(row[:2], []).append(row)
    return tuple(
        sorted((*two, fsum(row[2] for row in same), fsum(row[3] for row in same)) for two, same in found.items())
    )


def _row(a: int, b: int, pair: PairResult) -> _Row:
    score, legs = fsum(pair.scores), len(pair.scores)
    first, second, of_first = (a, b, score) if a < b else (b, a, legs - score)
    return first, second, pair.weight * legs, pair.weight * of_first


class _Fit(NamedTuple):
    """What the model says at certain strengths."""

    surplus: _Floats
    """By row: score of the first above what was expected."""
    information: _Floats
    """By row: the variance of its score that the model expects, were the legs independent; 1/4 an even match."""


def _fit(rows: _Rows, strength: _Floats) -> _Fit:
    odds = strength[rows.first] - strength[rows.second]
    return _Fit(
        surplus=rows.score - rows.legs * _share(odds),
        information=rows.legs * _variance(odds),
    )


def _share(log_odds: _Floats) -> _Floats:
    """The expected share of the points; by tanh, which can't overflow."""
    return (1 + np.tanh(log_odds / 2)) / 2


def _variance(log_odds: _Floats) -> _Floats:
    """Share times the rest, in a form that is above 0 however lopsided the odds."""
    against = np.exp(-np.abs(log_odds))
    return np.asarray(against / (1 + against) ** 2)


def _curvature(rows: _Rows, fit: _Fit) -> _Floats:
    """Minus the second derivative of the log posterior: pairs and prior."""
    return rows.spread(rows.times * fit.information) + _prior(rows)


def _prior(rows: _Rows) -> _Floats:
    return _HOLD * np.eye(rows.size)


def _slope(rows: _Rows, strength: _Floats) -> _Floats:
    """The first derivative of the log posterior."""
    return rows.net(rows.times * _fit(rows, strength).surplus) - _HOLD * strength


def _strengths(rows: _Rows) -> _Floats:
    """The most probable strengths, by Newton's method."""
    strength = np.zeros(rows.size)
    for _ in range(_MOST_STEPS):
        curvature = _curvature(rows, _fit(rows, strength))
        step = np.asarray(np.linalg.solve(curvature, _slope(rows, strength)), np.float64)
        if np.abs(step).max() < _SETTLED:
            return strength + step
        strength = strength + step * _length(rows, strength, step)
    raise ArithmeticError("the strengths of the entrants did not settle")


def _length(rows: _Rows, strength: _Floats, step: _Floats) -> float:
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


def _rate(rows: _Rows) -> list[Rated]:
    strength = _strengths(rows)
    middle = ELO * (strength - strength.mean())
    reach = ELO * _half_widths(rows, _fit(rows, strength))
    enough = _witnesses(rows) >= FEWEST_PAIRS
    return [
        Rated(_rounded(at), _rounded(at - by), _rounded(at + by)) if known else Rated(_rounded(at), None, None)
        for at, by, known in zip(middle, reach, enough, strict=True)
    ]


def _rounded(value: float) -> float:
    return round(float(value), _DIGITS) + 0.0  # + 0.0: no minus zero


# --- The interval -----------------------------------------------------------------------------------------------------


def _half_widths(rows: _Rows, fit: _Fit) -> _Floats:
    """Half the width of the 95 % interval by entrant, in log odds, of its distance from the mean of all."""
    inverse = np.asarray(np.linalg.inv(_curvature(rows, fit)), np.float64)
    seen = _seen(rows, fit, inverse)
    model = rows.spread(rows.times * fit.information) * _common_spread(rows, fit, seen)
    own = _own_weight(rows, fit)
    from_mean = inverse - inverse.mean(axis=0)
    of_own, of_common = (_sandwich(from_mean, spread + _prior(rows)) for spread in (seen, model))
    return _t_quantile(_freedom(rows, own)) * np.sqrt(own * of_own + (1 - own) * of_common)


def _seen(rows: _Rows, fit: _Fit, inverse: _Floats) -> _Floats:
    """The matrix of uu', summed over the clusters, where u is the net surplus of a cluster by entrant."""
    cells = np.zeros(rows.size**2)
    for block in _blocks(rows):
        surplus = _unfitted(rows, fit, inverse, block)
        products = rows.times[block][:, :, None] * surplus[:, :, None] * surplus[:, None, :]
        for sign, cell in _crossed(rows, block):
            cells += sign * np.bincount(cell.ravel(), products.ravel(), rows.size**2)
    return cells.reshape(rows.size, rows.size)


def _blocks(rows: _Rows) -> Iterator[_Ints]:
    """The numbers of the rows, clusters of as many rows together: an array of clusters by rows for each such number."""
    starts, sizes = _starts(rows), np.bincount(rows.cluster)
    for size in np.unique(sizes):
        yield starts[sizes == size][:, None] + np.arange(size)


def _starts(rows: _Rows) -> _Ints:
    """The first row of each cluster."""
    sizes = np.bincount(rows.cluster)
    return np.asarray(np.cumsum(sizes) - sizes)


def _unfitted(rows: _Rows, fit: _Fit, inverse: _Floats, block: _Ints) -> _Floats:
    """The surplus of each row of these clusters, made good for the part that fitting the strengths to them took away.

    Where scores vary by W, the fit leaves W - W X inverse X' W; Bell and McCaffrey's matrix W^½ (1 - G)^-½ W^-½ with
    G = W^½ X inverse X' W^½ brings W back. A cluster of one row has G = information times uncertainty.
    """
    root = np.sqrt(fit.information[block])
    between = sum(sign * inverse.ravel()[cell] for sign, cell in _crossed(rows, block))
    left, turn = np.linalg.eigh(np.eye(block.shape[1]) - root[:, :, None] * root[:, None, :] * between)
    along = np.einsum("cki,ck->ci", turn, fit.surplus[block] / root)
    return np.asarray(root * np.einsum("cki,ci->ck", turn, along / np.sqrt(left)))  # the prior keeps `left` above 0


def _crossed(rows: _Rows, block: _Ints) -> Iterator[tuple[int, _Ints]]:
    """For each two rows of a cluster the cells of (e_first - e_second)(e_first - e_second)' and their signs."""
    ends = ((1, rows.first[block]), (-1, rows.second[block]))
    for (one, row), (other, column) in product(ends, ends):
        yield one * other, row[:, :, None] * rows.size + column[:, None, :]


def _common_spread(rows: _Rows, fit: _Fit, seen: _Floats) -> float:
    """The variance seen in all clusters, as a share of what the model expects."""
    expected = float((rows.times * fit.information).sum())
    return (float(np.trace(seen)) / 2 + SPREAD_PRIOR) / (expected + SPREAD_PRIOR)


def _own_weight(rows: _Rows, fit: _Fit) -> _Floats:
    """By entrant, 0 to 1: how much its own spread counts against the common one."""
    information = rows.total(rows.times * fit.information)
    return information / (information + OWN_SPREAD)


def _sandwich(outer: _Floats, inner: _Floats) -> _Floats:
    """The diagonal of outer inner outer'."""
    return np.asarray(((outer @ inner) * outer).sum(axis=1))


def _freedom(rows: _Rows, own: _Floats) -> _Floats:
    """Degrees of freedom by entrant of the mixed variance (Satterthwaite, Biometrics Bulletin 2, 1946).

    Of its own an entrant has one for each of its clusters; to the common spread each gives one less than sit there.
    """
    witnesses = _witnesses(rows)
    tables = float(rows.times[_starts(rows)].sum())
    of_own = np.maximum(witnesses - 1, 1)
    of_common = max(float(witnesses.sum()) - tables - rows.size + 1, 1.0)
    return np.asarray(1 / (own**2 / of_own + (1 - own) ** 2 / of_common))


def _witnesses(rows: _Rows) -> _Floats:
    """By entrant: how many clusters it is in."""
    ends = np.concatenate([rows.first, rows.second])
    cluster, entrant = np.divmod(np.unique(np.tile(rows.cluster, 2) * rows.size + ends), rows.size)
    return np.asarray(np.bincount(entrant, rows.times[_starts(rows)][cluster], rows.size), np.float64)


def _t_quantile(freedom: _Floats) -> _Floats:
    """The 97.5 % quantile of Student's t: Abramowitz and Stegun 26.7.5, within 0.001 from 4 degrees of freedom on."""
    z = 1.959963984540054
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return np.asarray(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))
