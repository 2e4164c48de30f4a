"""This moment, as everything that is stored holds it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """UTC, ISO 8601, with its offset: it sorts as text, and means the same everywhere and on both sides of a summer."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
