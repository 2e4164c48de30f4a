"""Challengers against a fixed field, and no challenger against another: a sparring list, or the exam of a class. Pure.

Whatever is said of a challenger comes from its own matches with the field, so that nobody's result hangs on who else
takes part: its cards are those of the board streams, its points and numbers are counted without the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import MAX_ROUNDS, ROUNDS, Batch, Entrant, Options, ScheduleError

from .encounter import Taken, taken
from .option_reading import Given, refuse_unless_two_sides
from .placing import Place, Placed, Placing, in_halves

NAME = "gauntlet"


def gauntlet(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """Every challenger meets every bot of the field on every board stream, each way round.

    Options: `field`, a list of entrants; all others are challengers. `rounds`: so many board streams, 8. `points`: what
    an entrant of the field is worth to a challenger that takes more than half the results from it; without them each
    is worth one. No challenger is more than one meeting ahead of another.
    """
    refuse_unless_two_sides(NAME, entrants, options)
    given = Given(NAME, options, "field", "rounds", "points")
    rounds = given.whole("rounds", ROUNDS, 1, MAX_ROUNDS)
    field, challengers = _sides(given, entrants)
    _worth(given, entrants, field)
    done = {outcome.leg for outcome in results}
    return tuple(leg for leg in _legs(field, challengers, rounds) if leg not in done)


def _sides(given: Given, entrants: Sequence[Entrant]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The field, and the challengers; each in its order. Raises ScheduleError where one of them is empty."""
    field = given.entrants("field", entrants)
    if not field:
        raise ScheduleError("schedule: gauntlet needs a field, as in {gauntlet: {field: [steady, counter]}}")
    challengers = tuple(entrant.name for entrant in entrants if entrant.name not in field)
    if not challengers:
        raise given.wrong("field", "names all entrants, and leaves no challenger")
    return field, challengers


def _worth(given: Given, entrants: Sequence[Entrant], field: Sequence[str]) -> Mapping[str, float]:
    """What each of the field is worth."""
    if "points" not in given:
        return dict.fromkeys(field, 1)
    points = given.numbers("points", entrants)
    for name in points:
        if name not in field:
            raise given.wrong("points", f"names {name!r}, which is not in the field")
    return {name: points.get(name, 0) for name in field}


def _legs(field: Sequence[str], challengers: Sequence[str], rounds: int) -> Iterator[Leg]:
    for stream in range(rounds):
        for opponent in field:
            for challenger in challengers:
                for leg in (0, 1):
                    yield Leg((challenger, opponent), stream, leg, round=stream + 1)


# --- What it comes to -------------------------------------------------------------------------------------------------


def places(entrants: Sequence[str], options: Options, results: Sequence[Outcome], /) -> Placing:
    """The challengers by their points, without ranks, since a rank hangs on who else takes part; then the field."""
    known = [Entrant(name, ()) for name in entrants]
    given = Given(NAME, options, "field", "rounds", "points")
    field, challengers = _sides(given, known)
    worth = _worth(given, known, field)
    won = taken(options.format, results)
    share = {name: sum(won.get((name, opponent), Taken()).points for opponent in field) for name in challengers}
    rows = sorted((_challenger(name, worth, won) for name in challengers), key=lambda row: _order(row, share))
    above = "the mean of the field" if len(field) > 1 else field[0]
    return Placing(
        title="points",
        places=(*rows, *(Place(name, None, "field", rated=False) for name in field)),
        lines=(f"Each challenger is rated by its own matches with the field: its Elo counts from {above}.",),
    )


def _challenger(name: str, worth: Mapping[str, float], won: Mapping[tuple[str, str], Taken]) -> Place:
    beaten = [opponent for opponent in worth if won.get((name, opponent), Taken()).more_than_half]
    score = sum(worth[opponent] for opponent in beaten)
    said = f"{in_halves(score)} of {in_halves(sum(worth.values()))}"
    return Place(name, None, said, float(score), tuple(worth))


def _order(place: Place, share: Mapping[str, float]) -> tuple[float, float, str]:
    """By points; those of equal points by all that they took from the field."""
    return -(place.score or 0), -share[place.entrant], place.entrant


GAUNTLET = Placed(gauntlet, places, as_played=True)
