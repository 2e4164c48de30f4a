"""Rounds with changing partners, for any number of players: as even as promised, in every prefix, on every machine."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from spades_harness.tournament.schedules.balance import Imbalance, balanced, imbalance
from spades_harness.tournament.schedules.whist import EXACT, Rounds, cycle

DEEP = bool(os.environ.get("SPADES_DEEP"))
SIZES = [*range(4, 201)] if DEEP else [*range(4, 28), 30, 33, 35, 47, 60]
SMALL = [number for number in SIZES if number <= 60]
"""Of more it takes seconds to see each prefix."""


@cache
def one_cycle(players: int) -> Rounds:
    """Made once for all that is asked of it: of two hundred players it takes seconds."""
    return balanced(players, cycle(players))


def of(players: int, cycles: int) -> Imbalance:
    made = one_cycle(players) if cycles == 1 else balanced(players, cycles * cycle(players))
    return imbalance(range(players), made)


def spread(span: tuple[int, int]) -> int:
    return span[1] - span[0]


@pytest.mark.parametrize("players", SIZES)
def test_in_a_round_nobody_has_two_seats_and_as_few_as_can_be_sit_out(players: int) -> None:
    for tables in one_cycle(players):
        seated = [player for table in tables for player in table]
        assert len(seated) == len({*seated}) == players - players % 4
        assert {*seated} <= {*range(players)}


@pytest.mark.parametrize("players", [number for number in SIZES if number in EXACT])
def test_where_a_whist_tournament_is_built_in_every_cycle_is_exact(players: int) -> None:
    for cycles in (1, 3 if players < 60 else 1):
        out = cycles * (players % 4)
        assert of(players, cycles) == Imbalance((cycles,) * 2, (2 * cycles,) * 2, (out, out))


@pytest.mark.parametrize("players", [number for number in SIZES if number not in EXACT])
def test_elsewhere_partners_differ_by_one_and_nobody_opposes_anybody_twice_as_often_as_the_mean(players: int) -> None:
    found = of(players, 1)
    assert found.partners == (1, 1) if players % 4 < 2 else found.partners == (0, 1)
    assert found.opponents[1] <= 4
    assert spread(found.sat_out) <= (4 if players % 4 == 3 else 2)
    if players >= 28:
        assert found.opponents[0] >= 1 or players % 4 > 1


@pytest.mark.parametrize("players", [6, 7, 10, 11, 15, 33])
def test_over_several_cycles_what_was_uneven_does_not_add_up(players: int) -> None:
    found = of(players, 8)
    assert spread(found.partners) <= 2
    assert spread(found.opponents) <= 7
    assert spread(found.sat_out) <= 3


@pytest.mark.parametrize("players", [number for number in SMALL if number < 34])
def test_every_prefix_is_balanced_as_far_as_it_goes(players: int) -> None:
    """No two are partners twice before the end of a cycle, nobody runs ahead in matches, or meets one all the time."""
    rounds = one_cycle(players)
    for length in range(1, len(rounds)):
        found = imbalance(range(players), rounds[:length])
        assert found.partners[1] <= 1
        assert found.opponents[1] <= 4
        assert spread(found.sat_out) <= 4


@pytest.mark.parametrize("players", SMALL)
def test_everybody_has_each_place_of_a_table_about_equally_often(players: int) -> None:
    rounds = one_cycle(players)
    for length in (cycle(players), *range(1, cycle(players), 7)):
        assert max(map(spread, map(span, places(players, rounds[:length])))) <= 3


def places(players: int, rounds: Rounds) -> list[list[int]]:
    counted = Counter((player, place) for tables in rounds for table in tables for place, player in enumerate(table))
    return [[counted[player, place] for place in range(4)] for player in range(players)]


def span(numbers: Sequence[int]) -> tuple[int, int]:
    return min(numbers), max(numbers)


def test_few_rounds_are_as_even_as_many() -> None:
    """Of 200 players in 8 rounds: nobody sits out, no two are partners twice, and few meet twice."""
    found = imbalance(range(200), balanced(200, 8))
    assert (found.partners, found.sat_out) == ((0, 1), (0, 0))
    assert found.opponents[1] <= 2


def test_the_plan_is_the_same_on_every_machine() -> None:
    """Digests of plans that were written down once."""
    found = {players: hashlib.sha256(repr(balanced(players, 40)).encode()).hexdigest()[:12] for players in DIGESTS}
    assert found == DIGESTS


DIGESTS = {
    4: "f41ec598da9a",
    7: "283586f946a1",
    8: "83cb9efa1e66",
    10: "c20a5cbcca29",
    33: "a6f4e250d710",
    61: "df7219483166",
}
