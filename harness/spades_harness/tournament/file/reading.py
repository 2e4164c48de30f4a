"""Reading a YAML tree value by value: what a value may be, and how to say that it is something else. No keys, no I/O.

A reader is a function from a place in the tree to a value; it raises FileError. `Reading` and `each` go on after a
value that is wrong, so that one run shows everything that is wrong with a file.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Self, TypeAlias, TypeVar

from spades_harness.suggestion import nearest
from spades_harness.table.match import Scalar

from .yaml_nodes import Field, Fields, FileError, Items, Node, Place, Problem, Word, join, parse

T = TypeVar("T")

MAX_SAFE: Final = 2**53 - 1
"""The largest whole number that JSON readers in every language take as it is."""
MAX_NAME: Final = 60
"""Characters of a name: it has to fit into a table that people read."""
MAX_TEXT: Final = 4096
"""Characters of any other text: a path as long as systems take, and far from what a line to a bot may hold."""
MAX_BOTS: Final = 10_000
"""More bots, or entrants, are a slip, and would fill memory with pairings before the first match."""
MAX_ARGUMENTS: Final = 1_000
"""Arguments of a command, parameters, plugins: more is a slip."""
_WHOLE: Final = re.compile(r"-?(0|[1-9][0-9]*)")
_DECIMAL: Final = re.compile(r"-?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_NUMBER_TO_SOME: Final = re.compile(
    r"[-+]?(0[xob][0-9a-f_]+|[0-9][0-9_]*(:[0-9_]+)*(\.[0-9_]*)?|\.[0-9_]+|\.inf|\.nan)(e[-+]?[0-9]+)?", re.IGNORECASE
)
"""What one YAML reader or another takes for a number: hexadecimal, octal, to the base of 60, with underscores."""
_DEVICE: Final = re.compile(r"con|prn|aux|nul|(com|lpt)[0-9¹²³]|con(in|out)\$", re.IGNORECASE)
_NOTHING: Final = frozenset({"", "~", "null", "Null", "NULL"})
_YES_OR_NO: Final = frozenset({"yes", "no", "on", "off"})


@dataclass(frozen=True, slots=True)
class At:
    """A value at its place: the file's name as shown, and the path of keys that leads to the value."""

    file: str
    path: str
    node: Node

    @property
    def place(self) -> Place:
        """Where it stands."""
        return Place(self.file, *self.node.mark, self.path)

    def child(self, key: str) -> At | None:
        """The value of a key, None when this is no mapping or doesn't have it."""
        fields = self.node.fields if isinstance(self.node, Fields) else ()
        found = [At(self.file, join(self.path, key), field.value) for field in fields if field.key == key]
        return found[0] if found else None

    def error(self, what: str) -> FileError:
        """Something wrong with this value, to be raised."""
        return self.place.error(what)

    def must_be(self, what: str) -> FileError:
        """What should stand here instead of what does, to be raised."""
        return self.error(f"must be {what}, not {self.shown}")

    @property
    def is_nothing(self) -> bool:
        """Whether nothing stands here, or what means that in YAML."""
        return isinstance(self.node, Word) and not self.node.quoted and self.node.text in _NOTHING

    @property
    def shown(self) -> str:
        """The value as it was written, cut to what fits into a line."""
        match self.node:
            case Items():
                return "a list"
            case Fields():
                return "a mapping"
            case Word(text, quoted):
                seen = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text[:40])
                short = seen if len(text) <= 40 else f"{seen}…"
                return f'"{short}"' if quoted else short or "nothing"


Reader: TypeAlias = Callable[[At], T]


def document(content: bytes, file: str) -> At:
    """The root of a file; raises FileError when it isn't YAML, or has doubled keys."""
    return At(file, "", parse(content, file))


class Reading:
    """A mapping that is being read key by key. Left with everything right, or with a FileError that has all problems.

    Keys that nobody asked for are unknown; those that were asked for are the ones to suggest.
    """

    def __init__(self, at: At) -> None:
        if not isinstance(at.node, Fields):
            raise at.must_be("a mapping of keys to values")
        self.at = at
        self._fields = {field.key: field for field in at.node.fields}
        self._asked: list[str] = []
        self._problems: list[Problem] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        unknown = [self._unknown(field) for key, field in self._fields.items() if key not in self._asked]
        if isinstance(error, FileError):
            raise FileError(*self._problems, *error.problems, *unknown) from None
        if error is None and (self._problems or unknown):
            raise FileError(*self._problems, *unknown)

    def _unknown(self, field: Field) -> Problem:
        place = Place(self.at.file, *field.mark, join(self.at.path, field.key))
        return place.problem(f"unknown key{nearest(field.key, self._asked)}")

    def find(self, key: str) -> At | None:
        """The value of a key, None when it is absent."""
        self._asked.append(key)
        return self.at.child(key)

    def get(self, key: str, reader: Reader[T], default: T) -> T:
        """The value of a key; the default when it is absent, or wrong (which is noted)."""
        at = self.find(key)
        return default if at is None else self._read(at, reader, default)

    def need(self, key: str, reader: Reader[T], stand_in: T) -> T:
        """The value of a key that must be there; the stand-in keeps the reading going."""
        at = self.find(key)
        if at is None:
            self.note(f"{key} is missing")
            return stand_in
        return self._read(at, reader, stand_in)

    def _read(self, at: At, reader: Reader[T], default: T) -> T:
        try:
            return reader(at)
        except FileError as error:
            self._problems.extend(error.problems)
            return default

    def note(self, what: str) -> None:
        """Something is wrong with the mapping as a whole."""
        self._problems.append(self.at.place.problem(what))

    def note_all(self, problems: Iterable[Problem]) -> None:
        """Things are wrong in several places."""
        self._problems.extend(problems)


# -------------------------------------------------------------------------------------------------- lists and mappings


def each(reader: Reader[T], most: int) -> Reader[tuple[T, ...]]:
    """A reader of a list, at most so long, of what the given reader reads."""

    def read(at: At) -> tuple[T, ...]:
        if not isinstance(at.node, Items):
            raise at.must_be("a list")
        if len(at.node.items) > most:
            raise at.error(f"must have at most {most} items, not {len(at.node.items)}")
        return _all(reader, [At(at.file, f"{at.path}[{index}]", node) for index, node in enumerate(at.node.items)])

    return read


def pairs(reader: Reader[T], most: int) -> Reader[tuple[tuple[str, T], ...]]:
    """A reader of a mapping with free keys, at most so many, sorted by key: their order says nothing."""

    def read(at: At) -> tuple[tuple[str, T], ...]:
        if not isinstance(at.node, Fields):
            raise at.must_be("a mapping")
        if len(at.node.fields) > most:
            raise at.error(f"must have at most {most} keys, not {len(at.node.fields)}")
        fields = sorted(at.node.fields)
        values = _all(reader, [At(at.file, join(at.path, field.key), field.value) for field in fields])
        return tuple(zip((field.key for field in fields), values, strict=True))

    return read


def _all(reader: Reader[T], places: list[At]) -> tuple[T, ...]:
    found: list[T] = []
    problems: list[Problem] = []
    for at in places:
        try:
            found.append(reader(at))
        except FileError as error:
            problems += error.problems
    if problems:
        raise FileError(*problems)
    return tuple(found)


def only_pair(at: At) -> tuple[str, At] | None:
    """The key and the value of a mapping with a single key, None for anything else."""
    if isinstance(at.node, Fields) and len(at.node.fields) == 1:
        field = at.node.fields[0]
        return field.key, At(at.file, join(at.path, field.key), field.value)
    return None


# ------------------------------------------------------------------------------------------------------- single values


def word(at: At) -> str | None:
    """What is written here, None for a list or a mapping."""
    return at.node.text if isinstance(at.node, Word) else None


def literal(at: At) -> str:
    """A text as it is written: `no`, `5` and `""` too."""
    if not isinstance(at.node, Word):
        raise at.error(f"must be a text, not {at.shown}{_in_quotes(at.node)}")
    if not at.node.text and not at.node.quoted:
        raise at.error('is empty; write "" for an empty text')
    if len(at.node.text) > MAX_TEXT or "\0" in at.node.text:
        raise at.must_be(f"a text of at most {MAX_TEXT} characters without NUL")
    return at.node.text


def _in_quotes(node: Node) -> str:
    """What to do about `{python}`, which is a mapping to YAML."""
    match node:
        case Fields(fields=(Field(key, _, Word(text="")),)):
            return f'; put it in quotes: "{{{key}}}"'
        case _:
            return ""


def text(at: At) -> str:
    """A text as it is written, `no` and `5` too; but what means `nothing` must stand in quotes to be meant as text."""
    if at.is_nothing and (written := word(at)):
        raise at.error(f'{written} means "nothing" in YAML; put it in quotes to mean the text: "{written}"')
    found = literal(at)
    if not found.strip():
        raise at.must_be("a text with something in it")
    return found


def name(at: At) -> str:
    """A name that people can read and tell from others, in Unicode's composed form (NFC), without outer spaces."""
    found = unicodedata.normalize("NFC", text(at).strip())
    if len(found) > MAX_NAME:
        raise at.error(f"must be a name of at most {MAX_NAME} characters, not {len(found)}")
    for character in found:
        if not character.isprintable():
            raise at.error(f"has the character U+{ord(character):04X}, which can't be seen in a name")
    return found


def is_device(folder: str) -> bool:
    """Whether Windows keeps this name of a file or folder for a device, with any ending and in any case."""
    return _DEVICE.fullmatch(folder.partition(".")[0].rstrip()) is not None


def twin_key(named: str) -> str:
    """What two names have in common that people, or file systems, would take for one."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", named).strip().casefold())


def one_of(*words: str) -> Reader[str]:
    """A reader of one of some words."""

    def read(at: At) -> str:
        found = word(at)
        if found not in words:
            hint = nearest(found or "", list(words)) if found else ""
            raise at.error(f"must be {_either(words)}, not {at.shown}{hint if 'did you mean' in hint else ''}")
        return found

    return read


def _either(words: tuple[str, ...]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]] if words[1:] else list(words))


def flag(at: At) -> bool:
    """`true` or `false`."""
    found = word(at) or ""
    if found.lower() not in ("true", "false") or (isinstance(at.node, Word) and at.node.quoted):
        raise at.must_be("true or false")
    return found.lower() == "true"


def whole(low: int, high: int) -> Reader[int]:
    """A reader of a whole number, written in plain digits: `010`, `1_000`, `1:30` and `1e3` mean too many things."""

    def read(at: At) -> int:
        match at.node:
            case Word(found, quoted=False) if _WHOLE.fullmatch(found) and len(found) < 40 and low <= int(found) <= high:
                return int(found)
        raise at.must_be(f"a whole number from {low} to {high}")

    return read


def seconds(low: float, high: float) -> Reader[float]:
    """A reader of a time in seconds."""

    def read(at: At) -> float:
        match at.node:
            case Word(found, quoted=False) if _DECIMAL.fullmatch(found) and low <= float(found) <= high:
                return float(found)
        raise at.must_be(f"a number of seconds from {low:g} to {high:g}")

    return read


def scalar(at: At) -> Scalar:
    """A parameter's value: a text, a number, true, false or nothing (null), and nothing that could mean two of them."""
    if not isinstance(at.node, Word):
        raise at.error(f"must be a text, a number, true or false, not {at.shown}{_in_quotes(at.node)}")
    if at.node.quoted:
        return literal(at)
    found = at.node.text
    if at.is_nothing:
        return None
    if found.lower() in ("true", "false"):
        return flag(at)
    if found.lower() in _YES_OR_NO:
        raise at.error(f'{found}: write true or false, or put it in quotes to mean the text: "{found}"')
    if _WHOLE.fullmatch(found):
        if len(found) > len(str(-MAX_SAFE)) or abs(int(found)) > MAX_SAFE:
            raise at.error(f"{at.shown} is too large for a number; put it in quotes to mean the text")
        return int(found)
    if _DECIMAL.fullmatch(found) and math.isfinite(float(found)):
        return float(found)
    if _NUMBER_TO_SOME.fullmatch(found):
        raise at.error(f'{at.shown} is no plain number; put it in quotes to mean the text: "{found}"')
    return literal(at)
