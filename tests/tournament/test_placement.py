"""What a schedule says of who came where, put into the standings; and schedules that say nonsense."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from spades_harness.game.score import Boards
from spades_harness.tournament.anchor import Anchor
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.placement import Played, placed
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.schedule import Entrant, Options, ScheduleError
from spades_harness.tournament.schedules.option_reading import Given, settled
from spades_harness.tournament.schedules.placing import Place, Placed, Places, Placing, in_halves
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.standings import Standings, standings
from spades_harness.tournament.statistics.rating import elo

from .simulating import by_number, ended, field, options

NAMES = ["b0", "b1", "b2"]
OPTIONS = options(rounds=1)


def tabulate(entrants: Sequence[str], results: Sequence[Outcome], anchor: Anchor | None = None) -> Standings:
    return standings(entrants, results, Boards(4), {"elo": elo}, anchor=anchor)


def results() -> list[Outcome]:
    return [ended(number, leg, by_number) for number, leg in enumerate(round_robin(field(3), OPTIONS, ()), 1)]


def place(places: Any, absent: Sequence[str] = (), by: RankBy = RankBy.ELO, anchor: Anchor | None = None) -> Standings:
    return placed(tabulate, Played(NAMES, absent, OPTIONS, results(), results()), places, by, anchor)


def upside_down(entrants: Sequence[str], options: Options, results: Sequence[Outcome]) -> Placing:
    """The last of the file is first."""
    order = [Place(name, rank, f"no. {rank}", rank / 2) for rank, name in enumerate(reversed(entrants), 1)]
    return Placing("number", tuple(order), (f"{len(results)} matches",))


def test_a_schedule_ranks_and_its_words_and_lines_go_with_the_table() -> None:
    found = place(upside_down)
    assert [(row.rank, row.entrant, row.score, row.placing) for row in found.entrants] == [
        (1, "b2", 0.5, "no. 1"),
        (2, "b1", 1.0, "no. 2"),
        (3, "b0", 1.5, "no. 3"),
    ]
    assert (found.title, found.lines, found.troubles) == ("number", ("6 matches",), ())
    ratings = {row.entrant: row.elo for row in tabulate(NAMES, results()).entrants}
    assert {row.entrant: row.elo for row in found.entrants} == ratings


def test_who_took_no_part_is_unknown_to_the_schedule_and_stands_last_without_a_rank() -> None:
    found = place(upside_down, ["b2"])
    assert [(row.rank, row.entrant, row.placing) for row in found.entrants] == [
        (1, "b1", "no. 1"),
        (2, "b0", "no. 2"),
        (None, "b2", "dropped"),
    ]


def test_who_is_measured_by_no_field_is_ranked_by_what_is_to_rank_instead_and_moves_with_any_anchor() -> None:
    assert place(upside_down, by=RankBy.POINTS) == tabulate(NAMES, results())
    anchor = Anchor("b1", 1000)
    found = place(upside_down, anchor=anchor)
    assert (found.anchor, found.lines) == (anchor, ("6 matches",))
    assert {row.entrant: row.elo for row in found.entrants}["b1"] == 1000


def test_a_challenger_without_results_stands_behind_all_others_by_whatever_is_to_rank() -> None:
    """And before the field: b2 is first in the schedule's order, and b1 has lost every point to b0."""

    def against_the_first(entrants: Sequence[str], options: Options, results: Sequence[Outcome]) -> Placing:
        return Placing("x", (*(Place(name, None, "", field=("b0",)) for name in ("b2", "b1")), Place("b0", None, "")))

    met = [each for each in results() if "b2" not in each.leg.entrants]
    for by in (RankBy.POINTS, RankBy.WINS):
        found = placed(tabulate, Played(NAMES, (), OPTIONS, met, met), against_the_first, by)
        assert [row.entrant for row in found.entrants] == ["b1", "b2", "b0"]


def test_an_entrant_is_known_to_every_option_in_whatever_form_of_unicode_it_is_written() -> None:
    entrants = [Entrant("caf\u00e9", ()), Entrant("b1", ())]
    given = Given("any", options(field=["cafe\u0301 "], points={"cafe\u0301": 2}), "field", "points")
    assert given.entrants("field", entrants) == ("caf\u00e9",)
    assert given.numbers("points", entrants) == {"caf\u00e9": 2}
    twice = Given("any", options(field=["caf\u00e9", "cafe\u0301"]), "field")
    with pytest.raises(ScheduleError, match=r"^schedule: field names 'caf\u00e9' twice$"):
        twice.entrants("field", entrants)
    both = Given("any", options(points={"caf\u00e9": 1, "cafe\u0301": 2}), "points")
    with pytest.raises(ScheduleError, match=r"^schedule: points names 'caf\u00e9' twice$"):
        both.numbers("points", entrants)


def test_whom_the_options_of_a_run_name_and_who_is_not_in_it_was_left_out_before() -> None:
    given = options(seeds=["b0", " cafe\u0301"], points={"b1": 1, "b7": 2}, elimination="double", rounds=3)
    assert settled(given, NAMES).absent == {"caf\u00e9", "b7"}
    assert Given("any", settled(given, NAMES), *given.values).entrants("seeds", field(3)) == ("b0",)
    assert Given("any", settled(given, NAMES), *given.values).missing("seeds", field(3)) == ("caf\u00e9",)


def failing(*_: object) -> Placing:
    raise LookupError("no\nsuch luck")


@pytest.mark.parametrize(
    ("places", "complaint"),
    [
        (failing, "fails: LookupError: no such luck (test_placement.py, line "),
        (lambda *_: [], "must answer with a Placing, not list"),
        (lambda *_: Placing("x", (Place("b7", 1, ""),)), "must place each entrant once, and places 'b7'"),
        (lambda *_: Placing("x", (Place("b1", 1, ""),) * 2), "must place each entrant once, and places 'b1'"),
        (lambda *_: sys.exit(3), "fails: SystemExit: 3 (test_placement.py, line "),
    ],
)
def test_an_order_that_is_none_is_left_out_and_told_in_one_line(places: Places, complaint: str) -> None:
    found = place(places)
    assert replace(found, troubles=()) == tabulate(NAMES, results())
    (trouble,) = map(str, found.troubles)
    assert trouble.startswith(f"the schedule's order is left out: it {complaint}")
    assert trouble.endswith("(test_placement.py)")
    assert "\n" not in trouble


def test_a_schedule_with_places_beside_it_is_a_schedule() -> None:
    both = Placed(round_robin, upside_down)
    assert both(field(3), OPTIONS, ()) == round_robin(field(3), OPTIONS, ())
    assert both.places is upside_down


@pytest.mark.parametrize(
    ("number", "written"), [(0.0, "0"), (0.5, "½"), (1, "1"), (3.5, "3½"), (12.0, "12"), (2.25, "2.25")]
)
def test_halves_are_written_as_players_write_them(number: float, written: str) -> None:
    assert in_halves(number) == written
