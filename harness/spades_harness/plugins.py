"""Plugins: found, loaded one by one, asked for what they register. The only module that knows the plugin manager.

What comes out is a Registry of plain mappings; nothing calls a hook after that. A plugin that is broken is named with
its package and its error, is set aside as a whole, and hides no other.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from pluggy import PluginManager, PluginValidationError

from spades_harness import hookspecs
from spades_harness.bundled import shipped_bots
from spades_harness.errors import UserError
from spades_harness.game.rules import Rules
from spades_harness.modules import load_module, not_a_file
from spades_harness.suggestion import nearest
from spades_harness.tournament.guests import BrokenPlugin, guarded
from spades_harness.tournament.registry import BotFactory, PluginBot, Registry, Trouble

GROUP: Final = "spades_harness"
"""The name of the manager, of the marks, and of the entry-point group."""
KINDS: Final[Mapping[str, str]] = {
    "bots": "bot",
    "rules": "rules",
    "schedules": "schedule",
    "ratings": "rating",
    "launchers": "launcher",
    "executors": "executor",
}
"""What can be registered, and the word for one of it; each has its hook, `spades_register_` and its name."""
_NAME: Final = re.compile(r"[\w-]{1,60}")
"""Neither a dot nor a slash: those make a path of a word."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a plugin comes from: how people know it, and how it is loaded."""

    plugin: str
    load: Callable[[], Any]
    file: Path | None = None
    version: str = ""
    ships: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What one plugin registers, by kind and name."""

    source: Source
    things: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def load_registry(files: Iterable[str | Path] = (), kinds: Collection[str] = KINDS) -> Registry:
    """Everything that is registered, or these kinds of it: what ships, what is installed, and these plugin files.

    A name that two plugins claim belongs to neither, whatever their order; one that ships stays what it is. Raises
    UserError for a file that isn't there.
    """
    return _merge(*_offers([*_built_in_then_installed(), *_files(files)], kinds))


def load_bot(name: str, files: Iterable[str | Path] = ()) -> BotFactory:
    """One bot, with nothing loaded that it doesn't need: from these files, or if there are none from what is installed.

    Raises UserError when there is no such bot or its plugin is broken.
    """
    sources = _files(files) if files else _built_in_then_installed()
    troubles: list[Trouble] = []
    for source in sources:
        offers, broken = _offers([source], kinds=("bots",))
        troubles += broken
        for offer in offers:
            if name in offer.things["bots"]:
                factory: BotFactory = offer.things["bots"][name]
                return factory
    raise UserError("; ".join([f"no plugin registers the bot {name!r}", *map(str, troubles)]))


# ---------------------------------------------------------------------------------------------- where plugins come from


def _builtin() -> Source:
    return Source("spades_harness", partial(importlib.import_module, "spades_harness.builtin"), ships=True)


def _installed() -> Iterator[Source]:
    """The entry points of installed packages, in the order of their names."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - costs a bot's process as much as all the rest

    found = [(point.dist.name if point.dist else "?", point.name, point) for point in entry_points(group=GROUP)]
    for package, name, point in sorted(found, key=lambda entry: entry[:2]):
        version = point.dist.version if point.dist else ""
        label = f"{package} {version}".strip()
        yield Source(label if name == package else f"{label} ({name})", point.load, version=version)


def _built_in_then_installed() -> Iterator[Source]:
    """The installed ones are looked for only by those who go on."""
    yield _builtin()
    yield from _installed()


def _files(files: Iterable[str | Path]) -> list[Source]:
    """Plugin files, each once however often it is named."""
    paths = {Path(file).resolve(): str(file) for file in files}
    for path, named in paths.items():
        if (why := not_a_file(path)) is not None:
            raise UserError(f"plugin {named}: {why}")
    return [Source(named, partial(load_module, path), path) for path, named in sorted(paths.items())]


# ---------------------------------------------------------------------------------------------------- asking one plugin


def _offers(sources: Iterable[Source], kinds: Collection[str] = KINDS) -> tuple[list[Offer], list[Trouble]]:
    """What each plugin offers, and what is wrong with those that offer nothing."""
    offers, troubles = [], []
    for source in sources:
        try:
            offers.append(Offer(source, _ask(source, kinds)))
        except BrokenPlugin as error:
            if source.ships:
                raise  # no plugin of anybody's: a fault of the harness
            troubles.append(Trouble(source.plugin, str(error)))
    return offers, troubles


def _ask(source: Source, kinds: Collection[str]) -> dict[str, dict[str, Any]]:
    """Load a plugin and call its hooks; it has a manager to itself, so it can neither hide nor reorder another."""
    manager = PluginManager(GROUP)
    manager.add_hookspecs(hookspecs)
    with guarded("cannot be loaded"):
        plugin = source.load()
    _register(manager, plugin)
    return {kind: _call(manager, kind) for kind in kinds}


def _register(manager: PluginManager, plugin: Any) -> None:
    try:
        manager.register(plugin)
        manager.check_pending()
    except PluginValidationError as error:
        raise BrokenPlugin(_misfit(manager, plugin, error)) from None
    if not manager.get_hookcallers(plugin):
        raise BrokenPlugin("implements no hook; mark its hooks with @hookimpl (from spades_harness import hookimpl)")


def _misfit(manager: PluginManager, plugin: Any, error: PluginValidationError) -> str:
    """Which hook doesn't fit, and what would."""
    known = [f"spades_register_{kind}" for kind in KINDS]
    for caller in manager.get_hookcallers(plugin) or ():
        if not caller.has_spec():
            return f"there is no hook {caller.name}{nearest(caller.name, known)}"
    words = re.search(r"hook '(\w+)'|hook (\w+)", str(error))
    hook = next(filter(None, words.groups()), "?") if words else "?"
    return f"{hook} does not fit the hook, which takes no arguments"


def _call(manager: PluginManager, kind: str) -> dict[str, Any]:
    """What the plugin registers of one kind, checked."""
    hook = f"spades_register_{kind}"
    with guarded(f"{hook} fails"):
        answers = getattr(manager.hook, hook)()
    things: dict[str, Any] = {}
    for answer in answers:
        if not isinstance(answer, Mapping):
            raise BrokenPlugin(f"{hook} must return a mapping of names, not {type(answer).__name__}")
        things |= {_checked_name(hook, name): _checked(hook, kind, name, thing) for name, thing in answer.items()}
    return things


def _checked_name(hook: str, name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise BrokenPlugin(f"{hook}: the name {name!r} must be letters, digits, _ and -, at most 60 of them")
    return name


def _checked(hook: str, kind: str, name: str, thing: Any) -> Any:
    if kind == "rules":
        if not isinstance(thing, Rules):
            raise BrokenPlugin(f"{hook}: {name} must be Rules, not {type(thing).__name__}")
        return replace(thing, preset=name)
    if kind == "launchers":
        return _checked_launcher(hook, name, thing)
    if not callable(thing):
        raise BrokenPlugin(f"{hook}: {name} must be a class or a function, not {type(thing).__name__}")
    if kind == "bots" and isinstance(thing, type):
        lacking = [method for method in ("bid", "play") if not hasattr(thing, method)]
        lacking = sorted({*lacking, *getattr(thing, "__abstractmethods__", ())})
        if lacking:
            raise BrokenPlugin(f"{hook}: the bot {name} has no method {' and no '.join(lacking)}")
    return thing


def _checked_launcher(hook: str, name: str, thing: Any) -> Any:
    from spades_harness.table.launchers import Launcher  # noqa: PLC0415 - a load of its own that few need

    wanted = (method for method in vars(Launcher) if not method.startswith("_"))
    if lacking := [method for method in wanted if not callable(getattr(thing, method, None))]:
        raise BrokenPlugin(f"{hook}: the launcher {name} has no method {' and no '.join(lacking)}")
    return thing


# ------------------------------------------------------------------------------------------------- all plugins together


def _merge(offers: Sequence[Offer], troubles: Sequence[Trouble]) -> Registry:
    """One mapping a kind, sorted by name."""
    clashes: list[Trouble] = []
    bots = _settle(offers, "bots", shipped_bots(), clashes)
    return Registry(
        bots={name: _plugin_bot(name, offer) for name, offer in bots.items()},
        rules=_things(_settle(offers, "rules", (), clashes), "rules"),
        schedules=_things(_settle(offers, "schedules", (), clashes), "schedules"),
        ratings=_things(_settle(offers, "ratings", (), clashes), "ratings"),
        launchers=_things(_settle(offers, "launchers", (), clashes), "launchers"),
        executors=_things(_settle(offers, "executors", (), clashes), "executors"),
        problems=(*troubles, *clashes),
    )


def _settle(
    offers: Sequence[Offer], kind: str, shipped: Collection[str], clashes: list[Trouble]
) -> Mapping[str, Offer]:
    """Whose each name is; what several claim is nobody's, and is noted, unless it ships."""
    claims: dict[str, list[Offer]] = {}
    for offer in offers:
        for name in offer.things.get(kind, ()):
            claims.setdefault(name, []).append(offer)
    settled: dict[str, Offer] = {}
    for name, (first, *others) in sorted(claims.items()):
        if first.source.ships or not (others or name in shipped):
            settled[name] = first
        rivals = others if name in settled else [first, *others]
        clashes += [_clash(kind, name, rival, claims[name], shipped) for rival in rivals]
    return settled


def _clash(kind: str, name: str, rival: Offer, claims: Sequence[Offer], shipped: Collection[str]) -> Trouble:
    what = f"registers the {KINDS[kind]} {name!r}"
    if name in shipped or claims[0].source.ships:
        return Trouble(rival.source.plugin, f"{what}, which is the name of one that ships; choose another")
    others = " and ".join(claim.source.plugin for claim in claims if claim is not rival)
    return Trouble(rival.source.plugin, f"{what}, and so does {others}; none of them is used", frozenset({name}))


def _things(settled: Mapping[str, Offer], kind: str) -> dict[str, Any]:
    return {name: offer.things[kind][name] for name, offer in settled.items()}


def _plugin_bot(name: str, offer: Offer) -> PluginBot:
    source, factory = offer.source, offer.things["bots"][name]
    return PluginBot(name, factory, source.plugin, source.file, _code_of(factory, source), source.version)


def _code_of(factory: BotFactory, source: Source) -> tuple[Path, ...]:
    """The files that hold the bot: its module, or all modules of its package; a plugin file where that says nothing."""
    module = sys.modules.get(getattr(factory, "__module__", None) or type(factory).__module__)
    file = getattr(module, "__file__", None)
    if module is None or file is None or not file.endswith(".py"):
        return (source.file,) if source.file else ()
    package = sys.modules.get(module.__name__.partition(".")[0]) if module.__package__ else None
    folders = [Path(folder) for folder in getattr(package, "__path__", ())]
    return tuple(sorted(path for folder in folders for path in folder.rglob("*.py"))) or (Path(file),)
