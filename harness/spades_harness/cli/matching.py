"""A match of the command line, from its bots' names to its record; each fault is told as soon as its match is over."""

from __future__ import annotations

import secrets
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from spades_harness.errors import UserError
from spades_harness.game.deal import secret_of_seed
from spades_harness.table.bounds import Limits
from spades_harness.table.local import Factory
from spades_harness.table.match import FaultKind, MatchRecord, MatchSpec, Player
from spades_harness.tournament.file.seeds import typed_seed
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import FILE, LOCK, Missing, Planned, RunLedger, open_run, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError, NothingFounded
from spades_harness.tournament.records.lock import Lock
from spades_harness.tournament.runner import Tournament, next_batch
from spades_harness.tournament.schedule import Options
from spades_harness.tournament.schedules.round_robin import round_robin

from .console import Exit, printable, say
from .debug import NAME as DEBUGGED
from .debug import debugged, in_folder_of, left_debugger
from .drawn import seat
from .echo import Echo
from .faults import Case, cases, cure, describe
from .pitch import MARK, UNTIMED, distinct, entrants_of, format_of, setup_of
from .players import find_players
from .playing import play_live
from .progress import PlainProgress, Progress, progress
from .quoting import replay_command
from .signals import terminated_as_interrupted
from .summary import summary

SEEDS: Final = 10**9
"""Seeds that are drawn: nine digits are soon typed, and no two matches get the same boards by chance."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the command line asks for."""

    bots: tuple[str, ...]
    rules: str
    changes: tuple[str, ...]
    """Of the rules, each `option=value`."""
    boards: int | None
    games: int | None
    seed: str | None
    """As it was typed."""
    plugins: tuple[Path, ...]
    out: Path | None
    stderr: bool
    no_clock: bool
    debug: bool

    @property
    def call(self) -> str:
        """The call without its seed, for whoever reads the ledger."""
        amount = [("--boards", self.boards), ("--games", self.games)]
        words = [word for name, number in amount if number for word in (name, str(number))]
        changes = [word for change in self.changes for word in ("--set", change)]
        return shlex.join(["spades", "match", *self.bots, "--rules", self.rules, *changes, *words])


@dataclass(frozen=True, slots=True)
class Bout:
    """A match that is ready to be played."""

    setup: Setup
    first: str
    """The name of the first bot."""
    files: tuple[str, ...]
    """Plugin files."""
    told: tuple[str, ...] = ()
    """What is to be said before it begins."""
    own: Mapping[str, Factory] = field(default_factory=dict)
    """The bot that is debugged."""
    place: AbstractContextManager[None] = field(default_factory=nullcontext)
    """Where it is played."""


def prepare(wishes: Wishes, boards: int) -> Bout:
    """Find the bots and lay the match out, of so many boards unless the wishes say otherwise. Raises UserError."""
    streams, game = format_of(wishes.boards, wishes.games, boards)
    found = find_players(wishes.bots, wishes.rules, wishes.plugins, wishes.changes)
    first, *others = distinct(found.players)
    seated, own, place = _debugged(first) if wishes.debug else (first, {}, nullcontext())
    seed = secrets.randbelow(SEEDS) if wishes.seed is None else typed_seed(wishes.seed)
    limits = UNTIMED if wishes.no_clock else Limits()
    table = seat([seated, *others], found.rules, secret_of_seed(seed))
    entrants = entrants_of(table.players, found.rules.shape)
    setup = setup_of(entrants, found.rules, streams, game, limits, seed, wishes.call)
    return Bout(setup, first.name, found.files, table.told, own, place)


def _debugged(first: Player) -> tuple[Player, Mapping[str, Factory], AbstractContextManager[None]]:
    seated, factory = debugged(first)
    return seated, {DEBUGGED: factory}, in_folder_of(first)


def play_bots(wishes: Wishes, boards: int, folder: Path) -> Exit:
    """Play a match and show its figures, also when it is interrupted. `folder` keeps it unless the wishes name one."""
    with terminated_as_interrupted():  # it may build a bot
        bout = prepare(wishes, boards)
    kept = wishes.out or folder
    if wishes.out is None:
        make_room(folder)
    for line in bout.told:
        say(line)
    with terminated_as_interrupted(), open_run(kept.absolute(), bout.setup) as ledger:
        try:
            with bout.place, _progress(moving=not (wishes.stderr or wishes.debug)) as shown:
                return _Play(bout, ledger, kept, shown, echo=wishes.stderr).play()
        finally:
            for line in summary(ledger, kept):
                say(line)


def make_room(folder: Path) -> None:
    """Remove the match that was kept here until this one; raises UserError rather than remove anything else."""
    if not (folder / FILE).exists():
        return
    try:
        with read_ledger(folder) as ledger:
            ours = ledger.run.text.startswith(MARK)
    except NothingFounded:
        return
    except LedgerError as error:
        raise UserError(f"{error}; remove it, or keep this match elsewhere with --out") from None
    if not ours:
        raise UserError(f"{folder} holds a tournament of that name: keep this match elsewhere with --out")
    lock = Lock(folder / LOCK)  # nobody is playing it
    try:
        for suffix in ("", "-wal", "-shm"):
            (folder / f"{FILE}{suffix}").unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"{folder / FILE} cannot be replaced: {error.strerror}; keep this match elsewhere") from None
    finally:
        lock.close()


@contextmanager
def _progress(*, moving: bool) -> Iterator[Progress]:
    """A display that moves would be torn by other lines on the terminal, and would tear a debugger's."""
    if moving:
        with progress() as shown:
            yield shown
    else:
        yield PlainProgress()


class _Play:
    """A match while it is played."""

    def __init__(self, bout: Bout, ledger: RunLedger, kept: Path, shown: Progress, *, echo: bool) -> None:
        self.bout, self.ledger, self.kept, self.shown, self.echo = bout, ledger, kept, shown, echo
        self.entrants = {entrant.name: entrant for entrant in bout.setup.entrants}
        self.letters = bout.setup.rules.shape.seats
        self.told: Counter[tuple[str, FaultKind, str]] = Counter()

    def play(self) -> Exit:
        """All that is missing of it, one match after the other, until there is nothing new to be seen."""
        self._plan()
        missing = self.ledger.missing()
        total = len(self.ledger.planned())
        self.shown.matches(total - len(missing), total)
        for done, each in enumerate(missing, total - len(missing) + 1):
            record = self._play_one(each)
            self._tell(each.planned, record)
            if (code := self._broken_off(record)) is not None:
                return code
            self.shown.matches(done, total)
        self.ledger.finish()
        return Exit.DONE

    def _broken_off(self, record: MatchRecord) -> Exit | None:
        """The exit code where going on would show nothing new."""
        if record.result is None:
            return Exit.BUG
        if any(fault.kind is FaultKind.START for fault in record.faults):
            return Exit.TROUBLE
        return Exit.DONE if self.bout.own and record.faults else None

    def _plan(self) -> None:
        setup = self.bout.setup
        options = Options(setup.options, setup.format, setup.rules)
        tournament = Tournament(round_robin, setup.entrants, options, self.ledger.run.terms)
        self.ledger.plan(next_batch(tournament, (), ()))

    def _play_one(self, missing: Missing) -> MatchRecord:
        """Play it and write it down."""
        spec = make_spec(
            self.ledger.run.terms, self.entrants, missing.planned.leg, missing.attempts + 1, missing.planned.secret
        )
        with Echo(self._seats_of_first(spec), self.letters, self.shown.note) as echo:
            record = play_live(spec, self.bout.files, lambda _: None, echo.hear, self.bout.own)
        self.ledger.record(record)
        return record

    def _seats_of_first(self, spec: MatchSpec) -> frozenset[int]:
        """The seats whose standard error is shown."""
        return frozenset(
            seat for seat, player in enumerate(spec.players) if self.echo and player.name == self.bout.first
        )

    def _tell(self, planned: Planned, record: MatchRecord) -> None:
        """What went wrong in a match."""
        if record.result is None:
            self.shown.note(f"match {planned.ordinal} is void and counts for nobody: {record.void}")
        by_seat = make_spec(self.ledger.run.terms, self.entrants, planned.leg, secret=planned.secret).players
        for case in cases(record):
            self._tell_of(case, by_seat[case.fault.seat].name, planned.ordinal)

    def _tell_of(self, case: Case, name: str, ordinal: int) -> None:
        """A fault in full, or in one line when one like it was told before."""
        fault = case.fault
        if left_debugger(fault):
            self.shown.note("left the debugger")
            return
        key = name, fault.kind, cure(case)
        self.told[key] += 1
        first, *more = describe(case, f"{name} ({self.letters[fault.seat]})")
        replay = f"  replay: {replay_command(self.kept, ordinal)}"
        for line in [first, *more, replay] if self.told[key] == 1 else [f"{first} (as before; match {ordinal})"]:
            self.shown.note(printable(line))
