"""The known ways in which harnesses were hung, fooled or robbed, by their ids: a test holds off each of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
CASES = {
    "PF": (1, 2, 4, 5, 7, 9, 11, 12, 13, 15, 16, 17, 18, 20, 22, 23, 25),
    "TM": (1, 2, 4, 6, 8, 9, 11, 13, 14),
    "PL": (1, 2, 3, 5, 7, 9, 10, 12, 14, 15, 16, 17, 19),
    "SE": (1, 3, 5, 7, 8, 9),
    "DS": (1, 2, 3, 5, 7, 9, 10, 11),
    "PG": (1, 3, 5, 6, 7, 8, 9, 11),
    "CF": (1, 3, 4, 5, 7, 8, 9, 11, 13, 15),
    "CL": (1, 3, 5, 7, 9, 10, 11, 12),
    "PR": (1, 3, 5, 7, 8, 9, 11, 12),
    "RS": (1, 3, 5, 7, 9, 10, 11, 12, 13),
    "SC": (1, 3, 5, 7, 8, 9, 11, 12),
}
"""Framing, time, the life of processes, security, plugins; configuration, the command line, persistence, ratings,
schedules, deals and seeds. Their numbering has gaps."""
GROUPS = "|".join(CASES)
IDS = [f"{group}-{number:02}" for group, numbers in CASES.items() for number in numbers]


def named(path: Path) -> set[str]:
    """The ids in a test's name or docstring."""
    text = path.read_text(encoding="utf-8")
    found = re.findall(rf"\b(?:{GROUPS})-\d\d", text) + re.findall(
        rf"def test_\w*?((?:{GROUPS.lower()})_\d\d)(?=_|\()", text
    )
    return {case.upper().replace("_", "-") for case in found}


NAMED = {case for path in TESTS.rglob("test_*.py") if path.name != "test_cases.py" for case in named(path)}


@pytest.mark.parametrize("case", IDS)
def test_every_case_is_named_by_a_test(case: str) -> None:
    assert case in NAMED


def test_no_test_names_a_case_that_there_is_not() -> None:
    assert NAMED - set(IDS) == set()
