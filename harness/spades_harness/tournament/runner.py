"""A run from its plan to its last result: ask the schedule, play what is missing, write it down, ask again.

Knows neither processes nor a terminal: lanes play, the ledger keeps, a listener is told. It may be interrupted at any
moment; what is in the ledger by then stands, and the same call goes on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from spades_harness.table.match import MatchRecord

from .identity import Terms, make_spec
from .lanes import Lanes
from .ledger import Missing, Planned, RunLedger
from .outcome import Leg, Outcome, outcome_of
from .schedule import Entrant, Options, Schedule, ScheduleError


@dataclass(frozen=True, slots=True)
class Tournament:
    """What is played: how entrants meet, who they are (without those that were dropped), and on what terms."""

    schedule: Schedule
    entrants: tuple[Entrant, ...]
    options: Options
    terms: Terms


class Listener(Protocol):
    """Who wants to know how a run gets on."""

    def planned(self, done: int, total: int) -> None:
        """So many of the matches that are planned by now have a result; called before each batch is played."""
        ...

    def played(self, planned: Planned, record: MatchRecord, done: int, total: int) -> None:
        """A match was recorded, be it void."""
        ...


def play_out(tournament: Tournament, ledger: RunLedger, lanes: Lanes, listener: Listener) -> tuple[Missing, ...]:
    """Play until the schedule names no more; returns the matches that came to nothing, empty if all is well.

    Raises ScheduleError and LedgerError. The schedule is not asked on while one of its matches has no result: it would
    have to guess.
    """
    return _Run(tournament, ledger, lanes, listener).play_out()


def next_batch(tournament: Tournament, plan: Sequence[Planned], results: Sequence[Outcome]) -> tuple[Planned, ...]:
    """The matches that follow on a plan, all of which has results; raises ScheduleError."""
    legs = tournament.schedule(tournament.entrants, tournament.options, results)
    entrants = {entrant.name: entrant for entrant in tournament.entrants}
    known = {planned.identity for planned in plan}
    batch: list[Planned] = []
    for ordinal, leg in enumerate(legs, len(plan) + 1):
        _check(leg, entrants, len(tournament.terms.rules.shape.sides))
        identity = make_spec(tournament.terms, entrants, leg).identity
        if identity in known:
            raise ScheduleError(f"schedule: it names a match twice: {_show(leg)}")
        known.add(identity)
        batch.append(Planned(ordinal, identity, leg))
    return tuple(batch)


def _check(leg: Leg, entrants: Collection[str], sides: int) -> None:
    """Schedules come from plugins, too."""
    if len(set(leg.entrants)) != sides or len(leg.entrants) != sides:
        raise ScheduleError(f"schedule: a match is between {sides} entrants: {_show(leg)}")
    for name in leg.entrants:
        if name not in entrants:
            raise ScheduleError(f"schedule: no entrant {name!r}: {_show(leg)}")
    if not (0 <= leg.leg < sides and leg.stream >= 0):
        raise ScheduleError(f"schedule: legs are 0 to {sides - 1}, board streams count from 0: {_show(leg)}")


def _show(leg: Leg) -> str:
    return f"{' - '.join(leg.entrants)}, board stream {leg.stream}, leg {leg.leg}"


class _Run:
    """How far a run is."""

    def __init__(self, tournament: Tournament, ledger: RunLedger, lanes: Lanes, listener: Listener) -> None:
        self.tournament, self.ledger, self.lanes, self.listener = tournament, ledger, lanes, listener
        self.entrants = {entrant.name: entrant for entrant in tournament.entrants}
        self.plan: list[Planned] = []
        self.done = 0
        self.results: dict[int, Outcome] = {outcome.ordinal: outcome for outcome in ledger.outcomes()}

    def play_out(self) -> tuple[Missing, ...]:
        while batch := next_batch(self.tournament, self.plan, [self.results[each.ordinal] for each in self.plan]):
            self.plan += batch
            self.done += sum(each.ordinal in self.results for each in batch)
            self.ledger.plan(batch)
            self.listener.planned(self.done, len(self.plan))
            self.play(batch)
            if missing := self.missing(batch):
                return missing
        self.ledger.finish()
        return ()

    def missing(self, batch: Sequence[Planned]) -> tuple[Missing, ...]:
        """The matches of a batch without a result."""
        identities = {each.identity for each in batch}
        return tuple(each for each in self.ledger.missing() if each.planned.identity in identities)

    def play(self, batch: Sequence[Planned]) -> None:
        """Play what is missing of a batch, and write each match down when it is over."""
        missing = self.missing(batch)
        planned = {each.planned.identity: each.planned for each in missing}
        terms = self.tournament.terms
        for record in self.lanes.run(
            make_spec(terms, self.entrants, each.planned.leg, each.attempts + 1) for each in missing
        ):
            self.ledger.record(record)
            self.note(planned[record.identity], record)

    def note(self, planned: Planned, record: MatchRecord) -> None:
        """Remember a result, and tell of it."""
        if outcome := outcome_of(planned.ordinal, planned.leg, self.tournament.terms.rules, record):
            self.results[planned.ordinal] = outcome
            self.done += 1
        self.listener.played(planned, record, self.done, len(self.plan))
