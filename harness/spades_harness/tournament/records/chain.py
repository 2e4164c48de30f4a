"""Digests of what a ledger holds, and the chain that ties them together. Pure: no file and no connection.

A digest covers a match as it was recorded, its times too. The chain goes through the matches in the order of the plan,
whatever order they were played in, so that one short text, its head, stands for everything in a finished run: who
wrote the head down can tell whether anything was changed since.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from spades_harness.tournament.identity import canonical

_MATCH: Final = "spades-harness/digest/1"
_LINK: Final = "spades-harness/chain/1"
_FOUNDATION: Final = "spades-harness/foundation/1"
"""Labels that keep the three hashes apart; a change of a form needs a new number."""

Tables: TypeAlias = Mapping[str, Sequence[Sequence[Any]]]
"""Rows by table, in a fixed order, with values as SQLite gives them."""


class Link(NamedTuple):
    """What the chain says of one match."""

    ordinal: int
    identity: str
    attempt: int
    digest: str


def digest(tables: Tables) -> str:
    """SHA-256 of a match as its rows in the tables of records, 64 hex digits."""
    return _hash(_MATCH, _plain(tables))


def foundation(tables: Tables) -> str:
    """SHA-256 of what a run holds beside its matches, 64 hex digits: where the chain begins."""
    return _hash(_FOUNDATION, _plain(tables))


def head(first: str, links: Iterable[Link]) -> str:
    """The end of the chain from a foundation through these matches, in the order of plan and attempts."""
    for link in sorted(links):
        first = _hash(_LINK, [*link, first])
    return first


def _hash(label: str, tree: object) -> str:
    return hashlib.sha256(canonical([label, tree]).encode()).hexdigest()


def _plain(tables: Tables) -> dict[str, list[list[Any]]]:
    return {name: [[_text(value) for value in row] for row in rows] for name, rows in tables.items()}


def _text(value: object) -> object:
    """A value as JSON can hold it."""
    return {"hex": value.hex()} if isinstance(value, bytes) else value
