"""A bot that plays a recorded match once more hears what it heard, and the first difference is found."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from spades_harness.table.bounds import Limits
from spades_harness.table.match import (
    Answer,
    Fault,
    FaultKind,
    Garbled,
    Gone,
    MatchRecord,
    MatchSpec,
    Reply,
    Silent,
    Started,
    Substitute,
)
from spades_harness.table.rehearsal import Again, Alike, Finding, Parted, rehearse
from spades_harness.table.seats import run_unsuspended

from .scripted import ALL, ScriptedSeat, a_spec, play

EAST = 1
READY = Started(0.01, answers=ALL)
FAULTS: list[Reply] = [
    Gone("exited with code 1", 0.2),
    Silent(1.0),
    Garbled(FaultKind.MALFORMED, "no JSON", "[]", 0.1),
    Garbled(FaultKind.PROTOCOL, "wrong number", "{}", 0.5),
    Answer("1X", 0.1),
]


def again(
    spec: MatchSpec, record: MatchRecord, script: Mapping[int, Reply] | None = None, starts: Started | Gone = READY
) -> tuple[Finding, ScriptedSeat]:
    """What comes of the bot of E once more, and its seat; the others' seats are not to be used."""
    bot = ScriptedSeat("E", [], script or {}, starts)
    table = [bot if seat == EAST else ScriptedSeat("x", []) for seat in range(4)]
    finding = run_unsuspended(rehearse(spec, table, EAST, record))
    assert all(seat.heard == [] for seat in table if seat is not bot)
    return finding, bot


def test_a_bot_that_does_all_as_it_did_hears_all_that_it_heard() -> None:
    spec = a_spec()
    record, _, seats = play(spec)
    finding, bot = again(spec, record)
    assert finding == Alike(seats["E"].asked)
    assert bot.requests == seats["E"].requests
    assert bot.heard == [line for line in seats["E"].heard if line.startswith("E ")]


@pytest.mark.parametrize("fault", FAULTS)
def test_the_same_fault_is_found_again_after_the_same_answers(fault: Reply) -> None:
    """PL-14."""
    spec = a_spec()
    record, _, seats = play(spec, {"E": {5: fault}})
    finding, bot = again(spec, record, {5: fault})
    assert isinstance(finding, Again)
    assert (finding.answers, finding.then.kind, finding.now.kind) == (4, record.faults[0].kind, record.faults[0].kind)
    assert bot.requests == seats["E"].requests


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_that_does_not_come_again_is_told_with_what_comes_instead(fault: Reply) -> None:
    spec = a_spec()
    record, *_ = play(spec, {"E": {5: fault}})
    finding, _ = again(spec, record)
    assert isinstance(finding, Parted)
    assert (finding.answers, finding.then) == (4, record.faults[0])
    assert not isinstance(finding.now, Fault)


def test_another_answer_ends_it_where_it_is_given() -> None:
    spec = a_spec()
    record, *_ = play(spec)
    finding, bot = again(spec, record, {2: Answer(5, 0.1)})
    assert isinstance(finding, Parted)
    assert (finding.answers, bot.asked) == (1, 2)
    assert finding.then == next(d for d in record.decisions if d.seat == EAST and d.kind == "bid")


def test_a_fault_where_there_was_an_answer_is_told() -> None:
    spec = a_spec()
    record, *_ = play(spec)
    finding, _ = again(spec, record, {7: Gone("exited with code 9", 0.1)})
    assert isinstance(finding, Parted)
    assert isinstance(finding.now, Fault)
    assert (finding.answers, finding.now.what) == (6, "exited with code 9")


def test_another_kind_of_fault_is_a_difference() -> None:
    spec = a_spec()
    record, *_ = play(spec, {"E": {5: Silent(1.0)}})
    finding, _ = again(spec, record, {5: Gone("exited with code 1", 0.1)})
    assert isinstance(finding, Parted)


def test_the_times_that_the_bot_is_told_are_those_of_then_however_long_it_takes_now() -> None:
    spec = a_spec(limits=Limits(move=1.0, bank=2.0))
    slow: dict[int, Reply] = {1: Answer(None, 0.75), 3: Silent(1.0)}
    record, _, seats = play(spec, {"E": slow})
    _, bot = again(spec, record, {1: Answer(None, 0.01), 3: Silent(1.0)})
    assert [r.bank_left for r in bot.requests] == [r.bank_left for r in seats["E"].requests]
    assert bot.requests[1].bank_left == 1.25


def test_a_bank_that_was_used_up_is_used_up_again() -> None:
    """TM-13."""
    spec = a_spec(limits=Limits(move=1.0, bank=2.0))
    record, *_ = play(spec, {"E": {1: Answer(None, 1.0), 2: Answer(3, 1.0)}})
    finding, bot = again(spec, record, {1: Answer(None, 0.01), 2: Answer(3, 0.01)})
    assert isinstance(finding, Again)
    assert (finding.answers, bot.asked) == (2, 2)
    assert "used up" in finding.now.what


def test_where_faults_are_forgiven_it_goes_on_to_the_last_one() -> None:
    spec = a_spec(faults=Substitute(1))
    script: dict[int, Reply] = {4: Answer("1X", 0.25), 6: Silent(1.0)}
    record, _, seats = play(spec, {"E": script})
    finding, bot = again(spec, record, {4: Answer("1X", 0.01), 6: Silent(1.0)})
    assert isinstance(finding, Again)
    assert finding.now.kind is FaultKind.TIMEOUT
    assert bot.requests == seats["E"].requests


def test_a_start_that_failed_is_found_again_or_told_to_be_mended() -> None:
    """PL-10."""
    spec = a_spec()
    gone = Gone("exited with code 4 before it was ready", 0.1)
    record, *_ = play(spec, starts={"E": gone})
    finding, bot = again(spec, record, starts=gone)
    assert isinstance(finding, Again)
    assert bot.asked == 0
    mended, _ = again(spec, record)
    assert mended == Parted(0, record.faults[0], None)


def test_a_start_that_fails_only_now_is_told() -> None:
    spec = a_spec()
    record, *_ = play(spec)
    finding, _ = again(spec, record, starts=Gone("exited with code 4 before it was ready", 0.1))
    assert isinstance(finding, Parted)
    assert isinstance(finding.now, Fault)
    assert finding.now.kind is FaultKind.START


def test_the_faults_of_others_are_theirs_and_end_the_match_as_they_did() -> None:
    spec = a_spec()
    record, _, seats = play(spec, {"S": {4: Gone("exited with code 1", 0.1)}})
    finding, _ = again(spec, record)
    assert finding == Alike(seats["E"].asked)
