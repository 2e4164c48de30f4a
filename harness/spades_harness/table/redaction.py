"""What a bot was passed and prints is not kept: the values of `pass_env` are taken out of a match's record. Pure.

A value is found as it stands, and as it stands in JSON or on one line; not what a bot has made of it by other means. A
short value is left: it would be found in innocent words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from .match import BotReport, Decision, Fault, MatchRecord, Player
from .wire import storable

SHORTEST: Final = 8
"""Characters of a value that is looked for; keys and passwords have more, a language or a port fewer."""
PIECE: Final = 4
"""Characters of a value that are looked for where a text was cut: fewer tell nothing of one."""
_CUT: Final = re.compile(r"(\n\[… \d+ bytes …\]\n|…)")
"""Where something is missing."""

Values: TypeAlias = tuple[tuple[str, str], ...]
"""What to look for, the longest first, and what stands in its place."""


def values_of(players: Iterable[Player], environ: Mapping[str, str]) -> Values:
    """The values that these bots are passed of this environment, in all forms that are looked for."""
    names = sorted({name for player in players for name in player.pass_env})
    found = {form: f"[{name}]" for name in names for form in _forms(environ.get(name, ""))}
    return tuple(sorted(found.items(), key=lambda item: (-len(item[0]), item)))


def redacted(record: MatchRecord, values: Values) -> MatchRecord:
    """The record with a name in brackets, `[API_KEY]`, wherever a bot has printed a value."""
    if not values:
        return record
    return replace(
        record,
        decisions=tuple(_of_decision(decision, values) for decision in record.decisions),
        faults=tuple(_of_fault(fault, values) for fault in record.faults),
        bots=tuple(_of_report(report, values) for report in record.bots),
    )


def hide(text: str, values: Values) -> str:
    """A text without these values, nor a piece of one where the text was cut."""
    for value, name in values:
        text = text.replace(value, name)
    for value, name in values:
        first, *others = [_without_begun(piece, value, name) for piece in _CUT.split(text)]
        text = "".join([first, *(_without_ended(piece, value, name) for piece in others)])
    return text


def _forms(value: str) -> set[str]:
    if len(value) < SHORTEST:
        return set()
    in_json = (json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1])
    return {value, *in_json, storable(value, 2 * 8 * len(value))}


def _without_begun(text: str, value: str, name: str) -> str:
    """Without the beginning of a value at its end."""
    size = next((size for size in _pieces(text, value) if text.endswith(value[:size])), 0)
    return text[:-size] + name if size else text


def _without_ended(text: str, value: str, name: str) -> str:
    """Without the end of a value at its beginning."""
    size = next((size for size in _pieces(text, value) if text.startswith(value[-size:])), 0)
    return name + text[size:] if size else text


def _pieces(text: str, value: str) -> range:
    return range(min(len(value) - 1, len(text)), PIECE - 1, -1)


def _hide_bytes(data: bytes, values: Values) -> bytes:
    return hide(data.decode("utf-8", "surrogateescape"), values).encode("utf-8", "surrogateescape")


def _of_decision(decision: Decision, values: Values) -> Decision:
    stats = tuple((hide(name, values), number) for name, number in decision.stats)
    return decision._replace(note=hide(decision.note, values), stats=stats)


def _of_fault(fault: Fault, values: Values) -> Fault:
    return replace(
        fault,
        what=hide(fault.what, values),
        answer=hide(fault.answer, values),
        raw=_hide_bytes(fault.raw, values),
    )


def _of_report(report: BotReport, values: Values) -> BotReport:
    return replace(
        report,
        name=hide(report.name, values),
        version=hide(report.version, values),
        stderr=hide(report.stderr, values),
        ended=hide(report.ended, values),
    )
