"""Is this reply an action, or a fault? Pure: no clock is read here, only the times that came with the reply.

The order is fixed, so that a reply has one outcome: gone, late, malformed, illegal.

Who is late, the seat finds out where it can stop waiting: a bot that is a process is Silent when its limit and the
grace have passed (`conversation`), and no answer of it comes with more than its limit. A bot in this process can't be
stopped; its answer comes whenever it comes, and is found late here.
"""

from __future__ import annotations

from typing import NamedTuple

from spades_harness.game.bids import Action
from spades_harness.game.hand import Kind, Unfinished
from spades_harness.game.notation import Written, read_action

from .bounds import GRACE
from .match import Answer, Failure, FaultKind, Garbled, Gone, Reply, Request, Silent, Started
from .wire import SHOWN, storable


class Ruling(NamedTuple):
    """A fault: its kind, what was wrong in words, and the bot's answer as text (empty where there was none)."""

    kind: FaultKind
    what: str
    answer: str = ""


def judge(hand: Unfinished, request: Request, reply: Reply) -> Action | Ruling:
    """The action that the reply stands for, or the fault that it is."""
    if isinstance(reply, Answer) and not _late(reply.elapsed, request.time_left):
        return _legal(hand, reply.written)
    return _fault(request, reply)


def _fault(request: Request, reply: Reply) -> Ruling:
    """What a reply is that is no answer in time."""
    match reply:
        case Gone(how=how):
            return Ruling(FaultKind.CRASH, how)
        case Silent(partial=partial):
            return Ruling(FaultKind.TIMEOUT, _silence(request.time_left, reply), partial)
        case Garbled(kind=kind, problem=problem, line=line) if not _late(reply.elapsed, request.time_left):
            return Ruling(kind, problem, line)
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
            return Ruling(FaultKind.START, how)
        case Silent(partial=partial):
            return Ruling(FaultKind.START, f"not ready within the start limit of {limit:g} s", partial)
        case Garbled(problem=problem, line=line):
            return Ruling(FaultKind.START, problem, line)


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


def _late(elapsed: float, limit: float) -> bool:
    return elapsed > limit + GRACE


def _silence(limit: float, silent: Silent) -> str:
    if silent.partial:
        return f"no complete line within {limit:g} s: the line was begun but not ended (output not flushed?)"
    if silent.outdated:
        return f"no answer within {limit:g} s, only to earlier requests (their id was echoed, not this one's)"
    return f"no complete line received within {limit:g} s (output not flushed?)"
