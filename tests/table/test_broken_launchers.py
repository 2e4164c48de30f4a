"""What a launcher of somebody else's raises comes out of the table, and no bot is left behind: none runs, none stands
still for ever, and nobody waits for one."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.table import process, seating
from spades_harness.table.bounds import Custody, Limits, Resources
from spades_harness.table.launchers import Unboxed

from .test_bounds import a_match, play, python_bot
from .transports import TRANSPORTS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no processes that stand still")

DEAF = "import atexit; atexit.register(time.sleep, 999); signal.signal(signal.SIGTERM, signal.SIG_IGN)"
"""Of a bot that outlives the end of its input, and a request to end: only force ends it."""


class Broken(Unboxed):
    """Fails in one of its operations from the nth time on, and knows what was started."""

    def __init__(self, operation: str, nth: int) -> None:
        self.started: set[int] = set()
        self._operation, self._left = operation, nth

    def _begin(self, operation: str, pid: int) -> None:
        self.started.add(pid)
        self._left -= operation == self._operation
        if self._left <= 0 and operation == self._operation:
            raise ValueError(f"{operation} is broken")

    def members(self, pid: int) -> list[int]:
        """Breaks, or does what is done everywhere."""
        self._begin("members", pid)
        return [*super().members(pid)]

    def freeze(self, pid: int) -> None:
        """Breaks, or does what is done everywhere."""
        self._begin("freeze", pid)
        super().freeze(pid)

    def thaw(self, pid: int) -> None:
        """Breaks, or does what is done everywhere."""
        self._begin("thaw", pid)
        super().thaw(pid)

    def end(self, pid: int, *, by_force: bool) -> None:
        """Breaks, or does what is done everywhere."""
        self._begin("end", pid)
        super().end(pid, by_force=by_force)


def _leaves(error: Exception) -> Iterator[Exception]:
    if isinstance(error, ExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


@pytest.mark.parametrize("transport", [*TRANSPORTS.values()])
@pytest.mark.parametrize(
    ("operation", "nth"),
    [("freeze", 1), ("freeze", 6), ("thaw", 1), ("thaw", 6), ("members", 1), ("members", 6), ("end", 1)],
)
async def test_a_launcher_that_breaks_is_told_and_leaves_no_bot_behind(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    transport: type[process.PortableBot],
    operation: str,
    nth: int,
) -> None:
    monkeypatch.setattr(seating, "transport", lambda: transport)
    broken = Broken(operation, nth)
    bot = python_bot(tmp_path, DEAF if operation == "end" else "")
    match = a_match(bot, Resources(memory=512), Limits(start=60, move=60, bank=3600, shutdown=0.01))
    match = replace(match, custody=Custody("broken", Resources(memory=512)))
    with pytest.raises((ValueError, ExceptionGroup)) as raised:
        await play(match, {"broken": broken})
    assert {str(error) for error in _leaves(raised.value)} == {f"{operation} is broken"}
    assert broken.started
    for pid in broken.started:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
