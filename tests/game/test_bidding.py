"""The bidding: who bids when, what may be bid, and what is asked before the cards are seen."""

import pytest

from game.build import CLASSIC, NOTHING, PLAIN, E, N, S, W, apply, bid, bid_all, hand_of, whole_suits
from spades_harness.game.bids import BLIND_NIL, LOOK, NIL, NUMBERS, Bid, BidKind, Look
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Bidding, Hand, IllegalAction, Playing, deal_hand, start_hand

SECRET = secret_of_seed(7)


def bidders(hand: Hand) -> list[tuple[str, int]]:
    """Kind of question and seat, in order, where every seat looks and bids three."""
    asked: list[tuple[str, int]] = []
    while isinstance(hand, Bidding):
        asked.append((hand.kind, hand.seat))
        hand = hand.apply(LOOK if hand.kind == "blind" else NUMBERS[3])
    return asked


@pytest.mark.parametrize(
    ("dealer", "order"), [(N, [E, S, W, N]), (E, [S, W, N, E]), (S, [W, N, E, S]), (W, [N, E, S, W])]
)
def test_each_seat_bids_once_clockwise_from_the_dealers_left(dealer: int, order: list[int]) -> None:
    """R1, R5, LS-16."""
    assert bidders(start_hand(whole_suits(dealer, PLAIN))) == [("bid", seat) for seat in order]


def test_each_seat_is_asked_for_a_blind_bid_before_its_own_bid() -> None:
    """R12, D5: not everybody before everybody, so that a blind bid is made in turn."""
    asked = bidders(start_hand(whole_suits(W, CLASSIC)))
    assert asked == [(kind, seat) for seat in (N, E, S, W) for kind in ("blind", "bid")]


def test_the_first_bidder_moves_one_seat_clockwise_with_every_hand() -> None:
    """R4, LS-16."""
    hands = [deal_hand(CLASSIC, SECRET, 0, number, NOTHING) for number in range(5)]
    assert [hand.deal.dealer for hand in hands] == [0, 1, 2, 3, 0]
    assert [hand_of(Bidding, hand).seat for hand in hands] == [1, 2, 3, 0, 1]


def test_the_dealer_is_board_stream_plus_hand_modulo_four() -> None:
    """D14: so both legs of a stream, and a hand that is played again, have the same dealer."""
    for stream in range(6):
        for number in range(6):
            assert deal_hand(CLASSIC, SECRET, stream, number, NOTHING).deal.dealer == (stream + number) % 4


def test_any_number_from_0_to_13_may_be_bid_whatever_the_partner_has_bid() -> None:
    """R5: no duty to rise; R6: no cap on a side's sum; R7: 0 is Nil."""
    every = {NIL, *(Bid(BidKind.NUMBER, tricks) for tricks in range(1, 14))}
    for earlier in ("", "13", "13 13", "13 13 13", "Nil 1"):
        hand = hand_of(Bidding, bid_all(whole_suits(rules=PLAIN), earlier))
        assert set(hand.legal()) == every
        assert all(hand.allows(choice) for choice in every)


def test_there_is_no_zero_beside_nil_and_no_pass() -> None:
    """R5, R7."""
    hand = hand_of(Bidding, start_hand(whole_suits(rules=PLAIN)))
    for choice in (NUMBERS[0], LOOK, BLIND_NIL, Bid(BidKind.NUMBER, 14), Bid(BidKind.NUMBER, -1), Bid(BidKind.NIL, 2)):
        assert not hand.allows(choice)


def test_before_looking_there_is_double_nil_or_a_look() -> None:
    """R12: no condition on the score, and no number before looking."""
    hand = hand_of(Bidding, start_hand(whole_suits()))
    assert hand.legal() == (LOOK, BLIND_NIL)
    assert not any(hand.allows(choice) for choice in (NIL, *NUMBERS))


def test_after_looking_double_nil_is_gone() -> None:
    """R12."""
    hand = hand_of(Bidding, apply(start_hand(whole_suits()), LOOK))
    assert (hand.kind, hand.seat, hand.allows(BLIND_NIL)) == ("bid", N, False)


def test_double_nil_is_the_seats_bid_and_the_next_seat_is_asked() -> None:
    hand = hand_of(Bidding, apply(start_hand(whole_suits()), BLIND_NIL))
    assert (hand.bids, hand.seat, hand.kind) == ((BLIND_NIL, None, None, None), E, "blind")


def test_the_deal_is_the_same_whichever_way_the_blind_question_is_answered() -> None:
    """D5."""
    start = start_hand(whole_suits())
    looked, blind = apply(start, LOOK), apply(start, BLIND_NIL)
    assert hand_of(Bidding, looked).hands == hand_of(Bidding, blind).hands == start.deal.hands


def test_the_blind_question_is_asked_at_any_score() -> None:
    """R12: no deficit is needed."""
    ahead = whole_suits()._replace(totals=NOTHING._replace(scores=(490, -300)))
    assert [kind for kind, _ in bidders(start_hand(ahead))].count("blind") == 4


def test_bids_are_kept_by_seat_and_play_begins_at_the_dealers_left() -> None:
    """R14."""
    hand = hand_of(Playing, bid_all(whole_suits(dealer=N), "5 Nil 2 13"))
    assert hand.bids == (bid("13"), bid("5"), NIL, bid("2"))
    assert (hand.seat, hand.leader, hand.won, hand.broken) == (E, E, (0, 0, 0, 0), False)


EVERY_BID = "; the choices are 0 (nil), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13"


@pytest.mark.parametrize(
    ("choice", "objection"),
    [
        (LOOK, "look may not be bid: the cards have been looked at"),
        (BLIND_NIL, "blind nil may not be bid: that is bid before looking at the cards (R12)"),
        (Bid(BidKind.NUMBER, 14), "14 may not be bid: there is no such bid by these rules"),
    ],
)
def test_the_objection_to_a_bid_names_the_rule_and_the_choices(choice: Bid | Look, objection: str) -> None:
    hand = hand_of(Bidding, apply(start_hand(whole_suits()), LOOK))
    assert hand.objection(choice) == objection + EVERY_BID
    with pytest.raises(IllegalAction) as refused:
        hand.apply(choice)
    assert str(refused.value) == objection + EVERY_BID


@pytest.mark.parametrize(("choice", "said"), [(NUMBERS[3], "3"), (NIL, "nil")])
def test_the_objection_to_a_bid_before_looking_names_the_two_choices(choice: Bid, said: str) -> None:
    hand = hand_of(Bidding, start_hand(whole_suits()))
    assert hand.objection(choice) == (
        f'{said} may not be bid: the cards have not been looked at; the choices are null (look), "blind_nil"'
    )


def test_where_there_is_no_double_nil_the_objection_does_not_speak_of_looking() -> None:
    hand = hand_of(Bidding, start_hand(whole_suits(rules=PLAIN)))
    assert hand.objection(BLIND_NIL).startswith(
        "blind nil may not be bid: there is no such bid by these rules; the choices are 0"
    )
