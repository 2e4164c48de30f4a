"""What a seat sees: its own cards and what is public, and nothing that depends on a card hidden from it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import (
    CLASSIC,
    NOTHING,
    PLAIN,
    E,
    N,
    S,
    W,
    apply,
    bid_all,
    card,
    cards,
    first_trick,
    hand_of,
    playing,
    whole_suits,
)
from game.permuting import NUMBERS_TO_CHOOSE_BY, permuted, unfinished
from spades_harness.game.bids import BLIND_NIL, LOOK, NIL, NUMBERS
from spades_harness.game.cards import STANDARD
from spades_harness.game.hand import (
    Bidding,
    Exchanging,
    Finished,
    Pass,
    Playing,
    Trick,
    start_hand,
)
from spades_harness.game.view import View, view


@given(NUMBERS_TO_CHOOSE_BY, st.integers(0, 99), st.randoms(use_true_random=False))
def test_no_value_that_a_seat_sees_changes_when_hidden_cards_are_permuted(
    numbers: bytes, stream: int, dice: Random
) -> None:
    states = list(unfinished(numbers, stream))
    for hand in [*states[:16], *states[16 :: 1 + numbers[-1] % 5]]:  # bidding and exchange whole, of the play a sample
        assert view(permuted(hand, dice)) == view(hand)


@given(NUMBERS_TO_CHOOSE_BY, st.integers(0, 99), st.randoms(use_true_random=False))
def test_no_objection_changes_when_hidden_cards_are_permuted(numbers: bytes, stream: int, dice: Random) -> None:
    """What a bot is told of its illegal card is a channel like any other."""
    playing_states = [hand for hand in unfinished(numbers, stream) if isinstance(hand, Playing)]
    for hand in playing_states[:: 1 + numbers[-1] % 17]:
        there = permuted(hand, dice)
        illegal = [one for one in STANDARD.cards if not hand.allows(one)]
        assert [there.objection(one) for one in illegal] == [hand.objection(one) for one in illegal]


def test_permuting_hidden_cards_does_change_hands() -> None:
    """Else the tests above would prove nothing."""
    hand = hand_of(Playing, bid_all(whole_suits(rules=PLAIN), "3 3 3 3"))
    other = permuted(hand, Random(1))
    assert other.hands[hand.seat] == hand.hands[hand.seat]
    assert other.hands != hand.hands


@given(NUMBERS_TO_CHOOSE_BY, st.integers(0, 99))
def test_a_seat_sees_the_whole_truth_of_what_is_public(numbers: bytes, stream: int) -> None:
    for hand in unfinished(numbers, stream):
        seen = view(hand)
        assert (seen.rules, seen.seat, seen.kind, seen.dealer) == (CLASSIC, hand.seat, hand.kind, hand.deal.dealer)
        assert (seen.scores, seen.bags) == ((120, -35), (4, 9))
        assert (seen.bids, seen.tricks) == (hand.bids, hand.tricks)
        assert sum(seen.won) == len(seen.tricks)
        assert seen.hand is None if hand.kind == "blind" else seen.hand == hand.hands[hand.seat]
        assert seen.legal == (() if hand.kind == "exchange" else hand.legal())


# --------------------------------------------------------------------------------------------------- phase by phase


def test_no_card_is_shown_while_the_blind_question_is_open() -> None:
    """D5."""
    seen = view(hand_of(Bidding, start_hand(whole_suits())))
    assert (seen.kind, seen.hand, seen.legal) == ("blind", None, (LOOK, BLIND_NIL))


def test_who_looks_sees_his_cards() -> None:
    """D5."""
    seen = view(hand_of(Bidding, apply(start_hand(whole_suits()), LOOK)))
    assert (seen.kind, seen.hand, seen.legal) == ("bid", cards("S:23456789TJQKA"), (NIL, *NUMBERS[1:]))


def test_a_bidder_sees_the_bids_before_his_and_the_seat_that_will_lead() -> None:
    seen = view(hand_of(Bidding, bid_all(whole_suits(dealer=N, rules=PLAIN), "4 Nil")))
    assert (seen.seat, seen.leader, seen.bids) == (W, E, (None, NUMBERS[4], NIL, None))
    assert (seen.won, seen.trick, seen.tricks, seen.broken, seen.give) == ((0, 0, 0, 0), (), (), False, (0, 0))


def test_a_seat_that_is_to_give_is_told_how_many_and_no_list_of_286() -> None:
    seen = view(hand_of(Exchanging, bid_all(whole_suits(), "DN 3 3 3")))
    assert (seen.kind, seen.give, seen.legal, seen.seat) == ("exchange", (3, 3), (), N)


def test_the_partner_sees_what_he_received_before_he_gives() -> None:
    """D2."""
    hand = hand_of(Exchanging, bid_all(whole_suits(), "DN 3 3 3"))
    seen = view(hand_of(Exchanging, hand.apply(cards("AS KS QS"))))
    assert (seen.seat, seen.received, seen.given) == (S, cards("AS KS QS"), 0)
    assert seen.hand == cards("D:23456789TJQKA S:AKQ")


def test_the_other_side_does_not_see_the_cards_that_were_exchanged() -> None:
    """D4."""
    hand = hand_of(Exchanging, bid_all(whole_suits(), "DN DN 3 3"))
    hand = hand_of(Exchanging, hand.apply(cards("AS KS QS")))
    seen = view(hand_of(Exchanging, hand.apply(cards("2D 3D 4D"))))
    assert (seen.seat, seen.given, seen.received, seen.hand) == (E, 0, 0, cards("H:23456789TJQKA"))


def test_a_player_sees_the_table_the_tricks_and_what_each_seat_has_taken() -> None:
    hand = playing(first_trick("2H 3D", "3H 4D", "AH 5D", "5H 2S"), "2H 3H AH 5H 5D")
    seen = view(hand)
    assert (seen.kind, seen.seat, seen.leader, seen.won) == ("play", W, S, (0, 0, 1, 0))
    assert (seen.trick, seen.hand, seen.legal) == ((card("5D"),), cards("2S"), (card("2S"),))
    assert seen.tricks == (Trick(N, tuple(card(name) for name in ("2H", "3H", "AH", "5H")), S),)
    assert (seen.broken, view(playing(hand, "2S")).broken) == (False, True)


def test_a_view_has_no_way_to_the_hands_behind_it() -> None:
    """Every part of it is a number, a name, or a tuple of such; none is a hand in any phase."""
    seen = view(hand_of(Playing, bid_all(whole_suits(rules=PLAIN), "3 3 3 3")))
    assert not any(isinstance(part, Bidding | Exchanging | Playing | Finished | Pass) for part in seen)
    with pytest.raises(AttributeError):
        seen.hand = 0  # type: ignore[misc]
    assert set(View._fields).isdisjoint({"hands", "deal", "passes", "secret", "stream"})
    assert seen.scores == NOTHING.scores
