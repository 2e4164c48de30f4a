"""The ladder of the bots that ship: each is clearly stronger than the next. How far exactly, `bots/README.md` says."""

from __future__ import annotations

import pytest

from bots_support import class_of, points_ahead
from spades_harness.game.rules import PRESETS


@pytest.mark.parametrize(
    ("better", "worse", "ahead"), [("steady", "counter", 15), ("steady", "threes", 40), ("counter", "threes", 30)]
)
def test_the_better_bot_is_ahead_by_so_many_points_a_hand(better: str, worse: str, ahead: int) -> None:
    # 240 pairs of hands: the standard error is about four points a hand, the gaps are 30, 60 and 45.
    assert points_ahead(class_of(better), class_of(worse), streams=60) > ahead


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset not in {"classic", "short"}])
def test_steady_is_ahead_of_counter_under_every_preset(preset: str) -> None:
    # 96 pairs of hands; the narrowest gap is about six points, in cutthroat, with a standard error of one and a half.
    assert points_ahead(class_of("steady"), class_of("counter"), streams=24, rules=PRESETS[preset]) > 0
