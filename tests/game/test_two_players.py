"""Two players (section 4): cards are drawn from the stock, a Double Nil bidder replaces some, the rest is as ever."""

from itertools import pairwise

import pytest

from game.build import N, apply, bid, card, cards, hand_of, names_of
from spades_harness.game.bids import BLIND_NIL, BLIND_NUMBERS, LOOK, NIL, NUMBERS, Action, Draw
from spades_harness.game.cards import STANDARD, card_name
from spades_harness.game.deal import permutation, second_order, secret_of_seed
from spades_harness.game.draw import begin_draw
from spades_harness.game.hand import (
    Bidding,
    Deal,
    Drawing,
    Exchanging,
    Finished,
    Hand,
    IllegalAction,
    Playing,
    Totals,
    deal_hand,
)
from spades_harness.game.phase import Pass
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.view import view

RULES = PRESETS["two_player"]
PLAIN = Rules(players=2, blind_nil=False)
KEEP, DISCARD = Draw.KEEP, Draw.DISCARD
SECRET = secret_of_seed(4)


def start(rules: Rules = PLAIN, dealer: int = N) -> Hand:
    """A hand from a stock of 2C 3C … AC 2D … AS, and a second order from AS down."""
    stock = STANDARD.cards
    return begin_draw(Deal(rules, 0, dealer, (0, 0), Totals((0, 0), (0, 0)), stock, stock[::-1]))


def drawing(rules: Rules = PLAIN, dealer: int = N) -> Drawing:
    """The first question of such a hand."""
    return hand_of(Drawing, start(rules, dealer))


def draw_all(hand: Hand, choice: Draw = KEEP) -> Hand:
    """The hand when all cards are drawn in the same way; where a blind bid is asked for, they look."""
    while isinstance(hand, Drawing):
        hand = hand.apply(LOOK if hand.kind == "blind" else choice)
    return hand


def with_bids(rules: Rules, *bids: Action) -> Hand:
    """The hand after all draws and bids: blind ones before the first draw, N being asked first."""
    hand = start(rules)
    for choice in bids:
        hand = apply(hand, choice)
        while isinstance(hand, Drawing) and hand.kind == "draw":
            hand = hand.apply(KEEP)
    return hand


# -------------------------------------------------------------------------------------------------------- the draw


def test_the_first_drawer_is_the_dealer_and_alternates_by_hand() -> None:
    """Section 4, D14."""
    first = [hand_of(Drawing, deal_hand(PLAIN, SECRET, 0, number, Totals((0, 0), (0, 0)))).seat for number in range(4)]
    assert first == [N, 1, N, 1]
    assert deal_hand(PLAIN, SECRET, 3, 0, Totals((0, 0), (0, 0))).deal.dealer == 1


def test_the_stock_is_the_boards_deck_and_the_second_order_another_one() -> None:
    """Section 4."""
    deal = deal_hand(RULES, SECRET, 5, 2, Totals((0, 0), (0, 0))).deal
    assert deal.stock == tuple(STANDARD.cards[place] for place in permutation(SECRET, 5, 2))
    assert deal.second == tuple(STANDARD.cards[place] for place in second_order(SECRET, 5, 2))
    assert (deal.hands, sorted(deal.second)) == ((0, 0), list(STANDARD.cards))


def test_who_keeps_the_top_card_sees_the_next_one_go() -> None:
    """Section 4."""
    before = drawing()
    assert (before.kind, before.seat, before.drawn, before.legal()) == ("draw", N, card("2C"), (KEEP, DISCARD))
    after = hand_of(Drawing, before.apply(KEEP))
    assert (after.hands, after.passes) == ((cards("2C"), 0), (Pass(N, None, cards("3C")),))
    assert (after.seat, after.drawn) == (1, card("4C"))


def test_who_discards_the_top_card_must_keep_the_next() -> None:
    """Section 4."""
    after = hand_of(Drawing, drawing().apply(DISCARD))
    assert (after.hands, after.passes) == ((cards("3C"), 0), (Pass(N, None, cards("2C")),))


def test_they_take_turns_until_both_hold_thirteen() -> None:
    """Section 4: 26 cards stay out."""
    hand, seats = start(), []
    while isinstance(hand, Drawing):
        seats.append(hand.seat)
        hand = hand.apply(KEEP)
    assert seats == [N, 1] * 13
    bidding = hand_of(Bidding, hand)
    assert [held.bit_count() for held in bidding.hands] == [13, 13]
    assert bidding.deal.hands == bidding.hands
    assert sum(one.cards.bit_count() for one in bidding.passes) == 26


def test_the_other_one_bids_first_and_leads() -> None:
    """Section 4."""
    hand = hand_of(Bidding, draw_all(start()))
    assert (hand.seat, hand.leader) == (1, 1)
    playing = hand_of(Playing, apply(hand.apply(bid("4")), NIL))
    assert (playing.seat, playing.bids) == (1, (NIL, bid("4")))


def test_every_number_and_nil_may_be_bid() -> None:
    """Section 4."""
    assert hand_of(Bidding, draw_all(start())).legal() == (NIL, *NUMBERS[1:])


@pytest.mark.parametrize("choice", [LOOK, NIL, NUMBERS[3], card("2C"), BLIND_NIL])
def test_a_draw_is_answered_with_keep_or_discard(choice: Action) -> None:
    """Section 4."""
    hand = drawing()
    assert not hand.allows(choice)
    with pytest.raises(IllegalAction, match=r"a card was drawn \(V20\): keep it or discard it, .* is neither"):
        hand.apply(choice)


# ---------------------------------------------------------------------------------------- blind bids and replaced cards


def test_double_nil_is_declared_before_ones_first_draw() -> None:
    """Section 4: each in his turn."""
    first = drawing(RULES)
    assert (first.kind, first.seat, first.drawn, first.legal()) == ("blind", N, None, (LOOK, BLIND_NIL))
    assert first.objection(KEEP) == (
        'keep may not be bid: the cards have not been looked at; the choices are null (look), "blind_nil"'
    )
    second = apply(first, BLIND_NIL)
    assert (hand_of(Drawing, second).kind, hand_of(Drawing, second).seat) == ("draw", N)
    asked = hand_of(Drawing, apply(second, KEEP))
    assert (asked.kind, asked.seat, asked.bids) == ("blind", 1, (BLIND_NIL, None))


def test_nobody_is_asked_again_after_he_has_drawn() -> None:
    """Section 4."""
    hand = hand_of(Bidding, draw_all(start(RULES)))
    assert (hand.kind, hand.allows(BLIND_NIL)) == ("bid", False)
    assert hand.objection(BLIND_NIL).startswith(
        "blind nil may not be bid: that is bid before looking at the cards (R12)"
    )


def test_a_blind_bid_is_the_bid() -> None:
    """Section 4: only the other one bids after the draw."""
    hand = hand_of(Bidding, with_bids(Rules(players=2, blind_number=6), BLIND_NUMBERS[7], LOOK))
    assert (hand.seat, hand.bids) == (1, (BLIND_NUMBERS[7], None))
    assert isinstance(hand.apply(bid("3")), Playing)


def test_where_everybody_must_bid_double_nil_both_do_before_they_draw() -> None:
    """V8, section 4."""
    rules = Rules(players=2, suicide="all_double_nil")
    assert drawing(rules).legal() == (BLIND_NIL,)
    hand = hand_of(Exchanging, with_bids(rules, BLIND_NIL, BLIND_NIL))
    assert (hand.seat, hand.bids, [giving.giver for giving in hand.queue]) == (1, (BLIND_NIL,) * 2, [1, 0])


def after_double_nil(rules: Rules = RULES) -> Exchanging:
    """N has bid Double Nil and holds 2C 6C TC …, the other one three."""
    return hand_of(Exchanging, apply(with_bids(rules, BLIND_NIL, LOOK), bid("3")))


def test_a_double_nil_bidder_may_throw_up_to_three_cards() -> None:
    """Section 4."""
    hand = after_double_nil()
    assert (hand.seat, hand.give, view(hand).give, len(hand.legal())) == (N, (0, 3), (0, 3), 1 + 13 + 78 + 286)
    assert hand.objection(cards("2C 6C TC AC")) == "0 to 3 cards are to be given (R12), not 4"


def test_thrown_cards_are_replaced_from_the_unused_ones_in_the_second_order() -> None:
    """Section 4: AS and its like are unused, for each second card goes; those in hands are passed over."""
    before = after_double_nil()
    unused = [one for one in before.deal.second if not (before.hands[0] | before.hands[1]) >> one & 1]
    after = hand_of(Playing, before.apply(cards("2C 6C")))
    taken = unused[0], unused[1]
    assert [card_name(one) for one in taken] == ["AS", "QS"]
    assert after.passes[-2:] == (Pass(N, None, cards("2C 6C")), Pass(None, N, cards("AS QS")))
    assert names_of(after.hands[N]) == names_of(before.hands[N]) - {"2C", "6C"} | {"AS", "QS"}
    assert (after.hands[1], after.hands[N].bit_count()) == (before.hands[1], 13)


def test_no_card_at_all_may_be_thrown() -> None:
    """Section 4."""
    before = after_double_nil()
    after = hand_of(Playing, before.apply(0))
    assert (after.hands, after.seat) == (before.hands, 1)


def test_what_one_has_thrown_does_not_come_to_the_other() -> None:
    """Section 4: both bid Double Nil, and replace in bidding order."""
    hand = hand_of(Exchanging, with_bids(RULES, BLIND_NIL, BLIND_NIL))
    thrown = cards("KS 9S 5S")
    second = hand_of(Exchanging, hand.apply(thrown))
    assert (hand.seat, second.seat) == (1, N)
    after = hand_of(Playing, second.apply(cards("2C 6C TC")))
    assert not (after.hands[0] | after.hands[1]) & (thrown | cards("2C 6C TC"))
    assert names_of(after.hands[1] & ~hand.hands[1]) == {"AS", "QS", "TS"}
    assert names_of(after.hands[0] & ~hand.hands[0]) == {"8S", "6S", "4S"}


def test_nothing_is_replaced_for_a_plain_nil_or_where_the_rules_say_none() -> None:
    """Section 4, V7."""
    assert isinstance(apply(apply(draw_all(start()), NIL), NIL), Playing)
    none = Rules(players=2, exchange=0)
    assert isinstance(apply(with_bids(none, BLIND_NIL, LOOK), bid("3")), Playing)


# ----------------------------------------------------------------------------------------------- the play, and the rest


def test_two_cards_are_a_trick_and_the_winner_leads() -> None:
    """R15, R16, section 4: the other one leads clubs, spades are not broken yet."""
    hand = hand_of(Playing, apply(apply(draw_all(start()), bid("3")), bid("3")))
    assert (hand.seat, names_of(hand.legal_cards)) == (1, names_of(hand.hands[1] & ~cards("S:23456789TJQKA")))
    after = hand_of(Playing, apply(hand.apply(card("4C")), card("TC")))
    assert (after.won, after.seat, after.tricks[0].winner) == ((1, 0), N, N)


def test_a_hand_of_two_has_thirteen_tricks_and_is_scored_by_seat() -> None:
    """R19, section 4."""
    hand = apply(apply(draw_all(start()), bid("3")), bid("3"))
    while not hand.over:
        hand = hand.apply(hand.legal()[0])
    finished = hand_of(Finished, hand)
    assert (sum(finished.won), len(finished.tricks)) == (13, 13)
    assert [side.contract for side in finished.scores()] == [3, 3]
    assert all(one.leader == before.winner for before, one in pairwise(finished.tricks))


def test_a_player_sees_what_he_drew_and_what_went_and_nothing_of_the_others_draw() -> None:
    """Section 4, D4: `given` is what he has seen go."""
    seen = view(drawing())
    assert (seen.kind, seen.drawn, seen.hand, seen.given) == ("draw", card("2C"), 0, 0)
    other = view(hand_of(Drawing, drawing().apply(KEEP)))
    assert (other.seat, other.drawn, other.hand, other.given) == (1, card("4C"), 0, 0)
    again = view(hand_of(Drawing, apply(apply(drawing(), KEEP), DISCARD)))
    assert (again.seat, again.drawn, again.hand, again.given) == (N, card("6C"), cards("2C"), cards("3C"))


def test_a_player_sees_what_he_threw_away_and_what_he_got_for_it() -> None:
    """Section 4."""
    hand = hand_of(Playing, after_double_nil().apply(cards("2C 6C")))
    assert (view(hand).seat, view(hand).received) == (1, 0)
    own = view(hand_of(Playing, hand.apply(hand.legal()[0])))
    assert (own.seat, own.received, own.given & cards("2C 6C")) == (N, cards("AS QS"), cards("2C 6C"))


@pytest.mark.parametrize("number", range(4))
def test_how_many_cards_a_double_nil_threw_is_public_and_which_is_not(number: int) -> None:
    """D4."""
    hand = after_double_nil()
    thrown = hand_of(Playing, hand.apply(cards(" ".join(sorted(names_of(hand.hands[hand.seat]))[:number]))))
    seen = view(thrown)
    assert seen.seat != hand.seat
    assert (seen.exchanged[hand.seat], seen.exchanged[seen.seat]) == (number, 0)
    assert not seen.received
