"""What goes with what: every pair of values of two options can be played, or is refused with both options named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from game.games_by_chance import game_by_chance
from game.rules_by_chance import COMPANIONS
from spades_harness.game.options import Choice, Contradiction, Switch, Value, Whole
from spades_harness.game.rules import CLASHES, OPTIONS, Rules

HANDS = 250 if os.environ.get("SPADES_DEEP") else 25
"""Of each pair, in a quarter of a minute altogether."""
CAP = 5
"""Hands of a game at most, so that each pair sees the beginning and the end of five games or more."""
BETWEEN = {
    "minimum_bid": 4,
    "nil_value": 50,
    "blind_nil_value": 400,
    "blind_deficit": 60,
    "exchange": 2,
    "blind_number": 7,
    "bag_limit": 5,
    "bag_penalty": 50,
    "target": 120,
    "behind": 150,
    "floor": -60,
    "hand_cap": 3,
}
"""A value inside the range of each number: one that games by chance come to."""


def values_of(name: str) -> list[Value]:
    """All values of a choice or switch; of a number its default, off, lowest, highest and one between."""
    option = OPTIONS[name]
    match option.values:
        case Choice(says):
            return list(says)
        case Switch():
            return [False, True]
        case Whole(low, high, none=none):
            return list(dict.fromkeys([option.default, *([None] if none else []), low, high, BETWEEN[name]]))


def with_companions(pair: dict[str, Any]) -> dict[str, Any]:
    """The pair, and what one of its values cannot do without, unless the pair itself speaks of that."""
    needed = [COMPANIONS.get((name, value), {}) for name, value in pair.items()]
    return {key: value for companion in needed for key, value in companion.items()} | pair


def pairs_with(first: str) -> Iterator[dict[str, Any]]:
    """Every pair of a value of this option and a value of an option after it."""
    later = list(OPTIONS)[list(OPTIONS).index(first) + 1 :]
    return ({first: one, name: other} for name in later for one in values_of(first) for other in values_of(name))


def made(options: dict[str, Any]) -> Rules | Contradiction:
    """The rules with these options, or what refuses them."""
    try:
        return Rules(**options)
    except Contradiction as refused:
        return refused


def is_played(pair: dict[str, Any]) -> bool:
    """Whether a pair can be played, which it then is; a refusal must name the two options of the pair, and say so."""
    rules = made(with_companions(pair))
    if isinstance(rules, Rules):
        play_hands(rules)
        return True
    assert set(rules.options) == set(pair), f"{pair}: {rules}"
    assert all(name in str(rules) for name in pair), f"{pair}: {rules}"
    return False


@cache  # a pair with a default in it is played once for all options
def play_hands(rules: Rules) -> None:
    """So many hands by chance, in games of five hands at most, each to its end."""
    dice, played, stream = Random(1), 0, 0
    while played < HANDS:
        history = game_by_chance(rules, dice, stream, CAP)
        assert all(0 <= bags < rules.bag_limit for totals in history for bags in totals.bags)
        played, stream = played + len(history), stream + 1


@pytest.mark.parametrize("first", list(OPTIONS)[:-1])
def test_each_pair_of_values_is_played_or_refused_with_both_options_named(first: str) -> None:
    outcomes = [is_played(pair) for pair in pairs_with(first)]
    assert sum(outcomes) > len(outcomes) / 2


def test_every_row_of_what_does_not_go_together_refuses_some_pair() -> None:
    """Else the row would be dead, or hidden behind an earlier one."""
    pairs = [pair for first in OPTIONS for pair in pairs_with(first)]
    tried = [made(pair) for pair in pairs] + [made(with_companions(pair)) for pair in pairs]
    refused = {refusal.options for refusal in tried if isinstance(refusal, Contradiction)}
    assert refused == {(clash.first, clash.second) for clash in CLASHES}


def test_rows_name_options_that_exist_and_say_why() -> None:
    for clash in CLASHES:
        assert {clash.first, clash.second} <= set(OPTIONS)
        assert len(clash.why.split()) >= 4
