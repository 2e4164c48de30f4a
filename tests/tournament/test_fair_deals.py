"""What a run deals: the same on any number of lanes, never twice, every card once, alike to both legs of a meeting."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import pytest

from spades_harness.game.cards import STANDARD, Cards, cards_of
from spades_harness.game.deal import commitment
from spades_harness.game.score import Boards
from spades_harness.table.match import (
    Gone,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Notice,
    Player,
    Reply,
    Request,
    Started,
)
from spades_harness.table.referee import play_match
from spades_harness.table.seats import run_unsuspended
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.worker import WorkerLane
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run, read_ledger
from spades_harness.tournament.runner import next_batch, play_out

from .playing import Mannequin, entrant, play, play_badly_at_first, setup, tournament

Hands: TypeAlias = tuple[tuple[Cards, ...], ...]
"""The hands of a match as dealt, hand by hand and seat by seat."""
ROUNDS = 100 if os.environ.get("SPADES_DEEP") else 30
"""Board streams of the field, with two legs each: 200 matches, or 60 on every change."""
FIELD = replace(setup(entrant("a"), entrant("b", "dull"), game=Boards(4), seed=7), options={"rounds": ROUNDS})
SHORT = replace(FIELD, options={"rounds": 2})


class Quiet:
    """Hears of everything in a run, and does nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


def run_of(
    folder: Path, field: Setup, jobs: int = 1, how: Callable[[MatchSpec], MatchRecord] = play
) -> dict[tuple[int, int], Hands]:
    """What a run deals, by board stream and leg, as its ledger has it at the end."""
    with open_run(folder, field) as run, Lanes(how, jobs, WorkerLane) as lanes:
        assert not play_out(tournament(field, run), run, lanes, Quiet())
    return dealt_in(folder)


def dealt_in(folder: Path) -> dict[tuple[int, int], Hands]:
    """What a ledger says was dealt, by board stream and leg."""
    with read_ledger(folder) as ledger:
        return {
            (planned.leg.stream, planned.leg.leg): tuple(hand.dealt for hand in ledger.match(planned.ordinal).hands)
            for planned in ledger.planned()
        }


@pytest.fixture(scope="module")
def parallel(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[int, int], Hands]:
    """What the matches of the field deal that are played eight at a time."""
    return run_of(tmp_path_factory.mktemp("eight"), FIELD, jobs=8)


def test_eight_lanes_deal_what_one_lane_deals(parallel: dict[tuple[int, int], Hands], tmp_path: Path) -> None:
    """DS-01: who asks first changes nothing."""
    assert run_of(tmp_path, FIELD) == parallel


def test_no_two_board_streams_share_a_deal(parallel: dict[tuple[int, int], Hands]) -> None:
    """DS-02: lanes that start alike do not deal alike."""
    assert len(parallel) == 2 * ROUNDS
    first = {hands[0] for hands in parallel.values()}
    every = {hand for hands in parallel.values() for hand in hands}
    assert (len(first), len(every)) == (ROUNDS, 4 * ROUNDS)


def test_lanes_without_a_seed_do_not_deal_alike_either(tmp_path: Path) -> None:
    """DS-02, DS-07: nor do two runs that start together."""
    hidden = replace(SHORT, seed=None)
    runs = [run_of(tmp_path / name, hidden, jobs=2) for name in "ab"]
    assert len({hands[0] for found in runs for hands in found.values()}) == 4


class Listening(Mannequin):
    """A seat that keeps all that it is told."""

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self.heard: list[object] = []

    async def start(self, start: MatchStart) -> Started | Gone:
        self.heard.append(start)
        return await super().start(start)

    async def ask(self, request: Request) -> Reply:
        self.heard.append(request)
        return await super().ask(request)

    async def tell(self, notice: Notice) -> None:
        self.heard.append(notice)


def test_no_bot_is_told_the_secret_or_what_names_the_match(tmp_path: Path) -> None:
    """DS-07: neither secret, commitment nor identity is in anything that a seat hears."""
    with open_run(tmp_path, replace(SHORT, seed=None)) as run:
        entrants = {each.name: each for each in SHORT.entrants}
        leg = next_batch(tournament(SHORT, run), (), ())[0].leg
        spec = make_spec(run.run.terms, entrants, leg)
    table = [Listening(player) for player in spec.players]
    run_unsuspended(play_match(spec, table))
    heard = repr([seat.heard for seat in table])
    assert heard.count("MatchStart(") == 4
    assert "Request(" in heard
    for hidden in (spec.secret.hex(), repr(spec.secret), commitment(spec.secret), spec.identity):
        assert hidden not in heard


def test_seed_0_is_a_seed(tmp_path: Path) -> None:
    """DS-03: twice the same deals, other than those of any other seed, and it is stored as 0."""
    zero = replace(SHORT, seed=0)
    once, again = run_of(tmp_path / "once", zero), run_of(tmp_path / "again", zero)
    assert once == again
    assert once != run_of(tmp_path / "five", replace(SHORT, seed=5))
    with read_ledger(tmp_path / "once") as ledger:
        assert ledger.run.seed == 0
        assert ledger.run.revealed


def test_both_legs_of_a_meeting_are_dealt_the_same_hands(parallel: dict[tuple[int, int], Hands]) -> None:
    """DS-09: hand by hand, seat by seat."""
    assert all(parallel[stream, 0] == parallel[stream, 1] for stream in range(ROUNDS))


def test_a_forfeit_in_one_leg_does_not_shift_the_deals_of_another(tmp_path: Path) -> None:
    """DS-09: a match that ends early, and none after it, changes what the next is dealt."""
    babbling = replace(SHORT, entrants=(entrant("a", "babbling"), entrant("b", "dull")))
    broken, whole = run_of(tmp_path / "broken", babbling), run_of(tmp_path / "whole", SHORT)
    assert broken.keys() == whole.keys()
    assert all(hands == whole[place][: len(hands)] for place, hands in broken.items())
    assert any(0 < len(hands) < 4 for hands in broken.values())


def test_every_hand_of_a_run_is_the_whole_deck_dealt_once(parallel: dict[tuple[int, int], Hands]) -> None:
    """DS-10: thirteen cards each, no card in two places, none missing."""
    deck = cards_of(STANDARD.cards)
    for hands in parallel.values():
        assert len(hands) == 4
        for dealt in hands:
            assert [cards.bit_count() for cards in dealt] == [13] * 4
            assert dealt[0] | dealt[1] | dealt[2] | dealt[3] == deck


def test_a_match_that_is_played_again_is_dealt_the_same_and_counts_each_hand_once(tmp_path: Path) -> None:
    """DS-10: after a worker that died, a fault of the harness, and a call that goes on with the run."""
    again = run_of(tmp_path / "again", SHORT, jobs=2, how=play_badly_at_first)
    assert again == run_of(tmp_path / "at once", SHORT)
    assert run_of(tmp_path / "again", SHORT) == again
    with read_ledger(tmp_path / "again") as ledger:
        numbers = [[hand.hand_no for hand in ledger.match(each.ordinal).hands] for each in ledger.planned()]
    assert numbers == [[1, 2, 3, 4]] * 4
