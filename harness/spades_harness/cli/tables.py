"""Standings on the screen and for machines. Formats what `standings` computed; computes nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from rich.box import SIMPLE_HEAD
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from spades_harness.errors import UserError
from spades_harness.tournament.anchor import Anchor, told_adrift, told_anchored, unknown
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.placement import Played, placed, ranked_among
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.records.ledger import Ledger
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.schedules.placing import Placed
from spades_harness.tournament.standings import Row, Standings, standings
from spades_harness.tournament.statistics.comparison import told_apart
from spades_harness.tournament.statistics.individuals import Individual, anchor_of, individuals, of_partners
from spades_harness.tournament.statistics.paired import pair_results
from spades_harness.tournament.statistics.stopping import looked_at, told

from .cells import bags, faults, partner, points, rank, ranks, rating
from .console import printable, rich_console, say, shown, tell, write
from .custody import kept
from .deals import deals_of
from .quoting import crossplay_command


class Look(NamedTuple):
    """How the standings are to be made for this once, where not as the run says."""

    rank_by: RankBy | None = None
    anchor: Anchor | None = None


PLAIN: Final = Look()


def standings_of(
    ledger: Ledger, registry: Registry, look: Look = PLAIN, outcomes: Sequence[Outcome] | None = None
) -> Standings:
    """The standings of a run as it stands, made as it says, or else by this look; by other outcomes, if given.

    The schedule places the entrants if it has places; see `placement`. The disqualified are left out. Tells of what is
    missing.
    """
    by, entrants, (name, options) = look.rank_by or ledger.rank_by(), ledger.entrants(), ledger.schedule()
    results, anchor = ledger.outcomes() if outcomes is None else outcomes, _anchor(ledger, look)

    def tabulate(names: Sequence[str], these: Sequence[Outcome], fixed: Anchor | None) -> Standings:
        return standings(names, these, options.format, registry.ratings, by, fixed)

    if name not in registry.schedules:
        known = registry.missing(name, [*registry.schedules])
        tell(f"spades: no schedule {name!r}{known}; {by.words} ranks instead (--plugin FILE loads one from a file)")
    names, absent = [each.name for each in entrants], [each.name for each in entrants if each.dropped]
    schedule, ranked = registry.schedules.get(name), ledger.ranked()
    if isinstance(schedule, Placed) and schedule.places:
        run = Played(names, absent, options, results, ledger.seen(results))
        found = placed(tabulate, run, schedule.places, by, anchor)
    else:
        found = tabulate(ranked, results, anchor)
    found = replace(found, entrants=ranked_among(found.entrants, ranked), amendments=ledger.amendments())
    for trouble in found.troubles:
        tell(f"spades: {trouble}")
    bots = {each.name: each.bots for each in entrants}
    alone = individuals(of_partners(bots, pair_results(options.format, results)), anchor_of(bots, anchor))
    return replace(found, individuals=alone, secrets=ledger.run.shown)


def _anchor(ledger: Ledger, look: Look) -> Anchor | None:
    """Raises UserError for one that is no entrant."""
    names = [each.name for each in ledger.entrants()]
    if look.anchor and (what := unknown(look.anchor, names)):
        raise UserError(f"--anchor: {what}")
    return look.anchor or ledger.anchor()


def show_standings(ledger: Ledger, registry: Registry, look: Look = PLAIN) -> None:
    """The table on standard output, and how complete it is on standard error."""
    by = look.rank_by or ledger.rank_by()
    found, console = standings_of(ledger, registry, look), rich_console(sys.stdout)
    hidden = () if by == RankBy.ELO and not found.title else (OPEN,)
    tables = (_table(found, (*hidden, *SPARED[:spared])) for spared in range(len(SPARED) + 1))
    boundless = console.options.update(max_width=10_000)
    fitting = (table for table in tables if Measurement.get(console, boundless, table).maximum <= console.width)
    put(next(fitting, _table(found, (*hidden, *SPARED))))
    for line in found.lines:
        say(line)
    for line in _told(found):
        say(printable(line))
    if found.individuals:
        say(BY_ITSELF)
        put(table_of(("bot", ELO, "pairs of legs"), map(_cells, found.individuals)))
    for line in deals_of(ledger):
        say(printable(line))
    for amendment in found.amendments:
        say(str(amendment))
    for line in dropped(ledger):
        say(printable(line))
    if by != RankBy.ELO:
        say(f"{'in the order of' if found.title else 'ranked by'} {by.words}")
    say(kept(ledger))
    if any(row.partner_effect is not None for row in found.entrants):
        tell(f"who goes with whom: {crossplay_command(ledger.path.parent)}")
    tell_how_complete(ledger)


def _told(found: Standings) -> Iterator[str]:
    """What the ratings are measured from, where that is not one mean of all."""
    if apart := told_apart(found.groups):
        yield apart
    if anchor := found.anchor:
        known = any(row.entrant == anchor.entrant and row.elo is not None for row in found.entrants)
        yield told_anchored(anchor) if known else told_adrift(anchor)


def tell_amendments(ledger: Ledger) -> None:
    """What was done to the run after the fact, beside results that have no room for it."""
    for amendment in ledger.amendments():
        tell(str(amendment))


def dropped(ledger: Ledger) -> Iterator[str]:
    """Who takes no part in a run, since its bot didn't come up, and why."""
    return (f"{each.name} takes no part: {each.dropped}" for each in ledger.entrants() if each.dropped)


def tell_how_complete(ledger: Ledger) -> None:
    """`412 of 7,140 matches` beside the standings of a run that isn't all played, and what its rule to stop says."""
    done, total = ledger.progress()
    so_far = "" if ledger.run.finished else " so far"
    if done < total or not total or so_far:
        tell(f"{done:,} of {total:,} matches played{so_far}")
    if rule := ledger.stop():
        playing = [listed.name for listed in ledger.entrants() if not listed.dropped]
        withdrawn = ledger.amended().withdrawn
        names = looked_at(rule, playing, withdrawn)
        tell(told(rule, names, ledger.run.terms.format, ledger.outcomes(), withdrawn))


def _table(found: Standings, spared: Collection[str]) -> Table:
    columns = {title: cell for title, cell in _columns(found) if title not in spared}
    return table_of(columns, ([cell(row) for cell in columns.values()] for row in found.entrants))


def _columns(found: Standings) -> Iterator[tuple[str, Callable[[Row], str]]]:
    """The columns, with the schedule's own beside the names; without ranks where it gives none."""
    shared = any(row.partner_effect is not None for row in found.entrants)
    for title, cell in COLUMNS.items():
        if title == PARTNER and not shared:
            continue
        if title != "rank" or not found.title or any(row.rank for row in found.entrants):
            yield title, cell
        if title == "entrant" and found.title:
            yield found.title, lambda row: row.placing


def _cells(each: Individual) -> tuple[str, ...]:
    return each.bot, rating(each.elo, each.elo_low, each.elo_high), str(each.pairs)


def table_of(titles: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """A table for standard output, names to the left and numbers to the right; each row is a text a title."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for title in titles:
        table.add_column(Text(shown(title, sys.stdout)), justify="left" if title in NAMES else "right", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(shown(cell, sys.stdout)) for cell in row))
    return table


def put(table: Table) -> None:
    """Print a table on standard output."""
    console = rich_console(sys.stdout)
    with console.capture() as captured:
        console.print(table)
    write(captured.get(), sys.stdout)  # by ourselves: rich ends the program when the reader of a pipe has gone


BY_ITSELF = "\nEach bot by itself: an entrant is taken to be as strong as its bots in the mean"
ELO = "Elo ± 95 %"
PARTNER = "as a partner ± 95 %"
OPEN = "ranks 95 %"
"""By strength: beside another order they would mislead."""
COLUMNS: Mapping[str, Callable[[Row], str]] = {
    "rank": lambda row: rank(row.rank),
    OPEN: ranks,
    "entrant": lambda row: row.entrant,
    ELO: lambda row: rating(row.elo, row.elo_low, row.elo_high),
    PARTNER: partner,
    "W–D–L": lambda row: f"{row.wins}–{row.draws}–{row.losses}",
    "points a hand": points,
    "contracts": lambda row: f"{100 * row.contracts_made / row.contracts:.0f} %" if row.contracts else "–",
    "nils": lambda row: f"{row.nils_made}/{row.nils}",
    "bags a hand": bags,
    "forfeits": lambda row: str(row.forfeits),
    "faults": faults,
}
SPARED = ("bags a hand", "nils", "contracts", OPEN, "forfeits", "points a hand")
"""What a narrow terminal does without, in this order; `--json` and `--csv` hold all of it."""
NAMES = ("entrant", "opponent", "bot", "reached", "challenges")
"""Columns that stand to the left."""
