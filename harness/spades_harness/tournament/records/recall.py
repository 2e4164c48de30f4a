"""A bot out of a ledger, so that it can be started again: what it was, and where its files lay; a schedule. Pure.

A run's settings say all but two things of a bot: where it lies, which has no bearing on a result and is kept beside
them, and the values of its environment, which may be anybody's secrets and are kept nowhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from spades_harness.table.match import Command, Player, Plugin, Scalar
from spades_harness.tournament.identity import Key, Settings
from spades_harness.tournament.schedule import OptionValue


def scheduled(settings: Settings) -> tuple[str, Mapping[str, OptionValue]]:
    """The name of the schedule, and its options; raises LookupError where the settings have none."""
    (name,) = {path[1] for path in settings if path[0] == "schedule"}
    under = _under(("schedule", name), settings)
    plain: dict[str, OptionValue] = {path[0]: _option(value) for path, value in under.items() if len(path) == 1}
    inner = dict.fromkeys(path[0] for path in under if len(path) > 1)
    return name, {**plain, **{option: dict(_inner(option, under)) for option in inner}}


def _option(value: object) -> OptionValue:
    if isinstance(value, list):
        return tuple(each for each in value if each is None or isinstance(each, str | int | float | bool))
    return value if isinstance(value, str | int | float | bool) else None if value is None else {}


def place_of(player: Player) -> str:
    """Where a bot lies, as the ledger keeps it: its folder, or the plugin files that it comes from, as JSON."""
    match player.launch:
        case Command(folder=folder):
            return json.dumps([folder])
        case Plugin(sources=sources):
            return json.dumps(sources)


def recalled(name: str, settings: Settings, content: str, place: str) -> Player:
    """The bot of this name; its folder is empty in a run that didn't keep it, the values of its `env` always are."""
    paths: list[str] = json.loads(place)
    own = _under(("bots", name), settings)
    return Player(
        name=name,
        launch=_launch(own, paths),
        params=tuple(sorted(_inner("params", own))),
        content=content,
        waits=bool(own.get(("waits",), False)),
        network=bool(own.get(("network",), False)),
        pass_env=tuple(_words(own.get(("pass_env",)))),
        read=tuple(_words(own.get(("read",)))),
    )


def _launch(own: Mapping[Key, object], paths: list[str]) -> Command | Plugin:
    env = tuple((variable, "") for variable, _ in _inner("env", own))
    if ("plugin",) in own:
        return Plugin(str(own["plugin",]), tuple(paths), bool(own.get(("in_process",), False)), env)
    return Command(tuple(_words(own.get(("command",)))), "".join(paths[:1]), env)


def _under(first: Key, settings: Settings) -> Mapping[Key, object]:
    """The values whose paths begin so, by the rest of their paths."""
    begin = len(first)
    return {path[begin:]: json.loads(value) for path, value in settings.items() if path[:begin] == first}


def _inner(name: str, own: Mapping[Key, object]) -> Iterator[tuple[str, Scalar]]:
    """What stands under this name, by names of its own."""
    for path, value in own.items():
        if path[:1] == (name,) and len(path) == 2 and (value is None or isinstance(value, str | int | float | bool)):
            yield path[1], value


def _words(value: object) -> list[str]:
    return [str(word) for word in value] if isinstance(value, list) else []
