"""What was to be played and what came of it, in the terms of entrants instead of seats. Pure.

An outcome is what schedules and standings see of a match: no cards, no decisions. A void match has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from spades_harness.game.bids import Bid
from spades_harness.game.notation import read_bid
from spades_harness.game.rules import Rules
from spades_harness.game.score import winner
from spades_harness.table.match import FaultKind, HandRecord, MatchRecord, Result


class Leg(NamedTuple):
    """One match to be: the entrant at place p has side p in leg 0, and one side further in each leg after it."""

    entrants: tuple[str, ...]
    """By place; the same in all legs of a meeting. One that plays with copies of itself has several places."""
    stream: int
    """The board stream, from 0: the same in all legs of a meeting."""
    leg: int
    """From 0."""
    round: int
    """From 1: the schedule's own division, for people to read."""

    @property
    def meeting(self) -> MeetingKey:
        """Which meeting this is a leg of."""
        return self.entrants, self.stream

    def side(self, place: int) -> int:
        """The side of the entrant at this place."""
        return (place + self.leg) % len(self.entrants)

    @property
    def by_side(self) -> tuple[str, ...]:
        """The entrants in the order of the sides."""
        count = len(self.entrants)
        return tuple(self.entrants[(side - self.leg) % count] for side in range(count))


def legs_of(entrants: tuple[str, ...]) -> int:
    """How many legs seat these entrants, by place, differently: one a place, fewer where copies come round again."""
    turned = (entrants[places:] + entrants[:places] for places in range(1, len(entrants) + 1))
    return next(legs for legs, seated in enumerate(turned, 1) if seated == entrants)


MeetingKey: TypeAlias = tuple[tuple[str, ...], int]
"""Entrants by place and board stream: what the legs of a meeting have in common."""


class Tally(NamedTuple):
    """Counts over the finished hands of a match, for one side."""

    contracts: int = 0
    """Hands with a contract of at least one trick."""
    contracts_made: int = 0
    nils: int = 0
    nils_made: int = 0
    bags: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended; all tuples are by place, as in its leg."""

    ordinal: int
    """The match's number in the plan, from 1."""
    leg: Leg
    scores: tuple[int, ...]
    forfeited: tuple[bool, ...]
    hands: int
    tallies: tuple[Tally, ...]
    faults: tuple[tuple[FaultKind, ...], ...]
    winner: int | None = None
    """The place that won alone, None where none did. It need not be that of the highest score: others may share it."""

    @property
    def meeting(self) -> MeetingKey:
        """Which meeting this match is a leg of."""
        return self.leg.meeting


def outcome_of(ordinal: int, leg: Leg, rules: Rules, record: MatchRecord) -> Outcome | None:
    """The outcome of a match under these rules; None for a void match."""
    if record.result is None:
        return None
    faults = [(fault.seat, fault.kind) for fault in record.faults]
    return outcome_from(ordinal, leg, rules, record.result, record.hands, faults)


def outcome_from(
    ordinal: int,
    leg: Leg,
    rules: Rules,
    result: Result,
    hands: Sequence[HandRecord],
    faults: Sequence[tuple[int, FaultKind]],
) -> Outcome:
    """The outcome from its parts; `faults` are seats with kinds."""
    places = range(len(leg.entrants))
    sides = [leg.side(place) for place in places]
    won = winning_side(result, hands)
    return Outcome(
        ordinal=ordinal,
        leg=leg,
        scores=tuple(result.totals.scores[side] for side in sides),
        forfeited=tuple(side in result.forfeits for side in sides),
        hands=result.hands,
        tallies=tuple(tally(rules, side, hands) for side in sides),
        faults=tuple(tuple(kind for seat, kind in faults if rules.shape.side_of[seat] == side) for side in sides),
        winner=None if won is None else sides.index(won),
    )


def winning_side(result: Result, hands: Sequence[HandRecord]) -> int | None:
    """The side that won by play; nobody did in a match that was forfeited."""
    if result.ending is None or not hands:
        return None
    return winner(result.ending, result.totals, [side.delta for side in hands[-1].sides])


def tally(rules: Rules, side: int, hands: Iterable[HandRecord]) -> Tally:
    """What a side bid and made in these hands."""
    return add(_tally_hand(rules, side, hand) for hand in hands)


def add(tallies: Iterable[Tally]) -> Tally:
    """The sum of counts."""
    return Tally(*(sum(column) for column in zip(Tally(), *tallies, strict=True)))


def _tally_hand(rules: Rules, side: int, hand: HandRecord) -> Tally:
    own = hand.sides[side]
    nils = [seat for seat in rules.shape.sides[side].seats if _is_nil(rules, hand.bids[seat])]
    return Tally(
        contracts=int(own.contract > 0),
        contracts_made=int(own.tricks >= own.contract > 0),
        nils=len(nils),
        nils_made=sum(hand.won[seat] == 0 for seat in nils),
        bags=own.new_bags,
    )


@lru_cache(maxsize=1024)  # a run has one set of rules, and its bids have some twenty spellings
def _is_nil(rules: Rules, written: int | str | None) -> bool:
    bid = read_bid(rules, written)
    return isinstance(bid, Bid) and bid.is_nil
