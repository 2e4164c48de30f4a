"""Bots in this process: the same rule for answers as over the wire, and nothing they do gets out."""

from __future__ import annotations

import json
import random
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from time import perf_counter
from typing import Any

import numpy as np
import pytest

from spades_bot import Bot, Message
from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.view import view
from spades_harness.table.bounds import Limits
from spades_harness.table.local import LocalSeat, local_seat, local_table
from spades_harness.table.match import (
    Answer,
    Command,
    FaultKind,
    Garbled,
    Gone,
    HandStart,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Player,
    Plugin,
    Reply,
    Request,
    Started,
)
from spades_harness.table.referee import play_match
from spades_harness.table.seats import run_unsuspended
from spades_harness.table.wire import LINE_CAP, decode, encode

from .scripted import a_spec

RULES = Rules()
START = MatchStart("tag", 2, RULES, Limits(), (("depth", 3),), "5e")
HAND = deal_hand(Rules(blind_nil=False), bytes(32), 0, 0, no_points(RULES))
assert not HAND.over
REQUEST = Request(view(HAND), 1.0, 60.0)


class Steady(Bot):
    """Bids three, plays the first legal card."""

    VERSION = "2"

    def bid(self, request: Message) -> Any:
        return 3

    def play(self, request: Message) -> Any:
        return request.legal[0]


def bidding(bid: Callable[[], Any]) -> type[Bot]:
    """A bot that bids so."""

    class Odd(Steady):
        def bid(self, request: Message) -> Any:
            return bid()

    return Odd


def seated(bot: Callable[[], Bot]) -> LocalSeat:
    """A seat whose bot is ready."""
    seat = LocalSeat(bot)
    assert isinstance(run_unsuspended(seat.start(START)), Started)
    return seat


def reply(bid: Callable[[], Any]) -> Reply:
    """What comes of a bot that bids so."""
    return run_unsuspended(seated(bidding(bid)).ask(REQUEST))


def raises(error: BaseException) -> Callable[[], Any]:
    def bid() -> Any:
        raise error

    return bid


# -------------------------------------------------------------------------------------------------------------- honest


def test_four_bots_in_this_process_play_a_match_without_an_event_loop() -> None:
    spec = a_spec()
    players = tuple(Player("steady", Plugin("steady", in_process=True)) for _ in range(4))
    local = MatchSpec(**{**{name: getattr(spec, name) for name in MatchSpec.__slots__}, "players": players})
    record = run_unsuspended(play_match(local, local_table(local, {"steady": Steady})))
    assert record.faults == ()
    assert len(record.hands) == 4


def test_a_bot_knows_its_match_and_says_what_it_is() -> None:
    made: list[Steady] = []

    class Seen(Steady):
        def start(self) -> None:
            made.append(self)

    seat = LocalSeat(Seen)
    started = run_unsuspended(seat.start(START))
    (bot,) = made
    assert (bot.seat, bot.partner, bot.params) == ("S", "N", {"depth": 3})
    assert isinstance(started, Started)
    assert (started.name, started.version, started.answers) == ("Seen", "2", frozenset())
    assert seat.report().name == "Seen"


def test_each_seat_and_match_has_a_bot_of_its_own() -> None:
    """PG-07."""
    made: list[Bot] = []

    def factory() -> Bot:
        made.append(Steady())
        return made[-1]

    for _ in range(3):
        seated(factory)
    assert len({id(bot) for bot in made}) == 3


def test_the_message_is_the_one_that_goes_over_the_wire_and_is_the_bot_s_to_change() -> None:
    """PG-08."""
    seen: list[dict[str, Any]] = []

    class Vandal(Steady):
        def bid(self, request: Message) -> Any:
            seen.append(json.loads(json.dumps(vars(request))))
            request.hand.clear()
            request.scores["NS"] = 999
            return 3

    seat = seated(Vandal)
    for number in (2, 3):
        assert isinstance(run_unsuspended(seat.ask(REQUEST)), Answer)
        assert seen[-1] == json.loads(encode(REQUEST, number)) == json.loads(seat.sent())


def test_a_note_and_numbers_come_along() -> None:
    class Thoughtful(Steady):
        def bid(self, request: Message) -> Any:
            self.note, self.stats = "safe", {"hands": 12}
            return 3

    found = run_unsuspended(seated(Thoughtful).ask(REQUEST))
    assert isinstance(found, Answer)
    assert (found.note, found.stats) == ("safe", (("hands", 12.0),))


def test_what_a_bot_prints_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    """PF-01: with the SDK a print does no harm, in this process as in its own."""

    def bid() -> int:
        print("thinking")
        return 3

    assert isinstance(reply(bid), Answer)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "thinking\n")


# ------------------------------------------------------------------------------------------------- the same acceptance


class Three(IntEnum):
    THREE = 3


class Text(str):
    __slots__ = ()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (3, 3),
        (np.int64(3), 3),
        (Three.THREE, 3),
        ("blind_nil", "blind_nil"),
        (Text("3"), "3"),
        (None, None),
        (99, 99),
    ],
)
def test_what_would_be_an_answer_on_the_wire_is_one_here(value: object, written: object) -> None:
    """PG-11: what it is worth, the rules say."""
    found = reply(lambda: value)
    assert isinstance(found, Answer)
    assert found.written == written
    assert type(found.written) is type(written)


@pytest.mark.parametrize("value", [True, 3.0, [3], {"bid": 3}, (3,)])
def test_what_would_be_malformed_on_the_wire_is_malformed_here(value: object) -> None:
    """PG-11, PF-11."""
    found = reply(lambda: value)
    assert isinstance(found, Garbled)
    assert found.kind is FaultKind.MALFORMED
    line = json.dumps({"id": 2, "bid": value}).encode()
    over_the_wire = decode(line, 2, "bid", found.elapsed)
    assert isinstance(over_the_wire, Garbled)
    assert over_the_wire.problem == found.problem


@pytest.mark.parametrize(
    ("value", "how"),
    [
        (float("nan"), "raised ValueError: Out of range float values"),
        (object(), "raised TypeError: 'object' object cannot be interpreted as an integer"),
        (np.float64("inf"), "raised ValueError: Out of range float values"),
    ],
)
def test_what_no_json_can_hold_is_the_bot_s_own_error(value: object, how: str) -> None:
    """PG-11."""
    found = reply(lambda: value)
    assert isinstance(found, Gone)
    assert found.how.startswith(how)


def test_a_coroutine_is_the_bot_s_own_error_and_nobody_complains_that_it_was_not_awaited() -> None:
    """PG-11."""

    async def bid() -> int:
        return 3

    found = reply(bid)
    assert isinstance(found, Gone)
    assert "coroutine" in found.how


def test_a_line_that_is_too_long_for_the_wire_is_too_long_here() -> None:
    """PG-11, PF-07."""

    class Wordy(Steady):
        def bid(self, request: Message) -> Any:
            self.note = "n" * LINE_CAP
            return 3

    found = run_unsuspended(seated(Wordy).ask(REQUEST))
    assert isinstance(found, Garbled)
    assert found.problem == f"the line is longer than {LINE_CAP} bytes"


# ------------------------------------------------------------------------------------------------------------- manners


def played(*bots: Callable[[], Bot]) -> MatchRecord:
    """The record of a short match of bots in this process."""
    factories = {f"bot {seat}": bot for seat, bot in enumerate(bots)}
    players = tuple(Player(name, Plugin(name, in_process=True)) for name in factories)
    match = replace(a_spec(), players=players)
    return run_unsuspended(play_match(match, local_table(match, factories)))


class Seeder(Steady):
    """Fixes everybody's dice, or so it thinks."""

    def bid(self, request: Message) -> Any:
        random.seed(1)
        return super().bid(request)

    def play(self, request: Message) -> Any:
        random.seed(1)
        return random.choice(request.legal[:1])


class Gambler(Steady):
    """Throws the dice that all modules of a process share."""

    def play(self, request: Message) -> Any:
        return random.choice(request.legal)


def choices(record: MatchRecord, *seats: int) -> list[tuple[int, Any]]:
    return [(each.seat, each.written) for each in record.decisions if each.seat in seats]


def test_whoever_seeds_the_global_generator_changes_no_deal() -> None:
    """PG-05."""
    deals = [[hand.dealt for hand in played(*bots).hands] for bots in ((Steady,) * 4, (Seeder,) * 4)]
    assert deals[0] == deals[1]


def test_whoever_seeds_the_global_generator_changes_nobody_else_s_dice() -> None:
    """PG-05: in two matches that differ in nothing else, the others choose the same."""
    bots = [(Steady, Gambler, Steady, Gambler), (Seeder, Gambler, Seeder, Gambler)]
    records = [played(*each) for each in bots]
    assert choices(records[0], 1, 3) == choices(records[1], 1, 3)
    assert len(set(choices(records[0], 1, 3))) > 10


def test_the_harness_s_own_global_generator_stays_as_it_was() -> None:
    """PG-05."""
    before = random.getstate()
    played(*[Seeder, Gambler] * 2)
    assert random.getstate() == before


def test_a_match_of_bots_that_throw_the_global_dice_can_be_repeated() -> None:
    assert played(*[Gambler] * 4).decisions[20].written == played(*[Gambler] * 4).decisions[20].written


def test_what_a_bot_does_to_its_rules_and_messages_no_other_bot_sees() -> None:
    """PG-08."""

    class Vandal(Steady):
        def start(self) -> None:
            vars(self)["rules"].clear()
            vars(self)["limits"]["move"] = 0

        def play(self, request: Message) -> Any:
            card = request.legal[0]
            for kept in vars(request).values():
                if isinstance(kept, list | dict):
                    kept.clear()
            return card

        def hand_end(self, notice: Message) -> None:
            notice.hands.clear()

    honest, spoilt = played(*[Steady] * 4), played(Vandal, Steady, Vandal, Steady)
    assert spoilt.faults == ()
    assert choices(spoilt, 0, 1, 2, 3) == choices(honest, 0, 1, 2, 3)
    assert spoilt.result == honest.result


def test_no_message_leads_anywhere_but_to_plain_values() -> None:
    """PG-08: nothing of the referee hangs on it, no other hand and no secret."""
    seen: list[object] = []

    class Explorer(Steady):
        def bid(self, request: Message) -> Any:
            seen.extend(reachable(vars(request)) + reachable(vars(self)))
            return 3

    run_unsuspended(seated(Explorer).ask(REQUEST))
    assert {type(each) for each in seen} <= {dict, list, str, int, float, bool, type(None)}


def reachable(value: object) -> list[object]:
    """A value and all that is in it."""
    inner = [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []
    return [value, *(found for each in inner for found in reachable(each))]


@pytest.mark.parametrize("text", ["sys.exit()", "sys.exit('out of ideas')", "raise SystemExit"])
def test_a_bot_that_exits_ends_itself_and_the_match_is_told_so(text: str) -> None:
    def leave() -> None:
        exec(text, {"sys": sys})

    record = played(bidding(leave), Steady, Steady, Steady)
    assert [(fault.kind, fault.seat) for fault in record.faults] == [(FaultKind.CRASH, 0)]
    assert record.faults[0].what.startswith("raised SystemExit")
    assert record.result is not None
    assert record.result.forfeits == (0,)


def test_an_error_that_cannot_even_be_told_is_the_bot_s_own() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError("no words")

    found = reply(raises(Mute()))
    assert isinstance(found, Gone)
    assert "Mute" in found.how


def test_a_bot_that_takes_too_long_is_found_out_when_it_comes_back() -> None:
    """TM-02: it can't be stopped, so its time is looked at afterwards."""
    spec = replace(a_spec(), limits=Limits(move=0.0001, bank=60))

    def ponder() -> int:
        began = perf_counter()
        while perf_counter() - began < 0.1:
            pass
        return 3

    factories = {"slow": bidding(ponder)}
    slow = replace(spec, players=(Player("slow", Plugin("slow", in_process=True)),) * 4)
    record = run_unsuspended(play_match(slow, local_table(slow, factories)))
    assert [fault.kind for fault in record.faults] == [FaultKind.TIMEOUT]


# ---------------------------------------------------------------------------------------------------------- exceptions


@pytest.mark.parametrize(
    ("error", "how"),
    [
        (ValueError("no such suit"), "raised ValueError: no such suit"),
        (ValueError("two\nlines \x1b[31m\ud800"), "raised ValueError: two\\nlines \\x1b[31m\ufffd"),
        (SystemExit(3), "raised SystemExit: 3"),
        (KeyboardInterrupt(), "raised KeyboardInterrupt"),
        (GeneratorExit(), "raised GeneratorExit"),
        (StopIteration(5), "raised StopIteration: 5"),
    ],
)
def test_whatever_a_bot_raises_is_its_end(error: BaseException, how: str) -> None:
    found = reply(raises(error))
    assert isinstance(found, Gone)
    assert found.how == how


def test_recursion_without_end_is_its_end_too() -> None:
    def bid() -> Any:
        return bid()

    found = reply(bid)
    assert isinstance(found, Gone)
    assert found.how.startswith("raised RecursionError")


def test_a_bot_that_has_raised_is_not_called_again_and_its_traceback_is_kept() -> None:
    calls: list[int] = []

    class Fragile(Steady):
        def bid(self, request: Message) -> Any:
            calls.append(1)
            raise ValueError("no such suit")

    seat = seated(Fragile)
    found = [run_unsuspended(seat.ask(REQUEST)) for _ in range(2)]
    assert [type(one) for one in found] == [Gone, Gone]
    assert calls == [1]
    assert 'raise ValueError("no such suit")' in seat.report().stderr


def test_an_error_in_a_notice_is_found_out_when_the_bot_is_next_asked() -> None:
    class Fragile(Steady):
        def hand_start(self, notice: Message) -> None:
            raise ValueError(notice.hand_no)

    seat = seated(Fragile)
    run_unsuspended(seat.tell(HandStart(RULES, 1, 0, no_points(RULES))))
    found = run_unsuspended(seat.ask(REQUEST))
    assert isinstance(found, Gone)
    assert found.how == "raised ValueError: 1"


@pytest.mark.skipif(sys.platform == "win32", reason="a process on Windows cannot send itself Ctrl-C alone")
def test_ctrl_c_is_no_bot_s_doing() -> None:
    """PL-19."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            reply(lambda: signal.raise_signal(signal.SIGINT))
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="a process on Windows cannot send itself Ctrl-C alone")
async def test_ctrl_c_is_no_bot_s_doing_under_the_event_loop_either() -> None:
    """PL-19."""
    with pytest.raises(KeyboardInterrupt):
        await seated(bidding(lambda: signal.raise_signal(signal.SIGINT))).ask(REQUEST)


def test_a_bot_that_cannot_be_made_or_is_none_fails_its_start() -> None:
    factories: list[Any] = [raises(OSError("no weights")), object, Bot]
    for factory in factories:
        failed = run_unsuspended(LocalSeat(factory).start(START))
        assert isinstance(failed, Gone)
        assert failed.how.startswith("raised ")


def test_a_name_that_no_plugin_registers_fails_its_start() -> None:
    failed = run_unsuspended(local_seat(Plugin("threes", in_process=True), {}).start(START))
    assert isinstance(failed, Gone)
    assert "'threes'" in failed.how


def test_a_process_cannot_sit_at_a_table_without_an_event_loop() -> None:
    players = (Player("a", Command(("a",), "/")), *[Player("b", Plugin("b", in_process=True))] * 3)
    spec = MatchSpec("", 1, RULES, a_spec().format, b"", 0, 0, players)
    with pytest.raises(ValueError, match="open_table"):
        local_table(spec, {})
