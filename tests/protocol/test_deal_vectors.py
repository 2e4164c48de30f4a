"""DEALS.md describes the deal completely: its values, its program, and a second writing of it in C all agree."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_harness.bundled import bundled
from spades_harness.game.bids import LOOK
from spades_harness.game.cards import DECKS, STANDARD, Cards, card_name, card_names, cards_of
from spades_harness.game.deal import (
    bot_seed,
    commitment,
    disguises,
    drawn_for_partners,
    match_tag,
    permutation,
    salted,
    second_order,
    secret_of_seed,
)
from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.partners import draw_cards
from spades_harness.game.rules import Rules

TEXT = (bundled("protocol") / "DEALS.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The one block of DEALS.md in this language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
    return str(found)


SALTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=200)
VECTORS: dict[str, list[Any]] = json.loads(block("json"))


def rows(name: str) -> Iterable[Any]:
    """The rows of one kind of value."""
    assert VECTORS[name]
    return VECTORS[name]


def cards_of_row(row: Sequence[int]) -> tuple[Cards, ...]:
    """The hands of four from the deck in its order."""
    return tuple(cards_of(row[at : at + 13]) for at in range(0, 52, 13))


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    """The program of DEALS.md, as a module's names."""
    names: dict[str, Any] = {"__name__": "deals"}
    exec(compile(block("python"), "deals.py", "exec"), names)
    return names


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The deal in C, built."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert compiler, "these tests need a C compiler: cc, gcc or clang"
    built = tmp_path_factory.mktemp("deal") / "deal"
    source = Path(__file__).with_name("deal.c")
    subprocess.run([compiler, "-std=c99", "-O2", "-Wall", "-Werror", "-o", built, source], check=True)
    return built


def run_c(built: Path, *arguments: object) -> list[str]:
    """What the C program prints, line by line."""
    done = subprocess.run([built, *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def test_a_public_seed_stands_for_the_frozen_secret() -> None:
    for seed, secret in rows("secrets"):
        assert secret_of_seed(seed).hex() == secret
        assert secret_of_seed(str(seed)).hex() == secret


def test_commitments_are_frozen() -> None:
    for secret, committed in rows("commitments"):
        assert commitment(bytes.fromhex(secret)) == committed


def test_salted_secrets_are_frozen() -> None:
    for secret, salt, source in rows("salted"):
        assert salted(bytes.fromhex(secret), salt).hex() == source


def test_permutations_are_frozen() -> None:
    for secret, stream, hand, order in rows("permutations"):
        assert list(permutation(bytes.fromhex(secret), stream, hand)) == order


def test_hands_and_dealers_are_frozen() -> None:
    rules = Rules()
    for secret, stream, number, dealer, cards in rows("hands"):
        hand = deal_hand(rules, bytes.fromhex(secret), stream, number, no_points(rules))
        assert rules.shape.seats[hand.deal.dealer] == dealer
        assert {s: " ".join(card_names(h)) for s, h in zip("NESW", hand.deal.hands, strict=True)} == cards


def test_the_order_of_each_deck_is_frozen() -> None:
    """V16."""
    assert [name for name, _ in rows("decks")] == list(DECKS)
    for name, cards in rows("decks"):
        assert [card_name(card) for card in DECKS[name].cards] == cards.split()


def test_hands_of_other_decks_are_frozen() -> None:
    for secret, stream, number, deck, cards in rows("hands_of_decks"):
        rules = Rules(deck=deck)
        hand = deal_hand(rules, bytes.fromhex(secret), stream, number, no_points(rules))
        assert {s: " ".join(card_names(h)) for s, h in zip("NESW", hand.deal.hands, strict=True)} == cards


def test_disguises_are_frozen() -> None:
    for secret, stream, hand, ways in rows("disguises"):
        found = disguises(bytes.fromhex(secret), stream, hand)
        assert ["".join("CDH"[suit] for suit in way) for way in found] == ways


def test_disguised_hands_are_frozen() -> None:
    for secret, stream, number, leg, deck, cards in rows("disguised_hands"):
        rules = Rules(deck=deck)
        hand = deal_hand(rules, bytes.fromhex(secret), stream, number, no_points(rules), leg)
        assert {s: " ".join(card_names(h)) for s, h in zip("NESW", hand.deal.hands, strict=True)} == cards
    rules = Rules(players=2)
    for secret, stream, number, leg, stock in rows("disguised_stocks"):
        hand = deal_hand(rules, bytes.fromhex(secret), stream, number, no_points(rules), leg)
        assert [card_name(card) for card in hand.deal.stock] == stock.split()


def test_second_orders_and_draws_for_partners_are_frozen() -> None:
    """V20, V1."""
    for secret, stream, hand, order in rows("second_orders"):
        assert list(second_order(bytes.fromhex(secret), stream, hand)) == order
    for secret, stream, order in rows("partner_orders"):
        assert list(drawn_for_partners(bytes.fromhex(secret), stream)) == order
        assert list(draw_cards(Rules(partners="drawn"), bytes.fromhex(secret), stream)) == order[:4]


def test_the_stock_of_two_players_is_frozen_and_what_they_draw_comes_from_its_top() -> None:
    """V20."""
    rules = Rules(players=2)
    for secret, stream, number, dealer, stock, second in rows("stocks"):
        hand = deal_hand(rules, bytes.fromhex(secret), stream, number, no_points(rules))
        assert rules.shape.seats[hand.deal.dealer] == dealer
        assert [card_name(card) for card in hand.deal.stock] == stock.split()
        assert [card_name(card) for card in hand.deal.second] == second.split()
        assert not hand.over
        looked = hand.apply(LOOK)
        assert not looked.over
        assert looked.drawn is not None
        assert card_name(looked.drawn) == stock.split()[0]


def test_tags_and_bot_seeds_are_frozen() -> None:
    for secret, identity, tag in rows("tags"):
        assert match_tag(bytes.fromhex(secret), identity) == tag
    for secret, tag, seat, seed in rows("bot_seeds"):
        assert bot_seed(bytes.fromhex(secret), tag, seat) == seed


def test_the_deck_stands_in_the_order_that_the_page_gives(program: dict[str, Any]) -> None:
    assert [card_name(card) for card in STANDARD.cards] == [program["card"](number) for number in range(52)]


@given(secret=st.binary(min_size=32, max_size=32), stream=st.integers(0, 2**64 - 1), hand=st.integers(0, 2**64 - 1))
def test_the_program_of_the_page_deals_what_the_harness_deals(secret: bytes, stream: int, hand: int) -> None:
    names: dict[str, Any] = {"__name__": "deals"}
    exec(compile(block("python"), "deals.py", "exec"), names)
    assert names["deal"](secret, stream, hand) == list(permutation(secret, stream, hand))
    label = b"spades-harness/second/1\0"
    assert names["deal"](secret, stream, hand, label) == list(second_order(secret, stream, hand))


@given(secret=st.binary(min_size=32, max_size=32), salt=SALTS, leg=st.integers(0, 5), hand=st.integers(0, 2**64 - 1))
def test_the_program_of_the_page_mixes_in_a_salt_and_disguises_as_the_harness_does(
    program: dict[str, Any], secret: bytes, salt: str, leg: int, hand: int
) -> None:
    source = program["salted"](secret, salt)
    assert source == salted(secret, salt)
    row = program["disguised"](program["deal"](source, 3, hand), source, 3, hand, leg)
    assert cards_of_row(row) == deal_hand(Rules(), source, 3, hand, no_points(Rules()), leg).deal.hands


def test_the_program_of_the_page_prints_the_hands_of_a_seed(tmp_path: Path) -> None:
    (tmp_path / "deals.py").write_text(block("python"), encoding="utf-8")
    command = [sys.executable, "deals.py", "2026", "0", "0"]
    printed = subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    _, _, _, dealer, cards = VECTORS["hands"][0]
    expected = [f"{seat} {held}" + ("  deals" if seat == dealer else "") for seat, held in cards.items()]
    assert printed.splitlines() == expected


def test_a_second_writing_in_c_gives_the_same_permutations(in_c: Path) -> None:
    for secret, stream, hand, order in rows("permutations"):
        assert [int(entry) for entry in run_c(in_c, secret, stream, hand)[0].split()] == order


def test_a_second_writing_in_c_gives_the_same_second_orders_and_draws_for_partners(in_c: Path) -> None:
    for secret, stream, hand, order in rows("second_orders"):
        assert [int(entry) for entry in run_c(in_c, secret, stream, hand, "second")[0].split()] == order
    for secret, stream, order in rows("partner_orders"):
        assert [int(entry) for entry in run_c(in_c, secret, stream, 0, "partners")[0].split()] == order


def test_a_second_writing_in_c_gives_the_same_salted_secrets_and_disguises(in_c: Path) -> None:
    for secret, salt, source in rows("salted"):
        assert run_c(in_c, secret, "salt", salt) == [source]
    for secret, stream, hand, ways in rows("disguises"):
        assert run_c(in_c, secret, stream, hand, "disguise")[0].split() == ways
    for secret, stream, hand, leg, deck, cards in rows("disguised_hands"):
        if deck == "standard":
            row = [int(entry) for entry in run_c(in_c, secret, stream, hand, "disguised", leg)[0].split()]
            held = [" ".join(card_names(held)) for held in cards_of_row(row)]
            assert dict(zip("NESW", held, strict=True)) == cards


def test_one_of_the_values_needs_a_word_to_be_thrown_away(in_c: Path) -> None:
    rejected = [run_c(in_c, secret, stream, hand)[1] for secret, stream, hand, _ in rows("permutations")]
    assert rejected == ["0", "1", "0"]


def test_a_second_writing_in_c_gives_the_same_commitments(in_c: Path) -> None:
    for secret, committed in rows("commitments"):
        assert run_c(in_c, secret, "commitment") == [committed]


@settings(max_examples=20)
@given(secret=st.binary(min_size=32, max_size=32), stream=st.integers(0, 2**64 - 1), hand=st.integers(0, 2**64 - 1))
def test_the_c_program_deals_what_the_harness_deals(in_c: Path, secret: bytes, stream: int, hand: int) -> None:
    for label, order in (("deal", permutation), ("second", second_order)):
        printed = run_c(in_c, secret.hex(), stream, hand, label)[0]
        assert tuple(int(entry) for entry in printed.split()) == order(secret, stream, hand)


@settings(max_examples=20)
@given(secret=st.binary(min_size=32, max_size=32), salt=SALTS, leg=st.integers(1, 5), hand=st.integers(0, 2**64 - 1))
def test_the_c_program_mixes_in_a_salt_and_disguises_as_the_harness_does(
    in_c: Path, secret: bytes, salt: str, leg: int, hand: int
) -> None:
    (source,) = run_c(in_c, secret.hex(), "salt", salt)
    assert source == salted(secret, salt).hex()
    row = [int(entry) for entry in run_c(in_c, source, 3, hand, "disguised", leg)[0].split()]
    dealt = deal_hand(Rules(), bytes.fromhex(source), 3, hand, no_points(Rules()), leg)
    assert cards_of_row(row) == dealt.deal.hands
