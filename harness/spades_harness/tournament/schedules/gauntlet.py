"""Challengers against a fixed field, and no challenger against another: a sparring list, or the exam of a class. Pure.

Whatever is said of a challenger comes from its own matches with the field, so that nobody's result hangs on who else
takes part: its cards are those of the board streams, its points and numbers are counted without the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import Batch, Entrant, Options, ScheduleError

from .encounter import Taken, taken
from .option_reading import MAX_ROUNDS, Given, refuse_too_many, refuse_unless_two_sides
from .placing import Place, Placed, Placing, in_halves
from .round_robin import ROUNDS

NAME = "gauntlet"
EXACT: Final = 9
"""Digits behind the point of a sum of points: more than anybody writes, and fewer than binary fractions are off by."""


def gauntlet(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """Every challenger meets every bot of the field on every board stream, each way round.

    Options: `field`, a list of entrants; all others are challengers. `rounds`: so many board streams, 8. `points`: what
    an entrant of the field is worth to a challenger that takes more than half the results from it; without them each
    is worth one. No challenger is more than one meeting ahead of another.
    """
    refuse_unless_two_sides(NAME, entrants, options)
    terms = _terms(entrants, options)
    if terms.missing:
        raise ScheduleError(f"schedule: the field bot {terms.missing[0]!r} did not start: mend it, or change the field")
    refuse_too_many(NAME, 2 * terms.rounds * len(terms.worth) * len(terms.challengers))
    done = {outcome.leg for outcome in results}
    return tuple(leg for leg in _legs(terms) if leg not in done)


@dataclass(frozen=True, slots=True)
class _Terms:
    """How it is played."""

    worth: Mapping[str, float]
    """What each of the field is worth, in its order."""
    challengers: tuple[str, ...]
    rounds: int
    missing: tuple[str, ...]
    """Those of the field who don't take part."""


def _terms(entrants: Sequence[Entrant], options: Options) -> _Terms:
    """What the options say; raises ScheduleError where the field is empty, or nobody is left to challenge it."""
    given = Given(NAME, options, "field", "rounds", "points")
    rounds = given.whole("rounds", ROUNDS, 1, MAX_ROUNDS)
    field, missing = given.entrants("field", entrants), given.missing("field", entrants)
    if not field and not missing:
        raise ScheduleError("schedule: gauntlet needs a field, as in {gauntlet: {field: [steady, counter]}}")
    challengers = tuple(entrant.name for entrant in entrants if entrant.name not in field)
    if not challengers:
        raise given.wrong("field", "names all entrants, and leaves no challenger")
    points = given.numbers("points", entrants) if "points" in given else dict.fromkeys(field, 1)
    if stranger := next((name for name in points if name not in (*field, *missing)), None):
        raise given.wrong("points", f"names {stranger!r}, which is not in the field")
    return _Terms({name: points.get(name, 0) for name in field}, challengers, rounds, missing)


def _legs(terms: _Terms) -> Iterator[Leg]:
    for stream in range(terms.rounds):
        for opponent in terms.worth:
            for challenger in terms.challengers:
                for leg in (0, 1):
                    yield Leg((challenger, opponent), stream, leg, round=stream + 1)


# --- What it comes to -------------------------------------------------------------------------------------------------


def places(entrants: Sequence[str], options: Options, results: Sequence[Outcome], /) -> Placing:
    """The challengers by their points, without ranks, since a rank hangs on who else takes part; then the field."""
    terms = _terms([Entrant(name, ()) for name in entrants], options)
    met = _Met(terms, options, results)
    rows = sorted((_challenger(name, met) for name in terms.challengers), key=lambda row: _order(row, met))
    return Placing(
        title="points",
        places=(*rows, *(Place(name, None, "field", rated=False) for name in terms.worth)),
        lines=("Each challenger is rated by its own matches with the field alone.",),
    )


class _Met:
    """What came of the matches of each challenger with each of the field."""

    def __init__(self, terms: _Terms, options: Options, results: Sequence[Outcome]) -> None:
        self.worth, self._legs = terms.worth, 2 * terms.rounds
        self._taken = taken(options.format, (each for each in results if each.played))
        self._over = Counter(each.leg.entrants for each in results)
        self._left = {each.leg.entrants for each in results if not each.played and each.forfeited == (True, False)}

    def taken(self, name: str, opponent: str) -> Taken:
        """What a challenger took from one of the field so far."""
        return self._taken.get((name, opponent), Taken())

    def goes_on(self, name: str, opponent: str) -> bool:
        """Whether they have a match before them."""
        return self._over[name, opponent] < self._legs

    def counts(self, name: str, opponent: str) -> bool:
        """Whether its points are to be had: not where it all came to no result, unless the challenger withdrew."""
        return self.taken(name, opponent).results > 0 or self.goes_on(name, opponent) or (name, opponent) in self._left


def _challenger(name: str, met: _Met) -> Place:
    field = tuple(opponent for opponent in met.worth if met.counts(name, opponent))
    score = _sum(met.worth[opponent] for opponent in field if met.taken(name, opponent).more_than_half)
    so_far = " so far" if any(met.goes_on(name, opponent) for opponent in field) else ""
    said = f"{in_halves(score)} of {in_halves(_sum(met.worth[opponent] for opponent in field))}{so_far}"
    return Place(name, None, said, score, field)


def _sum(points: Iterable[float]) -> float:
    """Of points that a person wrote: 0.1 and 0.2 are 0.3, and equal to it in the order of the lines."""
    return round(math.fsum(points), EXACT)


def _order(place: Place, met: _Met) -> tuple[float, float, str]:
    """By points; those of equal points by all that they took from the field."""
    share = sum(met.taken(place.entrant, opponent).points for opponent in place.field)
    return -(place.score or 0), -share, place.entrant


GAUNTLET = Placed(gauntlet, places)
