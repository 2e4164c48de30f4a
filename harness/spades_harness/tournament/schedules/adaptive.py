"""First all meet all; then every third board goes to neighbours whose order is not decided yet. Pure.

A round robin spends as much on pairings that have long been decided as on those that are close. Here a first phase of
whole rounds shows roughly who stands where. After it each batch asks anew which neighbours in the order by Elo are not
decided (`order`, whose boundary holds at any look): two thirds of its boards go to all pairings, as before, the others
to these neighbours, all of them equally often. Who is decided drops out of these, so that more is left for the others:
successive elimination, as of E. Even-Dar, S. Mannor and Y. Mansour, "Action Elimination and Stopping Conditions for the
Multi-Armed Bandit and Reinforcement Learning Problems", Journal of Machine Learning Research 7 (2006). It ends when
every rank is decided, or when as many meetings were played as `rounds` of a round robin have. Both are of those who
play on: who has withdrawn gets no more boards, and costs the others none.

Whoever decides by results where to look again makes estimates lean outwards: a difference that looks larger than it is
gets fewer boards, and so keeps what chance gave it. That is what the two thirds are for: were all boards for the
undecided, four entrants at 150, 20, -20 and -150 Elo would be rated 11 Elo too far out, in the mean of 400 simulated
runs of 40 rounds. As it is they are 2.1 too far out (the mean of 1,000 runs; the outer two 3.8, with a standard error
of 1), against 1.2 in a round robin (the outer two 1.4), where chance alone puts each off by 30. The order is right in
87 % of these runs, against 82 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, count, islice
from typing import Final

from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import Batch, Entrant, Options
from spades_harness.tournament.statistics.order import LEAST, MOST, steps, undecided
from spades_harness.tournament.statistics.paired import observations_of

from .encounter import counting
from .option_reading import MAX_ROUNDS, Given, refuse_too_many, refuse_unless_two_sides
from .placing import Placed
from .round_robin import circle

NAME: Final = "adaptive"
ROUNDS: Final = 32
"""Rounds that are paid for: about what it takes to tell entrants apart that differ by 200 Elo."""
FIRST: Final = 4
"""Rounds of all with all are a quarter: fewer would leave to chance who are neighbours, and make ratings lean more."""
EXTRA: Final = 2
"""To so many boards of all pairings one goes to the undecided. With one to one the order came out no better, and
ratings leaned twice as far."""
GROWTH: Final = 4
"""A batch has a quarter of the rounds before it: so a run is looked at some dozen times, and lanes seldom wait."""


def adaptive(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """Everybody meets everybody on the first board streams, each way round; later ones are for undecided neighbours.

    Options: `rounds`: the run has no more meetings than a round robin of so many (32). `first`: rounds of all with all
    before anything is looked at (a quarter of `rounds`). `confidence`: with which neighbours
    are to be decided, 0.95. Within the first rounds prefixes are as balanced as in a round robin; after them no two
    undecided neighbours of a batch are more than one board stream ahead of two others.
    """
    refuse_unless_two_sides(NAME, entrants, options)
    given = Given(NAME, options, "rounds", "first", "confidence")
    rounds = given.whole("rounds", ROUNDS, 1, MAX_ROUNDS)
    first = given.whole("first", max(1, rounds // FIRST), 1, rounds)
    confidence = given.number("confidence", 0.95, LEAST, MOST)
    names = [entrant.name for entrant in entrants]
    pairings = tuple(chain.from_iterable(circle(names)))
    refuse_too_many(NAME, 2 * first * len(pairings))
    named = {outcome.leg for outcome in results}
    opening = (leg for stream in range(first) for leg in _board(pairings, stream))
    if missing := tuple(leg for leg in opening if leg not in named):
        return missing
    played = len({outcome.meeting for outcome in results if {*names}.issuperset(outcome.leg.entrants)})
    found = steps(names, observations_of(options.format, counting(options.format, results)))
    doubtful = [(step.upper, step.lower) for step in undecided(confidence, found)]
    if not doubtful:
        return ()
    further = _further(pairings, _in_turn(pairings, doubtful), results)
    return tuple(islice(further, 2 * max(0, rounds * len(pairings) - played)))  # less may be left since one has left


def _in_turn(pairings: Sequence[tuple[str, str]], doubtful: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """These neighbours as pairings, who comes first in the field first; the least certain first."""
    known = set(pairings)
    return [two if two in known else two[::-1] for two in doubtful]


def _further(
    pairings: Sequence[tuple[str, str]], doubtful: Sequence[tuple[str, str]], results: Sequence[Outcome]
) -> Iterator[Leg]:
    """Turns of one board for all, and half as many boards for these."""
    met = Counter(frozenset(outcome.leg.entrants) for outcome in results if outcome.leg.leg == 0)
    stream = count(max(outcome.leg.stream for outcome in results) + 1)
    for _ in range(max(1, min(met[frozenset(two)] for two in pairings) // GROWTH)):
        yield from _board(pairings, next(stream))
        for _ in range(max(1, len(pairings) // EXTRA // len(doubtful))):
            yield from _board(doubtful, next(stream))


def _board(pairings: Sequence[tuple[str, str]], stream: int) -> Iterator[Leg]:
    """A board stream for each of these, both legs one after the other."""
    for two in pairings:
        for leg in (0, 1):
            yield Leg(two, stream, leg, round=stream + 1)


ADAPTIVE = Placed(adaptive, leaves_out=True)
