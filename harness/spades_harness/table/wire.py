"""Messages as bytes: encoding what is said to a bot, and deciding what its lines are. Sans-IO: no clock, no pipe.

This is the one place that says which line is an answer, which is a fault and of what kind, and which is nothing.
Nothing that a bot can write makes a function here raise.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, TypeAlias

import msgspec

from spades_harness.game.hand import Kind
from spades_harness.game.notation import Written

from .match import Answer, FaultKind, Garbled, Gone, MatchStart, Notice, Request, Stats
from .messages import PROTOCOL, greeting, match_start_message, notice_message, request_message

LINE_CAP: Final = 65_536
"""Bytes in a line from a bot, its end not counted: an answer takes 60, a long note 5,000; more is a runaway loop."""
IGNORED_CAP: Final = 100
"""Blank or outdated lines that one request forgives: honest bots leave a few, a flood must end in a fault."""
NESTING_CAP: Final = 100
"""Brackets open at once: an answer has two; without a cap of our own it would hang on the Python that runs us."""
RAW_CAP: Final = 1_024
"""Bytes of an answer that a fault keeps as they came: any honest answer without its note, whole."""
SHOWN: Final = 200
"""Characters of a stranger's line that a fault shows: enough to recognise it, too few to flood a record."""
NOTE_CAP, LABEL_CAP, STATS_CAP, STAT_NAME_CAP = 1_000, 80, 16, 40
"""Characters of a note and of a bot's name or version, numbers in `stats`, characters of their names: every decision
of every match is kept."""


# ------------------------------------------------------------------------------------------------------- what is said


def encode_hello() -> bytes:
    """The greeting, with its line end, as everything that is encoded here."""
    return _encode(greeting())


def encode(said: MatchStart | Request, number: int) -> bytes:
    """A match's start or a request as request `number` of this process."""
    if isinstance(said, Request):
        return _encode(request_message(said, number))
    return _encode(match_start_message(said, number))


def encode_notice(notice: Notice) -> bytes:
    """A notice, which has no number."""
    return _encode(notice_message(notice))


_encoder = msgspec.json.Encoder()


def _encode(message: msgspec.Struct) -> bytes:
    return _encoder.encode(message) + b"\n"


# ------------------------------------------------------------------------------------------------------ bytes to lines


@dataclass(frozen=True, slots=True)
class TooLong:
    """A line that passed the cap, by its first bytes; the rest of it is thrown away."""

    head: bytes


Line: TypeAlias = bytes | TooLong
"""A line without its end."""


class LineBuffer:
    """Splits bytes at LF and holds at most one unfinished line, never more of it than the cap."""

    def __init__(self, cap: int = LINE_CAP) -> None:
        self._cap = cap
        self._held = bytearray()
        self._skipping = False

    @property
    def partial(self) -> bytes:
        """The unfinished line."""
        return bytes(self._held)

    def feed(self, data: bytes) -> list[Line]:
        """The lines that these bytes finish, and a TooLong as soon as a line passes the cap."""
        *finished, rest = data.split(b"\n")
        lines: list[Line] = []
        for piece in finished:
            lines += self._grow(piece)
            if not self._skipping:
                lines.append(bytes(self._held).removesuffix(b"\r"))
            self._held.clear()
            self._skipping = False
        return lines + self._grow(rest)

    def _grow(self, piece: bytes) -> list[Line]:
        if self._skipping:
            return []
        if len(self._held) + len(piece) <= self._cap:
            self._held += piece
            return []
        head = bytes(self._held[:RAW_CAP] + piece[:RAW_CAP])[:RAW_CAP]
        self._held.clear()
        self._skipping = True
        return [TooLong(head)]


# ----------------------------------------------------------------------------------------------- lines to what they are


class Ignored(Enum):
    """A line that is neither an answer nor a fault; so many of them are one."""

    BLANK = "blank"
    OLD = "old"
    """The answer to an earlier request, which was judged without it."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The bot can play."""


@dataclass(frozen=True, slots=True)
class Hello:
    """What a bot says of itself; its name is a note, its identity is the pipe that it sits on."""

    name: str
    version: str
    answers: frozenset[str]


ANSWER_KEYS: Final = ("bid", "card", "cards", "draw", "ready")
_KEY: Final[dict[str, str]] = {
    "blind": "bid",
    "draw": "draw",
    "bid": "bid",
    "exchange": "cards",
    "play": "card",
    "start": "ready",
}
_FORM: Final[dict[str, str]] = {
    "bid": "a whole number, a text or null",
    "card": "a text such as TS",
    "cards": "a list of texts such as TS",
    "draw": "the text keep or discard",
    "ready": "true",
}


def decode(line: Line, number: int, kind: Kind, elapsed: float) -> Answer | Garbled | Gone | Ignored:
    """What a line is while request `number` of this kind is open; whether an answer is legal, the referee says."""
    found = _examine(line, number, kind)
    match found:
        case dict():
            return Answer(_written(found[_KEY[kind]]), elapsed, _note(found.get("note")), _stats(found.get("stats")))
        case Ignored():
            return found
        case _:
            return found.at(line, elapsed)


def decode_ready(line: Line, number: int, elapsed: float) -> Ready | Garbled | Gone | Ignored:
    """What a line is while the match's start, request `number`, waits for its answer."""
    found = _examine(line, number, "start")
    match found:
        case dict():
            return Ready()
        case Ignored():
            return found
        case _:
            return found.at(line, elapsed)


def decode_hello(line: Line, elapsed: float) -> Hello | Garbled | Gone | Ignored:
    """What a bot's first line is."""
    found = _read(line)
    hello = _hello(found) if isinstance(found, dict) else found
    return hello if isinstance(hello, Hello | Ignored) else hello.at(line, elapsed)


@dataclass(frozen=True, slots=True)
class _Wrong:
    """What is wrong with a line, in words."""

    problem: str
    kind: FaultKind = FaultKind.MALFORMED

    def at(self, line: Line, elapsed: float) -> Garbled:
        return Garbled(self.kind, self.problem, show(line), elapsed)


@dataclass(frozen=True, slots=True)
class _GivenUp:
    """The bot said that it cannot go on."""

    message: str

    def at(self, line: Line, elapsed: float) -> Gone:
        return Gone(f"gave up: {self.message}", elapsed)


def _examine(line: Line, number: int, asked: str) -> dict[str, Any] | _Wrong | _GivenUp | Ignored:
    """The object that answers the open request, or what the line is instead."""
    found = _read(line)
    if not isinstance(found, dict):
        return found
    echoed = found.get("id")
    if type(echoed) is int and 1 <= echoed < number:
        return Ignored.OLD
    keys = [key for key in ANSWER_KEYS if key in found]
    if len(keys) != 1:
        return _no_answer(keys)
    if type(echoed) is not int or echoed != number:
        return _Wrong(f'the answer must carry "id":{number}, not {_id_shown(found)}', FaultKind.PROTOCOL)
    key, wanted = keys[0], _KEY[asked]
    if key != wanted:
        return _Wrong(f'the answer to {_asked(asked)} is "{wanted}", not "{key}"')
    if not _has_form(wanted, found[wanted]):
        return _Wrong(f'"{wanted}" must be {_FORM[wanted]}')
    return found


def is_blank(line: Line) -> bool:
    """Whether nothing stands on a line: somebody's stray line end."""
    return isinstance(line, bytes) and not line.strip(b" \t\r")


def _read(line: Line) -> dict[str, Any] | _Wrong | _GivenUp | Ignored:
    """The JSON object on a line."""
    if isinstance(line, TooLong):
        return _Wrong(f"the line is longer than {LINE_CAP} bytes")
    if line.count(b"[") + line.count(b"{") > NESTING_CAP and _nesting(line) > NESTING_CAP:
        return _Wrong(f"the line is nested deeper than {NESTING_CAP} levels")
    try:
        value = _decoder.decode(line)
    except (msgspec.MsgspecError, ValueError) as error:
        if is_blank(line):
            return Ignored.BLANK
        value = _second_look(line, error)
    if isinstance(value, dict):
        return _given_up(value) or value
    if isinstance(value, _Wrong):
        return value
    return _Wrong(f"the line is valid JSON but no object{_ONLY_MESSAGES}")


_BRACKET: Final = re.compile(rb'"(?:[^"\\]|\\.)*"?|[][{}]')
"""A text, which may hold brackets, or a bracket."""
_ONLY_MESSAGES: Final = "; only messages may go to standard output, print to standard error"
_decoder = msgspec.json.Decoder()
_ESCAPE: Final = re.compile(
    rb"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<lone>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)


def _second_look(line: bytes, error: Exception) -> object:
    """The value after all if only half a surrogate pair was in the way (JSON's grammar has it), else what is wrong."""
    mended = _ESCAPE.sub(lambda escape: rb"\ufffd" if escape["lone"] else escape[0], line)
    if mended != line:
        try:
            return _decoder.decode(mended)
        except (msgspec.MsgspecError, ValueError) as second:
            error = second
    return _Wrong(f"the line is no JSON object: {_reason(error)}{_ONLY_MESSAGES}")


def _nesting(line: bytes) -> int:
    """How many brackets are open at once, those in texts not counted."""
    depth = deepest = 0
    for token in _BRACKET.findall(line):
        depth += token in b"[{"
        depth -= token in b"]}"
        deepest = max(deepest, depth)
    return deepest


def _reason(error: Exception) -> str:
    """The decoder's words without the path to the place: in a line that a runaway loop has nested, it is long."""
    return str(error).removeprefix("JSON is malformed: ").split(" - at ")[0].lower()


def _given_up(message: dict[str, Any]) -> _GivenUp | None:
    if message.get("type") != "error":
        return None
    text = message.get("message")
    return _GivenUp(storable(text, NOTE_CAP) if isinstance(text, str) else "no reason given")


def _no_answer(keys: Sequence[str]) -> _Wrong:
    if keys:
        return _Wrong(f"an answer has one of its keys, this has {' and '.join(keys)}")
    return _Wrong(f"no answer in it: none of the keys {', '.join(ANSWER_KEYS)}")


def _id_shown(found: dict[str, Any]) -> str:
    if "id" not in found:
        return "no id"
    echoed = found["id"]
    return storable(json.dumps(echoed), 40) if isinstance(echoed, str | int | float | None) else "a list or an object"


def _asked(asked: str) -> str:
    return "match_start" if asked == "start" else asked


def _has_form(key: str, value: object) -> bool:
    """Whether an answer has its JSON type: a boolean or 3.0 is no whole number."""
    match key:
        case "bid":
            return value is None or type(value) is int or type(value) is str
        case "card" | "draw":
            return type(value) is str
        case "cards":
            return type(value) is list and all(type(card) is str for card in value)
        case _:
            return value is True


def _written(value: Any) -> Written:
    return tuple(value) if isinstance(value, list) else value


def _hello(found: dict[str, Any]) -> Hello | _Wrong:
    if found.get("type") != "hello":
        return _Wrong('the first message must be {"type":"hello",...}', FaultKind.PROTOCOL)
    version = found.get("protocol")
    if type(version) is not int:
        return _Wrong(f'"protocol" in hello must be the number {PROTOCOL}')
    if version != PROTOCOL:
        said = storable(str(version), 20)
        return _Wrong(f"it speaks protocol {said}, this harness speaks {PROTOCOL}", FaultKind.PROTOCOL)
    answers = found.get("answers", [])
    if not isinstance(answers, list) or not all(isinstance(kind, str) for kind in answers):
        return _Wrong('"answers" in hello must be a list such as ["blind","exchange"]')
    return Hello(_label(found.get("name")), _label(found.get("version")), frozenset(answers))


# ----------------------------------------------------------------------------------------------- strangers' texts, kept


def storable(text: str, cap: int) -> str:
    """A stranger's text on one line, cut: what no terminal, file or database stumbles over."""
    kept = _escaped(text[:cap])  # which makes it longer, if anything
    return kept if len(kept) <= cap and len(text) <= cap else kept[: cap - 1] + "…"


def _escaped(text: str) -> str:
    return text if text.isprintable() else "".join(map(_plain, text))


def _plain(character: str) -> str:
    if character.isprintable():
        return character
    return "\ufffd" if "\ud800" <= character <= "\udfff" else ascii(character)[1:-1]


def storable_text(text: bytes) -> str:
    """A stranger's lines as text, the lines kept."""
    lines = text.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(_escaped, line.split("\t"))) for line in lines)


def show(line: Line) -> str:
    """A bot's line as a fault shows it."""
    return storable(raw(line)[: 4 * SHOWN].decode("utf-8", "replace"), SHOWN)


def raw(line: Line) -> bytes:
    """A bot's line as it came, cut."""
    return (line.head if isinstance(line, TooLong) else line)[:RAW_CAP]


def _label(value: object) -> str:
    """A name or version: a note, so that a wrong type costs nothing."""
    return storable(str(value), LABEL_CAP) if isinstance(value, str | int | float) else ""


def _note(value: object) -> str:
    return storable(value, NOTE_CAP) if isinstance(value, str) else ""


def _stats(value: object) -> Stats:
    """The first so many numbers; whatever is none is left out."""
    if not isinstance(value, dict):
        return ()
    numbers = ((storable(name, STAT_NAME_CAP), _number(number)) for name, number in value.items())
    return tuple((name, number) for name, number in numbers if number is not None)[:STATS_CAP]


def _number(value: object) -> float | None:
    if type(value) is float:
        return value
    return float(value) if type(value) is int and abs(value) < 2**1000 else None
