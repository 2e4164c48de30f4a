"""Entrants that join a run which was begun without them: found, looked over, and told. Changes no ledger itself."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from spades_harness.tournament.file.roster import Roster
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import Ledger, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.ledger_items import Listed
from spades_harness.tournament.schedule import Entrant
from spades_harness.tournament.schedules.growing import (
    changed,
    in_order,
    joining,
    refuse_unless_room,
    without,
)
from spades_harness.tournament.schedules.placing import Joinable, joinable

from .console import tell
from .intended import first_batch
from .opening import Opened


def newcomers(setup: Setup, folder: Path) -> tuple[Entrant, ...]:
    """Those of these entrants that the run in this folder doesn't have yet, or has dropped and whose bots have changed.

    Empty also where it can't be read as it stands: whoever goes on with it says why, or brings it up to date.
    """
    with suppress(LedgerError), read_ledger(folder) as ledger:
        stored, dropped = ledger.settings(), {each.name for each in ledger.entrants() if each.dropped}
        gone = {*ledger.amended().withdrawn, *dropped} - {each.name for each in setup.entrants}
        again = {name for name in dropped - gone if changed(stored, setup.settings, name)}
        return joining(without(stored, gone | again), setup.entrants)
    return ()


def everybody(roster: Roster, folder: Path, new: Sequence[Entrant]) -> Roster:
    """As the run in this folder has them: in its order, the new of them last, and with those who play no more and have
    left the file, since its schedule still knows them."""
    with suppress(LedgerError), read_ledger(folder) as ledger:
        roster, gone, joins = _acquainted(roster, ledger), ledger.amended().withdrawn, {each.name for each in new}
        listed = [each for each in ledger.entrants() if each.name not in joins]
        given = {each.name: each for each in roster.entrants}
        known = {each.name: _recalled(ledger, each) for each in listed if each.name in gone} | given
        order = in_order([each.name for each in listed if each.name in known], [*given])
        return roster.of(known[name] for name in order)
    return roster


def as_they_came(roster: Roster, reused: Path | None) -> Roster:
    """Those of a run that is reused in its order, and then the others: nobody on a ladder plays anew because a file, or
    the alphabet, has them otherwise."""
    if reused is None:
        return roster
    with suppress(LedgerError), read_ledger(reused) as ledger:
        given = {each.name: each for each in roster.entrants}
        order = in_order([each.name for each in ledger.entrants() if each.name in given], given)
        return roster.of(given[name] for name in order)
    return roster


def tell_order(roster: Roster, known: Roster) -> None:
    """Say so where a run has these entrants in another order than its file."""
    if tuple(each for each in known.entrants if each in roster.entrants) != roster.entrants:
        tell("Entrants stand in the order in which they came; that of the file counts for a new run without --reuse")


def make_room(opened: Opened, folder: Path, roster: Roster, new: Sequence[Entrant]) -> str:
    """What of the run in this folder is kept, and what is added when the new of these entrants join, in words.

    Raises UserError where its schedule has no room for them.
    """
    with read_ledger(folder) as ledger:
        dropped = {each.name for each in ledger.entrants() if each.dropped} - {each.name for each in new}
        named = first_batch(opened, roster.of(each for each in roster.entrants if each.name not in dropped))
        planned, done, amended = ledger.planned(), ledger.progress().done, ledger.amended()
    names = ", ".join(each.name for each in new if each in roster.entrants)
    if not names:
        return f"Nobody joins the run: {done:,} matches are kept"
    how = joinable(opened.registry.schedules[opened.file.schedule.name])
    kept = {each.leg for each in planned if not amended.gone(each.leg)}
    legs = [each.leg for each in named if not amended.gone(each.leg)]
    refuse_unless_room(opened.file.schedule.name, how, [each.leg for each in planned], kept, legs)
    follow = f"{len(legs) - len(kept):,} are added" if how is Joinable.WHERE_KEPT else "theirs follow"
    return f"The run is joined by {names}: {done:,} matches are kept, {follow}"


def taking_part(ledger: Ledger, roster: Roster) -> Roster:
    """All entrants of a run but the dropped, as its schedule knows them; who plays no more may have left the file."""
    given = {each.name: each for each in roster.entrants}
    listed = [each for each in ledger.entrants() if not each.dropped]
    return _acquainted(roster, ledger).of(given.get(each.name) or _recalled(ledger, each) for each in listed)


def _acquainted(roster: Roster, ledger: Ledger) -> Roster:
    """That also knows whom the run has dropped, be they in the file or not."""
    dropped = {each.name for each in ledger.entrants() if each.dropped} - {each.name for each in roster.entrants}
    return replace(roster, absent=roster.absent | dropped)


def _recalled(ledger: Ledger, listed: Listed) -> Entrant:
    return Entrant(listed.name, tuple(map(ledger.player, listed.bots)))
