"""Swiss: round after round, entrants of about the same score meet, and nobody meets the same one again if it can be
helped. Pure.

A round's pairing looks at the rounds before it and nothing else. In the order of importance it has: as few pairs as
possible that met before; the bye for one of those that had fewest, of these the lowest; pairs of equal scores; and
last, as near to this as it goes, a little off for several rather than far off for one: within a score the upper half
against the lower, as in the FIDE Dutch system, so that the best meet late, and where somebody has to meet one of
another score, the lowest of those above and the highest of those below. Entrants of equal score are ordered by the Elo
of all results so far, then as in the file.

Who has withdrawn is paired no more, and keeps its score. Whom it leaves in the middle of a round has the point of that
round; so has everybody who met one that was disqualified. Who comes back, since that was undone, has had no byes in the
rounds that were paired without it, and no points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from spades_harness.game.score import Format
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import Batch, Entrant, Options, ScheduleError

from .encounter import Taken, counting, leavers, ratings, taken
from .matchmaking import Cost, Edge, best_pairs
from .option_reading import Given, refuse_unless_two_sides
from .placing import Joinable, Place, Placed, Placing, in_halves

NAME: Final = "swiss"
STREAMS: Final = 4
"""Board streams that a pair plays in a round unless the file says otherwise: a single one is too often luck."""
MOST_ROUNDS: Final = 1_000
"""More are a slip: everybody has met everybody long before."""
MOST_STREAMS: Final = 1_000
"""Board streams in a round; more are a slip."""
MOST_ENTRANTS: Final = 500
"""The matching of so many takes a minute a round, and grows with their cube."""

Pair: TypeAlias = tuple[str, str]
"""In the order of the file."""


def swiss(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """One round of pairs at a time, each pair on all board streams of the round, each way round.

    Options: `rounds`, two more than it takes to leave one undefeated (at most as many as there are opponents);
    `streams`, board streams a round, 4. Who takes more than half of a round's results from its opponent has a point for
    it, half of them half a point; a bye is a point. Raises ScheduleError for entrants that join when it has begun.
    """
    refuse_unless_two_sides(NAME, entrants, options)
    if len(entrants) > MOST_ENTRANTS:
        raise ScheduleError(f"schedule: swiss pairs at most {MOST_ENTRANTS} entrants, not {len(entrants)}")
    names = [entrant.name for entrant in entrants]
    rounds, streams = _options(options, len({*names} | options.gone))
    history = _history(names, options, results)
    if history.rounds >= rounds:
        return ()
    _refuse_latecomers(names, history)
    return tuple(_legs(_paired(names, history, options.format, results), history.rounds, streams))


def _options(options: Options, count: int) -> tuple[int, int]:
    """How many rounds, and board streams in each."""
    given = Given(NAME, options, "rounds", "streams")
    opponents = count - 1 + count % 2
    default = max(1, min((count - 1).bit_length() + 2, opponents))
    return given.whole("rounds", default, 1, MOST_ROUNDS), given.whole("streams", STREAMS, 1, MOST_STREAMS)


def _legs(pairs: Iterable[Pair], rounds: int, streams: int) -> Iterator[Leg]:
    """A round after so many others, board stream by board stream."""
    met = tuple(pairs)
    for stream in range(rounds * streams, (rounds + 1) * streams):
        for pair in met:
            for leg in (0, 1):
                yield Leg(pair, stream, leg, round=rounds + 1)


# --- What has been ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _History:
    """The rounds so far."""

    rounds: int
    met: Counter[Pair]
    byes: Mapping[str, tuple[int, ...]]
    """The rounds in which each had one."""
    missed: Mapping[str, tuple[int, ...]]
    """The rounds that were paired without each."""
    walkovers: tuple[tuple[int, str, str], ...]
    """The round, who has its point, and who left it."""
    score: Mapping[str, float]


def _history(names: Sequence[str], options: Options, results: Sequence[Outcome]) -> _History:
    met: Counter[Pair] = Counter()
    byes: dict[str, tuple[int, ...]] = dict.fromkeys(names, ())
    missed: dict[str, tuple[int, ...]] = dict.fromkeys(names, ())
    walkovers: list[tuple[int, str, str]] = []
    score: Counter[str] = Counter()
    by_round = _by_round(results)
    for number, outcomes in by_round.items():
        met.update((one, other) for one, other in {each.leg.entrants for each in outcomes})
        for name in _unpaired(names, outcomes):
            known = byes if _is_there(name, outcomes[0], options) else missed
            known[name] += (number,)
        for pair, results_of_two in _by_pair(outcomes).items():
            score.update(_worth(pair, options.format, results_of_two))
            left = leavers(results_of_two)
            walkovers += [(number, name, other) for name, other in (pair, pair[::-1]) if left == {other}]
    score.update({name: len(rounds) for name, rounds in byes.items()})
    return _History(max(by_round, default=0), met, byes, missed, tuple(walkovers), score)


def _by_round(results: Iterable[Outcome]) -> Mapping[int, list[Outcome]]:
    found: dict[int, list[Outcome]] = {}
    for each in results:
        found.setdefault(each.leg.round, []).append(each)
    return dict(sorted(found.items()))


def _by_pair(outcomes: Iterable[Outcome]) -> Mapping[Pair, list[Outcome]]:
    found: dict[Pair, list[Outcome]] = {}
    for each in outcomes:
        one, other = each.leg.entrants
        found.setdefault((one, other), []).append(each)
    return found


def _unpaired(names: Iterable[str], outcomes: Iterable[Outcome]) -> list[str]:
    """Those who meet nobody in this round, in the order of the names."""
    paired = {name for each in outcomes for name in each.leg.entrants}
    return [name for name in names if name not in paired]


def _is_there(name: str, planned: Outcome, options: Options) -> bool:
    """Whether an entrant hadn't left when the round of this match was planned."""
    return not any(each.entrant == name and each.misses(planned.ordinal) for each in options.away)


def _worth(pair: Pair, game: Format, outcomes: Sequence[Outcome]) -> Mapping[str, float]:
    """The point of a round that two meet in: one's, half of it each's, or nobody's."""
    if left := leavers(outcomes):
        return {name: float(name not in left) for name in pair}
    points = taken(game, counting(game, outcomes))
    return {name: _share(points.get((name, other), Taken())) for name, other in (pair, pair[::-1])}


def _share(found: Taken) -> float:
    """What a round is worth in which so much was taken; nothing of nothing is a draw."""
    return 1.0 if found.more_than_half else 0.5 if 2 * found.points == found.results else 0.0


def _refuse_latecomers(names: Sequence[str], history: _History) -> None:
    """Two who sat out the same round, and had not left, can't both have had its bye."""
    rounds = Counter(number for numbers in history.byes.values() for number in numbers)
    if twice := sorted(number for number, count in rounds.items() if count > 1):
        absent = [name for name in names if twice[0] in history.byes[name]]
        raise ScheduleError(
            f"schedule: swiss takes no entrant when it has begun, and {', '.join(absent)} had no match in round"
            f" {twice[0]}; found a new run"
        )


# --- Who meets whom ---------------------------------------------------------------------------------------------------


def _order(names: Sequence[str], history: _History, game: Format, results: Sequence[Outcome]) -> list[str]:
    """The entrants by score, then by Elo; equals stay as they are."""
    elo = ratings(names, game, counting(game, results))
    return sorted(names, key=lambda name: (-history.score[name], -elo[name]))


def _paired(names: Sequence[str], history: _History, game: Format, results: Sequence[Outcome]) -> list[Pair]:
    """The pairs of the next round, the leaders first."""
    order = _order(names, history, game, results)
    costs = dict(_costs(order, history))
    place = {name: number for number, name in enumerate(names)}
    pairs = [(order[one], order[other]) for one, other in best_pairs(costs) if other < len(order)]
    return [(one, other) if place[one] < place[other] else (other, one) for one, other in pairs]


def _costs(order: Sequence[str], history: _History) -> Iterator[tuple[Edge, Cost]]:
    """What it costs to let two meet, by their numbers in the order; the number after the last one stands for a bye."""
    alike = Counter(history.score[name] for name in order)
    for one, other in combinations(range(len(order) + len(order) % 2), 2):
        first = order[one]
        if other == len(order):
            yield (one, other), (0, len(history.byes[first]), other - one, 0, 0)
            continue
        second = order[other]
        met = history.met[first, second] + history.met[second, first]
        apart = round(2 * (history.score[first] - history.score[second]))
        ideal = 1 if apart else alike[history.score[first]] // 2
        yield (one, other), (met, 0, 0, apart**2, (other - one - ideal) ** 2)


# --- What it comes to -------------------------------------------------------------------------------------------------


def places(entrants: Sequence[str], options: Options, results: Sequence[Outcome], /) -> Placing:
    """By score, then by Elo; who is equal in both shares the rank."""
    rounds, streams = _options(options, len(entrants))
    over, open_rounds = _whole_rounds(entrants, options, results, streams)
    history, whole = _history(entrants, options, over), len(_by_round(over))
    elo = ratings(entrants, options.format, counting(options.format, results))
    order = sorted(entrants, key=lambda name: (-history.score[name], -elo[name], name))
    found: list[Place] = []
    for number, name in enumerate(order, 1):
        score, before = history.score[name], found[-1] if found else None
        shared = before is not None and (before.score, elo[before.entrant]) == (score, elo[name])
        rank = before.rank if before and shared else number
        found.append(Place(name, rank, f"{in_halves(score)} of {min(whole, rounds)}", score))
    return Placing("score", tuple(found), (*_lines(history), *_to_come(open_rounds, whole, rounds)))


def _whole_rounds(
    names: Sequence[str], options: Options, results: Sequence[Outcome], streams: int
) -> tuple[list[Outcome], list[int]]:
    """The results of rounds that are over, and the numbers of those that aren't: of these nobody can tell yet who has a
    point or the bye. A match that is to be played again opens its round once more."""
    found, open_rounds = list[Outcome](), list[int]()
    for number, outcomes in _by_round(results).items():
        there = sum(_is_there(name, outcomes[0], options) for name in names)
        if len(outcomes) == there // 2 * 2 * streams:
            found += outcomes
        else:
            open_rounds.append(number)
    return found, open_rounds


def _to_come(open_rounds: Sequence[int], whole: int, rounds: int) -> Iterator[str]:
    for number in open_rounds:
        yield f"Round {number} of {rounds} is being played."
    if not open_rounds and whole < rounds:
        yield f"{whole} of {rounds} rounds are played."


def _lines(history: _History) -> Iterator[str]:
    yield "Ranked by score: a round won is a point, a drawn one a half, a bye a point; then by Elo."
    byes = sorted((number, name) for name, numbers in history.byes.items() for number in numbers)
    if byes:
        yield f"Byes: {', '.join(f'{name} (round {number})' for number, name in byes)}."
    if history.walkovers:
        told = (f"{name} against {left} (round {number})" for number, name, left in history.walkovers)
        yield f"Rounds won as the other plays no more: {', '.join(told)}."
    missed = sorted((number, name) for name, numbers in history.missed.items() for number in numbers)
    if missed:
        yield f"Not paired, as they had left: {', '.join(f'{name} (round {number})' for number, name in missed)}."


SWISS = Placed(swiss, places, Joinable.UNTIL_PLANNED, leaves_out=True)
