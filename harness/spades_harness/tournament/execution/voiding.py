"""A match that came to nothing by the harness's own fault: counted for nobody, told in words, played again.

No exception leaves here: not every exception can be sent from a worker, and none may end a run.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from spades_harness.table.bounds import REPLAY
from spades_harness.table.judge import suspicion
from spades_harness.table.launch import BoxError
from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.tournament.times import now

SHORTEST_SECRET: Final = 4
"""Characters of an `env` value from which on it is masked: a shorter one is no secret, and stands in any text."""


def guarded(play: Callable[[MatchSpec], MatchRecord], spec: MatchSpec) -> MatchRecord:
    """Play a match; an exception becomes a void record. A KeyboardInterrupt goes on."""
    try:
        return play(spec)
    except Exception as error:  # noqa: BLE001 - a fault of the harness, whatever it is
        return void(spec, _masked(spec, told(error)))


def void(spec: MatchSpec, why: str) -> MatchRecord:
    """The record of a match that counts for nobody."""
    return MatchRecord(spec.identity, spec.attempt, None, (), (), (), (), void=why, started=now())


def set_aside(spec: MatchSpec, record: MatchRecord) -> MatchRecord:
    """The record of a match that was played; void where its terms want one with a suspect fault played again."""
    if record.result is None or spec.custody.suspect != REPLAY:
        return record
    found = ((fault, why) for fault in record.faults if (why := suspicion(fault)))
    for fault, why in found:
        seat = spec.rules.shape.seats[fault.seat]
        return replace(record, result=None, void=f"{seat}'s {fault.kind.value} may not be its own doing: {why}")
    return record


def told(error: BaseException) -> str:
    """An exception in one line, and below it where it came from, unless it says all; of a group, the first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, BoxError):
        return str(error)
    summary = "".join(traceback.format_exception_only(error)).strip().replace("\n", " ")
    return f"{summary}\n{''.join(traceback.format_tb(error.__traceback__))}"


def _masked(spec: MatchSpec, text: str) -> str:
    """The text without what stands in a bot's `env`, which may be anybody's secret."""
    for player in spec.players:
        for _, value in player.launch.env:
            text = text.replace(value, "***") if len(value) >= SHORTEST_SECRET else text
    return text
