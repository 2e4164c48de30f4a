"""Entrants that leave and come back at any moment, by chance: no schedule is led astray by it, whatever came before."""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest

from spades_harness.tournament.outcome import Leg, Outcome, unplayed
from spades_harness.tournament.schedule import Away, Options
from spades_harness.tournament.schedules.adaptive import ADAPTIVE
from spades_harness.tournament.schedules.knockout import KNOCKOUT
from spades_harness.tournament.schedules.ladder import LADDER
from spades_harness.tournament.schedules.placing import Placed, leaves_out
from spades_harness.tournament.schedules.swiss import SWISS

from .simulating import by_chance, ended, field, options

DEEP = bool(os.environ.get("SPADES_DEEP"))
FORMATS = {
    "swiss": (SWISS, options(rounds=5, streams=1)),
    "single": (KNOCKOUT, options(streams=1, extra=1)),
    "double": (KNOCKOUT, options(streams=2, extra=1, elimination="double")),
    "ladder": (LADDER, options(streams=1, most=2)),
    "adaptive": (ADAPTIVE, options(rounds=4, first=1)),
}


class Run:
    """A run without a card, and its organiser, who draws dice."""

    def __init__(self, schedule: Placed, given: Options, seed: int) -> None:
        self.schedule, self.given, self.dice = schedule, given, random.Random(seed)
        self.entrants = field(self.dice.randint(2, 12))
        self.plan: list[Leg] = []
        self.results: dict[int, Outcome] = {}
        self.away: list[Away] = []
        self.disqualified: set[str] = set()

    @property
    def now(self) -> Options:
        return replace(self.given, away=tuple(self.away))

    def seen(self, ordinal: int, leg: Leg) -> Outcome | None:
        """As the ledger has it: see `Ledger.seen`."""
        gone = self.now.gone
        off = unplayed(ordinal, leg, gone) if gone & {*leg.entrants} else None
        return off if self.disqualified & gone & {*leg.entrants} else self.results.get(ordinal, off)

    def outcomes(self) -> list[Outcome]:
        return [found for ordinal, leg in enumerate(self.plan, 1) if (found := self.seen(ordinal, leg))]

    def play(self) -> bool:
        """Some of what is missing; whether there was any."""
        missing = [ordinal for ordinal, leg in enumerate(self.plan, 1) if not self.seen(ordinal, leg)]
        for ordinal in missing[: self.dice.choice((len(missing), self.dice.randint(0, len(missing))))]:
            self.results[ordinal] = ended(ordinal, self.plan[ordinal - 1], by_chance)
        return bool(missing)

    def name_more(self) -> bool:
        """Ask the schedule; whether it named any."""
        gone = self.now.gone
        asked = [each for each in self.entrants if not leaves_out(self.schedule) or each.name not in gone]
        batch = self.schedule(asked, self.now, self.outcomes()) if len(asked) > 1 else ()
        assert not any(gone & {*leg.entrants} for leg in batch)
        self.plan += batch
        assert len({leg[:3] for leg in self.plan}) == len(self.plan)
        return bool(batch)

    def amend(self) -> None:
        """Somebody leaves, or comes back."""
        here = [each.name for each in self.entrants if each.name not in self.now.gone]
        back = [number for number, each in enumerate(self.away) if each.until is None]
        if self.dice.random() < 0.6 and len(here) > 1:
            self.away.append(Away(self.dice.choice(here), len(self.plan)))
            if self.dice.random() < 0.4:
                self.disqualified.add(self.away[-1].entrant)
        elif back:
            number = self.dice.choice(back)
            self.away[number] = self.away[number]._replace(until=len(self.plan))
            self.disqualified.discard(self.away[number].entrant)

    def check_places(self) -> None:
        """Nobody has two places."""
        if self.schedule.places:
            found = self.schedule.places([each.name for each in self.entrants], self.now, self.outcomes())
            assert len({place.entrant for place in found.places}) == len(found.places)


@pytest.mark.parametrize("name", FORMATS)
def test_whoever_leaves_and_comes_back_the_run_ends_and_sends_nobody_to_who_has_left(name: str) -> None:
    for seed in range(100 if DEEP else 8):
        run = Run(*FORMATS[name], seed)
        for _ in range(60):
            if not run.play():
                run.name_more()
            run.check_places()
            if run.dice.random() < 0.25:
                run.amend()
        while run.play() or run.name_more():
            assert len(run.plan) < 5_000, f"it goes on and on (seed {seed})"
        if run.schedule is SWISS:
            found = SWISS.places([each.name for each in run.entrants], run.now, run.outcomes())  # type: ignore[misc]
            assert not any("is being played" in line for line in found.lines)
