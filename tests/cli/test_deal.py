"""`spades deal`: any hand once more, as DEALS.md writes it down and as a run dealt it; what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from spades_harness.bundled import bundled
from spades_harness.cli.dealing import as_lines, deal, read_secret
from spades_harness.errors import UserError
from spades_harness.game.deal import commitment, secret_of_seed
from spades_harness.game.hand import deal_hand, no_points
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.tournament.sealed import Sealed

from .calling import ask, spades

TEXT = (bundled("protocol") / "DEALS.md").read_text(encoding="utf-8")
VECTORS: dict[str, list[Any]] = json.loads(re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)[0])
SECRET = secret_of_seed(2026)
FIRST = ("--seed", "2026", "--stream", "0", "--hand", "1")
LAST = 2**64 - 1


def dealt(*words: str) -> dict[str, Any]:
    """The deal in JSON."""
    done = ask("deal", "--json", *words)
    assert (done.returncode, done.stderr) == (0, ""), done
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# ------------------------------------------------------------------------------------------------------------ the deals


def test_hands_are_those_of_the_page_and_count_from_one() -> None:
    for secret, stream, hand, dealer, cards in VECTORS["hands"]:
        found = dealt("--secret", secret, "--stream", str(stream), "--hand", str(hand + 1))
        assert (found["stream"], found["hand"], found["dealer"]) == (stream, hand + 1, dealer)
        assert {seat: " ".join(held) for seat, held in found["hands"].items()} == cards


def test_hands_of_other_decks_are_those_of_the_page() -> None:
    for secret, stream, hand, deck, cards in VECTORS["hands_of_decks"]:
        place = ("--stream", str(stream), "--hand", str(hand + 1))
        found = dealt("--secret", secret, *place, "--set", f"deck={deck}")
        assert {seat: " ".join(held) for seat, held in found["hands"].items()} == cards


def test_of_two_players_the_stock_and_the_second_order_are_those_of_the_page() -> None:
    for secret, stream, hand, dealer, stock, second in VECTORS["stocks"]:
        place = ("--stream", str(stream), "--hand", str(hand + 1))
        found = dealt("--secret", secret, *place, "--rules", "two_player")
        assert (found["dealer"], " ".join(found["stock"]), " ".join(found["second"])) == (dealer, stock, second)
        assert "hands" not in found


def test_salted_and_disguised_hands_are_those_of_the_page() -> None:
    for secret, salt, source in VECTORS["salted"]:
        found = dealt("--secret", secret, "--salt", salt, *FIRST[2:])
        assert found["hands"] == dealt("--secret", source, *FIRST[2:])["hands"]
        assert (found["commitment"], found["salt"]) == (commitment(bytes.fromhex(secret)), salt)
    for secret, stream, hand, leg, deck, cards in VECTORS["disguised_hands"]:
        place = ("--stream", str(stream), "--hand", str(hand + 1), "--leg", str(leg))
        found = dealt("--secret", secret, *place, "--set", f"deck={deck}")
        assert found["leg"] == leg
        assert {seat: " ".join(held) for seat, held in found["hands"].items()} == cards


def test_the_first_leg_is_dealt_as_it_is() -> None:
    assert dealt(*FIRST, "--leg", "0") == dealt(*FIRST)


def test_people_are_told_salt_and_leg() -> None:
    told = ask("deal", *FIRST, "--salt", "04 11 23", "--leg", "2").stdout.splitlines()
    assert told[0] == "Board stream 0, hand 1, dealt by N, disguised as in leg 2."
    assert told[-1] == "Salt: 04 11 23"


def test_a_seed_is_its_secret_and_the_commitment_is_shown() -> None:
    committed = dict(VECTORS["commitments"])
    for secret in (SECRET.hex(), SECRET.hex().upper()):
        assert dealt(*FIRST) == dealt("--secret", secret, *FIRST[2:])
    assert dealt(*FIRST)["commitment"] == committed[SECRET.hex()]
    assert dealt("--seed", "0", *FIRST[2:])["hands"] != dealt(*FIRST)["hands"]


def test_the_last_hand_of_the_last_stream_is_dealt() -> None:
    found = dealt("--seed", "2026", "--stream", str(LAST), "--hand", str(LAST + 1))
    assert len({card for held in found["hands"].values() for card in held}) == 52


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_deals_as_the_referee_does(preset: str) -> None:
    rules = PRESETS[preset]
    hand = deal_hand(rules, SECRET, 3, 4, no_points(rules))
    shown = deal(rules, Sealed(SECRET), 3, 5)
    assert shown.deal == hand.deal
    assert next(as_lines(shown)) == f"Board stream 3, hand 5, dealt by {rules.shape.seats[hand.deal.dealer]}."


def test_people_see_the_hands_of_a_replay(tmp_path: Path) -> None:
    """DS-11: the seed that a run shows deals its hands once more."""
    played = spades("match", "threes", "threes", "--boards", "4", "--seed", "7", cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    told = spades("replay", "runs/match", "2", cwd=tmp_path).stdout
    stream = re.findall(r"board stream (\d+)", told)[0]
    hands = re.findall(r"^  ([NESW]) \S+ +(♠.*)$", told, re.MULTILINE)
    assert len(hands) == 16
    asked = [ask("deal", "--seed", "7", "--stream", stream, "--hand", number).stdout for number in "1234"]
    assert re.findall(r"^  ([NESW])  (♠.*)$", "".join(asked), re.MULTILINE) == hands
    dealers = re.findall(r"dealt by ([NESW])\.", told)
    assert re.findall(r"dealt by ([NESW])\.", "".join(asked)) == dealers


# --------------------------------------------------------------------------------------------------------- the refusals


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (FIRST[2:], "give either --seed"),
        ((*FIRST, "--secret", SECRET.hex()), "give either --seed"),
        (("--secret", "ab", *FIRST[2:]), "--secret: must be 64 hex digits"),
        (("--secret", SECRET.hex() + "00", *FIRST[2:]), "--secret: must be 64 hex digits"),
        (("--seed", "-1", *FIRST[2:]), "--seed: must be a whole number from 0"),
        (("--seed", "", *FIRST[2:]), "--seed: must be a whole number from 0"),
        ((*FIRST[:4], "--hand", "0"), "'--hand': hands count from 1"),
        ((*FIRST[:4], "--hand", "-1"), "'--hand': hands count from 1"),
        ((*FIRST[:4], "--hand", "one"), "'--hand': hands count from 1"),
        ((*FIRST[:4], "--hand", str(LAST + 2)), f"'--hand': hands count from 1 to {LAST + 1}"),
        (("--seed", "1", "--stream", "-1", "--hand", "1"), "'--stream': board streams count from 0"),
        (("--seed", "1", "--stream", "1" * 5000, "--hand", "1"), "'--stream': board streams count from 0"),
        (FIRST[:4], "Missing option '--hand'"),
        ((*FIRST, "--rules", "clasic"), "classic"),
        ((*FIRST, "--set", "deck=paper"), "--set: deck"),
        ((*FIRST, "--salt", ""), "--salt: must be a text of 1 to 200 characters"),
        ((*FIRST, "--salt", "required"), "--salt: must be a text of 1 to 200 characters"),
        ((*FIRST, "--salt", "7 "), "--salt: must be a text of 1 to 200 characters"),
        ((*FIRST, "--leg", "4"), "--leg"),
        ((*FIRST, "--leg", "1", "--rules", "jokers"), "--leg: the plain suits of the deck jokers are not alike"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_code_2(words: tuple[str, ...], told: str) -> None:
    done = ask("deal", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(done.stderr) < 300


def test_a_secret_is_hex_digits_and_nothing_else() -> None:
    for typed in ("g" * 64, "\uff11" * 64, SECRET.hex() + "\n"):
        with pytest.raises(UserError, match="64 hex digits"):
            read_secret(None, typed)


def test_only_deck_and_number_of_players_matter() -> None:
    plain = deal(Rules(), Sealed(SECRET), 5, 6)
    other = deal(PRESETS["encyclopedia"], Sealed(SECRET), 5, 6)
    assert (plain.deal.hands, plain.deal.dealer) == (other.deal.hands, other.deal.dealer)


def test_cl_10_a_negative_number_is_a_value_in_either_way_to_write_an_option() -> None:
    rest = ("--stream", "0", "--hand", "1")
    apart, joined = ask("deal", "--seed", "-7", *rest), ask("deal", "--seed=-7", *rest)
    assert apart == joined
    assert apart.stderr.endswith("not '-7'\n")
