"""The ledger's file: how it is opened to write and to read, and brought up to date. Knows SQLite, and no match.

Any SQLite from 3.8 on will do; from 3.37 on the tables are STRICT. Nothing here deletes or empties a file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from spades_harness.errors import UserError

from .ledger_tables import ADDED, AMENDMENT, RUN, SECRET, SESSION, TABLES, VERSION

APPLICATION: Final = 0x53504C47
"""`SPLG` in the file's header, by which a ledger is told from any other SQLite file."""
_PATIENCE: Final = 10.0
"""Seconds that a connection waits for another's transaction; those of a ledger take milliseconds."""

_SMALLEST: Final = 512
"""Bytes of SQLite's smallest page; what is shorter counts as empty there."""
NO_LEDGER: Final = "this is no ledger of a tournament, and is left as it is"
READ_ANOTHER: Final = "name the folder of a run"
WRITE_ELSEWHERE: Final = "choose another folder with --out"
"""What to do about a file that isn't what it should be, when it is read, and when a run is to be kept there."""
_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_NO_ROOM: Final = (
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_FSYNC),
    *(sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_DIR_FSYNC),
)
"""What SQLite says when a disk is full, or a file as large as it may become; a file cut short has other codes."""


class LedgerError(UserError):
    """A ledger that cannot be read, written, or gone on with."""


class NothingFounded(LedgerError):
    """A file that a founding left which came to nothing."""


@contextmanager
def explained(path: Path, cure: str = READ_ANOTHER) -> Iterator[None]:
    """What SQLite cannot open or read becomes one line; a broken constraint stays a fault of the harness.

    `cure` is what to do about a file that is no ledger, or a damaged one.
    """
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        raise LedgerError(f"{path}: {_what_is_wrong(error, cure)}") from error


@contextmanager
def recording(path: Path) -> Iterator[None]:
    """What SQLite cannot write becomes one line, which says what it cost: nothing that was there before."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        if _code(error) in _DAMAGED:
            raise LedgerError(f"{path}: {_what_is_wrong(error, WRITE_ELSEWHERE)}") from error
        raise LedgerError(f"{path}: {error} (what was recorded before is safe)") from error


def _what_is_wrong(error: sqlite3.Error, cure: str) -> str:
    if getattr(error, "sqlite_errorcode", None) in _NO_ROOM:
        return f"{error}: make room (a full disk, a quota, a limit of file sizes), and try again"
    match _code(error):
        case sqlite3.SQLITE_NOTADB:
            return f"{NO_LEDGER}: {cure}"
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return f"another program holds it ({error}): try again when that has ended"
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_AUTH:
            return f"{error}: see who may read and write it and its folder"
        case _:
            return f"the ledger is damaged or cut short ({error}): take a copy of it if you have one, or {cure}"


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary code; errors of Python's own making, such as a text that is no UTF-8, have none."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF


def open_to_write(path: Path) -> sqlite3.Connection:
    """A connection that writes, to a ledger with its tables or to a file without any; raises LedgerError."""
    _check_length(path, WRITE_ELSEWHERE)
    with explained(path, WRITE_ELSEWHERE):
        db = sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)
        try:
            _bring_up_to_date(db)
            db.execute("PRAGMA foreign_keys = ON")
            check(path, db, WRITE_ELSEWHERE)
        except BaseException:
            db.close()
            raise
    return db


def _bring_up_to_date(db: sqlite3.Connection) -> None:
    """A ledger of an earlier version gets the columns and the tables that it lacks."""
    application, version = _header(db)
    if application != APPLICATION or version not in ADDED:
        return
    with transaction(db):
        for added in ADDED[version]:
            for table, columns in added.items():
                for column in columns:
                    db.execute(f"ALTER TABLE {table} ADD COLUMN {column}")
        if version < 3:
            _create(db, SESSION + SECRET + AMENDMENT + "DROP INDEX one_result;\n")
            _move_secret(db)
        else:
            _date_amendments(db)
        db.execute(f"PRAGMA user_version = {VERSION}")


def _date_amendments(db: sqlite3.Connection) -> None:
    """How many matches were planned by then is not known any more: all, as if they were made today.

    A head that spoke of them goes; the run gets another when it is gone on with.
    """
    db.execute("UPDATE amendment SET planned = (SELECT count(*) FROM plan)")
    db.execute("UPDATE run SET head = NULL WHERE EXISTS (SELECT * FROM amendment)")


def _move_secret(db: sqlite3.Connection) -> None:
    """The only secret of a run from the run's own row to the table of secrets."""
    played = "CASE WHEN finished IS NOT NULL THEN (SELECT count(*) FROM match WHERE scores IS NOT NULL) END"
    db.execute(
        "INSERT INTO secret (number, secret, commitment, since, revealed, played)"
        f" SELECT 0, secret, commitment, created, finished, {played} FROM run"
    )
    columns = "id, name, text, terms, seed, harness, created, finished, head"
    db.execute("ALTER TABLE run RENAME TO earlier_run")
    _create(db, RUN)
    db.execute(f"INSERT INTO run ({columns}) SELECT {columns} FROM earlier_run")
    db.execute("DROP TABLE earlier_run")


def _header(db: sqlite3.Connection) -> tuple[int, int]:
    """Whose file it is, and the version of its tables."""
    (application,), (version,) = (
        db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version")
    )
    return application, version


def let_read(db: sqlite3.Connection) -> None:
    """From now on others read while this connection writes."""
    # What a power cut may cost then is the last matches, never the file; and those are played again.
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, also while a run goes on and where one may not write; raises LedgerError."""
    if not path.is_file():
        raise LedgerError(f"{path}: there is no ledger here")
    _check_length(path, READ_ANOTHER)
    with explained(path):
        db = _connect_to_read(path)
        try:
            check(path, db)
            if not has_tables(db):
                raise NothingFounded(f"{path}: the run was stopped before it began; there is nothing in it")
        except BaseException:
            db.close()
            raise
    return db


def _check_length(path: Path, cure: str) -> None:
    """Raises LedgerError for a file that SQLite would take for an empty one, and write over, though it is none."""
    # Looked at without opening it: closing a file gives up the locks that another connection in here has on it.
    if path.is_file() and 0 < path.stat().st_size < _SMALLEST:
        raise LedgerError(f"{path}: {NO_LEDGER}: {cure}")


def _connect_to_read(path: Path) -> sqlite3.Connection:
    """Read-only; where SQLite would need to make its side files and may not, the file is read as it stands."""
    try:
        return _connect(path, "mode=ro")
    except sqlite3.OperationalError:
        if path.with_name(path.name + "-wal").exists():
            raise
        return _connect(path, "mode=ro&immutable=1")


def _connect(path: Path, how: str) -> sqlite3.Connection:
    """A connection that was seen to work."""
    db = sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True, isolation_level=None, timeout=_PATIENCE)
    try:
        has_tables(db)
    except BaseException:
        db.close()
        raise
    return db


def check(path: Path, db: sqlite3.Connection, cure: str = READ_ANOTHER) -> None:
    """Raises LedgerError for a file that is something else, or a ledger of a newer version."""
    application, version = _header(db)
    if not has_tables(db) and application == version == 0:
        return
    if application != APPLICATION:
        raise LedgerError(f"{path}: {NO_LEDGER}: {cure}")
    if version in ADDED:
        raise LedgerError(f"{path}: of an earlier version: go on with its run once, which brings it up to date")
    if version != VERSION:
        raise LedgerError(f"{path}: written by another version (its tables: {version}, known here: {VERSION})")


def has_tables(db: sqlite3.Connection) -> bool:
    """Whether anything was ever written to it."""
    (count,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(count)


def create_tables(db: sqlite3.Connection) -> None:
    """All tables and the version, inside the caller's transaction."""
    _create(db, TABLES)
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {VERSION}")


def _create(db: sqlite3.Connection, tables: str) -> None:
    strict = sqlite3.sqlite_version_info >= (3, 37)
    for statement in tables.split(";\n"):
        if statement.strip():
            db.execute(statement if strict else statement.replace("STRICT, ", "").replace("STRICT", ""))


@contextmanager
def transaction(db: sqlite3.Connection, kind: str = "IMMEDIATE") -> Iterator[None]:
    """All of it or nothing, also when interrupted; `DEFERRED` reads everything as of one moment."""
    db.execute(f"BEGIN {kind}")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # a full disk may have rolled back by itself
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def insert(db: sqlite3.Connection, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> int:
    """Insert rows; the row id of the last one where there is only one."""
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    if len(rows) == 1:
        return db.execute(statement, rows[0]).lastrowid or 0
    db.executemany(statement, rows)
    return 0


def close(db: sqlite3.Connection) -> None:
    """Close; when nobody else reads, the file is left as one plain file that can be copied and read anywhere."""
    with closing(db), suppress(sqlite3.Error):
        db.execute("PRAGMA busy_timeout = 0")
        db.execute("PRAGMA journal_mode = DELETE")
