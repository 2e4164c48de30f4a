"""What may rank a table: a word of the tournament file and of the command line. Pure, and imports nothing of weight."""

from __future__ import annotations

from enum import Enum


class RankBy(Enum):
    """What decides the order of the standings; it has no influence on what is played."""

    ELO = "elo"
    POINTS = "points"
    """A hand, as in the table."""
    WINS = "wins"

    @property
    def words(self) -> str:
        """As people read it."""
        return {RankBy.ELO: "Elo", RankBy.POINTS: "points a hand", RankBy.WINS: "wins"}[self]
