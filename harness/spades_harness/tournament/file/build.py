"""Building a bot once for each content: in a copy of its folder, in a cache that all runs share.

A build never touches the bot's own folder. What is in the cache is complete, since it gets its name last.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from spades_harness.errors import UserError
from spades_harness.table.belongings import Leaf, Round
from spades_harness.table.launch import (
    Launch,
    LaunchError,
    end_group,
    environment,
    how_it_exited,
    own_group,
    refusal,
)
from spades_harness.table.match import Command

from .content import files_of

TIMEOUT: Final = 600.0
"""Seconds for one step: no bot compiles so long; a build that waits for an answer at the keyboard does."""
TAIL: Final = 20
"""Lines of a failed build's output that are shown: a compiler's last error with its surroundings."""
Tell: TypeAlias = Callable[[str], None]
"""Gets a line when something is really built, since that may take long."""
Enclose: TypeAlias = Callable[[Launch], Launch]
"""What a step is started in: the bot's author wrote it, so it may do no more than the bot."""


def unenclosed(launch: Launch) -> Launch:
    """As it is."""
    return launch


def cache_folder(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """Where things are kept that can be made again: SPADES_CACHE, or else where the system keeps such things."""
    if own := environ.get("SPADES_CACHE"):
        return Path(own).absolute()
    xdg = environ.get("XDG_CACHE_HOME", "")
    if Path(xdg).is_absolute():
        return Path(xdg) / "spades-harness"
    home = Path.home()
    match platform:
        case "darwin":
            base = home / "Library" / "Caches"
        case "win32":
            base = Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
        case _:
            base = home / ".cache"
    return base / "spades-harness"


def built(
    name: str, command: Command, steps: Sequence[Sequence[str]], content: str, tell: Tell, enclose: Enclose = unenclosed
) -> Path:
    """The folder of the built bot; `content` is the hash of what it is built from.

    Raises UserError with the last lines of the output when a step fails.
    """
    builds = cache_folder() / "builds"
    ready = builds / _key(command, content)
    if ready.is_dir():
        return ready
    try:
        builds.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=builds))
    except OSError as error:
        raise UserError(f"{builds}: {error.strerror or error}; name another folder with SPADES_CACHE") from None
    try:
        tell(f"building {name}: {'; '.join(map(shlex.join, steps))}")
        _make(name, command, steps, draft, ready.with_suffix(".log"), enclose)
        _settle(draft, ready)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
        _log_of(draft).unlink(missing_ok=True)  # it has its own name by now, unless the build was broken off
    return ready


def is_built(folder: Path) -> bool:
    """Whether this is the folder of a built bot, and not where its files lie."""
    return folder.is_relative_to(cache_folder() / "builds")


def _key(command: Command, content: str) -> str:
    """The name in the cache: what it is built from, and what it is built on."""
    where = json.dumps([sysconfig.get_platform(), sys.version_info[:2], sys.executable, command.env])
    return f"{content[:40]}-{hashlib.sha256(where.encode()).hexdigest()[:12]}"


def _make(
    name: str, command: Command, steps: Sequence[Sequence[str]], draft: Path, log: Path, enclose: Enclose
) -> None:
    """Copy and build; the output is kept as `log`, whichever way it ends."""
    try:
        _copy(Path(command.folder), draft)
    except OSError as error:
        raise UserError(f"{name}: cannot be copied to build it: {error}") from None
    own_log = _log_of(draft)
    with own_log.open("wb") as output:
        problem = next(filter(None, (_run(step, draft, environment(command), output, enclose) for step in steps)), "")
    own_log.replace(log)
    if problem:
        raise UserError(f"{name}: the build failed: {problem}{_tail(log)}")


def _log_of(draft: Path) -> Path:
    """Where the output goes while it comes."""
    return draft.with_suffix(".log")


def _copy(folder: Path, draft: Path) -> None:
    """Copy what belongs to the bot; links become what they lead to, unless that is nothing, or where they come from, or
    out of its folder: it is not the build that may bring a bot what its box doesn't show it."""
    home = Path(os.path.realpath(folder))
    draft.chmod(0o755)  # a bot may run as somebody else
    for entry in files_of(folder):
        there = draft / entry.name
        there.parent.mkdir(parents=True, exist_ok=True)
        match entry:
            case Round(goal=goal):
                there.symlink_to(goal, target_is_directory=True)
            case Leaf(path=path) if path.is_file():
                _bring(Path(os.path.realpath(path)), there, home)
            case Leaf(path=path) if path.is_symlink():
                there.symlink_to(_led_to(path, folder))
            case _:
                pass  # a pipe, which is nobody's to copy


def _bring(file: Path, there: Path, home: Path) -> None:
    """A copy of the bot's own file, a link to anybody else's."""
    if file.is_relative_to(home):
        shutil.copy2(file, there)
    else:
        there.symlink_to(file)


def _led_to(link: Path, folder: Path) -> str:
    """A link's text as it has to be in a copy of the folder."""
    goal = Path(os.path.normpath(link.parent / link.readlink()))
    return str(link.readlink()) if goal.is_relative_to(folder) else str(goal)


def _run(step: Sequence[str], folder: Path, env: Mapping[str, str], output: BinaryIO, enclose: Enclose) -> str:
    """Run one step to its end; what went wrong, in words."""
    program, *arguments = [word.replace("{python}", sys.executable) for word in step]
    found = str(folder / program) if Path(program).name != program else shutil.which(program, path=env["PATH"])
    if found is None:
        return f"there is no program {program!r} on the PATH; install it"
    try:
        launch = enclose(Launch((found, *arguments), env, folder, repr(program), keeps=True))
        process = subprocess.Popen(
            launch.argv,
            cwd=folder,
            env=launch.env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            **own_group(),
        )
    except LaunchError as error:
        return str(error)
    except OSError as error:
        return refusal(repr(program), error)
    problem = _finished(process)
    return f"{shlex.join(step)} {problem}" if problem else ""


def _finished(process: subprocess.Popen[bytes]) -> str:
    try:
        code = process.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"did not end within {TIMEOUT:g} seconds"
    finally:
        end_group(process, by_force=True)  # on Ctrl-C itself, and always what it left running
        process.wait()
    return how_it_exited(code) if code else ""


def _tail(log: Path) -> str:
    lines = log.read_bytes().decode("utf-8", "replace").splitlines()
    if not lines:
        return "; it printed nothing"
    return "\n".join([f"; the end of its output, {log}:", *(f"    {line[:300]}" for line in lines[-TAIL:])])


def _settle(draft: Path, ready: Path) -> None:
    """Give the finished build its name, all at once; if another process was quicker, its build serves as well."""
    try:
        draft.rename(ready)
    except OSError as error:
        if not ready.is_dir():
            raise UserError(f"{ready}: {error.strerror or error}") from None
