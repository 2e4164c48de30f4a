"""Entrants that are added to the file of a run that was played: real bots, told and played as a person sees it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.calling import ask, spades, zoo_bot
from spades_harness.tournament.records.ledger import read_ledger

HEAD = "{name: small, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, "
SEED = "seed: 7, "
TWO = "bots: [{name: ann, bot: threes}, {name: bob, bot: counter}]}"
THREE = "bots: [{name: ann, bot: threes}, {name: cat, bot: threes}, {name: bob, bot: counter}]}"


def run(folder: Path, text: str, *words: str) -> tuple[int, str, str]:
    (folder / "t.yaml").write_text(text, encoding="utf-8")
    done = spades("run", "t.yaml", "--jobs", "1", *words, cwd=folder)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two in the folder runs/small, from a public seed."""
    folder = tmp_path_factory.mktemp("joined")
    assert run(folder, HEAD + SEED + TWO)[0] == 0
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_an_entrant_joins_a_finished_run_under_a_new_commitment_and_all_of_it_verifies(tmp_path: Path) -> None:
    code, _, first = run(tmp_path, HEAD + TWO)
    assert code == 0, first
    code, shown, told = run(tmp_path, HEAD + THREE)
    assert code == 0, told
    assert "The run is joined by cat: 2 matches are kept, 4 are added\n" in told
    commitments = [
        line.split()[5] for text in (first, told) for line in text.splitlines() if "are committed to" in line
    ]
    assert len(set(commitments)) == 2
    assert told.index("are committed to") < told.index("/6 matches")
    assert {"ann", "bob", "cat"} <= set(shown.split())
    found = json.loads(ask("verify", str(tmp_path / "runs" / "small"), "--json").stdout)
    assert (found["verified"], found["matches"], found["planned"]) == (True, 6, 6)


def test_what_is_added_for_who_joins_is_counted_before_it_is_played(folder: Path) -> None:
    """By a call that only commits, by the standings, and by who verifies: all alike."""
    code, _, told = run(folder, HEAD + SEED + THREE, "--commit")
    assert code == 0, told
    assert "2 matches are kept, 4 are added\n" in told
    assert "2 of 6 matches are played. To go on: " in told
    assert "2 of 6 matches played so far" in ask("standings", str(folder / "runs" / "small")).stderr
    assert ": verified: 2 of 6 matches" in ask("verify", str(folder / "runs" / "small")).stdout


def test_an_entrant_that_does_not_come_up_does_not_join(folder: Path) -> None:
    before = (folder / "runs/small/ledger.sqlite").read_bytes()
    zoo_bot(folder, "broken", "--exit-at-start")
    broken = TWO.replace("]}", ", {name: cat, bot: ./broken}]}")
    code, shown, told = run(folder, HEAD + SEED + "entrant_check: refuse, " + broken)
    assert (code, shown) == (2, "")
    assert "nothing was played (entrant_check: refuse)" in told
    assert (folder / "runs/small/ledger.sqlite").read_bytes() == before


def test_who_joins_an_exam_meets_the_field_that_is_left_when_one_of_it_was_disqualified_and_left_the_file(
    tmp_path: Path,
) -> None:
    exam = HEAD.replace(
        "round_robin: {rounds: 1}", "gauntlet: {rounds: 1, field: [bob, eve], points: {bob: 1, eve: 4}}"
    )
    eve = THREE.replace("{name: cat", "{name: eve, plugin: threes, params: {bid: 6}, in_process: true}, {name: cat")
    assert run(tmp_path, exam + SEED + eve.replace("{name: cat, bot: threes}, ", ""))[0] == 0
    assert ask("amend", str(tmp_path / "runs/small"), "disqualify", "eve", "--reason", "broken").returncode == 0
    code, shown, told = run(tmp_path, exam + SEED + THREE)
    assert code == 0, told
    assert "The run is joined by cat: 2 matches are kept, 2 are added\n" in told
    assert sorted(line.split()[:4] for line in shown.splitlines() if " of 1 " in line) == [
        ["ann", "0", "of", "1"],
        ["cat", "0", "of", "1"],
    ]
    assert "Elo counts from bob." in shown


def test_who_was_dropped_joins_when_its_bot_was_mended(folder: Path) -> None:
    cat = zoo_bot(folder, "broken", "--exit-at-start") / "bot.yaml"
    text = HEAD + SEED + "entrant_check: drop, " + TWO.replace("]}", ", {name: cat, bot: ./broken}]}")
    code, shown, told = run(folder, text)
    assert code == 1, told
    why = "exited with code 4 before it was ready: the weights are missing"
    assert f"\ncat takes no part: {why}\n" in shown
    again = run(folder, text)
    assert (again[0], "joined" in again[2]) == (1, False)
    assert again[2].splitlines()[-1] == "spades: cat took no part"
    (folder / "broken" / "notes.txt").write_text("what have I done?", encoding="utf-8")
    assert "Nobody joins the run: 2 matches are kept\n" in run(folder, text)[2]
    cat.write_text(cat.read_text(encoding="utf-8").replace(', "--exit-at-start"', ""), encoding="utf-8")
    code, shown, told = run(folder, text)
    assert code == 0, told
    assert "The run is joined by cat: 2 matches are kept, 4 are added\n" in told
    assert "takes no part" not in shown
    found = json.loads(ask("verify", str(folder / "runs" / "small"), "--json").stdout)
    assert (found["verified"], found["matches"], found["planned"]) == (True, 6, 6)


@pytest.mark.parametrize("schedule", ["ladder: {streams: 1, most: 1}", "knockout: {streams: 1}"])
def test_who_does_not_come_up_keeps_no_run_from_going_on_be_there_room_or_not(tmp_path: Path, schedule: str) -> None:
    head = HEAD.replace("round_robin: {rounds: 1}", schedule) + SEED + "entrant_check: drop, "
    assert run(tmp_path, head + TWO)[0] == 0
    zoo_bot(tmp_path, "broken", "--exit-at-start")
    code, _, told = run(tmp_path, head + TWO.replace("]}", ", {name: cat, bot: ./broken}]}"))
    assert code == 1, told
    assert "Nobody joins the run: 2 matches are kept\n" in told
    assert told.splitlines()[-1] == "spades: cat took no part"


@pytest.mark.parametrize("schedule", ["knockout: {streams: 1}", "swiss: {rounds: 1, streams: 1}"])
def test_who_comes_after_the_first_matches_were_planned_is_late(tmp_path: Path, schedule: str) -> None:
    """Also where all that was planned would be planned again: the newcomer would have the bye of a round gone by."""
    head = HEAD.replace("round_robin: {rounds: 1}", schedule) + SEED
    assert run(tmp_path, head + TWO)[0] == 0
    before = (tmp_path / "runs/small/ledger.sqlite").read_bytes()
    code, shown, told = run(tmp_path, head + TWO.replace("]}", ", {name: cat, bot: threes}]}"))
    assert (code, shown) == (2, "")
    name, _, _ = schedule.partition(":")
    why = f"{name} is joined by nobody once its first matches are planned"
    assert told == f"spades: schedule: {why}: choose another folder with --out\n"
    assert (tmp_path / "runs/small/ledger.sqlite").read_bytes() == before


def test_the_bye_of_a_knockout_is_nobodys_when_its_first_tie_was_planned(tmp_path: Path) -> None:
    head = HEAD.replace("round_robin: {rounds: 1}", "knockout: {streams: 1}") + SEED
    assert run(tmp_path, head + THREE, "--commit")[0] == 0
    code, _, told = run(tmp_path, head + THREE.replace("]}", ", {name: dan, bot: threes}]}"))
    assert (code, "joined by nobody once its first matches are planned" in told) == (2, True), told


def test_a_knockout_that_waits_for_its_salt_is_joined(tmp_path: Path) -> None:
    """Nothing is planned before it has come."""
    head = HEAD.replace("round_robin: {rounds: 1}", "knockout: {streams: 1}") + "salt: required, "
    assert run(tmp_path, head + TWO)[0] == 2
    code, _, told = run(tmp_path, head + THREE, "--salt", "04 11 23 31 40 46")
    assert code == 0, told
    assert "The run is joined by cat: 0 matches are kept, theirs follow\n" in told
    found = json.loads(ask("verify", str(tmp_path / "runs" / "small"), "--json").stdout)
    assert (found["verified"], found["matches"], found["planned"]) == (True, 4, 4)


def challenges(folder: Path) -> list[tuple[str, ...]]:
    """Who met whom in a run of a ladder, one line a challenge."""
    with read_ledger(folder / "runs" / "small") as ledger:
        return [each.leg.entrants for each in ledger.planned() if each.leg.leg == 0]


def test_who_comes_first_in_the_alphabet_of_a_folder_comes_to_the_ladder_after_those_who_stand(tmp_path: Path) -> None:
    """Time and again; resumed, shown and verified in the same order."""
    head = HEAD.replace("round_robin: {rounds: 1}", "ladder: {streams: 1, most: 1}")
    text = head + SEED + "bots: {folder: handed-in}}"
    (tmp_path / "handed-in").mkdir()
    for name in ("max", "zoe"):
        zoo_bot(tmp_path / "handed-in", name)
    assert run(tmp_path, text)[0] == 0
    assert challenges(tmp_path) == [("max", "zoe")]
    zoo_bot(tmp_path / "handed-in", "anna")
    code, shown, told = run(tmp_path, text)
    assert code == 0, told
    assert "The run is joined by anna: 2 matches are kept, theirs follow\nEntrants stand in the order in which" in told
    assert challenges(tmp_path) == [("max", "zoe"), ("zoe", "anna")]
    assert [line.split()[1] for line in shown.splitlines() if line[:4].strip().isdigit()] == ["max", "zoe", "anna"]
    assert run(tmp_path, text)[1] == ask("standings", str(tmp_path / "runs/small")).stdout == shown
    zoo_bot(tmp_path / "handed-in", "bob")
    code, _, told = run(tmp_path, text, "--commit")
    assert "The run is joined by bob: 4 matches are kept, theirs follow\n" in told
    assert run(tmp_path, text)[0] == 0
    assert {challenge[1] for challenge in challenges(tmp_path)[2:]} == {"bob"}
    found = json.loads(ask("verify", str(tmp_path / "runs" / "small"), "--json").stdout)
    assert found["verified"]
    assert challenges(tmp_path)[:2] == [("max", "zoe"), ("zoe", "anna")]


def test_another_order_in_the_file_is_no_other_run_and_is_told(folder: Path) -> None:
    text = "bots: [{name: bob, bot: counter}, {name: ann, bot: threes}]}"
    code, shown, told = run(folder, HEAD + SEED + text)
    assert code == 0, told
    assert "that of the file counts for a new run without --reuse\n" in told
    assert shown == ask("standings", str(folder / "runs/small")).stdout
    assert "order" not in run(folder, HEAD + SEED + TWO)[2]


@pytest.mark.parametrize("text", [TWO.replace("counter", "threes"), THREE.replace("counter", "threes")])
def test_a_bot_that_changed_is_named_whoever_joins(folder: Path, text: str) -> None:
    """PR-03."""
    code, shown, told = run(folder, HEAD + SEED + text)
    assert (code, shown) == (2, "")
    assert "holds another run" in told
    assert "bots.bob." in told
    assert "joined" not in told
