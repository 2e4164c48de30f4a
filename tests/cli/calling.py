"""The command called as a person calls it: in a folder, as a process of its own, with nothing to read."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

ZOO = Path(__file__).resolve().parents[1] / "zoo" / "zoo.py"
SPADES = (sys.executable, "-c", "from spades_harness.cli import main; main()")
PATIENCE = 120
"""Seconds after which a call counts as hanging."""


def spades(*words: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`spades WORDS` in this folder; its output is read as UTF-8 unless the environment says otherwise."""
    return call(words, cwd, PATIENCE, env)


def call(words: Sequence[str], cwd: Path, patience: float, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """As `spades`, for calls that take longer than most."""
    encoding = env.get("PYTHONIOENCODING", "utf-8")
    return subprocess.run(
        [*SPADES, *words],
        cwd=cwd,
        env={**os.environ, "PYTHONIOENCODING": encoding, **env},
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
