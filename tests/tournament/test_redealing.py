"""What was planned and never begun when the secret was shown is dealt from another one, which nobody knows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amender import amend
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import RunLedger, open_run, open_to_amend, read_ledger
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.statistics.order import Decided
from tournament.playing import entrant, play, setup, tournament
from tournament.test_lanes import Heard, HereLane

TWO = replace(
    setup(entrant("a"), entrant("b", "dull"), game=Boards(4), seed=None), options={"rounds": 24}, stop=Decided(0.5)
)
THREE = replace(TWO, entrants=(*TWO.entrants, entrant("c")))


def carry_on(run: RunLedger, base: Setup) -> list[str]:
    heard = Heard()
    with Lanes(play, 1, HereLane) as lanes:
        assert not play_out(replace(tournament(base, run), stop=base.stop), run, lanes, heard)
    return heard.lines


def play_run(folder: Path, base: Setup, new: tuple[str, ...] = ()) -> list[str]:
    with open_run(folder, base, new) as run:
        return carry_on(run, base)


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """A run that its rule ended before all was played, so that its secret was shown."""
    play_run(tmp_path, TWO)
    with read_ledger(tmp_path) as ledger:
        assert 0 < len(ledger.outcomes()) < len(ledger.planned())
    return tmp_path


def test_who_joins_a_run_that_ended_early_lets_nobody_play_on_cards_that_were_shown(decided: Path) -> None:
    with read_ledger(decided) as ledger:
        begun, before = len(ledger.outcomes()), ledger.planned()
    play_run(decided, THREE, ("c",))
    with read_ledger(decided) as ledger:
        after = ledger.planned()
        assert after[:begun] == before[:begun]
        assert [each.leg for each in after[: len(before)]] == [each.leg for each in before]
        assert {each.secret for each in after[begun:]} == {1}
        assert not {each.identity for each in after[begun:]} & {each.identity for each in before}
        assert len(ledger.outcomes()) > begun
        assert verify(ledger).differences == ()
        assert ledger.uses()[0] == (begun, begun, 0)


def test_a_meeting_that_was_begun_keeps_its_cards_when_another_secret_comes(decided: Path) -> None:
    """Its legs are a fair meeting on the same cards alone; who looks is told that they were known."""
    with open_to_amend(decided) as run:
        amend(run, Act.AGAIN, ["2"], "it rained", "me")
    play_run(decided, THREE, ("c",))
    with read_ledger(decided) as ledger:
        assert [each.secret for each in ledger.planned()[:2]] == [0, 0]
        assert verify(ledger).differences == ()


def test_a_finished_run_that_goes_on_plays_what_was_never_dealt_under_a_new_commitment(tmp_path: Path) -> None:
    """Who withdrew and is back meets nobody on cards that were shown."""
    base = replace(THREE, options={"rounds": 2}, stop=None)
    with open_run(tmp_path, base) as run:
        heard = Heard(stop_after=3)
        with Lanes(play, 1, HereLane) as lanes, pytest.raises(KeyboardInterrupt):
            play_out(tournament(base, run), run, lanes, heard)
    with open_to_amend(tmp_path) as run:
        amend(run, Act.WITHDRAW, ["c"], "it rained", "me")
    play_run(tmp_path, base)
    with open_to_amend(tmp_path) as run:
        assert run.run.revealed
        amend(run, Act.UNDO, ["1"], "the sun shines", "me")
        assert not run.run.revealed
        begun = {each.leg.meeting for each in run.planned() if each.ordinal in run.tried()}
    play_run(tmp_path, base)
    with read_ledger(tmp_path) as ledger:
        assert {each.secret for each in ledger.planned() if each.leg.meeting in begun} == {0}
        assert {each.secret for each in ledger.planned() if each.leg.meeting not in begun} == {1}
        assert ledger.progress() == (12, 12)
        assert verify(ledger).differences == ()


def test_a_public_seed_is_no_secret_and_changes_nothing(tmp_path: Path) -> None:
    play_run(tmp_path, replace(TWO, seed=5))
    with read_ledger(tmp_path) as ledger:
        before = ledger.planned()
    play_run(tmp_path, replace(THREE, seed=5), ("c",))
    with read_ledger(tmp_path) as ledger:
        assert ledger.planned()[: len(before)] == before
