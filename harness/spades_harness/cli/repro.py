"""`spades repro`: a bot hears once more what it heard in a match."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import command
from .show import MatchArgument, PluginOption, RunArgument

Seat = Annotated[str | None, typer.Option(help="The seat, N, E, S or W.  [default: that of the first fault]")]
OtherBot = Annotated[
    str | None,
    typer.Option("--bot", metavar="BOT", help="Another version of the bot: a name, a .py file, or a folder."),
]
OtherCommand = Annotated[
    str | None,
    typer.Option(
        "--command", metavar="COMMAND", help='Start it so, in its folder and in no sandbox: "valgrind ./bot".'
    ),
]
NoClock = Annotated[bool, typer.Option("--no-clock", help="Take any time; it is told that it has a day.")]
Debug = Annotated[
    bool,
    typer.Option("--debug", help="Run the bot (in Python, with spades_bot) right here, so that breakpoint() works."),
]


@command
def repro(
    run: RunArgument,
    match: MatchArgument,
    seat: Seat = None,
    bot: OtherBot = None,
    command: OtherCommand = None,
    no_clock: NoClock = False,
    debug: Debug = False,
    plugin: PluginOption = None,
) -> None:
    """Feed a bot the same messages as in a match, up to its fault or to the first answer that differs.

    The others' choices and the bot's own times come from the record, its dice from the same seed. Its standard error
    is shown as it comes. Exit code 1 if it has a fault.
    """
    from spades_harness.errors import UserError

    from .reproducing import Wishes, reproduce

    if sum(map(bool, (bot, command))) > 1:
        raise UserError("--bot and --command: choose one")
    if command and debug:
        raise UserError("--command and --debug: choose one; to be debugged a bot must run in this process")
    raise typer.Exit(reproduce(Wishes(run, match, seat, bot, command, tuple(plugin or ()), no_clock, debug)))
