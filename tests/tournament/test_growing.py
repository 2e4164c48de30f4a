"""Entrants that join a run: what was played is kept to the last match, and theirs follow after it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from spades_harness.game.rules import find_rules
from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.room import room
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amender import amend
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import FILE, RunLedger, open_run, open_to_amend, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule, ScheduleError
from spades_harness.tournament.schedules.adaptive import ADAPTIVE
from spades_harness.tournament.schedules.growing import (
    as_they_came,
    changed,
    in_order,
    joining,
    refuse_unless_room,
    without,
)
from spades_harness.tournament.schedules.knockout import KNOCKOUT
from spades_harness.tournament.schedules.ladder import LADDER
from spades_harness.tournament.schedules.mixer import MIXER
from spades_harness.tournament.schedules.placing import Joinable, Placed, joinable
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.schedules.swiss import SWISS
from spades_harness.tournament.standings import Standings, standings
from spades_harness.tournament.statistics.rating import elo
from tournament.playing import entrant, play, setup, tournament
from tournament.simulating import by_chance, ended, level, played
from tournament.test_lanes import Heard, HereLane

A, B, C, D = (entrant(name, style) for name, style in (("a", "dice"), ("b", "dull"), ("c", "dice"), ("d", "dice")))
SMALL = replace(setup(A, B, game=Boards(4)), options={"rounds": 2})
"""Four matches: one pairing on two board streams."""
GROWN = replace(SMALL, entrants=(C, A, D, B), text="name: a grown tournament\n")
"""24 matches: six pairings; in the file newcomers stand wherever they like."""
JOINED = replace(GROWN, entrants=(A, B, C, D))
"""The order in which they came."""


def play_on(
    folder: Path,
    base: Setup,
    new: tuple[str, ...] = (),
    stop_after: int = 1_000_000,
    played_by: Setup | None = None,
) -> list[str]:
    """What a run tells of its matches; `played_by` are all that are in it, where some are in the file no more."""
    with open_run(folder, base, new) as run:
        return carry_on(run, played_by or base, stop_after)


def carry_on(run: RunLedger, base: Setup, stop_after: int = 1_000_000) -> list[str]:
    """Play on in the run's order, whatever that of the file is."""
    base = replace(base, entrants=as_they_came(run.settings(), base.entrants))
    heard = Heard(stop_after=stop_after)
    with Lanes(play, room(1), HereLane) as lanes, suppress(KeyboardInterrupt):
        assert not play_out(tournament(base, run), run, lanes, heard)
    return heard.lines


def table(folder: Path) -> Standings:
    with read_ledger(folder) as ledger:
        return standings(ledger.ranked(), ledger.outcomes(), ledger.run.terms.format, {"elo": elo})


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that all four were in from the first."""
    folder = tmp_path_factory.mktemp("whole")
    play_on(folder, JOINED)
    return folder


@pytest.mark.parametrize("played", [1, 3, 4])
def test_who_joins_adds_matches_and_changes_none_that_were_planned(whole: Path, tmp_path: Path, played: int) -> None:
    """PR-01, PR-03: by identity and never by count, be the run finished or not."""
    play_on(tmp_path, SMALL, stop_after=played)
    with read_ledger(tmp_path) as ledger:
        planned, records = ledger.planned(), [ledger.match(number) for number in range(1, played + 1)]
    lines = play_on(tmp_path, GROWN, ("c", "d"))
    assert lines[0] == f"planned {played}/4"
    assert [line.split(":")[0] for line in lines if "played" in line] == [f"played {n}" for n in range(played + 1, 25)]
    with read_ledger(tmp_path) as ledger, read_ledger(whole) as other:
        assert ledger.planned()[:4] == planned
        assert {each.identity for each in ledger.planned()} == {each.identity for each in other.planned()}
        assert [ledger.match(number) for number in range(1, played + 1)] == records
        assert [listed.name for listed in ledger.entrants()] == ["a", "b", "c", "d"]
        assert ledger.settings() == JOINED.settings
        assert ledger.run.text == GROWN.text
        assert verify(ledger).differences == ()
        assert ledger.run.head
    assert table(tmp_path) == table(whole)
    assert play_on(tmp_path, GROWN) == ["planned 4/4", "planned 24/24"]


def test_what_is_added_after_the_secret_was_shown_has_a_secret_of_its_own(tmp_path: Path) -> None:
    """No pairing has two; an unfinished run, whose secret nobody knows, needs but one."""
    hidden, grown = replace(SMALL, seed=None), replace(GROWN, seed=None)
    play_on(tmp_path / "after", hidden)
    with read_ledger(tmp_path / "after") as ledger:
        (shown,) = ledger.run.terms.secrets
        assert shown.revealed
    with open_run(tmp_path / "after", grown, ("c", "d")) as run:
        first, second = run.run.terms.secrets
        assert (first, second.revealed) == (shown, None)
        assert not run.run.revealed
        carry_on(run, grown)
        assert [each.secret for each in run.planned()] == [0] * 4 + [1] * 20
        assert {each.leg.entrants for each in run.planned() if not each.secret} == {("a", "b")}
    with read_ledger(tmp_path / "after") as ledger:
        assert verify(ledger).differences == ()
    play_on(tmp_path / "before", hidden, stop_after=3)
    play_on(tmp_path / "before", grown, ("c", "d"))
    with read_ledger(tmp_path / "before") as ledger:
        assert len(ledger.run.terms.secrets) == 1
        assert ledger.progress() == (24, 24)


def test_a_run_that_is_stopped_between_joining_and_playing_goes_on_with_all(whole: Path, tmp_path: Path) -> None:
    """PR-01, PR-08."""
    play_on(tmp_path, SMALL)
    with open_run(tmp_path, GROWN, ("c", "d")) as run:
        assert run.run.finished is None
        assert run.run.head is None
    for stop in (1, 3):
        play_on(tmp_path, GROWN, stop_after=stop)
    play_on(tmp_path, GROWN)
    assert table(tmp_path) == table(whole)


def test_one_more_may_join_time_and_again(whole: Path, tmp_path: Path) -> None:
    play_on(tmp_path, SMALL)
    play_on(tmp_path, replace(SMALL, entrants=(A, C, B)), ("c",))
    play_on(tmp_path, GROWN, ("d",))
    assert table(tmp_path) == table(whole)
    with read_ledger(tmp_path) as ledger:
        assert verify(ledger).differences == ()


def test_amendments_hold_in_a_run_that_is_joined(whole: Path, tmp_path: Path) -> None:
    play_on(tmp_path, SMALL)
    with open_to_amend(tmp_path) as run:
        amend(run, Act.VOID, ["1"], "it rained", "me")
        amend(run, Act.AGAIN, ["3"], "it rained", "me")
        amend(run, Act.WITHDRAW, ["b"], "it rained", "me")
        amend(run, Act.UNDO, ["2"], "no time", "me")
    play_on(tmp_path, GROWN, ("c", "d"))
    with read_ledger(tmp_path) as ledger:
        assert ledger.progress() == (3 + 12, 3 + 12)
        assert [outcome.ordinal for outcome in ledger.outcomes() if "b" in outcome.leg.entrants] == [2, 3, 4]
        assert verify(ledger).differences == ()


def test_who_plays_no_more_may_leave_the_file_and_nobody_else(tmp_path: Path) -> None:
    """PR-03: its results stay, its bot need not be there; and others may join all the same, again and again."""
    three, rest = replace(GROWN, entrants=(C, A, B)), replace(GROWN, entrants=(C, B))
    play_on(tmp_path, three, stop_after=9)
    with pytest.raises(LedgerError, match="holds another run"):
        open_run(tmp_path, rest)
    with open_to_amend(tmp_path) as run:
        amend(run, Act.WITHDRAW, ["a"], "its author asked", "me")
        done = run.progress()
    assert done.done == 9
    lines = play_on(tmp_path, rest, played_by=three)
    assert lines[0] == f"planned 9/{done.total}"
    before = table(tmp_path)
    assert {row.entrant for row in before.entrants} == {"a", "b", "c"}
    more = (replace(GROWN, entrants=(C, D, B)), replace(GROWN, entrants=(entrant("e"), C, D, B)))
    for base, order, added in zip(more, ("cabd", "cabde"), (8, 20), strict=True):
        play_on(tmp_path, base, ("d", "e"), played_by=replace(base, entrants=(A, *base.entrants)))
        with read_ledger(tmp_path) as ledger:
            assert "".join(each.name for each in ledger.entrants()) == order
            assert verify(ledger).differences == ()
            assert ledger.progress().total == done.total + added
    with open_to_amend(tmp_path) as run:
        amend(run, Act.UNDO, ["1"], "it is back", "me")
    with pytest.raises(LedgerError, match="holds another run"):
        open_run(tmp_path, more[1])
    play_on(tmp_path, replace(GROWN, entrants=(entrant("e"), C, A, D, B)))
    with read_ledger(tmp_path) as ledger:
        assert ledger.progress() == (40, 40)


def test_who_was_dropped_may_be_gone_or_come_again_with_another_bot_and_not_with_the_same(
    whole: Path, tmp_path: Path
) -> None:
    """PR-03: nothing was ever planned for it, so nothing that is there changes."""
    broken = entrant("d", "dull")
    base = replace(GROWN, entrants=(broken, A, B, C))
    with open_run(tmp_path, base) as run:
        run.drop("d", "it never started")
        carry_on(run, replace(GROWN, entrants=(A, B, C)))
    assert play_on(tmp_path, replace(GROWN, entrants=(A, B, C)))[-1] == "planned 12/12"
    with read_ledger(tmp_path) as ledger:
        planned = ledger.planned()
        assert next((each.name, each.dropped) for each in ledger.entrants()) == ("d", "it never started")
        assert changed(ledger.settings(), GROWN.settings, "d")
        assert not changed(ledger.settings(), base.settings, "d")
    with pytest.raises(LedgerError, match=r"bots\.d\.params\.style"):
        open_run(tmp_path, GROWN)
    with pytest.raises(LedgerError, match=r"bots\.a\.params\.style"):
        open_run(tmp_path, replace(GROWN, entrants=(D, entrant("a", "dull"), C, B)), ("d", "a"))
    play_on(tmp_path, GROWN, ("d",))
    assert table(tmp_path) == table(whole)
    with read_ledger(tmp_path) as ledger:
        assert ledger.planned()[:12] == planned
        assert [(each.name, each.dropped) for each in ledger.entrants()] == [(name, "") for name in "abcd"]
        assert ledger.settings() == JOINED.settings
        assert verify(ledger).differences == ()


def test_the_order_of_a_run_is_that_in_which_its_entrants_came() -> None:
    assert in_order("abc", "abc") == ["a", "b", "c"]
    assert in_order("abc", "xcbya") == ["a", "b", "c", "x", "y"]
    assert in_order("abcd", "xay") == ["a", "b", "c", "d", "x", "y"]
    assert as_they_came(GROWN.settings, (A, entrant("e"), B, C)) == (C, A, B, entrant("e"))


def test_the_order_in_the_file_of_a_run_that_goes_on_changes_nothing(tmp_path: Path) -> None:
    """Who sits where when two meet: they have met before."""
    play_on(tmp_path, JOINED, stop_after=5)
    play_on(tmp_path, GROWN)
    with read_ledger(tmp_path) as ledger:
        assert ledger.settings() == JOINED.settings
        assert {each.leg.entrants for each in ledger.planned()} == {*combinations("abcd", 2)}
        assert verify(ledger).differences == ()


def test_settings_without_an_entrant_are_those_of_a_run_that_never_had_it() -> None:
    both = replace(SMALL, entrants=(A, Entrant("a+b", (A.players[0], B.players[0])), B, C))
    assert without(both.settings, {"b", "nobody"}) == replace(both, entrants=(*both.entrants[:2], C)).settings
    assert without(both.settings, {"c", "a+b"}) == SMALL.settings


@pytest.mark.parametrize(
    ("base", "new", "named"),
    [
        (GROWN, (), "entrants: "),
        (GROWN, ("c",), "entrants: "),
        (replace(GROWN, entrants=(A, C, D)), ("c", "d"), "entrants: "),
        (replace(GROWN, entrants=(A, entrant("b", "dice"), C)), ("c",), "bots.b.params.style"),
        (replace(GROWN, options={"rounds": 3}), ("c", "d"), "schedule.round_robin.rounds: 2 there, 3 here"),
    ],
)
def test_what_changed_is_named_as_ever_and_nobody_joins(
    tmp_path: Path, base: Setup, new: tuple[str, ...], named: str
) -> None:
    """PR-03, PR-12: who wasn't asked for, who is gone, who changed, and what else did."""
    play_on(tmp_path, SMALL, stop_after=1)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(LedgerError, match="holds another run") as refused:
        open_run(tmp_path, base, new)
    assert named in str(refused.value)
    assert (tmp_path / FILE).read_bytes() == before


def test_who_joins_is_whom_the_run_has_not() -> None:
    assert joining(SMALL.settings, GROWN.entrants) == (C, D)
    assert joining(SMALL.settings, SMALL.entrants) == ()
    assert joining(GROWN.settings, SMALL.entrants) == ()
    assert joining(SMALL.settings, (B, C, A)) == (C,)
    assert joining(SMALL.settings, (C, A)) == ()


def room_for(schedule: Schedule, planned: Sequence[Leg], entrants: Sequence[Entrant], options: Options) -> bool:
    """Whether these may join where that is planned, nobody of whom has left."""
    try:
        refuse_unless_room("it", joinable(schedule), planned, planned, schedule(entrants, options, ()))
    except ScheduleError:
        return False
    return True


TIES = Options({"streams": 1}, Boards(4))


@pytest.mark.parametrize(
    ("schedule", "before", "options"),
    [
        (SWISS, 2, TIES),
        (SWISS, 4, TIES),
        (KNOCKOUT, 3, TIES),
        (MIXER, 4, Options({"rounds": 1, "full": True}, Boards(4))),
    ],
)
def test_what_hangs_on_how_many_take_part_is_not_joined_once_it_is_planned(
    schedule: Schedule, before: int, options: Options
) -> None:
    """Not even where all of it would be planned again: the newcomer would have a bye of a round that was played, or
    take somebody's."""
    everybody = [entrant(name) for name in "abcdefgh"]
    planned = schedule(everybody[:before], options, ())
    assert {*planned} <= {*schedule(everybody[: before + 1], options, ())}
    assert not room_for(schedule, planned, everybody[: before + 1], options)
    assert room_for(schedule, (), everybody[: before + 1], options)


def test_the_first_phase_of_an_adaptive_run_has_room_and_no_later_one() -> None:
    options = Options({"rounds": 8}, Boards(4))
    three, four = ([entrant(name) for name in names] for names in ("abc", "abcd"))
    planned = ADAPTIVE(three, options, ())
    assert room_for(ADAPTIVE, planned, four, options)
    results = [ended(at, leg, level) for at, leg in enumerate(planned, 1)]
    assert not room_for(ADAPTIVE, (*planned, *ADAPTIVE(three, options, results)), four, options)


def test_a_ladder_has_always_room_and_a_schedule_of_others_where_it_keeps_what_was_planned() -> None:
    options = Options({"streams": 1, "most": 1}, Boards(4))
    everybody = [entrant(name) for name in "abcdefgh"]
    _, results = played(LADDER, everybody[:5], options)
    assert room_for(LADDER, [each.leg for each in results], everybody, options)

    def first_two(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
        return (Leg((entrants[0].name, entrants[1].name), 0, 0, round=len(entrants) // 4),)

    for schedule in (first_two, Placed(first_two)):
        planned = schedule(everybody[:2], options, ())
        assert room_for(schedule, planned, everybody[:3], options)
        assert not room_for(schedule, planned, everybody[:4], options)


def test_where_there_is_no_room_the_reason_is_told_be_it_played_or_only_planned() -> None:
    leg = Leg(("a", "c"), 0, 0, 1)
    reasons = {
        Joinable.UNTIL_PLANNED: "it is joined by nobody once its first matches are planned",
        Joinable.WHERE_KEPT: "with more entrants it names at first not all that is planned by now",
    }
    for how, reason in reasons.items():
        with pytest.raises(ScheduleError) as refused:
            refuse_unless_room("it", how, [leg], [leg], [leg._replace(entrants=("a", "b"))])
        assert str(refused.value) == f"schedule: {reason}: choose another folder with --out"


def test_nobody_on_a_ladder_plays_anew_for_a_newcomer_wherever_it_stands_in_the_file() -> None:
    options = Options({"streams": 1, "most": 1}, Boards(4))
    names = [f"n{number:02}" for number in range(20)]
    _, results = played(LADDER, [entrant(name) for name in names], options, by_chance)
    for newcomer in ("a", "n07b", "z"):
        file = [entrant(name) for name in sorted((*names, newcomer))]
        joined = as_they_came(replace(SMALL, entrants=tuple(map(entrant, names))).settings, file)
        found = list(results)
        while batch := LADDER(joined, options, found):
            assert all(leg.entrants[1] == newcomer for leg in batch)
            found += [ended(at, leg, by_chance) for at, leg in enumerate(batch, len(found) + 1)]
        assert len(found) > len(results)


@pytest.mark.parametrize("preset", ["classic", "cutthroat"])
@pytest.mark.parametrize("before", [4, 5, 6])
def test_everybody_against_everybody_has_room_for_more_wherever_they_stand(preset: str, before: int) -> None:
    """At tables of two sides and of four: the order of those who were there is all that must stay."""
    everybody = [entrant(name) for name in "abcdefgh"]
    options = Options({"rounds": 7}, Boards(4), find_rules(preset))
    for number in range(20):
        some = sorted(Random(number).sample(range(8), before))
        planned = round_robin([everybody[at] for at in some], options, ())
        shuffled = Random(number).sample(everybody, 8)
        joined = as_they_came(replace(SMALL, entrants=tuple(everybody[at] for at in some)).settings, shuffled)
        assert room_for(round_robin, planned, joined, options)


def test_a_run_that_is_joined_is_copied_and_moved_as_any_other(tmp_path: Path) -> None:
    play_on(tmp_path / "one", SMALL)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    assert play_on(tmp_path / "two", GROWN, ("c", "d"))[1] == "planned 4/24"
