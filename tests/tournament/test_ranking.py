"""The order of a table: what ranks, what decides between equals, and when a rank is shared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from spades_harness.game.score import Boards, Game
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.records.ledger import open_run, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.standings import standings
from spades_harness.tournament.statistics.meeting import results_of
from spades_harness.tournament.statistics.ranking import head_to_head, ranked
from spades_harness.tournament.statistics.rating import elo

from .playing import FIELD

BOARDS = Boards(4)


def meeting(first: int, names: Sequence[str], *legs: Sequence[int], forfeits: Sequence[str] = ()) -> list[Outcome]:
    """The legs of a meeting from this number in the plan on, with the scores by place and who forfeited each."""
    lost = forfeits or [""] * len(legs)
    return [
        Outcome(
            ordinal=first + number,
            leg=Leg(tuple(names), first, number, 1),
            scores=tuple(scores),
            forfeited=tuple(name in lost[number] for name in names),
            hands=4,
            tallies=(Tally(),) * len(names),
            faults=((),) * len(names),
        )
        for number, scores in enumerate(legs)
    ]


def played(*results: tuple[str, int]) -> list[Outcome]:
    """Meetings such as `("ab", 8)`: a gets 8 points more than b in each leg."""
    return [leg for n, (names, lead) in enumerate(results) for leg in meeting(2 * n + 1, names, (lead, 0), (lead, 0))]


def order(measures: Mapping[str, float | None], *results: tuple[str, int]) -> list[tuple[str, int | None]]:
    return list(ranked(measures, results_of(BOARDS, played(*results))))


def test_of_equals_the_head_to_head_decides_and_what_is_still_equal_shares_a_rank() -> None:
    """CL-12."""
    level = dict.fromkeys("abcd", 7.0)
    assert order(level, ("ba", 1), ("cd", 0)) == [("b", 1), ("c", 2), ("d", 2), ("a", 4)]
    assert order({**level, "a": 8.0}, ("ba", 1), ("cd", 0)) == [("a", 1), ("b", 2), ("c", 2), ("d", 2)]
    assert order({"b": None, "a": None, "c": 0.0}) == [("c", 1), ("a", None), ("b", None)]


def test_a_circle_of_equals_is_shared_and_who_is_behind_has_no_say_in_it() -> None:
    circle = ("ab", 1), ("bc", 1), ("ca", 1)
    assert order({"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0}, *circle, ("ad", 50)) == [
        ("a", 1),
        ("b", 1),
        ("c", 1),
        ("d", 4),
    ]


def test_who_has_not_met_the_others_yet_stands_between_winner_and_loser() -> None:
    assert order(dict.fromkeys("abc", 0.0), ("ca", 1)) == [("c", 1), ("b", 2), ("a", 3)]


def test_a_head_to_head_that_both_forfeited_decides_nothing() -> None:
    results = results_of(BOARDS, meeting(1, "ab", (9, 0), (9, 0), forfeits=("a", "b")))
    assert head_to_head("ab", results) == {"a": 0.0, "b": 0.0}


OUTCOMES = [
    *played(("ab", 1), ("ac", 1), ("ad", 1), ("bc", 90), ("bd", 1), ("cd", 200)),
    *meeting(13, "ae", (5, 0), (5, 0), forfeits=("e", "")),
]
"""a wins most; b beats c clearly; c takes the most points a hand, from d; e forfeits all that it plays."""


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (RankBy.WINS, [("a", 1), ("b", 2), ("c", 3), ("d", 4), ("e", 4), ("f", None)]),
        (RankBy.POINTS, [("c", 1), ("b", 2), ("a", 3), ("d", 4), ("e", 5), ("f", None)]),
    ],
)
def test_a_table_is_ranked_by_what_it_is_asked_to_be_and_is_otherwise_the_same(
    by: RankBy, expected: list[tuple[str, int | None]]
) -> None:
    forth, back = (standings(names, OUTCOMES, BOARDS, {"elo": elo}, by).entrants for names in ("abcdef", "fcdeab"))
    assert forth == back
    assert [(row.entrant, row.rank) for row in forth] == expected
    by_elo = {row.entrant: row for row in standings("abcdef", OUTCOMES, BOARDS, {"elo": elo}).entrants}
    assert all(replace(row, rank=by_elo[row.entrant].rank) == by_elo[row.entrant] for row in forth)


def test_equal_wins_or_points_are_decided_by_the_head_to_head_too() -> None:
    outcomes = [*meeting(1, "ab", (9, 0), (0, 9)), *meeting(3, "ab", (1, 2)), *meeting(4, "bc", (0, 1), (1, 0))]
    assert [(row.entrant, row.rank) for row in standings("abc", outcomes, Game(), {}, RankBy.WINS).entrants] == [
        ("b", 1),
        ("a", 2),
        ("c", 2),
    ]


def test_no_order_of_the_file_changes_a_rank() -> None:
    orders = [*permutations("abcde")][::30]
    tables = [standings(names, OUTCOMES, BOARDS, {"elo": elo}, by).entrants for by in RankBy for names in orders]
    assert len(set(map(str, tables))) == len(RankBy)


def test_what_ranks_a_run_may_change_with_each_call_and_stands_in_its_ledger(tmp_path: Path) -> None:
    """It is no part of what makes the run this run; the head of a finished one is made anew with it."""
    heads = []
    for by in (RankBy.ELO, RankBy.WINS, RankBy.WINS, RankBy.POINTS, RankBy.ELO):
        with open_run(tmp_path, replace(FIELD, rank_by=by)) as run:
            run.finish()
            assert run.rank_by() == by
            heads.append(run.run.head)
        with read_ledger(tmp_path) as ledger:
            assert ledger.rank_by() == by
            assert verify(ledger, heads[-1]).differences == ()
    assert heads[1] == heads[2]
    assert heads[0] == heads[4]
    assert len(set(heads)) == 3


def test_a_run_that_is_not_finished_gets_no_head_by_another_ranking(tmp_path: Path) -> None:
    with open_run(tmp_path, FIELD):
        pass
    with open_run(tmp_path, replace(FIELD, rank_by=RankBy.WINS)) as run:
        assert run.run.head is None
        run._db.execute("UPDATE setting SET value = '\"luck\"' WHERE path = 'standings.rank_by'")
        with pytest.raises(LedgerError, match="'luck' is not a valid RankBy; choose with --rank-by"):
            run.rank_by()
