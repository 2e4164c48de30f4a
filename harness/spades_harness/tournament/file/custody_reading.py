"""What a tournament file says of time, of the machine and of the sandbox: `limits`, `resources`, `sandbox`, `ponder`,
`suspect`.

As `config`, it only reads: whether a sandbox is there, and permitted, whoever runs the file finds out.
"""

from __future__ import annotations

from functools import partial
from typing import Final, TypeVar

from spades_harness.table.bounds import COUNT, REPLAY, UNBOXED, Custody, Limits, Overrun, Resources
from spades_harness.tournament.registry import Registry

from .reading import At, Reader, Reading, flag, one_of, seconds, text, whole, word

T = TypeVar("T")

START: Final = (0.1, 600.0)
"""A tenth of a second is quicker than most processes start; ten minutes load any model."""
MOVE: Final = (0.001, 3600.0)
"""Below a millisecond the clock measures the machine; above an hour nobody waits for a card."""
BANK: Final = (0.01, 604_800.0)
"""A week: a match that takes longer is a hanging one."""
INCREMENT: Final = (0.0, 3600.0)
SHUTDOWN: Final = (0.0, 60.0)
"""A minute writes away whatever a bot has learnt; it is waited for at the end of each match."""
MARGIN: Final = (0.0, 60.0)
MOST_STRIKES: Final = 1_000_000
MEMORY: Final = (16, 1_048_576)
"""MiB. Less starts no interpreter; more than a TiB no machine has."""
CPU: Final = (0.1, 604_800.0)
PROCESSES: Final = (1, 100_000)
FILE_SIZE: Final = (1, 1_048_576)
CORES: Final = (1, 1_024)


def read_limits(at: At) -> Limits:
    """`limits:`."""
    plain = Limits()
    with Reading(at) as keys:
        return Limits(
            start=keys.get("start", seconds(*START), plain.start),
            move=keys.get("move", seconds(*MOVE), plain.move),
            bank=keys.get("bank", seconds(*BANK), plain.bank),
            increment=keys.get("increment", seconds(*INCREMENT), plain.increment),
            shutdown=keys.get("shutdown", seconds(*SHUTDOWN), plain.shutdown),
            overrun=keys.get("overrun", _overrun, plain.overrun),
        )


def _overrun(at: At) -> Overrun:
    """Both or neither: a margin without a strike lets nothing in, nor does a strike without a margin."""
    with Reading(at) as keys:
        return Overrun(keys.need("margin", seconds(*MARGIN), 0.0), keys.need("strikes", whole(0, MOST_STRIKES), 0))


def read_resources(at: At) -> Resources:
    """`resources:`, each of them bounded or `none`."""
    plain = Resources()
    with Reading(at) as keys:
        return Resources(
            memory=keys.get("memory", _or_none(whole(*MEMORY)), plain.memory),
            cpu=keys.get("cpu", _or_none(seconds(*CPU)), plain.cpu),
            processes=keys.get("processes", _or_none(whole(*PROCESSES)), plain.processes),
            file_size=keys.get("file_size", _or_none(whole(*FILE_SIZE)), plain.file_size),
            cores=keys.get("cores", whole(*CORES), plain.cores),
        )


def _or_none(read: Reader[T]) -> Reader[T | None]:
    def reader(at: At) -> T | None:
        return None if word(at) in {"none", "null", "~"} else read(at)

    return reader


def read_custody(keys: Reading, registry: Registry) -> Custody:
    """`sandbox:`, `resources:`, `ponder:` and `suspect:` of the whole file."""
    plain = Custody()
    return Custody(
        sandbox=keys.get("sandbox", partial(_sandbox, registry=registry), plain.sandbox),
        resources=keys.get("resources", read_resources, plain.resources),
        ponder=keys.get("ponder", flag, default=plain.ponder),
        suspect=keys.get("suspect", one_of(COUNT, REPLAY), plain.suspect),
    )


def _sandbox(at: At, registry: Registry) -> str:
    found = text(at)
    if found != UNBOXED.sandbox and found not in registry.launchers:
        raise at.error(f"no sandbox {found!r}{registry.missing(found, list(registry.launchers))}")
    return found
