"""The bots that ship, for tests: folders, the C bot built, the Python ones as classes, matches without processes."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import spades_bot
from spades_harness.bundled import bundled
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.modules import load_module
from spades_harness.table.bounds import Limits
from spades_harness.table.local import LocalSeat
from spades_harness.table.match import Command, MatchRecord, MatchSpec, Player
from spades_harness.table.referee import play_match
from spades_harness.table.seats import run_unsuspended

CLASSIC = Rules()


UNTIMED = Limits(start=86_400, move=86_400, bank=604_800)
"""For bots that play in this process: how long they take hangs on what else the machine has to do."""


def folder_of(bot: str) -> Path:
    """The folder of a bot that ships."""
    return bundled("bots") / bot


def class_of(bot: str) -> type[Any]:
    """The class of a bot that ships and is written in Python."""
    return spades_bot.find_bot(load_module(folder_of(bot) / f"{bot}.py"))


def build_random(folder: Path) -> Path:
    """The C bot, built into a folder with every warning an error."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    assert compiler, "these tests need a C compiler: cc, gcc or clang"
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
    built = folder / "random"
    subprocess.run([compiler, *flags, "-o", built, folder_of("random") / "random.c"], check=True)
    return built


def environment(**more: str) -> dict[str, str]:
    """An environment in which `import spades_bot` works, and nothing helps a bot that forgets to flush."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**inherited, "PYTHONPATH": str(bundled("protocol") / "sdk" / "python"), **more}


def play_boards(
    bots: Sequence[type[Any]], stream: int = 0, hands: int = 4, seed: str = "boards", rules: Rules = CLASSIC
) -> MatchRecord:
    """A match of so many hands between bots in this process, one for each seat of the rules."""
    players = tuple(Player(bot.NAME, Command(("none",), "/")) for bot in bots)
    spec = MatchSpec(f"{seed} {stream}", 1, rules, Boards(hands), secret_of_seed(seed), stream, 0, players, UNTIMED)
    return run_unsuspended(play_match(spec, [LocalSeat(bot) for bot in bots]))


def points_ahead(ours: type[Any], theirs: type[Any], streams: int, rules: Rules = CLASSIC) -> float:
    """Points a hand and side by which one bot beats another over both legs of so many streams of four hands.

    They take turns round the table.
    """
    total = 0.0
    for stream in range(streams):
        for bots, sign in (((ours, theirs) * 2, 1), ((theirs, ours) * 2, -1)):
            result = play_boards(bots[: len(rules.shape.seats)], stream, rules=rules).result
            assert result
            assert not result.forfeits
            scores = result.totals.scores
            total += sign * (mean(scores[::2]) - mean(scores[1::2]))
    return total / (2 * 4 * streams)
