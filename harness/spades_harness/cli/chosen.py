"""Rules that were named on a command line: a preset, and single options of it changed by `--set`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from spades_harness.errors import UserError

if TYPE_CHECKING:
    from spades_harness.game.options import Value
    from spades_harness.game.rules import Rules

Preset = Annotated[
    str, typer.Option("--rules", metavar="PRESET", help="The rules to play by; `spades rules` has them.")
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="OPTION=VALUE", help="Change one option of them, such as target=200; may be repeated."
    ),
]


def chosen_rules(preset: str, changes: Sequence[str], known: Mapping[str, Rules]) -> Rules:
    """The preset with these options changed, each `option=value`. Raises UserError."""
    from spades_harness.game.options import RulesError
    from spades_harness.game.rules import find_rules, make_rules

    try:
        find_rules(preset, known)
    except RulesError as error:
        raise UserError(f"--{error}") from None
    try:
        return make_rules(preset, known, **_read(changes))
    except RulesError as error:
        raise UserError(f"--set: {str(error).removeprefix('rules: ')}") from None


def _read(changes: Sequence[str]) -> dict[str, Value]:
    """The options that are changed, by name; raises UserError, and RulesError for what no option may be."""
    from spades_harness.game.options import RulesError
    from spades_harness.game.rules import OPTIONS
    from spades_harness.suggestion import nearest

    found: dict[str, Value] = {}
    for change in changes:
        name, sign, text = (part.strip() for part in change.partition("="))
        if not sign:
            raise UserError(f"--set: {change!r} changes nothing; write option=value, such as target=200")
        if name not in OPTIONS:
            raise RulesError(f"rules: no option {name!r}{nearest(name, list(OPTIONS))}")
        if name in found:
            raise UserError(f"--set: {name} is changed twice; change it once")
        found[name] = OPTIONS[name].read(text)
    return found
