"""How long a run may take, as it is typed: `--for 6h`, `--until 07:00`. Reads words and the clock; ends nothing."""

from __future__ import annotations

import re
import time
from datetime import datetime, timedelta
from typing import Final

from spades_harness.errors import UserError
from spades_harness.tournament.slices import TimeBox

_SPAN: Final = re.compile(r"(?:([0-9]{1,6})d)?(?:([0-9]{1,6})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,8})s)?")
_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
LONGEST: Final = 366 * 24 * 3600
"""Seconds of `--for`: more than a year is a slip, and no bound."""


def time_box(span: str | None, until: str | None) -> TimeBox | None:
    """The box that the command line asks for, None without one. Raises UserError."""
    if span is not None and until is not None:
        raise UserError("--for and --until: choose one")
    if span is not None:
        return TimeBox(time.monotonic() + seconds_of(span), time.monotonic)
    if until is not None:
        return TimeBox(next_time(until, datetime.now()).timestamp(), time.time)  # noqa: DTZ005 - the time on the wall
    return None


def seconds_of(span: str) -> int:
    """Seconds of a span such as `90m` or `1h30m`. Raises UserError."""
    found = _SPAN.fullmatch(span)
    if not span or not found:
        raise UserError(f"--for {span!r}: must be a time such as 6h, 90m or 1h30m (d, h, m and s for days to seconds)")
    days, hours, minutes, seconds = (int(number or 0) for number in found.groups())
    total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    if not 1 <= total <= LONGEST:
        raise UserError(f"--for {span!r}: must be from 1s to {LONGEST // 86400}d")
    return total


def next_time(until: str, now: datetime) -> datetime:
    """When it is next this time of day, on a clock that shows `now` (without a zone, as clocks on walls do).

    Raises UserError.
    """
    found = _TIME.fullmatch(until)
    if not found:
        raise UserError(f"--until {until!r}: must be a time of day from 00:00 to 23:59, such as 07:00")
    hour, minute = map(int, found.groups())
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)
