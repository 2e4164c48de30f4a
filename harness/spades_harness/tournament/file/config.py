"""The tournament file: every key, what it may be, and what it is when it is absent.

Only what stands in the file is looked at here: whether a bot exists is the question of `bots`, which presets,
schedules and plugins exist is told by the caller. May read tournament files, and nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from spades_harness.bundled import bundled
from spades_harness.errors import UserError
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.modules import not_a_file
from spades_harness.suggestion import nearest
from spades_harness.table.bounds import Limits
from spades_harness.table.match import FaultPolicy, Forfeit, Replace, Substitute
from spades_harness.tournament.anchor import MUST_BE, Anchor, may_be
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.schedules.placing import shares_sides

from .bots_reading import read_bots, read_entrants
from .custody_reading import read_custody, read_limits
from .entries import AnchorEntry, BotEntry, EntrantEntry, ScheduleChoice, Tournament
from .reading import (
    MAX_ARGUMENTS,
    At,
    Reading,
    document,
    each,
    flag,
    is_device,
    name,
    one_of,
    only_pair,
    scalar,
    text,
    twin_key,
    whole,
    word,
)
from .rules_reading import read_rules
from .schedule_reading import read_schedule
from .seeds import salt, seed
from .stop_reading import read_stop
from .yaml_nodes import Fields, Place, Problem

MAX_BYTES: Final = 8 * 2**20
"""Bytes of a file: ten thousand bots need one megabyte, and a file of eight is read in seconds."""
MAX_SUBSTITUTES: Final = 1_000_000
"""More than the decisions of a seat in the longest match, so that one may say: never forfeit."""
GAME: Final[Format] = Game()
FORFEIT: Final[FaultPolicy] = Forfeit()
ENTRANT_CHECKS: Final = ("play", "drop", "refuse")
FAIL_ON: Final = ("faults",)
SEED_AND_SALT: Final = "a public seed and a salt let anybody compute the deals beforehand"
_UNFIT_FOR_A_FOLDER: Final = frozenset('/\\:*?"<>|')


# ------------------------------------------------------------------------------------------------------------ the file


def find_file(named: str) -> Path:
    """The file that was named on the command line, or the tournament of this name that ships. Raises UserError."""
    path = Path(named)
    shipped = {file.stem: file for file in bundled("tournaments").glob("*.yaml")}
    if path.is_file():
        return path
    if named in shipped:
        return shipped[named]
    if path.is_dir():
        raise UserError(f"{named}: a folder, not a tournament file")
    raise UserError(f"{named}: no such file, nor a tournament that ships{nearest(named, list(shipped))}")


def open_file(path: Path) -> At:
    """The root of a tournament file. Raises UserError: FileError for what isn't YAML."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror or error}") from None
    if len(content) > MAX_BYTES:
        raise UserError(f"{path}: more than {MAX_BYTES // 2**20} MiB; a tournament file isn't so long")
    return document(content, str(path))


def plugin_files(root: At, base: Path) -> tuple[Path, ...]:
    """What `plugins:` names, absolute: it has to be loaded before the rest can be understood. Raises FileError."""

    def read(at: At) -> Path:
        path = (base / text(at)).resolve()
        if (why := not_a_file(path)) is not None:
            raise at.error(f"{path} is {why}" if path.is_dir() else f"{why}: {path}")
        return path

    at = root.child("plugins")
    return each(read, MAX_ARGUMENTS)(at) if at else ()


def read_tournament(root: At, path: Path, registry: Registry) -> Tournament:
    """The whole file, with everything that is absent filled in. Raises FileError with all that is wrong."""
    plain = ScheduleChoice("round_robin", place=root.place)
    with Reading(root) as keys:
        schedule = keys.get("schedule", partial(read_schedule, registry=registry), plain)
        sharing = shares_sides(registry.schedules.get(schedule.name))
        tournament = Tournament(
            name=keys.get("name", _folder_name, path.stem),
            rules=keys.get("rules", partial(read_rules, registry=registry), Rules()),
            format=keys.get("format", _format, GAME),
            seed=keys.get("seed", seed, None),
            salt=keys.get("salt", salt, None),
            disguise=keys.get("disguise", flag, default=False),
            schedule=schedule,
            limits=keys.get("limits", read_limits, Limits()),
            faults=keys.get("faults", _faults, Replace() if sharing else FORFEIT),
            custody=read_custody(keys, registry),
            entrant_check=keys.get("entrant_check", one_of(*ENTRANT_CHECKS), "refuse"),
            bots=keys.need("bots", read_bots, ()),
            entrants=keys.get("entrants", read_entrants, ()),
            plugins=keys.get("plugins", _plugins, ()),
            fail_on=keys.get("fail_on", each(one_of(*FAIL_ON), len(FAIL_ON)), ()),
            stop=keys.get("stop", read_stop, None),
            rank_by=keys.get("rank_by", _rank_by, RankBy.ELO),
            anchor=keys.get("anchor", _anchor, None),
            base=path.resolve().parent,
        )
        keys.note_all(_clashes(tournament))
        keys.note_all(_not_alike(root, tournament))
        keys.note_all(_salted_seed(root, tournament))
        keys.note_all(_not_replaced(root, tournament, sharing=sharing))
    return tournament


def _folder_name(at: At) -> str:
    """The tournament's name: its runs lie in a folder of that name, on any system."""
    found = name(at)
    if _UNFIT_FOR_A_FOLDER & set(found) or found.startswith(".") or found.endswith("."):
        raise at.error(f"{at.shown} can't name a folder: leave out / \\ : * ? \" < > | and dots at the ends")
    if is_device(found):
        raise at.error(f"{at.shown} can't name a folder: Windows keeps it for a device; choose another")
    return found


def _rank_by(at: At) -> RankBy:
    return RankBy(one_of(*(each.value for each in RankBy))(at))


def _anchor(at: At) -> AnchorEntry:
    pair = only_pair(at)
    number = scalar(pair[1]) if pair else None
    if pair is None or isinstance(number, bool) or not isinstance(number, int | float) or not may_be(number):
        raise at.must_be(f"{MUST_BE}, as in {{random: 1000}}")
    return AnchorEntry(Anchor(pair[0], float(number)), at.place)


def _plugins(at: At) -> tuple[str, ...]:
    return each(text, MAX_ARGUMENTS)(at)


# --------------------------------------------------------------------------------------------------------- how to play


def _format(at: At) -> Format:
    if word(at) == "game":
        return Game()
    if not isinstance(at.node, Fields):
        raise at.must_be("game, or a number of boards, as in {boards: 16}")
    with Reading(at) as keys:
        return keys.need("boards", _boards, Boards(4))


def _boards(at: At) -> Boards:
    try:
        return Boards(whole(4, 1_000)(at))
    except ValueError as error:
        raise at.error(str(error)) from None


def _faults(at: At) -> FaultPolicy:
    if word(at) is not None:
        return Replace() if one_of("forfeit", "replace")(at) == "replace" else Forfeit()
    with Reading(at) as keys:
        return Substitute(keys.need("substitute", whole(1, MAX_SUBSTITUTES), 1))


# --------------------------------------------------------------------------------------------- what doesn't go together


def _clashes(file: Tournament) -> Iterator[Problem]:
    """Names that would be taken for one, entrants that are made of bots that aren't there, too few to play."""
    bots = [entry for entry in file.bots if isinstance(entry, BotEntry)]
    named = [(entry.name, entry.place) for entry in bots if entry.name]
    entrants = [(entrant.name, entrant.place) for entrant in file.entrants if entrant.name]
    pairings = [(entrant.name, entrant.place) for entrant in file.entrants if entrant.bots != (entrant.name,)]
    yield from twins(named + [pairing for pairing in pairings if pairing[0]])
    yield from twins(entrants)
    if bots and len(bots) == len(file.bots):  # else only the folder says which bots there are
        yield from unknown_bots(file.entrants, [entry.name for entry in bots])
        yield from _too_few(file)


def twins(named: Iterable[tuple[str, Place]]) -> Iterator[Problem]:
    """Those names that are the same as an earlier one, or would be taken for it by people or by file systems."""
    seen: dict[str, tuple[str, Place]] = {}
    for own, place in named:
        other, first = seen.setdefault(twin_key(own), (own, place))
        if first != place:
            how = "is also" if own == other else f"differs only in case or Unicode form from {other!r},"
            yield place.problem(f"{own!r} {how} the name of {first.path} in line {first.line}")


def unknown_bots(entrants: Iterable[EntrantEntry], bots: Collection[str]) -> Iterator[Problem]:
    """The entrants that name a bot which isn't among these."""
    for entrant in entrants:
        for bot in entrant.bots:
            if bot not in bots:
                yield entrant.place.problem(f"no bot {bot!r} in this file{nearest(bot, list(bots))}")


def _not_alike(root: At, file: Tournament) -> Iterator[Problem]:
    """A disguise where no plain suit can stand for another."""
    at = root.child("disguise")
    if at and file.disguise and not file.rules.cards.has_like_suits:
        yield at.place.problem(f"in the deck {file.rules.deck} no plain suit can stand for another; leave it out")


def _salted_seed(root: At, file: Tournament) -> Iterator[Problem]:
    """A salt where the secret is no secret."""
    at = root.child("salt")
    if at and file.salt is not None and file.seed is not None:
        yield at.place.problem(f"{SEED_AND_SALT}; leave one out")


def _not_replaced(root: At, file: Tournament, *, sharing: bool) -> Iterator[Problem]:
    """A fault that would cost a partner its match."""
    at = root.child("faults")
    if at and sharing and not isinstance(file.faults, Replace):
        why = f"in a {file.schedule.name} partners change, and none may pay for another's fault"
        yield at.place.problem(f"must be replace: {why}; leave it out")


def _too_few(file: Tournament) -> Iterator[Problem]:
    if len(file.entrants or file.bots) == 1:
        place = file.entrants[0].place if file.entrants else file.bots[0].place
        yield place.problem("the only entrant; a tournament needs two")
