"""How many digits of a number are shown and written: few enough that no other order of adding changes one. Pure."""

from __future__ import annotations

from math import isfinite
from typing import Final

ELO_DIGITS: Final = 1
"""Digits of Elo after the point: far finer than any interval, far coarser than what adding in another order changes."""
POINT_DIGITS: Final = 3
"""Digits of points and bags a hand after the point."""


def rounded(number: float | None, digits: int) -> float | None:
    """Rounded, and never the zero that has a sign; None for what is no finite number."""
    return None if number is None or not isfinite(number) else round(number, digits) + 0.0
