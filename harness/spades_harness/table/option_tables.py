"""The tables of the rules' options in the docs, made from the options: `python -m spades_harness.table.option_tables`.

With `--check` it writes nothing, and exits with 1 when the pages are not what the options say. Whatever stands between
a marker and its end is made here; the rest of the pages is written by hand.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple, TypeAlias

from spades_harness.bundled import bundled
from spades_harness.game.options import Choice, Option, Switch, Value, Whole, write_value
from spades_harness.game.rules import CLASHES, OPTIONS, PRESETS, Clash, Rules

Row: TypeAlias = tuple[str, ...]
FEW: Final = 20
"""Whole numbers up to so many are tried one by one."""


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _table(head: Row, rows: Iterable[Row]) -> str:
    return "\n".join([_row(*head), "|" + "---|" * len(head), *(_row(*row) for row in rows)])


# --------------------------------------------------------------------------------------------------- what there may be


def options_table() -> str:
    """Every value of every option with its meaning; what `classic` has is set in bold."""
    rows = (row for option in OPTIONS.values() for row in _option_rows(option))
    return _table(("option", "rule", "values", "what they mean"), rows)


def _option_rows(option: Option) -> Iterator[Row]:
    named = (f"`{option.name}`", option.rule)
    for value, meaning in _values(option):
        yield (*named, value, meaning)
        named = ("", "")


def _values(option: Option) -> Iterator[tuple[str, str]]:
    match option.values:
        case Choice(says):
            yield from ((_bold(option, value), meaning) for value, meaning in says.items())
        case Switch(on, off):
            yield from ((_bold(option, value), meaning) for value, meaning in _default_first(option, on, off))
        case Whole():
            yield from _numbers(option, option.values)


def _default_first(option: Option, on: str, off: str) -> list[tuple[bool, str]]:
    return sorted([(True, on), (False, off)], key=lambda pair: pair[0] != option.default)


def _numbers(option: Option, values: Whole) -> Iterator[tuple[str, str]]:
    """The numbers, and what switches the option off, the default first."""
    switched_off: Value = None if values.none else 0
    low = values.low + (bool(values.off) and values.low == switched_off)
    default = "" if option.default == switched_off and values.off else f"**`{write_value(option.default)}`**; "
    rows = [(f"{default}*n* from {low} to {values.high}", values.says.format("*n*"))]
    if values.off:
        rows.append((_bold(option, switched_off), values.off))
    yield from rows if default else reversed(rows)


def _bold(option: Option, value: Value) -> str:
    written = f"`{write_value(value)}`"
    return f"**{written}**" if value == option.default else written


# ------------------------------------------------------------------------------------------------ what does not go well


def clashes_table() -> str:
    """Which values contradict which, and what third option changes that."""
    found = [(*_pair(clash), clash.why) for clash in CLASHES]
    merged = ((one, "; ".join(other for _, other, _ in group), why) for (one, why), group in _by_cause(found))
    return _table(("this", "does not go with", "because"), merged)


def _by_cause(rows: Sequence[tuple[str, str, str]]) -> Iterator[tuple[tuple[str, str], Iterator[tuple[str, str, str]]]]:
    return groupby(rows, key=lambda row: (row[0], row[2]))


def _pair(clash: Clash) -> tuple[str, str]:
    first, second = OPTIONS[clash.first], OPTIONS[clash.second]
    met = contradictions(clash)
    unless = f", unless {clash.unless}" if clash.unless else ""
    return _said(first, {one for one, _ in met}), _said(second, {two for _, two in met}) + unless


def contradictions(clash: Clash) -> set[tuple[Value, Value]]:
    """The pairs of values that contradict each other while all other options are as in `classic`."""
    pairs = product(some_values(OPTIONS[clash.first]), some_values(OPTIONS[clash.second]))
    return {(one, two) for one, two in pairs if clash.met(_unchecked({clash.first: one, clash.second: two}))}


def _unchecked(values: Mapping[str, Value]) -> Rules:
    """What looks like rules with these values, and was not asked whether they go together."""
    rules: Any = SimpleNamespace(**{option.name: option.default for option in OPTIONS.values()} | dict(values))
    found: Rules = rules
    return found


def some_values(option: Option) -> list[Value]:
    """All values of an option, or where there are many its ends and its default."""
    match option.values:
        case Choice(says):
            return list(says)
        case Switch():
            return [True, False]
        case Whole(low, high, none=none):
            ends = range(low, high + 1) if high - low < FEW else {low, high}
            return list(dict.fromkeys([*ends, option.default, *([None] if none else [])]))


def _said(option: Option, values: set[Value]) -> str:
    """Some of an option's values in words."""
    all_values = some_values(option)
    others = [value for value in all_values if value not in values]
    if not others:
        return f"`{option.name}` at all"
    if isinstance(option.values, Whole) and len(values) >= len(others):
        return f"`{option.name}` other than {_listed(others)}"
    return f"`{option.name}` {_listed([value for value in all_values if value in values])}"


def _listed(values: Sequence[Value]) -> str:
    return " or ".join(f"`{write_value(value)}`" for value in values)


# ------------------------------------------------------------------------------------------------ presets, and JSON


def presets_table() -> str:
    """The presets, and what each changes of `classic`."""
    return _table(
        ("preset", "what differs from `classic`"), ((f"`{name}`", _differs(PRESETS[name])) for name in PRESETS)
    )


def _differs(rules: Rules) -> str:
    changed = [option for option in OPTIONS.values() if getattr(rules, option.name) != option.default]
    said = (f"`{option.name}: {write_value(getattr(rules, option.name))}`" for option in changed)
    return ", ".join(said) or "nothing: these are the base rules"


def keys_table() -> str:
    """The keys of `rules` in the start of a match, as JSON has them."""
    return _table(("key", "rule", "value"), ((f"`{o.name}`", o.rule, _json(o)) for o in OPTIONS.values()))


def _json(option: Option) -> str:
    match option.values:
        case Choice(says):
            return " or ".join(f"`{value}`" if isinstance(value, int) else f'`"{value}"`' for value in says)
        case Switch():
            return "`true` or `false`"
        case Whole(low, high, none=none):
            return f"a whole number from {low} to {high}" + (", or `null`" if none else "")


# ---------------------------------------------------------------------------------------------------------- the pages


class Block(NamedTuple):
    """A part of a page that is made here."""

    page: str
    name: str
    make: Callable[[], str]


BLOCKS: Final = (
    Block("RULES.md", "presets", presets_table),
    Block("RULES.md", "options", options_table),
    Block("RULES.md", "contradictions", clashes_table),
    Block("PROTOCOL.md", "keys", keys_table),
)


def pages(folder: Path) -> dict[str, str]:
    """The text of each page as it should be, by its name; raises LookupError where a marker is missing."""
    texts: dict[str, str] = {}
    for block in BLOCKS:
        text = texts.get(block.page) or (folder / block.page).read_text(encoding="utf-8")
        texts[block.page] = _put(text, block)
    return texts


def _put(text: str, block: Block) -> str:
    begin, end = f"<!-- {block.name}: made by spades_harness.table.option_tables -->", f"<!-- end of {block.name} -->"
    made = f"{begin}\n\n{block.make()}\n\n{end}"
    found, count = re.subn(re.escape(begin) + ".*?" + re.escape(end), lambda _: made, text, flags=re.DOTALL)
    if count != 1:
        raise LookupError(f"{block.page}: {begin} … {end} stands in it {count} times")
    return found


def outdated(folder: Path) -> list[str]:
    """The pages in the folder that are not what the options say."""
    made = pages(folder)
    return [name for name, text in made.items() if (folder / name).read_text(encoding="utf-8") != text]


def main(arguments: list[str]) -> int:
    """Write the pages, or check them; the exit code."""
    folder = bundled("protocol")
    if arguments == ["--check"]:
        stale = outdated(folder)
        if stale:
            said = f"{folder}: {', '.join(stale)} outdated: run python -m spades_harness.table.option_tables"
            print(said, file=sys.stderr)
        return 1 if stale else 0
    for name, text in pages(folder).items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
