"""What the transports of processes have in common: how a seat's bot is kept, how long its end may take, its last words.

Values and small functions for `process` and `linux`; no pipe is read here, and no process is started.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from .launch import Launch, prepare, remove
from .launchers import Box, Launcher, Unboxed
from .match import Command, MatchSpec, Player, Plugin
from .wire import storable_text

READ_SIZE: Final = 16_384
"""Bytes a read: hundreds of answers, and no more than so many blank lines."""
QUEUE_CAP: Final = 1_000
"""Lines that wait to be looked at; a bot that leaves more must wait itself, and does not get the harness's memory."""
STDERR_HEAD, STDERR_TAIL = 4_096, 16_384
"""Bytes of standard error that are kept: where the trouble began, and the last few hundred lines."""
EXIT_GRACE: Final = 0.5
"""Seconds that a bot has to exit when its input has ended, or when it has closed its output: time for an interpreter
to shut down on a busy machine."""
TERM_GRACE: Final = 0.5
"""Seconds that a bot has after SIGTERM to remove what it must."""
KILL_GRACE: Final = 5.0
"""Seconds to wait for the system to end what was killed; only a process that hangs in the kernel takes longer."""

THREADS: Final = (
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "BLIS_NUM_THREADS"),
    *("VECLIB_MAXIMUM_THREADS", "RAYON_NUM_THREADS", "GOMAXPROCS"),
)
"""Where libraries look for the number of threads that they may start. Without a word each takes all the machine has:
four such bots crowd each other out, and their thinking time depends on who else is at work."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """How the bot of one seat is kept."""

    launcher: Launcher = field(default_factory=Unboxed)
    box: Box = field(default_factory=Box)
    pass_env: tuple[str, ...] = ()
    """As in `match.Player`."""
    shutdown: float = EXIT_GRACE
    """Seconds from the end of its input until it is told to end."""
    still: bool = False
    """Whether it stands still while it is not asked."""
    roams: bool = False
    """Whether it may run on every processor, also where its lane has one of its own."""


AT_LARGE: Final = Keeping()
"""What holds where nothing is said."""


def ready_to_start(launch: Command | Plugin, keeping: Keeping) -> Launch:
    """Make the working folder and all else that the process needs, its box included.

    Raises LaunchError for what is wrong with the bot, OSError where the harness itself has run out of something.
    """
    prepared = prepare(launch, keeping.pass_env)
    told = replace(prepared, env={**thread_counts(keeping.box.resources.cores), **prepared.env})
    try:
        return keeping.launcher.enclose(told, keeping.box)
    except BaseException:
        remove(prepared.folder)
        raise


def keeping_of(player: Player, spec: MatchSpec, launchers: Mapping[str, Launcher]) -> Keeping:
    """How a match keeps the bot of this player. Raises KeyError for a sandbox that no launcher makes."""
    box = Box(spec.custody.resources, player.network, player.read)
    still = not (spec.custody.ponder or player.waits)
    launcher = launchers[spec.custody.sandbox]
    return Keeping(launcher, box, player.pass_env, spec.limits.shutdown, still=still, roams=player.waits)


def thread_counts(cores: int) -> dict[str, str]:
    """What tells libraries that so many processors are theirs; what a bot's own entry says comes before it."""
    return dict.fromkeys(THREADS, str(cores))


class Excerpt:
    """The beginning and the end of a stream of bytes, of whatever length."""

    def __init__(self, head: int = STDERR_HEAD, tail: int = STDERR_TAIL) -> None:
        self._room, self._tail_size = head, tail
        self._head = bytearray()
        self._tail = bytearray()
        self._cut = 0

    def feed(self, data: bytes) -> None:
        """Take bytes."""
        self._head += data[: self._room]
        self._tail += data[self._room :]
        self._room -= min(len(data), self._room)
        over = len(self._tail) - self._tail_size
        if over > 0:
            del self._tail[:over]
            self._cut += over

    def text(self) -> str:
        """What was kept, as text that can be stored and printed."""
        gap = f"\n[… {self._cut} bytes …]\n".encode() if self._cut else b""
        return storable_text(bytes(self._head) + gap + bytes(self._tail))
