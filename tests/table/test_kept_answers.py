"""What is kept of an answer for whoever wrote the bot: its bytes as they came, and how the bot ended."""

from __future__ import annotations

import pytest

from spades_harness.table.match import Silent
from spades_harness.table.seats import run_unsuspended
from spades_harness.table.wire import LINE_CAP, RAW_CAP, LineBuffer, TooLong, raw

from .test_conversation import FakeBot, ask, good, started


@pytest.mark.parametrize("line", ["thinking about bid", '{"id":ID,"bid":"3"}', '{"id":ID,"note":"\u2028\x85"}', "\x00"])
def test_the_bytes_that_were_judged_are_kept_as_they_came(line: str) -> None:
    """PF-01, PF-05, PF-20."""
    seat, _ = started([[(0.1, line)]])
    ask(seat)
    assert seat.answered() == line.replace("ID", "2").encode()


def test_blank_and_outdated_lines_are_not_taken_for_the_answer() -> None:
    """PF-17, TM-01."""
    seat, _ = started([[(0.1, ""), (0.2, '{"id":1,"ready":true}'), *good(0.3)]])
    ask(seat)
    assert seat.answered() == b'{"id":2,"bid":3}'


def test_what_was_begun_of_an_answer_is_kept_where_the_rest_never_came() -> None:
    """PF-18."""
    seat, bot = started([[]])
    bot.partial = b'{"id":2,"b'
    assert isinstance(ask(seat), Silent)
    assert seat.answered() == b'{"id":2,"b'


def test_an_earlier_answer_is_never_shown_for_a_later_request() -> None:
    seat, _ = started([good(), []])
    ask(seat)
    assert isinstance(ask(seat), Silent)
    assert seat.answered() == b""


def test_of_a_line_without_end_the_beginning_is_kept_and_no_more() -> None:
    """PF-07."""
    buffer = LineBuffer()
    (line,) = [*buffer.feed(b"ab"), *buffer.feed(b"c" * LINE_CAP)]
    assert isinstance(line, TooLong)
    assert raw(line) == b"ab" + b"c" * (RAW_CAP - 2)
    assert raw(b"x" * LINE_CAP) == b"x" * RAW_CAP


def test_how_a_bot_was_ended_is_known_when_its_seat_is_closed() -> None:
    """PL-09."""
    seat, bot = started([[(0.1, "left over")]])
    bot.ends = bot.now
    run_unsuspended(seat.close())
    assert seat.report().ended == "exited with code 1"


def test_a_bot_of_which_nobody_knows_how_it_ended_has_no_end_in_its_report() -> None:
    seat, bot = started([])
    run_unsuspended(seat.close())
    assert (bot.killed, seat.report().ended) == (True, "")
    assert isinstance(bot, FakeBot)
