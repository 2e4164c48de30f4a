"""How long a plan will take: what sampled matches tell of bots and harness, added up again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Format, Game, Totals
from spades_harness.table.match import (
    BotReport,
    Decision,
    Fault,
    FaultKind,
    HandRecord,
    MatchRecord,
    MatchSpec,
    Player,
    Plugin,
    Replace,
    Result,
    SideHand,
)
from spades_harness.tournament.forecast import ANSWERS, GAME_HANDS, Measured, makespan, measured

START, ANSWER = {"quick": 0.125, "slow": 0.5}, {"quick": 0.001, "slow": 0.01}
SEATS = ("quick", "slow", "quick", "slow")
HARNESS = 0.25
"""Seconds that the harness needed in each of the matches."""


def sample(hands: int, game: Format, *, over: bool = True, score: int = 0) -> tuple[MatchSpec, MatchRecord]:
    """A match of so many hands in which each seat answers 14 times a hand."""
    spec = MatchSpec("id", 1, Rules(), game, bytes(32), 0, 0, tuple(Player(name, Plugin(name)) for name in SEATS))
    decisions = [
        Decision(hand, seat, "play", "AS", ANSWER[name])
        for hand in range(1, hands + 1)
        for seat, name in enumerate(SEATS)
    ] * 14
    sides = (SideHand(4, 4, 40, 0, score, 0),) * 2
    record = MatchRecord(
        identity="id",
        attempt=1,
        result=Result(None, (), Totals((0, 0), (0, 0)), hands) if over else None,
        hands=tuple(HandRecord(hand, 0, (), (), (), sides) for hand in range(1, hands + 1)),
        decisions=tuple(decisions),
        faults=(),
        bots=tuple(BotReport(start=START[name]) for name in SEATS),
        duration=HARNESS + sum(START[name] for name in SEATS) + sum(each.elapsed for each in decisions),
    )
    return spec, record


def test_a_match_like_those_that_were_sampled_takes_as_long() -> None:
    found = measured(Boards(8), [sample(8, Boards(8))] * 2)
    assert (found.matches, found.hands, found.sure, found.answers) == (2, 8, True, 14)
    assert found.overhead == pytest.approx(HARNESS)
    assert found.seconds(SEATS) == pytest.approx(sample(8, Boards(8))[1].duration)
    assert found.seconds(("slow",) * 4) == pytest.approx(HARNESS + 4 * (0.5 + 8 * 14 * 0.01))
    assert [times.bot for times in found.bots.values()] == ["quick", "slow"]
    assert found.bots["slow"].answer == pytest.approx(0.01)
    assert found.bots["slow"].answers == 2 * 8 * 14 * 2


def test_a_match_that_was_broken_off_counts_as_far_as_it_went() -> None:
    found = measured(Boards(80), [sample(2, Boards(80), over=False)])
    assert (found.hands, found.sure, found.answers) == (80, True, 14)
    assert found.seconds(SEATS) == pytest.approx(HARNESS + 2 * 0.625 + 80 * 14 * 0.022)


@pytest.mark.parametrize(
    ("matches", "hands", "sure"),
    [
        ([sample(9, Game()), sample(11, Game()), sample(2, Game(), over=False)], 10, True),
        ([sample(2, Game(), over=False, score=100)], 10, False),
        ([sample(2, Game(), over=False, score=-40)], GAME_HANDS, False),
        ([sample(0, Game(), over=False)], GAME_HANDS, False),
        ([], GAME_HANDS, False),
    ],
    ids=["whole games", "a fifth of the way", "behind zero", "no hand", "nothing"],
)
def test_the_hands_of_a_game_are_those_of_whole_games_or_else_a_guess(
    matches: list[tuple[MatchSpec, MatchRecord]], hands: float, sure: bool
) -> None:
    found = measured(Game(), matches)
    assert (found.hands, found.sure) == (hands, sure)
    assert found.answers == (14 if any(record.hands for _, record in matches) else ANSWERS)


def test_a_bot_that_never_comes_up_is_named_and_its_matches_end_there() -> None:
    spec, record = sample(0, Boards(8))
    fault = Fault(FaultKind.START, 1, 0, 0, "start", "not ready after 10 s", "", 10.0)
    bots = (*record.bots[:1], BotReport(), *record.bots[2:])
    broken = replace(record, faults=(fault,), bots=bots, decisions=(), duration=12.0)
    others = replace(spec, players=spec.players[:1] * 4), sample(8, Boards(8))[1]
    found = measured(Boards(8), [(spec, broken), others])
    assert found.bots["slow"].fault == "start: not ready after 10 s"
    assert found.bots["slow"].start == pytest.approx((10 + 0.5) / 2)
    assert found.bots["slow"].answer is None
    assert found.seconds(SEATS) < found.seconds(("quick",) * 4) + 2 * 10
    assert found.bots["quick"].fault == ""
    assert found.bots["quick"].answer is not None
    replacing = [(replace(each, faults=Replace()), made) for each, made in ((spec, broken), others)]
    on = found.seconds(SEATS) + 2 * 8 * 14 * found.bots["quick"].answer
    assert measured(Boards(8), replacing).seconds(SEATS) == pytest.approx(on), "the others play on"


def test_what_is_chosen_for_a_bot_in_no_time_is_none_of_its_answers() -> None:
    spec, record = sample(4, Boards(4))
    chosen = (each._replace(elapsed=0.0, substituted=True) if each.seat == 1 else each for each in record.decisions)
    late = record.decisions[3]._replace(elapsed=0.5, substituted=True)  # it was waited for
    found = measured(Boards(4), [(spec, replace(record, decisions=(*chosen, late)))]).bots["slow"]
    assert found.answers == 4 * 14 + 1
    assert found.answer == pytest.approx((4 * 14 * ANSWER["slow"] + 0.5) / (4 * 14 + 1))


def test_matches_go_to_the_lane_that_is_free_first() -> None:
    assert makespan([3, 1, 1, 1, 2], 1) == 8
    assert makespan([3, 1, 1, 1, 2], 2) == 5
    assert makespan([1, 1, 1, 4], 4) == 4
    assert makespan([], 3) == 0


def test_nothing_measured_takes_no_time() -> None:
    assert Measured({}, 0, 8, True, 14, 0.0).seconds(["anybody"]) == 0
