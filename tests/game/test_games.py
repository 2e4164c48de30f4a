"""Whole games: every end of V2 and V4 is reached by hands that are played, and games by chance end as the text says."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import bid_all, deal, hand_of, play
from game.games_by_chance import game_by_chance
from game.reference_score import slow_ending
from game.rules_by_chance import any_rules
from spades_harness.game.hand import Finished, Totals, no_points
from spades_harness.game.rules import PRESETS, Rules, make_rules
from spades_harness.game.score import Ending, Game, add, ending, winner

# ------------------------------------------------------------------------------------------------------ ends reached

Scores = tuple[int, ...]
Row = tuple[dict[str, Any], list[Scores], Scores, str, Scores, Ending | None, int | None]

ALONE = {"cutthroat": True}
NO_EXCHANGE = {"exchange": 0}
BOTH_FALL = {**NO_EXCHANGE, "floor": -200}
# Options; scores after the hands before, and bags; bids of N, E, S, W: then N takes all thirteen tricks; the scores
# after that, how the game ends, and who has won.
REACHED: dict[str, Row] = {
    "R23 the target": ({}, [(430, 470)], (0, 0), "7 1 6 2", (560, 440), Ending.TARGET, 0),
    "R23 both there, the higher wins": ({}, [(390, 301)], (0, 0), "7 Nil 6 Nil", (520, 501), Ending.TARGET, 0),
    "V2 again": ({}, [(370, 300)], (0, 0), "7 Nil 6 Nil", (500, 500), None, None),
    "V2 again, 500 is needed anew": ({}, [(510, 510)], (0, 0), "7 1 6 2", (640, 480), Ending.TARGET, 0),
    "V2 draw": ({"tie": "draw"}, [(370, 300)], (0, 0), "7 Nil 6 Nil", (500, 500), Ending.DRAW, None),
    "V2 last hand": ({"tie": "last_hand"}, [(370, 300)], (0, 0), "7 Nil 6 Nil", (500, 500), Ending.TIE_BREAK, 1),
    "V2 last hand, equal there too": (
        {**NO_EXCHANGE, "tie": "last_hand"}, [(400, 400)], (0, 0), "7 DN 6 7", (530, 530), None, None,
    ),
    "V2 one more": ({"tie": "one_more"}, [(370, 300)], (0, 0), "7 Nil 6 Nil", (500, 500), None, None),
    "V2 one more, decided": ({"tie": "one_more"}, [(510, 510)], (0, 0), "7 1 6 2", (640, 480), Ending.TIE_BREAK, 0),
    "V2 one more, decided below the target": (
        {**NO_EXCHANGE, "tie": "one_more"}, [(505, 505)], (0, 0), "DN 1 1 6", (208, 435), Ending.TIE_BREAK, 1,
    ),
    "V2 one more, equal again": (
        {**NO_EXCHANGE, "tie": "one_more"}, [(510, 510)], (0, 0), "7 DN 6 7", (640, 640), None, None,
    ),
    "V4 behind": ({"behind": 300}, [(100, -40)], (0, 0), "7 1 6 2", (230, -70), Ending.BEHIND, 0),
    "V4 not yet behind": ({"behind": 301}, [(100, -40)], (0, 0), "7 1 6 2", (230, -70), None, None),
    "V4 floor": ({"floor": -200}, [(0, -170)], (0, 0), "7 1 6 2", (130, -200), Ending.FLOOR, 0),
    "V4 not yet at the floor": ({"floor": -201}, [(0, -170)], (0, 0), "7 1 6 2", (130, -200), None, None),
    "V4 both below the floor": (BOTH_FALL, [(80, -180)], (0, 0), "DN 1 1 2", (-217, -210), Ending.FLOOR, 1),
    "V4 both below, equal": (BOTH_FALL, [(87, -180)], (0, 0), "DN 1 1 2", (-210, -210), None, None),
    "V4 the target first": (
        {"behind": 500, "floor": -200}, [(400, -90)], (0, 0), "7 8 6 7", (530, -240), Ending.TARGET, 0,
    ),
    "V4 behind before the floor": (
        {"behind": 500, "floor": -200}, [(250, -90)], (0, 0), "7 8 6 7", (380, -240), Ending.BEHIND, 0,
    ),
    "V4 no target, floor": (
        {"target": None, "floor": -200}, [(900, -170)], (0, 0), "7 1 6 2", (1030, -200), Ending.FLOOR, 0,
    ),
    "V4 no target, behind": (
        {"target": None, "behind": 1000}, [(900, 60)], (0, 0), "7 1 6 2", (1030, 30), Ending.BEHIND, 0,
    ),
    "V17 hand cap": ({"hand_cap": 1}, [], (0, 0), "7 1 6 2", (130, -30), Ending.HAND_CAP, 0),
    "V17 hand cap, a draw": ({**NO_EXCHANGE, "hand_cap": 1}, [], (0, 0), "7 DN 6 7", (130, 130), Ending.HAND_CAP, None),
    "D8 two penalties in one hand": ({}, [(480, 100)], (9, 0), "1 3 Nil 2", (402, 50), None, None),
    "D9 a penalty before the end test": ({}, [(420, 100)], (9, 0), "6 3 6 2", (441, 50), None, None),
    "V18 the target": (ALONE, [(380, 0, 0, 490)], (0,) * 4, "13 3 3 Nil", (510, -30, -30, 590), Ending.TARGET, 3),
    "V18 again": (ALONE, [(469, 0, 0, 499)], (0,) * 4, "13 3 3 Nil", (599, -30, -30, 599), None, None),
    "V18 draw": (
        {**ALONE, "tie": "draw"}, [(469, 0, 0, 499)], (0,) * 4, "13 3 3 Nil", (599, -30, -30, 599), Ending.DRAW, None,
    ),
    "V18 last hand": (
        {**ALONE, "tie": "last_hand"}, [(469, 0, 0, 499)], (0,) * 4, "13 3 3 Nil", (599, -30, -30, 599),
        Ending.TIE_BREAK, 0,
    ),
    "V18 one more": (
        {**ALONE, "tie": "one_more"}, [(510, 480, 510, 0)], (0,) * 4, "10 Nil 3 3", (613, 580, 480, -30),
        Ending.TIE_BREAK, 0,
    ),
    "V18 behind": (
        {**ALONE, "behind": 300}, [(0, 0, 90, -150)], (0,) * 4, "13 3 3 2", (130, -30, 60, -170), Ending.BEHIND, 0,
    ),
    "V18 floor": (
        {**ALONE, "floor": -200}, [(0, 0, 90, -150)], (0,) * 4, "13 3 Nil 5", (130, -30, 190, -200), Ending.FLOOR, 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REACHED)
def test_a_hand_that_is_played_brings_the_game_to_this_end(name: str) -> None:
    """R23, V2, V4, V17, V18, D8, D9: what random play almost never comes to."""
    changes, earlier, bags, bids, scores, end, victor = REACHED[name]
    rules = make_rules(**changes)
    history = [Totals(one, bags) for one in earlier]
    before = history[-1] if history else no_points(rules)
    hand = all_to_north(rules, before, bids)
    history.append(add(before, hand.scores()))
    assert history[-1].scores == scores, name
    assert all(ending(Game(), rules, history[:played]) is None for played in range(1, len(history))), name
    assert ending(Game(), rules, history) is end, name
    assert end is None or winner(end, history[-1], [side.delta for side in hand.scores()]) == victor, name


def all_to_north(rules: Rules, before: Totals, bids: str) -> Finished:
    """A hand of thirteen tricks for N after these bids."""
    everything = "23456789TJQKA"
    hand = bid_all(deal(*(f"{suit}:{everything}" for suit in "SHDC"), rules=rules, totals=before), bids)
    for rank in everything:
        hand = play(hand, f"{rank}S {rank}H {rank}D {rank}C")
    return hand_of(Finished, hand)


# -------------------------------------------------------------------------------------------------- against the text

SOME_SCORES = st.lists(st.tuples(*[st.sampled_from((0, 0, 20, 50, -40, 150, -150, 500))] * 4), min_size=1, max_size=12)
"""What hands bring to each of four sides: few values, so that ties come up."""


@given(any_rules(), SOME_SCORES)
def test_a_game_ends_after_the_hand_and_in_the_way_that_the_text_says(rules: Rules, gains: list[Scores]) -> None:
    """R23, V2, V4, V17."""
    sides = len(rules.shape.sides)
    history = [no_points(rules)]
    for gained in gains:
        scores = tuple(score + more for score, more in zip(history[-1].scores, gained, strict=False))
        history.append(Totals(scores, (0,) * sides))
    ended = first_end(rules, history[1:])
    assert ended == slow_ending(rules, [totals.scores for totals in history[1:]])


def first_end(rules: Rules, history: list[Totals]) -> tuple[int, tuple[str, int | None]] | None:
    """After how many hands a game is over, how, and who has won."""
    for played in range(1, len(history) + 1):
        if over := ending(Game(), rules, history[:played]):
            now, before = history[played - 1].scores, history[played - 2].scores if played > 1 else None
            last = [score - (before[side] if before else 0) for side, score in enumerate(now)]
            return played, (over.value, winner(over, history[played - 1], last))
    return None


@given(any_rules(), st.integers(0, 2**32), st.integers(1, 4))
def test_a_game_by_chance_ends_at_its_cap_or_before(rules: Rules, seed: int, cap: int) -> None:
    """V17: under any rules."""
    capped = replace(rules, hand_cap=cap)
    history = game_by_chance(capped, Random(seed), seed)
    assert len(history) <= cap
    ended = first_end(capped, history)
    assert ended is not None
    assert ended == slow_ending(capped, [totals.scores for totals in history])


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_each_preset_comes_to_an_end(preset: str) -> None:
    """R23, V17: also where chance never comes to the target."""
    rules = PRESETS[preset]
    history = game_by_chance(rules, Random(1))
    assert ending(Game(), rules, history)
    assert len(history) <= rules.hand_cap
