"""A run from its plan to its last result: ask the schedule, play what is missing, write it down, ask again.

Knows neither processes nor a terminal: lanes play, the ledger keeps, a listener is told. It may be interrupted at any
moment; what is in the ledger by then stands, and the same call goes on from there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol

from spades_harness.game.shape import Shape
from spades_harness.table.match import MatchRecord, MatchSpec

from .execution.lanes import Lanes
from .guests import BrokenPlugin, file_of, guarded
from .identity import Terms, make_spec
from .outcome import Leg, MeetingKey, Outcome, legs_of, outcome_of, unplayed
from .records.ledger import Missing, Planned, RunLedger
from .records.redealing import redealt
from .schedule import Away, Entrant, Options, Schedule, ScheduleError
from .schedules.placing import leaves_out
from .slices import TimeBox, slices
from .statistics.stopping import Rule, looked_at, told, watch

FEWEST: Final = 2
"""Entrants that still play, without whom a run has no match to come."""
_SHOWN: Final = 120
"""Characters shown of a leg that is none: enough to find it by."""


@dataclass(frozen=True, slots=True)
class Tournament:
    """What is played: how entrants meet, who they are (without those that were dropped), and on what terms."""

    schedule: Schedule
    entrants: tuple[Entrant, ...]
    options: Options
    terms: Terms
    name: str = "it"
    """The schedule's, for people to read."""
    stop: Rule | None = None
    """Ends it before the schedule does."""

    @property
    def asked(self) -> tuple[Entrant, ...]:
        """Those of whom the schedule is asked; see `placing.Placed.leaves_out`."""
        gone = self.options.gone if leaves_out(self.schedule) else ()
        return tuple(entrant for entrant in self.entrants if entrant.name not in gone)

    @property
    def given(self) -> Options:
        """Its options, which may name those of whom it isn't asked."""
        absent = self.options.gone.difference(entrant.name for entrant in self.asked)
        return replace(self.options, absent=absent.union(self.options.absent))

    def as_amended(self, away: tuple[Away, ...]) -> Tournament:
        """The same with those who are gone."""
        return replace(self, options=replace(self.options, away=away))


class Listener(Protocol):
    """Who wants to know how a run gets on."""

    def planned(self, done: int, total: int) -> None:
        """So many of the matches that are planned by now have a result; called before each batch is played."""
        ...

    def played(self, planned: Planned, record: MatchRecord, done: int, total: int) -> None:
        """A match was recorded, be it void."""
        ...

    def stopped(self, why: str, done: int, total: int) -> None:
        """The rule to stop has ended the run; in its own words."""
        ...


def play_out(
    tournament: Tournament, ledger: RunLedger, lanes: Lanes, listener: Listener, box: TimeBox | None = None
) -> tuple[Missing, ...]:
    """Play until the schedule names no more; returns the matches that came to nothing, empty if all is well.

    Raises ScheduleError and LedgerError, and TimeIsUp between two slices of a batch if a box is given. The schedule is
    not asked on while one of its matches has no result: it would have to guess. Of a match that was amended to stay
    without one it sees a draw without points; where an entrant of it plays no more, that one's forfeit. What stands in
    the ledger's plan stays planned, also where the schedule would say otherwise by now.
    """
    return _Run(tournament, ledger, lanes, listener, box).play_out()


class Plan:
    """What is planned so far. It grows, and what it holds is looked at once: a run of many batches costs no more than
    one of few."""

    def __init__(self, planned: Iterable[Planned] = ()) -> None:
        self.matches: list[Planned] = []
        self._identities: set[str] = set()
        self._secrets: dict[MeetingKey, int] = {}
        self.add(planned)

    def add(self, planned: Iterable[Planned]) -> None:
        """These follow on what is planned."""
        for each in planned:
            self.matches.append(each)
            self._identities.add(each.identity)
            self._secrets[each.leg.meeting] = each.secret

    def __contains__(self, identity: str) -> bool:
        return identity in self._identities

    def secret(self, leg: Leg, otherwise: int) -> int:
        """The number of the secret of a leg's meeting; it has one, so all its legs are played on the same cards."""
        return self._secrets.get(leg.meeting, otherwise)


def next_batch(
    tournament: Tournament, plan: Plan | Iterable[Planned], results: Sequence[Outcome]
) -> tuple[Planned, ...]:
    """The matches that follow on a plan, all of which has results; raises ScheduleError.

    They come from the run's last secret, but for those of meetings that have begun with another.
    """
    plan = plan if isinstance(plan, Plan) else Plan(plan)
    last = len(tournament.terms.secrets) - 1
    entrants = {entrant.name: entrant for entrant in tournament.asked}
    batch: dict[str, Planned] = {}
    for ordinal, leg in enumerate(legs_named(tournament, results), len(plan.matches) + 1):
        if wrong := _objection(leg, entrants, tournament.options.gone, tournament.terms.rules.shape):
            raise _refused(tournament, wrong)
        secret = plan.secret(leg, last)
        identity = make_spec(tournament.terms, entrants, leg, secret=secret).identity
        if identity in plan or identity in batch:
            raise _refused(tournament, f"names a match twice: {_show(leg)}")
        batch[identity] = Planned(ordinal, identity, leg, secret)
    return tuple(batch.values())


def legs_named(tournament: Tournament, results: Sequence[Outcome]) -> tuple[Leg, ...]:
    """What the schedule answers; schedules come from plugins, too, and theirs may do and answer whatever they like.

    It isn't asked where too few are left for a match.
    """
    schedule, asked, given = tournament.schedule, tournament.asked, tournament.given
    if len(asked) < FEWEST and len(asked) < len(tournament.entrants):
        return ()
    try:
        with guarded("fails", lets=ScheduleError):
            return _checked(schedule(asked, given, results), file_of(schedule))
    except BrokenPlugin as error:
        raise _refused(tournament, str(error)) from error


def _checked(answer: object, file: str) -> tuple[Leg, ...]:
    """An answer that is legs; raises BrokenPlugin for any other."""
    if not isinstance(answer, tuple | list):
        raise BrokenPlugin(f"must answer with a tuple of Leg, not {type(answer).__name__}{file}")
    for leg in answer:
        if not isinstance(leg, Leg):
            raise BrokenPlugin(f"must answer with a tuple of Leg, not of {type(leg).__name__}{file}")
        if not _is_whole(leg):
            raise BrokenPlugin(f"names a Leg with a field of the wrong kind: {repr(leg)[:_SHOWN]}{file}")
    return tuple(answer)


def _is_whole(leg: Iterable[object]) -> bool:
    """Whether all its fields have their types, and its numbers fit into the ledger."""
    entrants, *numbers = leg
    named = isinstance(entrants, tuple) and all(type(name) is str for name in entrants)
    return named and all(type(number) is int and abs(number) < 2**63 for number in numbers)


def _objection(leg: Leg, entrants: Collection[str], gone: Collection[str], shape: Shape) -> str:
    """What is wrong with a leg of a schedule; empty if all is well."""
    if leg.mates not in {1, len(shape.sides[0].seats)}:
        return f"must give a side to one entrant, or each of its seats to one: {_show(leg)}"
    if len(leg.entrants) != len(shape.sides) * leg.mates or len(set(leg.entrants)) < 2:
        return f"must name {len(shape.sides) * leg.mates} entrants a match: {_show(leg)}"
    for name in leg.entrants:
        if name not in entrants:
            return f"names {name!r}, which {'plays no more' if name in gone else 'is no entrant'}: {_show(leg)}"
    legs = legs_of(leg.entrants, leg.mates)
    if not (0 <= leg.leg < legs and leg.stream >= 0):
        return f"must count legs from 0 to {legs - 1} and board streams from 0: {_show(leg)}"
    return ""


def _refused(tournament: Tournament, why: str) -> ScheduleError:
    return ScheduleError(f"schedule: {tournament.name} {why}")


def _show(leg: Leg) -> str:
    return f"{' - '.join(leg.entrants)}, board stream {leg.stream}, leg {leg.leg}"


class _Run:
    """How far a run is."""

    def __init__(
        self, tournament: Tournament, ledger: RunLedger, lanes: Lanes, listener: Listener, box: TimeBox | None
    ) -> None:
        self.amended = ledger.amended()
        self.tournament = tournament.as_amended(ledger.away())
        self.ledger, self.lanes, self.listener, self.box = ledger, lanes, listener, box
        self.entrants = {entrant.name: entrant for entrant in tournament.entrants}
        self.plan = Plan()
        self.due: dict[int, Missing] = {}
        self.done = self.total = 0
        rule = tournament.stop
        self.names = looked_at(rule, [*self.entrants], self.amended.withdrawn) if rule else ()
        self.watch = watch(rule, self.names, tournament.terms.format) if rule else None
        self.results: dict[int, Outcome] = {outcome.ordinal: outcome for outcome in ledger.outcomes()}

    def play_out(self) -> tuple[Missing, ...]:
        self.ledger.renew(each._replace(identity=self.spec(each).identity) for each in self.renewed())
        self.due = {each.planned.ordinal: each for each in self.ledger.missing()}
        for batch in self.batches():
            self.plan.add(batch)
            self.done += sum(each.ordinal in self.results for each in batch)
            self.total += sum(not self.is_off(each) for each in batch)
            self.listener.planned(self.done, self.total)
            if self.play(batch):
                break
            if missing := self.missing(batch):
                return missing
        self.refuse_to_end_unplayed()
        self.ledger.finish()
        return ()

    def refuse_to_end_unplayed(self) -> None:
        """Raise ScheduleError where an amendment that can be lifted keeps the rest from being played, and a secret
        would be shown that the rest needs."""
        hidden = self.ledger.run.finished is None and not self.ledger.run.revealed
        if hidden and len(self.ledger.playing()) < FEWEST and self.is_cut_short():
            raise ScheduleError(
                "too few are left to play on, and the secret stays one while they may come back: lift an amendment"
                " (`spades amend RUN undo NUMBER`), or end the run as it stands (`spades reveal RUN`, then this call)"
            )

    def is_cut_short(self) -> bool:
        """Whether there would be more to play if all came back."""
        if any(map(self.is_off, self.plan.matches)):
            return True
        everybody = self.tournament.as_amended(())
        return bool(legs_named(everybody, tuple(map(self.seen, self.plan.matches))))

    def batches(self) -> Iterator[tuple[Planned, ...]]:
        """Those that stand in the ledger, whatever a schedule would say today; then those that it names after them.

        Of those that stand it isn't asked again, only each has to be the match that these bots make on these cards.
        """
        seen: list[Outcome] = []
        for batch in self.ledger.batches():
            played = (each for each in batch if not self.amended.gone(each.leg))
            self.ledger.plan(each._replace(identity=self.spec(each).identity) for each in played)
            yield batch
            seen += map(self.seen, batch)
        while batch := next_batch(self.tournament, self.plan, tuple(seen)):
            self.ledger.plan(batch)
            self.due |= {each.ordinal: Missing(each, 0, "") for each in batch if not self.is_off(each)}
            yield batch
            seen += map(self.seen, batch)

    def renewed(self) -> tuple[Planned, ...]:
        """What gets the last secret, before anything is played; but those whose bots may be gone stay as they are."""
        planned = [each for each in self.ledger.planned() if not self.amended.gone(each.leg)]
        return redealt(planned, self.ledger.tried(), self.tournament.terms.secrets)

    def spec(self, planned: Planned, attempt: int = 1) -> MatchSpec:
        """A planned match as a worker can play it."""
        return make_spec(self.tournament.terms, self.entrants, planned.leg, attempt, planned.secret)

    def seen(self, planned: Planned) -> Outcome:
        """What the schedule sees of a match that has a result, or stays without one."""
        found = self.results.get(planned.ordinal)
        return found or unplayed(planned.ordinal, planned.leg, self.amended.gone(planned.leg))

    def is_off(self, planned: Planned) -> bool:
        """Whether a match stays without a result that counts, since it was amended so."""
        return planned.ordinal not in self.results and self.amended.is_off(planned.leg, planned.ordinal)

    def missing(self, batch: Sequence[Planned]) -> tuple[Missing, ...]:
        """The matches of a batch that are still to be played."""
        return tuple(self.due[each.ordinal] for each in batch if each.ordinal in self.due)

    def play(self, batch: Sequence[Planned]) -> bool:
        """Play what is missing of a batch: in one go, or in slices where it may end early.

        Returns whether the rule to stop has decided. At the end of a slice lanes go on with what comes next in the
        plan. That is written down when its turn comes and not before, so what a ledger holds never hangs on how many
        lanes there were: what was played beyond the end, a match a lane at most, is thrown away.
        """
        missing = {each.planned.ordinal: each for each in self.missing(batch)}
        if self.box is None and self.watch is None:
            self.play_these(tuple(missing.values()))
            return False
        for part in slices(batch):
            if due := tuple(missing.pop(each.ordinal) for each in part if each.ordinal in missing):
                with self.box.slice() if self.box else nullcontext():
                    self.play_these(due, islice(missing.values(), self.lanes.room.matches - 1))
            if self.watch is None:
                continue
            if any(each.ordinal not in self.results and not self.is_off(each) for each in part):
                return False  # the rule sees nothing beyond a gap
            if self.watch.sees([self.results[each.ordinal] for each in part if each.ordinal in self.results]):
                self.tell_stopped(part[-1].ordinal)
                return True
        return False

    def tell_stopped(self, last: int) -> None:
        """Say why nothing is played after this match of the plan."""
        if rule := self.tournament.stop:
            seen = [self.results[each.ordinal] for each in self.plan.matches[:last] if each.ordinal in self.results]
            why = told(rule, self.names, self.tournament.terms.format, seen, self.amended.withdrawn)
            self.listener.stopped(why, self.done, self.total)

    def play_these(self, missing: Sequence[Missing], ahead: Iterable[Missing] = ()) -> None:
        """Play these matches, and write each down when it is over; begin with those ahead where a lane would idle."""
        planned = {each.planned.identity: each.planned for each in missing}
        for record in self.lanes.run(self.specs(missing), ahead=self.specs(ahead)):
            self.ledger.record(record)
            self.note(planned[record.identity], record)

    def specs(self, missing: Iterable[Missing]) -> Iterator[MatchSpec]:
        """The next attempts at these matches."""
        return (self.spec(each.planned, each.attempts + 1) for each in missing)

    def note(self, planned: Planned, record: MatchRecord) -> None:
        """Remember a result, and tell of it."""
        terms = self.tournament.terms
        if outcome := outcome_of(planned.ordinal, planned.leg, terms.rules, terms.faults, record):
            self.results[planned.ordinal] = replace(outcome, secret=planned.secret)
            del self.due[planned.ordinal]
            self.done += 1
        else:
            self.due[planned.ordinal] = Missing(planned, record.attempt, record.void)
        self.listener.played(planned, record, self.done, self.total)
