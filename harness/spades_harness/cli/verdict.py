"""What `spades verify` found, in words and for machines. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from string import hexdigits

from spades_harness.errors import UserError
from spades_harness.tournament.records.session import Session
from spades_harness.tournament.records.verifying import Verified
from spades_harness.tournament.standings import Standings

DIGITS = 64
"""Hexadecimal digits of a head."""
SHOWN = 50
"""Differences told in words: one changed score may differ in every hand after it; `--json` has them all."""


def head_typed(text: str) -> str:
    """A head as somebody copied it; raises UserError for what is none."""
    head = text.strip().lower()
    if len(head) != DIGITS or not set(head) <= set(hexdigits):
        raise UserError(f"--head: a head is {DIGITS} hexadecimal digits, as `run` told them at its end; not {text!r}")
    return head


def tell_verdict(name: str, found: Verified, sessions: Sequence[Session], notes: Sequence[str] = ()) -> Iterator[str]:
    """The differences, then the sum of it; `notes` are lines about amendments and deals."""
    for difference in found.differences[:SHOWN]:
        yield str(difference)
    if (more := len(found.differences) - SHOWN) > 0:
        yield f"and {more} more differences: --json shows all"
    if found.unknown:
        names = ", ".join(found.unknown)
        yield f"Not computed anew: identities with {names}, whose env values are kept nowhere; the head covers them"
    void = f", {found.void} void" if found.void else ""
    void += f", and {found.aside} set aside by amendments" if found.aside else ""
    yield f"{name}: {_verdict(found)}: {found.matches} of {found.planned} matches played once more{void}"
    yield from (line[0].upper() + line[1:] for line in notes)
    yield from _played_by(sessions)
    if found.before is not None:
        yield f"The head given was the head before amendment {found.before}; but for amendments, all is as it was"
    yield f"Head of the chain: {found.head}" if found.head else "No head yet: the run is not finished"


def _verdict(found: Verified) -> str:
    """In a word or two; a ledger that is in order in itself may be of another run than the caller thinks."""
    if not found.differences:
        return "verified"
    alone = all(difference.given for difference in found.differences)
    return "its own records agree, but the head given is another" if alone else "differs"


def _played_by(sessions: Sequence[Session]) -> Iterator[str]:
    """A line for each surrounding that it was played in, in the order of their first time."""
    for kind in dict.fromkeys(each[1:] for each in sessions):
        times = [each.started for each in sessions if each[1:] == kind]
        harness, python, system, machine, processors = kind
        often = f"{len(times)} times, from {times[0]} to {times[-1]}" if len(times) > 1 else f"begun {times[0]}"
        yield (
            f"Played by spades-harness {harness} on Python {python}, {system} {machine},"
            f" {processors} processor{'s' if processors != 1 else ''}: {often}"
        )


def as_object(name: str, found: Verified, table: Standings, sessions: Sequence[Session]) -> str:
    """One object; `standings`, as `spades standings` has them, are those of the matches as refereed once more."""
    return json.dumps(
        {
            "name": name,
            "verified": not found.differences,
            "matches": found.matches,
            "void": found.void,
            "set_aside": found.aside,
            "planned": found.planned,
            "head": found.head,
            "head_before_amendment": found.before,
            "identities_not_computed": found.unknown,
            "sessions": [session._asdict() for session in sessions],
            "differences": [asdict(difference) for difference in found.differences],
            "standings": asdict(table),
        },
        indent=2,
        allow_nan=False,
    )
