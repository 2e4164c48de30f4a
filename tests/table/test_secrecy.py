"""No byte that is sent to a seat depends on a card that is hidden from it."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from game.permuting import NUMBERS_TO_CHOOSE_BY, permuted, unfinished
from game.rules_by_chance import any_rules
from spades_harness.game.hand import Unfinished
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.view import view
from spades_harness.table.match import HandStart, Request
from spades_harness.table.wire import encode, encode_notice


def sent(hand: Unfinished) -> bytes:
    """What goes to the seat that is to act: the hand's beginning, and the request."""
    deal = hand.deal
    start = encode_notice(HandStart(deal.rules, deal.number + 1, deal.dealer, deal.totals))
    return start + encode(Request(view(hand), 1.0, 60.0), 7)


@given(any_rules(), NUMBERS_TO_CHOOSE_BY, st.integers(0, 99), st.randoms(use_true_random=False))
def test_no_byte_sent_to_a_seat_changes_when_cards_hidden_from_it_are_permuted(
    rules: Rules, numbers: bytes, stream: int, dice: Random
) -> None:
    for hand in list(unfinished(numbers, stream, rules))[:: 1 + numbers[-1] % 5]:
        assert sent(permuted(hand, dice)) == sent(hand)


def test_a_blind_question_holds_no_card_at_all() -> None:
    """D5; V20: nor the card that is to be drawn."""
    for preset in ("classic", "two_player"):
        blind = next(hand for hand in unfinished(bytes(70), 0, PRESETS[preset]) if hand.kind == "blind")
        assert b'"hand":' not in sent(blind)
        assert b'"drawn":' not in sent(blind)
