"""Partners who change from round to round: who is a good partner, and how strong is each bot by itself. Pure.

A round is a board stream: all its tables play the same cards, each in both legs, so that each side has both hands. Who
sits where is `balance`'s own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import comb
from typing import Final, NamedTuple, TypeAlias

from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import Batch, Entrant, Options, ScheduleError

from .balance import Imbalance, balanced, imbalance
from .option_reading import MAX_ROUNDS, Given, refuse_too_many
from .placing import Joinable, Placed
from .round_robin import ROUNDS, choices, circle
from .whist import MOST, cycle

NAME = "mixer"
FEWEST: Final = 4
FULL: Final = 12
"""Entrants whose every four can be split in every way: of 12 that is 1,485 tables a round, of 200 it is 194 million."""

Names: TypeAlias = tuple[str, str, str, str]


class _Plan(NamedTuple):
    """What the options come to."""

    rounds: int
    full: bool
    self_play: bool


def mixer(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """Each entrant, a single bot, partners and opposes each other equally often.

    Options: `rounds`, so many rounds, each on a board stream of its own; unless said otherwise whole cycles, as many
    as have eight rounds or more. In a cycle each two are partners once. `self_play`: whether each cycle begins with a
    round in which everybody is its own partner; it shows in the cross-play alone. `full`: whether every four are split
    in all three ways in each of the rounds, 8; with `self_play` every two then meet each with itself as well.
    """
    plan = _plan(entrants, options)
    tables = _rounds(tuple(entrant.name for entrant in entrants), plan)
    named = {outcome.leg for outcome in results}
    return tuple(leg for leg in _legs(tables) if leg not in named)


def _plan(entrants: Sequence[Entrant], options: Options) -> _Plan:
    """The options; raises ScheduleError for what they can't be, and for entrants who can't change partners."""
    if len(options.rules.shape.sides[0].seats) != 2:
        raise ScheduleError(f"schedule: {NAME} is for partners, and under these rules there are none; take round_robin")
    _refuse_pairs(entrants)
    given = Given(NAME, options, "rounds", "full", "self_play")
    full, self_play, count = given.yes("full"), given.yes("self_play"), len(entrants)
    if not FEWEST <= count <= MOST:
        raise ScheduleError(f"schedule: {NAME} is for {FEWEST} to {MOST} entrants, and there {_are(count)}")
    if full and count > FULL:
        raise given.wrong("full", f"is for {FULL} entrants at most, and there are {count}; leave it out")
    one = 1 if full else cycle(count) + self_play
    rounds = given.whole("rounds", -(-ROUNDS // one) * one, 1, MAX_ROUNDS)
    refuse_too_many(NAME, 2 * rounds * (3 * comb(count, 4) if full else count // 4))
    return _Plan(rounds, full, self_play)


def _are(count: int) -> str:
    return "is one" if count == 1 else f"are {count or 'none'}"


def _refuse_pairs(entrants: Sequence[Entrant]) -> None:
    for entrant in entrants:
        if len(bots := {player.name for player in entrant.players}) > 1:
            made = " and ".join(sorted(bots))
            raise ScheduleError(
                f"schedule: {NAME} makes the pairs itself, and {entrant.name!r} is one ({made}); let each bot be an"
                " entrant of its own"
            )


def _legs(rounds: Sequence[Sequence[Names]]) -> Iterator[Leg]:
    for stream, tables in enumerate(rounds):
        for table in tables:
            for leg in (0, 1):
                yield Leg(table, stream, leg, round=stream + 1, mates=2)


@lru_cache(maxsize=4)
def _rounds(names: tuple[str, ...], plan: _Plan) -> tuple[tuple[Names, ...], ...]:
    """The tables of each round."""
    if plan.full:
        every = tuple(_every_split(names)), tuple(chain.from_iterable(map(_with_itself, circle(names))))
        return (every[0] + every[1] if plan.self_play else every[0],) * plan.rounds
    return tuple(_mixed(names, plan.rounds, own=plan.self_play))


def _every_split(names: Sequence[str]) -> Iterator[Names]:
    """Every four, in an order in which nobody runs far ahead, and of each four every way to be partners."""
    for four in choices(len(names), 4):
        a, b, c, d = (names[number] for number in four)
        yield from ((a, b, c, d), (c, a, b, d), (d, a, c, b))


def _mixed(names: Sequence[str], rounds: int, *, own: bool) -> Iterator[tuple[Names, ...]]:
    """Cycle after cycle, each begun by a round in which everybody is its own partner if that is wanted."""
    length = cycle(len(names)) + own
    alone = {number * length for number in range(-(-rounds // length))} if own else set()
    mixed = iter(balanced(len(names), rounds - len(alone)))
    turns = [tuple(_with_itself(pairs)) for pairs in circle(names)]
    for number in range(rounds):
        if number in alone:
            yield turns[number // length % len(turns)]
        else:
            yield tuple((names[a], names[b], names[c], names[d]) for a, b, c, d in next(mixed))


def _with_itself(pairs: Sequence[tuple[str, str]]) -> Iterator[Names]:
    """Tables of two of whom each is its own partner."""
    return ((one, one, other, other) for one, other in pairs)


# --- How even it is ---------------------------------------------------------------------------------------------------


def evenness(entrants: Sequence[Entrant], options: Options, /) -> Sequence[str]:
    """One line on how even the plan is."""
    plan = _plan(entrants, options)
    names = tuple(entrant.name for entrant in entrants)
    rounds = [[table for table in tables if table[0] != table[1]] for tables in _rounds(names, plan)]
    return (told(imbalance(names, [tables for tables in rounds if tables])),)


def told(found: Imbalance) -> str:
    """How far from even partners and opponents are."""
    partners, opponents = _times(found.partners), _times(found.opponents)
    out = f"; each sits out {_times(found.sat_out)}" if any(found.sat_out) else ""
    return f"each two are partners {partners} and opponents {opponents}{out}"


def _times(span: tuple[int, int]) -> str:
    least, most = span
    times = f"{least}" if least == most else f"{least} to {most}"
    return "once" if span == (1, 1) else "twice" if span == (2, 2) else f"{times} times"


MIXER = Placed(mixer, joinable=Joinable.UNTIL_PLANNED, notes=evenness, shares_sides=True)
