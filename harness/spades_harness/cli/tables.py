"""Standings on the screen and for machines. Formats what `standings` computed; computes nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from spades_harness.tournament.ledger import Ledger
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.rating import Rating
from spades_harness.tournament.sprt import Evidence, scores_of, told
from spades_harness.tournament.standings import Row, Standings, standings

from .cells import bags, faults, points, rating
from .console import glyphs, printable, rich_console, say, tell
from .custody import kept


def standings_of(ledger: Ledger, ratings: Mapping[str, Rating], rank_by: RankBy | None = None) -> Standings:
    """The standings of a run as it stands, ranked as it says, or else by this; tells of missing ratings."""
    names = [listed.name for listed in ledger.entrants()]
    found = standings(names, ledger.outcomes(), ledger.run.terms.format, ratings, rank_by or ledger.rank_by())
    for trouble in found.troubles:
        tell(f"spades: {trouble}")
    return found


def show_standings(ledger: Ledger, ratings: Mapping[str, Rating], rank_by: RankBy | None = None) -> None:
    """The table on standard output, and how complete it is on standard error."""
    by = rank_by or ledger.rank_by()
    rows, console = standings_of(ledger, ratings, by).entrants, rich_console(sys.stdout)
    tables = (_table(rows, SPARED[:spared]) for spared in range(len(SPARED) + 1))
    boundless = console.options.update(max_width=10_000)
    fitting = (table for table in tables if Measurement.get(console, boundless, table).maximum <= console.width)
    put(next(fitting, _table(rows, SPARED)))
    if by != RankBy.ELO:
        say(f"ranked by {by.words}")
    say(kept(ledger))
    tell_how_complete(ledger)


def tell_how_complete(ledger: Ledger) -> None:
    """`412 of 7,140 matches` beside the standings of a run that isn't all played, and what its rule to stop says."""
    planned, missing = len(ledger.planned()), len(ledger.missing())
    if missing or not planned:
        so_far = "" if ledger.run.finished else " so far"
        tell(f"{planned - missing:,} of {planned:,} matches played{so_far}")
    if rule := ledger.stop():
        first, second = (listed.name for listed in ledger.entrants())
        scores = scores_of(ledger.run.terms.format, first, ledger.outcomes())
        tell(told(rule, first, second, Evidence().plus(scores)))


def _table(rows: Sequence[Row], spared: Collection[str]) -> Table:
    columns = {title: cell for title, cell in COLUMNS.items() if title not in spared}
    return table_of(columns, ([cell(row) for cell in columns.values()] for row in rows))


def table_of(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """A table for standard output, names to the left and numbers to the right; each row is a text a title."""
    plain = glyphs(sys.stdout)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for title in titles:
        table.add_column(plain(title), justify="left" if title in NAMES else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(plain(printable(cell))) for cell in row))
    return table


def put(table: Table) -> None:
    """Print a table on standard output."""
    console = rich_console(sys.stdout)
    with console.capture() as shown:
        console.print(table)
    sys.stdout.write(shown.get())  # by ourselves: rich ends the program when the reader of a pipe has gone
    sys.stdout.flush()


COLUMNS: Mapping[str, Callable[[Row], str]] = {
    "rank": lambda row: "–" if row.rank is None else str(row.rank),
    "entrant": lambda row: row.entrant,
    "Elo ± 95 %": lambda row: rating(row.elo, row.elo_low, row.elo_high),
    "W–D–L": lambda row: f"{row.wins}–{row.draws}–{row.losses}",
    "points a hand": points,
    "contracts": lambda row: f"{100 * row.contracts_made / row.contracts:.0f} %" if row.contracts else "–",
    "nils": lambda row: f"{row.nils_made}/{row.nils}",
    "bags a hand": bags,
    "forfeits": lambda row: str(row.forfeits),
    "faults": faults,
}
SPARED = ("bags a hand", "nils", "contracts", "forfeits", "points a hand")
"""What a narrow terminal does without, in this order; `--json` and `--csv` hold all of it."""
NAMES = ("entrant", "bot")
"""Columns that stand to the left."""
