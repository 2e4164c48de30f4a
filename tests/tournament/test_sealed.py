"""Several secrets in one run: each is committed to before it is played with, and no meeting has two of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.game.deal import commitment
from spades_harness.game.score import Boards
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.ledger import FILE, Planned, RunLedger, open_run, read_ledger
from spades_harness.tournament.ledger_file import LedgerError
from spades_harness.tournament.outcome import unplayed
from spades_harness.tournament.runner import next_batch
from spades_harness.tournament.verifying import verify

from .playing import entrant, play, setup, tournament

HIDDEN = replace(setup(entrant("a"), entrant("b", "dull"), game=Boards(4)), seed=None, options={"rounds": 1})
LONGER = replace(HIDDEN, options={"rounds": 2})


def play_these(run: RunLedger, planned: tuple[Planned, ...]) -> None:
    """Play these matches of the plan."""
    entrants = {each.name: each for each in HIDDEN.entrants}
    for each in planned:
        run.record(play(make_spec(run.run.terms, entrants, each.leg, secret=each.secret)))


def follows(run: RunLedger) -> tuple[Planned, ...]:
    """What the longer tournament names after all that is planned, were that played."""
    planned = run.planned()
    return next_batch(tournament(LONGER, run), planned, tuple(unplayed(n, leg, ()) for n, _, leg, _ in planned))


def grow(folder: Path) -> None:
    """A finished run, whose secret was shown, goes on with a round more."""
    with open_run(folder, HIDDEN) as run:
        first = next_batch(tournament(HIDDEN, run), (), ())
        run.plan(first)
        play_these(run, first)
        run.finish()
        run.draw_secret()
        added = follows(run)
        run.plan(added)
        play_these(run, added)
        run.finish()


def test_what_is_added_after_the_secret_was_shown_comes_from_a_new_one_with_its_own_commitment(tmp_path: Path) -> None:
    grow(tmp_path)
    with read_ledger(tmp_path) as ledger:
        first, second = ledger.run.terms.secrets
        assert [each.secret for each in ledger.planned()] == [0, 0, 1, 1]
        assert ledger.run.commitment == commitment(second.secret) != first.commitment
        assert (first.played, second.played) == (2, 2)
        assert first.revealed
        assert second.revealed
        assert first.since <= first.revealed <= second.since <= second.revealed
        assert verify(ledger).differences == ()


def test_a_new_secret_may_not_be_known_before_it_is_shown(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN) as run:
        run.finish()
        assert run.run.revealed
        run.draw_secret()
        assert not run.run.revealed
        assert run.run.head is None


def test_a_meeting_that_has_begun_keeps_its_secret(tmp_path: Path) -> None:
    """Its second leg is played on the cards of its first, whatever was drawn in between."""
    with open_run(tmp_path, HIDDEN) as run:
        legs = next_batch(tournament(LONGER, run), (), ())
        run.plan(legs[:1])
        run.draw_secret()
        plan = (*run.planned(), *follows(run))
    assert [each.secret for each in plan] == [0, 0, 1, 1]
    assert plan[:2] == legs[:2]
    assert {each.identity for each in plan[2:]}.isdisjoint(each.identity for each in legs)


def test_the_same_leg_by_another_secret_is_another_match_with_other_cards(tmp_path: Path) -> None:
    entrants = {each.name: each for each in HIDDEN.entrants}
    with open_run(tmp_path, HIDDEN) as run:
        (first, *_) = next_batch(tournament(HIDDEN, run), (), ())
        run.draw_secret()
        one, other = (make_spec(run.run.terms, entrants, first.leg, secret=number) for number in (0, 1))
    assert one.identity == first.identity != other.identity
    assert play(one).hands[0].dealt != play(other).hands[0].dealt


@pytest.mark.parametrize("number", [1, 7, -1])
def test_a_match_that_was_moved_to_another_secret_is_named(tmp_path: Path, number: int) -> None:
    grow(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        db.execute("UPDATE plan SET secret = ? WHERE ordinal = 2", (number,))
    with read_ledger(tmp_path) as ledger:
        found = [str(each) for each in verify(ledger).differences]
    assert f"match 2: plan.secret: {number} stored, 0 right" in found


def test_a_ledger_without_its_secret_is_one_line(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN):
        pass
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        db.execute("DELETE FROM secret")
    with pytest.raises(LedgerError, match="has lost its secret"):
        read_ledger(tmp_path)
