"""What a bot is: a registered name, a `.py` file, or a folder with `bot.yaml`. Written once, for files and commands.

Finding a bot looks at names and reads `bot.yaml`; making a player of it reads its whole folder, and builds it if it
has to be built. Nothing here starts a bot.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from spades_harness.bundled import shipped_bots
from spades_harness.errors import UserError
from spades_harness.table.belongings import MANIFEST
from spades_harness.table.match import Command, Player, Plugin, Scalar
from spades_harness.tournament.registry import PluginBot, Registry

from .bots_reading import command
from .build import Enclose, Tell, built, unenclosed
from .content import content_of_folder, content_of_plugin
from .entries import BotEntry, CommandLine, FromPlugin, Named, Steps
from .reading import MAX_ARGUMENTS, At, Reading, document, each, name, pairs, scalar, text, word
from .yaml_nodes import FileError, Items

MAX_MANIFEST: Final = 2**16
"""Bytes of `bot.yaml`: a command, a name and some parameters."""
MAX_STEPS: Final = 100
"""Commands of a build; more belong into a script or a makefile."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot that was found; its params are sorted by name."""

    name: str
    launch: Command | Plugin
    params: tuple[tuple[str, Scalar], ...] = ()
    build: Steps = ()
    version: str = ""
    authors: tuple[str, ...] = ()
    plugin: PluginBot | None = None
    """Who registered it, if a plugin did."""


# ----------------------------------------------------------------------------------------------------------- finding it


def find_bot(named: str, base: Path, registry: Registry) -> Bot:
    """The bot that somebody named; paths are relative to `base`. Raises UserError.

    A registered name comes first, unless there is a dot or a slash in the word: that makes it a path.
    """
    path = base / named
    if not set("./\\") & set(named):
        if named in registry.bots:
            return registered_bot(named, registry)
        if named in (shipped := shipped_bots()):
            return folder_bot(shipped[named])
        if not path.is_dir():
            raise UserError(f"no bot {named!r}{registry.missing(named, [*{*registry.bots, *shipped}])}")
    if path.is_dir():
        return folder_bot(path)
    if path.suffix == ".py" and path.is_file():
        return Bot(path.stem, Command(("{python}", path.name), str(path.parent.resolve())))
    if path.exists():
        raise UserError(f"{named}: not a bot; a .py file is one, and a folder whose {MANIFEST} says how to start it")
    raise UserError(f"{named}: no such bot; there is nothing at {path}")


def registered_bot(named: str, registry: Registry) -> Bot:
    """The bot that a plugin registers under this name. Raises UserError."""
    if named not in registry.bots:
        raise UserError(f"no plugin registers the bot {named!r}{registry.missing(named, [*registry.bots])}")
    found = registry.bots[named]
    launch = Plugin(named, (str(found.file),) if found.file else ())
    return Bot(named, launch, version=found.version, plugin=found)


def folder_bot(folder: Path) -> Bot:
    """The bot that is this folder. Raises UserError: FileError for what is wrong with its `bot.yaml`."""
    manifest = folder / MANIFEST
    if manifest.exists() and not manifest.is_file():
        raise UserError(f"{manifest}: not a file")
    try:
        with manifest.open("rb") as opened:
            content = opened.read(MAX_MANIFEST + 1)
    except FileNotFoundError:
        raise UserError(f"{folder}: no {MANIFEST} in it{_cure(folder)}") from None
    except OSError as error:
        raise UserError(f"{manifest}: {error.strerror or error}") from None
    if len(content) > MAX_MANIFEST:
        raise UserError(f"{manifest}: more than {MAX_MANIFEST // 2**10} KiB")
    return _read_manifest(document(content, str(manifest)), folder.resolve())


def _cure(folder: Path) -> str:
    files = sorted(file.name for file in folder.glob("*.py"))
    program = "bot.py" if "bot.py" in files or not files else files[0]
    return f'; write one that says how the bot is started: command: ["{{python}}", {program}]'


def _read_manifest(root: At, folder: Path) -> Bot:
    with Reading(root) as keys:
        return Bot(
            name=keys.get("name", name, folder.name),
            launch=Command(keys.need("command", command, ("",)), str(folder)),
            params=keys.get("params", pairs(scalar, MAX_ARGUMENTS), ()),
            build=keys.get("build", _steps, ()),
            version=keys.get("version", text, ""),
            authors=keys.get("authors", _authors, ()),
        )


def _steps(at: At) -> Steps:
    """One command, or a list of them."""
    if isinstance(at.node, Items) and any(isinstance(item, Items) for item in at.node.items):
        return each(command, MAX_STEPS)(at)
    return (command(at),)


def _authors(at: At) -> tuple[str, ...]:
    return (text(at),) if word(at) is not None else each(text, MAX_ARGUMENTS)(at)


# ------------------------------------------------------------------------------------------------- as the file wants it


def entered_bot(entry: BotEntry, base: Path, registry: Registry) -> Bot:
    """The bot of an entry, with the name, params and env that the entry gives it. Raises FileError."""
    try:
        bot = _source(entry, base, registry)
    except FileError:
        raise  # it says where in bot.yaml
    except UserError as error:
        raise entry.place.error(str(error)) from None
    params = tuple(sorted({**dict(bot.params), **dict(entry.params)}.items()))
    return replace(bot, name=entry.name, params=params, launch=_launch(bot.launch, entry))


def _source(entry: BotEntry, base: Path, registry: Registry) -> Bot:
    match entry.source:
        case Named(bot):
            return find_bot(bot, base, registry)
        case FromPlugin(plugin):
            return registered_bot(plugin, registry)
        case CommandLine(argv, folder):
            if not (base / folder).is_dir():
                raise UserError(f"dir: {folder} is no folder; there is none at {base / folder}")
            return Bot(entry.name, Command(argv, str((base / folder).resolve())))


def _launch(launch: Command | Plugin, entry: BotEntry) -> Command | Plugin:
    match launch:
        case Plugin():
            return replace(launch, env=entry.env, in_process=entry.in_process)
        case Command():
            if entry.in_process:
                raise entry.place.error("in_process is for bots of plugins; this one is started from a command")
            return replace(launch, env=entry.env)


# ------------------------------------------------------------------------------------------------------------- a player


def content(bot: Bot) -> str:
    """The hash of all that the bot consists of. Raises UserError for a folder that is no bot's, being too large."""
    match bot.launch:
        case Command(argv, folder):
            return content_of_folder(Path(folder), argv, bot.build)
        case Plugin(registered):
            plugin = bot.plugin
            return content_of_plugin(registered, plugin.sources if plugin else (), plugin.version if plugin else "")


def unbuilt_player(bot: Bot) -> Player:
    """The player that the bot will be: good for planning, and for playing when there is nothing to build."""
    return Player(bot.name, bot.launch, bot.params, content(bot))


def _untold(_: str) -> None:
    """Nobody waits for the build."""


def player(bot: Bot, tell: Tell = _untold, enclose: Enclose = unenclosed) -> Player:
    """The bot ready to be started, built - which is told - if its content has not been before. Raises UserError."""
    planned = unbuilt_player(bot)
    if not (bot.build and isinstance(bot.launch, Command)):
        return planned
    folder = built(bot.name, bot.launch, bot.build, planned.content, tell, enclose)
    return replace(planned, launch=replace(bot.launch, folder=str(folder)))
