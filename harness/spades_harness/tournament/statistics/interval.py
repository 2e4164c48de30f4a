"""How sure a strength is, and the difference of two: from how results scatter from cluster to cluster. Pure.

The three choices that it rests on are told in `rating`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

import numpy as np

from .strength import Fit, Floats, Ints, Rows, curvature, prior
from .student import quantile

FEWEST_PAIRS: Final = 5
"""Who has fewer pairs, or tables, gets no interval: from four values and less a spread can't be told."""

SPREAD_PRIOR: Final = 0.25
"""Information (see `Fit.information`) with which the common spread starts at what the model expects: one even leg."""

OWN_SPREAD: Final = 2.5
"""Information at which somebody's own spread counts as much as the common one: ten even legs."""


class Doubt(NamedTuple):
    """How sure the strengths of all who took part are. Matrices are by number, both ways."""

    seen: Floats
    """Covariances in log odds, of the distances from the mean of all, as the results scattered."""
    modelled: Floats
    """The same as the model expects, scaled to the spread of all clusters."""
    own: Floats
    """By number, 0 to 1: how much `seen` counts against `modelled`."""
    shared: Floats
    """In how many clusters both were; on the diagonal: in how many each was."""
    common: float
    """Degrees of freedom of the spread of all clusters."""

    @property
    def clusters(self) -> Floats:
        """By number: in how many clusters each was."""
        return np.asarray(np.diag(self.shared))


def doubt_of(rows: Rows, fit: Fit) -> Doubt:
    """How sure the strengths of this fit are."""
    inverse = np.asarray(np.linalg.inv(curvature(rows, fit)), np.float64)
    seen = _seen(rows, fit, inverse)
    expected = rows.spread(rows.times * fit.information)
    from_mean = inverse - inverse.mean(axis=0)
    modelled = expected * _common_spread(rows, fit, seen, expected)
    return Doubt(
        seen=from_mean @ (seen + prior(rows)) @ from_mean.T,
        modelled=from_mean @ (modelled + prior(rows)) @ from_mean.T,
        own=_own_weight(rows, fit),
        shared=_shared(rows),
        common=_common_freedom(rows),
    )


def half_widths(doubt: Doubt) -> Floats:
    """Half the width of the 95 % interval by number, in log odds, of the distance from the mean of all."""
    seen, modelled = np.diag(doubt.seen), np.diag(doubt.modelled)
    freedom = _freedom(doubt.own, np.maximum(doubt.clusters - 1, 1), doubt.common)
    return np.asarray(quantile(freedom) * np.sqrt(doubt.own * seen + (1 - doubt.own) * modelled))


def half_widths_to(doubt: Doubt, at: int) -> Floats:
    """Half the width of the 95 % interval by number, in log odds, of the distance from the one of this number."""
    error, freedom = contrasts(doubt)
    found = quantile(freedom[at]) * error[at]
    found[at] = 0
    return np.asarray(found)


class Contrasts(NamedTuple):
    """How sure the difference of each two is; matrices by number, both ways. The diagonals mean nothing."""

    error: Floats
    """Standard errors in log odds."""
    freedom: Floats
    """Their degrees of freedom."""


def contrasts(doubt: Doubt) -> Contrasts:
    """How sure the difference of each two is.

    Its variance is V_aa + V_bb - 2 V_ab, mixed by the smaller of the two weights. Of their own two have one degree less
    than each has clusters (as in `half_widths`), combined by the share of each in the variance (Satterthwaite) and
    by how many clusters they have apart: two that met nobody else have those clusters once, not twice.
    """
    own = np.minimum(doubt.own[:, None], doubt.own[None, :])
    variance = own * _between(doubt.seen) + (1 - own) * _between(doubt.modelled)
    either = np.maximum(doubt.clusters[:, None] + doubt.clusters[None, :], 1)  # who was at fault in all has none
    apart = 1 - doubt.shared / either
    return Contrasts(np.sqrt(variance), _freedom(own, apart * _of_both(doubt), doubt.common))


def _between(covariance: Floats) -> Floats:
    """The variance of the difference of each two."""
    own = np.diag(covariance)
    return np.asarray(np.maximum(own[:, None] + own[None, :] - 2 * covariance, 0))


def _of_both(doubt: Doubt) -> Floats:
    """Degrees of freedom of the sum of each two's variances, were they independent."""
    variance, freedom = np.diag(doubt.seen), np.maximum(doubt.clusters - 1, 1)
    squares = variance**2 / freedom
    return np.asarray((variance[:, None] + variance[None, :]) ** 2 / (squares[:, None] + squares[None, :]))


def _seen(rows: Rows, fit: Fit, inverse: Floats) -> Floats:
    """The matrix of uu', summed over the clusters, where u is the net surplus of a cluster by number."""
    cells = np.zeros(rows.size**2)
    for block in _blocks(rows):
        surplus = _unfitted(rows, fit, inverse, block)
        products = rows.times[block][:, :, None] * surplus[:, :, None] * surplus[:, None, :]
        for shares, cell in _crossed(rows, block):
            cells += np.bincount(cell.ravel(), (shares * products).ravel(), rows.size**2)
    return cells.reshape(rows.size, rows.size)


def _blocks(rows: Rows) -> Iterator[Ints]:
    """The numbers of the rows, clusters of as many rows together: an array of clusters by rows for each such number."""
    starts, sizes = _starts(rows), np.bincount(rows.cluster)
    for size in np.unique(sizes):
        yield starts[sizes == size][:, None] + np.arange(size)


def _starts(rows: Rows) -> Ints:
    """The first row of each cluster."""
    sizes = np.bincount(rows.cluster)
    return np.asarray(np.cumsum(sizes) - sizes)


def _unfitted(rows: Rows, fit: Fit, inverse: Floats, block: Ints) -> Floats:
    """The surplus of each row of these clusters, made good for the part that fitting the strengths to them took away.

    Where scores vary by W, the fit leaves W - W X inverse X' W; Bell and McCaffrey's matrix W^½ (1 - G)^-½ W^-½ with
    G = W^½ X inverse X' W^½ brings W back. A cluster of one row has G = information times uncertainty.
    """
    root = np.sqrt(fit.information[block])
    between = sum(shares * inverse.ravel()[cell] for shares, cell in _crossed(rows, block))
    left, turn = np.linalg.eigh(np.eye(block.shape[1]) - root[:, :, None] * root[:, None, :] * between)
    along = np.einsum("cki,ck->ci", turn, fit.surplus[block] / root)
    return np.asarray(root * np.einsum("cki,ci->ck", turn, along / np.sqrt(left)))  # the prior keeps `left` above 0


def _crossed(rows: Rows, block: Ints) -> Iterator[tuple[Floats, Ints]]:
    """For each two rows of a cluster, with shares x and y, the products in xy' and their cells."""
    who, share = rows.who[block], rows.share[block]
    for one, other in product(range(who.shape[2]), repeat=2):
        cells = who[:, :, None, one] * rows.size + who[:, None, :, other]
        yield share[:, :, None, one] * share[:, None, :, other], cells


def _common_spread(rows: Rows, fit: Fit, seen: Floats, expected: Floats) -> float:
    """The variance seen in all clusters, as a share of what the model expects."""
    information = float((rows.times * fit.information).sum())
    of_one = float(np.trace(expected)) / information
    return (float(np.trace(seen)) / of_one + SPREAD_PRIOR) / (information + SPREAD_PRIOR)


def _own_weight(rows: Rows, fit: Fit) -> Floats:
    """By number, 0 to 1: how much its own spread counts against the common one."""
    information = rows.total(rows.times * fit.information)
    return information / (information + OWN_SPREAD)


def _freedom(own: Floats, of_own: Floats, of_common: float) -> Floats:
    """Degrees of freedom of mixed variances (Satterthwaite, Biometrics Bulletin 2, 1946)."""
    return np.asarray(1 / (own**2 / of_own + (1 - own) ** 2 / of_common))


def _common_freedom(rows: Rows) -> float:
    """Each cluster gives one a contest, at most one less than take part; the strengths take theirs, less one."""
    sizes = np.bincount(rows.cluster)
    cluster, _ = _seats(rows)
    given = np.minimum(np.bincount(cluster) - 1, sizes)
    return max(float((given * rows.times[_starts(rows)]).sum()) - rows.size + 1, 1.0)


def _seats(rows: Rows) -> tuple[Ints, Ints]:
    """Who was in which cluster, each once, in the order of the clusters."""
    taken = rows.share != 0
    cluster = np.broadcast_to(rows.cluster[:, None], taken.shape)[taken]
    return np.divmod(np.unique(cluster * rows.size + rows.who[taken]), rows.size)


def _shared(rows: Rows) -> Floats:
    """In how many clusters each two were both."""
    cluster, who = _seats(rows)
    sizes, times = np.bincount(cluster), rows.times[_starts(rows)]
    found = np.zeros(rows.size**2)
    for size in np.unique(sizes):
        members = who[np.repeat(sizes == size, sizes)].reshape(-1, size)
        cells = members[:, :, None] * rows.size + members[:, None, :]
        often = np.broadcast_to(times[sizes == size][:, None, None], cells.shape)
        found += np.bincount(cells.ravel(), often.ravel(), rows.size**2)
    return found.reshape(rows.size, rows.size)
