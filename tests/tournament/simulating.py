"""Schedules played through without a card: a result is a function of the leg, so hundreds of entrants cost nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule

Score: TypeAlias = Callable[[Leg], tuple[int, int]]
"""Points by place."""


def field(count: int) -> list[Entrant]:
    """So many entrants, `b0` first."""
    return [Entrant(f"b{number}", ()) for number in range(count)]


def options(rules: Rules | None = None, /, **values: Any) -> Options:
    """Options of a schedule, for matches of four boards."""
    return Options(values, Boards(4), rules or Rules())


def by_number(leg: Leg) -> tuple[int, int]:
    """Who comes first in the field wins; no two meetings by the same points."""
    first, second = (-int(name.removeprefix("b")) for name in leg.entrants)
    return first, second


def by_chance(leg: Leg) -> tuple[int, int]:
    """A score that anybody can compute again: dice that hang on who meets, on which boards, and on the leg."""
    names = sorted(leg.entrants)
    dice = hashlib.sha256(f"{names} {leg.stream} {leg.by_side}".encode()).digest()
    points = dict(zip(names, dice, strict=False))
    return points[leg.entrants[0]], points[leg.entrants[1]]


def level(leg: Leg) -> tuple[int, int]:
    """Nobody is better than anybody."""
    return 0, 0


def ended(ordinal: int, leg: Leg, score: Score) -> Outcome:
    """How a match came out."""
    return Outcome(ordinal, leg, score(leg), (False, False), 4, (Tally(), Tally()), ((), ()))


def played(
    schedule: Schedule, entrants: Sequence[Entrant], given: Options, score: Score = by_chance, most: int = 1_000
) -> tuple[list[Batch], list[Outcome]]:
    """All batches of a schedule until it names no more, and all results; fails where it doesn't end."""
    batches: list[Batch] = []
    results: list[Outcome] = []
    while batch := schedule(entrants, given, tuple(results)):
        batches.append(batch)
        results += [ended(ordinal, leg, score) for ordinal, leg in enumerate(batch, len(results) + 1)]
        assert len(batches) <= most, "it goes on and on"
    return batches, results


def legs_of(batches: Sequence[Batch]) -> list[Leg]:
    """The whole plan."""
    return [leg for batch in batches for leg in batch]


def assert_duplicate(legs: Sequence[Leg]) -> None:
    """Every meeting has both legs, one after the other, and nobody meets itself, or the same one twice on a stream."""
    for first, second in zip(legs[::2], legs[1::2], strict=True):
        assert first.entrants == second.entrants
        assert (first.leg, second.leg, first.stream) == (0, 1, second.stream)
        assert first.by_side == second.by_side[::-1]
        assert len(set(first.entrants)) == 2
    met = [(frozenset(leg.entrants), leg.stream) for leg in legs[::2]]
    assert len(met) == len(set(met))
