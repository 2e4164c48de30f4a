"""How far a run is, told off a terminal and on one; the clock is a list of moments."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from spades_harness.cli.progress import Pace, PlainProgress, progress


def clock(*moments: float) -> Callable[[], float]:
    """A clock that shows these moments, one a look."""
    times = iter(moments)
    return lambda: next(times)


@pytest.mark.parametrize(
    ("moments", "done", "said"),
    [
        ((0, 10), (0, 20), "20/100 matches, 2.0 a second, 40 s left"),
        ((0, 60), (0, 6), "6/100 matches, 6.0 a minute, 16 min left"),
        ((0, 3600), (0, 10), "10/100 matches, 0.2 a minute, 9 h 00 min left"),
        ((5, 15), (50, 60), "60/100 matches, 1.0 a second, 40 s left"),
        ((0, 10), (30, 30), "30/100 matches"),
        ((7, 7), (0, 10), "10/100 matches"),
        ((0, 10), (0, 100), "100/100 matches, 10.0 a second"),
    ],
)
def test_rate_and_time_left_come_from_what_this_call_has_played(
    moments: tuple[float, ...], done: tuple[int, int], said: str
) -> None:
    pace = Pace(clock(*moments))
    pace.say(done[0], 100)
    assert pace.say(done[1], 100) == said


def test_of_a_plan_that_grows_nobody_says_that_nothing_is_left_and_what_came_with_it_was_not_played() -> None:
    pace = Pace(clock(*range(0, 60, 10)))
    said = [pace.say(done, total) for done, total in ((0, 20), (20, 20), (30, 60), (50, 60), (60, 60))]
    assert said == [
        "0/20 matches",
        "20/20 matches, 2.0 a second",
        "30/60 matches planned so far, 1.0 a second, 30 s left of these",
        "50/60 matches planned so far, 1.3 a second, 8 s left of these",
        "60/60 matches planned so far, 1.2 a second",
    ]


def test_before_anything_is_planned_there_is_no_line() -> None:
    lines: list[str] = []
    shown = PlainProgress(clock(*range(8)), lines.append)
    shown.matches(0, 0)
    shown.matches(0, 4)
    assert lines == ["0/4 matches"]


def test_off_a_terminal_there_is_a_line_at_the_start_every_ten_seconds_and_at_the_end() -> None:
    lines: list[str] = []
    looks = [moment for moment in (0.0, 3.0, 9.0, 11.0, 12.0, 13.0) for _ in (1, 2)]
    shown = PlainProgress(clock(*looks), lines.append)
    for done in range(6):
        shown.matches(done, 5)
    assert [line.split()[0] for line in lines] == ["0/5", "3/5", "5/5"]


def told(*calls: tuple[int, int]) -> list[str]:
    """The counts in the lines that these calls make, all within ten seconds, and the end."""
    lines: list[str] = []
    shown = PlainProgress(lambda: 0.0, lines.append)
    for done, total in calls:
        shown.matches(done, total)
    shown.end()
    return [line.split()[0] for line in lines]


@pytest.mark.parametrize(
    ("calls", "lines"),
    [
        (((4, 4), (8, 8), (9, 12), (10, 12), (12, 12), (12, 16), (16, 16)), ["9/12", "12/12", "16/16"]),
        (((4, 4), (8, 8), (8, 12), (12, 12)), ["8/12", "12/12"]),
        (((4, 4), (8, 8)), ["8/8"]),
        (((0, 4), (4, 4)), ["0/4", "4/4"]),
    ],
)
def test_batches_that_an_earlier_call_had_played_have_no_line_but_one_where_nothing_is_left(
    calls: tuple[tuple[int, int], ...], lines: list[str]
) -> None:
    assert told(*calls) == lines


def test_a_note_is_a_line_at_once() -> None:
    lines: list[str] = []
    PlainProgress(clock(), lines.append).note("ann: crash")
    assert lines == ["ann: crash"]


def test_a_stream_that_is_no_terminal_gets_no_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    """CL-07."""
    with progress(io.StringIO()) as shown:
        shown.matches(1, 2)
        shown.note("a note")
    assert capsys.readouterr().err == "1/2 matches\na note\n"


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_one_line_moves_and_notes_stand_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """CL-03: no markup in a note."""
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    with progress(terminal) as shown:
        shown.matches(1, 2)
        shown.note("[blue] b: crash :smile:")
    assert "1/2 matches" in terminal.getvalue()
    assert "[blue] b: crash :smile:" in terminal.getvalue()


def test_a_terminal_that_can_move_nothing_gets_plain_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """CL-07."""
    monkeypatch.setenv("TERM", "dumb")
    with progress(Terminal()) as shown:
        shown.matches(1, 2)
    assert capsys.readouterr().err == "1/2 matches\n"
    monkeypatch.setenv("TERM", "xterm")
    with progress(terminal := Terminal()) as shown:
        shown.matches(1, 2)
    assert "1/2 matches" in terminal.getvalue()
    assert capsys.readouterr().err == ""
