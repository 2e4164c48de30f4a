"""The events of a run as JSON Schema, made from their types: `python -m spades_harness.tournament.event_schema`."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from spades_harness.bundled import bundled
from spades_harness.table.schema import schema_of

from .events import AnyEvent

ABOUT: Final = "What `spades run --events` writes, one event a line. Unknown keys and unknown events are to be ignored."


def text() -> str:
    """The schema, as the file holds it."""
    return schema_of(AnyEvent, ABOUT)


def file() -> Path:
    """Where the schema is published."""
    return bundled("protocol") / "schema" / "events.json"


if __name__ == "__main__":
    file().write_text(text(), encoding="utf-8", newline="\n")
