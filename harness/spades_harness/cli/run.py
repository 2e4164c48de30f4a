"""`spades run`: a tournament file, played to its standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from .console import command
from .numbers import number_in
from .quoting import quoted

MAX_JOBS = 256
"""More lanes than most machines have cores; each is a process with pipes, of which a system gives out so many."""
JOBS_HERE = "one a core; 50 where all bots of a match say waits: true"
"""What `room` says, for --help."""


File = Annotated[str, typer.Argument(help="A tournament file, or the name of one that ships (demo).")]
Out = Annotated[Path | None, typer.Option(help="The run's folder.", show_default="runs/NAME")]
Jobs = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        parser=number_in(range(1, MAX_JOBS + 1)),
        help=f"Matches at a time, {MAX_JOBS} at the most.",
        show_default=JOBS_HERE,
    ),
]
Seed = Annotated[
    str | None, typer.Option(help="A public seed, a number or a text, instead of the file's.", show_default=False)
]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Print the file as understood, the matches, and what can't be kept here; play nothing."
    ),
]
Plugins = Annotated[list[Path] | None, typer.Option(help="A plugin file to load; may be repeated.")]
Span = Annotated[
    str | None,
    typer.Option("--for", metavar="6h", help="End after the last whole round that fits.", show_default=False),
]
Until = Annotated[
    str | None,
    typer.Option(metavar="07:00", help="End after the last whole round by this time of day.", show_default=False),
]
Commit = Annotated[
    bool, typer.Option("--commit", help="Found the run, print the commitment to its deals, and play nothing yet.")
]
Salt = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        show_default=False,
        help="Mix in a text that nobody could foresee when the deals were committed to: a lottery's draw.",
    ),
]
Reuse = Annotated[
    Path | None,
    typer.Option(metavar="RUN", show_default=False, help="Take over the matches that this run has played already."),
]
Executor = Annotated[
    str | None,
    typer.Option(
        metavar="NAME[=WHERE]",
        show_default="lanes",
        help="Where matches run: lanes here, dask=ADDRESS on a cluster, dask=local:N on one of its own.",
    ),
]
Events = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|-", show_default=False, help="Add what happens to a file, as JSON lines; -: standard output."
    ),
]


@command
def run(
    file: File,
    out: Out = None,
    jobs: Jobs = None,
    seed: Seed = None,
    dry_run: DryRun = False,
    plugin: Plugins = None,
    span: Span = None,
    until: Until = None,
    commit: Commit = False,
    salt: Salt = None,
    reuse: Reuse = None,
    executor: Executor = None,
    events: Events = None,
) -> None:
    """Play a tournament to its standings; the same call goes on with a run that was stopped."""
    from dataclasses import replace

    from spades_harness.tournament.execution.executors import named

    from .opening import open_tournament
    from .running import carry_out, show_plan
    from .timing import time_box

    box = time_box(span, until)
    opened = replace(open_tournament(file, seed, plugin or [], salt), reuse=reuse, executor=named(executor))
    folder = out or Path("runs") / opened.file.name
    if dry_run:
        show_plan(opened, folder)
    else:
        kept = {"--out": out, "--seed": seed, "--executor": executor, "--events": events, "--reuse": reuse}
        again = _again(file, kept, plugin or [])
        carry_out(opened, folder, jobs, again, box, events, plays=not commit)


def _again(file: str, options: Mapping[str, object], plugins: Sequence[Path]) -> str:
    """The call that goes on with this run."""
    given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    loaded = [word for plugin in plugins for word in ("--plugin", str(plugin))]
    return quoted(["spades", "run", file, *given, *loaded])
