"""`stop` of the tournament file: its keys, and what they may be. Reads a tree; tests nothing."""

from __future__ import annotations

from typing import Final

from spades_harness.tournament.statistics.order import LEAST, MOST, Decided
from spades_harness.tournament.statistics.sprt import Sprt

from .entries import Stop
from .reading import At, Reader, Reading, scalar, word

PLAIN: Final = Sprt()
MAX_ELO: Final = 1_000.0
"""A difference at which one in three hundred matches is lost: more can't be told apart in any run."""


def read_stop(at: At) -> Stop:
    """`{sprt: {elo0: 0, elo1: 10, alpha: 0.05, beta: 0.05}}` or `{decided: 0.95}`. Raises FileError."""
    with Reading(at) as keys:
        sprt = keys.get("sprt", _sprt, PLAIN)
        decided = keys.get("decided", _decided, Decided())
        given = [key for key in ("sprt", "decided") if at.child(key)]
        if len(given) != 1:
            keys.note(f"needs one of sprt and decided, not {' and '.join(given) or 'none of them'}")
    return Stop(decided if given == ["decided"] else sprt, at.place)


def _decided(at: At) -> Decided:
    return Decided() if word(at) == "" else Decided(_number(LEAST, MOST)(at))


def _sprt(at: At) -> Sprt:
    if word(at) == "":
        return PLAIN
    elo, rate = _number(-MAX_ELO, MAX_ELO), _number(0.001, 0.4)
    with Reading(at) as keys:
        found = Sprt(
            elo0=keys.get("elo0", elo, PLAIN.elo0),
            elo1=keys.get("elo1", elo, PLAIN.elo1),
            alpha=keys.get("alpha", rate, PLAIN.alpha),
            beta=keys.get("beta", rate, PLAIN.beta),
        )
        if found.elo1 - found.elo0 < 1:
            keys.note(f"elo1 ({found.elo1:g}) must be above elo0 ({found.elo0:g}) by 1 or more")
    return found


def _number(low: float, high: float) -> Reader[float]:
    def read(at: At) -> float:
        found = scalar(at)
        if isinstance(found, bool) or not isinstance(found, int | float) or not low <= found <= high:
            raise at.must_be(f"a number from {low:g} to {high:g}")
        return float(found)

    return read
