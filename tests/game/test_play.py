"""The tricks: what may be led and played, who wins, when spades are broken, and what an illegal card is told."""

import pickle

import pytest

from game.build import (
    NOTHING,
    PLAIN,
    E,
    N,
    S,
    W,
    bid_all,
    card,
    cards,
    first_trick,
    hand_of,
    legal_names,
    play,
    playing,
    whole_suits,
)
from spades_harness.game.bids import LOOK, NIL, Action
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Finished, IllegalAction, Playing, Trick, deal_hand

LS_01 = "AS KS QS 2H 5H 9H 3D 7D JD 4C 6C TC AC"
"""A leader's hand with spades and all other suits."""


@pytest.mark.parametrize(("dealer", "leader"), [(N, E), (E, S), (S, W), (W, N)])
def test_the_dealers_left_leads_to_the_first_trick(dealer: int, leader: int) -> None:
    """R14, LS-16."""
    hand = hand_of(Playing, bid_all(whole_suits(dealer, PLAIN), "3 3 3 3"))
    assert (hand.seat, hand.leader) == (leader, leader)


def test_the_others_follow_clockwise() -> None:
    """R1."""
    hand = first_trick("2H", "3H", "4H", "5H", leader=S)
    seats = [hand.seat]
    for name in ("4H", "5H", "2H"):
        hand = playing(hand, name)
        seats.append(hand.seat)
    assert seats == [S, W, N, E]


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        ("5H 9H 2H TH", W),  # the highest card of the led suit
        ("AH KH QH JH", N),
        ("2H AD AC KD", N),  # no other suit beats it
        ("AH KH 2S QH", S),  # any spade does
        ("AH 3S 2S KD", E),  # the highest spade
        ("2S 3S AH AD", E),  # spades led
        ("TH 9H JH 2H", S),  # ten under jack
        ("9H TH 8H 2H", E),  # ten over nine
    ],
)
@pytest.mark.parametrize("leader", range(4))
def test_the_highest_spade_wins_else_the_highest_card_of_the_led_suit(trick: str, winner: int, leader: int) -> None:
    """R16: winners are given for N as leader."""
    cards_in_turn = trick.split()
    hands = [cards_in_turn[(seat - leader) % 4] for seat in range(4)]
    finished = hand_of(Finished, play(first_trick(*hands, leader=leader), trick))
    taken = (leader + winner) % 4
    assert finished.tricks == (Trick(leader, tuple(card(name) for name in cards_in_turn), taken),)
    assert finished.won == tuple(int(seat == taken) for seat in range(4))


def test_the_winner_of_a_trick_leads_to_the_next() -> None:
    """R16, LS-16."""
    hand = playing(first_trick("2H 3D", "3H 4D", "AH 5D", "5H 6D"), "2H 3H AH 5H")
    assert (hand.seat, hand.leader, hand.trick, hand.won) == (S, S, (), (0, 0, 1, 0))
    assert hand_of(Finished, play(hand, "5D 6D 3D 4D")).won == (0, 0, 1, 1)


def test_the_led_suit_must_be_followed() -> None:
    """R15, LS-05."""
    hand = first_trick("9C 2S", "5C AS", "3C 3D", "4C 4D")
    assert legal_names(playing(hand, "9C")) == {"5C"}


def test_a_seat_that_must_follow_has_no_other_choice_in_thirteen_cards() -> None:
    """LS-05, with the hand of the case."""
    held = "5C 2H 3H 4H 5H 6H 7H 8H 9H 2D 3D 4D AS"
    hand = first_trick("9C S:23456789TJQK", held, "D:56789TJQKA C:678", "H:TJQKA C:234TJQKA")
    assert playing(hand, "9C").legal() == (card("5C"),)


def test_a_void_seat_may_play_any_card_a_spade_too_on_the_first_trick() -> None:
    """R15, R18, LS-05."""
    hand = playing(first_trick("9C 2S", "AS 5H", "3C 3D", "4C 4D"), "9C")
    assert (hand.broken, legal_names(hand)) == (False, {"AS", "5H"})


def test_all_cards_of_the_led_suit_may_be_played_also_those_that_cannot_win() -> None:
    """R15: nobody must win a trick."""
    hand = playing(first_trick("KH 2D 3D", "AH QH 2H", "3H 4D 5D", "4H 6D 7D"), "KH")
    assert legal_names(hand) == {"AH", "QH", "2H"}


def test_spades_follow_when_they_are_led() -> None:
    """R15: spades are a suit to follow too."""
    hand = playing(first_trick("AS KS", "2S 3H", "4H 5H", "3S 2D"), "AS")
    assert legal_names(hand) == {"2S"}
    assert legal_names(playing(hand, "2S")) == {"4H", "5H"}


def test_spades_may_not_be_led_before_they_are_broken() -> None:
    """R17, LS-01."""
    hand = first_trick(LS_01, "S:23456789TJ H:346", "D:245689TQKA H:78T", "C:235789JQK H:JQKA")
    assert legal_names(hand) == set(LS_01.split()) - {"AS", "KS", "QS"}
    assert not hand.allows(card("AS"))
    assert hand.objection(card("AS")) == "spades are not broken (R17): AS may not be led while you hold another suit"


def test_who_holds_only_spades_may_lead_one_and_breaks_them() -> None:
    """R17."""
    hand = first_trick("AS KS", "2H 3H", "4H 5H", "6H 7H")
    assert (hand.broken, legal_names(hand)) == (False, {"AS", "KS"})
    assert playing(hand, "AS").broken


def test_a_spade_of_a_void_seat_breaks_them() -> None:
    """R17, LS-03: also where that spade does not win the trick."""
    hand = playing(first_trick("KH QS 2D", "AH 3D 4D", "2S 5D 6D", "9S 7D 8D"), "KH AH")
    assert not hand.broken
    hand = playing(hand, "2S")
    assert hand.broken
    assert (playing(hand, "9S").seat, playing(hand, "9S").broken) == (W, True)


def test_after_they_are_broken_spades_may_be_led() -> None:
    """R17, LS-03: 2S thrown, overruffed with 9S by the seat that then leads QS."""
    hand = first_trick("9S QS 3D", "KH 2D 4D", "AH 5D 6D", "2S 7D 8D", leader=E)
    hand = playing(hand, "KH AH 2S 9S")
    assert (hand.seat, hand.allows(card("QS"))) == (N, True)


def test_a_card_that_is_no_spade_leaves_them_unbroken() -> None:
    """R17: a throw of another suit breaks nothing."""
    hand = playing(first_trick("KH 2S 2C", "3D 4D 5D", "6C 7C 8C", "2H 9S 3C"), "KH 3D 6C 2H")
    assert not hand.broken
    assert legal_names(hand) == {"2C"}


def test_every_deal_begins_unbroken_with_nothing_won() -> None:
    """D13, LS-03: neither flag nor tallies are carried into the next hand."""
    for number in range(4):
        hand = hand_of(Playing, bid_all(deal_hand(PLAIN, secret_of_seed(3), 0, number, NOTHING).deal, "3 3 3 3"))
        assert (hand.broken, hand.won, hand.tricks) == (False, (0, 0, 0, 0), ())
        assert not hand.legal_cards & cards("S:23456789TJQKA")


def test_a_hand_is_over_when_the_last_card_is_played() -> None:
    hand = bid_all(whole_suits(rules=PLAIN), "13 Nil Nil Nil")
    for rank in "23456789TJQKA":
        assert not hand.over
        hand = play(hand, f"{rank}S {rank}H {rank}D {rank}C")
    finished = hand_of(Finished, hand)
    assert (finished.over, finished.won, len(finished.tricks)) == (True, (13, 0, 0, 0), 13)
    assert finished.bids[E] == NIL


def test_the_last_card_is_asked_for_like_any_other() -> None:
    hand = playing(first_trick("2H 3D", "3H 4D", "AH 5D", "5H 6D"), "2H 3H AH 5H")
    assert hand.legal() == (card("5D"),)


# ------------------------------------------------------------------------------------------------------ illegal cards


@pytest.fixture
def second_trick() -> Playing:
    """W won a trick of clubs and led a heart, N followed; E is to play, and holds two hearts and a spade."""
    hand = first_trick("2C QH 2S 3S", "4C KH 3H AS", "5C 2D 4D 6D", "TC 5H 5D 7D")
    return playing(hand, "2C 4C 5C TC 5H QH")


NOT_A_CARD = "that is not a card"


@pytest.mark.parametrize(
    ("action", "objection"),
    [
        (card("AS"), "hearts were led and must be followed (R15): you hold KH, 3H"),
        (card("4C"), "you have played 4C already, to trick 1"),
        (card("2D"), "2D is not in your hand"),  # the partner's
        (card("7D"), "7D is not in your hand"),  # an opponent's
        (card("5H"), "5H is not in your hand"),  # on the table
        (card("AC"), "AC is not in your hand"),  # in no hand at all
        (-1, NOT_A_CARD),
        (56, NOT_A_CARD),
        (10**30, NOT_A_CARD),
        (LOOK, NOT_A_CARD),
        (NIL, NOT_A_CARD),
    ],
)
def test_an_illegal_card_is_refused_in_words(second_trick: Playing, action: Action, objection: str) -> None:
    """LS-01, LS-05, LS-06."""
    assert not second_trick.allows(action)
    assert second_trick.objection(action) == objection
    with pytest.raises(IllegalAction) as refused:
        second_trick.apply(action)
    assert str(refused.value) == objection


def test_a_card_of_any_earlier_trick_is_told_as_played_to_its_trick(second_trick: Playing) -> None:
    """LS-06: whoever led to it."""
    hand = playing(second_trick, "KH 2D")
    assert hand.seat == E
    assert hand.objection(card("KH")) == "you have played KH already, to trick 2"
    assert hand.objection(card("4C")) == "you have played 4C already, to trick 1"
    assert hand.objection(card("5H")) == "5H is not in your hand"


def test_a_refused_card_leaves_the_hand_as_it_was(second_trick: Playing) -> None:
    """LS-06: the same 52 cards, held or played, none twice."""
    before = pickle.dumps(second_trick)
    with pytest.raises(IllegalAction):
        second_trick.apply(card("4C"))
    assert pickle.dumps(second_trick) == before
    assert pickle.loads(before) == second_trick
