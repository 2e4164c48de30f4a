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
    assert len(one_cycle(players)) == cycle(players)
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
def test_elsewhere_a_cycle_is_even_but_for_one_in_partners_and_for_one_to_three_in_opponents(players: int) -> None:
    found, out = of(players, 1), players % 4
    assert found.partners == ((1, 1) if out < 2 else (0, 1))
    assert found.sat_out == (out, out)
    least, most = (0, 2) if players == 7 else (1, 2) if players in ONCE_OR_TWICE else (1, 3 + (players == 182))
    assert least <= found.opponents[0] <= found.opponents[1] <= most


ONCE_OR_TWICE = (6, 10, 11, 14, 15, 18, 19, 22, 23, 27, 31)
"""Numbers of players of whom each two are opponents once or twice in a cycle, in which not all can be so twice."""


@pytest.mark.parametrize("players", [6, 7, 10, 11, 15, *((14, 18, 19, 22, 26, 27, 31, 32, 33, 47) if DEEP else ())])
def test_what_was_uneven_in_a_cycle_is_made_good_in_later_ones(players: int) -> None:
    rounds = balanced(players, 24 * cycle(players))
    for cycles in (1, 2, 3, 4, 6, 9, 12, 18, 24):
        found = imbalance(range(players), rounds[: cycles * cycle(players)])
        assert spread(found.partners) <= (players % 4 > 1)
        assert spread(found.opponents) <= 3
        assert found.sat_out == (cycles * (players % 4),) * 2


@pytest.mark.parametrize(("players", "rounds", "each"), [(6, 15, (2, 4, 5)), (7, 21, (2, 4, 9))])
def test_of_six_and_seven_all_is_exact_at_last(players: int, rounds: int, each: tuple[int, int, int]) -> None:
    for times in (1, 2):
        found = imbalance(range(players), balanced(players, times * rounds))
        assert found == Imbalance(*((times * number,) * 2 for number in each))


@pytest.mark.parametrize(
    ("players", "rounds", "found"),
    [
        (6, 12, Imbalance((1, 2), (2, 4), (4, 4))),
        (7, 7, Imbalance((0, 1), (0, 2), (3, 3))),
        (7, 14, Imbalance((1, 2), (2, 4), (6, 6))),
        (10, 10, Imbalance((0, 1), (1, 2), (2, 2))),
        (11, 11, Imbalance((0, 1), (1, 2), (3, 3))),
        (33, 33, Imbalance((1, 1), (1, 3), (1, 1))),
    ],
)
def test_so_even_is_what_a_mixer_plays_unless_the_file_says_otherwise(
    players: int, rounds: int, found: Imbalance
) -> None:
    assert imbalance(range(players), balanced(players, rounds)) == found


@pytest.mark.parametrize("players", [number for number in SMALL if number < 34])
def test_every_prefix_is_balanced_as_far_as_it_goes(players: int) -> None:
    """No two are partners twice before the end of a cycle, nobody runs ahead in matches, or meets one all the time."""
    rounds = one_cycle(players)
    for length in range(1, len(rounds)):
        found = imbalance(range(players), rounds[:length])
        assert found.partners[1] <= 1
        assert found.opponents[1] <= 3
        assert spread(found.sat_out) <= (2 if players % 4 == 2 and 2 * length == players else 1)


@pytest.mark.parametrize("players", [6, 7, 10, 14, 22, *((18, 26, 30, 38, 46, 33, 35, 94) if DEEP else ())])
def test_however_many_rounds_are_wanted_nobody_sits_out_twice_oftener_than_another(players: int) -> None:
    """Also of those that would end where a search leaves that out: in the middle of a cycle of 4k + 2."""
    length = cycle(players)
    for count in (1, length // 2, length // 2 + 1, length + length // 2, 2 * length + length // 2):
        assert spread(imbalance(range(players), balanced(players, count)).sat_out) <= 1


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
    7: "a66f231ad683",
    8: "83cb9efa1e66",
    10: "a0133d3ce122",
    33: "c454afeef1a8",
    61: "df7219483166",
}
