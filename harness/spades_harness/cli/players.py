"""The bots and rules that were named on a command line, found and ready to be started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spades_harness.game.rules import Rules
from spades_harness.table.match import Player
from spades_harness.tournament.bots import Bot, find_bot, player

from .chosen import chosen_rules
from .console import tell
from .opening import registered


@dataclass(frozen=True, slots=True)
class Found:
    """What was named, as values; `files` are the plugin files that stand behind it."""

    players: tuple[Player, ...]
    rules: Rules
    files: tuple[str, ...]


def ready(bot: Bot) -> Player:
    """The bot ready to be started; that it is built first, if it is, is told. Raises UserError."""
    return player(bot, tell)


def find_players(named: Sequence[str], preset: str, plugins: Sequence[Path], changes: Sequence[str] = ()) -> Found:
    """The bots of these names, paths relative to the current folder, and the rules with their changes.

    Raises UserError for whatever isn't there.
    """
    files = tuple(str(path) for path in plugins)
    registry = registered(plugins, kinds=("bots", "rules"))
    rules = chosen_rules(preset, changes, registry.rules)
    return Found(tuple(ready(find_bot(each, Path.cwd(), registry)) for each in named), rules, files)
