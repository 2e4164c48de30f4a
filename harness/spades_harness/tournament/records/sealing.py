"""The secrets of a run in its ledger: drawn, committed to, salted, shown. Works inside the ledger's transactions.

What a secret is stands in `sealed`. None is ever changed or dropped: a salt comes once, before anything is played, and
what was shown stays shown.
"""

from __future__ import annotations

import secrets
import sqlite3

from spades_harness.game.deal import SECRET_BYTES, commitment, secret_of_seed
from spades_harness.tournament.sealed import Sealed
from spades_harness.tournament.times import now

from .ledger_file import LedgerError

COLUMNS = "number, secret, commitment, salt, since, revealed, played"


def secrets_in(db: sqlite3.Connection) -> tuple[Sealed, ...]:
    """All secrets of the run, in the order of their numbers. Raises LedgerError where there is none."""
    rows = db.execute("SELECT secret, salt, since, revealed, played FROM secret ORDER BY number").fetchall()
    if not rows:
        raise LedgerError("this ledger has lost its secret: take a copy of it if you have one")
    return tuple(Sealed(*row) for row in rows)


def draw(db: sqlite3.Connection, seed: int | str | None = None) -> int:
    """Commit to one more secret, that of a public seed or 32 bytes that nobody knows; its number.

    It asks for a salt of its own where the one before had one: a known salt would let who draws the secrets choose.
    """
    drawn = secrets.token_bytes(SECRET_BYTES) if seed is None else secret_of_seed(seed)
    ((number, salt),) = db.execute(
        "SELECT count(*), (SELECT substr(salt, 1, 0) FROM secret ORDER BY number DESC LIMIT 1) FROM secret"
    )
    row = (number, drawn, commitment(drawn), salt, now())
    db.execute("INSERT INTO secret (number, secret, commitment, salt, since) VALUES (?, ?, ?, ?, ?)", row)
    return int(number)


def reveal(db: sqlite3.Connection) -> bool:
    """Note that all secrets may be known from now on, and how much was played by then; whether one was hidden.

    Raises LedgerError while a salt is waited for: who knows the secret could choose the deals by it.
    """
    if secrets_in(db)[-1].awaits_salt:
        raise LedgerError("the secret waits for its salt, and who knew it could choose one: give the salt first")
    played = (
        "SELECT count(DISTINCT identity) FROM match m JOIN plan p USING (identity)"
        " WHERE p.secret = secret.number AND m.scores IS NOT NULL"
    )
    return (
        db.execute(f"UPDATE secret SET revealed = ?, played = ({played}) WHERE revealed IS NULL", (now(),)).rowcount > 0
    )


def mix_in(db: sqlite3.Connection, salt: str) -> None:
    """Give the last secret its salt, or with none in it ask for one, and take back what was planned with it.

    The matches of a plan are others then. Raises LedgerError once one of them was tried, since its cards may be known,
    and once the secret was shown, since a salt could be chosen to suit it.
    """
    ((number, revealed),) = db.execute("SELECT number, revealed FROM secret ORDER BY number DESC LIMIT 1")
    taken_back = "SELECT ordinal FROM plan WHERE ordinal >= (SELECT min(ordinal) FROM plan WHERE secret = ?)"
    tried = f"SELECT min(ordinal) FROM match JOIN plan USING (identity) WHERE ordinal IN ({taken_back})"
    ((first,),) = db.execute(tried, (number,))
    if first is not None:
        raise LedgerError(
            f"salt: match {first} has been dealt, and after that no salt may come or change: go on without it,"
            " or found another run (--out)"
        )
    if revealed is not None:
        raise LedgerError("salt: the secret was shown already, and one could be chosen to suit it: found another run")
    db.execute(f"DELETE FROM place WHERE ordinal IN ({taken_back})", (number,))
    db.execute(f"DELETE FROM plan WHERE ordinal IN ({taken_back})", (number,))
    db.execute(
        "UPDATE amendment SET planned = min(planned, (SELECT count(*) FROM plan))"
    )  # what comes is planned after it
    db.execute("UPDATE secret SET salt = ? WHERE number = ?", (salt, number))
