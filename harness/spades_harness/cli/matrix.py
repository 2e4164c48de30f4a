"""The probabilities that one is stronger than the other on the screen. Formats what `comparison` computed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from spades_harness.tournament.records.ledger import Ledger
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.statistics.comparison import Compared, chances_of

from .console import rich_console, say
from .crossed import OWN, put_square
from .tables import Look, standings_of, tell_amendments, tell_how_complete

UNKNOWN: Final = "–"
"""Between groups that never met, and where one has too few pairs."""
MEANING: Final = f"Percent: how likely a row is stronger than each column; {UNKNOWN} where too little is known"


def show_matrix(ledger: Ledger, registry: Registry, look: Look) -> None:
    """Everybody against everybody, as wide as the screen is; on standard error, how complete the run is."""
    found = standings_of(ledger, registry, look)
    put_matrix([row.entrant for row in found.entrants], found.groups, rich_console(sys.stdout).width)
    tell_amendments(ledger)
    tell_how_complete(ledger)


def put_matrix(names: Sequence[str], groups: Sequence[Compared], width: int) -> None:
    """The matrix in the order of these names, in the form that fits this width."""
    chances = chances_of(groups, names)
    columns = [
        [OWN if row == column else cell(chances[row][column]) for row in range(len(names))]
        for column in range(len(names))
    ]
    put_square(names, columns, width)
    say(MEANING)


def cell(chance: float | None) -> str:
    """In percent; what is nearly sure is never told as sure."""
    if chance is None:
        return UNKNOWN
    percent = 100 * chance
    return "> 99" if percent > 99 else "< 1" if percent < 1 else f"{percent:.0f}"
