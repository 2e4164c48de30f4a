"""Matches that another run has played already: found by their identities, and taken over instead of being played.

An identity is the hash of all that a result depends on: bots by the content of their files, cards, rules, limits. So
what changed is played anew, and nothing else. The other run is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from spades_harness.errors import UserError
from spades_harness.table.match import MatchRecord, MatchSpec
from spades_harness.tournament.execution.executors import Site
from spades_harness.tournament.execution.lanes import ATTEMPTS, Lane, Lanes, Play
from spades_harness.tournament.execution.room import Room
from spades_harness.tournament.records.ledger import Ledger, RunLedger, read_ledger

from .console import tell
from .opening import Opened


class Reused:
    """The results of another run by identity, and how many of them were taken."""

    def __init__(self, other: Ledger) -> None:
        self.other, self.taken = other, 0
        counted = {outcome.ordinal for outcome in other.outcomes()}
        self._ordinals = {each.identity: each.ordinal for each in other.planned() if each.ordinal in counted}

    def __contains__(self, spec: MatchSpec) -> bool:
        """A match that is to be played again is played: nobody asks for the same record twice."""
        return spec.attempt == 1 and spec.identity in self._ordinals

    def record(self, spec: MatchSpec) -> MatchRecord:
        """Its record, as that of this attempt."""
        self.taken += 1
        return replace(self.other.match(self._ordinals[spec.identity]), attempt=spec.attempt)


class ReusingLanes(Lanes):
    """Lanes that play only what another run hasn't."""

    def __init__(
        self,
        reused: Reused,
        ledger: RunLedger,
        play: Play,
        room: Room | int | Callable[[], Room],
        make: Callable[[], Lane],
        lost: Callable[[MatchSpec], object] | None = None,
    ) -> None:
        """The ledger keeps what the matches that are taken over were played with."""
        super().__init__(play, room, make, lost)
        self._reused, self._ledger = reused, ledger

    def run(
        self, specs: Iterable[MatchSpec], attempts: int = ATTEMPTS, ahead: Iterable[MatchSpec] = ()
    ) -> Iterator[MatchRecord]:
        """What is known at once, then what has to be played."""
        known, due = _split(specs, self._reused)
        if known and not self._reused.taken:
            self._ledger.adopt(self._reused.other.sessions())
        yield from map(self._reused.record, known)
        yield from super().run(due, attempts, (spec for spec in ahead if spec not in self._reused))


def _split(specs: Iterable[MatchSpec], reused: Reused) -> tuple[list[MatchSpec], list[MatchSpec]]:
    """Those that another run has played, and the others."""
    found: tuple[list[MatchSpec], list[MatchSpec]] = [], []
    for spec in specs:
        found[spec not in reused].append(spec)
    return found


@contextmanager
def lanes_for(
    opened: Opened, ledger: RunLedger, play: Play, site: Site, lost: Callable[[MatchSpec], object]
) -> Iterator[Lanes]:
    """The lanes of a site; where another run is reused, it is told in the end how much was taken over."""
    if opened.reuse is None:
        with Lanes(play, lambda: site.room, site.lane, lost) as lanes:
            yield lanes
        return
    with read_ledger(opened.reuse) as other:
        reused = Reused(other)
        with ReusingLanes(reused, ledger, play, lambda: site.room, site.lane, lost) as lanes:
            yield lanes
    tell(f"{reused.taken:,} matches were taken over from {opened.reuse}")


def refuse_unless_reusable(opened: Opened, folder: Path) -> None:
    """Raise UserError where nothing that the other run played can be of use to the one in this folder."""
    if (run := opened.reuse) is None:
        return
    if run.resolve() == folder.resolve():
        raise UserError(f"--reuse {run}: that is the run's own folder; choose another for it with --out")
    with read_ledger(run) as other:
        seed = other.run.seed
    if opened.file.seed is None or seed != opened.file.seed:
        raise UserError(f"--reuse {run}: it was played on other cards; both runs need the same `seed` in the file")
