"""A run from its opened file to its standings: what `spades run` does, told on the way on standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import typer

from spades_harness.errors import UserError
from spades_harness.table.match import Fault, FaultKind, MatchRecord
from spades_harness.tournament.bots import unbuilt_player
from spades_harness.tournament.identity import Terms
from spades_harness.tournament.lanes import Lanes
from spades_harness.tournament.ledger import FILE as LEDGER
from spades_harness.tournament.ledger import Missing, Planned, RunLedger, open_run
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.roster import Roster, options
from spades_harness.tournament.runner import Tournament, next_batch, play_out
from spades_harness.tournament.schedule import Entrant, ScheduleError
from spades_harness.tournament.slices import TimeBox, TimeIsUp
from spades_harness.tournament.worker import WorkerLane

from .console import Exit, say, tell
from .custody import demand, players_of
from .opening import Opened
from .players import ready
from .playing import handshake, play
from .progress import Progress, progress
from .quoting import fault_command
from .seated import Seated
from .signals import terminated_as_interrupted
from .tables import show_standings

# ------------------------------------------------------------------------------------------------------------- dry run


def show_plan(opened: Opened, folder: Path) -> None:
    """The file as it was understood, and the matches of the first batch; then what this machine can't keep of it.

    Raises UserError for that.
    """
    roster = opened.roster(unbuilt_player)
    legs = [planned.leg for planned in _first_batch(opened, roster.entrants)]
    say(opened.text())
    for number, leg in enumerate(legs, 1):
        say(f"match {number:>4}  round {leg.round}  board stream {leg.stream}  {' against '.join(leg.by_side)}")
    say(f"{len(legs)} matches")
    _demand(opened, roster, folder)


def _demand(opened: Opened, roster: Roster, folder: Path) -> None:
    """Raise UserError for what this machine can't keep as the file says."""
    demand(opened.registry.launchers, opened.file.custody, players_of(roster.entrants), (folder, opened.path))


def _first_batch(opened: Opened, entrants: tuple[Entrant, ...]) -> Sequence[Planned]:
    """The first matches, under a secret that is none. Raises FileError for what the schedule refuses."""
    try:
        return next_batch(_tournament(opened, entrants, opened.terms()), (), ())
    except ScheduleError as error:
        raise opened.file.schedule.place.error(str(error).removeprefix("schedule: ")) from None


def _tournament(opened: Opened, entrants: tuple[Entrant, ...], terms: Terms) -> Tournament:
    name = opened.file.schedule.name
    return Tournament(opened.registry.schedules[name], entrants, options(opened.file), terms, name)


# ------------------------------------------------------------------------------------------------------------ the run


def carry_out(opened: Opened, folder: Path, jobs: int, again: str, box: TimeBox | None = None) -> None:
    """Found a run in the folder or go on with it, and end with the exit code that it deserves.

    `again` is the call that goes on after an interruption, or when the time is up. Raises UserError, typer.Exit.
    """
    with terminated_as_interrupted():
        roster = opened.roster(ready)
        _first_batch(opened, roster.entrants)  # what the schedule refuses, it refuses before a run is founded
        _demand(opened, roster, folder)
        failed = _check(opened, roster) if not (folder / LEDGER).exists() else {}
        with open_run(folder, opened.setup(roster)) as ledger:
            _drop(roster, ledger, failed)
            _carry_on(opened, roster, ledger, jobs, again, box)


def _carry_on(opened: Opened, roster: Roster, ledger: RunLedger, jobs: int, again: str, box: TimeBox | None) -> None:
    folder = ledger.path.parent
    _introduce(ledger, folder)
    try:
        missing = _play(opened, roster, ledger, jobs, box)
    except KeyboardInterrupt:
        tell(f"spades: interrupted; {_played(ledger)} matches are recorded in {folder}. To go on: {again}")
        raise typer.Exit(Exit.INTERRUPTED) from None
    except TimeIsUp:
        show_standings(ledger, opened.registry.ratings)
        tell(f"spades: the time is up; what was played is recorded in {folder}. To go on: {again}")
        raise typer.Exit(Exit.INTERRUPTED) from None
    except ScheduleError as error:
        raise UserError(f"{error}; {_played(ledger)} matches are recorded in {folder}") from error
    _conclude(opened, ledger, missing)


def _played(ledger: RunLedger) -> int:
    """How many matches have a result."""
    return len(ledger.planned()) - len(ledger.missing())


def _introduce(ledger: RunLedger, folder: Path) -> None:
    run = ledger.run
    tell(f"{run.name}: recorded in {folder}")
    if run.seed is None:
        tell(f"The deals are committed to {run.commitment} (SHA-256; the secret is shown at the end)")
    else:
        tell(f"The deals come from the public seed {run.seed}: whoever knows it can compute them")


def _play(opened: Opened, roster: Roster, ledger: RunLedger, jobs: int, box: TimeBox | None) -> tuple[Missing, ...]:
    dropped = {listed.name for listed in ledger.entrants() if listed.dropped}
    entrants = tuple(entrant for entrant in roster.entrants if entrant.name not in dropped)
    tournament = _tournament(opened, entrants, ledger.run.terms)
    with progress() as shown, Lanes(partial(play, files=opened.plugins), jobs, WorkerLane) as lanes:
        return play_out(tournament, ledger, lanes, _Listener(shown, ledger), box)


class _Listener:
    """Tells the progress display what the run tells, and of each bot's first fault of a kind."""

    def __init__(self, shown: Progress, ledger: RunLedger) -> None:
        self._shown, self._folder, self._seated = shown, ledger.path.parent, Seated(ledger)
        self._told: set[tuple[str, FaultKind]] = set()

    def planned(self, done: int, total: int) -> None:
        self._shown.matches(done, total)

    def played(self, planned: Planned, record: MatchRecord, done: int, total: int) -> None:
        if record.result is None:
            self._shown.note(f"match {planned.ordinal} is void and counts for nobody: {record.void.splitlines()[0]}")
        for fault in record.faults:
            self._tell_of(planned, fault)
        self._shown.matches(done, total)

    def _tell_of(self, planned: Planned, fault: Fault) -> None:
        """The first fault of a kind is told; the rest are counted in the standings."""
        bot = self._seated.bots(planned.leg)[fault.seat]
        if (bot, fault.kind) not in self._told:
            self._told.add((bot, fault.kind))
            more = fault_command(self._folder, planned.ordinal)
            self._shown.note(f"{bot}: {fault.kind.value}: {fault.what} ({more})")


# ----------------------------------------------------------------------------------------------------- entrant checks


def _check(opened: Opened, roster: Roster) -> Mapping[str, str]:
    """The bots that don't come up, if the file wants to know: each is started once, as for a match.

    Raises UserError where that refuses the run, or leaves too few for it.
    """
    if opened.file.entrant_check == "play":
        return {}
    players = players_of(roster.entrants)
    troubles = {player.name: handshake(player, opened.terms(), opened.plugins) for player in players}
    failed = {name: trouble for name, trouble in troubles.items() if trouble}
    left = tuple(entrant for entrant in roster.entrants if not _reasons(entrant, failed))
    listed = "\n".join(f"{name}: {trouble}" for name, trouble in failed.items())
    if failed and opened.file.entrant_check == "refuse":
        raise UserError(f"{listed}\nnothing was played (entrant_check: refuse)")
    if failed and len(left) < 2:
        raise UserError(f"{listed}\nnothing was played: without these, too few entrants are left for a match")
    if failed:
        _refuse_unless_playable(opened, left, listed)
    return failed


def _refuse_unless_playable(opened: Opened, left: tuple[Entrant, ...], listed: str) -> None:
    """Those who are left may be too few for this schedule, or one too many: three at tables of four."""
    try:
        _first_batch(opened, left)
    except UserError as error:
        raise UserError(f"{listed}\nnothing was played: of those who are left, {error}") from None


def _drop(roster: Roster, ledger: RunLedger, failed: Mapping[str, str]) -> None:
    """Note whose bots didn't come up."""
    for entrant in roster.entrants:
        if reasons := _reasons(entrant, failed):
            ledger.drop(entrant.name, reasons)
            tell(f"spades: {entrant.name} is dropped: {reasons}")


def _reasons(entrant: Entrant, failed: Mapping[str, str]) -> str:
    names = dict.fromkeys(player.name for player in entrant.players)
    return "; ".join(f"{name}: {failed[name]}" for name in names if name in failed)


# ------------------------------------------------------------------------------------------------------------ the end


def _conclude(opened: Opened, ledger: RunLedger, missing: Sequence[Missing]) -> None:
    """The standings, and the exit code that they deserve."""

    outcomes = ledger.outcomes()
    show_standings(ledger, opened.registry.ratings)
    if ledger.run.seed is None and ledger.run.revealed:
        tell(f"The secret behind the commitment: {ledger.run.terms.secret.hex()}")
    if ledger.run.head:
        tell(f"The head of the chain of records: {ledger.run.head} (`spades verify` computes it anew)")
    for each in missing:
        tell(f"spades: match {each.planned.ordinal} came to nothing, {each.attempts} times; the last: {each.void}")
    if missing:
        raise typer.Exit(Exit.BUG)
    never = [*_never_started(outcomes), *(listed.name for listed in ledger.entrants() if listed.dropped)]
    for name in never:
        tell(f"spades: {name} never started")
    if never or ("faults" in opened.file.fail_on and any(kinds for each in outcomes for kinds in each.faults)):
        raise typer.Exit(Exit.TROUBLE)


def _never_started(outcomes: Sequence[Outcome]) -> list[str]:
    """Entrants that had a bot which failed to start in every one of their matches."""
    played: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for outcome in outcomes:
        for name, kinds in zip(outcome.leg.entrants, outcome.faults, strict=True):
            played[name] += 1
            failed[name] += FaultKind.START in kinds
    return sorted(name for name, matches in played.items() if failed[name] == matches)
