"""A meeting: entrants on one board stream, each once in every seat; who outscored whom, and by how many points. Pure.

The legs of a meeting share their cards, so a meeting, not a match, is the unit of every statistic. Results are between
two: at a table of four, each two places are a duel, six in all. How a duel counts hangs on the format:

- `game`: each leg is a result of its own, won by the higher score, or by whom a tie-break made the winner.
- `boards`: all legs together are one result, won by the sum of the points; a meeting of which a leg is missing is no
  result yet.

A forfeit is a loss whatever the score, to each opponent who did not forfeit: of the leg in `game`, of the whole meeting
in `boards`. Where both forfeit, be it in one leg or each in another, both lose. Between two who played on while a third
forfeited, nothing is decided. The points of a meeting with a forfeit count for nobody but who made it, and only if that
is to its loss (`faulted`).

Copies of one entrant at a table decide nothing between them.

Where entrants share sides, the sides are what meets, and a result is one of all who sit there. A forfeit is then a loss
of the one who was at fault alone, and of that leg or meeting nothing else counts. A table at which somebody is its own
partner decides nothing: it would tell how well it knows itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from itertools import combinations
from operator import attrgetter
from statistics import fmean
from typing import NamedTuple, TypeAlias, assert_never

from spades_harness.game.score import Boards, Format, Game
from spades_harness.tournament.outcome import Outcome, batched, forfeiting, legs_of


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
Places: TypeAlias = tuple[int, int]
"""Two places of one meeting, of different entrants; the lower first."""


class Duel(NamedTuple):
    """What a meeting came to between two of its places, or between the sides that these belong to."""

    places: Places
    results: tuple[Verdicts, ...]
    """One, or one a leg; at least one."""
    alone: bool = False
    """Whether it counts for the first of the two alone: who was at fault beside a partner."""


class Meeting(NamedTuple):
    """Entrants by place, and the legs of their meeting that have an outcome, in order."""

    entrants: tuple[str, ...]
    legs: tuple[Outcome, ...]

    @property
    def mates(self) -> int:
        """Entrants a side."""
        return self.legs[0].leg.mates if self.legs else 1

    @property
    def complete(self) -> bool:
        """Whether every entrant has had every side."""
        return len(self.legs) == self.whole

    @property
    def whole(self) -> int:
        """How many legs it has when all are played."""
        return legs_of(self.entrants, self.mates)

    @property
    def hands(self) -> int:
        """Those that its scores are of, with substitutes, too; 0 where a leg is missing, or was ended by a forfeit."""
        counts = [leg.length if any(leg.forfeited) else leg.hands for leg in self.legs]
        return sum(counts) if self.complete and all(counts) else 0

    @property
    def culprits(self) -> frozenset[str]:
        """Those who forfeited one of its legs."""
        return frozenset(name for leg in self.legs for name in forfeiting(leg))

    @property
    def weight(self) -> float:
        """What a duel counts for, in matches: one of a place with each other place would be one match.

        Copies fight no duel, which makes the others no heavier: A A B B is four duels of a third each. Two sides that
        are shared fight one.
        """
        return 1 / (len(self.entrants) - 1) if self.mates == 1 else 1.0

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """Who plays together, in the order of the places."""
        return tuple(batched(self.entrants, self.mates))

    @property
    def has_own_partner(self) -> bool:
        """Whether somebody shares a side with a copy of itself."""
        return any(len(set(side)) < len(side) for side in self.sides)

    def of(self, duel: Duel) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """For whom a duel counts: those of its first and of its second side."""
        first, second = duel.places
        if duel.alone:
            return (self.entrants[first],), ()
        return self.side_of(first), self.side_of(second)

    def side_of(self, place: int) -> tuple[str, ...]:
        """Who plays together at this place."""
        return self.sides[place // self.mates]

    def opposed(self) -> Iterator[tuple[str, str]]:
        """Each two who sit against each other, none against a copy of itself."""
        for one, other in combinations(self.sides, 2):
            yield from ((a, b) for a in one for b in other if a != b)

    @property
    def boards(self) -> tuple[int, int]:
        """What its cards hang on, and those of others with them: the number of the secret, and the board stream."""
        return self.legs[0].secret, self.legs[0].leg.stream

    def places(self, entrant: str) -> list[int]:
        """Those of an entrant, none if it is not among them."""
        return [place for place, name in enumerate(self.entrants) if name == entrant]


Results: TypeAlias = Sequence[tuple[Meeting, Sequence[Duel]]]
"""Meetings in plan order, and what each came to."""


def results_of(game: Format, outcomes: Iterable[Outcome]) -> Results:
    """What was played, meeting by meeting."""
    return [(meeting, tuple(duels(game, meeting))) for meeting in meetings(outcomes)]


def meetings(outcomes: Iterable[Outcome]) -> list[Meeting]:
    """The meetings of these outcomes in plan order, whatever theirs is."""
    in_order = sorted(outcomes, key=attrgetter("ordinal"))
    legs: dict[object, list[Outcome]] = {}
    for outcome in in_order:
        legs.setdefault(outcome.meeting, []).append(outcome)
    return [_meeting(found) for found in legs.values()]


def _meeting(found: Sequence[Outcome]) -> Meeting:
    return Meeting(found[0].leg.entrants, tuple(sorted(found, key=lambda leg: leg.leg.leg)))


def duels(game: Format, meeting: Meeting) -> Iterator[Duel]:
    """What a meeting came to so far between each two of its entrants; nothing where that is nothing yet."""
    if meeting.mates > 1:
        yield from _between_sides(game, meeting)
        return
    for one, other in combinations(range(len(meeting.entrants)), 2):
        if meeting.entrants[one] == meeting.entrants[other]:
            continue
        if results := tuple(_results(game, meeting, (one, other))):
            yield Duel((one, other), results)


def _between_sides(game: Format, meeting: Meeting) -> Iterator[Duel]:
    """The result of two sides that are shared, then the losses of those who were at fault."""
    apart = [*deciding(game, meeting)]
    sides = (0, meeting.mates)
    played = [legs for legs in apart if not _spoilt(legs)]
    if played and not meeting.has_own_partner:
        yield Duel(
            sides, tuple(each for legs in played for each in _verdicts(legs, sides, _all_tied(game, legs, sides)))
        )
    for name in dict.fromkeys(meeting.entrants):
        own = meeting.places(name)
        lost = sum(any(leg.forfeited[place] for leg in legs for place in own) for legs in apart)
        if lost:
            against = sides[1] if own[0] < meeting.mates else sides[0]
            yield Duel((own[0], against), ((Verdict.LOSS, Verdict.WIN),) * lost, alone=True)


def deciding(game: Format, meeting: Meeting) -> Iterator[Sequence[Outcome]]:
    """The legs that decide together."""
    if isinstance(game, Game):
        yield from ([leg] for leg in meeting.legs)
    elif meeting.complete:
        yield meeting.legs


def _all_tied(game: Format, legs: Sequence[Outcome], places: Places) -> int:
    """The tie-break of a leg that decides alone."""
    return _tie_break(legs[0], places) if isinstance(game, Game) else 0


def _results(game: Format, meeting: Meeting, places: Places) -> Iterator[Verdicts]:
    """The results between two places: none, one, or one a leg."""
    match game:
        case Game():
            for leg in meeting.legs:
                yield from _verdicts([leg], places, _tie_break(leg, places))
        case Boards():
            if meeting.complete:
                yield from _verdicts(meeting.legs, places)
        case _:
            assert_never(game)


def _tie_break(leg: Outcome, places: Places) -> int:
    """Which of two equal scores won all the same: 1 the first, -1 the second, 0 neither."""
    first, second = (leg.winner == place for place in places)
    return first - second


def _verdicts(legs: Sequence[Outcome], places: Places, tie_break: int = 0) -> Iterator[Verdicts]:
    """Who won these legs taken together; nothing where only others forfeited."""
    first, second = (any(leg.forfeited[place] for leg in legs) for place in places)
    if first and second:
        yield Verdict.LOST_BY_BOTH, Verdict.LOST_BY_BOTH
    elif first or second or not _spoilt(legs):
        won = second - first or _sign(_lead(legs, places)) or tie_break
        yield _BY_SIGN[won], _BY_SIGN[-won]


_BY_SIGN = {1: Verdict.WIN, 0: Verdict.DRAW, -1: Verdict.LOSS}


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _spoilt(legs: Iterable[Outcome]) -> bool:
    """Whether anybody forfeited one of them."""
    return any(any(leg.forfeited) for leg in legs)


def _lead(legs: Iterable[Outcome], places: Places) -> int:
    """Points of the first less those of the second."""
    first, second = places
    return sum(leg.scores[first] - leg.scores[second] for leg in legs)


def points_per_hand(meeting: Meeting, entrant: str, opponent: str | None = None) -> float | None:
    """An entrant's points less the mean of its opponents' points, or of one's, a hand, over all legs; the mean of
    its copies if it has several. As it was played, be it with a substitute; whose figure that is, `faulted` says.

    None where a leg is missing or was ended by a forfeit, and where a partner is a copy.
    """
    if not meeting.hands or meeting.has_own_partner:
        return None
    totals = [sum(leg.scores[place] for leg in meeting.legs) for place in range(len(meeting.entrants))]
    own = [total for total, name in zip(totals, meeting.entrants, strict=True) if name == entrant]
    against = {opponent} if opponent else {two for one, two in _both_ways(meeting.opposed()) if one == entrant}
    others = [total for total, name in zip(totals, meeting.entrants, strict=True) if name in against]
    return (fmean(own) - fmean(others)) / meeting.hands


def _both_ways(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for one, other in pairs:
        yield one, other
        yield other, one


def side_lead(meeting: Meeting) -> float | None:
    """Of two sides that are shared: the points of the first less the second's, a hand, over all legs.

    As `points_per_hand`, but also of those who are their own partners. None where sides aren't shared.
    """
    if meeting.mates == 1 or len(meeting.sides) != 2 or not meeting.hands:
        return None
    return _lead(meeting.legs, (0, meeting.mates)) / meeting.hands
