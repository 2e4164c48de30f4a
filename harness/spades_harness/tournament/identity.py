"""What makes a match this match: a canonical description of all that its result depends on, and its hash. Pure.

Resuming, replaying and comparing go by this identity and never by a count. What has no bearing on a result (the folder
that a bot lies in, the number of lanes, the tournament's name) stays out of it, so that a run may be moved.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache, partial
from shlex import quote
from types import MappingProxyType
from typing import Any, Final, TypeAlias, assert_never

from spades_harness.errors import UserError
from spades_harness.game.hand import Hand
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.table.bounds import UNBOXED, Custody, Limits, Overrun, Resources
from spades_harness.table.match import (
    SPADES_GAME,
    CardGame,
    Command,
    FaultPolicy,
    Forfeit,
    MatchSpec,
    Player,
    Plugin,
    Replace,
    Scalar,
    Substitute,
)

from .outcome import Leg
from .schedule import Entrant, Options
from .sealed import Sealed
from .seated import by_seat

_MATCH: Final = "spades-harness/match/2"
"""The version of the description: a change of its form or of a default of the rules needs a new number here."""
_HIDDEN: Final = "spades-harness/hidden/1"
Tree: TypeAlias = Any
"""Whatever JSON can hold."""
Key: TypeAlias = tuple[str, ...]
"""A path of names, which may have dots of their own: they are joined by dots only where they are shown."""
Settings: TypeAlias = Mapping[Key, str]
"""What a run's results depend on, flat: the path of each, and the value as JSON."""
ENTRANTS: Final = ("entrants",)
"""The key of who takes part: a list of one mapping each, from a name to those of its bots."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What all matches of a run have in common."""

    rules: Rules
    format: Format
    limits: Limits
    faults: FaultPolicy
    secrets: tuple[Sealed, ...]
    """Of deals and bots' dice: one, and one more for each time that something was added after the last was shown."""
    custody: Custody = field(default_factory=Custody)
    game: CardGame = SPADES_GAME
    disguise: bool = False
    """Whether each leg after the first of a meeting has its cards in other suits."""

    def disguised(self, leg: int) -> int:
        """How the deals of this leg are disguised, 0 for not at all."""
        return leg if self.disguise else 0


# ------------------------------------------------------------------------------------------------------------- a match


def make_spec(terms: Terms, entrants: Mapping[str, Entrant], leg: Leg, attempt: int = 1, secret: int = 0) -> MatchSpec:
    """A leg as a worker can play it; `entrants` by name, all that take part; `secret` is the number of its own."""
    return MatchSpec(
        identity=match_identity(terms, [entrants[name] for name in leg.entrants], leg, secret),
        attempt=attempt,
        rules=terms.rules,
        format=terms.format,
        secret=terms.secrets[secret].source,
        stream=leg.stream,
        leg=leg.leg,
        players=by_seat(terms.rules.shape, leg, {name: entrants[name].players for name in leg.entrants}),
        limits=terms.limits,
        faults=terms.faults,
        disguise=terms.disguised(leg.leg),
        custody=terms.custody,
        game=terms.game,
    )


def match_identity(terms: Terms, entrants: Sequence[Entrant], leg: Leg, secret: int = 0) -> str:
    """SHA-256 of the match's canonical description, 64 hex digits; `entrants` by place."""
    sealed = terms.secrets[secret]
    tree = {
        "version": _MATCH,
        "commitment": sealed.commitment,
        **({"salt": sealed.salt} if sealed.salt else {}),
        "entrants": [_entrant_tree(entrant) for entrant in entrants],
        "stream": leg.stream,
        "leg": leg.leg,
        **_kept(tree_of(terms)),
    }
    return hashlib.sha256(canonical(tree).encode()).hexdigest()


def _kept(tree: dict[str, Tree]) -> dict[str, Tree]:
    """The terms without what is at its default, save what was told from the first: an option that is new leaves every
    match that it plays no part in as it was, with the dice of its bots.

    The preset's name is one of the options. Two presets of equal options are one game, but each bot is told the name
    and may go by it; whatever a result may depend on belongs here.
    """
    plain = _plain()
    limits = {name: tree["limits"][name] for name in ("start", "move", "bank")}
    told = {"format": tree["format"], "faults": tree["faults"], "rules": _changed(tree["rules"], plain["rules"])}
    return {**_changed(tree, plain), **told, "limits": {**limits, **_changed(tree["limits"], plain["limits"])}}


def _changed(tree: Mapping[str, Tree], plain: Mapping[str, Tree]) -> dict[str, Tree]:
    return {name: value for name, value in tree.items() if value != plain.get(name)}


@cache
def _plain() -> dict[str, Tree]:
    """Terms in which everything is at its default."""
    return terms_tree(Rules(), Game(), Limits(), Forfeit())


def canonical(tree: Tree) -> str:
    """One text for one tree: JSON in ASCII without spaces, keys in order, floats in their shortest form."""
    return json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def tree_of(terms: Terms) -> dict[str, Tree]:
    """The `terms_tree` of these terms."""
    known = terms.rules, terms.format, terms.limits, terms.faults, terms.custody, terms.game
    return terms_tree(*known, disguise=terms.disguise)


def terms_tree(
    rules: Rules,
    played: Format,
    limits: Limits,
    faults: FaultPolicy,
    custody: Custody = UNBOXED,
    game: CardGame = SPADES_GAME,
    *,
    disguise: bool = False,
) -> dict[str, Tree]:
    """Rules, format, bounds and fault policy in the words of a tournament file, nothing left to a default."""
    return {
        "rules": asdict(rules),
        "format": _format_tree(played),
        "limits": _in_floats(asdict(limits)),
        "faults": _faults_tree(faults),
        **asdict(custody),
        "disguise": disguise,
        **({} if game.name == SPADES_GAME.name else {"game": game.name}),
    }


def _in_floats(limits: dict[str, Tree]) -> dict[str, Tree]:
    """Seconds as floats, however they were written."""
    return {name: value if isinstance(value, dict) else float(value) for name, value in limits.items()}


def _format_tree(game: Format) -> Tree:
    match game:
        case Game():
            return "game"
        case Boards(hands):
            return {"boards": hands}
        case _:
            assert_never(game)


def _faults_tree(faults: FaultPolicy) -> Tree:
    match faults:
        case Forfeit():
            return "forfeit"
        case Substitute(count):
            return {"substitute": count}
        case Replace():
            return "replace"
        case _:
            assert_never(faults)


def terms_from(tree: Mapping[str, Tree], secrets: tuple[Sealed, ...]) -> Terms:
    """The inverse of `terms_tree`; raises ValueError, TypeError or LookupError for what this version doesn't know."""
    return Terms(
        rules=Rules(**tree["rules"]),
        format=_format_from(tree["format"]),
        limits=_limits_from(tree["limits"]),
        faults=_faults_from(tree["faults"]),
        custody=_custody_from(tree),
        secrets=secrets,
        game=_game_from(tree.get("game", SPADES_GAME.name)),
        disguise=tree.get("disguise", False),
    )


def _game_from(name: str) -> CardGame:
    """The game of this name; one that is not Spades is known by its results alone to who didn't bring it along."""
    return SPADES_GAME if name == SPADES_GAME.name else CardGame(name, partial(_unknown, name))


def _unknown(name: str, *_deal: object, **_how: object) -> Hand:
    raise UserError(f"this run is of the game {name!r}, whose cards cannot be dealt here: only its own program can")


def _limits_from(tree: Mapping[str, Tree]) -> Limits:
    return Limits(**{**tree, "overrun": Overrun(**tree.get("overrun", {}))})


def _custody_from(tree: Mapping[str, Tree]) -> Custody:
    """What a run from before there were sandboxes doesn't say is at its default."""
    plain = Custody()
    return Custody(
        sandbox=tree.get("sandbox", plain.sandbox),
        resources=Resources(**tree.get("resources", {})),
        ponder=tree.get("ponder", plain.ponder),
        suspect=tree.get("suspect", plain.suspect),
    )


def _format_from(tree: Tree) -> Format:
    match tree:
        case "game":
            return Game()
        case {"boards": int(hands), **rest} if not rest:
            return Boards(hands)
        case _:
            raise ValueError(f"format: {_short(canonical(tree))}")


def _faults_from(tree: Tree) -> FaultPolicy:
    match tree:
        case "forfeit":
            return Forfeit()
        case "replace":
            return Replace()
        case {"substitute": int(count), **rest} if not rest:
            return Substitute(count)
        case _:
            raise ValueError(f"faults: {_short(canonical(tree))}")


def _entrant_tree(entrant: Entrant) -> Tree:
    return [entrant.name, [player_tree(player) for player in entrant.players]]


def player_tree(player: Player) -> dict[str, Tree]:
    """A bot by what it is, not by where it lies."""
    who = {"name": player.name, "content": player.content, "params": dict(player.params)}
    leave = {name: getattr(player, name) for name in _LEAVE if getattr(player, name)}
    return {**who, **leave, **_launch_tree(player.launch)}


_LEAVE: Final = ("waits", "network", "pass_env", "read")
"""What a bot may do that others may not; left out where it may not."""


def _launch_tree(launch: Command | Plugin) -> dict[str, Tree]:
    match launch:
        case Command():
            return {"command": list(launch.argv), "env": dict(launch.env)}
        case Plugin():
            return {"plugin": launch.name, "in_process": launch.in_process, "env": dict(launch.env)}


# --------------------------------------------------------------------------------------------------------------- a run


def settings(
    terms: Mapping[str, Tree], seed: int | str | None, schedule: str, options: Options, entrants: Sequence[Entrant]
) -> Settings:
    """What a run's results depend on, for telling two runs apart; `terms` as from `terms_tree`.

    Values of `env` may be anybody's secrets: they are told apart by a hash and not shown.
    """
    tree = {
        **terms,
        "seed": seed,
        "schedule": {schedule: dict(options.values)},
        "entrants": [{entrant.name: [player.name for player in entrant.players]} for entrant in entrants],
        "bots": _bots_tree(player for entrant in entrants for player in entrant.players),
    }
    return {path: canonical(value) for path, value in flat(tree)}


def _bots_tree(players: Iterable[Player]) -> dict[str, Tree]:
    trees = {player.name: player_tree(player) for player in players}
    return {name: {**tree, "env": _hide(tree["env"])} for name, tree in trees.items()}


def _hide(env: Mapping[str, Scalar]) -> dict[str, str]:
    return {name: hashlib.sha256(f"{_HIDDEN}\0{value}".encode()).hexdigest()[:16] for name, value in env.items()}


def flat(tree: Tree, path: Key = ()) -> Iterator[tuple[Key, Tree]]:
    """Paths and values of a tree's leaves; a list is a leaf, and so is an empty mapping."""
    if not isinstance(tree, Mapping) or not tree:
        yield path, tree
        return
    for name, value in tree.items():
        yield from flat(value, (*path, name))


def differences(stored: Settings, given: Settings, folders: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """Lines that say what differs: the path, what the ledger has, what the file has.

    An option that one of them doesn't know yet is at its default there. Bots, of which there is most to say, come last.
    `folders`, by name of a bot: where its files lie, in words.
    """
    plain = {path: canonical(value) for path, value in flat(_plain())}
    places = {("bots", name, "content"): folder for name, folder in folders.items()}
    gone = _gone(stored, given)
    yield from (f"{name} is gone: bring it back, or `spades amend RUN withdraw {quote(name)}`" for name in gone)
    for path in sorted({*stored, *given}, key=lambda path: (path[0] == "bots", path)):
        old, new = (each.get(path, plain.get(path)) for each in (stored, given))
        if old is not None and path in places and old != new:
            yield f"{shown(path)}: {_other_files(places[path])}"
        elif old != new:
            yield _difference(path, old, new)


def _gone(stored: Settings, given: Settings) -> list[str]:
    """The entrants that only one of them has."""
    left = {name for each in json.loads(given.get(ENTRANTS, "[]")) for name in each}
    return [name for each in json.loads(stored.get(ENTRANTS, "[]")) for name in each if name not in left]


def _other_files(folder: str) -> str:
    """That a bot's files changed, and what to do if nobody meant to change the bot."""
    cure = "if other programs write there (logs, results), give the bot a folder of its own"
    return f"the files in {folder} are not those that the run was founded on; {cure}"


def shown(path: Key) -> str:
    """A path for people to read."""
    return ".".join(path)


def _difference(path: Key, old: str | None, new: str | None) -> str:
    if path[0] == "bots" and "env" in path[2:3]:
        return f"{shown(path)} differs"
    return f"{shown(path)}: {_short(old)} there, {_short(new)} here"


def _short(value: str | None) -> str:
    """A value in one line: 60 characters tell two values apart, and hashes need no more than 12 of theirs."""
    if value is None:
        return "nothing"
    return value if len(value) <= 60 else value[:57] + "..."
