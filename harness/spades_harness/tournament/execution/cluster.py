"""Matches on a cluster of Dask's: the only module that knows Dask, and only while a run uses it.

Each worker process of the cluster is a hand of the crew, once it was found fit. A match goes to a hand that has nothing
to do, and to no other: Dask itself would try a match again on another worker without a word, but how often a match was
tried stands in the ledger. When a hand is lost, what it played fails like what a dead lane played, and `lanes` tries it
again. Hands come and go while a run goes on; nothing that the ledger holds hangs on which of them played what.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future, InvalidStateError, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from itertools import count
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from spades_harness import __version__
from spades_harness.errors import UserError
from spades_harness.table.match import MatchRecord, MatchSpec

from . import outpost
from .executors import Job, NoSite, Site
from .lanes import ExecutorLost, Lane, Play
from .parcel import pack, unpack
from .room import Room, physical_cores
from .worker import deaf_to_interrupts

T = TypeVar("T")
LOCAL: Final = "local"
MAX_LOCAL: Final = 256
"""As many as `--jobs` takes."""
RESOURCE: Final = "spades"
"""What a worker process has one of, and a match needs: so none gets two at a time, however many threads it has."""
CONNECTING: Final = 20.0
"""Seconds for a scheduler to answer: over a network it takes milliseconds, and one that is started now some seconds."""
SILENT: Final = logging.CRITICAL + 1
"""The level of logs that nobody sees."""
FITTING: Final = 16
"""Hands that are made ready at a time: enough to keep a network busy, and few for a scheduler."""


@contextmanager
def dask(where: str, job: Job) -> Iterator[Site]:
    """The workers of the cluster at an address, or `local:N` of this machine alone.

    Raises NoSite where there is no such cluster, or none of its workers is fit.
    """
    if why := objection(where):
        raise NoSite(f"--executor dask={where}: {why}")
    here = _local_size(where)
    with ExitStack() as stack:
        address = where if here is None else stack.enter_context(_local(here))
        client = stack.enter_context(_client(address))
        crew = Crew(client, job, address if here is None else f"{LOCAL}:{here}")
        stack.callback(crew.disband)
        crew.muster()
        yield crew


def objection(where: str) -> str:
    """What is wrong with the text after `dask=`, or with this machine, before anybody is called; empty: nothing."""
    name, _, number = where.partition(":")
    if name != LOCAL and "://" not in where:
        return "give the scheduler's address, as dask=tcp://HOST:8786, or dask=local:N"
    if name == LOCAL and number and not _is_size(number):
        return f"the number of workers must be 1 to {MAX_LOCAL}, not {number!r}"
    if find_spec("distributed") is None:  # an extra, and slow to load
        return "Dask is not installed here: pip install 'spades-harness[dask]'"
    return ""


def _is_size(number: str) -> bool:
    digits = number.isascii() and number.isdigit() and len(number) <= len(str(MAX_LOCAL))
    return digits and 1 <= int(number) <= MAX_LOCAL


def _local_size(where: str) -> int | None:
    """How many worker processes of this machine; None where an address is given."""
    name, _, number = where.partition(":")
    if name != LOCAL:
        return None
    return int(number) if number else physical_cores()


@contextmanager
def _local(size: int) -> Iterator[str]:
    """A cluster of this machine, for loopback alone; its address."""
    from distributed import LocalCluster  # noqa: PLC0415

    with deaf_to_interrupts():
        cluster = LocalCluster(
            n_workers=size,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            memory_limit=0,  # what bots may use, the tournament file says
            silence_logs=SILENT,
        )
    with cluster:
        yield cluster.scheduler_address


@contextmanager
def _client(address: str) -> Iterator[Any]:
    from distributed import Client  # noqa: PLC0415

    for name in ("distributed", "distributed.client"):  # what is worth a line, a run says itself
        logging.getLogger(name).setLevel(SILENT)
    try:
        client = Client(address, timeout=CONNECTING, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoSite(f"--executor dask={address}: no scheduler answers there: {error}") from None
    try:
        yield client
    finally:
        client.close(timeout=CONNECTING)


# ------------------------------------------------------------------------------------------------------------- one hand


class Hand:
    """A worker process of the cluster; what is asked of it fails with BrokenExecutor when it is lost."""

    def __init__(self, client: Any, address: str) -> None:
        self.address, self.name = address, "?"
        self._executor = client.get_executor(workers=[address], allow_other_workers=False, pure=False)
        self._open: set[Future[Any]] = set()
        self._lock = threading.Lock()
        self._lost = False

    def __str__(self) -> str:
        return f"the worker {self.name} ({self.address})"

    def ask(self, function: Callable[..., T], *arguments: object, **how: object) -> Future[T]:
        """Call a function there. A future that is cancelled is broken off there."""
        outer: Future[T] = Future()
        with self._lock:
            if self._lost:
                outer.set_exception(BrokenExecutor(f"{self} is lost"))
                return outer
            self._open.add(outer)
        inner = self._executor.submit(function, *arguments, **how)
        inner.add_done_callback(partial(_pass_on, outer))
        outer.add_done_callback(partial(self._close, inner))
        return outer

    def _close(self, inner: Future[T], outer: Future[T]) -> None:
        with self._lock:
            self._open.discard(outer)
        inner.cancel()  # where it is over, that does nothing

    def lose(self) -> None:
        """It has gone."""
        with self._lock:
            self._lost, going = True, tuple(self._open)
        for future in going:
            with suppress(InvalidStateError):
                future.set_exception(BrokenExecutor(f"{self} is lost"))


def _pass_on(outer: Future[T], inner: Future[T]) -> None:
    """What came of a call; one that Dask gave up is given up with all others: the scheduler has gone."""
    with suppress(InvalidStateError):  # it was lost, or cancelled, first
        if inner.cancelled():
            outer.set_exception(ExecutorLost("the connection to the scheduler is lost"))
        elif error := inner.exception():
            outer.set_exception(error)
        else:
            outer.set_result(inner.result())


# ------------------------------------------------------------------------------------------------------------- the crew


@dataclass(slots=True)
class _Errand:
    """A match that waits for a hand."""

    play: Play
    spec: MatchSpec
    future: Future[MatchRecord] = field(default_factory=Future)


class Crew:
    """All hands of a cluster: those that come, are found fit, play, and are lost."""

    def __init__(self, client: Any, job: Job, where: str) -> None:
        self._client, self._job, self._where = client, job, where
        self._run = os.urandom(8).hex()
        self._numbers = count(1)
        self._hands: dict[str, Hand] = {}
        """All that are there, by address; the fit ones among them in `_fit`."""
        self._fit: set[str] = set()
        self._free: deque[Hand] = deque()
        self._queue: deque[_Errand] = deque()
        self._change = threading.Condition()
        self._refused: list[str] = []
        self._machines: defaultdict[str | None, threading.Lock] = defaultdict(threading.Lock)
        self._fitting = ThreadPoolExecutor(FITTING)

    # ---- as a site

    @property
    def room(self) -> Room:
        """A match a fit hand; one where there is none, which then waits for the next to come."""
        if self._client.status != "running":
            raise ExecutorLost(f"the scheduler at {self._where} is lost")
        there = max(1, len(self._fit))
        matches = there if self._job.jobs is None else min(there, self._job.jobs)
        return Room(matches, matches)

    def lane(self) -> Lane:
        """A lane on whichever hand is free."""
        return CrewLane(self)

    def submit(self, play: Play, spec: MatchSpec) -> Future[MatchRecord]:
        """Have a match played by the next hand that has nothing to do."""
        errand = _Errand(play, spec)
        with self._change:
            self._queue.append(errand)
        self._assign()
        return errand.future

    def _assign(self) -> None:
        """Bring together those who have nothing to do and what is to be done."""
        while True:
            with self._change:
                if not (self._free and self._queue):
                    return
                hand, errand = self._free.popleft(), self._queue.popleft()
            if errand.future.cancelled():
                self._release(hand)
            else:
                self._begin(hand, errand)

    def _begin(self, hand: Hand, errand: _Errand) -> None:
        key = f"{_watch_of(self._run)}-{next(self._numbers)}"
        playing = hand.ask(outpost.play_here, self._run, errand.play, errand.spec, key=key, resources={RESOURCE: 1})
        errand.future.add_done_callback(lambda _: playing.cancel())
        playing.add_done_callback(lambda _: self._release(hand))
        playing.add_done_callback(partial(_pass_on, errand.future))

    def _release(self, hand: Hand) -> None:
        with self._change:
            if hand.address in self._fit and hand not in self._free:
                self._free.append(hand)
        self._assign()

    # ---- who comes and goes

    def muster(self) -> None:
        """Take on all that are there, and from now on those who come; returns when one is fit.

        Waits for the first one to come, if need be. Raises NoSite where there are some and none is fit.
        """
        self._client.subscribe_topic("all", self._heard)
        for address in self._known():
            self._join(address)
        with self._change:
            if not self._hands and not self._refused:
                self._job.tell(f"spades: the cluster at {self._where} has no workers yet; waiting for the first one")
            while not self._fit:
                if self._refused and not self._hands:
                    raise NoSite("\n".join([*self._refused, "no worker of the cluster is fit; nothing was played"]))
                self._change.wait(1.0)  # an interrupt does not end a longer one on Windows

    def _heard(self, event: tuple[float, Any]) -> None:
        """What the scheduler tells everybody: a function's result, a client, or a worker that came or went."""
        match event[1]:
            case {"action": "add-worker", "worker": str(address)}:
                self._join(address)
            case {"action": "remove-worker", "worker": str(address)}:
                self._lose(address)
            case _:
                pass

    def _known(self) -> Mapping[str, Mapping[str, object]]:
        """What the scheduler tells of its workers, by address."""
        workers: Mapping[str, Mapping[str, object]] = self._client.scheduler_info(n_workers=-1)["workers"]
        return workers

    def _join(self, address: str) -> None:
        with self._change:
            if address in self._hands:
                return
            hand = self._hands[address] = Hand(self._client, address)
        with suppress(RuntimeError):  # the run is over
            self._fitting.submit(self._take_on, hand)

    def _lose(self, address: str) -> None:
        with self._change:
            hand = self._hands.pop(address, None)
            self._fit.discard(address)
            if hand and hand in self._free:
                self._free.remove(hand)
            self._change.notify_all()
        if hand:  # not in the thread of Dask's loop, where nothing can be cancelled
            threading.Thread(target=hand.lose, daemon=True).start()

    def _take_on(self, hand: Hand) -> None:
        """Make a hand ready, or refuse it and say why."""
        why = ""
        try:
            hand.name = str(self._known().get(hand.address, {}).get("name", "?"))
            self._fit_out(hand)
        except (BrokenExecutor, ExecutorLost):
            return  # it has gone before it began
        except Exception as error:  # noqa: BLE001 - whatever it lacks, the run goes on without it
            why = str(error) or type(error).__name__
        with self._change:
            if hand.address not in self._hands:
                return
            if why:
                del self._hands[hand.address]
                self._refused.append(f"{hand} is refused: {why}")
                self._job.tell(f"spades: {self._refused[-1]}")
            else:
                self._fit.add(hand.address)
            self._change.notify_all()
        self._release(hand)

    def _fit_out(self, hand: Hand) -> None:
        """Raises UserError for what it lacks."""
        _refuse_unless_alike(hand)
        self._client.run(_enlist, self._run, workers=[hand.address])
        with self._machines[urlsplit(hand.address).hostname]:  # what one of its workers has fetched or built, all have
            for kit in hand.ask(outpost.lacking, self._job.kits).result():
                there = self._client.scatter(pack(kit), workers=[hand.address], hash=False)
                hand.ask(unpack, kit, there).result()
            hand.ask(outpost.fit_here, self._run, self._job.fit, self._job.kits, resources={RESOURCE: 1}).result()

    def disband(self) -> None:
        """Leave nothing of the run on any worker."""
        self._fitting.shutdown(wait=False, cancel_futures=True)
        with suppress(Exception):  # whatever has gone by now leaves nothing behind either
            if self._client.status == "running":
                self._client.unsubscribe_topic("all")
                self._client.run(_discharge, self._run, workers=[*self._fit], on_error="ignore")


class CrewLane:
    """A lane whose matches go to whichever hand is free."""

    def __init__(self, crew: Crew) -> None:
        self._crew = crew
        self._playing: Future[MatchRecord] | None = None

    def submit(self, play: Play, spec: MatchSpec, /) -> Future[MatchRecord]:
        """Begin a match; it fails with BrokenExecutor when its hand is lost, with ExecutorLost when all are."""
        self._playing = self._crew.submit(play, spec)
        return self._playing

    def cut(self) -> None:
        """Break off what is being played."""
        if self._playing:
            self._playing.cancel()

    def close(self) -> None:
        """As `cut`; that nothing is left, the crew sees to when it is disbanded."""
        self.cut()


def _refuse_unless_alike(hand: Hand) -> None:
    """Raise UserError for a worker with another harness, asking first what one without any can answer."""
    try:
        there = hand.ask(metadata.version, "spades-harness").result()
    except metadata.PackageNotFoundError:
        raise UserError(f"spades-harness is not installed there; this run needs {__version__}") from None
    if there != __version__:
        raise UserError(f"it has spades-harness {there}, and this run {__version__}: install the same")
    if hand.ask(outpost.code).result() != outpost.code():
        raise UserError(f"its spades-harness {there} is not the program that this run has: install the same")


# -------------------------------------------------------------------------------------------------- in a worker process


async def _enlist(run: str, dask_worker: Any) -> None:
    """Let this worker play for a run: one match at a time, which ends when nobody waits for it any more."""
    from distributed import WorkerPlugin  # noqa: PLC0415

    post = outpost.post_of(run)

    class Watch(WorkerPlugin):  # type: ignore[misc]
        def transition(self, key: object, start: str, finish: str, **_: object) -> None:
            ours = str(key).startswith(_watch_of(run))
            if ours and start == "executing" and finish not in {"memory", "error"}:
                post.cut()

        def teardown(self, worker: object) -> None:
            post.cut()

    await dask_worker.plugin_add(Watch(), name=_watch_of(run), catch_errors=False)
    await dask_worker.set_resources(**{RESOURCE: 1})


async def _discharge(run: str, dask_worker: Any) -> None:
    """Leave nothing of a run in this worker."""
    await dask_worker.plugin_remove(name=_watch_of(run))
    await dask_worker.loop.run_in_executor(None, outpost.leave, run)


def _watch_of(run: str) -> str:
    return f"spades-{run}"
