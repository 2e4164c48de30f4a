"""Matches in which a substitute sat for a bot at fault, where partners change: what they count for, in a line. Pure.

Beside a partner who changes, a fault is a loss of one bot and nothing to the other three. So the counts of the others
are short by these matches, and those of the bot at fault are longer than its results against anybody: a line says why.
"""

from __future__ import annotations

from spades_harness.game.score import Boards, Format

from .statistics.meeting import Results


def told_replaced(game: Format, results: Results) -> str | None:
    """How many matches count for nobody but the bot at fault; None where there are none."""
    legs = (leg for meeting, _ in results if meeting.mates > 1 for leg in meeting.legs)
    count = sum(any(leg.forfeited) for leg in legs)
    together = isinstance(game, Boards)  # both legs are one result
    if count == 1:
        other = ", and the other leg on its cards," if together else ""
        return f"1 match with a substitute{other} is a loss of the bot at fault and counts for nobody else"
    others = ", and the other legs on their cards," if together else ""
    told = f"{count:,} matches with a substitute{others} are losses of the bots at fault and count for nobody else"
    return told if count else None
