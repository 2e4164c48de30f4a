"""Whole numbers among the words of a call, refused in the same words as elsewhere where they are none that will do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import typer

MATCHES: Final = range(1, 10**9 + 1)
"""Numbers of matches, of their hands, and of how often one was tried: more than a ledger could ever hold."""
BOARDS: Final = range(4, 1_000_001, 4)
"""Of `spades match`: whole streams of them, since each seat deals once in four."""
GAMES: Final = range(1, 100_001)
"""Of `spades match`, as many hands as so many boards, and more."""
SHOWN: Final = 20
"""Characters of what was typed: more digits than any of these numbers has."""


def number_in(among: range) -> Callable[[str], int]:
    """A reader of what was typed, for typer: a number in plain digits that is one of these. Steps start at a multiple
    of their own."""
    digits = len(str(among[-1]))

    def number(typed: object) -> int:  # typer also reads what it took from a default
        text = str(typed)
        if text.isascii() and text.isdigit() and len(text) <= digits and int(text) in among:
            return int(text)
        raise typer.BadParameter(must_be(among, text))

    return number


def must_be(among: range, typed: object) -> str:
    """What a number has to be instead of what was typed, as it follows the name of its option."""
    kind = "a number" if among.step == 1 else f"a multiple of {among.step}"
    return f"must be {kind} from {among[0]} to {among[-1]}, not {_short(str(typed))}"


def _short(text: str) -> str:
    """A number as it stands, anything else in quotes."""
    cut = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    return cut if text.removeprefix("-").isdigit() else repr(cut)
