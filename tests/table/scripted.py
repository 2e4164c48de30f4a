"""A table without bots: seats that answer by a script and write down what was said, one line a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from spades_harness.game.notation import write_action
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.game.substitute import substitute
from spades_harness.table.bounds import Limits
from spades_harness.table.judge import spell
from spades_harness.table.match import (
    Answer,
    BotReport,
    Command,
    Failure,
    FaultPolicy,
    Forfeit,
    HandEnd,
    HandStart,
    MatchEnd,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Notice,
    Player,
    Reply,
    Request,
    Started,
)
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.seats import run_unsuspended

ALL = frozenset({"blind", "draw", "exchange"})
Choose: TypeAlias = Callable[[Request], Reply | None]


def dull(request: Request) -> Answer:
    """The substitute's own choice, as an answer."""
    return Answer(write_action(request.view.kind, substitute(request.view)), 0.001)


@dataclass
class ScriptedSeat:
    """Answers `script[n]` to its n-th question (from 1), and the dull choice to all others."""

    letter: str
    heard: list[str]
    script: Mapping[int, Reply] = field(default_factory=dict)
    starts: Started | Failure = field(default_factory=lambda: Started(0.01, answers=ALL))
    stderr: str = ""
    asked: int = 0
    requests: list[Request] = field(default_factory=list)

    async def start(self, start: MatchStart) -> Started | Failure:
        self.heard.append(f"{self.letter} start: {type(self.starts).__name__}")
        return self.starts

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        self.requests.append(request)
        reply = self.script.get(self.asked) or dull(request)
        said = spell(request.view.kind, reply.written) if isinstance(reply, Answer) else type(reply).__name__
        self.heard.append(f"{self.letter} {request.view.kind}: {said}")
        return reply

    async def tell(self, notice: Notice) -> None:
        match notice:
            case HandStart(hand_no=number):
                self.heard.append(f"{self.letter} hears hand {number} begin")
            case HandEnd(record=record):
                self.heard.append(f"{self.letter} hears hand {record.hand_no} end")
            case MatchEnd(reason=reason):
                self.heard.append(f"{self.letter} hears the match end: {reason}")

    def sent(self) -> str:
        return f"request {self.asked}"

    def answered(self) -> bytes:
        return f"answer {self.asked}".encode()

    def report(self) -> BotReport:
        return BotReport(stderr=self.stderr or f"last words of {self.letter}")


def a_spec(
    *,
    game: Format | None = None,
    rules: Rules | None = None,
    faults: FaultPolicy | None = None,
    limits: Limits | None = None,
    stream: int = 3,
) -> MatchSpec:
    """A match whose first hand is dealt by W, so that N speaks and leads first."""
    rules = rules or Rules()
    players = tuple(Player("ab"[seat % 2], Command(("ab"[seat % 2],), "/")) for seat in range(len(rules.shape.seats)))
    return MatchSpec(
        identity="1d" * 32,
        attempt=1,
        rules=rules,
        format=game or Boards(4),
        secret=bytes(range(32)),
        stream=stream,
        leg=0,
        players=players,
        limits=limits or Limits(),
        faults=faults or Forfeit(),
    )


def play(
    spec: MatchSpec,
    scripts: Mapping[str, Mapping[int, Reply]] | None = None,
    starts: Mapping[str, Started | Failure] | None = None,
    stderr: str = "",
) -> tuple[MatchRecord, list[str], Mapping[str, ScriptedSeat]]:
    """Play with scripted seats; returns the record, all that was said, and the seats by letter."""
    heard: list[str] = []
    letters = spec.rules.shape.seats
    seats = {letter: ScriptedSeat(letter, heard, (scripts or {}).get(letter, {}), stderr=stderr) for letter in letters}
    for letter, reply in (starts or {}).items():
        if letter in seats:
            seats[letter].starts = reply
    table = list(seats.values())
    record = run_unsuspended(play_match(spec, table))
    return with_reports(record, table), heard, seats


__all__ = ["ALL", "Game", "ScriptedSeat", "a_spec", "dull", "play"]
