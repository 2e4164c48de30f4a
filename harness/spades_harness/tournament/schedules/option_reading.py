"""The options of a schedule, read one by one: what each may be, and how to say that it isn't. Pure.

Every error is a ScheduleError of one line, which is told with the place of the option in the file.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from spades_harness.suggestion import near_miss, nearest
from spades_harness.tournament.schedule import Entrant, Options, OptionValue, ScheduleError

MAX_ROUNDS: Final = 1_000_000
"""Rounds of whatever; more are a slip of the finger."""
MAX_MATCHES: Final = 1_000_000
"""Matches named at a time: more would take minutes and a gigabyte before the first of them is played. Every four of a
hundred entrants are four million tables."""


class Given:
    """What the file gives to a schedule that has these options. Raises ScheduleError for an option that it hasn't."""

    def __init__(self, schedule: str, options: Options, *known: str) -> None:
        self.schedule, self._values, self._absent = schedule, options.values, options.absent
        for name in options.values:
            if name not in known:
                raise ScheduleError(f"schedule: {schedule} has no option {name!r}; {_hint(name, known)}", name)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        value = self._values.get(name, default)
        if type(value) is not int or not low <= value <= high:
            raise self.wrong(name, f"must be a whole number from {low} to {high}, not {written(value)}")
        return value

    def number(self, name: str, default: float, low: float, high: float) -> float:
        """A number from `low` to `high`."""
        value = self._values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self.wrong(name, f"must be a number from {low:g} to {high:g}, not {written(value)}")
        return float(value)

    def yes(self, name: str) -> bool:
        """`true` or `false`; false if the file says nothing."""
        value = self._values.get(name, False)
        if type(value) is not bool:
            raise self.wrong(name, f"must be true or false, not {written(value)}")
        return value

    def word(self, name: str, *words: str) -> str:
        """One of these words; the first if the file says nothing."""
        value = self._values.get(name, words[0])
        if not isinstance(value, str) or value not in words:
            raise self.wrong(name, f"must be {' or '.join(words)}, not {written(value)}")
        return value

    def entrants(self, name: str, entrants: Sequence[Entrant]) -> tuple[str, ...]:
        """A list of entrants, each once, without those who don't take part; empty if the file says nothing."""
        return tuple(each for each in self._listed(name, entrants) if each not in self._absent)

    def missing(self, name: str, entrants: Sequence[Entrant]) -> tuple[str, ...]:
        """Those of a list of entrants who don't take part."""
        return tuple(each for each in self._listed(name, entrants) if each in self._absent)

    def _listed(self, name: str, entrants: Sequence[Entrant]) -> tuple[str, ...]:
        value = self._values.get(name, ())
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise self.wrong(name, f"must be a list of entrants, not {written(value)}")
        return self._each_once(name, value, entrants)

    def numbers(self, name: str, entrants: Sequence[Entrant]) -> Mapping[str, float]:
        """A mapping of entrants, be they absent, to numbers from 0; empty if the file says nothing."""
        value = self._values.get(name, {})
        if not isinstance(value, Mapping):
            raise self.wrong(name, f"must be a mapping of entrants to numbers, not {written(value)}")
        keys = sorted(value)
        named = self._each_once(name, keys, entrants)
        return {each: self._number(name, key, value[key]) for each, key in zip(named, keys, strict=True)}

    def _each_once(self, name: str, values: Iterable[object], entrants: Sequence[Entrant]) -> tuple[str, ...]:
        """Entrants as they are named; one name may be written in two Unicode forms."""
        found = tuple(self._entrant(name, each, entrants) for each in values)
        if doubled := next((each for at, each in enumerate(found) if each in found[:at]), None):
            raise self.wrong(name, f"names {doubled!r} twice")
        return found

    def _entrant(self, name: str, value: object, entrants: Sequence[Entrant]) -> str:
        known = [*(entrant.name for entrant in entrants), *sorted(self._absent)]
        found = as_name(value) if isinstance(value, str) else value
        if not isinstance(found, str) or found not in known:
            hint = nearest(found, known) if isinstance(found, str) else "; put it in quotes to mean the name"
            raise self.wrong(name, f"names {written(value)}, which is no entrant{hint}")
        return found

    def _number(self, name: str, key: str, value: OptionValue) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_POINTS:
            raise self.wrong(name, f"of {key} must be a number from 0 to {MOST_POINTS}, not {written(value)}")
        return value

    def wrong(self, name: str, what: str) -> ScheduleError:
        """Something wrong with an option, to be raised."""
        return ScheduleError(f"schedule: {name} {what}", name)


def as_name(written: str) -> str:
    """What is written in an option, as entrants are called."""
    return unicodedata.normalize("NFC", written.strip())


def settled(options: Options, entrants: Collection[str]) -> Options:
    """The options of a run that was founded: then whoever they name was known, and who is not there now is absent."""
    lists = (value for value in options.values.values() if isinstance(value, Sequence | Mapping))
    named = {as_name(each) for value in lists if not isinstance(value, str) for each in value if isinstance(each, str)}
    return replace(options, absent=frozenset(named.difference(entrants)))


MOST_POINTS: Final = 1_000_000
"""Points, and whatever else is counted: more is a slip."""


def written(value: object) -> str:
    """The value of an option as a file says it, not as Python does."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case Mapping():
            return f"{{{', '.join(f'{key}: {written(each)}' for key, each in value.items())}}}"
        case list() | tuple():
            return f"[{', '.join(map(written, value))}]"
        case _:
            return repr(value)


def _hint(name: str, known: Sequence[str]) -> str:
    if near := near_miss(name, known):
        return f"did you mean {near!r}?"
    *first, last = map(repr, known)
    return f"it has {', '.join(first)} and {last}" if first else f"it has only {last}"


def refuse_too_many(schedule: str, matches: int) -> None:
    """Raise ScheduleError for more than can be named at a time."""
    if matches > MAX_MATCHES:
        raise ScheduleError(
            f"schedule: {schedule} comes to {matches:,} matches, and {MAX_MATCHES:,} are the most that can be planned"
            " at a time; let fewer take part, or play fewer rounds"
        )


def refuse_unless_two_sides(schedule: str, entrants: Sequence[Entrant], options: Options) -> None:
    """Raise ScheduleError where a match takes more than two, or where there are no two to meet."""
    sides = len(options.rules.shape.sides)
    if sides != 2:
        raise ScheduleError(
            f"schedule: {schedule} lets two entrants meet, but under these rules {sides} sit at a table, each for"
            " himself; take round_robin"
        )
    if len(entrants) < 2:
        there = f"there is only {entrants[0].name!r}" if entrants else "there is none"
        raise ScheduleError(f"schedule: {schedule} needs two entrants or more, and {there}")
