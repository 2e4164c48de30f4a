"""Several secrets in one run: each is committed to before it is played with, and no meeting has two of them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.game.deal import commitment, salted
from spades_harness.game.score import Boards
from spades_harness.table.match import MatchRecord
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.outcome import Leg, Outcome, Tally, unplayed
from spades_harness.tournament.records import founding, sealing
from spades_harness.tournament.records.ledger import FILE, Planned, RunLedger, open_run, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import next_batch
from spades_harness.tournament.sealed import Shown
from spades_harness.tournament.standings import standings

from .playing import entrant, play, setup, tournament

HIDDEN = replace(setup(entrant("a"), entrant("b", "dull"), game=Boards(4)), seed=None, options={"rounds": 1})
LONGER = replace(HIDDEN, options={"rounds": 2})


def play_these(run: RunLedger, planned: tuple[Planned, ...]) -> None:
    """Play these matches of the plan."""
    entrants = {each.name: each for each in HIDDEN.entrants}
    for each in planned:
        run.record(play(make_spec(run.run.terms, entrants, each.leg, secret=each.secret)))


def change(folder: Path, statement: str) -> None:
    """As somebody who knows SQLite and no scruples."""
    with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        assert db.execute(statement).rowcount > 0


def draw_secret(run: RunLedger) -> None:
    """Commit to one more secret, as it is done for entrants that join a run whose secret was shown."""
    with run._writing():
        sealing.draw(run._db)
        founding.reopen(run._db)
    run._read_again()


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
        draw_secret(run)
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
        draw_secret(run)
        assert not run.run.revealed
        assert run.run.head is None


def test_a_meeting_that_has_begun_keeps_its_secret(tmp_path: Path) -> None:
    """Its second leg is played on the cards of its first, whatever was drawn in between."""
    with open_run(tmp_path, HIDDEN) as run:
        legs = next_batch(tournament(LONGER, run), (), ())
        run.plan(legs[:1])
        draw_secret(run)
        plan = (*run.planned(), *follows(run))
    assert [each.secret for each in plan] == [0, 0, 1, 1]
    assert plan[:2] == legs[:2]
    assert {each.identity for each in plan[2:]}.isdisjoint(each.identity for each in legs)


def test_the_same_leg_by_another_secret_is_another_match_with_other_cards(tmp_path: Path) -> None:
    entrants = {each.name: each for each in HIDDEN.entrants}
    with open_run(tmp_path, HIDDEN) as run:
        (first, *_) = next_batch(tournament(HIDDEN, run), (), ())
        draw_secret(run)
        one, other = (make_spec(run.run.terms, entrants, first.leg, secret=number) for number in (0, 1))
    assert one.identity == first.identity != other.identity
    assert play(one).hands[0].dealt != play(other).hands[0].dealt


@pytest.mark.parametrize("number", [1, 7, -1])
def test_a_match_that_was_moved_to_another_secret_is_named(tmp_path: Path, number: int) -> None:
    grow(tmp_path)
    change(tmp_path, f"UPDATE plan SET secret = {number} WHERE ordinal = 2")
    with read_ledger(tmp_path) as ledger:
        found = [str(each) for each in verify(ledger).differences]
    assert f"match 2: plan.secret: {number} stored, 0 right" in found


# ------------------------------------------------------------------------------------------------------------- salts


def plan_all(run: RunLedger) -> tuple[Planned, ...]:
    """The plan of the run, in the ledger."""
    plan = next_batch(tournament(HIDDEN, run), (), ())
    run.plan(plan)
    return plan


def test_a_salt_makes_other_matches_of_the_same_commitment(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN) as run:
        before, committed = plan_all(run), run.run.commitment
        run.mix_in("04 11 23")
        assert run.planned() == ()
        after = plan_all(run)
        assert {each.identity for each in before}.isdisjoint(each.identity for each in after)
        assert [each.leg for each in before] == [each.leg for each in after]
        assert run.run.commitment == committed
        entrants = {each.name: each for each in HIDDEN.entrants}
        spec = make_spec(run.run.terms, entrants, after[0].leg)
        assert spec.secret == salted(run.run.last_secret.secret, "04 11 23") != run.run.last_secret.secret
        play_these(run, after)
        run.finish()
    with read_ledger(tmp_path) as ledger:
        assert verify(ledger).differences == ()


def test_a_salt_may_be_put_right_until_the_first_match_is_dealt_and_not_after(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN) as run:
        run.mix_in("04 11 32")
        run.mix_in("04 11 23")
        play_these(run, plan_all(run)[:1])
        with pytest.raises(LedgerError, match=r"^salt: match 1 has been dealt"):
            run.mix_in("04 11 24")
        assert run.run.last_secret.salt == "04 11 23"
        assert len(run.planned()) == 2


def test_a_void_attempt_has_shown_its_cards_too(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN) as run:
        (first, *_) = plan_all(run)
        run.record(MatchRecord(first.identity, 1, None, (), (), (), (), void="it rained"))
        with pytest.raises(LedgerError, match=r"^salt: match 1 has been dealt"):
            run.mix_in("04 11 23")


def test_who_knows_the_secret_may_give_no_salt_and_who_waits_for_one_may_not_know_it(tmp_path: Path) -> None:
    with open_run(tmp_path / "shown", HIDDEN) as run:
        run.reveal()
        with pytest.raises(LedgerError, match=r"^salt: the secret was shown already"):
            run.mix_in("04 11 23")
    with open_run(tmp_path / "waiting", HIDDEN) as run:
        run.mix_in("")
        with pytest.raises(LedgerError, match="waits for its salt"):
            run.reveal()
        assert run.run.last_secret.revealed is None


def test_a_new_secret_asks_for_a_new_salt_where_the_one_before_had_one(tmp_path: Path) -> None:
    """Who draws secrets while the salt is known could draw until the deals please."""
    with open_run(tmp_path, HIDDEN) as run:
        draw_secret(run)
        assert not run.run.last_secret.awaits_salt
        run.mix_in("04 11 23")
        draw_secret(run)
        assert [each.salt for each in run.run.terms.secrets] == [None, "04 11 23", ""]
        assert run.run.last_secret.awaits_salt


def test_a_salt_that_never_came_though_matches_are_recorded_is_named(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN) as run:
        play_these(run, plan_all(run))
        run.finish()
    change(tmp_path, "UPDATE secret SET salt = ''")
    with read_ledger(tmp_path) as ledger:
        found = [str(each) for each in verify(ledger).differences]
    assert "secret.salt: none yet stored, a salt, since matches are recorded right" in found


# ------------------------------------------------------------------------------------------------------------- shown


def test_a_secret_that_is_shown_before_the_end_stays_shown_with_how_much_was_played(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN) as run:
        plan = plan_all(run)
        play_these(run, plan[:1])
        run.reveal()
        assert run.run.revealed
        assert (run.run.last_secret.played, run.uses()) == (1, {0: (2, 1, 0)})
        told = run.run.terms.secrets
        run.reveal()
        play_these(run, plan[1:])
        run.finish()
        assert run.run.terms.secrets == told
        assert run.uses() == {0: (2, 2, 0)}
    with read_ledger(tmp_path) as ledger:
        assert verify(ledger).differences == ()
        assert [each.secret for each in ledger.run.shown] == [told[0].secret.hex()]


def test_of_a_hidden_secret_nothing_is_told_but_commitment_and_salt(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN) as run:
        run.mix_in("04 11 23")
        assert run.run.shown == (Shown(0, run.run.commitment, "04 11 23", None, None),)
        assert run.run.last_secret.secret.hex() not in repr(run.run.shown)


def test_a_ledger_without_its_secret_is_one_line(tmp_path: Path) -> None:
    with open_run(tmp_path, HIDDEN):
        pass
    change(tmp_path, "DELETE FROM secret")
    with pytest.raises(LedgerError, match="has lost its secret"):
        read_ledger(tmp_path)


def test_boards_of_another_secret_are_other_boards_to_the_error_of_points_a_hand(tmp_path: Path) -> None:
    """One stream is one witness, whoever played it; the same stream by another secret is another."""

    def error(*secrets: int) -> float | None:
        outcomes = [
            Outcome(
                2 * number + leg + 1,
                Leg(("a", other), 0, leg, 1),
                scores,
                (False, False),
                4,
                (Tally(),) * 2,
                ((), ()),
                None,
                secret,
            )
            for number, (other, secret) in enumerate(zip("bc", secrets, strict=True))
            for leg, scores in enumerate(((40 + 8 * number, 0), (0, 0)))
        ]
        return standings("abc", outcomes, Boards(4), {}).entrants[0].points_error

    assert error(0, 0) is None
    assert error(0, 1) == pytest.approx(0.5)
    grow(tmp_path)
    with read_ledger(tmp_path) as ledger:
        assert [outcome.secret for outcome in ledger.outcomes()] == [0, 0, 1, 1]
        assert verify(ledger).outcomes == ledger.outcomes()
