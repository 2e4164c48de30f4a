"""What an organiser can do to a run after the fact, in one word. Light: the command line is made of it."""

from __future__ import annotations

from enum import StrEnum


class Act(StrEnum):
    """What can be done."""

    VOID = "void"
    """A match's result counts for nobody, and the match is not played again."""
    AGAIN = "again"
    """A match's result counts for nobody, and the match is played again: the same cards, the next attempt."""
    WITHDRAW = "withdraw"
    """No more matches of an entrant are played; its results stay."""
    DISQUALIFY = "disqualify"
    """No more matches of an entrant are played; it leaves the ranking, and its results count for nobody."""
    UNDO = "undo"
    """An earlier amendment is lifted, as if it had never been."""
