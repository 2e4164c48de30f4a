"""The hooks that a plugin may implement. Each returns a mapping of names to things, and takes nothing.

A plugin is a module: a file that is named with `plugins:` or `--plugin`, or one that an installed package declares
under the entry-point group `spades_harness`. It marks its hooks with `spades_harness.hookimpl`:

    from spades_harness import hookimpl

    @hookimpl
    def spades_register_bots():
        return {"mine": MyBot}

Names are letters, digits, `_` and `-`. A name that ships, or that another plugin has too, is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pluggy import HookspecMarker

from spades_harness.game.rules import Rules
from spades_harness.tournament.registry import BotFactory

if TYPE_CHECKING:
    from spades_harness.table.launchers import Launcher
    from spades_harness.tournament.execution.executors import Executor
    from spades_harness.tournament.schedule import Schedule
    from spades_harness.tournament.statistics.rating import Rating

_hookspec = HookspecMarker("spades_harness")


@_hookspec
def spades_register_bots() -> Mapping[str, BotFactory]:  # type: ignore[empty-body]
    """Bots: each a subclass of `spades_bot.Bot`, or a function that makes one. It is called once a seat and match."""


@_hookspec
def spades_register_rules() -> Mapping[str, Rules]:  # type: ignore[empty-body]
    """Presets of the rules."""


@_hookspec
def spades_register_schedules() -> Mapping[str, Schedule]:  # type: ignore[empty-body]
    """Schedules: functions of entrants, options and results; see `spades_harness.tournament.schedule.Schedule`.

    A `spades_harness.tournament.schedules.placing.Placed` is one that says who came where, too.

    One that raises, or answers with anything but legs that can be played, stops the run in one line.
    """


@_hookspec
def spades_register_ratings() -> Mapping[str, Rating]:  # type: ignore[empty-body]
    """Ratings: functions of all results; see `spades_harness.tournament.statistics.rating.Rating`.

    A result is one pair of legs between two. Where four sat at a table, each two of them are a result of a third of the
    `weight`, and the six share a `cluster`.

    One that raises, or answers with anything but a `Rated` for each entrant, is left out of the standings and named.
    """


@_hookspec
def spades_register_launchers() -> Mapping[str, Launcher]:  # type: ignore[empty-body]
    """Sandboxes, by the name that `sandbox:` gives in a tournament file; see `spades_harness.table.launchers.Launcher`.

    What one raises voids the match, or stops the run before its first one.
    """


@_hookspec
def spades_register_executors() -> Mapping[str, Executor]:  # type: ignore[empty-body]
    """Where matches run, by the name that `--executor` gives: `spades_harness.tournament.execution.executors.Executor`.

    What one raises as NoSite or ExecutorLost ends the run in one line, and the run can be gone on with anywhere.
    """
