"""The standings: what counts as a result, what it is worth, and a table that comes out the same whatever the order."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.table.match import FaultKind, MatchRecord
from spades_harness.tournament.identity import make_spec, terms_from
from spades_harness.tournament.outcome import Leg, Outcome, Tally, outcome_of, tally
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.runner import Tournament, next_batch
from spades_harness.tournament.schedule import Options
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.sealed import Sealed
from spades_harness.tournament.standings import Row, Standings, as_csv, as_json, standings
from spades_harness.tournament.statistics.comparison import told_apart
from spades_harness.tournament.statistics.meeting import duels, meetings, points_per_hand
from spades_harness.tournament.statistics.rating import PairResult, Rated, Rating, elo, elo_k

from .playing import FIELD, entrant, play, setup

RATINGS = {"elo": elo, "elo_k": elo_k}
BOARDS, GAME = Boards(4), Game()
Score = tuple[int, int]


def rows_of(
    entrants: Sequence[str], outcomes: Iterable[Outcome], game: Format, ratings: Mapping[str, Rating] = RATINGS
) -> tuple[Row, ...]:
    """The rows of the table, all of whose ratings must be sound."""
    found = standings(entrants, outcomes, game, ratings)
    assert found.troubles == ()
    return found.entrants


def as_object(rows: Iterable[Row]) -> dict[str, Any]:
    """These rows as a machine reads them: no number in them may be none."""
    found: dict[str, Any] = json.loads(as_json(Standings(tuple(rows))), parse_constant=pytest.fail)
    return found


class Results:
    """Outcomes as a tournament would number them: `legs("a", "b", (310, 200), (150, 250))` is one meeting."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self.streams = 0

    def legs(self, a: str, b: str, *scores: Score, hands: int = 4, forfeits: Sequence[str] = ()) -> Results:
        """A meeting: per leg the scores of a and b, and who forfeited it, such as `a`, `b`, `ab` or nothing."""
        for number, score in enumerate(scores):
            lost = forfeits[number] if forfeits else ""
            leg = Leg((a, b), self.streams, number, self.streams + 1)
            faults = tuple((FaultKind.TIMEOUT,) if place in lost else () for place in "ab")
            self.outcomes.append(
                Outcome(
                    ordinal=len(self.outcomes) + 1,
                    leg=leg,
                    scores=score,
                    forfeited=("a" in lost, "b" in lost),
                    hands=hands,
                    tallies=(Tally(4, 3, 1, 1, 2), Tally(4, 2, 0, 0, 6)),
                    faults=faults,
                )
            )
        self.streams += 1
        return self

    def table(self, game: Format = BOARDS) -> dict[str, Row]:
        names = sorted({name for outcome in self.outcomes for name in outcome.leg.entrants})
        return {row.entrant: row for row in rows_of(names, self.outcomes, game, RATINGS)}


def record(row: Row) -> tuple[int, int, int]:
    return row.wins, row.draws, row.losses


# -------------------------------------------------------------------------------------------------- what is a result


@pytest.mark.parametrize(
    ("scores", "for_a"),
    [
        (((310, 200), (150, 250)), (1, 0, 0)),
        (((300, 200), (150, 250)), (0, 1, 0)),
        (((300, 200), (140, 250)), (0, 0, 1)),
        (((300, 200),), (0, 0, 0)),
    ],
)
def test_on_boards_both_legs_together_are_one_result(scores: Sequence[Score], for_a: tuple[int, int, int]) -> None:
    table = Results().legs("a", "b", *scores).table(BOARDS)
    assert record(table["a"]) == for_a
    assert record(table["b"]) == for_a[::-1]


def test_in_games_each_leg_is_a_result() -> None:
    table = Results().legs("a", "b", (510, 200), (150, 502)).legs("a", "b", (400, 400)).table(GAME)
    assert record(table["a"]) == record(table["b"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("forfeits", "game", "boards"),
    [
        (("b", ""), [(2, 0, 0), (0, 0, 2)], [(1, 0, 0), (0, 0, 1)]),
        (("", "a"), [(1, 0, 1), (1, 0, 1)], [(0, 0, 1), (1, 0, 0)]),
        (("ab", ""), [(1, 0, 1), (0, 0, 2)], [(0, 0, 1), (0, 0, 1)]),
        (("a", "b"), [(1, 0, 1), (1, 0, 1)], [(0, 0, 1), (0, 0, 1)]),
        (("b", "b"), [(2, 0, 0), (0, 0, 2)], [(1, 0, 0), (0, 0, 1)]),
    ],
)
def test_a_forfeit_is_a_loss_whatever_the_score_and_both_lose_where_both_forfeit(
    forfeits: Sequence[str], game: list[tuple[int, int, int]], boards: list[tuple[int, int, int]]
) -> None:
    results = Results().legs("a", "b", (100, 0), (100, 0), forfeits=forfeits)
    for format_, expected in ((GAME, game), (BOARDS, boards)):
        table = results.table(format_)
        assert [record(table["a"]), record(table["b"])] == expected
        assert [table["a"].forfeits, table["b"].forfeits] == ["".join(forfeits).count(place) for place in "ab"]


def test_a_forfeit_by_both_is_worth_half_a_point_to_each_in_the_rating() -> None:
    results = Results()
    for _ in range(10):
        results.legs("a", "b", (100, 0), (0, 100), forfeits=("ab", "ab"))
    table = results.table(GAME)
    assert table["a"].elo == table["b"].elo
    assert table["a"].losses == table["b"].losses == 20


# ---------------------------------------------------------------------------------------------------------- the points


def test_points_a_hand_are_the_mean_over_meetings_and_their_error_is_that_of_the_mean() -> None:
    """RS-11: two legs on the same cards are one observation."""
    table = Results().legs("a", "b", (300, 200), (100, 160)).legs("a", "b", (0, 200), (360, 120)).table()
    assert table["a"].points_per_hand == 5.0 + (40 / 8 - 5.0) / 2 + (40 / 8 - 5.0) / 2
    assert table["a"].points_error == 0.0
    uneven = Results().legs("a", "b", (300, 200), (100, 160)).legs("a", "b", (0, 200), (360, 320)).table()
    assert uneven["a"].points_per_hand == (5 - 20) / 2 == -7.5
    assert uneven["a"].points_error == round(sqrt((12.5**2 + 12.5**2) / 1) / sqrt(2), 3)
    assert uneven["b"].points_per_hand == 7.5
    assert uneven["b"].points_error == uneven["a"].points_error


def test_meetings_with_a_forfeit_or_a_missing_leg_have_no_points() -> None:
    results = Results().legs("a", "b", (300, 200), (900, 0), forfeits=("", "b")).legs("a", "b", (0, 900))
    table = results.table()
    assert table["a"].points_per_hand is None
    assert table["a"].points_error is None
    table = results.legs("a", "b", (40, 0), (0, 0)).table()
    assert table["a"].points_per_hand == 5.0
    assert table["a"].points_error is None
    assert table["a"].matches == 5


def test_two_copies_of_a_deterministic_bot_get_exactly_nothing() -> None:
    base = setup(entrant("a", "dull"), entrant("b", "dull"), game=BOARDS)
    outcomes = play_all(base)
    assert all(points_per_hand(meeting, "a") == 0.0 for meeting in meetings(outcomes))
    for row in rows_of(["a", "b"], outcomes, BOARDS, RATINGS):
        assert (row.points_per_hand, row.points_error, row.elo, row.draws, row.rank) == (0.0, 0.0, 0.0, 2, 1)


def played(base: Setup) -> list[tuple[Leg, MatchRecord]]:
    """Every match of a tournament, in plan order."""
    terms = terms_from(base.terms, (Sealed(secret_of_seed(5)),))
    entrants = {each.name: each for each in base.entrants}
    plan = next_batch(
        Tournament(round_robin, base.entrants, Options(base.options, base.format, base.rules), terms), (), ()
    )
    return [(each.leg, play(make_spec(terms, entrants, each.leg))) for each in plan]


def play_all(base: Setup) -> list[Outcome]:
    """How every match of a tournament ended, in plan order."""
    outcomes = [outcome_of(n, leg, base.rules, base.faults, match) for n, (leg, match) in enumerate(played(base), 1)]
    return [outcome for outcome in outcomes if outcome]


# ----------------------------------------------------------------------------------------------------------- the ranks


def test_ties_share_a_rank_and_the_next_rank_is_as_many_further() -> None:
    """CL-12: A beats all, B and C draw, both beat D; the order of the file changes nothing."""
    won, drawn = ((100, 0), (100, 0)), ((50, 50), (50, 50))
    results = Results()
    for a, b, scores in [
        ("A", "B", won),
        ("A", "C", won),
        ("A", "D", won),
        ("B", "C", drawn),
        ("B", "D", won),
        ("C", "D", won),
    ]:
        results.legs(a, b, *scores)
    for names in ("ABCD", "DCBA", "CADB"):
        rows = rows_of(list(names), results.outcomes, BOARDS, RATINGS)
        assert [(row.entrant, row.rank) for row in rows] == [("A", 1), ("B", 2), ("C", 2), ("D", 4)]


def test_a_tie_is_decided_by_what_was_won_from_each_other_and_then_the_rank_is_shared() -> None:
    def level(entrants: Sequence[str], pairs: Sequence[PairResult]) -> Mapping[str, Rated]:
        return {name: Rated(0.0, None, None) for name in entrants}

    results = Results().legs("x", "a", (9, 0), (9, 0)).legs("b", "x", (0, 9), (9, 0)).legs("é", "z", (1, 1), (1, 1))
    results.legs("z", "x", (2, 2), (3, 3))
    rows = rows_of(["z", "é", "b", "a", "x"], results.outcomes, BOARDS, {"elo": level})
    assert [(row.entrant, row.rank) for row in rows] == [("x", 1), ("b", 2), ("z", 2), ("é", 2), ("a", 5)]


def test_groups_that_never_met_stand_one_after_the_other_each_with_its_own_ranks() -> None:
    """RS-10: until they meet, nobody knows which of them is better."""
    results = Results()
    for _ in range(20):
        results.legs("ann", "bob", (100, 0), (100, 0)).legs("cat", "dan", (9, 0), (9, 0)).legs(
            "dan", "eve", (1, 1), (1, 1)
        )
    for by, second, third in [
        (RankBy.ELO, ("eve", 1, 2), ("dan", 1, 3)),
        (RankBy.POINTS, ("eve", 1, 2), ("dan", 1, 3)),
        (RankBy.WINS, ("dan", 1, 2), ("eve", 1, 2)),
    ]:
        found = standings(["bob", "ann", "eve", "dan", "cat", "fay"], results.outcomes, BOARDS, RATINGS, by)
        assert [(row.entrant, row.group, row.rank) for row in found.entrants] == [
            *(("cat", 1, 1), second, third, ("ann", 2, 1), ("bob", 2, 2), ("fay", None, None)),
        ]
    found = standings(["bob", "ann", "eve", "dan", "cat"], results.outcomes, BOARDS, RATINGS)
    assert [group.entrants for group in found.groups] == [("cat", "dan", "eve"), ("ann", "bob")]
    assert told_apart(found.groups) == (
        "These groups never met, and are rated and ranked apart: cat, dan, eve | ann, bob"
    )
    results.legs("ann", "cat", (5, 0), (5, 0))
    found = standings(["bob", "ann", "eve", "dan", "cat", "fay"], results.outcomes, BOARDS, RATINGS)
    assert told_apart(found.groups) is None
    assert sorted(row.rank or 0 for row in found.entrants) == [0, 1, 2, 3, 4, 5]


def test_the_ranks_that_the_results_leave_open_stand_in_the_row_and_the_probabilities_beside_the_rows() -> None:
    results = Results()
    for number in range(24):
        results.legs("a", "b", (100, 0), (0, 100) if number % 2 else (100, 0)).legs("a", "c", (9, 0), (9, 0))
        results.legs("b", "c", (9, 0), (9, 0))
    found = standings(["c", "b", "a"], results.outcomes, BOARDS, RATINGS)
    assert [(row.entrant, row.rank_low, row.rank_high) for row in found.entrants] == [
        ("a", 1, 1),
        ("b", 2, 2),
        ("c", 3, 3),
    ]
    (group,) = json.loads(as_json(found))["groups"]
    assert group["entrants"] == ["a", "b", "c"]
    assert group["ranks"] == [[1, 1], [2, 2], [3, 3]]
    assert [group["stronger"][0][0], group["stronger"][0][2], group["stronger"][2][0]] == [None, 1.0, 0.0]
    assert 0.975 < group["stronger"][0][1] < 1


def test_an_entrant_without_a_result_has_no_rank_and_no_rating() -> None:
    """RS-09."""
    results = Results().legs("a", "b", (100, 0), (100, 0)).legs("a", "c", (100, 0))
    rows = rows_of(["d", "c", "b", "a"], results.outcomes, BOARDS, RATINGS)
    assert [(row.entrant, row.rank) for row in rows] == [("a", 1), ("b", 2), ("c", None), ("d", None)]
    assert [(row.matches, row.elo) for row in rows[2:]] == [(1, None), (0, None)]
    assert rows[3].bags_per_hand is None
    assert [row.rank for row in rows_of(["a", "b"], [], GAME, RATINGS)] == [None, None]


def test_the_undefeated_and_the_winless_have_finite_ratings() -> None:
    """RS-01."""
    results = Results()
    for _ in range(5):
        results.legs("A", "B", (1, 0), (0, 1)).legs("A", "C", (1, 0), (1, 0)).legs("B", "C", (1, 0), (1, 0))
    rows = rows_of(["C", "B", "A"], results.outcomes, GAME, RATINGS)
    assert [(row.entrant, row.rank) for row in rows] == [("A", 1), ("B", 1), ("C", 3)]
    assert all(row.elo is not None and abs(row.elo) < 2000 for row in rows)
    assert as_object(rows)["entrants"]


def test_a_rating_of_another_kind_stands_beside() -> None:
    """RS-05: one win at K 32 between equals is 16 points."""
    rows = rows_of(["a", "b"], Results().legs("a", "b", (9, 0), (9, 0)).outcomes, BOARDS, RATINGS)
    first, second = (row.ratings["elo_k"] for row in rows)
    assert first is not None
    assert second is not None
    assert first - second == 32.0
    rows = rows_of(["a", "b"], [], BOARDS, RATINGS)
    assert [row.ratings for row in rows] == [{"elo_k": None}] * 2


def failing(entrants: Sequence[str], pairs: Sequence[PairResult]) -> Mapping[str, Rated]:
    print("rating")
    raise ZeroDivisionError("no pairs\nat all")


def rating_of(answer: Any) -> Rating:
    """A rating that answers with this whatever it is asked."""

    def rate(entrants: Sequence[str], pairs: Sequence[PairResult]) -> Any:
        return answer

    return rate


@pytest.mark.parametrize(
    ("rate", "why"),
    [
        (failing, "fails: ZeroDivisionError: no pairs at all (test_standings.py, line "),
        (rating_of(3), "must answer with a mapping of Rated by entrant, not int (test_standings.py)"),
        (rating_of(None), "must answer with a mapping of Rated by entrant, not NoneType (test_standings.py)"),
        (rating_of({"a": 1500.0, "b": 1400.0}), "must answer with Rated for 'a', not float (test_standings.py)"),
        (rating_of({"a": Rated(1.0, None, None)}), "must answer with Rated for 'b', not NoneType (test_standings.py)"),
        (rating_of(dict.fromkeys("ab", Rated("x", None, None))), "must answer with numbers: could not convert"),  # type: ignore[arg-type]
        (
            rating_of(dict.fromkeys("ab", Rated(10**999, None, None))),
            "must answer with numbers: int too large",
        ),
    ],
)
def test_a_rating_that_fails_or_answers_with_nonsense_is_set_aside_and_the_table_stands(
    rate: Rating, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """PG-01: it is named with its error in one line, and what it prints is not among the results."""
    outcomes = Results().legs("a", "b", (9, 0), (9, 0)).outcomes
    found = standings(["a", "b"], outcomes, BOARDS, {"best": rate, **RATINGS})
    (trouble,) = map(str, found.troubles)
    assert trouble.startswith(f"the rating best is left out: it {why}")
    assert "\n" not in trouble
    without = rows_of(["a", "b"], outcomes, BOARDS)
    assert found.entrants == tuple(replace(row, ratings={"best": None, **row.ratings}) for row in without)
    assert json.loads(as_json(found))["entrants"][0]["ratings"]["best"] is None
    assert capsys.readouterr().out == ""


def test_a_rating_cannot_change_what_the_next_one_sees_nor_spoil_the_json() -> None:
    class Odd(float):
        pass

    def greedy(entrants: Any, pairs: Any) -> Mapping[str, Rated]:
        rated = {name: Rated(Odd("nan"), Odd(1), np.float32(2.5)) for name in entrants}  # type: ignore[arg-type]
        with suppress(TypeError, AttributeError):
            pairs.clear()
        with suppress(TypeError, AttributeError):
            entrants.clear()
        return rated

    outcomes = Results().legs("a", "b", (9, 0), (9, 0)).outcomes
    rows = rows_of(["a", "b"], outcomes, BOARDS, {"a greedy one": greedy, **RATINGS})
    assert [replace(row, ratings={}) for row in rows] == [
        replace(row, ratings={}) for row in rows_of(["a", "b"], outcomes, BOARDS)
    ]
    assert as_object(rows)["entrants"][0]["ratings"]["a greedy one"] is None


def test_what_goes_wrong_in_the_rating_that_ranks_is_no_trouble_of_a_plugin() -> None:
    with pytest.raises(ZeroDivisionError):
        standings(["a", "b"], [], BOARDS, {"elo": failing})


# ---------------------------------------------------------------------------------------------------------- the counts


def test_contracts_nils_bags_and_faults_are_counted_for_the_side_that_the_entrant_had() -> None:
    base = setup(entrant("a"), entrant("b", "babbling"), game=BOARDS, rules=Rules())
    a, b = rows_of(["a", "b"], play_all(base), BOARDS, RATINGS)
    assert (a.faults, b.faults) == ({}, {"malformed": 4})
    assert (a.forfeits, b.forfeits) == (0, 4)
    assert (a.wins, b.losses) == (2, 2)
    own = [(hand, hand.sides[leg.side(0)], leg.side(0)) for leg, match in played(base) for hand in match.hands]
    assert a.hands == b.hands == len(own)
    assert a.nils == sum(bid in (0, "blind_nil") for hand, _, side in own for bid in hand.bids[side::2])
    assert a.contracts == sum(side.contract > 0 for _, side, _ in own)
    assert a.contracts_made == sum(side.tricks >= side.contract > 0 for _, side, _ in own)
    assert a.bags_per_hand == round(sum(side.new_bags for _, side, _ in own) / len(own), 3)


def test_a_tally_of_no_hands_is_empty() -> None:
    assert tally(Rules(), 0, []) == Tally()


# ---------------------------------------------------------------------------------------------- the same, byte for byte

FIXED = play_all(FIELD)
NAMES = [each.name for each in FIELD.entrants]


@given(st.permutations(FIXED), st.permutations(NAMES))
def test_the_table_is_the_same_to_the_last_byte_in_whatever_order_results_and_entrants_come(
    outcomes: list[Outcome], names: list[str]
) -> None:
    expected = standings(NAMES, FIXED, BOARDS, RATINGS)
    found = standings(names, outcomes, BOARDS, RATINGS)
    assert as_json(found) == as_json(expected)
    assert as_csv(found.entrants) == as_csv(expected.entrants)


@given(st.sets(st.sampled_from(range(len(FIXED)))))
def test_any_part_of_a_run_has_standings_that_add_up(chosen: set[int]) -> None:
    outcomes = [FIXED[index] for index in chosen]
    for game in (GAME, BOARDS):
        rows = rows_of(NAMES, outcomes, game, RATINGS)
        results = [each for meeting in meetings(outcomes) for duel in duels(game, meeting) for each in duel.results]
        assert sum(row.wins + row.draws + row.losses for row in rows) == 2 * len(results)
        assert sum(row.wins for row in rows) == sum(row.losses for row in rows)
        assert sum(row.matches for row in rows) == 2 * len(outcomes)
        assert as_object(rows)["entrants"]


KEYS = [each.name for each in fields(Row)]


def test_json_and_csv_have_the_same_columns_in_the_order_of_the_table() -> None:
    rows = Results().legs("=a", 'b, "c"', (100, 0), (100, 0), forfeits=("", "b")).table().values()
    listed = as_object(rows)["entrants"]
    assert KEYS[:8] == ["rank", "entrant", "elo", "elo_low", "elo_high", "wins", "draws", "losses"]
    assert [list(each) for each in listed] == [KEYS, KEYS]
    table = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert [list(each) for each in table] == [KEYS, KEYS]
    loser = next(each for each in table if each["entrant"] != "=a")
    assert loser["entrant"] == 'b, "c"'
    assert loser["faults"] == "timeout:1"
    assert loser["points_per_hand"] == ""
    assert listed[0]["faults"] in ({}, {"timeout": 1})


def test_a_stranger_s_name_is_escaped_in_json() -> None:
    """SE-03."""
    text = as_json(Standings(tuple(Results().legs("\x1b[2J", "é", (1, 0), (1, 0)).table().values())))
    assert text.isascii()
    assert "\\u001b[2J" in text
