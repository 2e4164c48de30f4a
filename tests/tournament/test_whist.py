"""Whist tournaments are what they promise, for every size that is built in."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from spades_harness.tournament.schedules.whist import EXACT, MOST, whist


@pytest.mark.parametrize("players", EXACT)
def test_everybody_partners_everybody_once_and_opposes_everybody_twice(players: int) -> None:
    rounds = whist(players)
    assert rounds
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for tables in rounds:
        for a, b, c, d in tables:
            partners.update((frozenset((a, b)), frozenset((c, d))))
            opponents.update(map(frozenset, ((a, c), (a, d), (b, c), (b, d))))
    everybody = {frozenset(two) for two in combinations(range(players), 2)}
    assert partners == dict.fromkeys(everybody, 1)
    assert opponents == dict.fromkeys(everybody, 2)


@pytest.mark.parametrize("players", EXACT)
def test_in_a_round_nobody_has_two_seats_and_one_at_most_sits_out_each_time_another(players: int) -> None:
    out: list[int] = []
    for tables in whist(players) or ():
        seated = [player for table in tables for player in table]
        assert len(seated) == len(set(seated)) == players - players % 4
        out += set(range(players)) - set(seated)
    assert sorted(out) == (list(range(players)) if players % 4 else [])


def test_what_is_built_in() -> None:
    assert EXACT[:14] == (4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29)
    assert {49, 81, 121, 125, 169, 197} <= {*EXACT}
    assert max(EXACT) <= MOST


@pytest.mark.parametrize("players", [2, 3, 6, 7, 10, 11, 57, 198])
def test_where_none_is_built_in_there_is_none(players: int) -> None:
    assert whist(players) is None
