"""What a command line needs to read of this machine: the interpreter that it names, with all that belongs to that.

Looks at files and starts nothing. A bot's author writes the command, so a folder is taken for a runtime's only if it
looks like one: never a home folder, never one that holds a bot or a run.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from .belongings import ENVIRONMENT, MANIFEST, RUN

LINKS: Final = 40
"""Links in a row: the system itself follows no more."""
HEAD: Final = 256
"""Bytes of a script's first line that the system looks at."""
_MARKS: Final = (ENVIRONMENT, "conda-meta", "lib", "lib64")
"""What stands beside `bin` in the folder of an interpreter: a Python environment, conda, and all others."""
_NOT: Final = (MANIFEST, RUN, ".bashrc", ".profile", ".ssh")
"""What stands in no such folder: a bot's, a run's, somebody's home."""


def runtimes(argv: Sequence[str], path: str) -> tuple[Path, ...]:
    """Files and folders, by the names under which they are looked for; the same may be there under several."""
    program, own = Path(argv[0]), Path(sys.executable)
    named = [program, *filter(None, [_head(program, path)])]
    found = [shown for each in named if each != own for shown in _of_program(each) if not _is_a_bots(shown)]
    ours = _of_program(own) if str(own) in argv or own in named else ()
    return tuple(dict.fromkeys([*found, *ours]))


def _is_a_bots(path: Path) -> bool:
    """Whether it belongs to a bot, which shows it to itself alone, or is no program and no runtime at all."""
    plain = path.is_file() and not os.access(path, os.X_OK)
    return plain or any((folder / MANIFEST).exists() for folder in path.parents)


def _of_program(program: Path) -> Iterator[Path]:
    """A program, each link that leads to it, and the folder that each of these belongs to."""
    for step in _steps(program):
        folder = _folder_of(step)
        yield folder or step
        if folder and (home := _base(folder)):
            yield from filter(None, [_folder_of(home / "python")])


def _steps(program: Path) -> Iterator[Path]:
    """What a program is called, link by link; last by the name that leads through no link."""
    step = program
    for _ in range(LINKS):
        yield step
        if not step.is_symlink():
            break
        step = Path(os.path.normpath(step.parent / step.readlink()))
    yield step.resolve()


def _folder_of(program: Path) -> Path | None:
    """What `bin` of a runtime, or `shims` of a chooser of versions, stands in."""
    folder = program.parent.parent
    if program.parent.name not in {"bin", "shims"} or len(folder.parts) < 3 or folder.name == ".local":
        return None  # /opt, /home and the like are nobody's; ~/.local is everything's
    marks = ("versions",) if program.parent.name == "shims" else _MARKS
    marked = any((folder / mark).exists() for mark in marks)
    return folder if marked and not any((folder / mark).exists() for mark in _NOT) else None


def _base(folder: Path) -> Path | None:
    """Where the Python lies that an environment was made with; its program may be a copy."""
    try:
        lines = (folder / ENVIRONMENT).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    found = (value.strip() for key, _, value in (line.partition("=") for line in lines) if key.strip() == "home")
    return next(map(Path, found), None)


def _head(program: Path, path: str) -> Path | None:
    """The interpreter that a script's first line names, looked for as `env` does it."""
    try:
        with program.open("rb") as opened:
            first = os.fsdecode(opened.read(HEAD).partition(b"\n")[0])
    except OSError:
        return None
    words = first[2:].split() if first.startswith("#!") else []
    if not words or Path(words[0]).name != "env":
        return Path(words[0]) if words else None
    named = next((word for word in words[1:] if not word.startswith("-") and "=" not in word), "")
    found = shutil.which(named, path=path)
    return Path(found) if found else None
