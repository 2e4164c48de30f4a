"""What a worker elsewhere needs before its first match: bots built there, and all that the file asks of a machine.

`fit_out` is called in the worker. What it lacks is the worker's fault and no bot's, so it may not show in a match.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from spades_harness.errors import UserError
from spades_harness.plugins import load_registry
from spades_harness.table.bounds import Custody
from spades_harness.table.launch import command_line, environment
from spades_harness.table.match import Command, Player, Plugin
from spades_harness.tournament.execution.kits import Kit
from spades_harness.tournament.file.bots import Bot, content, registered_bot
from spades_harness.tournament.file.build import built
from spades_harness.tournament.file.roster import Seat
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.schedule import Entrant

from .custody import demand, players_of
from .opening import Opened
from .players import box_for

_HEAD = 256
"""Bytes of a program in which its first line names what it runs on; systems read about as many."""


@dataclass(frozen=True, slots=True)
class Demands:
    """What a run asks of each machine that plays for it; hashes of plugin files by path, names of bots that start."""

    custody: Custody
    plugins: Mapping[str, str]
    startable: frozenset[str]
    """Bots whose program is there at home: where it is missing there too, that is the bot's own fault."""


def noting(seat: Seat, noted: dict[str, Bot]) -> Seat:
    """As `seat`; what each player was made of is noted by name."""

    def noting_seat(bot: Bot) -> Player:
        noted[bot.name] = bot
        return seat(bot)

    return noting_seat


def kits_of(entrants: Sequence[Entrant], bots: Mapping[str, Bot]) -> tuple[Kit, ...]:
    """Each bot once, as it is taken elsewhere."""
    return tuple(_kit(bots[player.name], player) for player in players_of(entrants))


def _kit(bot: Bot, player: Player) -> Kit:
    return Kit(replace(player, launch=bot.launch), bot.build)


def demands_of(opened: Opened, kits: Sequence[Kit]) -> Demands:
    """What this run asks of other machines."""
    plugins = {file: _hash(file) for file in opened.plugins}
    startable = frozenset(kit.player.name for kit in kits if not _absent(kit.player))
    return Demands(opened.file.custody, plugins, startable)


def fitting(opened: Opened, kits: Sequence[Kit]) -> Callable[[Sequence[Kit]], tuple[Player, ...]]:
    """What makes bots ready in a worker; it can be pickled."""
    return partial(fit_out, demands_of(opened, kits))


def fit_out(demands: Demands, kits: Sequence[Kit]) -> tuple[Player, ...]:
    """In a worker: the bots ready to be started there. Raises UserError for what that machine lacks."""
    for file, wanted in demands.plugins.items():
        if _hash(file) != wanted:
            raise UserError(f"plugin {file} is not there, or is another: plugin files don't travel; use a shared disk")
    registry = load_registry(demands.plugins, kinds=("bots", "launchers"))
    if (sandbox := demands.custody.sandbox) not in registry.launchers:
        raise UserError(f"sandbox: {sandbox}: no plugin registers it there")
    demand(registry.launchers, demands.custody, [kit.player for kit in kits])
    ready = tuple(_ready(kit, demands.custody, registry) for kit in kits)
    for player in ready:
        if player.name in demands.startable and (why := _absent(player)):
            raise UserError(f"{player.name}: {why}")
    return ready


def _ready(kit: Kit, custody: Custody, registry: Registry) -> Player:
    """Built, if it has to be; a plugin's bot is the same as at home."""
    player = kit.player
    match player.launch:
        case Plugin(name):
            if content(registered_bot(name, registry)) != player.content:
                raise UserError(f"{player.name}: its plugin is not the same there; install the same version")
            return player
        case Command():
            if not kit.steps:
                return player
            enclose = box_for(custody.sandbox, registry)
            folder = built(player.name, player.launch, kit.steps, player.content, _untold, enclose)
            return replace(player, launch=replace(player.launch, folder=str(folder)))


def _untold(_: str) -> None:
    """Nobody watches a worker."""


def _hash(file: str) -> str:
    """Of what is in a file; empty where it can't be read."""
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""


def _absent(player: Player) -> str:
    """Which program is missing for the start of a bot; empty where all are there."""
    if isinstance(player.launch, Plugin):
        return ""
    folder, path = Path(player.launch.folder), environment(player.launch)["PATH"]
    program = command_line(player.launch)[0]
    for needed in (program, _interpreter(folder / program)):
        if needed and not _is_there(needed, folder, path):
            return f"there is no program {needed!r}, which it is started with; install it"
    return ""


def _is_there(program: str, folder: Path, path: str) -> bool:
    if os.path.dirname(program):  # noqa: PTH120 - `./bot` must not become `bot`, as it does in pathlib
        return (folder / program).exists()
    return shutil.which(program, path=path) is not None


def _interpreter(program: Path) -> str:
    """What the first line of a script names, through `env` too; empty for what is no script."""
    try:
        with program.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return ""
    if not head.startswith(b"#!"):
        return ""
    words = shlex.split(head.splitlines()[0][2:].decode("utf-8", "replace"))
    named = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return named[0] if words and Path(words[0]).name == "env" and named else "".join(words[:1])
