"""Who plays how well beside whom: every cell by hand, the diagonal, and what is kept out of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.crossplay import Beside, Crossplay, as_csv_of_cells, crossplay
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.schedule import Entrant, Options
from spades_harness.tournament.schedules.mixer import mixer
from spades_harness.tournament.standings import standings
from spades_harness.tournament.statistics.meeting import results_of
from spades_harness.tournament.statistics.rating import elo

from .test_mixer import TABLE, meeting

BOARDS = Boards(4)
PLAYED = [
    *meeting(0, ("a", "b", "c", "d"), 8),
    *meeting(1, ("a", "c", "b", "d"), -4),
    *meeting(2, ("b", "a", "d", "c"), 24),
    *meeting(3, ("a", "a", "b", "b"), 12),
]


def of(outcomes: list[Outcome]) -> Crossplay:
    table = standings(TABLE, outcomes, BOARDS, {"elo": elo})
    return crossplay(table, results_of(BOARDS, outcomes))


def cell(found: Crossplay, one: str, other: str) -> Beside | None:
    return next((each for each in found.cells if (each.entrant, each.partner) == (one, other)), None)


def test_a_cell_is_the_mean_of_what_both_led_by_a_hand_and_the_same_both_ways_round() -> None:
    found = of(PLAYED)
    assert cell(found, "a", "b") == Beside("a", "b", 4.0, 2.0, 2)
    assert cell(found, "b", "a") == Beside("b", "a", 4.0, 2.0, 2)
    assert cell(found, "a", "c") == Beside("a", "c", -1.0, None, 1)
    assert cell(found, "c", "d") == Beside("c", "d", -4.0, 2.0, 2)
    assert cell(found, "a", "d") is None


def test_on_the_diagonal_stands_each_beside_itself_and_the_difference_is_told() -> None:
    found = of(PLAYED)
    assert cell(found, "a", "a") == Beside("a", "a", 3.0, None, 1)
    own = {each.entrant: each for each in found.own}
    assert (own["a"].self_play, own["a"].cross_play, own["a"].difference) == (3.0, 1.5, 1.5)
    assert own["a"].understanding == 0.0
    assert (own["d"].self_play, own["d"].difference, own["d"].understanding) == (None, None, None)
    again = {each.entrant: each for each in of([*PLAYED, *meeting(4, ("a", "a", "c", "c"), 20)]).own}
    assert again["a"].self_play == 4.0
    # by hand, on streams apart: 3 and 5 have the error 1; 2, -1 and 6 are off by -1/3, -10/3 and 11/3, so 222 / 9 / 6
    assert again["a"].difference_error == pytest.approx((1 + 37 / 9) ** 0.5, abs=0.001)


def played_whole(leads: Sequence[int]) -> list[Outcome]:
    """On each board stream every split of four and each beside itself; a, and whoever sits there, leads by so much."""
    tables = ["abcd", "acbd", "adbc", "aabb", "aacc", "aadd"]
    return [
        each
        for at, lead in enumerate(leads)
        for number, names in enumerate(tables)
        for each in meeting(6 * at + number, tuple(names), 4 * lead, stream=at)
    ]


def test_tables_of_one_board_stream_are_no_independent_witnesses_of_a_difference() -> None:
    """By hand: beside itself and beside others 2, 5 and 8 on three streams: 5 each, with an error of 3 / 3 ** 0.5."""
    own = {each.entrant: each for each in of(played_whole([2, 5, 8])).own}["a"]
    assert (own.self_play, own.cross_play) == (5.0, 5.0)
    assert (own.difference, own.difference_error) == (0.0, 0.0)
    assert own.understanding == -5.0
    assert own.understanding_error == pytest.approx(3**0.5, abs=0.01)


def test_where_a_side_is_worth_what_its_two_are_nobody_understands_itself() -> None:
    """The strong lead by twice as much beside themselves all the same."""
    worth, names = dict(zip("abcdefgh", (9, 6, 4, 2, -1, -3, -7, -10), strict=True)), "abcdefgh"
    outcomes: list[Outcome] = []
    for leg in mixer([Entrant(name, ()) for name in names], Options({"rounds": 56, "self_play": True}), ())[::2]:
        lead = sum(worth[name] for name in leg.entrants[:2]) - sum(worth[name] for name in leg.entrants[2:])
        outcomes += meeting(len(outcomes) // 2, leg.entrants, 4 * lead)
    table = standings(tuple(names), outcomes, BOARDS, {"elo": elo})
    own = crossplay(table, results_of(BOARDS, outcomes)).own
    assert {each.entrant: each.cross_play for each in own} == pytest.approx(
        {name: worth[name] * 8 / 7 for name in names}, abs=0.01
    )
    assert [each.understanding for each in own] == pytest.approx([0] * 8, abs=0.01)
    assert max(each.difference or 0 for each in own) > 9


def test_where_somebody_was_at_fault_nothing_is_counted_for_the_others() -> None:
    """What it counts for who was at fault, the tests of such points say."""
    found, clean = of([*PLAYED, *meeting(4, ("a", "b", "c", "d"), 400, faulty=["d"])]), of(PLAYED)
    others = [{each for each in table.cells if each.entrant != "d"} for table in (found, clean)]
    assert others[0] == others[1]
    assert cell(found, "d", "c") == Beside("d", "c", -36.0, 32.021, 3)
    twice = of([*PLAYED, *meeting(4, ("a", "b", "c", "d"), 400, faulty=["a", "d"])])
    assert {*twice.cells} == {*clean.cells}


def test_the_csv_has_a_row_a_cell() -> None:
    lines = as_csv_of_cells(of(PLAYED)).splitlines()
    assert lines[0] == "entrant,partner,points_per_hand,points_error,tables"
    assert "a,b,4.0,2.0,2" in lines
    assert len(lines) == 1 + 2 * 3 + 2 + 2
