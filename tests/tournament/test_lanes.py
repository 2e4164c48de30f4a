"""Lanes play everything they are given, outlive their workers, and leave no process behind; a run goes on by itself."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_harness.table.bounds import REPLAY, Custody
from spades_harness.table.match import Circumstances, Fault, FaultKind, MatchRecord, MatchSpec
from spades_harness.tournament.execution import worker
from spades_harness.tournament.execution.lanes import Lanes, Play
from spades_harness.tournament.execution.room import Room
from spades_harness.tournament.execution.voiding import guarded, set_aside, void
from spades_harness.tournament.execution.worker import WorkerLane
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.records.ledger import Planned, RunLedger, open_run
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule, ScheduleError
from spades_harness.tournament.schedules.round_robin import round_robin

from .playing import FIELD, cannot_prepare, play, play_badly_at_first, play_never, specs, tournament


@dataclass
class HereLane:
    """A lane without a process: plays at once, or dies when it is told to."""

    log: list[str] = field(default_factory=list)
    dies: Callable[[MatchSpec], bool] = lambda _: False

    def submit(self, play: Play, spec: MatchSpec, /) -> Future[MatchRecord]:
        future: Future[MatchRecord] = Future()
        if self.dies(spec):
            if spec.leg:
                raise BrokenProcessPool("shot before it began")
            future.set_exception(BrokenProcessPool("shot"))
        else:
            future.set_result(play(spec))
        self.log.append("submitted")
        return future

    def cut(self) -> None:
        self.log.append("cut")

    def close(self) -> None:
        self.log.append("closed")


# --------------------------------------------------------------------------------------------------------------- lanes


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_play_every_match_once(tmp_path: Path, jobs: int) -> None:
    planned = specs(tmp_path)
    with Lanes(play, jobs, WorkerLane) as lanes:
        records = list(lanes.run(planned))
    assert {record.identity: record for record in records} == {spec.identity: play(spec) for spec in planned}
    assert len(records) == len(planned)


def test_a_match_whose_worker_dies_or_fails_is_void_and_played_again_under_the_same_identity(tmp_path: Path) -> None:
    planned = specs(tmp_path)[:2]
    with Lanes(play_badly_at_first, 1, WorkerLane) as lanes:
        records = sorted(
            lanes.run(planned), key=lambda record: (record.attempt, record.identity != planned[0].identity)
        )
    assert [(record.identity, record.attempt) for record in records] == [
        (spec.identity, attempt) for attempt in (1, 2) for spec in planned
    ]
    raised, died, *good = records
    assert raised.void.startswith("ArithmeticError: seven trumps")
    assert "play_badly_at_first" in raised.void
    assert died.void == "the process that played it died"
    assert all(record.result and not record.void for record in good)


def test_a_match_that_comes_to_nothing_is_tried_three_times_and_then_given_up(tmp_path: Path) -> None:
    first, *_ = specs(tmp_path)
    with Lanes(play_never, 1, WorkerLane) as lanes:
        records = list(lanes.run([replace(first, attempt=4)]))
    assert [record.attempt for record in records] == [4, 5, 6]
    assert all(record.result is None for record in records)


def slow_machine(spec: MatchSpec) -> MatchRecord:
    """A match in which a bot of the first side is too late on a machine that was late itself."""
    late = Circumstances(delay=0.25)
    fault = Fault(FaultKind.TIMEOUT, 0, 1, 0, "bid", "no answer", "", 1.0, circumstances=late)
    return replace(play(spec), faults=(fault,))


def test_a_match_with_a_suspect_fault_is_void_where_it_is_to_be_played_again_and_counts_at_last(tmp_path: Path) -> None:
    first = replace(specs(tmp_path)[0], custody=Custody(suspect=REPLAY))
    with Lanes(slow_machine, 1, HereLane) as lanes:
        *void, last = lanes.run([first])
    assert [record.attempt for record in (*void, last)] == [1, 2, 3]
    why = "N's timeout may not be its own doing: the harness itself looked 0.25 s late"
    assert [(record.result, record.void) for record in void] == [(None, why)] * 2
    assert all(record.faults for record in void)
    assert last.result
    assert last.identity == first.identity


def test_a_suspect_fault_counts_where_nothing_is_said_and_other_faults_always_do(tmp_path: Path) -> None:
    first, *_ = specs(tmp_path)
    with Lanes(slow_machine, 1, HereLane) as lanes:
        (counted,) = lanes.run([first])
    assert counted.result
    assert not counted.void
    crash = replace(counted, faults=(replace(counted.faults[0], kind=FaultKind.CRASH),))
    assert set_aside(replace(first, custody=Custody(suspect=REPLAY)), crash) == crash


def broken_table(spec: MatchSpec) -> MatchRecord:
    """A match whose four bots come to nothing at once."""
    raise ExceptionGroup("unhandled", [ExceptionGroup("one", [ArithmeticError("seven trumps")]), LookupError("two")])


def test_of_several_things_that_went_wrong_at_once_the_first_is_told(tmp_path: Path) -> None:
    (record,) = Lanes(partial(guarded, broken_table), 1, HereLane).run(specs(tmp_path)[:1], attempts=1)
    assert record.void.splitlines()[0] == "ArithmeticError: seven trumps"


def test_a_worker_has_the_time_to_end_its_bots_that_their_terms_give_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On both sides of the pipe: in the worker, which ends itself, and where it is waited for."""
    first, *_ = specs(tmp_path)
    waited: list[float] = []

    def wait(objects: Sequence[object], seconds: float) -> Sequence[object]:
        waited.append(seconds)
        return objects

    monkeypatch.setattr(worker, "wait", wait)
    lane = WorkerLane()
    record = lane.submit(unwinding_of, replace(first, limits=replace(first.limits, shutdown=30.0))).result()
    lane.close()
    assert waited == [30.0 + worker.UNWINDING + worker.PATIENCE]
    assert record.void == f"{30.0 + worker.UNWINDING}"


def unwinding_of(spec: MatchSpec) -> MatchRecord:
    """A record that tells how long this worker would wait for its bots' end."""
    return void(spec, str(worker._THIS.unwinding))


def test_a_worker_that_cannot_get_ready_voids_its_matches_with_the_reason(tmp_path: Path) -> None:
    with Lanes(play, 1, partial(WorkerLane, cannot_prepare)) as lanes:
        (record,) = lanes.run(specs(tmp_path)[:1], attempts=1)
    assert record.void.startswith("the worker could not get ready: LookupError: no such plugin")


def test_what_stands_in_a_bots_env_is_not_told_with_a_fault(tmp_path: Path) -> None:
    """CL-11."""
    first, *_ = specs(tmp_path)
    secretive = replace(first.players[0], launch=replace(first.players[0].launch, env=(("KEY", "s3cret"),)))
    with Lanes(play_badly_at_first, 1, WorkerLane) as lanes:
        (record,) = lanes.run([replace(first, players=(secretive,) * 4)], attempts=1)
    assert "('KEY', '***')" in record.void
    assert "s3cret" not in record.void


def test_a_lane_that_dies_is_replaced_and_the_others_go_on(tmp_path: Path) -> None:
    made: list[HereLane] = []

    def make() -> HereLane:
        made.append(HereLane(dies=lambda spec: spec.attempt == 1 and spec.stream == 1))
        return made[-1]

    planned = specs(tmp_path)
    with Lanes(play, 2, make) as lanes:
        records = list(lanes.run(planned))
    dead = [spec for spec in planned if spec.stream == 1]
    assert len(records) == len(planned) + len(dead)
    assert {record.identity for record in records if record.result} == {spec.identity for spec in planned}
    assert len(made) >= len(dead)
    assert all(lane.log[-1] == "closed" for lane in made)


def test_there_are_never_more_lanes_than_jobs_and_no_more_than_matches(tmp_path: Path) -> None:
    planned = specs(tmp_path)
    for jobs, count, lanes_made in ((2, len(planned), 2), (5, 3, 3)):
        made: list[HereLane] = []
        with Lanes(play, jobs, lambda made=made: made.append(HereLane()) or made[-1]) as lanes:  # type: ignore[misc]
            assert len(list(lanes.run(planned[:count]))) == count
        assert len(made) == lanes_made


def waiting(spec: MatchSpec) -> MatchSpec:
    """The same match of bots that only wait."""
    return replace(spec, players=tuple(replace(player, waits=True) for player in spec.players))


@dataclass
class Watched:
    """Lanes that note what each of them played."""

    made: list[list[MatchSpec]] = field(default_factory=list)

    def __call__(self) -> HereLane:
        played: list[MatchSpec] = []
        self.made.append(played)

        def note(spec: MatchSpec) -> bool:
            played.append(spec)
            return False

        return HereLane(dies=note)


@pytest.mark.parametrize(("room", "thinking"), [(Room(1, 4), 1), (Room(3, 3), 3)])
def test_matches_that_wait_do_so_beside_those_that_think_in_lanes_of_their_own(
    tmp_path: Path, room: Room, thinking: int
) -> None:
    planned = [waiting(spec) if number % 3 else spec for number, spec in enumerate(specs(tmp_path))]
    watched = Watched()
    with Lanes(play, room, watched) as lanes:
        assert len(list(lanes.run(planned))) == len(planned)
    kinds = [{spec.waits for spec in played} for played in watched.made]
    assert kinds.count({False}) == thinking
    assert kinds.count({False}) + kinds.count({True}) == len(kinds)
    assert sum(map(len, watched.made)) == len(planned)


def test_where_all_wait_there_are_as_many_lanes_as_there_is_room_for_them(tmp_path: Path) -> None:
    watched = Watched()
    with Lanes(play, Room(1, 5), watched) as lanes:
        assert len(list(lanes.run(map(waiting, specs(tmp_path))))) == len(specs(tmp_path))
    assert len(watched.made) == 5


def test_what_lies_ahead_is_played_where_a_lane_would_idle_and_told_when_it_is_due(tmp_path: Path) -> None:
    planned = specs(tmp_path)
    watched = Watched()
    with Lanes(play, 4, watched) as lanes:
        parts = [(planned[:2], planned[2:6]), (planned[2:4], planned[4:8]), (planned[4:], [])]
        told = [[record.identity for record in lanes.run(part, ahead=ahead)] for part, ahead in parts]
    assert [set(each) for each in told] == [{spec.identity for spec in part} for part, _ in parts]
    assert sum(map(len, told)) == sum(map(len, watched.made)) == len(planned)


def test_what_came_to_nothing_ahead_is_told_too_with_what_it_came_to_in_the_end(tmp_path: Path) -> None:
    planned = specs(tmp_path)

    def moody(spec: MatchSpec) -> MatchRecord:
        return play_never(spec) if spec.attempt == 1 or spec.stream else play(spec)

    first, ahead = planned[:1], [planned[1], *[spec for spec in planned if spec.stream][:1]]
    with Lanes(partial(guarded, moody), 3, HereLane) as lanes:
        list(lanes.run(first, ahead=ahead))
        records = [(record.identity, record.attempt, bool(record.result)) for record in lanes.run(ahead)]
    good, bad = (spec.identity for spec in ahead)
    assert sorted(records) == sorted(
        [(good, 1, False), (good, 2, True), *((bad, attempt, False) for attempt in (1, 2, 3))]
    )


def test_a_run_of_lanes_is_over_with_its_own_matches_whatever_lies_ahead(tmp_path: Path) -> None:
    due, *ahead = specs(tmp_path)
    with Lanes(play, 1, HereLane) as lanes:
        assert [record.identity for record in lanes.run([due], ahead=ahead)] == [due.identity]


def test_lanes_that_are_left_in_the_middle_break_off(tmp_path: Path) -> None:
    made: list[HereLane] = []

    def make() -> HereLane:
        made.append(HereLane())
        return made[-1]

    with pytest.raises(StopIteration), Lanes(play, 2, make) as lanes:
        next(record for record in lanes.run(specs(tmp_path)) if record.result is None)
    assert all(lane.log[-2:] == ["cut", "closed"] for lane in made)


# ---------------------------------------------------------------------------------------------------------------- runs


@dataclass
class Heard:
    """A listener that writes down what it hears, and may throw the run over after so many matches."""

    lines: list[str] = field(default_factory=list)
    stop_after: int = 1_000_000

    def planned(self, done: int, total: int) -> None:
        self.lines.append(f"planned {done}/{total}")

    def played(self, planned: Planned, record: MatchRecord, done: int, total: int) -> None:
        self.lines.append(f"{'played' if record.result else 'void'} {planned.ordinal}: {done}/{total}")
        self.stop_after -= 1
        if not self.stop_after:
            raise KeyboardInterrupt

    def stopped(self, why: str, done: int, total: int) -> None:
        self.lines.append(f"stopped: {why}: {done}/{total}")


def run_here(run: RunLedger, play: Play = play, schedule: Schedule = round_robin, heard: Heard | None = None) -> Heard:
    """Play a run without processes."""
    heard = heard or Heard()
    with Lanes(play, 1, HereLane) as lanes:
        assert not play_out(tournament(FIELD, run, schedule), run, lanes, heard)
    return heard


def test_a_run_plays_its_plan_and_is_finished(tmp_path: Path) -> None:
    """SC-07, SC-12: as many results as planned, numbered by the plan."""
    with open_run(tmp_path, FIELD) as run:
        heard = run_here(run)
        assert [outcome.ordinal for outcome in run.outcomes()] == list(range(1, 13))
        assert heard.lines == ["planned 0/12", *(f"played {n}: {n}/12" for n in range(1, 13))]
        assert run.run.finished


remembered = lru_cache(maxsize=None)(play)
"""The same match is the same again, so it need not be played again."""


@settings(max_examples=settings().max_examples // 4)  # each founds a handful of ledgers
@given(stops=st.lists(st.integers(1, 5), max_size=3))
def test_a_run_that_was_stopped_plays_exactly_what_is_missing(
    tmp_path_factory: pytest.TempPathFactory, stops: list[int]
) -> None:
    """PR-01, PR-08: each match once, and the same outcomes as in one go."""
    folder = tmp_path_factory.mktemp("stopped")
    lines: list[str] = []
    for stop in stops:
        with open_run(folder, FIELD) as run:
            heard = Heard(stop_after=stop)
            with suppress(KeyboardInterrupt):
                run_here(run, remembered, heard=heard)
            lines += heard.lines
    with open_run(folder, FIELD) as run, open_run(folder / "in one go", FIELD) as whole:
        lines += run_here(run, remembered).lines
        run_here(whole, remembered)
        assert run.outcomes() == whole.outcomes()
        assert [run.match(n) for n in range(1, 13)] == [whole.match(n) for n in range(1, 13)]
    assert [line.split()[1] for line in lines if line.startswith("played")] == [f"{n}:" for n in range(1, 13)]


def test_matches_that_come_to_nothing_are_reported_and_tried_again_by_the_next_call(tmp_path: Path) -> None:
    def moody(spec: MatchSpec) -> MatchRecord:
        return MatchRecord(spec.identity, spec.attempt, None, (), (), (), (), void="no") if spec.leg else play(spec)

    with open_run(tmp_path, FIELD) as run:
        with Lanes(moody, 1, HereLane) as lanes:
            missing = play_out(tournament(FIELD, run), run, lanes, Heard())
        assert [(each.planned.ordinal, each.attempts, each.void) for each in missing] == [
            (n, 3, "no") for n in range(2, 13, 2)
        ]
        assert not run.run.finished
        run_here(run)
        assert run.match(2).attempt == 4
        assert run.run.finished


def ladder(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """The loser of a meeting drops out; the winner meets the next."""
    if len(results) // 2 + 1 == len(entrants):
        return ()
    champion = entrants[0].name
    for first, second in zip(results[::2], results[1::2], strict=True):
        difference = sum(outcome.scores[0] - outcome.scores[1] for outcome in (first, second))
        champion = first.leg.entrants[0 if difference >= 0 else 1]
    number = len(results) // 2 + 1
    return tuple(Leg((champion, entrants[number].name), number, leg, number) for leg in (0, 1))


def test_a_schedule_may_look_at_results_and_a_stopped_run_follows_the_same_path(tmp_path: Path) -> None:
    with open_run(tmp_path / "whole", FIELD) as run:
        whole = run_here(run, schedule=ladder)
        plan, outcomes = run.planned(), run.outcomes()
    assert [line for line in whole.lines if "planned" in line] == ["planned 0/2", "planned 2/4"]
    for stop in (1, 2, 3):
        with open_run(tmp_path / str(stop), FIELD) as run:
            with pytest.raises(KeyboardInterrupt):
                run_here(run, schedule=ladder, heard=Heard(stop_after=stop))
            assert len(run_here(run, schedule=ladder).lines) == 2 + 4 - stop
            assert run.planned() == plan
            assert run.outcomes() == outcomes


def odd_leg(*fields: Any) -> Leg:
    return Leg(*fields)


@pytest.mark.parametrize(
    ("legs", "complaint"),
    [
        ([Leg(("a", "a"), 0, 0, 1)], "must name 2 entrants a match: a - a"),
        ([Leg(("a", "b", "c"), 0, 0, 1)], "must name 2 entrants a match: a - b - c"),
        ([Leg(("a", "z"), 0, 0, 1)], "names 'z', which is no entrant"),
        ([Leg(("a", "b"), 0, 2, 1)], "must count legs from 0 to 1"),
        ([Leg(("a", "b"), -1, 0, 1)], "must count legs from 0 to 1 and board streams from 0: a - b, board stream -1"),
        ([Leg(("a", "b"), 7, 0, 1)] * 2, "names a match twice: a - b, board stream 7, leg 0"),
        (3, "must answer with a tuple of Leg, not int (test_lanes.py)"),
        (None, "must answer with a tuple of Leg, not NoneType"),
        ([(("a", "b"), 0, 0, 1)], "must answer with a tuple of Leg, not of tuple"),
        (
            [odd_leg(["a", "b"], 0, 0, 1)],
            "names a Leg with a field of the wrong kind: Leg(entrants=['a', 'b'], stream=0",
        ),
        ([odd_leg(("a", 1), 0, 0, 1)], "names a Leg with a field of the wrong kind"),
        ([odd_leg(("a", "b"), 0.0, 0, 1)], "names a Leg with a field of the wrong kind"),
        ([odd_leg(("a", "b"), 0, True, 1)], "names a Leg with a field of the wrong kind"),
        ([odd_leg(("a", "b"), 2**63, 0, 1)], "names a Leg with a field of the wrong kind"),
        ([odd_leg(("a", "b"), 0, 0, None)], "names a Leg with a field of the wrong kind"),
    ],
)
def test_a_schedule_that_plans_nonsense_is_refused_in_one_line(tmp_path: Path, legs: Any, complaint: str) -> None:
    """SC-08, SC-11: schedules come from plugins, too."""

    def odd(*_: object) -> Any:
        return legs

    with open_run(tmp_path, FIELD) as run:
        with pytest.raises(ScheduleError, match="^schedule: it " + re.escape(complaint)) as refused:
            run_here(run, schedule=odd)
        assert run.planned() == ()
    assert "\n" not in str(refused.value)


def test_a_schedule_that_fails_is_refused_with_its_error_and_place_and_prints_nothing_among_the_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PG-01."""

    def failing(*_: object) -> Batch:
        print("thinking")
        raise KeyError("x\ny")

    def leaving(*_: object) -> Batch:
        sys.exit("enough")

    with open_run(tmp_path, FIELD) as run:
        with pytest.raises(ScheduleError, match=r"^schedule: it fails: KeyError: 'x\\ny' \(test_lanes.py, line \d+\)$"):
            run_here(run, schedule=failing)
        with pytest.raises(ScheduleError, match=r"^schedule: it fails: SystemExit: enough"):
            run_here(run, schedule=leaving)
    assert capsys.readouterr() == ("", "thinking\n")


def test_what_was_played_stays_when_a_schedule_fails_later(tmp_path: Path) -> None:
    def tiring(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
        if results:
            raise RuntimeError("tired")
        return round_robin(entrants, options, results)

    with open_run(tmp_path, FIELD) as run:
        with pytest.raises(ScheduleError, match=r"^schedule: it fails: RuntimeError: tired"):
            run_here(run, schedule=tiring)
        assert len(run.outcomes()) == len(run.planned()) == 12
        assert run.run.finished is None
