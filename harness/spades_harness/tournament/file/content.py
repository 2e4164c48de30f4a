"""The content of a bot: one hash over the files that belong to it, and its command. Reads files, writes none.

Two bots of one content play alike, wherever they lie; a bot whose content changed is another bot. What belongs to a
bot is said by `table.belongings`.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from spades_harness.errors import UserError
from spades_harness.table.belongings import MAX_DEPTH, MAX_FILES, Leaf, Round, belongings, files

MAX_BYTES: Final = 2 * 2**30
"""Two gigabytes are hashed in seconds; larger weights belong outside, with their path in `params`."""
_LABEL: Final = b"spades-harness/content/1"
"""The version of the description: a change of its form needs a new number here."""
_CHUNK: Final = 2**20
_CURE: Final = "give the bot a folder of its own"
_READABLE: Final = f"make it readable, or {_CURE}"


def files_of(folder: Path) -> tuple[Leaf | Round, ...]:
    """The files of a bot in the order of their names; those of a Python environment and empty folders don't count.

    Raises UserError when there are too many, or one can't be read.
    """
    try:
        found = belongings(folder)
    except OSError as error:
        where = error.filename or folder
        raise UserError(f"{where}: cannot be read: {error.strerror or error}; {_READABLE}") from None
    if found.too_many:
        raise UserError(f"{folder}: more than {MAX_FILES} files, or {MAX_DEPTH} folders in each other; {_CURE}")
    return tuple(files(found.root))


def content_of_folder(folder: Path, command: Sequence[str], build: Sequence[Sequence[str]]) -> str:
    """The hash of a bot that is a folder, 64 hex digits. Raises UserError when it is too large or can't be read."""
    digest = _Digest("folder")
    digest.add("command", *command)
    for step in build:
        digest.add("build", *step)
    digest.add_files(files_of(folder), folder)
    return digest.hex()


def content_of_plugin(name: str, sources: Iterable[Path], version: str) -> str:
    """The hash of a bot that a plugin registers: its name, its source files, and its distribution's version."""
    digest = _Digest("plugin")
    digest.add("plugin", name, version)
    paths = sorted(sources)
    top = Path(os.path.commonpath(paths)) if paths else Path()
    folder = top.parent if len(paths) == 1 else top
    digest.add_files([Leaf(path.relative_to(folder).as_posix(), path) for path in paths], folder)
    return digest.hex()


class _Digest:
    """SHA-256 over records, each text with its length before it, so that no two lists of records look alike."""

    def __init__(self, kind: str) -> None:
        self._sum = hashlib.sha256(_LABEL)
        self._left = MAX_BYTES
        self.add(kind)

    def add(self, *texts: str) -> None:
        """One record."""
        parts = [_bytes(text) for text in texts]
        self._sum.update(b"%d;" % len(parts) + b"".join(b"%d:%s" % (len(part), part) for part in parts))

    def add_files(self, found: Sequence[Leaf | Round], folder: Path) -> None:
        """A record a file: what it is, its name, and the hash of what is in it."""
        too_large = UserError(
            f"{folder}: more than {MAX_BYTES / 2**30:g} GiB; {_CURE}, and keep large data elsewhere, its path in params"
        )
        if sum(_size(entry.path) for entry in found) > self._left:
            raise too_large  # before any of it is read
        for entry in found:
            try:
                self.add(*self._describe(entry))
            except OSError as error:
                raise UserError(f"{entry.path}: cannot be read: {error.strerror or error}; {_READABLE}") from None
            if self._left < 0:
                raise too_large

    def _describe(self, entry: Leaf | Round) -> tuple[str, ...]:
        """A link to a file counts as the file; one that leads nowhere as its text; a pipe by its name alone."""
        match entry:
            case Round(name, _, goal):
                return "link", name, goal
            case Leaf(name, path) if path.is_file():
                return _kind(path), name, self._hash(path)
            case Leaf(name, path):
                return ("link", name, str(path.readlink())) if path.is_symlink() else ("special", name)

    def _hash(self, path: Path) -> str:
        own = hashlib.sha256()
        with path.open("rb") as file:
            while self._left >= 0 and (chunk := file.read(_CHUNK)):
                own.update(chunk)
                self._left -= len(chunk)
        return own.hexdigest()

    def hex(self) -> str:
        return self._sum.hexdigest()


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _kind(path: Path) -> str:
    """Whether the file is a program; Windows, which can't tell, says no."""
    return "program" if os.name == "posix" and path.stat().st_mode & stat.S_IXUSR else "file"


def _bytes(text: str) -> bytes:
    """The same on every system, also for names of files that aren't Unicode."""
    return text.encode("utf-8", "surrogatepass")
