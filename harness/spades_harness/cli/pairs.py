"""Lists such as `N=4,S=nil` on a command line: names with values, each name known and given once."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from spades_harness.errors import UserError


class Wanted(NamedTuple):
    """What an option of the command line wants: its own name, what its names are, which there are, and an example."""

    option: str
    kind: str
    """`seat` or `side`."""
    names: Collection[str]
    example: str


def read_pairs(wanted: Wanted, text: str) -> dict[str, str]:
    """The values by name, in the order of the names that there are. Raises UserError."""
    found: dict[str, str] = {}
    for item in text.split(","):
        name, _, value = (part.strip() for part in item.partition("="))
        if not name or not value:
            raise UserError(f"{wanted.option}: {item.strip()!r} is not {wanted.kind}=value; write {wanted.example}")
        if name.upper() not in wanted.names:
            known = ", ".join(wanted.names)
            raise UserError(f"{wanted.option}: no {wanted.kind} {name!r} under these rules; there are: {known}")
        if name.upper() in found:
            raise UserError(f"{wanted.option}: {name.upper()} is given twice; give it once")
        found[name.upper()] = value
    return {name: found[name] for name in wanted.names if name in found}
