"""Runs on clusters of loopback, and what such a run is to have in common with one in lanes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from cli.calling import PATIENCE, ask
from spades_harness.game.notation import Written
from spades_harness.table.match import FaultKind, HandRecord, MatchRecord, Result
from spades_harness.tournament.records.ledger import Planned, read_ledger


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
    done = ask("standings", str(run), "--json")
    assert done.returncode == 0, done.stderr
    return done.stdout


class Cluster:
    """A scheduler and workers, each a process of its own, started as people start them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._processes: list[subprocess.Popen[str]] = []
        self.scheduler = self._start({}, "scheduler", "--port", "0", "--no-dashboard")
        self.address = said(self.scheduler, r"Scheduler at:\s+(tcp://\S+)")

    def worker(self, name: str, **env: str) -> subprocess.Popen[str]:
        """A worker process that the scheduler knows; with two threads, to see that it plays one match all the same."""
        words = (self.address, "--name", name, "--nthreads", "2", "--no-nanny", "--no-dashboard")
        worker = self._start(env, "worker", *words, "--local-directory", str(self._folder))
        said(worker, r"Registered to:\s+(tcp://\S+)")
        return worker

    def _start(self, env: Mapping[str, str], *words: str) -> subprocess.Popen[str]:
        started = subprocess.Popen(
            [sys.executable, "-m", "dask", *words, "--host", "127.0.0.1"],
            env={**os.environ, **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self._processes.append(started)
        return started

    def end(self) -> None:
        for process in reversed(self._processes):
            kill(process)


def said(process: subprocess.Popen[str], pattern: str) -> str:
    """What a process says of itself in a line of its log; fails if it ends before that."""
    assert process.stderr is not None
    lines = []
    for line in process.stderr:
        if found := re.search(pattern, line):
            return found[1]
        lines.append(line)
    pytest.fail("".join(lines))


def kill(process: subprocess.Popen[str]) -> None:
    """SIGKILL, for this process alone."""
    process.kill()
    process.communicate(timeout=PATIENCE)
