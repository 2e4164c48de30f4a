"""The ledger keeps what it was given, lets others read, and mixes no two runs."""

from __future__ import annotations

import os
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.errors import UserError
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Totals
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Ending
from spades_harness.table.bounds import Limits
from spades_harness.table.match import (
    BotReport,
    Circumstances,
    Command,
    Decision,
    Fault,
    FaultKind,
    HandRecord,
    MatchRecord,
    Player,
    Result,
    SideHand,
)
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.outcome import Leg, outcome_of
from spades_harness.tournament.records import ledger_file
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import FILE, LOCK, Planned, RunLedger, open_run, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.ledger_rows import LONGEST_TEXT, clean, from_rows, to_rows
from spades_harness.tournament.records.lock import Lock, LockedError
from spades_harness.tournament.records.session import this_session
from spades_harness.tournament.schedule import Entrant, Options
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.times import now

from .earlier import make_earlier
from .playing import entrant, play, setup

BOTH = setup(entrant("a"), entrant("b", "babbling"), game=Boards(4))


def plan_of(run: RunLedger, base: Setup) -> list[Planned]:
    """The whole plan of a round robin."""
    legs = round_robin(base.entrants, Options(base.options, base.format, base.rules), ())
    entrants = {each.name: each for each in base.entrants}
    return [
        Planned(ordinal, make_spec(run.run.terms, entrants, leg).identity, leg) for ordinal, leg in enumerate(legs, 1)
    ]


def played(run: RunLedger, base: Setup, ordinal: int) -> MatchRecord:
    """A match of the plan, played."""
    leg = plan_of(run, base)[ordinal - 1].leg
    return play(make_spec(run.run.terms, {each.name: each for each in base.entrants}, leg))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunLedger]:
    """A run of two entrants, planned and not begun."""
    with open_run(tmp_path, BOTH) as run:
        run.plan(plan_of(run, BOTH))
        yield run


# ----------------------------------------------------------------------------------------------- what goes in comes out


def test_a_match_comes_back_as_it_was_recorded(run: RunLedger) -> None:
    record = played(run, BOTH, 2)
    assert record.faults
    assert record.decisions
    run.record(record)
    assert run.match(2) == record


def test_a_void_match_comes_back_with_its_reason_and_stays_missing(run: RunLedger) -> None:
    (first, *_) = run.planned()
    record = MatchRecord(first.identity, 1, None, (), (), (), (), void="the machine fell over")
    run.record(record)
    assert run.match(1) == record
    assert [(m.planned.ordinal, m.attempts, m.void) for m in run.missing()][:2] == [
        (1, 1, "the machine fell over"),
        (2, 0, ""),
    ]


def test_a_match_that_was_void_and_is_played_again_has_one_result(run: RunLedger) -> None:
    good = replace(played(run, BOTH, 1), attempt=2)
    run.record(replace(good, attempt=1, result=None, void="it rained"))
    run.record(good)
    assert run.match(1) == good
    assert [outcome.ordinal for outcome in run.outcomes()] == [1]
    with pytest.raises(sqlite3.IntegrityError):
        run.record(replace(good, attempt=3))


def test_outcomes_read_from_the_ledger_are_those_of_the_records(run: RunLedger) -> None:
    plan = run.planned()
    records = {ordinal: played(run, BOTH, ordinal) for ordinal in (4, 1, 3)}
    for record in records.values():
        run.record(record)
    expected = [
        outcome_of(n, plan[n - 1].leg, run.run.terms.rules, run.run.terms.faults, records[n]) for n in (1, 3, 4)
    ]
    assert list(run.outcomes()) == expected
    assert [missing.planned.ordinal for missing in run.missing()] == [2]


def test_a_match_that_nobody_planned_is_not_recorded(run: RunLedger) -> None:
    with pytest.raises(sqlite3.IntegrityError):
        run.record(replace(played(run, BOTH, 1), identity="0" * 64))
    assert not run.outcomes()


def test_a_record_that_fails_half_way_leaves_nothing(run: RunLedger) -> None:
    record = played(run, BOTH, 1)
    with pytest.raises(sqlite3.IntegrityError):
        run.record(replace(record, hands=record.hands * 2))
    run.record(record)
    assert run.match(1) == record


finite = st.floats(allow_nan=False, allow_infinity=False)
counts = st.integers(-(2**53), 2**53)
naturals = st.integers(0, 2**31)
texts = st.text().map(clean)
written = st.one_of(st.none(), st.integers(0, 13), st.just("blind_nil"), st.just("QH"), st.just(("2C", "TD")))
decisions = st.builds(
    Decision,
    hand_no=naturals,
    seat=st.integers(0, 3),
    kind=st.sampled_from(["blind", "bid", "exchange", "play"]),
    written=written,
    elapsed=finite,
    substituted=st.booleans(),
    note=texts,
    stats=st.lists(st.tuples(texts, finite), max_size=3).map(tuple),
    over=finite,
    cpu=finite,
)
faults = st.builds(
    Fault,
    kind=st.sampled_from(FaultKind),
    seat=st.integers(0, 3),
    hand_no=naturals,
    decision=naturals,
    asked=texts,
    what=texts,
    answer=texts,
    elapsed=finite,
    request=texts,
    raw=st.binary(max_size=9),
    circumstances=st.builds(Circumstances, delay=finite, load=finite, cpu=finite, waited=st.none() | finite),
)
sides = st.builds(
    SideHand, contract=naturals, tricks=naturals, delta=counts, new_bags=naturals, score=counts, bags=counts
)
bids = st.one_of(st.integers(0, 13), st.just("blind_nil"))
four = st.integers(0, 13)
hands = st.builds(
    HandRecord,
    hand_no=naturals,
    dealer=st.integers(0, 3),
    dealt=st.tuples(*(st.integers(0, 2**52 - 1),) * 4),
    bids=st.tuples(bids, bids, bids, bids),
    won=st.tuples(four, four, four, four),
    sides=st.tuples(sides, sides),
)
totals = st.builds(Totals, st.tuples(counts, counts), st.tuples(counts, counts))
results = st.builds(
    Result,
    ending=st.one_of(st.none(), st.sampled_from(Ending)),
    forfeits=st.sampled_from([(), (0,), (1,), (0, 1)]),
    totals=totals,
    hands=naturals,
)
reports = st.builds(
    BotReport,
    name=texts,
    version=texts,
    start=finite,
    thinking=finite,
    dropped=naturals,
    stderr=texts,
    cpu=finite,
    memory=finite,
    ended=texts,
)
records = st.builds(
    MatchRecord,
    identity=st.just("ab" * 32),
    attempt=st.integers(1, 9),
    result=st.one_of(st.none(), results),
    hands=st.lists(hands, max_size=3, unique_by=lambda hand: hand.hand_no).map(
        lambda found: tuple(sorted(found, key=lambda hand: hand.hand_no))
    ),
    decisions=st.lists(decisions, max_size=4).map(tuple),
    faults=st.lists(faults, max_size=2).map(tuple),
    bots=st.lists(reports, max_size=4).map(tuple),
    void=texts,
    started=st.just("2026-03-01T12:00:00.000+00:00"),
    duration=finite,
)


@given(records)
def test_rows_hold_all_of_any_record(record: MatchRecord) -> None:
    assert from_rows(Rules(), to_rows(record)) == record


@pytest.fixture(scope="module")
def long_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunLedger]:
    """A run whose plan grows as the test goes on."""
    with open_run(tmp_path_factory.mktemp("long"), BOTH) as run:
        yield run


@given(record=records)
def test_the_file_holds_all_of_any_record(long_run: RunLedger, record: MatchRecord) -> None:
    number = len(long_run.planned()) + 1
    record = replace(record, identity=f"{number:064}")
    long_run.plan([Planned(number, record.identity, Leg(("a", "b"), number, 0, 1))])
    long_run.record(record)
    assert long_run.match(number) == record


@given(st.text(alphabet=st.characters(codec=None)))
def test_any_text_of_a_bot_is_cleaned_once_and_for_all(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode()
    assert "\0" not in cleaned
    assert clean(cleaned) == cleaned
    assert len(cleaned) == len(text) or any("\ud800" <= letter <= "\udfff" for letter in text)


def test_a_match_is_stored_whatever_a_bot_wrote(run: RunLedger) -> None:
    """PR-07, PF-13: surrogates, NULs and megabytes are cleaned and cut; the result is stored."""
    record = played(run, BOTH, 1)
    dirty = BotReport("a\0b", "\ud800", stderr="x" * 5_000_000)
    fault = Fault(FaultKind.CRASH, 0, 1, 2, "bid", "\udfff" * 9, "\ud83c\udf9b", 0.1, "caf\udce9\0")
    run.record(replace(record, bots=(dirty,) * 4, faults=(fault,)))
    stored = run.match(1)
    assert stored.result == record.result
    assert stored.bots[0].name == "a\N{REPLACEMENT CHARACTER}b"
    assert len(stored.bots[0].stderr) == LONGEST_TEXT
    assert stored.faults[0].answer == "\N{CONTROL KNOBS}"


# ------------------------------------------------------------------------------------------------ going on, or refusing


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path) -> None:
    """PR-01: by identity, whatever was played and in whatever order."""
    with open_run(tmp_path, BOTH) as run:
        run.plan(plan_of(run, BOTH))
        run.record(played(run, BOTH, 3))
        secret = run.run.last_secret.secret
    with open_run(tmp_path, BOTH) as run:
        run.plan(plan_of(run, BOTH))
        assert [missing.planned.ordinal for missing in run.missing()] == [1, 2, 4]
        assert run.run.last_secret.secret == secret


def test_each_time_that_something_is_played_says_what_with_and_a_look_says_nothing(tmp_path: Path) -> None:
    """A finished run that is called again keeps its head: nothing in it has grown."""
    for ordinal in (1, 2, 3, 4):
        with open_run(tmp_path, BOTH) as run:
            run.plan(plan_of(run, BOTH))
            run.record(played(run, BOTH, ordinal))
    with open_run(tmp_path, BOTH) as run:
        run.finish()
    with open_run(tmp_path, BOTH) as again:
        again.plan(plan_of(again, BOTH))
        again.finish()
        assert again.run.head == run.run.head
        sessions = again.sessions()
    assert len(sessions) == 4
    assert [each.started for each in sessions] == sorted(each.started for each in sessions)
    assert {each[1:] for each in sessions} == {this_session()[1:]}
    assert sessions[0].python == platform.python_version()


def test_a_secret_is_drawn_once_a_run_and_shown_when_all_is_played(tmp_path: Path) -> None:
    hidden = replace(BOTH, seed=None)
    with open_run(tmp_path / "1", hidden) as run:
        secret = run.run.last_secret.secret
        assert len(secret) == 32
        assert not run.run.revealed
    with open_run(tmp_path / "1", hidden) as run, open_run(tmp_path / "2", hidden) as other:
        assert run.run.last_secret.secret == secret != other.run.last_secret.secret
        run.finish()
        assert run.run.revealed
    with read_ledger(tmp_path / "1") as ledger:
        assert ledger.run.revealed
        assert ledger.run.last_secret.secret == secret


def test_a_seed_is_public_and_makes_the_secret(run: RunLedger) -> None:
    assert run.run.revealed
    assert run.run.seed == 5
    assert run.run.last_secret.secret == secret_of_seed(5)


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (replace(BOTH, rules=Rules(target=250)), "rules.target: 100 there, 250 here"),
        (replace(BOTH, format=Boards(8)), "format.boards: 4 there, 8 here"),
        (replace(BOTH, limits=Limits(move=2)), "limits.move: 1.0 there, 2.0 here"),
        (replace(BOTH, seed=6), "seed: 5 there, 6 here"),
        (replace(BOTH, seed=None), "seed: 5 there, null here"),
        (replace(BOTH, options={}), "schedule.round_robin.rounds: 2 there, nothing here"),
        (replace(BOTH, entrants=(entrant("c"), *BOTH.entrants)), "entrants: "),
        (replace(BOTH, entrants=(BOTH.entrants[1], entrant("c"))), "a is gone: bring it back"),
        (replace(BOTH, entrants=(entrant("a"), entrant("b", "dull"))), "bots.b.params.style"),
    ],
)
def test_another_tournament_is_refused_and_what_differs_is_named(tmp_path: Path, other: Setup, named: str) -> None:
    """PR-12, PR-03: and what stands there stays as it is."""
    with open_run(tmp_path, BOTH) as run:
        run.plan(plan_of(run, BOTH))
        run.record(played(run, BOTH, 1))
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(LedgerError, match="holds another run") as refused:
        open_run(tmp_path, other)
    assert named in str(refused.value)
    assert (tmp_path / FILE).read_bytes() == before


@pytest.mark.parametrize("built", [False, True])
def test_a_run_whose_bot_has_other_files_now_is_refused_with_the_folder_and_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, built: bool
) -> None:
    """Results written beside a bot make another bot of it, which nobody meant."""
    monkeypatch.setenv("SPADES_CACHE", str(tmp_path))
    folder = str(tmp_path / "builds" / "0123") if built else "/bots/a"
    first, second = (
        replace(BOTH, entrants=(Entrant("a", (Player("a", Command(("x",), folder), content=now),) * 2), entrant("b")))
        for now in ("12ab" * 16, "34cd" * 16)
    )
    open_run(tmp_path, first).close()
    with pytest.raises(LedgerError) as refused:
        open_run(tmp_path, second)
    line, other = str(refused.value).splitlines()[1:]
    assert other == f"to play only what changed: --out FOLDER --reuse {tmp_path}"
    where = "its folder" if built else folder
    assert line == (
        f"  bots.a.content: the files in {where} are not those that the run was founded on;"
        " if other programs write there (logs, results), give the bot a folder of its own"
    )


def test_where_the_cards_come_from_a_secret_nothing_is_said_of_reuse_which_would_be_refused(tmp_path: Path) -> None:
    open_run(tmp_path, replace(BOTH, seed=None)).close()
    with pytest.raises(LedgerError, match=r"bots\.b\.params") as refused:
        open_run(tmp_path, replace(BOTH, seed=None, entrants=(BOTH.entrants[0], entrant("b", "dull"))))
    assert "--reuse" not in str(refused.value)


def test_the_name_the_text_and_the_place_of_a_bot_do_not_make_another_run(tmp_path: Path) -> None:
    """PR-03 (c): what has no bearing on a result may change between run and resumption."""
    here, there = (
        replace(BOTH, entrants=tuple(Entrant(n, (Player(n, Command(("x",), where)),) * 2) for n in "ab"))
        for where in ("/here", "/there")
    )
    with open_run(tmp_path, here) as run:
        run.plan(plan_of(run, here))
    with open_run(tmp_path, replace(there, name="renamed", text="# a comment\n")) as run:
        run.plan(plan_of(run, there))
        assert len(run.missing()) == 4


def test_environment_values_are_neither_stored_nor_shown(tmp_path: Path) -> None:
    """CL-11: they may be anybody's secrets; that they differ is told all the same."""
    first, second = (
        replace(BOTH, entrants=tuple(Entrant(n, (Player(n, Command(("x",), "/", (("KEY", v),))),) * 2) for n in "ab"))
        for v in ("s3cret", "s4cret")
    )
    open_run(tmp_path, first).close()
    assert b"s3cret" not in (tmp_path / FILE).read_bytes()
    with pytest.raises(LedgerError, match=r"bots\.a\.env\.KEY differs") as refused:
        open_run(tmp_path, second)
    assert "s4cret" not in str(refused.value)


def test_a_plan_that_no_longer_comes_out_the_same_is_refused(run: RunLedger) -> None:
    first, second, *_ = run.planned()
    with pytest.raises(LedgerError, match="match 1 was planned otherwise"):
        run.plan([first._replace(identity=second.identity)])


# ---------------------------------------------------------------------------------------------------------- one writer


def test_a_second_run_in_the_same_folder_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    begun = now()
    with open_run(tmp_path, BOTH), pytest.raises(LockedError, match=f"process {os.getpid()} since ") as refused:
        open_run(tmp_path, BOTH)
    since = str(refused.value).split(" since ")[1].split(": ")[0]
    assert begun <= since <= now()
    open_run(tmp_path, BOTH).close()


@pytest.mark.parametrize(
    ("signed", "told"),
    [
        *((signed, "process 4711") for signed in ("4711", "4711 noon", "4711 2026-03-01T12:00:00")),
        *((signed, "another process") for signed in ("", "\xff\x00", "x 2026-03-01")),
    ],
)
def test_what_else_stands_in_a_lock_file_is_not_taken_for_a_moment(tmp_path: Path, signed: str, told: str) -> None:
    """An earlier version wrote the process alone; and anybody can write anything."""
    with closing(Lock(tmp_path / LOCK)):
        (tmp_path / LOCK).write_text(signed, encoding="latin-1")
        with pytest.raises(LockedError, match=f"in use by {told}: "):
            Lock(tmp_path / LOCK)


def test_the_lock_of_a_run_that_was_killed_blocks_nobody(tmp_path: Path) -> None:
    hold = "import sys, pathlib; from spades_harness.tournament.records.lock import Lock\n"
    hold += "lock = Lock(pathlib.Path(sys.argv[1]));"
    hold += "print(flush=True); sys.stdin.read()"
    command = [sys.executable, "-c", hold, str(tmp_path / LOCK)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(LockedError, match=f"process {holder.pid}"):
            open_run(tmp_path, BOTH)
        holder.kill()
    open_run(tmp_path, BOTH).close()


# ------------------------------------------------------------------------------------------------------------- reading


def test_a_reader_sees_what_is_recorded_while_the_run_goes_on(run: RunLedger) -> None:
    """PR-05: the reader neither waits nor disturbs, and changes nothing."""
    with read_ledger(run.path.parent) as ledger:
        assert not ledger.outcomes()
        for ordinal in (1, 2):
            run.record(played(run, BOTH, ordinal))
            assert [outcome.ordinal for outcome in ledger.outcomes()] == list(range(1, ordinal + 1))
        with pytest.raises(sqlite3.OperationalError):
            ledger._db.execute("DELETE FROM match")
    run.record(played(run, BOTH, 3))


def test_a_reader_in_the_middle_of_a_transaction_sees_none_of_it(run: RunLedger) -> None:
    with ledger_file.transaction(run._db), read_ledger(run.path) as ledger:
        run._db.execute("UPDATE run SET finished = 'now'")
        assert ledger.run.finished is None


def test_a_finished_ledger_is_one_plain_file_that_can_be_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    """PR-05: mode 444 in a folder of mode 555."""
    with open_run(tmp_path, BOTH) as run:
        run.plan(plan_of(run, BOTH))
        run.record(played(run, BOTH, 1))
    assert sorted(path.name for path in tmp_path.iterdir()) == [LOCK, FILE]
    (tmp_path / FILE).chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with read_ledger(tmp_path) as ledger:
            assert len(ledger.outcomes()) == 1
    finally:
        tmp_path.chmod(0o755)


def test_a_match_that_is_not_there_is_one_line(run: RunLedger) -> None:
    with pytest.raises(LedgerError, match="match 1 has not been played yet"):
        run.match(1)
    with pytest.raises(LedgerError, match="there is no match 9: the plan has 1 to 4"):
        run.match(9)


def test_entrants_are_listed_with_their_bots_and_why_they_were_dropped(tmp_path: Path) -> None:
    mixed = Entrant("mixed", (entrant("a").players[0], entrant("b").players[0]))
    with open_run(tmp_path, setup(entrant("b"), entrant("a"), mixed)) as run:
        run.drop("b", "it never\0 starts")
        assert run.entrants() == (
            ("b", ("b", "b"), "it never\N{REPLACEMENT CHARACTER} starts"),
            ("a", ("a", "a"), ""),
            ("mixed", ("a", "b"), ""),
        )


# -------------------------------------------------------------------------------------------------------------- trouble


def test_a_full_disk_stops_the_run_in_one_line_and_costs_nothing_that_was_recorded(run: RunLedger) -> None:
    """PR-09."""
    first, second = played(run, BOTH, 1), played(run, BOTH, 2)
    run.record(first)
    (pages,) = run._db.execute("PRAGMA page_count").fetchone()
    run._db.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(LedgerError, match=r"full \(what was recorded before is safe\)$"):
        run.record(replace(second, bots=(BotReport(stderr="x" * 60_000),) * 4))
    with read_ledger(run.path) as ledger:
        assert ledger._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert ledger.match(1) == first
        assert len(ledger.outcomes()) == 1


@pytest.mark.parametrize("content", [b"name: demo\n" * 100, b"\0" * 4096, b"x", bytes(range(255, 0, -1)) * 40])
def test_a_file_that_is_no_ledger_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    why = "this is no ledger of a tournament, and is left as it is: "
    with pytest.raises(LedgerError, match=f"{FILE}: {why}choose another folder with --out$"):
        open_run(tmp_path, BOTH)
    with pytest.raises(LedgerError, match=f"{FILE}: {why}name the folder of a run$"):
        read_ledger(tmp_path / FILE)
    assert (tmp_path / FILE).read_bytes() == content


@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
def test_a_ledger_that_was_cut_short_is_told_to_be_damaged_in_one_line(tmp_path: Path, share: float) -> None:
    with open_run(tmp_path, BOTH) as run:
        run.plan(plan_of(run, BOTH))
        run.record(played(run, BOTH, 1))
    whole = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(LedgerError) as refused, read_ledger(tmp_path) as ledger:
        ledger.match(1)
    assert "the ledger is damaged or cut short" in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "is safe" not in str(refused.value)


def test_another_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(LedgerError, match="no ledger of a tournament"):
        open_run(tmp_path, BOTH)
    with closing(sqlite3.connect(tmp_path / FILE)) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


def test_a_ledger_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    with open_run(tmp_path, BOTH) as run:
        run._db.execute("PRAGMA user_version = 99")
    with pytest.raises(LedgerError, match="written by another version"):
        read_ledger(tmp_path)


def test_a_ledger_of_the_first_version_gets_the_columns_that_it_lacks(tmp_path: Path) -> None:
    with open_run(tmp_path, BOTH) as run:
        secret = run.run.last_secret
        make_earlier(run._db, 1)
    with pytest.raises(LedgerError, match="of an earlier version"):
        read_ledger(tmp_path)
    with open_run(tmp_path, BOTH) as run:
        assert run.planned() == ()
        assert run.run.terms.secrets == (replace(secret, since=run.run.created),)
        run.plan(plan_of(run, BOTH))
        assert {each.secret for each in run.planned()} == {0}
    with read_ledger(tmp_path) as ledger:
        assert len(ledger.planned()) == 4


def test_terms_that_this_version_does_not_know_are_one_line(tmp_path: Path) -> None:
    with open_run(tmp_path, BOTH) as run:
        run._db.execute("""UPDATE run SET harness = '9.9', terms = json_set(terms, '$.rules.jokers', 2)""")
    with pytest.raises(LedgerError, match=r"version 9\.9 founded this run on terms unknown"):
        read_ledger(tmp_path)


def test_a_folder_that_cannot_hold_a_run_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="--out"):
        open_run(tmp_path / "file", BOTH)
    (tmp_path / "run" / FILE).mkdir(parents=True)
    with pytest.raises(UserError, match="unable to open"):
        open_run(tmp_path / "run", BOTH)
    with pytest.raises(UserError, match="there is no ledger here"):
        read_ledger(tmp_path / "nowhere")


def test_a_run_that_was_killed_while_it_was_founded_is_founded_again(tmp_path: Path) -> None:
    (tmp_path / FILE).touch()
    with pytest.raises(LedgerError, match="stopped before it began"):
        read_ledger(tmp_path)
    with open_run(tmp_path, BOTH) as run:
        assert len(run.entrants()) == 2


def test_times_are_utc_with_their_offset(run: RunLedger) -> None:
    """CL-09."""
    moment = datetime.fromisoformat(run.run.created)
    assert moment.utcoffset() == timedelta(0)
    assert run.run.created.endswith("+00:00")
