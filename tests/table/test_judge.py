"""One outcome a reply: which fault it is where it might be several, and which faults the machine may explain."""

from __future__ import annotations

from collections import Counter

import pytest

from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.view import view
from spades_harness.table.bounds import GRACE, Limits, Overrun
from spades_harness.table.judge import CROWDED, IDLE, KEPT, PAUSED, Ruling, is_suspect, judge, judge_start, overrun
from spades_harness.table.match import (
    Answer,
    Circumstances,
    Failure,
    Fault,
    FaultKind,
    Garbled,
    Gone,
    Reply,
    Request,
    Silent,
    Substitute,
)
from spades_harness.table.referee import play_match
from spades_harness.table.replay import replay_table
from spades_harness.table.seats import run_unsuspended

from .scripted import a_spec, dull, play

RULES = Rules(blind_nil=False)
HAND = deal_hand(RULES, bytes(32), 0, 0, no_points(RULES))
assert not HAND.over
REQUEST = Request(view(HAND), time_left=1.0, bank_left=60.0)
AFTER = 1 + GRACE + 0.25
KILLED = Gone("killed: over 512 MiB (used 600)", 0.5, limits=True)
CHOICES = 2 + 13
"""What each seat of a hand is asked: blind, bid, and its cards."""


def ruled(reply: Reply, margin: float = 0.0) -> FaultKind | None:
    assert not HAND.over
    verdict = judge(HAND, REQUEST._replace(margin=margin), reply)
    return verdict.kind if isinstance(verdict, Ruling) else None


# ---------------------------------------------------------------------------------------------------------- precedence


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (KILLED, FaultKind.LIMITS),
        (Gone("exited with code 1", 99.0), FaultKind.CRASH),
        (Silent(1.0), FaultKind.TIMEOUT),
        (Garbled(FaultKind.MALFORMED, "no JSON", "x", AFTER), FaultKind.TIMEOUT),
        (Garbled(FaultKind.PROTOCOL, "another id", "x", AFTER), FaultKind.TIMEOUT),
        (Answer(99, AFTER), FaultKind.TIMEOUT),
        (Garbled(FaultKind.MALFORMED, "no JSON", "x", 0.5), FaultKind.MALFORMED),
        (Garbled(FaultKind.PROTOCOL, "another id", "x", 0.5), FaultKind.PROTOCOL),
        (Answer(99, 0.5), FaultKind.ILLEGAL),
        (Answer(3, 0.5), None),
    ],
)
def test_gone_comes_before_late_late_before_malformed_and_that_before_illegal(
    reply: Reply, kind: FaultKind | None
) -> None:
    assert ruled(reply) is kind


@pytest.mark.parametrize(
    ("reply", "kind"),
    [(KILLED, FaultKind.LIMITS), (Gone("exited with code 1", 0.5), FaultKind.START), (Silent(10.0), FaultKind.START)],
)
def test_a_seat_that_used_too_much_before_it_was_ready_is_told_that_and_all_others_that_they_did_not_start(
    reply: Failure, kind: FaultKind
) -> None:
    ruling = judge_start(10.0, reply)
    assert ruling
    assert ruling.kind is kind


def test_a_bot_that_was_ended_for_what_it_used_is_charged_once_and_never_asked_again() -> None:
    """SE-07: in the words of the bound, for the hungry bot alone."""
    record, _, seats = play(a_spec(faults=Substitute(3)), {"E": {3: KILLED}})
    assert [(fault.kind, fault.seat, fault.what) for fault in record.faults] == [
        (FaultKind.LIMITS, 1, "killed: over 512 MiB (used 600)")
    ]
    assert seats["E"].asked == 3
    assert record.result
    assert not record.result.forfeits


@pytest.mark.parametrize("order", [("N", "E"), ("E", "N")])
def test_when_bots_of_both_sides_die_in_a_hand_the_one_that_is_asked_first_forfeits(order: tuple[str, str]) -> None:
    """PL-15: the order of play decides, never which death was seen first."""
    died = Gone("was killed by SIGSEGV", 0.0)
    record, _, _ = play(a_spec(), {letter: {5: died} for letter in order})
    assert record.result
    assert len(record.faults) == len(record.result.forfeits) == 1
    assert record.result.forfeits == (record.faults[0].seat % 2,)
    again, _, _ = play(a_spec(), {letter: {5: died} for letter in reversed(order)})
    assert again == record


# --------------------------------------------------------------------------------------------------------------- clocks


def test_what_comes_within_the_margin_is_ruled_on_as_if_it_came_in_time() -> None:
    assert ruled(Answer(3, AFTER), margin=0.5) is None
    assert ruled(Garbled(FaultKind.MALFORMED, "no JSON", "x", AFTER), margin=0.5) is FaultKind.MALFORMED
    assert ruled(Answer(3, AFTER), margin=0.125) is FaultKind.TIMEOUT


def test_how_late_an_answer_was_is_told_by_the_seat_or_found_by_its_time() -> None:
    assert overrun(REQUEST, Answer(3, 1.0, over=0.25)) == 0.25
    assert overrun(REQUEST, Answer(3, AFTER)) == pytest.approx(0.25)
    assert overrun(REQUEST, Answer(3, 1 + GRACE / 2)) == 0.0
    assert overrun(REQUEST, KILLED) == 0.0


def test_so_many_answers_of_a_seat_may_be_late_by_the_margin_and_then_there_is_none() -> None:
    limits = Limits(overrun=Overrun(margin=0.5, strikes=2))

    def late(choice: int, by: float = 0.25) -> Reply:
        return dull_answers[choice]._replace(elapsed=1.0, over=by)

    _, _, seats = play(a_spec())
    dull_answers = [dull(request) for request in seats["N"].requests]
    record, _, seats = play(a_spec(limits=limits), {"N": {2: late(1), 4: late(3), 6: Silent(1.0)}})
    assert [request.margin for request in seats["N"].requests] == [0.5] * 4 + [0.0] * 2
    assert {request.margin for letter in "ESW" for request in seats[letter].requests} == {0.5}
    assert [(fault.kind, fault.seat) for fault in record.faults] == [(FaultKind.TIMEOUT, 0)]
    assert Counter(d.over for d in record.decisions if d.seat == 0 and d.over) == {0.25: 2}


def test_each_answer_that_holds_adds_the_increment_to_its_bank_and_a_fault_does_not() -> None:
    limits = Limits(move=10, bank=5, increment=0.25)
    record, _, seats = play(a_spec(limits=limits, faults=Substitute(9)), {"N": {2: Silent(1.0)}})
    told = [request.bank_left for request in seats["N"].requests[:4]]
    assert told == pytest.approx([5, 5 - 0.001 + 0.25, 4 - 0.001 + 0.25, 4 - 0.002 + 0.5])
    assert all(request.time_left == request.bank_left for request in seats["N"].requests if request.bank_left < 10)
    assert len(record.faults) == 1


def test_time_left_is_never_told_as_nothing_or_less() -> None:
    """TM-13."""
    limits = Limits(move=1, bank=2.5, increment=0.0625)
    thoughtful = {turn: Silent(1.0) for turn in range(1, 99)}
    record, _, seats = play(a_spec(limits=limits, faults=Substitute(1000)), {"S": thoughtful})
    assert [request.time_left for request in seats["S"].requests] == [1.0, 1.0, 0.5]
    assert all(request.time_left > 0 for seat in seats.values() for request in seat.requests)
    assert {fault.kind for fault in record.faults} == {FaultKind.TIMEOUT}
    assert len(record.faults) == 4 * CHOICES


# -------------------------------------------------------------------------------------------------------------- suspect


def a_fault(kind: FaultKind, *circumstances: float) -> Fault:
    return Fault(kind, 0, 1, 0, "bid", "late", "", 1.0, circumstances=Circumstances(*circumstances))


@pytest.mark.parametrize(
    ("circumstances", "suspect"),
    [
        ((), False),
        ((PAUSED, 1.0, 0.0), False),
        ((PAUSED * 1.5, 0.0, 1.0), True),
        ((0.0, CROWDED, 0.0), True),
        ((0.0, CROWDED, IDLE / 2), True),
        ((0.0, CROWDED * 4, IDLE), False),
        ((0.0, CROWDED * 0.99, 0.0), False),
        ((0.0, CROWDED * 4, 0.0, 0.0), False),
        ((0.0, 0.0, 0.0, KEPT), True),
        ((0.0, CROWDED * 4, 0.0, KEPT * 0.99), False),
        ((0.0, 0.0, 1 - KEPT, KEPT), True),
        ((0.0, 0.0, 1.0, KEPT), False),
        ((PAUSED * 1.5, 0.0, 1.0, 0.0), True),
    ],
)
def test_suspect_is_what_came_too_late_while_the_harness_stood_still_or_others_had_the_processors(
    circumstances: tuple[float, ...], suspect: bool
) -> None:
    assert is_suspect(a_fault(FaultKind.TIMEOUT, *circumstances)) is suspect
    assert is_suspect(a_fault(FaultKind.START, *circumstances)) is suspect
    assert not is_suspect(a_fault(FaultKind.CRASH, *circumstances))
    assert not is_suspect(a_fault(FaultKind.LIMITS, *circumstances))


def test_a_silence_leaves_its_circumstances_in_the_fault_and_refereed_again_it_is_the_same() -> None:
    how = Circumstances(0.5, 3.0, 0.25)
    spec = a_spec(faults=Substitute(9), limits=Limits(increment=0.25, overrun=Overrun(0.5, 3)))
    late: dict[int, Reply] = {2: Silent(1.0, circumstances=how), 4: KILLED}
    record, _, _ = play(spec, {"W": late}, {"E": Silent(10.0, circumstances=how)})
    assert [fault.circumstances for fault in record.faults] == [how, how, Circumstances()]
    again = run_unsuspended(play_match(spec, replay_table(record, 4)))
    assert again.faults == record.faults
    assert again.decisions == record.decisions
