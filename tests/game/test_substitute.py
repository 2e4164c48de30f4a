"""The choice that is made for a seat that makes none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import CLASSIC, NOTHING, PLAIN, apply, bid_all, card, cards, first_trick, hand_of, playing, whole_suits
from game.permuting import some_totals
from game.rules_by_chance import any_rules
from spades_harness.game.bids import BLIND_NIL, LOOK, NIL, NUMBERS, ZERO, Draw
from spades_harness.game.cards import JOKERS_DEUCES
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Bidding, Drawing, Exchanging, Hand, deal_hand, start_hand
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.substitute import substitute
from spades_harness.game.view import view


def test_it_looks_at_the_cards() -> None:
    assert substitute(view(hand_of(Bidding, start_hand(whole_suits())))) is LOOK


def test_where_rules_compel_a_blind_bid_it_makes_the_first_legal_one() -> None:
    seen = view(hand_of(Bidding, start_hand(whole_suits())))
    assert substitute(seen._replace(legal=(BLIND_NIL,))) is BLIND_NIL
    assert substitute(seen._replace(legal=(NUMBERS[7], BLIND_NIL))) is NUMBERS[7]


def test_it_bids_the_lowest_number() -> None:
    hand = hand_of(Bidding, start_hand(whole_suits(rules=PLAIN)))
    assert substitute(view(hand)) == NUMBERS[1]


def test_it_bids_nil_only_if_nothing_else_is_legal() -> None:
    """Some rules leave no other bid."""
    seen = view(hand_of(Bidding, start_hand(whole_suits(rules=PLAIN))))
    assert substitute(seen._replace(legal=(NIL,))) == NIL
    assert substitute(seen._replace(legal=(NIL, NUMBERS[9], NUMBERS[8]))) == NUMBERS[8]


@pytest.mark.parametrize(
    ("held", "given_away"),
    [("AS 3C 2H 2C KD 2D", "2C 2D 2H"), ("AS KS AC AD QS AH", "QS KS AC"), ("3S 2S 3C AH", "2S 3C 3S")],
)
def test_it_gives_the_lowest_cards_by_rank_then_clubs_diamonds_hearts_spades(held: str, given_away: str) -> None:
    seen = view(hand_of(Exchanging, bid_all(whole_suits(), "DN 3 3 3")))
    assert substitute(seen._replace(hand=cards(held))) == cards(given_away)


@pytest.mark.parametrize(
    ("held", "led", "played"),
    [
        ("KH 5H AS 2C", "9H", "5H"),  # it follows, with the lowest
        ("5S 5D 5H KC", "9C", "KC"),
        ("5S 5D 5H", "9C", "5D"),  # void: lowest rank, then clubs, diamonds, hearts, spades
        ("2S 3D 3H", "9C", "2S"),
    ],
)
def test_it_plays_the_lowest_legal_card(held: str, led: str, played: str) -> None:
    size = len(held.split())
    hand = playing(first_trick(led + " S:" + "6789"[: size - 1], held, "D:6789"[: 2 + size], "H:TJQK"[: 2 + size]), led)
    assert substitute(view(hand)) == card(played)


def test_it_does_not_lead_spades_before_they_are_broken() -> None:
    hand = first_trick("2S AH", "3H 4H", "5H 6H", "7H 8H")
    assert substitute(view(hand)) == card("AH")


@given(st.integers(0, 2**32))
def test_it_plays_whole_hands_legally(stream: int) -> None:
    hand: Hand = deal_hand(CLASSIC, secret_of_seed(1), stream, 0, NOTHING)
    while not hand.over:
        hand = hand.apply(substitute(view(hand)))
    assert (hand.bids, sum(hand.won)) == ((NUMBERS[1],) * 4, 13)


def test_it_finishes_a_hand_that_was_begun_by_others() -> None:
    """Beside a Double Nil it exchanges too."""
    hand = apply(bid_all(whole_suits(), "DN 3 3 3"), cards("AS KS QS"))
    while not hand.over:
        hand = hand.apply(substitute(view(hand)))
    assert [given.cards for given in hand.passes] == [cards("AS KS QS"), cards("2D 3D 4D")]
    assert sum(hand.won) == 13


def test_it_keeps_what_it_draws() -> None:
    """V20."""
    for stream in range(3):
        hand = deal_hand(PRESETS["two_player"], secret_of_seed(1), stream, 0, NOTHING)
        assert substitute(view(hand_of(Drawing, hand))) is LOOK
        assert substitute(view(hand_of(Drawing, apply(hand, LOOK)))) is Draw.KEEP


def test_two_players_who_must_not_replace_cards_replace_none() -> None:
    """V20: as few as may be."""
    hand: Hand = deal_hand(Rules(players=2, suicide="all_double_nil"), secret_of_seed(1), 0, 0, NOTHING)
    while not isinstance(hand, Exchanging):
        assert not hand.over
        hand = hand.apply(substitute(view(hand)))
    assert substitute(view(hand)) == 0


def test_a_plain_zero_is_the_lowest_number_where_there_is_one() -> None:
    """V6: it risks nothing."""
    for zero, lowest in (("plain", ZERO), ("bonus", ZERO), ("nil", NUMBERS[1])):
        hand = start_hand(whole_suits(rules=Rules(zero=zero, blind_nil=False)))
        assert substitute(view(hand_of(Bidding, hand))) == lowest
    hand = start_hand(whole_suits(rules=PRESETS["encyclopedia"]))
    assert substitute(view(hand_of(Bidding, hand))) == NUMBERS[0]


@pytest.mark.parametrize(("held", "given_away"), [("BJ LJ 2D 2S AS 3D", "3D 2S AS"), ("BJ LJ 2D KS", "KS 2D LJ")])
def test_jokers_and_high_deuces_are_its_highest_cards(held: str, given_away: str) -> None:
    """V16: the lowest go, and a high deuce ranks over the ace."""
    deck = JOKERS_DEUCES
    seen = view(hand_of(Exchanging, bid_all(whole_suits(), "DN 3 3 3")))._replace(hand=cards(held, deck))
    assert substitute(seen) == cards(given_away, deck)


@given(any_rules(), st.integers(0, 2**32))
def test_it_plays_whole_hands_legally_under_any_rules(rules: Rules, stream: int) -> None:
    hand: Hand = deal_hand(rules, secret_of_seed(1), stream, 0, some_totals(rules))
    while not hand.over:
        choice = substitute(view(hand))
        assert hand.allows(choice)
        hand = hand.apply(choice)
    assert sum(hand.won) == 13
