"""What is read out of a ledger, as values: what was planned, tried and kept, and who takes part."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from spades_harness.tournament.outcome import Leg

from .amending import Amended
from .chain import Link


class Planned(NamedTuple):
    """A leg in the plan: its number from 1, its identity, and the number of its secret."""

    ordinal: int
    identity: str
    leg: Leg
    secret: int = 0


class Use(NamedTuple):
    """How many matches of a secret have a result or will have one, how many have it, and how many have one that counts
    and was begun when the secret was shown already."""

    planned: int
    played: int
    after: int = 0


class Missing(NamedTuple):
    """A planned match that has no result yet: how often it was tried, and why the last try was void."""

    planned: Planned
    attempts: int
    void: str


class Tried(NamedTuple):
    """An attempt at a match: why it is void by the harness's doing, or else that it has a result."""

    attempt: int
    void: str
    result: bool


class Kept(NamedTuple):
    """A recorded match: its key in the tables, and its link in the chain (number 0: it isn't planned)."""

    match: int
    link: Link


class Progress(NamedTuple):
    """How many matches have a result that counts, and how many will have one when all is played."""

    done: int
    total: int


def progress_of(planned: Iterable[Planned], counting: Collection[int], by: Amended) -> Progress:
    """That of a plan, as it was amended, where the matches of these numbers have a result that counts."""
    off = [by.is_off(each.leg, each.ordinal) for each in planned if each.ordinal not in counting]
    return Progress(len(counting), len(counting) + off.count(False))


class Listed(NamedTuple):
    """An entrant in the ledger: its bots in the order of a side's seats, and why it was dropped, if it was."""

    name: str
    bots: tuple[str, ...]
    dropped: str
