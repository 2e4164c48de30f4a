"""A ladder: a standing order that new entrants climb, each until its place is known. Pure.

The first that came stands alone; then always as many newcomers as stand already climb at the same time. Each
challenges the one in the middle of those among whom its place may be, and whoever wins stands above the other. So its
place is known when it has beaten the one below it and not the one above, after no more challenges than halvings of the
ladder. Newcomers between the same two are a ladder among themselves, in the order in which they came. Whoever came
earlier keeps the place where a challenge is level. To a new run they come in the order of its file.

A challenge between two is always on the same boards, whoever else takes part and whenever it is played. So what was
played once need not be played again: a bot that joins has only its own challenges to play, and one that is
changed its own and those that its new place brings about.

Who plays no more has no rank, but those who were measured by it stay where that put them: nobody plays anew since
another has left. Who would challenge it now challenges the next one instead. Who is disqualified has measured nobody.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from spades_harness.game.score import Format
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import Batch, Entrant, Options
from spades_harness.tournament.statistics.sprt import FEWEST, Decision, Evidence, Sprt, decide, scores_of

from .encounter import Taken, counting, leavers, taken
from .option_reading import Given, refuse_unless_two_sides
from .placing import Joinable, Place, Placed, Placing, in_halves

NAME: Final = "ladder"
STREAMS: Final = 8
"""Board streams between two looks at a challenge unless the file says otherwise: enough to keep many lanes busy."""
MOST: Final = 64
"""Board streams of a challenge at most. In simulation who is 100 Elo stronger is shown to be so by then in nine of ten
challenges, after 36 on average, and stands above in 98 of 100; of two equals the one who came first does, in 54."""
MOST_STREAMS: Final = 100_000
"""More are a slip."""
MOST_KNOWN: Final = 20_000
"""Parts of challenges that are kept as they were counted: all of a ladder of some hundred entrants, in some 200 MiB."""
MARGIN: Final = 50.0
"""Elo: a challenge ends early when one of two is shown to be so much the stronger, rather than the other."""
_RULE: Final = Sprt(elo0=-MARGIN, elo1=MARGIN)


def ladder(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """The next board streams of all challenges that are open.

    Options: `streams`, board streams before each look at a challenge, 8; `most`, board streams of a challenge, 64. A
    challenge ends at the look at which one of the two is shown to be the stronger (`sprt`, by 50 Elo rather than the
    other, wrongly in one of twenty cases), or after `most` of them; then more points decide.
    """
    refuse_unless_two_sides(NAME, entrants, options)
    names = tuple(entrant.name for entrant in entrants)
    challenges = _Challenges(names, options, results)
    still_open = (each for each in _climb(names, challenges).challenges if not challenges.state(each).over)
    legs = (leg for challenge in still_open for leg in challenges.missing(challenge))
    return tuple(sorted(legs, key=lambda leg: (leg.stream, leg.round)))


class _Climb(NamedTuple):
    """What became of some who came to a ladder one after the other."""

    standing: tuple[str, ...] | None
    """All of them, the best first; None while that isn't known: then some of the challenges are open."""
    challenges: tuple[_Challenge, ...]
    """Those that it took so far, in their order."""


def _climb(names: tuple[str, ...], challenges: _Challenges) -> _Climb:
    """These as a ladder."""
    standing, waiting = names[:1], names[1:]
    made: list[_Challenge] = []
    while waiting:
        newcomers, waiting = waiting[: len(standing)], waiting[len(standing) :]
        gaps = [_gap(newcomer, standing, challenges) for newcomer in newcomers]
        made += (challenge for gap in gaps for challenge in gap.challenges)
        if any(gap.first != gap.end for gap in gaps):
            return _Climb(None, (*made,))
        between = (
            [name for name, gap in zip(newcomers, gaps, strict=True) if gap.first == at]
            for at in range(len(standing) + 1)
        )
        parts = [_climb(tuple(group), challenges) for group in between]
        made += (challenge for part in parts for challenge in part.challenges)
        if any(part.standing is None for part in parts):
            return _Climb(None, (*made,))
        rungs = zip((part.standing or () for part in parts), (*((name,) for name in standing), ()), strict=True)
        standing = tuple(name for part, holder in rungs for name in (*part, *holder))
    return _Climb(standing, (*made,))


class _Gap(NamedTuple):
    """Where the place of a newcomer may be: from the first of these to the second, from 0 among those who stand."""

    first: int
    end: int
    challenges: tuple[_Challenge, ...]
    """By which that is known."""


def _gap(newcomer: str, standing: Sequence[str], challenges: _Challenges) -> _Gap:
    """Of those who have left, and that it can't be measured by any more, it is taken to stand below."""
    first, end = 0, len(standing)
    made: list[_Challenge] = []
    while first < end:
        middle = challenges.middle(newcomer, standing, first, end)
        if middle is None:
            return _Gap(end, end, (*made,))
        made.append(_Challenge(standing[middle], newcomer))
        above = challenges.state(made[-1]).goes_up
        if above is None:
            break
        first, end = (first, middle) if above else (middle + 1, end)
    return _Gap(first, end, (*made,))


# --- A challenge ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _State:
    """How a challenge stands."""

    streams: int
    """Board streams up to the look that decided it, or to the next one."""
    taken: tuple[float, float] = (0.0, 0.0)
    """Points of the newcomer and of the holder, over these."""
    decision: Decision | None = None
    """What was shown; None: nothing, so the points decide."""
    over: bool = False

    @property
    def goes_up(self) -> bool | None:
        """Whether the newcomer stands above; None while that isn't known."""
        if self.decision is not None:
            return self.decision is Decision.ELO1
        return self.taken[0] > self.taken[1] if self.over else None


class _Challenge(NamedTuple):
    """Who meets whom."""

    holder: str
    """Who came first."""
    newcomer: str


class _Challenges:
    """What the results say of challenges."""

    def __init__(self, names: Sequence[str], options: Options, results: Iterable[Outcome]) -> None:
        given = Given(NAME, options, "streams", "most")
        step = given.whole("streams", STREAMS, 1, MOST_STREAMS)
        self.most = given.whole("most", MOST, 1, MOST_STREAMS)
        self._looks = (*range(step, self.most, step), self.most)
        self._format, self._gone = options.format, options.gone
        self._number = {name: number for number, name in enumerate(names, 1)}
        self._states: dict[_Challenge, _State] = {}
        self._legs: dict[frozenset[str], list[Outcome]] = {}
        for each in results:
            self._legs.setdefault(frozenset(each.leg.entrants), []).append(each)

    def state(self, challenge: _Challenge) -> _State:
        """How it stands."""
        if challenge not in self._states:
            self._states[challenge] = self._state(challenge)
        return self._states[challenge]

    def middle(self, newcomer: str, standing: Sequence[str], first: int, end: int) -> int | None:
        """The number of whom it challenges of those from `first` up to `end`: the one in the middle, or the nearest to
        that by whom it was measured or can be; None where all have left."""
        middle = (first + end) // 2
        if not self._gone:
            return middle
        return min(
            (at for at in range(first, end) if self._tells(_Challenge(standing[at], newcomer))),
            key=lambda at: abs(at - middle),
            default=None,
        )

    def _tells(self, challenge: _Challenge) -> bool:
        """Whether a challenge was decided, or can be since both play on."""
        return not self._gone.intersection(challenge) or self.state(challenge).over

    def _state(self, challenge: _Challenge) -> _State:
        """Look by look, up to the one that decides it, lacks results, or was left by one of the two."""
        evidence, own, other = Evidence(), 0.0, 0.0
        played = self._by_look(challenge)
        for before, streams in pairwise((0, *self._looks)):
            since = played[streams]
            if len(since) < 2 * (streams - before) or leavers(since):
                return _State(streams)
            more, less, scores = _come_to(self._format, challenge, tuple(since))
            own, other, evidence = own + more, other + less, evidence.plus(scores)
            decision = decide(_RULE, evidence)
            if decision is not None or streams == self.most:
                return _State(streams, (own, other), decision, over=True)
        raise AssertionError("the last look is the end")

    def _by_look(self, challenge: _Challenge) -> Mapping[int, list[Outcome]]:
        """The results since the look before each, by the board streams up to it."""
        found: defaultdict[int, list[Outcome]] = defaultdict(list)
        for each in self._played(challenge, self.most):
            found[self._looks[bisect_right(self._looks, each.leg.stream)]].append(each)
        return found

    def missing(self, challenge: _Challenge) -> Batch:
        """The legs without a result up to the next look."""
        streams, number = self.state(challenge).streams, self._number[challenge.newcomer]
        done = {each.leg[:3] for each in self._played(challenge, streams)}
        legs = (Leg(tuple(challenge), stream, leg, number) for stream in range(streams) for leg in (0, 1))
        return tuple(leg for leg in legs if leg[:3] not in done)

    def _played(self, challenge: _Challenge, streams: int) -> list[Outcome]:
        """The results of their first board streams."""
        found = self._legs.get(frozenset(challenge), ())
        return [each for each in found if each.leg.stream < streams]


@lru_cache(maxsize=MOST_KNOWN)
def _come_to(
    game: Format, challenge: _Challenge, outcomes: tuple[Outcome, ...]
) -> tuple[float, float, tuple[float, ...]]:
    """The points of the newcomer and of the holder over whole board streams, and the newcomer's score in each.

    Kept, since all of a challenge is looked at again after each of its parts.
    """
    results = counting(game, outcomes)
    points = taken(game, results)
    own, other = (points.get(pair, Taken()).points for pair in (challenge[::-1], challenge))
    return own, other, tuple(scores_of(game, challenge.newcomer, results))


# --- What it comes to -------------------------------------------------------------------------------------------------


def places(entrants: Sequence[str], options: Options, results: Sequence[Outcome], /) -> Placing:
    """The ladder as far as it is known; then those on their way to it, as they came, unranked.

    Who plays no more has no place on it: nobody could challenge it.
    """
    names = tuple(entrants)
    challenges = _Challenges(names, options, results)
    climb = _climb(names, challenges)
    made = {challenge: challenges.state(challenge) for challenge in climb.challenges}
    waves = (_climb(names[:count], challenges).standing for count in _waves(len(names)))
    known = climb.standing or next((standing for standing in waves if standing is not None), ())
    standing = [name for name in known if name not in options.gone]
    ranks: dict[str, int | None] = {name: rank for rank, name in enumerate(standing, 1)}
    order = (*standing, *(name for name in names if name not in ranks and name not in options.gone))
    ranked = tuple(Place(name, ranks.get(name), _made(name, names, made)) for name in order)
    return Placing("challenges", ranked, tuple(_lines(challenges.most, made)))


def _waves(count: int) -> Iterator[int]:
    """How many stand before each wave of newcomers, the last wave first."""
    return (1 << power for power in reversed(range((count - 1).bit_length())))


def _made(name: str, entrants: Sequence[str], made: Mapping[_Challenge, _State]) -> str:
    """What came of the challenges that an entrant made."""
    own = [state for challenge, state in made.items() if challenge.newcomer == name]
    won, over = sum(state.goes_up is True for state in own), sum(state.over for state in own)
    if not own:
        return "stood first" if name == entrants[0] else "waits"
    return f"won {won} of {over}{' so far' if over < len(own) else ''}"


def _lines(most: int, made: Mapping[_Challenge, _State]) -> Iterator[str]:
    yield "Each came to the ladder in turn, and challenged the one in the middle of where it might stand."
    if most < FEWEST:
        yield f"After {most} board streams of a challenge points decide: too few to tell two apart."
        return
    for challenge, state in made.items():
        if state.over and state.decision is None:
            upshot = "stands above" if state.goes_up else "stays below"
            score = "–".join(map(in_halves, state.taken))
            yield f"Not told apart, so that points decided: {challenge.newcomer} {upshot} {challenge.holder} ({score})."


LADDER = Placed(ladder, places, Joinable.ALWAYS)
