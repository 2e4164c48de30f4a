"""Runs on clusters of loopback, and what such a run is to have in common with one in lanes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cli.calling import spades
from spades_harness.game.notation import Written
from spades_harness.table.match import FaultKind, HandRecord, MatchRecord, Result
from spades_harness.tournament.ledger import Planned, read_ledger


class Played(NamedTuple):
    """All of a match in which no time stands."""

    result: Result | None
    hands: tuple[HandRecord, ...]
    decisions: tuple[tuple[int, int, str, Written, bool, str], ...]
    faults: tuple[tuple[FaultKind, int, int, str], ...]
    bots: tuple[tuple[str, str], ...]


def timeless(record: MatchRecord) -> Played:
    return Played(
        record.result,
        record.hands,
        tuple(
            (each.hand_no, each.seat, each.kind, each.written, each.substituted, each.note) for each in record.decisions
        ),
        tuple((each.kind, each.seat, each.decision, each.answer) for each in record.faults),
        tuple((each.name, each.version) for each in record.bots),
    )


def held(run: Path) -> Iterator[tuple[Planned, Played]]:
    """The plan of a run, and what came of each match."""
    with read_ledger(run) as ledger:
        for planned in ledger.planned():
            yield planned, timeless(ledger.match(planned.ordinal))


def standings(run: Path) -> str:
    """As a machine reads them, to the byte."""
    done = spades("standings", str(run), "--json", cwd=run.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout
