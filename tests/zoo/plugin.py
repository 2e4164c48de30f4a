"""The zoo as a plugin: each misbehaviour as a bot `zoo_NAME`, and `zoo_gauntlet`, by which they meet others.

A bot of the zoo does to its pipes what no SDK would, so it becomes the program `zoo.py` in place of its host.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain, combinations
from pathlib import Path
from typing import NoReturn

import spades_bot
from spades_harness import hookimpl
from spades_harness.modules import load_module
from spades_harness.tournament.outcome import Leg, Outcome
from spades_harness.tournament.registry import BotFactory
from spades_harness.tournament.schedule import Batch, Entrant, Options, Schedule
from spades_harness.tournament.schedules.option_reading import Given

HERE = Path(__file__).resolve().parent
ALL = load_module(HERE / "misbehaviours.py").ALL


@hookimpl
def spades_register_bots() -> Mapping[str, BotFactory]:
    """The bots."""
    return {f"zoo_{each.name}": partial(become, each.flags) for each in ALL}


@hookimpl
def spades_register_schedules() -> Mapping[str, Schedule]:
    """The schedule."""
    return {"zoo_gauntlet": gauntlet}


def become(flags: Sequence[str]) -> NoReturn:
    """Be the program from here on, on the pipes of the host; raises RuntimeError in the process of the harness."""
    if spades_bot._channel is None:
        raise RuntimeError("a bot of the zoo must be a process of its own: leave out in_process")
    for number, stream in enumerate(spades_bot._channel):
        os.dup2(stream.fileno(), number)
    os.execv(sys.executable, [sys.executable, str(HERE / "zoo.py"), *flags])


def gauntlet(entrants: Sequence[Entrant], options: Options, results: Sequence[Outcome], /) -> Batch:
    """The first two entrants meet each other, and each of the others meets one or both of them, from both sides.

    Option `meets`: how many of the two each of the others meets.
    """
    sound, others = entrants[:2], entrants[2:]
    meets = Given("zoo_gauntlet", options, "meets").whole("meets", len(sound), 1, len(sound))
    pairs = ((other, sound[(number + k) % len(sound)]) for number, other in enumerate(others) for k in range(meets))
    legs = (Leg((a.name, b.name), 0, leg, 1) for a, b in chain(combinations(sound, 2), pairs) for leg in (0, 1))
    named = {outcome.leg for outcome in results}
    return tuple(leg for leg in legs if leg not in named)
