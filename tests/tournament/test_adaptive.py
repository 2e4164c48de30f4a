"""Boards for the undecided: who gets them, that results in plan order alone say so, and what it does to ratings."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev

import pytest

from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.records.ledger import open_run
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule, ScheduleError
from spades_harness.tournament.schedules.adaptive import FIRST, ROUNDS, adaptive
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.statistics.order import steps, undecided
from spades_harness.tournament.statistics.paired import observations_of, pair_results
from spades_harness.tournament.statistics.rating import elo
from tournament.playing import entrant, play, setup, tournament
from tournament.simulating import assert_duplicate, legs_of, level, options, played
from tournament.simulating import field as entrants_of
from tournament.strengths import GAME, Field
from tournament.test_lanes import Heard, HereLane

DEEP = bool(os.environ.get("SPADES_DEEP"))


def meetings(legs: Batch) -> Counter[frozenset[str]]:
    return Counter(frozenset(leg.entrants) for leg in legs if leg.leg == 0)


def test_it_begins_as_a_round_robin_and_has_no_more_meetings_than_one() -> None:
    batches, results = played(adaptive, entrants_of(5), options(rounds=12, first=3), level)
    assert batches[0] == round_robin(entrants_of(5), Options({"rounds": 3}), ())
    assert_duplicate(legs_of(batches))
    assert len(results) == 2 * 12 * 10
    assert [leg.round for leg in legs_of(batches)] == [leg.stream + 1 for leg in legs_of(batches)]


def test_who_is_decided_gets_no_more_boards_than_all_others() -> None:
    """The first two are far ahead of the rest, and of each other nobody knows."""
    field = Field((400, 400, -300, -800), 4)
    batches = field.play_out(adaptive, rounds=40, first=10)
    met = meetings(tuple(legs_of(batches)))
    least, close = min(met.values()), met[frozenset({"e0", "e1"})]
    assert close > 2 * least
    assert least >= 40 // 2
    assert {two for two, count in met.items() if count > least + 10} <= {
        frozenset({f"e{number}", f"e{number + 1}"}) for number in range(3)
    }


def test_it_ends_when_every_rank_is_decided() -> None:
    field = Field((600, 0, -600), 5)
    field.play_out(adaptive, rounds=400, first=10)
    assert len(field.results) < 2 * 400 * 3 / 4
    assert not undecided(0.95, steps(field.names, observations_of(GAME, field.results)))


def test_in_every_prefix_no_pairing_of_the_first_rounds_and_no_neighbours_are_far_ahead() -> None:
    batches, _ = played(adaptive, entrants_of(6), options(rounds=10, first=4))
    for number, batch in enumerate(batches):
        seen: Counter[frozenset[str]] = Counter()
        both = meetings(batch)
        for leg in batch[::2]:
            seen[frozenset(leg.entrants)] += 1
            alike = [two for two in both if both[two] == max(both.values())] if number else list(both)
            assert max(seen[two] for two in alike) - min(seen[two] for two in alike) <= 1


def test_a_batch_has_a_quarter_of_the_rounds_before_it() -> None:
    batches, _ = played(adaptive, entrants_of(4), options(rounds=60, first=16), level)
    least = [min(meetings(tuple(legs_of(batches[:number]))).values()) for number in range(1, len(batches))]
    assert least[0] == 16
    assert [after - before for before, after in pairwise(least)] == [before // 4 for before in least[:-1]]
    assert len(batches) < 10


def test_who_comes_later_meets_all_in_the_first_rounds_before_anything_else() -> None:
    _, results = played(adaptive, entrants_of(3), options(rounds=8, first=4))
    batch = adaptive(entrants_of(4), options(rounds=8, first=4), results)
    assert meetings(batch) == {frozenset({"b3", f"b{number}"}): 4 for number in range(3)}


def plan_by(results: Sequence[Outcome]) -> Batch:
    return adaptive(entrants_of(4), options(rounds=20, first=5), results)


def test_what_comes_next_hangs_on_results_in_plan_order_and_nothing_else() -> None:
    batches, results = played(adaptive, entrants_of(4), options(rounds=20, first=5))
    at = 0
    for batch in batches:
        assert plan_by(results[:at]) == batch
        at += len(batch)
    assert plan_by(results) == ()


BASE = replace(
    setup(entrant("a"), entrant("b"), entrant("c", "dull"), game=Boards(4)),
    options={"rounds": 10, "first": 3},
    schedule="adaptive",
)


def plan_of(folder: Path, jobs: int = 1, stops: tuple[int, ...] = ()) -> list[object]:
    """The plan of a run that is thrown over after so many matches and gone on with, and its results."""
    for stop in (*stops, 1_000_000):
        with open_run(folder, BASE) as run, Lanes(play, jobs, HereLane) as lanes:
            try:
                assert not play_out(tournament(BASE, run, adaptive), run, lanes, Heard(stop_after=stop))
            except KeyboardInterrupt:
                continue
    with open_run(folder, BASE) as run:
        return [*run.planned(), *run.outcomes()]


def test_lanes_and_interruptions_change_nothing_of_what_is_played(tmp_path: Path) -> None:
    whole = plan_of(tmp_path / "one")
    assert len(whole) > 2 * 18
    assert plan_of(tmp_path / "two", jobs=2) == whole
    assert plan_of(tmp_path / "three", stops=(1, 20, 7)) == whole


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"rounds": 0}, "rounds must be a whole number from 1 to "),
        ({"rounds": 5, "first": 6}, "first must be a whole number from 1 to 5, not 6"),
        ({"confidence": 95}, "confidence must be a number from 0.5 to 0.999, not 95"),
        ({"allocate": "all"}, "adaptive has no option 'allocate'; it has 'rounds', 'first' and 'confidence'"),
    ],
)
def test_options_that_it_does_not_have_are_refused(given: dict[str, object], complaint: str) -> None:
    with pytest.raises(ScheduleError, match=complaint):
        adaptive(entrants_of(3), options(**given), ())


def test_it_is_for_tables_of_two_sides() -> None:
    with pytest.raises(ScheduleError, match="adaptive lets two entrants meet"):
        adaptive(entrants_of(4), options(Rules(preset="cutthroat", cutthroat=True)), ())
    assert len(adaptive(entrants_of(3), options(), ())) == 2 * 3 * ROUNDS // FIRST
    assert adaptive([Entrant("a", ()), Entrant("b", ())], options(rounds=1), ())[0].entrants == ("a", "b")


# --------------------------------------------------------------------------------------------------------- what it does


def lean(schedule: Schedule, elos: Sequence[float], runs: int, rounds: int) -> list[float]:
    """By run: how far outwards the ratings lie from the truth, in Elo, the mean over the entrants."""
    found = []
    for seed in range(runs):
        field = Field(elos, seed)
        field.play_out(schedule, rounds=rounds)
        rated = elo(field.names, pair_results(GAME, field.results))
        found.append(
            fmean((rated[name].elo - at) * (1 if at > 0 else -1) for name, at in zip(field.names, elos, strict=True))
        )
    return found


@pytest.mark.parametrize("elos", [(150, 20, -20, -150)])
def test_ratings_lean_outwards_by_less_than_two_elo_more_than_those_of_a_round_robin(elos: tuple[float, ...]) -> None:
    """Four standard errors of so few runs are allowed on top; 1,000 runs in the deep profile."""
    runs = 1_000 if DEEP else 40
    ours, theirs = (lean(schedule, elos, runs, rounds=40) for schedule in (adaptive, round_robin))
    error = ((stdev(ours) ** 2 + stdev(theirs) ** 2) / runs) ** 0.5
    assert fmean(ours) - fmean(theirs) < 2 + 4 * error
