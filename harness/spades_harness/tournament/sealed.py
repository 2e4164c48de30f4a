"""The secrets of a run: what is told of each before it is played with, and what when it may be known. Pure.

All deals and all bots' dice of a match come from one secret (`protocol/DEALS.md`). A run has one, and another for what
is added to it when the first was shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from spades_harness.game.deal import commitment, salted


@dataclass(frozen=True, slots=True)
class Sealed:
    """A secret of 32 bytes, and what came of it so far."""

    secret: bytes
    salt: str | None = None
    """What is mixed in, published after the commitment; empty where one is asked for and hasn't come."""
    since: str = ""
    """When it was committed to."""
    revealed: str | None = None
    """When it was shown: at the end, or before by somebody's wish."""
    played: int | None = None
    """How many matches of its own had a result when it was shown."""

    @property
    def commitment(self) -> str:
        """The hash of the secret, shown from the start."""
        return commitment(self.secret)

    @property
    def source(self) -> bytes:
        """What deals and dice are derived from: the secret, with its salt mixed in."""
        return salted(self.secret, self.salt) if self.salt else self.secret

    @property
    def awaits_salt(self) -> bool:
        """Whether nothing may be played with it before its salt is known."""
        return self.salt == ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What anybody may know of a secret by now. The fields, in this order, are the keys of its JSON object."""

    number: int
    """From 0."""
    commitment: str
    salt: str | None
    """Empty where one is asked for and hasn't come."""
    secret: str | None
    """Hexadecimal; null until it was shown, unless it comes from a public seed."""
    played: int | None
    """Matches of its own that had a result when it was shown."""


def shown(secrets: Iterable[Sealed], *, public: bool) -> tuple[Shown, ...]:
    """What may be known of each; all of it where they come from a public seed."""
    return tuple(
        Shown(number, each.commitment, each.salt, each.secret.hex() if public or each.revealed else None, each.played)
        for number, each in enumerate(secrets)
    )
