"""Each fault of a match with all that its author needs, as text to read and as values for machines. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from spades_harness.table.bounds import Limits
from spades_harness.table.judge import is_suspect, suspicion
from spades_harness.table.match import BotReport, Circumstances, Fault, MatchRecord
from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.records.founding import Run
from spades_harness.tournament.seated import entrant_at

from .faults import Case, cure

LINE_WIDTH: Final = 300
"""Characters of a line of standard error: one that is longer was not written for people. Machines get it whole."""


@dataclass(frozen=True, slots=True)
class Dossier:
    """One fault, and where it stands in its match."""

    number: int
    """From 1, among the faults of the match."""
    count: int
    fault: Fault
    report: BotReport
    bot: str
    entrant: str
    seat: str
    """Its letter."""
    trick: int
    """From 1; 0 where no card was asked for."""
    limits: Limits

    @property
    def request(self) -> Mapping[str, Any]:
        """The request as an object; empty where none was sent."""
        try:
            said = json.loads(self.fault.request or "{}")
        except ValueError:  # a ledger of strangers' making, or cut
            return {}
        return said if isinstance(said, dict) else {}

    @property
    def limit(self) -> float:
        """Seconds that there were for the answer."""
        if self.fault.asked == "start":
            return self.limits.start
        return float(self.request.get("time_left", 0.0))

    @property
    def cure(self) -> str:
        """What its author can do about it."""
        return cure(Case(self.fault, self.report.stderr))


def dossiers(run: Run, leg: Leg, bots: Sequence[str], record: MatchRecord) -> tuple[Dossier, ...]:
    """The faults of a match in their order; `bots` are the names by seat."""
    shape = run.terms.rules.shape
    return tuple(
        Dossier(
            number=number,
            count=len(record.faults),
            fault=fault,
            report=record.bots[fault.seat] if record.bots else BotReport(),
            bot=bots[fault.seat],
            entrant=entrant_at(shape, leg, fault.seat),
            seat=shape.seats[fault.seat],
            trick=_trick(record, fault, len(shape.seats)),
            limits=run.terms.limits,
        )
        for number, fault in enumerate(record.faults, 1)
    )


def _trick(record: MatchRecord, fault: Fault, seats: int) -> int:
    before = record.decisions[: fault.decision]
    cards = sum(each.hand_no == fault.hand_no and each.kind == "play" for each in before)
    return cards // seats + 1 if fault.asked == "play" else 0


# ------------------------------------------------------------------------------------------------------------ to read


def tell_dossier(dossier: Dossier, commands: Sequence[str]) -> Iterator[str]:
    """The lines of a dossier; `commands` are the calls to go on with."""
    fault = dossier.fault
    yield f"FAULT {dossier.number} of {dossier.count}: {fault.kind.value}"
    yield f"  who      {dossier.bot}, seat {dossier.seat}, of the entrant {dossier.entrant}"
    yield f"  when     {_when(dossier)}"
    yield f"  what     {fault.what}"
    yield from _answer_lines(fault)
    yield f"  time     {_time(dossier)}"
    if around := _around(fault.circumstances):
        yield f"           {around}"
    if why := suspicion(fault):
        yield f"  suspect  it may not be the bot's own doing: {why}"
    if dossier.report.ended not in ("", fault.what):
        yield f"  process  {dossier.report.ended}"
    yield from _request_lines(dossier)
    yield from _stderr_lines(dossier.report.stderr)
    yield f"  cure     {dossier.cure}"
    for word, call in zip(("go on", *[""] * len(commands)), commands, strict=False):
        yield f"  {word:<8} {call}"


def _when(dossier: Dossier) -> str:
    fault = dossier.fault
    if not fault.hand_no:
        return "at the start, before the first hand"
    trick = f", trick {dossier.trick}" if dossier.trick else ""
    return f"hand {fault.hand_no}{trick}, asked for: {fault.asked}; decision {fault.decision + 1} of the match"


def _answer_lines(fault: Fault) -> Iterator[str]:
    """The answer as text; and byte by byte where it has some that can't be seen."""
    if fault.raw:
        yield f"  answer   {_visible(fault.raw.decode('utf-8', 'replace'))}"
        if not _is_plain(fault.raw):
            yield f"  bytes    {fault.raw.hex(' ')}"
    else:
        yield f"  answer   {fault.answer or 'none'}"


def _visible(text: str) -> str:
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def _is_plain(raw: bytes) -> bool:
    return raw.isascii() and raw.decode("ascii").isprintable()


def _time(dossier: Dossier) -> str:
    fault = dossier.fault
    took = f"{fault.elapsed:.3f} s of the {dossier.limit:g} s that there were"
    if fault.asked == "start":
        return f"{took} to get ready"
    if not dossier.request:
        return f"none was left: the bank of {dossier.limits.bank:g} s for the whole match was used up"
    return f"{took} for this answer, {dossier.request.get('bank_left', 0.0):.3f} s for the rest of the match"


def _around(circumstances: Circumstances) -> str:
    delay, load, cpu, waited = circumstances
    told = (
        (delay, f"the harness looked {delay:.3f} s late"),
        (load, f"{load:.1f} processes wanted each processor"),
        (cpu, f"the bot used {cpu:.3f} s of processor time"),
        (waited, f"it stood in line for a processor for {waited or 0.0:.3f} s"),
    )
    return "; ".join(words for value, words in told if value)


def _request_lines(dossier: Dossier) -> Iterator[str]:
    """The request as JSON that can be copied, a key a line."""
    if not dossier.request:
        return
    *items, last = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in dossier.request.items())
    yield "  request  {"
    yield from (f"      {item}," for item in items)
    yield f"      {last}"
    yield "    }"


def _stderr_lines(stderr: str) -> Iterator[str]:
    if not stderr.strip():
        yield "  stderr   nothing was written to it"
        return
    yield "  stderr"
    for line in stderr.splitlines():
        yield f"    | {line if len(line) <= LINE_WIDTH else line[:LINE_WIDTH] + '…'}"


# ------------------------------------------------------------------------------------------------------- for machines


def as_object(dossier: Dossier, commands: Sequence[str]) -> Mapping[str, Any]:
    """A dossier as JSON has it; the bytes of the answer in hex."""
    fault, report = dossier.fault, dossier.report
    return {
        "kind": fault.kind.value,
        "bot": dossier.bot,
        "entrant": dossier.entrant,
        "seat": dossier.seat,
        "hand_no": fault.hand_no or None,
        "trick": dossier.trick or None,
        "decision": fault.decision + 1 if fault.hand_no else None,
        "asked": fault.asked,
        "what": fault.what,
        "request": dossier.request or None,
        "answer": fault.raw.decode("utf-8", "replace") if fault.raw else fault.answer,
        "answer_bytes": fault.raw.hex(),
        "elapsed": fault.elapsed,
        "limit": dossier.limit,
        "circumstances": fault.circumstances._asdict(),
        "suspect": is_suspect(fault),
        "ended": report.ended,
        "cpu": report.cpu,
        "memory": report.memory,
        "stderr": report.stderr,
        "cure": dossier.cure,
        "commands": [*commands],
    }
