"""What plugins registered, as plain values by name: bots, rules, schedules and so on; what was set aside, and why.

Values only: who fills them, and how plugins are found, is `plugins`' business. Light, since every bot of a plugin
that runs in a process of its own pays for what is loaded here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from spades_harness.game.rules import Rules
from spades_harness.suggestion import near_miss

if TYPE_CHECKING:
    from spades_harness.table.launchers import Launcher

    from .execution.executors import Executor
    from .schedule import Schedule
    from .statistics.rating import Rating

BotFactory: TypeAlias = Callable[[], Any]
"""Makes a fresh bot for one seat and one match: a subclass of `spades_bot.Bot`, or a function that returns one."""


@dataclass(frozen=True, slots=True)
class PluginBot:
    """A bot that a plugin registered."""

    name: str
    factory: BotFactory
    plugin: str
    """The plugin as people know it: its package and version, or its file."""
    file: Path | None = None
    """The plugin file to load before the bot is known; None for what is installed."""
    sources: tuple[Path, ...] = ()
    """The files of which the bot consists, for its content hash."""
    version: str = ""
    """Of the distribution that it came with."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a plugin, or something of it, was set aside."""

    plugin: str
    what: str
    names: frozenset[str] = frozenset()
    """The names that are missing for it; empty: nobody knows, since the plugin never got so far."""

    def __str__(self) -> str:
        return f"plugin {self.plugin}: {self.what}"


@dataclass(frozen=True, slots=True)
class Registry:
    """Everything that has a registered name, each mapping sorted by name."""

    bots: Mapping[str, PluginBot] = field(default_factory=dict)
    rules: Mapping[str, Rules] = field(default_factory=dict)
    schedules: Mapping[str, Schedule] = field(default_factory=dict)
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    launchers: Mapping[str, Launcher] = field(default_factory=dict)
    executors: Mapping[str, Executor] = field(default_factory=dict)
    problems: tuple[Trouble, ...] = ()
    """To be shown once, on standard error; nothing else is hindered by them."""

    def missing(self, name: str, names: list[str]) -> str:
        """Why there may be no such name, to follow `no bot 'x'`: a plugin's trouble, or a slip of the pen."""
        known = [trouble for trouble in self.problems if name in trouble.names]
        possible = known or [trouble for trouble in self.problems if not trouble.names]
        near = near_miss(name, names)
        if near is not None and not known:
            return f"; did you mean {near!r}?"
        if possible:
            return "; set aside: " + "; ".join(map(str, possible))
        return f"; there are: {', '.join(sorted(names))}"
