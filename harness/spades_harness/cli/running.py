"""A run from its opened file to its standings: what `spades run` does, told on the way on standard error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import typer

from spades_harness.errors import UserError
from spades_harness.table.match import FaultKind
from spades_harness.tournament.course import goes_on, has_more
from spades_harness.tournament.events import Consumer, EntrantDropped, RunEnded, StandingsWritten, begun
from spades_harness.tournament.execution.executors import Job, NoSite
from spades_harness.tournament.execution.kits import Kit
from spades_harness.tournament.execution.lanes import ExecutorLost
from spades_harness.tournament.execution.room import all_wait, room
from spades_harness.tournament.file.bots import Bot, unbuilt_player
from spades_harness.tournament.file.roster import Roster
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.records.ledger import Missing, RunFolder, RunLedger
from spades_harness.tournament.runner import Tournament, next_batch, play_out
from spades_harness.tournament.schedule import Entrant, ScheduleError
from spades_harness.tournament.slices import TimeBox, TimeIsUp

from .admission import troubles
from .console import Exit, say, tell
from .custody import players_of, refuse_among_bots
from .intended import demand_here, first_batch, notes, tournament_of
from .joining import as_known, as_they_came, make_room, taking_part, tell_order, without
from .opening import Opened
from .outfitting import fitting, kits_of, noting
from .players import ready_for
from .playing import play
from .progress import progress
from .reusing import lanes_for, refuse_unless_reusable
from .salting import WITHOUT_SALT, check_salt, settle_salt
from .signals import terminated_as_interrupted
from .tables import show_standings
from .telling import STANDARD_OUTPUT, Display, Teller, events_to

# ------------------------------------------------------------------------------------------------------------- dry run


def show_plan(opened: Opened, folder: Path) -> None:
    """The file as it was understood, and the matches of the first batch; then what this machine can't keep of it.

    Raises UserError for that.
    """
    roster = as_they_came(opened.roster(unbuilt_player), opened.reuse)
    first = tuple(first_batch(opened, roster))
    say(opened.text())
    for number, (_, _, leg, *_) in enumerate(first, 1):
        say(f"match {number:>4}  round {leg.round}  board stream {leg.stream}  {' against '.join(leg.by_side)}")
    tournament = tournament_of(opened, roster, opened.terms())
    if goes_on(tournament, first):
        say(f"at least {len(first)} matches: what follows hangs on their results")
    else:
        say(f"{len(first)} matches")
    for line in notes(tournament):
        say(line)
    demand_here(opened, roster, folder)


# ------------------------------------------------------------------------------------------------------------ the run


class _Crew(NamedTuple):
    """Who plays, how many matches at a time, if that was said, and whether all bots wait for a service elsewhere."""

    jobs: int | None
    waits: bool
    kits: tuple[Kit, ...]


def carry_out(
    opened: Opened,
    folder: Path,
    jobs: int | None,
    again: str,
    box: TimeBox | None = None,
    events: str | None = None,
    *,
    plays: bool = True,
) -> None:
    """Found a run in the folder or go on with it, and end with the exit code that it deserves.

    `jobs` are the matches at a time, None for what suits the machine; `again` is the call that goes on after an
    interruption, or when the time is up; `events` the file for them. Where it doesn't play, it founds and commits.
    Raises UserError, OSError, typer.Exit.
    """
    if events and events != STANDARD_OUTPUT:
        refuse_among_bots("--events", Path(events), opened.homes())
    with terminated_as_interrupted(), events_to(events) as consumer:
        opened.where()
        refuse_unless_reusable(opened, folder)
        bots: dict[str, Bot] = {}
        written = opened.roster(noting(ready_for(opened), bots))
        with RunFolder(folder) as here:
            resumed = here.run is not None
            roster = written if resumed else as_they_came(written, opened.reuse)
            known, failed, ledger = _opened(opened, roster, here, jobs)
            tell_order(written, known)
            settle_salt(opened.file.salt, ledger)
            consumer(begun(ledger.run, str(folder), _names(known, roster), resumed=resumed))
            _tell_dropped(failed, consumer)
            if plays:
                crew = _Crew(jobs, all_wait(roster.entrants), kits_of(roster.entrants, bots))
                _carry_on(opened, known, ledger, crew, again, box, consumer)
            else:
                _commit(opened, known, ledger, again, consumer)


def _opened(
    opened: Opened, roster: Roster, here: RunFolder, jobs: int | None
) -> tuple[Roster, Mapping[str, str], RunLedger]:
    """The run founded or gone on with, all that may be refused being looked at before; who is in it, as its schedule
    knows them, and whom of the new it drops, with why."""
    setup = opened.setup(roster)
    members = here.members(setup)
    known = as_known(roster, members)
    first_batch(opened, known)  # what the schedule refuses, it refuses before a run is founded
    demand_here(opened, roster, here.path.parent)
    check_salt(opened.file.salt, founded=here.run is not None)
    failed = _check(opened, known, members.new, jobs)
    joined = make_room(opened, here.run, known, members, failed) if here.run and members.new else ""
    goes_on = here.run is not None and not joined
    ledger = here.open(setup, members, failed)
    if joined:
        tell(joined)
    elif goes_on and has_more(_tournament(opened, known, ledger), ledger):
        ledger.go_on()
    return known, failed, ledger


def _names(known: Roster, roster: Roster) -> list[str]:
    """Those of the file, in the order of the run."""
    return [each.name for each in known.entrants if each in roster.entrants]


def _commit(opened: Opened, known: Roster, ledger: RunLedger, again: str, consumer: Consumer) -> None:
    """The commitment on standard output, the first matches in the plan, and how to go on."""
    _introduce(ledger, ledger.path.parent)
    done, total = ledger.progress()
    if done == total:  # nothing is planned yet, or all is played and there may be more to come for those who joined
        results = ledger.seen(ledger.outcomes())
        ledger.plan(next_batch(_tournament(opened, known, ledger), ledger.planned(), results))
        done, total = ledger.progress()
    say(ledger.run.commitment)
    salt = " --salt TEXT" if ledger.run.last_secret.awaits_salt else ""
    tell(f"{done:,} of {total:,} matches are played. To go on: {again}{salt}")
    consumer(_ended(ledger, "committed"))


def _carry_on(
    opened: Opened,
    known: Roster,
    ledger: RunLedger,
    crew: _Crew,
    again: str,
    box: TimeBox | None,
    consumer: Consumer,
) -> None:
    folder = ledger.path.parent
    _introduce(ledger, folder)
    for line in notes(_tournament(opened, known, ledger)):
        tell(line)
    if ledger.run.last_secret.awaits_salt:
        consumer(_ended(ledger, "stopped", "a salt is missing"))
        raise UserError(f"{WITHOUT_SALT}. To go on: {again} --salt TEXT")
    try:
        missing = _play(opened, known, ledger, crew, box, consumer)
    except (KeyboardInterrupt, ExecutorLost) as error:
        why = str(error)
        consumer(_ended(ledger, "interrupted", why))
        tell(f"spades: {why or 'interrupted'}; {_played(ledger)} matches are recorded in {folder}. To go on: {again}")
        raise typer.Exit(Exit.INTERRUPTED) from None
    except TimeIsUp:
        _show(opened, ledger, consumer)
        consumer(_ended(ledger, "time_up"))
        tell(f"spades: the time is up; what was played is recorded in {folder}. To go on: {again}")
        raise typer.Exit(Exit.INTERRUPTED) from None
    except (ScheduleError, NoSite) as error:
        consumer(_ended(ledger, "stopped", str(error)))
        raise UserError(f"{error}; {_played(ledger)} matches are recorded in {folder}") from error
    try:
        _conclude(opened, ledger, missing, consumer)
    finally:
        consumer(_ended(ledger, "stopped", "matches came to nothing") if missing else _ended(ledger, "finished"))


def _ended(
    ledger: RunLedger, how: Literal["finished", "interrupted", "time_up", "stopped", "committed"], why: str = ""
) -> RunEnded:
    secret = ledger.run.last_secret.secret.hex() if how == "finished" and ledger.run.revealed else None
    done, total = ledger.progress()
    return RunEnded(how=how, why=why, done=done, planned=total, secret=secret)


def _played(ledger: RunLedger) -> int:
    """How many matches have a result that counts."""
    return ledger.progress().done


def _introduce(ledger: RunLedger, folder: Path) -> None:
    run = ledger.run
    tell(f"{run.name}: recorded in {folder}")
    if run.seed is None:
        shown = "was shown already" if run.revealed else "is shown at the end"
        tell(f"The deals are committed to {run.commitment} (SHA-256; the secret {shown})")
        if run.last_secret.salt:
            tell(f"Into the secret is mixed the salt: {run.last_secret.salt}")
    else:
        tell(f"The deals come from the public seed {run.seed}: whoever knows it can compute them")


def _play(
    opened: Opened, known: Roster, ledger: RunLedger, crew: _Crew, box: TimeBox | None, consumer: Consumer
) -> tuple[Missing, ...]:
    tournament, executor = _tournament(opened, known, ledger), opened.where()
    with progress() as shown:
        teller = Teller(ledger, (Display(shown, ledger.path.parent), consumer))
        playing, fit = partial(play, files=opened.plugins), fitting(opened, crew.kits)
        job = Job(playing, crew.jobs, crew.waits, crew.kits, fit, shown.note)
        with (
            executor(opened.executor.where, job) as site,
            lanes_for(opened, ledger, job.play, site, teller.lost) as lanes,
        ):
            return play_out(tournament, ledger, lanes, teller, box)


def _tournament(opened: Opened, known: Roster, ledger: RunLedger) -> Tournament:
    """What is played by those who were not dropped."""
    found = tournament_of(opened, taking_part(ledger, known), ledger.run.terms)
    return found.as_amended(ledger.away())


# ----------------------------------------------------------------------------------------------------- entrant checks


def _check(opened: Opened, roster: Roster, new: Sequence[Entrant], jobs: int | None) -> Mapping[str, str]:
    """The new entrants that can't take part, and why, if the file wants to know: each bot plays a hand, as in a match.

    Raises UserError where that refuses the run, or leaves too few for it.
    """
    if opened.file.entrant_check == "play" or not new:
        return {}
    troubled = troubles(players_of(new), opened.terms(), opened.plugins, room(jobs))
    failed = {each.name: why for each in new if (why := _reasons(each, troubled))}
    left = without(roster, failed)
    listed = "\n".join(f"{name}: {trouble}" for name, trouble in troubled.items())
    if failed and opened.file.entrant_check == "refuse":
        raise UserError(f"{listed}\nnothing was played (entrant_check: refuse); drop starts without these")
    if failed and len(left.entrants) < 2:
        raise UserError(f"{listed}\nnothing was played: without these, too few entrants are left for a match")
    if failed:
        _refuse_unless_playable(opened, left, listed)
    return failed


def _refuse_unless_playable(opened: Opened, left: Roster, listed: str) -> None:
    """Those who are left may be too few for this schedule, or one too many: three at tables of four."""
    try:
        first_batch(opened, left)
    except UserError as error:
        raise UserError(f"{listed}\nnothing was played: without these, {error}") from None


def _tell_dropped(dropped: Mapping[str, str], consumer: Consumer) -> None:
    for name, why in dropped.items():
        consumer(EntrantDropped(entrant=name, why=why))
        tell(f"spades: {name} is dropped: {why}")


def _reasons(entrant: Entrant, failed: Mapping[str, str]) -> str:
    """Why an entrant can't take part; of one that is one bot, the bot goes without saying."""
    names = [*dict.fromkeys(player.name for player in entrant.players)]
    if names == [entrant.name]:
        return failed.get(entrant.name, "")
    return "; ".join(f"{name}: {failed[name]}" for name in names if name in failed)


# ------------------------------------------------------------------------------------------------------------ the end


def _conclude(opened: Opened, ledger: RunLedger, missing: Sequence[Missing], consumer: Consumer) -> None:
    """The standings, and the exit code that they deserve."""

    outcomes = ledger.outcomes()
    _show(opened, ledger, consumer)
    if ledger.run.seed is None and ledger.run.revealed:
        for sealed in ledger.run.terms.secrets:
            tell(f"The secret behind the commitment {sealed.commitment[:16]}…: {sealed.secret.hex()}")
    if ledger.run.head:
        tell(f"The head of the chain of records: {ledger.run.head} (`spades verify` computes it anew)")
    for line in _came_to_nothing(missing):
        tell(f"spades: {line}")
    if missing:
        raise typer.Exit(Exit.BUG)
    never, out = _never_started(outcomes), [listed.name for listed in ledger.entrants() if listed.dropped]
    for name in never:
        tell(f"spades: {name} never started")
    for name in out:
        tell(f"spades: {name} took no part")
    if never or out or ("faults" in opened.file.fail_on and any(kinds for each in outcomes for kinds in each.faults)):
        raise typer.Exit(Exit.TROUBLE)


def _came_to_nothing(missing: Sequence[Missing]) -> Iterator[str]:
    """Why matches came to nothing: what broke one breaks many, and is told once."""
    alike: dict[tuple[str, int], list[int]] = {}
    for each in missing:
        alike.setdefault((each.void, each.attempts), []).append(each.planned.ordinal)
    for (why, attempts), (first, *others) in alike.items():
        more = f" and {len(others)} more" if others else ""
        yield f"match {first}{more} came to nothing, {attempts} times{' each' if others else ''}; the last: {why}"


def _show(opened: Opened, ledger: RunLedger, consumer: Consumer) -> None:
    show_standings(ledger, opened.registry)
    consumer(StandingsWritten(folder=str(ledger.path.parent)))


def _never_started(outcomes: Sequence[Outcome]) -> list[str]:
    """Entrants that had a bot which failed to start in every one of their matches."""
    played: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for outcome in outcomes:
        for name, kinds in zip(outcome.leg.entrants, outcome.faults, strict=True):
            played[name] += 1
            failed[name] += FaultKind.START in kinds
    return sorted(name for name, matches in played.items() if failed[name] == matches)
