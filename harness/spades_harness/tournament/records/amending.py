"""What an organiser did to a run after the fact, and what that comes to: what counts, what is still played. Pure.

Nothing is ever deleted: an amendment stands beside what it is about, with a reason, and can be lifted by a later one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.schedule import Away

from .acts import Act


class Subject(NamedTuple):
    """What an amendment is about: a match by its number and the attempt that counted, an entrant, or an amendment."""

    match: int | None = None
    attempt: int | None = None
    entrant: str | None = None
    lifts: int | None = None

    def __str__(self) -> str:
        if self.match is not None:
            return f"match {self.match}"
        return self.entrant if self.entrant is not None else f"amendment {self.lifts}"


@dataclass(frozen=True, slots=True)
class Amendment:
    """One entry. The fields, in this order, are the keys of its JSON object."""

    number: int
    """From 1."""
    act: Act
    match: int | None
    attempt: int | None
    entrant: str | None
    lifts: int | None
    """These four are its `subject`."""
    reason: str
    by: str
    made: str
    """When: UTC, ISO 8601."""
    planned: int
    """How many matches stood in the plan by then."""

    @property
    def subject(self) -> Subject:
        """What it is about."""
        return Subject(self.match, self.attempt, self.entrant, self.lifts)

    def __str__(self) -> str:
        done = _DONE[self.act].format(self.subject)
        return f"Amendment {self.number}: {done}: {self.reason} ({self.by}, {self.made})"


_DONE = {
    Act.VOID: "{} is void",
    Act.AGAIN: "{} is void and played again",
    Act.WITHDRAW: "{} has withdrawn",
    Act.DISQUALIFY: "{} is disqualified",
    Act.UNDO: "{} is lifted",
}


@dataclass(frozen=True, slots=True)
class Amended:
    """What the amendments of a run come to; each value is the number of the amendment that made it so."""

    aside: Mapping[tuple[int, int], int]
    """Results that count for nobody, by match and attempt."""
    void: Mapping[int, int]
    """Matches that are void for good."""
    withdrawn: Mapping[str, int]
    """Entrants that play no more; the disqualified are among them."""
    disqualified: Mapping[str, int]

    def against(self, leg: Leg, match: int, attempt: int) -> int | None:
        """The amendment by which a recorded result counts for nobody; None where it counts."""
        if (found := self.aside.get((match, attempt))) is not None:
            return found
        return next((self.disqualified[name] for name in leg.entrants if name in self.disqualified), None)

    def is_off(self, leg: Leg, match: int) -> bool:
        """Whether a match without a result that counts stays without one."""
        return match in self.void or any(name in self.withdrawn for name in leg.entrants)

    def gone(self, leg: Leg) -> frozenset[str]:
        """Those of a match who play no more."""
        return frozenset(name for name in leg.entrants if name in self.withdrawn)


def in_force(amendments: Iterable[Amendment]) -> tuple[Amendment, ...]:
    """Those that no later one lifts; what lifts is not among them."""
    made = tuple(amendments)
    lifted = {each.lifts for each in made}
    return tuple(each for each in made if each.number not in lifted and each.act is not Act.UNDO)


def away(amendments: Iterable[Amendment]) -> tuple[Away, ...]:
    """Who was not there while which matches were planned, by those that were lifted as well."""
    made = tuple(amendments)
    lifted = {each.lifts: each.planned for each in made}
    return tuple(
        Away(each.entrant, each.planned, lifted.get(each.number))
        for each in made
        if each.act in (Act.WITHDRAW, Act.DISQUALIFY) and each.entrant is not None
    )


def amended(amendments: Iterable[Amendment]) -> Amended:
    """What these come to, whatever their order."""
    aside: dict[tuple[int, int], int] = {}
    void: dict[int, int] = {}
    withdrawn: dict[str, int] = {}
    disqualified: dict[str, int] = {}
    for each in in_force(amendments):
        number = each.number
        match each.act, each.subject:
            case Act.VOID | Act.AGAIN, Subject(int(match), int(attempt)):
                aside[match, attempt] = number
                if each.act is Act.VOID:
                    void[match] = number
            case Act.WITHDRAW | Act.DISQUALIFY, Subject(entrant=str(entrant)):
                withdrawn.setdefault(entrant, number)
                if each.act is Act.DISQUALIFY:
                    disqualified[entrant] = number
            case _:
                pass  # an entry that names nothing changes nothing: `verify` tells of it
    return Amended(aside, void, withdrawn, disqualified)
