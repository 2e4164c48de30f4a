"""Real processes with real faults: the zoo's bots at the table, and nothing of them left afterwards."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.game.view import view
from spades_harness.table import seating
from spades_harness.table.bounds import Limits
from spades_harness.table.conversation import RemoteSeat, Sent
from spades_harness.table.keeping import Excerpt
from spades_harness.table.launch import how_it_exited
from spades_harness.table.match import (
    Answer,
    BotReport,
    Command,
    Failure,
    Fault,
    FaultKind,
    FaultPolicy,
    Forfeit,
    Garbled,
    Gone,
    HandStart,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Player,
    Reply,
    Request,
    Silent,
    Started,
    Substitute,
)
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.seating import Hear, open_table

from .transports import TRANSPORTS

ZOO = str(Path(__file__).parents[1] / "zoo")
RULES = Rules(blind_nil=False)
PATIENT = Limits(start=60, move=60, bank=3600)
"""For bots that answer: no busy machine may come near them."""
BRIEF = 0.25
"""Seconds for bots that do not answer."""
GUARD = 60
"""Seconds until a test that hangs says so."""
HAND = deal_hand(RULES, bytes(32), 0, 0, no_points(RULES))
assert not HAND.over
VIEW = view(HAND)


def zoo(*flags: str, env: tuple[tuple[str, str], ...] = ()) -> Command:
    """A bot of the zoo."""
    return Command(("{python}", "zoo.py", *flags), ZOO, env)


@pytest.fixture(autouse=True, params=list(TRANSPORTS.values()), ids=list(TRANSPORTS))
def transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything here holds for each of the ways in which a bot can be a process on this system."""
    monkeypatch.setattr(seating, "transport", lambda: request.param)


@asynccontextmanager
async def at_table(
    launch: Command, limits: Limits = PATIENT, hear: Hear = lambda _seat, _data: None
) -> AsyncIterator[tuple[RemoteSeat, Started | Failure]]:
    """A bot alone, and how it started; when the block is left it has ended."""
    with trio.fail_after(GUARD):
        async with trio.open_nursery() as nursery:
            seat = RemoteSeat(seating.transport()(launch, nursery, partial(hear, 0)), trio.current_time)
            started = await seat.start(MatchStart("tag", 0, RULES, limits, (), "00"))
            try:
                yield seat, started
            finally:
                with trio.CancelScope(shield=True):
                    await seat.close()


async def start(launch: Command, limits: Limits = PATIENT) -> tuple[Started | Failure, BotReport]:
    """How a bot starts, and what it left behind."""
    async with at_table(launch, limits) as (seat, started):
        pass
    return started, seat.report()


async def replies(launch: Command, *seconds: float) -> tuple[list[Reply], BotReport]:
    """A bot's replies to requests with these limits, and what it left behind."""
    async with at_table(launch) as (seat, started):
        assert isinstance(started, Started), started
        found = [await seat.ask(Request(VIEW, limit, 3600)) for limit in seconds]
    return found, seat.report()


def spec(*players: Command, faults: FaultPolicy | None = None) -> MatchSpec:
    """A short match of these bots."""
    seated = tuple(Player(f"player {seat}", launch) for seat, launch in enumerate(players))
    return MatchSpec("id", 1, RULES, Boards(4), bytes(32), 0, 0, seated, PATIENT, faults or Forfeit())


async def play(match: MatchSpec) -> MatchRecord:
    """The record of a match with real processes."""
    with trio.fail_after(GUARD):
        async with open_table(match) as table:
            record = await play_match(match, table)
    return with_reports(record, table)


def answers(*found: Reply) -> bool:
    return all(isinstance(reply, Answer) for reply in found)


def ends(pid: int) -> bool:
    """Whether a process has ended, or does within the guard: the system needs a moment for what was killed."""
    if sys.platform != "linux":
        pytest.skip("only Linux tells of the end of a process that is nobody's child")
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    with os.fdopen(handle):
        return bool(select.select([handle], [], [], GUARD)[0])


def child_in(stderr: str) -> int:
    """The process that `--fork` left."""
    return int(stderr.split()[1])


# ------------------------------------------------------------------------------------------------------------- honest


async def test_four_honest_bots_play_a_match_without_a_fault() -> None:
    record = await play(spec(*[zoo()] * 4))
    assert record.faults == ()
    assert len(record.hands) == 4
    assert [report.name for report in record.bots] == ["zoo"] * 4
    assert all(report.start > 0 and report.thinking > 0 for report in record.bots)


@pytest.mark.parametrize("habit", [["--crlf"], ["--blank-lines", "3"], ["--old-id"], ["--stderr-flood"]])
async def test_habits_that_are_no_faults(habit: list[str]) -> None:
    """PF-04, PF-16, PF-17, PL-07."""
    found, report = await replies(zoo(*habit), 60, 60, 60)
    assert answers(*found)
    assert len(report.stderr) < 25_000


async def test_the_last_of_standard_error_is_kept() -> None:
    """PL-07."""
    _, report = await replies(zoo("--stderr-flood", "--crash-at", "3"), 60, 60, 60)
    assert report.stderr.startswith("x" * 1000)
    assert report.stderr.endswith("x" * 1000 + "\n")
    assert " bytes …]" in report.stderr


async def test_a_forgotten_flush_does_no_harm_to_a_python_bot() -> None:
    """PF-02: the child is started with PYTHONUNBUFFERED, whatever the harness's own environment says."""
    prints = "import sys, json\nfor line in sys.stdin:\n  m = json.loads(line)\n"
    prints += "  if m['type'] == 'hello': print(json.dumps({'type': 'hello', 'protocol': 1}))\n"
    prints += "  if m['type'] == 'match_start': print(json.dumps({'id': 1, 'ready': True}))\n"
    prints += "  if m['type'] == 'bid': print(json.dumps({'id': m['id'], 'bid': 3}))"
    found, _ = await replies(Command(("{python}", "-c", prints), ZOO), 60)
    assert answers(*found)


async def test_an_answer_that_is_never_flushed_is_a_timeout_in_time() -> None:
    """PF-02."""
    found, _ = await replies(zoo("--no-flush"), BRIEF)
    assert found == [Silent(BRIEF)]


async def test_whatever_a_bot_calls_itself_the_seat_is_its_identity() -> None:
    """PF-25."""
    record = await play(spec(zoo("--wrong-name", "--crash-at", "1"), zoo(), zoo(), zoo()))
    assert record.bots[0].name == "somebody else"
    assert [fault.seat for fault in record.faults] == [0]
    assert record.result
    assert record.result.forfeits == (0,)


# ---------------------------------------------------------------------------------------------------------- the start


async def test_an_interpreter_that_is_not_found_is_one_line_with_the_cure() -> None:
    started, _ = await start(Command(("no-such-python", "bot.py"), ZOO))
    assert isinstance(started, Gone)
    assert started.how.startswith("cannot start 'no-such-python': no such program on the PATH")
    assert "{python}" in started.how
    assert "\n" not in started.how


async def test_a_bot_that_exits_at_the_start_is_gone_and_its_last_words_are_kept() -> None:
    """PL-10."""
    started, report = await start(zoo("--exit-at-start"))
    assert isinstance(started, Gone)
    assert started.how == "exited with code 4 before it was ready"
    assert report.stderr == "the weights are missing\n"


async def test_the_very_last_words_are_kept_however_many_came_before() -> None:
    last = "import sys; sys.stderr.write('x' * 60_000 + ' the end'); sys.exit(4)"
    _, report = await start(Command(("{python}", "-c", last), ZOO))
    assert report.stderr.endswith("x the end")


@pytest.mark.parametrize("habit", ["--never-hello", "--never-ready"])
async def test_a_bot_that_says_nothing_at_the_start_is_silent(habit: str) -> None:
    started, _ = await start(zoo(habit), Limits(start=BRIEF))
    assert started == Silent(BRIEF)


async def test_a_bot_with_room_in_its_pipe_is_sent_what_comes_too_late() -> None:
    """Else a busy machine would make it one that doesn't read."""
    async with trio.open_nursery() as nursery:
        bot = seating.transport()(zoo(), nursery, lambda data: None)
        assert await bot.start() is None
        sent = await bot.send(b"\n", trio.current_time() - 1)
        await bot.kill()
    assert sent is Sent.DONE


async def test_a_bot_of_another_protocol_or_that_cannot_play_says_so() -> None:
    started, _ = await start(zoo("--protocol", "2"))
    assert isinstance(started, Garbled)
    assert started.problem == "it speaks protocol 2, this harness speaks 1"
    started, _ = await start(zoo("--refuse"))
    assert isinstance(started, Gone)
    assert started.how == "gave up: these rules are beyond me before it was ready"


# ------------------------------------------------------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("habit", "kind"),
    [
        (["--babble"], FaultKind.MALFORMED),
        (["--two-objects"], FaultKind.MALFORMED),
        (["--endless-at", "1"], FaultKind.MALFORMED),
        (["--blank-lines", "2000"], FaultKind.MALFORMED),
        (["--say-at", "1", "[]"], FaultKind.MALFORMED),
        (["--string-id"], FaultKind.PROTOCOL),
        (["--no-id"], FaultKind.PROTOCOL),
    ],
)
async def test_garbage_is_a_fault_at_once(habit: list[str], kind: FaultKind) -> None:
    """PF-01, PF-07, PF-16, PF-17, PF-22, PF-23: the limit is a minute, and nobody waits for it."""
    (garbled,), _ = await replies(zoo(*habit), 60)
    assert isinstance(garbled, Garbled)
    assert garbled.kind is kind


@pytest.mark.parametrize("habit", [["--hang-at", "1"], ["--half-line-at", "1"]])
async def test_a_bot_that_does_not_end_its_line_is_silent_until_the_limit(habit: list[str]) -> None:
    """TM-02, PF-18."""
    (silent,), _ = await replies(zoo(*habit), BRIEF)
    assert isinstance(silent, Silent)
    assert silent.elapsed == BRIEF


async def test_a_late_answer_is_never_taken_for_the_next_one() -> None:
    """TM-01."""
    found, report = await replies(zoo("--late-at", "2"), 60, BRIEF, 60, 60)
    assert answers(found[0], found[2], found[3])
    assert found[1] == Silent(BRIEF)
    assert report.dropped == 1


async def test_answers_to_requests_that_were_not_made_yet_are_thrown_away() -> None:
    """PF-15: the numbers are easy to guess, the guesses come too early."""
    said = trio.Event()
    async with at_table(zoo("--early", "--hang-at", "1"), hear=lambda _seat, _data: said.set()) as (seat, _):
        await said.wait()
        first = await seat.ask(Request(VIEW, BRIEF, 60))
    assert isinstance(first, Silent)
    assert seat.report().dropped == 59


@pytest.mark.parametrize(
    ("habit", "how"),
    [
        (["--crash-at", "2"], "exited with code 3"),
        (["--crash-after", "1"], "exited with code 0"),
        (["--close-output-at", "2"], "closed its standard output"),
        (["--close-input-at", "1"], "closed its standard input"),
    ],
)
async def test_a_bot_that_is_gone_says_how(habit: list[str], how: str) -> None:
    """PL-05, PL-09: also if it went between two requests."""
    (first, second), _ = await replies(zoo(*habit), 60, 60)
    assert answers(first)
    assert isinstance(second, Gone)
    assert second.how == how


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals on Windows")
async def test_death_by_a_signal_is_told_by_its_name_and_half_a_line_is_shown() -> None:
    """PL-09, PL-14, PF-18."""
    (gone,), _ = await replies(zoo("--segfault-at", "1"), 60)
    assert isinstance(gone, Gone)
    assert gone.how == "was killed by SIGSEGV"
    (gone,), _ = await replies(zoo("--abort-in-line-at", "1"), 60)
    assert isinstance(gone, Gone)
    assert gone.how.startswith('was killed by SIGABRT, in the middle of a line: {"id": 2,')


async def test_a_bot_that_never_reads_holds_up_nobody_and_is_found_out() -> None:
    async with at_table(zoo("--never-read")) as (seat, _):
        notice = HandStart(Rules(hand_cap=9), 1, 0, no_points(RULES))
        for _ in range(1500):
            await seat.tell(notice)
        found = await seat.ask(Request(VIEW, 60, 60))
    assert isinstance(found, Gone)
    assert found.how == "did not read its standard input until the pipe was full"


# --------------------------------------------------------------------------------------------------- what a match makes


async def test_a_substitute_plays_on_for_a_bot_that_died() -> None:
    record = await play(spec(zoo("--crash-at", "3"), zoo(), zoo(), zoo(), faults=Substitute(1)))
    assert [(fault.kind, fault.seat) for fault in record.faults] == [(FaultKind.CRASH, 0)]
    assert len(record.hands) == 4


async def test_both_sides_dying_in_the_same_trick_end_alike_each_time() -> None:
    """PL-15: who is asked first is found out first."""
    match = spec(zoo("--crash-at", "3"), zoo("--crash-at", "3"), zoo(), zoo())
    results = [(await play(match)).result for _ in range(3)]
    assert len(set(results)) == 1


async def test_a_fault_is_recorded_with_the_last_words_and_the_request() -> None:
    record = await play(spec(zoo(), zoo("--illegal-at", "2"), zoo(), zoo()))
    (fault,) = record.faults
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.seat, fault.asked) == (FaultKind.ILLEGAL, 1, "play")
    assert '"type":"play"' in fault.request


# ------------------------------------------------------------------------------------------------------------ lifetimes


@pytest.mark.parametrize("habits", [[], ["--ignore-sigterm"], ["--crash-at", "1"], ["--hang-at", "1"]])
async def test_no_process_of_a_bots_group_outlives_the_table(habits: list[str]) -> None:
    """PL-01, PL-03."""
    _, report = await replies(zoo("--fork", *habits), BRIEF)
    assert ends(child_in(report.stderr))


async def test_a_child_that_left_the_group_and_holds_the_pipes_holds_up_nobody() -> None:
    leaver = "import subprocess, sys; hold = 'import threading; threading.Event().wait()'; "
    leaver += "child = subprocess.Popen([sys.executable, '-c', hold], start_new_session=True); "
    leaver += "print('child', child.pid, file=sys.stderr, flush=True); sys.exit(7)"
    started, report = await start(Command(("{python}", "-c", leaver), ZOO))
    os.kill(child_in(report.stderr), signal.SIGTERM)
    assert isinstance(started, Gone)
    assert started.how == "exited with code 7 before it was ready"


async def test_a_table_that_is_cancelled_leaves_no_process_and_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PL-01."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    errors: list[bytes] = []
    match = spec(*[zoo("--fork", "--hang-at", "1")] * 4)
    with trio.fail_after(GUARD):
        async with trio.open_nursery() as nursery:
            scope = trio.CancelScope()
            asked = trio.Event()

            async def run() -> None:
                with scope:
                    async with open_table(match, hear=lambda _, data: errors.append(data)) as table:
                        for seat in table:
                            await seat.start(MatchStart("tag", 0, RULES, PATIENT, (), "00"))
                        asked.set()
                        await table[0].ask(Request(VIEW, 60, 60))

            nursery.start_soon(run)
            await asked.wait()
            scope.cancel()
    children = [child_in(line) for line in b"".join(errors).decode().splitlines()]
    assert len(children) == 4
    assert all(ends(child) for child in children)
    assert os.listdir(tmp_path) == []  # noqa: PTH208


IDLE = Command(("{python}", "-c", "import threading; threading.Event().wait()"), ZOO)
"""A bot that lives on whatever becomes of its pipes."""


def start_and_leave(scope: trio.CancelScope) -> None:
    """Start a bot at a table that is then left, in a run of its own."""

    async def run() -> None:
        with trio.fail_after(GUARD), scope:
            async with open_table(spec(*[IDLE] * 4)) as table:
                await table[0].start(MatchStart("tag", 0, RULES, PATIENT, (), "00"))

    trio.run(run)


def reaped(process: subprocess.Popen[bytes]) -> bool:
    """Whether the table has ended a process; if not, it is ended here."""
    if process.returncode is not None:
        return True
    process.kill()
    process.wait()
    return False


def when_opened(then: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[bytes]]:
    """The processes that will have been started; `then` is called as soon as one is there, and nobody knows it yet."""
    opened: list[subprocess.Popen[bytes]] = []
    really_open = subprocess.Popen

    def open_and_then(*args: Any, **options: Any) -> subprocess.Popen[bytes]:
        opened.append(really_open(*args, **options))
        then()
        return opened[-1]

    monkeypatch.setattr(subprocess, "Popen", open_and_then)
    return opened


def test_ctrl_c_just_when_a_bot_has_started_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """PL-01."""
    opened = when_opened(lambda: signal.raise_signal(signal.SIGINT), monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        start_and_leave(trio.CancelScope())
    assert [reaped(process) for process in opened] == [True]


def test_a_cancellation_while_a_bot_is_started_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """PL-01."""
    scope = trio.CancelScope()

    def cancel() -> None:
        if trio.lowlevel.in_trio_task():
            scope.cancel()
        else:
            trio.from_thread.run_sync(scope.cancel)

    opened = when_opened(cancel, monkeypatch)
    start_and_leave(scope)
    assert scope.cancelled_caught
    assert [reaped(process) for process in opened] == [True]


async def test_what_the_block_raises_comes_out_as_it_is() -> None:
    async def run() -> None:
        async with open_table(spec(*[zoo()] * 4)) as table:
            await table[0].start(MatchStart("tag", 0, RULES, PATIENT, (), "00"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await run()


async def test_a_table_where_nobody_was_started_closes() -> None:
    async with open_table(spec(*[zoo()] * 4)) as table:
        pass
    assert [seat.report() for seat in table] == [BotReport()] * 4


# --------------------------------------------------------------------------------------------------------- small parts


@pytest.mark.parametrize(
    ("code", "words"), [(0, "exited with code 0"), (3221225501, "exited with code 3221225501 (0xC000001D)")]
)
def test_exit_codes_in_words(code: int, words: str) -> None:
    assert how_it_exited(code) == words


@pytest.mark.skipif(sys.platform == "win32", reason="there are no signals on Windows")
def test_signals_in_words() -> None:
    assert how_it_exited(-signal.SIGTERM) == "was killed by SIGTERM"
    assert how_it_exited(-99) == "was killed by signal 99"


def test_an_excerpt_keeps_the_beginning_and_the_end() -> None:
    excerpt = Excerpt(head=4, tail=4)
    for piece in (b"ab", b"cdef", b"", b"ghijkl"):
        excerpt.feed(piece)
    assert excerpt.text() == "abcd\n[… 4 bytes …]\nijkl"
    short = Excerpt(head=4, tail=4)
    short.feed(b"abcdefgh")
    assert short.text() == "abcdefgh"
