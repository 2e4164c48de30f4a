"""Decisions a second through the pipes on a lane's processor, against blocking ping-pong of the same bytes, in turns.

Targets: at least 0.3 of it with a bot in C that answers at once, at least 0.6 with four bots of the Python SDK. Both
write the same lines to the same bots on the same processor; ping-pong is `os.write` and a blocking `os.read`, and knows
no game: no request is made, no answer looked at, no clock kept, nothing recorded, no bot made to stand still.

One processor does all of it, and is never idle: so the time of a block is what this thread and the bots had of it
together, whoever else wanted it meanwhile.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import thread_time
from typing import NamedTuple

import pytest
import trio

from benchmarks.paired import say, spread
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.table import cores, seating
from spades_harness.table.bounds import Custody, Limits
from spades_harness.table.conversation import Ended, Nothing, Sent, Stamped
from spades_harness.table.launch import prepare, remove
from spades_harness.table.match import Command, MatchSpec, Player
from spades_harness.table.process import PortableBot
from spades_harness.table.referee import Event, play_match
from spades_harness.table.seating import open_table
from spades_harness.table.tree import descendants

if sys.platform != "linux":
    pytest.skip("only Linux keeps a lane to a processor", allow_module_level=True)

HANDS = 20
"""Hands in a match: some 1,100 decisions."""
ROUNDS = 9
"""Pairs of blocks."""
RULES = Rules(blind_nil=False)
INSTANT = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char line[1 << 20];
static const char *after(const char *text, const char *key) {
    const char *found = strstr(text, key);
    return found ? found + strlen(key) : 0;
}
static void answer(void) {
    char said[256];
    const char *type = after(line, "\"type\":\""), *id = after(line, "\"id\":"), *legal = after(line, "\"legal\":[");
    int size = 0;
    if (!type) return;
    if (!strncmp(type, "hello", 5)) size = sprintf(said, "{\"type\":\"hello\",\"protocol\":1}\n");
    else if (!strncmp(type, "match_start", 11)) size = sprintf(said, "{\"id\":1,\"ready\":true}\n");
    else if (id && legal)
        size = sprintf(said, "{\"id\":%.*s,\"%s\":%.*s}\n", (int)strcspn(id, ","), id,
                       *type == 'b' ? "bid" : "card", (int)strcspn(legal, ",]"), legal);
    if (size && write(1, said, size) != size) _exit(1);
}
int main(void) {
    size_t held = 0;
    for (ssize_t got; (got = read(0, line + held, sizeof line - 1 - held)) > 0;) {
        held += got;
        for (char *end; (end = memchr(line, '\n', held)); held -= end + 1 - line, memmove(line, end + 1, held)) {
            *end = 0;
            answer();
        }
    }
    return 0;
}
"""
SDK_BOT = """
import spades_bot

class First(spades_bot.Bot):
    def bid(self, request):
        return request.legal[0]

    def play(self, request):
        return request.legal[0]

spades_bot.run(First)
"""


class Said(NamedTuple):
    """Bytes for one of the bots, and whether it answers them."""

    seat: int
    data: bytes
    wanted: bool


@dataclass
class Talk:
    """What is said at a table, in its order."""

    said: list[Said] = field(default_factory=list)
    seats: dict[int, int] = field(default_factory=dict)

    def add(self, bot: object, data: bytes) -> None:
        self.said.append(Said(self.seats.setdefault(id(bot), len(self.seats)), data, wanted=False))

    def answered(self) -> None:
        self.said[-1] = self.said[-1]._replace(wanted=True)


def overheard(talk: Talk) -> type[PortableBot]:
    """A transport that writes down what is said."""

    class Overheard(PortableBot):
        async def send(self, data: bytes, deadline: float) -> Sent:
            talk.add(self, data)
            return await super().send(data, deadline)

        async def next_line(self, deadline: float) -> Stamped | Nothing | Ended:
            came = await super().next_line(deadline)
            if isinstance(came, Stamped):
                talk.answered()
            return came

    return Overheard


def spec_of(bot: Command, custody: Custody) -> MatchSpec:
    """A match of four of these."""
    players = (Player("bot", bot),) * 4
    limits = Limits(start=60, move=60, bank=3600)
    return MatchSpec("bench", 1, RULES, Boards(HANDS), secret_of_seed(1), 0, 0, players, limits, custody=custody)


def used() -> float:
    """Seconds of the processor that this thread and all processes that it has started have had."""
    return thread_time() + sum(map(cores.processor_time, descendants(os.getpid())[1:]))


def refereed(spec: MatchSpec) -> tuple[int, float]:
    """The decisions of a match, and the seconds from the first of them to the last."""
    began: list[float] = []

    def listen(_: Event) -> None:
        if not began:
            began.append(used())

    async def play() -> tuple[int, float]:
        async with open_table(spec) as table:
            record = await play_match(spec, table, listen)
            took = used() - began[0]
        assert not record.faults, record.faults
        return len(record.decisions), took

    return trio.run(play)


def ping_pong(bot: Command, talk: Talk) -> float:
    """The seconds in which four bots are told the same, and answer; the start is not counted."""
    prepared = [prepare(bot) for _ in range(4)]
    bots = [
        subprocess.Popen(
            each.argv, bufsize=0, stdin=-1, stdout=-1, stderr=-3, cwd=each.folder, env=each.env, process_group=0
        )
        for each in prepared
    ]
    pipes = [(each.stdin.fileno(), each.stdout.fileno()) for each in bots if each.stdin and each.stdout]
    start = next(at for at, said in enumerate(talk.said) if b'"bid"' in said.data and said.wanted)
    _say(talk.said[:start], pipes)
    began = used()
    _say(talk.said[start:], pipes)
    took = used() - began
    for each, launch in zip(bots, prepared, strict=True):
        each.communicate()
        remove(launch.folder)
    return took


def _say(said: list[Said], pipes: list[tuple[int, int]]) -> None:
    write, read = os.write, os.read
    for seat, data, wanted in said:
        to, back = pipes[seat]
        write(to, data)
        if wanted:
            read(back, 65_536)


def recorded(spec: MatchSpec, monkeypatch: pytest.MonkeyPatch) -> Talk:
    """What is said in a match."""
    talk = Talk()
    with monkeypatch.context() as patched:
        patched.setattr(seating, "transport", lambda: overheard(talk))
        refereed(spec)
    return talk


@pytest.fixture(autouse=True)
def own_core() -> object:
    """A processor as a lane has it."""
    core = cores.take()
    cores.keep_to(min(cores.EVERYWHERE) if core is None else core)
    yield core
    cores.keep_to(None)


@pytest.fixture
def instant(tmp_path: Path) -> Command:
    """A bot in C that takes no time."""
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("no C compiler")
    (tmp_path / "bot.c").write_text(INSTANT)
    subprocess.run([compiler, "-O2", "-o", tmp_path / "bot", tmp_path / "bot.c"], check=True, timeout=60)
    return Command(("./bot",), str(tmp_path))


@pytest.fixture
def pythons(tmp_path: Path) -> Command:
    """A bot of the SDK that takes no time of its own."""
    (tmp_path / "bot.py").write_text(SDK_BOT)
    return Command(("{python}", "bot.py"), str(tmp_path))


def compared(name: str, target: float, bot: Command, custody: Custody, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line of the report."""
    spec = spec_of(bot, custody)
    talk = recorded(spec, monkeypatch)
    ours: list[float] = []
    limit: list[float] = []
    for _ in range(ROUNDS):
        decisions, took = refereed(spec)
        ours.append(decisions / took)
        limit.append(decisions / ping_pong(bot, talk))
    ratios = spread([mine / most for mine, most in zip(ours, limit, strict=True)])
    say(
        f"{name:<40} {median(ours):>8,.0f} decisions/s, ping-pong {median(limit):>8,.0f}: ratio {ratios}, "
        f"target at least {target}"
    )


def test_an_instant_bot_in_c(instant: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    say("")
    compared("C, who waits stands still", 0.3, instant, Custody(), monkeypatch)
    compared("C, all may run", 0.3, instant, Custody(ponder=True), monkeypatch)


def test_four_bots_of_the_sdk(pythons: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    compared("Python SDK, who waits stands still", 0.6, pythons, Custody(), monkeypatch)
    compared("Python SDK, all may run", 0.6, pythons, Custody(ponder=True), monkeypatch)
