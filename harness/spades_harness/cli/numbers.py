"""Whole numbers among the words of a call, refused in the same words as elsewhere where they are none that will do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import typer

MATCHES: Final = range(1, 10**9 + 1)
"""Numbers of matches, of their hands, and of how often one was tried: more than a ledger could ever hold."""
SHOWN: Final = 20
"""Characters of what was typed: more digits than any of these numbers has."""


def number_in(among: range) -> Callable[[str], int]:
    """A reader of what was typed, for typer: a number in plain digits that is one of these. Steps start at a multiple
    of their own."""
    digits = len(str(among[-1]))
    kind = "a number" if among.step == 1 else f"a multiple of {among.step}"

    def number(typed: object) -> int:  # typer also reads what it took from a default
        text = str(typed)
        if text.isascii() and text.isdigit() and len(text) <= digits and int(text) in among:
            return int(text)
        raise typer.BadParameter(f"must be {kind} from {among[0]} to {among[-1]}, not {_short(text)}")

    return number


def _short(text: str) -> str:
    """A number as it stands, anything else in quotes."""
    cut = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return cut if text.removeprefix("-").isdigit() else repr(cut)
