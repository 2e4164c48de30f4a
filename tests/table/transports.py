"""The ways in which a bot can be a process on this system, for tests that hold for each of them."""

from __future__ import annotations

from typing import Final

from spades_harness.table import process, seating

TRANSPORTS: Final = {each.__name__: each for each in (process.PortableBot, seating.transport())}
"""By name: the portable one and, where there is one, its twin for this system."""
