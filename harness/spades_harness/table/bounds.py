"""What bounds a bot while it plays: its time, and what it may have of the machine. Values only.

How bounds are kept, the transports and launchers say; what a bot that breaks one has done, `judge` says.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

GRACE: Final = 0.05
"""Seconds beyond a limit that are forgiven and never told: what a busy machine may need to wake the referee up."""


@dataclass(frozen=True, slots=True)
class Overrun:
    """Answers that come after limit and grace, but by no more than `margin` seconds, are taken `strikes` times a match
    from each seat; the next one is a fault."""

    margin: float = 0.0
    strikes: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: for the start (process to `ready`), for one answer, and for all answers of a seat in a match."""

    start: float = 10.0
    move: float = 1.0
    bank: float = 60.0
    increment: float = 0.0
    """What each answer adds to the bank."""
    shutdown: float = 0.5
    """From the end of its input to the end of the process; who takes longer is ended, and that is no fault."""
    overrun: Overrun = field(default_factory=Overrun)


@dataclass(frozen=True, slots=True)
class Resources:
    """What a bot may use of the machine, all of its processes together; None where there is no bound."""

    memory: int | None = None
    """MiB of resident memory, at any moment."""
    cpu: float | None = None
    """Seconds of processor time in a match."""
    processes: int | None = None
    """At once, each thread counted as one: that is how systems count."""
    file_size: int | None = None
    """MiB of any file that it writes."""
    cores: int = 1
    """Processors that the bots of a match may use, the same for all of them."""


COUNT: Final = "count"
REPLAY: Final = "replay"
"""What may become of a match with a suspect fault."""


@dataclass(frozen=True, slots=True)
class Custody:
    """How the bots of a match are kept."""

    sandbox: str = "none"
    """The launcher's registered name."""
    resources: Resources = field(default_factory=Resources)
    ponder: bool = False
    """Whether a bot may think while another seat is asked; else the waiting seats stand still."""
    suspect: str = COUNT
    """What becomes of a match with a fault that its keeper may have caused: it counts, or is played again (REPLAY)."""


UNBOXED: Final = Custody()
"""What holds where nothing is said."""
