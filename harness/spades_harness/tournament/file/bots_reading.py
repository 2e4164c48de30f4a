"""`bots` and `entrants` of the tournament file: who is to play, as it is written. What of it exists, `bots` finds."""

from __future__ import annotations

import json
import shlex

from .entries import BotEntry, CommandLine, EntrantEntry, FromPlugin, Named, Submissions
from .reading import MAX_ARGUMENTS, MAX_BOTS, At, Reading, each, flag, literal, name, pairs, scalar, text, word
from .yaml_nodes import Items


def read_bots(at: At) -> tuple[BotEntry | Submissions, ...]:
    """A list of bots, or `{folder: …}` alone."""
    if at.child("folder"):
        return (_submissions(at),)
    found = each(_bot, MAX_BOTS)(at)
    if not found:
        raise at.error("names no bot")
    return found


def _submissions(at: At) -> Submissions:
    with Reading(at) as keys:
        return Submissions(keys.need("folder", text, "."), at.place)


def _bot(at: At) -> BotEntry | Submissions:
    if at.child("folder"):
        return _submissions(at)
    if (short := word(at)) is not None:
        raise at.error(f"must be a mapping, as in {{name: {short or 'mine'}, bot: {short or 'mine.py'}}}")
    with Reading(at) as keys:
        entry = BotEntry(
            name=keys.need("name", name, ""),
            source=_source(keys),
            params=keys.get("params", pairs(scalar, MAX_ARGUMENTS), ()),
            env=keys.get("env", _env, ()),
            in_process=keys.get("in_process", flag, default=False),
            waits=keys.get("waits", flag, default=False),
            network=keys.get("network", flag, default=False),
            pass_env=keys.get("pass_env", _variables, ()),
            read=keys.get("read", each(text, MAX_ARGUMENTS), ()),
            place=at.place,
        )
        if both := sorted({name for name, _ in entry.env} & {*entry.pass_env}):
            keys.note(f"{both[0]} stands in env and in pass_env; take it out of one of them")
        if entry.in_process and isinstance(entry.source, CommandLine):
            keys.note("in_process is for bots of plugins; a command is a process of its own")
    return entry


def _source(keys: Reading) -> Named | CommandLine | FromPlugin:
    """What the bot is: exactly one of three keys says it."""
    argv: tuple[str, ...] = keys.get("command", command, ())
    bot = keys.get("bot", text, "")
    plugin = keys.get("plugin", text, "")
    folder = keys.get("dir", text, "")
    given = [key for key in ("bot", "command", "plugin") if keys.at.child(key)]
    if len(given) != 1:
        keys.note(f"needs one of bot, command and plugin, not {' and '.join(given) or 'none of them'}")
    if folder and "command" not in given:
        keys.note("dir belongs to command; elsewhere the bot's folder is known")
    if "command" in given:
        return CommandLine(argv, folder or ".")
    return FromPlugin(plugin) if "plugin" in given else Named(bot)


def command(at: At) -> tuple[str, ...]:
    """A command as a list, each item passed on exactly as it is. Raises FileError, with the list that a text means."""
    if isinstance(at.node, Items):
        found = each(literal, MAX_ARGUMENTS)(at)
        if found and found[0]:
            return found
        raise at.error("needs a program as its first item")
    raise at.error(f"must be a list, one item an argument (no shell reads it){_as_list(word(at))}")


def _as_list(written: str | None) -> str:
    try:
        items = shlex.split(written or "")
    except ValueError:
        return ""
    return f": {json.dumps(items, ensure_ascii=False)}" if items else ""


def _env(at: At) -> tuple[tuple[str, str], ...]:
    found = pairs(text, MAX_ARGUMENTS)(at)
    for key, _ in found:
        _check_variable(at, key)
    return found


def _variables(at: At) -> tuple[str, ...]:
    found = each(_variable, MAX_ARGUMENTS)(at)
    if twice := [name for name in found if found.count(name) > 1]:
        raise at.error(f"{twice[0]} stands there twice; once is enough")
    return found


def _variable(at: At) -> str:
    found = text(at)
    _check_variable(at, found)
    return found


def _check_variable(at: At, key: str) -> None:
    if not key or set("=\0") & set(key):
        raise at.error(f"{key!r} can't name an environment variable")


def read_entrants(at: At) -> tuple[EntrantEntry, ...]:
    """A list of those who are ranked."""
    found = each(_entrant, MAX_BOTS)(at)
    if not found:
        raise at.error("names nobody; leave it out for every bot with itself")
    return found


def _entrant(at: At) -> EntrantEntry:
    """A bot's name, or `{name: …, pair: [bot, bot]}`."""
    if word(at) is not None:
        found = name(at)
        return EntrantEntry(found, (found,), at.place)
    with Reading(at) as keys:
        return EntrantEntry(keys.need("name", name, ""), keys.need("pair", _pair, ()), at.place)


def _pair(at: At) -> tuple[str, ...]:
    found = each(name, MAX_BOTS)(at)
    if len(found) != 2:
        raise at.error(f"must name two bots, not {len(found)}")
    return found
