"""Whether the order of a field is decided: the boundary as published, what equals come to under it, and runs by it."""

from __future__ import annotations

import os
from dataclasses import replace
from math import log, sqrt
from pathlib import Path
from random import Random
from statistics import NormalDist

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amender import amend
from spades_harness.tournament.records.ledger import open_run, open_to_amend
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import Batch, Options
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.statistics.fitting import Observation
from spades_harness.tournament.statistics.order import Decided, needed, steps, undecided
from spades_harness.tournament.statistics.sprt import Sprt
from spades_harness.tournament.statistics.stopping import Rule, as_settings, objection, rule_from, told, watch
from tournament.playing import entrant, play, setup, tournament
from tournament.strengths import GAME, Field
from tournament.test_lanes import Heard, HereLane

RUNS, ROUNDS = (2_000, 256) if os.environ.get("SPADES_DEEP") else (60, 40)


def between(scores: dict[str, tuple[float, ...]]) -> tuple[Observation, ...]:
    """Results by the two letters of who met."""
    return tuple(Observation(((two[0],), (two[1],)), (score,)) for two, found in scores.items() for score in found)


def test_the_boundary_is_the_published_one() -> None:
    for meetings in (5, 20, 500):
        z = sqrt((1 + 8 / meetings) * (log(1 + meetings / 8) + 2 * log(20)))
        assert needed(0.95, meetings) == pytest.approx(NormalDist().cdf(z))
    assert 3.0 < NormalDist().inv_cdf(needed(0.95, 70)) < 3.2
    assert needed(0.95, 20) < needed(0.99, 20)
    assert needed(0.95, 0) == 1


def test_neighbours_stand_in_the_order_of_their_elo_and_the_least_certain_comes_first() -> None:
    results = between(
        {"ab": (1.0,) * 40 + (0.0,) * 10, "bc": (1.0,) * 28 + (0.0,) * 22, "ac": (1.0,) * 40 + (0.0,) * 10}
    )
    found = steps("cab", results)
    assert [(step.upper, step.lower, step.meetings) for step in found] == [("a", "b", 100), ("b", "c", 100)]
    assert found[0].chance > 0.999 > found[1].chance > 0.5
    assert [step.lower for step in undecided(0.95, found)] == ["c"]
    assert [step.lower for step in undecided(0.95, found[::-1])] == ["c"]


def test_of_those_who_never_met_and_of_few_meetings_nothing_is_decided() -> None:
    apart = steps("abcd", between({"ab": (1.0,) * 90, "cd": (1.0,) * 90}))
    assert [(step.upper, step.lower, step.chance == 0.5) for step in apart] == [
        ("a", "c", True), ("c", "b", True), ("b", "d", True)
    ]  # fmt: skip
    assert len(undecided(0.95, apart)) == 3
    assert len(undecided(0.5, steps("ab", between({"ab": (1.0,) * 4})))) == 1
    assert [(step.chance, step.meetings) for step in steps("ab", ())] == [(0.5, 0)]
    assert steps("a", ()) == ()


def rounds_of(field: Field, rounds: int) -> list[Batch]:
    """All that a round robin names for it, round by round."""
    return field.rounds(round_robin(field.entrants, Options({"rounds": rounds}), ()))


def ends_decided(field: Field, confidence: float, rounds: int) -> bool:
    """Whether a run of this field is decided at any of its looks."""
    seen = watch(Decided(confidence), field.names, GAME)
    legs = rounds_of(field, rounds)
    return any(seen.sees(field.play(part)) for part in legs)


@pytest.mark.parametrize("draws", [0.0, 0.3])
def test_a_run_of_equals_ends_decided_no_more_often_than_it_may(draws: float) -> None:
    """Four standard errors of so many runs are allowed on top."""
    dice = Random(3)
    wrong = sum(ends_decided(Field((0, 0), dice.randrange(2**32), draws), 0.9, ROUNDS) for _ in range(RUNS)) / RUNS
    assert wrong <= 0.1 + 4 * (0.1 * 0.9 / RUNS) ** 0.5


def test_who_is_far_apart_is_told_apart_and_in_the_right_order() -> None:
    field = Field((0, -300, -600), 1)
    seen = watch(Decided(), field.names, GAME)
    parts = rounds_of(field, 200)
    assert any(seen.sees(field.play(part)) for part in parts)
    assert len(field.results) < 1_200
    assert told(Decided(), field.names, GAME, field.results) == "decided: every rank, with 95 % for each two neighbours"


def test_what_is_open_is_told_in_one_line() -> None:
    field = Field((0, 0, -900), 2)
    for part in rounds_of(field, 20):
        field.play(part)
    said = told(Decided(0.9), field.names, GAME, field.results)
    assert said.startswith("decided: 1 of 2 ranks, with 90 % for each two neighbours; open is e")
    assert said.endswith("needed)")


# ----------------------------------------------------------------------------------------------------------- whole runs


FIELD = replace(setup(entrant("a"), entrant("b", "dull"), game=Boards(4)), options={"rounds": 60}, stop=Decided(0.5))


def played(folder: Path, jobs: int = 1, stops: tuple[int, ...] = ()) -> tuple[int, list[str]]:
    """How many matches a run comes to that is thrown over after so many and gone on with; and what its end is told."""
    heard = Heard()
    for stop in (*stops, 1_000_000):
        with open_run(folder, FIELD) as run, Lanes(play, jobs, HereLane) as lanes:
            heard = Heard(stop_after=stop)
            try:
                assert not play_out(replace(tournament(FIELD, run), stop=FIELD.stop), run, lanes, heard)
            except KeyboardInterrupt:
                continue
            assert run.run.finished
    with open_run(folder, FIELD) as run:
        assert run.stop() == Decided(0.5)
        return len(run.outcomes()), [line for line in heard.lines if line.startswith("stopped")]


def test_a_run_ends_where_its_ranks_are_decided_whatever_lanes_and_interruptions(tmp_path: Path) -> None:
    count, said = played(tmp_path / "one")
    assert 0 < count < 120
    assert count % 2 == 0
    assert said == [f"stopped: decided: every rank, with 50 % for each two neighbours: {count}/120"]
    assert played(tmp_path / "two", jobs=2) == (count, said)
    assert played(tmp_path / "three", stops=(1, 5, 20)) == (count, said)


def test_who_withdrew_keeps_no_run_from_being_decided_and_is_named(tmp_path: Path) -> None:
    """Its rank would stay open for ever: it has too few meetings, and plays no more."""
    field = replace(FIELD, entrants=(*FIELD.entrants, entrant("c")))
    with open_run(tmp_path, field) as run, Lanes(play, 1, HereLane) as lanes, pytest.raises(KeyboardInterrupt):
        play_out(replace(tournament(field, run), stop=field.stop), run, lanes, Heard(stop_after=2))
    with open_to_amend(tmp_path) as run:
        amend(run, Act.WITHDRAW, ["c"], "its author asked", "me")
    heard = Heard()
    with open_run(tmp_path, field) as run, Lanes(play, 1, HereLane) as lanes:
        assert not play_out(replace(tournament(field, run), stop=field.stop), run, lanes, heard)
        assert run.progress().done < run.progress().total < len(run.planned())
        assert verify(run).planned == run.progress().total
    (said,) = (line for line in heard.lines if line.startswith("stopped"))
    assert "decided: every rank, with 50 % for each two neighbours; without c, who plays no more: " in said


def test_a_run_with_another_rule_is_another_run(tmp_path: Path) -> None:
    open_run(tmp_path, FIELD).close()
    for other in (None, Decided(0.6), Sprt()):
        with pytest.raises(LedgerError, match=r"stop\.decided: 0\.5 there"):
            open_run(tmp_path, replace(FIELD, stop=other))


@pytest.mark.parametrize("rule", [Sprt(), Sprt(-5.0, 5.0, 0.01, 0.1), Decided(), Decided(0.99)])
def test_a_rule_comes_back_from_its_settings(rule: Rule) -> None:
    assert rule_from(as_settings(rule)) == rule


def test_a_test_of_two_is_refused_to_three_and_a_decision_to_nobody() -> None:
    assert objection(Sprt(), 3, 2)
    assert objection(Sprt(), 2, 4)
    assert not objection(Sprt(), 2, 2)
    assert not objection(Decided(), 9, 4)
