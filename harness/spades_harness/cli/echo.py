"""A bot's standard error, line by line while it plays, each line with the seat that it comes from. No I/O itself."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Collection, Sequence
from types import TracebackType
from typing import Final, Self

from .console import printable

CAP: Final = 4_096
"""Characters of a line that are held back until it ends."""


class Echo:
    """What some seats write, passed on in whole lines; leaving it passes on what was begun."""

    def __init__(self, seats: Collection[int], letters: Sequence[str], line: Callable[[str], None]) -> None:
        self._letters, self._line = letters, line
        self._held = dict.fromkeys(seats, "")
        self._decoders = {seat: getincrementaldecoder("utf-8")("replace") for seat in seats}

    def hear(self, seat: int, data: bytes) -> None:
        """Take what a seat has written."""
        if seat not in self._held:
            return
        *lines, rest = (self._held[seat] + self._decoders[seat].decode(data)).split("\n")
        for line in lines:
            self._show(seat, line)
        if len(rest) > CAP:
            self._show(seat, rest)
            rest = ""
        self._held[seat] = rest

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for seat, rest in self._held.items():
            if rest:
                self._show(seat, rest)

    def _show(self, seat: int, line: str) -> None:
        self._line(f"{self._letters[seat]}| {printable(line.rstrip(chr(13)))}")
