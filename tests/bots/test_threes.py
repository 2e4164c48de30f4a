"""Threes: one number for every hand, and the lowest card."""

from __future__ import annotations

from typing import Any

import pytest

from bots_support import class_of, play_boards
from spades_bot import CannotPlay, Message

Threes = class_of("threes")


def started(**params: Any) -> Any:
    """A bot with these params, at the start of a match."""
    bot = Threes()
    bot.params = params
    bot.start()
    return bot


@pytest.mark.parametrize(("params", "bid"), [({}, 3), ({"bid": 4}, 4), ({"bid": 0}, 0)], ids=str)
def test_it_bids_the_number_of_its_params(params: dict[str, Any], bid: int) -> None:
    assert started(**params).bid(Message({"legal": list(range(14))})) == bid


@pytest.mark.parametrize("bid", [14, -1, 3.0, "3", True, None])
def test_a_number_that_is_no_bid_is_declined(bid: Any) -> None:
    with pytest.raises(CannotPlay, match="params: bid must be a whole number from 0 to 13, not "):
        started(bid=bid)


def test_where_its_number_may_not_be_bid_it_bids_the_nearest() -> None:
    assert started().bid(Message({"legal": [0, 7, 5, "blind6"]})) == 5


def test_it_plays_the_lowest_rank_and_of_equal_ranks_clubs_first() -> None:
    assert started().play(Message({"legal": ["AS", "4S", "4D", "5C"]})) == "4D"
    assert started().play(Message({"legal": ["TH", "TS", "JC"]})) == "TH"


def test_by_rules_with_high_deuces_a_deuce_is_no_low_card() -> None:
    bot = started()
    bot.rules = {"deck": "jokers_deuces"}
    assert bot.play(Message({"legal": ["2S", "2D", "KH", "LJ"]})) == "KH"
    assert bot.play(Message({"legal": ["2S", "2D", "LJ"]})) == "2S"


def test_a_match_of_threes_has_no_fault() -> None:
    record = play_boards([Threes] * 4)
    assert record.faults == ()
    assert {decision.written for decision in record.decisions if decision.kind == "bid"} == {3}
