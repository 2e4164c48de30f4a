"""One writer a folder: a lock file that the system gives back when its holder ends, however it ends.

The file stays behind, but it is the lock on it that counts, so a run that was killed blocks nobody. It says who
holds it, and since when.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from spades_harness.errors import UserError
from spades_harness.tournament.times import now

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FAR: Final = 1 << 30
"""Where Windows locks a byte: a locked byte cannot be read by others, and they shall read who holds the file."""


_SIGNED: Final = 64
"""Bytes that are read of a lock file: no process id has more than 20 digits, and a moment has 29 characters."""


class LockedError(UserError):
    """Somebody else holds the lock."""


class Lock:
    """A lock on a file, held from its making until `close`; raises LockedError, OSError if it cannot be made."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self._file = open(descriptor, "r+b", buffering=0)  # noqa: PTH123, SIM115
        try:
            _lock(self._file)
        except BlockingIOError:
            holder = _holder(self._file)
            self._file.close()
            raise LockedError(f"{path.parent} is in use by {holder}: wait for it, or stop it") from None
        except BaseException:
            self._file.close()
            raise
        self._sign(f"{os.getpid()} {now()}")

    def _sign(self, text: str) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(text.encode())

    def close(self) -> None:
        """Give the lock back."""
        if not self._file.closed:
            self._sign("")
            self._file.close()


def _holder(file: BinaryIO) -> str:
    file.seek(0)
    pid, _, since = file.read(_SIGNED).decode("ascii", "replace").partition(" ")
    if not pid.isdecimal():
        return "another process"
    return f"process {pid} since {since}" if _is_moment(since) else f"process {pid}"


def _is_moment(text: str) -> bool:
    """Whether a text is a moment with its offset; earlier versions wrote none."""
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False


if sys.platform == "win32":

    def _lock(file: BinaryIO) -> None:
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error
else:

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
