"""How many matches each schedule needs to tell 20 Elo apart: the table of tournaments/FORMATS.md, made anew.

    cd tests && ../.venv/bin/python -m tournament.matches_needed          # for 10 entrants, some minutes
    cd tests && ../.venv/bin/python -m tournament.matches_needed 10 30 100

A pair of legs is one result, as in `format: {boards: N}`, and equals draw none. Where a schedule's plan doesn't hang on
results, the figure is that of `resolution`, without its prior; else tournaments are played through by dice that are
the same each time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, product
from math import ceil
from random import Random
from statistics import fmean
from typing import Final

from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.schedule import Batch
from spades_harness.tournament.schedules.adaptive import adaptive as by_need
from spades_harness.tournament.schedules.ladder import LADDER
from spades_harness.tournament.schedules.mixer import mixer
from spades_harness.tournament.schedules.option_reading import MAX_ROUNDS
from spades_harness.tournament.schedules.round_robin import circle
from spades_harness.tournament.schedules.swiss import SWISS
from spades_harness.tournament.schedules.whist import cycle
from spades_harness.tournament.statistics.order import steps, undecided
from spades_harness.tournament.statistics.paired import observations_of
from spades_harness.tournament.statistics.resolution import Z95, resolution
from spades_harness.tournament.statistics.strength import ELO, PRIOR_DEVIATION

from .simulating import by_number, field, options, played
from .strengths import GAME, Field

APART: Final = 20.0
"""Elo that are to be told apart."""
Z90: Final = 1.6448536269514722
"""The 95 % quantile of the normal distribution: one side of it."""
PAIRS: Final = ceil(4 * (Z95 * ELO / APART) ** 2)
"""Pairs of legs between two equals whose Elo then differ by chance by less, in 95 of 100 cases."""
TIE: Final = ceil(4 * (Z90 * ELO / APART) ** 2)
"""Pairs of legs in which the stronger of two has more points, in 95 of 100 cases."""
SIZES: Final = (10, 30, 100)
EXTENT: Final = 100.0
"""Elo, the standard deviation of a field that a Swiss pairs."""
SWISS_STREAMS: Final = 64
SHUFFLED: Final = {10: 200, 30: 40, 100: 10}
"""Files in no order by the number of entrants, of which a ladder's mean number of challenges is taken; else ten."""
DECIDED: Final = {10: 8}
"""Tournaments that are played until every rank is decided; of more entrants one takes too long."""
_ROUGHLY: Final = -3
"""Digits of their mean: of so few tournaments later ones tell nothing."""
LOOKS: Final = 20
"""Of a round robin that stops when all is decided, a look is taken when it has grown by one of so many parts."""


def needed(legs: Batch) -> float:
    """How many matches of a plan of this kind it takes until equals differ by less than `APART`.

    What a plan tells grows as its matches do, but for what is believed beforehand: with the information I about each of
    two, and p from the prior, the half width of the interval of their difference is r = Z95 ELO sqrt(2 / (I + p)).
    """
    wide = resolution(legs, GAME)
    assert wide is not None, "too few matches to say"
    known = 2 * (Z95 * ELO / wide) ** 2 - (ELO / PRIOR_DEVIATION) ** 2
    return len(legs) * 2 * (Z95 * ELO / APART) ** 2 / known


def round_robin(count: int) -> float:
    """By the formula of `resolution`, in whole rounds."""
    return ceil(8 * (Z95 * ELO / APART) ** 2 / count) * count * (count - 1)


def mixed(count: int) -> float:
    """Of whole cycles, as many as a second makes."""
    cycles = max(1, 400 // cycle(count))
    return needed(mixer(field(count), options(rounds=cycles * cycle(count)), ()))


def swiss(count: int) -> float:
    """By whom those meet who are paired by their results."""
    dice = Random(count)
    made = Field([dice.gauss(0, EXTENT) for _ in range(count)], seed=count)
    batches = made.play_out(SWISS, rounds=7, streams=SWISS_STREAMS)
    return needed(tuple(leg for batch in batches for leg in batch))


def challenges(count: int) -> float:
    """Of a ladder of a file in no order, in the mean."""
    dice = Random(count)
    shuffled = (dice.sample(field(count), count) for _ in range(SHUFFLED.get(count, 10)))
    return fmean(len(played(LADDER, names, options(streams=1, most=1), by_number)[1]) / 2 for names in shuffled)


def adaptive(count: int) -> float | None:
    """Until every rank of a field is decided, of which each two neighbours differ by `APART`."""
    quarter = ceil(round_robin(count) / (count * (count - 1)) / 4)
    return _until_decided(count, lambda each: each.play_out(by_need, rounds=MAX_ROUNDS, first=quarter))


def stopped(count: int) -> float | None:
    """The same of a round robin with `stop: {decided: 0.95}`."""
    return _until_decided(count, _play_until_decided)


def _until_decided(count: int, play: Callable[[Field], object]) -> float | None:
    if count not in DECIDED:
        return None
    elos = [APART * (number - (count - 1) / 2) for number in range(count)]
    made = [Field(elos, seed) for seed in range(DECIDED[count])]
    for each in made:
        play(each)
    return round(fmean(len(each.results) for each in made), _ROUGHLY)


def _play_until_decided(each: Field) -> None:
    pairings, stream = [*chain.from_iterable(circle(each.names))], 0
    while not stream or undecided(0.95, steps(each.names, observations_of(GAME, each.results))):
        rounds = max(16, stream // LOOKS)
        legs = product(range(stream, stream + rounds), pairings, (0, 1))
        each.play(tuple(Leg(two, at, leg, at + 1) for at, two, leg in legs))
        stream += rounds


ROWS: Final[Mapping[str, Callable[[int], float | None]]] = {
    "`round_robin`": round_robin,
    "`adaptive`: all ranks decided, neighbours 20 Elo apart": adaptive,
    "`round_robin` with `stop: {decided: 0.95}`, the same": stopped,
    "`mixer`: two bots, whoever is beside them": mixed,
    "`swiss`, 7 rounds": swiss,
    "`gauntlet`: a challenger from the field's mean": lambda count: 2 * PAIRS * count,
    "`gauntlet`: two challengers from each other": lambda count: 4 * PAIRS * count,
    "`knockout`, single: the stronger goes on in 95 %": lambda count: 2 * TIE * (count - 1),
    "`ladder`: the stronger stands above in 95 %": lambda count: 2 * TIE * challenges(count),
}
"""What is to be told, and the matches that it takes for so many entrants; None where that isn't counted."""


def table(sizes: Sequence[int]) -> Iterator[str]:
    """The rows of the page, as they are found."""
    yield f"| | {' | '.join(map(str, sizes))} |"
    for row, matches in ROWS.items():
        yield f"| {row} | {' | '.join(_cell(matches(count)) for count in sizes)} |"


def _cell(matches: float | None) -> str:
    return "–" if matches is None else f"{round(matches):,}"


if __name__ == "__main__":
    for line in table([int(word) for word in sys.argv[1:]] or SIZES[:1]):
        print(line, flush=True)
