"""Who is best paired with whom: a minimum-cost perfect matching by networkx, and nothing of tournaments. Pure.

The only module that knows networkx, and it loads it when the first pairing is made: no other command waits for it. The
algorithm is Edmonds' blossom method (Galil, "Efficient algorithms for finding maximum matching in graphs", ACM
Computing Surveys 18, 1986), which with whole numbers is exact.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final, TypeAlias

Edge: TypeAlias = tuple[int, int]
"""Two numbers, the lower first."""
Cost: TypeAlias = tuple[int, ...]
"""What a pair costs, whole numbers from 0: less in an earlier place outweighs whatever stands in the later ones."""

_TIE_BITS: Final = 64
"""Bits by which edges of equal cost differ. Of two best matchings a library may find either; with so many bits there
are not two (Mulmuley, Vazirani and Vazirani, "Matching is as easy as matrix inversion", Combinatorica 7, 1987), so the
plan is the same with every version of it."""


def best_pairs(costs: Mapping[Edge, Cost]) -> tuple[Edge, ...]:
    """As many pairs as can be made at once, of the least cost in all; in order.

    Costs are summed place by place, and the sums compared like tuples.
    """
    import networkx as nx  # noqa: PLC0415 - see above

    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((*edge, -weight) for edge, weight in _weights(costs).items())
    return tuple(sorted((min(pair), max(pair)) for pair in nx.max_weight_matching(graph, maxcardinality=True)))


def _weights(costs: Mapping[Edge, Cost]) -> dict[Edge, int]:
    """One number an edge: the places as digits of a base that no sum of them overflows, and what tells equals apart."""
    numbers = {number for edge in costs for number in edge}
    weights = {edge: _tie(edge) for edge in costs}
    unit = len(numbers) << _TIE_BITS
    for place in zip(*(reversed(cost) for cost in costs.values()), strict=True):
        for edge, digit in zip(costs, place, strict=True):
            weights[edge] += digit * unit
        unit *= 1 + len(numbers) * max(place)
    return weights


def _tie(edge: Edge) -> int:
    digest = hashlib.sha256(f"{edge[0]} {edge[1]}".encode()).digest()
    return int.from_bytes(digest[: _TIE_BITS // 8], "big")
