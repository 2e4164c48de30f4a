"""The command called as a person calls it: in a folder, as a process of its own, with nothing to read.

Many calls are born in a `nursery`, which spares them the import; what a test may hold of them is the same.
"""

from __future__ import annotations

import io
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from cli.nursery import born

ZOO = Path(__file__).resolve().parents[1] / "zoo" / "zoo.py"
SPADES = (sys.executable, "-c", "from spades_harness.cli import main; main()")
PATIENCE = 600
"""Seconds after which a call counts as hanging. Two minutes were too few for an honest one: the README's first match
took longer where eight others wanted each processor. Nobody waits for it: pytest tells after two minutes where a test
stands."""


def spades(*words: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`spades WORDS` in this folder; its output is read as UTF-8 unless the environment says otherwise."""
    return call(words, cwd, PATIENCE, env)


def call(words: Sequence[str], cwd: Path, patience: float, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """As `spades`, for calls that take longer than most."""
    encoding = env.get("PYTHONIOENCODING", "utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": encoding, **env}
    if (ended := born(words, cwd, patience, environment)) is not None:
        out, err = (io.TextIOWrapper(io.BytesIO(data), encoding).read() for data in (ended.stdout, ended.stderr))
        return subprocess.CompletedProcess([*SPADES, *words], ended.returncode, out, err)
    return subprocess.run(
        [*SPADES, *words],
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding=encoding,
        timeout=patience,
        check=False,
    )


def zoo_bot(parent: Path, name: str, *flags: str) -> Path:
    """A bot's folder with the zoo's bot and these habits."""
    folder = parent / name
    folder.mkdir()
    shutil.copy(ZOO, folder)
    command = json.dumps(["{python}", ZOO.name, *flags])
    (folder / "bot.yaml").write_text(f"command: {command}\n", encoding="utf-8")
    return folder


def python_bot(folder: Path, name: str, body: str) -> Path:
    """A bot of one file, made with the SDK: `body` are the lines of its class."""
    lines = "\n".join(f"    {line}" for line in body.strip().splitlines())
    text = f"from spades_bot import Bot, run\n\nclass It(Bot):\n{lines}\n\nif __name__ == '__main__':\n    run(It)\n"
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return path


GATED = """
import os
import threading

from spades_bot import Bot, run

GATE = {gate!r}


class Gated(Bot):
    def start(self):
        self.stands = False
        if os.path.exists(GATE):
            with open(GATE + "/began", "ab", 0) as began:
                began.write(b".")
                self.stands = began.tell() > int(open(GATE + "/free").read())

    def bid(self, request):
        if self.stands:
            with open(GATE + "/fifo", "wb", 0) as fifo:
                fifo.write(b"here\\n")
            threading.Event().wait()
        return 3

    def play(self, request):
        return request.legal[0]


run(Gated)
"""
"""Once a gate is shut, and so many of its processes have got through, every other one says so and stands before it."""


def gated_bot(folder: Path, name: str) -> Path:
    """A bot in a folder of its own, as `NAME/NAME.py`; `shut_gate` of the folder around it is its gate.

    By it a run is in its middle when a signal comes, however fast or slow the machine is. Its file should give limits
    that are longer than the signal takes.
    """
    path = folder / name / f"{name}.py"
    path.parent.mkdir()
    path.write_text(GATED.format(gate=str(folder / "gate")), encoding="utf-8")
    return path


@contextmanager
def shut_gate(folder: Path, free: int) -> Iterator[int]:
    """The gate of the bots of this folder is shut after so many processes; what they say comes out of this fifo."""
    if sys.platform == "win32":
        raise NotImplementedError
    gate = folder / "gate"
    gate.mkdir()
    (gate / "free").write_text(str(free), encoding="utf-8")
    os.mkfifo(gate / "fifo")
    fifo = os.open(gate / "fifo", os.O_RDWR)  # waits for nobody, as opening it only to read would
    try:
        yield fifo
    finally:
        os.close(fifo)
        shutil.rmtree(gate)


def group_is_gone(group: int) -> bool:
    """Whether the last process of a group ends: the system takes a moment to bury what was left to it."""
    if sys.platform == "win32":
        raise NotImplementedError
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False


def heard(fifo: int, call: subprocess.Popen[str]) -> str:
    """What a process that the call starts writes to a fifo, held open for both; fails if the call ends before that."""
    assert call.stdout is not None
    output, said = call.stdout.fileno(), b""
    while fifo not in (ready := select.select([fifo, output], [], [], PATIENCE)[0]):
        chunk = os.read(output, 4096) if ready else b""
        if not chunk:
            call.kill()
            rest, errors = call.communicate(timeout=PATIENCE)
            pytest.fail(f"nothing came before the call {'ended' if ready else 'hung'}: {said.decode()}{rest}{errors}")
        said += chunk
    return os.read(fifo, 4096).decode()


class Answered(NamedTuple):
    """What a call came to."""

    returncode: int
    stdout: str
    stderr: str


def ask(*words: str) -> Answered:
    """`spades WORDS` in this process: for calls that only compute, and are many."""
    from spades_harness.cli.app import app

    done = CliRunner().invoke(app, words)
    return Answered(done.exit_code, done.stdout, done.stderr)
