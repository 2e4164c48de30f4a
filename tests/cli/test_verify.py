"""`spades verify` on a run of real processes: verified, differs, cannot be read."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from cli.calling import spades

SMALL = (
    "{name: small, seed: 7, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, entrant_check: play, "
    "bots: [{name: ann, bot: threes}, {name: bob, bot: counter}]}"
)


def test_a_run_tells_the_head_that_verify_finds_until_somebody_changes_a_card(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(SMALL, encoding="utf-8")
    played = spades("run", "t.yaml", "--jobs", "1", cwd=tmp_path)
    (tmp_path / "t.yaml").unlink()
    done = spades("verify", "runs/small", "--json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert (done.returncode, found["verified"], found["matches"], found["differences"]) == (0, True, 2, [])
    assert f"The head of the chain of records: {found['head']} " in played.stderr
    assert found["standings"] == json.loads(spades("standings", "runs/small", "--json", cwd=tmp_path).stdout)
    (session,) = found["sessions"]
    surrounding = "spades-harness {harness} on Python {python}, {system} {machine}, ".format(**session)
    assert f"Played by {surrounding}" in spades("verify", "runs/small", cwd=tmp_path).stdout
    head = found["head"]
    for words, code, said in [
        ([head.upper()], 0, f"Head of the chain: {head}"),
        (["0" * 64], 1, f"run.head: {head} computed, {'0' * 64} given\n"),
        (
            ["0" * 64],
            1,
            "\nsmall: its own records agree, but the head given is another: 2 of 2 matches played once more",
        ),
        ([head[:63]], 2, "--head: a head is 64 hexadecimal digits"),
        (["é" * 64], 2, "--head: a head is 64 hexadecimal digits"),
    ]:
        done = spades("verify", "runs/small", "--head", *words, cwd=tmp_path)
        assert (done.returncode, said in done.stdout + done.stderr) == (code, True)
    with closing(sqlite3.connect(tmp_path / "runs/small/ledger.sqlite", isolation_level=None)) as db:
        db.execute("UPDATE hand SET won = '[1,2,3,7]' WHERE match = 1 AND hand_no = 2")
    done = spades("verify", "runs/small", cwd=tmp_path)
    assert done.returncode == 1
    assert "match 1, hand 2: hand.won: [1,2,3,7] stored, " in done.stdout
    assert "small: differs: 2 of 2 matches played once more\n" in done.stdout
    done = spades("verify", "runs/small", "--head", "0" * 64, cwd=tmp_path)
    assert "small: differs: " in done.stdout
    assert f" computed, {'0' * 64} given\n" in done.stdout


def test_what_is_no_ledger_cannot_be_verified(tmp_path: Path) -> None:
    done = spades("verify", "nowhere", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
