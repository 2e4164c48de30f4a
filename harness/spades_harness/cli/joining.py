"""Entrants that join a run which was begun without them: held against its schedule, and told. Changes no ledger."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from spades_harness.tournament.file.roster import Roster
from spades_harness.tournament.records.ledger import Ledger, read_ledger
from spades_harness.tournament.records.membership import Membership
from spades_harness.tournament.schedules.growing import in_order, refuse_unless_room
from spades_harness.tournament.schedules.placing import Joinable, joinable

from .console import tell
from .intended import first_batch
from .opening import Opened


def as_known(roster: Roster, members: Membership) -> Roster:
    """As the schedule of a run has them, which also knows whom the run has dropped, be they in the file or not."""
    return replace(roster, entrants=members.known, absent=roster.absent | members.left)


def as_they_came(roster: Roster, reused: Path | None) -> Roster:
    """Those of a run that is reused in its order, and then the others: nobody on a ladder plays anew because a file, or
    the alphabet, has them otherwise."""
    if reused is None:
        return roster
    with read_ledger(reused) as ledger:
        given = {each.name: each for each in roster.entrants}
        order = in_order([each.name for each in ledger.entrants() if each.name in given], given)
        return roster.of(given[name] for name in order)


def tell_order(roster: Roster, known: Roster) -> None:
    """Say so where a run has these entrants in another order than its file."""
    if tuple(each for each in known.entrants if each in roster.entrants) != roster.entrants:
        tell("Entrants stand in the order in which they came; that of the file counts for a new run without --reuse")


def make_room(opened: Opened, ledger: Ledger, known: Roster, members: Membership, failed: Collection[str]) -> str:
    """What of a run is kept, and what is added when the new of these members join but for those who failed, in words.

    Raises UserError where its schedule has no room for them.
    """
    planned, done, amended = ledger.planned(), ledger.progress().done, ledger.amended()
    joined = [each.name for each in members.new if each.name not in failed]
    out = {each.name for each in ledger.entrants() if each.dropped}.difference(each.name for each in members.new)
    named = first_batch(opened, without(known, {*out, *failed}))
    if not joined:
        return f"Nobody joins the run: {done:,} matches are kept"
    how = joinable(opened.registry.schedules[opened.file.schedule.name])
    kept = {each.leg for each in planned if not amended.gone(each.leg)}
    legs = [each.leg for each in named if not amended.gone(each.leg)]
    refuse_unless_room(opened.file.schedule.name, how, [each.leg for each in planned], kept, legs)
    follow = f"{len(legs) - len(kept):,} are added" if how is Joinable.WHERE_KEPT else "theirs follow"
    return f"The run is joined by {', '.join(joined)}: {done:,} matches are kept, {follow}"


def without(known: Roster, out: Collection[str]) -> Roster:
    """All of them but these."""
    return known.of(each for each in known.entrants if each.name not in out)


def taking_part(ledger: Ledger, known: Roster) -> Roster:
    """Those of a run that were not dropped."""
    return without(known, {each.name for each in ledger.entrants() if each.dropped})
