"""`spades rate`: results from anywhere, rated as those of a run are. Asks no run and no ledger."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import command, say


@command
def rate(
    results: Annotated[str, typer.Argument(metavar="RESULTS.csv", help="The file; - reads standard input.")],
    json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="Instead, the probability that each is stronger than each; also in --json.")
    ] = False,
    anchor: Annotated[
        str | None, typer.Option(metavar="NAME=ELO", help="Whose Elo is this by definition, such as random=1000.")
    ] = None,
) -> None:
    """Rate results from anywhere: Elo with 95 % intervals, by the code that rates a run.

    The first line of the file names its columns: a, b, score (what a got: 1, 0.5 or 0), and perhaps weight and pair.
    Lines of one pair, such as the two legs on the same cards, count as one observation. A weight is in matches, from
    0.001 to 1000; where one is above 1 there is no elo_k, which goes game by game.
    """
    from spades_harness.tournament.anchor import typed_anchor
    from spades_harness.tournament.standings import as_json

    from . import rated

    table = rated.rate(rated.read(results), None if anchor is None else typed_anchor(anchor))
    if json:
        say(as_json(table))
    elif matrix:
        rated.show_matrix(table)
    else:
        rated.show(table)
