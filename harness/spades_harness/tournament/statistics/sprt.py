"""When two entrants need play no more: a sequential probability ratio test on their meetings. Pure.

A generalised SPRT, after M. Van den Bergh, "A Practical Introduction to the GSPRT" and "Comments on Normalized Elo"
(cantate.be/Fishtest): one observation is the score of the first entrant over both legs of a meeting, from 0 to 1, and
the log-likelihood ratio of two expected scores s0 and s1 after n of them, with mean m and variance v, is

    n (s1 - s0) (2 m - s0 - s1) / (2 v)

Dividing by the variance of the meetings, not of matches, counts what the legs have in common once. The bounds are
Wald's, log(beta / (1 - alpha)) and log((1 - beta) / alpha).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from math import log
from statistics import fmean
from typing import Final, NamedTuple

from spades_harness.game.score import Format
from spades_harness.tournament.outcome import Outcome

from .meeting import duels, meetings

FEWEST: Final = 16
"""Meetings before anything is decided: the variance of fewer is a guess, and the error rates would not hold."""
_PRIOR_MEETINGS: Final = 2
_PRIOR_VARIANCE: Final = 1 / 8
"""Of the mean of two even matches without draws: so much is taken to be known beforehand, for scores all alike."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Is the first entrant stronger by `elo0` or by `elo1`? `alpha`: how often the second is found wrongly, `beta`: the
    first."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05


class Decision(Enum):
    """What the test found."""

    ELO1 = "elo1"
    ELO0 = "elo0"


class Evidence(NamedTuple):
    """What is needed of the scores so far: their number, their sum, the sum of their squares."""

    meetings: int = 0
    total: float = 0.0
    squares: float = 0.0

    def plus(self, scores: Iterable[float]) -> Evidence:
        """With these scores, each from 0 to 1, too."""
        found = tuple(scores)
        return Evidence(
            self.meetings + len(found), self.total + sum(found), self.squares + sum(each * each for each in found)
        )


def scores_of(game: Format, first: str, outcomes: Iterable[Outcome]) -> Iterator[float]:
    """The score of this entrant in each whole meeting of two, from 0 to 1, in plan order."""
    for meeting in meetings(outcomes):
        if meeting.complete:
            place = meeting.entrants.index(first)
            yield fmean(verdicts[place].worth for duel in duels(game, meeting) for verdicts in duel.results)


def expected_score(elo: float) -> float:
    """Of an entrant that is stronger by so many Elo."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def log_likelihood_ratio(rule: Sprt, evidence: Evidence) -> float:
    """How much more likely the scores are under `elo1` than under `elo0`; 0 without any."""
    if not evidence.meetings:
        return 0.0
    s0, s1 = expected_score(rule.elo0), expected_score(rule.elo1)
    mean = evidence.total / evidence.meetings
    spread = max(evidence.squares - evidence.meetings * mean * mean, 0.0) + _PRIOR_MEETINGS * _PRIOR_VARIANCE
    variance = spread / (evidence.meetings + _PRIOR_MEETINGS)
    return evidence.meetings * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)


def bounds(rule: Sprt) -> tuple[float, float]:
    """The ratios at which `elo0` and `elo1` are accepted."""
    return log(rule.beta / (1 - rule.alpha)), log((1 - rule.beta) / rule.alpha)


def decide(rule: Sprt, evidence: Evidence) -> Decision | None:
    """What these scores decide; None: play on."""
    ratio, (low, high) = log_likelihood_ratio(rule, evidence), bounds(rule)
    if evidence.meetings < FEWEST or low < ratio < high:
        return None
    return Decision.ELO1 if ratio >= high else Decision.ELO0


def told(rule: Sprt, first: str, second: str, evidence: Evidence) -> str:
    """What the test says by now, in one line."""
    ratio, (low, high) = log_likelihood_ratio(rule, evidence), bounds(rule)
    found = {
        Decision.ELO1: f"{first} is stronger than {second} by {rule.elo1:g} Elo rather than {rule.elo0:g}",
        Decision.ELO0: f"{first} is stronger than {second} by {rule.elo0:g} Elo rather than {rule.elo1:g}",
        None: f"nothing is decided between {first} and {second}",
    }[decide(rule, evidence)]
    count = f"{evidence.meetings} meetings" + (f" of {FEWEST} at least" if evidence.meetings < FEWEST else "")
    return f"SPRT: {found} (log-likelihood ratio {ratio:.2f} of {low:.2f} … {high:.2f}, {count})"
