"""What plays a run now: the harness, its Python, the machine. Looks at the system, and knows no ledger."""

from __future__ import annotations

import os
import platform
from typing import NamedTuple

from spades_harness import __version__
from spades_harness.table.cores import EVERYWHERE
from spades_harness.tournament.times import now


class Session(NamedTuple):
    """One time that a run was founded or gone on with, and what with; a session in which nothing is written is none."""

    started: str
    harness: str
    """Its version."""
    python: str
    system: str
    machine: str
    processors: int
    """Those that the run might use."""


def this_session() -> Session:
    """As it begins now."""
    processors = len(EVERYWHERE) or os.cpu_count() or 1
    return Session(now(), __version__, platform.python_version(), platform.system(), platform.machine(), processors)
