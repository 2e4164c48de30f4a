"""A bot looked over: it plays a few hands on every seat, is asked again after a restart, and all of it is noted.

What is wrong with it is found by the referee, not here; this is the stage, and the notes that are taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias

import trio

from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Kind
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.table.bounds import Limits
from spades_harness.table.match import (
    Answer,
    BotReport,
    Failure,
    Fault,
    FaultKind,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Notice,
    Player,
    Plugin,
    Reply,
    Request,
    Started,
    Substitute,
)
from spades_harness.table.referee import play_match, with_reports
from spades_harness.table.seating import open_table
from spades_harness.table.seats import Seat

from .faults import Case, cases
from .neighbours import HANDS, Neighbour

PATIENCE: Final = 5
"""Faults after which the bot is asked no more on this seat: enough to see several kinds, few enough to wait for."""
SECRET: Final = secret_of_seed("check")
PUT_AGAIN: Final[dict[Kind, int]] = {"blind": 1, "draw": 2, "bid": 2, "exchange": 1, "play": 6}
"""Requests that are put once more after a restart, by kind; each costs a start of the bot."""
RESTARTS: Final = 10.0
"""Seconds that these starts may take together: a bot that loads a large model is asked fewer of them."""
PLACES: Final = ("left", "partner", "right")
"""The neighbours from the bot's left on, clockwise."""
Asked: TypeAlias = tuple[tuple[Request, Reply], ...]


class Notebook:
    """A seat that lets another one play and writes down what it was asked and answered."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self.began: MatchStart | None = None
        self.started: Started | Failure | None = None
        self.asked: list[tuple[Request, Reply]] = []

    async def start(self, start: MatchStart) -> Started | Failure:
        """Pass it on."""
        self.began = start
        self.started = await self._seat.start(start)
        return self.started

    async def ask(self, request: Request) -> Reply:
        """Pass it on."""
        reply = await self._seat.ask(request)
        self.asked.append((request, reply))
        return reply

    async def tell(self, notice: Notice) -> None:
        """Pass it on."""
        await self._seat.tell(notice)

    def sent(self) -> str:
        """As the seat has it."""
        return self._seat.sent()

    def answered(self) -> bytes:
        """As the seat has it."""
        return self._seat.answered()

    def report(self) -> BotReport:
        """As the seat has it."""
        return self._seat.report()


@dataclass(frozen=True, slots=True)
class Sitting:
    """What happened on one seat."""

    seat: int
    record: MatchRecord
    began: MatchStart
    started: Started | Failure
    asked: Asked
    lingered: bool
    """Whether the bot lived on when its input had ended, or something that it started and that holds its output."""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The bot's."""
        return tuple(fault for fault, _ in self.cases)

    @property
    def cases(self) -> tuple[Case, ...]:
        """The same, each with the bot's last words."""
        return tuple(case for case in cases(self.record) if case.fault.seat == self.seat)

    @property
    def unasked(self) -> int:
        """Lines that nobody had asked for. A request that timed out may have got its answer later, which is none of
        them: one line each at the most, so that a bot that answers twice as well is told of the rest."""
        late = sum(fault.kind is FaultKind.TIMEOUT for fault in self.faults)
        return max(self.record.bots[self.seat].dropped - late, 0)

    @property
    def gave_out(self) -> bool:
        """Whether it never came up, or made more faults than anybody waits for: its next seat would be the same."""
        return not isinstance(self.started, Started) or len(self.faults) > PATIENCE


@dataclass(frozen=True, slots=True)
class Restart:
    """A request that was put once more to a fresh process which had seen nothing but `match_start`."""

    request: Request
    before: Reply
    after: Reply | Failure

    @property
    def same(self) -> bool:
        """Whether the answer was the same."""
        return (
            isinstance(self.before, Answer)
            and isinstance(self.after, Answer)
            and self.before.written == self.after.written
        )


@dataclass(frozen=True, slots=True)
class Checkup:
    """All that was found out about a bot."""

    sittings: tuple[Sitting, ...]
    restarts: tuple[Restart, ...] = field(default=())

    @property
    def faults(self) -> tuple[Fault, ...]:
        """All faults, in the order in which they happened."""
        return tuple(fault for fault, _ in self.cases)

    @property
    def cases(self) -> tuple[Case, ...]:
        """The same, each with the bot's last words."""
        return tuple(case for sitting in self.sittings for case in sitting.cases)


def check_bot(player: Player, rules: Rules, limits: Limits) -> Checkup:
    """Let a bot play on every seat, then restart it; it takes a few seconds, and some more for each fault."""
    return trio.run(_check, player, rules, limits)


def try_bot(player: Player, rules: Rules, limits: Limits, seat: int) -> Sitting:
    """Let a bot play a few hands by some rules, on one seat."""
    return trio.run(_sit, _spec(player, rules, limits, seat), seat)


async def _check(player: Player, rules: Rules, limits: Limits) -> Checkup:
    sittings: list[Sitting] = []
    for seat in range(len(rules.shape.seats)):
        sittings.append(await _sit(_spec(player, rules, limits, seat), seat))
        if sittings[-1].gave_out:
            return Checkup(tuple(sittings))
    if any(sitting.faults or sitting.lingered for sitting in sittings):
        return Checkup(tuple(sittings))  # that is to be cured first; restarts would take long and tell little
    spec = _spec(player, rules, limits, 0)
    restarts = [await _ask_again(spec, sittings[0], asked) for asked in put_again(sittings[0])]
    return Checkup(tuple(sittings), tuple(restarts))


def _spec(player: Player, rules: Rules, limits: Limits, seat: int) -> MatchSpec:
    """The bot on this seat, each scene once; every seat has other cards."""
    seats = len(rules.shape.seats)
    players = (player, *(Player(place, Plugin(place, in_process=True)) for place in PLACES))
    around = {(seat + turn) % seats: players[turn] for turn in range(seats)}
    return MatchSpec(
        identity=f"check {seat}",
        attempt=1,
        rules=rules,
        format=Boards(HANDS),
        secret=SECRET,
        stream=seat,
        leg=0,
        players=tuple(around[number] for number in range(seats)),
        limits=limits,
        faults=Substitute(PATIENCE),
    )


_NEIGHBOURS: Final = {place: partial(Neighbour, place) for place in PLACES}


async def _sit(spec: MatchSpec, seat: int) -> Sitting:
    async with open_table(spec, _NEIGHBOURS) as table:
        notebook = Notebook(table[seat])
        seated = (*table[:seat], notebook, *table[seat + 1 :])
        record = await play_match(spec, seated)
        closing = trio.current_time()
    lingered = trio.current_time() - closing >= spec.limits.shutdown
    assert notebook.began is not None
    assert notebook.started is not None
    record = with_reports(record, table)
    return Sitting(seat, record, notebook.began, notebook.started, tuple(notebook.asked), lingered)


async def _ask_again(spec: MatchSpec, sitting: Sitting, asked: tuple[Request, Reply]) -> Restart:
    request, before = asked
    async with open_table(spec, _NEIGHBOURS) as table:
        bot = table[sitting.seat]
        started = await bot.start(sitting.began)
        after = await bot.ask(request) if isinstance(started, Started) else started
    return Restart(request, before, after)


def put_again(sitting: Sitting) -> Sequence[tuple[Request, Reply]]:
    """The requests of a sitting that are put once more: a sample, as large as the bot's own start allows."""
    assert isinstance(sitting.started, Started)
    return affordable(list(sample(sitting)), sitting.started.elapsed)


def sample(sitting: Sitting) -> Iterator[tuple[Request, Reply]]:
    """A few requests of each kind that left a choice, late ones among them: there a bot has something to remember."""
    choices = [asked for asked in sitting.asked if len(asked[0].view.legal) != 1]
    for kind in dict.fromkeys(request.view.kind for request, _ in choices):
        of_kind = [asked for asked in choices if asked[0].view.kind == kind]
        yield from _spread(of_kind, min(PUT_AGAIN[kind], len(of_kind)))


def affordable(asked: list[tuple[Request, Reply]], start: float) -> Sequence[tuple[Request, Reply]]:
    """As many of these as there is time for when each costs a start of so many seconds, and one at least."""
    return _spread(asked, min(len(asked), max(1, int(RESTARTS / max(start, 0.001)))))


def _spread(asked: list[tuple[Request, Reply]], count: int) -> Sequence[tuple[Request, Reply]]:
    """So many of them, the last among them."""
    return [asked[len(asked) * turn // count - 1] for turn in range(1, count + 1)]
