"""The C bot: small bids, legal cards, dice of the match, and a scanner that finds its keys in any JSON."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots_support import build_random, folder_of

Ask: TypeAlias = Callable[..., list[dict[str, Any]]]
START = {"type": "match_start", "id": 1, "random_seed": "5eed"}
CARDS = ["AS", "KS", "2H", "TD", "9C"]


def a_bid(**changes: Any) -> dict[str, Any]:
    """A request for a bid."""
    return {"type": "bid", "id": 2, "hand_no": 1, "tricks": [], "legal": list(range(14)), **changes}


def a_play(**changes: Any) -> dict[str, Any]:
    """A request for a card."""
    return {"type": "play", "id": 3, "hand_no": 1, "tricks": [], "legal": CARDS, **changes}


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot, built."""
    return build_random(tmp_path_factory.mktemp("random"))


def run_lines(bot: Path, lines: bytes) -> list[dict[str, Any]]:
    """What the bot answers to these lines."""
    done = subprocess.run([bot], input=lines, capture_output=True, check=True, timeout=60)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(bot: Path, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    """What the bot answers to these messages."""
    return run_lines(bot, b"".join(json.dumps(message).encode() + b"\n" for message in messages))


def test_two_is_bid_as_often_as_one_and_three_together(bot: Path) -> None:
    bids = Counter(answer["bid"] for answer in ask(bot, START, *(a_bid(hand_no=n) for n in range(1, 2001)))[1:])
    assert set(bids) == {1, 2, 3}
    assert all(abs(bids[number] - share) < 120 for number, share in ((1, 500), (2, 1000), (3, 500)))


def test_where_its_number_may_not_be_bid_it_bids_whatever_may(bot: Path) -> None:
    legal = [0, 11, "blind6"]
    bids = Counter(
        answer["bid"] for answer in ask(bot, START, *(a_bid(hand_no=n, legal=legal) for n in range(1, 301)))[1:]
    )
    assert set(bids) == set(legal)


def test_a_bid_that_is_a_word_is_given_back_as_it_stands(bot: Path) -> None:
    bids = {
        answer["bid"] for answer in ask(bot, START, *(a_bid(hand_no=n, legal=[0, "zero"]) for n in range(1, 50)))[1:]
    }
    assert bids == {0, "zero"}


def test_a_card_that_is_drawn_is_kept_as_often_as_not_and_each_has_dice_of_its_own(bot: Path) -> None:
    legal = ["keep", "discard"]
    draws = [
        {"type": "draw", "id": 2, "hand_no": hand_no, "tricks": [], "hand": CARDS[:held], "drawn": "3C", "legal": legal}
        for hand_no in range(1, 201)
        for held in range(5)
    ]
    answers = [answer["draw"] for answer in ask(bot, START, *draws)[1:]]
    assert set(answers) == set(legal)
    assert abs(answers.count("keep") - 500) < 80
    assert len({tuple(answers[first : first + 5]) for first in range(0, 1000, 5)}) > 25


def test_every_legal_card_is_played_about_equally_often(bot: Path) -> None:
    cards = Counter(answer["card"] for answer in ask(bot, START, *(a_play(hand_no=n) for n in range(1, 2001)))[1:])
    assert set(cards) == set(CARDS)
    assert all(abs(times - 400) < 100 for times in cards.values())


def test_its_dice_depend_on_the_seed_the_hand_and_the_trick_and_on_nothing_else(bot: Path) -> None:
    legal = list(range(1, 10_000))
    base = ask(bot, START, a_play(legal=legal))[1]["card"]
    for same in ({"scores": {"NS": 5}}, {"time_left": 0.5}, {"id": 77}):
        assert ask(bot, START, a_bid(), a_play(legal=legal, **same))[2]["card"] == base
    others: list[dict[str, Any]] = [{"hand_no": 2}, {"tricks": [{}]}]
    for other in others:
        assert ask(bot, START, a_play(legal=legal, **other))[1]["card"] != base
    assert ask(bot, {**START, "random_seed": "0ther"}, a_play(legal=legal))[1]["card"] != base


def test_what_it_does_not_know_it_does_not_answer(bot: Path) -> None:
    strange: list[Any] = [
        {"type": "blind", "id": 4, "legal": [None]},
        {"type": "bidding", "id": 5, "legal": [1]},
        {},
        {"id": 6},
    ]
    assert ask(bot, *strange) == []
    assert (
        run_lines(bot, b'\n[]\nnull\n"bid"\n{\n{"type"\n{"type":"bid","id":\n{"type":"play","id":1,"legal":[]}\n') == []
    )


def test_it_wants_to_be_asked_for_draws_and_for_nothing_else_that_is_optional(bot: Path) -> None:
    assert ask(bot, {"type": "hello", "protocol": [1, 1]})[0]["answers"] == ["draw"]


def test_a_harness_of_another_version_is_told_so(bot: Path) -> None:
    answers = [
        answer["type"] for answer in ask(bot, *({"type": "hello", "protocol": p} for p in ([1, 1], [1, 9], [2, 3])))
    ]
    assert answers == ["hello", "hello", "error"]


def test_of_doubled_keys_the_last_counts(bot: Path) -> None:
    line = b'{"type":"play","id":1,"legal":["AS"],"tricks":[],"legal":["2C"],"id":8}\n'
    assert run_lines(bot, line) == [{"id": 8, "card": "2C"}]


def test_a_line_may_be_a_million_bytes_long_and_the_last_one_need_not_end(bot: Path) -> None:
    assert ask(bot, {"padding": "x" * 10**6, **a_play(legal=["AS"])}) == [{"id": 3, "card": "AS"}]
    assert run_lines(bot, json.dumps(a_play()).encode()) == []


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=30)
@given(strange=st.dictionaries(st.text(), json_values, max_size=6), ascii_only=st.booleans(), data=st.data())
def test_its_keys_are_found_among_any_others(
    bot: Path, strange: dict[str, Any], ascii_only: bool, data: st.DataObject
) -> None:
    keys = data.draw(st.permutations([*({**strange, **a_play(id=2**53 - 1)}.items())]))
    indent = data.draw(st.sampled_from([None, 0, 3]))
    text = json.dumps(dict(keys), ensure_ascii=ascii_only, indent=indent).replace("\n", " \t")
    (answer,) = run_lines(bot, text.encode("utf-8", "surrogatepass") + b"\r\n")
    assert answer["id"] == 2**53 - 1
    assert answer["card"] in CARDS


def test_its_folder_says_how_to_build_and_to_start_it() -> None:
    text = (folder_of("random") / "bot.yaml").read_text(encoding="utf-8")
    assert 'build: ["cc", "-O2", "-o", "random", "random.c"]' in text
    assert 'command: ["./random"]' in text
