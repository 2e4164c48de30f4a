"""A mean of observations that come in clusters, and how sure it is. Pure: numbers in, numbers out.

An entrant meets several opponents on the same board stream: the same cards, played by the same bot. Those meetings are
no independent witnesses, so the streams are, each with all that was seen on it. (In the tournament that ships, errors
are 1.1 to 1.5 times what they would be if the same meetings were independent.) The variance is the one of Liang and
Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73 (1986), with the factor G / (G - 1)
for G clusters: for a mean m of n observations y

    error² = G / (G - 1) · sum over clusters of (sum of (y - m) in the cluster)² / n²

One observation a cluster makes it the usual s / √n. The error of m less c times another such mean k adds the clusters'
shares of both before they are squared, each with the factor of its own mean:

    error² = sum over clusters of (√(G / (G - 1)) · sum of (y - m) / n - c · √(H / (H - 1)) · sum of (z - k) / l)²

so what both saw on the same cards cancels out, and without a cluster in common it is the sum of the squares of both
errors. Where everybody was met on every stream, how much opponents differ
cancels out, as it should: they would be the same on other cards. Where some were not met on some streams, as in a run
that isn't finished, their differences count as chance, and the error is rather too large than too small.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import fsum, sqrt
from statistics import fmean


def mean_and_error(observed: Iterable[tuple[Hashable, float]]) -> tuple[float | None, float | None]:
    """The mean of values, told with their cluster, and its standard error.

    None for the mean of nothing; None for the error of fewer than two clusters.
    """
    clusters = _clusters(observed)
    if not clusters:
        return None, None
    shares = _shares(clusters)
    return _mean(clusters), _length(shares.values()) if shares else None


def error_of_difference(
    observed: Iterable[tuple[Hashable, float]], other: Iterable[tuple[Hashable, float]], times: float = 1.0
) -> float | None:
    """The standard error of a mean less so many times another; None where that of one of them is not known."""
    first, second = _shares(_clusters(observed)), _shares(_clusters(other))
    if not first or not second:
        return None
    return _length(first.get(each, 0.0) - times * second.get(each, 0.0) for each in {**first, **second})


def _clusters(observed: Iterable[tuple[Hashable, float]]) -> Mapping[Hashable, Sequence[float]]:
    found: dict[Hashable, list[float]] = {}
    for cluster, value in observed:
        found.setdefault(cluster, []).append(value)
    return found


def _mean(clusters: Mapping[Hashable, Sequence[float]]) -> float:
    return fmean(value for values in clusters.values() for value in values)


def _shares(clusters: Mapping[Hashable, Sequence[float]]) -> Mapping[Hashable, float]:
    """How far each cluster moves the mean, such that the sum of squares is the variance; none of fewer than two."""
    count, observations = len(clusters), sum(map(len, clusters.values()))
    if count < 2:
        return {}
    mean, factor = _mean(clusters), sqrt(count / (count - 1)) / observations
    return {each: factor * fsum(value - mean for value in values) for each, values in clusters.items()}


def _length(shares: Iterable[float]) -> float:
    return sqrt(fsum(share**2 for share in shares))
