"""A bot's folder on its way to another machine: packed at home, held against its content hash where it arrives.

What arrives is kept in `bots` of the cache there, under its hash, and complete, since it gets its name last. Whoever
sends is believed, what came over the wire is not: what hashes to anything else is no bot of the run.
"""

from __future__ import annotations

import io
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from spades_harness.errors import UserError
from spades_harness.table.belongings import Leaf, Round
from spades_harness.table.match import Command, Plugin
from spades_harness.tournament.file.build import cache_folder
from spades_harness.tournament.file.content import content_of_folder, files_of

from .kits import Kit

_SQUEEZE: Final = 1
"""The quickest compression: texts and programs shrink to a half or less, and a network is slower than that."""


def pack(kit: Kit) -> bytes:
    """All that the content hash of a bot's folder speaks of. Raises UserError where that can't be packed."""
    folder, parcel = Path(_command(kit).folder), io.BytesIO()
    try:
        with tarfile.open(fileobj=parcel, mode="w:gz", compresslevel=_SQUEEZE) as tar:
            for entry in files_of(folder):
                _add(tar, entry)
    except OSError as error:
        raise UserError(f"{kit.player.name}: {folder} cannot be read: {error.strerror or error}") from None
    return parcel.getvalue()


def _add(tar: tarfile.TarFile, entry: Leaf | Round) -> None:
    """As the hash sees it: a link to a file is the file, another link its text."""
    member = tarfile.TarInfo(entry.name)
    match entry:
        case Round(goal=goal):
            member.type, member.linkname = tarfile.SYMTYPE, goal
            tar.addfile(member)
        case Leaf(path=path) if path.is_file():
            status = path.stat()
            member.size, member.mode = status.st_size, 0o755 if status.st_mode & 0o100 else 0o644
            with path.open("rb") as file:
                tar.addfile(member, file)
        case Leaf(path=path) if path.is_symlink():
            member.type, member.linkname = tarfile.SYMTYPE, str(path.readlink())
            tar.addfile(member)
        case Leaf(path=path):
            raise UserError(f"{path}: neither a file nor a folder: it can't be taken elsewhere; take it out")


def home_of(kit: Kit) -> Path:
    """Where a bot's folder is kept that came from elsewhere."""
    return cache_folder() / "bots" / kit.player.content[:40]


def has_arrived(kit: Kit) -> bool:
    """Whether it is there, and what it was when it came; what is there and isn't, is removed."""
    there = home_of(kit)
    if not there.is_dir():
        return False
    if _is_whole(kit, there):
        return True
    shutil.rmtree(there, ignore_errors=True)
    return False


def unpack(kit: Kit, parcel: bytes) -> None:
    """Put a bot's folder where it is kept. Raises UserError for what is not the bot, or can't be kept."""
    there = home_of(kit)
    try:
        there.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=there.parent))
    except OSError as error:
        raise UserError(f"{there.parent}: {error.strerror or error}; name another folder with SPADES_CACHE") from None
    try:
        draft.chmod(0o755)  # a bot may run as somebody else
        _spread(parcel, draft)
        if not _is_whole(kit, draft):
            raise UserError(f"{kit.player.name}: what arrived is not what its content hash says; were files changed?")
        draft.rename(there)
    except (OSError, tarfile.TarError, EOFError) as error:
        if not there.is_dir():  # another worker of the machine was quicker
            raise UserError(f"{kit.player.name}: cannot be unpacked in {there.parent}: {error}") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _spread(parcel: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=io.BytesIO(parcel), mode="r:gz") as tar:
        links = [_write(tar, member, folder) for member in tar]
    for here, goal in filter(None, links):  # last, so that nothing is written through one
        here.symlink_to(goal)


def _write(tar: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> tuple[Path, str] | None:
    """Write a file; a link is given back."""
    name = PurePosixPath(member.name)
    if name.is_absolute() or ".." in name.parts:
        raise tarfile.TarError(f"{member.name} leads out of the folder")
    here = folder / name
    here.parent.mkdir(parents=True, exist_ok=True)
    if member.issym():
        return here, member.linkname
    if file := tar.extractfile(member):
        with here.open("wb") as out:
            shutil.copyfileobj(file, out)
        here.chmod(member.mode & 0o755)
    return None


def _is_whole(kit: Kit, folder: Path) -> bool:
    try:
        return content_of_folder(folder, _command(kit).argv, kit.steps) == kit.player.content
    except UserError:
        return False


def _command(kit: Kit) -> Command:
    launch = kit.player.launch
    if isinstance(launch, Plugin):
        raise TypeError(f"{kit.player.name} is a plugin's bot, and has no folder")
    return launch


def moved(kit: Kit) -> Kit:
    """The kit where it has arrived."""
    if not kit.travels:
        return kit
    return replace(kit, player=replace(kit.player, launch=replace(_command(kit), folder=str(home_of(kit)))))


def folders(kits: tuple[Kit, ...]) -> Iterator[Kit]:
    """Those that travel, each content once."""
    yield from {kit.player.content: kit for kit in kits if kit.travels}.values()
