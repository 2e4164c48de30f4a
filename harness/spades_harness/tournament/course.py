"""How a schedule goes on from what is known: the batches that it names if every result is even. Pure.

Of a schedule that looks at results only the first batch is sure; the rest shows how long it may become.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from .outcome import Leg, Outcome, Tally
from .records.ledger import Ledger, Planned
from .runner import FEWEST, Plan, Tournament, legs_named, next_batch
from .schedule import ScheduleError

MOST_BATCHES: Final = 1_000
"""A schedule that breaks ties by playing on would name batches for ever."""
MOST_MATCHES: Final = 200_000
"""Enough for anything that is played within days; more would take minutes to be counted."""
MOST_LOOKS: Final = 3_000_000
"""Results that a schedule is shown in all: one that names little at a time is shown all of them each time, and a look
takes it some microseconds."""


BEYOND_ALL: Final = 1_000_000
"""Points: no match that is played comes near them."""


@dataclass(frozen=True, slots=True)
class Course:
    """The first batch, and the batches after it if all results are even."""

    batches: tuple[tuple[Planned, ...], ...]
    whole: bool
    """Whether the schedule came to its end."""

    @property
    def fixed(self) -> bool:
        """Whether the first batch is all, whatever comes of it."""
        return self.whole and len(self.batches) <= 1


def course(tournament: Tournament) -> Course:
    """Where a schedule leads. Raises ScheduleError for what it refuses from the first."""
    found = [next_batch(tournament, (), ())]
    matches, looks = len(found[0]), 0
    try:
        for batch in _further(tournament, found[0]):
            found.append(batch)
            matches, looks = matches + len(batch), looks + matches
            if len(found) == MOST_BATCHES or matches > MOST_MATCHES or looks > MOST_LOOKS:
                return Course(tuple(found), whole=False)
    except ScheduleError:  # it knows what to do with results, perhaps, but not with these
        return Course(tuple(found), whole=False)
    return Course(tuple(found), whole=True)


def goes_on(tournament: Tournament, first: tuple[Planned, ...]) -> bool:
    """Whether more follows on the first batch, if all of its results are even."""
    try:
        return next(_further(tournament, first), None) is not None
    except ScheduleError:
        return True


def has_more(tournament: Tournament, ledger: Ledger) -> bool:
    """Whether a run that had come to its end has more before it than stands in its plan, since it was amended: a
    knockout whose winner is disqualified has a tie to come, and one of whom a match is played again may have one.

    Of the matches that are played again it is foreseen what follows if all come out even, or all are won by who comes
    first in them, or by who comes second. Raises ScheduleError.
    """
    if not _has_ended(ledger) or tournament.stop or len(ledger.playing()) < FEWEST:
        return False
    now, known, again = tournament.as_amended(ledger.away()), ledger.seen(ledger.outcomes()), ledger.missing()
    ways = (None, 0, 1) if again else (None,)
    foreseen = ([*known, *(_won(each.planned, by) for each in again)] for by in ways)
    return any(legs_named(now, sorted(results, key=lambda each: each.ordinal)) for results in foreseen)


def _won(planned: Planned, by: int | None) -> Outcome:
    """A match that one wins by more than the other legs of its meeting can make good; None: nobody does."""
    scores = tuple(BEYOND_ALL * (place == by) for place in range(len(planned.leg.entrants)))
    return replace(even(planned.ordinal, planned.leg), scores=scores, winner=by)


def _has_ended(ledger: Ledger) -> bool:
    """Whether all was played, but for what is to be played again on cards that everybody may know by now."""
    if ledger.run.finished is not None:
        return not ledger.missing()
    shown = ledger.run.seed is None and ledger.run.revealed
    return shown and bool(ledger.missing()) and all(each.attempts for each in ledger.missing())


def _further(tournament: Tournament, first: tuple[Planned, ...]) -> Iterator[tuple[Planned, ...]]:
    plan, results = Plan(first), [even(each.ordinal, each.leg) for each in first]
    while first and (batch := next_batch(tournament, plan, results)):
        yield batch
        plan.add(batch)
        results += [even(each.ordinal, each.leg) for each in batch]


def even(ordinal: int, leg: Leg) -> Outcome:
    """A match in which nobody was the better."""
    places = len(leg.entrants)
    return Outcome(ordinal, leg, (0,) * places, (False,) * places, 1, (Tally(),) * places, ((),) * places)
