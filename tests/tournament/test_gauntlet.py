"""The gauntlet: challengers meet the field and nobody else, and nobody's line hangs on who else takes part."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from cli.calling import ask, spades
from spades_harness.game.rules import make_rules
from spades_harness.game.score import Boards
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.placement import placed
from spades_harness.tournament.schedule import OptionValue, ScheduleError
from spades_harness.tournament.schedules.gauntlet import GAUNTLET, places
from spades_harness.tournament.standings import Row, Standings, as_csv, standings
from spades_harness.tournament.statistics.rating import elo, elo_k

from .simulating import assert_duplicate, by_number, ended, field, legs_of, options, played


def names(count: int) -> list[str]:
    return [entrant.name for entrant in field(count)]


# ------------------------------------------------------------------------------------------------------ who meets whom


def test_four_bots_of_which_one_is_the_field_play_three_pairings_both_ways() -> None:
    """SC-01."""
    legs = legs_of(played(GAUNTLET, field(4), options(field=["b0"], rounds=1))[0])
    assert len(legs) == 6
    assert {frozenset(leg.entrants) for leg in legs} == {frozenset(("b0", name)) for name in ("b1", "b2", "b3")}


@pytest.mark.parametrize(
    ("count", "in_field"), [(count, some) for count in (2, 3, 4, 5, 9, 200) for some in (1, 2, 7) if some < count]
)
def test_each_challenger_meets_each_of_the_field_on_every_board_stream_and_nobody_else(
    count: int, in_field: int
) -> None:
    hosts = names(count)[-in_field:]
    batches, _ = played(GAUNTLET, field(count), options(field=hosts, rounds=3))
    assert len(batches) == 1
    assert_duplicate(batches[0])
    assert Counter((leg.entrants, leg.stream) for leg in batches[0]) == {
        ((name, host), stream): 2 for name in names(count)[:-in_field] for host in hosts for stream in range(3)
    }


def test_every_beginning_of_the_plan_is_as_long_for_one_challenger_as_for_another() -> None:
    seen = Counter(dict.fromkeys(names(5), 0))
    for leg in legs_of(played(GAUNTLET, field(7), options(field=["b5", "b6"], rounds=4))[0])[::2]:
        seen[leg.entrants[0]] += 1
        assert max(seen.values()) - min(seen.values()) <= 1


def test_legs_that_are_played_are_not_named_again() -> None:
    given = options(field=["b2"], rounds=2)
    (batch,), results = played(GAUNTLET, field(3), given)
    assert GAUNTLET(field(3), given, results[:3]) == batch[3:]


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, "gauntlet needs a field, as in {gauntlet: {field: [steady, counter]}}"),
        ({"field": []}, "gauntlet needs a field, as in {gauntlet: {field: [steady, counter]}}"),
        ({"field": "b0"}, "field must be a list of entrants, not 'b0'"),
        ({"field": ["b0", "b0"]}, "field names 'b0' twice"),
        ({"field": ["b0", "B1"]}, "field names 'B1', which is no entrant; did you mean 'b1'?"),
        ({"field": [5]}, "field names 5, which is no entrant; put it in quotes to mean the name"),
        ({"field": ["b0", "b1", "b2"]}, "field names all entrants, and leaves no challenger"),
        ({"fields": ["b0"]}, "gauntlet has no option 'fields'; did you mean 'field'?"),
        ({"field": ["b0"], "boards": 4}, "gauntlet has no option 'boards'; it has 'field', 'rounds' and 'points'"),
        ({"field": ["b0"], "rounds": 0}, "rounds must be a whole number from 1 to 1000000, not 0"),
        ({"field": ["b0"], "points": 3}, "points must be a mapping of entrants to numbers, not 3"),
        ({"field": ["b0"], "points": {"b1": 3}}, "points names 'b1', which is not in the field"),
        ({"field": ["b0"], "points": {"b0": "3"}}, "points of b0 must be a number from 0 to 1000000, not '3'"),
        ({"field": ["b0"], "points": {"b0": -1}}, "points of b0 must be a number from 0 to 1000000, not -1"),
        ({"field": ["b0"], "points": {"b0": True}}, "points of b0 must be a number from 0 to 1000000, not True"),
    ],
)
def test_a_field_or_points_that_make_no_sense_are_refused_in_one_line(
    values: dict[str, OptionValue], complaint: str
) -> None:
    with pytest.raises(ScheduleError) as refused:
        GAUNTLET(field(3), options(**values), ())
    assert str(refused.value) == f"schedule: {complaint}"


def test_one_entrant_or_none_and_tables_of_four_are_refused_in_one_line() -> None:
    with pytest.raises(ScheduleError, match=r"^schedule: gauntlet needs two entrants or more, and there is none$"):
        GAUNTLET([], options(field=[]), ())
    with pytest.raises(ScheduleError, match=r"^schedule: gauntlet needs two entrants or more, and there is only 'b0'$"):
        GAUNTLET(field(1), options(field=["b0"]), ())
    with pytest.raises(ScheduleError, match=r"4 sit at a table, each for himself; take round_robin$"):
        GAUNTLET(field(4), options(make_rules("cutthroat"), field=["b0"]), ())


# ----------------------------------------------------------------------------------------------------- what it comes to

POINTS = {"b3": 1, "b4": 2.5}


def table(challengers: list[str], results: list[Outcome], points: dict[str, float] | None = None) -> Standings:
    """The standings of some challengers against b3 and b4."""

    def tabulate(entrants: object, these: object) -> object:
        return standings(entrants, these, Boards(4), {"elo": elo, "elo_k": elo_k})  # type: ignore[arg-type]

    taking_part = [*challengers, "b3", "b4"]
    given = options(field=["b3", "b4"], rounds=6, **({"points": points} if points else {}))
    own = [each for each in results if {*each.leg.entrants} <= {*taking_part}]
    return placed(tabulate, taking_part, (), given, own, own, places)  # type: ignore[arg-type]


def uneven(leg: Leg) -> tuple[int, int]:
    """b0 beats all but on every third stream, b1 draws with b3, b2 loses to all but on the first stream."""
    match leg.entrants[0], leg.entrants[1]:
        case "b0", _:
            return (0, 9) if leg.stream % 3 == 2 else (9, 0)
        case "b1", "b3":
            return 5, 5
        case _:
            return (1, 0) if leg.stream == 0 else (0, 7)


def results() -> list[Outcome]:
    legs = legs_of(played(GAUNTLET, field(5), options(field=["b3", "b4"], rounds=6))[0])
    return [ended(ordinal, leg, uneven) for ordinal, leg in enumerate(legs, 1)]


def rows(found: Standings) -> dict[str, Row]:
    return {row.entrant: row for row in found.entrants}


def test_points_are_for_whoever_takes_more_than_half_from_a_bot_of_the_field() -> None:
    found = table(["b0", "b1", "b2"], results(), POINTS)
    assert found.title == "points"
    assert [(row.entrant, row.score, row.placing) for row in found.entrants] == [
        ("b0", 3.5, "3½ of 3½"),
        ("b1", 0.0, "0 of 3½"),
        ("b2", 0.0, "0 of 3½"),
        ("b3", None, "field"),
        ("b4", None, "field"),
    ]


def test_without_points_each_bot_of_the_field_is_worth_one() -> None:
    assert rows(table(["b0", "b1"], results()))["b0"].placing == "2 of 2"


def test_a_challengers_line_is_the_same_byte_for_byte_whoever_else_takes_part() -> None:
    whole = {
        line.split(",")[1]: line for line in as_csv(table(["b0", "b1", "b2"], results(), POINTS).entrants).splitlines()
    }
    for others in ([], ["b1"], ["b2"], ["b2", "b1"]):
        lines = as_csv(table(["b0", *others], results(), POINTS).entrants).splitlines()
        for name in ("b0", *others):
            assert whole[name] in lines


def test_a_challenger_is_rated_above_the_mean_of_the_field_and_the_field_is_not_rated() -> None:
    """RS-10."""
    found = table(["b0", "b1", "b2"], results())
    assert found.lines == (
        "Each challenger is rated by its own matches with the field: its Elo counts from the mean of the field.",
    )
    assert all(rows(found)[name].elo is None and rows(found)[name].rank is None for name in ("b3", "b4"))
    alone = {row.entrant: row for row in standings(["b0", "b3", "b4"], _of("b0"), Boards(4), {"elo": elo}).entrants}
    mean = ((alone["b3"].elo or 0) + (alone["b4"].elo or 0)) / 2
    assert rows(found)["b0"].elo == pytest.approx((alone["b0"].elo or 0) - mean, abs=0.2)
    low, high = alone["b0"].elo_low or 0, alone["b0"].elo_high or 0
    assert (rows(found)["b0"].elo_high or 0) - (rows(found)["b0"].elo_low or 0) == pytest.approx(
        1.5 * (high - low), abs=0.2
    )


def _of(name: str) -> list[Outcome]:
    return [each for each in results() if name in each.leg.entrants]


def test_before_the_first_result_nobody_has_points_or_a_rating() -> None:
    assert {(row.rank, row.elo) for row in table(["b0", "b1"], []).entrants} == {(None, None)}


def test_in_a_gauntlet_of_one_its_opponent_is_the_zero() -> None:
    legs = legs_of(played(GAUNTLET, field(3), options(field=["b2"], rounds=6), by_number)[0])
    drawn = [ended(ordinal, leg, lambda leg: (0, 0)) for ordinal, leg in enumerate(legs, 1)]
    found = placed(
        lambda entrants, these: standings(entrants, these, Boards(4), {"elo": elo}),
        *(names(3), (), options(field=["b2"], rounds=6), drawn, drawn, places),
    )
    assert [row.elo for row in found.entrants] == [0.0, 0.0, None]
    assert found.lines[0].endswith("its Elo counts from b2.")


# --------------------------------------------------------------------------------------------------------- for real

FILE = """
name: exam
seed: 3
format: {{boards: 4}}
schedule: {{gauntlet: {{field: [twos, threes], rounds: 2, points: {{twos: 1, threes: 2}}}}}}
bots:
  - {{name: twos, plugin: threes, params: {{bid: 2}}, in_process: true}}
  - {{name: threes, plugin: threes, in_process: true}}
{challengers}
"""
CHALLENGERS = {
    "ones": "  - {name: ones, plugin: threes, params: {bid: 1}, in_process: true}",
    "zeros": "  - {name: zeros, plugin: threes, params: {bid: 0}, in_process: true}",
    "twins": "  - {name: twins, plugin: threes, params: {bid: 2}, in_process: true}",
}


def exam(folder: Path, *challengers: str) -> dict[str, str]:
    """A gauntlet that was run: the lines of its CSV by entrant."""
    run = "-".join(challengers)
    text = FILE.format(challengers="\n".join(CHALLENGERS[name] for name in challengers))
    (folder / f"{run}.yaml").write_text(text, encoding="utf-8")
    done = spades("run", f"{run}.yaml", "--out", run, "--jobs", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split()[:3] == ["entrant", "points", "Elo"]
    assert "Each challenger is rated by its own matches" in done.stdout
    lines = ask("standings", str(folder / run), "--csv").stdout.splitlines()
    return {line.split(",")[1]: line for line in lines[1:]}


def test_a_run_gives_a_challenger_the_same_bytes_with_and_without_the_others(tmp_path: Path) -> None:
    whole, few = exam(tmp_path, "ones", "zeros", "twins"), exam(tmp_path, "twins", "ones")
    assert {*few} == {"ones", "twins", "twos", "threes"}
    for name in ("ones", "twins"):
        assert few[name] == whole[name]
        assert few[name].split(",")[2] != ""
