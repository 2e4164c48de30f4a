"""What `standings` prints: one of several views of a run, for people or for machines."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from spades_harness.errors import UserError
from spades_harness.tournament.crossplay import as_csv_of_cells
from spades_harness.tournament.crosstable import as_csv_of_pairings
from spades_harness.tournament.records.ledger import Ledger
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.standings import as_csv, as_json

from .beside import crossplay_of, show_crossplay
from .console import say, tell
from .crossed import crosstable_of, show_crosstable, show_pairs
from .custody import kept
from .deals import deals_of
from .matrix import show_matrix
from .tables import Look, dropped, show_standings, standings_of, tell_amendments, tell_how_complete


class View(Enum):
    """What of a run is looked at."""

    TABLE = "table"
    CROSSTABLE = "crosstable"
    PAIRS = "pairs"
    MATRIX = "matrix"
    CROSSPLAY = "crossplay"


class Form(Enum):
    """For whom it is printed."""

    PEOPLE = "people"
    JSON = "json"
    CSV = "csv"


def form_of(asked: Mapping[Form, bool]) -> Form:
    """The one form that is asked for; raises UserError for two."""
    if all(asked.values()):
        raise UserError("--json and --csv: choose one")
    return next((form for form, wanted in asked.items() if wanted), Form.PEOPLE)


def view_of(form: Form, *, crosstable: bool, pairs: bool, matrix: bool, crossplay: bool = False) -> View:
    """The one view that is asked for; raises UserError for two."""
    if crossplay and (crosstable or pairs or matrix):
        raise UserError("--crossplay is shown alone")
    if matrix and (crosstable or pairs or form == Form.CSV):
        raise UserError("--matrix is shown alone; for machines, --json has it, as `stronger`")
    if crosstable and pairs:
        raise UserError("--crosstable and --pairs: choose one; as --json and --csv they are the same")
    asked = {View.CROSSTABLE: crosstable, View.PAIRS: pairs, View.MATRIX: matrix, View.CROSSPLAY: crossplay}
    return next((each for each, wanted in asked.items() if wanted), View.TABLE)


def view(ledger: Ledger, registry: Registry, chosen: View, form: Form, look: Look) -> None:
    """Print this view in this form; beside what machines read, standard error says what it is worth."""
    if form == Form.PEOPLE:
        _SHOWN[chosen](ledger, registry, look)
        return
    tell_amendments(ledger)
    for line in deals_of(ledger):
        tell(line)
    for line in dropped(ledger):
        tell(line)
    tell(kept(ledger))
    tell_how_complete(ledger)
    if chosen in {View.CROSSTABLE, View.PAIRS}:
        table = crosstable_of(ledger, registry, look, ledger.outcomes())
        say(as_json(table) if form == Form.JSON else as_csv_of_pairings(table).rstrip("\n"))
    elif chosen == View.CROSSPLAY:
        beside = crossplay_of(ledger, registry, look, ledger.outcomes())
        say(as_json(beside) if form == Form.JSON else as_csv_of_cells(beside).rstrip("\n"))
    else:
        found = standings_of(ledger, registry, look)
        say(as_json(found) if form == Form.JSON else as_csv(found.entrants).rstrip("\n"))


_SHOWN = {
    View.TABLE: show_standings,
    View.CROSSTABLE: show_crosstable,
    View.PAIRS: show_pairs,
    View.MATRIX: show_matrix,
    View.CROSSPLAY: show_crossplay,
}
