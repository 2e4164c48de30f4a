"""Entrants that join a run: what was played is kept to the last match, and theirs follow after it."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from spades_harness.game.rules import find_rules
from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.execution.room import room
from spades_harness.tournament.outcome import Leg
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amender import amend
from spades_harness.tournament.records.founding import Setup
from spades_harness.tournament.records.ledger import FILE, RunLedger, open_run, open_to_amend, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError
from spades_harness.tournament.records.verifying import verify
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import Entrant, Options, ScheduleError
from spades_harness.tournament.schedules.growing import (
    changed,
    in_order,
    joining,
    refuse_unless_kept,
    without,
)
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.standings import Standings, standings
from spades_harness.tournament.statistics.rating import elo
from tournament.playing import entrant, play, setup, tournament
from tournament.test_lanes import Heard, HereLane

A, B, C, D = (entrant(name, style) for name, style in (("a", "dice"), ("b", "dull"), ("c", "dice"), ("d", "dice")))
SMALL = replace(setup(A, B, game=Boards(4)), options={"rounds": 2})
"""Four matches: one pairing on two board streams."""
GROWN = replace(SMALL, entrants=(C, A, D, B), text="name: a grown tournament\n")
"""24 matches: six pairings."""


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
    play_on(folder, GROWN)
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
        assert [listed.name for listed in ledger.entrants()] == ["c", "a", "d", "b"]
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
    play_on(tmp_path, replace(SMALL, entrants=(A, D, B)), ("d",))
    play_on(tmp_path, GROWN, ("c",))
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
    for base, order, added in zip(more, ("cadb", "ecadb"), (8, 20), strict=True):
        everybody = {each.name: each for each in (A, *base.entrants)}
        play_on(tmp_path, base, ("d", "e"), played_by=replace(base, entrants=tuple(everybody[name] for name in order)))
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
    broken = entrant("c", "dull")
    base = replace(GROWN, entrants=(broken, A, D, B))
    with open_run(tmp_path, base) as run:
        run.drop("c", "it never started")
        carry_on(run, replace(GROWN, entrants=(A, D, B)))
    assert play_on(tmp_path, replace(GROWN, entrants=(A, D, B)))[-1] == "planned 12/12"
    with read_ledger(tmp_path) as ledger:
        planned = ledger.planned()
        assert next((each.name, each.dropped) for each in ledger.entrants()) == ("c", "it never started")
        assert changed(ledger.settings(), GROWN.settings, "c")
        assert not changed(ledger.settings(), base.settings, "c")
    with pytest.raises(LedgerError, match=r"bots\.c\.params\.style"):
        open_run(tmp_path, GROWN)
    with pytest.raises(LedgerError, match=r"bots\.a\.params\.style"):
        open_run(tmp_path, replace(GROWN, entrants=(C, entrant("a", "dull"), D, B)), ("c", "a"))
    play_on(tmp_path, GROWN, ("c",))
    assert table(tmp_path) == table(whole)
    with read_ledger(tmp_path) as ledger:
        assert ledger.planned()[:12] == planned
        assert [(each.name, each.dropped) for each in ledger.entrants()] == [(name, "") for name in "cadb"]
        assert ledger.settings() == GROWN.settings
        assert verify(ledger).differences == ()


def test_the_order_of_two_in_a_run_never_changes() -> None:
    assert in_order("abc", "abc") == ["a", "b", "c"]
    assert in_order("abc", "xbyc") == ["a", "x", "b", "y", "c"]
    assert in_order("abcd", "xay") == ["x", "a", "b", "c", "d", "y"]


def test_settings_without_an_entrant_are_those_of_a_run_that_never_had_it() -> None:
    both = replace(SMALL, entrants=(A, Entrant("a+b", (A.players[0], B.players[0])), B, C))
    assert without(both.settings, {"b", "nobody"}) == replace(both, entrants=(*both.entrants[:2], C)).settings
    assert without(both.settings, {"c", "a+b"}) == SMALL.settings


@pytest.mark.parametrize(
    ("base", "new", "named"),
    [
        (GROWN, (), "entrants: "),
        (GROWN, ("c",), "entrants: "),
        (replace(GROWN, entrants=(B, A, C)), ("c",), "entrants: "),
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
    assert joining(SMALL.settings, (B, C, A)) == ()


def test_a_schedule_that_would_have_planned_otherwise_has_no_room() -> None:
    options = Options({"rounds": 2}, Boards(4))
    before, after = (round_robin(entrants, options, ()) for entrants in (SMALL.entrants, GROWN.entrants))
    refuse_unless_kept("round_robin", before, after)
    final = Leg(("a", "c"), 0, 0, 1)
    with pytest.raises(ScheduleError, match="schedule: knockout has no room for more entrants once it has begun"):
        refuse_unless_kept("knockout", [final], [final._replace(round=2), final._replace(entrants=("a", "b"))])


@pytest.mark.parametrize("preset", ["classic", "cutthroat"])
@pytest.mark.parametrize("before", [4, 5, 6])
def test_everybody_against_everybody_has_room_for_more_wherever_they_stand(preset: str, before: int) -> None:
    """At tables of two sides and of four: the order of those who were there is all that must stay."""
    everybody = [entrant(name) for name in "abcdefgh"]
    options = Options({"rounds": 7}, Boards(4), find_rules(preset))
    for number in range(20):
        some = sorted(Random(number).sample(range(8), before))
        planned = round_robin([everybody[at] for at in some], options, ())
        refuse_unless_kept("round_robin", planned, round_robin(everybody, options, ()))


def test_a_run_that_is_joined_is_copied_and_moved_as_any_other(tmp_path: Path) -> None:
    play_on(tmp_path / "one", SMALL)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    assert play_on(tmp_path / "two", GROWN, ("c", "d"))[1] == "planned 4/24"
