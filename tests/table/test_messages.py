"""What is said to bots, byte for byte: complete in each request, and nothing in it that the seat may not know."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.permuting import permuted, some_totals
from spades_harness.bundled import bundled
from spades_harness.game.cards import STANDARD, card_name
from spades_harness.game.hand import Bidding, Exchanging, Playing, Totals, Unfinished, deal_hand, no_points
from spades_harness.game.rules import OPTIONS, PRESETS, Rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.game.view import view
from spades_harness.table.bounds import Limits
from spades_harness.table.match import HandEnd, HandRecord, HandStart, MatchEnd, MatchStart, Request, SideHand
from spades_harness.table.messages import as_object, greeting, notice_message, request_message
from spades_harness.table.schema import main, outdated
from spades_harness.table.wire import encode, encode_hello, encode_notice

RULES = Rules()


def said(line: bytes) -> dict[str, Any]:
    """The message on a line."""
    assert line.endswith(b"}\n")
    assert line.count(b"\n") == 1
    message: dict[str, Any] = json.loads(line)
    return message


def asked(hand: Unfinished, number: int = 7) -> dict[str, Any]:
    """The request that this hand makes."""
    return said(encode(Request(view(hand), 1.0, 60.0), number))


def moments(seed: int, rules: Rules = RULES) -> list[Unfinished]:
    """Every moment of a hand that is played at random, Double Nil twice as likely as it should be."""
    dice = random.Random(seed)
    hand = deal_hand(rules, seed.to_bytes(32, "big"), seed, 0, some_totals(rules))
    found = []
    while not hand.over:
        found.append(hand)
        hand = hand.apply(dice.choice(hand.legal()))
    return found


def test_a_blind_request_shows_no_hand() -> None:
    hand = deal_hand(RULES, bytes(32), 0, 0, no_points(RULES))
    assert isinstance(hand, Bidding)
    assert asked(hand) == {
        "type": "blind",
        "id": 7,
        "seat": "E",
        "hand_no": 1,
        "dealer": "N",
        "scores": {"NS": 0, "EW": 0},
        "bags": {"NS": 0, "EW": 0},
        "bids": {},
        "won": {"N": 0, "E": 0, "S": 0, "W": 0},
        "leader": "E",
        "broken": False,
        "trick": [],
        "tricks": [],
        "given": [],
        "received": [],
        "exchanged": {"N": 0, "E": 0, "S": 0, "W": 0},
        "time_left": 1.0,
        "bank_left": 60.0,
        "legal": [None, "blind_nil"],
    }


def test_a_play_request_tells_the_whole_hand_so_far() -> None:
    hand = next(hand for hand in moments(4) if isinstance(hand, Playing) and len(hand.tricks) == 2 and hand.trick)
    message = asked(hand)
    seats = RULES.shape.seats
    assert message["type"] == "play"
    assert set(message["bids"]) == set("NESW")
    assert [trick["winner"] for trick in message["tricks"]] == [seats[trick.winner] for trick in hand.tricks]
    assert [len(trick["cards"]) for trick in message["tricks"]] == [4, 4]
    assert message["leader"] == seats[hand.leader] == message["tricks"][-1]["winner"]
    assert len(message["trick"]) == len(hand.trick)
    assert set(message["legal"]) <= set(message["hand"])
    assert sum(message["won"].values()) == 2


def test_an_exchange_says_how_many_cards_and_both_partners_learn_what_they_gave_and_got() -> None:
    hands = [hand for seed in range(12) for hand in moments(seed)]
    first, second = next(pair for pair in pairwise(hands) if all(isinstance(hand, Exchanging) for hand in pair))
    giving, answering = asked(first), asked(second)
    assert (giving["min"], giving["max"], "legal" in giving) == (3, 3, False)
    assert (giving["given"], giving["received"]) == ([], [])
    assert len(answering["received"]) == 3
    assert set(answering["received"]) <= set(answering["hand"])


@given(st.integers(0, 200), st.sampled_from(list(PRESETS.values())), st.randoms(use_true_random=False))
def test_not_a_byte_changes_when_the_cards_that_a_seat_may_not_know_change_places(
    seed: int, rules: Rules, dice: random.Random
) -> None:
    hand = dice.choice(moments(seed, rules))
    other = permuted(hand, dice)
    assert encode(Request(view(other), 1, 60), 7) == encode(Request(view(hand), 1, 60), 7)


@pytest.mark.parametrize(("played", "boards"), [(Game(), None), (Boards(8), 8)])
def test_a_match_start_tells_whether_a_match_has_a_fixed_length(played: Format, boards: int | None) -> None:
    start = MatchStart("a1b2", 1, RULES, Limits(10, 1, 60), (), "5eed", played)
    assert said(encode(start, 1))["boards"] == boards


def test_a_match_start_tells_the_rules_the_clocks_and_the_bot_s_own_params() -> None:
    start = MatchStart("a1b2", 1, RULES, Limits(10, 1, 60), (("depth", 3), ("name", "ü")), "5eed")
    message = said(encode(start, 1))
    assert message["rules"].items() >= {"preset": "classic", "target": 500, "bag_limit": 10, "exchange": 3}.items()
    assert message["rules"]["seats"] == ["N", "E", "S", "W"]
    assert message["rules"]["sides"] == {"NS": ["N", "S"], "EW": ["E", "W"]}
    del message["rules"]
    assert message == {
        "type": "match_start",
        "id": 1,
        "match": "a1b2",
        "seat": "E",
        "partner": "W",
        "boards": None,
        "limits": {"start": 10.0, "move": 1.0, "bank": 60.0},
        "params": {"depth": 3, "name": "ü"},
        "random_seed": "5eed",
    }


def test_notices_tell_of_hands_and_of_the_end() -> None:
    totals = Totals((71, -40), (1, 0))
    assert said(encode_notice(HandStart(RULES, 2, 3, totals))) == {
        "type": "hand_start",
        "hand_no": 2,
        "dealer": "W",
        "scores": {"NS": 71, "EW": -40},
        "bags": {"NS": 1, "EW": 0},
    }
    sides = (SideHand(7, 8, 71, 1, 142, 2), SideHand(5, 5, 50, 0, 10, 0))
    dealt = tuple(1 << STANDARD.by_name[name] for name in ("AS", "2C", "2D", "2H"))
    record = HandRecord(2, 3, dealt, (3, "blind_nil", 4, 5), (8, 0, 0, 5), sides)
    assert said(encode_notice(HandEnd(RULES, record))) == {
        "type": "hand_end",
        "hand_no": 2,
        "hands": {"N": ["AS"], "E": ["2C"], "S": ["2D"], "W": ["2H"]},
        "bids": {"N": 3, "E": "blind_nil", "S": 4, "W": 5},
        "won": {"N": 8, "E": 0, "S": 0, "W": 5},
        "delta": {"NS": 71, "EW": 50},
        "scores": {"NS": 142, "EW": 10},
        "bags": {"NS": 2, "EW": 0},
    }
    assert said(encode_notice(MatchEnd(RULES, "target", totals))) == {
        "type": "match_end",
        "reason": "target",
        "scores": {"NS": 71, "EW": -40},
        "bags": {"NS": 1, "EW": 0},
    }


def test_hello_comes_first_with_the_versions_of_the_protocol() -> None:
    message = said(encode_hello())
    assert message["protocol"] == [1, 1]
    assert message["harness"].startswith("spades-harness ")


def test_time_left_is_never_below_zero() -> None:
    """TM-13."""
    message = said(encode(Request(view(moments(1)[0]), 0.01, -0.04), 7))
    assert message["bank_left"] == 0.0


def test_an_object_is_what_a_json_reader_makes_of_the_line() -> None:
    for hand in moments(3):
        request = Request(view(hand), 1.0, 60.0)
        assert as_object(request_message(request, 7)) == said(encode(request, 7))
    assert as_object(greeting()) == said(encode_hello())
    end = MatchEnd(RULES, "boards", Totals((1, 2), (3, 4)))
    assert as_object(notice_message(end)) == said(encode_notice(end))


def start_of(rules: Rules) -> MatchStart:
    """A match by these rules begins for North."""
    return MatchStart("m", 0, rules, Limits(), (("a", None),), "00")


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.preset)
def test_the_start_of_a_match_has_every_option_and_the_sides_of_its_shape(rules: Rules) -> None:
    message = said(encode(start_of(rules), 1))
    told = message["rules"]
    options = {name: told.pop(name) for name in OPTIONS}
    assert options == {name: getattr(rules, name) for name in OPTIONS}
    seats = list(rules.shape.seats)
    sides = {side.name: [seats[seat] for seat in side.seats] for side in rules.shape.sides}
    assert told == {"preset": rules.preset, "seats": seats, "sides": sides}
    assert message["partner"] == next((seat for seat in sides[rules.shape.sides[0].name] if seat != "N"), None)


def test_an_option_that_is_none_is_null() -> None:
    told = said(encode(start_of(Rules(target=None, behind=300)), 1))["rules"]
    assert (told["target"], told["behind"], told["floor"]) == (None, 300, None)


def test_a_draw_shows_the_card_and_what_was_seen_to_go_and_nothing_of_the_other_hand() -> None:
    first, *_, last = (hand for hand in moments(3, PRESETS["two_player"]) if hand.kind == "draw")
    opening, closing = asked(first), asked(last)
    assert (opening["hand"], opening["given"], opening["legal"]) == ([], [], ["keep", "discard"])
    assert opening["drawn"] == card_name(first.deal.stock[0])
    assert (len(closing["hand"]), len(closing["given"]), len(closing["received"])) == (12, 12, 0)
    assert closing["drawn"] == card_name(last.deal.stock[50])
    assert (opening["seat"], closing["seat"]) == (opening["dealer"], closing["leader"])


def test_two_players_are_asked_which_cards_they_replace_and_need_replace_none() -> None:
    """V20."""
    hands = [hand for seed in range(12) for hand in moments(seed, PRESETS["two_player"])]
    message = asked(next(hand for hand in hands if isinstance(hand, Exchanging)))
    assert (message["min"], message["max"], "legal" in message) == (0, 3, False)
    assert (len(message["hand"]), len(message["given"]), message["received"]) == (13, 13, [])


def test_bids_that_are_no_numbers_have_words() -> None:
    """V6, V9."""
    rules = Rules(zero="plain", blind_number=12)
    blind, bid = (asked(next(hand for hand in moments(2, rules) if hand.kind == kind)) for kind in ("blind", "bid"))
    assert blind["legal"] == [None, "blind_nil", "blind12", "blind13"]
    assert bid["legal"] == [0, "zero", *range(1, 14)]


# -------------------------------------------------------------------------------------------------------------- schema


def test_the_schema_files_are_what_the_types_say(capsys: pytest.CaptureFixture[str]) -> None:
    assert outdated(bundled("protocol") / "schema") == []
    assert main(["--check"]) == 0
    assert capsys.readouterr().err == ""


def test_every_request_and_notice_fits_the_schema() -> None:
    schema = json.loads((bundled("protocol") / "schema" / "to_bot.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    hands = [hand for rules in PRESETS.values() for seed in range(6) for hand in moments(seed, rules)[seed::6]]
    lines = [encode(Request(view(hand), 1.0, 60.0), 7) for hand in hands]
    lines += [encode_hello(), *(encode(start_of(rules), 1) for rules in PRESETS.values())]
    lines += [encode_notice(MatchEnd(RULES, "forfeit", Totals((0, 0), (0, 0))))]
    types = {"blind", "draw", "bid", "exchange", "play", "hello", "match_start", "match_end"}
    assert {said(line)["type"] for line in lines} == types
    for line in lines:
        validator.validate(said(line))


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        ('{"id":7,"card":"QH","note":"x","mood":1}', True),
        ('{"id":7,"bid":null}', True),
        ('{"id":7,"cards":["2C"]}', True),
        ('{"id":7,"cards":[]}', True),
        ('{"id":7,"draw":"discard"}', True),
        ('{"id":7,"draw":"drop"}', False),
        ('{"id":1,"ready":true}', True),
        ('{"type":"hello","protocol":1}', True),
        ('{"type":"error","message":"no"}', True),
        ('{"id":"7","card":"QH"}', False),
        ('{"card":"QH"}', False),
        ('{"id":7,"bid":3.5}', False),
        ("[]", False),
    ],
)
def test_answers_fit_the_schema_or_do_not(line: str, fits: bool) -> None:
    schema = json.loads((bundled("protocol") / "schema" / "from_bot.json").read_text(encoding="utf-8"))
    assert jsonschema.Draft202012Validator(schema).is_valid(json.loads(line)) is fits
