"""What fixes the scale of the ratings: one entrant with a number, as it is typed and told. Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from spades_harness.errors import UserError
from spades_harness.suggestion import nearest

MOST: Final = 10_000.0
"""Elo: twice what is given to anybody anywhere; more is a slip."""
MUST_BE: Final = f"one entrant with a number from {-MOST:g} to {MOST:g}"
"""What an anchor is, in the words of a refusal."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """An entrant, and the Elo that it has by definition; it has no influence on what is played."""

    entrant: str
    elo: float


def typed_anchor(typed: str) -> Anchor:
    """`random=1000`, as it is typed on the command line. Raises UserError."""
    name, _, written = typed.rpartition("=")
    try:
        number = float(written)
    except ValueError:
        number = MOST * 2
    if not name or not may_be(number):
        raise UserError(f"--anchor: must be {MUST_BE}, as in random=1000, not {typed[:40]!a}")
    return Anchor(name, number)


def unknown(anchor: Anchor, entrants: Collection[str]) -> str | None:
    """What is wrong with an anchor that is none of these entrants, in words; None if it is one."""
    if anchor.entrant in entrants:
        return None
    return f"no entrant {anchor.entrant!r} that could be the anchor{nearest(anchor.entrant, list(entrants))}"


def told_anchored(anchor: Anchor) -> str:
    """What the Elos of a table mean, in one line."""
    return f"Elo: {anchor.entrant} is {anchor.elo:g} by definition, and ± is of the distance from it"


def told_outside(anchor: Anchor, field: Collection[str]) -> str:
    """That an anchor fixes nothing where all are measured by a field of which it is none, in one line."""
    return f"Elo: {anchor.entrant} can't be {anchor.elo:g} here: all are measured by {', '.join(field)} alone"


def told_adrift(anchor: Anchor) -> str:
    """That an anchor fixes nothing, in one line."""
    return f"Elo: {anchor.entrant}, who is to be {anchor.elo:g}, has no result by which the others could be measured"


def may_be(number: float) -> bool:
    """Whether an anchor may have this Elo."""
    return -MOST <= number <= MOST  # a NaN is not
