"""Where a schedule leads: what is sure of it beforehand, and how long it may become."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.table.bounds import Limits
from spades_harness.table.match import Forfeit
from spades_harness.tournament import course as module
from spades_harness.tournament.course import course
from spades_harness.tournament.identity import Terms
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.runner import Tournament
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule, ScheduleError
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.sealed import Sealed

from .playing import entrant

FIELD = (entrant("a"), entrant("b"), entrant("c"))
TERMS = Terms(Rules(), Boards(4), Limits(), Forfeit(), (Sealed(secret_of_seed(1)),))


def tournament(schedule: Schedule) -> Tournament:
    return Tournament(schedule, FIELD, Options({"rounds": 2}, Boards(4)), TERMS)


def round_after_round(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """Every round is named when the one before is over; the third is only for a field that is still even."""
    over = max((outcome.leg.round for outcome in results), default=0)
    even = all(len(set(outcome.scores)) == 1 for outcome in results)
    if over >= (3 if even else 2):
        return ()
    legs = round_robin(entrants, Options({"rounds": 3}), ())
    return tuple(leg for leg in legs if leg.round == over + 1)


def breaks_ties_for_ever(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    legs = round_robin(entrants[:2], Options({"rounds": len(results) // 2 + 1}), ())
    return legs[len(results) :]


def fails_on_draws(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    if results:
        raise ScheduleError("schedule: no draws, please")
    return round_robin(entrants, Options({"rounds": 1}), ())


def test_what_a_round_robin_names_is_all() -> None:
    found = course(tournament(round_robin))
    assert found.fixed
    assert [len(batch) for batch in found.batches] == [12]


def test_of_a_schedule_that_looks_at_results_the_first_batch_is_sure() -> None:
    found = course(tournament(round_after_round))
    assert (found.fixed, found.whole) == (False, True)
    assert [len(batch) for batch in found.batches] == [6, 6, 6]
    assert [each.ordinal for batch in found.batches for each in batch] == list(range(1, 19))


@pytest.mark.parametrize(
    ("bound", "most", "batches"), [("MOST_BATCHES", 5, 5), ("MOST_MATCHES", 9, 5), ("MOST_LOOKS", 20, 6)]
)
def test_a_schedule_without_an_end_is_followed_only_so_far(
    monkeypatch: pytest.MonkeyPatch, bound: str, most: int, batches: int
) -> None:
    monkeypatch.setattr(module, bound, most)
    found = course(tournament(breaks_ties_for_ever))
    assert (found.fixed, found.whole, len(found.batches)) == (False, False, batches)


def test_a_schedule_that_takes_no_even_results_has_its_first_batch() -> None:
    found = course(tournament(fails_on_draws))
    assert (found.fixed, found.whole, len(found.batches)) == (False, False, 1)
    with pytest.raises(ScheduleError):
        course(tournament(lambda *_: (_ for _ in ()).throw(ScheduleError("schedule: none"))))
