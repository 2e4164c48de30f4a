"""A table that answers from a record, so that a match can be refereed again. No bot, no clock, no process.

Played with the spec of the match, it gives the record once more, faults included, or else somebody has changed the
record, the spec or the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from .match import (
    Answer,
    BotReport,
    Decision,
    Failure,
    Fault,
    FaultKind,
    Garbled,
    Gone,
    MatchRecord,
    MatchStart,
    Notice,
    Reply,
    Request,
    Started,
)
from .referee import ENDED

T = TypeVar("T")


class Moment(NamedTuple):
    """A place in a match where a seat may be asked; a seat is asked once in each."""

    hand_no: int
    seat: int
    kind: str
    number: int
    """Finished tricks before a card is played, cards held before one is drawn."""


class Said(NamedTuple, Generic[T]):
    """A reply, and the request that it was to, where the record has kept it."""

    reply: T
    request: str = ""
    raw: bytes = b""
    """What the bot wrote, where the record has kept that."""


class ReplaySeat:
    """One seat of a recorded match."""

    def __init__(
        self, start: Said[Started | Failure], replies: Mapping[Moment, Said[Reply]], report: BotReport
    ) -> None:
        self._start, self._replies, self._report = start, replies, report
        self._sent, self._raw = "", b""

    async def start(self, start: MatchStart) -> Started | Failure:
        """As it was."""
        reply, self._sent, self._raw = self._start
        return reply

    async def ask(self, request: Request) -> Reply:
        """What was answered then; raises ValueError where nothing was."""
        view = request.view
        held = (view.hand or 0).bit_count() if view.kind == "draw" else 0
        moment = Moment(view.number + 1, view.seat, view.kind, len(view.tricks) + held)
        if moment not in self._replies:
            raise ValueError(f"the record has no {view.kind} of seat {view.seat} in hand {view.number + 1} here")
        reply, self._sent, self._raw = self._replies[moment]
        return reply

    async def tell(self, notice: Notice) -> None:
        """Nobody listens."""

    def sent(self) -> str:
        """The request as it was sent then; only faults keep it."""
        return self._sent

    def answered(self) -> bytes:
        """The answer as it was written then; only faults keep it."""
        return self._raw

    def report(self) -> BotReport:
        """As it was."""
        return self._report


def replay_table(record: MatchRecord, seats: int) -> tuple[ReplaySeat, ...]:
    """The table of a recorded match."""
    replies = dict(_replies(record))
    return tuple(_seat(record, replies, seat) for seat in range(seats))


def _seat(record: MatchRecord, replies: Mapping[Moment, Said[Reply]], seat: int) -> ReplaySeat:
    report = record.bots[seat] if record.bots else BotReport()
    asked = frozenset(moment.kind for moment in replies if moment.seat == seat)
    started = Said[Started | Failure](Started(report.start, report.name, report.version, asked))
    failed = [_failed(fault) for fault in record.faults if fault.seat == seat and fault.asked == "start"]
    return ReplaySeat(failed[0] if failed else started, replies, report)


def _replies(record: MatchRecord) -> Iterator[tuple[Moment, Said[Reply]]]:
    """The reply in each moment: a decision of the bot's own, or a fault. Where it has neither, nobody was asked."""
    faults = {fault.decision: fault for fault in record.faults if fault.asked != "start"}
    before: Counter[tuple[int, int, str]] = Counter()
    for index, decision in enumerate(record.decisions):
        choice = decision.hand_no, decision.seat, decision.kind
        moment = Moment(*choice, before[choice])
        before[choice] += 1
        if index in faults:
            yield moment, _failed(faults[index])
        elif not decision.substituted:
            yield moment, Said(_answer(decision))
    if last := faults.get(len(record.decisions)):
        yield Moment(last.hand_no, last.seat, last.asked, before[last.hand_no, last.seat, last.asked]), _failed(last)


def _failed(fault: Fault) -> Said[Any]:
    return Said(_failure(fault), fault.request, fault.raw)


def _answer(decision: Decision) -> Answer:
    return Answer(decision.written, decision.elapsed, decision.note, decision.stats, decision.over, decision.cpu)


def _failure(fault: Fault) -> Failure:
    """A failure that is ruled on as this fault was."""
    if fault.kind in ENDED:
        return Gone(fault.what, fault.elapsed, fault.kind is FaultKind.LIMITS)
    return Garbled(fault.kind, fault.what, fault.answer, fault.elapsed, fault.circumstances)
