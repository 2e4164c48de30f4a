"""`spades new`: a folder with a Python bot that runs as it is. Writes that folder and nothing else."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Annotated, Final

import typer

from spades_harness.errors import UserError

from .console import command, say

TEMPLATE: Final = Path(__file__).with_name("template")
PLACEHOLDER: Final = "NEW_BOT"
FILES: Final = ("bot.py", "bot.yaml", "README.md")
# A name that is a file name on every system, needs no quoting in a shell, and cannot be taken for an option or a path.
NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


@command
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The bot's name, and that of its folder, which is made in this one.")
    ],
) -> None:
    """Make a folder with a bot in Python that runs as it is."""
    folder = make(name, Path.cwd())
    say(f"{name} is ready: {', '.join(FILES)} in {folder}")
    say("next:")
    say(f"  spades check {name}    looks whether it answers every question, correctly and in time")
    say(f"  spades match {name}    plays it against steady; then edit {Path(name, 'bot.py')} and play again")


def make(name: str, parent: Path) -> Path:
    """The new folder of a bot of this name; raises UserError and leaves nothing half made."""
    check_name(name)
    check_free(name)
    folder = parent / name
    try:
        folder.mkdir()
    except FileExistsError:
        raise UserError(f"{folder} exists already: choose another name, or remove it") from None
    except OSError as error:
        raise UserError(f"cannot make {folder}: {error.strerror}") from None
    try:
        for file in FILES:
            text = (TEMPLATE / file).read_text(encoding="utf-8").replace(PLACEHOLDER, name)
            (folder / file).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise UserError(f"cannot write into {folder}: {error.strerror}") from None
    return folder


def check_name(name: str) -> None:
    """Raises UserError for a name that would be trouble as a folder, in a file or on a command line."""
    from spades_harness.tournament.file.reading import is_device

    if "/" in name or "\\" in name:
        raise UserError(
            f"{name!r} is a path and no name for a bot: go into the folder that it is to stand in (cd) first"
        )
    if not NAME.fullmatch(name):
        raise UserError(f"{name!r} is no name for a bot: a letter, then up to 39 letters, digits, '-' or '_'")
    if is_device(name):
        raise UserError(f"{name!r} is no name for a bot: Windows keeps it for a device; choose another")


def check_free(name: str) -> None:
    """Raises UserError for the name of a registered bot: typing it would always mean the other one."""
    from spades_harness.bundled import shipped_bots
    from spades_harness.plugins import load_registry

    if name in shipped_bots() or name in load_registry(kinds=("bots",)).bots:
        raise UserError(f"there is a bot {name!r} already (see `spades bots`): choose another name")
