"""`spades verify`: whether a run's ledger holds what was played."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import Exit, command, say
from .show import PluginOption, RunArgument


@command
def verify(
    run: RunArgument,
    json: Annotated[bool, typer.Option("--json", help="As a JSON object.")] = False,
    head: Annotated[
        str | None, typer.Option(metavar="HEX", help="The head that the run told at its end: compare it.")
    ] = None,
    plugin: PluginOption = None,
) -> None:
    """Referee every match of a run once more, from its ledger alone, and name all that differs (exit code 1)."""
    from spades_harness.tournament.records.ledger import read_ledger
    from spades_harness.tournament.records.verifying import verify as check

    from .deals import commitments_of
    from .opening import registered
    from .tables import standings_of
    from .verdict import as_object, head_typed, tell_verdict

    expected = None if head is None else head_typed(head)
    registry = registered(plugin or [])
    with read_ledger(run) as ledger:
        found = check(ledger, expected)
        table = standings_of(ledger, registry, outcomes=found.outcomes)
        name, sessions = ledger.run.name, ledger.sessions()
        notes = (*map(str, table.amendments), *commitments_of(ledger))
    if json:
        say(as_object(name, found, table, sessions))
    else:
        for line in tell_verdict(name, found, sessions, notes):
            say(line)
    if found.differences:
        raise typer.Exit(Exit.TROUBLE)
