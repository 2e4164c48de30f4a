"""Real bots held to what they may use: honest runtimes play within it, and who goes beyond is told so and ended."""

from __future__ import annotations

import math
import shutil
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.table import process, seating, watch
from spades_harness.table.bounds import GRACE, Custody, Limits, Overrun, Resources
from spades_harness.table.bubblewrap import Bubblewrap
from spades_harness.table.launchers import UNENCLOSED, Launcher
from spades_harness.table.match import Command, FaultKind, MatchRecord, MatchSpec, Player, Substitute
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.seating import open_table

from .boxes import demand_boxes
from .transports import TRANSPORTS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can hold bots to bounds")

RULES = Rules(blind_nil=False)
PATIENT = Limits(start=60, move=60, bank=3600)
"""For bots that answer: no busy machine may come near them."""
GUARD = 120
"""Seconds until a test that hangs says so."""
DULL = Command(("{python}", "zoo.py"), str(Path(__file__).parents[1] / "zoo"))
PYTHON = """
import json, os, signal, subprocess, sys, threading, time
def choose(m): return {"id": m["id"], "card" if m["type"] == "play" else "bid": m["legal"][0]}
def act(m): pass
START
print('{"type":"hello","protocol":1}', flush=True)
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "match_start": print(json.dumps({"id": m["id"], "ready": True}), flush=True)
    if m["type"] in ("bid", "play"):
        act(m)
        print(json.dumps(choose(m)), flush=True)
"""
"""A bot that knows no SDK; START stands for what makes it special."""
NODE = """
const out = (o) => process.stdout.write(JSON.stringify(o) + "\\n");
out({type: "hello", protocol: 1});
require("readline").createInterface({input: process.stdin}).on("line", (line) => {
  const m = JSON.parse(line);
  if (m.type === "match_start") out({id: m.id, ready: true});
  if (m.type === "bid") out({id: m.id, bid: m.legal[0]});
  if (m.type === "play") out({id: m.id, card: m.legal[0]});
});
"""
JAVA = """
import java.io.*;
import java.util.regex.*;
public class Bot {
  static String find(String line, String pattern) {
    Matcher m = Pattern.compile(pattern).matcher(line);
    return m.find() ? m.group(1) : null;
  }
  public static void main(String[] args) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    System.out.println("{\\"type\\":\\"hello\\",\\"protocol\\":1}");
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String type = find(line, "^\\\\{\\"type\\":\\"(\\\\w+)\\""), id = find(line, "\\"id\\":(\\\\d+)");
      String first = find(line, "\\"legal\\":\\\\[(\\"?\\\\w+\\"?)");
      if (type.equals("match_start")) System.out.println("{\\"id\\":" + id + ",\\"ready\\":true}");
      if (type.equals("bid")) System.out.println("{\\"id\\":" + id + ",\\"bid\\":" + first + "}");
      if (type.equals("play")) System.out.println("{\\"id\\":" + id + ",\\"card\\":" + first + "}");
    }
  }
}
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may look into, as a bot's is; pytest's own are closed."""
    folder = Path(tempfile.mkdtemp(prefix="open-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def python_bot(folder: Path, special: str) -> Command:
    """A bot in Python with something special about it."""
    (folder / "bot.py").write_text(PYTHON.replace("START", textwrap.dedent(special)))
    return Command(("{python}", "bot.py"), str(folder))


def a_match(bot: Command, resources: Resources, limits: Limits = PATIENT) -> MatchSpec:
    """Four hands of this bot as North with three that are dull; substitutes stand in for whatever it does."""
    players = (Player("bot", bot), *(Player(f"dull {seat}", DULL) for seat in range(3)))
    custody = Custody(resources=resources)
    return MatchSpec("id", 1, RULES, Boards(4), bytes(32), 0, 0, players, limits, Substitute(1000), custody=custody)


LAUNCHERS: Mapping[str, Launcher] = {**UNENCLOSED, "bubblewrap": Bubblewrap()}


async def play(match: MatchSpec, launchers: Mapping[str, Launcher] = LAUNCHERS) -> MatchRecord:
    with trio.fail_after(GUARD):
        async with open_table(match, launchers=launchers) as table:
            record = await play_match(match, table)
    return with_reports(record, table)


# ------------------------------------------------------------------------------------------------------------ resources


async def test_a_node_bot_plays_within_half_a_gigabyte(tmp_path: Path) -> None:
    assert shutil.which("node"), "node is needed for this test"
    (tmp_path / "bot.js").write_text(NODE)
    record = await play(a_match(Command(("node", "bot.js"), str(tmp_path)), Resources(memory=512, processes=64)))
    assert record.faults == ()
    assert 10 < record.bots[0].memory < 512


async def test_a_java_bot_plays_within_half_a_gigabyte(tmp_path: Path) -> None:
    assert shutil.which("javac"), "a JDK is needed for this test"
    (tmp_path / "Bot.java").write_text(JAVA)
    await trio.run_process(["javac", "Bot.java"], cwd=tmp_path)
    record = await play(a_match(Command(("java", "Bot"), str(tmp_path)), Resources(memory=512, processes=64)))
    assert record.faults == ()
    assert 10 < record.bots[0].memory < 512


async def test_a_numpy_bot_plays_within_half_a_gigabyte(tmp_path: Path) -> None:
    bot = python_bot(tmp_path, "import numpy; x = numpy.ones((500, 500)); x @ x")
    record = await play(a_match(bot, Resources(memory=512, processes=64)))
    assert record.faults == ()
    assert 10 < record.bots[0].memory < 512


@pytest.mark.parametrize("transport", [*TRANSPORTS.values()])
async def test_a_bot_that_is_too_quick_for_every_look_is_measured_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, transport: type[process.PortableBot]
) -> None:
    """What was seen of it before is a process that had not yet become the bot."""
    monkeypatch.setattr(seating, "transport", lambda: transport)
    monkeypatch.setattr(watch, "PERIOD", math.inf)
    monkeypatch.setattr(process, "PERIOD", math.inf)
    record = await play(a_match(python_bot(tmp_path, "x = bytearray(b'x') * (60 << 20)"), Resources(memory=512)))
    assert 60 < record.bots[0].memory < 512


@pytest.mark.parametrize(("period", "is_seen"), [(0.0, True), (math.inf, False)])
async def test_a_bot_that_stands_still_whenever_it_may_be_looked_at_is_looked_at_before_where_that_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, period: float, is_seen: bool
) -> None:
    """It lets go of what it held before the end."""
    monkeypatch.setattr(watch, "PERIOD", math.inf)
    monkeypatch.setattr(process, "PERIOD", period)
    act = "def act(m): globals()['x'] = bytearray(b'x') * (100 << 20) if m['type'] == 'bid' else None"
    record = await play(a_match(python_bot(tmp_path, act), Resources(memory=512)))
    assert (record.bots[0].memory > 100) is is_seen


async def only_fault(bot: Command, resources: Resources) -> tuple[FaultKind, int, str, str]:
    """The one fault of a match: its kind, seat, what was asked, and the words."""
    record = await play(a_match(bot, resources))
    assert record.result
    assert not record.result.forfeits
    (fault,) = record.faults
    assert fault.what.startswith(record.bots[fault.seat].ended)
    return fault.kind, fault.seat, fault.asked, fault.what


async def test_a_bot_that_fills_600_mebibytes_is_ended_for_that_and_nobody_else_is(tmp_path: Path) -> None:
    """SE-07."""
    bot = python_bot(tmp_path, "def act(m): m['x'] = bytearray(b'x') * (600 << 20); time.sleep(99)")
    kind, seat, asked, what = await only_fault(bot, Resources(memory=512))
    assert (kind, seat, asked) == (FaultKind.LIMITS, 0, "bid")
    assert what.startswith("killed: over 512 MiB (used ")


async def test_the_portable_transport_holds_bots_to_their_bounds_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seating, "transport", lambda: process.PortableBot)
    bot = python_bot(tmp_path, "def act(m): m['x'] = bytearray(b'x') * (200 << 20); time.sleep(99)")
    kind, seat, asked, what = await only_fault(bot, Resources(memory=128, file_size=2))
    assert (kind, seat, asked) == (FaultKind.LIMITS, 0, "bid")
    assert what.startswith("killed: over 128 MiB (used ")


async def test_in_a_box_all_that_is_in_it_counts_and_is_ended(tmp_path: Path) -> None:
    """SE-07."""
    demand_boxes()
    helper = "x = bytearray(b'x') * (60 << 20); import time; time.sleep(99)"
    start = f"""
    def act(m):
        for _ in range(3):
            subprocess.Popen([sys.executable, "-c", {helper!r}], start_new_session=True)
        time.sleep(99)
    """
    match = a_match(python_bot(tmp_path, start), Resources(memory=150))
    record = await play(replace(match, custody=replace(match.custody, sandbox="bubblewrap")))
    (fault,) = record.faults
    assert (fault.kind, fault.seat, fault.asked) == (FaultKind.LIMITS, 0, "bid")
    assert fault.what.startswith("killed: over 150 MiB (used ")


async def test_what_helpers_that_left_the_group_hold_is_the_bots_and_they_end_with_it(tmp_path: Path) -> None:
    """PL-03."""
    helper = "import os, sys, time; open(sys.argv[1], 'a').write(f'{os.getpid()}\\n'); x = bytearray(b'x') * (60 << 20)"
    start = f"""
    def act(m):
        for _ in range(3):
            subprocess.Popen([sys.executable, "-c", {helper + "; time.sleep(999)"!r}, {str(tmp_path / "pids")!r}],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(99)
    """
    kind, _, _, what = await only_fault(python_bot(tmp_path, start), Resources(memory=150))
    assert kind is FaultKind.LIMITS
    assert what.startswith("killed: over 150 MiB")
    for pid in (tmp_path / "pids").read_text().split():
        assert not _lives(int(pid))


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


@pytest.mark.parametrize(
    ("act", "resources", "words"),
    [
        ("while True: pass", Resources(cpu=0.5), "killed: over 0.5 s of processor time (used "),
        (
            "[threading.Thread(target=time.sleep, args=(99,), daemon=True).start() for _ in range(20)]; time.sleep(99)",
            Resources(processes=16),
            "killed: over 16 processes, each thread counted (had ",
        ),
        (
            "signal.signal(signal.SIGXFSZ, signal.SIG_DFL); open('large', 'wb').write(bytes(3 << 20))",
            Resources(file_size=2),
            "killed: over 2 MiB in one file",
        ),
    ],
)
async def test_a_bot_over_a_bound_is_told_which(tmp_path: Path, act: str, resources: Resources, words: str) -> None:
    kind, seat, asked, what = await only_fault(python_bot(tmp_path, f"def act(m):\n    {act}"), resources)
    assert (kind, seat, asked) == (FaultKind.LIMITS, 0, "bid")
    assert what.startswith(words)


@pytest.mark.parametrize("sandbox", ["none", "bubblewrap"])
@pytest.mark.parametrize("runtime", ["python", "node"])
async def test_a_file_that_is_too_large_is_told_where_the_runtime_ignores_the_signal(
    open_folder: Path, sandbox: str, runtime: str
) -> None:
    """SE-07: Python and Node raise an exception of their own, and exit with 1."""
    if sandbox == "bubblewrap":
        demand_boxes()
    if runtime == "python":
        bot = python_bot(open_folder, "def act(m): open('large', 'wb').write(bytes(3 << 20))")
    else:
        node = shutil.which("node")
        assert node
        write = 'if (m.type === "bid") require("fs").writeFileSync("large", Buffer.alloc(3 << 20));'
        (open_folder / "bot.js").write_text(NODE.replace("  if (m.type", f"  {write}\n  if (m.type", 1))
        bot = Command((node, "bot.js"), str(open_folder))
    match = a_match(bot, Resources(file_size=2))
    record = await play(replace(match, custody=replace(match.custody, sandbox=sandbox)))
    (fault,) = record.faults
    assert (fault.kind, fault.seat, fault.asked) == (FaultKind.LIMITS, 0, "bid")
    assert fault.what == "over 2 MiB in one file, more of which was refused: exited with code 1"


async def test_an_end_for_another_reason_is_no_matter_of_file_size(tmp_path: Path) -> None:
    bot = python_bot(tmp_path, "def act(m): open('small', 'wb').write(bytes(1 << 20)); sys.exit(3)")
    record = await play(a_match(bot, Resources(file_size=2)))
    (fault,) = record.faults
    assert (fault.kind, fault.what) == (FaultKind.CRASH, "exited with code 3")


async def test_a_bot_over_a_bound_before_it_is_ready_is_told_that_and_not_that_it_was_slow(tmp_path: Path) -> None:
    bot = python_bot(tmp_path, "x = bytearray(b'x') * (200 << 20); time.sleep(99)")
    kind, seat, asked, what = await only_fault(bot, Resources(memory=128))
    assert (kind, seat, asked) == (FaultKind.LIMITS, 0, "start")
    assert what.startswith("killed: over 128 MiB")


# --------------------------------------------------------------------------------------------------------------- clocks


async def test_an_answer_within_the_margin_takes_a_strike_and_the_one_after_the_last_is_a_fault(tmp_path: Path) -> None:
    """TM-04, with real processes: each answer is late, by a part of a margin that no busy machine uses up."""
    limit, margin = 0.25, 20.0
    bot = python_bot(tmp_path, f"def act(m): time.sleep({limit + GRACE + 0.25})")
    limits = Limits(start=60, move=limit, bank=3600, overrun=Overrun(margin, strikes=2))
    match = replace(a_match(bot, Resources(), limits), faults=Substitute(1))
    record = await play(match)
    own = [decision for decision in record.decisions if decision.seat == 0]
    assert len(own) >= 2
    assert all(decision.elapsed == limit and 0.2 < decision.over < margin for decision in own[:2])
    timeouts = [fault for fault in record.faults if fault.seat == 0]
    assert timeouts
    assert {fault.kind for fault in timeouts} == {FaultKind.TIMEOUT}
    assert all(fault.elapsed <= limit for fault in timeouts)


async def test_one_answer_that_comes_too_late_spoils_no_later_one(tmp_path: Path) -> None:
    """TM-01: it comes when the bot hears of what was done without it; on a busy machine others may be late, too."""
    start = """
    import select
    asked = 0
    def act(m):
        global asked
        asked += 1
        if asked == 5: select.select([sys.stdin], [], [])
    """
    limits = Limits(start=60, move=1, bank=3600)
    record = await play(a_match(python_bot(tmp_path, start), Resources(), limits))
    own = [fault for fault in record.faults if fault.seat == 0]
    assert {fault.kind for fault in own} == {FaultKind.TIMEOUT}
    assert 1 <= record.bots[0].dropped <= len(own)


async def test_a_bot_that_never_comes_back_is_late_at_its_limit_and_gone_at_the_end(tmp_path: Path) -> None:
    """TM-02, TM-11: nor does a drip of bytes buy any time."""
    start = """
    open(PID, "w").write(str(os.getpid()))
    def act(m):
        while True:
            sys.stdout.write(" "); sys.stdout.flush(); time.sleep(0.05)
    """.replace("PID", repr(str(tmp_path / "pid")))
    limits = Limits(start=60, move=0.5, bank=3600)
    match = replace(a_match(python_bot(tmp_path, start), Resources(), limits), faults=Substitute(2))
    record = await play(match)
    own = [fault for fault in record.faults if fault.seat == 0]
    assert {fault.kind for fault in own} == {FaultKind.TIMEOUT}
    assert {fault.elapsed for fault in own} == {0.5}
    assert [fault.asked for fault in own] == ["bid", "play", "play"]
    assert not _lives(int((tmp_path / "pid").read_text()))


async def test_the_wall_clock_may_jump_as_it_likes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TM-06."""
    import time

    jumps = iter(range(10**9))
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + (3600 if next(jumps) % 2 else -3600))
    record = await play(a_match(python_bot(tmp_path, ""), Resources()))
    assert record.faults == ()
    assert all(decision.elapsed >= 0 for decision in record.decisions)


async def test_a_bot_that_exits_badly_when_the_match_is_over_is_not_charged(tmp_path: Path) -> None:
    """TM-09: and after the end of the match nobody is asked."""
    start = """
    over = False
    def act(m):
        assert not over, "asked after the end"
    real = json.loads
    def loads(line):
        global over
        m = real(line)
        if m["type"] == "match_end": sys.exit(1)
        return m
    json.loads = loads
    """
    limits = replace(PATIENT, shutdown=60)  # or a bot that is slow to end would be told to
    record = await play(a_match(python_bot(tmp_path, start), Resources(), limits))
    assert record.faults == ()
    assert record.result
    assert record.bots[0].ended == "exited with code 1"


@pytest.mark.parametrize(("shutdown", "ended"), [(60.0, True), (0.0, False)])
async def test_a_bot_has_so_long_to_exit_as_the_limits_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shutdown: float, ended: bool
) -> None:
    """Longer than by default, or no time at all; how long it may take to do what it is told to, is another matter."""
    monkeypatch.setattr(process, "TERM_GRACE", 60)
    note = tmp_path / "note"
    start = f"""
    import atexit
    signal.signal(signal.SIGTERM, lambda *_: os._exit(3))
    atexit.register(lambda: (time.sleep({1.5 if ended else 60}), open({str(note)!r}, "w").close()))
    """
    limits = replace(PATIENT, shutdown=shutdown)
    record = await play(a_match(python_bot(tmp_path, start), Resources(), limits))
    assert record.faults == ()
    assert note.exists() is ended
    assert record.bots[0].ended == f"exited with code {0 if ended else 3}"


async def test_no_other_clock_than_the_files_holds(tmp_path: Path) -> None:
    """TM-08: a bot that thinks longer than any grace of the harness, once, within its limit."""
    start = """
    thought = []
    def act(m):
        if not thought: thought.append(time.sleep(3))
    """
    record = await play(a_match(python_bot(tmp_path, start), Resources()))
    assert record.faults == ()
    assert max(decision.elapsed for decision in record.decisions) >= 3
