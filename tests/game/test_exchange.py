"""The exchange beside a Double Nil: who gives first, what may be given, who learns what."""

from itertools import product

import pytest

from game.build import CLASSIC, E, N, S, W, apply, bid_all, card, cards, deal, hand_of, names_of, playing, whole_suits
from spades_harness.game.bids import LOOK, NIL, Action
from spades_harness.game.hand import Deal, Exchanging, Hand, IllegalAction, Pass, Playing, start_hand
from spades_harness.game.rules import Rules
from spades_harness.game.view import view

# Bids of N, E, S, W when N bids first, and who gives to whom in which order.
ORDERS = """
3  3  3  3  :
DN 3  3  3  : NS SN
3  DN 3  3  : EW WE
3  3  DN 3  : SN NS
3  3  3  DN : WE EW
DN DN 3  3  : NS SN EW WE
DN 3  3  DN : NS SN WE EW
3  DN DN 3  : SN NS EW WE
3  3  DN DN : SN NS WE EW
DN 3  DN 3  :
3  DN 3  DN :
DN DN DN 3  : EW WE
DN 3  DN DN : WE EW
DN DN 3  DN : NS SN
3  DN DN DN : SN NS
DN DN DN DN :
"""


def rows() -> list[tuple[str, str]]:
    """Bids and order of giving, row by row."""
    return [
        (bids.strip(), order.strip())
        for bids, _, order in (line.partition(":") for line in ORDERS.strip().splitlines())
    ]


def givers(hand: Hand) -> list[tuple[int | None, int | None]]:
    """(giver, receiver) in order, where everybody gives his lowest cards."""
    while isinstance(hand, Exchanging):
        hand = hand.apply(hand.legal()[0])
    return [(given.giver, given.receiver) for given in hand_of(Playing, hand).passes]


def test_every_combination_of_double_nils_has_its_row() -> None:
    assert {tuple(bids.split()) for bids, _ in rows()} == set(product(("3", "DN"), repeat=4))


@pytest.mark.parametrize(("bids", "order"), rows())
@pytest.mark.parametrize("dealer", range(4))
def test_sides_exchange_in_bidding_order_and_the_bidder_gives_first(dealer: int, bids: str, order: str) -> None:
    """D1, D2, R13: by dealer, seats turn with him."""
    turn = dealer + 1
    expected = [tuple(("NESW".index(seat) + turn) % 4 for seat in pair) for pair in order.split()]
    assert givers(bid_all(whole_suits(dealer), bids)) == expected


def test_double_nil_beside_nil_is_exchanged_too() -> None:
    """D3."""
    assert givers(bid_all(whole_suits(), "DN 3 Nil 3")) == [(N, S), (S, N)]
    assert givers(bid_all(whole_suits(), "Nil 3 DN 3")) == [(S, N), (N, S)]


def test_a_plain_nil_is_not_exchanged() -> None:
    assert givers(bid_all(whole_suits(), "Nil Nil Nil Nil")) == []


def test_cards_are_exchanged_after_the_last_bid_and_before_the_first_lead() -> None:
    """D1."""
    bidding = bid_all(whole_suits(), "DN 3 3")
    exchanging = hand_of(Exchanging, bid_all(whole_suits(), "DN 3 3 3"))
    assert bidding.passes == ()
    assert (exchanging.seat, exchanging.tricks) == (N, ())


def exchange(deal_: Deal, bids: str, *gifts: str) -> Hand:
    """The hand after these bids and gifts."""
    hand = bid_all(deal_, bids)
    for gift in gifts:
        hand = apply(hand, cards(gift))
    return hand


def test_three_cards_change_hands_each_way() -> None:
    """R12: the bidder gives, then the partner gives as many back."""
    hand = hand_of(Playing, exchange(whole_suits(), "DN 3 3 3", "AS KS QS", "2D 3D 4D"))
    assert names_of(hand.hands[N]) == names_of(cards("S:23456789TJ D:234"))
    assert names_of(hand.hands[S]) == names_of(cards("D:56789TJQKA S:AKQ"))
    assert hand.passes == (Pass(N, S, cards("AS KS QS")), Pass(S, N, cards("2D 3D 4D")))


def test_the_partner_receives_before_he_chooses_and_may_give_a_received_card_back() -> None:
    """D2."""
    hand = hand_of(Exchanging, exchange(whole_suits(), "DN 3 3 3", "AS KS QS"))
    assert (hand.seat, hand.hands[S]) == (S, cards("D:23456789TJQKA S:AKQ"))
    after = hand_of(Playing, hand.apply(cards("AS KS 2D")))
    assert names_of(after.hands[N]) == names_of(cards("S:23456789TJKA D:2"))


def test_cards_that_change_hands_are_the_same_52_still() -> None:
    hand = hand_of(Playing, exchange(whole_suits(), "DN DN 3 3", "AS KS QS", "AS KS QS", "2H 3H 4H", "2C 3C 2H"))
    assert sum(hand.hands) == sum(hand.deal.hands)
    assert [held.bit_count() for held in hand.hands] == [13] * 4


def test_the_deal_keeps_the_cards_as_they_were_dealt() -> None:
    before = whole_suits()
    assert exchange(before, "DN 3 3 3", "AS KS QS", "2D 3D 4D").deal == before


@pytest.mark.parametrize(("due", "choices"), [(1, 13), (2, 78), (3, 286), (4, 715)])
def test_every_set_of_so_many_own_cards_may_be_given(due: int, choices: int) -> None:
    hand = hand_of(Exchanging, bid_all(whole_suits(rules=Rules(exchange=due)), "DN 3 3 3"))
    legal = hand.legal()
    assert len(set(legal)) == choices
    assert all(hand.allows(gift) for gift in legal)


def test_no_cards_are_exchanged_where_the_rules_say_none() -> None:
    assert givers(bid_all(whole_suits(rules=Rules(exchange=0)), "DN 3 3 3")) == []


@pytest.mark.parametrize(
    ("gift", "objection"),
    [
        (cards("AS KS"), "exactly 3 cards are to be given (R12), not 2"),
        (cards("AS KS QS JS"), "exactly 3 cards are to be given (R12), not 4"),
        (0, "exactly 3 cards are to be given (R12), not 0"),
        (cards("AS KS 2D"), "only cards of your own hand may be given (R12): 2D not in it"),
        (cards("AS KC 2D QS"), "only cards of your own hand may be given (R12): 2D, KC not in it"),
        (LOOK, "a set of 3 cards is to be given (R12)"),
        (NIL, "a set of 3 cards is to be given (R12)"),
        (-1, "a set of 3 cards is to be given (R12)"),
        (1 << 60 | cards("AS KS"), "a set of 3 cards is to be given (R12)"),
    ],
)
def test_what_may_not_be_given_is_refused_in_words(gift: Action, objection: str) -> None:
    hand = hand_of(Exchanging, bid_all(whole_suits(), "DN 3 3 3"))
    assert not hand.allows(gift)
    assert hand.objection(gift) == objection
    with pytest.raises(IllegalAction) as refused:
        hand.apply(gift)
    assert str(refused.value) == objection


def test_a_card_that_was_given_away_cannot_be_played() -> None:
    hand = hand_of(Playing, exchange(whole_suits(), "DN 3 3 3", "AS KS QS", "2D 3D 4D"))
    assert hand.objection(card("AS")) == "you gave AS to your partner"
    assert hand.objection(card("5D")) == "5D is not in your hand"
    assert (
        playing(hand, "2D").objection(card("AS")) == "AS is not in your hand"
    )  # what another gave away is no business of E
    assert hand.allows(card("2D"))


def test_a_card_that_came_back_can_be_played() -> None:
    hand = hand_of(Playing, exchange(whole_suits(), "DN 3 3 3", "AS KS QS", "QS 3D 4D"))
    assert names_of(hand.hands[N]) >= {"QS", "3D", "4D"}


def test_the_giver_knows_what_he_gave_and_received_and_everybody_else_only_the_bids() -> None:
    """D4: the number is public by the rules; the cards are known to the two partners."""
    hand = hand_of(Playing, exchange(whole_suits(), "DN 3 3 3", "AS KS QS", "2D 3D 4D"))
    gave = view(hand)
    assert (names_of(gave.given), names_of(gave.received)) == ({"AS", "KS", "QS"}, {"2D", "3D", "4D"})
    stranger = view(hand_of(Playing, hand.apply(card("2D"))))
    assert (stranger.seat, stranger.given, stranger.received) == (E, 0, 0)


def test_partners_short_of_a_hand_of_13_exchange_all_the_same() -> None:
    """A position set up by hand."""
    start = deal("AS KS QS", "2H 3H 4H", "2D 3D 4D", "2C 3C 4C", rules=CLASSIC)
    hand = hand_of(Playing, exchange(start, "DN 3 3 3", "AS KS QS", "AS KS QS"))
    assert hand.hands == start.hands
    assert start_hand(start).deal.dealer == W


# ------------------------------------------------------------------------------------------ V7, the options of it

NIL_ORDERS = [
    ("Nil 3 3 3", "NS SN"),
    ("3 3 Nil 3", "SN NS"),
    ("Nil 3 Nil 3", "NS SN"),  # both are entitled: the first to have bid gives first
    ("Nil 3 DN 3", "NS SN"),
    ("DN 3 Nil 3", "NS SN"),
    ("DN 3 DN 3", ""),  # only Double Nil beside Double Nil excludes it
    ("3 Nil 3 DN", "EW WE"),
    ("DN Nil DN 3", "EW WE"),
    ("3 Nil Nil 3", "SN NS EW WE"),
]


@pytest.mark.parametrize(("bids", "order"), NIL_ORDERS)
def test_cards_are_exchanged_for_a_plain_nil_too_where_the_rules_say_so(bids: str, order: str) -> None:
    """V7, D2, D3."""
    expected = [tuple("NESW".index(seat) for seat in pair) for pair in order.split()]
    assert givers(bid_all(whole_suits(rules=Rules(nil_exchange=True)), bids)) == expected


def test_without_double_nil_a_plain_nil_may_be_exchanged_for() -> None:
    """V7."""
    rules = Rules(nil_exchange=True, blind_nil=False, exchange=1)
    hand = hand_of(Exchanging, bid_all(whole_suits(rules=rules), "Nil 3 3 3"))
    assert (hand.give, len(hand.legal())) == ((1, 1), 13)


def test_a_zero_bid_is_not_exchanged_for() -> None:
    """V6, V7."""
    rules = Rules(nil_exchange=True, zero="plain")
    assert givers(bid_all(whole_suits(rules=rules), "zero 3 zero 3")) == []


def test_of_suicides_four_double_nils_nobody_exchanges() -> None:
    """R13, V8."""
    assert givers(bid_all(whole_suits(rules=Rules(suicide="all_double_nil")), "DN DN DN DN")) == []
