"""How sure a strength is: the width of its 95 % interval, from how results scatter from cluster to cluster. Pure.

The three choices that it rests on are told in `rating`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

import numpy as np

from .strength import Fit, Floats, Ints, Rows, curvature, prior

SPREAD_PRIOR: Final = 0.25
"""Information (see `Fit.information`) with which the common spread starts at what the model expects: one even leg."""

OWN_SPREAD: Final = 2.5
"""Information at which an entrant's own spread counts as much as the common one: ten even legs."""


def half_widths(rows: Rows, fit: Fit) -> Floats:
    """Half the width of the 95 % interval by entrant, in log odds, of its distance from the mean of all."""
    inverse = np.asarray(np.linalg.inv(curvature(rows, fit)), np.float64)
    seen = _seen(rows, fit, inverse)
    model = rows.spread(rows.times * fit.information) * _common_spread(rows, fit, seen)
    own = _own_weight(rows, fit)
    from_mean = inverse - inverse.mean(axis=0)
    of_own, of_common = (_sandwich(from_mean, spread + prior(rows)) for spread in (seen, model))
    return _t_quantile(_freedom(rows, own)) * np.sqrt(own * of_own + (1 - own) * of_common)


def _seen(rows: Rows, fit: Fit, inverse: Floats) -> Floats:
    """The matrix of uu', summed over the clusters, where u is the net surplus of a cluster by entrant."""
    cells = np.zeros(rows.size**2)
    for block in _blocks(rows):
        surplus = _unfitted(rows, fit, inverse, block)
        products = rows.times[block][:, :, None] * surplus[:, :, None] * surplus[:, None, :]
        for sign, cell in _crossed(rows, block):
            cells += sign * np.bincount(cell.ravel(), products.ravel(), rows.size**2)
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
    between = sum(sign * inverse.ravel()[cell] for sign, cell in _crossed(rows, block))
    left, turn = np.linalg.eigh(np.eye(block.shape[1]) - root[:, :, None] * root[:, None, :] * between)
    along = np.einsum("cki,ck->ci", turn, fit.surplus[block] / root)
    return np.asarray(root * np.einsum("cki,ci->ck", turn, along / np.sqrt(left)))  # the prior keeps `left` above 0


def _crossed(rows: Rows, block: Ints) -> Iterator[tuple[int, Ints]]:
    """For each two rows of a cluster the cells of (e_first - e_second)(e_first - e_second)' and their signs."""
    ends = ((1, rows.first[block]), (-1, rows.second[block]))
    for (one, row), (other, column) in product(ends, ends):
        yield one * other, row[:, :, None] * rows.size + column[:, None, :]


def _common_spread(rows: Rows, fit: Fit, seen: Floats) -> float:
    """The variance seen in all clusters, as a share of what the model expects."""
    expected = float((rows.times * fit.information).sum())
    return (float(np.trace(seen)) / 2 + SPREAD_PRIOR) / (expected + SPREAD_PRIOR)


def _own_weight(rows: Rows, fit: Fit) -> Floats:
    """By entrant, 0 to 1: how much its own spread counts against the common one."""
    information = rows.total(rows.times * fit.information)
    return information / (information + OWN_SPREAD)


def _sandwich(outer: Floats, inner: Floats) -> Floats:
    """The diagonal of outer inner outer'."""
    return np.asarray(((outer @ inner) * outer).sum(axis=1))


def _freedom(rows: Rows, own: Floats) -> Floats:
    """Degrees of freedom by entrant of the mixed variance (Satterthwaite, Biometrics Bulletin 2, 1946).

    Of its own an entrant has one for each of its clusters; to the common spread each gives one less than sit there.
    """
    clusters = witnesses(rows)
    tables = float(rows.times[_starts(rows)].sum())
    of_own = np.maximum(clusters - 1, 1)
    of_common = max(float(clusters.sum()) - tables - rows.size + 1, 1.0)
    return np.asarray(1 / (own**2 / of_own + (1 - own) ** 2 / of_common))


def witnesses(rows: Rows) -> Floats:
    """By entrant: how many clusters it is in."""
    ends = np.concatenate([rows.first, rows.second])
    cluster, entrant = np.divmod(np.unique(np.tile(rows.cluster, 2) * rows.size + ends), rows.size)
    return np.asarray(np.bincount(entrant, rows.times[_starts(rows)][cluster], rows.size), np.float64)


def _t_quantile(freedom: Floats) -> Floats:
    """The 97.5 % quantile of Student's t: Abramowitz and Stegun 26.7.5, within 0.001 from 4 degrees of freedom on."""
    z = 1.959963984540054
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return np.asarray(z + sum(term / freedom**power for power, term in enumerate(terms, 1)))
