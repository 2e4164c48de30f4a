"""The key `rules` of a tournament file: a preset's name, or a preset with some options changed. No I/O.

Which options there are, what each may be and what does not go with what is the game's; here each of them gets its
line in the file.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from spades_harness.game.options import Choice, Contradiction, Option, RulesError, Switch, Value, Whole
from spades_harness.game.rules import OPTIONS, Rules, make_rules
from spades_harness.suggestion import nearest
from spades_harness.tournament.registry import Registry

from .reading import At, Reading, flag, text, whole, word
from .yaml_nodes import FileError, Word

NONE: Final = frozenset({"none", "null", "~"})
"""How an option that may be none is switched off; an empty value is more likely a slip."""


def read_rules(at: At, registry: Registry) -> Rules:
    """A preset's name, or a mapping of `preset` and options. Raises FileError."""
    if word(at) is not None:
        return _of_a_schedule(registry.rules[_preset(at, registry)], at)
    with Reading(at) as keys:
        preset = keys.get("preset", partial(_preset, registry=registry), "classic")
        read = {option.name: keys.get(option.name, partial(_value, option), option.default) for option in _all()}
    given = {name: value for name, value in read.items() if at.child(name)}
    try:
        return _of_a_schedule(make_rules(preset, registry.rules, **given), at)
    except Contradiction as error:
        raise _at_one_of(at, *error.options).error(_bare(error)) from None
    except RulesError as error:
        raise at.error(_bare(error)) from None


def _all() -> tuple[Option, ...]:
    return tuple(OPTIONS.values())


def _preset(at: At, registry: Registry) -> str:
    if at.is_nothing:
        raise at.error("names no preset; write one, such as classic (`spades rules` lists them), or leave the key out")
    found = text(at)
    if found not in registry.rules:
        raise at.error(f"no preset {found!r}{registry.missing(found, list(registry.rules))}")
    return found


def _value(option: Option, at: At) -> Value:
    """The value of one option, whatever the others are."""
    match option.values:
        case Whole(low, high, none=none):
            if none and isinstance(at.node, Word) and at.node.text in NONE:
                return None
            try:
                return whole(low, high)(at)
            except FileError:
                raise at.must_be(option.choices) from None
        case Switch():
            return flag(at)
        case Choice(says):
            return _choice(option, {str(value): value for value in says}, at)


def _choice(option: Option, known: dict[str, int | str], at: At) -> Value:
    """One of some words or numbers; `off` is a word here, and a number in quotes is none."""
    written = word(at) or ""
    value = known.get(written)
    if value is None or (isinstance(value, int) and isinstance(at.node, Word) and at.node.quoted):
        hint = nearest(written, list(known))
        raise at.error(f"must be {option.choices}, not {at.shown}{hint if 'did you mean' in hint else ''}")
    return value


def _of_a_schedule(rules: Rules, at: At) -> Rules:
    """V1: a schedule says who plays with whom."""
    if rules.partners == "fixed":
        return rules
    why = "partners are drawn only in a single match of four bots (spades match); a schedule says who plays with whom"
    raise _at_one_of(at, "partners").error(f"partners {rules.partners} is not for a tournament: {why}")


def _at_one_of(at: At, *names: str) -> At:
    """The value of that one of these options that stands last in the file; of none, the whole."""
    found = [child for child in map(at.child, names) if child]
    return max(found, key=lambda child: child.node.mark, default=at)


def _bare(error: RulesError) -> str:
    return str(error).removeprefix("rules: ")
