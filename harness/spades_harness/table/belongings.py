"""What of a folder belongs to the bot in it: said once, for its content hash, its builds and its working folder.

Reads names, and the beginnings of YAML files; writes nothing, hashes nothing, starts nothing. What does not belong to
the bot is neither hashed nor shown to it, so that nothing it sees can change while its hash stays. The one exception is
a Python environment: it is shown, since a command may need it, and not hashed, since it belongs to the machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

MANIFEST: Final = "bot.yaml"
"""The file that says how the bot of a folder is started."""
MAX_FILES: Final = 20_000
"""More than any bot with its data; what has more is a home folder that was taken for a bot's."""
MAX_DEPTH: Final = 100
"""Folders within folders: no program nests them so deep, and looking into them must end."""
RUN: Final = "ledger.sqlite"
"""A folder that holds one is a tournament's run."""
ENVIRONMENT: Final = "pyvenv.cfg"
"""A folder that holds one is a Python environment, made for one machine."""
_HEAD: Final = 2**16
"""Bytes of a YAML file in which `bots:` is looked for: pages of comments may come first, or a long list of entrants."""

# What programs leave behind and no bot is made of: caches, version control, editors' files and backups, logs, and the
# ledger of a run that is kept right beside the bot.
_LEFT: Final = re.compile(
    r"__pycache__|\.(git|hg|svn|idea|vscode|mypy_cache|pytest_cache|ruff_cache|DS_Store)|Thumbs\.db|desktop\.ini"
    r"|.*~|\.#.*|#.*#|.*\.sw[op]|.*\.log|ledger\.(sqlite.*|lock)",
    re.DOTALL,
)
_YAML: Final = (".yaml", ".yml")
_BOTS: Final = re.compile(rb"""(\A\xef\xbb\xbf|^)(\{\s*)?["']?bots["']?\s*:""", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Leaf:
    """A file, or a link that leads to one; also what nobody can read: a link that leads nowhere, a pipe, a device."""

    name: str
    """Its path inside the bot's folder, with slashes; so in all that belongs to a bot."""
    path: Path


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, or a link that leads to one; what belongs to the bot of it, in the order of names."""

    name: str
    path: Path
    entries: tuple[Belonging, ...]
    whole: bool
    """Whether all that lies in it, at any depth, belongs to the bot; a link to it shows nothing else then."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A Python environment: belongs to the machine."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Round:
    """A link to a folder that it lies in."""

    name: str
    path: Path
    goal: str
    """Where it leads from where it lies: `.`, `..`, `../..`."""


Belonging: TypeAlias = Leaf | Folder | Environment | Round


@dataclass(frozen=True, slots=True)
class Belongings:
    """All that belongs to a bot."""

    root: Folder
    too_many: bool
    """Whether there was more than a bot has; folders that were not looked into any more then count as whole."""


def belongings(folder: Path) -> Belongings:
    """What of this folder belongs to the bot in it. Raises OSError for what can't be read."""
    look = _Look()
    names = _scan(folder)
    return Belongings(look.into(folder, "", (_id(folder),), names), look.seen > MAX_FILES)


def files(folder: Folder) -> Iterator[Leaf | Round]:
    """What has content, in the order of names: all but environments, and folders as such."""
    for entry in folder.entries:
        match entry:
            case Folder():
                yield from files(entry)
            case Leaf() | Round():
                yield entry
            case Environment():
                pass


def may_be_a_bots(folder: Path) -> bool:
    """Whether a folder among submissions may be one: it says so, or it is no cache, no runs, and no environment."""
    marked = any(next(folder.glob(mark), None) for mark in (RUN, f"*/{RUN}", ENVIRONMENT))
    return os.path.lexists(folder / MANIFEST) or not (is_left(folder.name) or marked)


def is_left(name: str) -> bool:
    """Whether what has this name is a thing that programs leave behind."""
    return _LEFT.fullmatch(name) is not None


def is_tournament(file: Path) -> bool:
    """Whether this is a tournament file, by a key `bots` at its top: it names the bot's opponents."""
    if file.suffix.lower() not in _YAML or file.name == MANIFEST or not file.is_file():
        return False
    with file.open("rb") as opened:
        return _BOTS.search(opened.read(_HEAD)) is not None


class _Look:
    """A look through a folder, which ends even where links lead round or each of many folders holds many more."""

    def __init__(self) -> None:
        self.seen = 0

    def into(self, path: Path, name: str, above: tuple[_Id, ...], found: list[os.DirEntry[str]]) -> Folder:
        """A folder; `above` are the folders that lead to it, and itself."""
        self.seen += 1 + len(found)
        prefix = f"{name}/" if name else ""
        seen = [self._entry(entry, f"{prefix}{entry.name}", above) for entry in found]
        entries = tuple(entry for entry in seen if entry is not None)
        whole = len(entries) == len(found) > 0 and all(_is_whole(entry) for entry in entries)
        return Folder(name, path, entries, whole)

    def _entry(self, entry: os.DirEntry[str], name: str, above: tuple[_Id, ...]) -> Belonging | None:
        if is_left(entry.name):
            return None
        path = Path(entry.path)
        if _is_folder(entry):
            return self._folder(path, name, above)
        return None if is_tournament(path) else Leaf(name, path)

    def _folder(self, path: Path, name: str, above: tuple[_Id, ...]) -> Belonging | None:
        """What is known of a folder; nothing of one in which something lies, but nothing of the bot's."""
        own = _id(path)
        if own in above:
            return Round(name, path, "/".join([".."] * (len(above) - above.index(own) - 1)) or ".")
        if len(above) > MAX_DEPTH:
            self.seen += MAX_FILES
        if self.seen > MAX_FILES:
            return Folder(name, path, (), whole=True)
        found = _scan(path)
        names = {entry.name for entry in found}
        if RUN in names:
            return None
        if ENVIRONMENT in names:
            return Environment(name, path)
        folder = self.into(path, name, (*above, own), found)
        return folder if folder.entries or not found else None


_Id: TypeAlias = tuple[int, int]
"""What a folder is known by, however it is called."""


def _id(folder: Path) -> _Id:
    status = folder.stat()
    return status.st_dev, status.st_ino


def _scan(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as found:
        return sorted(found, key=lambda entry: entry.name.encode("utf-8", "surrogatepass"))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Also where a link leads; a link that leads round in itself is no folder."""
    return Path(entry.path).is_dir() if entry.is_symlink() else entry.is_dir()


def _is_whole(entry: Belonging) -> bool:
    return entry.whole if isinstance(entry, Folder) else not isinstance(entry, Round)
