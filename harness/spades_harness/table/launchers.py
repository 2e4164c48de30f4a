"""How the process of a bot is enclosed: what a launcher can do, and `none`, which encloses nothing.

A launcher turns a command line into one that starts the bot in its box, and acts on a whole box: all processes that
came of the bot. It knows no messages and no clocks, and raises for nothing that a bot does.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from .bounds import Resources
from .launch import Launch, signal_group
from .tree import descendants


@dataclass(frozen=True, slots=True)
class Box:
    """What a bot may use and see."""

    resources: Resources = field(default_factory=Resources)
    network: bool = False
    read: tuple[str, ...] = ()
    """Absolute paths that it may read beside its own folder and what its command needs."""


class Launcher(Protocol):
    """A way to enclose bots. `pid` is always the process that was started from `enclose`'s command line."""

    def objection(self, box: Box) -> str:
        """Why it cannot enclose like this on this machine, in one line with the cure; empty where it can."""
        ...

    def enclose(self, launch: Launch, box: Box) -> Launch:
        """What starts the bot in its box."""
        ...

    def shows(self, argv: Sequence[str], path: str) -> Sequence[Path]:
        """What of the machine a bot with this command line is shown beside its own folder and what it may `read`."""
        ...

    def trouble(self, launch: Launch, code: int) -> str:
        """Why the box itself did not come up, now that its process has ended with this code; empty where it did."""
        ...

    def members(self, pid: int) -> Sequence[int]:
        """The processes of the box at this moment, those that left the process group among them."""
        ...

    def freeze(self, pid: int) -> None:
        """Let the whole box stand still."""
        ...

    def thaw(self, pid: int) -> None:
        """Let it go on."""
        ...

    def end(self, pid: int, *, by_force: bool) -> None:
        """Ask the whole box to end, or end it."""
        ...


class Unboxed:
    """No sandbox: a process group of its own, and all that whoever runs the harness may do."""

    def objection(self, box: Box) -> str:
        """There is nothing to be missing."""
        return ""

    def enclose(self, launch: Launch, box: Box) -> Launch:
        """As it is."""
        return launch

    def shows(self, argv: Sequence[str], path: str) -> Sequence[Path]:
        """Nothing is hidden, so nothing is shown."""
        return ()

    def trouble(self, launch: Launch, code: int) -> str:
        """There is no box that could fail."""
        return ""

    def members(self, pid: int) -> Sequence[int]:
        """All that came of it and has a parent still; `watch` remembers the others."""
        return descendants(pid)

    def freeze(self, pid: int) -> None:
        """The process group stands still; where the system has no such thing, nothing happens."""
        signal_group(pid, "SIGSTOP")

    def thaw(self, pid: int) -> None:
        """The process group goes on."""
        signal_group(pid, "SIGCONT")

    def end(self, pid: int, *, by_force: bool) -> None:
        """The process group is told to end, or is ended; on Windows only the bot itself is ended."""
        if sys.platform == "win32":
            with suppress(OSError):  # it has ended
                os.kill(pid, signal.SIGTERM)
            return
        signal_group(pid, "SIGKILL" if by_force else "SIGTERM")


UNENCLOSED: Final[Mapping[str, Launcher]] = MappingProxyType({"none": Unboxed()})
"""What is there without any plugin."""
