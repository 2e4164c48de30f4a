"""A run that is amended: what counts then, what is played then, and that all of it stays on record."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.errors import UserError
from spades_harness.game.score import Boards
from spades_harness.tournament.execution.lanes import Lanes
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amender import LONGEST, amend
from spades_harness.tournament.records.amending import Amendment, Subject, amended, in_force
from spades_harness.tournament.records.ledger import FILE, Ledger, RunLedger, open_run, open_to_amend, read_ledger
from spades_harness.tournament.records.lock import LockedError
from spades_harness.tournament.records.verifying import Verified, verify
from spades_harness.tournament.runner import play_out
from spades_harness.tournament.schedule import Entrant, Options
from spades_harness.tournament.standings import Standings, standings
from spades_harness.tournament.statistics.meeting import meetings
from spades_harness.tournament.statistics.order import Decided
from spades_harness.tournament.statistics.rating import elo
from spades_harness.tournament.statistics.sprt import FEWEST, Sprt
from spades_harness.tournament.statistics.stopping import looked_at
from tournament.playing import FIELD, play, tournament
from tournament.test_lanes import Heard, HereLane, run_here
from tournament.test_sprt import DUEL

RATINGS = {"elo": elo}


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The field's run of twelve matches, all played; a, b and c meet on two board streams."""
    folder = tmp_path_factory.mktemp("finished")
    with open_run(folder, FIELD) as run:
        run_here(run)
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copy(finished / FILE, tmp_path / FILE)
    return tmp_path


def do(folder: Path, act: Act, *named: str, reason: str = "it rained") -> tuple[Amendment, ...]:
    with open_to_amend(folder) as run:
        return amend(run, act, named, reason, "me")


def table(folder: Path) -> Standings:
    with read_ledger(folder) as ledger:
        return standings(ledger.ranked(), ledger.outcomes(), ledger.run.terms.format, RATINGS)


def table_without(folder: Path, counts: Callable[[Outcome], bool], *names: str) -> Standings:
    """The standings of these entrants on what counts of a run that nobody amended."""
    with read_ledger(folder) as ledger:
        return standings(names or ledger.ranked(), filter(counts, ledger.outcomes()), FIELD.format, RATINGS)


def go_on(folder: Path) -> list[str]:
    """What a run that is gone on with tells of its matches."""
    with open_run(folder, FIELD) as run:
        return run_here(run).lines


def verified(folder: Path) -> Verified:
    with read_ledger(folder) as ledger:
        found = verify(ledger)
        assert found.outcomes == ledger.outcomes()
    assert found.differences == ()
    return found


def head(folder: Path) -> str | None:
    with read_ledger(folder) as ledger:
        return ledger.run.head


# --------------------------------------------------------------------------------------------------------- what counts


def test_the_standings_of_a_void_match_are_those_of_a_run_that_never_had_it(finished: Path, folder: Path) -> None:
    """RS-13: a pure function of the results that count; the record stays, and nothing is played again."""
    do(folder, Act.VOID, "2", "3", "2")
    assert table(folder) == table_without(finished, lambda outcome: outcome.ordinal not in {2, 3})
    assert table(folder) != table(finished)
    assert go_on(folder) == ["planned 10/10"]
    with read_ledger(folder) as ledger, read_ledger(finished) as before:
        assert ledger.match(2) == before.match(2)
    found = verified(folder)
    assert (found.matches, found.aside, found.void, found.planned) == (10, 2, 0, 10)


def test_a_match_that_is_played_again_counts_once_and_its_old_record_stays(finished: Path, folder: Path) -> None:
    """RS-13, PR-01: the same identity and cards, the next attempt."""
    do(folder, Act.AGAIN, "5")
    assert table(folder) == table_without(finished, lambda outcome: outcome.ordinal != 5)
    assert go_on(folder) == ["planned 11/12", "played 5: 12/12"]
    assert table(folder) == table(finished)
    with read_ledger(folder) as ledger:
        first, second = (ledger.match(5, attempt) for attempt in (1, 2))
        assert ledger.match(5) == second == replace(first, attempt=2)
        assert [(each.attempt, each.result) for each in ledger.tried()[5]] == [(1, True), (2, True)]
    assert verified(folder).aside == 1


def test_who_withdraws_keeps_its_results_and_plays_no_more(finished: Path, tmp_path: Path) -> None:
    with open_run(tmp_path, FIELD) as run, suppress(KeyboardInterrupt):
        run_here(run, heard=Heard(stop_after=4))
    do(tmp_path, Act.WITHDRAW, "a")
    lines = go_on(tmp_path)
    with read_ledger(finished) as ledger:
        plan = ledger.planned()
    of_a = {each.ordinal for each in plan if "a" in each.leg.entrants}
    kept = {1, 2, 3, 4} | ({*range(1, 13)} - of_a)
    assert lines[0] == f"planned 4/{len(kept)}"
    assert [int(line.split()[1][:-1]) for line in lines[1:]] == sorted(kept - {1, 2, 3, 4})
    assert table(tmp_path) == table_without(finished, lambda outcome: outcome.ordinal in kept)
    assert {row.entrant for row in table(tmp_path).entrants} == {"a", "b", "c"}
    assert verified(tmp_path).head


def test_who_is_disqualified_leaves_the_ranking_and_its_matches_count_for_nobody(finished: Path, folder: Path) -> None:
    """RS-13: nothing of the score is left with the others."""
    do(folder, Act.DISQUALIFY, "c")
    assert table(folder) == table_without(finished, lambda outcome: "c" not in outcome.leg.entrants, "a", "b")
    assert [row.entrant for row in table(folder).entrants if row.matches == 4] == [
        row.entrant for row in table(folder).entrants
    ]
    assert go_on(folder) == ["planned 4/4"]
    assert verified(folder).aside == 8


@pytest.mark.parametrize(
    ("act", "named"), [(Act.VOID, "1"), (Act.AGAIN, "1"), (Act.WITHDRAW, "b"), (Act.DISQUALIFY, "b")]
)
def test_what_is_lifted_is_as_if_it_had_never_been_but_for_the_record(
    finished: Path, folder: Path, act: Act, named: str
) -> None:
    do(folder, act, named)
    made = do(folder, Act.UNDO, "1", reason="a mistake")
    assert table(folder) == table(finished)
    with read_ledger(folder) as ledger:
        assert ledger.amendments()[1:] == made
        assert [each.act for each in ledger.amendments()] == [act, Act.UNDO]
    assert go_on(folder) == ["planned 12/12"]
    verified(folder)


def test_amendments_are_told_with_what_why_who_and_when(folder: Path) -> None:
    (void,) = do(folder, Act.VOID, "7", reason=" two  words\n\x00")
    assert str(void) == f"Amendment 1: match 7 is void: two words � (me, {void.made})"
    assert void.made.endswith("+00:00")
    lines = [str(each).split(" (")[0] for each in (*do(folder, Act.DISQUALIFY, "a", "c"), *do(folder, Act.UNDO, "2"))]
    assert lines == [
        "Amendment 2: a is disqualified: it rained",
        "Amendment 3: c is disqualified: it rained",
        "Amendment 4: amendment 2 is lifted: it rained",
    ]


def test_what_amendments_come_to_does_not_hang_on_their_order() -> None:
    subjects = [
        (Act.AGAIN, Subject(1, 1)), (Act.VOID, Subject(1, 2)), (Act.WITHDRAW, Subject(entrant="a")),
        (Act.DISQUALIFY, Subject(entrant="b")), (Act.VOID, Subject(2, 1)), (Act.UNDO, Subject(lifts=5)),
    ]  # fmt: skip
    made = [
        Amendment(number, act, *subject, "why", "who", "when", 4) for number, (act, subject) in enumerate(subjects, 1)
    ]
    found = amended(made)
    assert found == amended(reversed(made))
    assert [each.number for each in in_force(made)] == [1, 2, 3, 4]
    a, b, c = (Leg(names, 0, 0, 1) for names in (("a", "c"), ("b", "c"), ("c", "d")))
    assert [found.against(c, 1, attempt) for attempt in (1, 2, 3)] == [1, 2, None]
    assert [found.against(leg, 9, 1) for leg in (a, b, c)] == [None, 4, None]
    assert [(found.is_off(leg, 9), found.is_off(leg, 1)) for leg in (a, b, c)] == [
        (True, True),
        (True, True),
        (False, True),
    ]
    assert not found.is_off(c, 2)


# ----------------------------------------------------------------------------------------------------------- the chain


@pytest.mark.parametrize(("act", "named"), [(Act.VOID, "1"), (Act.WITHDRAW, "b"), (Act.DISQUALIFY, "b")])
def test_an_amendment_after_the_end_seals_the_chain_anew(finished: Path, folder: Path, act: Act, named: str) -> None:
    do(folder, act, named)
    found = verified(folder)
    assert found.head
    assert found.head != head(finished)
    with read_ledger(folder) as ledger, read_ledger(finished) as before:
        against_old = verify(ledger, head(finished))
        assert (against_old.differences, against_old.before) == ((), 1)
        forged = found.head[::-1]
        assert [(each.column, each.right) for each in verify(ledger, forged).differences] == [("head", forged)]
        assert ledger.run.finished == before.run.finished
        assert ledger.sessions() == before.sessions()


def test_a_run_with_a_match_to_play_again_is_finished_no_more_until_that_is_played(folder: Path) -> None:
    do(folder, Act.AGAIN, "3")
    assert verified(folder).head is None
    with read_ledger(folder) as ledger:
        assert ledger.run.finished is None
        assert ledger.progress() == (11, 12)
    go_on(folder)
    assert verified(folder).head
    assert head(folder) == verified(folder).head


def test_a_run_that_is_stopped_between_an_amendment_and_the_replay_goes_on_with_it(
    finished: Path, folder: Path
) -> None:
    """PR-01, PR-08: nothing that was amended is forgotten, and nothing is played twice."""
    do(folder, Act.AGAIN, "1", "8", "12")
    do(folder, Act.VOID, "2")
    for stop in (1, 1):
        with open_run(folder, FIELD) as run, suppress(KeyboardInterrupt):
            run_here(run, heard=Heard(stop_after=stop))
    assert go_on(folder) == ["planned 10/11", "played 12: 11/11"]
    assert go_on(folder) == ["planned 11/11"]
    assert table(folder) == table_without(finished, lambda outcome: outcome.ordinal != 2)
    assert verified(folder).aside == 4


def test_a_match_that_was_played_again_has_no_third_result(folder: Path) -> None:
    do(folder, Act.AGAIN, "5")
    go_on(folder)
    with open_run(folder, FIELD) as run:
        record = run.match(5)
        with pytest.raises(Exception, match="the match has a result"):
            run.record(replace(record, attempt=3))


# ------------------------------------------------------------------------------------- schedules, and the rule to stop


def ladder(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome]) -> tuple[Leg, ...]:
    """Three rounds; who scored more than the other, who forfeited counting as nothing, meets the third in the next."""
    if len(results) == 6:
        return ()
    names = [entrant.name for entrant in entrants]
    if not results:
        pair = (names[0], names[1])
    else:
        last = results[-2:]
        scored = [sum(-9999 if each.forfeited[n] else each.scores[n] for each in last) for n in (0, 1)]
        winner = last[0].leg.entrants[scored.index(max(scored))]
        pair = (winner, next(name for name in names if name not in last[0].leg.entrants))
    stream = len(results) // 2
    return tuple(Leg(pair, stream, leg, stream + 1) for leg in (0, 1))


def climb(folder: Path, stop_after: int = 1_000_000) -> list[tuple[str, ...]]:
    """The pairings of a ladder as far as it got."""
    with open_run(folder, FIELD) as run:
        with suppress(KeyboardInterrupt):
            run_here(run, schedule=ladder, heard=Heard(stop_after=stop_after))
        return [each.leg.entrants for each in run.planned()[::2]]


def test_what_was_planned_on_a_result_stays_planned_when_that_is_void(tmp_path: Path) -> None:
    pairs = climb(tmp_path, stop_after=3)
    assert len(pairs) == 2
    do(tmp_path, Act.VOID, "1", "2")
    assert climb(tmp_path)[:2] == pairs
    assert verified(tmp_path).head
    assert len(climb(tmp_path)) == 3


def test_a_schedule_sees_the_forfeits_of_who_plays_no_more(tmp_path: Path) -> None:
    """What is left of the second round is not played: who didn't withdraw meets who sat out."""
    first, second = climb(tmp_path, stop_after=3)
    do(tmp_path, Act.WITHDRAW, second[0])
    pairs = climb(tmp_path)
    assert pairs[:2] == [first, second]
    assert pairs[2][0] == second[1]
    with read_ledger(tmp_path) as ledger:
        assert {outcome.ordinal for outcome in ledger.outcomes()} == {1, 2, 3, 5, 6}
        assert not ledger.missing()


def test_a_rule_to_stop_decides_on_what_counts_and_has_more_played_where_that_is_too_little(tmp_path: Path) -> None:
    base = replace(DUEL, format=Boards(4), stop=Sprt(0, 400))

    def on() -> int:
        with open_run(tmp_path, base) as run, Lanes(play, 1, HereLane) as lanes:
            assert not play_out(replace(tournament(base, run), stop=base.stop), run, lanes, Heard())
            assert run.run.head
            return sum(meeting.complete for meeting in meetings(run.outcomes()))

    assert on() == FEWEST
    do(tmp_path, Act.VOID, "1", "3", "6")
    assert on() == FEWEST
    with read_ledger(tmp_path) as ledger:
        assert ledger.progress().done == 2 * (FEWEST + 3) - 3
    do(tmp_path, Act.DISQUALIFY, "a")
    assert on() == 0


def test_a_rule_to_stop_is_about_the_ranks_of_who_is_ranked() -> None:
    assert looked_at(Decided(0.95), ["a", "b", "c"], {"b"}) == ("a", "c")
    assert looked_at(Sprt(), ["a", "b"], {"b"}) == ("a", "b")


# ------------------------------------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("act", "named", "why"),
    [
        (Act.VOID, ["1", "99"], "there is no match 99: the plan has 1 to 12"),
        (Act.VOID, ["0"], "there is no match 0"),
        (Act.AGAIN, ["one"], "'one' is no match's number"),
        (Act.AGAIN, ["9" * 5000], "is no match's number"),
        (Act.VOID, ["2"], "match 2 is void already, by amendment 1"),
        (Act.AGAIN, ["2"], "match 2 is void already, by amendment 1"),
        (Act.VOID, ["3"], "match 3 is to be played again already, by amendment 2 (undo 2, then void)"),
        (Act.AGAIN, ["3"], "match 3 is to be played again already, by amendment 2"),
        (Act.AGAIN, ["6"], "match 6 can't be played again: c plays no more, by amendment 3"),
        (Act.WITHDRAW, ["ann"], "the run has no entrant 'ann'; it has a, b, c"),
        (Act.WITHDRAW, ["a", "A"], "the run has no entrant 'A'"),
        (Act.WITHDRAW, ["c"], "c has withdrawn already, by amendment 3"),
        (Act.UNDO, ["9"], "there is no amendment 9: the run has 1 to 5"),
        (Act.UNDO, ["5"], "amendment 5 lifts another and can't be lifted itself"),
        (Act.UNDO, ["4"], "amendment 4 is lifted already"),
        (Act.UNDO, ["c"], "'c' is no amendment's number"),
    ],
)
def test_what_cannot_be_amended_is_one_line_and_nothing_is_changed(
    folder: Path, act: Act, named: list[str], why: str
) -> None:
    do(folder, Act.VOID, "2")
    do(folder, Act.AGAIN, "3")
    do(folder, Act.WITHDRAW, "c")
    do(folder, Act.DISQUALIFY, "b")
    do(folder, Act.UNDO, "4")
    with read_ledger(folder) as ledger:
        before = ledger.foundation()
    with pytest.raises(UserError) as refused:
        do(folder, act, *named)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)
    with read_ledger(folder) as ledger:
        assert ledger.foundation() == before


@pytest.mark.parametrize("option", ["reason", "by"])
def test_a_reason_and_a_name_are_as_long_as_a_line_may_be(folder: Path, option: str) -> None:
    said = {"reason": "it rained", "by": "me"}
    with open_to_amend(folder) as run:
        with pytest.raises(UserError) as refused:
            amend(run, Act.VOID, ["1"], **said | {option: "x" * (LONGEST + 1)})
        assert str(refused.value) == f"--{option}: must be 200 characters or fewer, and has 201"
        assert run.amendments() == ()
        (made,) = amend(run, Act.VOID, ["1"], **said | {option: "x" * LONGEST})
    assert getattr(made, option) == "x" * LONGEST


def test_a_replay_that_was_played_is_amended_by_its_own_result(folder: Path) -> None:
    do(folder, Act.AGAIN, "3")
    go_on(folder)
    with pytest.raises(UserError, match="amendment 1 can't be lifted: match 3 was played again"):
        do(folder, Act.UNDO, "1")
    (void,) = do(folder, Act.VOID, "3")
    assert void.subject == Subject(match=3, attempt=2)
    do(folder, Act.UNDO, "2")
    assert verified(folder).aside == 1


@pytest.mark.parametrize(
    ("reason", "by", "why"), [("", "me", "--reason"), (" \n", "me", "--reason"), ("x", "", "--by")]
)
def test_an_amendment_says_why_and_who(folder: Path, reason: str, by: str, why: str) -> None:
    with open_to_amend(folder) as run:
        with pytest.raises(UserError, match=why):
            amend(run, Act.VOID, ["1"], reason, by)
        assert not run.amendments()


def test_a_match_that_is_not_played_yet_and_a_run_that_goes_on_are_not_amended(tmp_path: Path) -> None:
    with open_run(tmp_path, FIELD) as run:
        with suppress(KeyboardInterrupt):
            run_here(run, heard=Heard(stop_after=2))
        with pytest.raises(LockedError, match="is in use by process"):
            do(tmp_path, Act.VOID, "1")
    with pytest.raises(UserError, match="match 3 has no result: it has not been played yet"):
        do(tmp_path, Act.VOID, "3")
    do(tmp_path, Act.VOID, "1")
    assert head(tmp_path) is None


@pytest.mark.parametrize("content", [None, b"", b"x" * 5000])
def test_what_is_no_run_is_not_amended_and_left_as_it_is(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / FILE).write_bytes(content)
    with pytest.raises(UserError):
        open_to_amend(tmp_path)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == (
        [] if content is None else [(FILE, content)]
    )


def test_the_record_of_amendments_is_read_as_a_ledger_is(folder: Path) -> None:
    do(folder, Act.VOID, "1")
    with read_ledger(folder) as ledger, open_run(folder, FIELD) as run:
        assert isinstance(run, RunLedger)
        assert isinstance(ledger, Ledger)
        assert ledger.amendments() == run.amendments()
