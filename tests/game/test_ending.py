"""When a game is over, why, and who has won it then: every end of V2 and V4, the hand cap, and the boards."""

import pytest

from game.build import CLASSIC, bid
from spades_harness.game.hand import Totals, no_points
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Boards, Ending, Game, add, ending, leader, score_side, winner

GAME = Game()
CUTTHROAT = Rules(cutthroat=True)


def totals(*scores: int) -> Totals:
    """Totals of these scores, without bags."""
    return Totals(scores, (0,) * len(scores))


def after(rules: Rules, *hands: tuple[int, ...]) -> Ending | None:
    """How a game ends with these totals after each of its hands, of which no earlier one may have ended it."""
    history = [totals(*scores) for scores in hands]
    for played in range(1, len(history)):
        assert ending(GAME, rules, history[:played]) is None, f"over after hand {played}"
    return ending(GAME, rules, history)


def won_by(over: Ending, *hands: tuple[int, ...]) -> int | None:
    """Who has won a game that ended so, with these totals after each of its hands."""
    before = hands[-2] if len(hands) > 1 else (0,) * len(hands[-1])
    last = [score - earlier for score, earlier in zip(hands[-1], before, strict=True)]
    return winner(over, totals(*hands[-1]), last)


# ------------------------------------------------------------------------------------------------- R23, the target


@pytest.mark.parametrize(
    ("scores", "end", "ahead"),
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
    scores: tuple[int, int], end: Ending | None, ahead: int | None
) -> None:
    """R23, D9, D11."""
    assert after(CLASSIC, scores) is end
    assert leader(totals(*scores)) == ahead
    assert end is None or won_by(end, scores) == ahead


def test_the_end_test_uses_the_hand_just_scored_after_its_penalties() -> None:
    """D9, LS-13: 488 and 8 bags, bid 4, took 6: 430, and another hand is dealt."""
    side = score_side(CLASSIC, [bid("2"), bid("2")], [3, 3], bags=8)
    other = score_side(CLASSIC, [bid("3"), bid("4")], [3, 4], bags=0)
    done = add(Totals((488, 300), (8, 0)), [side, other])
    assert done == Totals((430, 370), (0, 0))
    assert ending(GAME, CLASSIC, [done]) is None


def test_a_game_plays_on_from_a_tie_until_one_side_is_ahead_at_the_target() -> None:
    """R23, V2 again: equal at the target, another hand; 500 is needed again then."""
    assert after(CLASSIC, (531, 531)) is None
    assert after(CLASSIC, (531, 531), (471, 481)) is None
    assert after(CLASSIC, (531, 531), (471, 481), (520, 531)) is Ending.TARGET


def test_the_target_is_500_unless_the_rules_say_otherwise() -> None:
    """LS-18."""
    assert CLASSIC.target == 500
    assert PRESETS["short"].target == 200
    assert after(Rules(target=200), (199, 0)) is None
    assert after(Rules(target=200), (200, 0)) is Ending.TARGET


@pytest.mark.parametrize(("target", "score"), [(1, 1), (1_000_000, 1_000_000)])
def test_the_target_may_lie_at_either_end_of_its_range(target: int, score: int) -> None:
    """V4."""
    assert after(Rules(target=target), (score - 1, 0), (score, 0)) is Ending.TARGET


# -------------------------------------------------------------------------------------------- V2, equal at the target


def test_after_a_tie_one_more_hand_decides_though_both_are_below_the_target_again() -> None:
    """V2, one more: the higher total wins."""
    hands = (531, 531), (471, 481)
    assert after(Rules(tie="one_more"), *hands) is Ending.TIE_BREAK
    assert won_by(Ending.TIE_BREAK, *hands) == 1


def test_after_a_tie_one_more_hand_that_leaves_all_equal_is_followed_by_one_more() -> None:
    """V2, one more: also where they are equal below the target."""
    rules = Rules(tie="one_more")
    assert after(rules, (531, 531), (480, 480)) is None
    assert after(rules, (531, 531), (480, 480), (560, 560)) is None
    assert after(rules, (531, 531), (480, 480), (420, 410)) is Ending.TIE_BREAK
    assert won_by(Ending.TIE_BREAK, (480, 480), (420, 410)) == 0


def test_a_tie_below_the_target_is_no_tie_that_one_more_hand_decides() -> None:
    """V2."""
    assert after(Rules(tie="one_more"), (480, 480), (490, 485)) is None
    assert after(Rules(tie="one_more"), (480, 480), (490, 505)) is Ending.TARGET


def test_of_two_that_are_equal_the_better_last_hand_wins_where_the_rules_say_so() -> None:
    """V2, last hand."""
    hands = (450, 480), (510, 510)
    assert after(Rules(tie="last_hand"), *hands) is Ending.TIE_BREAK
    assert won_by(Ending.TIE_BREAK, *hands) == 0


def test_where_the_last_hand_was_equal_too_another_is_played_and_the_target_needed_again() -> None:
    """V2, last hand."""
    rules = Rules(tie="last_hand")
    assert after(rules, (450, 450), (510, 510)) is None
    assert after(rules, (450, 450), (510, 510), (490, 480)) is None
    assert after(rules, (450, 450), (510, 510), (530, 480)) is Ending.TARGET
    assert after(rules, (510, 510)) is None  # the first hand of a game counts from nothing


def test_a_tie_is_a_draw_where_the_rules_say_so() -> None:
    """V2, draw."""
    assert after(Rules(tie="draw"), (531, 531)) is Ending.DRAW
    assert won_by(Ending.DRAW, (531, 531)) is None
    assert after(Rules(tie="draw"), (531, 530)) is Ending.TARGET
    assert after(Rules(tie="draw"), (499, 499)) is None


# ----------------------------------------------------------------------------------------------- V4, by being behind


@pytest.mark.parametrize(("scores", "end"), [((300, -199), None), ((300, -200), Ending.BEHIND)])
def test_a_side_that_is_so_far_behind_has_lost(scores: tuple[int, int], end: Ending | None) -> None:
    """V4: `>=`."""
    assert after(Rules(behind=500), scores) is end
    assert won_by(Ending.BEHIND, scores) == 0


@pytest.mark.parametrize(
    ("scores", "end"), [((100, -199), None), ((100, -200), Ending.FLOOR), ((-200, 80), Ending.FLOOR)]
)
def test_a_side_at_the_floor_has_lost(scores: tuple[int, int], end: Ending | None) -> None:
    """V4: `<=`."""
    assert after(Rules(floor=-200), scores) is end
    assert won_by(Ending.FLOOR, scores) == (0 if scores[0] > scores[1] else 1)


def test_of_two_below_the_floor_the_higher_score_wins_and_equal_ones_play_on() -> None:
    """V4."""
    rules = Rules(floor=-200)
    assert after(rules, (-230, -210)) is Ending.FLOOR
    assert won_by(Ending.FLOOR, (-230, -210)) == 1
    assert after(rules, (-230, -230)) is None
    assert after(rules, (-230, -230), (-180, -170)) is None
    assert after(rules, (-230, -230), (-240, -260)) is Ending.FLOOR


def test_the_target_is_tested_before_the_ends_that_lose_and_being_behind_before_the_floor() -> None:
    """V4."""
    rules = Rules(behind=500, floor=-200)
    assert after(rules, (500, -900)) is Ending.TARGET
    assert after(rules, (400, -200)) is Ending.BEHIND
    assert after(rules, (200, -200)) is Ending.FLOOR


def test_behind_and_floor_are_tested_after_the_penalties_for_bags() -> None:
    """D9, V4: 9 bags and -110, a Nil that fails with one trick: -309."""
    side = score_side(CLASSIC, [bid("Nil"), bid("1")], [1, 1], bags=9)
    done = add(Totals((-110, 90), (9, 0)), [side, score_side(CLASSIC, [bid("3"), bid("4")], [4, 7], bags=0)])
    assert done.scores == (-299, 164)
    assert ending(GAME, Rules(floor=-299), [done]) is Ending.FLOOR
    assert ending(GAME, Rules(behind=463), [done]) is Ending.BEHIND
    assert ending(GAME, Rules(floor=-300, behind=464), [done]) is None


def test_without_a_target_a_game_ends_by_being_behind_or_by_the_floor() -> None:
    """V4."""
    assert after(Rules(target=None, behind=500), (900, 450)) is None
    assert after(Rules(target=None, behind=500), (900, 400)) is Ending.BEHIND
    assert after(Rules(target=None, floor=-200), (9000, -199)) is None
    assert after(Rules(target=None, floor=-200), (9000, -200)) is Ending.FLOOR


def test_a_tie_at_the_target_waits_for_the_hand_that_decides_it_whatever_the_floor_says() -> None:
    """V2, V4: four players, two of them equal at the target and one far below."""
    rules = Rules(cutthroat=True, floor=-200, behind=500)
    assert after(rules, (510, 510, 0, -300)) is None
    assert after(rules, (510, 510, 0, -300), (480, 470, 60, -300)) is Ending.BEHIND


# ---------------------------------------------------------------------------------------------- four and two players


@pytest.mark.parametrize(
    ("changes", "hands", "end", "victor"),
    [
        ({}, [(10, 510, 500, 20)], Ending.TARGET, 1),
        ({}, [(510, 20, 510, 30)], None, None),
        ({"tie": "draw"}, [(510, 20, 510, 530)], Ending.TARGET, 3),  # a tie for second is none
        ({"tie": "draw"}, [(510, 20, 510, 30)], Ending.DRAW, None),
        ({"tie": "one_more"}, [(510, 20, 510, 490), (500, 20, 500, 540)], Ending.TIE_BREAK, 3),  # whoever is ahead now
        ({"tie": "one_more"}, [(510, 20, 510, 490), (500, 20, 480, 500)], None, None),
        ({"tie": "last_hand"}, [(450, 0, 440, 30), (510, 200, 510, 90)], Ending.TIE_BREAK, 2),  # of the tied alone
        ({"tie": "last_hand"}, [(450, 490, 450, 0), (510, 509, 510, 9)], None, None),
        ({"behind": 300}, [(100, 90, -200, 50)], Ending.BEHIND, 0),
        ({"behind": 300}, [(100, 100, -200, 50)], None, None),
        ({"floor": -200}, [(-50, -200, -300, -40)], Ending.FLOOR, 3),
        ({"floor": -200}, [(-40, -200, -300, -40)], None, None),
        ({"hand_cap": 1}, [(10, 20, 30, 40)], Ending.HAND_CAP, 3),
        ({"hand_cap": 1}, [(40, 20, 30, 40)], Ending.HAND_CAP, None),
    ],
)
def test_four_sides_end_as_two_do(
    changes: dict[str, int | str], hands: list[tuple[int, ...]], end: Ending | None, victor: int | None
) -> None:
    """V2, V4, V17, V18."""
    rules = Rules(cutthroat=True, **changes)  # type: ignore[arg-type]
    if end is Ending.TIE_BREAK and rules.tie == "last_hand":
        assert after(rules, hands[0]) is None
    assert after(rules, *hands) is end
    assert end is None or won_by(end, *hands) == victor


def test_two_players_play_to_the_target_too() -> None:
    """Section 4."""
    assert after(PRESETS["two_player"], (499, 480), (490, 520)) is Ending.TARGET
    assert won_by(Ending.TARGET, (490, 520)) == 1


# ------------------------------------------------------------------------------------------------ hand cap and boards


def test_a_game_ends_at_the_hand_cap_with_the_higher_score_ahead_or_a_draw() -> None:
    """V17."""
    rules = Rules(hand_cap=5)
    low = [(10, 20), (20, 10), (30, 40), (70, 60)]
    assert after(rules, *low, (80, 90)) is Ending.HAND_CAP
    assert after(rules, *low, (531, 531)) is Ending.HAND_CAP
    assert (won_by(Ending.HAND_CAP, (80, 90)), won_by(Ending.HAND_CAP, (531, 531))) == (1, None)


def test_the_hand_cap_ends_a_game_that_one_more_hand_does_not_decide() -> None:
    """V2, V17."""
    assert after(Rules(hand_cap=2, tie="one_more"), (531, 531), (480, 480)) is Ending.HAND_CAP


def test_the_other_ends_are_tested_before_the_hand_cap() -> None:
    """V4, V17."""
    assert after(Rules(hand_cap=1), (500, 90)) is Ending.TARGET
    assert after(Rules(hand_cap=1, floor=-50), (100, -50)) is Ending.FLOOR
    assert after(Rules(hand_cap=1, tie="draw"), (500, 500)) is Ending.DRAW
    assert after(Rules(hand_cap=2, tie="one_more"), (500, 500), (480, 470)) is Ending.TIE_BREAK


def test_boards_end_after_their_hands_and_know_no_other_end() -> None:
    rules = Rules(target=200, hand_cap=5, floor=-100, behind=100)
    history = [totals(900, -900)] * 8
    assert ending(Boards(8), rules, history[:7]) is None
    assert ending(Boards(8), rules, history) is Ending.BOARDS
    assert won_by(Ending.BOARDS, (900, -900)) == 0


@pytest.mark.parametrize("hands", [0, -4, 3, 6, 1004, 4.0, True, "8"])
def test_boards_come_in_fours_so_that_each_seat_deals_equally_often(hands: int) -> None:
    with pytest.raises(ValueError, match="boards must be a multiple of 4 from 4 to 1000"):
        Boards(hands)


@pytest.mark.parametrize("hands", [4, 8, 1000])
def test_any_multiple_of_four_up_to_a_thousand_is_a_number_of_boards(hands: int) -> None:
    history = [totals(0, 0)] * hands
    assert ending(Boards(hands), CLASSIC, history) is Ending.BOARDS
    assert ending(Boards(hands), CLASSIC, history[1:]) is None


@pytest.mark.parametrize(("rules", "sides"), [(CLASSIC, 2), (CUTTHROAT, 4), (PRESETS["two_player"], 2)])
def test_a_game_begins_at_nothing(rules: Rules, sides: int) -> None:
    assert no_points(rules) == totals(*(0,) * sides)
