"""Cards as bits: names, suits, strength, sets, decks."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import card, cards
from spades_harness.game.cards import (
    BIG_JOKER,
    EVERY_CARD,
    HIGH_TWO_D,
    HIGH_TWO_S,
    LITTLE_JOKER,
    SPADES,
    STANDARD,
    SUIT_MASK,
    SUIT_OF,
    Suit,
    card_name,
    card_names,
    cards_of,
    iterate,
    show_card,
    strength,
)

sets_of_cards = st.sets(st.integers(0, BIG_JOKER))


def test_the_standard_deck_has_52_cards_from_the_deuce_of_clubs_to_the_ace_of_spades() -> None:
    """R2, and the order that deals are a permutation of."""
    names = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    assert [card_name(one) for one in STANDARD.cards] == names
    assert list(STANDARD.by_name) == names


def test_every_card_of_the_deck_is_read_by_the_name_that_it_is_written_with() -> None:
    assert all(STANDARD.by_name[card_name(one)] == one for one in STANDARD.cards)


def test_the_ace_is_high_and_the_deuce_low_in_each_suit() -> None:
    """R2."""
    for suit in "CDHS":
        ranked = sorted((card(rank + suit) for rank in "A23456789TJQK"), key=strength)
        assert [card_name(one)[0] for one in ranked] == list("23456789TJQKA")


def test_strength_counts_from_the_deuce_of_the_suit() -> None:
    assert [strength(card(name)) for name in ("2C", "2S", "TH", "AD")] == [0, 0, 8, 12]


def test_spades_lie_above_all_other_suits() -> None:
    """So the highest bit of a trick's spades and led cards is its winner."""
    assert min(iterate(SPADES)) > max(iterate(EVERY_CARD & ~SPADES))


def test_the_suits_share_out_every_card() -> None:
    assert [mask.bit_count() for mask in SUIT_MASK] == [13, 13, 13, 17]
    assert sum(SUIT_MASK) == EVERY_CARD
    assert all(SUIT_MASK[suit] >> one & 1 for one, suit in enumerate(SUIT_OF))


def test_the_trumps_that_some_decks_add_are_spades_above_the_ace() -> None:
    added = [HIGH_TWO_S, HIGH_TWO_D, LITTLE_JOKER, BIG_JOKER]
    assert [card_name(one) for one in added] == ["2S", "2D", "LJ", "BJ"]
    assert added == sorted(added)
    assert card("AS") < added[0]
    assert {SUIT_OF[one] for one in added} == {Suit.SPADES}
    assert [strength(one) for one in added] == [13, 14, 15, 16]


def test_any_set_of_cards_fits_a_signed_integer_of_64_bits() -> None:
    assert EVERY_CARD.bit_length() <= 63


@given(sets_of_cards)
def test_a_set_gives_back_its_cards_in_rising_order(chosen: set[int]) -> None:
    assert list(iterate(cards_of(chosen))) == sorted(chosen)


def test_a_set_is_named_as_a_player_sorts_it() -> None:
    assert card_names(cards("2C AC 3D KH TS AS 9S")) == ("AS", "TS", "9S", "KH", "3D", "AC", "2C")
    assert card_names(0) == ()


@pytest.mark.parametrize(
    ("one", "symbols", "letters"),
    [
        (card("TS"), "T♠", "TS"),
        (card("2H"), "2♥", "2H"),
        (HIGH_TWO_D, "2♦", "2D"),
        (BIG_JOKER, "BJ", "BJ"),
        (LITTLE_JOKER, "LJ", "LJ"),
    ],
)
def test_a_card_is_shown_with_its_symbol_or_with_letters_where_there_are_none(
    one: int, symbols: str, letters: str
) -> None:
    assert show_card(one) == symbols
    assert show_card(one, symbols=False) == letters


def test_a_suit_knows_its_letter_its_symbol_and_its_word() -> None:
    assert [(suit.letter, suit.symbol, suit.word) for suit in Suit] == [
        ("C", "♣", "clubs"),
        ("D", "♦", "diamonds"),
        ("H", "♥", "hearts"),
        ("S", "♠", "spades"),
    ]


def test_a_deck_travels_to_a_worker_unchanged() -> None:
    assert pickle.loads(pickle.dumps(STANDARD)) == STANDARD
