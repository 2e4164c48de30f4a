"""The values of a tournament file: what it says, not yet what there is. Values only; nothing here does anything."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from spades_harness.game.rules import Rules
from spades_harness.game.score import Format
from spades_harness.table.bounds import Custody, Limits
from spades_harness.table.match import FaultPolicy, Scalar
from spades_harness.tournament.anchor import Anchor
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.schedule import OptionValue, ScheduleError
from spades_harness.tournament.statistics.stopping import Rule

from .yaml_nodes import NOWHERE, FileError, Place

Steps: TypeAlias = tuple[tuple[str, ...], ...]
"""Commands that build a bot, in their order, each a program and its arguments."""


@dataclass(frozen=True, slots=True)
class Named:
    """`bot:`: a registered name, a `.py` file, or a folder with `bot.yaml`."""

    bot: str


@dataclass(frozen=True, slots=True)
class CommandLine:
    """`command:` with `dir:`: how to start the bot, and its folder relative to the file."""

    argv: tuple[str, ...]
    dir: str


@dataclass(frozen=True, slots=True)
class FromPlugin:
    """`plugin:`: the name under which a plugin registers the bot."""

    plugin: str


@dataclass(frozen=True, slots=True)
class BotEntry:
    """One entry of `bots:`; `params` and `env` are sorted by name."""

    name: str
    source: Named | CommandLine | FromPlugin
    params: tuple[tuple[str, Scalar], ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    in_process: bool = False
    waits: bool = False
    network: bool = False
    pass_env: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Submissions:
    """`{folder: …}`: every folder in it is a bot, named like the folder."""

    folder: str
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class EntrantEntry:
    """One entry of `entrants:`: a bot on both seats of a side, or a pair of bots."""

    name: str
    bots: tuple[str, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ScheduleChoice:
    """The schedule's name and what the file says to it."""

    name: str
    options: tuple[tuple[str, OptionValue], ...] = ()
    place: Place = field(default=NOWHERE, compare=False)
    places: tuple[tuple[str, Place], ...] = field(default=(), compare=False)
    """Of the options."""

    def error(self, error: ScheduleError) -> FileError:
        """What the schedule refuses, told where it stands in the file; to be raised."""
        return dict(self.places).get(error.option, self.place).error(str(error).removeprefix("schedule: "))


@dataclass(frozen=True, slots=True)
class Stop:
    """`stop:`: what ends the run before all is played."""

    rule: Rule
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AnchorEntry:
    """`anchor:`: who has which Elo by definition."""

    anchor: Anchor
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament file. Paths are as written: relative to `base`, the file's folder."""

    name: str
    rules: Rules
    format: Format
    seed: int | str | None
    """Public, a number or a text; None: a secret is to be drawn and committed to."""
    schedule: ScheduleChoice
    limits: Limits
    faults: FaultPolicy
    custody: Custody
    entrant_check: str
    """`play`, `drop` or `refuse`: what a bot that fails in its hand before the first match does to the run."""
    bots: tuple[BotEntry | Submissions, ...]
    entrants: tuple[EntrantEntry, ...]
    """Empty: every bot with itself."""
    plugins: tuple[str, ...]
    """Plugin files."""
    fail_on: tuple[str, ...]
    """What makes a finished run end with exit code 1: `faults`."""
    salt: str | None = None
    """What is to be mixed into the secret, or `required`: one is to come before anything is played."""
    disguise: bool = False
    """Whether each leg after the first of a meeting has its cards in other suits."""
    stop: Stop | None = None
    rank_by: RankBy = RankBy.ELO
    anchor: AnchorEntry | None = None
    base: Path = field(default=Path(), compare=False)
