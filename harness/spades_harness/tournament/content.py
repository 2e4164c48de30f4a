"""What a bot consists of: the files of its folder, and one hash over them and the command. Reads files, writes none.

Two bots of one content play alike, wherever they lie; a bot whose content changed is another bot.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from spades_harness.errors import UserError

MAX_FILES: Final = 20_000
"""More than any bot with its data; what has more is a home folder that was taken for a bot's."""
MAX_BYTES: Final = 2 * 2**30
"""Two gigabytes are hashed in seconds; larger weights belong outside, with their path in `params`."""
_LABEL: Final = b"spades-harness/content/1"
"""The version of the description: a change of its form needs a new number here."""
_CHUNK: Final = 2**20

# What programs leave behind and no bot is made of: caches, version control, editors' backups, logs of earlier runs.
_LEFT_FOLDERS: Final = frozenset(
    {"__pycache__", ".git", ".hg", ".svn", ".idea", ".vscode", ".mypy_cache", ".pytest_cache", ".ruff_cache"}
)
_LEFT_FILES: Final = ("*.pyc", "*~", ".#*", "#*#", "*.sw[op]", "*.log", ".DS_Store", "Thumbs.db", "desktop.ini")
_MARKS: Final = ("ledger.sqlite", "pyvenv.cfg")
"""A folder that holds one is a tournament's run, or a Python environment made for one machine: neither is a bot's."""


class Entry(NamedTuple):
    """A file of a bot: its path inside the folder, with slashes, and where it is."""

    name: str
    path: Path


def files(folder: Path) -> Iterator[Entry]:
    """The files of a bot in the order of their names, a link to a folder among them; empty folders don't count.

    Raises UserError when there are too many.
    """
    for count, entry in enumerate(_walk(folder, "")):
        if count >= MAX_FILES:
            raise UserError(f"{folder}: more than {MAX_FILES} files; give the bot a folder of its own")
        yield entry


def _walk(folder: Path, prefix: str) -> Iterator[Entry]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: _bytes(entry.name))
    except OSError as error:
        raise UserError(f"{folder}: the bot's folder cannot be read: {error.strerror or error}") from None
    for entry in entries:
        path, name = Path(entry.path), prefix + entry.name
        if not entry.is_dir(follow_symlinks=False):
            if not _is_left(entry.name):
                yield Entry(name, path)
        elif is_part_of_a_bot(path):
            yield from _walk(path, f"{name}/")


def is_part_of_a_bot(folder: Path) -> bool:
    """Whether this may be a bot's folder, or one in it: no cache, no tournament's run, no Python environment."""
    return folder.name not in _LEFT_FOLDERS and not any((folder / mark).exists() for mark in _MARKS)


def _is_left(name: str) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in _LEFT_FILES)


def content_of_folder(folder: Path, command: Sequence[str], build: Sequence[Sequence[str]]) -> str:
    """The hash of a bot that is a folder, 64 hex digits. Raises UserError when it is too large or can't be read."""
    digest = _Digest("folder")
    digest.add("command", *command)
    for step in build:
        digest.add("build", *step)
    digest.add_files(files(folder), folder)
    return digest.hex()


def content_of_plugin(name: str, sources: Iterable[Path], version: str) -> str:
    """The hash of a bot that a plugin registers: its name, its source files, and its distribution's version."""
    digest = _Digest("plugin")
    digest.add("plugin", name, version)
    paths = sorted(sources)
    top = Path(os.path.commonpath(paths)) if paths else Path()
    folder = top.parent if len(paths) == 1 else top
    digest.add_files((Entry(path.relative_to(folder).as_posix(), path) for path in paths), folder)
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

    def add_files(self, entries: Iterable[Entry], folder: Path) -> None:
        """A record a file: what it is, its name, and the hash of what is in it."""
        for name, path in entries:
            try:
                self.add(*self._describe(name, path))
            except OSError as error:
                raise UserError(f"{path}: cannot be read: {error.strerror or error}") from None
            if self._left < 0:
                size = f"{MAX_BYTES // 2**30} GiB"
                raise UserError(f"{folder}: more than {size}; keep large data elsewhere, and its path in params")

    def _describe(self, name: str, path: Path) -> tuple[str, ...]:
        """A link to a file counts as the file; any other link as its text; a pipe or a device by its name alone."""
        if path.is_file():
            return _kind(path), name, self._hash(path)
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


def _kind(path: Path) -> str:
    """Whether the file is a program; Windows, which can't tell, says no."""
    return "program" if os.name == "posix" and path.stat().st_mode & stat.S_IXUSR else "file"


def _bytes(text: str) -> bytes:
    """The same on every system, also for names of files that aren't Unicode."""
    return text.encode("utf-8", "surrogatepass")
