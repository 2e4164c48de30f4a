"""`spades run --events`: what a run tells machines, by real runs, and by its published form."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.calling import PATIENCE, SPADES, python_bot, spades
from spades_harness.bundled import bundled
from spades_harness.tournament import event_schema

TWO = "{name: small, seed: 7, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, entrant_check: play, bots: ["
SHIPPED = TWO + "{name: ann, bot: threes}, {name: bob, bot: counter}]}"
WHOLE = ["run_begun", "batch_planned", "match_played", "match_played", "standings_written", "run_ended"]
SCHEMA = json.loads(event_schema.text())


def tournament(folder: Path, text: str = SHIPPED) -> None:
    (folder / "t.yaml").write_text(text, encoding="utf-8")


def read(lines: Sequence[str]) -> list[dict[str, Any]]:
    """The events of these lines, each of which fits the schema."""
    events = [json.loads(line) for line in lines]
    for event in events:
        jsonschema.Draft202012Validator(SCHEMA).validate(event)
    return events


def events_of(path: Path) -> list[dict[str, Any]]:
    """A file's events; it ends with a whole line."""
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n")
    return read(text.splitlines())


def kinds(events: Sequence[dict[str, Any]]) -> list[str]:
    return [event["event"] for event in events]


# -------------------------------------------------------------------------------------------------------- their form


def test_the_schema_file_is_what_the_types_say() -> None:
    assert event_schema.file().read_text(encoding="utf-8") == event_schema.text()


def documented() -> Iterator[tuple[str, set[str]]]:
    """Each event of EVENTS.md with the fields of its table's first column."""
    page = (bundled("protocol") / "EVENTS.md").read_text(encoding="utf-8")
    for section in re.split(r"^### ", page, flags=re.MULTILINE)[1:]:
        cells = re.findall(r"^\| (`[^|]*) \|", section, flags=re.MULTILINE)
        yield section.split("`")[1], {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_the_page_names_every_event_with_every_field_of_it_and_no_other() -> None:
    shapes = [shape["properties"] for shape in SCHEMA["$defs"].values() if "event" in shape["properties"]]
    common = {"event", "v", "at"}
    assert dict(documented()) == {shape["event"]["enum"][0]: set(shape) - common for shape in shapes}


def test_the_page_names_every_field_of_a_fault() -> None:
    page = (bundled("protocol") / "EVENTS.md").read_text(encoding="utf-8")
    (row,) = [line for line in page.splitlines() if line.startswith("| `faults` |")]
    assert set(SCHEMA["$defs"]["FaultSeen"]["properties"]) <= set(re.findall(r"`(\w+)`", row))


# ------------------------------------------------------------------------------------------------------ whole runs


def test_a_run_tells_its_steps_and_its_matches_as_the_ledger_has_them(tmp_path: Path) -> None:
    tournament(tmp_path)
    done = spades("run", "t.yaml", "--jobs", "1", "--events", "e.log", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    events = events_of(tmp_path / "e.log")
    assert kinds(events) == WHOLE
    begun, planned, first, second, _, ended = events
    assert (begun["run"], begun["seed"], begun["entrants"], begun["resumed"]) == ("small", 7, ["ann", "bob"], False)
    assert [(each["done"], each["planned"]) for each in (planned, first, second, ended)] == [
        (0, 2), (1, 2), (2, 2), (2, 2),
    ]  # fmt: skip
    assert [each["entrants"] for each in (first, second)] == [["ann", "bob"], ["bob", "ann"]]
    replayed = spades("replay", begun["folder"], str(first["match"]), cwd=tmp_path).stdout
    assert all(str(score) in replayed for score in first["scores"])
    assert (ended["how"], ended["why"]) == ("finished", "")


def test_the_secret_of_committed_deals_is_in_the_last_event_alone(tmp_path: Path) -> None:
    from spades_harness.game.deal import commitment

    tournament(tmp_path, SHIPPED.replace("seed: 7, ", ""))
    assert spades("run", "t.yaml", "--events", "e.log", cwd=tmp_path).returncode == 0
    begun, *between, ended = events_of(tmp_path / "e.log")
    assert begun["seed"] is None
    assert commitment(bytes.fromhex(ended["secret"])) == begun["commitment"]
    assert ended["secret"] not in json.dumps([begun, *between])


def test_on_standard_output_stand_the_events_alone_and_the_table_goes_beside_them(tmp_path: Path) -> None:
    tournament(tmp_path)
    done = spades("run", "t.yaml", "--jobs", "1", "--events", "-", cwd=tmp_path)
    assert done.returncode == 0
    assert kinds(read(done.stdout.splitlines())) == WHOLE
    assert "points/hand" in done.stderr or "entrant" in done.stderr


def test_faults_are_told_with_the_bot_the_seat_and_the_hand(tmp_path: Path) -> None:
    bad = python_bot(tmp_path, "bad", "def bid(self, r):\n    return 99\ndef play(self, r):\n    return r.legal[0]")
    tournament(tmp_path, TWO + f"{{name: bad, bot: ./{bad.name}}}, {{name: bob, bot: threes}}]}}")
    spades("run", "t.yaml", "--events", "e.log", cwd=tmp_path)
    played = [event for event in events_of(tmp_path / "e.log") if event["event"] == "match_played"]
    assert len(played) == 2
    for match in played:
        (side,) = match["forfeits"]
        assert match["entrants"][side] == "bad"
        assert all((fault["bot"], fault["seat"] % 2, fault["hand_no"]) == ("bad", side, 1) for fault in match["faults"])
        assert {fault["kind"] for fault in match["faults"]} == {"illegal"}


def test_an_entrant_that_does_not_come_up_is_told_as_dropped(tmp_path: Path) -> None:
    (tmp_path / "dead.py").write_text("raise SystemExit(1)\n", encoding="utf-8")
    bots = "{name: dead, bot: ./dead.py}, {name: ann, bot: threes}, {name: bob, bot: counter}]}"
    tournament(tmp_path, TWO.replace("check: play", "check: drop") + bots)
    done = spades("run", "t.yaml", "--events", "e.log", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    dropped = events_of(tmp_path / "e.log")[1]
    assert (dropped["event"], dropped["entrant"]) == ("entrant_dropped", "dead")


@pytest.mark.skipif(sys.platform == "win32", reason="a bot kills its parent by a signal")
def test_a_worker_that_is_killed_is_told_as_a_lost_lane_and_a_void_match_that_is_played_again(tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    body = f"""
def bid(self, r):
    import os, signal
    try:
        os.close(os.open({str(mark)!r}, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return 3
    os.kill(os.getppid(), signal.SIGKILL)
    return 3
def play(self, r):
    return r.legal[0]"""
    bot = python_bot(tmp_path, "killer", body)
    tournament(tmp_path, TWO + f"{{name: killer, bot: ./{bot.name}}}, {{name: bob, bot: threes}}]}}")
    done = spades("run", "t.yaml", "--jobs", "1", "--events", "e.log", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    events = events_of(tmp_path / "e.log")
    assert Counter(kinds(events)) == Counter([*WHOLE, "lane_lost", "match_void"])
    lost, void = events[2:4]
    assert (lost["event"], void["event"]) == ("lane_lost", "match_void")
    assert (lost["identity"], lost["attempt"]) == (void["identity"], void["attempt"])
    assert void["why"] == "the process that played it died"
    assert {event["identity"]: event["attempt"] for event in events[4:6]}[void["identity"]] == void["attempt"] + 1


# --------------------------------------------------------------------------------------------- going on, and trouble


def test_a_run_whose_time_is_up_says_so_and_how_far_it_is(tmp_path: Path) -> None:
    tournament(tmp_path, SHIPPED.replace("rounds: 1", "rounds: 2000"))
    done = spades("run", "t.yaml", "--for", "1s", "--events", "e.log", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    *_, standings, ended = events_of(tmp_path / "e.log")
    assert (standings["event"], ended["how"]) == ("standings_written", "time_up")
    assert ended["done"] < ended["planned"]


def test_going_on_adds_to_the_file_and_tells_no_match_twice(tmp_path: Path) -> None:
    tournament(tmp_path)
    for _ in range(2):
        assert spades("run", "t.yaml", "--jobs", "1", "--events", "e.log", cwd=tmp_path).returncode == 0
    events = events_of(tmp_path / "e.log")
    assert [event["resumed"] for event in events if event["event"] == "run_begun"] == [False, True]
    assert kinds(events).count("match_played") == 2
    assert kinds(events)[len(WHOLE) :][-2:] == WHOLE[-2:]


def test_nothing_is_appended_to_half_a_line(tmp_path: Path) -> None:
    """PR-11: the half line stays as it was, on a line of its own."""
    tournament(tmp_path)
    (tmp_path / "e.log").write_bytes(b'{"event":"batch_pl')
    assert spades("run", "t.yaml", "--jobs", "1", "--events", "e.log", cwd=tmp_path).returncode == 0
    half, *lines = (tmp_path / "e.log").read_text(encoding="utf-8").splitlines()
    assert half == '{"event":"batch_pl'
    assert kinds(read(lines)) == WHOLE


def test_a_file_that_can_not_be_opened_is_refused_before_anything_is_played(tmp_path: Path) -> None:
    tournament(tmp_path)
    done = spades("run", "t.yaml", "--events", "nowhere/e.log", cwd=tmp_path)
    assert done.returncode == 2
    assert "nowhere" in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
def test_a_full_disk_under_the_events_costs_one_line_and_no_match(tmp_path: Path) -> None:
    tournament(tmp_path)
    done = spades("run", "t.yaml", "--events", "/dev/full", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("no more events are written there; the run goes on") == 1
    assert "2/2 matches" in done.stderr


def test_a_reader_that_goes_away_ends_the_events_quietly_and_not_the_run(tmp_path: Path) -> None:
    tournament(tmp_path)
    words = [*SPADES, "run", "t.yaml", "--events", "-"]
    run = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    try:
        assert run.stdout is not None
        assert run.stderr is not None
        assert json.loads(run.stdout.readline())["event"] == "run_begun"
        run.stdout.close()
        with run.stderr:
            said = run.stderr.read()
        assert run.wait(timeout=PATIENCE) == 0
    finally:
        run.kill()
    assert "2/2 matches" in said
    assert not re.search("Traceback|Broken pipe|no more events", said)
