"""Rules that end a run before its schedule does: what they look at, when, and what they say. Pure.

A rule sees whole slices in the order of the plan and nothing else, so that no lane, no interruption and no speed has a
say in what is played.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Final, Protocol, TypeAlias, assert_never

from spades_harness.game.score import Format
from spades_harness.tournament.outcome import Outcome

from .order import Decided, needed, steps, undecided
from .paired import observations_of
from .sprt import Evidence, Sprt, decide, scores_of
from .sprt import told as told_of_two

Rule: TypeAlias = Sprt | Decided
SPARE: Final = 16
"""After k slices the next look comes k/16 slices later: what may be played in vain is a sixteenth, and the looks of a
long run cost no more than a few dozen fits."""


def as_settings(rule: Rule) -> Mapping[str, float]:
    """A rule as values by path, as a ledger keeps it."""
    match rule:
        case Sprt():
            return {f"sprt.{name}": value for name, value in asdict(rule).items()}
        case Decided(confidence):
            return {"decided": confidence}
        case _:
            assert_never(rule)


def rule_from(stored: Mapping[str, float]) -> Rule:
    """The inverse; raises TypeError for what is no rule of this version."""
    if "decided" in stored:
        return Decided(stored["decided"])
    return Sprt(**{path.removeprefix("sprt."): value for path, value in stored.items()})


class Watch(Protocol):
    """A rule, and what it has seen so far."""

    def sees(self, part: Sequence[Outcome]) -> bool:
        """Whether the run is over with the next slice, given by the results of all its matches."""
        ...


def watch(rule: Rule, entrants: Sequence[str], game: Format) -> Watch:
    """The rule at the beginning of a run of these entrants."""
    match rule:
        case Sprt():
            return _Two(rule, entrants[0], game)
        case Decided():
            return _Field(rule, entrants, game)
        case _:
            assert_never(rule)


def looked_at(rule: Rule, entrants: Sequence[str], withdrawn: Collection[str]) -> tuple[str, ...]:
    """The entrants that a rule is about: the ranks of a field are those of who still plays.

    No match could ever decide the rank of one who doesn't, be it ranked or disqualified, and the run would never end.
    """
    return tuple(name for name in entrants if isinstance(rule, Sprt) or name not in withdrawn)


def objection(rule: Rule, entrants: int, sides: int) -> str:
    """Why a rule can't be asked of so many entrants at tables of so many sides; empty if it can."""
    if isinstance(rule, Sprt) and (entrants, sides) != (2, 2):
        return f"sprt is for two entrants at tables of two sides, not {entrants} at {sides}"
    return ""


def told(
    rule: Rule, entrants: Sequence[str], game: Format, outcomes: Sequence[Outcome], withdrawn: Collection[str] = ()
) -> str:
    """What the rule says of these outcomes, in one line, with those it leaves out since they play no more."""
    match rule:
        case Sprt():
            first, second = entrants
            return told_of_two(rule, first, second, Evidence().plus(scores_of(game, first, outcomes)))
        case Decided():
            left_out = sorted({*withdrawn} - {*entrants})
            without = f"; without {', '.join(left_out)}, who play{'s' * (len(left_out) == 1)} no more"
            return _told_of_field(rule, entrants, game, outcomes) + (without if left_out else "")
        case _:
            assert_never(rule)


def _told_of_field(rule: Decided, entrants: Sequence[str], game: Format, outcomes: Sequence[Outcome]) -> str:
    found = steps(entrants, observations_of(game, outcomes))
    opened = undecided(rule.confidence, found)
    asked = f"{100 * rule.confidence:g} % for each two neighbours"
    if not opened:
        return f"decided: every rank, with {asked}"
    least, others = opened[0], f", and {len(opened) - 1} more" if len(opened) > 1 else ""
    chance, wanted = 100 * least.chance, 100 * needed(rule.confidence, least.meetings)
    return (
        f"decided: {len(found) - len(opened)} of {len(found)} ranks, with {asked}; open is {least.upper} before"
        f" {least.lower}{others} ({chance:.1f} % by {least.meetings} meetings, {wanted:.2f} % needed)"
    )


class _Two:
    """The test of two entrants."""

    def __init__(self, rule: Sprt, first: str, game: Format) -> None:
        self._rule, self._first, self._game = rule, first, game
        self._evidence = Evidence()

    def sees(self, part: Sequence[Outcome]) -> bool:
        """After every slice."""
        self._evidence = self._evidence.plus(scores_of(self._game, self._first, part))
        return decide(self._rule, self._evidence) is not None


class _Field:
    """The order of a field."""

    def __init__(self, rule: Decided, entrants: Sequence[str], game: Format) -> None:
        self._rule, self._entrants, self._game = rule, entrants, game
        self._seen: list[Outcome] = []
        self._slices, self._next = 0, 1

    def sees(self, part: Sequence[Outcome]) -> bool:
        """Now and then; a boundary that holds at any time holds at those looks."""
        self._seen += part
        self._slices += 1
        if self._slices < self._next:
            return False
        self._next += max(1, self._slices // SPARE)
        return not undecided(self._rule.confidence, steps(self._entrants, observations_of(self._game, self._seen)))
