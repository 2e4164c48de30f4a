"""A knockout, single or double: who loses is out, and the last one is the winner. Pure.

A tie is played on some board streams, each way round, and whoever takes more points from it goes on. Where they are
level, further board streams follow one by one until they aren't; after so many of them the better seed goes on, and the
bracket says so. All ties of a stage are on the same boards. No stage is begun before the last one is decided.

Whoever leaves before a tie is decided has lost it, however it stood, and who is disqualified has lost all its ties: the
tree stays, and the other goes on without a card. Where both have left, the better seed does, to lose the next one so.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from spades_harness.game.score import Game
from spades_harness.tournament.outcome import Leg, Outcome, forfeiting
from spades_harness.tournament.schedule import Batch, Entrant, Options

from .bracket import Bracket, Tie, double, out, single
from .encounter import Taken, counting, leavers, taken
from .option_reading import Given, refuse_unless_two_sides
from .placing import GONE, Joinable, Place, Placed, Placing, in_halves

NAME: Final = "knockout"
STREAMS: Final = 8
"""Board streams of a tie unless the file says otherwise: as many as two entrants meet on in a round robin."""
EXTRA: Final = 8
"""Further board streams of a tie that is level: as much again."""
MOST_STREAMS: Final = 10_000
"""Board streams of a tie; more are a slip."""


class Elimination(Enum):
    """How many defeats put an entrant out."""

    SINGLE = "single"
    DOUBLE = "double"

    @property
    def defeats(self) -> int:
        """So many."""
        return 1 if self is Elimination.SINGLE else 2


def knockout(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """What the ties of a stage still need: their board streams at once, then a further one for those that are level.

    Options: `elimination`, `single` or `double`; `seeds`, a list of entrants, the best first (the others follow in the
    order of the file); `streams`, board streams of a tie, 8; `extra`, further ones at most where it is level, 8.
    """
    refuse_unless_two_sides(NAME, entrants, options)
    terms = _terms(entrants, options)
    ties = _Ties(terms, options, results)
    bracket = _bracket(terms, ties)
    undecided = [tie for tie in bracket.stages[-1].ties if ties.won(tie) is None]
    missing = [legs for tie in undecided for legs in ties.missing(tie)]
    return tuple(leg for _, legs in sorted(missing, key=lambda each: each[0]) for leg in legs)


@dataclass(frozen=True, slots=True)
class _Terms:
    """How it is played."""

    seeds: tuple[str, ...]
    """All entrants, the best first."""
    elimination: Elimination
    streams: int
    extra: int


def _terms(entrants: Sequence[Entrant], options: Options) -> _Terms:
    given = Given(NAME, options, "elimination", "seeds", "streams", "extra")
    seeds = given.entrants("seeds", entrants)
    return _Terms(
        seeds=(*seeds, *(entrant.name for entrant in entrants if entrant.name not in seeds)),
        elimination=Elimination(given.word("elimination", *(each.value for each in Elimination))),
        streams=given.whole("streams", STREAMS, 1, MOST_STREAMS),
        extra=given.whole("extra", EXTRA, 0, MOST_STREAMS),
    )


def _bracket(terms: _Terms, ties: _Ties) -> Bracket:
    """The tree so far; a last tie that both have left has no winner."""
    grow = single if terms.elimination is Elimination.SINGLE else double
    found = grow(terms.seeds, ties.won)
    last = found.stages[-1].ties[-1] if found.winner and found.stages else None
    return replace(found, winner=None) if last and len(ties.score(last).left) > 1 else found


# --- A tie ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Score:
    """How a tie stands."""

    one: Taken
    other: Taken
    further: int
    """Board streams beyond the first ones."""
    whole: bool
    """Whether all that was to be played so far has been."""
    by_forfeit: tuple[int, int] = (0, 0)
    """Board streams that each has from a fault of the other."""
    left: frozenset[str] = frozenset()
    """Those who play no more, and so have not played the tie to its end."""

    @property
    def level(self) -> bool:
        """Whether neither is ahead."""
        return self.one.points == self.other.points


class _Ties:
    """What the results say of ties."""

    def __init__(self, terms: _Terms, options: Options, results: Iterable[Outcome]) -> None:
        self._terms, self._format, self._gone = terms, options.format, options.gone
        self._legs: dict[tuple[int, frozenset[str]], list[Outcome]] = {}
        for each in results:
            self._legs.setdefault((each.leg.round, frozenset(each.leg.entrants)), []).append(each)

    def won(self, tie: Tie) -> str | None:
        """Who goes on; None while that isn't decided."""
        score = self.score(tie)
        if score.left:
            return tie.other if score.left == {tie.one} else tie.one
        if self._is_open(score):
            return None
        return tie.other if score.other.points > score.one.points else tie.one

    def _is_open(self, score: _Score) -> bool:
        """Whether a tie has more to be played."""
        return not score.whole or (score.level and score.further < self._terms.extra)

    def score(self, tie: Tie) -> _Score:
        """What each has, over the board streams that count."""
        outcomes = self._outcomes(tie)
        streams, played = self._streams(tie), counting(self._format, outcomes)
        points = taken(self._format, played)
        one, other = (points.get(pair, Taken()) for pair in ((tie.one, tie.other), (tie.other, tie.one)))
        score = _Score(
            one,
            other,
            further=len(streams) - self._terms.streams,
            whole=len(outcomes) == 2 * len(streams),
            by_forfeit=(self._forfeits(played, tie.other), self._forfeits(played, tie.one)),
            left=leavers(outcomes),
        )
        gone = self._gone & {tie.one, tie.other}
        return replace(score, left=score.left | gone) if self._is_open(score) else score

    def _forfeits(self, outcomes: Iterable[Outcome], name: str) -> int:
        """Results that one lost by its own fault alone, and not by play."""
        faulty: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
        for each in outcomes:
            faulty[each.leg.stream, each.leg.leg if isinstance(self._format, Game) else 0].update(forfeiting(each))
        return sum(names == {name} for names in faulty.values())

    def missing(self, tie: Tie) -> Iterator[tuple[int, tuple[Leg, ...]]]:
        """The legs without a result of an undecided tie by board stream: of the streams begun, or else of one more."""
        done = {each.leg for each in self._outcomes(tie)}
        streams = self._streams(tie)
        for stream in range(streams.start, streams.stop + self.score(tie).whole):
            legs = tuple(Leg((tie.one, tie.other), stream, leg, round=tie.stage) for leg in (0, 1))
            if left := tuple(leg for leg in legs if leg not in done):
                yield stream, left

    def _outcomes(self, tie: Tie) -> Sequence[Outcome]:
        return self._legs.get((tie.stage, frozenset((tie.one, tie.other))), [])

    def outside(self, ties: Iterable[Tie]) -> int:
        """Matches that were played for no tie of these: of what was planned before an amendment."""
        inside = {(tie.stage, frozenset((tie.one, tie.other))) for tie in ties}
        return sum(sum(each.played for each in legs) for tie, legs in self._legs.items() if tie not in inside)

    def _streams(self, tie: Tie) -> range:
        """The board streams of a tie that were begun, and at least the first ones."""
        start = (tie.stage - 1) * (self._terms.streams + self._terms.extra)
        begun = max((each.leg.stream + 1 for each in self._outcomes(tie)), default=0)
        return range(start, max(start + self._terms.streams, begun))


# --- What it comes to -------------------------------------------------------------------------------------------------


def places(entrants: Sequence[str], options: Options, results: Sequence[Outcome], /) -> Placing:
    """By how far each got; who was put out in the same stage shares the rank, in the order of the seeds."""
    terms = _terms([Entrant(name, ()) for name in entrants], options)
    ties = _Ties(terms, options, results)
    bracket = _bracket(terms, ties)
    left, found = list(terms.seeds), list[Place]()
    for stage, beaten in out(bracket, ties.won, terms.elimination.defeats):
        left = [name for name in left if name not in beaten]
        found[:0] = [Place(name, len(left) + 1, stage.title) for name in terms.seeds if name in beaten]
    first = [name for name in left if bracket.winner or name not in options.gone]
    still_in = [Place(name, 1, "winner" if bracket.winner else "still in") for name in first]
    about_to_lose = [Place(name, len(first) + 1, GONE) for name in left if name not in first]
    return Placing("reached", (*still_in, *about_to_lose, *found), tuple(_lines(terms, ties, bracket)))


def _lines(terms: _Terms, ties: _Ties, bracket: Bracket) -> Iterator[str]:
    """The bracket, stage by stage."""
    seed = {name: f"{name} ({number})" for number, name in enumerate(terms.seeds, 1)}
    for stage in bracket.stages:
        yield f"{stage.title}:"
        yield from (f"  {_told(tie, ties, seed)}" for tie in stage.ties)
        if stage.byes:
            yield f"  without a tie: {', '.join(seed[name] for name in stage.byes)}"
    yield f"Winner: {bracket.winner}" if bracket.winner else "No winner yet."
    if outside := ties.outside(tie for stage in bracket.stages for tie in stage.ties):
        yield f"Played before an amendment, outside of this bracket: {outside} matches. They count in the ratings."


def _told(tie: Tie, ties: _Ties, seed: Mapping[str, str]) -> str:
    """A tie in one line."""
    score, won = ties.score(tie), ties.won(tie)
    first, second = (tie.other, tie.one) if won == tie.other else (tie.one, tie.other)
    points = [score.other, score.one] if won == tie.other else [score.one, score.other]
    told = "–".join(in_halves(each.points) for each in points)
    if won is None:
        return f"{seed[first]} against {seed[second]}{f' {told} so far' if score.one.results else ''}"
    if score.left:
        stood = f", {told} on the table" if score.one.results else ""
        both = f"{seed[first]} goes on as the better seed: {seed[second]} and it play no more{stood}"
        return both if len(score.left) > 1 else f"{seed[first]} goes on: {seed[second]} plays no more{stood}"
    forfeits = score.by_forfeit[won == tie.other]
    by = f", {'all' if forfeits == points[0].points else forfeits} by forfeit" if forfeits else ""
    further = f", {score.further} further board stream{'s' * (score.further > 1)}" if score.further else ""
    level = f", level{further}: the better seed goes on"
    return f"{seed[first]} beat {seed[second]} {told}{by}{level if score.level else further}"


KNOCKOUT = Placed(knockout, places, Joinable.UNTIL_PLANNED)
