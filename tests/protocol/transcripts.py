"""Makes the transcripts of `protocol/conformance/` from real matches.

In the folder `tests`, `python -m protocol.transcripts` writes them. A transcript is a list of steps, one JSON object a
line: what is sent, and what any bot that conforms may answer. A test compares the files with what is made here, so
that they can't drift from what the harness says.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from spades_harness.game.cards import card_names, strength
from spades_harness.game.notation import Written, write_action
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.table.match import Request

from .recording import Choice, Message, Recorder, dull, record

FOLDER: Final = Path(__file__).parents[2] / "protocol" / "conformance"
Step: TypeAlias = dict[str, Any]
OPTIONAL: Final = ("blind", "draw", "exchange")


class Transcript(Protocol):
    """A function that makes the steps of one transcript; its name is the file's."""

    __name__: str

    def __call__(self) -> Iterator[Step]:
        """The steps."""
        ...


def blind_nil(request: Request) -> Written:
    """Double Nil without looking."""
    return "blind_nil" if request.view.kind == "blind" else dull(request)


def picky(request: Request) -> Written:
    """Keep none but high cards of what is drawn; with a Double Nil, replace two cards of what may be three."""
    view = request.view
    match view.kind:
        case "draw":
            return "keep" if view.drawn is not None and strength(view.drawn) >= 6 else "discard"
        case "exchange":
            return card_names(view.hand or 0)[:2]
        case _:
            return dull(request)


def picky_and_blind(request: Request) -> Written:
    """The same after Double Nil without looking."""
    return "blind_nil" if request.view.kind == "blind" else picky(request)


def blind_thirteen(request: Request) -> Written:
    """The last of what may be bid blind: `blind13`."""
    view = request.view
    return write_action(view.kind, view.legal[-1]) if view.kind == "blind" else dull(request)


def zero(request: Request) -> Written:
    """The bid that costs nothing."""
    return "zero" if request.view.kind == "bid" else dull(request)


def heard(
    seat: int, chooses: dict[int, Choice], seed: str = "conformance", stream: int = 0, rules: Rules | None = None
) -> list[Message]:
    """What one seat hears in a match of one hand in which these seats choose so, the others as the substitute."""
    rules = replace(rules or Rules(), hand_cap=1)
    seats = [Recorder(chooses.get(number, dull)) for number in range(len(rules.shape.seats))]
    record(seed, seats, stream, rules)
    return [message for direction, message in seats[seat].lines if direction == ">"]


def steps_of(messages: Iterable[Message]) -> Iterator[Step]:
    """Each message as a step, and after it what may be answered."""
    for message in messages:
        only = {"only": message["type"]} if message["type"] in OPTIONAL else {}
        yield {"send": message, **only}
        if expected := expectation(message):
            yield {"expect": expected, **only}


def expectation(message: Message) -> Step | None:
    """What a bot must answer to a message; None where it must say nothing."""
    match message["type"]:
        case "hello":
            return {"type": "hello", "protocol": 1}
        case "match_start":
            return {"id": message["id"], "ready": True}
        case "blind" | "bid":
            return {"id": message["id"], "bid": message["legal"]}
        case "exchange":
            least, most = message["min"], message["max"]
            return {
                "id": message["id"],
                "cards": {"choose": least if least == most else [least, most], "of": message["hand"]},
            }
        case "draw":
            return {"id": message["id"], "draw": message["legal"]}
        case "play":
            return {"id": message["id"], "card": message["legal"]}
        case _:
            return None


# -------------------------------------------------------------------------------------------------- the transcripts


def one_hand() -> Iterator[Step]:
    """A match of one hand, from the greeting to the end of input."""
    return steps_of(heard(1, {}))


def exchange_first() -> Iterator[Step]:
    """The bot is told that it bid Double Nil: it gives cards first, then plays with those that it got."""
    return steps_of(heard(0, {0: blind_nil}))


def exchange_back() -> Iterator[Step]:
    """The partner bid Double Nil: the bot receives cards and gives as many back."""
    return steps_of(heard(2, {0: blind_nil}))


def two_players() -> Iterator[Step]:
    """Two players draw their cards before they bid; this one draws first. There is no partner."""
    return steps_of(heard(0, {0: picky}, rules=PRESETS["two_player"]))


def two_players_blind() -> Iterator[Step]:
    """Double Nil before the first card is drawn, and after the bids up to three cards may be replaced."""
    return steps_of(heard(1, {0: picky, 1: picky_and_blind}, rules=PRESETS["two_player"]))


def cutthroat() -> Iterator[Step]:
    """Four players, each for himself: there is no partner, and each seat is a side."""
    return steps_of(heard(1, {}, rules=PRESETS["cutthroat"]))


def jokers() -> Iterator[Step]:
    """A deck with two jokers, which are spades."""
    return steps_of(heard(2, {}, rules=PRESETS["jokers"]))


def high_deuces() -> Iterator[Step]:
    """A deck with jokers and high deuces: the deuce of diamonds is a spade."""
    return steps_of(heard(0, {}, rules=PRESETS["jokers_deuces"]))


def bids_in_words() -> Iterator[Step]:
    """The bid zero beside Nil, and numbers that are bid blind; no target, so that it is null."""
    rules = Rules(preset="words", zero="bonus", blind_number=6, target=None, behind=500)
    return steps_of(heard(3, {0: blind_thirteen, 1: zero}, rules=rules))


def plain_zero() -> Iterator[Step]:
    """There is no Nil: 0 is a bid of no tricks. Spades may be led at any time."""
    return steps_of(heard(1, {}, rules=PRESETS["encyclopedia"]))


def two_matches() -> Iterator[Step]:
    """A second match in the same process, on another seat and with ids that go on."""
    first, second = heard(3, {}), heard(0, {}, stream=1)[1:]
    number = max(message.get("id", 0) for message in first)
    return steps_of([*first, *({**m, "id": m["id"] + number} if "id" in m else m for m in second)])


def stopped_match() -> Iterator[Step]:
    """A match that ends in the middle of a hand, by somebody's forfeit, and another after it."""
    messages = heard(2, {})
    end = {"type": "match_end", "reason": "forfeit", "scores": {"NS": 0, "EW": 0}, "bags": {"NS": 0, "EW": 0}}
    return steps_of([*messages[:6], end, *messages[1:]])


def unknown_keys() -> Iterator[Step]:
    """Every message has keys that the bot doesn't know, of every JSON type."""
    strange = {
        "weather": None,
        "odds": [0.5, {"hand": ["XX"], "legal": []}],
        "text": '}],"id":0,"legal":["',
        "card": "2C",
    }
    for step in steps_of(heard(1, {})):
        yield {**step, "send": {**strange, **step["send"], "zzz": True}} if "send" in step else step


def unknown_messages() -> Iterator[Step]:
    """Messages of unknown types, with and without an id, come between the others and need no answer."""
    for number, step in enumerate(steps_of(heard(1, {})[:9])):
        yield step
        if "expect" in step or number == 0:
            yield {"send": {"type": "table_talk", "text": "well played"}}
            yield {"send": {"type": "question", "id": 900 + number, "legal": ["AS"], "hand": ["AS"]}}
            yield {"send": {"type": "bidding", "id": 950 + number, "legal": [3]}}


def other_spellings() -> Iterator[Step]:
    """The same JSON written otherwise: spaces, another order of keys, a CR before the line's end."""
    for step in steps_of(heard(1, {})[:9]):
        if "send" not in step:
            yield step
            continue
        backwards = dict(reversed(step["send"].items()))
        text = json.dumps(backwards, indent=1, separators=(" ,\t", " : ")).replace("\n", " ")
        yield {"raw": f"  {text} \r", **{key: step[key] for key in step if key == "only"}}


def long_lines() -> Iterator[Step]:
    """Lines of 60 000 bytes, nearly as long as lines may be, with text that is not ASCII."""
    padding = {"text": "ж♠\u2028é", "times": 6000}
    for step in steps_of(heard(1, {})[:7]):
        yield {**step, "padding": padding} if "send" in step else step


def large_ids() -> Iterator[Step]:
    """Ids up to the largest, 2**53 - 1."""
    messages = heard(1, {})[:8]
    largest = 2**53 - 1 - max(message.get("id", 0) for message in messages)
    return steps_of({**m, "id": m["id"] + largest} if "id" in m else m for m in messages)


def newer_harness() -> Iterator[Step]:
    """A harness that speaks versions 1 to 7 is answered with a version that the bot speaks."""
    hello, *rest = heard(1, {})[:5]
    return steps_of([{**hello, "protocol": [1, 7]}, *rest])


def end_at_once() -> Iterator[Step]:
    """The input ends before anything was said."""
    return iter(())


def end_after_hello() -> Iterator[Step]:
    """The input ends after the greeting."""
    return steps_of(heard(1, {})[:1])


def end_in_hand() -> Iterator[Step]:
    """The input ends in the middle of a hand."""
    return steps_of(heard(1, {})[:7])


MADE: Final[tuple[Transcript, ...]] = (
    one_hand,
    exchange_first,
    exchange_back,
    two_players,
    two_players_blind,
    cutthroat,
    jokers,
    high_deuces,
    bids_in_words,
    plain_zero,
    two_matches,
    stopped_match,
    unknown_keys,
    unknown_messages,
    other_spellings,
    long_lines,
    large_ids,
    newer_harness,
    end_at_once,
    end_after_hello,
    end_in_hand,
)


def text_of(make: Transcript) -> str:
    """A transcript as its file holds it; the first line says what it is about."""
    steps = [{"about": make.__doc__}, *make()]
    return "".join(json.dumps(step, ensure_ascii=False, separators=(",", ":")) + "\n" for step in steps)


def main() -> int:
    """Write all transcripts."""
    FOLDER.mkdir(exist_ok=True)
    for make in MADE:
        (FOLDER / f"{make.__name__}.jsonl").write_text(text_of(make), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
