"""A ledger of today made into one of an earlier version, as that version would have written it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence

from spades_harness.tournament.records.ledger_tables import SINCE_2, SINCE_3, SINCE_4

_RUN = "id, name, text, terms, seed, secret, commitment, harness, created, finished"


def make_earlier(db: sqlite3.Connection, version: int) -> None:
    """Take away all that later versions than this one added; the connection is in no transaction."""
    db.execute("PRAGMA foreign_keys = OFF")
    _drop(db, SINCE_4)
    if version < 3:
        _unmake_3(db)
    if version < 2:
        _drop(db, SINCE_2)
    db.execute(f"PRAGMA user_version = {version}")


def _drop(db: sqlite3.Connection, added: Mapping[str, Sequence[str]]) -> None:
    for table, columns in added.items():
        for column in columns:
            db.execute(f"ALTER TABLE {table} DROP COLUMN {column.split()[0]}")


def _unmake_3(db: sqlite3.Connection) -> None:
    """The only secret back into the run's own row, and no table that came with version 3."""
    db.execute("DROP TRIGGER one_result_at_a_time")
    _drop(db, SINCE_3)
    db.execute("ALTER TABLE run RENAME TO later_run")
    joined = "SELECT later_run.*, s.secret, s.commitment FROM later_run JOIN secret s ON s.number = 0"
    db.execute(f"CREATE TABLE run AS SELECT {_RUN} FROM ({joined})")
    for table in ("later_run", "secret", "session", "amendment"):
        db.execute(f"DROP TABLE {table}")
    db.execute("CREATE UNIQUE INDEX one_result ON match (identity) WHERE scores IS NOT NULL")
