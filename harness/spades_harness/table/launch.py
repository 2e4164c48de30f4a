"""How a bot becomes a process: its command line, its environment, its working folder, and its end.

Knows the ways of the operating systems, and nothing of matches, messages and clocks.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol

import spades_harness
from spades_harness.bundled import bundled, shipped_plugins

from .belongings import Folder, Round, belongings
from .match import Command, Plugin


class LaunchError(Exception):
    """A bot that cannot be started, by its own fault; the text is one line with the cure."""


class BoxError(Exception):
    """A box that did not come up around a bot: the harness's own fault, or its machine's."""


BOTS_OWN: Final = frozenset(
    {
        *(errno.ENOENT, errno.EACCES, errno.EPERM, errno.ENOEXEC, errno.ENOTDIR, errno.EISDIR, errno.ELOOP),
        *(errno.ENAMETOOLONG, errno.E2BIG, errno.EINVAL),  # EINVAL: what Windows has no better number for
        *(getattr(errno, name, errno.ENOENT) for name in ("ETXTBSY", "ELIBBAD", "EBADARCH")),
        None,  # shutil's own errors: a pipe or a device where a file should be
    }
)
"""Error numbers that speak of the bot's files. All others - no memory, no room, no free descriptor - speak of the
harness's machine: they are raised as they are, and the match is void."""


def is_bots_own(error: OSError) -> bool:
    """Whether what the system refused is to be mended in the bot's own files."""
    return error.errno in BOTS_OWN


@dataclass(frozen=True, slots=True)
class Launch:
    """A process that is ready to be started: command line, environment, and a working folder of its own."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(repr=False)
    folder: Path
    program: str
    """What is started, in the words of whoever wrote the command."""
    home: Path | None = None
    """The bot's own folder, whose entries appear in the working folder."""
    needs: tuple[Path, ...] = ()
    """What it reads of the harness: the SDK and, for a plugin's host, the harness itself and the plugin's file."""
    secrets: frozenset[str] = frozenset()
    """Names in `env` whose values may stand nowhere else, not in a command line either."""
    signals_from: int = 0
    """What a launcher's exit code adds to the number of the signal that killed the bot; 0: it is the bot's own."""
    keeps: bool = False
    """Whether what it writes into its folder stays there, as of a build."""
    status: Path | None = None
    """Where whatever makes the box says how far it got; no bot can see it."""


# What a bot gets of the harness's own environment: what programs need to be found and to run at all, and nothing that
# differs from one organiser's shell to the next. Whatever else a bot needs stands as `env` in its entry.
INHERITED: Final = re.compile(
    "HOME|LANG|LANGUAGE|LC_[A-Z]+|LOGNAME|PATH|SHELL|TEMP|TMP|TMPDIR|TZ|USER|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH"
    "|JAVA_HOME|DOTNET_ROOT"  # where a start script, or a program's own head, looks for what it runs on
    "|APPDATA|COMSPEC|LOCALAPPDATA|NUMBER_OF_PROCESSORS|OS|PATHEXT|PROCESSOR_ARCHITECTURE|PROGRAMDATA|PROGRAMFILES"
    "|SYSTEMDRIVE|SYSTEMROOT|USERPROFILE|WINDIR",
    re.IGNORECASE if sys.platform == "win32" else 0,
)
OWN: Final[Mapping[str, str]] = {
    "SPADES_HARNESS": "1",  # the SDK takes its channel before a bot's first import can print on it
    "PYTHONUNBUFFERED": "1",  # the forgotten flush is the commonest fault of all
    "PYTHONDONTWRITEBYTECODE": "1",  # siblings are imported from the bot's own folder, where nothing may be written
    "PYTHONHASHSEED": "0",  # a set of cards comes in the same order in every run: the same match can be played again
    "PYTHONIOENCODING": "utf-8",  # what the protocol speaks, whatever the system's own encoding
}


def prepare(launch: Command | Plugin, pass_env: Collection[str] = ()) -> Launch:
    """Make the working folder and all else that the process needs; `pass_env` as in `match.Player`.

    Raises LaunchError for what is wrong with the bot, OSError where the harness itself has run out of something.
    """
    scratch = Path(tempfile.mkdtemp(prefix="spades-"))
    try:
        if isinstance(launch, Command):
            fill(scratch, Path(launch.folder))
        env = environment(launch, pass_env=pass_env)
        argv = command_line(launch)
        program = _in_words(launch, argv)
        found = _found(argv, program, scratch, env["PATH"])
        home = Path(launch.folder) if isinstance(launch, Command) else None
        return Launch(found, env, scratch, program, home, _needs(launch), frozenset(pass_env) & env.keys())
    except BaseException:
        remove(scratch)
        raise


# ------------------------------------------------------------------------------------------------------ command line


def command_line(launch: Command | Plugin) -> tuple[str, ...]:
    """The command line, `{python}` being the harness's own interpreter."""
    if isinstance(launch, Command):
        return tuple(word.replace("{python}", sys.executable) for word in launch.argv)
    sources = [word for source in launch.sources for word in ("--plugin", str(Path(source).absolute()))]
    return (sys.executable, "-m", "spades_harness.host", launch.name, *sources)


def _in_words(launch: Command | Plugin, argv: tuple[str, ...]) -> str:
    """The program as the command names it and, if it is a file of the bot's folder, that folder: the working folder is
    gone before anybody could look into it."""
    if not argv:
        raise LaunchError("the command is empty: name a program, such as {python}, and its arguments")
    program = argv[0]
    if isinstance(launch, Command) and os.path.dirname(program) and not os.path.isabs(program):  # noqa: PTH117, PTH120
        return f"{program!r} in {launch.folder}"
    return repr(program)


def _found(argv: tuple[str, ...], words: str, scratch: Path, path: str) -> tuple[str, ...]:
    """The command line with its program found: a bare name on the PATH, a path from the working folder."""
    program, *rest = argv
    if os.path.dirname(program):  # noqa: PTH120 - `./bot` must not become `bot`, as it does in pathlib
        there = os.path.join(scratch, program)  # noqa: PTH118
        if not os.path.exists(there):  # noqa: PTH110
            raise LaunchError(f"cannot start {words}: there is no such file")
        return (there, *rest)
    there_on_path = shutil.which(program, path=path)
    if there_on_path is None:
        raise LaunchError(
            f"cannot start {words}: no such program on the PATH; install it, or correct the command"
            " ({python} is the harness's own Python, ./" + program + " a file in the bot's folder)"
        )
    return (there_on_path, *rest)


def refusal(program: str, error: OSError) -> str:
    """Why the system refused to start a program that is there, with the cure; `program` as in `Launch`."""
    match error.errno:
        case errno.EACCES:
            return f"cannot start {program}: it is not executable; chmod +x it, or put its interpreter in front"
        case errno.ENOEXEC:
            return f"cannot start {program}: it is no program; a script needs a line #!… or its interpreter in front"
        case errno.ENOENT:
            return f"cannot start {program}: the interpreter that its first line names is not there"
        case _:
            return f"cannot start {program}: {error.strerror or error}"


# ------------------------------------------------------------------------------------------------------- environment


def environment(
    launch: Command | Plugin, inherited: Mapping[str, str] = os.environ, pass_env: Collection[str] = ()
) -> dict[str, str]:
    """A clean environment: what is needed of the harness's own, what the harness adds, what the bot's entry gives, and
    what that entry asks for by name."""
    kept = {name: value for name, value in inherited.items() if INHERITED.fullmatch(name)}
    given = dict(launch.env)
    folders = [str(sdk_folder()), *_host_folders(launch, inherited), *filter(None, [given.pop("PYTHONPATH", "")])]
    passed = {name: inherited[name] for name in pass_env if name in inherited}
    return {"PATH": os.defpath, **kept, **OWN, "PYTHONPATH": os.pathsep.join(folders), **given, **passed}


def sdk_folder() -> Path:
    """The folder that holds `spades_bot.py` and nothing else that could be imported."""
    return bundled("protocol") / "sdk" / "python"


def _needs(launch: Command | Plugin) -> tuple[Path, ...]:
    """What of the harness, and of its plugins, the process reads."""
    if isinstance(launch, Command):
        return (sdk_folder(),)
    found = [*_host_folders(launch, os.environ), *launch.sources]
    return (sdk_folder(), *(Path(path).absolute() for path in found), *shipped_plugins())


def _host_folders(launch: Command | Plugin, inherited: Mapping[str, str]) -> list[str]:
    """Where a plugin's host finds what this process found: the harness, should it not be installed, and plugins."""
    if isinstance(launch, Command):
        return []
    paths = inherited.get("PYTHONPATH", "").split(os.pathsep)
    return [str(Path(spades_harness.__file__).parents[1]), *(str(Path(path).absolute()) for path in paths if path)]


# ---------------------------------------------------------------------------------------------------- working folder


def fill(scratch: Path, folder: Path) -> None:
    """Let all that belongs to the bot of this folder appear in the working folder, under its own name.

    Raises LaunchError for what is wrong with the bot's folder.
    """
    try:
        _furnish(scratch, belongings(folder).root)
    except OSError as error:
        if not is_bots_own(error) or _lies_in(scratch, error.filename):
            raise
        raise LaunchError(f"the bot's folder {folder} cannot be read: {error.strerror or error}") from error


def _lies_in(scratch: Path, name: object) -> bool:
    """Whether an error is about a file of the working folder, which is the harness's to write."""
    return Path(str(name)).is_relative_to(scratch)


def _furnish(scratch: Path, folder: Folder) -> None:
    """Links to what lies in a folder; a folder of which not all belongs to the bot is made anew with what does."""
    for entry in folder.entries:
        here = scratch / entry.name
        match entry:
            case Folder(whole=False):
                here.mkdir()
                _furnish(scratch, entry)
            case Round(goal=goal):
                _lead(here, goal)
            case _:
                _appear(entry.path, here)


def _lead(here: Path, goal: str) -> None:
    """A link that leads round; where links can't be made, nothing can stand for it."""
    try:
        here.symlink_to(goal, target_is_directory=True)
    except OSError as error:
        if not is_bots_own(error):
            raise


def _appear(entry: Path, here: Path) -> None:
    """A link, or a copy where links can't be made (Windows asks for a privilege)."""
    try:
        here.symlink_to(entry, target_is_directory=entry.is_dir())
    except OSError:
        _copy(entry, here)


def _copy(entry: Path, here: Path) -> None:
    """As `shutil.copytree`, which would make one error without a number of all that it meets."""
    if not entry.is_dir():
        shutil.copy2(entry, here)
        return
    here.mkdir()
    for each in entry.iterdir():
        _copy(each, here / each.name)


def remove(scratch: Path) -> None:
    """Remove a working folder. Links go, what they point to stays; what can't be removed is left to the system."""
    shutil.rmtree(scratch, ignore_errors=True)


# ------------------------------------------------------------------------------------------------- groups and their end


def own_group() -> dict[str, Any]:
    """Options of Popen that put a bot apart: Ctrl-C at the terminal doesn't reach it, and its children end with it."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"process_group": 0}


class Killable(Protocol):
    """As much of a process as its end needs."""

    @property
    def pid(self) -> int:
        """The process, and with `own_group` its group."""
        ...

    def kill(self) -> None:
        """End it by force; nothing happens if it has ended."""
        ...


def end_group(process: Killable, *, by_force: bool) -> None:
    """Send SIGTERM, or by force SIGKILL, to a bot and all of its group; on Windows only the bot itself is ended."""
    if sys.platform == "win32":
        process.kill()
        return
    signal_group(process.pid, "SIGKILL" if by_force else "SIGTERM")


def signal_group(pid: int, name: str) -> None:
    """Send a signal, by its name, to a whole process group; where there is no such thing, nothing happens."""
    if sys.platform == "win32" or pid <= 1:  # to the system 0 and 1 mean us, and everybody
        return
    with suppress(ProcessLookupError, PermissionError):  # nobody is left; macOS says the latter of a group of dead ones
        os.killpg(pid, getattr(signal, name))


SIGNALS: Final = 65
"""Numbers of signals end below, on every system."""


def how_it_exited(code: int, signals_from: int = 0) -> str:
    """An exit code in words, a signal by its name; `signals_from` as in `Launch`."""
    if 0 < signals_from < code < signals_from + SIGNALS:
        return how_it_exited(signals_from - code)
    if code >= 0:
        return f"exited with code {code}" if code < 0x8000_0000 else f"exited with code {code} (0x{code:X})"
    try:
        return f"was killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"was killed by signal {-code}"
