"""The command `spades`. Each command group is a module here; what it needs is imported when it runs."""

from __future__ import annotations


def main() -> None:
    """The console script `spades`."""
    from .app import app  # only here: a worker that imports `cli.playing` needs no command line

    app()
