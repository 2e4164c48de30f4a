"""Entrants that join a run which was begun without them: found, looked over, and told. Changes no ledger itself."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from spades_harness.tournament.growing import joining, refuse_unless_kept
from spades_harness.tournament.ledger import read_ledger
from spades_harness.tournament.ledger_file import LedgerError
from spades_harness.tournament.schedule import Entrant

from .intended import first_batch
from .opening import Opened


def newcomers(entrants: Sequence[Entrant], folder: Path) -> tuple[Entrant, ...]:
    """Those of these entrants that the run in this folder doesn't have yet.

    Empty also where it can't be read as it stands: whoever goes on with it says why, or brings it up to date.
    """
    with suppress(LedgerError), read_ledger(folder) as ledger:
        return joining(ledger.settings(), entrants)
    return ()


def make_room(opened: Opened, folder: Path, entrants: Sequence[Entrant], new: Sequence[Entrant]) -> str:
    """What of the run in this folder is kept, and what is added when the new of these entrants join, in words.

    Raises UserError where its schedule has no room for them.
    """
    with read_ledger(folder) as ledger:
        dropped = {listed.name for listed in ledger.entrants() if listed.dropped}
        named = first_batch(opened, tuple(each for each in entrants if each.name not in dropped))
        planned, done = ledger.planned(), ledger.progress().done
    refuse_unless_kept(opened.file.schedule.name, (each.leg for each in planned), [each.leg for each in named])
    names, added = ", ".join(each.name for each in new if each in entrants), len(named) - len(planned)
    return f"The run is joined by {names or 'nobody'}: {done:,} matches are kept, {added:,} are added"
