"""Words of commands that are printed for people to copy, quoted as their shell wants it."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import list2cmdline


def replay_command(run: Path, match: int, hand: int | None = None) -> str:
    """The call that tells a match of a run again, or one hand of it."""
    return quoted(["spades", "replay", str(run), str(match), *(["--hand", str(hand)] if hand else [])])


def fault_command(run: Path, match: int) -> str:
    """The call that tells all about the faults of a match of a run."""
    return quoted(["spades", "fault", str(run), str(match)])


def repro_command(run: Path, match: int, seat: str) -> str:
    """The call that feeds the bot of a seat what it was told in a match of a run."""
    return quoted(["spades", "repro", str(run), str(match), "--seat", seat])


def crossplay_command(run: Path) -> str:
    """The call that shows who plays how well beside whom."""
    return quoted(["spades", "standings", str(run), "--crossplay"])


def quoted(words: Sequence[str]) -> str:
    """A command line."""
    return list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
