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

A table at which one bot was at fault is in no w but its own, and in that only to its loss (as in `faulted`): with the w
of all others as they are, its own is such that it is no higher against any of them than in a fit with these tables, as
they were played on, nor than in the one without. A fault that ended its table leaves its bot without an effect.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import compress
from operator import not_
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .strength import Floats, Ints, no_higher
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
    points: float | None
    """Of the first less the second, a hand; None of one that a fault ended."""
    culprit: str | None = None
    """Who alone was at fault."""


class Effect(NamedTuple):
    """What others lead by more beside a bot, in points a hand, and the ends of its 95 % interval, if there is one."""

    points: float
    low: float | None
    high: float | None


class _Tables(NamedTuple):
    """A row a table."""

    design: Floats
    """How often each is on the first side less how often on the second."""
    points: Floats
    culprit: Ints
    """The number of who alone was at fault; -1: nobody."""
    streams: Ints
    """Their numbers, from 0."""

    def only(self, rows: NDArray[np.bool_]) -> _Tables:
        """Some of them."""
        return _Tables(self.design[rows], self.points[rows], self.culprit[rows], self.streams[rows])


def partner_effects(leads: Sequence[Lead]) -> Mapping[str, Effect]:
    """Of each bot; empty where too little was played to tell them from each other."""
    names = sorted({name for lead in leads if not lead.culprit for name in (*lead.first, *lead.second)})
    if len(names) < 2:
        return {}
    known = {*names}
    usable = [lead.points is not None and {*lead.first, *lead.second} <= known for lead in leads]
    untold = {lead.culprit for lead in compress(leads, map(not_, usable))}
    tables = _tables(names, [*compress(leads, usable)])
    worth = _estimates(tables)
    if worth is None:
        return {}
    told = [number for number, name in enumerate(names) if name not in untold]
    return _effects([names[number] for number in told], _lowered(tables, worth)[:, told], _streams(tables))


def _tables(names: Sequence[str], leads: Sequence[Lead]) -> _Tables:
    number = {name: index for index, name in enumerate(names)}
    streams: dict[Hashable, int] = {}
    design = np.zeros((len(leads), len(names)))
    for row, lead in enumerate(leads):
        for team, sign in ((lead.first, 1), (lead.second, -1)):
            for name in team:
                design[row, number[name]] += sign
    return _Tables(
        design=design,
        points=np.array([lead.points for lead in leads], np.float64),
        culprit=np.array([number[lead.culprit] if lead.culprit else -1 for lead in leads]),
        streams=np.array([streams.setdefault(lead.boards, len(streams)) for lead in leads]),
    )


def _streams(tables: _Tables) -> int:
    """How many have a table without a fault."""
    return len(np.unique(tables.streams[tables.culprit < 0]))


def _estimates(tables: _Tables) -> Floats | None:
    """The w of all tables without a fault; below them, a row a stream, those without it.

    One row alone for too few streams, or where one of them can't be spared; None where there is more than one solution.
    """
    clean = tables.only(tables.culprit < 0)
    normal, right = clean.design.T @ clean.design, clean.design.T @ clean.points
    rows = [_worth(normal, right)]
    if rows[0] is not None and _streams(tables) >= FEWEST_STREAMS:
        for number in range(tables.streams.max() + 1):
            own, led = clean.design[clean.streams == number], clean.points[clean.streams == number]
            rows.append(_worth(normal - own.T @ own, right - own.T @ led) if len(led) else rows[0])
    if rows[0] is None:
        return None
    return np.array(rows if all(row is not None for row in rows) else rows[:1], np.float64)


def _lowered(tables: _Tables, worth: Floats) -> Floats:
    """The same estimates, those of who was at fault with these tables, where that is less.

    How far they scatter from stream to stream is seen with the others as they are without these tables, for to fit all
    anew for each stream and each who was at fault would take minutes where hundreds were.
    """
    found = worth.copy()
    for who in np.unique(tables.culprit[tables.culprit >= 0]):
        mine = tables.only((tables.culprit < 0) | (tables.culprit == who))
        with_these = _worth(mine.design.T @ mine.design, mine.design.T @ mine.points)
        if with_these is not None and (at := no_higher(who, worth[0], with_these)) < worth[0, who]:
            alone = _alone(who, mine, worth)
            found[:, who] = at + alone - alone[0]
    return found


def _alone(who: int, tables: _Tables, worth: Floats) -> Floats:
    """What one is worth by its tables if all others are worth this, by estimate: each without the stream of its row."""
    own = tables.only(tables.design[:, who] != 0)
    share = own.design[:, who]
    others = own.points - worth @ own.design.T + np.outer(worth[:, who], share)
    left_out = np.arange(len(worth))[:, None] - 1 == own.streams
    weight = np.where(left_out, 0.0, share)
    return np.asarray((weight * others).sum(axis=1) / (weight * share).sum(axis=1))


def _effects(names: Sequence[str], worth: Floats, streams: int) -> Mapping[str, Effect]:
    """From estimates by row and name: the first row is what is, the others say how sure it is."""
    if len(names) < 2:
        return {}
    beside = len(names) / (len(names) - 1) * (worth - worth.mean(axis=1, keepdims=True))
    middle = beside[0].tolist()
    if len(beside) == 1:
        return {name: Effect(at, None, None) for name, at in zip(names, middle, strict=True)}
    count = len(beside) - 1
    variance = (count - 1) / count * ((beside[1:] - beside[1:].mean(axis=0)) ** 2).sum(axis=0)
    reach = (quantile(np.array([streams - 1.0])) * np.sqrt(variance)).tolist()
    return {name: Effect(at, at - ends, at + ends) for name, at, ends in zip(names, middle, reach, strict=True)}


def _worth(normal: Floats, right: Floats) -> Floats | None:
    """The solution whose sum is 0; None where there is more than one."""
    size = len(normal)
    closed = normal + np.full((size, size), np.trace(normal) / size**2)  # what the sum may not be: along (1, 1, ...)
    values = np.linalg.eigvalsh(closed)
    if values[0] <= _SOLVABLE * values[-1]:
        return None
    return np.asarray(np.linalg.solve(closed, right), np.float64)


UNTOLD: Final = "As partners they can't be told apart yet: too few tables without a fault, in too few combinations"


def told(effects: Mapping[str, Effect]) -> str:
    """Who is the best partner, in one line, and who may be as good."""
    known = sorted(effects.items(), key=lambda each: (-each[1].points, each[0]))
    if len(known) < 2:
        return UNTOLD
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
