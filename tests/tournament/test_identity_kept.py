"""Runs that an earlier version has stored: their rules are understood, and their matches are the same matches."""

import json
from dataclasses import asdict

import pytest

from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Boards, Game
from spades_harness.table.bounds import Limits
from spades_harness.table.match import Command, Forfeit, Player
from spades_harness.tournament.identity import (
    Terms,
    canonical,
    differences,
    match_identity,
    settings,
    terms_from,
    terms_tree,
)
from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.schedule import Entrant, Options
from spades_harness.tournament.sealed import Sealed

STORED = (
    '{"faults":"forfeit","format":"game","limits":{"bank":60.0,"move":1.0,"start":10.0},"rules":{"bag_limit":10,'
    '"bag_penalty":100,"blind_nil":true,"blind_nil_value":200,"exchange":3,"hand_cap":100,"nil_value":100,'
    '"preset":"short","target":200}}'
)
"""The terms of a run from before there were more options than these, as its ledger has them."""
PLAYER = Player("x", Command(("{python}", "x.py"), "/bots/x"), (("depth", 3),), "c0ffee")


def identity(rules: Rules) -> str:
    """Of a match of eight boards by these rules."""
    terms = Terms(rules, Boards(4), Limits(), Forfeit(), (Sealed(secret_of_seed(1)),))
    entrants = [Entrant(name, (PLAYER, PLAYER)) for name in "ab"]
    return match_identity(terms, entrants, Leg(("a", "b"), 0, 0, 1))


@pytest.mark.parametrize(
    ("rules", "known"),
    [
        (Rules(), "266e16d012f7c28b4254d383ee8204f06fc8a3df42e7c2f09187c7fae623cc32"),
        (PRESETS["short"], "2bd0b594b23e9c729e9c8f38c51bd8aad3b61d67c226264ce869cb4261ec3676"),
    ],
)
def test_a_match_that_was_played_before_an_option_was_added_is_still_that_match(rules: Rules, known: str) -> None:
    """PR-01: a run of an earlier version goes on, and plays nothing twice."""
    assert identity(rules) == known


def test_rules_that_were_stored_before_an_option_was_added_have_it_at_its_default() -> None:
    terms = terms_from(json.loads(STORED), (Sealed(secret_of_seed(1)),))
    assert terms == Terms(PRESETS["short"], Game(), Limits(), Forfeit(), (Sealed(secret_of_seed(1)),))


def test_a_run_that_was_founded_before_an_option_was_added_differs_in_nothing_from_the_same_file_today() -> None:
    today = terms_tree(PRESETS["short"], Game(), Limits(), Forfeit())
    stored, given = (settings(tree, 1, "round_robin", Options(), []) for tree in (json.loads(STORED), today))
    assert stored.keys() < given.keys()
    assert not list(differences(stored, given))
    wild = settings({**today, "rules": asdict(Rules(preset="short", target=200, deck="jokers"))}, 1, "x", Options(), [])
    assert 'rules.deck: "standard" there, "jokers" here' in list(differences(stored, wild))


@pytest.mark.parametrize("rules", [*PRESETS.values(), Rules(target=None, floor=-200, blind_number=7)])
def test_rules_of_every_kind_are_written_down_and_read_back(rules: Rules) -> None:
    tree = terms_tree(rules, Game(), Limits(), Forfeit())
    assert terms_from(json.loads(canonical(tree)), (Sealed(secret_of_seed(1)),)).rules == rules


def test_no_two_presets_play_the_same_match() -> None:
    assert len({identity(rules) for rules in PRESETS.values()}) == len(PRESETS)
