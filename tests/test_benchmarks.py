"""Benchmarks measure nothing here, but what they lean on is tested: turns that are fair, and a table that is whole."""

import re
from pathlib import Path
from random import Random

import pytest

from benchmarks import bench_referee
from benchmarks.paired import in_turns, spread
from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.view import view

FOLDER = Path(__file__).parent / "benchmarks"


def test_two_kinds_of_work_take_turns_and_each_begins_as_often() -> None:
    order: list[str] = []
    pairs = list(in_turns(lambda: order.append("ours"), lambda: order.append("theirs"), rounds=4))
    warm, *turns = [tuple(order[place : place + 2]) for place in range(0, len(order), 2)]
    assert warm == ("ours", "theirs")
    assert turns == [("ours", "theirs"), ("theirs", "ours")] * 2
    assert len(pairs) == 4


def test_a_spread_is_median_lowest_and_highest() -> None:
    assert spread([3.0, 1.0, 2.25]) == "2.25 (1.00..3.00)"


def test_every_benchmark_is_explained_in_the_folders_readme() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| `(\w+\.py)`", text, re.MULTILINE)
    assert sorted([*explained, "paired.py"]) == sorted(path.name for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize("rules", bench_referee.GAMES.values(), ids=bench_referee.GAMES)
def test_the_referee_that_is_measured_plays_whole_matches_without_a_fault(rules: Rules) -> None:
    seats = [bench_referee.Chancer(Random(1)) for _ in rules.shape.seats]
    record = bench_referee.refereed(rules, seats)
    assert len(record.hands) == bench_referee.HANDS
    assert not record.faults
    assert not any(decision.substituted for decision in record.decisions)
    assert {decision.kind for decision in record.decisions} == (
        {"blind", "bid", "exchange", "play"} if rules.blind_nil else {"bid", "play"}
    )


def test_dice_pick_what_is_legal_from_a_view() -> None:
    hand = deal_hand(PRESETS["classic"], bytes(32), 0, 0, no_points(PRESETS["classic"]))
    while not hand.over:
        action = bench_referee.Chancer(Random(1)).choice(view(hand))
        assert hand.allows(action)
        hand = hand.apply(action)
