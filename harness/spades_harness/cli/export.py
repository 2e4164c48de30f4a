"""`spades export`: the matches, hands and decisions of a run, for pandas, a spreadsheet or a database."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .console import command, tell
from .show import RunArgument


class What(StrEnum):
    """What a row is; the kinds of `tournament.records.export`."""

    MATCHES = "matches"
    HANDS = "hands"
    DECISIONS = "decisions"


class Form(StrEnum):
    """How rows are written."""

    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


@command
def export(
    run: RunArgument,
    of: Annotated[What, typer.Option(help="What a row is.")] = What.MATCHES,
    form: Annotated[
        Form | None,
        typer.Option("--format", help="json: an object a line.", show_default="what FILE ends in, else csv"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", show_default="standard output")
    ] = None,
    no_times: Annotated[
        bool, typer.Option("--no-times", help="Leave out what was measured: equal runs give equal files.")
    ] = False,
) -> None:
    """Write what was played as a table: a row a match, a hand or a decision; columns as protocol/EXPORT.md has them."""
    from spades_harness.tournament.records.export import export as table_of
    from spades_harness.tournament.records.export import without_times
    from spades_harness.tournament.records.ledger import read_ledger

    from .custody import homes_of, refuse_among_bots
    from .exporting import write

    with read_ledger(run) as ledger:
        if ledger.run.finished is None:
            if output:
                refuse_among_bots("--output", output, homes_of(ledger))
            tell("spades: not all is played yet: the matches that are over are in it")
        if of is not What.MATCHES and not ledger.run.revealed:
            tell("spades: these hands show cards that others may still have to play: keep them until the run is over")
        table = table_of(ledger, of.value)
        write(without_times(table) if no_times else table, (form or _by_name(output)).value, output)


def _by_name(output: Path | None) -> Form:
    """The form that a file's name asks for."""
    ending = output.suffix.lower() if output else ""
    return {".json": Form.JSON, ".jsonl": Form.JSON, ".ndjson": Form.JSON, ".parquet": Form.PARQUET}.get(
        ending, Form.CSV
    )
