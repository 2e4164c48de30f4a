"""`spades check`: a bot looked over, each fault with its cure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import Exit, command, say


@command
def check(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A registered name, a .py file, or a folder with bot.yaml.")
    ],
    rules: Annotated[str, typer.Option(metavar="PRESET", help="The rules to play by.")] = "classic",
    plugin: Annotated[list[Path] | None, typer.Option(help="A plugin file to load first; may be repeated.")] = None,
) -> None:
    """Look a bot over: does it answer every kind of question, correctly and in time?

    Takes a few seconds. Exit code 1 if there is a fault; warnings cost nothing.
    """
    from spades_harness.table.match import Limits

    from .checking import check_bot
    from .findings import findings
    from .players import find_players
    from .signals import terminated_as_interrupted

    limits = Limits()
    with terminated_as_interrupted():  # a build is to be ended as well
        found = find_players([bot], rules, plugin or [])
        (player,) = found.players
        checkup = check_bot(player, found.rules, limits)
    for line in findings(checkup, player.name, found.rules, limits):
        say(line)
    if checkup.faults:
        raise typer.Exit(Exit.TROUBLE)
