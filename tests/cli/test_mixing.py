"""Runs in which partners change, with bots that are processes: from the plan to the cross-play, killed on the way."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from cli.calling import PATIENCE, SPADES, ask, gated_bot, heard, shut_gate, spades, zoo_bot
from spades_harness.bundled import bundled
from spades_harness.tournament.records.ledger import read_ledger

IN = "plugin: threes, in_process: true, params"
BOTS = (
    f"bots: [{{name: ann, {IN}: {{bid: 3}}}}, {{name: bob, {IN}: {{bid: 4}}}}, {{name: cat, bot: threes}},"
    f" {{name: dan, {IN}: {{bid: 2}}}}"
)
HEAD = "{name: mixed, seed: 7, format: {boards: 4}, "
MIXER = "schedule: {mixer: {rounds: 4, self_play: true}}, "


def write(folder: Path, text: str) -> None:
    (folder / "t.yaml").write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a run of four bots was played; one that is at fault joins no self-play."""
    cwd = tmp_path_factory.mktemp("mixing")
    gated_bot(cwd, "cat")
    bots = BOTS.replace("name: cat, bot: threes", "name: cat, bot: ./cat/cat.py")
    write(cwd, HEAD + MIXER + "entrant_check: play, limits: {move: 60, bank: 600}, " + bots + "]}")
    done = spades("run", "t.yaml", "--jobs", "2", "--events", "events.log", cwd=cwd)
    assert done.returncode == 0, done.stderr
    assert "each two are partners once and opponents twice" in done.stderr
    assert "as a partner ± 95 %" in done.stdout
    assert "The best partner so far is " in done.stdout
    assert "who goes with whom: spades standings runs/mixed --crossplay\n" in done.stderr.replace("\\", "/")
    return cwd


def test_the_plan_and_the_dry_run_say_how_even_it_is(mixed: Path) -> None:
    shown = spades("run", "t.yaml", "--dry-run", cwd=mixed).stdout
    assert "faults: replace" in shown
    assert "10 matches\neach two are partners once and opponents twice\n" in shown
    assert "ann + ann against dan + dan" in shown


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX's")
def test_a_run_that_was_killed_comes_to_the_same_standings_and_verifies(mixed: Path) -> None:
    whole = ask("standings", str(mixed / "runs" / "mixed"), "--json").stdout
    words = [*SPADES, "run", "t.yaml", "--jobs", "2", "--out", "killed"]
    pipe = subprocess.PIPE
    with (
        shut_gate(mixed, 4) as fifo,
        subprocess.Popen(words, cwd=mixed, stdout=pipe, stderr=pipe, text=True) as call,
    ):
        assert heard(fifo, call)
        call.kill()
        call.communicate(timeout=PATIENCE)
    with read_ledger(mixed / "killed") as ledger:
        assert 0 < ledger.progress().done < 10
    assert spades("run", "t.yaml", "--out", "killed", cwd=mixed).returncode == 0
    assert ask("standings", str(mixed / "killed"), "--json").stdout == whole
    found = json.loads(ask("verify", str(mixed / "killed"), "--json").stdout)
    assert (found["verified"], found["matches"], found["differences"]) == (True, 10, [])


def test_all_who_look_at_a_run_know_who_sat_beside_whom(mixed: Path) -> None:
    events = [json.loads(line) for line in (mixed / "events.log").read_text(encoding="utf-8").splitlines()]
    played = [each for each in events if each["event"] == "match_played"]
    assert len(played) == 10
    told = ask("replay", str(mixed / "runs" / "mixed"), "5", "--hand", "1").stdout.splitlines()[0]
    fifth = next(each for each in played if each["match"] == 5)
    assert (
        " against ".join(f"{side} ({name})" for side, name in zip(fifth["entrants"], ("NS", "EW"), strict=True)) in told
    )
    rows = [*csv.DictReader(io.StringIO(ask("export", str(mixed / "runs" / "mixed"), "--of", "matches").stdout))]
    assert [rows[4][f"entrant_{side}"] for side in ("NS", "EW")] == fifth["entrants"]
    assert " + ".join((rows[4]["bot_N"], rows[4]["bot_S"])) == fifth["entrants"][0]
    decisions = [*csv.DictReader(io.StringIO(ask("export", str(mixed / "runs" / "mixed"), "--of", "decisions").stdout))]
    assert {each["entrant"] for each in decisions} == {"ann", "bob", "cat", "dan"}
    assert all(each["entrant"] == each["bot"] for each in decisions)
    assert "×" in ask("standings", str(mixed / "runs" / "mixed"), "--crosstable").stdout


def test_cross_play_is_shown_for_people_and_for_machines(mixed: Path) -> None:
    shown = ask("standings", str(mixed / "runs" / "mixed"), "--crossplay").stdout
    assert "A row beside each column as its partner" in shown
    assert all(title in shown for title in ("beside itself", "beside others", "difference", "understands itself"))
    found = json.loads(ask("standings", str(mixed / "runs" / "mixed"), "--crossplay", "--json").stdout)
    assert len(found["cells"]) == 4 * 3 + 4
    assert [each["entrant"] for each in found["own"]] == found["entrants"]
    rows = [
        *csv.DictReader(io.StringIO(ask("standings", str(mixed / "runs" / "mixed"), "--crossplay", "--csv").stdout))
    ]
    assert [{**each, "points_per_hand": float(each["points_per_hand"])} for each in rows] == [
        {
            name: "" if value is None else value if isinstance(value, str | float) else str(value)
            for name, value in each.items()
        }
        for each in found["cells"]
    ]


def test_a_bot_at_fault_is_replaced_and_alone_has_lost(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "odd", "--crash-at", "9")
    write(
        tmp_path, HEAD + "entrant_check: play, schedule: {mixer: {rounds: 5}}, " + BOTS + ", {name: odd, bot: ./odd}]}"
    )
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (
        "8 matches with a substitute, and the other legs on their cards, are losses of the bots at fault" in done.stdout
    )
    found = {
        row["entrant"]: row
        for row in json.loads(ask("standings", str(tmp_path / "runs" / "mixed"), "--json").stdout)["entrants"]
    }
    assert (found["odd"]["losses"], found["odd"]["forfeits"], found["odd"]["points_per_hand"]) == (4, 8, None)
    assert all(
        found[name]["losses"] + found[name]["wins"] + found[name]["draws"] <= 1 for name in found if name != "odd"
    )
    with read_ledger(tmp_path / "runs" / "mixed") as ledger:
        assert {each.hands for each in ledger.outcomes()} == {0, 4}
        assert {ledger.match(each.ordinal).result.hands for each in ledger.outcomes()} == {4}  # type: ignore[union-attr]
    assert ask("verify", str(tmp_path / "runs" / "mixed")).returncode == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "faults: forfeit, ",
            "t.yaml:1:102: faults: must be replace: in a mixer partners change, and none may pay for",
        ),
        ("faults: {substitute: 3}, ", "another's fault; leave it out"),
        ("rules: cutthroat, ", "take round_robin"),
        (
            "entrants: [ann, {name: duo, pair: [bob, cat]}, cat, dan], ",
            "mixer makes the pairs itself, and 'duo' is one",
        ),
    ],
)
def test_what_does_not_go_with_it_is_said_in_one_line(tmp_path: Path, text: str, why: str) -> None:
    write(tmp_path, HEAD + MIXER + text + BOTS + "]}")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_cross_play_of_a_run_without_partners_who_change_is_refused(tmp_path: Path) -> None:
    write(
        tmp_path, HEAD + "schedule: {round_robin: {rounds: 1}}, bots: [{name: a, bot: threes}, {name: b, bot: threes}]}"
    )
    assert spades("run", "t.yaml", cwd=tmp_path).returncode == 0
    done = ask("standings", str(tmp_path / "runs" / "mixed"), "--crossplay")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--crosstable is for all" in done.stderr


# ---------------------------------------------------------------------------------------------- the files that ship


def test_partners_plays_short_and_names_the_best_partner(tmp_path: Path) -> None:
    text = (bundled("tournaments") / "partners.yaml").read_text(encoding="utf-8")
    short = (
        text.replace("{boards: 8}", "{boards: 4}")
        .replace("rounds: 48", "rounds: 6")
        .replace("playouts: 24", "playouts: 2")
    )
    assert short.count("rounds: 6") == 1
    write(tmp_path, short)
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "The best partner is " in done.stdout
    assert "each two are partners once and opponents twice; each sits out once" in done.stderr


def test_competition_plays_short_after_its_commitment_and_verifies(tmp_path: Path) -> None:
    """Without the box, which not every machine has, and its bounds, which Linux alone has."""
    text = (bundled("tournaments") / "competition.yaml").read_text(encoding="utf-8")
    short = text.replace("{boards: 16}", "{boards: 4}").replace("rounds: 24", "rounds: 1")
    lines = [line for line in short.splitlines() if not line.startswith(("sandbox:", "resources:"))]
    assert len(lines) == len(text.splitlines()) - 2
    write(tmp_path, "\n".join(lines) + "\n")
    done = spades("run", "t.yaml", "--commit", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert spades("run", "t.yaml", cwd=tmp_path).returncode == 2
    done = spades("run", "t.yaml", "--salt", "04 11 23 31 40 46", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert spades("verify", "runs/competition", cwd=tmp_path).returncode == 0
