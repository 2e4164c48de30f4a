"""Which matches to measure a field with before it plays: those of its plan, and more of the like for whoever isn't in
them, since it has a bye or comes later. Pure; plays nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from spades_harness.tournament.outcome import Leg

PASSES: Final = 8
"""How often an entrant plays in the sample at most."""


def widened(legs: Sequence[Leg], field: Sequence[str]) -> Sequence[Leg]:
    """These, and as many for each pass as it takes to seat who isn't in them: each other, and others of the field.

    What no plan names is as good to measure with, since nothing of a sample counts.
    """
    named = {name for leg in legs for name in leg.entrants}
    missing = [name for name in field if name not in named]
    if not legs or not missing:
        return legs
    size = len(set(legs[0].entrants))
    groups = [missing[first : first + size] for first in range(0, len(missing), size)]
    return [
        *legs,
        *(_like(legs[0], _full(group, field, size, turn), turn) for turn in range(PASSES) for group in groups),
    ]


def _full(group: Sequence[str], field: Sequence[str], size: int, turn: int) -> Sequence[str]:
    """A group of that size; who fills it up changes from turn to turn."""
    others = [name for name in field if name not in group]
    return [*group, *(others[(turn + number) % len(others)] for number in range(size - len(group)))]


def _like(leg: Leg, names: Sequence[str], stream: int) -> Leg:
    """A match as this one between others."""
    places = dict(zip(dict.fromkeys(leg.entrants), names, strict=True))
    return leg._replace(entrants=tuple(places[name] for name in leg.entrants), stream=stream, leg=0)


def alone(leg: Leg, name: str) -> Leg:
    """A match as this one in which one has all places: so nobody else can keep it from being measured."""
    return leg._replace(entrants=(name,) * len(leg.entrants), stream=0, leg=0)


def samples(legs: Sequence[Leg], jobs: int) -> Iterator[Sequence[Leg]]:
    """The legs to measure with, in passes: in each, who played least plays once more, and no lane idles.

    First legs come first, so that entrants meet one after another of the field.
    """
    seen, used, in_turn = Counter[str](), set[Leg](), sorted(legs, key=lambda leg: leg.leg)
    for _ in range(PASSES):
        part = list(_one_pass(in_turn, used, seen, jobs))
        if not part:
            return
        used.update(part)
        seen.update(name for leg in part for name in leg.entrants)
        yield part


def _one_pass(legs: Iterable[Leg], used: Collection[Leg], seen: Counter[str], jobs: int) -> Iterator[Leg]:
    """Legs in their order, of which each has an entrant who has played least so far; then others, up to a lane each."""
    again, others = Counter(seen), list[Leg]()
    least = min((seen[name] for leg in legs for name in leg.entrants), default=0)
    count = 0
    for leg in legs:
        if leg in used:
            continue
        if any(again[name] <= least for name in leg.entrants):
            again.update(leg.entrants)
            count += 1
            yield leg
        elif len(others) < jobs:
            others.append(leg)
    yield from others[: max(jobs - count, 0)]
