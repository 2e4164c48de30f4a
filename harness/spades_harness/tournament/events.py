"""What happens in a run, as values for machines: one JSON line each. Pure: writes nowhere and shows nothing.

Fields may be added to an event, and events to the list; whoever reads them passes over what it doesn't know. Any other
change needs a new `VERSION`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from spades_harness.table.match import Fault, MatchRecord

from .records.founding import Run
from .records.ledger import Planned
from .times import now

VERSION: Final = 1


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """What every line has: the version of its form, and when it was written (UTC, ISO 8601)."""

    v: Literal[1] = VERSION
    at: str = msgspec.field(default_factory=now)


class RunBegun(Event, frozen=True, kw_only=True, tag="run_begun"):
    """A run was founded, or is gone on with."""

    run: str
    folder: str
    resumed: bool
    harness: str
    """The version that founded the run."""
    commitment: str
    seed: int | str | None
    """The public seed, null for a secret one."""
    salt: str | None = None
    """What is mixed into the secret; empty where one is asked for and hasn't come."""
    entrants: tuple[str, ...]


class EntrantDropped(Event, frozen=True, kw_only=True, tag="entrant_dropped"):
    """An entrant takes no part, since a bot of its didn't come up."""

    entrant: str
    why: str


class BatchPlanned(Event, frozen=True, kw_only=True, tag="batch_planned"):
    """The plan was continued; what has a result of it will not be played again."""

    done: int
    planned: int


class FaultSeen(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's fault, in short; `spades fault RUN MATCH` tells all of it."""

    kind: str
    bot: str
    seat: int
    """From 0."""
    hand_no: int
    """From 1, 0 before the first hand."""
    what: str


class MatchPlayed(Event, frozen=True, kw_only=True, tag="match_played"):
    """A match has a result, and stands in the ledger. Matches end in any order; `match` is their number in the plan."""

    match: int
    identity: str
    attempt: int
    round: int
    stream: int
    leg: int
    entrants: tuple[str, ...]
    """By side."""
    scores: tuple[int, ...]
    """By side."""
    forfeits: tuple[int, ...]
    """The sides that forfeited, from 0."""
    hands: int
    seconds: float
    faults: tuple[FaultSeen, ...]
    done: int
    planned: int


class MatchVoid(Event, frozen=True, kw_only=True, tag="match_void"):
    """An attempt came to nothing and counts for nobody; it is tried again, three times in all."""

    match: int
    identity: str
    attempt: int
    why: str
    done: int
    planned: int


class LaneLost(Event, frozen=True, kw_only=True, tag="lane_lost"):
    """The process that played a match died; another takes its place."""

    identity: str
    attempt: int


class Stopped(Event, frozen=True, kw_only=True, tag="stopped"):
    """The file's rule to stop has ended the run before its schedule did; what is planned further is not played."""

    why: str
    """What the rule found, in words."""
    done: int
    planned: int


class StandingsWritten(Event, frozen=True, kw_only=True, tag="standings_written"):
    """The standings were shown: `spades standings RUN --json` prints the same."""

    folder: str


class RunEnded(Event, frozen=True, kw_only=True, tag="run_ended"):
    """The last line of a call. The secret behind the commitment is shown when all is played."""

    how: Literal["finished", "interrupted", "time_up", "stopped", "committed"]
    why: str = ""
    """Of a run that was stopped: what the schedule did wrong, that matches came to nothing, that a salt is missing."""
    done: int
    planned: int
    secret: str | None = None
    """Hexadecimal."""


AnyEvent: TypeAlias = (
    RunBegun
    | EntrantDropped
    | BatchPlanned
    | MatchPlayed
    | MatchVoid
    | LaneLost
    | Stopped
    | StandingsWritten
    | RunEnded
)
Consumer: TypeAlias = Callable[[AnyEvent], None]
"""Who is told each event, in the order in which they happen."""


def line(event: AnyEvent) -> bytes:
    """The event as one line of JSON in UTF-8."""
    return msgspec.json.encode(event) + b"\n"


def begun(run: Run, folder: str, entrants: Sequence[str], *, resumed: bool) -> RunBegun:
    """A run's first event in this call."""
    return RunBegun(
        run=run.name,
        folder=folder,
        resumed=resumed,
        harness=run.harness,
        commitment=run.commitment,
        seed=run.seed,
        salt=run.last_secret.salt,
        entrants=tuple(entrants),
    )


def match_over(
    planned: Planned, record: MatchRecord, bots: Sequence[str], done: int, total: int
) -> MatchPlayed | MatchVoid:
    """What came of an attempt; `bots` are the names by seat."""
    if record.result is None:
        return MatchVoid(
            match=planned.ordinal,
            identity=record.identity,
            attempt=record.attempt,
            why=_storable(record.void),
            done=done,
            planned=total,
        )
    leg, result = planned.leg, record.result
    return MatchPlayed(
        match=planned.ordinal,
        identity=record.identity,
        attempt=record.attempt,
        round=leg.round,
        stream=leg.stream,
        leg=leg.leg,
        entrants=leg.by_side,
        scores=tuple(result.totals.scores),
        forfeits=tuple(result.forfeits),
        hands=result.hands,
        seconds=round(record.duration, 3),
        faults=tuple(_seen(fault, bots[fault.seat]) for fault in record.faults),
        done=done,
        planned=total,
    )


def _seen(fault: Fault, bot: str) -> FaultSeen:
    return FaultSeen(kind=fault.kind.value, bot=bot, seat=fault.seat, hand_no=fault.hand_no, what=_storable(fault.what))


def _storable(text: str) -> str:
    """A stranger's text as UTF-8 can hold it: without lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")
