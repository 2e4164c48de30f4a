"""A match's record as rows of the ledger's tables, and rows as a record. Pure: no file and no connection.

Lists become JSON texts, cards become names, so that a person with any SQLite tool can read along. Texts of strangers
are cleaned here, before the ledger sees them: a finished match is never lost to a character that it cannot store.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from spades_harness.game.cards import card_names
from spades_harness.game.hand import Totals
from spades_harness.game.notation import Written, read_cards
from spades_harness.game.rules import Rules
from spades_harness.game.score import Ending
from spades_harness.table.match import (
    BotReport,
    Circumstances,
    Decision,
    Fault,
    FaultKind,
    HandRecord,
    MatchRecord,
    Result,
    SideHand,
    Stats,
)

Row: TypeAlias = tuple[Any, ...]

LONGEST_TEXT: Final = 65_536
"""Characters of one text of a stranger: four times what the wire lets through, little enough for a hundred faults."""

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "match": (
        *("identity", "attempt", "void", "ending", "forfeits", "scores", "bags", "hands", "started", "duration"),
    ),
    "hand": ("hand_no", "dealer", "dealt", "bids", "won"),
    "side_hand": ("hand_no", "side", "contract", "tricks", "delta", "new_bags", "score", "bags"),
    "decision": (
        "number",
        "hand_no",
        "seat",
        "kind",
        "written",
        "elapsed",
        "substituted",
        "note",
        "stats",
        "over",
        "cpu",
    ),
    "fault": (
        *("number", "kind", "seat", "hand_no", "decision", "asked", "what", "answer", "elapsed", "request", "raw"),
        *Circumstances._fields,
    ),
    "bot": ("seat", "name", "version", "start", "thinking", "dropped", "stderr", "cpu", "memory", "ended"),
}
"""The columns of each table of records, in the order of the rows here; all but `match` begin with the match's id."""


class Rows(NamedTuple):
    """A record, table by table."""

    match: Row
    hand: Sequence[Row]
    side_hand: Sequence[Row]
    decision: Sequence[Row]
    fault: Sequence[Row]
    bot: Sequence[Row]


def as_tables(rows: Rows) -> Mapping[str, Sequence[Row]]:
    """The rows by table, a match's own row among them."""
    return {"match": [rows.match], **{name: getattr(rows, name) for name in Rows._fields[1:]}}


def clean(text: str) -> str:
    """The text as UTF-8 and every SQLite tool can hold it: no NUL, no lone surrogate, not endless."""
    if text.isascii() and text.isprintable() and len(text) <= LONGEST_TEXT:
        return text
    whole = (
        text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
    )
    return whole if len(whole) <= LONGEST_TEXT else whole[: LONGEST_TEXT - 1] + "…"


# ------------------------------------------------------------------------------------------------------------- to rows


def to_rows(record: MatchRecord) -> Rows:
    """The rows of a record, without the match's id."""
    return Rows(
        match=_match_row(record),
        hand=[_hand_row(hand) for hand in record.hands],
        side_hand=[row for hand in record.hands for row in _side_rows(hand)],
        decision=[_decision_row(number, decision) for number, decision in enumerate(record.decisions)],
        fault=[_fault_row(number, fault) for number, fault in enumerate(record.faults)],
        bot=[_bot_row(seat, bot) for seat, bot in enumerate(record.bots)],
    )


def _match_row(record: MatchRecord) -> Row:
    key = record.identity, record.attempt, clean(record.void)
    times = record.started, record.duration
    if record.result is None:
        return (*key, None, None, None, None, None, *times)
    ending, forfeits, totals, hands = (
        record.result.ending,
        record.result.forfeits,
        record.result.totals,
        record.result.hands,
    )
    return (*key, ending and ending.value, _json(forfeits), _json(totals.scores), _json(totals.bags), hands, *times)


def _hand_row(hand: HandRecord) -> Row:
    dealt = [" ".join(card_names(cards)) for cards in hand.dealt]
    return hand.hand_no, hand.dealer, _json(dealt), _json(hand.bids), _json(hand.won)


def _side_rows(hand: HandRecord) -> list[Row]:
    return [
        (hand.hand_no, index, side.contract, side.tricks, side.delta, side.new_bags, side.score, side.bags)
        for index, side in enumerate(hand.sides)
    ]


def _decision_row(number: int, decision: Decision) -> Row:
    what = decision.hand_no, decision.seat, decision.kind, _json(decision.written), decision.elapsed
    notes = clean(decision.note), _stats(decision.stats)
    return (number, *what, int(decision.substituted), *notes, decision.over, decision.cpu)


def _stats(stats: Stats) -> str:
    """Infinity and numbers that are none may be among them: Python's own JSON holds those."""
    return json.dumps([(clean(name), value) for name, value in stats]) if stats else "[]"


def _fault_row(number: int, fault: Fault) -> Row:
    when = fault.seat, fault.hand_no, fault.decision, clean(fault.asked)
    answer = clean(fault.what), clean(fault.answer), fault.elapsed
    return (number, fault.kind.value, *when, *answer, clean(fault.request), fault.raw, *fault.circumstances)


def _bot_row(seat: int, bot: BotReport) -> Row:
    times = bot.start, bot.thinking, bot.dropped
    return (seat, clean(bot.name), clean(bot.version), *times, clean(bot.stderr), bot.cpu, bot.memory, clean(bot.ended))


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


# ----------------------------------------------------------------------------------------------------------- from rows


def from_rows(rules: Rules, rows: Rows) -> MatchRecord:
    """The record that has these rows."""
    identity, attempt, void, *result, started, duration = rows.match
    sides = sides_by_hand(rows.side_hand)
    return MatchRecord(
        identity=identity,
        attempt=attempt,
        result=read_result(result),
        hands=tuple(_read_hand(rules, row, sides[row[0]]) for row in rows.hand),
        decisions=tuple(_read_decision(row) for row in rows.decision),
        faults=tuple(_read_fault(row) for row in rows.fault),
        bots=tuple(_read_bot(row) for row in rows.bot),
        void=void,
        started=started,
        duration=duration,
    )


def read_result(row: Sequence[Any]) -> Result | None:
    """A result from the columns `ending` to `hands`; None where they are empty."""
    ending, forfeits, scores, bags, hands = row
    if scores is None:
        return None
    totals = Totals(_tuple(scores), _tuple(bags))
    return Result(None if ending is None else Ending(ending), _tuple(forfeits), totals, hands)


def sides_by_hand(rows: Sequence[Row]) -> dict[int, tuple[SideHand, ...]]:
    """The results by hand number and side from rows of `side_hand`, which are in order."""
    sides: dict[int, tuple[SideHand, ...]] = {}
    for hand_no, _, *numbers in rows:
        sides[hand_no] = (*sides.get(hand_no, ()), SideHand(*numbers))
    return sides


def read_bids(bids: str, won: str) -> tuple[tuple[int | str | None, ...], tuple[int, ...]]:
    """Bids as written and tricks taken, by seat."""
    return _tuple(bids), _tuple(won)


def _read_hand(rules: Rules, row: Row, sides: tuple[SideHand, ...]) -> HandRecord:
    hand_no, dealer, dealt, bids, won = row
    hands = tuple(read_cards(rules, names.split()) for names in msgspec.json.decode(dealt))
    return HandRecord(hand_no, dealer, hands, *read_bids(bids, won), sides)


def _read_decision(row: Row) -> Decision:
    _, hand_no, seat, kind, written, elapsed, substituted, note, stats, *used = row
    what = hand_no, seat, kind, _read_written(written), elapsed
    return Decision(*what, bool(substituted), note, _read_stats(stats), *used)


def _read_written(text: str) -> Written:
    written = msgspec.json.decode(text)
    return tuple(written) if isinstance(written, list) else written


def _read_stats(text: str) -> Stats:
    return () if text == "[]" else tuple((name, value) for name, value in json.loads(text))


def _read_fault(row: Row) -> Fault:
    _, kind, *rest = row
    parts = len(Circumstances._fields)
    return replace(Fault(FaultKind(kind), *rest[:-parts]), circumstances=Circumstances(*rest[-parts:]))


def _read_bot(row: Row) -> BotReport:
    return BotReport(*row[1:])


def _tuple(text: str) -> tuple[Any, ...]:
    return tuple(msgspec.json.decode(text))
