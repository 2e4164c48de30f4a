"""What a tournament will take, before it is played: how much, how long, and what it can tell.

A sample is played for real: matches of the plan with cards of their own, in as many lanes as the run would have.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from spades_harness.errors import UserError
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.score import Game
from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.tournament.course import Course, course
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.room import all_wait, room
from spades_harness.tournament.execution.worker import WorkerLane
from spades_harness.tournament.forecast import BotTimes, Measured, makespan, measured
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.records.ledger import Planned
from spades_harness.tournament.runner import Tournament
from spades_harness.tournament.sealed import Sealed
from spades_harness.tournament.seated import by_seat
from spades_harness.tournament.statistics.resolution import fewest, resolution

from .console import tell
from .custody import players_of
from .intended import demand_here, first_batch, notes, tournament_of
from .opening import Opened
from .players import ready_for
from .playing import play_sample
from .signals import terminated_as_interrupted

SECRET: Final = secret_of_seed("plan")
"""Public, and not the run's: a plan must not show anybody the cards that will count."""
SAMPLING: Final = 8.0
"""Seconds after which no further matches are begun to measure with: by then the means of a small field have settled."""
ONE_MATCH: Final = 4.0
"""Seconds of play after which a sampled match is broken off at the end of a hand: a bot that thinks shows how long."""
PASSES: Final = 8
"""How often an entrant plays in the sample at most."""
SHARE: Final = 6
"""No more than about one of so many matches of the plan is sampled, once every bot was measured."""


# -------------------------------------------------------------------------------------------------------- what it takes


@dataclass(frozen=True, slots=True)
class Plan:
    """What `spades plan` says. The fields, in this order, are the keys of the JSON object; times in seconds."""

    name: str
    entrants: int
    matches: int
    """Those that are sure: of a schedule that looks at results the first batch."""
    hands: int
    """Of these matches; of whole games as many as the sampled ones had."""
    hands_measured: bool
    """False where the format leaves the number of hands open and no whole game was sampled: then it is a guess."""
    lanes: int
    seconds: float
    """From the first match to the last, in so many lanes."""
    seconds_per_match: float
    overhead_per_match: float
    """Of that, what the harness needs beside the bots' starts and answers."""
    at_least: bool
    """Whether the schedule may name more matches when it has seen results."""
    matches_if_even: int | None
    """All matches if every result were even; None where that has no end."""
    seconds_if_even: float | None
    may_stop: bool
    """Whether the file has a rule that may end the run sooner."""
    fewest_pairs: int
    """Pairs of legs, or tables on the same cards, of the entrant that has fewest; without those at which somebody is
    its own partner, of which nothing is rated."""
    elo_resolution: float | None
    """Half the 95 % interval of the difference of two entrants of one strength; None for too few pairs, and for
    too many entrants to say."""
    sampled: int
    """Matches that were played to measure."""
    notes: tuple[str, ...]
    """What the schedule says of its plan."""
    bots: tuple[BotTimes, ...]


def make_plan(opened: Opened, folder: Path, jobs: int | None) -> Plan:
    """Look ahead, and play a sample in so many lanes, None: in those that suit the machine.

    Raises UserError for what `run` would refuse. Where some bots only wait and others don't, all matches are taken to
    need a core.
    """
    roster = opened.roster(ready_for(opened))
    found = room(jobs)
    lanes = found.matches if all_wait(roster.entrants) else found.thinking
    first_batch(opened, roster)
    demand_here(opened, roster, folder)
    tournament = tournament_of(opened, roster, replace(opened.terms(), secrets=(Sealed(SECRET),)))
    ahead = course(tournament)
    with terminated_as_interrupted():
        sample = _play_sample(tournament, ahead.batches[0], opened.plugins, lanes)
    if ahead.batches[0] and not sample.played:
        raise UserError("plan: each match of the sample came to nothing, so that there is nothing to measure by")
    return _plan(opened, tournament, ahead, sample, lanes)


def _plan(opened: Opened, tournament: Tournament, ahead: Course, sample: Sample, jobs: int) -> Plan:
    first, every = ahead.batches[0], [each for batch in ahead.batches for each in batch]
    found = measured(tournament.terms.format, sample.played)
    clock = _Clock(tournament, found, jobs)
    seconds = sum(clock.seconds(each.leg) for each in first) / max(len(first), 1)
    return Plan(
        name=opened.file.name,
        entrants=len(tournament.entrants),
        matches=len(first),
        hands=round(len(first) * found.hands),
        hands_measured=found.sure,
        lanes=jobs,
        seconds=round(sample.opening + clock.batches([first]), 1),
        seconds_per_match=round(seconds, 3),
        overhead_per_match=round(found.overhead, 3),
        at_least=not ahead.fixed,
        matches_if_even=len(every) if ahead.whole else None,
        seconds_if_even=round(sample.opening + clock.batches(ahead.batches), 1) if ahead.whole else None,
        may_stop=tournament.stop is not None,
        fewest_pairs=fewest([each.leg for each in first]),
        elo_resolution=_rounded(resolution((each.leg for each in first), tournament.terms.format)),
        sampled=found.matches,
        notes=tuple(notes(tournament)),
        bots=tuple(found.bots[bot.name] for bot in players_of(tournament.entrants) if bot.name in found.bots),
    )


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, 1)


class _Clock:
    """How long matches take by what was measured."""

    def __init__(self, tournament: Tournament, found: Measured, jobs: int) -> None:
        self._jobs = jobs
        entrants, rules = {each.name: each for each in tournament.entrants}, tournament.terms.rules

        @cache
        def of(seated: tuple[str, ...], mates: int) -> float:
            leg, own = Leg(seated, 0, 0, 1, mates), {name: entrants[name].players for name in seated}
            players = by_seat(rules.shape, leg, own)
            return found.seconds(player.name for player in players)

        self._of = of

    def seconds(self, leg: Leg) -> float:
        """Of one match; who sits where has no say in it."""
        return self._of(leg.entrants, leg.mates)

    def batches(self, batches: Iterable[Sequence[Planned]]) -> float:
        """Of all these; between two of them lanes wait."""
        return sum(makespan((self.seconds(each.leg) for each in part), self._jobs) for part in batches)


# ----------------------------------------------------------------------------------------------------------- the sample


class Sample(NamedTuple):
    """The matches that were played, and the seconds that it took until the first lane played."""

    played: Sequence[tuple[MatchSpec, MatchRecord]]
    opening: float


def _play_sample(tournament: Tournament, batch: Sequence[Planned], files: tuple[str, ...], jobs: int) -> Sample:
    entrants = {each.name: each for each in tournament.entrants}
    played: list[tuple[MatchSpec, MatchRecord]] = []
    began, opening = time.monotonic(), 0.0
    with Lanes(partial(play_sample, files=files, seconds=ONE_MATCH), jobs, WorkerLane) as lanes:
        for number, legs in enumerate(samples([each.leg for each in batch], jobs)):
            if number and _enough(played, len(batch), time.monotonic() - began):
                break
            specs = {spec.identity: spec for spec in (make_spec(tournament.terms, entrants, leg) for leg in legs)}
            for record in lanes.run(specs.values(), attempts=1):
                opening = opening or max(time.monotonic() - began - record.duration, 0.0)
                if record.void:
                    tell(f"spades: a match of the sample came to nothing: {record.void.splitlines()[0]}")
                else:
                    played.append((specs[record.identity], record))
    return Sample(played, opening)


def _enough(played: Sequence[tuple[MatchSpec, MatchRecord]], planned: int, seconds: float) -> bool:
    """Whether each bot has shown how it answers or that it doesn't, and more would take too long."""
    bots = measured(Game(), played).bots.values()
    known = all(times.fault or times.answer is not None for times in bots)
    return known and (seconds > SAMPLING or len(played) > planned / SHARE)


def samples(legs: Sequence[Leg], jobs: int) -> Iterator[Sequence[Leg]]:
    """The legs to measure with, in passes: in each, who played least plays once more, and no lane idles.

    First legs come first, so that entrants meet one after another of the field.
    """
    seen, used, in_turn = Counter[str](), set[Leg](), sorted(legs, key=lambda leg: leg.leg)
    for _ in range(PASSES):
        part = list(_one_pass(in_turn, used, seen, jobs))
        if not part:
            return
        used.update(part)
        seen.update(name for leg in part for name in leg.entrants)
        yield part


def _one_pass(legs: Iterable[Leg], used: Collection[Leg], seen: Counter[str], jobs: int) -> Iterator[Leg]:
    """Legs in their order, of which each has an entrant who has played least so far; then others, up to a lane each."""
    again, others = Counter(seen), list[Leg]()
    least = min((seen[name] for leg in legs for name in leg.entrants), default=0)
    count = 0
    for leg in legs:
        if leg in used:
            continue
        if any(again[name] <= least for name in leg.entrants):
            again.update(leg.entrants)
            count += 1
            yield leg
        elif len(others) < jobs:
            others.append(leg)
    yield from others[: max(jobs - count, 0)]
