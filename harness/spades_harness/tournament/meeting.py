"""A meeting: two entrants on one board stream, once each way round; who won it, and by how many points. Pure.

The legs of a meeting share their cards, so a meeting, not a match, is the unit of every statistic. How it counts hangs
on the format:

- `game`: each leg is a result of its own, won by the higher score.
- `boards`: both legs together are one result, won by the sum of both legs' differences; a meeting of which a leg is
  missing is no result yet.

A forfeit is a loss whatever the score: of the leg in `game`, of the whole meeting in `boards`. Where both forfeit, be
it in one leg or each in another, both lose. A meeting with a forfeit has no points, since its legs can't be compared.
Matches of more than two entrants are refused: nothing here says who has won them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from operator import attrgetter
from typing import NamedTuple, TypeAlias, assert_never

from spades_harness.game.score import Boards, Format, Game

from .outcome import Outcome


class Verdict(Enum):
    """What a result is for one of the two, and what it is worth to a rating."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    LOST_BY_BOTH = "lost by both"
    """Counts as a loss, but neither was the stronger."""

    @property
    def worth(self) -> float:
        """The share of the point that is played for."""
        return {Verdict.WIN: 1.0, Verdict.LOSS: 0.0}.get(self, 0.5)


Verdicts: TypeAlias = tuple[Verdict, Verdict]
"""By place."""


class Meeting(NamedTuple):
    """Two entrants, and the legs of their meeting that have an outcome, in order."""

    entrants: tuple[str, ...]
    legs: tuple[Outcome, ...]

    @property
    def complete(self) -> bool:
        """Whether every entrant has had every side."""
        return len(self.legs) == len(self.entrants)


def meetings(outcomes: Iterable[Outcome]) -> list[Meeting]:
    """The meetings of these outcomes in plan order, whatever theirs is; raises ValueError for one of more than two."""
    in_order = sorted(outcomes, key=attrgetter("ordinal"))
    legs: dict[object, list[Outcome]] = {}
    for outcome in in_order:
        legs.setdefault(outcome.meeting, []).append(outcome)
    return [_meeting(found) for found in legs.values()]


def _meeting(found: Sequence[Outcome]) -> Meeting:
    """The meeting that these are the legs of.

    Who won among more than two is not settled: not whether the rest have lost to each other, nor what a forfeit of
    one is to them; and results of one table are no independent witnesses, as `rating` takes pairs to be.
    """
    entrants = found[0].leg.entrants
    if len(entrants) != 2:
        raise ValueError(f"verdicts are for two entrants a match, not for {len(entrants)}: {' - '.join(entrants)}")
    return Meeting(entrants, tuple(sorted(found, key=lambda leg: leg.leg.leg)))


def verdicts(game: Format, meeting: Meeting) -> Iterator[Verdicts]:
    """The results of a meeting so far: none, one, or one a leg."""
    match game:
        case Game():
            yield from (_verdicts([leg]) for leg in meeting.legs)
        case Boards():
            if meeting.complete:
                yield _verdicts(meeting.legs)
        case _:
            assert_never(game)


def _verdicts(legs: Iterable[Outcome]) -> Verdicts:
    """Who won these legs taken together."""
    legs = list(legs)
    first, second = (any(leg.forfeited[place] for leg in legs) for place in (0, 1))
    if first and second:
        return Verdict.LOST_BY_BOTH, Verdict.LOST_BY_BOTH
    won = second - first or _sign(difference(legs))
    return _BY_SIGN[won], _BY_SIGN[-won]


_BY_SIGN = {1: Verdict.WIN, 0: Verdict.DRAW, -1: Verdict.LOSS}


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def difference(legs: Iterable[Outcome]) -> int:
    """Points of the first entrant less those of the second."""
    return sum(leg.scores[0] - leg.scores[1] for leg in legs)


def points_per_hand(meeting: Meeting) -> float | None:
    """The difference a hand over both legs, for the first entrant; None where legs are missing or were forfeited."""
    hands = sum(leg.hands for leg in meeting.legs)
    if not meeting.complete or not hands or any(any(leg.forfeited) for leg in meeting.legs):
        return None
    return difference(meeting.legs) / hands
