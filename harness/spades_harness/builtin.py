"""What ships with the harness, through the same door as everybody else's: plugin bots, rules, schedules, ratings.

Each hook loads what it registers only when it is called: a bot's process needs no ratings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from spades_harness import hookimpl
from spades_harness.bundled import bundled
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.modules import load_module
from spades_harness.tournament.registry import BotFactory

if TYPE_CHECKING:
    from spades_harness.table.launchers import Launcher
    from spades_harness.tournament.execution.executors import Executor
    from spades_harness.tournament.schedule import Schedule
    from spades_harness.tournament.statistics.rating import Rating


@hookimpl
def spades_register_bots() -> Mapping[str, BotFactory]:
    """The bots that ship as plugins; the others are folders with `bot.yaml`."""
    import spades_bot  # noqa: PLC0415

    return {"threes": spades_bot.find_bot(load_module(bundled("bots") / "threes" / "threes.py"))}


@hookimpl
def spades_register_rules() -> Mapping[str, Rules]:
    """The presets of the game."""
    return PRESETS


@hookimpl
def spades_register_schedules() -> Mapping[str, Schedule]:
    """Every pairing, or most for whom it is close; a field; rounds of equals; knockouts; ladders; mixers."""
    from spades_harness.tournament.schedules.adaptive import ADAPTIVE  # noqa: PLC0415
    from spades_harness.tournament.schedules.gauntlet import GAUNTLET  # noqa: PLC0415
    from spades_harness.tournament.schedules.knockout import KNOCKOUT  # noqa: PLC0415
    from spades_harness.tournament.schedules.ladder import LADDER  # noqa: PLC0415
    from spades_harness.tournament.schedules.mixer import MIXER  # noqa: PLC0415
    from spades_harness.tournament.schedules.round_robin import round_robin  # noqa: PLC0415
    from spades_harness.tournament.schedules.swiss import SWISS  # noqa: PLC0415

    return {
        "round_robin": round_robin,
        "adaptive": ADAPTIVE,
        "gauntlet": GAUNTLET,
        "swiss": SWISS,
        "knockout": KNOCKOUT,
        "ladder": LADDER,
        "mixer": MIXER,
    }


@hookimpl
def spades_register_ratings() -> Mapping[str, Rating]:
    """All results at once, and one after the other."""
    from spades_harness.tournament.statistics.rating import elo, elo_k  # noqa: PLC0415

    return {"elo": elo, "elo_k": elo_k}


@hookimpl
def spades_register_launchers() -> Mapping[str, Launcher]:
    """No sandbox, and bubblewrap's."""
    from spades_harness.table.bubblewrap import Bubblewrap  # noqa: PLC0415
    from spades_harness.table.launchers import Unboxed  # noqa: PLC0415

    return {"none": Unboxed(), "bubblewrap": Bubblewrap()}


@hookimpl
def spades_register_executors() -> Mapping[str, Executor]:
    """Worker processes of this machine, and those of a cluster of Dask's."""
    from spades_harness.tournament.execution.cluster import dask, objection  # noqa: PLC0415
    from spades_harness.tournament.execution.executors import LANES, Checked, lanes, lanes_objection  # noqa: PLC0415

    return {LANES: Checked(lanes, lanes_objection), "dask": Checked(dask, objection)}
