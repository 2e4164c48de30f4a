"""`spades check`: a bot looked over, each fault with its cure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .chosen import Set
from .console import Exit, command, say


@command
def check(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A registered name, a .py file, or a folder with bot.yaml.")
    ],
    rules: Annotated[
        str | None,
        typer.Option(metavar="PRESET", help="The rules to play by; without it classic, and a few hands by others."),
    ] = None,
    changes: Set = None,
    plugin: Annotated[list[Path] | None, typer.Option(help="A plugin file to load first; may be repeated.")] = None,
) -> None:
    """Look a bot over: does it answer every kind of question, correctly and in time?

    Takes a few seconds. Exit code 1 if there is a fault; warnings cost nothing. Without --rules it plays classic, and
    then a few hands by other rules: faults there are warnings.
    """
    from spades_harness.table.bounds import Limits

    from .checking import check_bot, try_bot
    from .findings import findings
    from .players import find_players
    from .signals import terminated_as_interrupted
    from .trials import TRIALS, Tried

    limits = Limits()
    with terminated_as_interrupted():  # a build is to be ended as well
        found = find_players([bot], rules or "classic", plugin or [], changes or [])
        (player,) = found.players
        checkup = check_bot(player, found.rules, limits)
        others = () if checkup.faults or rules or changes else TRIALS
        tried = [Tried(bot, trial, try_bot(player, trial.rules, limits, trial.seat)) for trial in others]
    for line in findings(checkup, player.name, found.rules, limits, tried):
        say(line)
    if checkup.faults:
        raise typer.Exit(Exit.TROUBLE)
