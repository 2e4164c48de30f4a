"""Steady: what it bids, why it plays which card, and that each request is all it needs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import steady_bids
from bots_support import UNTIMED, class_of, play_boards
from spades_bot import Message, respond
from spades_harness.game.bids import ZERO, Bid
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Hand, Playing, deal_hand, no_points
from spades_harness.game.notation import write_action
from spades_harness.game.rules import Rules, make_rules
from spades_harness.game.score import Game
from spades_harness.game.view import view
from spades_harness.table.bounds import Limits
from spades_harness.table.local import LocalSeat
from spades_harness.table.match import Command, MatchSpec, MatchStart, Player, Request
from spades_harness.table.messages import as_object, match_start_message, request_message
from spades_harness.table.referee import play_match
from spades_harness.table.seats import run_unsuspended
from steady_contract import throw, wants_tricks
from steady_game import CLASSIC
from steady_play import choose_card
from steady_sight import (
    DECK,
    NAMES,
    NUMBERS,
    SUITS,
    Cards,
    Sight,
    count,
    iterate,
    lacks,
    must_beat,
    opponents_of,
    partner_of,
    stays_best,
)

Steady = class_of("steady")
steady = sys.modules[Steady.__module__]
CLASSIC_RULES = Rules()
N, E, S, W = range(4)
CLUBS, DIAMONDS, HEARTS, SPADES = SUITS
NIL_HAND = "9C 6C 4C 2C 8D 5D 3D TH 7H 4H 3H 5S 2S"
REST = "TD 9D 8D 7D 6D TC 9C 8C 7C 6C 5C"
"""Cards that are of no use in hearts or spades, to fill a hand up."""
STRONG_HAND = "AC KC 3C AD 5D 4D KH QH 3H AS KS 9S 2S"


def cards(names: str) -> Cards:
    """The set of the named cards."""
    return sum(1 << NUMBERS[name] for name in names.split())


def names(found: Cards) -> str:
    """The names of a set, clubs to spades, low to high."""
    return " ".join(NAMES[card] for card in iterate(found))


def seen(hand: str, trick: str = "", **more: Any) -> Sight:
    """What South sees when the cards of `gone` have been played; where nothing is said its side lacks one trick."""
    on_table = tuple(NUMBERS[name] for name in trick.split())
    held, gone = cards(hand), cards(more.pop("gone", ""))
    follow = held & SUITS[on_table[0] // 13] if on_table else 0
    nils = more.setdefault("nils", (False,) * 4)
    facts: dict[str, Any] = {
        "bids": (3, 3, 3, 3),
        "won": (0 if nils[N] else 3, 0 if nils[E] else 4, 0 if nils[S] else 2, 0),
        "voids": (0, 0, 0, 0),
        "leader": (S - len(on_table)) % 4,
        "legal": follow or held,
        "unseen": DECK & ~held & ~gone & ~cards(trick),
    }
    return Sight(seat=S, hand=held, trick=on_table, **{**facts, **more})


def plays(hand: str, trick: str = "", **more: Any) -> str:
    """South's card."""
    return NAMES[choose_card(seen(hand, trick, **more))]


def nil_of(nil: int) -> dict[str, Any]:
    """This seat has bid Nil, the others three."""
    return {"nils": tuple(seat == nil for seat in range(4)), "bids": tuple(3 * (seat != nil) for seat in range(4))}


def seated(preset: str = "classic", **changes: Any) -> Any:
    """A bot on the South seat, at the start of a match by these rules."""
    bot, rules, limits = Steady(), make_rules(preset, **changes), Limits()
    seat = rules.shape.seats.index("S")
    start = match_start_message(MatchStart("match", seat, rules, limits, (), "00" * 32), 1)
    assert respond(bot, Message(as_object(start))) == {"id": 1, "ready": True}
    return bot


# --------------------------------------------------------------------------------------------------------------- bids


@given(st.randoms(use_true_random=False))
def test_it_counts_honours_as_counter_does(random: Any) -> None:
    counter = sys.modules[class_of("counter").__module__]
    hand = random.sample(sorted(NUMBERS), 13)
    assert steady_bids.tenths(cards(" ".join(hand))) == counter.tenths(hand)


def bids(hand: str, partner: int | None = None, others: Iterable[int] = (), gifts: int = 0) -> int:
    """The bid on a hand of thirteen cards."""
    return steady_bids.choose_bid(cards(hand), partner, tuple(others), gifts)


def test_a_hand_of_low_cards_with_few_spades_is_a_nil() -> None:
    assert bids(NIL_HAND) == 0


@pytest.mark.parametrize(
    "hand",
    [
        "9C 6C 4C 2C 8D 5D 3D TH 7H 4H 3H AS 2S",
        "9C 6C 4C 2C 8D 5D 3D 7H 4H QS 9S 8S 2S",
        "AC 6C 4C 2C KD QD 3D TH 7H 4H 3H 5S 2S",
        "9C 6C 4C 2C KD AH TH 7H 4H 3H QS 5S 2S",
    ],
    ids=["ace of spades", "four spades", "honours with few low cards", "a bare king"],
)
def test_a_hand_that_a_trick_may_find_is_no_nil(hand: str) -> None:
    assert bids(hand) > 0


def test_nobody_bids_nil_beside_a_partner_who_did() -> None:
    assert bids(NIL_HAND, partner=0) == 1


def test_every_card_of_a_higher_rank_makes_a_nil_riskier_or_no_safer() -> None:
    for row in (*steady_bids.RISK, steady_bids.SPADE_RISK):
        assert list(row) == sorted(row)


def test_the_last_to_speak_bids_less_the_more_the_others_expect() -> None:
    assert [bids(STRONG_HAND, others=others) for others in ((), (2, 2, 2), (4, 4, 4))] == [7, 7, 6]
    assert bids(STRONG_HAND, others=(4, 4)) == 7


def test_the_cards_that_a_double_nil_will_give_are_counted() -> None:
    assert bids(STRONG_HAND, partner=0, gifts=3) == bids(STRONG_HAND, partner=0) + 2


@pytest.mark.parametrize(
    ("ours", "theirs", "blind"),
    [(300, 400, True), (290, 499, True), (301, 400, False), (290, 399, False), (400, 300, False), (300, 500, False)],
)
def test_double_nil_is_for_a_side_that_is_far_behind_late_in_the_game(ours: int, theirs: int, blind: bool) -> None:
    assert steady_bids.bids_blind(CLASSIC, ours, theirs) is blind
    request = Message({"scores": {"NS": ours, "EW": theirs}, "bids": {}, "legal": [None, "blind_nil"]})
    assert seated().blind(request) == ("blind_nil" if blind else None)


def test_partners_do_not_both_bid_double_nil() -> None:
    request = {"scores": {"NS": 0, "EW": 450}, "legal": [None, "blind_nil"]}
    assert seated().blind(Message({**request, "bids": {"N": "blind_nil"}})) is None
    assert seated().blind(Message({**request, "bids": {"E": "blind_nil"}})) == "blind_nil"


def a_bid(hand: str, legal: list[Any], bids: dict[str, Any] | None = None) -> Message:
    """A request for a bid."""
    return Message({"hand": hand.split(), "legal": legal, "bids": bids or {}})


def test_where_its_number_may_not_be_bid_it_bids_the_nearest_but_no_nil_by_chance() -> None:
    assert seated().bid(a_bid(STRONG_HAND, [0, 1, 4, 11])) == 4
    assert seated().bid(a_bid(NIL_HAND, [0, 1, 2], {"N": 0})) == 1
    assert seated().bid(a_bid(NIL_HAND, [0, 1, 2])) == 0
    assert seated().bid(a_bid(NIL_HAND, [2, 3, "blind6"])) == 2


def test_gifts_are_counted_only_where_the_rules_have_an_exchange() -> None:
    request = a_bid(STRONG_HAND, list(range(14)), {"N": "blind_nil"})
    assert seated().bid(request) == seated(exchange=0).bid(request) + 2


def test_a_double_nil_gives_its_risks_away_and_gets_the_lowest_side_cards() -> None:
    hand = ["AC", "6C", "2C", "KD", "5D", "3D", "TH", "7H", "4H", "3H", "KS", "5S", "2S"]
    request = {"seat": "S", "hand": hand, "min": 3, "max": 3}
    assert set(seated().exchange(Message({**request, "received": []}))) == {"KS", "KD", "AC"}
    assert set(seated().exchange(Message({**request, "received": ["2C", "3D", "KS"]}))) == {"2C", "3D", "3H"}


# ------------------------------------------------------------------------------------------------- for the contract


@pytest.mark.parametrize(
    ("hand", "trick", "card"),
    [
        ("AH JH 3H 2C", "TH 4H 5H", "JH"),
        ("AH JH 3H 2C", "4H 5H TH", "JH"),
        ("QH 3H 2C", "KH 4H 5H", "3H"),
        ("9S 4S 3D 2C", "KH 4H 5H", "4S"),
        ("9S 4S 3D 2C", "4H KH 8S", "9S"),
        ("9S 4S 3D 2C", "4H KH TS", "2C"),
    ],
    ids=[
        "the cheapest card over the first",
        "the cheapest card over the third",
        "the lowest where none wins",
        "the lowest spade",
        "a higher spade over a spade",
        "no spade that loses",
    ],
)
def test_the_last_to_play_takes_the_trick_as_cheaply_as_can_be(hand: str, trick: str, card: str) -> None:
    assert plays(hand, trick) == card


def test_a_trick_that_the_partner_wins_is_left_to_it() -> None:
    assert plays("AH 3H 2C", "KH 4H 5H") == "AH"
    assert plays("AH 3H 2C", "4H KH 5H") == "3H"
    assert plays("9S 4S 3D 2C", "AH 4H") == "2C"


def test_a_partner_who_will_be_beaten_is_overtaken() -> None:
    assert plays(f"AH 3H {REST}", "9H 4H") == "AH"
    assert plays(f"AH 3H {REST}", "KH 4H") == "3H"


def test_second_hand_plays_low_unless_it_holds_the_master() -> None:
    assert plays(f"JH 3H {REST}", "7H") == "3H"
    assert plays(f"AH 3H {REST}", "7H") == "AH"
    assert plays(f"JH 3H {REST}", "7H", gone="AH KH QH") == "JH"


def test_of_equal_cards_it_plays_the_lower() -> None:
    assert plays("AH KH QH 3H 2C", "7H") == "QH"


def test_a_side_suit_is_ruffed_low_even_before_others_play() -> None:
    assert plays("AS 9S 4S 2C", "7H") == "4S"


def test_a_master_beside_the_spades_is_led_while_its_suit_is_fresh() -> None:
    assert plays("AC 3C 9D 4D 8H 2H KS 3S") == "AC"
    assert plays("KC 3C 9D 4D 8H 2H KS 3S", gone="AC") == "KC"
    assert plays("KC 3C 9D 4D 8H 2H KS 3S") == "2H"


def test_a_master_that_would_be_ruffed_is_kept() -> None:
    assert plays("AC 3C 9D 4D 8H 2H KS 3S", voids=(0, CLUBS, 0, CLUBS)) == "2H"


def test_trumps_are_drawn_by_who_holds_most_of_them() -> None:
    hand = "9D 4D 8H 2H AS QS JS TS 9S 3S"
    legal = cards(hand)
    assert plays(hand, legal=legal) == "AS"
    assert plays("9D 4D 8H 2H AS 3S", legal=cards("9D 4D 8H 2H AS 3S")) == "2H"


def test_what_is_thrown_is_low_no_spade_and_of_the_shortest_suit() -> None:
    assert NAMES[throw(seen("5C 4C 4D 2S", "AH"))] == "4D"
    assert NAMES[throw(seen("5S 3S", "AH"))] == "3S"


MADE: dict[str, Any] = {"won": (3, 4, 3, 0)}


def test_once_the_contract_is_made_it_ducks_with_the_highest_card_that_loses() -> None:
    assert plays("AH JH 3H 2C", "QH 4H 5H") == "AH"
    assert plays("AH JH 3H 2C", "QH 4H 5H", **MADE) == "JH"
    assert plays("9S 4S KD 2C", "QH 4H 5H", **MADE) == "KD"


def test_a_trick_that_must_be_taken_is_taken_with_the_card_that_threatens_most() -> None:
    assert plays("AH JH TH 2C", "4H 8H 5H", **MADE) == "AH"


def test_a_made_contract_is_followed_by_low_leads() -> None:
    assert plays("AC 9D 4D KH 2H", **MADE) == "2H"


def test_it_goes_on_taking_tricks_while_a_set_is_in_reach() -> None:
    hand = "AH JH 3H 2C"
    close, safe = {"won": (3, 1, 3, 2)}, {"won": (3, 2, 3, 2)}
    assert wants_tricks(seen(hand, "QH 4H 5H", **close))
    assert not wants_tricks(seen(hand, "QH 4H 5H", **safe))
    assert plays(hand, "QH 4H 5H", **close) == "AH"
    assert plays(hand, "QH 4H 5H", **safe) == "JH"


def test_a_contract_out_of_reach_wants_no_tricks_nor_do_opponents_that_are_set_already() -> None:
    assert not wants_tricks(seen("AH JH", won=(0, 6, 2, 3)))
    assert not wants_tricks(seen("AH JH", won=(4, 1, 5, 1)))


# --------------------------------------------------------------------------------------------------------------- nils


def test_its_own_nil_loses_each_trick_with_the_most_dangerous_card_that_can() -> None:
    assert plays("AH JH 3H 2C", "4H QH 5H", **nil_of(S)) == "JH"
    assert plays("QS 9S KD 2C", "4H QH 5H", **nil_of(S)) == "KD"
    assert plays("QS 9S KD 2C", "4H QH TS", **nil_of(S)) == "9S"


def test_its_own_nil_leads_what_is_most_surely_beaten() -> None:
    assert plays("AC 9D KH 2H 3S", legal=cards("AC 9D KH 2H"), **nil_of(S)) == "2H"


def test_a_nil_that_has_failed_plays_on_to_set_the_others_or_ducks() -> None:
    failed = nil_of(S)
    assert plays("AH JH 3H 2C", "QH 4H 5H", won=(3, 3, 1, 2), **failed) == "JH"
    assert plays("AH JH 3H 2C", "QH 4H 5H", won=(4, 1, 2, 2), **failed) == "AH"


def test_the_partners_nil_is_covered_by_overtaking_it() -> None:
    assert plays("AH 3H 2C", "KH 4H", leader=N, **nil_of(N)) == "AH"
    assert plays("AH KH 3H 2C", "QH 4H 5H", leader=N, won=(0, 5, 3, 3), **nil_of(N)) == "KH"


def test_the_partners_nil_is_covered_by_going_up_before_it_plays() -> None:
    low_hearts_gone = {"gone": "2H 4H 5H 6H 7H 8H"}
    assert plays("QH 3H 2C", "9H", won=(0, 5, 3, 3), **low_hearts_gone, **nil_of(N)) == "QH"


def test_a_partners_nil_that_is_safe_in_this_trick_leaves_it_like_any_other() -> None:
    assert plays(f"JH 3H {REST}", "TH", voids=(HEARTS, 0, 0, 0), **nil_of(N)) == "3H"


def test_cards_that_a_partners_nil_can_stay_below_are_led() -> None:
    assert plays("AC 3C 9D 4D 8H 2H KS 3S", legal=cards("AC 3C 9D 4D 8H 2H"), **nil_of(N)) == "AC"
    assert plays("8C 9D 2H", voids=(CLUBS, 0, 0, 0), **nil_of(N)) == "8C"


def test_an_opponents_nil_that_is_winning_is_left_to_win() -> None:
    assert plays("AH TH 3H 2C", "4H 5H JH", **nil_of(W)) == "AH"
    assert plays("AH TH 3H 2C", "JH 5H 4H", **nil_of(W)) == "TH"
    assert plays("9S KD 2C", "JH 5H 4H", **nil_of(W)) == "KD"


def test_an_opponents_nil_that_may_have_to_win_is_not_saved_from_it() -> None:
    threatened = {"gone": "2H 4H 5H 6H 7H 8H", "leader": E}
    assert plays("AH 3H 2C", "9H", **threatened, **nil_of(W)) == "3H"
    assert plays("AH 3H 2C", "9H", **threatened) == "AH"


def test_low_cards_are_led_at_an_opponents_nil_in_suits_that_it_holds() -> None:
    assert plays("AC 3C AD 2D AH 4H", **nil_of(W)) == "2D"
    assert plays("AC 3C AD 2D AH 4H", voids=(0, 0, 0, DIAMONDS), **nil_of(W)) == "3C"


def test_a_nil_that_has_failed_is_hunted_no_more() -> None:
    assert plays("AH TH 3H 2C", "4H 5H JH", won=(0, 0, 0, 1), **nil_of(W)) == "AH"


# ------------------------------------------------------------------------------------------------- by other rules


ALONE: Any = {"side_of": (0, 1, 2, 3)}


def test_a_partner_is_who_sits_on_the_same_side_and_everybody_else_an_opponent() -> None:
    assert (partner_of(seen("2C")), set(opponents_of(seen("2C")))) == (N, {E, W})
    assert (partner_of(seen("2C", **ALONE)), set(opponents_of(seen("2C", **ALONE)))) == (None, {N, E, W})


def test_who_is_alone_overtakes_the_seat_opposite_and_hunts_its_nil() -> None:
    assert plays(f"AH 3H {REST}", "KH 4H") == "3H"
    assert plays(f"AH 3H {REST}", "KH 4H", **ALONE) == "AH"
    assert plays("AH TH 3H 2C", "JH 5H", leader=N, **ALONE, **nil_of(N)) == "TH"
    assert plays("AH TH 3H 2C", "JH 5H", leader=N, **nil_of(N)) == "AH"


def test_who_is_alone_needs_his_own_tricks_only() -> None:
    assert wants_tricks(seen("AH JH 2C", won=(0, 4, 2, 4), **ALONE))
    assert not wants_tricks(seen("AH JH 2C", won=(0, 4, 3, 3), bids=(0, 3, 3, 3), **ALONE))


def test_where_overtricks_cost_next_to_nothing_every_set_is_tried() -> None:
    safe: Any = {"won": (3, 2, 3, 2)}
    assert not wants_tricks(seen("AH JH 3H 2C", **safe))
    assert not wants_tricks(seen("AH JH 3H 2C", overtrick=-10, **safe))
    assert wants_tricks(seen("AH JH 3H 2C", overtrick=0, **safe))


def test_tricks_of_a_failed_nil_that_help_the_contract_are_wanted() -> None:
    failed = {**nil_of(S), "won": (2, 5, 1, 2), "bids": (4, 1, 0, 1)}
    assert not wants_tricks(seen("AH JH 2C", **failed))
    assert wants_tricks(seen("AH JH 2C", helps=(True,) * 4, **failed))


def bid_by(hand: str, legal: list[Any], bids: dict[str, Any] | None = None, **changes: Any) -> Any:
    """What South bids by classic rules with these changes."""
    return seated(**changes).bid(a_bid(hand, legal, bids))


def test_of_numbers_that_are_forced_on_it_there_is_no_choice_but_nil() -> None:
    assert bid_by(STRONG_HAND, [4], bidding="mirror") == 4
    assert bid_by(STRONG_HAND, [0, 4], bidding="whiz") == 4
    assert bid_by(NIL_HAND, [0, 2], bidding="whiz") == 0
    assert bid_by(STRONG_HAND, [0], bidding="whiz") == 0


def test_of_a_pair_that_must_bid_one_nil_the_better_hand_for_it_does() -> None:
    middling = "9C 6C 4C 2C KD QD 3D TH 7H 4H 3H JS 2S"
    every = list(range(14))
    assert bids(middling) > 0
    assert bid_by(middling, every, suicide="one_nil") == 0
    assert bid_by(STRONG_HAND, [0], {"N": 3}, suicide="one_nil") == 0
    assert bid_by(NIL_HAND, every[1:], {"N": 0}, suicide="one_nil") >= 1


def test_the_only_one_of_a_pair_who_takes_tricks_bids_more() -> None:
    dice = Random(1)
    hands = [" ".join(dice.sample(sorted(NUMBERS), 13)) for _ in range(100)]
    more = [bid_by(hand, [*range(1, 14)], {"N": 0}, suicide="one_nil") - bids(hand, partner=0) for hand in hands]
    assert set(more) == {0, 1}
    assert sum(more) > 50


def test_a_bid_of_no_tricks_is_spelt_as_the_rules_say() -> None:
    beside = [0, "zero", *range(1, 14)]
    assert bid_by(NIL_HAND, beside, zero="plain") == 0
    assert bid_by(NIL_HAND, beside, zero="bonus") == "zero"
    assert bid_by(NIL_HAND, list(range(14)), zero="only", blind_nil=False) == 0
    assert bid_by(NIL_HAND, list(range(14)), {"N": 0}, zero="only", blind_nil=False) == 0
    assert bid_by(STRONG_HAND, list(range(14)), zero="only", blind_nil=False) == bids(STRONG_HAND)


def test_a_nil_that_is_worth_little_is_not_bid() -> None:
    assert bid_by(NIL_HAND, list(range(14)), nil_value=40) == 1


def test_a_hand_whose_risks_can_be_given_away_is_a_nil() -> None:
    risky = "9C 6C 4C 2C AD 5D 3D TH 7H 4H 3H QS 2S"
    assert bid_by(risky, list(range(14))) > 0
    assert bid_by(risky, list(range(14)), nil_exchange=True) == 0


def test_a_blind_number_is_a_number() -> None:
    assert bid_by(STRONG_HAND, list(range(14)), {"W": "blind7", "N": 1, "E": 1}) == bids(STRONG_HAND, others=(7, 1, 1))


def test_the_same_honours_are_worth_less_with_more_trumps_about() -> None:
    jokers, deuces = (seated(deck=deck).game.deck for deck in ("jokers", "jokers_deuces"))
    side = cards("AC KC AD KD QD 3D")
    worth = [steady_bids.tenths(side, deck) for deck in (DECK, jokers, deuces)]
    assert worth == sorted(worth, reverse=True)
    assert len(set(worth)) == 3


def test_the_highest_trump_is_a_sure_trick_and_no_nil_whatever_the_deck() -> None:
    for name in ("jokers", "jokers_deuces"):
        game = seated(deck=name).game
        joker = 1 << game.numbers["BJ"]
        assert steady_bids.tenths(joker, game.deck) - steady_bids.tenths(0, game.deck) == 10
        assert steady_bids.nil_risk(joker, game.deck) > steady_bids.NIL_LIMIT


@pytest.mark.parametrize(
    ("changes", "ours", "theirs", "blind"),
    [
        ({"target": None, "behind": 500}, -50, 350, True),
        ({"target": None, "behind": 500}, -50, 340, False),
        ({"target": None, "floor": -200}, -100, 0, True),
        ({"target": None, "floor": -200}, -99, 100, False),
        ({"exchange": 0}, 300, 400, False),
        ({"cutthroat": True}, 300, 400, False),
        ({"players": 2}, 300, 400, False),
    ],
    ids=str,
)
def test_double_nil_is_for_a_game_that_may_be_lost_with_the_next_hand_and_for_those_who_exchange_cards(
    changes: dict[str, Any], ours: int, theirs: int, blind: bool
) -> None:
    assert steady_bids.bids_blind(seated(**changes).game, ours, theirs) is blind


def test_a_blind_bid_that_must_be_made_is_made() -> None:
    assert seated("suicide_all").blind(Message({"legal": ["blind_nil"], "bids": {"N": "blind_nil"}})) == "blind_nil"


def drawn(card: str, hand: str = "", given: str = "", bids: dict[str, Any] | None = None) -> str:
    """What South does with a card from the stock."""
    request = {"drawn": card, "hand": hand.split(), "given": given.split(), "bids": bids or {}}
    return str(seated("two_player").draw(Message(request)))


def test_of_the_stock_it_keeps_spades_and_high_cards() -> None:
    assert [drawn(card) for card in ("AS", "2S", "AH", "KH", "9H", "2H")] == ["keep"] * 4 + ["discard"] * 2


def test_for_a_double_nil_it_keeps_low_cards_and_no_high_spade() -> None:
    blind = {"S": "blind_nil"}
    assert [drawn(card, bids=blind) for card in ("AS", "AH", "9H", "2H", "2S")] == ["discard"] * 2 + ["keep"] * 3


def test_the_worse_the_cards_that_are_left_the_more_is_kept() -> None:
    assert drawn("2H") == "discard"
    spades = [f"{rank}S" for rank in "23456789TJQKA"]
    assert drawn("2H", hand=" ".join(spades), given="AC AD AH KC KD KH QC QD QH") == "keep"


def test_two_players_replace_what_threatens_a_double_nil_and_no_more() -> None:
    request = {"min": 0, "max": 3, "received": [], "bids": {"S": "blind_nil"}}
    bot = seated("two_player")
    risky = ["9C", "6C", "4C", "2C", "AD", "5D", "3D", "TH", "7H", "4H", "3H", "AS", "2S"]
    assert {"AS", "AD"} <= set(bot.exchange(Message({**request, "hand": risky})))
    low = ["6C", "5C", "4C", "2C", "6D", "5D", "3D", "2D", "7H", "4H", "3H", "2H", "2S"]
    assert bot.exchange(Message({**request, "hand": low})) == []


def test_where_half_of_the_cards_are_out_two_players_bid_about_thirteen_tricks_together() -> None:
    records = [play_boards([Steady] * 2, stream, hands=8, rules=make_rules("two_player")) for stream in range(10)]
    together = [sum(bid for bid in hand.bids if isinstance(bid, int)) for record in records for hand in record.hands]
    assert 10.5 < sum(together) / len(together) < 13


# ------------------------------------------------------------------------------------------------------------ chances


def test_a_seat_known_to_be_out_of_a_suit_holds_none_of_it() -> None:
    known = seen("2H 2C", voids=(0, HEARTS, 0, 0))
    assert lacks(known, E, HEARTS) == 1
    assert 0 < lacks(seen("2H 2C"), E, HEARTS) < 1
    assert must_beat(seen("2H 2C", "9H", leader=S, voids=(0, HEARTS, 0, 0)), E) == 0


def test_the_last_card_of_all_is_where_it_must_be() -> None:
    last = seen("KH", unseen=cards("AH 2C 2D"), voids=(CLUBS | DIAMONDS, HEARTS, 0, HEARTS))
    assert lacks(last, N, HEARTS) == 0
    assert stays_best(last, NUMBERS["KH"], [E, W]) == 1
    assert stays_best(last, NUMBERS["KH"], [N]) == 0


def test_the_more_cards_can_beat_it_the_less_a_card_holds() -> None:
    s = seen("AH QH 9H 5H 2C")
    chances = [stays_best(s, NUMBERS[name], [E, W]) for name in ("AH", "QH", "9H", "5H")]
    assert chances == sorted(chances, reverse=True)
    assert len(set(chances)) == 4


# -------------------------------------------------------------------------------------------------- the bot as a whole


def hand_in_play(seed: int, choose: Any, rules: Rules = CLASSIC_RULES) -> Iterable[Playing]:
    """A hand at each of its plays; `choose` picks one of the legal actions."""
    hand: Hand = deal_hand(rules, secret_of_seed(seed), 0, seed % 50, no_points(rules))
    while not hand.over:
        if isinstance(hand, Playing):
            yield hand
        hand = hand.apply(choose(hand.legal()))


def put(hand: Playing) -> Message:
    """The request that its seat gets."""
    return Message(as_object(request_message(Request(view(hand), 1.0, 60.0), 7)))


def truly_void(hand: Playing, seat: int) -> Cards:
    """The suits of which a seat holds nothing."""
    return sum(suit for suit in SUITS if not hand.hands[seat] & suit)


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_what_it_sees_is_what_it_may_know(seed: int, random: Any) -> None:
    for hand in hand_in_play(seed, random.choice):
        s = steady.sight_of(put(hand))
        others = sum(cards for seat, cards in enumerate(hand.hands) if seat != hand.seat)
        assert (s.hand, s.legal, s.unseen) == (hand.hands[hand.seat], hand.legal_cards, others)
        assert (s.seat, s.leader, s.trick, s.won) == (hand.seat, hand.leader, hand.trick, hand.won)
        assert (s.bids, s.nils) == (tuple(b.tricks for b in hand.bids), tuple(b.is_nil for b in hand.bids))
        assert all(s.voids[seat] & ~truly_void(hand, seat) == 0 for seat in range(4))


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_whatever_others_do_its_card_is_legal_and_the_same_for_a_bot_that_was_just_started(
    seed: int, random: Any
) -> None:
    def mostly_nils(legal: Any) -> Any:
        nils = [action for action in legal if isinstance(action, Bid) and action.is_nil]
        return random.choice(nils or legal) if random.random() < 0.5 else random.choice(legal)

    long_seated = seated()
    for hand in hand_in_play(seed, mostly_nils):
        request = put(hand)
        card = long_seated.play(request)
        assert card in request.legal
        assert seated().play(request) == card


SHAPES = [
    {"deck": "jokers_deuces", "zero": "bonus", "failed_nil": "help"},
    {"cutthroat": True, "deck": "jokers", "blind_number": 6},
    {"players": 2},
    {"players": 2, "deck": "jokers_deuces", "zero": "plain"},
]
"""Rules by which other seats, sides, decks and bids are seen."""


@pytest.mark.parametrize("changes", SHAPES, ids=str)
@given(seed=st.integers(0, 10_000), random=st.randoms(use_true_random=False))
def test_by_other_rules_too_it_sees_what_it_may_know(changes: dict[str, Any], seed: int, random: Any) -> None:
    rules = make_rules("classic", **changes)
    game = seated(**changes).game
    for hand in hand_in_play(seed, random.choice, rules):
        s = steady.sight_of(put(hand), game)
        others = sum(cards for seat, cards in enumerate(hand.hands) if seat != hand.seat)
        assert (s.hand, s.legal, s.unseen & others) == (hand.hands[hand.seat], hand.legal_cards, others)
        assert s.unseen == others or rules.players == 2
        assert (s.seat, s.leader, s.trick, s.won) == (hand.seat, hand.leader, hand.trick, hand.won)
        assert s.bids == tuple(bid.tricks for bid in hand.bids)
        assert s.nils == tuple(bid.is_nil or (bid == ZERO and rules.zero == "bonus") for bid in hand.bids)
        assert s.side_of == rules.shape.side_of
        assert all(s.voids[seat] & ~truly_void(hand, seat) == 0 for seat in range(len(hand.hands)))


def test_two_players_know_of_no_card_that_they_have_seen_go() -> None:
    game = seated("two_player").game
    hand = next(iter(hand_in_play(3, lambda legal: legal[0], make_rules("two_player"))))
    request = put(hand)
    assert len(request.given) == 13
    assert count(steady.sight_of(request, game).unseen) == 26


def test_a_void_shown_in_a_finished_trick_is_remembered() -> None:
    trick = {"leader": "W", "cards": ["4H", "9H", "2C", "KH"], "winner": "S"}
    request = {"hand": ["AH"], "legal": ["AH"], "trick": [], "tricks": [trick], "leader": "S", "seat": "S", "given": []}
    s = steady.sight_of(Message({**request, "bids": dict.fromkeys("NESW", 3), "won": dict.fromkeys("NESW", 0)}))
    assert s.voids == (0, HEARTS, 0, 0)
    assert names(DECK & ~s.unseen) == "2C 4H 9H KH AH"


def games(bots: list[type[Any]], stream: int) -> Any:
    """A game to the target between bots in this process."""
    players = tuple(Player(bot.NAME, Command(("none",), "/")) for bot in bots)
    spec = MatchSpec(f"game {stream}", 1, Rules(), Game(), secret_of_seed("steady"), stream, 0, players, UNTIMED)
    return run_unsuspended(play_match(spec, [LocalSeat(bot) for bot in bots]))


def test_whole_games_have_no_fault_and_a_side_in_despair_bids_double_nil() -> None:
    records = [games([Steady] * 4, stream) for stream in range(12)]
    assert not any(record.faults for record in records)
    asked = [decision for record in records for decision in record.decisions if decision.kind == "blind"]
    given = [decision for record in records for decision in record.decisions if decision.kind == "exchange"]
    assert {decision.written for decision in asked} == {None, "blind_nil"}
    assert len(given) == 2 * sum(decision.written == "blind_nil" for decision in asked)


def test_two_copies_of_it_are_equal_on_every_board() -> None:
    first, second = play_boards([Steady] * 4, stream=3), play_boards([Steady] * 4, stream=3)
    assert [decision.written for decision in first.decisions] == [decision.written for decision in second.decisions]


def test_what_it_writes_is_what_the_rules_call_the_card() -> None:
    for hand in hand_in_play(1, lambda legal: legal[-1]):
        assert write_action("play", NUMBERS[put(hand).legal[0]]) == put(hand).legal[0]
