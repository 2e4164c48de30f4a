"""What each option of the bidding makes legal: zero, blind bids, both Suicides, minimum, Whiz and Mirror."""

from typing import Any

import pytest

from game.build import CLASSIC, N, apply, bid, bid_all, deal, hand_of, word_of
from spades_harness.game.bids import BLIND_NIL, BLIND_NUMBERS, LOOK, NIL, NUMBERS, ZERO, Action, Bid
from spades_harness.game.hand import Bidding, Deal, Hand, Playing, Totals, start_hand
from spades_harness.game.rules import PRESETS, Rules, make_rules

HAND = "AS KS 2S AH KH QH JH AD KD QD AC KC QC"
"""Three spades."""
NO_SPADES = "AH KH QH JH TH 9H AD KD QD JD AC KC QC"
NUMBERS_FROM_1 = {str(tricks) for tricks in range(1, 14)}


def table(rules: Rules, held: str = HAND, scores: tuple[int, ...] = ()) -> Deal:
    """A deal in which everybody bids on the same kind of hand; N bids first."""
    totals = Totals(scores or (0,) * len(rules.shape.sides), (0,) * len(rules.shape.sides))
    return deal(held, held, held, held, rules=rules, totals=totals)


def after_bids(start: Deal, spoken: str) -> Bidding:
    """The bidding after these bids."""
    return hand_of(Bidding, bid_all(start, spoken))


def blind_words(hand: Bidding) -> set[str]:
    """What may be answered to the blind question; nothing where it is not asked."""
    return {said(action) for action in hand.legal()} if hand.kind == "blind" else set()


def open_words(hand: Bidding) -> set[str]:
    """What may be bid after looking."""
    looked = hand_of(Bidding, hand.apply(LOOK)) if hand.kind == "blind" else hand
    return {said(action) for action in looked.legal()}


def said(action: Action) -> str:
    """A bid as the rules text writes it."""
    return word_of(action) if isinstance(action, Bid) else str(action)


# ----------------------------------------------------------------------------------------------------- V6, what 0 means


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"zero": "nil"}, {"Nil"}),
        ({"zero": "plain"}, {"Nil", "zero"}),
        ({"zero": "bonus"}, {"Nil", "zero"}),
        ({"zero": "only", "blind_nil": False}, {"0"}),
    ],
)
def test_a_bid_of_no_tricks_is_what_the_rules_say(changes: dict[str, Any], words: set[str]) -> None:
    """R7, V6."""
    assert open_words(after_bids(table(make_rules(**changes)), "")) == words | NUMBERS_FROM_1


def test_the_encyclopedias_rules_have_neither_nil_nor_double_nil() -> None:
    """V6, V7: 0 is a plain zero, and nobody is asked before looking."""
    hand = after_bids(table(PRESETS["encyclopedia"]), "")
    assert (hand.kind, hand.allows(NUMBERS[0]), hand.allows(NIL), hand.allows(ZERO)) == ("bid", True, False, False)
    assert hand.objection(NIL).startswith(
        "nil may not be bid: there is no such bid by these rules; the choices are 0, 1, 2"
    )


# ---------------------------------------------------------------------------------------- V7 and V9, before looking


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, {"look", "DN"}),
        ({"blind_nil": False}, set()),
        ({"blind_number": 6}, {"look", "DN", *(f"blind{tricks}" for tricks in range(6, 14))}),
        ({"blind_number": 7}, {"look", "DN", *(f"blind{tricks}" for tricks in range(7, 14))}),
        ({"blind_number": 13}, {"look", "DN", "blind13"}),
        ({"blind_number": 12, "blind_nil": False}, {"look", "blind12", "blind13"}),
    ],
)
def test_what_may_be_bid_before_looking_is_what_the_rules_say(changes: dict[str, Any], words: set[str]) -> None:
    """R12, V7, V9."""
    assert blind_words(after_bids(table(make_rules(**changes)), "")) == words


@pytest.mark.parametrize(
    ("scores", "asked"),
    [((0, 99), []), ((0, 100), ["N", "S"]), ((350, 200), ["E", "W"]), ((-60, 60), ["N", "S"])],
)
def test_double_nil_may_need_a_deficit(scores: tuple[int, int], asked: list[str]) -> None:
    """V7: so many points behind the leader, and no fewer."""
    start = table(Rules(blind_deficit=100), scores=scores)
    seats = [after_bids(start, " ".join(["3"] * spoken)) for spoken in range(4)]
    assert [CLASSIC.shape.seats[hand.seat] for hand in seats if hand.kind == "blind"] == asked


def test_of_four_players_each_is_so_far_behind_the_leader() -> None:
    """V7, V18."""
    start = table(Rules(cutthroat=True, blind_deficit=100), scores=(0, 130, 30, 31))
    kinds = [after_bids(start, " ".join(["3"] * spoken)).kind for spoken in range(4)]
    assert kinds == ["blind", "bid", "blind", "bid"]


def test_the_deficit_is_no_condition_for_a_blind_number() -> None:
    """V7, V9."""
    hand = after_bids(table(Rules(blind_deficit=100, blind_number=13)), "")
    assert blind_words(hand) == {"look", "blind13"}
    assert hand.objection(BLIND_NIL) == (
        "blind nil may not be bid: Double Nil is for a side that is 100 or more points behind (V7); "
        'the choices are null (look), "blind13"'
    )


def test_a_blind_number_is_gone_after_looking() -> None:
    """V9."""
    hand = hand_of(Bidding, apply(start_hand(table(Rules(blind_number=7))), LOOK))
    assert not hand.allows(BLIND_NUMBERS[7])
    assert hand.objection(BLIND_NUMBERS[7]).startswith(
        "blind 7 may not be bid: that is bid before looking at the cards (V9); the"
    )
    assert hand.objection(BLIND_NUMBERS[6]).startswith(
        "blind 6 may not be bid: there is no such bid by these rules; the"
    )


def test_a_blind_number_is_the_seats_bid() -> None:
    """V9."""
    hand = hand_of(Playing, bid_all(table(Rules(blind_number=7)), "blind7 3 2 blind13"))
    assert hand.bids == (BLIND_NUMBERS[7], NUMBERS[3], NUMBERS[2], BLIND_NUMBERS[13])


# ---------------------------------------------------------------------------------------------------- V8, both Suicides


@pytest.mark.parametrize(
    ("spoken", "blind", "looking"),
    [
        ("", {"look", "DN"}, {"Nil", *NUMBERS_FROM_1}),
        ("4 3", {"look", "DN"}, {"Nil"}),
        ("Nil 3", set(), NUMBERS_FROM_1),
        ("DN 3", set(), NUMBERS_FROM_1),
        ("4 3 Nil", {"look", "DN"}, {"Nil"}),
        ("4 DN Nil", set(), NUMBERS_FROM_1),
    ],
)
def test_exactly_one_of_a_pair_bids_nil_in_suicide(spoken: str, blind: set[str], looking: set[str]) -> None:
    """V8, one nil: Double Nil counts as Nil, and the second has no choice but what the first has left him."""
    hand = after_bids(table(PRESETS["suicide"]), spoken)
    assert (blind_words(hand), open_words(hand)) == (blind, looking)


def test_a_zero_bid_or_a_blind_number_is_no_nil_in_suicide() -> None:
    """V6, V8, V9."""
    rules = Rules(suicide="one_nil", zero="plain", blind_number=12)
    for first in ("zero", "blind12"):
        hand = after_bids(table(rules), f"{first} zero")
        assert (blind_words(hand), open_words(hand)) == ({"look", "DN"}, {"Nil"})
    after_nil = after_bids(table(rules), "Nil zero")
    assert blind_words(after_nil) == {"look", "blind12", "blind13"}
    assert open_words(after_nil) == {"zero", *NUMBERS_FROM_1}


def test_everybody_bids_double_nil_in_the_other_suicide() -> None:
    """V8, all Double Nil: the question is asked, and has one answer; nobody may look first."""
    hand: Hand = start_hand(table(PRESETS["suicide_all"]))
    for _ in range(4):
        bidding = hand_of(Bidding, hand)
        assert (bidding.kind, bidding.legal()) == ("blind", (BLIND_NIL,))
        assert (
            bidding.objection(LOOK)
            == 'look may not be bid: everybody bids Double Nil (V8); the choices are "blind_nil"'
        )
        hand = bidding.apply(BLIND_NIL)
    assert hand_of(Playing, hand).bids == (BLIND_NIL,) * 4


# -------------------------------------------------------------------------------------------------- V11, a minimum bid


def at_least(least: int) -> set[str]:
    """The numbers from this one up."""
    return {str(tricks) for tricks in range(least, 14)}


@pytest.mark.parametrize(
    ("minimum", "scope", "spoken", "words"),
    [
        (0, "player", "", {"Nil", *NUMBERS_FROM_1}),
        (3, "player", "", {"Nil", *at_least(3)}),
        (3, "player", "13 3", {"Nil", *at_least(3)}),
        (13, "player", "", {"Nil", "13"}),
        (4, "side", "", {"Nil", *NUMBERS_FROM_1}),  # the second can make up for it
        (4, "side", "1 1", at_least(3)),  # and no Nil: the 1 alone would not reach it
        (4, "side", "4 1", {"Nil", *NUMBERS_FROM_1}),
        (4, "side", "13 1", {"Nil", *NUMBERS_FROM_1}),
        (4, "side", "Nil 1", {"Nil", *at_least(4)}),  # the other's number alone
        (4, "side", "DN 1", {"Nil", *at_least(4)}),
        (13, "side", "1 1", {"12", "13"}),
    ],
)
def test_a_bid_reaches_the_minimum(minimum: int, scope: str, spoken: str, words: set[str]) -> None:
    """V11."""
    rules = Rules(minimum_bid=minimum, minimum_scope=scope)
    assert open_words(after_bids(table(rules), spoken)) == words


def test_nil_and_double_nil_are_exempt_from_the_minimum_but_a_low_blind_number_is_not() -> None:
    """V9, V11."""
    hand = after_bids(table(Rules(minimum_bid=12, blind_number=6)), "")
    assert (blind_words(hand), open_words(hand)) == ({"look", "DN", "blind12", "blind13"}, {"Nil", "12", "13"})


def test_a_side_may_reach_its_minimum_with_a_blind_number_or_beside_a_zero_bid() -> None:
    """V6, V9, V11."""
    rules = Rules(minimum_bid=8, minimum_scope="side", zero="plain", blind_number=6)
    assert open_words(after_bids(table(rules), "zero 3")) == at_least(8)
    assert open_words(after_bids(table(rules), "blind6 3")) == at_least(2)
    assert "zero" in open_words(after_bids(table(rules), "blind8 3"))


def test_who_must_bid_beside_a_nil_that_is_compelled_reaches_the_minimum_alone() -> None:
    """V8, V11: in Suicide the partner of a number bids Nil, so the number must do."""
    rules = Rules(minimum_bid=4, minimum_scope="side", suicide="one_nil")
    assert open_words(after_bids(table(rules), "")) == {"Nil", *at_least(4)}
    assert open_words(after_bids(table(rules), "Nil Nil")) == at_least(4)


def test_where_zero_is_a_number_the_minimum_forbids_it() -> None:
    """V6, V11."""
    rules = Rules(zero="only", blind_nil=False, minimum_bid=2)
    assert open_words(after_bids(table(rules), "")) == at_least(2)


# ------------------------------------------------------------------------------------------------ V14, Whiz and Mirror


@pytest.mark.parametrize(
    ("preset", "held", "words"),
    [
        ("whiz", HAND, {"Nil", "3"}),
        ("whiz", NO_SPADES, {"Nil"}),
        ("mirror", HAND, {"3"}),
        ("mirror", NO_SPADES, {"Nil"}),
    ],
)
def test_the_bid_is_the_number_of_spades_held(preset: str, held: str, words: set[str]) -> None:
    """V14: in Whiz Nil may be bid instead, in Mirror only without any spade."""
    hand = after_bids(table(PRESETS[preset], held), "")
    assert blind_words(hand) == {"look", "DN"}
    assert open_words(hand) == words


@pytest.mark.parametrize(
    ("deck", "held", "spades"),
    [("standard", "AS KS 2H 2D", 2), ("jokers", "AS BJ LJ 2D", 3), ("jokers_deuces", "BJ LJ 2D 2S", 4)],
)
def test_jokers_and_high_deuces_are_counted_as_spades(deck: str, held: str, spades: int) -> None:
    """V14, V16."""
    rules = Rules(bidding="mirror", deck=deck, blind_nil=False)
    hand = hand_of(Bidding, start_hand(deal(held, "3H", "3D", "3C", rules=rules)))
    assert (hand.seat, hand.legal()) == (N, (bid(str(spades)),))


def test_an_objection_names_the_option_that_stands_against_a_bid() -> None:
    whiz = after_bids(table(make_rules("whiz", blind_nil=False)), "")
    assert "7 may not be bid: the bid is Nil, or the number of spades held (V14); the" in whiz.objection(NUMBERS[7])
    least = after_bids(table(Rules(minimum_bid=4, blind_nil=False)), "")
    assert "3 may not be bid: the least that a player may bid is 4 (V11); the" in least.objection(NUMBERS[3])
    suicide = after_bids(table(make_rules("suicide", blind_nil=False)), "3 3")
    assert "2 may not be bid: exactly one of each pair must bid Nil (V8); the" in suicide.objection(NUMBERS[2])
