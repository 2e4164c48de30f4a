"""What each option of the play makes legal: when spades may be led or thrown, decks with jokers, each for himself."""

from itertools import pairwise

import pytest

from game.build import E, N, S, W, card, first_trick, hand_of, legal_names, play, playing
from spades_harness.game.cards import JOKERS, JOKERS_DEUCES, STANDARD, Deck, card_names, cards_of
from spades_harness.game.hand import Finished, Playing
from spades_harness.game.rules import Rules


def rules_with(**changes: str | bool) -> Rules:
    """`classic` without Double Nil and with these options."""
    return Rules(blind_nil=False, **changes)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------- V15, leading spades

SECOND_LEAD = ("AH 2S 3D", "KH 3S 4D", "QH 4S 5D", "JH 5S 6D")
"""N wins the first trick with a heart, and has a spade and a diamond left."""


@pytest.mark.parametrize(
    ("when", "first", "second"),
    [
        ("broken", {"AH", "3D"}, {"3D"}),
        ("any", {"AH", "2S", "3D"}, {"2S", "3D"}),
        ("not_first", {"AH", "3D"}, {"2S", "3D"}),
    ],
)
def test_spades_may_be_led_when_the_rules_say(when: str, first: set[str], second: set[str]) -> None:
    """R17, V15."""
    hand = first_trick(*SECOND_LEAD, rules=rules_with(lead_spades=when))
    assert legal_names(hand) == first
    later = playing(hand, "AH KH QH JH")
    assert (later.seat, later.broken, legal_names(later)) == (N, False, second)


@pytest.mark.parametrize("when", ["broken", "any", "not_first"])
def test_who_holds_only_spades_may_lead_one_to_the_first_trick_too(when: str) -> None:
    """R17, V15."""
    hand = first_trick("AS KS", "2H 3H", "4H 5H", "6H 7H", rules=rules_with(lead_spades=when))
    assert legal_names(hand) == {"AS", "KS"}


def test_who_may_not_lead_spades_is_told_the_rule_that_applies() -> None:
    """R17, V15."""
    for when, rule in (
        ("broken", "spades are not broken (R17)"),
        ("not_first", "spades may not be led to the first trick (V15)"),
    ):
        hand = first_trick(*SECOND_LEAD, rules=rules_with(lead_spades=when))
        assert hand.objection(card("2S")) == f"{rule}: 2S may not be led while you hold another suit"


# ------------------------------------------------------------------------- V19, spades thrown on the first trick

VOID = ("9C 2C", "AS 5H", "3C 3D", "4C 4D")
"""E cannot follow the first lead."""


@pytest.mark.parametrize(("allowed", "legal"), [(True, {"AS", "5H"}), (False, {"5H"})])
def test_a_spade_may_be_thrown_on_the_first_trick_where_the_rules_allow_it(allowed: bool, legal: set[str]) -> None:
    """R18, V19."""
    hand = playing(first_trick(*VOID, rules=rules_with(first_trick_spades=allowed)), "9C")
    assert (hand.seat, legal_names(hand)) == (E, legal)


def test_who_holds_only_spades_throws_one_on_the_first_trick_all_the_same() -> None:
    """V19: there is always a legal card, and the spade breaks them."""
    hand = playing(first_trick("9C 2C", "AS KS", "3C 3D", "4C 4D", rules=rules_with(first_trick_spades=False)), "9C")
    assert legal_names(hand) == {"AS", "KS"}
    assert playing(hand, "AS").broken


def test_spades_that_are_led_are_followed_on_the_first_trick_too() -> None:
    """R15, V15, V19: to follow is not to throw."""
    rules = rules_with(first_trick_spades=False, lead_spades="any")
    hand = playing(first_trick("9S 2C", "AS 5H", "3C 3D", "4S 4D", rules=rules), "9S")
    assert legal_names(hand) == {"AS"}


def test_from_the_second_trick_on_spades_may_be_thrown_whatever_the_rules() -> None:
    """V19."""
    rules = rules_with(first_trick_spades=False)
    hand = playing(first_trick("9C 2C", "8C AS", "7C 3D", "4C 4D", rules=rules), "9C 8C 7C 4C 2C")
    assert legal_names(hand) == {"AS"}
    wide = playing(first_trick("9C 2C 3C", "8C AS 5H", "7C 3D 4D", "4C 5D 6D", rules=rules), "9C 8C 7C 4C 2C")
    assert legal_names(wide) == {"AS", "5H"}


def test_who_may_not_throw_a_spade_is_told_why() -> None:
    """V19."""
    hand = playing(first_trick(*VOID, rules=rules_with(first_trick_spades=False)), "9C")
    said = "no spade may be thrown on the first trick (V19): AS has to wait while you hold another suit"
    assert hand.objection(card("AS")) == said


# ------------------------------------------------------------------------------------------------------- V16, the decks

SPADES_DOWN = {
    "standard": "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
    "jokers": "BJ LJ AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S",
    "jokers_deuces": "BJ LJ 2D 2S AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S",
}
"""V16: from the highest down."""


@pytest.mark.parametrize(
    ("deck", "missing"), [(STANDARD, set()), (JOKERS, {"2H", "2C"}), (JOKERS_DEUCES, {"2H", "2C"})]
)
def test_a_deck_has_52_cards(deck: Deck, missing: set[str]) -> None:
    """R2, V16."""
    everything = {rank + suit for rank in "23456789TJQKA" for suit in "CDHS"} | {"BJ", "LJ"}
    assert len(deck.cards) == len(set(deck.cards)) == 52
    assert set(deck.by_name) == everything - (missing or {"BJ", "LJ"})


@pytest.mark.parametrize("deck", SPADES_DOWN)
def test_of_two_spades_the_higher_one_wins(deck: str) -> None:
    """R16, V16: every pair of neighbours, in both orders."""
    names = SPADES_DOWN[deck].split()
    for higher, lower in pairwise(names):
        for trick, winner in (((higher, lower), N), ((lower, higher), E)):
            hands = [*trick, "3H", "3C"]
            finished = play(first_trick(*hands, rules=rules_with(deck=deck)), " ".join(hands))
            assert hand_of(Finished, finished).tricks[0].winner == winner, f"{higher} over {lower}"


@pytest.mark.parametrize("deck", SPADES_DOWN)
def test_a_hand_is_shown_with_its_spades_first_and_the_highest_first(deck: str) -> None:
    """V16."""
    held = cards_of(rules_with(deck=deck).cards.cards)
    assert " ".join(card_names(held)).startswith(SPADES_DOWN[deck])


@pytest.mark.parametrize("added", ["BJ", "LJ", "2D", "2S"])
def test_an_added_spade_follows_and_must_follow_spades(added: str) -> None:
    """R15, V16."""
    rules = rules_with(deck="jokers_deuces", lead_spades="any")
    hand = playing(first_trick("5S 3C", f"{added} AD", "3H 4H", "5H 6H", rules=rules), "5S")
    assert {*card_names(hand.legal_cards)} == {added}
    led = playing(first_trick(f"{added} 3C", "5S AD", "3H 4H", "5H 6H", rules=rules), added)
    assert {*card_names(led.legal_cards)} == {"5S"}


def test_a_high_deuce_of_diamonds_does_not_follow_diamonds() -> None:
    """V16."""
    hand = playing(first_trick("5D 3C", "2D 4C", "3H 4H", "5H 6H", rules=rules_with(deck="jokers_deuces")), "5D")
    assert legal_names(hand) == {"2D", "4C"}
    plain = playing(first_trick("5D 3C", "2D 4C", "3H 4H", "5H 6H", rules=rules_with(deck="jokers")), "5D")
    assert {*card_names(plain.legal_cards)} == {"2D"}


@pytest.mark.parametrize("added", ["BJ", "LJ", "2D", "2S"])
def test_an_added_spade_breaks_spades_and_may_not_be_led_before(added: str) -> None:
    """R17, V16."""
    rules = rules_with(deck="jokers_deuces")
    start = first_trick(f"{added} AC", "5D 3D", "3C 4H", "5H 6H", rules=rules)
    assert {*card_names(start.legal_cards)} == {"AC"}
    thrown = playing(first_trick("AC 5C", f"{added} 3D", "3C 4H", "5H 6H", rules=rules), f"AC {added}")
    assert thrown.broken


# ------------------------------------------------------------------------------------------------ V18, each for himself


def test_each_for_himself_every_seat_takes_its_own_tricks() -> None:
    """V18: the play is that of partners."""
    hand = first_trick("2H 3D", "3H 4D", "AH 5D", "5H 6D", rules=Rules(cutthroat=True, blind_nil=False))
    finished = hand_of(Finished, play(hand, "2H 3H AH 5H 5D 6D 3D 4D"))
    assert (finished.won, [side.taken for side in finished.scores()]) == ((0, 0, 1, 1), [0, 0, 1, 1])
    assert [side.contract for side in finished.scores()] == [3, 3, 3, 3]


def test_each_for_himself_nobody_exchanges_cards() -> None:
    """V7, V18: there is no partner to give to."""
    hand = first_trick("2H", "3H", "AH", "5H", rules=Rules(cutthroat=True), bids="DN 3 DN DN")
    assert isinstance(hand, Playing)
    assert (hand.passes, hand.seat) == ((), N)
    assert {S, W} <= {seat for seat, one in enumerate(hand.bids) if one.is_nil}
