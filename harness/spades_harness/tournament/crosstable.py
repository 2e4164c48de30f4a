"""A run two by two, in the order of its standings: everybody against everybody. Pure.

What two came to between them is `pairings`' own; who stands where, the standings say.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from spades_harness.game.score import Format

from .outcome import Outcome
from .standings import Standings, as_csv
from .statistics.meeting import results_of
from .statistics.pairings import Pairing, pairings


@dataclass(frozen=True, slots=True)
class Entry:
    """An entrant in its place, as the standings have it."""

    rank: int | None
    entrant: str
    pairs: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Crosstable:
    """Who met whom. The fields are the keys of the JSON object; the pairings alone are the CSV."""

    entrants: tuple[Entry, ...]
    pairings: tuple[Pairing, ...]
    """Both ways round, by row and then by column; those without a result between them have none."""


def crosstable(table: Standings, game: Format, outcomes: Iterable[Outcome]) -> Crosstable:
    """The outcomes two by two, for those who stand in this table."""
    entries = tuple(Entry(row.rank, row.entrant, row.pairs) for row in table.entrants)
    names = [entry.entrant for entry in entries]
    return Crosstable(entries, tuple(pairings(names, game, results_of(game, outcomes))))


def as_csv_of_pairings(found: Crosstable) -> str:
    """The fields of `Pairing` as columns, a row for each two that met, both ways round."""
    return as_csv(found.pairings, Pairing)
