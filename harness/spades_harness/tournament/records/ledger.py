"""The ledger: what was planned, what was played, and how it ended, in one SQLite file a run.

One transaction a match, so that a match is there whole or not at all. Only the process that holds the run's lock
writes; anyone may read at any time, and a reader changes nothing. Times are UTC, ISO 8601 with their offset.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Final, Self

from spades_harness.table.match import MatchRecord
from spades_harness.tournament.times import now

from . import founding, ledger_file, sealing
from .acts import Act
from .amending import Amendment, Subject
from .chain import digest
from .founding import NOBODY, Setup
from .ledger_file import WRITE_ELSEWHERE, LedgerError, explained, insert, recording, transaction
from .ledger_items import Kept, Missing, Planned, Use
from .ledger_reader import FILE, Ledger, read_ledger
from .ledger_rows import COLUMNS, Rows, as_tables, clean, to_rows
from .lock import Lock
from .membership import Membership, membership
from .redealing import is_open
from .session import Session, this_session

__all__ = [
    "FILE",
    "LOCK",
    "Kept",
    "Ledger",
    "Missing",
    "Planned",
    "RunFolder",
    "RunLedger",
    "Use",
    "open_run",
    "open_to_amend",
    "read_ledger",
]

LOCK: Final = "ledger.lock"


class RunLedger(Ledger):
    """The ledger of a run that goes on: the only one that writes."""

    def __init__(self, path: Path, db: sqlite3.Connection, lock: Lock) -> None:
        super().__init__(path, db)
        self._lock = lock
        self._session = (len(self.sessions()) + 1, this_session())

    def close(self) -> None:
        """Leave one plain file behind, and give the folder back."""
        ledger_file.close(self._db)
        self._lock.close()

    def begin(self, setup: Setup) -> None:
        """Let others read from now on, and bring what stands beside the settings up to date."""
        with explained(self.path, WRITE_ELSEWHERE):
            ledger_file.let_read(self._db)
        self._read_again()
        self.seal_old()
        self.arrange(setup.standings)

    def plan(self, planned: Iterable[Planned]) -> None:
        """Add these to the plan; those that stand in it must be the same. Raises LedgerError if they aren't.

        They are of consecutive numbers, or nearly so: no more of the plan is read than lies between the first and last.
        """
        given = sorted(planned)
        if not given:
            return
        with self._writing():
            between = "SELECT ordinal, identity FROM plan WHERE ordinal BETWEEN ? AND ?"
            stored: dict[int, str] = dict(self._all(between, given[0].ordinal, given[-1].ordinal))
            for each in given:
                if each.ordinal in stored and stored[each.ordinal] != each.identity:
                    raise LedgerError(
                        f"{self.path}: match {each.ordinal} was planned otherwise when this run was founded"
                        f" (by version {self.run.harness}): run it into another folder"
                    )
            if added := [each for each in given if each.ordinal not in stored]:
                self._insert_planned(added)
                self._open_chain()

    def renew(self, planned: Iterable[Planned]) -> None:
        """Let these matches, none of which was begun, have these identities and secrets; see `redealing`."""
        rows = [(each.identity, each.secret, each.ordinal) for each in planned]
        if not rows:
            return
        with self._writing():
            self._db.executemany("UPDATE plan SET identity = ?, secret = ? WHERE ordinal = ?", rows)
            self._open_chain()

    def record(self, record: MatchRecord) -> None:
        """Write a match down, all of it or nothing; its identity must be planned."""
        match, *tables = to_rows(record)
        with self._writing():
            key = insert(self._db, "match", ("id", *COLUMNS["match"]), [(None, *match)])
            for name, rows in zip(Rows._fields[1:], tables, strict=True):
                insert(self._db, name, ("match", *COLUMNS[name]), [(key, *row) for row in rows])
            self._seal(key)
            self._open_chain()

    def drop(self, entrant: str, reason: str) -> None:
        """Note that an entrant takes no part, and why."""
        with self._writing():
            self._db.execute("UPDATE entrant SET dropped = ? WHERE name = ?", (clean(reason), entrant))
            self._open_chain()

    def arrange(self, standings: Mapping[str, str]) -> None:
        """Note how the standings are made from now on: see `Setup.standings`."""
        with self._writing():
            founding.arrange(self._db, standings)
        self.run = founding.read_run(self.path, self._db)

    def amend(self, act: Act, subjects: Iterable[Subject], reason: str, by: str) -> tuple[Amendment, ...]:
        """Put these on record, all or none; what they come to is `amender`'s to judge beforehand.

        A run that was finished is so no longer where it has matches to play now, and commits to one more secret for
        those of them that were never dealt; else its chain is sealed anew.
        """
        with self._writing():
            ((last,),) = self._all("SELECT coalesce(max(number), 0) FROM amendment")
            due, moment, planned = self._missing(), now(), len(self._planned())
            made = tuple(
                Amendment(number, act, *subject, clean(reason), clean(by), moment, planned)
                for number, subject in enumerate(subjects, last + 1)
            )
            founding.add_amendments(self._db, made)
            if {*self._missing()} - {*due}:
                self._reopen()
            elif self.run.finished is not None:
                founding.seal_anew(self._db)
        self.run = founding.read_run(self.path, self._db)
        return made

    def _reopen(self) -> None:
        """There is something to play again; what was never dealt gets a secret that nobody knows, see `redealing`."""
        missing = [each.planned for each in self._missing()]
        known = self.run.seed is None and self.run.finished is not None and self.run.revealed
        if known and is_open(missing, self._planned(), self._tried()):
            sealing.draw(self._db)
        founding.reopen(self._db)

    def go_on(self) -> None:
        """Note that a run which had come to its end has more before it, since it was amended.

        What its schedule names from now on is dealt from one more secret, as the last was shown at the end.
        """
        with self._writing():
            if self.run.seed is None and self.run.revealed:
                sealing.draw(self._db)
            founding.reopen(self._db)
        self._read_again()

    def finish(self) -> None:
        """Note that all is played; all secrets may be known from now on. A head that stands is never made anew."""
        with self._writing():
            self._db.execute("UPDATE run SET finished = coalesce(finished, ?)", (now(),))
            sealing.reveal(self._db)
            founding.seal_chain(self._db)
        self._read_again()

    def mix_in(self, salt: str) -> None:
        """Give the last secret its salt, or with none in it ask for one. Raises LedgerError once it was dealt from.

        What was planned with it has to be planned anew.
        """
        with self._writing():
            sealing.mix_in(self._db, salt)
            self._open_chain()
        self._read_again()

    def reveal(self) -> None:
        """Note that all secrets may be known from now on, however much is still to be played."""
        with self._writing():
            if sealing.reveal(self._db):
                self._open_chain()
        self._read_again()

    def seal_old(self) -> None:
        """Give the matches that an earlier version recorded their digests."""
        with self._writing():
            for (match,) in self._all("SELECT id FROM match WHERE digest = ''"):
                self._seal(match)

    def _seal(self, match: int) -> None:
        """The digest is of what the tables hold, so that nothing hangs on how SQLite keeps a number."""
        made = digest(as_tables(self._record(match)))
        self._db.execute("UPDATE match SET digest = ? WHERE id = ?", (made, match))

    def _read_again(self) -> None:
        self.run = founding.read_run(self.path, self._db)

    def adopt(self, sessions: Iterable[Session]) -> None:
        """Count these among what the run was played with, since matches that another run played are taken over."""
        known = self.sessions()
        with self._writing():
            for number, each in enumerate((each for each in sessions if each not in known), len(known) + 1):
                founding.open_chain(self._db, number, each)

    def _open_chain(self) -> None:
        founding.open_chain(self._db, *self._session)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with recording(self.path), transaction(self._db):
            yield

    def _insert_planned(self, planned: Sequence[Planned]) -> None:
        """As one batch, after all others."""
        ((batch,),) = self._all("SELECT coalesce((SELECT batch FROM plan ORDER BY ordinal DESC LIMIT 1), 0) + 1")
        plan = [(n, identity, leg.round, leg.stream, leg.leg, key, batch) for n, identity, leg, key in planned]
        places = [(n, place, name) for n, _, leg, _ in planned for place, name in enumerate(leg.entrants)]
        insert(self._db, "plan", ("ordinal", "identity", "round", "stream", "leg", "secret", "batch"), plan)
        insert(self._db, "place", ("ordinal", "place", "entrant"), places)


def open_to_amend(folder: Path) -> RunLedger:
    """The run in this folder, to be amended as it stands; raises LedgerError or LockedError."""
    path = folder / FILE if folder.is_dir() else folder
    ledger_file.open_to_read(path).close()
    lock = _locked(path.parent, "a run cannot be amended here: {}; see who may write there")
    try:
        db = ledger_file.open_to_write(path)
        ledger_file.let_read(db)
        return RunLedger(path, db, lock)
    except BaseException:
        lock.close()
        raise


def _locked(folder: Path, why_not: str) -> Lock:
    """The lock of a folder, which is made if need be; `why_not` has a place for what the system says."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return Lock(folder / LOCK)
    except OSError as error:
        raise LedgerError(f"{folder}: {why_not.format(error.strerror)}") from error


class RunFolder:
    """A run's folder before anything is changed in it: locked where a ledger's file lies there, and what it holds.

    Nothing is made where there is nothing. Close it, or use it in a `with`: that closes the run, too. Raises
    LedgerError, or LockedError where somebody else goes on with it.
    """

    def __init__(self, folder: Path) -> None:
        self.path, self._held = folder / FILE, ExitStack()
        self._lock: Lock | None = None
        self.run: RunLedger | None = None
        """The run that was founded here; None: it is still to be founded, be there a file or not."""
        if _is_there(self.path):
            with self._held:  # given back, unless all goes well
                self.run = self._look()
                self._held = self._held.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the run, and give the folder back."""
        self._held.close()

    def members(self, setup: Setup, admitted: Collection[str] | None = None) -> Membership:
        """Who belongs to the run, see `membership`."""
        standing = None if self.run is None else self.run.standing()
        return membership(standing, setup.entrants, setup.settings, admitted)

    def open(self, setup: Setup, members: Membership, dropped: Mapping[str, str] = NOBODY) -> RunLedger:
        """Found the run, or go on with it; the new of these members join it, these of them as dropped, for a reason.

        All of that or nothing. The run of any other tournament is refused, and what differs is named; nothing in it is
        changed.
        """
        if self._lock is None and self._look():
            raise LedgerError(f"{self.path.parent}: a run was founded here meanwhile: make the same call again")
        if self.run is None:
            with self._explained(), transaction(self._db):
                founding.found(self._db, setup, dropped)
            self.run = self._run()
        else:
            with self._explained(), transaction(self._db):
                founding.go_on(self.path, self._db, setup, members, dropped)
        self.run.begin(setup)
        return self.run

    def _look(self) -> RunLedger | None:
        """Lock the folder, bring its ledger up to date, and see what is in it."""
        self._lock = _locked(self.path.parent, "a run cannot be kept here: {}; choose another with --out")
        self._held.callback(self._lock.close)
        self._db = ledger_file.open_to_write(self.path)
        self._held.callback(self._db.close)
        with self._explained():
            return self._run() if ledger_file.has_tables(self._db) else None

    def _run(self) -> RunLedger:
        assert self._lock is not None
        run = RunLedger(self.path, self._db, self._lock)
        self._held.callback(run.close)
        return run

    def _explained(self) -> AbstractContextManager[None]:
        return explained(self.path, WRITE_ELSEWHERE)


def _is_there(path: Path) -> bool:
    """Whether a file is; of one that may not be looked for it is said, in words, when its folder is locked."""
    try:
        return path.exists()
    except OSError:
        return True


def open_run(folder: Path, setup: Setup, new: Collection[str] = ()) -> RunLedger:
    """Found a run in this folder, or go on with the one that stands there; raises LedgerError or LockedError.

    Entrants that are `new` may join it.
    """
    here = RunFolder(folder)
    try:
        return here.open(setup, here.members(setup, new))
    except BaseException:
        here.close()
        raise
