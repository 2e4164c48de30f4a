"""How a run keeps its bots, for whoever runs it: what this machine lacks for it, before the first match; what the
standings say of it. Starts no bot."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from spades_harness.errors import UserError
from spades_harness.table.bounds import UNBOXED, Custody
from spades_harness.table.launchers import Box, Launcher
from spades_harness.table.match import Player, Plugin
from spades_harness.table.watch import bounded, objection
from spades_harness.tournament.ledger import Ledger
from spades_harness.tournament.schedule import Entrant


def players_of(entrants: Iterable[Entrant]) -> tuple[Player, ...]:
    """Each bot once."""
    return tuple({player.name: player for entrant in entrants for player in entrant.players}.values())


def demand(launchers: Mapping[str, Launcher], custody: Custody, players: Sequence[Player]) -> None:
    """Raise UserError for a bot that could not be kept here as the file says: nothing less is put in its place."""
    if why := objection(custody.resources):
        raise UserError(why)
    launcher = launchers[custody.sandbox]
    found: dict[Box, str] = {}
    for player in players:
        if absent := [name for name in player.pass_env if name not in os.environ]:
            raise UserError(f"{player.name}: pass_env: {absent[0]} is not set here: set it, or take it from the file")
        if isinstance(player.launch, Plugin) and player.launch.in_process and (key := _not_in_here(player, custody)):
            raise UserError(f"{player.name}: in_process: true goes with no {key}; take out one of them")
        box = Box(custody.resources, player.network, player.read)
        if box not in found:
            found[box] = launcher.objection(box)
        if found[box]:
            raise UserError(f"{player.name}: sandbox: {custody.sandbox}: {found[box]}")


def _not_in_here(player: Player, custody: Custody) -> str:
    """What the file says of a bot that is no process, and that only a process can be held to."""
    said = {
        "sandbox": custody.sandbox != UNBOXED.sandbox,
        "bound of resources": bool(bounded(custody.resources)),
        **{key: bool(getattr(player, key)) for key in ("waits", "network", "pass_env", "read")},
        "env": bool(player.launch.env),
    }
    return next((key for key, given in said.items() if given), "")


def kept(ledger: Ledger) -> str:
    """One line for under the standings."""
    custody = ledger.run.terms.custody
    players = [ledger.player(name) for name in dict.fromkeys(bot for each in ledger.entrants() for bot in each.bots)]
    return "; ".join([f"sandbox: {custody.sandbox}", *_privileges(players)])


def _privileges(players: Sequence[Player]) -> Iterator[str]:
    if reaching := [player.name for player in players if player.network]:
        yield f"network: {', '.join(reaching)}"
    if reading := [f"{player.name} ({', '.join(player.read)})" for player in players if player.read]:
        yield f"read: {', '.join(reading)}"
    if passed := [f"{player.name} ({', '.join(player.pass_env)})" for player in players if player.pass_env]:
        yield f"pass_env: {', '.join(passed)}"
