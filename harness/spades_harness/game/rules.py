"""The rules of a game as one frozen value, and the presets that have a name. Pure: no state of play lives here.

What an option *means* stands in the one function that it governs (`hand` for what is legal, `score` for what it is
worth); what values it may have stands here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from .cards import STANDARD, Deck


class RulesError(ValueError):
    """Rules that do not exist or contradict themselves; the text is one line for the person who asked for them."""


class Side(NamedTuple):
    """Seats that win and lose together, in the order of play."""

    name: str
    seats: tuple[int, ...]


class Shape(NamedTuple):
    """Who sits where: seat letters clockwise, the sides, and for each seat the index of its side."""

    seats: tuple[str, ...]
    sides: tuple[Side, ...]
    side_of: tuple[int, ...]

    def partner(self, seat: int) -> int | None:
        """The other seat of this seat's side, None for a player who stands alone."""
        others = [other for other in self.sides[self.side_of[seat]].seats if other != seat]
        return others[0] if others else None


PARTNERSHIPS: Final = Shape(("N", "E", "S", "W"), (Side("NS", (0, 2)), Side("EW", (1, 3))), (0, 1, 0, 1))


@dataclass(frozen=True, slots=True)
class Rules:
    """Every option of the game; the defaults are the preset `classic`. Raises RulesError for a value out of range."""

    preset: str = "classic"
    target: int = 500
    """R23: the score that wins."""
    nil_value: int = 100
    """R9: what a Nil is worth, won or lost."""
    blind_nil: bool = True
    """R12: whether Double Nil may be bid."""
    blind_nil_value: int = 200
    """R12: what a Double Nil is worth, won or lost."""
    exchange: int = 3
    """R12: how many cards partners exchange beside a Double Nil; 0 for none."""
    bag_limit: int = 10
    """R22: so many bags cost a penalty."""
    bag_penalty: int = 100
    """R22: the points that the penalty takes."""
    hand_cap: int = 100
    """V17: a game that has not ended after so many hands ends. It guards the harness, not the game."""

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise RulesError(f"rules: {name} must be a whole number from {low} to {high}, not {value!r}")
        if type(self.blind_nil) is not bool:
            raise RulesError(f"rules: blind_nil must be true or false, not {self.blind_nil!r}")

    @property
    def shape(self) -> Shape:
        """Seats and sides."""
        return PARTNERSHIPS

    @property
    def deck(self) -> Deck:
        """The cards that are dealt."""
        return STANDARD


# The upper ends keep every score far inside 53 bits, which is what JSON readers in other languages can hold.
RANGES: Final[Mapping[str, tuple[int, int]]] = {
    "target": (1, 1_000_000),
    "nil_value": (0, 10_000),
    "blind_nil_value": (0, 10_000),
    "exchange": (0, 4),
    "bag_limit": (1, 1_000),
    "bag_penalty": (0, 10_000),
    "hand_cap": (1, 10_000),
}

PRESETS: Final[Mapping[str, Rules]] = {
    "classic": Rules(),
    "short": Rules(preset="short", target=200),
}


def make_rules(preset: str = "classic", known: Mapping[str, Rules] = PRESETS, /, **changes: Any) -> Rules:
    """A preset of those that are known with some options changed; raises RulesError and names the nearest word."""
    base = find_rules(preset, known)
    options = [field.name for field in fields(Rules) if field.name != "preset"]
    for name in changes:
        if name not in options:
            raise RulesError(f"rules: no option {name!r}{nearest(name, options)}")
    values = {field.name: getattr(base, field.name) for field in fields(Rules)}
    return Rules(**{**values, **changes})


def find_rules(name: str, known: Mapping[str, Rules] = PRESETS) -> Rules:
    """The preset of this name; raises RulesError."""
    if name not in known:
        raise RulesError(f"rules: no preset {name!r}{nearest(name, list(known))}")
    return known[name]


def nearest(word: str, words: list[str]) -> str:
    """`; did you mean …?`, or all the choices when none is near."""
    near = get_close_matches(word, words, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are: {', '.join(sorted(words))}"
