"""A bot plays a recorded match once more, on its seat of then, and is held against the record. No process, no clock.

The other seats answer from the record, and where the bot answers as it did the record's own answer counts, with its
time: so the bot hears the same messages to the letter, up to the first thing that it does otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from .match import (
    Answer,
    BotReport,
    Decision,
    Failure,
    Fault,
    FaultKind,
    Garbled,
    HandRecord,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Notice,
    Reply,
    Request,
    Started,
)
from .referee import play_match
from .replay import replay_table
from .seats import Seat, Table

Deed: TypeAlias = Decision | Fault
"""What a bot did when it was asked."""


@dataclass(frozen=True, slots=True)
class Alike:
    """It did all as it did then, without a fault: so many answers."""

    answers: int


@dataclass(frozen=True, slots=True)
class Again:
    """It did all as it did then, its last fault included."""

    answers: int
    then: Fault
    now: Fault


@dataclass(frozen=True, slots=True)
class Parted:
    """After so many answers it did something else."""

    answers: int
    then: Deed | None
    """None where the record has nothing more of it."""
    now: Deed | None
    """None where it came up, which it did not then."""


Finding: TypeAlias = Alike | Again | Parted


class RehearsedSeat:
    """The seat of the bot that plays once more."""

    def __init__(self, bot: Seat, recorded: Seat, failed: Fault | None = None) -> None:
        self._bot, self._recorded, self._failed = bot, recorded, failed

    async def start(self, start: MatchStart) -> Started | Failure:
        """Start the bot; where it came up then and now, the record's own word counts."""
        now = await self._bot.start(start)
        if self._failed and isinstance(now, Started):
            raise _Found(Parted(0, self._failed, None))
        then = await self._recorded.start(start)
        return then if isinstance(now, Started) and isinstance(then, Started) else now

    async def ask(self, request: Request) -> Reply:
        """Ask the bot, and take the record's reply where they agree; what was wrong then takes as long as it took."""
        now = await self._bot.ask(request)
        then = await self._recorded.ask(request)
        match now, then:
            case Answer(), Answer():
                return then if now.written == then.written else now
            case Answer(), Garbled(kind=FaultKind.ILLEGAL):
                return now._replace(elapsed=then.elapsed)
            case Answer(), _:
                return now
            case _, Answer():
                return now
            case _:
                return replace(now, elapsed=then.elapsed)

    async def tell(self, notice: Notice) -> None:
        """Tell the bot."""
        await self._bot.tell(notice)

    def sent(self) -> str:
        """As the bot's seat has it."""
        return self._bot.sent()

    def answered(self) -> bytes:
        """As the bot's seat has it."""
        return self._bot.answered()

    def report(self) -> BotReport:
        """As the bot's seat has it."""
        return self._bot.report()


class _Found(Exception):
    """There is nothing more to be found out."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding)
        self.finding = finding


async def rehearse(spec: MatchSpec, table: Table, seat: int, record: MatchRecord) -> Finding:
    """Play a recorded match up to the last fault of this seat, or to the first difference; only its bot is started.

    Propagates whatever the table raises.
    """
    failed = next((fault for fault in record.faults if (fault.seat, fault.asked) == (seat, "start")), None)
    seats: list[Seat] = list(replay_table(record, len(table)))
    seats[seat] = RehearsedSeat(table[seat], seats[seat], failed)
    compare = _Comparison(record, seat)
    try:
        await play_match(spec, seats, compare)
    except _Found as found:
        return found.finding
    return Alike(compare.answers)


class _Comparison:
    """Hears what happens, and holds what one seat does against the record."""

    def __init__(self, record: MatchRecord, seat: int) -> None:
        deeds = list(_deeds(record, seat))
        self._seat = seat
        self._then = iter(deeds)
        self._last = next((deed for deed in reversed(deeds) if isinstance(deed, Fault)), None)
        self.answers = 0

    def __call__(self, event: Decision | Fault | HandRecord) -> None:
        if isinstance(event, HandRecord) or event.seat != self._seat:
            return
        then = next(self._then, None)
        if then is None or not _alike(then, event):
            raise _Found(Parted(self.answers, then, event))
        if isinstance(event, Fault) and isinstance(then, Fault) and then is self._last:
            raise _Found(Again(self.answers, then, event))
        self.answers += isinstance(event, Decision) and not event.substituted


def _deeds(record: MatchRecord, seat: int) -> Iterator[Deed]:
    """What a seat did, in the order in which the referee heard of it."""
    faults = [fault for fault in record.faults if fault.seat == seat]
    for number, decision in enumerate(record.decisions):
        yield from (fault for fault in faults if fault.decision == number)
        if decision.seat == seat:
            yield decision
    yield from (fault for fault in faults if fault.decision == len(record.decisions))


def _alike(then: Deed, now: Deed) -> bool:
    """Whether it is the same choice, or a fault of the same kind, in the same place."""
    match then, now:
        case Decision(), Decision():
            return (then.hand_no, then.kind, then.written) == (now.hand_no, now.kind, now.written)
        case Fault(), Fault():
            return (then.kind, then.hand_no, then.asked) == (now.kind, now.hand_no, now.asked)
        case _:
            return False
