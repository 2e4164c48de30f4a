"""`spades fault`: the dossier of each fault of a match."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import command, say
from .show import MatchArgument, RunArgument


@command
def fault(
    run: RunArgument,
    match: MatchArgument,
    json: Annotated[bool, typer.Option("--json", help="As a JSON list, with all that is known.")] = False,
) -> None:
    """Print the dossier of each fault of a match: who, when, what was asked and answered, and what to do about it."""
    from json import dumps

    from spades_harness.tournament.records.ledger import read_ledger

    from .dossier import as_object, dossiers, tell_dossier
    from .quoting import replay_command, repro_command
    from .seated import Seated

    with read_ledger(run) as ledger:
        record = ledger.match(match)
        leg = ledger.planned()[match - 1].leg
        found = dossiers(ledger.run, leg, Seated(ledger).bots(leg), record)
        name = ledger.run.name
    calls = [(repro_command(run, match, each.seat), replay_command(run, match, each.fault.hand_no)) for each in found]
    if json:
        say(dumps([as_object(each, call) for each, call in zip(found, calls, strict=True)], indent=2))
    elif not found:
        say(f"Match {match} of {name} is void: {record.void}" if record.void else f"Match {match} of {name}: no fault")
    else:
        told = ("\n".join(tell_dossier(each, call)) for each, call in zip(found, calls, strict=True))
        say("\n\n".join(told))
