"""A ledger of today made into one of an earlier version, as that version would have written it."""

from __future__ import annotations

import sqlite3

from spades_harness.tournament.records.ledger_tables import SINCE_2, SINCE_3

_RUN = "id, name, text, terms, seed, secret, commitment, harness, created, finished"


def make_earlier(db: sqlite3.Connection, version: int) -> None:
    """Take away all that version 3, or 2 and 3, added; the connection is in no transaction."""
    db.execute("PRAGMA foreign_keys = OFF")
    db.execute("DROP TRIGGER one_result_at_a_time")
    for added in [SINCE_3] if version == 2 else [SINCE_3, SINCE_2]:
        for table, columns in added.items():
            for column in columns:
                db.execute(f"ALTER TABLE {table} DROP COLUMN {column.split()[0]}")
    db.execute("ALTER TABLE run RENAME TO later_run")
    joined = "SELECT later_run.*, s.secret, s.commitment FROM later_run JOIN secret s ON s.number = 0"
    db.execute(f"CREATE TABLE run AS SELECT {_RUN} FROM ({joined})")
    for table in ("later_run", "secret", "session", "amendment"):
        db.execute(f"DROP TABLE {table}")
    db.execute("CREATE UNIQUE INDEX one_result ON match (identity) WHERE scores IS NOT NULL")
    db.execute(f"PRAGMA user_version = {version}")
