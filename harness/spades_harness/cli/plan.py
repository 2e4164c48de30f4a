"""`spades plan`: how much a tournament is, how long it takes here, and what it can tell; before the run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import command, say
from .run import Jobs


@command
def plan(
    file: Annotated[str, typer.Argument(help="A tournament file, or the name of one that ships (demo).")],
    jobs: Jobs = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    plugin: Annotated[list[Path] | None, typer.Option(help="A plugin file to load; may be repeated.")] = None,
) -> None:
    """Say before a run: matches, hands, the time on this machine, and which difference in Elo it can tell.

    Plays a few matches of the plan with every bot to measure, with public cards that are not the run's, and keeps
    nothing of them; `spades run FILE --dry-run` shows the matches one by one and plays nothing.
    """
    from .opening import open_tournament
    from .planning import make_plan
    from .prospect import as_json, show

    opened = open_tournament(file, None, plugin or [])
    made = make_plan(opened, Path("runs") / opened.file.name, jobs)
    if json:
        say(as_json(made))
    else:
        show(made)
