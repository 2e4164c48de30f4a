"""Is this reply an action, or a fault? Pure: no clock is read here, only the times that came with the reply.

The order is fixed, so that a reply has one outcome, the first of these that it is:

1. gone: ended for what it used (`limits`, also at the start), else in whatever way (`crash`, at the start `start`)
2. late (`timeout`), be what came ever so wrong
3. no answer: by its form (`malformed`), else by its moment or number (`protocol`)
4. `illegal`

Who is late, the seat finds out where it can stop waiting: a bot that is a process is Silent when its limit and the
grace have passed (`conversation`), and no answer of it comes with more than its limit. A bot in this process can't be
stopped; its answer comes whenever it comes, and is found late here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from spades_harness.game.bids import Action
from spades_harness.game.hand import Kind, Unfinished
from spades_harness.game.notation import Written, read_action

from .bounds import GRACE
from .match import Answer, Circumstances, Failure, Fault, FaultKind, Garbled, Gone, Reply, Request, Silent, Started
from .wire import SHOWN, storable

PAUSED: Final = GRACE
"""Seconds by which the harness may be late to look, as it forgives to bots; had it stood still for longer, its bots may
have stood still with it."""
CROWDED: Final = 2.0
"""Processes that want each processor, from which on each of them gets half of it or less."""
KEPT: Final = 0.25
"""Of the time it was waited for: a bot that stood in line for so much of it might have answered with what it lacked."""
IDLE: Final = 0.5
"""Of the time it was waited for: a bot that used less of a crowded processor may have been kept from using more."""


class Ruling(NamedTuple):
    """A fault: its kind, what was wrong in words, and the bot's answer as text (empty where there was none)."""

    kind: FaultKind
    what: str
    answer: str = ""
    circumstances: Circumstances = Circumstances()


def judge(hand: Unfinished, request: Request, reply: Reply) -> Action | Ruling:
    """The action that the reply stands for, or the fault that it is."""
    if isinstance(reply, Answer) and not _is_late(request, reply):
        return _legal(hand, reply.written)
    return _fault(request, reply)


def _fault(request: Request, reply: Reply) -> Ruling:
    """What a reply is that is no answer in time."""
    match reply:
        case Gone(how=how):
            return Ruling(FaultKind.LIMITS if reply.limits else FaultKind.CRASH, how)
        case Silent(partial=partial):
            return Ruling(FaultKind.TIMEOUT, _silence(request.time_left, reply), partial, reply.circumstances)
        case Garbled(kind=kind, problem=problem, line=line) if not _is_late(request, reply):
            return Ruling(kind, problem, line, reply.circumstances)
        case Answer() | Garbled():
            late = f"the answer came after {reply.elapsed:.3f} s, the limit was {request.time_left:g} s"
            return Ruling(FaultKind.TIMEOUT, late)


def judge_start(limit: float, reply: Started | Failure) -> Ruling | None:
    """The fault of a seat that did not come up, None when it is ready."""
    match reply:
        case Started(elapsed=elapsed):
            if not _late(elapsed, limit):
                return None
            return Ruling(FaultKind.START, f"ready only after {elapsed:.3f} s, the start limit is {limit:g} s")
        case Gone(how=how):
            return Ruling(FaultKind.LIMITS if reply.limits else FaultKind.START, how)
        case Silent(partial=partial):
            silence = f"not ready within the start limit of {limit:g} s"
            return Ruling(FaultKind.START, silence, partial, reply.circumstances)
        case Garbled(problem=problem, line=line):
            return Ruling(FaultKind.START, problem, line, reply.circumstances)


def overrun(request: Request, reply: Reply) -> float:
    """Seconds by which an answer came after limit and grace, for a seat that may be that late."""
    match reply:
        case Answer(elapsed=elapsed, over=over):
            return over or max(elapsed - request.time_left - GRACE, 0.0)
        case _:
            return 0.0


def is_suspect(fault: Fault) -> bool:
    """Whether the harness or its machine may explain a fault."""
    return bool(suspicion(fault))


def suspicion(fault: Fault) -> str:
    """How the harness or its machine may explain that nothing came in time, be it an answer or the start; else empty.

    They may where the harness itself looked late by more than PAUSED; and where the bot stood in line for a processor
    for long (KEPT), unless it was in its own way: what it used and what it waited for come to more than there was.
    Where the system doesn't tell that: where many wanted each processor (CROWDED) and the bot used little of it (IDLE).
    """
    delay, load, cpu, waited = fault.circumstances
    if fault.kind not in {FaultKind.TIMEOUT, FaultKind.START}:
        return ""
    if delay > PAUSED:
        return f"the harness itself looked {delay:.2f} s late"
    if waited is not None:
        kept = waited >= KEPT * fault.elapsed and cpu + waited <= fault.elapsed + delay + GRACE
        return f"the bot stood in line for a processor for {waited:.2f} s" if kept else ""
    if load >= CROWDED and cpu < IDLE * fault.elapsed:
        return f"{load:.1f} processes wanted each processor, and the bot got {cpu:.2f} s of one"
    return ""


def _legal(hand: Unfinished, written: Written) -> Action | Ruling:
    try:
        action = read_action(hand.kind, hand.deal.rules, written)
    except ValueError as error:
        return Ruling(FaultKind.ILLEGAL, str(error), storable(spell(hand.kind, written), SHOWN))
    if hand.allows(action):
        return action
    return Ruling(FaultKind.ILLEGAL, hand.objection(action), storable(spell(hand.kind, written), SHOWN))


def spell(kind: Kind, written: Written) -> str:
    """A choice as a person reads it in a sentence: `QH`, `2C 3D 4H`, `blind_nil`, `look`."""
    if isinstance(written, tuple):
        return " ".join(written)
    if written is None:
        return "look" if kind == "blind" else "null"
    return str(written)


def _is_late(request: Request, reply: Reply) -> bool:
    return _late(reply.elapsed, request.time_left + request.margin)


def _late(elapsed: float, limit: float) -> bool:
    return elapsed > limit + GRACE


def _silence(limit: float, silent: Silent) -> str:
    if silent.partial:
        return f"no complete line within {limit:g} s: the line was begun but not ended (output not flushed?)"
    if silent.outdated:
        return f"no answer within {limit:g} s, only to earlier requests (their id was echoed, not this one's)"
    return f"no complete line received within {limit:g} s (output not flushed?)"
