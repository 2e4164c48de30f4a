"""A bot's fault as its author needs to see it: the rule, the request, the answer, its last words, and a cure. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final, NamedTuple

from spades_harness.table.match import Fault, FaultKind, MatchRecord

STDERR_LINES: Final = 20
"""Enough for a traceback with its last calls; more would push the request off the screen."""
STDERR_WIDTH: Final = 300
"""Characters of such a line: one that is longer was not written for people."""

PRINT: Final = (
    "only answers may go to standard output: print to standard error instead (in Python: print(..., file=sys.stderr); "
    "with spades_bot any print is harmless)"
)
FLUSH: Final = (
    "end each answer with a line feed and flush it (in Python: print(answer, flush=True)); if it does that, it thinks "
    "too long: the request's time_left says how many seconds it has"
)
SLOW: Final = "think less: the request's time_left says how many seconds this answer has"
BANK: Final = "think less over the whole match: the request's bank_left says how many seconds are left for all answers"
CRASH: Final = "find the mistake that ended the bot: the last lines of its standard error say where and why"
CRASH_UNSAID: Final = "find out what ends the bot: let it tell its steps on standard error, which is shown here"
USE_LESS: Final = "the tournament bounds what a bot may use, all of its processes together: use less of it"
REFUSAL: Final = "the bot itself says that it can't play this match: teach it these rules, or play by others (--rules)"
INPUT: Final = (
    "read standard input line by line to its end, also the notices that need no answer, and leave it open: what isn't "
    "read fills the pipe, and then no request can reach the bot"
)
FORM: Final = 'answer on one line, in one JSON object, such as {"id":7,"bid":3} or {"id":8,"card":"QH"}'
KEY: Final = (
    'give exactly one answer, under the key of its request: "bid" to blind and bid, "card" to play, '
    '"cards" to exchange, "draw" to draw'
)
ECHO: Final = "answer each request once, and echo its id: a number, without quotes"
HELLO: Final = (
    'answer {"type":"hello",...} first, with {"type":"hello","protocol":1,"name":"..."}; spades_bot does it for you'
)
READY: Final = (
    'answer hello and match_start within the start limit, match_start with {"id":1,"ready":true}: load less before, '
    "and flush each line"
)
LAUNCH: Final = (
    "start it by hand in its own folder with the command of its bot.yaml: it must come up and wait for lines on "
    "standard input"
)
CHOOSE: Final = {
    "blind": "answer null to look at the cards first, or one of the request's legal",
    "bid": "answer one of the request's legal, as it is written there: a number without quotes",
    "draw": 'answer "keep" or "discard"',
    "exchange": "give different cards of the request's hand as a list: as many as its min says, or up to its max",
    "play": "answer one of the request's legal, as it is written there: rank, then suit, such as TS",
}


class Case(NamedTuple):
    """A fault, and what its bot left on its standard error."""

    fault: Fault
    stderr: str = ""


def cases(record: MatchRecord) -> tuple[Case, ...]:
    """The faults of a match that was played, in their order."""
    return tuple(Case(fault, record.bots[fault.seat].stderr) for fault in record.faults)


def cure(case: Case) -> str:
    """What its author can do about a fault, in a sentence."""
    fault, stderr = case
    match fault.kind:
        case FaultKind.START:
            return _cure_of_start(fault, stderr)
        case FaultKind.CRASH:
            return _cure_of_crash(fault, stderr)
        case FaultKind.TIMEOUT:
            return _cure_of_timeout(fault)
        case FaultKind.MALFORMED:
            return _cure_of_form(fault)
        case FaultKind.PROTOCOL:
            return ECHO
        case FaultKind.ILLEGAL:
            return CHOOSE[fault.asked]
        case FaultKind.LIMITS:
            return USE_LESS


def _cure_of_start(fault: Fault, stderr: str) -> str:
    if _is_print(fault):
        return PRINT
    if _gave_up(fault):
        return REFUSAL
    if "hello" in fault.what or "protocol" in fault.what:
        return HELLO
    if "standard input" in fault.what:
        return INPUT
    if "start limit" in fault.what:
        return READY
    if fault.answer:
        return READY
    return CRASH if stderr else LAUNCH


def _cure_of_crash(fault: Fault, stderr: str) -> str:
    if _gave_up(fault):
        return REFUSAL
    if "standard input" in fault.what:
        return INPUT
    return CRASH if stderr else CRASH_UNSAID


def _gave_up(fault: Fault) -> bool:
    return fault.what.startswith("gave up")


def _cure_of_timeout(fault: Fault) -> str:
    if "bank" in fault.what:
        return BANK
    if "earlier requests" in fault.what:
        return ECHO
    return FLUSH if "flushed" in fault.what else SLOW


def _cure_of_form(fault: Fault) -> str:
    if "longer" in fault.what:
        return FORM
    if _is_print(fault):
        return PRINT
    return FORM if "JSON" in fault.what else KEY


def _is_print(fault: Fault) -> bool:
    """Whether the line looks like something for a person."""
    line = fault.answer.lstrip()
    return bool(line) and line[0] not in '{["'


def _cut(line: str) -> str:
    return line if len(line) <= STDERR_WIDTH else line[:STDERR_WIDTH] + "…"


def describe(case: Case, who: str) -> Iterator[str]:
    """The fault of a bot in full, line by line; `who` is the bot with its seat."""
    fault, stderr = case
    where = f"hand {fault.hand_no}, {fault.asked}" if fault.hand_no else "at the start"
    yield f"FAULT ({fault.kind.value}) of {who}, {where}: {fault.what}"
    if fault.answer:
        yield f"  it answered: {fault.answer}"
    if fault.request:
        yield f"  the request: {fault.request.strip()}"
    if last := [_cut(line) for line in stderr.splitlines()[-STDERR_LINES:]]:
        yield f"  its standard error, last {len(last)} lines:" if len(last) > 1 else "  its standard error:"
        yield from textwrap.indent("\n".join(last), "    | ", lambda _: True).splitlines()
    else:
        yield "  it wrote nothing to its standard error"
    yield f"  cure: {cure(case)}"
