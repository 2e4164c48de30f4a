"""Schedules in a run that was amended: nobody is sent to who has left, nothing reads as if it had been played, and what
was lifted is as if it had never been."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from spades_harness.builtin import spades_register_ratings
from spades_harness.game.score import Boards
from spades_harness.tournament.course import has_more
from spades_harness.tournament.outcome import Leg, Outcome, unplayed
from spades_harness.tournament.placement import ranked_among
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amender import amend
from spades_harness.tournament.records.amending import Amendment, Subject, away
from spades_harness.tournament.records.ledger import RunLedger, open_run
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import next_batch
from spades_harness.tournament.schedule import Away, Batch, Entrant, Options, Schedule, ScheduleError
from spades_harness.tournament.schedules.adaptive import ADAPTIVE
from spades_harness.tournament.schedules.encounter import counting, leavers
from spades_harness.tournament.schedules.knockout import KNOCKOUT
from spades_harness.tournament.schedules.ladder import LADDER
from spades_harness.tournament.schedules.placing import Placed, Placing, has_places, leaves_out
from spades_harness.tournament.schedules.swiss import SWISS
from spades_harness.tournament.standings import standings

from .playing import tournament
from .simulating import Score, by_chance, by_number, ended, field, level, options, played
from .test_formats import SCHEDULES, founded, go_on

LEAVING = [name for name, schedule in SCHEDULES.items() if leaves_out(schedule)]
LOOKING = [*LEAVING, "knockout", "ladder"]


def placing(run: RunLedger) -> Placing:
    name, given = run.schedule()
    schedule = SCHEDULES[name]
    assert isinstance(schedule, Placed)
    assert schedule.places
    return schedule.places([each.name for each in run.entrants()], given, run.seen(run.outcomes()))


def named_in_places(run: RunLedger) -> set[str]:
    return {place.entrant for place in placing(run).places}


def named_in_plan(run: RunLedger) -> set[str]:
    return {name for each in run.planned() for name in each.leg.entrants}


def do(run: RunLedger, act: Act, *named: str) -> None:
    amend(run, act, named, "it rained", "the referee")


# ------------------------------------------------------------------------------------------------------ with a ledger


def test_who_is_disqualified_in_a_knockout_has_lost_its_ties_and_the_others_go_on(tmp_path: Path) -> None:
    base = founded("knockout")
    with open_run(tmp_path, base) as run:
        go_on(run, base)
        before = placing(run)
        assert run.seen(run.outcomes()) == run.outcomes()
        gone = before.places[0].entrant
        do(run, Act.DISQUALIFY, gone)
        seen = run.seen(run.outcomes())
        assert [each.ordinal for each in seen] == [each.ordinal for each in run.planned()]
        go_on(run, base)
        after = placing(run)
    assert after.places[0].said == "winner"
    assert after.places[0].entrant != gone
    assert after.lines[-2] == f"Winner: {after.places[0].entrant}"
    assert after.lines[-1].startswith("Played before an amendment, outside of this bracket: 4 matches.")
    lost = [line for line in after.lines if f" {gone} (" in line and "without a tie" not in line]
    assert lost
    assert all(line.split(": ")[-1].endswith(") plays no more") for line in lost)


@pytest.mark.parametrize("name", LOOKING)
@pytest.mark.parametrize("stop", [0, 3, 9])
def test_nothing_is_planned_with_who_has_left_and_who_comes_back_plays_on(tmp_path: Path, name: str, stop: int) -> None:
    base = founded(name)
    with open_run(tmp_path, base) as run:
        if stop:
            go_on(run, base, stop)
        do(run, Act.WITHDRAW, "c")
        before = len(run.planned())
        go_on(run, base)
        assert run.run.finished
        assert not any("c" in each.leg.entrants for each in run.planned()[before:])
        assert not run.missing()
        do(run, Act.UNDO, "1")
        go_on(run, base)
        assert run.run.finished
        assert not run.missing()
        assert not verify(run).differences
        assert (named_in_places(run) if has_places(SCHEDULES[name]) else named_in_plan(run)) == {*"abcde"}


@pytest.mark.parametrize("name", LOOKING)
def test_a_run_that_was_amended_is_the_same_however_often_it_is_stopped(tmp_path: Path, name: str) -> None:
    base, plans = founded(name), []
    for folder, stops in (("whole", [1_000]), ("stopped", [1, 2, 3, 1_000])):
        with open_run(tmp_path / folder, base) as run:
            go_on(run, base, 5)
            do(run, Act.DISQUALIFY, "b")
        for stop in stops:
            with open_run(tmp_path / folder, base) as run:
                go_on(run, base, stop)
                plans.append((run.planned(), run.outcomes()))
    assert plans[0] == plans[-1]


def test_a_run_that_was_over_has_more_to_play_when_its_winner_is_disqualified_and_from_a_new_secret(
    tmp_path: Path,
) -> None:
    base = replace(founded("knockout"), seed=None)
    with open_run(tmp_path, base) as run:
        go_on(run, base)
        made = tournament(base, run, KNOCKOUT)
        assert not has_more(made, run)
        do(run, Act.DISQUALIFY, placing(run).places[-1].entrant)
        assert not has_more(made, run), "nobody met the last one but those who beat it"
        do(run, Act.DISQUALIFY, placing(run).places[0].entrant)
        assert has_more(made, run)
        assert run.run.head
        run.go_on()
        assert not run.run.revealed
        before = len(run.planned())
        go_on(run, base)
        assert {each.secret for each in run.planned()[before:]} == {1}
        assert {each.secret for each in run.planned()[:before]} == {0}
        assert run.run.head
        assert not verify(run).differences


@pytest.mark.parametrize(("name", "more"), [("knockout", True), ("round_robin", False), ("swiss", False)])
def test_what_may_follow_on_a_match_that_is_played_again_after_the_end_comes_from_a_new_secret(
    tmp_path: Path, name: str, more: bool
) -> None:
    """Its own cards are known: it is the same match. Of a Swiss all rounds are planned, and a round robin is whole."""
    base = replace(founded(name), seed=None)
    with open_run(tmp_path, base) as run:
        go_on(run, base, 1)
        made = tournament(base, run, SCHEDULES[name])
        assert not has_more(made, run), "its secret is one yet"
        go_on(run, base)
        do(run, Act.AGAIN, "1")
        assert has_more(made, run) == more, "whoever has won the other leg"
        run.go_on()
        go_on(run, base)
        assert {each.secret for each in run.planned()[:2]} == {0}
        assert not verify(run).differences


def test_a_match_that_is_off_is_none_that_its_secret_was_shown_before(tmp_path: Path) -> None:
    base = replace(founded("swiss"), seed=None)
    with open_run(tmp_path, base) as run:
        go_on(run, base, 1)
        assert run.uses() == {0: (4, 1, 0)}
        do(run, Act.WITHDRAW, run.planned()[0].leg.entrants[0])
        go_on(run, base)
        (use,) = run.uses().values()
        assert use == (len(run.outcomes()), len(run.outcomes()), 0)
        assert len(run.planned()) > use.planned


def test_too_few_who_play_on_leave_the_secret_one_where_more_would_be_played_if_they_came_back(tmp_path: Path) -> None:
    base = replace(founded("swiss"), seed=None)
    with open_run(tmp_path, base) as run:
        go_on(run, base, 8)  # two pairs in each of the rounds, both ways round: after a whole one
        do(run, Act.WITHDRAW, "a", "b", "c", "d")
        with pytest.raises(ScheduleError, match="too few are left to play on, and the secret stays one"):
            go_on(run, base)
        do(run, Act.UNDO, "1", "2")
        go_on(run, base)
        assert run.run.finished


def test_who_left_before_the_salt_came_is_not_there_in_what_is_planned_with_it(tmp_path: Path) -> None:
    base = replace(founded("swiss"), seed=None)
    with open_run(tmp_path, base) as run:
        run.mix_in("")
        run.plan(next_batch(tournament(base, run, SWISS), (), ()))
        do(run, Act.WITHDRAW, "e")
        run.mix_in("5 12 19")
        assert (run.planned(), run.away()) == ((), (Away("e", 0),))
        go_on(run, base)
        assert not verify(run).differences
        assert "Not paired, as they had left: e (round 1), e (round 2), e (round 3)." in placing(run).lines


def test_a_schedule_that_names_who_has_left_though_it_was_not_asked_of_it_is_refused(tmp_path: Path) -> None:
    def stubborn(entrants: Sequence[Entrant], given: Options, results: Sequence[Outcome], /) -> Batch:
        return tuple(Leg(("a", "b"), len(results), leg, 1) for leg in (0, 1))

    base = founded("swiss")
    with open_run(tmp_path, base) as run:
        do(run, Act.WITHDRAW, "b")
        made = replace(tournament(base, run), schedule=Placed(stubborn, leaves_out=True))
        with pytest.raises(ScheduleError, match="names 'b', which plays no more: a - b"):
            next_batch(made.as_amended(run.away()), (), ())


# ---------------------------------------------------------------------------------------------------- who was not there


def test_who_was_away_while_a_match_was_planned_hangs_on_when_that_was_said_and_lifted() -> None:
    said = [
        (Act.WITHDRAW, Subject(entrant="a"), 10),
        (Act.VOID, Subject(2, 1), 10),
        (Act.DISQUALIFY, Subject(entrant="a"), 20),
        (Act.UNDO, Subject(lifts=1), 30),
        (Act.UNDO, Subject(lifts=3), 40),
    ]
    made = [
        Amendment(n, act, *subject, "why", "who", "when", planned) for n, (act, subject, planned) in enumerate(said, 1)
    ]
    assert away(made[:3]) == (Away("a", 10), Away("a", 20))
    assert Options(away=away(made[:3])).gone == {"a"}
    assert Options(away=away(made[:4])).gone == {"a"}
    assert Options(away=away(made)).gone == set()
    missed = [number for number in range(1, 60) if any(each.misses(number) for each in away(made))]
    assert missed == [*range(11, 41)]


def test_of_boards_nothing_counts_that_was_not_played_both_ways_round() -> None:
    legs = [Leg(("b0", "b1"), stream, leg, 1) for stream in (0, 1) for leg in (0, 1)]
    outcomes = [ended(number, leg, by_number) for number, leg in enumerate(legs, 1)]
    outcomes[2] = unplayed(3, legs[2], ("b1",))
    assert counting(Boards(4), outcomes) == outcomes[:2]
    assert leavers(outcomes) == {"b1"}
    assert leavers([unplayed(3, legs[2], ())]) == set()


# -------------------------------------------------------------------------------------------------- without a card


def amended(
    schedule: Schedule, count: int, given: Options, score: Score = by_chance, after: int = 0, gone: str = "b1"
) -> tuple[list[Outcome], Options]:
    """A whole run in which one withdraws after so many matches: all results as the schedule sees them."""
    names, results = field(count), list[Outcome]()
    now = replace(given, away=(Away(gone, 0),)) if not after else given
    while batch := schedule(
        [each for each in names if each.name not in now.gone or not leaves_out(schedule)], now, results
    ):
        for leg in batch:
            off = bool(now.gone & {*leg.entrants})
            results.append(unplayed(len(results) + 1, leg, now.gone) if off else ended(len(results) + 1, leg, score))
            if len(results) == after:
                now = replace(given, away=(Away(gone, len(results) - batch.index(leg) - 1 + len(batch)),))
    return results, now


def test_who_leaves_a_tie_has_lost_it_however_it_stood() -> None:
    results, now = amended(KNOCKOUT, 2, options(streams=3), by_number, after=4, gone="b0")
    found = KNOCKOUT.places(["b0", "b1"], now, results)  # type: ignore[misc]
    assert found.lines == ("final:", "  b1 (2) goes on: b0 (1) plays no more, 0–2 on the table", "Winner: b1")


def test_a_level_tie_is_not_played_on_when_one_has_left() -> None:
    results, now = amended(KNOCKOUT, 2, options(streams=2, extra=4), level, after=4, gone="b0")
    assert len(results) == 4
    assert KNOCKOUT.places(["b0", "b1"], now, results).lines[-1] == "Winner: b1"  # type: ignore[misc]


def test_a_tie_that_was_won_stays_won_by_who_leaves_after_it() -> None:
    results, now = amended(KNOCKOUT, 4, options(streams=1), by_number, after=4, gone="b1")
    found = KNOCKOUT.places([each.name for each in field(4)], now, results)  # type: ignore[misc]
    assert found.lines[1:] == (
        "  b0 (1) beat b3 (4) 1–0",
        "  b1 (2) beat b2 (3) 1–0",
        "final:",
        "  b0 (1) goes on: b1 (2) plays no more",
        "Winner: b0",
    )
    assert [(place.entrant, place.rank, place.said) for place in found.places][:2] == [
        ("b0", 1, "winner"),
        ("b1", 2, "final"),
    ]
    assert len(results) == 4, "and nothing is planned for it"


def test_where_both_have_left_the_better_seed_goes_on_and_who_is_left_wins_without_a_card() -> None:
    given = replace(options(), away=(Away("b1", 0), Away("b2", 0), Away("b3", 0)))
    assert KNOCKOUT(field(4), given, ()) == ()
    found = KNOCKOUT.places([each.name for each in field(4)], given, ())  # type: ignore[misc]
    assert found.lines[2] == "  b1 (2) goes on as the better seed: b2 (3) and it play no more"
    assert found.lines[-1] == "Winner: b0"


def test_a_final_that_both_have_left_has_no_winner_and_is_not_played() -> None:
    given = replace(options(), away=(Away("b0", 0), Away("b1", 0)))
    found = KNOCKOUT.places(["b0", "b1"], given, ())  # type: ignore[misc]
    assert KNOCKOUT(field(2), given, ()) == ()
    assert found.lines[-1] == "No winner yet."
    assert {place.said for place in found.places} == {"plays no more", "final"}


def test_who_has_left_and_is_not_out_yet_is_said_to_play_no_more() -> None:
    given = replace(options(elimination="double", streams=1), away=(Away("b0", 0),))
    results = [ended(number, leg, by_number) for number, leg in enumerate(KNOCKOUT(field(4), given, ()), 1)][:1]
    found = KNOCKOUT.places([each.name for each in field(4)], given, results)  # type: ignore[misc]
    assert ("b0", 4, "plays no more") in [(place.entrant, place.rank, place.said) for place in found.places]
    assert found.lines[-1] == "No winner yet."


def test_a_tie_with_a_match_that_is_void_is_decided_by_the_others() -> None:
    given = options(streams=2, extra=2)
    results = [ended(number, leg, by_number) for number, leg in enumerate(KNOCKOUT(field(2), given, ()), 1)]
    results[0] = unplayed(1, results[0].leg, ())
    assert KNOCKOUT.places(["b0", "b1"], given, results).lines[1] == "  b0 (1) beat b1 (2) 1–0"  # type: ignore[misc]
    void = [unplayed(each.ordinal, each.leg, ()) for each in results]
    assert [leg.stream for leg in KNOCKOUT(field(2), given, void)] == [2, 2]


def test_what_was_won_by_faults_of_the_other_is_said_to_be() -> None:
    given = options(streams=2)
    results = [ended(number, leg, by_number) for number, leg in enumerate(KNOCKOUT(field(2), given, ()), 1)]
    some = [replace(each, forfeited=(True, False)) if each.leg.stream else each for each in results]
    assert "b0 (1) against b1 (2) 1–1 so far" in KNOCKOUT.places(["b0", "b1"], given, some).lines[1]  # type: ignore[misc]
    for outcomes, told in (
        (
            [replace(each, forfeited=(False, True)) if each.leg.stream else each for each in results],
            "2–0, 1 by forfeit",
        ),
        ([replace(each, forfeited=(False, True)) for each in results], "2–0, all by forfeit"),
        ([replace(each, forfeited=(True, False)) for each in results], "2–0, all by forfeit"),
    ):
        assert KNOCKOUT.places(["b0", "b1"], given, outcomes).lines[1].endswith(told)  # type: ignore[misc]


def scores(found: Placing) -> dict[str, float | None]:
    return {place.entrant: place.score for place in found.places}


def test_who_withdraws_from_a_swiss_is_paired_no_more_keeps_its_score_and_leaves_a_point_that_is_explained() -> None:
    results, now = amended(SWISS, 6, options(rounds=3, streams=1), by_number, after=7)
    assert {each.leg.round for each in results if "b1" in each.leg.entrants} == {1, 2}
    found = SWISS.places([each.name for each in field(6)], now, results)  # type: ignore[misc]
    (met,) = {
        name for each in results if each.leg.round == 2 and "b1" in each.leg.entrants for name in each.leg.entrants
    } - {"b1"}
    assert scores(found)["b1"] == 1.0, "of round 1, in which it met b4"
    assert f"Rounds won as the other plays no more: {met} against b1 (round 2)." in found.lines
    assert "Not paired, as they had left: b1 (round 3)." in found.lines
    assert sum(score or 0 for score in scores(found).values()) == 3 + 3 + 3


def test_a_bye_that_one_had_before_it_left_stays_its_own() -> None:
    results, now = amended(SWISS, 5, options(rounds=3, streams=1), by_number, after=4, gone="b4")
    found = SWISS.places([each.name for each in field(5)], now, results)  # type: ignore[misc]
    assert "Byes: b4 (round 1)." in found.lines
    assert scores(found)["b4"] == 1.0
    assert "Not paired, as they had left: b4 (round 2), b4 (round 3)." in found.lines


def test_who_comes_back_to_a_swiss_has_no_byes_for_the_rounds_it_missed_and_is_paired_again() -> None:
    given = options(rounds=4, streams=1)
    results, _ = amended(SWISS, 6, given, by_number, after=6, gone="b5")
    two = [each for each in results if each.leg.round <= 2]
    back = replace(given, away=(Away("b5", 6, len(two)),))
    assert "b5" in {name for leg in SWISS(field(6), back, two) for name in leg.entrants}
    found = SWISS.places([each.name for each in field(6)], back, two)  # type: ignore[misc]
    assert scores(found)["b5"] == 0.0
    assert "Not paired, as they had left: b5 (round 2)." in found.lines
    assert not any(line.startswith("Round 2 of 4 is being played") for line in found.lines)


def test_a_match_of_a_swiss_that_is_played_again_opens_its_round_and_no_other() -> None:
    given = options(rounds=3, streams=1)
    _, results = played(SWISS, field(4), given, by_number)
    found = SWISS.places([each.name for each in field(4)], given, [each for each in results if each.ordinal != 2])  # type: ignore[misc]
    assert found.lines[-1] == "Round 1 of 3 is being played."
    assert [place.said for place in found.places] == ["2 of 2", "1 of 2", "1 of 2", "0 of 2"]


def test_the_rounds_of_a_swiss_do_not_become_fewer_since_somebody_left() -> None:
    results, _ = amended(SWISS, 9, options(streams=1), after=8, gone="b3")
    assert max(each.leg.round for each in results) == 6


def test_a_ladder_is_built_of_those_who_play_on_and_who_left_stands_on_none() -> None:
    results, now = amended(LADDER, 6, options(streams=1, most=1), by_number, gone="b2")
    found = LADDER.places([each.name for each in field(6)], now, results)  # type: ignore[misc]
    assert [(place.entrant, place.rank) for place in found.places] == [
        ("b0", 1), ("b1", 2), ("b3", 3), ("b4", 4), ("b5", 5),
    ]  # fmt: skip
    assert not any("b2" in each.leg.entrants for each in results)


def ladder_of(count: int, away: tuple[Away, ...], results: Sequence[Outcome]) -> list[str]:
    found = LADDER.places([each.name for each in field(count)], replace(CLIMB, away=away), results)  # type: ignore[misc]
    return [place.entrant for place in found.places if place.rank is not None]


CLIMB = options(streams=1, most=1)


@pytest.mark.parametrize("gone", ["b0", "b1", "b5", "b11"])
def test_nobody_climbs_a_ladder_anew_since_another_has_left_it(gone: str) -> None:
    _, results = played(LADDER, field(12), CLIMB)
    left = (Away(gone, len(results)),)
    assert LADDER(field(12), replace(CLIMB, away=left), results) == ()
    assert ladder_of(12, left, results) == [name for name in ladder_of(12, (), results) if name != gone]


def test_who_comes_to_a_ladder_challenges_those_who_play_on() -> None:
    _, results = played(LADDER, field(8), CLIMB, by_number)
    left = replace(CLIMB, away=(Away("b4", len(results)),))
    batch = LADDER(field(9), left, results)
    assert {leg.entrants for leg in batch} == {("b3", "b8")}, "b4 stands in the middle"


@pytest.mark.parametrize("gone", ["b0", "b1", "b5", "b11"])
def test_who_was_measured_by_one_that_is_disqualified_is_measured_by_others(gone: str) -> None:
    _, results = played(LADDER, field(12), CLIMB, by_number)
    seen = [unplayed(each.ordinal, each.leg, (gone,)) if gone in each.leg.entrants else each for each in results]
    now = replace(CLIMB, away=(Away(gone, len(results)),))
    while batch := LADDER(field(12), now, seen):
        assert not any(gone in leg.entrants for leg in batch)
        seen += [ended(number, leg, by_number) for number, leg in enumerate(batch, len(seen) + 1)]
    assert len(seen) - len(results) <= len([each for each in results if gone in each.leg.entrants])
    assert ladder_of(12, now.away, seen) == [each.name for each in field(12) if each.name != gone]


def test_an_adaptive_run_costs_those_who_play_on_no_board_of_who_has_left() -> None:
    given = options(rounds=8, first=2)
    results, _ = amended(ADAPTIVE, 5, given, level, after=10)
    among = {each.meeting for each in results if "b1" not in each.leg.entrants}
    assert len(among) == 8 * 6, "as many as a round robin of the four that are left"
    assert max(each.leg.stream for each in results if "b1" in each.leg.entrants) < 2


def test_an_adaptive_run_that_has_spent_more_on_those_who_are_left_than_is_theirs_is_over() -> None:
    given = options(rounds=8, first=2)
    _, results = played(ADAPTIVE, field(5), given, level)
    assert len({each.meeting for each in results if "b4" not in each.leg.entrants}) > 8 * 6
    assert ADAPTIVE(field(4), replace(given, away=(Away("b4", len(results)),)), results) == ()


def test_the_ranks_behind_those_who_are_left_out_close_up() -> None:
    outcomes = [
        ended(number, Leg(two, 0, leg, 1), by_number)
        for number, (two, leg) in enumerate(
            [(two, leg) for two in (("b0", "b1"), ("b1", "b2"), ("b2", "b3")) for leg in (0, 1)], 1
        )
    ]
    rows = standings(["b0", "b1", "b2", "b3"], outcomes, Boards(4), spades_register_ratings()).entrants
    assert [(row.entrant, row.rank) for row in ranked_among(rows, {"b0", "b2", "b3"})] == [
        ("b0", 1),
        ("b2", 2),
        ("b3", 3),
    ]
    assert ranked_among(rows, {"b0", "b1", "b2", "b3"}) == rows
    unranked = [replace(row, rank=None) for row in islice(rows, 2)]
    assert [row.rank for row in ranked_among(unranked, {"b1"})] == [None]
