"""A tournament as the file that it comes to: every key, every default, as YAML that reads back as the same tournament.

Pure. It is what `--dry-run` prints, so that nobody has to guess what was understood.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Final, TypeAlias

from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.table.bounds import Resources
from spades_harness.table.match import Forfeit, Replace, Scalar, Substitute
from spades_harness.tournament.statistics.order import Decided
from spades_harness.tournament.statistics.sprt import Sprt
from spades_harness.tournament.statistics.stopping import Rule

from .entries import BotEntry, CommandLine, EntrantEntry, FromPlugin, Named, Submissions, Tournament

Plain: TypeAlias = Scalar | Sequence["Plain"] | Mapping[str, "Plain"]

MASK: Final = "***"

# Words that no reader takes for anything but text. All else is quoted: `{python}` and `[x]` would be more than text.
_BARE = re.compile(r"[A-Za-z_/][A-Za-z0-9_./-]*")
_NOT_BARE = frozenset({"yes", "no", "on", "off", "true", "false", "null", "y", "n"})


def effective(file: Tournament) -> str:
    """The text of the file, one key a line, a comment where there is nothing to write."""
    return "\n".join(_lines(file)) + "\n"


def without_secrets(file: Tournament) -> Tournament:
    """With every value of `env` masked: these may be anybody's secrets, and the text is kept and shown."""
    return replace(file, bots=tuple(_masked(entry) if isinstance(entry, BotEntry) else entry for entry in file.bots))


def _masked(entry: BotEntry) -> BotEntry:
    return replace(entry, env=tuple((name, MASK) for name, _ in entry.env))


def _lines(file: Tournament) -> Iterator[str]:
    yield f"name: {write(file.name)}"
    yield f"rules: {write(_with_none(file.rules))}"
    yield f"format: {write({'boards': file.format.hands} if isinstance(file.format, Boards) else 'game')}"
    yield "# no seed: 32 secret bytes are drawn and committed to" if file.seed is None else f"seed: {write(file.seed)}"
    yield "# no salt" if file.salt is None else f"salt: {write(file.salt)}"
    yield f"disguise: {write(file.disguise)}"
    yield f"schedule: {write({file.schedule.name: dict(file.schedule.options)})}"
    yield f"limits: {write(asdict(file.limits))}"
    yield f"faults: {write(_faults(file))}"
    yield f"sandbox: {write(file.custody.sandbox)}"
    yield f"resources: {write(_with_none(file.custody.resources))}"
    yield f"ponder: {write(file.custody.ponder)}"
    yield f"suspect: {write(file.custody.suspect)}"
    yield f"entrant_check: {file.entrant_check}"
    yield from _block("bots", [_bot(entry) for entry in file.bots])
    if file.entrants:
        yield from _block("entrants", [_entrant(entrant) for entrant in file.entrants])
    else:
        yield "# no entrants: every bot with itself"
    yield f"plugins: {write(file.plugins)}"
    yield f"fail_on: {write(file.fail_on)}"
    yield f"rank_by: {file.rank_by.value}"
    if file.anchor:
        yield f"anchor: {write({file.anchor.anchor.entrant: file.anchor.anchor.elo})}"
    if file.stop:
        yield f"stop: {write(_stop(file.stop.rule))}"


def _stop(rule: Rule) -> Plain:
    match rule:
        case Sprt():
            return {"sprt": asdict(rule)}
        case Decided(confidence):
            return {"decided": confidence}


def _block(key: str, items: Iterable[Plain]) -> Iterator[str]:
    yield f"{key}:"
    for item in items:
        yield f"  - {write(item)}"


def _with_none(options: Rules | Resources) -> Plain:
    """Every option, and none as `spades rules` and `--set` have it."""
    return {name: "none" if value is None else value for name, value in asdict(options).items()}


def _faults(file: Tournament) -> Plain:
    match file.faults:
        case Forfeit():
            return "forfeit"
        case Substitute(faults):
            return {"substitute": faults}
        case Replace():
            return "replace"


def _bot(entry: BotEntry | Submissions) -> Plain:
    if isinstance(entry, Submissions):
        return {"folder": entry.folder}
    return {
        "name": entry.name,
        **_source(entry),
        "params": dict(entry.params),
        "env": dict(entry.env),
        "in_process": entry.in_process,
        "waits": entry.waits,
        "network": entry.network,
        "pass_env": entry.pass_env,
        "read": entry.read,
    }


def _source(entry: BotEntry) -> Mapping[str, Plain]:
    match entry.source:
        case Named(bot):
            return {"bot": bot}
        case CommandLine(argv, folder):
            return {"command": argv, "dir": folder}
        case FromPlugin(plugin):
            return {"plugin": plugin}


def _entrant(entrant: EntrantEntry) -> Plain:
    return entrant.name if entrant.bots == (entrant.name,) else {"name": entrant.name, "pair": entrant.bots}


def write(value: Plain) -> str:
    """A value in YAML's flow style, on one line."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return value if _BARE.fullmatch(value) and value.lower() not in _NOT_BARE else _quoted(value)
        case Mapping():
            return "{" + ", ".join(f"{write(key)}: {write(inner)}" for key, inner in value.items()) + "}"
        case _:
            return "[" + ", ".join(write(inner) for inner in value) + "]"


def _quoted(text: str) -> str:
    """In double quotes; what can't be seen is escaped, in the way that YAML and JSON share below U+10000."""
    return "".join(
        letter if letter.isprintable() else _escaped(letter) for letter in json.dumps(text, ensure_ascii=False)
    )


def _escaped(letter: str) -> str:
    return f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}"
