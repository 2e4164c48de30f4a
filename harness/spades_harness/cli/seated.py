"""Who sat where in a match of a run: entrants are what is ranked, bots are what made the faults."""

from __future__ import annotations

from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.records.ledger import Ledger
from spades_harness.tournament.seated import by_seat


class Seated:
    """The names of a run's bots, seat by seat."""

    def __init__(self, ledger: Ledger) -> None:
        self._shape = ledger.run.terms.rules.shape
        self._bots = {listed.name: listed.bots for listed in ledger.entrants()}

    def bots(self, leg: Leg) -> tuple[str, ...]:
        """The bots of a match, by seat."""
        return by_seat(self._shape, leg, self._bots)
