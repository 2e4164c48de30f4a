"""PROTOCOL.md taken apart, so that tests can hold it against the code."""

from __future__ import annotations

import re
from typing import Final

from spades_harness.bundled import bundled

TEXT: Final = (bundled("protocol") / "PROTOCOL.md").read_text(encoding="utf-8")


def section(title: str, text: str = TEXT) -> str:
    """What stands under a heading of this title, up to the next heading of its level or above."""
    prose = re.sub(r"```.*?```", lambda block: " " * len(block[0]), text, flags=re.DOTALL)
    heading = re.search(rf"^(#+) {re.escape(title)}$", prose, re.MULTILINE)
    assert heading, f"PROTOCOL.md has no heading {title!r}"
    following = re.compile(rf"^#{{1,{len(heading[1])}}} ", re.MULTILINE).search(prose, heading.end())
    return text[heading.end() : following.start() if following else len(text)]


def first_cells(text: str) -> list[str]:
    """What stands in backticks in the first cells of the tables."""
    return [
        name for row in re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE) for name in re.findall(r"`([^`]*)`", row)
    ]


def code(language: str, name: str = "") -> str:
    """The one block of code in this language whose first line names it so."""
    blocks = [block for block in re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL) if name in block[:40]]
    (found,) = blocks
    return str(found)


def conversation() -> list[str]:
    """The lines of the worked conversation."""
    return said_in("A conversation")


def said_in(title: str) -> list[str]:
    """The lines of a conversation under this heading."""
    return re.findall(r"^[<>] \{.*$", section(title), re.MULTILINE)
