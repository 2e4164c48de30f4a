"""The gauntlet: challengers meet the field and nobody else, and nobody's line hangs on who else takes part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cli.calling import ask, spades
from spades_harness.game.rules import make_rules
from spades_harness.game.score import Boards
from spades_harness.tournament.anchor import Anchor
from spades_harness.tournament.outcome import Leg, Outcome, unplayed
from spades_harness.tournament.placement import Played, placed
from spades_harness.tournament.rank_by import RankBy
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
        ({"field": ["b0"], "points": {"b0": True}}, "points of b0 must be a number from 0 to 1000000, not true"),
    ],
)
def test_a_field_or_points_that_make_no_sense_are_refused_in_one_line(
    values: dict[str, OptionValue], complaint: str
) -> None:
    with pytest.raises(ScheduleError) as refused:
        GAUNTLET(field(3), options(**values), ())
    assert str(refused.value) == f"schedule: {complaint}"


def test_a_field_of_which_a_bot_did_not_start_is_refused_and_whoever_else_did_not_is_passed_over() -> None:
    given = options(field=["b2", "b9"], points={"b9": 2, "b2": 1}, rounds=2)
    with pytest.raises(ScheduleError, match=r"^schedule: the field bot 'b9' did not start: mend it, or change the fie"):
        GAUNTLET(field(3), replace(given, absent={"b9"}), ())
    with pytest.raises(ScheduleError, match=r"^schedule: the field bot 'b2' did not start"):
        GAUNTLET(field(2), replace(options(field=["b2"]), absent={"b2"}), ())
    whole = replace(options(field=["b2"], rounds=2), absent={"b9"})
    assert GAUNTLET(field(3), whole, ()) == GAUNTLET(field(3), options(field=["b2"], rounds=2), ())


def test_one_entrant_or_none_and_tables_of_four_are_refused_in_one_line() -> None:
    with pytest.raises(ScheduleError, match=r"^schedule: gauntlet needs two entrants or more, and there is none$"):
        GAUNTLET([], options(field=[]), ())
    with pytest.raises(ScheduleError, match=r"^schedule: gauntlet needs two entrants or more, and there is only 'b0'$"):
        GAUNTLET(field(1), options(field=["b0"]), ())
    with pytest.raises(ScheduleError, match=r"4 sit at a table, each for himself; take round_robin$"):
        GAUNTLET(field(4), options(make_rules("cutthroat"), field=["b0"]), ())


# ----------------------------------------------------------------------------------------------------- what it comes to

POINTS = {"b3": 1, "b4": 2.5}


def table(
    challengers: Sequence[str],
    seen: Sequence[Outcome],
    points: dict[str, float] | None = None,
    by: RankBy = RankBy.ELO,
    anchor: Anchor | None = None,
) -> Standings:
    """The standings of some challengers against b3 and b4."""

    def tabulate(entrants: Sequence[str], these: Sequence[Outcome], fixed: Anchor | None) -> Standings:
        return standings(entrants, these, Boards(4), {"elo": elo, "elo_k": elo_k}, by, fixed)

    taking_part = [*challengers, "b3", "b4"]
    given = options(field=["b3", "b4"], rounds=6, **({"points": points} if points else {}))
    own = [each for each in seen if {*each.leg.entrants} <= {*taking_part}]
    return placed(tabulate, Played(taking_part, (), given, [*counting(own)], own), places, by, anchor)


def counting(seen: Iterable[Outcome]) -> Iterator[Outcome]:
    return (each for each in seen if each.played)


def uneven(leg: Leg) -> tuple[int, int]:
    """b0 beats all but on every third stream, b1 draws with b3, b2 loses to all but on the first stream."""
    match leg.entrants[0], leg.entrants[1]:
        case "b0", _:
            return (0, 9) if leg.stream % 3 == 2 else (9, 0)
        case "b1", "b3":
            return 5, 5
        case _:
            return (1, 0) if leg.stream == 0 else (0, 7)


def plan() -> Iterator[tuple[int, Leg]]:
    """Of three challengers, with the numbers of the matches."""
    return enumerate(legs_of(played(GAUNTLET, field(5), options(field=["b3", "b4"], rounds=6))[0]), 1)


def results() -> list[Outcome]:
    return [ended(ordinal, leg, uneven) for ordinal, leg in plan()]


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


def test_points_of_a_tenth_are_summed_as_a_person_does_it() -> None:
    found = table(["b0"], results(), {"b3": 0.1, "b4": 0.2})
    assert (found.entrants[0].score, found.entrants[0].placing) == (0.3, "0.3 of 0.3")


def test_of_challengers_with_equal_points_the_one_that_took_more_from_the_field_stands_first() -> None:
    def half_by_the_second(leg: Leg) -> tuple[int, int]:
        return (1, 0) if leg.entrants[0] == "b1" and leg.stream == 0 else (0, 1)

    given = options(field=["b2"], rounds=2)
    found = places(names(3), given, played(GAUNTLET, field(3), given, half_by_the_second)[1])
    assert [(place.entrant, place.score) for place in found.places] == [("b1", 0.0), ("b0", 0.0), ("b2", None)]


def test_without_points_each_bot_of_the_field_is_worth_one() -> None:
    assert rows(table(["b0", "b1"], results()))["b0"].placing == "2 of 2"


@pytest.mark.parametrize("by", RankBy)
@pytest.mark.parametrize("anchor", [None, Anchor("b3", 1000), Anchor("b1", 1000)])
def test_a_challengers_line_is_the_same_byte_for_byte_whoever_else_takes_part(
    by: RankBy, anchor: Anchor | None
) -> None:
    def lines(*challengers: str) -> dict[str, str]:
        found = as_csv(table(challengers, results(), POINTS, by, anchor).entrants).splitlines()
        return {line.split(",")[1]: line for line in found}

    whole = lines("b0", "b1", "b2")
    for others in ([], ["b1"], ["b2"], ["b2", "b1"]):
        few = lines("b0", *others)
        assert {name: few[name] for name in ("b0", *others)} == {name: whole[name] for name in ("b0", *others)}


def test_another_order_than_that_of_points_moves_lines_and_changes_none() -> None:
    plain = table(["b0", "b1", "b2"], results())
    for by, order in ((RankBy.POINTS, ["b0", "b1", "b2"]), (RankBy.WINS, ["b0", "b2", "b1"])):
        found = table(["b0", "b1", "b2"], results(), by=by)
        assert [row.entrant for row in found.entrants] == [*order, "b3", "b4"]
        assert rows(found) == rows(plain)
        assert (found.title, found.lines) == (plain.title, plain.lines)


def test_what_is_not_all_played_yet_is_told_as_such_for_each_challenger_alone() -> None:
    seen = [each for each in results() if each.leg.entrants != ("b1", "b4") or each.leg.stream < 5]
    assert [row.placing for row in table(["b0", "b1"], seen).entrants[:2]] == ["2 of 2", "0 of 2 so far"]
    assert {row.placing for row in table(["b0", "b1"], []).entrants[:2]} == {"0 of 2 so far"}


def off(gone: str, *opponents: str) -> list[Outcome]:
    """The results where this entrant plays no more against these, and what there was counts for nobody."""
    return [
        unplayed(each.ordinal, each.leg, {gone}) if {gone, *opponents} >= {*each.leg.entrants} else each
        for each in results()
    ]


def test_a_bot_of_the_field_that_is_disqualified_is_worth_nothing_to_anybody_and_measures_nobody() -> None:
    found = table(["b0", "b1", "b2"], off("b3", "b0", "b1", "b2"), POINTS)
    assert [row.placing for row in found.entrants[:3]] == ["2½ of 2½", "0 of 2½", "0 of 2½"]
    assert found.lines[-1] == "Elo counts from b4."
    alone = table(["b0"], [each for each in results() if "b3" not in each.leg.entrants])
    assert (rows(found)["b0"].elo, rows(found)["b0"].wins) == (rows(alone)["b0"].elo, rows(alone)["b0"].wins)
    nobody = table(["b0"], [unplayed(each.ordinal, each.leg, {"b3", "b4"}) for each in results()])
    assert (nobody.entrants[0].placing, nobody.entrants[0].elo) == ("0 of 0", None)


def test_meetings_that_are_void_count_for_no_challenger_and_those_that_it_withdrew_from_against_it() -> None:
    def said(gone: set[str]) -> str:
        seen = [unplayed(n, leg, gone) if "b4" in leg.entrants else ended(n, leg, uneven) for n, leg in plan()]
        return rows(table(["b0"], seen, POINTS))["b0"].placing

    assert said(set()) == "1 of 1"
    assert said({"b0"}) == "1 of 3½"
    assert said({"b4"}) == "1 of 1"
    assert said({"b0", "b4"}) == "1 of 1"


def test_a_leg_that_is_void_leaves_its_meeting_without_a_result_and_all_such_meetings_count_for_nobody() -> None:
    void = [
        unplayed(n, leg, ()) if leg.leg == 1 and "b4" in leg.entrants else ended(n, leg, uneven) for n, leg in plan()
    ]
    assert rows(table(["b0"], void, POINTS))["b0"].placing == "1 of 1"
    one = [unplayed(each.ordinal, each.leg, ()) if each.ordinal == void[-1].ordinal else each for each in results()]
    assert rows(table(["b0", "b1", "b2"], one, POINTS))["b2"].placing == "0 of 3½"


def test_an_anchor_in_the_field_is_what_challengers_are_measured_from() -> None:
    found = table(["b0", "b1", "b2"], results(), anchor=Anchor("b4", 1000))
    assert found.anchor == Anchor("b4", 1000)
    assert found.lines == ("Each challenger is rated by its own matches with the field alone.",)
    assert [(rows(found)[name].elo, rows(found)[name].elo_low) for name in ("b3", "b4")] == [(None, None), (1000, 1000)]
    alone = standings(["b0", "b3", "b4"], _of("b0"), Boards(4), {"elo": elo}, anchor=Anchor("b4", 1000))
    (own,) = (row for row in alone.entrants if row.entrant == "b0")
    shown = rows(found)["b0"]
    assert (shown.elo, shown.elo_low, shown.elo_high) == (own.elo, own.elo_low, own.elo_high)
    unmet = table(["b0", "b1"], [each for each in results() if each.leg.entrants != ("b0", "b4")], anchor=found.anchor)
    assert rows(unmet)["b0"].elo is None
    assert rows(unmet)["b1"].elo is not None


def test_an_anchor_that_is_no_bot_of_the_field_moves_nobody_and_the_reason_is_told() -> None:
    found = table(["b0", "b1", "b2"], results(), anchor=Anchor("b1", 1000))
    assert found.anchor is None
    assert found.lines[1:] == (
        "Elo: b1 can't be 1000 here: all are measured by b3, b4 alone",
        "Elo counts from the mean of the field.",
    )
    assert rows(found) == rows(table(["b0", "b1", "b2"], results()))


def test_a_challenger_is_rated_above_the_mean_of_the_field_and_the_field_is_not_rated() -> None:
    """RS-10."""
    found = table(["b0", "b1", "b2"], results())
    assert found.lines == (
        "Each challenger is rated by its own matches with the field alone.",
        "Elo counts from the mean of the field.",
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
        lambda entrants, these, _: standings(entrants, these, Boards(4), {"elo": elo}),
        Played(names(3), (), options(field=["b2"], rounds=6), drawn, drawn),
        *(places, RankBy.ELO),
    )
    assert [row.elo for row in found.entrants] == [0.0, 0.0, None]
    assert found.lines[-1] == "Elo counts from b2."


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
    return rows_of(folder / run)


def rows_of(run: Path, *words: str) -> dict[str, str]:
    """The lines of its CSV by entrant."""
    lines = ask("standings", str(run), "--csv", *words).stdout.splitlines()
    return {line.split(",")[1]: line for line in lines[1:]}


def test_a_run_gives_a_challenger_the_same_bytes_with_and_without_the_others(tmp_path: Path) -> None:
    whole, few = exam(tmp_path, "ones", "zeros", "twins"), exam(tmp_path, "twins", "ones")
    assert {*few} == {"ones", "twins", "twos", "threes"}
    crossed = ask("standings", str(tmp_path / "ones-zeros-twins"), "--crosstable").stdout.splitlines()
    assert crossed[0].split() == ["entrant", "twos", "threes"]
    assert crossed[2].split()[0] in CHALLENGERS
    assert "·" not in crossed[2]
    for name in ("ones", "twins"):
        assert few[name] == whole[name]
        assert few[name].split(",")[2] != ""
        for look in (["--rank-by", "points"], ["--rank-by", "wins"], ["--anchor", "twos=500"]):
            lines = [rows_of(tmp_path / run, *look)[name] for run in ("ones-zeros-twins", "twins-ones")]
            assert lines[0] == lines[1]
            assert (lines[0] == whole[name]) == ("--rank-by" in look)
