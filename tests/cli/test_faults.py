"""What a bot's author is told about a fault: made from real lines, so that no cure stands beside the wrong fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spades_harness.cli import faults
from spades_harness.cli.faults import Case, cases, cure, describe
from spades_harness.game.hand import Bidding, Kind, deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.view import view
from spades_harness.table.bounds import Limits
from spades_harness.table.judge import Ruling, judge, judge_start
from spades_harness.table.match import BotReport, Fault, FaultKind, Garbled, Gone, MatchRecord, Request, Silent
from spades_harness.table.wire import TooLong, decode, decode_hello, decode_ready


def a_fault(ruling: Ruling, asked: str = "bid", stderr: str = "", request: str = "") -> Case:
    hand_no = 0 if asked == "start" else 2
    fault = Fault(ruling.kind, 0, hand_no, 7, asked, ruling.what, ruling.answer, 0.1, request=request)
    return Case(fault, stderr)


def fault_of_line(line: bytes | TooLong, kind: Kind = "bid") -> Case:
    found = decode(line, 7, kind, 0.1)
    assert isinstance(found, Garbled)
    return a_fault(Ruling(found.kind, found.problem, found.line), kind)


def fault_of_reply(reply: Silent | Gone) -> Case:
    hand = deal_hand(Rules(blind_nil=False), bytes(32), 0, 0, no_points(Rules()))
    assert isinstance(hand, Bidding)
    ruling = judge(hand, Request(view(hand), 1.0, 60.0), reply)
    assert isinstance(ruling, Ruling)
    return a_fault(ruling)


def judge_crash(how: str) -> Ruling:
    return Ruling(FaultKind.CRASH, how)


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        (b"thinking about bid", faults.PRINT),
        (b"3", faults.PRINT),
        (b'{"id":7,"bid":3', faults.FORM),
        (b'{"id":7,"bid":3}{"id":8,"bid":4}', faults.FORM),
        (b"[]", faults.FORM),
        (TooLong(b'{"id":7,"note":"'), faults.FORM),
        (b'{"id":7}', faults.KEY),
        (b'{"id":7,"card":"AS"}', faults.KEY),
        (b'{"id":7,"bid":3,"card":"AS"}', faults.KEY),
        (b'{"id":7,"bid":3.0}', faults.KEY),
        (b'{"bid":3}', faults.ECHO),
        (b'{"id":"7","bid":3}', faults.ECHO),
        (b'{"id":8,"bid":3}', faults.ECHO),
    ],
)
def test_each_way_to_garble_an_answer_has_its_cure(line: bytes | TooLong, advice: str) -> None:
    assert cure(fault_of_line(line)) == advice


def test_silence_is_cured_by_flushing_and_a_late_answer_by_thinking_less() -> None:
    """PF-02: the author of a bot that forgets to flush is told so."""
    assert cure(fault_of_reply(Silent(1.0))) == faults.FLUSH
    assert cure(fault_of_reply(Silent(1.0, '{"id":7'))) == faults.FLUSH
    late = Ruling(FaultKind.TIMEOUT, "the answer came after 1.200 s, the limit was 1 s")
    assert cure(a_fault(late)) == faults.SLOW
    earlier = "no answer within 1 s, only to earlier requests (their id was echoed, not this one's)"
    assert cure(a_fault(Ruling(FaultKind.TIMEOUT, earlier))) == faults.ECHO
    assert cure(a_fault(Ruling(FaultKind.TIMEOUT, "the bank of 60 s for the whole match is used up"))) == faults.BANK


def test_a_crash_is_cured_by_reading_the_last_words() -> None:
    crashed = judge_crash("exited with code 1")
    assert cure(a_fault(crashed, stderr="Traceback …")) == faults.CRASH
    assert cure(a_fault(crashed)) == faults.CRASH_UNSAID
    assert cure(a_fault(judge_crash("gave up: no such rules"))) == faults.REFUSAL


@pytest.mark.parametrize(
    "how", ["did not read its standard input until the pipe was full", "closed its standard input"]
)
def test_an_input_that_is_not_read_is_cured_by_reading_it_and_not_by_flushing(how: str) -> None:
    assert cure(fault_of_reply(Gone(how, 1.0))) == faults.INPUT
    at_the_start = judge_start(10.0, Gone(f"{how} before it was ready", 10.0))
    assert at_the_start is not None
    assert cure(a_fault(at_the_start, "start")) == faults.INPUT


@pytest.mark.parametrize("asked", ["blind", "bid", "exchange", "play"])
def test_an_illegal_choice_is_cured_by_what_its_request_offers(asked: str) -> None:
    assert cure(a_fault(Ruling(FaultKind.ILLEGAL, "no", "99"), asked)) == faults.CHOOSE[asked]


@pytest.mark.parametrize(
    ("line", "advice"),
    [(b"Hello there!", faults.PRINT), (b'{"id":1,"ready":true}', faults.HELLO), (b'{"type":"hello"}', faults.HELLO)],
)
def test_a_start_that_fails_at_hello_has_its_cure(line: bytes, advice: str) -> None:
    found = decode_hello(line, 0.1)
    assert isinstance(found, Garbled)
    ruling = judge_start(10.0, found)
    assert ruling is not None
    assert cure(a_fault(ruling, "start")) == advice


def test_a_start_that_fails_at_ready_or_in_silence_has_its_cure() -> None:
    found = decode_ready(b'{"id":1,"ready":"yes"}', 1, 0.1)
    assert isinstance(found, Garbled)
    for reply in (found, Silent(Limits().start)):
        ruling = judge_start(Limits().start, reply)
        assert ruling is not None
        assert cure(a_fault(ruling, "start")) == faults.READY


def test_a_bot_that_never_comes_up_is_cured_by_its_last_words_or_by_starting_it_by_hand() -> None:
    never = judge_start(10.0, Gone("it ended with exit code 1 before it was ready", 0.1))
    assert never is not None
    assert cure(a_fault(never, "start", stderr="ImportError")) == faults.CRASH
    assert cure(a_fault(never, "start")) == faults.LAUNCH


def test_each_fault_of_a_match_goes_with_what_its_own_bot_left_on_standard_error() -> None:
    north, east = (replace(judged.fault, seat=seat) for seat, judged in enumerate([fault_of_reply(Silent(1.0))] * 2))
    bots = tuple(BotReport(stderr=f"words of {seat}") for seat in range(4))
    record = MatchRecord("id", 1, None, (), (), (east, north), bots)
    assert cases(record) == (Case(east, "words of 1"), Case(north, "words of 0"))


def test_a_fault_shows_rule_answer_request_and_the_last_twenty_lines_of_standard_error() -> None:
    stderr = "\n".join(f"line {number}" for number in range(30))
    ruling = Ruling(FaultKind.ILLEGAL, "you held 9H: hearts had to be followed (R15)", "2C")
    lines = list(describe(a_fault(ruling, "play", stderr, '{"type":"play"}\n'), "mine (N)"))
    assert lines == [
        "FAULT (illegal) of mine (N), hand 2, play: you held 9H: hearts had to be followed (R15)",
        "  it answered: 2C",
        '  the request: {"type":"play"}',
        "  its standard error, last 20 lines:",
        *(f"    | line {number}" for number in range(10, 30)),
        f"  cure: {faults.CHOOSE['play']}",
    ]


def test_a_fault_without_answer_or_standard_error_says_so_in_few_lines() -> None:
    lines = list(describe(fault_of_reply(Silent(1.0)), "mine (N)"))
    assert lines[0] == (
        "FAULT (timeout) of mine (N), hand 2, bid: no complete line received within 1 s (output not flushed?)"
    )
    assert lines[1:] == ["  it wrote nothing to its standard error", f"  cure: {faults.FLUSH}"]
