"""Who takes part: the bots of a tournament file as they are found, and the entrants that they make up.

A submission that can't be used is listed with its reason; whether the run starts without it is for the file to say.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeAlias

from spades_harness.errors import UserError
from spades_harness.table.belongings import MANIFEST, may_be_a_bots
from spades_harness.table.match import Player
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.schedule import Entrant, Options

from .bots import Bot, entered_bot, folder_bot
from .config import unknown_bots
from .entries import BotEntry, EntrantEntry, Submissions, Tournament
from .reading import At, name, twin_key
from .yaml_nodes import FileError, Mark, Place, Problem, Word

_LOOSE: Final = f"lies beside the folders; put it into one of its own with a {MANIFEST}, or elsewhere if it is no bot"
Seat: TypeAlias = Callable[[Bot], Player]
"""`bots.player`, or for a plan only `bots.unbuilt_player`."""
Taken: TypeAlias = dict[str, tuple[str, str]]
"""The names that are taken, by what twins have in common: each as it is written, and whose it is."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A submission that can't take part, and why: a folder, or a file that should be in one."""

    folder: Path
    why: str

    @property
    def name(self) -> str:
        """What entrants call it."""
        return self.folder.name.removesuffix(".py")

    def __str__(self) -> str:
        return f"{self.folder}: {self.why}" if str(self.folder) not in self.why else self.why


@dataclass(frozen=True, slots=True)
class Roster:
    """Who takes part, in the order of the file, and which submissions and which of its entrants don't."""

    entrants: tuple[Entrant, ...]
    unusable: tuple[Unusable, ...] = ()
    absent: frozenset[str] = frozenset()

    def of(self, entrants: Iterable[Entrant]) -> Roster:
        """That of these alone; all others are absent."""
        found = tuple(entrants)
        known = self.absent.union(each.name for each in self.entrants)
        return replace(self, entrants=found, absent=known.difference(each.name for each in found))


def gather(file: Tournament, registry: Registry, seat: Seat) -> Roster:
    """Everybody who takes part. Raises UserError with all that is wrong."""
    found: list[Player] = []
    unusable: list[Unusable] = []
    problems: list[Problem] = []
    taken = _taken(entry for entry in file.bots if isinstance(entry, BotEntry))
    for entry in file.bots:
        try:
            if isinstance(entry, Submissions):
                found += _submitted(file.base / entry.folder, entry.place, seat, taken, unusable)
            else:
                found.append(_seated(entry, file.base, registry, seat))
        except FileError as error:
            problems += error.problems
    if problems:
        raise FileError(*problems)
    _refuse_unless_dropped(file, unusable)
    entrants = _entrants(file, found, unusable)
    names = {each.name for each in (file.entrants or unusable)}
    return Roster(entrants, tuple(unusable), frozenset(names.difference(each.name for each in entrants)))


def options(file: Tournament, absent: Collection[str] = frozenset()) -> Options:
    """What the file says to its schedule, where these of its entrants don't take part."""
    return Options(dict(file.schedule.options), file.format, file.rules, frozenset(absent))


# ----------------------------------------------------------------------------------------------------------------- bots


def _seated(entry: BotEntry, base: Path, registry: Registry, seat: Seat) -> Player:
    bot = entered_bot(entry, base, registry)
    try:
        return _with_leave(seat(bot), entry, base)
    except UserError as error:
        raise entry.place.error(str(error)) from None


def _with_leave(player: Player, entry: BotEntry, base: Path) -> Player:
    """With what the file lets this bot do, and others not."""
    read = tuple(str((base / path).resolve()) for path in entry.read)
    return replace(player, waits=entry.waits, network=entry.network, pass_env=entry.pass_env, read=read)


def _submitted(folder: Path, place: Place, seat: Seat, taken: Taken, unusable: list[Unusable]) -> list[Player]:
    """The bots of a folder of submissions, in the order of their names; those that can't be used are noted."""
    found: list[Player] = []
    inside = _entries(folder, place)
    for own in _folders(inside, folder, place):
        try:
            bot = replace(folder_bot(own), name=_free_name_of(own, taken))
            found.append(seat(bot))
            taken[twin_key(bot.name)] = (bot.name, f"the folder {own}")
        except UserError as error:
            unusable.append(Unusable(own, str(error)))
    unusable += [Unusable(path, _LOOSE) for path in inside if path.suffix == ".py" and not path.is_dir()]
    return found


def _entries(folder: Path, place: Place) -> Sequence[Path]:
    """What lies in a folder; what is hidden is no submission, be it a repository's or an editor's."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        why = error.strerror or error
        raise place.error(f"the folder {folder} cannot be read: {why}; correct its path") from None


def _folders(inside: Sequence[Path], folder: Path, place: Place) -> Sequence[Path]:
    found = [path for path in inside if path.is_dir() and may_be_a_bots(path)]
    if not found:
        raise place.error(f"there is no folder in {folder}; each submission needs one of its own")
    return found


def _name_of(folder: Path) -> str:
    """A folder's name as a bot's name, by the same rules as in the file."""
    return name(At(str(folder), "the folder's name", Word(folder.name, quoted=True, mark=Mark(1, 1))))


def _taken(entries: Iterable[BotEntry]) -> Taken:
    """The names that the file itself gives; it was read, so no two of them are twins."""
    return {twin_key(own.name): (own.name, f"{own.place.path} in line {own.place.line}") for own in entries}


def _free_name_of(folder: Path, taken: Taken) -> str:
    """The name of a submission. Raises UserError if people or file systems would take another bot's for it."""
    own = _name_of(folder)
    if (key := twin_key(own)) not in taken:
        return own
    other, whose = taken[key]
    how = "is also that" if own == other else f"differs only in case or Unicode form from {other!r}, that"
    raise UserError(f"its name {own!r} {how} of {whose}; rename one of them")


def _refuse_unless_dropped(file: Tournament, unusable: Sequence[Unusable]) -> None:
    if unusable and file.entrant_check != "drop":
        listed = "\n".join(map(str, unusable))
        raise UserError(f"{listed}\nto start without what can't be used, say so in the file: entrant_check: drop")


# ------------------------------------------------------------------------------------------------------------- entrants


def _entrants(file: Tournament, players: Sequence[Player], unusable: Sequence[Unusable]) -> tuple[Entrant, ...]:
    """The entrants of the file, or every bot with itself; those of a submission that was dropped are dropped too."""
    by_name = {player.name: player for player in players}
    dropped = {left.name for left in unusable}
    entries = file.entrants or [EntrantEntry(player.name, (player.name,)) for player in players]
    entries = [entry for entry in entries if not dropped & set(entry.bots) - set(by_name)]
    if problems := list(unknown_bots(entries, [*by_name])):
        raise FileError(*problems)
    if len(entries) < 2:
        left_out = "".join(f"{left}\n" for left in unusable)
        raise UserError(f"{left_out}{file.name}: fewer than two entrants are left, and a tournament needs two")
    return tuple(_entrant(entry, by_name, len(file.rules.shape.sides[0].seats)) for entry in entries)


def _entrant(entry: EntrantEntry, players: Mapping[str, Player], seats: int) -> Entrant:
    """An entrant with a player on each seat of a side: the same bot on all of them, or one each of a pair."""
    bots = entry.bots * seats if len(entry.bots) == 1 else entry.bots
    if len(bots) != seats:
        count = "one seat" if seats == 1 else f"{seats} seats"
        raise entry.place.error(f"names {len(bots)} bots, but a side has {count} under these rules")
    return Entrant(entry.name, tuple(players[bot] for bot in bots))
