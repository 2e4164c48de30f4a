"""Who is stronger than whom, how surely, and which ranks that leaves open. Pure.

The probability that A is stronger than B is what Student's t says of the difference of their strengths over its
standard error (`interval.contrasts`): 97.5 % where the 95 % interval of the difference ends at 0. There is none where
one of them has fewer than `FEWEST_PAIRS` pairs, nor between groups that never met.

In simulated tournaments (1,000 of each of 55 kinds) the 95 % interval of a difference holds the true one in 94 to 97 %
of cases with 20 pairs an entrant or more, and two copies of one bot are called different, below 2.5 or above 97.5 %, in
2 to 6 %, in the mean in 4.2. With 10 pairs, results are so few and lumpy that it errs on the side of care: 95 to 99.6 %
are held, and copies called different in 0.4 to 4 %, in the mean in 2.6. With 5 it calls hardly anybody different.

The ranks that the data allow an entrant in its group hold the true one with 95 %, whoever it is: they leave out one
place above for each who is surely stronger, and one below for each who is surely weaker, where *surely* is meant of all
its comparisons at once. By S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of
Statistics 6 (1979), the least likely equality of n comparisons must be rejected at 5 % / n, the next at 5 % / (n - 1),
and so on, until one is not. That such tests of all differences give a confidence set for a rank is shown by M. Mogstad,
J. Romano, A. Shaikh and D. Wilhelm, "Inference for Ranks", Review of Economic Studies 91 (2024). So the range speaks of
one entrant; that all ranges of a table hold at once is less sure. Equals share all of their ranks, and where six equals
met, 2 to 4 % of the ranges left one out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .fitting import Group, Observation, fitted
from .interval import FEWEST_PAIRS, contrasts
from .strength import ELO, Floats
from .student import probability

DIGITS: Final = 4
"""Digits of a probability after the point: a hundredth of a percent is finer than any test of the method."""

ERROR: Final = 0.05
"""How often a range of ranks may miss the true one."""

_SHOWN: Final = 8
"""Groups, and names of a group, that a line lists: enough to see how the field fell apart."""

Chances: TypeAlias = tuple[tuple[float | None, ...], ...]
"""A row for each entrant: the probability that it is stronger than each of them in turn; None with itself, and where
nothing can be said."""


class Ranks(NamedTuple):
    """The best and the worst rank that the data allow."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A group whose members a chain of results links. The fields are the keys of its JSON object."""

    entrants: tuple[str, ...]
    """In the order of code points; all that follows is in this order."""
    stronger: Chances
    ranks: tuple[Ranks, ...]


def compare(observations: tuple[Observation, ...]) -> tuple[Compared, ...]:
    """The groups, the largest first."""
    return tuple(_compared(group) for group in fitted(observations))


def chances_of(groups: Sequence[Compared], names: Sequence[str]) -> Chances:
    """The probabilities for these names in this order; those who stand in no group have none."""
    home = {name: (group, index) for group in groups for index, name in enumerate(group.entrants)}
    return tuple(tuple(_chance(home, one, other) for other in names) for one in names)


def _chance(home: Mapping[str, tuple[Compared, int]], one: str, other: str) -> float | None:
    if one not in home or other not in home:
        return None
    (group, row), (elsewhere, column) = home[one], home[other]
    return group.stronger[row][column] if group is elsewhere else None


def told_apart(groups: Sequence[Compared]) -> str | None:
    """That there are groups which never met, in one line; None where there are none."""
    if len(groups) < 2:
        return None
    listed = " | ".join(_listed(group.entrants) for group in groups[:_SHOWN])
    more = f" | and {len(groups) - _SHOWN} more" if len(groups) > _SHOWN else ""
    return f"These groups never met, and are rated and ranked apart: {listed}{more}"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


def _compared(group: Group) -> Compared:
    exact = chances(group)
    rounded = np.round(exact, DIGITS).tolist()
    plain = tuple(tuple(None if chance != chance else chance for chance in row) for row in rounded)  # noqa: PLR0124
    return Compared(group.names, plain, tuple(_ranks(exact)))


def chances(group: Group) -> Floats:
    """The probabilities, not rounded, by row and column in the order of the names; what is none is NaN."""
    error, freedom = contrasts(group.doubt)
    np.fill_diagonal(error, np.nan)
    few = group.doubt.clusters < FEWEST_PAIRS
    error[few, :] = error[:, few] = np.nan
    return probability((group.elo[:, None] - group.elo[None, :]) / ELO / error, freedom)


def _ranks(chances: Floats) -> Iterator[Ranks]:
    """By row."""
    sure = _surely(chances)
    stronger, weaker = ((sure & side).sum(axis=1).tolist() for side in (chances < 0.5, chances > 0.5))
    for above, below in zip(stronger, weaker, strict=True):
        yield Ranks(1 + above, len(chances) - below)


def _surely(chances: Floats) -> NDArray[np.bool_]:
    """By row, Holm's procedure: from whom each differs."""
    equal = np.nan_to_num(2 * np.minimum(chances, 1 - chances), nan=1.0)
    order = np.argsort(equal, axis=1, kind="stable")
    left = np.arange(len(chances) - 1, -1, -1)  # the last of a row is the entrant itself, or as hopeless
    rejected = np.take_along_axis(equal, order, axis=1) * left <= ERROR
    rejected[:, -1] = False
    found = np.zeros_like(rejected)
    np.put_along_axis(found, order, np.logical_and.accumulate(rejected, axis=1), axis=1)
    return found
