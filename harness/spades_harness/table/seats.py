"""What may sit at a table: what a seat is asked to do, and the seats that need no process.

The referee awaits these operations and nothing else, so a table of seats that never suspend plays without an event
loop (`run_unsuspended`). No clock and no trio here; a seat that is a process stands in `process`.
"""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from .match import BotReport, Failure, MatchStart, Notice, Reply, Request, Started

T = TypeVar("T")


class Seat(Protocol):
    """A bot on its seat. No operation raises for what a bot does: misbehaviour comes back as a Failure."""

    async def start(self, start: MatchStart) -> Started | Failure:
        """Bring the bot up and wait until it is ready, within the start limit."""
        ...

    async def ask(self, request: Request) -> Reply:
        """Put a question and wait for the answer, within the request's time."""
        ...

    async def tell(self, notice: Notice) -> None:
        """Say something that needs no answer; a bot that cannot hear it is found out when next asked."""
        ...

    def sent(self) -> str:
        """The last request as it was put, or would have been to a bot that is gone, as text."""
        ...

    def answered(self) -> bytes:
        """What the bot wrote in answer to it, as it wrote it, cut; empty where it wrote nothing."""
        ...

    def report(self) -> BotReport:
        """What the bot said of itself and left behind; complete when the table is closed."""
        ...


Table: TypeAlias = Sequence[Seat]
"""The seats in the order of play."""


def run_unsuspended(play: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends; raises RuntimeError if it does."""
    try:
        play.send(None)
    except StopIteration as finished:
        result: T = finished.value
        return result
    play.close()
    raise RuntimeError("the table suspended: this match needs an event loop")
