"""How long a large field takes to be rated: 1,000 entrants, 100,000 matches; and how much memory. Reports only.

`make bench PYTEST_ARGS=tests/benchmarks/bench_ratings.py`. Each way is measured in a process of its own, from results
that stand in its memory to the JSON that is printed, the matrix of who is stronger than whom included.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from math import nan
from multiprocessing import get_context
from random import Random
from time import process_time

from spades_harness.cli.rated import rate
from spades_harness.game.score import Boards
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.standings import as_csv, as_json, standings
from spades_harness.tournament.statistics.rating import PairResult, elo, elo_k

ENTRANTS, MEETINGS = 1_000, 50_000
"""Each meeting is two matches."""


def field() -> tuple[Random, Mapping[str, float]]:
    """Dice, and entrants with their strengths in Elo."""
    dice = Random(1)
    return dice, {f"bot {number:04}": dice.gauss(0, 200) for number in range(ENTRANTS)}


def rate_results() -> str:
    """As `spades rate RESULTS.csv --json`, from the results on."""
    return as_json(rate([*results()]))


def results() -> Iterator[PairResult]:
    """Two legs a meeting, of entrants drawn by lot."""
    dice, true = field()
    for _ in range(MEETINGS):
        a, b = dice.sample([*true], 2)
        share = 1 / (1 + 10 ** ((true[b] - true[a]) / 400))
        yield PairResult(a, b, (float(dice.random() < share), float(dice.random() < share)))


def tabulate_run() -> str:
    """As `spades standings RUN --json` and `--csv`, from the outcomes on."""
    _, true = field()
    found = standings([*true], [*outcomes()], Boards(8), {"elo": elo, "elo_k": elo_k})
    return as_json(found) + as_csv(found.entrants)


def outcomes() -> Iterator[Outcome]:
    """Boards of eight hands, of entrants drawn by lot."""
    dice, true = field()
    tallies = (Tally(8, 7, 1, 1, 2), Tally(8, 6, 0, 0, 6))
    for stream in range(MEETINGS):
        a, b = dice.sample([*true], 2)
        for leg in range(2):
            first, second = (round(dice.gauss(true[name] / 4, 100)) for name in (a, b))
            number = 2 * stream + leg + 1
            yield Outcome(number, Leg((a, b), stream, leg, 1), (first, second), (False,) * 2, 8, tallies, ((), ()))


def measured(work: str) -> tuple[float, float, int]:
    """Seconds of processor time, MiB at the most in this process, and bytes that one of the functions here made."""
    began = process_time()
    made = len(globals()[work]())
    return process_time() - began, mebibytes(), made


def mebibytes() -> float:
    """The most that this process held; NaN where the system doesn't say."""
    if sys.platform == "win32":
        return nan
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def test_a_thousand_entrants_and_a_hundred_thousand_matches() -> None:
    """Targets: 10 seconds, 1 GiB."""
    for work in ("rate_results", "tabulate_run"):
        with get_context("spawn").Pool(1) as alone:
            seconds, peak, made = alone.apply(measured, (work,))
        print(f"{work:<14} {seconds:5.1f} s (target 10)  {peak:5.0f} MiB (target 1,024)  {made / 1e6:.0f} MB printed")
