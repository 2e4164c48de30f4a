"""A bot as it is taken to another machine. A value; how it gets there is the business of `parcel`."""

from __future__ import annotations

from dataclasses import dataclass

from spades_harness.table.match import Command, Player
from spades_harness.tournament.file.entries import Steps


@dataclass(frozen=True, slots=True)
class Kit:
    """A bot as it is taken elsewhere: not built, in the folder where its files lie, with the steps that build it."""

    player: Player
    steps: Steps = ()

    @property
    def travels(self) -> bool:
        """Whether it is a folder; a plugin's bot has to be installed."""
        return isinstance(self.player.launch, Command)
