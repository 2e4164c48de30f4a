"""What is done in a worker process of a cluster: a lane of its machine that plays for a run elsewhere. Knows no Dask.

A match is not played in the worker itself, whose threads also talk to the cluster: it has a lane beside it, a process
like those of a run at home, pinned to a processor, tied to the worker by its lifeline. So when the worker is killed, or
its run is over, nothing of the match is left either.
"""

from __future__ import annotations

import hashlib
import multiprocessing.process
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import spades_harness
from spades_harness.table.match import Command, MatchRecord, MatchSpec, Plugin

from .executors import Fit
from .kits import Kit
from .lanes import Play
from .parcel import folders, has_arrived, moved
from .worker import WorkerLane


class Post:
    """What one run has in this worker process."""

    def __init__(self) -> None:
        self._launches: dict[str, Command | Plugin] = {}
        """How each bot is started here, by name."""
        self._lane: WorkerLane | None = None
        self._lock = threading.Lock()

    def fit(self, fit: Fit, kits: tuple[Kit, ...]) -> None:
        """Make the bots ready that have arrived. Raises UserError for what this machine lacks."""
        self._launches = {player.name: player.launch for player in fit([*map(moved, kits)])}

    def play(self, play: Play, spec: MatchSpec) -> MatchRecord:
        """Play a match in the lane; raises BrokenExecutor where the lane dies over it, or is cut."""
        with self._lock:
            lane = self._lane = self._lane or _new_lane()
        try:
            return lane.submit(play, self._here(spec)).result()
        except BrokenExecutor:
            self.leave()
            raise

    def _here(self, spec: MatchSpec) -> MatchSpec:
        """The match with its bots as they are started here."""
        players = (replace(player, launch=self._launches[player.name]) for player in spec.players)
        return replace(spec, players=tuple(players))

    def cut(self) -> None:
        """Break off whatever is being played, without waiting for its end."""
        if lane := self._lane:
            lane.cut()

    def leave(self) -> None:
        """Break off, and wait until nothing of the lane is left; the next match would have another."""
        with self._lock:
            lane, self._lane = self._lane, None
        if lane:
            lane.close()


_posts: dict[str, Post] = {}


def post_of(run: str) -> Post:
    """What the run of this token has here; made when it is first asked for."""
    return _posts.setdefault(run, Post())


def lacking(kits: tuple[Kit, ...]) -> tuple[Kit, ...]:
    """Those of which no folder is here."""
    return tuple(kit for kit in folders(kits) if not has_arrived(kit))


def fit_here(run: str, fit: Fit, kits: tuple[Kit, ...]) -> None:
    """Make this worker ready for a run."""
    post_of(run).fit(fit, kits)


def play_here(run: str, play: Play, spec: MatchSpec) -> MatchRecord:
    """Play a match for this run."""
    return post_of(run).play(play, spec)


def leave(run: str) -> None:
    """Leave nothing of this run in this worker."""
    if post := _posts.pop(run, None):
        post.leave()


@cache
def code() -> str:
    """The hash of the harness's own program, 64 hex digits: a version number says too little of a checkout."""
    digest = hashlib.sha256()
    top = Path(spades_harness.__file__).parent
    for name in sorted(path.relative_to(top).as_posix() for path in top.rglob("*.py")):
        digest.update(name.encode() + b"\0" + hashlib.sha256((top / name).read_bytes()).digest())
    return digest.hexdigest()


def _new_lane() -> WorkerLane:
    with _may_have_children():
        return WorkerLane()


@contextmanager
def _may_have_children() -> Iterator[None]:
    """A worker under a nanny is a daemon, and daemons may start no process, lest nobody end it; of a lane its lifeline
    makes sure. There is no public way to say so.
    """
    config: dict[str, Any] = getattr(multiprocessing.process.current_process(), "_config")  # noqa: B009
    daemon = config.pop("daemon", None)
    try:
        yield
    finally:
        if daemon is not None:
            config["daemon"] = daemon
