"""Who plays how well beside whom, on the screen. Formats what `crossplay` computed; computes nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Final

from spades_harness.errors import UserError
from spades_harness.tournament.crossplay import Beside, Crossplay, Own, crossplay
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.records.ledger import Ledger
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.statistics.meeting import results_of

from .cells import lead
from .console import rich_console, say
from .crossed import APART, put_square, say_replaced
from .tables import Look, put, standings_of, table_of, tell_amendments, tell_how_complete

MEANING: Final = (
    "A row beside each column as its partner, on the diagonal beside itself: points a hand more than the other side"
    " ± standard error"
)
UNDERSTANDING: Final = "understands itself"
WHAT_IT_IS: Final = (
    f"{UNDERSTANDING}: beside itself less twice beside others, for it sits there twice; above 0 if it suits itself"
    " better than it suits others"
)
UNTOLD: Final = "Of who was at fault no difference is told: a fault that lowers one of the two might raise it"
WITHOUT_OWN: Final = "Nobody was its own partner: schedule: {mixer: {self_play: true}} plays the diagonal"


def crossplay_of(ledger: Ledger, registry: Registry, look: Look, outcomes: Sequence[Outcome]) -> Crossplay:
    """A run as it stands by its outcomes, bot by partner. Raises UserError for one in which partners don't change."""
    if not any(each.leg.mates > 1 for each in ledger.planned()):
        raise UserError(
            "--crossplay is for runs in which partners change, as in schedule: mixer; --crosstable is for all"
        )
    table = standings_of(ledger, registry, look, outcomes)
    return crossplay(table, results_of(ledger.run.terms.format, outcomes))


def show_crossplay(ledger: Ledger, registry: Registry, look: Look) -> None:
    """Everybody beside everybody, then beside itself and beside others, as wide as the screen is."""
    outcomes = ledger.outcomes()
    found = crossplay_of(ledger, registry, look, outcomes)
    put_square(found.entrants, [*_columns(found)], rich_console(sys.stdout).width)
    say(f"{MEANING}{_of(found)}")
    say()
    if any(each.self_play is not None for each in found.own):
        put(
            table_of(("entrant", "beside itself", "beside others", "difference", UNDERSTANDING), map(_cells, found.own))
        )
        say(WHAT_IT_IS)
        if any(None not in (each.self_play, each.cross_play) and each.difference is None for each in found.own):
            say(UNTOLD)
    else:
        say(WITHOUT_OWN)
    say_replaced(ledger.run.terms.format, outcomes)
    tell_amendments(ledger)
    tell_how_complete(ledger)


def _of(found: Crossplay) -> str:
    """How many tables a cell is made of: few of them make an error that can't be relied on."""
    tables = [each.tables for each in found.cells if each.entrant != each.partner and each.tables]
    if not tables:
        return ""
    least, most = min(tables), max(tables)
    span = f"{least}" if least == most else f"{least} to {most}"
    return f"; {span} {'table' if span == '1' else 'tables'} for each two"


def _columns(found: Crossplay) -> Iterator[list[str]]:
    met = {(each.entrant, each.partner): _cell(each) for each in found.cells}
    for column in found.entrants:
        yield [met.get((row, column), APART) for row in found.entrants]


def _cell(each: Beside) -> str:
    return lead(each.points_per_hand, each.points_error)


def _cells(each: Own) -> tuple[str, ...]:
    alone, others = ("–" if points is None else f"{points + 0.0:+.1f}" for points in (each.self_play, each.cross_play))
    more = lead(each.understanding, each.understanding_error)
    return each.entrant, alone, others, lead(each.difference, each.difference_error), more
