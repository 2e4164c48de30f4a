"""What a seat sees: its own cards and what is public, and nothing that depends on a card hidden from it."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.build import (
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
from game.permuting import NUMBERS_TO_CHOOSE_BY, permuted, some_totals, unfinished
from game.rules_by_chance import any_rules
from spades_harness.game.bids import BLIND_NIL, BLIND_NUMBERS, LOOK, NIL, NUMBERS, ZERO, Action, Draw
from spades_harness.game.hand import (
    Bidding,
    Exchanging,
    Finished,
    Pass,
    Playing,
    Trick,
    start_hand,
)
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.view import View, view

CHOICES: tuple[Action, ...] = (LOOK, NIL, BLIND_NIL, ZERO, *NUMBERS, *BLIND_NUMBERS, *Draw)


OPEN_EXCHANGE = Rules(preset="exchange", nil_exchange=True, zero="plain", blind_number=6)
"""More exchanges than any preset has."""
EVERY_WAY = [*PRESETS.values(), OPEN_EXCHANGE, Rules(preset="replaced", players=2, suicide="all_double_nil")]


@pytest.mark.parametrize("rules", EVERY_WAY, ids=lambda rules: rules.preset)
@settings(max_examples=settings().max_examples // 4)
@given(numbers=NUMBERS_TO_CHOOSE_BY, stream=st.integers(0, 99), dice=st.randoms(use_true_random=False))
def test_no_value_that_a_seat_sees_changes_when_hidden_cards_are_permuted(
    rules: Rules, numbers: bytes, stream: int, dice: Random
) -> None:
    """In every phase: the draw, the bids, the exchange and the play."""
    states = list(unfinished(numbers, stream, rules))
    before_play = [hand for hand in states if hand.kind != "play"]
    for hand in [*before_play, *states[len(before_play) :: 1 + numbers[-1] % 5]]:  # of the play a sample
        assert view(permuted(hand, dice)) == view(hand)


@pytest.mark.parametrize("rules", EVERY_WAY, ids=lambda rules: rules.preset)
@settings(max_examples=settings().max_examples // 4)
@given(numbers=NUMBERS_TO_CHOOSE_BY, stream=st.integers(0, 99), dice=st.randoms(use_true_random=False))
def test_no_objection_changes_when_hidden_cards_are_permuted(
    rules: Rules, numbers: bytes, stream: int, dice: Random
) -> None:
    """What a bot is told of its illegal action is a channel like any other."""
    for hand in list(unfinished(numbers, stream, rules))[:: 1 + numbers[-1] % 7]:
        there = permuted(hand, dice)
        illegal = [one for one in (*CHOICES, *rules.cards.cards) if not hand.allows(one)]
        assert [there.objection(one) for one in illegal] == [hand.objection(one) for one in illegal]


def test_every_phase_comes_up_in_the_hands_that_are_permuted() -> None:
    """Else the tests above would prove less than they say."""
    numbers = bytes([1] * 70)
    kinds = {hand.kind for rules in EVERY_WAY for hand in unfinished(numbers, 0, rules)}
    assert kinds == {"blind", "draw", "bid", "exchange", "play"}


def test_permuting_hidden_cards_does_change_hands() -> None:
    """Else the tests above would prove nothing."""
    hand = hand_of(Playing, bid_all(whole_suits(rules=PLAIN), "3 3 3 3"))
    other = permuted(hand, Random(1))
    assert other.hands[hand.seat] == hand.hands[hand.seat]
    assert other.hands != hand.hands


@given(any_rules(), NUMBERS_TO_CHOOSE_BY, st.integers(0, 99))
def test_a_seat_sees_the_whole_truth_of_what_is_public(rules: Rules, numbers: bytes, stream: int) -> None:
    for hand in unfinished(numbers, stream, rules):
        seen = view(hand)
        assert (seen.rules, seen.seat, seen.kind, seen.dealer) == (rules, hand.seat, hand.kind, hand.deal.dealer)
        assert (seen.scores, seen.bags) == some_totals(rules)
        assert (seen.bids, seen.tricks, seen.drawn, seen.give) == (hand.bids, hand.tricks, hand.drawn, hand.give)
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
