"""A ledger that was changed is told from one that wasn't, whichever column of whichever table it was."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.game.score import Boards
from spades_harness.table.match import MatchRecord, Substitute
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.records import ledger_file
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amending import Subject
from spades_harness.tournament.records.chain import Link, head
from spades_harness.tournament.records.founding import FOUNDED
from spades_harness.tournament.records.ledger import FILE, Ledger, open_run, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.ledger_rows import COLUMNS
from spades_harness.tournament.records.verifying import Verified, verify
from spades_harness.tournament.runner import next_batch

from .earlier import make_earlier
from .playing import entrant, play, setup, tournament

FIELD = replace(
    setup(entrant("a"), entrant("b", "babbling"), game=Boards(4)), faults=Substitute(2), options={"rounds": 1}
)


def play_all(folder: Path, *, backwards: bool = False) -> str:
    """The field's run with a void attempt in it, and amendments that others lift; the head of its chain."""
    with open_run(folder, FIELD) as run:
        made = tournament(FIELD, run)
        batch = next_batch(made, (), ())
        run.plan(batch)
        run.record(MatchRecord(batch[0].identity, 1, None, (), (), (), (), void="it rained"))
        entrants = {each.name: each for each in FIELD.entrants}
        for planned in reversed(batch) if backwards else batch:
            run.record(play(make_spec(run.run.terms, entrants, planned.leg, 2 if planned is batch[0] else 1)))
        run.amend(Act.VOID, [Subject(match=2, attempt=1)], "it snowed", "me")
        run.amend(Act.WITHDRAW, [Subject(entrant="a")], "it slept", "me")
        run.amend(Act.UNDO, [Subject(lifts=1), Subject(lifts=2)], "it did not", "me")
        run._db.execute("UPDATE run SET created = '2026-03-01', finished = '2026-03-02'")
        run._db.execute("UPDATE session SET started = '2026-03-01'")
        run._db.execute("UPDATE secret SET since = '2026-03-01', revealed = '2026-03-02', played = 2")
        run._db.execute("UPDATE amendment SET made = '2026-03-01'")
        run.finish()
        assert run.run.head
        return run.run.head


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run that nobody changed."""
    folder = tmp_path_factory.mktemp("verified")
    play_all(folder)
    return folder / FILE


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path / FILE))


def verified(path: Path) -> Verified:
    with read_ledger(path) as ledger:
        return verify(ledger)


def change(path: Path, *statements: str) -> None:
    """As somebody who knows SQLite and no scruples."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            assert db.execute(statement).rowcount > 0


def columns() -> Iterator[tuple[str, str, str]]:
    """Every column of every table that a ledger has, and its type."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        ledger_file.create_tables(db)
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            yield from ((table, name, kind) for _, name, kind, *_ in db.execute(f"PRAGMA table_info({table})"))


OTHERWISE = {
    "INTEGER": "coalesce({0}, 0) + 1000003",
    "REAL": "coalesce({0}, 0) + 0.125",
    "TEXT": "coalesce({0}, '') || ' '",
    "BLOB": "CAST({0} || x'00' AS BLOB)",
}
"""Another value of the type; texts get what a careless reader would not see."""


def test_a_run_that_nobody_changed_is_verified_with_its_faults_and_void_attempts(whole: Path) -> None:
    found = verified(whole)
    assert found.differences == ()
    assert (found.matches, found.void, found.planned) == (2, 1, 2)
    with read_ledger(whole) as ledger:
        assert found.outcomes == ledger.outcomes()
        assert any(ledger.match(1).faults)


@pytest.mark.parametrize(("table", "column", "kind"), list(columns()))
def test_a_changed_value_is_found_in_any_column(copy: Path, table: str, column: str, kind: str) -> None:
    """One value is changed, in the last row that has one."""
    where = f"(SELECT {column} FROM {table} ORDER BY {column} IS NULL, 1 DESC LIMIT 1)"
    change(copy, f"UPDATE {table} SET {column} = {OTHERWISE[kind].format(column)} WHERE {column} IS {where}")
    assert verified(copy).differences


def test_every_column_is_covered_by_a_digest_or_by_the_chain() -> None:
    covered = {(table, name) for table, names in FOUNDED.items() for name in names.split(", ")}
    covered |= {(table, name) for table, names in COLUMNS.items() for name in names}
    beside = {(table, name) for table, name, _ in columns()} - covered
    keys = {(table, "match") for table in COLUMNS if table != "match"}
    assert beside == {("match", "id"), ("match", "digest"), ("run", "head"), *keys}


def test_what_differs_is_named_with_match_hand_column_and_both_values(copy: Path) -> None:
    """A score raised by ten in one hand, its digest and all."""
    with read_ledger(copy) as ledger:
        right = ledger.match(2).hands[0].sides[0].score
    change(
        copy,
        "UPDATE side_hand SET score = score + 10 WHERE hand_no = 1 AND side = 0 AND match ="
        " (SELECT m.id FROM match m JOIN plan p USING (identity) WHERE p.ordinal = 2)",
    )
    lines = list(map(str, verified(copy).differences))
    assert f"match 2, hand 1: side_hand.score: {right + 10} stored, {right} right" in lines
    assert any(line.startswith("match 2: match.digest: ") for line in lines)


@pytest.mark.parametrize("table", ["decision", "fault", "hand", "bot", "place", "player", "setting"])
def test_a_row_that_is_gone_is_missed(copy: Path, table: str) -> None:
    change(
        copy, f"DELETE FROM {table} WHERE rowid = 1" if table != "decision" else "DELETE FROM decision WHERE number=9"
    )
    assert verified(copy).differences


def test_a_match_that_is_gone_with_all_its_rows_is_missed_by_the_chain(copy: Path) -> None:
    tables = [table for table in COLUMNS if table not in {"match", "fault"}]
    change(copy, *(f"DELETE FROM {table} WHERE match = 3" for table in tables), "DELETE FROM match WHERE id = 3")
    assert [each.column for each in verified(copy).differences if each.table == "run"] == ["head"]


def test_the_chain_follows_the_plan_and_not_the_order_of_play(whole: Path, tmp_path: Path) -> None:
    assert play_all(tmp_path / "one") == play_all(tmp_path / "other", backwards=True) == verified(whole).head


def test_each_link_of_a_chain_counts() -> None:
    links = [Link(1, "a", 1, "x"), Link(2, "b", 1, "y"), Link(2, "b", 2, "z")]
    heads = {head("", links), head("0", links), head("", links[1:])}
    others = links[2]._replace(identity="?"), links[2]._replace(digest="?")
    heads |= {head("", [*links[:2], other]) for other in others}
    assert len(heads) == 5
    assert head("", reversed(links)) == head("", links)


def test_a_run_that_is_not_finished_is_verified_as_far_as_it_got(copy: Path) -> None:
    change(copy, "UPDATE run SET finished = NULL, head = NULL")
    found = verified(copy)
    assert (found.differences, found.head) == ((), None)


def test_a_run_forged_whole_and_sealed_anew_still_has_another_head_than_the_one_that_was_told(copy: Path) -> None:
    """Whoever can write the file can compute every digest in it; not so a head that others wrote down."""
    told = verified(copy).head
    change(copy, "UPDATE bot SET thinking = thinking + 1 WHERE match = 2", "UPDATE match SET digest = '' WHERE id = 2")
    change(copy, "UPDATE run SET head = NULL")
    with open_run(copy.parent, FIELD) as run:
        run.finish()
    with read_ledger(copy) as ledger:
        assert not verify(ledger).differences
        assert [(each.column, each.right) for each in verify(ledger, told).differences] == [("head", told)]


def test_a_run_without_a_head_is_not_the_one_whose_head_was_told(copy: Path) -> None:
    change(copy, "UPDATE run SET finished = NULL, head = NULL")
    with read_ledger(copy) as ledger:
        assert [str(each) for each in verify(ledger, "0" * 64).differences] == [
            f"run.head: nothing computed, {'0' * 64} given"
        ]


def test_the_head_given_is_held_against_the_one_that_the_rows_come_to(copy: Path) -> None:
    right = verified(copy).head
    change(copy, "UPDATE run SET head = 'ff'")
    with read_ledger(copy) as ledger:
        assert [(each.stored, each.right) for each in verify(ledger, right).differences] == [("ff", right)]
        told = [str(each) for each in verify(ledger, "0" * 64).differences]
    assert told == [f"run.head: ff stored, {right} right", f"run.head: {right} computed, {'0' * 64} given"]


def test_going_on_with_a_finished_run_makes_no_new_head_over_changed_rows(whole: Path, copy: Path) -> None:
    change(copy, "UPDATE bot SET thinking = thinking + 1 WHERE match = 2")
    with open_run(copy.parent, FIELD) as run:
        run.finish()
    assert verified(copy).head == verified(whole).head
    assert verified(copy).differences


def test_a_run_of_version_2_gets_digests_and_a_head_when_it_is_gone_on_with(whole: Path, copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        make_earlier(db, 2)
    with pytest.raises(LedgerError, match="of an earlier version"):
        read_ledger(copy)
    with open_run(copy.parent, FIELD) as run:
        run.finish()
        assert run.sessions() == ()
        assert run.amendments() == ()
    found = verified(copy)
    assert found.head
    assert found == replace(verified(whole), head=found.head)  # it isn't known any more what it was played with


def test_an_amendment_of_version_3_counts_as_made_when_all_was_planned(whole: Path, copy: Path) -> None:
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        make_earlier(db, 3)
    with pytest.raises(LedgerError, match="of an earlier version"):
        read_ledger(copy)
    with open_run(copy.parent, FIELD) as run:
        assert run.run.head is None
        run.finish()
        assert {each.planned for each in run.amendments()} == {len(run.planned())}
    assert verified(copy) == verified(whole)


def test_what_cannot_be_computed_anew_is_named(copy: Path) -> None:
    change(copy, "INSERT INTO setting VALUES ('bots.a.env.TOKEN', '\"0123\"')")
    found = verified(copy)
    assert found.unknown == ("a",)
    assert [each.column for each in found.differences] == ["head"]


def test_a_ledger_is_a_ledger_to_read(copy: Path) -> None:
    before = copy.read_bytes()
    verified(copy)
    assert copy.read_bytes() == before
    assert isinstance(read_ledger(copy), Ledger)
