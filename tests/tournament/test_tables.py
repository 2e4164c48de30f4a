"""Tables at which each plays for himself: who met whom there, what that is worth, and tournaments of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Totals
from spades_harness.game.rules import Rules, make_rules
from spades_harness.game.score import Boards, Ending, Format, Game
from spades_harness.table.match import FaultKind, Forfeit, HandRecord, MatchRecord, Result, SideHand
from spades_harness.tournament.identity import make_spec, terms_from
from spades_harness.tournament.outcome import Leg, Outcome, Tally, legs_of, outcome_from, outcome_of
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import open_run
from spades_harness.tournament.runner import Tournament, next_batch
from spades_harness.tournament.schedule import Entrant, Options, ScheduleError
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.sealed import Sealed
from spades_harness.tournament.standings import Row, as_json, standings
from spades_harness.tournament.statistics.meeting import Verdict, duels, meetings, points_per_hand
from spades_harness.tournament.statistics.rating import PairResult, Rated, elo, elo_k

from .playing import entrant, play, setup, tournament

RATINGS = {"elo": elo, "elo_k": elo_k}
BOARDS, GAME = Boards(4), Game()
FOUR = ("a", "b", "c", "d")
CUTTHROAT, DUEL = make_rules("cutthroat", target=100), make_rules("two_player", target=100)
WIN, DRAW, LOSS, BOTH = Verdict.WIN, Verdict.DRAW, Verdict.LOSS, Verdict.LOST_BY_BOTH


def meeting(
    names: Sequence[str], *scores: Sequence[int], forfeits: Sequence[str] = (), winners: Sequence[int | None] = ()
) -> list[Outcome]:
    """The legs of one meeting: the scores of each by place, and the names of those who forfeited it."""
    return [
        Outcome(
            ordinal=number + 1,
            leg=Leg(tuple(names), 0, number, 1),
            scores=tuple(score),
            forfeited=tuple(name in (forfeits[number] if forfeits else "") for name in names),
            hands=4,
            tallies=(Tally(4, 3, 1, 1, 2),) * len(names),
            faults=((),) * len(names),
            winner=winners[number] if winners else None,
        )
        for number, score in enumerate(scores)
    ]


def found(game: Format, outcomes: Sequence[Outcome]) -> dict[str, list[Verdict]]:
    """What each two came to, for the first of them: `ab`."""
    (only,) = meetings(outcomes)
    return {
        "".join(only.entrants[place] for place in duel.places): [first for first, _ in duel.results]
        for duel in duels(game, only)
    }


def table(game: Format, outcomes: Sequence[Outcome]) -> dict[str, Row]:
    names = sorted({name for outcome in outcomes for name in outcome.leg.entrants})
    return {row.entrant: row for row in standings(names, outcomes, game, RATINGS).entrants}


def record(row: Row) -> tuple[int, int, int]:
    return row.wins, row.draws, row.losses


# --------------------------------------------------------------------------------------------------- who outscored whom


def test_in_games_each_leg_of_four_is_six_results_of_who_scored_more() -> None:
    outcomes = meeting(FOUR, (500, 400, 400, 10), (1, 2, 3, 4))
    assert found(GAME, outcomes) == {
        "ab": [WIN, LOSS],
        "ac": [WIN, LOSS],
        "ad": [WIN, LOSS],
        "bc": [DRAW, LOSS],
        "bd": [WIN, LOSS],
        "cd": [WIN, LOSS],
    }
    rows = table(GAME, outcomes)
    assert [record(rows[name]) for name in FOUR] == [(3, 0, 3), (2, 1, 3), (3, 1, 2), (3, 0, 3)]


def test_on_boards_the_sums_of_all_four_legs_decide_and_nothing_is_decided_before_the_last() -> None:
    legs = [(100, 0, 0, 50), (0, 90, 0, 50), (0, 0, 300, 50), (0, 10, 0, 50)]
    assert found(BOARDS, meeting(FOUR, *legs[:3])) == {}
    whole = found(BOARDS, meeting(FOUR, *legs))
    assert whole == {"ab": [DRAW], "ac": [LOSS], "ad": [LOSS], "bc": [LOSS], "bd": [LOSS], "cd": [WIN]}


def test_who_forfeits_loses_to_each_who_did_not_and_the_others_decide_nothing_in_that_leg() -> None:
    outcomes = meeting(FOUR, (500, 1, 2, 3), (9, 8, 7, 6), forfeits=("a", ""))
    assert found(GAME, outcomes) == {
        "ab": [LOSS, WIN],
        "ac": [LOSS, WIN],
        "ad": [LOSS, WIN],
        "bc": [WIN],
        "bd": [WIN],
        "cd": [WIN],
    }
    legs = [(500, 1, 2, 3)] * 4
    assert found(BOARDS, meeting(FOUR, *legs, forfeits=("", "", "a", ""))) == {"ab": [LOSS], "ac": [LOSS], "ad": [LOSS]}


@pytest.mark.parametrize(("game", "forfeits"), [(GAME, ("ab",)), (BOARDS, ("a", "", "b", ""))])
def test_where_two_of_four_forfeit_both_lose_to_each_other_and_to_the_others(
    game: Format, forfeits: Sequence[str]
) -> None:
    outcomes = meeting(FOUR, *[(9, 9, 0, 0)] * len(forfeits), forfeits=forfeits)
    assert found(game, outcomes) == {"ab": [BOTH], "ac": [LOSS], "ad": [LOSS], "bc": [LOSS], "bd": [LOSS]}
    rows = table(game, outcomes)
    assert [record(rows[name]) for name in FOUR] == [(0, 0, 3), (0, 0, 3), (2, 0, 0), (2, 0, 0)]
    assert [rows[name].forfeits for name in FOUR] == [1, 1, 0, 0]


def test_copies_of_one_entrant_decide_nothing_between_them_and_each_meets_each_of_the_other_s() -> None:
    """SC-08."""
    outcomes = meeting("aabb", (4, 1, 3, 2))
    (only,) = meetings(outcomes)
    assert [(duel.places, duel.results[0][0]) for duel in duels(GAME, only)] == [
        ((0, 2), WIN),
        ((0, 3), WIN),
        ((1, 2), LOSS),
        ((1, 3), LOSS),
    ]
    rows = table(GAME, outcomes)
    assert record(rows["a"]) == record(rows["b"]) == (2, 0, 2)


def test_points_a_hand_are_the_own_less_the_mean_of_the_others_over_all_seats() -> None:
    rows = table(BOARDS, meeting(FOUR, *[(100, 20, 30, 10)] * 4))
    assert [rows[name].points_per_hand for name in FOUR] == [20.0, -6.667, -3.333, -10.0]
    three = meeting(FOUR, *[(100, 20, 30, 10)] * 3)
    assert all(row.points_per_hand is None for row in table(BOARDS, three).values())
    forfeited = meeting(FOUR, *[(100, 20, 30, 10)] * 4, forfeits=("", "d", "", ""))
    assert all(row.points_per_hand is None for row in table(GAME, forfeited).values())


def test_the_points_of_copies_are_their_mean_and_their_hands_are_those_of_the_match() -> None:
    rows = table(BOARDS, meeting("aabb", *[(100, 20, 30, 10)] * 4))
    assert [rows[name].points_per_hand for name in "ab"] == [10.0, -10.0]
    assert (rows["a"].hands, rows["a"].matches, rows["a"].bags_per_hand) == (16, 4, 0.5)
    assert (rows["a"].contracts, rows["a"].nils) == (32, 8)


def test_a_meeting_is_complete_when_all_seatings_that_differ_were_played() -> None:
    assert [legs_of(tuple(names)) for names in ("ab", "abcd", "aabb", "abab", "aaab")] == [2, 4, 4, 2, 4]
    (twice,) = meetings(meeting("abab", (1, 2, 3, 4), (4, 3, 2, 1)))
    assert twice.complete
    assert points_per_hand(twice, "a") == 0.0


# ----------------------------------------------------------------------------------------------------------- tie-breaks


@pytest.mark.parametrize(("winner", "verdict"), [(0, WIN), (1, LOSS), (2, DRAW), (None, DRAW)])
def test_a_tie_break_decides_between_equal_scores_of_a_game_and_boards_know_none(
    winner: int | None, verdict: Verdict
) -> None:
    """V2: who won the tie-break beats whoever has the same score; all others are as their scores say."""
    legs = meeting(FOUR, *[(520, 520, 500, 0)] * 4, winners=[winner] * 4)
    assert found(GAME, legs)["ab"] == [verdict] * 4
    assert found(GAME, legs)["ac"] == found(GAME, legs)["cd"] == [WIN] * 4
    assert found(BOARDS, legs)["ab"] == [DRAW]


def hand(*deltas: int) -> HandRecord:
    sides = tuple(SideHand(1, 1, delta, 0, delta, 0) for delta in deltas)
    return HandRecord(1, 0, (), (1,) * 4, (1,) * 4, sides)


@pytest.mark.parametrize(
    ("ending", "scores", "deltas", "winner"),
    [
        (Ending.TARGET, (0, 510, 20, 30), (0, 0, 0, 0), 0),
        (Ending.TIE_BREAK, (510, 510, 20, 510), (1, 2, 99, -5), 0),
        (Ending.DRAW, (510, 510, 20, 30), (1, 2, 99, -5), None),
        (None, (0, 510, 20, 30), (0, 0, 0, 0), None),
    ],
)
def test_the_winner_of_a_game_is_told_by_place_whatever_side_he_had(
    ending: Ending | None, scores: tuple[int, ...], deltas: tuple[int, ...], winner: int | None
) -> None:
    """V2. In leg 1 the first place has side 1."""
    result = Result(ending, () if ending else (0,), Totals(scores, (0,) * 4), 1)
    outcome = outcome_from(1, Leg(FOUR, 0, 1, 1), CUTTHROAT, Forfeit(), result, [hand(*deltas)], [])
    assert outcome.winner == winner
    assert outcome.scores[0] == scores[1]


# ----------------------------------------------------------------------------------------------------------- what rates


def test_six_results_of_a_table_are_a_third_of_a_match_each_and_one_cluster() -> None:
    seen: list[PairResult] = []

    def listening(entrants: Sequence[str], pairs: Sequence[PairResult]) -> dict[str, Rated]:
        seen.extend(pairs)
        return {name: Rated(0.0, None, None) for name in entrants}

    outcomes = meeting(FOUR, *[(4, 3, 2, 1)] * 4)
    outcomes += [replace(each, ordinal=each.ordinal + 4, leg=each.leg._replace(stream=1)) for each in outcomes]
    standings(FOUR, outcomes, GAME, {"elo": listening})
    assert [(pair.a, pair.b) for pair in seen] == [*combinations(FOUR, 2)] * 2
    assert {(pair.weight, pair.scores) for pair in seen} == {(1 / 3, (1.0,) * 4)}
    assert [pair.cluster for pair in seen] == [0] * 6 + [1] * 6


def test_four_results_of_a_table_of_copies_are_no_heavier_than_six_of_four_entrants() -> None:
    (table,) = meetings(meeting("aabb", *[(4, 3, 2, 1)] * 4))
    assert [duel.places for duel in duels(GAME, table)] == [(0, 2), (0, 3), (1, 2), (1, 3)]
    assert table.weight == 1 / 3


def test_a_match_of_two_is_rated_as_a_result_by_itself_that_counts_whole() -> None:
    seen: list[PairResult] = []

    def listening(entrants: Sequence[str], pairs: Sequence[PairResult]) -> dict[str, Rated]:
        seen.extend(pairs)
        return {name: Rated(0.0, None, None) for name in entrants}

    standings("ab", meeting("ab", (4, 3), (2, 1)), GAME, {"elo": listening})
    assert seen == [PairResult("a", "b", (1.0, 1.0))]


def test_inside_a_tie_only_what_was_scored_against_each_other_counts() -> None:
    """CL-12: d and b share a rating; at the table that they shared with others d was ahead of b."""

    def level(entrants: Sequence[str], pairs: Sequence[PairResult]) -> dict[str, Rated]:
        return {name: Rated(float(name in "bd"), None, None) for name in entrants}

    rows = standings(FOUR, meeting(FOUR, (9, 1, 0, 2)), GAME, {"elo": level}).entrants
    assert [(row.entrant, row.rank) for row in rows] == [("d", 1), ("b", 2), ("a", 3), ("c", 4)]


# ---------------------------------------------------------------------------------------------------- whole tournaments


def field(rules: Rules, names: str, game: Format = BOARDS, style: str = "dice") -> Setup:
    return setup(*(entrant(name, style, seats=1) for name in names), game=game, rules=rules)


def played(base: Setup) -> list[tuple[Leg, MatchRecord]]:
    """Every match of a tournament, in plan order."""
    terms = terms_from(base.terms, (Sealed(secret_of_seed(5)),))
    options = Options(base.options, base.format, base.rules)
    plan = next_batch(Tournament(round_robin, base.entrants, options, terms), (), ())
    entrants = {each.name: each for each in base.entrants}
    return [(each.leg, play(make_spec(terms, entrants, each.leg))) for each in plan]


def outcomes_of(base: Setup) -> list[Outcome]:
    ended = [outcome_of(n, leg, base.rules, base.faults, match) for n, (leg, match) in enumerate(played(base), 1)]
    return [outcome for outcome in ended if outcome]


@pytest.mark.parametrize("game", [BOARDS, GAME])
@pytest.mark.parametrize(
    ("rules", "names"), [(CUTTHROAT, "abcd"), (CUTTHROAT, "abcde"), (CUTTHROAT, "ab"), (DUEL, "abc")]
)
def test_a_tournament_of_single_players_has_standings_that_add_up(rules: Rules, names: str, game: Format) -> None:
    base = field(rules, names, game)
    outcomes = outcomes_of(base)
    rows = standings(names, outcomes, game, RATINGS).entrants
    results = [each for one in meetings(outcomes) for duel in duels(game, one) for each in duel.results]
    assert sum(row.wins + row.draws + row.losses for row in rows) == 2 * len(results)
    assert sum(row.wins for row in rows) == sum(row.losses for row in rows)
    assert sum(row.points_per_hand or 0 for row in rows) == pytest.approx(0, abs=0.002 * len(names))
    assert {row.matches for row in rows} == {len(outcomes) * min(len(rules.shape.sides), len(names)) // len(names)}
    assert {row.ratings["elo_k"] is None for row in rows} == {False}


@pytest.mark.parametrize(("rules", "names"), [(CUTTHROAT, "abcd"), (CUTTHROAT, "ab"), (DUEL, "ab")])
def test_copies_of_a_deterministic_bot_get_exactly_nothing_at_any_table(rules: Rules, names: str) -> None:
    outcomes = outcomes_of(field(rules, names, style="dull"))
    for row in standings(names, outcomes, BOARDS, RATINGS).entrants:
        assert (row.points_per_hand, row.points_error, row.elo, row.wins, row.rank) == (0.0, 0.0, 0.0, 0, 1)


def test_each_entrant_plays_the_same_cards_from_every_seat_of_a_meeting() -> None:
    dealt: dict[int, list[object]] = {}
    seats: Counter[tuple[str, int]] = Counter()
    for leg, match in played(field(CUTTHROAT, "abcd")):
        dealt.setdefault(leg.stream, []).append([one.dealt for one in match.hands])
        seats.update((name, side) for side, name in enumerate(leg.by_side))
    assert {len(legs) for legs in dealt.values()} == {4}
    assert all(each == legs[0] for legs in dealt.values() for each in legs)
    assert set(seats.values()) == {2}


def test_the_fault_of_a_copy_is_its_entrant_s_and_forfeits_the_match_once() -> None:
    base = setup(entrant("a", seats=1), entrant("b", "broken", seats=1), game=GAME, rules=CUTTHROAT)
    outcomes = outcomes_of(base)
    rows = {row.entrant: row for row in standings("ab", outcomes, GAME, RATINGS).entrants}
    assert rows["b"].forfeits == rows["b"].matches == 8
    assert rows["b"].faults == {FaultKind.START.value: 16}
    assert record(rows["b"]) == (0, 0, 32)


def test_the_table_of_a_run_is_read_back_from_its_ledger_to_the_last_byte(tmp_path: Path) -> None:
    """RS-13. Copies of an entrant have a place each in the ledger."""
    base = field(CUTTHROAT, "ab", GAME)
    with open_run(tmp_path, base) as run:
        plan = next_batch(tournament(base, run), (), ())
        run.plan(plan)
        entrants = {each.name: each for each in base.entrants}
        for each in plan:
            run.record(play(make_spec(run.run.terms, entrants, each.leg)))
        assert run.planned() == plan
        assert run.outcomes() == tuple(outcomes_of(base))


@pytest.mark.parametrize(
    ("leg", "complaint"),
    [
        (Leg(("a", "a", "a", "a"), 0, 0, 1), "must name 4 entrants a match: a - a - a - a"),
        (Leg(("a", "b", "c"), 0, 0, 1), "must name 4 entrants a match: a - b - c"),
        (Leg(("a", "b", "a", "b"), 0, 2, 1), "must count legs from 0 to 1 and board streams from 0"),
        (Leg(FOUR, 0, 4, 1), "must count legs from 0 to 3 and board streams from 0"),
    ],
)
def test_a_schedule_that_seats_nobody_or_one_seating_twice_is_refused_in_one_line(leg: Leg, complaint: str) -> None:
    """SC-08, SC-11: schedules come from plugins, too."""
    base = field(CUTTHROAT, "abcd")
    planned = Tournament(
        lambda *_: (leg,), base.entrants, Options(), terms_from(base.terms, (Sealed(secret_of_seed(5)),))
    )
    with pytest.raises(ScheduleError, match=f"^schedule: it {complaint}"):
        next_batch(planned, (), ())


@settings(max_examples=20)
@given(st.permutations(range(8)), st.permutations("abcd"))
def test_the_order_of_results_and_of_entrants_changes_no_byte(order: list[int], names: list[str]) -> None:
    outcomes = CACHED
    shuffled = [outcomes[index] for index in order]
    expected = as_json(standings("abcd", outcomes, GAME, RATINGS))
    assert as_json(standings(names, shuffled, GAME, RATINGS)) == expected


CACHED = outcomes_of(field(CUTTHROAT, "abcd", GAME))


def test_names_of_places_mean_nothing_to_the_rating() -> None:
    """RS-07: whoever has the same results has the same rating, wherever he was named."""
    for names in permutations("abcd"):
        rows = table(GAME, meeting(names, *[(3, 2, 2, 1)] * 4))
        ranked = [rows[name].elo for name in names]
        assert ranked[1] == ranked[2]
        assert ranked[0] == -(ranked[3] or 0)
        assert rows[names[1]].ratings["elo_k"] == rows[names[2]].ratings["elo_k"] == 0.0


def test_an_entrant_of_single_players_is_one_player(tmp_path: Path) -> None:
    assert [len(each.players) for each in field(CUTTHROAT, "ab").entrants] == [1, 1]
    two = Entrant("p", entrant("p").players)
    with pytest.raises(ValueError, match="longer"):
        make_spec(
            terms_from(field(DUEL, "ab").terms, (Sealed(secret_of_seed(1)),)),
            {"p": two, "a": entrant("a", seats=1)},
            Leg(("p", "a"), 0, 0, 1),
        )
