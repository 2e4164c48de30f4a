"""How a run keeps its bots, for whoever runs it: what this machine lacks for it, before the first match; what the
standings say of it. Starts no bot."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from spades_harness.bundled import bundled
from spades_harness.errors import UserError
from spades_harness.table.belongings import is_left
from spades_harness.table.bounds import UNBOXED, Custody
from spades_harness.table.launch import command_line, environment
from spades_harness.table.launchers import Box, Launcher
from spades_harness.table.match import Player, Plugin
from spades_harness.table.watch import bounded, objection
from spades_harness.tournament.records.ledger import Ledger
from spades_harness.tournament.schedule import Entrant


def players_of(entrants: Iterable[Entrant]) -> tuple[Player, ...]:
    """Each bot once."""
    return tuple({player.name: player for entrant in entrants for player in entrant.players}.values())


def demand(
    launchers: Mapping[str, Launcher], custody: Custody, players: Sequence[Player], own: Sequence[Path] = ()
) -> None:
    """Raise UserError for a bot that could not be kept here as the file says: nothing less is put in its place.

    `own` are the run's own files and folders, its tournament file among them, which no bot may be shown.
    """
    if why := objection(custody.resources):
        raise UserError(why)
    launcher = launchers[custody.sandbox]
    found: dict[Box, str] = {}
    for player in players:
        if absent := [name for name in player.pass_env if name not in os.environ]:
            raise UserError(f"{player.name}: pass_env: {absent[0]} is not set here: set it, or take it from the file")
        if isinstance(player.launch, Plugin) and player.launch.in_process and (key := _not_in_here(player, custody)):
            raise UserError(f"{player.name}: in_process: true goes with no {key}; take out one of them")
        if refused := next(filter(None, (_unreadable(path, player, players, own) for path in player.read)), ""):
            raise UserError(f"{player.name}: read: {refused}")
        if shown := next(_shown(launcher, player, players, own), ""):
            raise UserError(f"{player.name}: sandbox: {custody.sandbox}: {shown}")
        box = Box(custody.resources, player.network, player.read)
        if box not in found:
            found[box] = launcher.objection(box)
        if found[box]:
            raise UserError(f"{player.name}: sandbox: {custody.sandbox}: {found[box]}")


def _shown(launcher: Launcher, player: Player, players: Sequence[Player], own: Sequence[Path]) -> Iterator[str]:
    """What its box would show it that no box may, since that lies in what its command runs on, or is that; in words."""
    argv, path = command_line(player.launch), environment(player.launch)["PATH"]
    program = shutil.which(argv[0], path=path) or argv[0]
    if not Path(program).is_absolute():  # it lies in the bot's own folder
        return
    hidden = [each for each in _others(_home(player), players, own) if not each[1].is_relative_to(bundled("bots"))]
    for place in map(Path, map(os.path.realpath, launcher.shows((program, *argv[1:]), path))):
        for words, kept in hidden:
            if place.is_relative_to(kept):
                yield f"{argv[0]} lies in {words} ({kept}), which no other bot may see; correct its command"
            if kept.is_relative_to(place):
                yield f"{place} is shown to it, and {words} would be with it ({kept}): keep them apart"


def _unreadable(path: str, player: Player, players: Sequence[Player], own: Sequence[Path]) -> str:
    """Why a path may not be shown to a bot, in one line with the cure; empty where it may."""
    asked = Path(os.path.realpath(path))
    if not asked.exists():
        return f"{path} is not there; correct it, or take it from the file"
    home = _home(player)
    if home and asked.is_relative_to(home):
        return ""
    for words, hidden in _hidden(home, players, own):
        if hidden.is_relative_to(asked):
            return f"{path} would show it {words} ({hidden}); list only the files and folders that it needs"
    for words, hidden in _hidden_whole(home, players, own):
        if asked.is_relative_to(hidden):
            return f"{path} lies in {words} ({hidden}); put a copy of what it needs elsewhere"
    return ""


def _hidden(home: Path | None, players: Sequence[Player], own: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """What a box hides, in words: nothing that holds one of these may be shown."""
    yield from _hidden_whole(home, players, own)
    yield "the working folders of all bots", Path(os.path.realpath(tempfile.gettempdir()))
    yield "what all processes share", Path("/dev/shm")


def _hidden_whole(home: Path | None, players: Sequence[Player], own: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """Of that, what no part may be shown of."""
    yield "other processes", Path("/proc")
    yield from _others(home, players, own)


def _others(home: Path | None, players: Sequence[Player], own: Sequence[Path]) -> Iterator[tuple[str, Path]]:
    """What is the run's, or another bot's."""
    yield from (("the run's own files", Path(os.path.realpath(path))) for path in own)
    for other in players:
        if (folder := _home(other)) and folder != home:
            yield f"the folder of {other.name}", folder


def _home(player: Player) -> Path | None:
    """The bot's own folder; a plugin has none."""
    return None if isinstance(player.launch, Plugin) else Path(os.path.realpath(player.launch.folder))


def _not_in_here(player: Player, custody: Custody) -> str:
    """What the file says of a bot that is no process, and that only a process can be held to."""
    said = {
        "sandbox": custody.sandbox != UNBOXED.sandbox,
        "bound of resources": bool(bounded(custody.resources)),
        **{key: bool(getattr(player, key)) for key in ("waits", "network", "pass_env", "read")},
        "env": bool(player.launch.env),
    }
    return next((key for key, given in said.items() if given), "")


def refuse_among_bots(option: str, file: Path, homes: Iterable[Path]) -> None:
    """Raise UserError for a file that is to be written where it would become a part of a bot, and change it."""
    there = Path(os.path.realpath(file))
    for home in homes:
        if there.is_relative_to(os.path.realpath(home)) and not is_left(there.name):
            raise UserError(
                f"{option}: {file} would lie in the folder of a bot ({home}) and become a part of it; give the bot a"
                f" folder of its own, write elsewhere, or end the file's name with .log"
            )


def homes_of(ledger: Ledger) -> tuple[Path, ...]:
    """Where the bots of a run lay when it was last gone on with."""
    found = map(_home, players_in(ledger))
    return tuple(home for home in found if home)


def players_in(ledger: Ledger) -> Sequence[Player]:
    """Each bot of a run once."""
    return [ledger.player(name) for name in dict.fromkeys(bot for each in ledger.entrants() for bot in each.bots)]


def kept(ledger: Ledger) -> str:
    """One line for under the standings."""
    custody = ledger.run.terms.custody
    players = players_in(ledger)
    return "; ".join([f"sandbox: {custody.sandbox}", *_privileges(players)])


def _privileges(players: Sequence[Player]) -> Iterator[str]:
    if reaching := [player.name for player in players if player.network]:
        yield f"network: {', '.join(reaching)}"
    if reading := [f"{player.name} ({', '.join(player.read)})" for player in players if player.read]:
        yield f"read: {', '.join(reading)}"
    if passed := [f"{player.name} ({', '.join(player.pass_env)})" for player in players if player.pass_env]:
        yield f"pass_env: {', '.join(passed)}"
