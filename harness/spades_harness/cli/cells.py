"""What a row of the standings says in a cell, wherever it is shown. Formats; computes nothing."""

from __future__ import annotations

from typing import Protocol

from rich.cells import cell_len

from spades_harness.tournament.standings import Row


def padded(text: str, width: int) -> str:
    """A text with blanks behind it, so that it takes this many columns of the screen, of whatever script it is."""
    return text + " " * (width - cell_len(text))


def rank(of: int | None) -> str:
    """A rank, if there is one."""
    return "–" if of is None else str(of)


class Open(Protocol):
    """A row with the ranks that the results leave open."""

    @property
    def rank_low(self) -> int | None: ...

    @property
    def rank_high(self) -> int | None: ...


def rating(elo: float | None, low: float | None, high: float | None) -> str:
    """A rating, and how far its 95 % interval reaches."""
    if elo is None:
        return "–"
    if low == elo == high:
        return f"{elo:+.0f} (anchor)"
    if low is None or high is None:
        return f"{elo:+.0f} (too few pairs)"
    return f"{elo:+.0f} ± {(high - low) / 2:.0f}"


def ranks(row: Open) -> str:
    """The ranks that the results leave open."""
    if row.rank_low is None:
        return "–"
    return str(row.rank_low) if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"


def points(row: Row) -> str:
    """The lead a hand with its standard error; meetings with a forfeit are left out."""
    return lead(row.points_per_hand, row.points_error)


def lead(points: float | None, error: float | None) -> str:
    """Points more, and how sure that is."""
    if points is None:
        return "–"
    return f"{round(points, 1) + 0.0:+.1f} ± {'?' if error is None else f'{error:.1f}'}"  # + 0.0: no "-0.0"


def partner(row: Row) -> str:
    """What others lead by more beside it, and how far the 95 % interval of that reaches."""
    if row.partner_effect is None:
        return "–"
    low, high = row.partner_effect_low, row.partner_effect_high
    return lead(row.partner_effect, None if low is None or high is None else (high - low) / 2)


def bags(row: Row) -> str:
    """Bags a hand."""
    return "–" if row.bags_per_hand is None else f"{row.bags_per_hand:.2f}"


def faults(row: Row) -> str:
    """Faults by kind."""
    return ", ".join(f"{count} {kind}" for kind, count in row.faults.items()) or "0"
