"""The tables of a ledger, and what each version added to those of the one before: SQL alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

VERSION: Final = 4
"""Of the tables below; a change of theirs needs a new number and a way from the old one."""
SESSION: Final = """
CREATE TABLE session (
    number INTEGER PRIMARY KEY CHECK (number >= 1),
    started TEXT NOT NULL,
    harness TEXT NOT NULL,
    python TEXT NOT NULL,
    system TEXT NOT NULL,
    machine TEXT NOT NULL,
    processors INTEGER NOT NULL
) STRICT;
"""
"""Since version 3."""
AMENDMENT: Final = """
CREATE TABLE amendment (
    number INTEGER PRIMARY KEY CHECK (number >= 1),
    act TEXT NOT NULL CHECK (act IN ('void', 'again', 'withdraw', 'disqualify', 'undo')),
    ordinal INTEGER REFERENCES plan (ordinal),
    attempt INTEGER,
    entrant TEXT REFERENCES entrant (name),
    lifts INTEGER REFERENCES amendment (number),
    reason TEXT NOT NULL CHECK (reason != ''),
    who TEXT NOT NULL,
    made TEXT NOT NULL,
    planned INTEGER NOT NULL
) STRICT;
CREATE TRIGGER one_result_at_a_time BEFORE INSERT ON match WHEN NEW.scores IS NOT NULL BEGIN
    SELECT RAISE(ABORT, 'the match has a result') WHERE
    (SELECT count(*) FROM match WHERE identity = NEW.identity AND scores IS NOT NULL) >
    (SELECT count(*) FROM amendment JOIN plan USING (ordinal) WHERE identity = NEW.identity AND act = 'again'
        AND number NOT IN (SELECT lifts FROM amendment WHERE lifts IS NOT NULL)); END;
"""
"""Since version 3. A match has one result, and one more for each time that it was to be played again."""
RUN: Final = """
CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    text TEXT NOT NULL,
    terms TEXT NOT NULL,
    seed TEXT,
    harness TEXT NOT NULL,
    created TEXT NOT NULL,
    finished TEXT,
    head TEXT
) STRICT;
"""
SECRET: Final = """
CREATE TABLE secret (
    number INTEGER PRIMARY KEY CHECK (number >= 0),
    secret BLOB NOT NULL,
    commitment TEXT NOT NULL,
    salt TEXT,
    since TEXT NOT NULL,
    revealed TEXT,
    played INTEGER
) STRICT;
"""
"""Since version 3; before, a run had one, in its own row."""
TABLES: Final = (
    RUN
    + SECRET
    + """
CREATE TABLE setting (
    path TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
CREATE TABLE entrant (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    dropped TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE player (
    entrant TEXT NOT NULL REFERENCES entrant (name),
    number INTEGER NOT NULL,
    bot TEXT NOT NULL,
    content TEXT NOT NULL,
    place TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (entrant, number)
) STRICT;
CREATE TABLE plan (
    ordinal INTEGER PRIMARY KEY CHECK (ordinal >= 1),
    identity TEXT NOT NULL UNIQUE,
    round INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    leg INTEGER NOT NULL,
    secret INTEGER NOT NULL DEFAULT 0 REFERENCES secret (number),
    batch INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE TABLE place (
    ordinal INTEGER NOT NULL REFERENCES plan (ordinal),
    place INTEGER NOT NULL,
    entrant TEXT NOT NULL REFERENCES entrant (name),
    PRIMARY KEY (ordinal, place)
) STRICT;
CREATE TABLE match (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL REFERENCES plan (identity),
    attempt INTEGER NOT NULL CHECK (attempt >= 1),
    void TEXT NOT NULL,
    ending TEXT,
    forfeits TEXT,
    scores TEXT,
    bags TEXT,
    hands INTEGER,
    started TEXT NOT NULL,
    duration REAL NOT NULL,
    digest TEXT NOT NULL DEFAULT '',
    UNIQUE (identity, attempt)
) STRICT;
CREATE TABLE hand (
    match INTEGER NOT NULL REFERENCES match (id),
    hand_no INTEGER NOT NULL,
    dealer INTEGER NOT NULL,
    dealt TEXT NOT NULL,
    bids TEXT NOT NULL,
    won TEXT NOT NULL,
    PRIMARY KEY (match, hand_no)
) STRICT;
CREATE TABLE side_hand (
    match INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    side INTEGER NOT NULL,
    contract INTEGER NOT NULL,
    tricks INTEGER NOT NULL,
    delta INTEGER NOT NULL,
    new_bags INTEGER NOT NULL,
    score INTEGER NOT NULL,
    bags INTEGER NOT NULL,
    PRIMARY KEY (match, hand_no, side),
    FOREIGN KEY (match, hand_no) REFERENCES hand (match, hand_no)
) STRICT;
CREATE TABLE decision (
    match INTEGER NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    written TEXT NOT NULL,
    elapsed REAL NOT NULL,
    substituted INTEGER NOT NULL,
    note TEXT NOT NULL,
    stats TEXT NOT NULL,
    over REAL NOT NULL DEFAULT 0,
    cpu REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE fault (
    match INTEGER NOT NULL REFERENCES match (id),
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seat INTEGER NOT NULL,
    hand_no INTEGER NOT NULL,
    decision INTEGER NOT NULL,
    asked TEXT NOT NULL,
    what TEXT NOT NULL,
    answer TEXT NOT NULL,
    elapsed REAL NOT NULL,
    request TEXT NOT NULL,
    raw BLOB NOT NULL DEFAULT x'',
    delay REAL NOT NULL DEFAULT 0,
    load REAL NOT NULL DEFAULT 0,
    cpu REAL NOT NULL DEFAULT 0,
    waited REAL,
    PRIMARY KEY (match, number)
) STRICT;
CREATE TABLE bot (
    match INTEGER NOT NULL REFERENCES match (id),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    version TEXT NOT NULL,
    start REAL NOT NULL,
    thinking REAL NOT NULL,
    dropped INTEGER NOT NULL,
    stderr TEXT NOT NULL,
    cpu REAL NOT NULL DEFAULT 0,
    memory REAL NOT NULL DEFAULT 0,
    ended TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (match, seat)
) STRICT;
"""
    + SESSION
    + AMENDMENT
)
SINCE_2: Final[Mapping[str, tuple[str, ...]]] = {
    "player": ("place TEXT NOT NULL DEFAULT '[]'",),
    "decision": ("over REAL NOT NULL DEFAULT 0", "cpu REAL NOT NULL DEFAULT 0"),
    "fault": (
        "raw BLOB NOT NULL DEFAULT x''",
        *(f"{name} REAL NOT NULL DEFAULT 0" for name in ("delay", "load", "cpu")),
    ),
    "bot": ("cpu REAL NOT NULL DEFAULT 0", "memory REAL NOT NULL DEFAULT 0", "ended TEXT NOT NULL DEFAULT ''"),
}
"""What version 2 added to the tables of version 1."""
SINCE_3: Final[Mapping[str, tuple[str, ...]]] = {
    "run": ("head TEXT",),
    "match": ("digest TEXT NOT NULL DEFAULT ''",),
    "fault": ("waited REAL",),
    "plan": (
        "secret INTEGER NOT NULL DEFAULT 0 REFERENCES secret (number)",
        "batch INTEGER NOT NULL DEFAULT 1",
    ),
}
"""What version 3 added. The digests of older records are made when their run is gone on with."""
SINCE_4: Final[Mapping[str, tuple[str, ...]]] = {"amendment": ("planned INTEGER NOT NULL DEFAULT 0",)}
"""What version 4 added."""
ADDED: Final = {1: (SINCE_2, SINCE_3), 2: (SINCE_3,), 3: (SINCE_4,)}
"""What the tables of earlier versions lack; what came whole with version 3 has all columns of today at once."""
