"""The bots and rules that were named on a command line, found and ready to be started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from spades_harness.game.rules import Rules
from spades_harness.table.launch import Launch, LaunchError
from spades_harness.table.launchers import Box
from spades_harness.table.match import Player
from spades_harness.tournament.file.bots import Bot, find_bot, player
from spades_harness.tournament.file.build import Enclose, unenclosed
from spades_harness.tournament.file.roster import Seat
from spades_harness.tournament.registry import Registry

from .chosen import chosen_rules
from .console import tell
from .opening import Opened, registered


@dataclass(frozen=True, slots=True)
class Found:
    """What was named, as values; `files` are the plugin files that stand behind it."""

    players: tuple[Player, ...]
    rules: Rules
    files: tuple[str, ...]


def ready(bot: Bot, enclose: Enclose = unenclosed) -> Player:
    """The bot ready to be started; that it is built first, if it is, is told. Raises UserError."""
    return player(bot, tell, enclose)


def ready_for(opened: Opened) -> Seat:
    """Who makes the bots of a tournament file ready; they are built in the sandbox that they will play in."""
    return partial(ready, enclose=box_for(opened.file.custody.sandbox, opened.registry))


def box_for(sandbox: str, registry: Registry) -> Enclose:
    """What a build is started in."""
    launcher = registry.launchers[sandbox]

    def enclose(launch: Launch) -> Launch:
        if lacking := launcher.objection(Box()):
            raise LaunchError(f"sandbox: {sandbox}: {lacking}")
        return launcher.enclose(launch, Box())

    return enclose


def find_players(named: Sequence[str], preset: str, plugins: Sequence[Path], changes: Sequence[str] = ()) -> Found:
    """The bots of these names, paths relative to the current folder, and the rules with their changes.

    Raises UserError for whatever isn't there.
    """
    files = tuple(str(path) for path in plugins)
    registry = registered(plugins, kinds=("bots", "rules"))
    rules = chosen_rules(preset, changes, registry.rules)
    return Found(tuple(ready(find_bot(each, Path.cwd(), registry)) for each in named), rules, files)
