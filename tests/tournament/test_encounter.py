"""How strong results make entrants, as far as schedules go by it."""

from __future__ import annotations

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.schedules.encounter import ratings
from spades_harness.tournament.statistics.paired import pair_results
from spades_harness.tournament.statistics.rating import elo

from .simulating import by_chance, ended


def test_schedules_go_by_whole_tenths_of_elo_and_not_by_digits_that_a_machine_may_round_otherwise() -> None:
    names, game = ("b0", "b1", "b2"), Boards(4)
    legs = [Leg(two, stream, leg, 1) for stream in range(5) for two in (names[:2], names[1:]) for leg in (0, 1)]
    results = [ended(number, leg, by_chance) for number, leg in enumerate(legs, 1)]
    exact = elo(names, pair_results(game, results))
    found = ratings(names, game, results)
    assert all(f"{rated:.1f}" == str(rated) for rated in found.values())
    assert any(exact[name].elo != found[name] for name in names)
    assert {name: exact[name].elo for name in names} == pytest.approx(found, abs=0.05)


def test_who_has_no_result_is_rated_zero() -> None:
    assert ratings(("b0", "b1"), Boards(4), ()) == {"b0": 0.0, "b1": 0.0}
