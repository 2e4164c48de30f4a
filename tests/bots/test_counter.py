"""Counter: the table of honours, cheap wins while tricks are needed, and a clear lead over threes."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from bots_support import class_of, play_boards, points_ahead
from spades_bot import Message
from spades_harness.game.cards import STANDARD, card_names, cards_of
from spades_harness.game.deal import permutation

Counter = class_of("counter")
counter = sys.modules[Counter.__module__]


def seated() -> Any:
    """A counter on the North seat."""
    bot = Counter()
    bot.seat, bot.partner = "N", "S"
    return bot


def a_play(legal: str, trick: str = "", bids: int = 4, won: int = 0) -> Message:
    """A request for a card: North and South bid so many together, and have taken so many."""
    return Message(
        {
            "seat": "N",
            "legal": legal.split(),
            "trick": trick.split(),
            "bids": {"N": bids, "E": 3, "S": 0, "W": 3},
            "won": {"N": won, "E": 0, "S": 0, "W": 0},
        }
    )


@pytest.mark.parametrize(
    ("hand", "tenths"),
    [
        ("2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 4H 5H 2S", 0),
        ("AC 3C 4C 5C AD 3D 4D 5D 2H 3H 4H 5H 2S", 20),
        ("KC 3C 4C 5C KD 3D 4D 5D 2H 3H 4H 5H 6H", 14),
        ("KC AD 3D 4D 5D 6D 7D 2H 3H 4H 5H 6H 7H", 13),
        ("QC 3C QD 3D 4D QH 2S 3S 3H 4H 5H 6H 7H", 9),
        ("AS KS QS JS 2S 2C 3C 4C 2D 3D 4D 2H 3H", 52),
        ("KS 2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 4H 5H", 5),
        ("QS 3S JS 2C 3C 4C 2D 3D 4D 5D 2H 3H 4H", 12),
    ],
)
def test_a_hand_is_worth_the_sum_of_its_honours_and_long_spades(hand: str, tenths: int) -> None:
    assert counter.tenths(hand.split()) == tenths


def test_thirteen_spades_are_worth_about_thirteen_tricks() -> None:
    assert counter.tricks([f"{rank}S" for rank in "23456789TJQKA"]) in (12, 13)


def test_the_bid_is_rounded_half_down_and_never_nil() -> None:
    assert [max(1, (tenths + 4) // 10) for tenths in (0, 14, 15, 16, 25, 26)] == [1, 1, 1, 2, 2, 3]
    assert counter.tricks(["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D", "2H", "3H", "4H", "5H", "2S"]) == 1
    assert counter.tricks(["QS", "3S", "JS", "AC", "3C", "4C", "2D", "3D", "4D", "5D", "2H", "3H", "4H"]) == 2


def test_where_its_number_may_not_be_bid_it_bids_the_nearest_but_not_nil() -> None:
    hand = ["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D", "2H", "3H", "4H", "5H", "2S"]
    assert seated().bid(Message({"hand": hand, "legal": [0, 4, 5, "blind_nil"]})) == 4


def test_of_decks_with_more_trumps_the_highest_four_stand_for_ace_to_jack() -> None:
    low = ["2D", "3D", "4D", "5D", "3H", "4H", "5H", "6H", "7H"]
    assert counter.tenths([*low, "AS", "KS", "QS", "JS"]) == 43
    assert counter.tenths([*low, "BJ", "LJ", "AS", "KS"], "jokers") == 43
    assert counter.tenths([*low[1:], "BJ", "LJ", "2D", "2S"], "jokers_deuces") == 43
    assert counter.tenths([*low[1:], "AS", "KS", "QS"], "jokers_deuces") == 0


def test_nil_is_bid_where_nothing_else_may_be() -> None:
    assert seated().bid(Message({"hand": ["AS", "KS"], "legal": [0]})) == 0


def test_who_has_to_keep_a_nil_plays_low_whatever_the_partner_lacks() -> None:
    request = a_play("3H 9H KH", trick="8H")
    request.bids |= {"N": 0, "S": 4}
    assert seated().play(request) == "3H"


def test_tricks_of_a_nil_are_no_help_to_the_contract() -> None:
    request = a_play("3H KH", trick="8H", bids=1)
    request.won["S"] = 1
    assert seated().play(request) == "KH"


def test_by_rules_with_high_deuces_a_deuce_may_win() -> None:
    bot = seated()
    bot.rules = {"deck": "jokers_deuces"}
    assert bot.play(a_play("3D 2D KD", trick="AS")) == "2D"
    assert bot.play(a_play("3D 2D KD", trick="BJ")) == "3D"


def test_bids_of_four_hands_come_near_thirteen_on_the_average() -> None:
    sums = []
    for stream in range(200):
        order = permutation(bytes(32), stream, 0)
        hands = [card_names(cards_of(STANDARD.cards[p] for p in order[13 * s : 13 * s + 13])) for s in range(4)]
        sums.append(sum(counter.tricks(hand) for hand in hands))
    assert 10 < sum(sums) / len(sums) < 12


@pytest.mark.parametrize(
    ("request_", "card"),
    [
        (a_play("3H 9H KH", trick="8H"), "9H"),
        (a_play("3H 4H", trick="8H"), "3H"),
        (a_play("2S 9S 3C", trick="8H AH"), "2S"),
        (a_play("3S 9S 3C", trick="8H TH 4S"), "9S"),
        (a_play("3H 9H KH", trick="TH 2H"), "3H"),
        (a_play("3H 9H KH", trick="8H 2H"), "3H"),
        (a_play("3H 9H KH", trick="8H", bids=4, won=4), "3H"),
        (a_play("3C AD 2H KS"), "AD"),
        (a_play("3C KD 2H AS"), "2H"),
        (a_play("3C AD 2H KS", bids=4, won=5), "2H"),
    ],
    ids=[
        "the cheapest that wins",
        "the lowest where none wins",
        "the lowest spade",
        "over a spade only a higher one",
        "the partner wins already",
        "the partner leads and wins so far",
        "the contract is made",
        "an ace is led",
        "the ace of spades is not",
        "no ace when the contract is made",
    ],
)
def test_the_card_fits_what_the_side_still_needs(request_: Message, card: str) -> None:
    assert seated().play(request_) == card


def test_a_blind_bid_of_the_partner_is_no_number_of_tricks() -> None:
    request = a_play("3H KH", trick="8H", bids=1)
    request.bids["S"] = "blind_nil"
    assert seated().play(request) == "KH"


def test_it_plays_without_a_partner_too() -> None:
    alone = seated()
    alone.partner = None
    assert alone.play(a_play("3H KH", trick="8H")) == "KH"


def test_alone_it_leaves_no_trick_to_the_seat_opposite() -> None:
    alone = seated()
    alone.partner = None
    assert alone.play(a_play("3H 9H KH", trick="8H 2H")) == "9H"
    assert seated().play(a_play("3H 9H KH", trick="8H 2H")) == "3H"


def test_a_match_of_counters_has_no_fault() -> None:
    assert play_boards([Counter] * 4, hands=8).faults == ()


def test_counter_beats_threes_by_far() -> None:
    assert points_ahead(Counter, class_of("threes"), streams=20) > 30
