"""Who sat where in a match of a run: entrants are what is ranked, bots are what made the faults."""

from __future__ import annotations

from spades_harness.tournament.ledger import Ledger
from spades_harness.tournament.outcome import Leg


class Seated:
    """The names of a run's bots, seat by seat."""

    def __init__(self, ledger: Ledger) -> None:
        self._shape = ledger.run.terms.rules.shape
        self._bots = {listed.name: listed.bots for listed in ledger.entrants()}

    def bots(self, leg: Leg) -> tuple[str, ...]:
        """The bots of a match, by seat."""
        by_seat: dict[int, str] = {}
        for side, own in zip(self._shape.sides, leg.sides, strict=True):
            alone = len(own) == 1
            bots = self._bots[own[0]] if alone else [self._bots[each][number] for number, each in enumerate(own)]
            by_seat.update(zip(side.seats, bots, strict=True))
        return tuple(by_seat[seat] for seat in range(len(self._shape.seats)))
