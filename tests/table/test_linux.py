"""Bots on Linux: who stands still and who doesn't, on which processors, with how much of them; and nobody blocks."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.game.view import view
from spades_harness.table import conversation, cores
from spades_harness.table.bounds import Custody, Limits, Resources
from spades_harness.table.conversation import Nothing, RemoteSeat
from spades_harness.table.judge import CROWDED, KEPT, is_suspect, suspicion
from spades_harness.table.keeping import THREADS, keeping_of
from spades_harness.table.launchers import UNENCLOSED
from spades_harness.table.linux import TURN, LinuxBot
from spades_harness.table.match import (
    Answer,
    Command,
    Fault,
    FaultKind,
    Gone,
    HandStart,
    MatchSpec,
    MatchStart,
    Player,
    Reply,
    Request,
    Silent,
    Started,
)
from spades_harness.table.queueing import is_told
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.seating import open_table
from spades_harness.table.seats import Seat

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has what is tested here")

RULES = Rules(blind_nil=False)
PATIENT = Limits(start=60, move=60, bank=3600)
GUARD = 60
HAND = deal_hand(RULES, bytes(32), 0, 0, no_points(RULES))
assert not HAND.over
VIEW = view(HAND)
BOT = """
import json, os, sys, threading
def say(**message): print(json.dumps(message), flush=True)
def tell(*words): print(*words, file=sys.stderr, flush=True)
def hear():
    for line in sys.stdin:
        message = json.loads(line)
        match message["type"]:
            case "hello": say(type="hello", protocol=1)
            case "match_start": say(id=message["id"], ready=True)
            case "bid" | "play" as kind:
                before(message)
                say(id=message["id"], **{"bid" if kind == "bid" else "card": message["legal"][0]})
                after(message)
def before(message): pass
def after(message): pass
"""


def bot(*lines: str, env: tuple[tuple[str, str], ...] = ()) -> Command:
    """A bot that bids the least, with these lines of its own."""
    return Command(("{python}", "-c", "\n".join([BOT, *lines, "hear()"])), str(Path(__file__).parent), env)


def spec(*players: Player, custody: Custody | None = None, limits: Limits = PATIENT) -> MatchSpec:
    """A short match of these."""
    return MatchSpec("id", 1, RULES, Boards(4), bytes(32), 0, 0, players, limits, custody=custody or Custody())


@asynccontextmanager
async def seated(
    player: Player, custody: Custody | None = None, limits: Limits = PATIENT
) -> AsyncIterator[tuple[Seat, bytearray]]:
    """A bot that is ready, and what it has written to its standard error so far."""
    heard = bytearray()
    with trio.fail_after(GUARD):
        match = spec(*[player] * 4, custody=custody, limits=limits)
        async with open_table(match, hear=lambda seat, data: heard.extend(data)) as table:
            started = await table[0].start(MatchStart("tag", 0, RULES, PATIENT, (), "00"))
            assert isinstance(started, Started), started
            yield table[0], heard


async def until(heard: bytearray, words: bytes) -> None:
    """Until a bot has said this on its standard error."""
    with trio.fail_after(GUARD):
        while words not in heard:
            await trio.lowlevel.checkpoint()


async def ask(seat: Seat) -> Reply:
    return await seat.ask(Request(VIEW, 60, 3600))


def state(pid: int) -> str:
    """The state of a process, by the letter that the kernel has for it."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


async def stands_still(pid: int) -> None:
    """Until a process has stopped, which it does when it gets its next turn."""
    with trio.fail_after(GUARD):
        while state(pid) != "T":
            await trio.lowlevel.checkpoint()


def told(heard: bytearray, name: str) -> str:
    """What a bot said of itself under this name."""
    return next(line.split(None, 1)[1] for line in heard.decode().splitlines() if line.startswith(name))


# ------------------------------------------------------------------------------------------------------ standing still

PID = "tell('pid', os.getpid())"


async def test_a_bot_that_is_not_asked_stands_still_from_ready_on_and_runs_when_asked() -> None:
    async with seated(Player("a", bot(PID))) as (seat, heard):
        await until(heard, b"pid")
        pid = int(told(heard, "pid"))
        await stands_still(pid)
        assert isinstance(await ask(seat), Answer)
        await stands_still(pid)


async def test_a_bot_that_could_not_be_started_stands_still_while_the_match_goes_on_without_it() -> None:
    """What it does from then on would be at the cost of whoever is asked."""
    heard = bytearray()
    spins = bot(PID, "say(type='hello', protocol=99)", "while True: pass")
    with trio.fail_after(GUARD):
        async with open_table(spec(*[Player("a", spins)] * 4), hear=lambda seat, data: heard.extend(data)) as table:
            assert not isinstance(await table[0].start(MatchStart("tag", 0, RULES, PATIENT, (), "00")), Started)
            await until(heard, b"pid")
            await stands_still(int(told(heard, "pid")))


async def test_a_helper_of_its_group_stands_still_with_it() -> None:
    helper = "import subprocess; child = subprocess.Popen(['sleep', '600']); tell('child', child.pid)"
    async with seated(Player("a", bot(helper))) as (seat, heard):
        await until(heard, b"child")
        await stands_still(int(told(heard, "child")))
        assert isinstance(await ask(seat), Answer)


@pytest.mark.parametrize(("waits", "custody"), [(True, Custody()), (False, Custody(ponder=True))])
async def test_a_bot_that_waits_or_may_ponder_is_never_made_to_stand_still(waits: bool, custody: Custody) -> None:
    ponders = "after = lambda message: tell('thought on')"
    async with seated(Player("a", bot(ponders), waits=waits), custody) as (seat, heard):
        await ask(seat)
        await until(heard, b"thought on")  # what it says after its answer, it says while nobody asks it
        assert b"thought on" in heard


async def test_notices_wait_for_a_bot_that_stands_still_and_it_may_read_when_its_pipe_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """PL-07 the other way round: what the harness says fills no pipe for good, however slowly it is read."""
    monkeypatch.setattr(conversation, "TELL_LIMIT", GUARD)
    async with seated(Player("a", bot())) as (seat, _):
        notice = HandStart(Rules(hand_cap=9), 1, 0, no_points(RULES))
        for _ in range(3000):
            await seat.tell(notice)
        assert isinstance(await ask(seat), Answer)


async def test_a_death_while_standing_still_is_found_out_when_next_asked() -> None:
    async with seated(Player("a", bot(PID))) as (seat, heard):
        await until(heard, b"pid")
        os.kill(int(told(heard, "pid")), 9)
        found = await ask(seat)
    assert isinstance(found, Gone)
    assert found.how == "was killed by SIGKILL"


async def test_a_bot_that_stands_still_has_its_time_to_end() -> None:
    tidies = "import atexit; atexit.register(tell, 'all is tidy')"
    async with seated(Player("a", bot(tidies)), limits=replace(PATIENT, shutdown=60)) as (_, heard):
        pass
    assert b"all is tidy" in heard


# ---------------------------------------------------------------------------------------------------------------- pipes


async def test_what_a_bot_writes_beside_its_answers_never_blocks_it() -> None:
    """PL-07: 90 kB of blank lines after an answer, more than a pipe holds, and then 300 kB on standard error."""
    chatty = "after = lambda message: ([print(' ' * 999, flush=True) for _ in range(90)], tell('x' * 300_000, 'done'))"
    async with seated(Player("a", bot(chatty), waits=True)) as (seat, heard):
        first = await ask(seat)
        await until(heard, b"done")
        second = await ask(seat)
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)


# ----------------------------------------------------------------------------------------------------------- processors


@pytest.fixture
def one_core() -> object:
    """This thread on a single processor, as in a lane."""
    cores.keep_to(min(cores.EVERYWHERE))
    yield
    cores.keep_to(None)


CORES = "tell('cores', json.dumps(sorted(os.sched_getaffinity(0))))"


async def test_a_bot_runs_on_its_lanes_processor(one_core: object) -> None:
    async with seated(Player("a", bot(CORES))) as (seat, heard):
        await until(heard, b"]")
        assert isinstance(await ask(seat), Answer)
        assert json.loads(told(heard, "cores")) == [min(cores.EVERYWHERE)]


# ------------------------------------------------------------------------------------------------ who stood in line

SHORT = Request(VIEW, 0.5, 3600)
"""Time enough to begin to count, and for a bot on a crowded processor to stand in line for most of it."""
SPINS = "def spin():\n  while True: pass\n"


@pytest.fixture
def crowd() -> Iterator[None]:
    """Three processes that never rest, on the processor that this thread is kept to."""
    cores.keep_to(min(cores.allowed()))
    others = [subprocess.Popen([sys.executable, "-c", SPINS + "spin()"]) for _ in range(3)]
    yield
    for other in others:
        other.kill()
        other.wait()
    cores.keep_to(None)


async def silence(*lines: str) -> Fault:
    """The fault of a bot that gives no answer in time, to a harness that was in time, on a crowded machine."""
    async with seated(Player("a", bot(*lines))) as (seat, _):
        found = await seat.ask(SHORT)
    assert isinstance(found, Silent)
    how, elapsed = found.circumstances, found.elapsed + found.circumstances.delay
    how = how._replace(delay=0.0, load=CROWDED)
    return Fault(FaultKind.TIMEOUT, 0, 1, 0, "bid", "late", "", elapsed, circumstances=how)


@pytest.mark.skipif(not is_told(), reason="this kernel does not count who stands in line")
async def test_a_bot_that_others_kept_from_a_processor_may_not_be_at_fault(crowd: None) -> None:
    thinks = SPINS + "before = lambda message: message['type'] == 'bid' and spin()"
    fault = await silence(thinks)
    assert fault.circumstances.waited is not None
    assert fault.circumstances.waited > fault.circumstances.cpu / 2
    assert suspicion(fault).startswith("the bot stood in line for a processor for ")


@pytest.mark.skipif(not is_told(), reason="this kernel does not count who stands in line")
async def test_a_bot_that_sleeps_is_at_fault_however_crowded_the_machine_is(crowd: None) -> None:
    """A sleeper wants no processor; going by the load alone, it would have had an excuse."""
    fault = await silence("import time\nbefore = lambda message: time.sleep(60)")
    assert fault.circumstances.waited == pytest.approx(0, abs=KEPT * fault.elapsed / 2)
    assert not is_suspect(fault)


async def test_what_helpers_used_that_it_started_since_it_was_asked_is_the_bots_own() -> None:
    """So it can't get into its own way, and have that for an excuse."""
    helper = "import time\ndef helper():\n  while time.process_time() < 0.1: pass\n  tell('burnt')\n  time.sleep(60)\n"
    starts = "def before(message):\n  if message['type'] == 'bid':\n    os.fork() or helper()\n    time.sleep(60)\n"
    async with seated(Player("a", bot(helper + starts))) as (seat, heard), trio.open_nursery() as nursery:
        assert isinstance(seat, RemoteSeat)
        nursery.start_soon(ask, seat)
        await until(heard, b"burnt")
        assert seat._bot.waited() is not None or not is_told()
        assert seat._bot.cpu() >= 0.1
        nursery.cancel_scope.cancel()


async def test_a_bot_that_waits_is_kept_to_no_processor(one_core: object) -> None:
    async with seated(Player("a", bot(CORES), waits=True)) as (_, heard):
        await until(heard, b"]")
        assert frozenset(json.loads(told(heard, "cores"))) == cores.EVERYWHERE
        assert cores.allowed() == {min(cores.EVERYWHERE)}


@pytest.mark.parametrize("granted", [1, 3])
async def test_libraries_are_told_how_many_processors_are_theirs(granted: int) -> None:
    says = "tell('threads', json.dumps([os.environ[name] for name in " + repr(THREADS) + "]))"
    async with seated(Player("a", bot(says)), Custody(resources=Resources(cores=granted))) as (_, heard):
        await until(heard, b"]")
        assert json.loads(told(heard, "threads")) == [str(granted)] * len(THREADS)


async def test_what_a_bots_own_entry_says_of_threads_comes_first() -> None:
    says = "tell('threads', json.dumps([os.environ['OMP_NUM_THREADS']]))"
    async with seated(Player("a", bot(says, env=(("OMP_NUM_THREADS", "2"),)))) as (_, heard):
        await until(heard, b"]")
        assert json.loads(told(heard, "threads")) == ["2"]


async def test_processor_time_is_told_for_each_decision_and_for_the_whole_match() -> None:
    """Of a bot that burns 20 ms of it for each answer, whoever else wants the processor meanwhile."""
    burns = (
        "import time\ndef before(message):\n  end = time.process_time() + 0.02\n  while time.process_time() < end: pass"
    )
    with trio.fail_after(GUARD):
        match = spec(Player("a", bot(burns)), *[Player("b", bot())] * 3)
        async with open_table(match) as table:
            record = await play_match(match, table)
    record = with_reports(record, table)
    slow = [decision.cpu for decision in record.decisions if decision.seat == 0]
    quick = [decision.cpu for decision in record.decisions if decision.seat == 1]
    assert min(slow) >= 0.02
    assert sorted(quick)[len(quick) // 2] < 0.02
    assert record.bots[0].cpu >= sum(slow)


def test_a_bot_that_waits_is_kept_neither_still_nor_in_its_place() -> None:
    waiting = Player("a", bot(), waits=True)
    keeping = keeping_of(waiting, spec(waiting), UNENCLOSED)
    assert (keeping.still, keeping.roams) == (False, True)


async def test_lines_that_nobody_waited_for_make_no_later_answer_a_silence() -> None:
    """Lines that the reader found between two requests are old news when the next answer takes its time."""
    late = "import time\nbefore = lambda message: time.sleep(0.02)\n"
    late += "after = lambda message: (print('{\"id\":1}', flush=True), tell('said'))"
    async with seated(Player("a", bot(late), waits=True)) as (seat, heard):
        for _ in range(5):
            heard.clear()
            assert isinstance(await ask(seat), Answer)
            await until(heard, b"said")


@pytest.mark.parametrize(("left", "looks"), [(TURN / 1000 / 2, []), (1.0, [TURN])])
async def test_nobody_looks_for_an_answer_beyond_its_deadline(
    autojump_clock: MockClock, left: float, looks: list[int]
) -> None:
    """However many lines a bot writes beside it: after each of them it is looked for once more."""
    async with trio.open_nursery() as nursery:
        chatty = LinuxBot(bot(), nursery, lambda data: None)
        looked: list[int] = []
        chatty._wait = looked.append
        assert await chatty.next_line(trio.current_time() + left) == Nothing()
    assert looked == looks


def opened(pid: int) -> int:
    """A descriptor that can be read when a process has ended."""
    if sys.platform == "linux":
        return os.pidfd_open(pid)
    raise NotImplementedError


HARNESS = """
import sys, trio
from spades_harness.table.match import MatchStart
from spades_harness.table.seating import open_table
from tests.table.test_linux import PATIENT, PID, RULES, Player, bot, spec

async def main():
    match = spec(*[Player("a", bot(PID))] * 4)
    async with open_table(match, hear=lambda seat, data: print(data.decode(), end="", flush=True)) as table:
        await table[0].start(MatchStart("tag", 0, RULES, PATIENT, (), "00"))
        await trio.sleep_forever()

trio.run(main)
"""


def test_a_bot_that_stands_still_ends_when_the_harness_is_killed() -> None:
    """PL-01: the system itself wakes up and hangs up a group that stands still when nobody is left to wake it up."""
    root = str(Path(__file__).parents[2])
    harness = subprocess.Popen(
        [sys.executable, "-c", HARNESS], stdout=subprocess.PIPE, cwd=root, start_new_session=True, text=True
    )
    try:
        assert harness.stdout
        pid = int(harness.stdout.readline().split()[1])
        handle = opened(pid)
    finally:
        harness.kill()
        harness.communicate()
    with os.fdopen(handle):
        assert select.select([handle], [], [], GUARD)[0]
