"""`spades match`: two bots, or four, on the same boards from every side, and where the first one lost its points."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from spades_harness.errors import UserError

from . import numbers
from .chosen import Preset, Set
from .console import command
from .numbers import number_in

OPPONENT = "steady"
BOARDS = 32
FOLDER = Path("runs", "match")


Bots = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT",
        help="A registered name, a .py file, or a folder with bot.yaml. "
        f"The second is {OPPONENT} if there is none; four sit on N E S W, or draw for partners (partners=drawn).",
        show_default=False,
    ),
]
NumberOfBoards = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=number_in(numbers.BOARDS),
        help=f"How many boards, each played both ways round: a multiple of 4.  [default: {BOARDS}]",
    ),
]
NumberOfGames = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=number_in(numbers.GAMES),
        help="Play so many games to the target instead, each both ways round.",
    ),
]
Seed = Annotated[str | None, typer.Option(help="The boards to play, a number or a text; without it, new ones.")]
Plugins = Annotated[list[Path] | None, typer.Option(help="A plugin file to load first; may be repeated.")]
Out = Annotated[Path | None, typer.Option(help=f"Keep the match here.  [default: {FOLDER}, until the next match]")]
Stderr = Annotated[bool, typer.Option("--stderr", help="Show the first bot's standard error as it comes.")]
NoClock = Annotated[bool, typer.Option("--no-clock", help="Take any time.")]
Debug = Annotated[
    bool,
    typer.Option(
        "--debug", help="Run the first bot (in Python, with spades_bot) right here, so that breakpoint() works."
    ),
]


@command
def match(
    bots: Bots,
    rules: Preset = "classic",
    changes: Set = None,
    boards: NumberOfBoards = None,
    games: NumberOfGames = None,
    seed: Seed = None,
    plugin: Plugins = None,
    out: Out = None,
    stderr: Stderr = False,
    no_clock: NoClock = False,
    debug: Debug = False,
) -> None:
    """Play two bots against each other on the same boards, both ways round.

    Four bots make a table of strangers: the first and the third against the second and the fourth, or as the cards
    that they draw have it (--set partners=drawn), or each for himself (--rules cutthroat).

    Shows each fault at once, then points a hand with their error, contracts, nils and bags, and the boards that cost
    the first bot most, each with the command that replays it. Exit code 1 if a bot never started.
    """
    from .matching import Wishes, play_bots

    if len(bots) not in (1, 2, 4):
        raise UserError(f"a match is between one bot and {OPPONENT}, two bots, or four (N E S W), not {len(bots)}")
    named = (*bots, OPPONENT) if len(bots) == 1 else tuple(bots)
    wishes = Wishes(
        bots=named,
        rules=rules,
        changes=tuple(changes or ()),
        boards=boards,
        games=games,
        seed=seed,
        plugins=tuple(plugin or ()),
        out=out,
        stderr=stderr,
        no_clock=no_clock or debug,
        debug=debug,
    )
    raise typer.Exit(play_bots(wishes, BOARDS, FOLDER))
