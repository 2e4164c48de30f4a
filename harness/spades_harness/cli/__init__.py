"""The command `spades`. Each command group is a module here; what it needs is imported when it runs."""

from __future__ import annotations

import sys


def main() -> None:
    """The console script `spades`."""
    import typer

    from .app import app  # only here: a worker that imports `cli.playing` needs no command line
    from .console import command

    try:
        command(app)()  # what a command doesn't catch, such as a full disk under its help
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
