"""A ledger that was changed by somebody who knows this code: every digest and the head are computed anew, and it shows.

What nothing but a digest and the head bears witness to, a head that was written down elsewhere catches, and nothing
else can; those columns are listed here, so that none joins them unseen.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from spades_harness.tournament.records.chain import digest, foundation, head
from spades_harness.tournament.records.ledger import read_ledger
from spades_harness.tournament.records.ledger_rows import as_tables

from .test_verifying import OTHERWISE, change, columns, copy, verified, whole

__all__ = ["copy", "whole"]  # fixtures


def seal_anew(path: Path) -> None:
    """Every digest and the head, as they are right for what the file holds now."""
    with read_ledger(path) as ledger:
        digests = [(digest(as_tables(ledger.rows(kept.match))), kept.match) for kept in ledger.kept()]
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executemany("UPDATE match SET digest = ? WHERE id = ?", digests)
    with read_ledger(path) as ledger:
        end = head(foundation(ledger.foundation()), (kept.link for kept in ledger.kept()))
    change(path, f"UPDATE run SET head = '{end}'")


def forge(path: Path, *statements: str) -> list[str]:
    """Do this, and seal it; what is found then."""
    change(path, *statements)
    seal_anew(path)
    return list(map(str, verified(path).differences))


def test_a_run_that_is_sealed_anew_without_a_change_is_as_it_was(copy: Path, whole: Path) -> None:
    seal_anew(copy)
    assert verified(copy) == verified(whole)


@pytest.mark.parametrize(
    ("statements", "named"),
    [
        (["UPDATE secret SET number = 1"], "secret.number: 1 stored, 0 right"),
        (["UPDATE secret SET commitment = 'x'"], "secret.commitment: x stored, "),
        (["UPDATE secret SET secret = zeroblob(32)"], f"secret.secret: {'00' * 32} stored, "),
        (["UPDATE secret SET salt = 'x'"], "match 1: plan.identity: "),
        (["UPDATE amendment SET number = 9 WHERE number = 4"], "amendment.number: 9 stored, 4 right"),
        (["UPDATE amendment SET attempt = 3 WHERE number = 1"], "match 2: amendment.attempt: 3 stored, "),
        (["UPDATE amendment SET lifts = 4 WHERE number = 4"], "amendment.lifts: 4 stored, an earlier one right"),
        (["UPDATE amendment SET act = 'x' WHERE number = 1"], "amendment.act: "),
        (
            ["UPDATE match SET identity = 'x' WHERE id = 3", "UPDATE plan SET identity = 'x' WHERE ordinal = 1"],
            "match 1: plan.identity: x stored, ",
        ),
        (["UPDATE plan SET stream = 1"], "match 1: plan.identity: "),
        (["UPDATE player SET content = '2' WHERE entrant = 'a'"], "match 1: plan.identity: "),
        (["UPDATE setting SET value = '2.0' WHERE path = 'limits.move'"], "setting.limits.move: 2.0 stored, 1.0 right"),
        (["UPDATE setting SET value = '1' WHERE path = 'rules.target'"], "setting.rules.target: 1 stored, 100 right"),
        (["UPDATE setting SET value = 'true' WHERE path = 'ponder'"], "setting.ponder: true stored, false right"),
    ],
)
def test_what_is_forged_and_sealed_anew_is_named_still(copy: Path, statements: list[str], named: str) -> None:
    found = forge(copy, *statements)
    assert any(line.startswith(named) for line in found), found


TOLD_BY_THE_HEAD_ALONE = {
    "run": "id name text terms seed harness created finished head",
    "secret": "since revealed played",
    "setting": "path value",
    "entrant": "number dropped",
    "player": "number place",
    "plan": "round batch",
    "place": "place",
    "session": "number started harness python system machine processors",
    "amendment": "reason who made",
    "match": "attempt void started duration digest",
    "decision": "note",
    "fault": "what answer request raw delay load cpu waited",
    "bot": "name version start thinking dropped stderr cpu memory ended",
}
"""Names, times, texts and measures, and what is in no order that matters. A setting is told where the terms have it,
as above; the last one in the ledger is none of those."""


@pytest.mark.parametrize(("table", "column", "kind"), list(columns()))
def test_a_column_is_told_by_more_than_hashes_unless_nothing_else_knows_it(
    copy: Path, table: str, column: str, kind: str
) -> None:
    where = f"(SELECT {column} FROM {table} ORDER BY {column} IS NULL, 1 DESC LIMIT 1)"
    found = forge(copy, f"UPDATE {table} SET {column} = {OTHERWISE[kind].format(column)} WHERE {column} IS {where}")
    assert bool(found) is (column not in TOLD_BY_THE_HEAD_ALONE.get(table, "").split())
