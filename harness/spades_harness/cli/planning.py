"""What a tournament will take, before it is played: how much, how long, and what it can tell.

A sample is played for real: matches of the plan, and others for bots that aren't in its first ones, with cards of their
own, in as many lanes as the run would have.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from spades_harness.errors import UserError
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.score import Game
from spades_harness.table.match import MatchRecord, MatchSpec, Player
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
from .sampling import alone, samples, widened
from .signals import terminated_as_interrupted

SECRET: Final = secret_of_seed("plan")
"""Public, and not the run's: a plan must not show anybody the cards that will count."""
SAMPLING: Final = 8.0
"""Seconds after which no further matches are begun to measure with: by then the means of a small field have settled."""
ONE_MATCH: Final = 4.0
"""Seconds of play after which a sampled match is broken off at the end of a hand: a bot that thinks shows how long."""
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
    seconds_per_match_if_even: float | None
    """The mean over these: others may play in them than in those that are sure."""
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
    """All of them."""
    unmeasured: tuple[str, ...]
    """Those of which no answer was had, and no fault that says why: all times are without theirs, so at least that."""


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
        sample = _play_sample(tournament, ahead, opened.plugins, lanes)
    if ahead.batches[0] and not sample.played:
        raise UserError("plan: each match of the sample came to nothing, so that there is nothing to measure by")
    return _plan(opened, tournament, ahead, sample, lanes)


def _plan(opened: Opened, tournament: Tournament, ahead: Course, sample: Sample, jobs: int) -> Plan:
    first, every = ahead.batches[0], [each for batch in ahead.batches for each in batch]
    bots = players_of(tournament.entrants)
    found = measured(tournament.terms.format, sample.played)
    clock = _Clock(tournament, found, jobs)
    return Plan(
        name=opened.file.name,
        entrants=len(tournament.entrants),
        matches=len(first),
        hands=round(len(first) * found.hands),
        hands_measured=found.sure,
        lanes=jobs,
        seconds=round(sample.opening + clock.batches([first]), 1),
        seconds_per_match=round(clock.mean(first), 3),
        overhead_per_match=round(found.overhead, 3),
        at_least=not ahead.fixed,
        matches_if_even=len(every) if ahead.whole else None,
        seconds_if_even=round(sample.opening + clock.batches(ahead.batches), 1) if ahead.whole else None,
        seconds_per_match_if_even=round(clock.mean(every), 3) if ahead.whole else None,
        may_stop=tournament.stop is not None,
        fewest_pairs=fewest([each.leg for each in first]),
        elo_resolution=_rounded(resolution((each.leg for each in first), tournament.terms.format)),
        sampled=found.matches,
        notes=tuple(notes(tournament)),
        bots=tuple(found.bots.get(bot.name, BotTimes(bot.name, None, None, 0, "")) for bot in bots),
        unmeasured=tuple(bot.name for bot in bots if not _known(found.bots, bot)),
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

    def mean(self, matches: Sequence[Planned]) -> float:
        """Of one of these; 0 where there are none."""
        return sum(self.seconds(each.leg) for each in matches) / max(len(matches), 1)

    def batches(self, batches: Iterable[Sequence[Planned]]) -> float:
        """Of all these; between two of them lanes wait."""
        return sum(makespan((self.seconds(each.leg) for each in part), self._jobs) for part in batches)


# ----------------------------------------------------------------------------------------------------------- the sample


class Sample(NamedTuple):
    """The matches that were played, and the seconds that it took until the first lane played."""

    played: Sequence[tuple[MatchSpec, MatchRecord]]
    opening: float


def _play_sample(tournament: Tournament, ahead: Course, files: tuple[str, ...], jobs: int) -> Sample:
    entrants = {each.name: each for each in tournament.entrants}
    played: list[tuple[MatchSpec, MatchRecord]] = []
    began, opening = time.monotonic(), 0.0
    with Lanes(partial(play_sample, files=files, seconds=ONE_MATCH), jobs, WorkerLane) as lanes:
        for legs in _parts(tournament, ahead, played, jobs):
            specs = {spec.identity: spec for spec in (make_spec(tournament.terms, entrants, leg) for leg in legs)}
            for record in lanes.run(specs.values(), attempts=1):
                opening = opening or max(time.monotonic() - began - record.duration, 0.0)
                if record.void:
                    tell(f"spades: a match of the sample came to nothing: {record.void.splitlines()[0]}")
                else:
                    played.append((specs[record.identity], record))
    return Sample(played, opening)


def _parts(
    tournament: Tournament, ahead: Course, played: Sequence[tuple[MatchSpec, MatchRecord]], jobs: int
) -> Iterator[Sequence[Leg]]:
    """What to play next, in view of what was `played` by then."""
    began, planned = time.monotonic(), sum(map(len, ahead.batches))
    legs = [each.leg for each in ahead.batches[0]]
    for number, part in enumerate(samples(widened(legs, [each.name for each in tournament.entrants]), jobs)):
        if number and _enough(tournament, played, planned, time.monotonic() - began):
            return
        yield part
        if not number:
            yield [alone(legs[0], name) for name in _unseen(tournament, played)]


def _enough(
    tournament: Tournament, played: Sequence[tuple[MatchSpec, MatchRecord]], planned: int, seconds: float
) -> bool:
    """Whether each bot has shown how it answers or that it doesn't, and more would take too long."""
    return not _unseen(tournament, played) and (seconds > SAMPLING or len(played) > planned / SHARE)


def _unseen(tournament: Tournament, played: Sequence[tuple[MatchSpec, MatchRecord]]) -> list[str]:
    """The entrants of which a bot has neither answered nor shown why it doesn't: others kept it from that."""
    bots = measured(Game(), played).bots
    return [each.name for each in tournament.entrants if not all(_known(bots, bot) for bot in each.players)]


def _known(bots: Mapping[str, BotTimes], bot: Player) -> bool:
    times = bots.get(bot.name)
    return times is not None and (bool(times.fault) or times.answer is not None)
