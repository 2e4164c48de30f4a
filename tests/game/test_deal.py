"""The deal: frozen by vectors, worked out again the slow way, fair by count."""

import hashlib
import hmac
from collections import Counter
from fractions import Fraction

import pytest

from game.build import CLASSIC, NOTHING, PLAIN, hand_of
from spades_harness.game.cards import JOKERS, JOKERS_DEUCES, STANDARD, Deck, card_name, card_names, cards_of
from spades_harness.game.deal import (
    SECRET_BYTES,
    _below,
    bot_seed,
    commitment,
    drawn_for_partners,
    match_tag,
    permutation,
    second_order,
    secret_of_seed,
)
from spades_harness.game.hand import Bidding, Totals, deal_hand
from spades_harness.game.rules import Rules

SECRET = secret_of_seed(2026)
ZERO = bytes(SECRET_BYTES)

VECTORS = [
    (
        ZERO,
        0,
        0,
        """
        TC 2S 2H TS TH 2D KC 6S 2C 5H AC QS 4C
        JC 4D 5D 8C 9S 5S AH KH 7C 7D KS 3H KD
        6H 5C TD QD AD QC 3D 8S JS 8H 9C 4H 4S
        JD 9H JH 7H 8D QH 3C 6D 6C 7S AS 9D 3S
        """,
    ),
    (
        SECRET,
        12345,
        17,
        """
        TH 9H 3D 8H QS 5S 7S 3H AC 9D AH 6S 3S
        KS 2D JC 4S 6C QC 6D 2H 4C 4H KH AD TC
        TD 7C 3C JS JD 9S 5H 8D QD QH 8S 7H 9C
        KC 7D TS JH KD 5C 2C 8C 4D AS 5D 2S 6H
        """,
    ),
]
"""Secret, board stream, hand, and the shuffled cards: 13 to N, to E, to S, to W. More of them stand in
`protocol/DEALS.md`."""


def slow_shuffle(secret: bytes, stream: int, hand: int, size: int, label: bytes = b"deal") -> list[int]:
    """The shuffle once more, with one long number for the words and exact fractions for the bounds."""
    start = b"spades-harness/" + label + b"/1\x00" + secret + stream.to_bytes(8, "big") + hand.to_bytes(8, "big")
    key = hashlib.sha256(start).digest()
    digits = "".join(hashlib.sha256(key + counter.to_bytes(8, "big")).hexdigest() for counter in range(40))
    words = [int(digits[place : place + 8], 16) for place in range(0, len(digits), 8)]
    cards = list(range(size))
    for choices in range(size, 1, -1):
        word = words.pop(0)
        while Fraction(word, 2**32) >= Fraction(2**32 // choices * choices, 2**32):
            word = words.pop(0)
        top, chosen = choices - 1, word % choices
        cards[top], cards[chosen] = cards[chosen], cards[top]
    return cards


@pytest.mark.parametrize(("secret", "stream", "hand", "cards"), VECTORS)
def test_deals_are_frozen(secret: bytes, stream: int, hand: int, cards: str) -> None:
    order = [STANDARD.by_name[name] for name in cards.split()]
    assert [STANDARD.cards[place] for place in permutation(secret, stream, hand)] == order


def test_a_seed_stands_for_a_frozen_secret() -> None:
    assert SECRET.hex() == "e7b30ca7653f67f081b87fc1630c62c75fcbe63d6cc52caa782625c5c0f7560c"
    assert secret_of_seed("2026") == SECRET
    assert secret_of_seed("Größe") == hashlib.sha256("spades-harness/seed/1\0Größe".encode()).digest()


def test_commitments_are_frozen_and_hide_the_secret() -> None:
    assert commitment(ZERO) == "184bd9fecab57dcdc6498e9b00322847e83a43d32eacaea7a778aca6b095a41a"
    assert commitment(SECRET) == hashlib.sha256(b"spades-harness/commitment/1\0" + SECRET).hexdigest()
    assert SECRET.hex() not in commitment(SECRET)


def test_a_bots_dice_are_frozen_and_differ_by_secret_match_and_seat() -> None:
    assert bot_seed(SECRET, "m", "N") == hmac.new(SECRET, b"bot\0m\0N", "sha256").hexdigest()
    assert (
        len(
            {
                bot_seed(SECRET, "m", "N"),
                bot_seed(ZERO, "m", "N"),
                bot_seed(SECRET, "n", "N"),
                bot_seed(SECRET, "m", "S"),
            }
        )
        == 4
    )


def test_a_match_is_told_by_a_tag_that_needs_the_secret_to_be_computed() -> None:
    assert match_tag(SECRET, "x") == hmac.new(SECRET, b"match\0x", "sha256").hexdigest()[:16]
    assert len({match_tag(SECRET, "x"), match_tag(ZERO, "x"), match_tag(SECRET, "y")}) == 3


@pytest.mark.parametrize("size", [1, 2, 3, 52, 54])
def test_the_shuffle_is_the_one_that_is_written_down(size: int) -> None:
    for number in range(30):
        assert list(permutation(SECRET, 7, number, size)) == slow_shuffle(SECRET, 7, number, size)


@pytest.mark.parametrize("size", [1, 2, 3, 52, 54])
def test_the_second_order_and_the_draw_for_partners_are_shuffles_of_their_own(size: int) -> None:
    """V1, V20: the same shuffle under other labels; partners are drawn once a board stream."""
    for number in range(10):
        assert list(second_order(SECRET, 7, number, size)) == slow_shuffle(SECRET, 7, number, size, b"second")
        assert list(drawn_for_partners(SECRET, number, size)) == slow_shuffle(SECRET, number, 0, size, b"partners")


SECOND = "8C 5C 4H 7S 5D 9H 2D 3D 6H JD 4C 2H KC"
PARTNERS = "2D 7H TC 7C"
"""The first cards of stream 0, hand 0 of the secret of zeros."""


def test_the_second_order_and_the_draw_for_partners_are_frozen() -> None:
    """V1, V20."""
    second = [STANDARD.cards[place] for place in second_order(ZERO, 0, 0)[:13]]
    partners = [STANDARD.cards[place] for place in drawn_for_partners(ZERO, 0)[:4]]
    assert " ".join(map(card_name, second)) == SECOND
    assert " ".join(map(card_name, partners)) == PARTNERS


def test_the_three_shuffles_of_a_hand_tell_nothing_of_each_other() -> None:
    """V1, V20: else the cards that come back would follow from those that were drawn."""
    orders = {permutation(SECRET, 1, 0), second_order(SECRET, 1, 0), drawn_for_partners(SECRET, 1)}
    assert len(orders) == 3
    assert all(sorted(order) == list(range(52)) for order in orders)


@pytest.mark.parametrize("deck", [JOKERS, JOKERS_DEUCES])
def test_other_decks_are_dealt_in_the_same_order_of_places(deck: Deck) -> None:
    """V16: the shuffle knows places, not cards, so its vectors hold for every deck."""
    hands = deal_hand(Rules(deck=deck.name), SECRET, 3, 5, NOTHING).deal.hands
    order = [deck.cards[place] for place in permutation(SECRET, 3, 5)]
    assert hands == tuple(cards_of(order[first : first + 13]) for first in range(0, 52, 13))


def test_every_card_is_dealt_once_and_13_to_each_seat() -> None:
    """R3, and the 52-card invariant."""
    hands = hand_of(Bidding, deal_hand(CLASSIC, SECRET, 3, 5, NOTHING)).hands
    assert [held.bit_count() for held in hands] == [13] * 4
    assert sum(hands) == cards_of(STANDARD.cards)


def test_the_seats_take_the_shuffled_deck_in_four_runs_from_north_on() -> None:
    hands = hand_of(Bidding, deal_hand(CLASSIC, ZERO, 0, 0, NOTHING)).hands
    runs = [line.split() for line in VECTORS[0][3].split("\n") if line.strip()]
    assert [set(card_names(held)) for held in hands] == [set(run) for run in runs]


def test_a_deal_depends_on_secret_stream_and_hand() -> None:
    before = permutation(SECRET, 1, 2)
    others = {permutation(ZERO, 1, 2), permutation(SECRET, 2, 2), permutation(SECRET, 1, 3), permutation(SECRET, 2, 1)}
    assert before not in others
    assert len(others) == 4
    assert permutation(SECRET, 1, 2) == before


def test_a_deal_depends_neither_on_the_score_nor_on_the_options() -> None:
    here = deal_hand(CLASSIC, SECRET, 1, 2, NOTHING).deal
    there = deal_hand(PLAIN, SECRET, 1, 2, Totals((480, -90), (9, 3))).deal
    assert (here.hands, here.dealer) == (there.hands, there.dealer)


@pytest.mark.parametrize(
    ("secret", "stream", "hand", "problem"),
    [
        (b"short", 0, 0, "a secret has 32 bytes, not 5"),
        (ZERO, -1, 0, "not -1 and 0"),
        (ZERO, 0, 2**64, f"not 0 and {2**64}"),
        (ZERO, 2**64, 0, f"not {2**64} and 0"),
    ],
)
def test_a_deal_from_what_is_no_secret_or_no_number_is_refused(
    secret: bytes, stream: int, hand: int, problem: str
) -> None:
    with pytest.raises(ValueError, match=problem):
        permutation(secret, stream, hand)


def test_words_beyond_the_last_whole_stretch_are_thrown_away() -> None:
    """Else low indices would come a little more often: 2**32 is no multiple of 52."""
    first_too_many = 2**32 - 2**32 % 52
    assert _below(52, iter([first_too_many, 2**32 - 1, 53])) == 1
    assert _below(52, iter([first_too_many - 1])) == 51


def test_each_card_comes_equally_often_to_each_seat() -> None:
    """Chi-square of 52 cards over 4 seats: 153 degrees of freedom, so 240 lies five deviations out."""
    deals = 2000
    seen = Counter((one, place // 13) for n in range(deals) for place, one in enumerate(permutation(SECRET, 0, n)))
    expected = deals / 4
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 240
    assert len(seen) == 52 * 4


def test_each_card_comes_equally_often_to_each_place_of_the_deck() -> None:
    """Chi-square over 52 by 52 cells: 2601 degrees of freedom, so 2960 lies five deviations out."""
    deals = 2000
    seen = Counter((one, place) for n in range(deals) for place, one in enumerate(permutation(SECRET, n, 0)))
    expected = deals / 52
    assert (
        sum(
            (seen[cell] - expected) ** 2 / expected
            for cell in ((one, place) for one in range(52) for place in range(52))
        )
        < 2960
    )
