"""`spades amend`: what an organiser does to a run after the fact, on the record."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from spades_harness.errors import UserError
from spades_harness.tournament.records.acts import Act

from .console import command, say, tell
from .show import RunArgument

if TYPE_CHECKING:
    from spades_harness.tournament.records.ledger import Ledger, RunLedger


@command
def amend(
    run: RunArgument,
    act: Annotated[
        Act,
        typer.Argument(
            metavar="void|again|withdraw|disqualify|undo",
            help=(
                "void: the results of these MATCHes count for nobody, for good; again: nor do these, and the matches"
                " are played again; withdraw: nothing more of these ENTRANTs is played, their results stay;"
                " disqualify: nothing more is played, they leave the ranking, and their results count for nobody;"
                " undo: lift these amendments, by their numbers."
            ),
        ),
    ],
    what: Annotated[list[str], typer.Argument(metavar="WHAT...", help="Numbers of matches, or names of entrants.")],
    reason: Annotated[
        str, typer.Option(help="Why, in 200 characters: it is shown with the standings.", show_default=False)
    ],
    by: Annotated[str | None, typer.Option(help="Who says so.", show_default="your login name")] = None,
) -> None:
    """Amend a run: nothing is deleted, and who, when and why stay in its ledger and under its standings.

    The next `spades run` of its file plays what is to be played.
    """
    from spades_harness.tournament.records.amender import amend
    from spades_harness.tournament.records.ledger import open_to_amend

    who = _login() if by is None else by
    with open_to_amend(run) as ledger:
        for made in amend(ledger, act, what, reason, who):
            say(str(made))
        secrets = len(ledger.run.terms.secrets)
        _go_on_if_more(ledger)
        for line in _what_now(ledger):
            tell(line)
        if len(ledger.run.terms.secrets) > secrets:
            tell(f"What is new is dealt from another secret, committed to {ledger.run.commitment}")


def _login() -> str:
    """Who calls; raises UserError where the system doesn't know."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        raise UserError("--by: say who; the system has no login name for this call") from None


def _go_on_if_more(ledger: RunLedger) -> None:
    """Let a run that had come to its end go on if its schedule names more by now, and from a secret that nobody knows.

    One that isn't there, or refuses, says nothing here: `spades run` asks it again.
    """
    from spades_harness.tournament.course import has_more
    from spades_harness.tournament.runner import Tournament
    from spades_harness.tournament.schedule import Entrant, ScheduleError
    from spades_harness.tournament.schedules.option_reading import settled

    from .opening import registered

    name, options = ledger.schedule()
    if name not in (known := registered((), ("schedules",)).schedules):
        return
    with suppress(ScheduleError):
        entrants = tuple(Entrant(each.name, ()) for each in ledger.entrants() if not each.dropped)
        given = settled(options, [each.name for each in entrants])
        if has_more(Tournament(known[name], entrants, given, ledger.run.terms, name, ledger.stop()), ledger):
            ledger.go_on()


def _what_now(ledger: Ledger) -> Iterator[str]:
    """The new head, or what is missing to it: also where nobody is left to play that."""
    from spades_harness.tournament.runner import FEWEST

    if ledger.run.head:
        yield f"The head of the chain of records is now: {ledger.run.head}"
        return
    if len(playing := ledger.playing()) < FEWEST:
        rest = f"{', '.join(playing)} alone plays on" if playing else "nobody plays on"
        yield f"{rest}: nothing is left to play, unless `spades amend RUN undo NUMBER` lifts an amendment"
        return
    done, total = ledger.progress()
    left = "what is left to play" if done < total else "what its schedule names next, if that is anything"
    yield f"{done:,} of {total:,} matches played so far: `spades run` with the file of this run goes on with {left}"
