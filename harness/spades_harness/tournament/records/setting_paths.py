"""How the key of a setting is written in a ledger, and read: names joined by dots, or else as JSON. Pure.

A name may have dots of its own, and then `bots.a.params.name` could be anybody's: such a key is a list in JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from spades_harness.tournament.identity import Key, Settings


def written(key: Key) -> str:
    """The text of a key: that of any run in which no name has a dot is as it always was."""
    return json.dumps(key) if any("." in name for name in key) else ".".join(key)


def rows_of(settings: Settings) -> list[tuple[str, str]]:
    """Settings as the rows of a table."""
    return [(written(key), value) for key, value in settings.items()]


def understood(rows: Iterable[tuple[str, str]], bots: Iterable[str]) -> Settings:
    """The settings of such rows, in a run of these bots.

    Earlier versions joined all names by dots. Where they did, the names of bots tell where theirs end.
    """
    stored = dict(rows)
    listed = {text: _listed(text) for text in stored if text.startswith("[")}
    known = {key[1] for key in listed.values() if key[0] == "bots" and len(key) > 1}
    longest = sorted({*bots} - known, key=len, reverse=True)
    return {listed.get(text) or _joined(text, longest): value for text, value in stored.items()}


def _joined(text: str, bots: Iterable[str]) -> Key:
    """A key whose names were joined by dots; one of these bots may have some in its own name."""
    for bot in bots:
        if text.startswith(own := f"bots.{bot}."):
            return ("bots", bot, *text.removeprefix(own).split(".", 1))
    # An option of a schedule may be a mapping: what follows its name is a key of that, with its dots.
    return tuple(text.split(".", 3 if text.startswith("schedule.") else -1))


def _listed(text: str) -> Key:
    """What is no list of names is no key of ours: it is left as it is, and differs from each."""
    try:
        found = json.loads(text)
    except ValueError:
        return (text,)
    names = isinstance(found, list) and found and all(isinstance(name, str) for name in found)
    return tuple(found) if names else (text,)
