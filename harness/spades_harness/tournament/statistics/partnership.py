"""How much a bot is worth to whoever is its partner, in points a hand. Pure: numbers in, numbers out.

Where partners change, the lead of a side at a table, in points a hand over both legs, is taken to be the sum of what
its two are worth less the sum of what the other two are (as in `individuals`, for points instead of results):

    lead = w_a + w_b - w_c - w_d + chance

The w are fitted by least squares, with the sum 0. The *partner effect* of a bot is what a partner of it leads by more,
in the mean over all partners, than beside the others, against equal opponents: with n bots, n / (n - 1) times its w. So
partners and opponents that happened to be strong or weak are allowed for.

Its interval comes from the jackknife over board streams: all is fitted anew without each of them (B. Efron and
C. Stein, "The Jackknife Estimate of Variance", Annals of Statistics 9, 1981), with Student's t of one degree of freedom
less than there are streams.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from .strength import Floats, Ints
from .student import quantile

FEWEST_STREAMS: Final = 5
"""Board streams for an interval: from fewer a spread can't be told."""

_SOLVABLE: Final = 1e-9
"""The least eigenvalue, as a share of the greatest, of equations that have one solution."""

_SHOWN: Final = 4
"""Names that a line lists."""

Team: TypeAlias = tuple[str, ...]


class Lead(NamedTuple):
    """What a table came to."""

    boards: Hashable
    """The same for all tables on the same cards."""
    first: Team
    second: Team
    points: float
    """Of the first less the second, a hand."""


class Effect(NamedTuple):
    """What others lead by more beside a bot, in points a hand, and the ends of its 95 % interval, if there is one."""

    points: float
    low: float | None
    high: float | None


def partner_effects(leads: Sequence[Lead]) -> Mapping[str, Effect]:
    """Of each bot; empty where too little was played to tell them from each other."""
    names = sorted({name for lead in leads for name in (*lead.first, *lead.second)})
    if len(names) < 2:
        return {}
    design, points = _equations(names, leads)
    whole = _worth(design.T @ design, design.T @ points)
    if whole is None:
        return {}
    scale, reach = len(names) / (len(names) - 1), _reach(design, points, _numbered(leads))
    middle = dict(zip(names, (scale * whole).tolist(), strict=True))
    if reach is None:
        return {name: Effect(at, None, None) for name, at in middle.items()}
    ends = dict(zip(names, (scale * reach).tolist(), strict=True))
    return {name: Effect(at, at - ends[name], at + ends[name]) for name, at in middle.items()}


def _equations(names: Sequence[str], leads: Sequence[Lead]) -> tuple[Floats, Floats]:
    """A row a table: how often each is on the first side less how often on the second; and the leads."""
    number = {name: index for index, name in enumerate(names)}
    design = np.zeros((len(leads), len(names)))
    for row, lead in enumerate(leads):
        for team, sign in ((lead.first, 1), (lead.second, -1)):
            for name in team:
                design[row, number[name]] += sign
    return design, np.array([lead.points for lead in leads])


def _numbered(leads: Sequence[Lead]) -> Ints:
    """The board stream of each table, as a number."""
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(lead.boards, len(number)) for lead in leads])


def _worth(normal: Floats, right: Floats) -> Floats | None:
    """The solution whose sum is 0; None where there is more than one."""
    size = len(normal)
    closed = normal + np.full((size, size), np.trace(normal) / size**2)  # what the sum may not be: along (1, 1, ...)
    values = np.linalg.eigvalsh(closed)
    if values[0] <= _SOLVABLE * values[-1]:
        return None
    return np.asarray(np.linalg.solve(closed, right), np.float64)


def _reach(design: Floats, points: Floats, streams: Ints) -> Floats | None:
    """Half the width of the interval of each w; None for too few streams, or where one of them can't be spared."""
    numbers = np.unique(streams)
    if len(numbers) < FEWEST_STREAMS:
        return None
    normal, right = design.T @ design, design.T @ points
    without = []
    for number in numbers:
        own, led = design[streams == number], points[streams == number]
        left = _worth(normal - own.T @ own, right - own.T @ led)
        if left is None:
            return None
        without.append(left)
    spread = np.array(without) - np.mean(without, axis=0)
    count = len(numbers)
    variance = (count - 1) / count * (spread**2).sum(axis=0)
    return np.asarray(quantile(np.array([count - 1.0])) * np.sqrt(variance))


def told(effects: Mapping[str, Effect]) -> str | None:
    """Who is the best partner, in one line, and who may be as good; None where nothing is known."""
    known = sorted(effects.items(), key=lambda each: (-each[1].points, each[0]))
    if len(known) < 2:
        return None
    (best, found), *others = known
    if found.low is None:
        return f"The best partner so far is {best}, but too little was played to say how surely"
    rivals = [name for name, each in others if each.high is None or each.high >= found.low]
    half = (found.high or 0.0) - found.points
    more = f"others lead by {found.points:.1f} ± {half:.1f} points a hand more beside it than beside the rest"
    if len(rivals) == len(others):
        return f"The best partner so far is {best}, but each of the others may be as good: {more}"
    return f"The best partner is {best}{_perhaps(rivals)}: {more}"


def _perhaps(rivals: Sequence[str]) -> str:
    if not rivals:
        return ""
    listed = [*rivals[:_SHOWN], *([f"{len(rivals) - _SHOWN} more"] if len(rivals) > _SHOWN else [])]
    *others, last = listed
    return f", or perhaps {', '.join(others)}{' or ' if others else ''}{last}"
