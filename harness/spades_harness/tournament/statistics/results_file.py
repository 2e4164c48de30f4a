"""Results from anywhere: a CSV text of who scored what against whom, as a rating takes it. Pure; opens no file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from math import nan
from typing import Final

from spades_harness.errors import UserError

from .rating import PairResult

NEEDED: Final = ("a", "b", "score")
KNOWN: Final = (*NEEDED, "weight", "pair")
SCORES: Final[Mapping[str, float]] = {"1": 1.0, "1.0": 1.0, "0.5": 0.5, "0": 0.0, "0.0": 0.0}
WEIGHTS: Final = (0.001, 1000.0)
"""What a line may count for, in matches. More than a thousand of them are many results in one, which tells nothing of
how they scatter; under a thousandth of a match nothing is said; and far beyond both no digits are left.
"""
_SHOWN: Final = 40
"""Characters of a value that a complaint shows: enough to find it by."""


def read_results(text: str, name: str) -> tuple[PairResult, ...]:
    """The results, in the order of their lines; `name` is the file's, for complaints.

    The first line names the columns, in any order: `a`, `b` and `score` (what `a` got: 1, 0.5 or 0), and perhaps
    `weight` (what it counts for, in matches, as far as `WEIGHTS`; 1) and `pair`: lines with the same text there, such
    as the two legs on the same cards, are one observation. Raises UserError with the line's number.
    """
    rows = _rows(text, name)
    columns = _columns(next(rows, (f"{name}:1", [])))
    pairs: dict[str, int] = {}
    found = tuple(_result(_cells(row, columns, where), pairs, where) for where, row in rows)
    if not found:
        raise UserError(f"{name}: holds no result; below the line with the columns, write one result a line")
    return found


def _rows(text: str, name: str) -> Iterator[tuple[str, list[str]]]:
    """The lines that hold anything, and where each stands."""
    lines = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True)
    try:
        for row in lines:
            if any(cell.strip() for cell in row):
                yield f"{name}:{lines.line_num}", [cell.strip() for cell in row]
    except csv.Error as error:
        raise UserError(f"{name}:{lines.line_num}: is no CSV: {error}") from error


def _columns(head: tuple[str, list[str]]) -> tuple[str, ...]:
    where, columns = head
    for column in columns:
        if column not in KNOWN:
            raise UserError(f"{where}: no column {column[:_SHOWN]!r} is known here; there are: {', '.join(KNOWN)}")
    for column in NEEDED:
        if column not in columns:
            raise UserError(f"{where}: the first line must name the column {column!r}, as in: {','.join(NEEDED)}")
    if len(set(columns)) < len(columns):
        raise UserError(f"{where}: names a column twice")
    return tuple(columns)


def _cells(row: list[str], columns: tuple[str, ...], where: str) -> Mapping[str, str]:
    if len(row) != len(columns):
        raise UserError(f"{where}: has {len(row)} values, the first line names {len(columns)} columns")
    return dict(zip(columns, row, strict=True))


def _result(row: Mapping[str, str], pairs: dict[str, int], where: str) -> PairResult:
    """A line; `pairs` numbers the texts of the column of that name as they come."""
    pair = row.get("pair", "")
    cluster = pairs.setdefault(pair, len(pairs)) if pair else None
    for column in ("a", "b"):
        if not row[column]:
            raise UserError(f"{where}: names nobody in column {column!r}")
        if not row[column].isprintable():  # a line break would tear a row of the table in two
            raise UserError(f"{where}: the name in column {column!r} has a line break or another invisible character")
    try:
        return PairResult(row["a"], row["b"], (_score(row["score"], where),), _weight(row.get("weight", "")), cluster)
    except ValueError as error:
        raise UserError(f"{where}: {error}") from error


def _score(written: str, where: str) -> float:
    if written not in SCORES:
        raise UserError(f"{where}: score must be 1, 0.5 or 0, what a got, not {written[:_SHOWN]!r}")
    return SCORES[written]


def _weight(written: str) -> float:
    """A weight; ValueError for what is none."""
    low, high = WEIGHTS
    try:
        found = float(written) if written else 1.0
    except ValueError:
        found = nan
    if not low <= found <= high:
        raise ValueError(f"weight must be a number from {low:g} to {high:g}, not {written[:_SHOWN]!r}")
    return found
