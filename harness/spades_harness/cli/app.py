"""The app behind the command `spades`: its commands and their order. What a command needs is imported when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from spades_harness import __version__

from . import amend as _amend
from . import ask as _ask
from . import check as _check
from . import console as _console
from . import deal as _deal
from . import export as _export
from . import fault as _fault
from . import match as _match
from . import new as _new
from . import plan as _plan
from . import rate as _rate
from . import repro as _repro
from . import reveal as _reveal
from . import rules as _rules
from . import run as _run
from . import show as _show
from . import verify as _verify

app = typer.Typer(
    name="spades",
    cls=_console.Commands,
    help="Tournaments of Spades for bots: fair deals, enforced clocks, standings with honest error bars.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    epilog=(
        "Exit codes: 0 done; "
        "1 finished, but an entrant never started, or check, repro, verify or fail_on found faults; "
        "2 a mistake in the call or a file; 3 interrupted, or the time was up; 4 a fault of the harness itself."
    ),
)
app.command("run")(_run.run)
app.command("plan")(_plan.plan)
app.command("match")(_match.match)
app.command("check")(_check.check)
app.command("new")(_new.new)
app.command("standings")(_show.standings)
app.command("verify")(_verify.verify)
app.command("export")(_export.export)
app.command("amend")(_amend.amend)
app.command("reveal")(_reveal.reveal)
app.command("replay")(_show.replay)
app.command("fault")(_fault.fault)
app.command("repro")(_repro.repro)
app.command("bots")(_show.bots)
app.command("deal")(_deal.deal)
app.command("rate")(_rate.rate)
app.command("rules")(_rules.rules)
app.command("score")(_ask.score)
app.command("legal")(_ask.legal)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"spades-harness {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass
