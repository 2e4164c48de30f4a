"""A mean of observations that come in clusters, and how sure it is. Pure: numbers in, numbers out.

An entrant meets several opponents on the same board stream: the same cards, played by the same bot. Those meetings are
no independent witnesses, so the streams are, each with all that was seen on it. (In the tournament that ships, errors
are 1.1 to 1.5 times what they would be if the same meetings were independent.) The variance is the one of Liang and
Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73 (1986), with the factor G / (G - 1)
for G clusters: for a mean m of n observations y

    error² = G / (G - 1) · sum over clusters of (sum of (y - m) in the cluster)² / n²

One observation a cluster makes it the usual s / √n. Where everybody was met on every stream, how much opponents differ
cancels out, as it should: they would be the same on other cards. Where some were not met on some streams, as in a run
that isn't finished, their differences count as chance, and the error is rather too large than too small.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import fsum, sqrt
from statistics import fmean


def mean_and_error(observed: Iterable[tuple[Hashable, float]]) -> tuple[float | None, float | None]:
    """The mean of values, told with their cluster, and its standard error.

    None for the mean of nothing; None for the error of fewer than two clusters.
    """
    clusters: dict[Hashable, list[float]] = {}
    for cluster, value in observed:
        clusters.setdefault(cluster, []).append(value)
    if not clusters:
        return None, None
    mean = fmean(value for values in clusters.values() for value in values)
    return mean, _error(list(clusters.values()), mean)


def _error(clusters: list[list[float]], mean: float) -> float | None:
    count, observations = len(clusters), sum(map(len, clusters))
    if count < 2:
        return None
    squares = fsum(fsum(value - mean for value in values) ** 2 for values in clusters)
    return sqrt(count / (count - 1) * squares) / observations
