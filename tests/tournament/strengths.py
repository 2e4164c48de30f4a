"""Tournaments of entrants whose strength is known: no cards, no processes, results by dice alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from random import Random

from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule
from spades_harness.tournament.statistics.sprt import expected_score

GAME = Boards(4)


class Field:
    """Entrants `e0`, `e1` and so on, as strong as it says, whose meetings are decided by dice."""

    def __init__(self, elos: Sequence[float], seed: int, draws: float = 0.0) -> None:
        """`draws`: how often a meeting ends even whatever the strengths."""
        self.names = tuple(f"e{number}" for number in range(len(elos)))
        self.entrants = tuple(Entrant(name, ()) for name in self.names)
        self._elo, self._dice, self._draws = dict(zip(self.names, elos, strict=True)), Random(seed), draws
        self.results: list[Outcome] = []

    def play(self, legs: Batch) -> list[Outcome]:
        """The results of these legs, two by two; they are kept."""
        found: list[Outcome] = []
        for first, second in zip(legs[::2], legs[1::2], strict=True):
            found += self._meet(first, second)
        self.results += found
        return found

    @staticmethod
    def rounds(legs: Batch) -> list[Batch]:
        """These legs, round by round."""
        return [tuple(part) for _, part in groupby(legs, lambda leg: leg.round)]

    def play_out(self, schedule: Schedule, most: int = 10_000, **values: object) -> list[Batch]:
        """All batches of a schedule until it names no more."""
        options, batches = Options(values, GAME, Rules()), list[Batch]()  # type: ignore[arg-type]
        while batch := schedule(self.entrants, options, tuple(self.results)):
            batches.append(batch)
            self.play(batch)
            assert len(batches) <= most, "it goes on and on"
        return batches

    def _meet(self, *legs: Leg) -> list[Outcome]:
        one, other = legs[0].entrants
        lead = self._lead(self._elo[one] - self._elo[other])
        at = len(self.results) + 1
        return [_outcome(at + number, leg, lead) for number, leg in enumerate(legs)]

    def _lead(self, elo: float) -> int:
        if self._dice.random() < self._draws:
            return 0
        return 1 if self._dice.random() < expected_score(elo) else -1


def _outcome(ordinal: int, leg: Leg, lead: int) -> Outcome:
    return Outcome(ordinal, leg, (lead, -lead), (False, False), 4, (Tally(), Tally()), ((), ()))
