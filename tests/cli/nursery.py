"""Calls of the command as processes that are born with it loaded: forked from one that has only imported it.

Most of what a short call costs is the start of Python and the import of the harness, the same each time. All that comes
after that is as ever: a process with its own folder, streams, exit code and end of the interpreter. A nursery runs no
command itself, so nothing that one call does is seen by another. There are two of them, which take turns: the sets of
two calls in a row are in different orders, as those of two fresh interpreters are.

Where the interpreter itself has to start with something else, or the system has no such fork, a fresh one it is; and so
it is with every call that a test starts by itself, to interrupt it, kill it or read from it.
"""

from __future__ import annotations

import atexit
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

SERVES: Final = sys.platform == "linux"
NURSERY: Final = r"""
import gc, importlib, json, os, pkgutil, signal, socket, sys, warnings

channel = socket.socket(fileno=os.dup(1))  # whatever is printed here goes there as well
signal.signal(signal.SIGINT, signal.SIG_IGN)
import spades_harness
for module in pkgutil.walk_packages(spades_harness.__path__, "spades_harness."):
    if not module.name.endswith((".host", ".parquet", ".cluster")):  # a bot's, or what need not be there
        importlib.import_module(module.name)
try:
    import typer._adapters  # it comes with the first word that typer reads
except ImportError:
    pass
gc.collect()
gc.freeze()
while True:
    told, files, _, _ = socket.recv_fds(channel, 1 << 20, 2)
    if not told:
        os._exit(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy's threads, which idle, know how to be forked
        child = os.fork()
    if not child:
        break
    for file in files:
        os.close(file)
    channel.send(str(child).encode())
    channel.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())

call = json.loads(told)
channel.close()
for number, file in enumerate(files, start=1):
    os.dup2(file, number)
    os.close(file)
signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ.clear()
os.environ.update(call["env"])
os.chdir(call["cwd"])
sys.argv[1:] = call["words"]
from spades_harness.cli import main
main()
"""
"""What runs there. After the loop it is the child, and ends as an interpreter ends."""
CHANGING: Final = "PYTEST_CURRENT_TEST"
"""What pytest sets anew for each test, and no interpreter looks at."""


class Ended(NamedTuple):
    """How a call ended, and what it wrote."""

    returncode: int
    stdout: bytes
    stderr: bytes


class Nursery:
    """A process that has imported the harness in this environment, and forks a child for each call."""

    _channel: socket.socket
    _process: subprocess.Popen[bytes]

    def __init__(self, env: Mapping[str, str]) -> None:
        if sys.platform == "win32":
            raise NotImplementedError
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", NURSERY],
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=theirs.fileno(),
                stderr=theirs.fileno(),
            )

    def call(self, words: Sequence[str], cwd: Path, patience: float, env: Mapping[str, str]) -> Ended:
        """As `subprocess.run`, which also waits until all that hold its streams have let go of them."""
        if sys.platform == "win32":
            raise NotImplementedError
        deadline = time.monotonic() + patience
        with ExitStack() as stack:
            ours, theirs = zip(os.pipe(), os.pipe(), strict=True)
            for file in ours:
                stack.callback(os.close, file)
            told = json.dumps({"words": [*words], "cwd": str(cwd), "env": dict(env)})
            try:
                socket.send_fds(self._channel, [told.encode()], theirs)
            finally:
                for file in theirs:
                    os.close(file)
            child = self._said(deadline)
            try:
                output = _read_all(ours, deadline)
                return Ended(self._said(deadline), *output)
            except TimeoutError:
                os.kill(child, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["spades", *words], patience) from None

    def _said(self, deadline: float) -> int:
        self._channel.settimeout(max(0.001, deadline - time.monotonic()))
        return int(self._channel.recv(1 << 16) or "the nursery has ended")

    def close(self) -> None:
        """Let it end."""
        self._channel.close()
        self._process.wait()


def _read_all(files: Sequence[int], deadline: float) -> list[bytes]:
    """All that comes on each, until its end. Raises TimeoutError."""
    came = {file: bytearray() for file in files}
    with selectors.DefaultSelector() as open_still:
        for file in files:
            open_still.register(file, selectors.EVENT_READ)
        while open_still.get_map():
            ready = open_still.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                chunk = os.read(key.fd, 1 << 16)
                came[key.fd] += chunk
                if not chunk:
                    open_still.unregister(key.fd)
    return [bytes(came[file]) for file in files]


def _steady(env: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in env.items() if name != CHANGING}


_BORN_IN: Final = _steady({**os.environ, "PYTHONIOENCODING": "utf-8"})
"""The environment of the nurseries: that of all tests which don't say otherwise."""
_NURSERIES: Final[deque[Nursery]] = deque()


def born(words: Sequence[str], cwd: Path, patience: float, env: Mapping[str, str]) -> Ended | None:
    """A call in this environment, if a nursery can serve it. Raises subprocess.TimeoutExpired."""
    if not SERVES or _steady(env) != _BORN_IN:
        return None
    nursery = _NURSERIES.popleft() if len(_NURSERIES) == 2 else Nursery(env)
    try:
        ended = nursery.call(words, cwd, patience, env)
    except BaseException:
        nursery.close()  # it may be in the middle of something
        raise
    _NURSERIES.append(nursery)
    return ended


@atexit.register
def _close() -> None:
    while _NURSERIES:
        _NURSERIES.popleft().close()
