"""The mixer: who plays with whom against whom, what it refuses, and what counts of a match with a fault."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, product
from math import fsum
from typing import Any

import pytest

from spades_harness.game.rules import PRESETS
from spades_harness.game.score import Boards, Format, Game
from spades_harness.table.match import FaultKind, Player, Plugin
from spades_harness.tournament.outcome import Leg, Outcome, Tally
from spades_harness.tournament.replaced import told_replaced
from spades_harness.tournament.schedule import Entrant, ScheduleError
from spades_harness.tournament.schedules.balance import Imbalance
from spades_harness.tournament.schedules.mixer import MIXER, evenness, mixer, told
from spades_harness.tournament.schedules.option_reading import MAX_MATCHES
from spades_harness.tournament.schedules.placing import shares_sides
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.schedules.whist import cycle
from spades_harness.tournament.standings import Row, standings
from spades_harness.tournament.statistics.meeting import Verdict, meetings, points_per_hand, results_of
from spades_harness.tournament.statistics.pairings import pairings
from spades_harness.tournament.statistics.partnership import UNTOLD
from spades_harness.tournament.statistics.rating import PairResult, Rated, Rating, elo, elo_k

from .simulating import field, options

DEEP = bool(os.environ.get("SPADES_DEEP"))
NUMBERS = [*range(4, 41), 60, 61, 100, 200] if DEEP else [4, 5, 6, 7, 8, 9, 10, 11, 13, 19, 21, 32]


def planned(count: int, **values: Any) -> tuple[Leg, ...]:
    return mixer(field(count), options(**values), ())


# --- Who plays with whom ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", NUMBERS)
def test_every_table_is_duplicate_and_all_of_a_round_play_the_same_cards(count: int) -> None:
    legs = planned(count)
    for first, second in zip(legs[::2], legs[1::2], strict=True):
        assert first.sides == second.sides[::-1]
        assert (first.leg, second.leg, first.mates) == (0, 1, 2)
        assert first.meeting == second.meeting
        assert len({*first.entrants}) == 4
    assert all(leg.round == leg.stream + 1 for leg in legs)
    assert len({leg.meeting for leg in legs}) == len(legs) // 2
    assert max(leg.round for leg in legs) % cycle(count) == 0
    assert max(leg.round for leg in legs) >= 8


@pytest.mark.parametrize("count", [4, 5, 8, 9, 13, 21])
def test_everybody_partners_and_opposes_everybody_equally_often(count: int) -> None:
    legs = planned(count, rounds=cycle(count))
    partners = Counter(frozenset(side) for leg in legs[::2] for side in leg.sides)
    opponents = Counter(frozenset(two) for leg in legs[::2] for two in product(*leg.sides))
    everybody = [frozenset(two) for two in combinations((each.name for each in field(count)), 2)]
    assert partners == dict.fromkeys(everybody, 1)
    assert opponents == dict.fromkeys(everybody, 2)


def test_by_itself_as_a_partner_if_asked_once_a_cycle_in_its_first_round() -> None:
    legs = planned(5, self_play=True)
    own = [leg for leg in legs if any(len({*side}) == 1 for side in leg.sides)]
    assert {leg.round for leg in own} == {1, 7}
    assert max(leg.round for leg in legs) == 12
    for leg in own:
        (a, b), (c, d) = leg.sides
        assert a == b != c == d
    assert not any(len({*leg.entrants}) < 4 for leg in legs if leg not in own)


def test_a_cycle_that_is_not_played_to_its_end_begins_with_that_round_too_and_with_others_at_a_table() -> None:
    own = [leg for leg in planned(5, self_play=True, rounds=8) if len({*leg.entrants}) == 2]
    assert {leg.round for leg in own} == {1, 7}
    first, second = ({frozenset(leg.entrants) for leg in own if leg.round == number} for number in (1, 7))
    assert not first & second


def test_of_full_splits_nobody_plays_many_before_the_others() -> None:
    played = Counter(dict.fromkeys((each.name for each in field(12)), 0))
    for leg in planned(12, full=True, rounds=1)[::2]:
        played.update(leg.entrants)
        assert max(played.values()) - min(played.values()) <= 3 * 3  # so many fours, in three ways each


@pytest.mark.parametrize("count", [4, 5, 7, 12])
def test_full_splits_every_four_in_every_way(count: int) -> None:
    tables = {
        frozenset(map(frozenset, leg.sides)) for leg in planned(count, full=True, rounds=1) if len({*leg.entrants}) == 4
    }
    fours = [*combinations((each.name for each in field(count)), 4)]
    assert len(tables) == 3 * len(fours) == len(planned(count, full=True, rounds=1)) // 2
    own = [leg for leg in planned(count, full=True, rounds=2, self_play=True) if len({*leg.entrants}) == 2]
    assert len(own) == 2 * 2 * len([*combinations(range(count), 2)])


def test_it_is_done_when_all_that_it_named_is_played() -> None:
    legs = planned(6)
    results = [ended(number, leg) for number, leg in enumerate(legs, 1)]
    assert mixer(field(6), options(), results) == ()
    assert mixer(field(6), options(), results[:-2]) == legs[-2:]


# --- What it refuses --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "values", "why"),
    [
        (3, {}, "mixer is for 4 to 200 entrants, and there are 3"),
        (1, {}, "mixer is for 4 to 200 entrants, and there is one"),
        (0, {}, "mixer is for 4 to 200 entrants, and there are none"),
        (201, {}, "mixer is for 4 to 200 entrants, and there are 201"),
        (13, {"full": True}, "full is for 12 entrants at most, and there are 13; leave it out"),
        (4, {"full": "yes"}, "full must be true or false, not 'yes'"),
        (4, {"round": 3}, "mixer has no option 'round'; did you mean 'rounds'?"),
        (4, {"rounds": 0}, "rounds must be a whole number from 1 to 1000000, not 0"),
    ],
)
def test_what_can_t_be_played_is_said_in_one_line(count: int, values: dict[str, Any], why: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        planned(count, **values)
    assert str(caught.value) == f"schedule: {why}"


def test_a_pair_can_t_change_partners() -> None:
    two = tuple(Player(name, Plugin(name)) for name in ("one", "two"))
    with pytest.raises(ScheduleError, match=r"makes the pairs itself, and 'mixed' is one \(one and two\)"):
        mixer([*field(4), Entrant("mixed", two)], options(), ())


def test_a_bot_that_is_its_own_partner_elsewhere_is_a_single_bot_here() -> None:
    twice = Entrant("same", (Player("one", Plugin("one")),) * 2)
    assert any("same" in leg.entrants for leg in mixer([*field(3), twice], options(), ()))


def test_more_splits_than_can_be_planned_are_refused_though_as_many_rounds_of_tables_could_be() -> None:
    rounds = MAX_MATCHES // (2 * 3 * 495)
    with pytest.raises(ScheduleError, match=r"^schedule: mixer comes to "):
        planned(12, full=True, rounds=rounds + 1)


@pytest.mark.parametrize("rules", ["cutthroat", "two_player"])
def test_there_must_be_partners(rules: str) -> None:
    with pytest.raises(ScheduleError) as caught:
        mixer(field(6), options(PRESETS[rules]), ())
    why = "mixer is for partners, and under these rules there are none; take round_robin"
    assert str(caught.value) == f"schedule: {why}"


def test_it_says_how_even_it_is() -> None:
    assert evenness(field(8), options(rounds=7)) == ("each two are partners once and opponents twice",)
    assert evenness(field(5), options(self_play=True)) == (
        "each two are partners twice and opponents 4 times; each sits out twice",
    )
    assert told(Imbalance((0, 1), (1, 3), (1, 2))) == (
        "each two are partners 0 to 1 times and opponents 1 to 3 times; each sits out 1 to 2 times"
    )
    assert shares_sides(MIXER)
    assert not shares_sides(round_robin)


# --- What comes of it -------------------------------------------------------------------------------------------------

BOARDS, GAME = Boards(4), Game()
TABLE = ("a", "b", "c", "d")


def ended(number: int, leg: Leg, lead: int = 0, faulty: Sequence[str] = ()) -> Outcome:
    """A match that the side of the first place wins by so many points, in which these were at fault."""
    first = {*leg.entrants[:2]}
    scores = tuple(lead if name in first else 0 for name in leg.entrants)
    at_fault = tuple(name in faulty for name in leg.entrants)
    faults = tuple((FaultKind.CRASH,) if each else () for each in at_fault)
    winner = None if not lead else 0 if lead > 0 else 2
    return Outcome(number, leg, scores, at_fault, 4, (Tally(),) * 4, faults, winner, length=4)


def meeting(
    number: int, table: tuple[str, ...] = TABLE, lead: int = 8, faulty: Sequence[str] = (), stream: int | None = None
) -> list[Outcome]:
    """Both legs, on the board stream of the number unless another is named; those at fault were so in the second."""
    boards = number if stream is None else stream
    legs = [Leg(table, boards, leg, boards + 1, mates=2) for leg in (0, 1)]
    return [ended(2 * number + leg.leg + 1, leg, lead, faulty if leg.leg else ()) for leg in legs]


def number(value: float | None) -> float:
    assert value is not None
    return value


def rows(outcomes: Sequence[Outcome], game: Format = BOARDS) -> dict[str, Row]:
    return {row.entrant: row for row in standings(TABLE, outcomes, game, {"elo": elo, "elo_k": elo_k}).entrants}


def test_partners_win_together_and_decide_nothing_between_them() -> None:
    found = rows(meeting(0))
    assert {name: (row.wins, row.losses, row.points_per_hand) for name, row in found.items()} == {
        "a": (1, 0, 2.0),
        "b": (1, 0, 2.0),
        "c": (0, 1, -2.0),
        "d": (0, 1, -2.0),
    }
    assert number(found["a"].elo) == number(found["b"].elo) > 0 > number(found["c"].elo)
    assert {name: row.ratings["elo_k"] for name, row in found.items()} == {"a": 16, "b": 16, "c": -16, "d": -16}


def test_in_whole_games_each_leg_is_a_result() -> None:
    found = rows(meeting(0), GAME)
    assert (found["a"].wins, found["c"].losses, found["a"].pairs) == (
        2,
        2,
        {"0": 0, "0.5": 0, "1": 0, "1.5": 0, "2": 1},
    )


def test_opponents_meet_in_the_crosstable_and_partners_do_not() -> None:
    found = [*pairings(TABLE, BOARDS, results_of(BOARDS, meeting(0)))]
    assert [(each.entrant, each.opponent) for each in found] == [
        *(("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")),
        *(("c", "a"), ("c", "b"), ("d", "a"), ("d", "b")),
    ]
    assert {each.points_per_hand for each in found[:4]} == {2.0}
    assert all(each.wins == 1 for each in found[:4])


@pytest.mark.parametrize("game", [BOARDS, GAME])
def test_a_fault_is_a_loss_of_who_made_it_and_moves_nobody_else(game: Format) -> None:
    clean = [
        *(each for stream in range(8) for each in meeting(stream, lead=8 if stream % 3 else -8)),
        *(each for stream in range(8, 16) for each in meeting(stream, ("a", "c", "b", "d"), 8 if stream % 2 else -8)),
    ]
    spoilt = [*meeting(16, faulty=["b"])]
    before, after = rows(clean, game), rows([*clean, *spoilt], game)
    kept = {"a", "c", "d"}
    if game == BOARDS:
        for name in kept:
            assert (after[name].wins, after[name].losses) == (before[name].wins, before[name].losses)
            assert number(after[name].elo) - number(after[name].elo_low) == pytest.approx(
                number(before[name].elo) - number(before[name].elo_low), abs=0.2
            )
            assert after[name].points_per_hand == before[name].points_per_hand
    assert after["b"].losses == before["b"].losses + 1
    assert after["b"].forfeits == 1
    assert after["b"].points_per_hand == before["b"].points_per_hand
    others = rows([*clean, *([spoilt[0]] if game == GAME else [])], game)
    assert number(after["b"].elo) < number(others["b"].elo)
    assert apart(after, kept) == pytest.approx(apart(others, kept), abs=0.2)
    assert fsum(number(row.elo) for row in after.values()) == pytest.approx(0, abs=0.2)


def apart(found: Mapping[str, Row], names: Collection[str]) -> list[float]:
    """The Elo of each two of these, the first less the second."""
    return [number(found[one].elo) - number(found[other].elo) for one, other in combinations(sorted(names), 2)]


def test_the_mean_is_0_however_many_were_at_fault() -> None:
    """By hand: three equals, and the fourth that lost to them as far below as all are from the mean, times four."""
    tables = [TABLE, ("a", "c", "b", "d"), ("a", "d", "b", "c")]
    even = [each for stream in range(12) for each in meeting(stream, tables[stream % 3], 8 if stream % 2 else -8)]
    assert {row.elo for row in rows(even).values()} == {0.0}
    fell = {name: number(row.elo) for name, row in rows([*even, *meeting(12, faulty=["d"])]).items()}
    assert fell["d"] < -20
    assert [fell[name] for name in "abc"] == pytest.approx([-fell["d"] / 3] * 3, abs=0.1)
    both = [*even, *meeting(12, faulty=["d"]), *meeting(13, faulty=["a"]), *meeting(14, faulty=["a", "d"])]
    assert fsum(number(row.elo) for row in rows(both).values()) == pytest.approx(0, abs=0.2)


def table_of(outcomes: Sequence[Outcome], **ratings: Rating) -> dict[str, Mapping[str, float | None]]:
    found = standings(TABLE, outcomes, BOARDS, {"elo": elo, **ratings})
    assert not found.troubles
    return {row.entrant: row.ratings for row in found.entrants}


def test_every_rating_sees_a_loss_by_fault_and_moves_nobody_else_by_it() -> None:
    """`elo_k` by hand: a fault before anything else costs 16, of the 32 at stake between equals."""

    def losses(entrants: Sequence[str], pairs: Sequence[PairResult]) -> dict[str, Rated]:
        lost = [(pair.b if pair.scores[0] else pair.a, pair.weight) for pair in pairs]
        return {name: Rated(fsum(weight for loser, weight in lost if loser == name), None, None) for name in entrants}

    clean, spoilt = meeting(1), meeting(0, faulty=["b"])
    before = table_of(clean, elo_k=elo_k, losses=losses)
    after = table_of([*spoilt, *clean], elo_k=elo_k, losses=losses)
    assert {name: after[name] for name in "acd"} == {name: before[name] for name in "acd"}
    assert (before["b"]["losses"], after["b"]["losses"]) == (0.0, 1.0)
    assert before["b"]["elo_k"] == 16
    assert after["b"]["elo_k"] == 1.1  # from -16 against 8: 32 / (1 + 10 ** (-24 / 400)) more


def test_a_plugin_that_fails_at_a_loss_by_fault_is_set_aside() -> None:
    def fails(entrants: Sequence[str], pairs: Sequence[PairResult]) -> Mapping[str, Rated]:
        if len(pairs) > 4:
            raise RuntimeError("too many")
        return elo_k(entrants, pairs)

    found = standings(TABLE, [*meeting(0), *meeting(1, faulty=["b"])], BOARDS, {"elo": elo, "mine": fails})
    assert [str(trouble)[:32] for trouble in found.troubles] == ["the rating mine is left out: it "]


def test_who_has_no_result_with_another_is_no_cell_of_the_crosstable() -> None:
    spoilt = results_of(BOARDS, meeting(0, faulty=["d"]))
    assert [*pairings(TABLE, BOARDS, spoilt)] == []
    both = results_of(BOARDS, [*meeting(0, faulty=["d"]), *meeting(1, ("a", "b", "c", "e"))])
    assert {each.opponent for each in pairings([*TABLE, "e"], BOARDS, both) if each.entrant == "a"} == {"c", "e"}


ONE, TWO = "is a loss of the bot at fault and counts", "are losses of the bots at fault and count"


@pytest.mark.parametrize(
    ("game", "faulty", "said"),
    [
        (BOARDS, 0, None),
        (BOARDS, 1, f"1 match with a substitute, and the other leg on its cards, {ONE} for nobody else"),
        (BOARDS, 2, f"2 matches with a substitute, and the other legs on their cards, {TWO} for nobody else"),
        (GAME, 1, f"1 match with a substitute {ONE} for nobody else"),
        (GAME, 2, f"2 matches with a substitute {TWO} for nobody else"),
    ],
)
def test_a_line_says_how_many_matches_count_for_nobody_but_the_bot_at_fault(
    game: Format, faulty: int, said: str | None
) -> None:
    outcomes = [*meeting(9), *(each for stream in range(faulty) for each in meeting(stream, faulty=["c"]))]
    assert told_replaced(game, results_of(game, outcomes)) == said
    assert said is None or said in standings(TABLE, outcomes, game, {"elo": elo}).lines


def test_all_who_were_at_fault_lose_be_they_partners_or_opponents() -> None:
    (found,) = results_of(BOARDS, meeting(0, faulty=["a", "b", "d"]))
    assert [(found[0].of(duel), duel.results) for duel in found[1]] == [
        ((("a",), ()), ((Verdict.LOSS, Verdict.WIN),)),
        ((("b",), ()), ((Verdict.LOSS, Verdict.WIN),)),
        ((("d",), ()), ((Verdict.LOSS, Verdict.WIN),)),
    ]


def test_a_bot_that_is_always_at_fault_is_last_and_without_rating_or_rank_where_nobody_else_has_a_result() -> None:
    found = rows([each for stream in range(6) for each in meeting(stream, faulty=["d"])])
    assert (found["d"].losses, found["d"].wins, found["d"].rank, found["d"].elo) == (6, 0, None, None)
    assert found["a"].rank is None
    some = [*meeting(9, ("a", "b", "c", "e")), *(each for stream in range(6) for each in meeting(stream, faulty=["d"]))]
    table = standings([*TABLE, "e"], some, BOARDS, {"elo": elo})
    last = table.entrants[-1]
    assert (last.entrant, last.rank, last.losses) == ("d", 5, 6)
    assert number(last.elo) < min(number(row.elo) for row in table.entrants[:-1])
    assert fsum(number(row.elo) for row in table.entrants) == pytest.approx(0, abs=0.2)
    assert table.lines[0] == UNTOLD


def test_a_table_of_those_who_are_their_own_partners_decides_nothing() -> None:
    own = meeting(0, ("a", "a", "b", "b"))
    found = rows(own)
    assert (found["a"].wins, found["b"].losses, found["a"].points_per_hand, found["a"].matches) == (0, 0, None, 2)
    (seen,) = meetings(own)
    assert seen.complete
    assert points_per_hand(seen, "a") is None
    assert rows(meeting(0, ("a", "a", "b", "b"), faulty=["b"]))["b"].losses == 1
