"""`spades rules`: the presets with what each is, or every option of one of them with its value and its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from .chosen import Set
from .console import command, say

if TYPE_CHECKING:
    from spades_harness.game.options import Option
    from spades_harness.game.rules import Rules

BASE: Final = "the base rules: two partnerships, to 500 points"
LEGEND: Final = "* differs from classic    - has no other say beside the option in brackets"


@command
def rules(
    preset: Annotated[str | None, typer.Argument(help="A preset, to see every option of it.")] = None,
    changes: Set = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
    plugin: Annotated[list[Path] | None, typer.Option(help="A plugin file to load; may be repeated.")] = None,
) -> None:
    """List the presets of the rules with what each is; with PRESET every option of it, its value and what that means.

    What differs from the preset classic is marked with *. A tournament file and --set take each option by its name;
    here --set shows what becomes of the preset (classic where none is named).
    """
    from json import dumps

    from spades_harness.errors import UserError
    from spades_harness.game.options import RulesError
    from spades_harness.game.rules import find_rules

    from .chosen import chosen_rules
    from .opening import registered

    known = registered(plugin or [], kinds=("rules",)).rules
    if preset is None and not changes:
        listed = [{"preset": name, "what": what_it_is(each)} for name, each in in_order(known).items()]
        say(dumps(listed, indent=2) if json else _list(listed))
        return
    try:
        base = find_rules(preset or "classic", known)
    except RulesError as error:
        raise UserError(str(error)) from None
    chosen = chosen_rules(preset or "classic", changes, known) if changes else base
    say(dumps(as_tree(chosen), indent=2) if json else "\n".join(as_lines(chosen, changes or ())))


def in_order(known: Mapping[str, Rules]) -> dict[str, Rules]:
    """Those that ship in their own order, then those of plugins by name."""
    from spades_harness.game.rules import PRESETS

    return {name: known[name] for name in (*PRESETS, *sorted(known)) if name in known}


def _list(listed: Sequence[Mapping[str, str]]) -> str:
    width = max(len(each["preset"]) for each in listed)
    return "\n".join(f"{each['preset']:<{width}}  {each['what']}" for each in listed)


def differing(rules: Rules) -> list[Option]:
    """The options that aren't as in `classic`."""
    from spades_harness.game.rules import OPTIONS

    return [option for option in OPTIONS.values() if getattr(rules, option.name) != option.default]


def what_it_is(rules: Rules) -> str:
    """A preset in one line: what its options mean where they differ from `classic`."""
    from spades_harness.game.options import write_value

    changed = [(option, getattr(rules, option.name)) for option in differing(rules)]
    said = (f"{option.meaning(value)} ({option.name} {write_value(value)})" for option, value in changed)
    return "; ".join(said) or BASE


def as_tree(rules: Rules) -> dict[str, Any]:
    """Every option, for JSON."""
    from spades_harness.game.rules import OPTIONS

    options = [
        {
            "option": option.name,
            "rule": option.rule,
            "value": (value := getattr(rules, option.name)),
            "meaning": option.meaning(value),
            "classic": option.default,
        }
        for option in OPTIONS.values()
    ]
    differ = [option.name for option in differing(rules)]
    return {"preset": rules.preset, "what": what_it_is(rules), "differs": differ, "options": options}


def as_lines(rules: Rules, changes: Sequence[str] = ()) -> Iterator[str]:
    """Every option, for people: mark, name, value, rule and meaning; `changes` made these rules of their preset."""
    from spades_harness.game.options import write_value
    from spades_harness.game.rules import OPTIONS

    values = {name: write_value(getattr(rules, name)) for name in OPTIONS}
    wide, long = max(map(len, OPTIONS)), max(map(len, values.values()))
    differ = differing(rules)
    named = f"{rules.preset} with {', '.join(changes)}" if changes else rules.preset
    yield f"{named}: {what_it_is(rules)}"
    yield ""
    for name, option in OPTIONS.items():
        fixed = "" if option in differ else fixed_by(rules, option)
        mark = "*" if option in differ else "-" if fixed else " "
        meaning = option.meaning(getattr(rules, name)) + (f" ({fixed})" if fixed else "")
        yield f"{mark} {name:<{wide}}  {values[name]:<{long}}  {option.rule:<3}  {meaning}"
    yield ""
    yield LEGEND
    listed = ", ".join(f"{option.name} {values[option.name]} (not {write_value(option.default)})" for option in differ)
    yield f"differs from classic in: {listed}" if differ else "nothing differs from classic"


def fixed_by(rules: Rules, option: Option) -> str:
    """Which other option leaves this one nothing to say: any value that would mean something contradicts it.

    With the reason, where that is this one's; empty where it could be changed.
    """
    own = getattr(rules, option.name)
    reasons = [_refused(rules, option.name, value) for value in _samples(option) if value != own]
    return reasons[0] if all(reasons) else ""


def _samples(option: Option) -> tuple[Any, ...]:
    """All values, or both ends of a range, since two options contradict each other by all of it; not switched off."""
    from spades_harness.game.options import Choice, Switch, Whole

    match option.values:
        case Whole(low, high, off=off, none=none):
            return (low + 1 if off and not none else low, high)
        case Choice(says):
            return tuple(says)
        case Switch():
            return (True, False)


def _refused(rules: Rules, name: str, value: Any) -> str:
    """Beside which option these rules can't have this value; empty where they can."""
    from dataclasses import replace

    from spades_harness.game.options import Contradiction, write_value
    from spades_harness.game.rules import CLASHES

    try:
        replace(rules, **{name: value})
    except Contradiction as refused:
        why = next(clash.why for clash in CLASHES if (clash.first, clash.second) == refused.options)
        other = next(each for each in refused.options if each != name)
        cause = f"{other} {write_value(getattr(rules, other))}"
        return f"{cause}: {why}" if name == refused.options[1] else cause
    return ""
