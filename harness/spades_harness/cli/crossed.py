"""The crosstable and the counts of pairs on the screen. Formats what `crosstable` computed; computes nothing.

Where names are too wide for headings, the columns have numbers: those of the rows. Where the columns are still too
many, they come in blocks under each other; where even a name and one column have no room, the names stand above.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import compress
from typing import Final, TypeAlias

from rich.cells import cell_len

from spades_harness.game.score import Boards, Format
from spades_harness.tournament.crosstable import Crosstable, crosstable
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.records.ledger import Ledger
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.replaced import told_replaced
from spades_harness.tournament.statistics.meeting import results_of
from spades_harness.tournament.statistics.pairings import Pairing

from .cells import lead, rank
from .console import rich_console, say, shown
from .tables import Look, put, standings_of, table_of, tell_amendments, tell_how_complete

GAP: Final = 3
"""Columns of the screen between two of a table."""
OWN: Final = "×"
"""Where an entrant would meet itself."""
APART: Final = "·"
"""Where two have no result between them."""
ONE_RESULT: Final = (
    "Pairs of legs by what they were worth to the entrant: one result a pair, 1 for a win, 0.5 for a draw (trinomial)"
)
TWO_RESULTS: Final = (
    "Complete pairs of legs (at a table of four, all four) by what they were worth to the entrant: the sum of"
    " 1 for a leg won and 0.5 for a draw (pentanomial)"
)
MEANING: Final = "A row against each column: wins–draws–losses; points a hand ± standard error"

Columns: TypeAlias = Sequence[tuple[str, Sequence[str]]]
"""Titles, each with a cell for each row; a cell may have two lines."""


def crosstable_of(ledger: Ledger, registry: Registry, look: Look, outcomes: Sequence[Outcome]) -> Crosstable:
    """A run as it stands by its outcomes, two by two, made as it says, or else by this look."""
    return crosstable(standings_of(ledger, registry, look, outcomes), ledger.run.terms.format, outcomes)


def show_crosstable(ledger: Ledger, registry: Registry, look: Look) -> None:
    """Everybody against everybody, as wide as the screen is; on standard error, how complete that is."""
    outcomes = ledger.outcomes()
    put_crosstable(crosstable_of(ledger, registry, look, outcomes), rich_console(sys.stdout).width)
    say_replaced(ledger.run.terms.format, outcomes)
    tell_amendments(ledger)
    tell_how_complete(ledger)


def show_pairs(ledger: Ledger, registry: Registry, look: Look) -> None:
    """How often a pair of legs was worth how much, by entrant and then two by two."""
    outcomes = ledger.outcomes()
    put_pairs(crosstable_of(ledger, registry, look, outcomes))
    say(ONE_RESULT if isinstance(ledger.run.terms.format, Boards) else TWO_RESULTS)
    say_replaced(ledger.run.terms.format, outcomes)
    tell_amendments(ledger)
    tell_how_complete(ledger)


def say_replaced(game: Format, outcomes: Sequence[Outcome]) -> None:
    """Where partners change: how many matches are in no cell, since a substitute sat for a bot at fault."""
    if said := told_replaced(game, results_of(game, outcomes)):
        say(said)


# --------------------------------------------------------------------------------------------------------- crosstable


def put_crosstable(found: Crosstable, width: int) -> None:
    """The table, in the form that fits this width."""
    put_square([entry.entrant for entry in found.entrants], [*_cells(found)], width, _field(found))
    say(MEANING)


def _field(found: Crosstable) -> frozenset[str]:
    """Where some few meet all the others and nobody else meets anybody, as in an exam, these few; else nobody."""
    met: dict[str, set[str]] = {entry.entrant: set() for entry in found.entrants}
    for each in found.pairings:
        met[each.entrant].add(each.opponent)
    field = next((opponents for opponents in met.values() if opponents), set())
    apart = all(opponents.isdisjoint(field) if name in field else opponents <= field for name, opponents in met.items())
    return frozenset(field if apart and 2 * len(field) < len(met) else ())


def put_square(
    names: Sequence[str], cells: Sequence[Sequence[str]], width: int, only: Collection[str] = frozenset()
) -> None:
    """A table of all against all, in the form that fits this width; `cells` are column by column.

    If any are named, `only` they have a column.
    """
    numbers = [str(number) for number, _ in enumerate(names, 1)]
    wanted = [not only or name in only for name in names]
    named, numbered = ([*compress(zip(titles, cells, strict=True), wanted)] for titles in (names, numbers))
    key: Columns = [("", numbers), ("entrant", names)]
    if _room(key, named) <= width:
        _put([*key[1:], *named])
    elif _room(key, [max(numbered, key=_wide, default=key[0])]) <= width:
        _put_blocks(key, numbered, width)
    else:
        for number, name in zip(numbers, names, strict=True):
            say(f"{number:>{len(numbers[-1])}}  {name}")
        say()
        _put_blocks(key[:1], numbered, width)


def _cells(found: Crosstable) -> Iterator[list[str]]:
    """Column by column, what each row came to against it."""
    met = {(each.entrant, each.opponent): _cell(each) for each in found.pairings}
    names = [entry.entrant for entry in found.entrants]
    for column in names:
        yield [OWN if row == column else met.get((row, column), APART) for row in names]


def _cell(pairing: Pairing) -> str:
    points = lead(pairing.points_per_hand, pairing.points_error)
    return f"{pairing.wins}–{pairing.draws}–{pairing.losses}\n{points}"


def _put_blocks(key: Columns, columns: Columns, width: int) -> None:
    """So many columns at a time as there is room for, each time behind the key."""
    block: list[tuple[str, Sequence[str]]] = []
    for column in columns:
        if block and _room(key, [*block, column]) > width:
            _put([*key, *block])
            say()
            block = []
        block.append(column)
    _put([*key, *block])


def _put(columns: Columns) -> None:
    put(table_of([title for title, _ in columns], zip(*(cells for _, cells in columns), strict=True)))


def _room(key: Columns, columns: Columns) -> int:
    """How wide a table of these is."""
    return sum(_wide(column) + GAP for column in (*key, *columns)) - GAP


def _wide(column: tuple[str, Sequence[str]]) -> int:
    title, cells = column
    return max(cell_len(shown(line, sys.stdout)) for cell in (title, *cells) for line in cell.split("\n"))


# ------------------------------------------------------------------------------------------------------ pairs of legs


def put_pairs(found: Crosstable) -> None:
    """Two tables: by entrant, and then two by two."""
    scale = [*found.entrants[0].pairs] if found.entrants else []
    place = {entry.entrant: number for number, entry in enumerate(found.entrants)}
    each_alone = ((rank(each.rank), each.entrant, *_counts(each.pairs)) for each in found.entrants)
    once = (each for each in found.pairings if place[each.entrant] < place[each.opponent])
    two_by_two = ((each.entrant, each.opponent, *_counts(each.pairs)) for each in once)
    put(table_of(("rank", "entrant", *scale), each_alone))
    say()
    put(table_of(("entrant", "opponent", *scale), two_by_two))


def _counts(pairs: Mapping[str, int]) -> Iterator[str]:
    return (str(count) for count in pairs.values())
