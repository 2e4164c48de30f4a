"""Whole hands by chance, ours against OpenSpiel's `spades`, in turns in one run. Target: at least twice as many.

`chance` is the loop for searches and statistics, `phases` the values that the referee plays.

A hand is the deal, the bids and 52 cards up to its score, on both sides; each choice is one of the legal ones, each as
likely, made here in Python by dice of one kind. OpenSpiel's game is one hand whatever its parameters are: 52 chance
nodes, 4 bids, 52 cards. It is a measure of speed and no oracle: its spades never break, for one.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from itertools import count, cycle
from random import Random
from statistics import median
from typing import Any

from benchmarks.paired import ROUNDS, Work, in_turns, profile, say, seconds, spread
from spades_harness.game.chance import Chance
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Hand, deal_hand, no_points
from spades_harness.game.rules import PRESETS, Rules

SECRET = secret_of_seed(1)
BLOCK = 200
"""Hands in a block: some 30 ms, so that both blocks of a pair meet the same weather."""
CLASSIC = PRESETS["classic"]
GAMES = {"classic": CLASSIC, "classic without Double Nil": replace(CLASSIC, blind_nil=False)}
"""In `classic` chance bids blind every other time, and exchanges cards then: work that OpenSpiel has not. The second
game has just its decisions: a bid a seat and a card a turn."""


def hands_by_chance(rules: Rules, dice: Random) -> Work:
    """A block of hands by the specialised loop, which tests hold equal to the phases."""
    chance, dealers = Chance(rules), cycle(range(len(rules.shape.seats)))

    def block() -> None:
        for _ in range(BLOCK):
            chance.hand(next(dealers), dice.random)

    return block


def hands_of_phases(rules: Rules, dice: Random) -> Work:
    """A block of hands, phase after phase as the referee plays them."""
    numbers = count()

    def block() -> None:
        for _ in range(BLOCK):
            hand: Hand = deal_hand(rules, SECRET, 0, next(numbers), no_points(rules))
            while not hand.over:
                legal = hand.legal()
                hand = hand.apply(legal[int(dice.random() * len(legal))])
            hand.scores()

    return block


def hands_as_its_examples_play(game: Any, dice: Random) -> Work:
    """A block of OpenSpiel's hands, driven as its documentation shows: chance nodes apart, a choice each."""

    def block() -> None:
        for _ in range(BLOCK):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(dice.choice(state.chance_outcomes())[0])
                else:
                    state.apply_action(dice.choice(state.legal_actions()))
            state.returns()

    return block


def hands_of_plain_choices(game: Any, dice: Random) -> Work:
    """A block of OpenSpiel's hands by the loop that one writes first: chances are all equal, and actions too."""

    def block() -> None:
        for _ in range(BLOCK):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(dice.choice(state.legal_actions()))
            state.returns()

    return block


def hands_at_its_quickest(game: Any, dice: Random) -> Work:
    """A block of OpenSpiel's hands, driven as quickly as Python can: as above, with less work for a choice."""

    def block() -> None:
        chance = dice.random
        for _ in range(BLOCK):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(chance() * len(legal))])
            state.returns()

    return block


LOOPS: Mapping[str, Callable[[Rules, Random], Work]] = {"chance": hands_by_chance, "phases": hands_of_phases}
WAYS: Mapping[str, Callable[[Any, Random], Work]] = {
    "as documented": hands_as_its_examples_play,
    "plainly": hands_of_plain_choices,
    "at its quickest": hands_at_its_quickest,
}


def report(what: str, ours: Work, theirs: Work) -> None:
    """Hands a second of both, and the ratio."""
    pairs = list(in_turns(ours, theirs))
    mine, other = (median(BLOCK / block for block in column) for column in zip(*pairs, strict=True))
    ratios = spread([pair.theirs / pair.ours for pair in pairs])
    say(f"{what:<62} {mine:>7,.0f} hands/s, OpenSpiel {other:>6,.0f}: ratio {ratios}")


def test_hands_by_chance_against_openspiel() -> None:
    say("")
    ways = {f"{loop}, {name}": play(rules, Random(1)) for loop, play in LOOPS.items() for name, rules in GAMES.items()}
    if not find_spec("pyspiel"):
        say(f"OpenSpiel isn't installed for Python {platform.python_version()} on {platform.system()}: ours alone")
        for name, ours in ways.items():
            say(f"{name:<62} {BLOCK / median(seconds(ours) for _ in range(ROUNDS)):>7,.0f} hands/s")
        return
    game = import_module("pyspiel").load_game("spades")
    for name, ours in ways.items():
        for how, theirs in WAYS.items():
            report(f"{name}; OpenSpiel {how}", ours, theirs(game, Random(2)))


def test_where_the_time_of_a_hand_by_chance_goes() -> None:
    say(profile(hands_by_chance(CLASSIC, Random(1))))
