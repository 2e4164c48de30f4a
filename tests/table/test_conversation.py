"""What becomes of a bot's lines over time, with a bot and a clock that are made of numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.view import view
from spades_harness.table.bounds import GRACE, Limits
from spades_harness.table.conversation import FLOOD_CAP, TELL_LIMIT, Ended, Nothing, RemoteSeat, Sent, Stamped
from spades_harness.table.match import (
    Answer,
    BotReport,
    Failure,
    FaultKind,
    Garbled,
    Gone,
    HandStart,
    MatchStart,
    Reply,
    Request,
    Silent,
    Started,
)
from spades_harness.table.seats import run_unsuspended
from spades_harness.table.wire import IGNORED_CAP

RULES = Rules(blind_nil=False)
START = MatchStart("tag", 0, RULES, Limits(start=10, move=1, bank=60), (), "00")
NOTICE = HandStart(RULES, 1, 3, no_points(RULES))
HELLO = '{"type":"hello","protocol":1,"name":"fake","version":"1","answers":["exchange"]}'
UNREAD = "did not read its standard input until the pipe was full"
HAND = deal_hand(RULES, bytes(32), 0, 0, no_points(RULES))
assert not HAND.over
REQUEST = Request(view(HAND), time_left=1.0, bank_left=60.0)

Line = tuple[float, str]
"""Seconds after the request, and the line."""


@dataclass
class FakeBot:
    """Answers the n-th line that wants an answer (hello is 0, match_start 1) by the lines of `script(n)`."""

    script: Callable[[int], Sequence[Line]]
    ends: float = float("inf")
    """When it ends."""
    deaf_from: int = 99
    """From this line on it makes no room for more."""
    partial: bytes = b""
    now: float = 100.0
    sleeps_until: float = 0.0
    """The harness wakes up no earlier than this."""
    pipe: list[Stamped] = field(default_factory=list)
    heard: list[str] = field(default_factory=list)
    asked: int = 0
    killed: bool = False
    used: float = 0.0
    """Seconds of processor time, by its own account."""
    resident: float = 0.0
    queued: float | None = None

    def begin(self) -> float:
        return self.cpu()

    def waited(self) -> float | None:
        return self.queued

    def cpu(self) -> float:
        return self.used

    def memory(self) -> float:
        return self.resident

    def clock(self) -> float:
        return self.now

    async def start(self) -> Ended | None:
        return None

    async def send(self, data: bytes, deadline: float) -> Sent:
        message = json.loads(data)
        self.heard.append(message["type"])
        if self.now >= self.ends:
            return Sent.CLOSED
        if len(self.heard) > self.deaf_from:
            self.now = deadline
            return Sent.BLOCKED
        if message["type"] == "hello" or "id" in message:
            lines = self.script(self.asked)
            self.asked += 1
            number = str(message.get("id", 0))
            arrivals = [Stamped(text.replace("ID", number).encode(), self.now + delay) for delay, text in lines]
            self.pipe = sorted([*self.pipe, *arrivals], key=lambda line: line.at)
        return Sent.DONE

    async def next_line(self, deadline: float) -> Stamped | Nothing | Ended:
        if deadline > self.now:
            self.now = max(self.now, self.sleeps_until)
        if self.pipe and self.pipe[0].at <= max(deadline, self.now):
            line = self.pipe.pop(0)
            self.now = max(self.now, line.at)
            return Stamped(line.line, self.now if self.sleeps_until else line.at)
        if self.ends <= max(deadline, self.now):
            self.now = max(self.now, self.ends)
            return Ended("exited with code 1", self.ends)
        self.now = max(self.now, deadline)
        return Nothing(self.partial)

    async def kill(self) -> str:
        self.killed = True
        return "last words"


def started(lines: Sequence[Sequence[Line]], hello: str = HELLO) -> tuple[RemoteSeat, FakeBot]:
    """A seat whose bot is ready, and will answer its requests by these lines."""
    script = [[(0.5, hello)], [(1.5, '{"id":ID,"ready":true}')], *lines]
    bot = FakeBot(lambda n: script[n] if n < len(script) else [])
    seat = RemoteSeat(bot, bot.clock)
    assert isinstance(run_unsuspended(seat.start(START)), Started)
    return seat, bot


def ask(seat: RemoteSeat, request: Request = REQUEST) -> Reply:
    return run_unsuspended(seat.ask(request))


def begin(script: Sequence[Sequence[Line]], **traits: object) -> Started | Failure:
    """How the start of a bot with this script ends."""
    bot = FakeBot(lambda n: script[n] if n < len(script) else [], **traits)  # type: ignore[arg-type]
    return run_unsuspended(RemoteSeat(bot, bot.clock).start(START))


def good(delay: float = 0.125) -> list[Line]:
    return [(delay, '{"id":ID,"bid":3}')]


# ---------------------------------------------------------------------------------------------------------- the start


def test_a_bot_is_greeted_then_told_of_the_match_and_is_ready_when_it_says_so() -> None:
    seat, bot = started([])
    assert bot.heard == ["hello", "match_start"]
    assert seat.report() == BotReport("fake", "1", start=2.0)


def test_all_of_the_start_is_on_one_clock() -> None:
    assert begin([[(6.0, HELLO)], [(6.0, '{"id":1,"ready":true}')]]) == Silent(10.0)
    assert begin([[(6.0, HELLO)], [(3.5, '{"id":1,"ready":true}')]]) == Started(
        9.5, "fake", "1", frozenset({"exchange"})
    )


def test_a_bot_that_ends_or_gives_up_before_it_is_ready_is_gone_and_says_so() -> None:
    assert begin([], ends=100.5) == Gone("exited with code 1 before it was ready", 0.5)
    assert begin([[(1, HELLO)]], ends=103.5) == Gone("exited with code 1 before it was ready", 3.5)
    gave_up = begin([[(1, HELLO)], [(1, '{"type":"error","message":"no deuces"}')]])
    assert gave_up == Gone("gave up: no deuces before it was ready", 2.0)


def test_chatter_before_hello_is_a_fault() -> None:
    assert isinstance(begin([[(1, "loading"), (1, HELLO)]]), Garbled)


def test_a_bot_that_cannot_be_started_says_why() -> None:
    class Missing(FakeBot):
        async def start(self) -> Ended | None:
            return Ended("cannot start 'nopython'", self.now)

    bot = Missing(lambda _: [])
    seat = RemoteSeat(bot, bot.clock)
    assert run_unsuspended(seat.start(START)) == Gone("cannot start 'nopython'", 0.0)
    assert seat.sent() == ""


# ----------------------------------------------------------------------------------------------------------- requests


def test_requests_are_numbered_and_answers_timed() -> None:
    seat, _ = started([good(0.25), good(0.5)])
    assert ask(seat) == Answer(3, 0.25)
    assert json.loads(seat.sent())["id"] == 2
    assert ask(seat) == Answer(3, 0.5)
    assert json.loads(seat.sent())["id"] == 3
    assert seat.report().thinking == pytest.approx(0.75)


def test_grace_is_forgiven_and_not_charged() -> None:
    """TM-04: the time that is kept is without grace."""
    seat, _ = started([good(1 + GRACE / 2), good(1 + GRACE * 2)])
    assert ask(seat) == Answer(3, 1.0)
    assert ask(seat) == Silent(1.0)


def test_an_answer_within_the_margin_is_taken_and_told_how_late_it_was() -> None:
    seat, bot = started([good(1 + GRACE + 0.25), good(1 + GRACE + 0.75), good(1 + GRACE / 2)])
    lenient = REQUEST._replace(margin=0.5)
    late = ask(seat, lenient)
    assert isinstance(late, Answer)
    assert late.elapsed == 1.0
    assert late.over == pytest.approx(0.25)
    began = bot.now
    assert ask(seat, lenient) == Silent(1.0)
    assert bot.now - began == pytest.approx(1 + GRACE + 0.5)
    forgiven = ask(seat, lenient)
    assert isinstance(forgiven, Answer)
    assert forgiven.over == 0.0


def test_chatter_moves_no_deadline_with_a_margin_either() -> None:
    """TM-11."""
    seat, bot = started([[(n / 40, "" if n % 2 else '{"id":1,"bid":3}') for n in range(70)]])
    began = bot.now
    assert isinstance(ask(seat, REQUEST._replace(margin=0.5)), Silent)
    assert bot.now - began == pytest.approx(1 + GRACE + 0.5)


def test_what_lay_in_the_pipe_while_the_harness_slept_takes_no_strike() -> None:
    """TM-14."""
    seat, bot = started([good(0.5)])
    bot.sleeps_until = bot.now + 5
    slept = ask(seat, REQUEST._replace(margin=0.5))
    assert isinstance(slept, Answer)
    assert slept.over == 0.0


def test_beside_a_silence_stands_how_late_the_harness_looked_the_load_and_what_the_bot_used() -> None:
    bot = FakeBot(lambda n: [[(0, HELLO)], [(0, '{"id":1,"ready":true}')], []][n], used=1.5)
    seat = RemoteSeat(bot, bot.clock, lambda: 3.5)
    run_unsuspended(seat.start(START))

    async def slow(deadline: float) -> Nothing:
        if deadline > bot.now:
            bot.now, bot.used, bot.queued = deadline + 0.25, 1.75, 0.5
        return Nothing()

    bot.next_line = slow  # type: ignore[method-assign]
    silent = ask(seat)
    assert isinstance(silent, Silent)
    assert silent.circumstances == pytest.approx((0.25, 3.5, 0.25, 0.5))


def test_a_seat_reports_what_its_bot_used() -> None:
    seat, bot = started([])
    bot.used, bot.resident = 2.5, 64.0
    run_unsuspended(seat.close())
    assert (seat.report().cpu, seat.report().memory) == (2.5, 64.0)


def test_an_answer_knows_what_it_cost_the_processor() -> None:
    seat, bot = started([good()])
    said = bot.next_line

    async def think(deadline: float) -> Stamped | Nothing | Ended:
        found = await said(deadline)
        bot.used += 0.5 * isinstance(found, Stamped)
        return found

    bot.next_line = think  # type: ignore[method-assign]
    answer = ask(seat)
    assert isinstance(answer, Answer)
    assert answer.cpu == 0.5


@pytest.mark.parametrize("asked", [False, True])
def test_a_bot_that_was_ended_for_what_it_used_is_gone_for_that(asked: bool) -> None:
    class Greedy(FakeBot):
        async def next_line(self, deadline: float) -> Stamped | Nothing | Ended:
            found = await super().next_line(deadline)
            return (
                Ended("killed: over 512 MiB (used 600)", self.now, limits=True) if isinstance(found, Ended) else found
            )

    bot = Greedy(lambda n: [[(0, HELLO)], [(0, '{"id":1,"ready":true}')], []][n])
    seat = RemoteSeat(bot, bot.clock)
    run_unsuspended(seat.start(START))
    bot.ends = bot.now + 0.25 * asked
    assert ask(seat) == Gone("killed: over 512 MiB (used 600)", 0.25 * asked, limits=True)


def test_an_answer_after_its_deadline_is_thrown_away_and_the_next_request_gets_its_own() -> None:
    """TM-01."""
    seat, _ = started([good(1.5), good(0.75)])
    assert ask(seat) == Silent(1.0)
    assert ask(seat) == Answer(3, 0.75)
    assert seat.report().dropped == 1


def test_outdated_answers_blank_lines_and_halves_of_lines_never_buy_time() -> None:
    """TM-11, PF-17."""
    chatter = [(n / 60, "" if n % 2 else '{"id":1,"bid":3}') for n in range(70)]
    seat, bot = started([chatter])
    bot.partial = b'{"id":2,"b'
    began = bot.now
    assert ask(seat) == Silent(1.0, '{"id":2,"b', outdated=32)
    assert bot.now - began == pytest.approx(1 + GRACE)


def test_a_flood_of_blank_lines_ends_in_a_fault() -> None:
    """PF-17."""
    seat, _ = started([[(0.125, "  ")] * IGNORED_CAP + good(), [(0.125, "")] * (IGNORED_CAP + 1) + good()])
    assert ask(seat) == Answer(3, 0.125)
    flooded = ask(seat)
    assert isinstance(flooded, Garbled)
    assert flooded.kind is FaultKind.MALFORMED


def test_what_came_before_the_request_answers_nothing_even_with_the_right_number() -> None:
    """PF-15."""
    seat, bot = started([[]])
    bot.pipe = [Stamped(b'{"id":%d,"bid":4}' % number, bot.now) for number in range(1, 14)]
    assert ask(seat) == Silent(1.0)
    assert seat.report().dropped == 13


def test_a_pipe_that_never_empties_is_a_fault_before_anything_is_asked() -> None:
    seat, bot = started([good()])
    bot.pipe = [Stamped(b"x", bot.now)] * (FLOOD_CAP + 1)
    flooded = ask(seat)
    assert isinstance(flooded, Garbled)
    assert bot.heard[-1] == "match_start"


def test_what_lay_in_the_pipe_while_the_harness_slept_is_in_time() -> None:
    """TM-14."""
    seat, bot = started([good(0.5)])
    bot.sleeps_until = bot.now + 5
    assert ask(seat) == Answer(3, 1.0)


def test_a_bot_that_ends_while_it_is_asked_is_gone() -> None:
    seat, bot = started([[]])
    bot.ends = bot.now + 0.375
    assert ask(seat) == Gone("exited with code 1", 0.375)


def test_an_answer_that_was_given_before_the_end_counts() -> None:
    seat, bot = started([good(0.25)])
    bot.ends = bot.now + 0.375
    assert ask(seat) == Answer(3, 0.25)


def test_a_bot_that_ended_between_requests_is_found_out_when_it_is_next_asked() -> None:
    """PL-09."""
    seat, bot = started([good()])
    bot.ends = bot.now
    run_unsuspended(seat.tell(NOTICE))
    assert ask(seat) == Gone("exited with code 1", 0.0)


def test_a_bot_that_closed_its_input_and_lives_is_gone() -> None:
    class Closed(FakeBot):
        async def send(self, data: bytes, deadline: float) -> Sent:
            return await super().send(data, deadline) if self.asked < 2 else Sent.CLOSED

    bot = Closed(lambda n: [[(0, HELLO)], [(0, '{"id":1,"ready":true}')]][n])
    seat = RemoteSeat(bot, bot.clock)
    run_unsuspended(seat.start(START))
    gone = ask(seat)
    assert isinstance(gone, Gone)
    assert gone.how == "closed its standard input"


def test_a_bot_that_does_not_read_its_request_is_gone_by_the_limit_and_not_spoken_to_again() -> None:
    seat, bot = started([good()])
    bot.deaf_from = 2
    assert ask(seat) == Gone(UNREAD, 1.0)
    assert ask(seat) == Gone(UNREAD, 0.0)
    assert bot.heard == ["hello", "match_start", "bid"]


def test_a_bot_that_does_not_read_its_start_is_gone_before_it_was_ready() -> None:
    assert begin([[(1, HELLO)]], deaf_from=1) == Gone(f"{UNREAD} before it was ready", 10.0)


def test_the_end_of_a_bot_is_charged_until_its_output_ended_however_long_it_took_to_learn_how() -> None:
    class Lingering(FakeBot):
        async def next_line(self, deadline: float) -> Stamped | Nothing | Ended:
            found = await super().next_line(deadline)
            self.now += 0.375 * isinstance(found, Ended)
            return found

    bot = Lingering(lambda n: [[(0.0, HELLO)], [(0.0, '{"id":1,"ready":true}')], []][n])
    seat = RemoteSeat(bot, bot.clock)
    run_unsuspended(seat.start(START))
    bot.ends = bot.now + 0.25
    assert ask(seat) == Gone("exited with code 1", 0.25)


def test_what_could_not_be_put_any_more_is_shown_as_it_would_have_been() -> None:
    """Beside the fault stands the decision that it cost, never the request before it."""
    deaf, bot = started([good()])
    bot.deaf_from = 2
    flooded, bot = started([good()])
    bot.pipe = [Stamped(b"x", bot.now)] * (FLOOD_CAP + 1)
    run_unsuspended(deaf.tell(NOTICE))
    for seat in (deaf, flooded):
        ask(seat)
        message = json.loads(seat.sent())
        assert (message["type"], message["id"]) == ("bid", 2)


def test_a_notice_waits_for_nobody_for_long() -> None:
    seat, bot = started([good()])
    bot.deaf_from = 2
    began = bot.now
    for _ in range(20):
        run_unsuspended(seat.tell(NOTICE))
    assert bot.now - began == TELL_LIMIT
    assert ask(seat) == Gone(UNREAD, 0.0)


def test_what_a_bot_left_on_standard_error_is_reported_when_the_seat_is_closed() -> None:
    seat, bot = started([])
    run_unsuspended(seat.close())
    assert bot.killed
    assert seat.report().stderr == "last words"


# --------------------------------------------------------------------------------------------- whatever comes, whenever

SAID = (
    '{"id":ID,"bid":3}',
    '{"id":1,"bid":9}',
    "",
    "  ",
    '{"id":99,"bid":3}',
    "thinking",
    '{"id":ID,"card":"2C"}',
    "[]",
)
WRITTEN = st.lists(st.tuples(st.integers(0, 128).map(lambda n: n / 64), st.sampled_from(SAID)), max_size=30)


@given(WRITTEN)
def test_whatever_comes_whenever_a_request_has_one_reply_that_the_first_line_in_time_decides(
    written: list[Line],
) -> None:
    """PF-16, PF-17, TM-11: what is nothing buys no time, and nothing is waited for beyond the deadline."""
    seat, bot = started([written])
    began = bot.now
    reply = ask(seat)
    in_time = [text for at, text in sorted(written, key=lambda line: line[0]) if at <= 1 + GRACE]
    first = next((text for text in in_time if text.strip() and '"id":1,' not in text), None)
    match reply:
        case Answer(written=bid):
            assert (first, bid) == (SAID[0], 3)
        case Garbled(kind=kind):
            assert first in SAID[4:]
            assert (kind is FaultKind.PROTOCOL) is (first == SAID[4])
        case Silent(outdated=outdated):
            assert first is None
            assert outdated == in_time.count(SAID[1])
        case _:
            pytest.fail(f"nobody has gone: {reply}")
    assert 0 <= reply.elapsed <= 1
    assert bot.now - began <= 1 + GRACE + 1e-9


def test_of_two_answers_at_once_the_first_counts_and_the_second_is_thrown_away() -> None:
    seat, _ = started([[*good(), (0.125, '{"id":ID,"bid":4}')], good()])
    assert [ask(seat), ask(seat)] == [Answer(3, 0.125)] * 2
    assert seat.report().dropped == 1
