"""`spades amend` on runs of real processes: what is shown, what is played, and what is refused."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from cli.calling import PATIENCE, SPADES, Answered, ask, gated_bot, heard, shut_gate, spades
from spades_harness.tournament.records.ledger import read_ledger

FILE = (
    "{name: small, seed: 7, format: {boards: 4}, schedule: {round_robin: {rounds: 2}}, entrant_check: play, "
    "bots: [{name: ann, bot: threes}, {name: bob, bot: counter}]}"
)
RUN = ("run", "t.yaml", "--jobs", "1")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the small tournament was run: four matches."""
    folder = tmp_path_factory.mktemp("amended")
    (folder / "t.yaml").write_text(FILE, encoding="utf-8")
    assert spades(*RUN, cwd=folder).returncode == 0
    return folder


@pytest.fixture
def played(small: Path, tmp_path: Path) -> Path:
    """A copy of its run."""
    shutil.copytree(small, tmp_path, dirs_exist_ok=True)
    return tmp_path / "runs" / "small"


def amend(run: Path, *words: str, reason: str = "it rained") -> Answered:
    return ask("amend", str(run), *words, "--reason", reason, "--by", "ben")


def contents(run: Path) -> list[str]:
    """All that the ledger holds."""
    with closing(sqlite3.connect(run / "ledger.sqlite")) as db:
        return list(db.iterdump())


def standings(run: Path, *more: str) -> Answered:
    return ask("standings", str(run), *more)


def test_amendments_are_shown_under_the_standings_and_kept_by_verify_replay_and_the_next_run(played: Path) -> None:
    """RS-13, CL-09: by hand, from the first to the last; times are UTC."""
    before = standings(played).stdout
    done = amend(played, "again", "2", reason="the [power] failed")
    assert (done.returncode, done.stdout.startswith("Amendment 1: match 2 is void and played again: the [power]")) == (
        0,
        True,
    )
    assert done.stderr.startswith("3 of 4 matches played so far: ")
    shown = standings(played)
    assert done.stdout in shown.stdout
    assert "+00:00)\n" in done.stdout
    assert "3 of 4 matches played so far\n" in shown.stderr
    replayed = ask("replay", str(played), "2", "--hand", "1").stdout.splitlines()
    assert replayed[1] == f"It counts for nobody. {done.stdout.strip()}"
    again = spades(*RUN, cwd=played.parents[1])
    assert again.returncode == 0, again.stderr
    assert again.stdout == before.replace("sandbox", done.stdout + "sandbox")
    told = ask("replay", str(played), "2", "--hand", "1").stdout.splitlines()
    assert told[1] == "This is attempt 2 of 2."
    assert told[3:] == [*replayed[2:]][1:]
    old = ask("replay", str(played), "2", "--hand", "1", "--attempt", "1").stdout.splitlines()
    assert old[1:3] == [replayed[1], "This is attempt 1 of 2."]
    missing = ask("replay", str(played), "2", "--attempt", "3")
    assert (missing.returncode, missing.stderr) == (2, "spades: match 2 has no attempt 3: it has 1, 2\n")
    found = ask("verify", str(played))
    assert (found.returncode, "4 of 4 matches played once more, and 1 set aside by amendments" in found.stdout) == (
        0,
        True,
    )
    assert f"The head of the chain of records: {found.stdout.split()[-1]} " in again.stderr


def test_after_the_end_the_new_head_is_told_and_who_is_disqualified_is_ranked_no_more(played: Path) -> None:
    done = amend(played, "disqualify", "ann", reason="cheated")
    head = done.stderr.split()[-1]
    assert done.stderr == f"The head of the chain of records is now: {head}\n"
    assert ask("verify", str(played), "--head", head).returncode == 0
    machine = json.loads(ask("standings", str(played), "--json").stdout)
    assert [row["entrant"] for row in machine["entrants"]] == ["bob"]
    (made,) = machine["amendments"]
    assert made.pop("made").endswith("+00:00")
    assert made == {
        "number": 1, "act": "disqualify", "match": None, "attempt": None, "entrant": "ann", "lifts": None,
        "reason": "cheated", "by": "ben", "planned": 4,
    }  # fmt: skip
    assert "Amendment 1: ann is disqualified: cheated (ben, " in ask("standings", str(played), "--csv").stderr
    found = json.loads(ask("verify", str(played), "--json").stdout)
    assert (found["verified"], found["matches"], found["set_aside"], found["head"]) == (True, 0, 4, head)
    again = spades(*RUN, cwd=played.parents[1])
    assert (again.returncode, f"records: {head} " in again.stderr) == (0, True)


def test_a_head_that_was_told_before_an_amendment_is_known_as_such_and_no_other_is(played: Path) -> None:
    old = ask("verify", str(played)).stdout.split()[-1]
    for number in ("1", "3"):
        amend(played, "void", number)
    found = ask("verify", str(played), "--head", old)
    assert (found.returncode, ": verified: 2 of 2 matches" in found.stdout) == (0, True)
    assert "\nThe head given was the head before amendment 1; but for amendments, all is as it was\n" in found.stdout
    assert json.loads(ask("verify", str(played), "--json", "--head", old).stdout)["head_before_amendment"] == 1
    assert ask("verify", str(played), "--head", old[1:] + "0").returncode == 1
    with closing(sqlite3.connect(played / "ledger.sqlite")) as db, db:
        db.execute("UPDATE match SET duration = duration + 1 WHERE id = 1")
    forged = ask("verify", str(played), "--head", old)
    assert (forged.returncode, "before amendment" in forged.stdout) == (1, False)


def test_where_every_match_is_void_nobody_has_a_rating_and_nothing_breaks(played: Path) -> None:
    """RS-09: nothing is divided by no matches; all of them may yet be played again."""
    done = amend(played, "void", "1", "2", "3", "4")
    assert (done.returncode, done.stdout.count("\n")) == (0, 4)
    found = json.loads(ask("standings", str(played), "--json").stdout, parse_constant=pytest.fail)
    assert [(row["rank"], row["elo"], row["matches"], row["wins"]) for row in found["entrants"]] == [
        (None, None, 0, 0)
    ] * 2
    for words in (["standings"], ["standings", "--crosstable"], ["standings", "--csv"], ["verify"]):
        assert ask(words[0], str(played), *words[1:]).returncode == 0
    assert amend(played, "undo", "1", "2", "3", "4", reason="not so wet").returncode == 0
    assert len(json.loads(ask("standings", str(played), "--json").stdout)["amendments"]) == 8
    assert json.loads(ask("verify", str(played), "--json").stdout)["matches"] == 4


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere", "void", "1", "--reason", "x"], "nowhere: there is no ledger here"),
        (["RUN", "void", "9", "--reason", "x"], "there is no match 9: the plan has 1 to 4"),
        (["RUN", "withdraw", "ane", "--reason", "x"], "the run has no entrant 'ane'; did you mean 'ann'?"),
        (["RUN", "undo", "1", "--reason", "x"], "there is no amendment 1: the run has none"),
        (["RUN", "void", "1"], "Missing option '--reason'; see "),
        (["RUN", "void", "1", "--reason", " "], "--reason: say why"),
        (["RUN", "void", "1", "--reason", "x", "--by", ""], "--by: say who"),
        (["RUN", "void", "--reason", "x"], "Missing argument 'WHAT...'"),
        (["RUN", "burn", "1", "--reason", "x"], "'burn' is not one of"),
    ],
)
def test_what_cannot_be_amended_is_one_line_and_exit_code_2(played: Path, words: list[str], said: str) -> None:
    """CL-05: and the run is left as it is."""
    before = contents(played)
    done = ask("amend", *(str(played) if word == "RUN" else word for word in words))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert said in done.stderr
    assert contents(played) == before


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX's")
def test_a_run_is_not_amended_while_it_goes_on_and_is_killed_and_gone_on_with_after_that(tmp_path: Path) -> None:
    """PR-01, PR-08: killed between an amendment and the replay, which is played once all the same."""
    cwd, played = tmp_path, tmp_path / "runs" / "small"
    gated_bot(cwd, "ann")
    text = FILE.replace("name: ann, bot: threes", "name: ann, bot: ./ann/ann.py")
    (cwd / "t.yaml").write_text(text.replace("format:", "limits: {move: 60, bank: 600}, format:"), encoding="utf-8")
    assert spades(*RUN, cwd=cwd).returncode == 0
    before = standings(played).stdout
    amend(played, "again", "1", "2", "3", "4")
    pipe = subprocess.PIPE
    with (
        shut_gate(cwd, 4) as fifo,
        subprocess.Popen([*SPADES, *RUN], cwd=cwd, stdout=pipe, stderr=pipe, text=True) as call,
    ):
        assert heard(fifo, call)
        busy = amend(played, "void", "1")
        call.kill()
        call.communicate(timeout=PATIENCE)
    assert (busy.returncode, busy.stderr.count("\n")) == (2, 1)
    assert f" is in use by process {call.pid} since " in busy.stderr
    with read_ledger(played) as ledger:
        assert 1 <= ledger.progress().done <= 2
        assert len(ledger.amendments()) == 4
    again = spades(*RUN, cwd=cwd)
    assert again.returncode == 0, again.stderr
    assert again.stdout.replace("".join(f"{each}\n" for each in ledger_amendments(played)), "") == before
    found = json.loads(ask("verify", str(played), "--json").stdout)
    assert (found["verified"], found["matches"], found["set_aside"]) == (True, 4, 4)


def ledger_amendments(run: Path) -> list[str]:
    with read_ledger(run) as ledger:
        return list(map(str, ledger.amendments()))


CUP = """
from spades_harness import hookimpl
from spades_harness.tournament.schedules.knockout import KNOCKOUT


@hookimpl
def spades_register_schedules():
    return {"cup": KNOCKOUT}
"""


@pytest.mark.parametrize("schedule", ["knockout", "cup"])
def test_a_knockout_whose_finalist_is_disqualified_after_the_end_goes_on_from_a_new_secret(
    tmp_path: Path, schedule: str
) -> None:
    """Be it that `amend` can ask the schedule, or only the next run can, since it comes from a plugin's file."""
    plugins = "" if schedule == "knockout" else "plugins: [cup.py], "
    (tmp_path / "cup.py").write_text(CUP, encoding="utf-8")
    (tmp_path / "t.yaml").write_text(
        f"{{name: small, {plugins}format: {{boards: 4}}, schedule: {{{schedule}: {{streams: 1, extra: 0}}}}, "
        "entrant_check: play, bots: [{name: ann, bot: threes}, {name: bob, bot: counter}, {name: cyd, bot: threes}]}",
        encoding="utf-8",
    )
    assert spades(*RUN, cwd=tmp_path).returncode == 0
    run, look = tmp_path / "runs" / "small", ("--plugin", str(tmp_path / "cup.py"))
    with read_ledger(run) as ledger:
        (finalist,) = {*ledger.planned()[-1].leg.entrants} - {"ann"}
    other = {"bob": "cyd", "cyd": "bob"}[finalist]
    done = amend(run, "disqualify", finalist)
    now = standings(run, *look)
    seed = {"bob": 2, "cyd": 3}
    assert f"  {other} ({seed[other]}) goes on: {finalist} ({seed[finalist]}) plays no more\n" in now.stdout
    assert "No winner yet.\n" in now.stdout
    if schedule == "knockout":
        assert done.stderr.splitlines()[0] == (
            "0 of 0 matches played so far: `spades run` with the file of this run goes on with what its schedule names"
            " next, if that is anything"
        )
        assert done.stderr.splitlines()[1].startswith("What is new is dealt from another secret, committed to ")
        assert now.stderr == "0 of 0 matches played so far\n"
    again = spades(*RUN, cwd=tmp_path)
    assert (again.returncode, "\nWinner: " in again.stdout) == (0, True), again.stderr
    assert "was shown" not in again.stdout
    with read_ledger(run) as ledger:
        assert [each.secret for each in ledger.planned()] == [0, 0, 0, 0, 1, 1]
    assert ask("verify", str(run)).returncode == 0
    lifted = amend(run, "undo", "1")
    assert lifted.stderr.startswith("The head of the chain of records is now: ")
    assert f"  {other} (" not in standings(run, *look).stdout.split("final:")[1]
