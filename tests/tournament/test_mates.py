"""Sides that two entrants share: who sits where, what came of it for each, and that a ledger keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.cli.seated import Seated
from spades_harness.game.score import Boards
from spades_harness.table.match import FaultKind, FaultPolicy, Forfeit, MatchRecord, Replace
from spades_harness.tournament.identity import Terms, make_spec
from spades_harness.tournament.outcome import Charge, Leg, Outcome, legs_of, outcome_from, outcome_of, tally
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run, read_ledger
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import next_batch
from spades_harness.tournament.schedule import Batch, Entrant, Options, ScheduleError
from spades_harness.tournament.sealed import Sealed
from spades_harness.tournament.standings import standings
from spades_harness.tournament.statistics.meeting import meetings

from .playing import entrant, play, setup, tournament

FIELD = replace(
    setup(*map(entrant, "abd"), entrant("c", "babbling"), game=Boards(4)), faults=Replace(), schedule="one_table"
)


CLEAN = replace(setup(*map(entrant, "abcd"), game=Boards(4)), faults=Replace(), schedule="one_table")
"""The same with nobody at fault."""


def one_table(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """a with b against c with d, from both sides."""
    legs = tuple(Leg(("a", "b", "c", "d"), 0, leg, 1, mates=2) for leg in range(2))
    return () if results else legs


def played(folder: Path, field: Setup = FIELD) -> list[MatchRecord]:
    """The field's run, to its end."""
    with open_run(folder, field) as run:
        made = tournament(field, run, one_table)
        run.plan(batch := next_batch(made, (), ()))
        entrants = {each.name: each for each in field.entrants}
        records = [play(make_spec(run.run.terms, entrants, each.leg)) for each in batch]
        for record in records:
            run.record(record)
        run.finish()
    return records


def test_mates_sit_face_to_face_and_their_side_changes_with_the_leg() -> None:
    first, second = (Leg(("a", "b", "c", "d"), 0, leg, 1, mates=2) for leg in range(2))
    assert first.sides == (("a", "b"), ("c", "d"))
    assert second.sides == (("c", "d"), ("a", "b"))
    assert second.by_side == ("c + d", "a + b")
    assert [second.side(place) for place in range(4)] == [1, 1, 0, 0]


@pytest.mark.parametrize(("names", "legs"), [("abcd", 2), ("abab", 1), ("aabb", 2), ("abac", 2), ("aaaa", 1)])
def test_a_meeting_of_mates_has_two_legs_unless_both_sides_are_the_same(names: str, legs: int) -> None:
    assert legs_of(tuple(names), 2) == legs


def test_each_mate_is_on_a_seat_of_its_own_and_the_ledger_knows_which(tmp_path: Path) -> None:
    played(tmp_path)
    with read_ledger(tmp_path) as ledger:
        legs = [each.leg for each in ledger.planned()]
        assert [Seated(ledger).bots(leg) for leg in legs] == [tuple("acbd"), tuple("cadb")]
        assert [leg.mates for leg in legs] == [2, 2]


def test_a_bot_that_is_at_fault_is_replaced_and_nobody_else_is_charged(tmp_path: Path) -> None:
    records = played(tmp_path)
    assert [record.result and record.result.hands for record in records] == [4, 4]
    for leg, record in enumerate(records):
        assert record.result
        assert record.result.forfeits == ()
        (fault,) = record.faults
        assert fault.seat == (1, 0)[leg]
        later = [each for each in record.decisions[fault.decision :] if each.seat == fault.seat]
        assert later
        assert all(each.substituted for each in later)
    with read_ledger(tmp_path) as ledger:
        for outcome in ledger.outcomes():
            assert outcome.forfeited == (False, False, True, False)
            assert outcome.faults == ((), (), (FaultKind.MALFORMED,), ())
            assert outcome.scores[0] == outcome.scores[1]
            assert outcome.scores[2] == outcome.scores[3]


def test_of_a_bot_that_was_replaced_no_hand_of_its_substitute_counts(tmp_path: Path) -> None:
    own = [record.faults[0].hand_no - 1 for record in played(tmp_path)]
    assert own == [1, 1]
    with read_ledger(tmp_path) as ledger:
        rows = standings(tuple("abcd"), ledger.outcomes(), FIELD.format, {}).entrants
    assert {(row.hands, row.contracts) for row in rows} == {(2, 2)}
    assert {row.entrant: (row.losses, row.forfeits) for row in rows} == {
        **dict.fromkeys("abd", (0, 0)),
        "c": (1, 2),
    }


@pytest.mark.parametrize(
    ("policy", "at", "counted"), [(Replace(), 3, 2), (Replace(), 0, 0), (Replace(), None, 4), (Forfeit(), 3, 4)]
)
def test_hands_count_that_were_over_before_the_first_fault(
    policy: FaultPolicy, at: int | None, counted: int, tmp_path: Path
) -> None:
    """The policy that forfeits has no hands after it anyhow."""
    record = played(tmp_path, CLEAN)[0]
    faults = [] if at is None else [Charge(1, FaultKind.CRASH, 4), Charge(3, FaultKind.TIMEOUT, at)]
    assert record.result
    leg = Leg(("a", "b", "c", "d"), 0, 0, 1, mates=2)
    found = outcome_from(1, leg, CLEAN.rules, policy, record.result, record.hands, faults)
    assert found.hands == counted
    assert found.tallies[0] == tally(CLEAN.rules, 0, record.hands[:counted], [0])
    assert found.winner == outcome_from(1, leg, CLEAN.rules, policy, record.result, record.hands, []).winner


def test_nils_are_those_of_a_seat_and_contracts_those_of_the_side(tmp_path: Path) -> None:
    played(tmp_path, CLEAN)
    with read_ledger(tmp_path) as ledger:
        (outcome, _), record = ledger.outcomes(), ledger.match(1)
    assert outcome.tallies[0].contracts > 0
    assert outcome.tallies[0].contracts == outcome.tallies[1].contracts
    nils = [sum(hand.bids[seat] in (0, "blind_nil") for hand in record.hands) for seat in (0, 2, 1, 3)]
    assert [tally.nils for tally in outcome.tallies] == nils


def test_of_a_forfeited_match_the_mate_of_who_was_at_fault_has_not_forfeited() -> None:
    entrants = {each.name: each for each in FIELD.entrants}
    terms = Terms(FIELD.rules, FIELD.format, FIELD.limits, Forfeit(), (Sealed(bytes(32)),))
    leg = Leg(("a", "b", "c", "d"), 0, 0, 1, mates=2)
    outcome = outcome_of(1, leg, terms.rules, terms.faults, play(make_spec(terms, entrants, leg)))
    assert outcome
    assert outcome.forfeited == (False, False, True, False)


def test_a_run_of_mates_is_verified_and_its_meetings_are_complete(tmp_path: Path) -> None:
    played(tmp_path)
    with read_ledger(tmp_path) as ledger:
        found = verify(ledger)
        assert found.differences == ()
        assert found.outcomes == ledger.outcomes()
        (meeting,) = meetings(ledger.outcomes())
        assert meeting.complete


def test_a_leg_must_give_each_seat_of_a_side_to_somebody(tmp_path: Path) -> None:
    def three(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
        return (Leg(("a", "b", "c"), 0, 0, 1, mates=3),)

    with open_run(tmp_path, FIELD) as run, pytest.raises(ScheduleError, match="each of its seats to one: a - b - c"):
        next_batch(tournament(FIELD, run, three), (), ())
