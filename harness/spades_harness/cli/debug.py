"""`spades match --debug`: a bot's class out of its file, to play in this process, where `breakpoint()` has a terminal.

The bot's own file is run here as a module, so only a bot made with `spades_bot` can be debugged, and one of the user's
own: it is not shut away.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn

import spades_bot
from spades_harness.errors import UserError
from spades_harness.modules import load_module
from spades_harness.table.local import Factory
from spades_harness.table.match import Command, Fault, Player, Plugin

NAME: Final = "the bot that is debugged"
"""Under which the table knows it; no plugin can register a name with spaces."""
CURE: Final = "--debug is for bots made with spades_bot in Python"


def debugged(player: Player) -> tuple[Player, Factory]:
    """The player on a seat in this process, and what makes its bot. Raises UserError for a bot that can't be."""
    launch = player.launch
    if not isinstance(launch, Command):
        raise UserError(f"{player.name}: a plugin's bot has no file of its own to debug; {CURE}")
    script = _script(player.name, launch)
    for name, value in launch.env:
        os.environ[name] = value
    return Player(player.name, Plugin(NAME, in_process=True), player.params, player.content), bot_class(script)


def left_debugger(fault: Fault) -> bool:
    """Whether a bot stopped because its author left the debugger."""
    return "BdbQuit" in fault.what


@contextmanager
def in_folder_of(player: Player) -> Iterator[None]:
    """Play in the bot's own folder: there it finds its files, as when it is run by hand."""
    before = Path.cwd()
    if isinstance(player.launch, Command):
        os.chdir(player.launch.folder)
    try:
        yield
    finally:
        os.chdir(before)


def _script(name: str, launch: Command) -> Path:
    """The Python file that the command runs."""
    scripts = [Path(launch.folder, word) for word in launch.argv[1:] if word.endswith(".py")]
    if launch.argv[0] != "{python}" or not scripts or not scripts[0].is_file():
        raise UserError(f"{name}: its command runs no Python file with {{python}}; {CURE}")
    return scripts[0]


def bot_class(script: Path) -> type[spades_bot.Bot]:
    """The bot's class. Raises UserError when the file has none or cannot be loaded."""
    if not _uses_sdk(script):
        raise UserError(f"{script} doesn't import spades_bot; {CURE}")
    sys.path.insert(0, str(script.parent))  # its siblings come first, as when it is run by hand
    with _no_run(script):
        try:
            return spades_bot.find_bot(load_module(script))
        except UserError:
            raise
        except LookupError as error:
            raise UserError(f"{script}: {error}") from None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the file raises
            raise UserError(f"{script} cannot be loaded: {type(error).__name__}: {error}") from None


def _uses_sdk(script: Path) -> bool:
    """Whether it imports the SDK. A bot that speaks for itself would wait here for lines from the keyboard."""
    try:
        tree = ast.parse(script.read_bytes())
    except (OSError, SyntaxError, ValueError) as error:
        raise UserError(f"{script} cannot be read as Python: {error}") from None
    return any("spades_bot" in _imported(node) for node in ast.walk(tree))


def _imported(node: ast.AST) -> list[str | None]:
    """The modules that a statement imports."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=module):
            return [module]
        case _:
            return []


@contextmanager
def _no_run(script: Path) -> Iterator[None]:
    """While the file is loaded, `run` must not take the terminal away."""

    def refuse(factory: object) -> NoReturn:  # noqa: ARG001 - the shape of `run`
        raise UserError(f'{script} calls run() when it is loaded: put it under `if __name__ == "__main__":`')

    before = spades_bot.run
    spades_bot.run = refuse
    try:
        yield
    finally:
        spades_bot.run = before
