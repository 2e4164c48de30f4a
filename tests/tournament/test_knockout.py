"""Knockouts: the tree, the seeds, byes, ties that are level, and who came where; by properties over many entrants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.rules import make_rules
from spades_harness.game.score import Game
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.schedule import Away, Options, OptionValue, ScheduleError
from spades_harness.tournament.schedules.bracket import Bracket, Tie, double, out, seeded, single
from spades_harness.tournament.schedules.knockout import KNOCKOUT, places
from spades_harness.tournament.schedules.placing import Placing

from .simulating import Score, assert_duplicate, by_number, ended, field, legs_of, level, options, played

SIZES = st.integers(2, 40)
EXACT = ["single", "double"]


def names(count: int) -> list[str]:
    return [entrant.name for entrant in field(count)]


def number(name: str) -> int:
    return int(name.removeprefix("b"))


# ------------------------------------------------------------------------------------------------------------ the tree


def better(tie: Tie) -> str:
    return min(tie.one, tie.other, key=number)


def by_dice(seed: int) -> dict[Tie, str]:
    """Winners that were drawn."""

    class Drawn(dict[Tie, str]):
        def __missing__(self, tie: Tie) -> str:
            dice = hash((seed, tie.stage, number(tie.one), number(tie.other)))
            self[tie] = (tie.one, tie.other)[dice % 2]
            return self[tie]

    return Drawn()


@pytest.mark.parametrize("count", [2, 3, 4, 7, 8, 21, 64, 200])
def test_the_best_meet_as_late_as_can_be_and_the_byes_are_theirs(count: int) -> None:
    slots = seeded(names(count))
    assert len(slots) & (len(slots) - 1) == 0
    assert sorted(filter(None, slots), key=number) == names(count)
    tree = single(names(count), better)
    assert tree.winner == "b0"
    for stage in tree.stages:
        playing = sorted(number(name) for tie in stage.ties for name in (tie.one, tie.other))
        assert sorted([*playing, *map(number, stage.byes)]) == list(range(len(playing) + len(stage.byes)))
    assert sorted(map(number, tree.stages[0].byes)) == list(range(len(slots) - count))


def losses(tree: Bracket, won: dict[Tie, str]) -> Counter[str]:
    ties = [tie for stage in tree.stages for tie in stage.ties]
    return Counter(tie.other if won[tie] == tie.one else tie.one for tie in ties)


@given(SIZES, st.integers())
def test_in_a_single_elimination_all_but_the_winner_lose_once(count: int, seed: int) -> None:
    won = by_dice(seed)
    tree = single(names(count), won.__getitem__)
    assert losses(tree, won) == dict.fromkeys({*names(count)} - {tree.winner}, 1)
    assert [stage.title for stage in tree.stages][-1] == "final"


@given(SIZES, st.integers())
def test_in_a_double_elimination_all_but_the_winner_lose_twice(count: int, seed: int) -> None:
    won = by_dice(seed)
    tree = double(names(count), won.__getitem__)
    lost = losses(tree, won)
    assert tree.winner
    assert lost.pop(tree.winner, 0) == (tree.stages[-1].title == "decider")
    assert lost == dict.fromkeys({*names(count)} - {tree.winner}, 2)
    gone = [name for _, beaten in out(tree, won.__getitem__, 2) for name in beaten]
    assert sorted(gone) == sorted({*names(count)} - {tree.winner})


@given(SIZES, st.integers(), st.sampled_from(EXACT))
def test_nobody_plays_twice_in_a_stage_and_a_tie_names_the_better_seed_first(count: int, seed: int, kind: str) -> None:
    grow = single if kind == "single" else double
    for stage in grow(names(count), by_dice(seed).__getitem__).stages:
        playing = [name for tie in stage.ties for name in (tie.one, tie.other)] + [*stage.byes]
        assert len(playing) == len(set(playing))
        assert all(number(tie.one) < number(tie.other) for tie in stage.ties)


def test_before_the_last_stages_of_a_single_elimination_a_stage_is_called_by_how_many_there_is_room_for() -> None:
    assert [stage.title for stage in single(names(20), better).stages] == [
        *("round of 32", "round of 16", "quarter-finals", "semi-finals", "final")
    ]


def test_nobody_has_won_a_double_elimination_before_its_grand_final_is_decided() -> None:
    last = double(names(4), better).stages[-1]
    tree = double(names(4), lambda tie: None if tie.stage == last.number else better(tie))
    assert (tree.stages[-1].title, tree.winner) == ("grand final", None)


def test_the_stages_of_a_double_elimination_are_numbered_without_those_that_nobody_plays() -> None:
    assert [stage.title for stage in double(names(6), better).stages] == [
        "winners, round 1",
        "winners, round 2",
        "losers, round 1",
        "losers, round 2",
        "winners, round 3",
        "losers, round 3",
        "grand final",
    ]


def met_again_at_once(tree: Bracket, won: dict[Tie, str]) -> set[str]:
    """The titles of ties between two of whom one has just lost to the other."""
    lost_to: dict[str, str] = {}
    found: set[str] = set()
    for stage in tree.stages:
        found.update(
            stage.title for tie in stage.ties if lost_to.get(tie.one) == tie.other or lost_to.get(tie.other) == tie.one
        )
        for tie in stage.ties:
            loser = tie.other if won[tie] == tie.one else tie.one
            lost_to[loser], lost_to[won[tie]] = won[tie], ""
    return found


@given(st.integers(4, 40), st.integers())
def test_of_four_or_more_nobody_meets_at_once_whom_it_lost_to_until_the_decider(count: int, seed: int) -> None:
    won = by_dice(seed)
    assert met_again_at_once(double(names(count), won.__getitem__), won) <= {"decider"}


def test_of_two_or_three_there_is_nobody_else_to_meet() -> None:
    for count, title in ((2, "grand final"), (3, "losers, round 1")):
        won = {tie: better(tie) for stage in double(names(count), better).stages for tie in stage.ties}
        assert met_again_at_once(double(names(count), better), won) == {title}


# ------------------------------------------------------------------------------------------------------- the schedule


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 13, 31, 64, 199])
@pytest.mark.parametrize("elimination", EXACT)
def test_a_knockout_is_over_after_as_many_ties_as_it_has_defeats(count: int, elimination: str) -> None:
    given = options(elimination=elimination, streams=1, extra=2)
    batches, results = played(KNOCKOUT, field(count), given)
    legs = legs_of(batches)
    assert_duplicate(legs)
    ties = {(leg.round, frozenset(leg.entrants)) for leg in legs}
    assert len(ties) in ({count - 1} if elimination == "single" else {2 * count - 2, 2 * count - 1})
    found = places(names(count), given, results)
    assert sorted(place.entrant for place in found.places) == sorted(names(count))
    assert [place.said for place in found.places].count("winner") == 1
    assert found.lines[-1] == f"Winner: {found.places[0].entrant}"


def test_all_ties_of_a_stage_are_on_the_same_boards_and_no_two_stages_are() -> None:
    legs = legs_of(played(KNOCKOUT, field(16), options(streams=3, extra=2), by_number)[0])
    streams = {stage: sorted({leg.stream for leg in legs if leg.round == stage}) for stage in range(1, 5)}
    assert streams == {1: [0, 1, 2], 2: [5, 6, 7], 3: [10, 11, 12], 4: [15, 16, 17]}
    for stage, boards in streams.items():
        met = Counter(leg.entrants for leg in legs if leg.round == stage)
        assert set(met.values()) == {2 * len(boards)}


def level_until(stream: int) -> Score:
    """Level on all board streams below this one; then the worse seed wins."""
    return lambda leg: (0, 0) if leg.stream < stream else (0, 5)


def test_a_level_tie_goes_on_one_board_stream_after_the_other_until_it_is_not() -> None:
    given = options(streams=2, extra=4)
    batches, results = played(KNOCKOUT, field(2), given, level_until(4))
    assert [[leg.stream for leg in batch] for batch in batches] == [[0, 0, 1, 1], [2, 2], [3, 3], [4, 4]]
    found = places(names(2), given, results)
    assert found.lines == ("final:", "  b1 (2) beat b0 (1) 3–2, 3 further board streams", "Winner: b1")


def test_a_single_further_board_stream_is_told_as_one() -> None:
    given = options(streams=2, extra=4)
    found = places(names(2), given, played(KNOCKOUT, field(2), given, level_until(2))[1])
    assert found.lines[1] == "  b1 (2) beat b0 (1) 2–1, 1 further board stream"


@pytest.mark.parametrize("extra", [0, 3])
def test_a_tie_that_stays_level_goes_to_the_better_seed_and_that_is_said(extra: int) -> None:
    given = options(streams=2, extra=extra, seeds=["b1"])
    batches, results = played(KNOCKOUT, field(2), given, level)
    assert len(batches) == 1 + extra
    further = f", {extra} further board streams" if extra else ""
    points = {0: "1–1", 3: "2½–2½"}[extra]
    assert places(names(2), given, results).lines == (
        "final:",
        f"  b1 (1) beat b0 (2) {points}, level{further}: the better seed goes on",
        "Winner: b1",
    )


def test_the_seeds_are_those_of_the_file_and_then_its_order() -> None:
    (batch, *_), _ = played(KNOCKOUT, field(5), options(seeds=["b3", "b4"]), by_number)
    assert {leg.entrants for leg in batch} == {("b1", "b2")}


@pytest.mark.parametrize("elimination", EXACT)
def test_legs_that_are_played_are_not_named_again(elimination: str) -> None:
    given = options(elimination=elimination, streams=2, extra=1)
    _, results = played(KNOCKOUT, field(6), given)
    for at in range(0, len(results), 3):
        rest = KNOCKOUT(field(6), given, results[:at])
        named = {each.leg for each in results[:at]}
        assert rest
        assert not named & {*rest}
        assert rest[0] == results[at].leg


def test_an_entrant_that_forfeits_is_out_and_where_both_do_the_better_seed_goes_on() -> None:
    def forfeits(who: tuple[bool, bool]) -> list[Outcome]:
        legs = [Leg(("b0", "b1"), stream, leg, 1) for stream in range(3) for leg in (0, 1)]
        return [replace(ended(at, leg, level), forfeited=who) for at, leg in enumerate(legs, 1)]

    given = options(streams=2, extra=1)
    assert places(names(2), given, forfeits((True, False))).lines[-1] == "Winner: b1"
    assert places(names(2), given, forfeits((True, True))).lines[-1] == "Winner: b0"


def at_fault(given: Options, *by_stream: tuple[bool, bool]) -> str:
    """The line of a tie in which these forfeited, board stream by board stream, both ways round."""
    legs = KNOCKOUT(field(2), given, ())
    played = [replace(ended(at, leg, level), forfeited=by_stream[leg.stream]) for at, leg in enumerate(legs, 1)]
    return places(names(2), given, played).lines[1]


def test_what_both_forfeited_was_won_by_no_fault_of_the_other() -> None:
    assert at_fault(options(streams=2), (True, True), (False, True)) == "  b0 (1) beat b1 (2) 1–0, all by forfeit"


def test_of_whole_games_each_is_won_by_forfeit_for_itself() -> None:
    given = replace(options(streams=1), format=Game())
    assert at_fault(given, (False, True)) == "  b0 (1) beat b1 (2) 2–0, all by forfeit"


# ------------------------------------------------------------------------------------------------------ who came where


def placing(count: int, score: Score = by_number, until: int | None = None, **given: OptionValue) -> Placing:
    terms = options(streams=1, **given)
    return places(names(count), terms, played(KNOCKOUT, field(count), terms, score)[1][:until])


def told(found: Placing) -> Sequence[tuple[str, int | None, str]]:
    return [(place.entrant, place.rank, place.said) for place in found.places]


def test_who_got_as_far_shares_the_rank() -> None:
    assert told(placing(6)) == [
        ("b0", 1, "winner"),
        ("b1", 2, "final"),
        ("b2", 3, "semi-finals"),
        ("b3", 3, "semi-finals"),
        ("b4", 5, "quarter-finals"),
        ("b5", 5, "quarter-finals"),
    ]
    assert [rank for _, rank, _ in told(placing(6, elimination="double"))] == [1, 2, 3, 4, 5, 5]


def test_who_has_won_and_leaves_then_is_the_winner_still() -> None:
    given = options(streams=1)
    results = played(KNOCKOUT, field(2), given, by_number)[1]
    found = places(names(2), replace(given, away=(Away("b0", len(results)),)), results)
    assert told(found) == [("b0", 1, "winner"), ("b1", 2, "final")]


def test_matches_of_ties_that_an_amendment_brought_and_its_undoing_took_away_are_told() -> None:
    given = options(streams=1)
    results = played(KNOCKOUT, field(4), given, by_number)[1]
    other = [ended(9, Leg(("b1", "b3"), 9, leg, round=2), by_number) for leg in (0, 1)]
    assert places(names(4), given, results).lines[-1] == "Winner: b0"
    assert places(names(4), given, [*results, *other]).lines[-2:] == (
        "Winner: b0",
        "Played before an amendment, outside of this bracket: 2 matches. They count in the ratings.",
    )


def test_before_the_end_some_are_still_in_and_the_bracket_shows_who_meets_whom() -> None:
    assert told(placing(4, until=0)) == [(name, 1, "still in") for name in names(4)]
    assert placing(4, until=0).lines == (
        "semi-finals:",
        "  b0 (1) against b3 (4)",
        "  b1 (2) against b2 (3)",
        "No winner yet.",
    )
    found = placing(4, until=2)
    assert told(found) == [
        ("b0", 1, "still in"),
        ("b1", 1, "still in"),
        ("b2", 1, "still in"),
        ("b3", 4, "semi-finals"),
    ]
    assert found.lines[1:3] == ("  b0 (1) beat b3 (4) 1–0", "  b1 (2) against b2 (3)")


def test_the_bracket_names_those_who_have_no_tie() -> None:
    assert placing(3).lines == (
        "semi-finals:",
        "  b1 (2) beat b2 (3) 1–0",
        "  without a tie: b0 (1)",
        "final:",
        "  b0 (1) beat b1 (2) 1–0",
        "Winner: b0",
    )


# --------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"doubled": True}, "knockout has no option 'doubled'; it has 'elimination', 'seeds', 'streams' and 'extra'"),
        ({"elimination": "triple"}, "elimination must be single or double, not 'triple'"),
        ({"seeds": ["b9"]}, "seeds names 'b9', which is no entrant; there are: b0, b1, b2"),
        ({"streams": 0}, "streams must be a whole number from 1 to 10000, not 0"),
        ({"extra": -1}, "extra must be a whole number from 0 to 10000, not -1"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_line(given: dict[str, OptionValue], complaint: str) -> None:
    with pytest.raises(ScheduleError) as refused:
        KNOCKOUT(field(3), options(**given), ())
    assert str(refused.value) == f"schedule: {complaint}"


def test_one_entrant_or_none_and_tables_of_four_are_refused_in_one_line() -> None:
    for entrants in ([], field(1)):
        with pytest.raises(ScheduleError, match=r"^schedule: knockout needs two entrants or more, and there is "):
            KNOCKOUT(entrants, options(), ())
    with pytest.raises(ScheduleError, match=r"^schedule: knockout lets two entrants meet, but "):
        KNOCKOUT(field(4), options(make_rules("cutthroat")), ())


def test_an_upset_is_told_with_the_winner_first() -> None:
    assert placing(2, lambda leg: (0, 1)).lines[1] == "  b1 (2) beat b0 (1) 1–0"
