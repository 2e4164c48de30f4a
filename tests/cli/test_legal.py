"""`spades legal`: what may be played and why the rest may not, as the referee says it; what it refuses to answer."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from spades_harness.cli.playable import as_tree, read_playing
from spades_harness.game.cards import card_name, iterate
from spades_harness.game.hand import Playing, deal_hand, no_points
from spades_harness.game.rules import PRESETS, Rules

from .calling import ask

THIRTEEN = "AS KS QS JS TS 9S 8S 7S 6S 5S 4S 3S AH"


def legal(hand: str, *words: str) -> dict[str, Any]:
    """The answer in JSON."""
    done = ask("legal", "--json", "--hand", hand, *words)
    assert (done.returncode, done.stderr) == (0, ""), done
    found: dict[str, Any] = json.loads(done.stdout)
    assert list(found) == ["legal", "illegal"]
    return found


# ---------------------------------------------------------------------------------------------------------- the answers


def test_spades_may_not_be_led_until_they_are_broken() -> None:
    found = legal("AS KS 5H")
    assert found["legal"] == ["5H"]
    assert list(found["illegal"]) == ["AS", "KS"]
    assert "R17" in found["illegal"]["AS"]
    assert legal("AS KS 5H", "--broken") == {"legal": ["AS", "KS", "5H"], "illegal": {}}
    assert legal("AS KS")["legal"] == ["AS", "KS"]


def test_the_led_suit_must_be_followed() -> None:
    found = legal("AS KS 5H", "--trick", "E:QH S:2H")
    assert found["legal"] == ["5H"]
    assert "R15" in found["illegal"]["KS"]
    assert legal("AS 5H", "--trick", "W:5D")["legal"] == ["AS", "5H"]


def test_thirteen_cards_are_at_their_first_trick_and_fewer_are_not_unless_it_is_said() -> None:
    not_first = ("--set", "lead_spades=not_first")
    assert legal(THIRTEEN, *not_first)["legal"] == ["AH"]
    assert "V15" in legal(THIRTEEN, *not_first)["illegal"]["AS"]
    assert legal("AS AH", *not_first)["legal"] == ["AS", "AH"]
    assert legal("AS AH", "--first", *not_first)["legal"] == ["AH"]


def test_a_spade_may_have_to_wait_for_the_second_trick() -> None:
    asked = ("--trick", "W:5D", "--set", "first_trick_spades=false")
    assert legal("AS AH", *asked)["legal"] == ["AS", "AH"]
    assert "V19" in legal("AS AH", "--first", *asked)["illegal"]["AS"]
    assert legal("AS KS", "--first", *asked)["legal"] == ["AS", "KS"]


def test_spades_that_were_broken_in_the_first_trick_itself_may_be_said_to_be() -> None:
    """R18."""
    trick = ("--trick", "S:QH W:3S", "--first")
    assert legal("AS 5H", "--broken", *trick) == legal("AS 5H", *trick)


def test_each_preset_has_its_own_deck_seats_and_rules() -> None:
    assert legal(THIRTEEN, "--rules", "encyclopedia")["illegal"] == {}
    assert legal("BJ 2D 3D", "--rules", "jokers_deuces", "--trick", "W:2S")["legal"] == ["BJ", "2D"]
    assert legal("BJ 2D 3D", "--rules", "jokers", "--trick", "W:5D")["legal"] == ["3D", "2D"]
    assert legal("AS 3H", "--rules", "two_player", "--trick", "N:4H")["legal"] == ["3H"]


def test_cards_are_read_as_people_write_them() -> None:
    assert legal("as, k♠  5♥", "--trick", "e:q♥,s:2h") == legal("AS KS 5H", "--trick", "E:QH S:2H")


def test_people_are_told_who_is_asked_for_what_and_why_not() -> None:
    assert ask("legal", "--hand", "AS 5H", "--trick", "E:QH S:2H").stdout.splitlines() == [
        "W plays after E:QH S:2H (later trick): 5H may be played",
        "  not AS: hearts were led and must be followed (R15): you hold 5H",
    ]
    assert ask("legal", "--hand", "AS 5H").stdout.startswith("N leads to a later trick: 5H may be played")
    assert ask("legal", "--hand", THIRTEEN).stdout.startswith("N leads to the first trick: AH may be played")


@pytest.mark.parametrize("preset", [*PRESETS, "not_first", "no_early_spades"])
def test_the_answer_is_that_of_the_hand_in_which_the_card_is_played(preset: str) -> None:
    changed = {"not_first": Rules(lead_spades="not_first"), "no_early_spades": Rules(first_trick_spades=False)}
    rules = changed.get(preset) or PRESETS[preset]
    dice = random.Random(7)
    hand = deal_hand(rules, bytes(32), 1, 2, no_points(rules))
    asked = 0
    while not hand.over:
        if isinstance(hand, Playing):
            broken, first = hand.broken and not hand.trick, not hand.tricks
            answer = as_tree(read_playing(rules, *in_words(hand), broken=broken, first=first))
            assert {*answer["legal"]} == {card_name(card) for card in iterate(hand.legal_cards)}
            for card in iterate(hand.hands[hand.seat] & ~hand.legal_cards):
                assert answer["illegal"][card_name(card)] == hand.objection(card)
            asked += 1
        hand = hand.apply(dice.choice(hand.legal()))
    assert asked == 13 * len(rules.shape.seats)


def in_words(hand: Playing) -> tuple[str, str]:
    """The cards of the seat that is asked, and the trick, as on the command line."""
    seats = hand.deal.rules.shape.seats
    trick = (f"{seats[(hand.leader + turn) % len(seats)]}:{card_name(card)}" for turn, card in enumerate(hand.trick))
    return " ".join(card_name(card) for card in iterate(hand.hands[hand.seat])), " ".join(trick)


# ------------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([""], '--hand: names no card; write the cards held, such as "AS KS 5H"'),
        (["AS AS"], "--hand: AS is named twice; name it once"),
        (["1S AS"], "--hand: the deck standard has no card '1S'; a card is rank then suit, such as TS or 4H"),
        (["AS 2H", "--rules", "jokers"], "--hand: the deck jokers has no card '2H'"),
        (["AS BJ"], "--hand: the deck standard has no card 'BJ'"),
        (["AS 2H", "--trick", "E:2H"], "--trick: 2H is in --hand too; correct one of them"),
        (["AS", "--trick", "E:2H W:5H"], "--trick: W:5H comes after E, but S plays next (N E S W, and round again)"),
        (["AS", "--trick", "E:2H E:5H"], "--trick: E:5H comes after E, but S plays next"),
        (["AS", "--trick", "E:2H S:2H"], "--trick: 2H is named twice"),
        (["AS", "--trick", "E:2H S:5H W:6H N:7H"], "--trick: 4 cards make a whole trick here"),
        (["AS", "--trick", "N:2H S:5H", "--rules", "two_player"], "--trick: 2 cards make a whole trick here"),
        (["AS", "--trick", "E2H"], "--trick: 'E2H' is not SEAT:CARD"),
        (["AS", "--trick", "X:2H"], "--trick: X:2H: no seat 'X' under these rules; there are: N, E, S, W"),
        (["AS", "--trick", "E:1H"], "--trick: the deck standard has no card '1H'"),
        ([THIRTEEN + " 2H"], "--hand: 14 cards, and a hand has 13 at most; leave some out"),
        ([THIRTEEN, "--broken"], "--broken: nothing was played before the first lead; leave it out, or name the cards"),
        (["AS 5H", "--first", "--broken"], "before the first lead; leave out --first or --broken"),
        (
            ["AS 5H", "--first", "--broken", "--trick", "W:QH"],
            "--broken: nothing was played before the first trick, and no spade to it; leave out --first or --broken",
        ),
        ([THIRTEEN, "--broken", "--trick", "W:2H"], "before the first trick, and no spade to it; leave it out"),
        (["AS", "--rules", "jockers"], "--rules: no preset 'jockers'; did you mean 'jokers'?"),
        (["AS", "--set", "lead_spade=any"], "--set: no option 'lead_spade'; did you mean 'lead_spades'?"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(words: list[str], said: str) -> None:
    done = ask("legal", "--hand", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
