"""Partners by draw: which cards are drawn, and who plays with whom (V1)."""

from __future__ import annotations

from itertools import permutations

import pytest

from spades_harness.game.cards import JOKERS, JOKERS_DEUCES, STANDARD
from spades_harness.game.deal import drawn_for_partners, secret_of_seed
from spades_harness.game.partners import draw_cards, pairs_of
from spades_harness.game.rules import PRESETS, Rules


@pytest.mark.parametrize(
    ("drawn", "pairs"),
    [
        ("AS KS QS JS", ((0, 3), (1, 2))),  # highest and lowest, second and third
        ("2C AS KS QS", ((0, 1), (2, 3))),
        ("5H 9C KD 3S", ((0, 1), (2, 3))),
        ("TD 9S 9C KH", ((0, 1), (2, 3))),  # rank first: the nine of spades is below the ten of diamonds
        ("7S 7H 7D 7C", ((0, 3), (1, 2))),  # then S > H > D > C
        ("7C 7H 7S 7D", ((0, 2), (1, 3))),
        ("7D 7S 7C 7H", ((0, 3), (1, 2))),
    ],
)
def test_v1_highest_and_lowest_are_partners_and_so_are_second_and_third(
    drawn: str, pairs: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    assert pairs_of([STANDARD.by_name[name] for name in drawn.split()]) == pairs


def test_v1_who_is_whose_partner_does_not_hang_on_the_order_of_the_draw() -> None:
    cards = [STANDARD.by_name[name] for name in ("QH", "2C", "JS", "9D")]
    for drawn in permutations(cards):
        together = {frozenset(drawn[player] for player in pair) for pair in pairs_of(drawn)}
        assert together == {frozenset(cards[:2]), frozenset(cards[2:])}
        assert pairs_of(drawn)[0][0] == 0


def test_v1_jokers_are_above_every_ace_and_so_are_high_deuces() -> None:
    assert pairs_of([JOKERS.by_name[name] for name in ("BJ", "LJ", "AS", "2S")]) == ((0, 3), (1, 2))
    assert pairs_of([JOKERS_DEUCES.by_name[name] for name in ("AS", "2S", "2D", "LJ")]) == ((0, 3), (1, 2))


@pytest.mark.parametrize("preset", ["classic", "jokers", "jokers_deuces"])
def test_v1_the_cards_are_four_of_the_deck_and_of_the_secret_alone(preset: str) -> None:
    deck = PRESETS[preset].cards.cards
    secret = secret_of_seed(1)
    drawn = draw_cards(PRESETS[preset], secret, 0)
    assert drawn == tuple(deck[place] for place in drawn_for_partners(secret, 0, 52)[:4])
    assert len(set(drawn)) == 4
    assert drawn != draw_cards(PRESETS[preset], secret_of_seed(2), 0)


def test_v1_every_partnership_is_drawn_about_as_often() -> None:
    rules = Rules(partners="drawn")
    partners = [pairs_of(draw_cards(rules, secret_of_seed(seed), 0))[0][1] for seed in range(3_000)]
    assert all(900 < partners.count(partner) < 1_100 for partner in (1, 2, 3))
