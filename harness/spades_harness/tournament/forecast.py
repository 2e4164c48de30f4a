"""How long a plan will take, from matches that were played as a sample. Pure: records in, seconds out; plays nothing.

A match is taken to last as long as the starts of its bots, their answers, and what the harness itself needs:

    overhead + sum over seats of (start + hands * answers a hand * seconds an answer)

with each bot's own mean start and answer. What the harness needs is what is left of the sampled matches beside starts
and answers, so it holds all that happens in a lane: pipes, referee, the ends of processes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heapreplace
from statistics import fmean
from typing import Final

from spades_harness.game.score import Boards, Format
from spades_harness.table.match import FaultKind, MatchRecord, MatchSpec, Replace

GAME_HANDS: Final = 10.0
"""Hands of a game of which no sample got anywhere: a classic game to 500 between sensible bots."""
ANSWERS: Final = 14.0
"""Answers of a seat in a hand of which none was sampled to its end: a bid and thirteen cards."""


@dataclass(frozen=True, slots=True)
class BotTimes:
    """What one bot needs; None where it never got so far."""

    bot: str
    start: float | None
    """Seconds from the start of its process until it is ready, or is given up; the mean over its starts."""
    answer: float | None
    """Seconds for one answer, the mean over all."""
    answers: int
    """So many were measured."""
    fault: str
    """The first one that it made, in words; empty without any."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the sampled matches tell."""

    bots: Mapping[str, BotTimes]
    matches: int
    hands: float
    """Of a match, the mean."""
    sure: bool
    """Whether that is more than a guess: the format says it, or whole games were sampled."""
    answers: float
    """Of a seat in a hand, the mean."""
    overhead: float
    """Seconds of a match beside starts and answers, the mean."""
    replaced: bool = False
    """Whether a bot at fault is replaced, so that the others play on."""

    def seconds(self, seats: Iterable[str]) -> float:
        """Of a match in which these bots sit, seat by seat; over at once where one of them never came up and none
        takes its place."""
        found = [self.bots[bot] for bot in seats if bot in self.bots]
        started = sum(times.start or 0.0 for times in found)
        thought = [times.answer for times in found if times.answer is not None]
        if len(thought) < len(found) and not self.replaced:
            return self.overhead + started
        return self.overhead + started + sum(thought) * self.answers * self.hands


def measured(played: Format, sampled: Sequence[tuple[MatchSpec, MatchRecord]]) -> Measured:
    """What these matches tell; those that were broken off have no result, but all that happened before."""
    hands, sure = _hands(played, sampled)
    dealt = sum(len(record.hands) for _, record in sampled)
    return Measured(
        bots={times.bot: times for times in _bots(sampled)},
        matches=len(sampled),
        hands=hands,
        sure=sure,
        answers=sum(map(_answers_of_hands, sampled)) / dealt if dealt else ANSWERS,
        overhead=fmean(_overheads([record for _, record in sampled]) or [0.0]),
        replaced=any(isinstance(spec.faults, Replace) for spec, _ in sampled),
    )


def makespan(seconds: Iterable[float], lanes: int) -> float:
    """When the last of these matches is over if each goes to the lane that is free first, in their order."""
    free = [0.0] * lanes
    heapify(free)
    for each in seconds:
        heapreplace(free, free[0] + each)
    return max(free)


# ------------------------------------------------------------------------------------------------------------- the bots


def _bots(sampled: Iterable[tuple[MatchSpec, MatchRecord]]) -> Iterator[BotTimes]:
    starts: dict[str, list[float]] = defaultdict(list)
    answers: dict[str, list[float]] = defaultdict(list)
    faults: dict[str, str] = {}
    for spec, record in sampled:
        names = [player.name for player in spec.players]
        for name, report in zip(names, record.bots, strict=False):
            starts[name] += [report.start] if report.start else []
        for decision in record.decisions:
            if decision.elapsed or not decision.substituted:  # what is chosen for a bot at once says nothing of it
                answers[names[decision.seat]].append(decision.elapsed)
        for fault in record.faults:
            faults.setdefault(names[fault.seat], f"{fault.kind.value}: {fault.what}")
            starts[names[fault.seat]] += [fault.elapsed] if fault.kind is FaultKind.START else []
    for name in dict.fromkeys(player.name for spec, _ in sampled for player in spec.players):
        thought = answers[name]
        yield BotTimes(name, _mean(starts[name]), _mean(thought), len(thought), faults.get(name, ""))


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


# ------------------------------------------------------------------------------------------------------------ the match


def _hands(played: Format, sampled: Sequence[tuple[MatchSpec, MatchRecord]]) -> tuple[float, bool]:
    """Hands of a match, and whether that is more than a guess."""
    if isinstance(played, Boards):
        return float(played.hands), True
    whole = [len(record.hands) for _, record in sampled if record.result and not record.faults]
    if whole:
        return fmean(whole), True
    return fmean([guess for spec, record in sampled if (guess := _guess(spec, record))] or [GAME_HANDS]), False


def _guess(spec: MatchSpec, record: MatchRecord) -> float:
    """Hands of a game that was broken off, as far as its leader is; 0 where nobody is anywhere."""
    lead = max((side.score for side in record.hands[-1].sides), default=0) if record.hands else 0
    target = spec.rules.target or 0
    return min(len(record.hands) * target / lead, 10 * GAME_HANDS) if lead > 0 else 0.0


def _answers_of_hands(sample: tuple[MatchSpec, MatchRecord]) -> float:
    """Answers of one seat in all hands that were played to their end."""
    spec, record = sample
    whole = Counter(decision.hand_no for decision in record.decisions)
    return sum(whole[hand.hand_no] for hand in record.hands) / len(spec.players)


def _overheads(records: Iterable[MatchRecord]) -> list[float]:
    """Of matches in which every bot came up; of the others where there are no such."""
    found = [(_overhead(record), bool(record.decisions)) for record in records]
    return [seconds for seconds, played in found if played] or [seconds for seconds, _ in found]


def _overhead(record: MatchRecord) -> float:
    waited = sum(report.start for report in record.bots) + sum(decision.elapsed for decision in record.decisions)
    return max(record.duration - waited, 0.0)
