"""`--for` and `--until`: how long a run may take, as it is typed."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from cli.calling import spades
from cli.test_run import TWO, write
from spades_harness.cli.timing import next_time, seconds_of, time_box
from spades_harness.errors import UserError


@pytest.mark.parametrize(
    ("typed", "seconds"),
    [("6h", 21600), ("90m", 5400), ("1h30m", 5400), ("45s", 45), ("366d", 31622400)],
)
def test_a_span_is_read_in_days_hours_minutes_and_seconds(typed: str, seconds: int) -> None:
    assert seconds_of(typed) == seconds


@pytest.mark.parametrize("typed", ["", "6", "h", "6 h", "-6h", "6H", "1.5h", "30m1h", "0s", "367d", "٣h", "6h\n"])
def test_what_is_no_span_is_refused(typed: str) -> None:
    with pytest.raises(UserError, match=r"^--for .*: must be"):
        seconds_of(typed)


@pytest.mark.parametrize(
    ("typed", "found"),
    [("07:00", (2, 7, 0)), ("23:30", (1, 23, 30)), ("22:15", (2, 22, 15)), ("22:16", (1, 22, 16)), ("7:00", (2, 7, 0))],
)
def test_a_time_of_day_is_the_next_one(typed: str, found: tuple[int, int, int]) -> None:
    when = next_time(typed, datetime(2026, 3, 1, 22, 15, 30))  # noqa: DTZ001 - the time on the wall
    assert (when.day, when.hour, when.minute, when.second) == (*found, 0)


@pytest.mark.parametrize("typed", ["", "7", "24:00", "07:60", "7am", "07:00:00", "-1:00"])
def test_what_is_no_time_of_day_is_refused(typed: str) -> None:
    with pytest.raises(UserError, match=r"^--until .*: must be a time of day"):
        next_time(typed, datetime(2026, 3, 1))  # noqa: DTZ001


def test_there_is_one_end_or_none() -> None:
    assert time_box(None, None) is None
    with pytest.raises(UserError, match=r"^--for and --until: choose one$"):
        time_box("1h", "07:00")


def test_a_wrong_time_is_one_line_before_anything_is_played(tmp_path: Path) -> None:
    write(tmp_path, TWO)
    done = spades("run", "t.yaml", "--for", "soon", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("spades: --for 'soon': must be a time such as 6h")
    assert not (tmp_path / "runs").exists()


def test_a_run_whose_time_is_up_shows_where_it_stands_keeps_its_secret_and_says_how_to_go_on(tmp_path: Path) -> None:
    """A second is too short for so many rounds on any machine; the first is played all the same."""
    write(tmp_path, TWO.replace("seed: 7, ", "").replace("rounds: 1", "rounds: 1000"))
    done = spades("run", "t.yaml", "--for", "1s", cwd=tmp_path)
    assert done.returncode == 3, done.stderr
    assert "ann" in done.stdout
    assert " of 2,000 matches played so far" in done.stderr
    assert "the time is up" in done.stderr
    assert "To go on: spades run t.yaml" in done.stderr
    assert "secret behind" not in done.stderr
    listed = spades("standings", "runs/small", "--json", cwd=tmp_path)
    assert " of 2,000 matches played so far" in listed.stderr


def test_two_that_are_told_apart_play_no_more_and_the_end_says_why(tmp_path: Path) -> None:
    write(tmp_path, TWO.replace("rounds: 1}}", "rounds: 40}}, stop: {sprt: {elo0: -300, elo1: 300}}"))
    done = spades("run", "t.yaml", "--events", "e.log", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert " of 80 matches played\n" in done.stderr
    *_, stopped, written, ended = map(json.loads, (tmp_path / "e.log").read_text(encoding="utf-8").splitlines())
    assert [each["event"] for each in (stopped, written, ended)] == ["stopped", "standings_written", "run_ended"]
    assert stopped["why"] in done.stderr
    assert stopped["done"] == ended["done"] < stopped["planned"] == 80
    assert ended["how"] == "finished"
    assert "SPRT: ann is stronger than bob by " in done.stderr
    assert spades("run", "t.yaml", cwd=tmp_path).stdout == done.stdout
    assert spades("verify", "runs/small", cwd=tmp_path).returncode == 0


def test_an_order_that_is_the_schedules_own_is_not_decided_by_elo(tmp_path: Path) -> None:
    """An exam would end earlier or later by who else takes part."""
    write(tmp_path, TWO.replace("{round_robin: {rounds: 1}}", "{gauntlet: {field: [ann]}}, stop: {decided: 0.9}"))
    done = spades("run", "t.yaml", "--dry-run", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "stop: decided looks at the order by Elo, and gauntlet has one of its own; leave stop out\n" in done.stderr


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("{sprt: {}}", "stop: sprt is for two entrants at tables of two sides, not 3 at 2"),
        ("{sprt: {elo0: 10}}", "stop.sprt: elo1 (10) must be above elo0 (10) by 1 or more"),
        ("{sprt: {alpha: 0}}", "stop.sprt.alpha: must be a number from 0.001 to 0.4, not 0"),
        ("{sprt: {beta: nan}}", "stop.sprt.beta: "),
        ("{srpt: {}}", "stop: needs one of sprt and decided, not none of them"),
        ("{sprt: {}, decided: 0.9}", "stop: needs one of sprt and decided, not sprt and decided"),
        ("{decided: 95}", "stop.decided: must be a number from 0.5 to 0.999, not 95"),
    ],
)
def test_a_rule_to_stop_that_does_not_fit_is_refused_where_it_stands(tmp_path: Path, rule: str, said: str) -> None:
    text = TWO.replace("bots: [", f"stop: {rule}, bots: [{{name: cid, bot: threes}}, ")
    write(tmp_path, text)
    done = spades("run", "t.yaml", "--dry-run", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
