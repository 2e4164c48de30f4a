"""The crosstable on the screen: whole at any width, with names of any script, and nothing lost between its forms."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from spades_harness.cli.crossed import MEANING, put_crosstable, put_pairs
from spades_harness.tournament.crosstable import Crosstable, Entry
from spades_harness.tournament.statistics.pairings import Pairing

NAMES = ("steady", "名前前前前前前", "[b]odd[/b]", "e\u0301te\u0301", "слон", "x\x1b[2J", "שלום")
SHOWN = (*NAMES[:5], "x\\u001b[2J", NAMES[6])


def pairing(one: int, other: int) -> Pairing:
    """Wins tell the row, losses the column."""
    return Pairing(
        NAMES[one], NAMES[other], 10 + one, 0, 10 + other, {"0": one, "0.5": 0, "1": other}, one - other, 1.25
    )


def table(names: int = len(NAMES)) -> Crosstable:
    """All of them met, but for the last two."""
    entries = tuple(Entry(n, name, {"0": n, "0.5": 0, "1": 7}) for n, name in enumerate(NAMES[:names], 1))
    apart = {len(NAMES) - 1, len(NAMES) - 2}
    met = [(a, b) for a in range(names) for b in range(names) if a != b and {a, b} != apart]
    return Crosstable(entries, tuple(pairing(*two) for two in met))


def lines_at(width: int, capsys: pytest.CaptureFixture[str]) -> list[str]:
    put_crosstable(table(), width)
    out, err = capsys.readouterr()
    assert err == ""
    return [line.rstrip() for line in out.splitlines()]


@pytest.mark.parametrize("width", [1000, 120, 80, 60, 40, 31, 26, 17])
def test_nothing_is_lost_nor_wider_than_the_screen_at_any_width(width: int, capsys: pytest.CaptureFixture[str]) -> None:
    lines = lines_at(width, capsys)
    assert lines.pop() == MEANING
    assert max(map(cell_len, lines)) <= width
    text = "\n".join(lines)
    assert sorted(re.findall(r"1\d–0–1\d", text)) == sorted(
        f"{10 + a}–0–{10 + b}" for a in range(7) for b in range(7) if a != b and a + b != 11
    )
    assert (text.count("×"), text.count("·"), text.count("± 1.2")) == (7, 2, 40)
    assert all(name in text for name in SHOWN)


def test_columns_are_named_where_there_is_room_and_numbered_like_the_rows_where_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    wide, narrow, narrowest = (lines_at(width, capsys) for width in (200, 100, 17))
    assert wide[0].split() == ["entrant", *SHOWN]
    assert narrow[0].split() == ["entrant", "1", "2", "3", "4", "5", "6"]
    assert narrow[2].split()[:2] == ["1", "steady"]
    assert narrowest[:3] == ["1  steady", f"2  {NAMES[1]}", "3  [b]odd[/b]"]
    assert [line.strip() for line in narrowest if re.fullmatch(" *[1-7]", line)] == [*"1234567"]


def test_columns_stand_under_each_other_with_names_of_any_width(capsys: pytest.CaptureFixture[str]) -> None:
    rows = lines_at(200, capsys)[2::2][:7]
    ends = {cell_len(row[: row.index("11–0–1" if "11–0–1" in row else "×")]) for row in rows[:2]}
    own = [cell_len(row[: row.index("×") + 1]) for row in rows]
    assert own == sorted(own)
    assert len(ends) == 2
    firsts = [re.search(r"(×|1\d–0–10)", row) for row in rows]
    assert len({cell_len(row[: found.end()]) for row, found in zip(rows, firsts, strict=True) if found}) == 1


def test_pairs_are_counted_by_entrant_and_once_for_each_two(capsys: pytest.CaptureFixture[str]) -> None:
    put_pairs(table(3))
    alone, two_by_two = capsys.readouterr().out.split("\n\n")
    assert [line.split() for line in alone.splitlines()[::2]] == [
        ["rank", "entrant", "0", "0.5", "1"],
        ["1", "steady", "1", "0", "7"],
        ["3", "[b]odd[/b]", "3", "0", "7"],
    ]
    assert [line.split() for line in two_by_two.splitlines()[2:]] == [
        ["steady", NAMES[1], "0", "0", "1"],
        ["steady", NAMES[2], "0", "0", "2"],
        [NAMES[1], NAMES[2], "1", "0", "2"],
    ]


def test_of_those_who_all_meet_a_field_alone_the_field_has_columns_with_the_numbers_of_its_rows(
    capsys: pytest.CaptureFixture[str],
) -> None:
    met = [(a, b) for a in range(5) for b in range(5) if (a < 3) != (b < 3)]
    exam = Crosstable(table(5).entrants, tuple(pairing(*two) for two in met))
    put_crosstable(exam, 200)
    assert capsys.readouterr().out.splitlines()[0].split() == ["entrant", NAMES[3], NAMES[4]]
    put_crosstable(exam, 25)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in lines if re.fullmatch(r" +[1-5]", line)] == ["4", "5"]
    assert sum(line.count("–0–") for line in lines) == 6
