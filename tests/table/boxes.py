"""What the tests of boxes share: bubblewrap must be there where the gate runs, and elsewhere its absence is told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from spades_harness.table.bubblewrap import Bubblewrap
from spades_harness.table.keeping import Keeping, ready_to_start
from spades_harness.table.launch import Launch, remove
from spades_harness.table.launchers import Box
from spades_harness.table.match import Command

GUARD = 60
"""Seconds until a test that hangs says so."""


def demand_boxes() -> None:
    """Fail in the gate, and skip elsewhere, where there are no boxes."""
    why = Bubblewrap().objection(Box()) if sys.platform == "linux" else "boxes are for Linux"
    if not why:
        return
    if os.environ.get("SPADES_CI"):
        pytest.fail(f"the gate runs the tests of boxes: {why}")
    pytest.skip(f"NO TEST OF BOXES WAS RUN: {why}")


def boxed(command: Command, box: Box | None = None, pass_env: tuple[str, ...] = ()) -> Launch:
    """The command line of a bot in its box."""
    return ready_to_start(command, Keeping(Bubblewrap(), box or Box(), pass_env=pass_env))


def run_boxed(command: Command, box: Box | None = None, pass_env: tuple[str, ...] = ()) -> str:
    """What a program that needs no harness says in its box; on standard error only where it fails."""
    launch = boxed(command, box, pass_env)
    try:
        done = subprocess.run(
            launch.argv,
            env=dict(launch.env),
            cwd=launch.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=GUARD,
            check=False,
        )
    finally:
        remove(launch.folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


def found_by(script: str, folder: Path, *words: str, box: Box | None = None, pass_env: Sequence[str] = ()) -> Any:
    """What a Python script prints as JSON, run as a bot of this folder in its box."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "probe.py").write_text(script, encoding="utf-8")
    command = Command((sys.executable, "-I", "probe.py", *words), str(folder))
    return json.loads(run_boxed(command, box, tuple(pass_env)))
