"""PROTOCOL.md says all that is so, and nothing that isn't."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import fields as keys_of

import spades_bot
from spades_harness.bundled import bundled
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Ending
from spades_harness.table import messages, wire
from spades_harness.table.conversation import FLOOD_CAP
from spades_harness.table.launch import OWN
from spades_harness.table.match import Command, FaultKind
from spades_harness.table.referee import OPTIONAL
from spades_harness.tournament.file.bots import folder_bot
from spades_harness.tournament.file.build import TIMEOUT

from .documents import TEXT, code, conversation, first_cells, said_in, section
from .recording import worked_example
from .transcripts import blind_nil, heard, picky_and_blind, two_players

REQUESTS = (
    messages.BlindRequest,
    messages.DrawRequest,
    messages.BidRequest,
    messages.ExchangeRequest,
    messages.PlayRequest,
)
SAID = section("Messages from the harness")
HEARD = section("Messages to the harness")


def tag(message: type[msgspec.Struct]) -> str:
    """A message's `type`."""
    name = message.__struct_config__.tag
    assert isinstance(name, str)
    return name


def keys(*structs: type[msgspec.Struct]) -> set[str]:
    """The keys of messages, without `type`."""
    return {field.encode_name for struct in structs for field in keys_of(struct)}


@pytest.mark.parametrize("message", [said for said in get_args(messages.ToBot) if said not in REQUESTS])
def test_each_message_to_a_bot_is_described_key_by_key(message: type[msgspec.Struct]) -> None:
    assert set(first_cells(section(f"`{tag(message)}`", SAID))) == keys(message)


def test_a_match_ends_for_the_reasons_that_are_described_and_for_no_other() -> None:
    (row,) = re.findall(r"^\| `reason` \|.*$", section("`match_end`", SAID), re.MULTILINE)
    reasons = {ending.value for ending in Ending} | {"forfeit"}
    assert set(re.findall(r'`"(\w+)"`', row)) == reasons
    assert set(re.findall(r"`(\w+)`", messages.MatchEndNotice.__doc__ or "")) == reasons


def test_the_requests_are_described_key_by_key() -> None:
    types = {tag(request) for request in REQUESTS}
    text = section("Requests: `blind`, `draw`, `bid`, `exchange`, `play`", SAID)
    assert set(first_cells(text)) == types | keys(*REQUESTS)


def test_each_option_of_the_rules_is_described() -> None:
    options = {field.name for field in fields(Rules)}
    assert set(first_cells(section("`rules`", SAID))) == options | {"seats", "sides"}


def test_the_limits_are_described() -> None:
    assert keys(messages.TimeLimits) == set(re.findall(r"^- \*\*(\w+)\*\*:", section("Clocks"), re.MULTILINE))


def test_hello_and_error_of_a_bot_are_described_key_by_key() -> None:
    assert set(first_cells(section("`hello`", HEARD))) == keys(messages.HelloAnswer) | {"type"}
    assert set(first_cells(section("`error`", HEARD))) == keys(messages.ErrorMessage) | {"type"}


def test_the_answers_are_described_key_by_key() -> None:
    answers = [heard for heard in get_args(messages.FromBot) if "id" in keys(heard)]
    assert set(first_cells(section("Answers", HEARD))) == keys(*answers)
    (sentence,) = re.findall(r"\*\*Exactly one.*?\*\*", HEARD, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", sentence)) == set(wire.ANSWER_KEYS)


def test_the_answers_of_the_three_optional_requests_are_described() -> None:
    row = next(line for line in section("`hello`", HEARD).splitlines() if line.startswith("| `answers`"))
    assert f"`{json.dumps(sorted(OPTIONAL), separators=(',', ':'))}`" in row
    substitute = section("What you needn't answer")
    assert set(first_cells(substitute)) == {tag(request) for request in REQUESTS}


def test_every_kind_of_fault_has_its_cure_in_the_order_of_precedence() -> None:
    described = first_cells(re.sub(r"^(\| `\w+` \|).*$", r"\1", section("Faults"), flags=re.MULTILINE))
    assert described == [kind.value for kind in FaultKind]


def test_the_environment_is_described() -> None:
    assert set(first_cells(section("Where your bot runs"))) == set(OWN) | {"PYTHONPATH"}


@pytest.mark.parametrize(
    "sentence",
    [
        f"at most {wire.LINE_CAP:,} bytes long",
        f"longer than {wire.LINE_CAP:,} bytes",
        f"nested deeper than {wire.NESTING_CAP} levels",
        f"ignored, up to {wire.IGNORED_CAP} for one request",
        f"more than {FLOOD_CAP:,} lines",
        f"the first {wire.NOTE_CAP:,} characters",
        f"at most {wire.LABEL_CAP} characters",
        f"up to {wire.STATS_CAP} numbers",
    ],
)
def test_the_limits_of_lines_are_the_ones_that_hold(sentence: str) -> None:
    assert sentence in TEXT


def test_requests_and_notices_are_as_short_as_promised() -> None:
    said = [message for seat in range(4) for message in heard(seat, {0: blind_nil, 1: blind_nil})]
    said += heard(1, {1: picky_and_blind}, rules=PRESETS["two_player"])
    said = [message for message in said if message["type"] != "match_start"]
    longest = max(
        len(json.dumps({**m, "scores": {"NS": -(10**9), "EW": -(10**9)}}, separators=(",", ":"))) for m in said
    )
    assert longest < 4096 / 2


# --------------------------------------------------------------------------------------------- what it shows is so


def test_the_conversation_was_really_held() -> None:
    real = iter(worked_example())
    assert len(conversation()) > 10
    for line in conversation():
        assert line in real, f"not in the recorded match, or not in this order: {line[:100]}"


def test_the_draw_that_is_shown_was_really_made() -> None:
    asked, answered = said_in("Two players")
    steps = list(two_players())
    at = next(number for number, step in enumerate(steps) if step.get("send") == json.loads(asked[2:]))
    answer = json.loads(answered[2:])
    assert (answer["id"], answer["draw"] in steps[at + 1]["expect"]["draw"]) == (steps[at]["send"]["id"], True)
    following = steps[at + 2]["send"]
    assert following["hand"] == ["8S", "7C"], "the card was kept, as the answer says"


@pytest.mark.parametrize("line", [*conversation(), *said_in("Two players")], ids=lambda line: str(line)[:24])
def test_each_line_of_the_conversation_is_a_message_of_the_protocol(line: str) -> None:
    way, text = line.split(" ", 1)
    message = json.loads(text)
    wanted: Any = messages.ToBot if way == ">" else answer_type(message)
    assert msgspec.convert(message, wanted, strict=True) is not None


def answer_type(message: dict[str, Any]) -> Any:
    """The type of a bot's message, by its key."""
    by_key = {
        "type": messages.HelloAnswer,
        "ready": messages.ReadyAnswer,
        "bid": messages.BidAnswer,
        "draw": messages.DrawAnswer,
    }
    return next((kind for key, kind in by_key.items() if key in message), messages.PlayAnswer)


def test_the_bot_yaml_that_is_shown_is_read_as_it_is_meant(tmp_path: Path) -> None:
    (tmp_path / "bot.yaml").write_text(code("yaml"), encoding="utf-8")
    bot = folder_bot(tmp_path)
    assert (bot.name, bot.version, bot.authors, bot.params) == ("mybot", "1.2", ("Ada", "Charles"), (("depth", 3),))
    assert bot.launch == Command(("./mybot",), str(tmp_path.resolve()))
    assert bot.build == (("cc", "-O2", "-o", "mybot", "mybot.c"),)


def test_the_line_to_try_by_hand_is_answered(tmp_path: Path) -> None:
    (tmp_path / "minimal.py").write_text(code("python", "# minimal.py"), encoding="utf-8")
    line = re.findall(r"^\{\"type\":\"hello\".*$", section("A whole bot"), re.MULTILINE)[0]
    done = subprocess.run(
        [sys.executable, "minimal.py"], check=True, cwd=tmp_path, input=line + "\n", capture_output=True, text=True
    )
    assert json.loads(done.stdout) == {"type": "hello", "protocol": 1, "name": "minimal"}


def test_the_minimal_bot_is_as_short_as_it_is_said_to_be() -> None:
    assert len([line for line in code("python", "# minimal.py").splitlines() if line]) <= 16


# ------------------------------------------------------------------------------------------------------------ the SDK


def test_every_public_name_of_the_sdk_is_described() -> None:
    text = section("The Python SDK")
    unnamed = [name for name in spades_bot.__all__ if not re.search(rf"\b{name}\b", text)]
    assert unnamed == []


def test_everything_that_a_bot_has_is_described() -> None:
    text = section("The Python SDK")
    own = [name for name in vars(spades_bot.Bot) if not name.startswith("_")]
    assert [name for name in own if not re.search(rf"\b{name}\b", text)] == []


def test_a_request_of_the_sdk_has_every_key_that_messages_have() -> None:
    in_start = keys(messages.MatchStartRequest, messages.HelloRequest) - {"id", "seat"}
    assert set(spades_bot.Message.__annotations__) - {"type"} == keys(*get_args(messages.ToBot)) - in_start


def test_links_inside_the_folder_lead_somewhere() -> None:
    files = [link for link in re.findall(r"\]\(([^)#]+)\)", TEXT) if "://" not in link]
    missing = [link for link in files if not (bundled("protocol") / link).exists()]
    assert missing == []
    titles = re.findall(r"^#+ (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    assert set(re.findall(r"\]\(#([^)]+)\)", TEXT)) <= anchors | {"hello-1"}


def test_how_long_a_build_may_take_is_said() -> None:
    assert f"Each step may take {TIMEOUT:g} seconds" in TEXT
