"""What is about to be played: the tournament that a file comes to, its first batch, and what it asks of this machine.

Whoever plays it, shows it or foresees it starts here. Starts no bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from spades_harness.tournament.file.roster import Roster, options
from spades_harness.tournament.guests import BrokenPlugin, file_of, guarded
from spades_harness.tournament.identity import Terms
from spades_harness.tournament.records.ledger import Planned
from spades_harness.tournament.runner import Tournament, next_batch
from spades_harness.tournament.schedule import Entrant, ScheduleError
from spades_harness.tournament.schedules.placing import has_places, notes_of
from spades_harness.tournament.statistics.order import Decided
from spades_harness.tournament.statistics.stopping import objection

from .custody import demand, players_of
from .opening import Opened


def demand_here(opened: Opened, roster: Roster, folder: Path) -> None:
    """Raise UserError for what this machine can't keep as the file says."""
    demand(opened.registry.launchers, opened.file.custody, players_of(roster.entrants), (folder, opened.path))


def first_batch(opened: Opened, roster: Roster) -> Sequence[Planned]:
    """The first matches, under a secret that is none. Raises FileError for what the schedule or `stop` refuses."""
    _check_stop(opened, roster.entrants)
    try:
        return next_batch(tournament_of(opened, roster, opened.terms()), (), ())
    except ScheduleError as error:
        raise opened.file.schedule.error(error) from None


def _check_stop(opened: Opened, entrants: tuple[Entrant, ...]) -> None:
    stop, sides = opened.file.stop, len(opened.file.rules.shape.sides)
    if stop and (why := objection(stop.rule, len(entrants), sides)):
        raise stop.place.error(why)
    name = opened.file.schedule.name
    if stop and isinstance(stop.rule, Decided) and has_places(opened.registry.schedules[name]):
        raise stop.place.error(f"decided looks at the order by Elo, and {name} has one of its own; leave stop out")


def tournament_of(opened: Opened, roster: Roster, terms: Terms) -> Tournament:
    """The file as what is played, by these entrants."""
    name, stop = opened.file.schedule.name, opened.file.stop.rule if opened.file.stop else None
    given = options(opened.file, roster.absent)
    return Tournament(opened.registry.schedules[name], roster.entrants, given, terms, name, stop)


def notes(tournament: Tournament) -> Sequence[str]:
    """What the schedule says of its plan; of one that fails at it, that."""
    schedule = tournament.schedule
    try:
        with guarded("fails"):
            return [str(line) for line in notes_of(schedule, tournament.entrants, tournament.options)]
    except BrokenPlugin as error:
        return [f"what the schedule says of its plan is left out: it {error}{file_of(schedule)}"]
