"""Actions as they are written: one spelling each, read back exactly, everything else refused with what was received."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import CLASSIC, PLAIN, card, cards
from game.rules_by_chance import any_rules
from spades_harness.game.bids import BLIND_NIL, BLIND_NUMBERS, LOOK, NIL, NUMBERS, ZERO, Action, Bid, Draw
from spades_harness.game.cards import JOKERS, JOKERS_DEUCES, STANDARD, Deck, card_name, cards_of
from spades_harness.game.hand import Kind
from spades_harness.game.notation import (
    Written,
    read_action,
    read_bid,
    read_card,
    read_cards,
    read_draw,
    write_action,
    write_bid,
)
from spades_harness.game.rules import Rules, make_rules


@pytest.mark.parametrize(
    ("kind", "action", "written"),
    [
        ("blind", LOOK, None),
        ("blind", BLIND_NIL, "blind_nil"),
        ("bid", NIL, 0),
        ("bid", NUMBERS[1], 1),
        ("bid", NUMBERS[13], 13),
        ("exchange", cards("2C TH AS"), ("AS", "TH", "2C")),
        ("exchange", 0, ()),
        ("draw", Draw.KEEP, "keep"),
        ("draw", Draw.DISCARD, "discard"),
        ("play", card("TS"), "TS"),
    ],
)
def test_an_action_is_written_in_one_way_and_read_back(kind: Kind, action: Action, written: Written) -> None:
    assert write_action(kind, action) == written
    assert read_action(kind, CLASSIC, written) == action


@given(st.sampled_from(STANDARD.cards))
def test_every_card_is_accepted_back_as_it_was_sent(one: int) -> None:
    """LS-07."""
    written = write_action("play", one)
    assert isinstance(written, str)
    assert read_card(CLASSIC, written) == one


@given(st.sets(st.sampled_from(STANDARD.cards), max_size=5))
def test_a_set_of_cards_is_read_in_any_order(chosen: set[int]) -> None:
    names = [card_name(one) for one in chosen]
    assert read_cards(CLASSIC, names) == read_cards(CLASSIC, names[::-1]) == cards_of(chosen)


@pytest.mark.parametrize(
    "written",
    [
        "10S",
        "ts",
        "ST",
        "S10",
        "♠10",
        " TS",
        "TS ",
        "T♠",
        "tS",
        "Ts",
        "TSS",
        "",
        "1S",
        "BJ",
        "LJ",
        "0S",
        "T",
        "S",
        "TS\n",
        "ＴＳ",
    ],
)
def test_a_card_has_no_second_spelling(written: str) -> None:
    """LS-07: refused with the text that came, and taken for no other card."""
    with pytest.raises(ValueError, match="no card is written") as refused:
        read_card(CLASSIC, written)
    assert str(refused.value) == f"no card is written {written!r}; a card is rank then suit, such as TS or 4H"


@pytest.mark.parametrize("written", [None, 3, True, 3.0, ["TS"], ("TS",), {"card": "TS"}, b"TS", card("TS")])
def test_what_is_no_text_is_no_card(written: object) -> None:
    with pytest.raises(ValueError, match="no card is written"):
        read_card(CLASSIC, written)


class Likeness(str):
    """A text that says it is another: what only a bot in the same process can send."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("AS")


def test_a_text_that_only_claims_to_equal_a_card_is_none() -> None:
    """Reading in the process and from a pipe accept the same."""
    with pytest.raises(ValueError, match="no card is written"):
        read_card(CLASSIC, Likeness("2C"))
    with pytest.raises(ValueError, match="no bid is written"):
        read_bid(CLASSIC, Likeness("blind_nil"))


@pytest.mark.parametrize(
    "written", [True, False, 3.0, -1, 14, "3", "nil", "Nil", "blind nil", "BLIND_NIL", "zero", [3], {}, 10**400]
)
def test_a_bid_has_no_second_spelling(written: object) -> None:
    with pytest.raises(ValueError, match="no bid is written") as refused:
        read_bid(CLASSIC, written)
    assert str(refused.value).endswith("; bids are written 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 'blind_nil'")


SPELT = [
    ({}, "0 1 13 blind_nil", "zero blind6"),
    ({"blind_nil": False}, "0 1 13", "blind_nil zero"),
    ({"zero": "plain"}, "0 zero 1 13 blind_nil", "blind6"),
    ({"zero": "bonus"}, "0 zero 1 13 blind_nil", "blind6"),
    ({"zero": "only", "blind_nil": False}, "0 1 13", "zero blind_nil"),
    ({"blind_number": 6}, "0 1 13 blind_nil blind6 blind13", "blind5 blind14 blind06 blind zero"),
    ({"blind_number": 13, "blind_nil": False}, "0 1 13 blind13", "blind12 blind_nil"),
]


@pytest.mark.parametrize(("changes", "spelt", "unknown"), SPELT)
def test_the_rules_say_which_bids_have_a_spelling(changes: dict[str, Any], spelt: str, unknown: str) -> None:
    """V6, V7, V9: 0 is Nil, or a plain bid of no tricks where there is no Nil."""
    rules = make_rules(**changes)
    for word in spelt.split():
        written = int(word) if word.isdigit() else word
        bid = read_bid(rules, written)
        assert isinstance(bid, Bid)
        assert write_bid(bid) == written
    for word in unknown.split():
        with pytest.raises(ValueError, match=f"no bid is written {word!r}"):
            read_bid(rules, word)
    assert read_bid(rules, 0) == (NUMBERS[0] if rules.zero == "only" else NIL)


@given(any_rules())
def test_every_bid_of_any_rules_is_read_back_as_it_was_written(rules: Rules) -> None:
    """One spelling each."""
    nothing = [NUMBERS[0]] if rules.zero == "only" else [NIL, *([ZERO] if rules.zero != "nil" else [])]
    blind = [*([BLIND_NIL] if rules.blind_nil else []), *BLIND_NUMBERS[rules.blind_number or 14 :]]
    bids = [*nothing, *NUMBERS[1:], *blind]
    assert [read_bid(rules, write_bid(bid)) for bid in bids] == bids
    assert len({write_bid(bid) for bid in bids}) == len(bids)
    assert read_bid(rules, None) is LOOK


@pytest.mark.parametrize("deck", [JOKERS, JOKERS_DEUCES])
def test_the_cards_of_other_decks_have_their_names(deck: Deck) -> None:
    """V16: a name is read as the card of the rules' deck."""
    rules = make_rules(deck=deck.name)
    assert [read_card(rules, card_name(one)) for one in deck.cards] == list(deck.cards)
    assert read_card(rules, "BJ") == max(deck.cards)
    for missing in ("2H", "2C"):
        with pytest.raises(ValueError, match=f"no card is written '{missing}'"):
            read_card(rules, missing)


@pytest.mark.parametrize("written", [None, "KEEP", "Keep", "", "look", 1, True, ["keep"], Likeness("keep")])
def test_a_draw_has_no_second_spelling(written: object) -> None:
    """V20."""
    with pytest.raises(ValueError, match="a draw is answered with 'keep' or 'discard', not "):
        read_draw(written)


def test_where_there_is_no_double_nil_it_has_no_spelling() -> None:
    with pytest.raises(ValueError, match=r"no bid is written 'blind_nil'; bids are written 0, .*, 13$"):
        read_bid(PLAIN, "blind_nil")


def test_all_bids_are_written_differently() -> None:
    bids = (NIL, *NUMBERS[1:], BLIND_NIL)
    assert len({write_bid(bid) for bid in bids}) == len(bids)
    assert [read_bid(CLASSIC, write_bid(bid)) for bid in bids] == list(bids)


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("AS", "cards are written as a list of names, not 'AS'"),
        (None, "cards are written as a list of names, not None"),
        ({"AS": 1}, "cards are written as a list of names, not {'AS': 1}"),
        (["AS", "AS", "2C"], "a card is named twice"),
        (["AS", "10S"], "no card is written '10S'; a card is rank then suit, such as TS or 4H"),
        (["AS", None], "no card is written None; a card is rank then suit, such as TS or 4H"),
    ],
)
def test_cards_for_the_partner_are_a_list_of_different_names(written: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        read_cards(CLASSIC, written)
    assert str(refused.value) == problem


@pytest.mark.parametrize(
    ("length", "shown"), [(58, repr("S" * 58)), (59, "'" + "S" * 56 + "..."), (60_000, "'" + "S" * 56 + "...")]
)
def test_a_strangers_text_is_cut_before_it_is_repeated(length: int, shown: str) -> None:
    with pytest.raises(ValueError, match="no card is written") as refused:
        read_card(CLASSIC, "S" * length)
    assert str(refused.value) == f"no card is written {shown}; a card is rank then suit, such as TS or 4H"
