"""What `rate` shows: reads the file, asks the ratings, and formats what they say. Computes no rating itself."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spades_harness.errors import UserError
from spades_harness.tournament.anchor import Anchor, told_anchored, unknown
from spades_harness.tournament.statistics.comparison import Compared, compare, told_apart
from spades_harness.tournament.statistics.rating import PairResult, elo, elo_k, observations
from spades_harness.tournament.statistics.results_file import read_results
from spades_harness.tournament.statistics.rounding import ELO_DIGITS, rounded

from .cells import ranks, rating
from .console import printable, rich_console, say
from .matrix import put_matrix
from .tables import OPEN, put, table_of


@dataclass(frozen=True, slots=True)
class Row:
    """One who is rated. The fields, in this order, are the keys of its JSON object."""

    rank: int
    """In its group."""
    rank_low: int
    rank_high: int
    """The ranks that the results leave open, 95 %; see `comparison`."""
    group: int
    """From 1; see `Table.groups`."""
    entrant: str
    elo: float
    elo_low: float | None
    elo_high: float | None
    wins: int
    draws: int
    losses: int
    elo_k: float | None
    """None where a weight is above 1: that is no single game, and one step of it would leap over every true rating."""


@dataclass(frozen=True, slots=True)
class Table:
    """All that is said of the results. The fields are the keys of the JSON object."""

    entrants: tuple[Row, ...]
    """Group by group by Elo; those who share one by name, and they share the rank, too."""
    groups: tuple[Compared, ...]
    """Those linked by a chain of results, and who of them is stronger than whom; the largest first. Mostly one."""
    anchor: Anchor | None = None
    """Who has which Elo by definition."""


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


def rate(results: Sequence[PairResult], anchor: Anchor | None = None) -> Table:
    """What these results come to; raises UserError for an anchor that is none of those in them."""
    names = sorted({name for result in results for name in (result.a, result.b)})
    if anchor and (what := unknown(anchor, names)):
        raise UserError(f"--anchor: {what}")
    fitted, sequential = elo(names, results, anchor), _sequential(names, results)
    groups, scores = compare(observations(results)), _scores(results)
    elos = {name: round(fitted[name].elo, ELO_DIGITS) + 0.0 for name in names}
    rows = (
        Row(
            rank=1 + sum(elos[other] > elos[name] for other in group.entrants),
            rank_low=low,
            rank_high=high,
            group=number,
            entrant=name,
            elo=elos[name],
            elo_low=rounded(fitted[name].low, ELO_DIGITS),
            elo_high=rounded(fitted[name].high, ELO_DIGITS),
            wins=scores[name, 1.0],
            draws=scores[name, 0.5],
            losses=scores[name, 0.0],
            elo_k=rounded(sequential[name], ELO_DIGITS) if name in sequential else None,
        )
        for number, group in enumerate(groups, 1)
        for name, (low, high) in zip(group.entrants, group.ranks, strict=True)
    )
    return Table(tuple(sorted(rows, key=lambda row: (row.group, row.rank, row.entrant))), groups, anchor)


def _sequential(names: Sequence[str], results: Sequence[PairResult]) -> Mapping[str, float]:
    """The sequential ratings; nobody's where some result is no single game."""
    if any(result.weight > 1 for result in results):
        return {}
    return {name: found.elo for name, found in elo_k(names, results).items()}


def _scores(results: Iterable[PairResult]) -> Counter[tuple[str, float]]:
    """How often who got what."""
    found: Counter[tuple[str, float]] = Counter()
    for result in results:
        found.update((result.a, score) for score in result.scores)
        found.update((result.b, 1 - score) for score in result.scores)
    return found


def show(table: Table) -> None:
    """The table on standard output."""
    put(table_of(("rank", OPEN, "entrant", "Elo ± 95 %", "W–D–L", "elo_k"), map(_cells, table.entrants)))
    if any(row.elo_k is None for row in table.entrants):
        say("elo_k is left out: it goes game by game, and a weight above 1 is no single game")
    if apart := told_apart(table.groups):
        say(printable(apart))
    if table.anchor:
        say(printable(told_anchored(table.anchor)))


def show_matrix(table: Table) -> None:
    """How likely each is stronger than each, on standard output."""
    put_matrix([row.entrant for row in table.entrants], table.groups, rich_console(sys.stdout).width)


def _cells(row: Row) -> tuple[str, ...]:
    record = f"{row.wins}–{row.draws}–{row.losses}"
    return (
        str(row.rank),
        ranks(row),
        row.entrant,
        rating(row.elo, row.elo_low, row.elo_high),
        record,
        "" if row.elo_k is None else f"{row.elo_k:+.0f}",
    )
