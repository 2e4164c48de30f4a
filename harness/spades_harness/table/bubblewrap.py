"""Bots in boxes of bubblewrap's, on Linux: no network, no process but their own, and no file but what they need.

Writes command lines and sends signals; knows no messages and no clocks. What a bot's author writes - arguments,
environment, links in the folder - comes into force inside the box alone: bwrap itself sees none of it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple

from .bounds import Resources
from .launch import Launch, LaunchError, signal_group
from .launchers import Box
from .runtimes import runtimes
from .tree import descendants

PROCESSES: Final = 512
"""At once where the file says nothing, threads counted: a JVM starts some fifty on a large machine, and a fork bomb
stops."""
ROOM: Final = 64
"""MiB of /tmp, of /dev/shm and of the working folder each, more where a single file may be larger: they are memory."""
WORDS: Final = 8_900
"""Of a command line for bwrap, which itself takes 9,000; a file of a bot's folder needs three."""
WALK: Final = 0.05
"""Seconds after which the processes of a box are looked for again: that takes 0.2 ms, which no answer should cost."""
REMEMBERED: Final = 256
"""Boxes that are remembered: many more than one process has at once."""
PROBE: Final = 10.0
"""Seconds for a box with nothing in it, which takes a few milliseconds."""
SIGNALS_FROM: Final = 128
"""What bwrap adds to a signal's number."""
SPARE: Final = 2**30
"""As root, the first of the user ids that nobody has; each box gets one of its own, so that none counts, or signals,
another's processes."""
SPARES: Final = 2**26
NOBODY: Final = 65_534
"""As root of a container that knows no such high numbers."""

# bwrap would keep the pipes open while the bot closes its own: it gets others, and hands these on.
_OUTSIDE: Final = ("/bin/sh", "-c", 'exec "$@" 3<&0 4>&1 5>"$0" </dev/null >/dev/null')
_STATUS: Final = ("--json-status-fd", "5")
_CAME_UP: Final = b'"exit-code"'
"""What bwrap says at its end of a box that came up; of one that it could not make it says nothing."""
_INSIDE: Final = ("/bin/sh", "-c", 'exec "$@" 0<&3 1>&4 3<&- 4>&-', "sh")
_PLAIN: Final = ("/bin/sh", "-c", 'exec "$@"', "sh")

_BWRAPS: Final = ("outside", "first inside")
"""bwrap's own processes, which come before the bot."""

_SYSTEM: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_SETTINGS: Final = (
    *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "java*", "python*", "perl", "R"),
    *("mono", "dotnet", "guile-*", "ghc", "nodejs"),
)
"""Of /etc, what programs can't run without."""
_NET_SETTINGS: Final = ("resolv.conf", "hosts", "host.conf", "nsswitch.conf", "services", "protocols", "ssl", "pki")
"""Of /etc, what names and certificates are looked up in."""


class _Seen(NamedTuple):
    """The processes of a box when they were last looked for."""

    at: float
    alone: int | None
    """The only one, if there was no other, ever: to stop it alone takes 4 µs, the group with bwrap's own two 17."""
    apart: tuple[int, ...]
    """Those that have left the group."""
    left: bool
    """Whether any ever has: then they are looked for each time."""


class Bubblewrap:
    """A box for each bot."""

    def __init__(self) -> None:
        self._seen: dict[int, _Seen] = {}

    def objection(self, box: Box) -> str:
        """What is missing, or isn't permitted: an empty box is tried."""
        if sys.platform != "linux":
            return "bubblewrap is for Linux alone; write sandbox: none, or use another launcher's plugin"
        if lacking := [tool for tool in _tools() if shutil.which(tool) is None]:
            return f"{' and '.join(lacking)} cannot be found: install bubblewrap and util-linux, or write sandbox: none"
        if absent := [path for path in box.read if not os.path.exists(path)]:  # noqa: PTH110
            return f"read: {absent[0]} is not there"
        trouble = _try(self.enclose(Launch(("/bin/true",), {}, _nowhere(), "true"), box))
        return trouble and (
            f"bwrap is not permitted here ({trouble}); let users make namespaces (sysctl user.max_user_namespaces,"
            " kernel.apparmor_restrict_unprivileged_userns=0; in Docker --privileged), or write sandbox: none"
        )

    def enclose(self, launch: Launch, box: Box) -> Launch:
        """A command line that makes the box and starts the bot in it. Raises LaunchError for files it couldn't read."""
        tells = launch.folder.is_dir() and not launch.keeps
        status = launch.folder / token_hex() if tells else Path(os.devnull)
        if launch.keeps and _is_root():
            _hand_over(launch.folder, _spare(str(launch.folder)))
        inside = (*_apart(box), *_shown(launch, box), *_user(launch, box), *_bots_own(launch))
        if len(inside) > WORDS:
            raise LaunchError(
                f"its folder has too many files for bubblewrap, which takes {WORDS:,} words and would need"
                f" {len(inside):,}: put most of them into a folder within it"
            )
        argv = (*_OUTSIDE, str(status), _which("bwrap"), *_STATUS, *inside)
        secrets = {name: launch.env[name] for name in launch.secrets}
        return replace(launch, argv=argv, env=secrets, signals_from=SIGNALS_FROM, status=status)

    def shows(self, argv: Sequence[str], path: str) -> Sequence[Path]:
        """Programs and libraries of the system, and what its command runs on."""
        return (Path("/usr"), *(Path("/", name) for name in _SYSTEM), *runtimes(argv, path))

    def trouble(self, launch: Launch, code: int) -> str:
        """By the word of bwrap, which no bot can forge; one that was killed was not waited for."""
        if code <= 0 or launch.status is None:
            return ""
        try:
            came_up = _CAME_UP in launch.status.read_bytes()
        except OSError as error:
            return f"its status cannot be read: {error}"
        return "" if came_up else f"it exits with {code} before the bot began"

    def members(self, pid: int) -> Sequence[int]:
        """All but bwrap's own: who loses its parent in the box is given to the box's first process."""
        return descendants(pid)[len(_BWRAPS) :]

    def freeze(self, pid: int) -> None:
        """All of it; a bot's first helper, and only that, may run on until processes are looked for again."""
        seen = self._seen.get(pid)
        if seen is None or seen.left or time.monotonic() - seen.at >= WALK:
            seen = self._look(pid)
        if seen.alone is None:
            _signal(seen.apart, "SIGSTOP")  # first those that could wake the others up again
            signal_group(pid, "SIGSTOP")
            if seen.left:  # one more may have been started meanwhile
                _signal(self._look(pid).apart, "SIGSTOP")
                signal_group(pid, "SIGSTOP")
        else:
            _signal((seen.alone,), "SIGSTOP")

    def thaw(self, pid: int) -> None:
        """All of it."""
        seen = self._seen.get(pid)
        if seen and seen.alone is not None:
            _signal((seen.alone,), "SIGCONT")
            return
        if seen is None or seen.left:
            _signal(self._look(pid).apart, "SIGCONT")
        signal_group(pid, "SIGCONT")

    def end(self, pid: int, *, by_force: bool) -> None:
        """Each process in the box is told to end; or the box is ended, and nothing in it outlives that."""
        self._seen.pop(pid, None)
        _, *inside = descendants(pid)
        if by_force or not inside:
            signal_group(pid, "SIGKILL")
        _signal(inside, "SIGKILL" if by_force else "SIGTERM")  # its first process is deaf to the latter

    def _look(self, pid: int) -> _Seen:
        """What is there now."""
        inside = descendants(pid)[len(_BWRAPS) :]
        apart = tuple(each for each in inside if _group(each) != pid)
        before = self._seen.get(pid)
        alone = inside[0] if len(inside) == 1 and not apart and (before is None or before.alone == inside[0]) else None
        if len(self._seen) >= REMEMBERED:
            self._seen.clear()
        self._seen[pid] = seen = _Seen(time.monotonic(), alone, apart, bool(apart or (before and before.left)))
        return seen


# ---------------------------------------------------------------------------------------------------- is it there?


def _tools() -> tuple[str, ...]:
    return ("bwrap", "prlimit", "setpriv") if _is_root() else ("bwrap", "prlimit")


@lru_cache(maxsize=1)
def _can_forbid_users(bwrap: str) -> bool:
    """Whether this bwrap, on this machine, can keep what it encloses from making namespaces (0.8 and later).

    As root it can't: it would have to be in a namespace that knows one user, and no box could have a user of its own.
    """
    argv = (bwrap, "--unshare-user", "--disable-userns", "--ro-bind", "/", "/", "/bin/true")
    return not _try(Launch(argv, {}, _nowhere(), "true"))


def _try(launch: Launch) -> str:
    """Why it doesn't come up; empty if it does."""
    try:
        done = subprocess.run(launch.argv, env={}, capture_output=True, timeout=PROBE, text=True, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return (done.stderr.strip().splitlines() or [f"it exits with {done.returncode}"])[-1] if done.returncode else ""


def _nowhere() -> Path:
    return Path(tempfile.gettempdir()) / "spades-nobody"


# --------------------------------------------------------------------------------------------------------- the box


def _apart(box: Box) -> Iterator[str]:
    """The namespaces, and an end with whoever started it."""
    yield from ("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try", "--die-with-parent")
    if not box.network:
        yield "--unshare-net"
    yield from ("--cap-drop", "ALL")
    if _is_root():  # until it has become another user, by which it loses these as well
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
    elif _can_forbid_users(_which("bwrap")):  # in a namespace of its own making a bot would have all rights there
        yield from ("--unshare-user", "--disable-userns")


def _shown(launch: Launch, box: Box) -> Iterator[str]:
    """All that the box shows. What comes later lies on top of what came before."""
    room = str((max(box.resources.file_size or 0, ROOM) + 1) * 2**20)  # a file meets its own bound before this one
    writable = ("--perms", "1777", "--size", room, "--tmpfs")
    yield from _system(box)
    yield from ("--proc", "/proc", "--dev", "/dev", *writable, "/dev/shm", *writable, "/tmp")
    yield from ("--ro-bind", "/dev/null", "/dev/tty", "--remount-ro", "/dev")  # no terminal is a bot's to type on
    needed = (
        *launch.needs,
        *_homes(launch),
        *map(Path, box.read),
        *runtimes(launch.argv, launch.env.get("PATH", os.defpath)),
    )
    for path in _outermost(each for each in needed if each.exists() and not _is_shown(each, launch.folder)):
        yield from (*_way_to(path), "--ro-bind", str(path), str(path))
    if launch.keeps:
        yield from (*_way_to(launch.folder), "--bind", str(launch.folder), str(launch.folder))
    else:
        yield from (*_way_to(launch.folder), *writable, str(launch.folder))
    if launch.home:
        yield from _belongings(launch.folder, launch.folder, Path(os.path.realpath(launch.home)))
    yield from ("--remount-ro", "/", "--chdir", str(launch.folder))


def _homes(launch: Launch) -> Iterator[Path]:
    """Where start scripts find what they run on, if it is the harness's own environment that says so."""
    for name in ("JAVA_HOME", "DOTNET_ROOT"):
        if (home := launch.env.get(name)) and home == os.environ.get(name) and Path(home).is_absolute():
            yield Path(home)


def _system(box: Box) -> Iterator[str]:
    yield from ("--ro-bind", "/usr", "/usr")
    for name in _SYSTEM:
        path = Path("/", name)
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    yield from ("--perms", "0755", "--dir", "/etc")
    for name in (*_SETTINGS, *(_NET_SETTINGS if box.network else ())):
        for path in sorted(Path("/etc").glob(name)):
            yield from ("--ro-bind", str(path), str(path))


def _is_shown(path: Path, folder: Path) -> bool:
    """Whether a box shows it anyway."""
    roots = ["/usr", *(f"/{name}" for name in _SYSTEM), "/etc/alternatives", str(folder)]
    return any(path.is_relative_to(root) for root in roots)


def _outermost(paths: Iterable[Path]) -> Iterator[Path]:
    """Those that lie in none of the others."""
    found: set[Path] = set()
    for path in sorted(paths):
        if not found & {path, *path.parents}:
            found.add(path)
            yield path


def _way_to(path: Path) -> Iterator[str]:
    """The folders that it lies in, which bwrap would close to all but root."""
    for folder in reversed(path.parents[:-1]):
        if folder.parts[1] not in ("usr", "proc", "dev"):
            yield from ("--perms", "0755", "--dir", str(folder))


def _belongings(here: Path, folder: Path, home: Path) -> Iterator[str]:
    """The bot's files in its working folder, themselves instead of links to them; a link out of its folder stays one,
    and leads to nothing that the box doesn't show."""
    for entry in sorted(here.iterdir()):
        if not entry.is_symlink():
            yield from ("--perms", "1777", "--dir", str(entry))
            yield from _belongings(entry, folder, home)
        elif not (goal := entry.readlink()).is_absolute():
            yield from ("--symlink", str(goal), str(entry))
        elif (real := Path(os.path.realpath(goal))).is_relative_to(home) and real.exists():
            yield from ("--ro-bind", str(_legible(real)), str(entry))
        else:  # out of its folder, or to nothing
            yield from ("--symlink", str(real), str(entry))


def _legible(file: Path) -> Path:
    """What another user can read; as root, a bot is another user."""
    needed = 0o005 if file.is_dir() else 0o004
    if _is_root() and file.exists() and file.stat().st_mode & needed != needed:
        raise LaunchError(f"{file} is closed to all but its owner, and as root a bot is another user: chmod -R o+rX it")
    return file


def _hand_over(folder: Path, user: int) -> None:
    """A folder with all that is in it to the user that the box will have."""
    if sys.platform != "win32":
        for place, folders, files in os.walk(folder):
            for name in (place, *(os.path.join(place, each) for each in (*folders, *files))):  # noqa: PTH118
                os.chown(name, user, user, follow_symlinks=False)


# --------------------------------------------------------------------------------------------------- in the box


def _user(launch: Launch, box: Box) -> Iterator[str]:
    """Another user than root, and bounds."""
    yield from _INSIDE
    if _is_root():
        number = _spare(str(launch.folder))
        yield from (_which("setpriv"), f"--reuid={number}", f"--regid={number}", "--clear-groups")
    yield from (_which("prlimit"), "--core=0", *_bounds(box.resources))


def _bounds(resources: Resources) -> Iterator[str]:
    yield f"--nproc={resources.processes or PROCESSES}"
    if resources.file_size:
        yield f"--fsize={resources.file_size * 2**20}"


def _bots_own(launch: Launch) -> Iterator[str]:
    """Its environment and its command line: from here on the words are its author's."""
    folder = str(launch.folder)
    moved = {"HOME": "/tmp" if launch.keeps else folder, "TMPDIR": "/tmp", "TMP": "/tmp", "TEMP": "/tmp", "PWD": folder}
    env = {**launch.env, **{name: value for name, value in moved.items() if _is_inherited(name, launch)}}
    yield "/usr/bin/env"
    yield from (f"{name}={value}" for name, value in env.items() if name not in launch.secrets)
    if "=" in launch.argv[0]:  # env would take it for a variable
        yield from _PLAIN
    yield from launch.argv


def _is_inherited(name: str, launch: Launch) -> bool:
    """Whether nobody but the harness's own environment says what a variable is."""
    return launch.env.get(name) == os.environ.get(name) or name not in launch.env


def _spare(folder: str) -> int:
    number = SPARE + zlib.crc32(folder.encode("utf-8", "surrogatepass")) % SPARES
    return number if any(first <= number < first + count for first, count in _mapped()) else NOBODY


def _mapped() -> Iterator[tuple[int, int]]:
    """The user ids that there are here: the first, and how many, for each stretch of them."""
    for line in Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines():
        first, _, count = map(int, line.split())
        yield first, count


# ------------------------------------------------------------------------------------------------ small things


def _is_root() -> bool:
    return sys.platform != "win32" and os.geteuid() == 0


def _which(tool: str) -> str:
    return shutil.which(tool) or tool


def _group(pid: int) -> int:
    if sys.platform != "win32":
        with suppress(ProcessLookupError):
            return os.getpgid(pid)
    return 0


def _signal(pids: Iterable[int], name: str) -> None:
    for pid in pids:
        with suppress(OSError):  # it has ended
            os.kill(pid, getattr(signal, name))
