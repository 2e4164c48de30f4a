"""The matches, hands and decisions of a run as flat rows, for whoever computes with them elsewhere.

Each kind is a table with named, typed columns (protocol/EXPORT.md explains every one) and rows that are made one match
at a time, so that a run of any size goes through. Only matches with a result are told. Nothing that isn't known is made
up: it is None. Writes no file, and knows no format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import islice
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

import msgspec

from spades_harness.game.rules import Rules
from spades_harness.game.shape import Shape
from spades_harness.table.match import HandRecord, Result
from spades_harness.tournament.outcome import winning_side
from spades_harness.tournament.seated import by_seat, entrant_at

from .ledger import Ledger, Planned
from .ledger_rows import COLUMNS, Row, Rows, read_bids, read_result, sides_by_hand

Value: TypeAlias = int | float | str | bool | None
Values: TypeAlias = Sequence[Value]

FORFEIT: Final = "forfeit"
"""How a match ended that was not played out."""
LOOK: Final = "look"
"""The choice of who doesn't bid blind."""
_DIGITS: Final = 6
"""Of seconds: no clock here tells more than microseconds."""


class Kind(Enum):
    """The type of a column; any value may be None."""

    WHOLE = "integer"
    REAL = "number"
    TEXT = "text"
    FLAG = "true or false"
    MOMENT = "time"
    """UTC, ISO 8601."""


BATCH: Final = 4_096
"""Rows at a time: a megabyte or so of decisions."""


class Column(NamedTuple):
    """A column: its name, its type, and whether it was measured, so that another run of the same has other values."""

    name: str
    kind: Kind
    measured: bool = False


class Table(NamedTuple):
    """Rows and what stands in them, column by column."""

    columns: tuple[Column, ...]
    rows: Iterator[Values]

    def batches(self) -> Iterator[Sequence[Values]]:
        """Its rows, so many at a time; they come but once."""
        while batch := list(islice(self.rows, BATCH)):
            yield batch


def without_times(table: Table) -> Table:
    """The same without all that was measured: equal for two runs of the same deterministic bots on the same deals."""
    left = [place for place, column in enumerate(table.columns) if not column.measured]
    columns = tuple(table.columns[place] for place in left)
    return Table(columns, ([row[place] for place in left] for row in table.rows))


# ------------------------------------------------------------------------------------------------------------- columns


def _whole(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.WHOLE) for name in names)


def _text(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, Kind.TEXT) for name in names)


def _seconds(*names: str) -> tuple[Column, ...]:
    """Or another measure."""
    return tuple(Column(name, Kind.REAL, measured=True) for name in names)


def _each(name: str, those: Sequence[str]) -> tuple[str, ...]:
    """A name for each side or seat: `score_NS`, `score_EW`."""
    return tuple(f"{name}_{each}" for each in those)


def _picked(table: str, *names: str) -> Callable[[Row], Row]:
    """What takes these columns out of a row of the ledger."""
    return itemgetter(*(COLUMNS[table].index(name) for name in names))


_PLACE: Final = ("match", "round", "secret", "stream", "leg")
"""Where in the plan a row belongs."""


def _place(planned: Planned) -> Sequence[int]:
    leg = planned.leg
    return planned.ordinal, leg.round, planned.secret, leg.stream, leg.leg


class _Run:
    """What all rows of a run lean on."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.rules: Rules = ledger.run.terms.rules
        self.shape: Shape = self.rules.shape
        self.seats: Sequence[str] = self.shape.seats
        self.sides: Sequence[str] = [side.name for side in self.shape.sides]
        self._bots = {listed.name: listed.bots for listed in ledger.entrants()}

    def bots(self, planned: Planned) -> tuple[str, ...]:
        """Of a match, by seat."""
        return by_seat(self.shape, planned.leg, self._bots)

    def places(self) -> tuple[Column, ...]:
        """Which match, on which cards, and who sat there."""
        return (*_whole(*_PLACE), *self.who())

    def who(self) -> tuple[Column, ...]:
        """Entrants by side and bots by seat."""
        return _text(*_each("entrant", self.sides), *_each("bot", self.seats))

    def placed(self, planned: Planned) -> list[Value]:
        """The values of `places`."""
        return [*_place(planned), *planned.leg.by_side, *self.bots(planned)]


# ------------------------------------------------------------------------------------------------------------- matches


def _matches(run: _Run) -> Table:
    columns = (
        *run.places(),
        *_text("ending", "winner"),
        *_whole("hands", *_each("score", run.sides), *_each("bags", run.sides)),
        *(Column(name, Kind.FLAG) for name in _each("forfeit", run.sides)),
        *_text("fault"),
        *_whole(*_each("faults", run.seats)),
        *_text(*_each("version", run.seats), "identity"),
        *(Column("attempt", Kind.WHOLE, measured=True), Column("started", Kind.MOMENT, measured=True)),
        *_seconds("duration", *_each("ready", run.seats), *_each("thinking", run.seats)),
        *_seconds(*_each("cpu", run.seats), *_each("memory", run.seats)),
    )
    results = run.ledger.results({"match", "hand", "side_hand", "fault", "bot"})
    return Table(columns, (_match(run, planned, rows) for planned, rows in results))


def _match(run: _Run, planned: Planned, rows: Rows) -> Values:
    _, attempt, _, *result, started, duration = rows.match
    ended = read_result(result)
    assert ended  # only matches with a result are told
    faults = [*map(_picked("fault", "kind", "seat"), rows.fault)]
    return [
        *run.placed(planned),
        *_verdict(planned, rows, ended),
        *(ended.hands, *ended.totals.scores, *ended.totals.bags),
        *(side in ended.forfeits for side in range(len(run.sides))),
        faults[0][0] if faults else None,
        *(sum(whose == seat for _, whose in faults) for seat in range(len(run.seats))),
        *_by_seat(run, rows, "version", str),
        *(planned.identity, attempt, started, _rounded(duration)),
        *(value for name in ("start", "thinking", "cpu", "memory") for value in _by_seat(run, rows, name, _rounded)),
    ]


def _verdict(planned: Planned, rows: Rows, ended: Result) -> Values:
    """How it ended, and who won it by play."""
    sides = sides_by_hand(rows.side_hand)
    hands = [HandRecord(no, dealer, (), (), (), sides[no]) for no, dealer, *_ in rows.hand[-1:]]
    won = winning_side(ended, hands)
    return [ended.ending.value if ended.ending else FORFEIT, None if won is None else planned.leg.by_side[won]]


def _by_seat(run: _Run, rows: Rows, name: str, made: Callable[[Any], Value]) -> Values:
    """A column of the bots' own table; nothing stands there where nobody looked."""
    by_seat = {seat: made(value) or None for seat, value in map(_picked("bot", "seat", name), rows.bot)}
    return [by_seat.get(seat) for seat in range(len(run.seats))]


# --------------------------------------------------------------------------------------------------------------- hands


def _hands(run: _Run) -> Table:
    columns = (
        *run.places(),
        *(*_whole("hand_no"), *_text("dealer")),
        *_text(*_each("cards", run.seats), *_each("bid", run.seats)),
        *_whole(*_each("won", run.seats)),
        *_whole(*(name for kind in _SIDE for name in _each(kind, run.sides))),
    )
    results = run.ledger.results({"hand", "side_hand"})
    return Table(columns, (row for planned, rows in results for row in _hands_of(run, planned, rows)))


_HAND: Final = _picked("hand", "hand_no", "dealer", "dealt", "bids", "won")
_SIDE: Final = ("contract", "made", "points", "new_bags", "score", "bags")
_OF_SIDE: Final = attrgetter("contract", "tricks", "delta", "new_bags", "score", "bags")
"""What each side has of a hand: its columns, and the fields that they come from."""


def _hands_of(run: _Run, planned: Planned, rows: Rows) -> Iterator[Values]:
    placed, sides = run.placed(planned), sides_by_hand(rows.side_hand)
    for hand_no, dealer, dealt, bids, won in map(_HAND, rows.hand):
        by_side = map(_OF_SIDE, sides[hand_no])
        bid, taken = read_bids(bids, won)
        yield [
            *(*placed, hand_no, run.seats[dealer]),
            *(names or None for names in msgspec.json.decode(dealt)),
            *(None if each is None else str(each) for each in bid),
            *taken,
            *(value for values in zip(*by_side, strict=True) for value in values),
        ]


# ----------------------------------------------------------------------------------------------------------- decisions


def _decisions(run: _Run) -> Table:
    columns = (
        *_whole(*_PLACE, "decision", "hand_no", "trick", "turn"),
        *_text("seat", "entrant", "bot", "kind", "action"),
        Column("substituted", Kind.FLAG),
        *_seconds("seconds", "over", "cpu"),
        *_text("note", "stats"),
    )
    results = run.ledger.results({"decision"})
    return Table(columns, (row for planned, rows in results for row in _decisions_of(run, planned, rows.decision)))


def _decisions_of(run: _Run, planned: Planned, decisions: Sequence[Row]) -> Iterator[Values]:
    bots, counted = run.bots(planned), _Tricks(len(run.seats))
    for number, hand_no, seat, kind, written, substituted, elapsed, over, cpu, note, stats in map(_DECISION, decisions):
        yield [
            *(*_place(planned), number + 1, hand_no, *counted(hand_no, kind)),
            *(run.seats[seat], entrant_at(run.shape, planned.leg, seat), bots[seat], kind, _action(written)),
            bool(substituted),
            *(_rounded(elapsed), _rounded(over), _rounded(cpu) or None),
            *(note or None, None if stats == "[]" else stats),
        ]


_DECISION: Final = _picked(
    *(
        "decision",
        "number",
        "hand_no",
        "seat",
        "kind",
        "written",
        "substituted",
        "elapsed",
        "over",
        "cpu",
        "note",
        "stats",
    )
)


class _Tricks:
    """Counts the cards of a hand as tricks, and turns within them."""

    def __init__(self, seats: int) -> None:
        self._seats, self._hand_no, self._cards = seats, 0, 0

    def __call__(self, hand_no: int, kind: str) -> tuple[int | None, int | None]:
        """The trick of the next decision and the turn in it, both from 1; None for what is no card."""
        if hand_no != self._hand_no:
            self._hand_no, self._cards = hand_no, 0
        if kind != "play":
            return None, None
        trick, turn = divmod(self._cards, self._seats)
        self._cards += 1
        return trick + 1, turn + 1


def _action(written: str) -> Value:
    """A choice as text: a bid, a card, cards with blanks between them; the look at the cards has no other spelling."""
    found = msgspec.json.decode(written)
    return LOOK if found is None else " ".join(found) if isinstance(found, list) else str(found)


def _rounded(seconds: float) -> float:
    return round(seconds, _DIGITS)


# --------------------------------------------------------------------------------------------------------------- kinds

TABLES: Final[Mapping[str, Callable[[_Run], Table]]] = {"matches": _matches, "hands": _hands, "decisions": _decisions}


def export(ledger: Ledger, of: str) -> Table:
    """The table of this kind, a key of `TABLES`; its rows are read as they are asked for."""
    return TABLES[of](_Run(ledger))
