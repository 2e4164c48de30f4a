"""What meetings came to, as a rating takes it: results between two, those of one table together. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spades_harness.game.score import Format

from .meeting import Results, results_of
from .outcome import Outcome
from .rating import PairResult


def pair_results(game: Format, outcomes: Iterable[Outcome]) -> tuple[PairResult, ...]:
    """These outcomes as a rating takes them, in plan order."""
    return tuple(for_rating(results_of(game, outcomes)))


def for_rating(results: Results) -> Iterator[PairResult]:
    """The duels as a rating takes them: those of one table are one cluster, and one match to each who sat there."""
    for number, (meeting, found) in enumerate(results):
        together = number if len(meeting.entrants) > 2 else None
        for duel in found:
            first, second = (meeting.entrants[place] for place in duel.places)
            scores = tuple(verdict.worth for verdict, _ in duel.results)
            yield PairResult(first, second, scores, meeting.weight, together)
