"""A match written down as one seat hears it: what the harness says and what its bot answers, line by line.

Nothing is timed: every answer takes a quarter of a second, so that the lines are the same on each run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import spades_bot
from spades_harness.bundled import bundled
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.notation import Written, write_action
from spades_harness.game.rules import Rules
from spades_harness.game.score import Game
from spades_harness.game.substitute import substitute
from spades_harness.modules import load_module
from spades_harness.table import messages
from spades_harness.table.match import (
    Answer,
    BotReport,
    Command,
    MatchSpec,
    MatchStart,
    Notice,
    Player,
    Request,
    Started,
)
from spades_harness.table.referee import play_match
from spades_harness.table.seats import run_unsuspended

Message: TypeAlias = dict[str, Any]
Choice: TypeAlias = Callable[[Request], Written]
KEY: Final = {"blind": "bid", "draw": "draw", "bid": "bid", "exchange": "cards", "play": "card"}
ELAPSED: Final = 0.25


def dull(request: Request) -> Written:
    """The substitute's choice."""
    return write_action(request.view.kind, substitute(request.view))


@dataclass
class Recorder:
    """A seat of the referee's table whose bot is a function; `heard` and `said` alternate as they do in a pipe."""

    choose: Choice = dull
    answers: frozenset[str] = frozenset({"blind", "draw", "exchange"})
    lines: list[tuple[str, Message]] = field(default_factory=list)
    number: int = 0

    async def start(self, start: MatchStart) -> Started:
        """Greet, and be ready."""
        self.number += 1
        self._hear(messages.HelloRequest(protocol=[1, 1], harness="spades-harness 0.1.0"))
        hello = {"type": "hello", "protocol": 1, "name": "counter", "version": "1", "answers": sorted(self.answers)}
        self.lines.append(("<", hello))
        self._hear(messages.match_start_message(start, self.number))
        self.lines.append(("<", {"id": self.number, "ready": True}))
        return Started(ELAPSED, answers=self.answers)

    async def ask(self, request: Request) -> Answer:
        """Choose at once."""
        self.number += 1
        self._hear(messages.request_message(request, self.number))
        written = self.choose(request)
        plain = list(written) if isinstance(written, tuple) else written
        self.lines.append(("<", {"id": self.number, KEY[request.view.kind]: plain}))
        return Answer(written, ELAPSED)

    async def tell(self, notice: Notice) -> None:
        """Hear it."""
        self._hear(messages.notice_message(notice))

    def sent(self) -> str:
        """Nobody asks."""
        return ""

    def answered(self) -> bytes:
        """Nobody asks."""
        return b""

    def report(self) -> BotReport:
        """Nothing is left behind."""
        return BotReport()

    def _hear(self, message: messages.ToBot) -> None:
        self.lines.append((">", messages.as_object(message)))


def bot_choice(bot: spades_bot.Bot) -> Choice:
    """The choices of a bot of the SDK."""

    def choose(request: Request) -> Written:
        message = messages.as_object(messages.request_message(request, 1))
        reply = spades_bot.respond(bot, spades_bot.Message(message)) or {}
        written = reply[KEY[request.view.kind]]
        return tuple(written) if isinstance(written, list) else written

    return choose


def record(seed: str, seats: Sequence[Recorder], stream: int = 0, rules: Rules | None = None) -> None:
    """Play a match of one hand at a table of recorders."""
    player = Player("anyone", Command(("anyone",), "/"))
    secret = secret_of_seed(seed)
    rules = rules or Rules(hand_cap=1)
    spec = MatchSpec(seed, 1, rules, Game(), secret, stream, 0, (player,) * len(seats))
    run_unsuspended(play_match(spec, seats))


def worked_example() -> list[str]:
    """Four counters play one hand: the lines of East's pipe, as PROTOCOL.md shows some of them."""
    counter = spades_bot.find_bot(load_module(bundled("bots") / "counter" / "counter.py"))
    seats = []
    for partner in "SWNE":
        bot = counter()
        bot.partner = partner
        seats.append(Recorder(bot_choice(bot), frozenset()))
    record("worked example", seats)
    return [f"{way} {json.dumps(message, separators=(',', ':'))}" for way, message in seats[1].lines]
