"""The referee: one match by the rules. It awaits its table and nothing else; no clock, no process, no file.

What a bot does wrong comes back from the table as a value and is ruled on here: a forfeit ends the match, a
substitute's choice lets it go on, as the match's fault policy says. An exception that leaves this module is the
harness's own fault and voids the match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias, assert_never

from spades_harness.game.bids import Action
from spades_harness.game.deal import bot_seed, match_tag
from spades_harness.game.hand import FinishedHand, Totals, Unfinished, no_points
from spades_harness.game.notation import write_action, write_bid
from spades_harness.game.score import Ending, SideScore, add, ending
from spades_harness.game.substitute import substitute
from spades_harness.game.view import view

from .judge import Ruling, judge, judge_start, overrun
from .match import (
    Answer,
    Decision,
    Fault,
    FaultKind,
    Forfeit,
    HandEnd,
    HandRecord,
    HandStart,
    MatchEnd,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Notice,
    Replace,
    Reply,
    Request,
    Result,
    SideHand,
    Started,
    Substitute,
)
from .seats import Table

Event: TypeAlias = Decision | Fault | HandRecord
Listener: TypeAlias = Callable[[Event], None]
OPTIONAL: Final = frozenset({"blind", "draw", "exchange"})
"""The kinds of request that a bot may leave to the substitute by not listing them in its hello."""
ENDED: Final = frozenset({FaultKind.CRASH, FaultKind.LIMITS})
"""The faults after which there is nobody to be asked."""


class _Forfeited(Exception):
    """Sides that have lost the match by a fault."""

    def __init__(self, sides: tuple[int, ...]) -> None:
        super().__init__(sides)
        self.sides = sides


def _ignore(_: Event) -> None:
    pass


async def play_match(spec: MatchSpec, table: Table, listen: Listener = _ignore) -> MatchRecord:
    """Play one match to its end and return its record; `listen` hears each decision, fault and hand as it happens.

    Propagates whatever the table raises, which is never a bot's doing.
    """
    match = _Match(spec, table, listen)
    over: Ending | None = None
    forfeits: tuple[int, ...] = ()
    try:
        await match.seat_everyone()
        while over is None:
            await match.play_hand()
            over = ending(spec.format, spec.rules, match.history)
    except _Forfeited as lost:
        forfeits = lost.sides
    await match.tell(MatchEnd(spec.rules, over.value if over else "forfeit", match.totals))
    return match.record(Result(over, forfeits, match.totals, len(match.history)))


def with_reports(record: MatchRecord, table: Table) -> MatchRecord:
    """The record with what the bots left behind; call it when the table is closed.

    Only of a seat with a fault anybody wants to read the last words: those of all others would fill the ledger.
    """
    at_fault = {fault.seat for fault in record.faults}
    reports = [seat.report() for seat in table]
    bots = (report if seat in at_fault else replace(report, stderr="") for seat, report in enumerate(reports))
    return replace(record, bots=tuple(bots))


class _Match:
    """The state of one match between its hands, and the log that becomes its record."""

    def __init__(self, spec: MatchSpec, table: Table, listen: Listener) -> None:
        self.spec, self.table, self.listen = spec, table, listen
        self.history: list[Totals] = []
        seats = range(len(table))
        self.answers: list[frozenset[str]] = [frozenset() for _ in seats]
        self.bank = [spec.limits.bank for _ in seats]
        self.fault_count = [0 for _ in seats]
        self.strikes = [spec.limits.overrun.strikes for _ in seats]
        """How many late answers of a seat are still let in."""
        self.dead = [False for _ in seats]
        self.hands: list[HandRecord] = []
        self.decisions: list[Decision] = []
        self.faults: list[Fault] = []

    @property
    def totals(self) -> Totals:
        """Points and bags after the last full hand."""
        return self.history[-1] if self.history else no_points(self.spec.rules)

    # ---------------------------------------------------------------------------------------------- the match

    async def seat_everyone(self) -> None:
        """Start the seats one after another; who fails is ruled on when all had their chance."""
        rulings: list[tuple[int, Ruling, float]] = []
        for seat, bot in enumerate(self.table):
            reply = await bot.start(match_start(self.spec, seat))
            if isinstance(reply, Started):
                self.answers[seat] = reply.answers
            if ruling := judge_start(self.spec.limits.start, reply):
                rulings.append((seat, ruling, reply.elapsed))
        lost = [seat for seat, ruling, elapsed in rulings if self._rule_on_start(seat, ruling, elapsed)]
        if lost:
            raise _Forfeited(tuple(sorted({self.spec.rules.shape.side_of[seat] for seat in lost})))

    async def play_hand(self) -> None:
        """One hand from the deal to its score."""
        spec = self.spec
        number = len(self.history)
        hand = spec.game.deal(spec.rules, spec.secret, spec.stream, number, self.totals, spec.disguise)
        await self.tell(HandStart(spec.rules, hand.deal.number + 1, hand.deal.dealer, self.totals))
        while not hand.over:
            hand = hand.apply(await self._decide(hand))
        scores = hand.scores()
        self.history.append(add(self.totals, scores))
        record = hand_record(hand, scores, self.totals)
        self.hands.append(record)
        self.listen(record)
        await self.tell(HandEnd(spec.rules, record))

    async def tell(self, notice: Notice) -> None:
        """Say something to every seat that still listens."""
        for seat, bot in enumerate(self.table):
            if not self.dead[seat]:
                await bot.tell(notice)

    def record(self, result: Result) -> MatchRecord:
        """Everything that happened, as one value."""
        return MatchRecord(
            identity=self.spec.identity,
            attempt=self.spec.attempt,
            result=result,
            hands=tuple(self.hands),
            decisions=tuple(self.decisions),
            faults=tuple(self.faults),
            bots=(),
        )

    # -------------------------------------------------------------------------------------------- one decision

    async def _decide(self, hand: Unfinished) -> Action:
        """The action of the seat that is to act: its own, or the substitute's."""
        seat, kind = hand.seat, hand.kind
        if self.dead[seat] or (kind in OPTIONAL and kind not in self.answers[seat]):
            return self._substitute(hand, 0.0)
        left = self.bank[seat]
        margin = self.spec.limits.overrun.margin if self.strikes[seat] else 0.0
        request = Request(view(hand), min(self.spec.limits.move, left), left, margin)
        if request.time_left <= 0:
            bank = f"the bank of {self.spec.limits.bank:g} s for the whole match is used up"
            return self._fault(hand, Ruling(FaultKind.TIMEOUT, bank), 0.0, "")
        reply = await self.table[seat].ask(request)
        self.bank[seat] = left - reply.elapsed
        verdict = judge(hand, request, reply)
        if isinstance(verdict, Ruling):
            self.dead[seat] = verdict.kind in ENDED
            return self._fault(hand, verdict, reply.elapsed, self.table[seat].sent())
        return self._accept(hand, verdict, reply, overrun(request, reply))

    def _accept(self, hand: Unfinished, action: Action, reply: Reply, over: float) -> Action:
        """An answer that holds: only such a one adds to its seat's bank, and takes a strike where it was late."""
        note, stats, cpu = (reply.note, reply.stats, reply.cpu) if isinstance(reply, Answer) else ("", (), 0.0)
        seat, written = hand.seat, write_action(hand.kind, action)
        self.bank[seat] += self.spec.limits.increment
        self.strikes[seat] -= over > 0
        number = hand.deal.number + 1
        self._log(Decision(number, seat, hand.kind, written, reply.elapsed, False, note, stats, over, cpu))
        return action

    def _fault(self, hand: Unfinished, ruling: Ruling, elapsed: float, sent: str) -> Action:
        """A fault: the match is forfeited, or the substitute's choice stands in."""
        seat = hand.seat
        if self._rule_on(seat, ruling, elapsed, hand.kind, hand.deal.number + 1, sent):
            raise _Forfeited((self.spec.rules.shape.side_of[seat],))
        return self._substitute(hand, elapsed)

    def _substitute(self, hand: Unfinished, elapsed: float) -> Action:
        action = substitute(view(hand))
        written = write_action(hand.kind, action)
        self._log(Decision(hand.deal.number + 1, hand.seat, hand.kind, written, elapsed, substituted=True))
        return action

    def _log(self, decision: Decision) -> None:
        self.decisions.append(decision)
        self.listen(decision)

    # ------------------------------------------------------------------------------------------------- faults

    def _rule_on_start(self, seat: int, ruling: Ruling, elapsed: float) -> bool:
        self.dead[seat] = True
        return self._rule_on(seat, ruling, elapsed, "start", 0, self.table[seat].sent())

    def _rule_on(self, seat: int, ruling: Ruling, elapsed: float, asked: str, hand_no: int, sent: str) -> bool:
        """Note a fault; True where it costs the match."""
        kind, what, answer, how = ruling
        count = len(self.decisions)
        raw = self.table[seat].answered() if sent else b""
        fault = Fault(kind, seat, hand_no, count, asked, what, answer, elapsed, sent, raw, circumstances=how)
        self.faults.append(fault)
        self.listen(fault)
        self.fault_count[seat] += 1
        match self.spec.faults:
            case Forfeit():
                return True
            case Substitute(faults=allowed):
                return self.fault_count[seat] > allowed
            case Replace():
                self.dead[seat] = True
                return False
            case unknown:
                assert_never(unknown)


def match_start(spec: MatchSpec, seat: int) -> MatchStart:
    """What a seat is told first."""
    tag = match_tag(spec.secret, spec.identity)
    seed = bot_seed(spec.secret, tag, spec.rules.shape.seats[seat])
    return MatchStart(tag, seat, spec.rules, spec.limits, spec.players[seat].params, seed, spec.format)


def hand_record(hand: FinishedHand, scores: tuple[SideScore, ...], after: Totals) -> HandRecord:
    """A finished hand as it is recorded."""
    sides = tuple(
        SideHand(
            contract=score.contract,
            tricks=score.taken,
            delta=score.delta,
            new_bags=score.new_bags,
            score=after.scores[index],
            bags=after.bags[index],
        )
        for index, score in enumerate(scores)
    )
    bids = tuple(None if bid is None else write_bid(bid) for bid in hand.bids)
    return HandRecord(hand.deal.number + 1, hand.deal.dealer, hand.deal.hands, bids, hand.won, sides)
