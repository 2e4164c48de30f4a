"""When a game is over, and who is ahead then."""

import pytest

from game.build import CLASSIC, bid
from spades_harness.game.hand import Totals, no_points
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Boards, Ending, Game, add, ending, leader, score_side

GAME = Game()


def totals(*scores: int) -> Totals:
    """Totals of these scores, without bags."""
    return Totals(scores, (0,) * len(scores))


@pytest.mark.parametrize(
    ("scores", "end", "winner"),
    [
        ((499, 300), None, 0),
        ((500, 300), Ending.TARGET, 0),  # D11: 500 is enough
        ((300, 500), Ending.TARGET, 1),
        ((528, 526), Ending.TARGET, 0),  # R23: both over in one hand, the higher score wins to the last point
        ((526, 528), Ending.TARGET, 1),
        ((531, 531), None, None),  # R23: equal, another hand
        ((500, 500), None, None),
        ((456, 120), None, 0),  # D9: what the penalty has pulled back is no win
        ((-900, -800), None, 1),
        ((-900, 500), Ending.TARGET, 1),
    ],
)
def test_the_first_side_to_500_wins_and_the_higher_score_when_both_are_there(
    scores: tuple[int, int], end: Ending | None, winner: int | None
) -> None:
    """R23, D9, D11."""
    assert ending(GAME, CLASSIC, totals(*scores), 7) is end
    assert leader(totals(*scores)) == winner


def test_the_end_test_uses_the_hand_just_scored_after_its_penalties() -> None:
    """D9, LS-13: 488 and 8 bags, bid 4, took 6: 430, and another hand is dealt."""
    side = score_side(CLASSIC, [bid("2"), bid("2")], [3, 3], bags=8)
    other = score_side(CLASSIC, [bid("3"), bid("4")], [3, 4], bags=0)
    after = add(Totals((488, 300), (8, 0)), [side, other])
    assert after == Totals((430, 370), (0, 0))
    assert ending(GAME, CLASSIC, after, 9) is None


def test_a_game_plays_on_from_a_tie_until_one_side_is_ahead_at_the_target() -> None:
    """R23: equal at the target, another hand; 500 is needed again then."""
    assert ending(GAME, CLASSIC, totals(531, 531), 9) is None
    assert ending(GAME, CLASSIC, totals(471, 481), 10) is None
    assert ending(GAME, CLASSIC, totals(520, 531), 11) is Ending.TARGET


def test_the_target_is_500_unless_the_rules_say_otherwise() -> None:
    """LS-18."""
    assert CLASSIC.target == 500
    assert PRESETS["short"].target == 200
    assert ending(GAME, Rules(target=200), totals(199, 0), 3) is None
    assert ending(GAME, Rules(target=200), totals(200, 0), 3) is Ending.TARGET


def test_a_game_ends_at_the_hand_cap_with_the_higher_score_ahead_or_a_draw() -> None:
    """V17."""
    rules = Rules(hand_cap=5)
    assert ending(GAME, rules, totals(80, 90), 4) is None
    assert ending(GAME, rules, totals(80, 90), 5) is Ending.HAND_CAP
    assert ending(GAME, rules, totals(531, 531), 5) is Ending.HAND_CAP
    assert (leader(totals(80, 90)), leader(totals(531, 531))) == (1, None)


def test_the_target_is_tested_before_the_hand_cap() -> None:
    assert ending(GAME, Rules(hand_cap=5), totals(500, 90), 5) is Ending.TARGET


def test_boards_end_after_their_hands_and_know_neither_target_nor_cap() -> None:
    boards = Boards(8)
    assert ending(boards, Rules(target=200, hand_cap=5), totals(900, -900), 7) is None
    assert ending(boards, CLASSIC, totals(0, 0), 8) is Ending.BOARDS


@pytest.mark.parametrize("hands", [0, -4, 3, 6, 1004, 4.0, True, "8"])
def test_boards_come_in_fours_so_that_each_seat_deals_equally_often(hands: int) -> None:
    with pytest.raises(ValueError, match="boards must be a multiple of 4 from 4 to 1000"):
        Boards(hands)


@pytest.mark.parametrize("hands", [4, 8, 1000])
def test_any_multiple_of_four_up_to_a_thousand_is_a_number_of_boards(hands: int) -> None:
    assert ending(Boards(hands), CLASSIC, totals(0, 0), hands) is Ending.BOARDS


def test_a_game_begins_at_nothing() -> None:
    assert no_points(CLASSIC) == Totals((0, 0), (0, 0))
    assert ending(GAME, CLASSIC, no_points(CLASSIC), 0) is None


def test_four_sides_can_be_told_apart_too() -> None:
    """A side is whatever the rules' shape says: nothing here counts to two."""
    assert leader(totals(10, 40, 30, 20)) == 1
    assert leader(totals(10, 40, 30, 40)) is None
    assert ending(GAME, CLASSIC, totals(10, 510, 500, 20), 3) is Ending.TARGET
