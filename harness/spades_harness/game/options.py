"""What an option of the rules may be: whole numbers, words or a switch, each value with its meaning. Pure.

Knows no single option: those stand in `rules`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias


class RulesError(ValueError):
    """Rules that do not exist or contradict themselves; the text is one line for the person who asked for them."""


class Contradiction(RulesError):
    """Two options that do not go together."""

    def __init__(self, first: str, second: str, said: str) -> None:
        super().__init__(first, second, said)  # all that makes one anew in another process
        self.options = first, second
        self.said = said

    def __str__(self) -> str:
        return self.said


class Whole(NamedTuple):
    """A whole number in a range; `off` says what the value that switches it off means: None, or 0 where that is it."""

    low: int
    high: int
    says: str
    """What a value means, which stands in it as `{}`."""
    off: str = ""
    none: bool = False
    """Whether None is the value that switches it off."""


class Choice(NamedTuple):
    """One of some values, each with its meaning."""

    says: Mapping[int | str, str]


class Switch(NamedTuple):
    """True or false."""

    on: str
    off: str


Values: TypeAlias = Whole | Choice | Switch
Value: TypeAlias = int | str | bool | None
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,9}")
"""Nine digits: far beyond any score and any range, and quickly read. The digits are those of ASCII alone."""
_WORDS: Final[Mapping[str, Value]] = {"true": True, "false": False, "none": None, "null": None}
"""The values that are written as words whatever the option; `none` also as YAML and JSON have it."""


class Option(NamedTuple):
    """One option: its name, the rule that it varies, the values that it may have, and the one of `classic`."""

    name: str
    rule: str
    values: Values
    default: Value

    def check(self, value: object) -> None:
        """Raises RulesError for a value that it can't have."""
        if not _fits(self.values, value):
            raise self._refusal(repr(value))

    def _refusal(self, shown: str) -> RulesError:
        return RulesError(f"rules: {self.name} must be {self.choices}, not {shown}")

    @property
    def choices(self) -> str:
        """What it may be, in words."""
        match self.values:
            case Whole(low, high, none=none):
                return f"a whole number from {low} to {high}" + (", or none" if none else "")
            case Choice(says):
                return " or ".join(", ".join(map(str, says)).rsplit(", ", 1))
            case Switch():
                return "true or false"

    def meaning(self, value: Value) -> str:
        """What a value of it means, in words."""
        match self.values:
            case Whole(says=says, off=off):
                return off if off and not value else says.format(value)
            case Choice(says):
                assert isinstance(value, int | str)
                return says[value]
            case Switch(on, off):
                return on if value else off

    def read(self, text: str) -> Value:
        """The value that is written so: `true`, `false`, `none`, `null`, a number or a word. Raises RulesError."""
        value = self._meant(text)
        if not _fits(self.values, value):
            raise self._refusal(repr(text) if isinstance(value, str) else text)  # as it was written
        return value

    def _meant(self, text: str) -> Value:
        """A word of its own goes first: `none` is one for some, and for others no value at all."""
        if isinstance(self.values, Choice) and text in self.values.says:
            return text
        number = read_whole(text)
        return _WORDS.get(text, text) if number is None else number


def _fits(values: Values, value: object) -> bool:
    match values:
        case Whole(low, high, none=none):
            return (value is None and none) or (type(value) is int and low <= value <= high)
        case Choice(says):
            return type(value) in {int, str} and value in says
        case Switch():
            return type(value) is bool


def write_value(value: Value) -> str:
    """A value as it is written in a tournament file."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case int() | str():
            return str(value)


def read_whole(text: str) -> int | None:
    """A whole number of up to nine ASCII digits, its sign before them or none; None for what is no such number."""
    return int(text) if _WHOLE.fullmatch(text) else None
