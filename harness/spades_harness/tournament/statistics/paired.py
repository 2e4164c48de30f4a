"""What meetings came to, as a rating takes it: between two, those of one table together; or between sides. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from spades_harness.game.score import Format
from spades_harness.tournament.outcome import Outcome

from .fitting import Observation
from .meeting import Duel, Meeting, Results, results_of, side_lead
from .partnership import Lead
from .rating import PairResult


def pair_results(game: Format, outcomes: Iterable[Outcome]) -> tuple[PairResult, ...]:
    """These outcomes as a rating takes them, in plan order."""
    return tuple(for_rating(results_of(game, outcomes)))


def for_rating(results: Results, charged: str | None = None) -> Iterator[PairResult]:
    """The duels as a rating takes them: those of one table are one cluster, and one match to each who sat there.

    Of sides that are shared, each has a result with each opponent, of half the weight. What counts for one alone, who
    was at fault, is no result between two, and left out; but who is `charged` has lost to each opponent. What a rating
    makes of that is true of this one alone.
    """
    for number, (meeting, found) in enumerate(results):
        together = number if len(meeting.entrants) > 2 else None
        for duel in found:
            scores = tuple(verdict.worth for verdict, _ in duel.results)
            for first, second in _opposed(meeting, duel, charged):
                yield PairResult(first, second, scores, meeting.weight / meeting.mates, together)


def _opposed(meeting: Meeting, duel: Duel, charged: str | None) -> Iterator[tuple[str, str]]:
    if duel.alone and meeting.entrants[duel.places[0]] == charged:
        return ((charged, other) for other in meeting.side_of(duel.places[1]) if other != charged)
    return product(*meeting.of(duel))


def at_fault(results: Results) -> tuple[str, ...]:
    """Those who lost something by a fault that counts for them alone, each once."""
    alone = (meeting.entrants[duel.places[0]] for meeting, found in results for duel in found if duel.alone)
    return tuple(dict.fromkeys(alone))


def observed(results: Results) -> tuple[Observation, ...]:
    """The duels as the model of strength takes them: sides as strong as their members in the mean.

    Those of one table are one cluster.
    """
    return tuple(_observed(results))


def observations_of(game: Format, outcomes: Iterable[Outcome]) -> tuple[Observation, ...]:
    """These outcomes as the model of strength takes them, in plan order."""
    return observed(results_of(game, outcomes))


def _observed(results: Results) -> Iterator[Observation]:
    for number, (meeting, found) in enumerate(results):
        together = number if len(meeting.entrants) > 2 else None
        for duel in found:
            first, second = map(meeting.side_of, duel.places)
            alone = meeting.entrants[duel.places[0]] if duel.alone else None
            scores = tuple(verdict.worth for verdict, _ in duel.results)
            yield Observation((first, second), scores, meeting.weight, together, alone)


def leads(results: Results) -> Iterator[Lead]:
    """What each table of shared sides came to in points, without those at which somebody was its own partner, and those
    at which several were at fault."""
    for meeting, _ in results:
        culprit, lead = next(iter(meeting.culprits), None), side_lead(meeting)
        if meeting.mates == 1 or meeting.has_own_partner or not meeting.complete or len(meeting.culprits) > 1:
            continue
        if culprit or lead is not None:
            yield Lead(meeting.boards, meeting.sides[0], meeting.sides[1], lead, culprit)
