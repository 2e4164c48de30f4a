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
from functools import cache
from pathlib import Path
from typing import Any

import spades_harness
from spades_harness.table.match import MatchRecord, MatchSpec

from .lanes import Play
from .worker import WorkerLane


class Post:
    """What one run has in this worker process."""

    def __init__(self) -> None:
        self._lane: WorkerLane | None = None
        self._lock = threading.Lock()

    def play(self, play: Play, spec: MatchSpec) -> MatchRecord:
        """Play a match in the lane; raises BrokenExecutor where the lane dies over it, or is cut."""
        with self._lock:
            lane = self._lane = self._lane or _new_lane()
        try:
            return lane.submit(play, spec).result()
        except BrokenExecutor:
            self.leave()
            raise

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
