"""To go on with a run costs as much as it has matches, however many batches they came in: nothing is read for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes, Play
from spades_harness.tournament.execution.room import room
from spades_harness.tournament.execution.voiding import guarded
from spades_harness.tournament.outcome import Leg, Outcome, unplayed
from spades_harness.tournament.records.ledger import Planned, RunLedger, open_run, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.runner import Plan, next_batch, play_out
from spades_harness.tournament.schedule import Batch, Entrant, Options
from tournament.playing import entrant, play, play_never, setup, tournament
from tournament.test_lanes import Heard, HereLane

TWO = setup(entrant("a", "dull"), entrant("b", "dull"), game=Boards(4))


class Asked:
    """A schedule of so many batches of a meeting each, that remembers how many results it was asked with."""

    def __init__(self, batches: int) -> None:
        self.batches = batches
        self.results: list[int] = []

    def __call__(self, entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
        self.results.append(len(results))
        stream = len(results) // 2
        legs = tuple(Leg(("a", "b"), stream, leg, stream + 1) for leg in range(2))
        return legs if stream < self.batches else ()


def go_on(folder: Path, schedule: Asked, played: Play = play, stop_after: int = 1_000) -> list[str]:
    """What is told of going on with the run in this folder."""
    heard = Heard(stop_after=stop_after)
    with open_run(folder, TWO) as run, Lanes(played, room(1), HereLane) as lanes, suppress(KeyboardInterrupt):
        play_out(tournament(TWO, run, schedule), run, lanes, heard)
    return heard.lines


def readings(folder: Path, batches: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often the plan is read, or the attempts at it, when a run of so many batches, all of them played, goes on."""
    go_on(folder, Asked(batches))
    counts = Counter[str]()
    with monkeypatch.context() as patched:
        for name in ("_planned", "_tried"):
            patched.setattr(RunLedger, name, counted(getattr(RunLedger, name), counts))
        assert go_on(folder, Asked(batches))[-1] == f"planned {2 * batches}/{2 * batches}"
    assert len(counts) == 2
    return counts.total()


def counted(reads: Callable[[RunLedger], object], counts: Counter[str]) -> Callable[[RunLedger], object]:
    """The same, counted."""

    def read(run: RunLedger) -> object:
        counts[reads.__name__] += 1
        return reads(run)

    return read


def test_the_plan_of_many_batches_is_read_no_more_often_than_that_of_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = (readings(tmp_path / str(batches), batches, monkeypatch) for batches in (2, 7))
    assert few == many


def test_a_schedule_is_asked_once_of_what_follows_on_a_plan_and_never_of_what_stands_in_it(tmp_path: Path) -> None:
    asked = Asked(4)
    go_on(tmp_path, asked, stop_after=5)
    assert asked.results == [0, 2, 4]
    asked = Asked(4)
    go_on(tmp_path, asked)
    assert asked.results == [6, 8]
    asked = Asked(4)
    go_on(tmp_path, asked)
    assert asked.results == [8]


def test_a_match_that_stands_in_the_plan_has_to_be_that_of_these_bots(tmp_path: Path) -> None:
    """In whichever batch it is: so much is looked at of each before it is played."""
    go_on(tmp_path, Asked(3), stop_after=5)
    with open_run(tmp_path, TWO) as run:
        run._db.execute("PRAGMA foreign_keys = OFF")
        run._db.execute("UPDATE plan SET identity = 'another' WHERE ordinal = 6")
    with pytest.raises(LedgerError, match="match 6 was planned otherwise"):
        go_on(tmp_path, Asked(3))


def test_a_match_that_came_to_nothing_is_tried_on_from_its_last_attempt(tmp_path: Path) -> None:
    tried = [go_on(tmp_path, Asked(2), partial(guarded, play_never)) for _ in range(2)]
    assert [len(lines) for lines in tried] == [7, 7]
    with read_ledger(tmp_path) as ledger:
        assert [(each.planned.ordinal, each.attempts) for each in ledger.missing()] == [(1, 6), (2, 6)]
    assert go_on(tmp_path, Asked(2))[-1] == "played 4: 4/4"


def test_a_plan_that_grows_names_what_the_whole_of_it_would_name(tmp_path: Path) -> None:
    """All at once or batch after batch: numbers, identities, and that no match is planned twice."""
    with open_run(tmp_path, TWO) as run:
        made, plan, whole = tournament(TWO, run, Asked(3)), Plan(), list[Planned]()
        for _ in range(4):
            results = [unplayed(each.ordinal, each.leg, ()) for each in whole]
            batch = next_batch(made, plan, results)
            assert batch == next_batch(made, whole, results)
            plan.add(batch)
            whole += batch
        assert plan.matches == whole
        assert [each.ordinal for each in whole] == [1, 2, 3, 4, 5, 6]
        assert all(each.identity in plan for each in whole)


def test_what_is_planned_at_one_time_is_one_batch(tmp_path: Path) -> None:
    go_on(tmp_path, Asked(3))
    with read_ledger(tmp_path) as ledger:
        assert [[each.ordinal for each in batch] for batch in ledger.batches()] == [[1, 2], [3, 4], [5, 6]]
