"""What `rate` shows: reads the file, asks the ratings, and formats what they say. Computes no rating itself."""

from __future__ import annotations

import json
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from spades_harness.errors import UserError
from spades_harness.tournament.rating import PairResult, elo, elo_k
from spades_harness.tournament.results_file import read_results
from spades_harness.tournament.standings import ELO_DIGITS

from .cells import rating
from .console import glyphs, printable, rich_console


@dataclass(frozen=True, slots=True)
class Row:
    """One who is rated. The fields, in this order, are the keys of the JSON list."""

    rank: int
    entrant: str
    elo: float
    elo_low: float | None
    elo_high: float | None
    wins: int
    draws: int
    losses: int
    elo_k: float


def read(file: str) -> tuple[PairResult, ...]:
    """The results in a file, or on standard input for `-`; raises UserError."""
    name = "standard input" if file == "-" else file
    data = _bytes(file, name)
    try:
        return read_results(data.decode(), name)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UserError(f"{name}:{line}: is no UTF-8 text; save the file as UTF-8") from error


def _bytes(file: str, name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise UserError(f"{name}: {error.strerror or error}") from error


def rate(results: Sequence[PairResult]) -> tuple[Row, ...]:
    """The rows in order: by Elo, those who share one by name; they share the rank, too."""
    names = sorted({name for result in results for name in (result.a, result.b)})
    fitted, sequential = elo(names, results), elo_k(names, results)
    scores = _scores(results)
    elos = {name: round(fitted[name].elo, ELO_DIGITS) + 0.0 for name in names}
    descending = sorted(-each for each in elos.values())
    return tuple(
        Row(
            rank=1 + bisect_left(descending, -elos[name]),
            entrant=name,
            elo=elos[name],
            elo_low=_rounded(fitted[name].low),
            elo_high=_rounded(fitted[name].high),
            wins=scores[name, 1.0],
            draws=scores[name, 0.5],
            losses=scores[name, 0.0],
            elo_k=round(sequential[name].elo, ELO_DIGITS) + 0.0,
        )
        for name in sorted(names, key=lambda name: (-elos[name], name))
    )


def _scores(results: Iterable[PairResult]) -> Counter[tuple[str, float]]:
    """How often who got what."""
    found: Counter[tuple[str, float]] = Counter()
    for result in results:
        found.update((result.a, score) for score in result.scores)
        found.update((result.b, 1 - score) for score in result.scores)
    return found


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, ELO_DIGITS) + 0.0


def as_json(rows: Iterable[Row]) -> str:
    """A list of objects with the fields of `Row` as keys, in ASCII; unknown numbers are null."""
    return json.dumps([asdict(row) for row in rows], indent=2, allow_nan=False)


def show(rows: Iterable[Row]) -> None:
    """The table on standard output."""
    plain, console = glyphs(sys.stdout), rich_console(sys.stdout)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for title in ("rank", "entrant", "Elo ± 95 %", "W–D–L", "elo_k"):
        table.add_column(plain(title), justify="left" if title == "entrant" else "right", no_wrap=True)
    for row in rows:
        record = f"{row.wins}–{row.draws}–{row.losses}"
        cells = (str(row.rank), row.entrant, rating(row.elo, row.elo_low, row.elo_high), record, f"{row.elo_k:+.0f}")
        table.add_row(*(Text(plain(printable(cell))) for cell in cells))
    with console.capture() as shown:
        console.print(table)
    sys.stdout.write(shown.get())  # by ourselves: rich ends the program when the reader of a pipe has gone
    sys.stdout.flush()
