"""What a run is founded on: all that its ledger holds beside matches, and the head that stands for the whole of it.

Works on connections that `ledger` opens, and inside its transactions; of a match it knows the digest alone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Final

from spades_harness import __version__
from spades_harness.game.rules import Rules
from spades_harness.game.score import Format
from spades_harness.table.bounds import Custody, Limits
from spades_harness.table.match import SPADES_GAME, CardGame, Command, FaultPolicy
from spades_harness.tournament.anchor import Anchor
from spades_harness.tournament.file.build import is_built
from spades_harness.tournament.identity import (
    ENTRANTS,
    Settings,
    Terms,
    Tree,
    canonical,
    differences,
    settings,
    terms_from,
    terms_tree,
)
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.schedule import Entrant, Options, OptionValue
from spades_harness.tournament.schedules.growing import without
from spades_harness.tournament.sealed import Sealed, Shown, shown
from spades_harness.tournament.statistics.stopping import Rule, as_settings
from spades_harness.tournament.times import now

from . import chain, ledger_file, sealing
from .acts import Act
from .amending import Amendment
from .chain import Link, Tables
from .ledger_file import LedgerError, insert
from .ledger_rows import clean
from .membership import Membership
from .recall import place_of
from .session import Session
from .setting_paths import rows_of, understood

FOUNDED: Final[Mapping[str, str]] = {
    "run": "id, name, text, terms, seed, harness, created, finished",
    "secret": sealing.COLUMNS,
    "setting": "path, value",
    "entrant": "number, name, dropped",
    "player": "entrant, number, bot, content, place",
    "plan": "ordinal, identity, round, stream, leg, secret, batch",
    "place": "ordinal, place, entrant",
    "session": "number, started, harness, python, system, machine, processors",
    "amendment": "number, act, ordinal, attempt, entrant, lifts, reason, who, made, planned",
}
"""The columns that the chain of digests begins with: all but those of matches."""
STOP: Final = "stop."
"""What the settings of a stop rule begin with; a run without one has none of them."""
STANDINGS: Final = "standings."
"""What those paths begin with that stand beside the settings, and tell how the standings are made. Nothing that is
played depends on them, and they may change from one call to the next."""
RANK_BY: Final = STANDINGS + "rank_by"
"""What ranks, unless Elo does."""
ANCHOR: Final = STANDINGS + "anchor"
"""Who has which Elo by definition, as a list of two, if anybody has."""
NOBODY: Final[Mapping[str, str]] = MappingProxyType({})
"""Nobody is dropped."""
_SHOWN: Final = 8
"""Differences shown of two runs: enough to see what is the matter, few enough to read."""


@dataclass(frozen=True, slots=True)
class Setup:
    """A tournament as a run is founded on it: the file's effective text, and what the text means."""

    name: str
    text: str
    rules: Rules
    format: Format
    limits: Limits
    faults: FaultPolicy
    seed: int | str | None
    """Public; None: 32 secret bytes, drawn when the run is founded."""
    schedule: str
    entrants: tuple[Entrant, ...]
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """The schedule's."""
    game: CardGame = SPADES_GAME
    custody: Custody = field(default_factory=Custody)
    disguise: bool = False
    stop: Rule | None = None
    rank_by: RankBy = RankBy.ELO
    """No part of the settings: it may change from one call to the next, and so may the anchor."""
    anchor: Anchor | None = None

    @property
    def terms(self) -> Mapping[str, Tree]:
        """What all its matches have in common, in the words of a tournament file."""
        known = self.rules, self.format, self.limits, self.faults, self.custody, self.game
        return terms_tree(*known, disguise=self.disguise)

    @property
    def settings(self) -> Settings:
        """What its results depend on."""
        options = Options(self.options, self.format, self.rules)
        found = settings(self.terms, self.seed, self.schedule, options, self.entrants)
        rule = {path: canonical(value) for path, value in as_settings(self.stop).items()} if self.stop else {}
        return {**found, **{tuple((STOP + path).split(".")): value for path, value in rule.items()}}

    @property
    def standings(self) -> Mapping[str, str]:
        """How its standings are made, as far as that is said, as the ledger has it: a path, and the value as JSON."""
        rank_by = {} if self.rank_by == RankBy.ELO else {RANK_BY: canonical(self.rank_by.value)}
        return rank_by | ({ANCHOR: canonical([self.anchor.entrant, self.anchor.elo])} if self.anchor else {})

    @property
    def folders(self) -> Mapping[str, str]:
        """Where the files of its bots lie, in words, by name; a bot that was built no longer knows."""
        bots = [(bot.name, bot.launch) for entrant in self.entrants for bot in entrant.players]
        commands = [(name, launch.folder) for name, launch in bots if isinstance(launch, Command)]
        return {name: "its folder" if is_built(Path(folder)) else folder for name, folder in commands}


@dataclass(frozen=True, slots=True)
class Run:
    """What a ledger says of its run as a whole."""

    name: str
    text: str
    terms: Terms
    seed: int | str | None
    harness: str
    """The version that founded it."""
    created: str
    finished: str | None
    head: str | None = None
    """The end of the chain of digests, when all is played; see `chain`."""

    @property
    def last_secret(self) -> Sealed:
        """The secret of all that is planned from now on."""
        return self.terms.secrets[-1]

    @property
    def commitment(self) -> str:
        """The hash of that secret, shown before anything is played with it."""
        return self.last_secret.commitment

    @property
    def shown(self) -> tuple[Shown, ...]:
        """What anybody may know of its secrets."""
        return shown(self.terms.secrets, public=self.seed is not None)

    @property
    def revealed(self) -> bool:
        """Whether that secret may be known: it comes from a public seed, or it was shown, at the end or before."""
        return self.seed is not None or self.last_secret.revealed is not None


def read_run(path: Path, db: sqlite3.Connection) -> Run:
    ((name, text, terms, seed, harness, created, finished, head),) = db.execute(
        "SELECT name, text, terms, seed, harness, created, finished, head FROM run"
    )
    secrets = sealing.secrets_in(db)
    try:
        known = terms_from(json.loads(terms), secrets)
    except (TypeError, ValueError, LookupError) as error:
        raise LedgerError(
            f"{path}: version {harness} founded this run on terms unknown to version {__version__}: {error}"
        ) from error
    return Run(name, text, known, None if seed is None else json.loads(seed), harness, created, finished, head)


# ------------------------------------------------------------------------------------------------- found, or go on with


def found(db: sqlite3.Connection, setup: Setup, dropped: Mapping[str, str] = NOBODY) -> None:
    """The tables, and all that is known before the first match; `dropped` are those whose bots don't come up, and why.

    Inside the caller's transaction, so that a run is there whole or not at all.
    """
    ledger_file.create_tables(db)
    seed = None if setup.seed is None else json.dumps(setup.seed)
    columns = ("id", "name", "text", "terms", "seed", "harness", "created")
    insert(db, "run", columns, [(1, setup.name, setup.text, canonical(setup.terms), seed, __version__, now())])
    sealing.draw(db, setup.seed)
    insert(db, "setting", ("path", "value"), rows_of(setup.settings))
    _insert_entrants(db, setup.entrants, 1, dropped)


def _insert_entrants(
    db: sqlite3.Connection, entrants: Sequence[Entrant], first: int, dropped: Mapping[str, str]
) -> None:
    rows = [(n, each.name, clean(dropped.get(each.name, ""))) for n, each in enumerate(entrants, first)]
    insert(db, "entrant", ("number", "name", "dropped"), rows)
    players = [(e.name, n, p.name, p.content, place_of(p)) for e in entrants for n, p in enumerate(e.players)]
    insert(db, "player", ("entrant", "number", "bot", "content", "place"), players)


def go_on(
    path: Path, db: sqlite3.Connection, setup: Setup, members: Membership, dropped: Mapping[str, str] = NOBODY
) -> None:
    """Let the new of these members join the run; raises LedgerError where the others make it another.

    Of those that were dropped nothing was planned: they may be gone, too, or join with a bot that has changed.
    """
    _check_same(path, members.stored or {}, replace(setup, entrants=members.stay))
    if members.new:
        _forget(db, members.anew)
        _join(db, setup, members.new, dropped)


def settings_in(db: sqlite3.Connection) -> Settings:
    """What the results of the run depend on."""
    bots = [bot for (bot,) in db.execute("SELECT DISTINCT bot FROM player")]
    return understood(db.execute("SELECT path, value FROM setting WHERE path NOT LIKE ?", (f"{STANDINGS}%",)), bots)


def _settle(db: sqlite3.Connection, settings: Settings) -> None:
    """Let these be the settings from now on."""
    db.execute("DELETE FROM setting WHERE path NOT LIKE ?", (f"{STANDINGS}%",))
    insert(db, "setting", ("path", "value"), rows_of(settings))


def _forget(db: sqlite3.Connection, entrants: Collection[str]) -> None:
    """Leave none of these entrants: they were dropped, and come anew."""
    if entrants:
        _settle(db, without(settings_in(db), entrants))
        names = [(name,) for name in entrants]
        db.executemany("DELETE FROM player WHERE entrant = ?", names)
        db.executemany("DELETE FROM entrant WHERE name = ?", names)


def _join(db: sqlite3.Connection, setup: Setup, joined: Sequence[Entrant], dropped: Mapping[str, str]) -> None:
    """Add these entrants after all others. What is planned with them comes from a secret nobody knows."""
    ((last,),) = db.execute("SELECT coalesce(max(number), 0) FROM entrant")
    stored, given = settings_in(db), setup.settings
    added = replace(setup, entrants=tuple(joined)).settings[ENTRANTS]
    bots = {path: value for path, value in given.items() if path[0] == "bots"}
    _settle(db, {**bots, **stored, ENTRANTS: canonical(json.loads(stored[ENTRANTS]) + json.loads(added))})
    _insert_entrants(db, joined, last + 1, dropped)
    db.execute("UPDATE run SET text = ?", (setup.text,))
    if setup.seed is None and sealing.secrets_in(db)[-1].revealed is not None:
        sealing.draw(db)
    reopen(db)


def _reusable(path: Path, setup: Setup, lines: Iterable[str]) -> str:
    """How to play no more than what changed, where that is bots or entrants alone, and others get the same cards."""
    changed = setup.seed is not None and all(line.startswith(("bots.", "entrants")) for line in lines)
    return f"\nto play only what changed: --out FOLDER --reuse {path.parent}" if changed else ""


def _check_same(path: Path, stored: Settings, setup: Setup) -> None:
    lines = list(differences(stored, setup.settings, setup.folders))
    if lines:
        shown = "".join(f"\n  {line}" for line in islice(lines, _SHOWN))
        more = f"\n  and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
        raise LedgerError(
            f"{path.parent} holds another run; choose another folder with --out. It differs:{shown}{more}"
            f"{_reusable(path, setup, lines)}"
        )


# ------------------------------------------------------------------------------------------------------- amendments


def amendments(db: sqlite3.Connection) -> tuple[Amendment, ...]:
    """All of them, in order; raises LedgerError for an act that there isn't."""
    rows = db.execute(f"SELECT {FOUNDED['amendment']} FROM amendment ORDER BY number")
    try:
        return tuple(Amendment(number, Act(act), *rest) for number, act, *rest in rows)
    except ValueError as error:
        raise LedgerError(f"this ledger has an amendment that this version doesn't know: {error}") from error


def add_amendments(db: sqlite3.Connection, made: Iterable[Amendment]) -> None:
    """Write these down."""
    rows = [(e.number, e.act.value, *e.subject, e.reason, e.by, e.made, e.planned) for e in made]
    insert(db, "amendment", FOUNDED["amendment"].split(", "), rows)


# ----------------------------------------------------------------------------------------------------------- the chain


def foundation(db: sqlite3.Connection) -> Tables:
    """The rows that the chain begins with, by table."""
    tables = {table: f"SELECT {columns} FROM {table} ORDER BY 1, 2" for table, columns in FOUNDED.items()}
    return {table: db.execute(query).fetchall() for table, query in tables.items()}


def open_chain(db: sqlite3.Connection, number: int, session: Session) -> None:
    """There is more in the run than its head stood for, and the session of this number has had a part in it."""
    row = (number, *session)
    db.execute(f"INSERT OR IGNORE INTO session VALUES ({', '.join('?' * len(row))})", row)
    reopen(db)


def reopen(db: sqlite3.Connection) -> None:
    """Note that not all is played."""
    db.execute("UPDATE run SET finished = NULL, head = NULL WHERE coalesce(finished, head) IS NOT NULL")


def seal_anew(db: sqlite3.Connection) -> None:
    """Make the head of a finished run, in which something was changed on the record."""
    db.execute("UPDATE run SET head = NULL")
    seal_chain(db)


def seal_chain(db: sqlite3.Connection) -> None:
    """Make the head of all that stands in the ledger; one that stands is never made anew."""
    db.execute("UPDATE run SET head = ? WHERE head IS NULL", (_head(db),))


def arrange(db: sqlite3.Connection, standings: Mapping[str, str]) -> None:
    """Note how the standings are made from now on. Where that is new, a head that stands is made anew."""
    theirs = (f"{STANDINGS}%",)
    if dict(db.execute("SELECT path, value FROM setting WHERE path LIKE ?", theirs)) == standings:
        return
    db.execute("DELETE FROM setting WHERE path LIKE ?", theirs)
    insert(db, "setting", ("path", "value"), list(standings.items()))
    db.execute("UPDATE run SET head = ? WHERE head IS NOT NULL", (_head(db),))


def _head(db: sqlite3.Connection) -> str:
    links = "SELECT p.ordinal, identity, m.attempt, m.digest FROM match m JOIN plan p USING (identity)"
    return chain.head(chain.foundation(foundation(db)), (Link(*row) for row in db.execute(links)))
