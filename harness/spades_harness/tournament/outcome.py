"""What was to be played and what came of it, in the terms of entrants instead of seats. Pure.

An outcome is what schedules and standings see of a match: no cards, no decisions. A void match has none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from spades_harness.game.bids import Bid
from spades_harness.game.notation import read_bid
from spades_harness.game.rules import Rules
from spades_harness.game.score import winner
from spades_harness.table.match import FaultKind, FaultPolicy, HandRecord, MatchRecord, Replace, Result


class Leg(NamedTuple):
    """One match to be: the entrant at place p has side p in leg 0, and one side further in each leg after it.

    Where `mates` entrants share a side, each on a seat of its own, so many places after one another are a side's.
    """

    entrants: tuple[str, ...]
    """By place; the same in all legs of a meeting. One that plays with copies of itself has several places."""
    stream: int
    """The board stream, from 0: the same in all legs of a meeting."""
    leg: int
    """From 0."""
    round: int
    """From 1: the schedule's own division, for people to read."""
    mates: int = 1
    """Entrants a side: 1, or as many as it has seats."""

    @property
    def meeting(self) -> MeetingKey:
        """Which meeting this is a leg of."""
        return self.entrants, self.stream

    def side(self, place: int) -> int:
        """The side of the entrant at this place."""
        return (place // self.mates + self.leg) % (len(self.entrants) // self.mates)

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """Who has each side, and who of them sits on each seat of it where they share it."""
        teams = list(batched(self.entrants, self.mates))
        return tuple(teams[(side - self.leg) % len(teams)] for side in range(len(teams)))

    @property
    def by_side(self) -> tuple[str, ...]:
        """Who has each side, in words: those who share one with ` + ` between them."""
        return tuple(" + ".join(side) for side in self.sides)


def batched(entrants: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """So many at a time."""
    for first in range(0, len(entrants), size):
        yield tuple(entrants[first : first + size])


def legs_of(entrants: tuple[str, ...], mates: int = 1) -> int:
    """How many legs seat these entrants, by place, differently: one a side, fewer where copies come round again."""
    turned = (entrants[places:] + entrants[:places] for places in range(mates, len(entrants) + 1, mates))
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


class Charge(NamedTuple):
    """A fault, as far as the end of a match goes."""

    seat: int
    kind: FaultKind
    hand_no: int
    """From 1; 0 before the first hand."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended; all tuples are by place, as in its leg."""

    ordinal: int
    """The match's number in the plan, from 1."""
    leg: Leg
    scores: tuple[int, ...]
    forfeited: tuple[bool, ...]
    hands: int
    """Those that were finished before anybody forfeited; what a substitute plays on for is no hand of its bot's."""
    tallies: tuple[Tally, ...]
    """Of these hands."""
    faults: tuple[tuple[FaultKind, ...], ...]
    winner: int | None = None
    """The place that won alone, the first of its side; None where none did. Its score need not be the highest alone."""
    secret: int = 0
    """The number of the secret that its cards come from."""
    length: int = 0
    """All hands that the scores are of, with a substitute, too; 0 where a forfeit ended it. Matters after a fault."""
    played: bool = True
    """False of one that stays without a result; see `unplayed`."""

    @property
    def meeting(self) -> MeetingKey:
        """Which meeting this match is a leg of."""
        return self.leg.meeting


def forfeiting(outcome: Outcome) -> frozenset[str]:
    """Those who forfeited a match."""
    return frozenset(name for name, did in zip(outcome.leg.entrants, outcome.forfeited, strict=True) if did)


def outcome_of(ordinal: int, leg: Leg, rules: Rules, policy: FaultPolicy, record: MatchRecord) -> Outcome | None:
    """The outcome of a match on these terms; None for a void match."""
    if record.result is None:
        return None
    faults = [Charge(fault.seat, fault.kind, fault.hand_no) for fault in record.faults]
    return outcome_from(ordinal, leg, rules, policy, record.result, record.hands, faults)


def unplayed(ordinal: int, leg: Leg, gone: Collection[str]) -> Outcome:
    """What a schedule sees of a match that stays without a result: nobody scores, and those who are gone forfeit."""
    nothing = tuple(0 for _ in leg.entrants)
    return Outcome(
        ordinal=ordinal,
        leg=leg,
        scores=nothing,
        forfeited=tuple(name in gone for name in leg.entrants),
        hands=0,
        tallies=tuple(Tally() for _ in nothing),
        faults=tuple(() for _ in nothing),
        played=False,
    )


def outcome_from(
    ordinal: int,
    leg: Leg,
    rules: Rules,
    policy: FaultPolicy,
    result: Result,
    hands: Sequence[HandRecord],
    faults: Sequence[Charge],
) -> Outcome:
    """The outcome from its parts."""
    places = range(len(leg.entrants))
    sides = [leg.side(place) for place in places]
    seats = [_seats(leg, rules, place) for place in places]
    kinds = tuple(tuple(fault.kind for fault in faults if fault.seat in own) for own in seats)
    lost = range(len(rules.shape.sides)) if isinstance(policy, Replace) else result.forfeits
    own_hands = _until_replaced(hands, faults) if isinstance(policy, Replace) else hands
    charged = [leg.mates == 1 and side in result.forfeits for side in sides]  # a mate's fault is none of one's own
    won = winning_side(result, hands)
    return Outcome(
        ordinal=ordinal,
        leg=leg,
        scores=tuple(result.totals.scores[side] for side in sides),
        forfeited=tuple(charged[place] or (sides[place] in lost and bool(kinds[place])) for place in places),
        hands=len(own_hands),
        tallies=tuple(tally(rules, sides[place], own_hands, seats[place]) for place in places),
        faults=kinds,
        winner=None if won is None else sides.index(won),
        length=0 if result.ending is None else result.hands,
    )


def _until_replaced(hands: Sequence[HandRecord], faults: Iterable[Charge]) -> Sequence[HandRecord]:
    """The hands before the first fault: from then on a substitute sits at the table, with whom all others play."""
    replaced = min((fault.hand_no for fault in faults), default=None)
    return hands if replaced is None else [hand for hand in hands if hand.hand_no < replaced]


def _seats(leg: Leg, rules: Rules, place: int) -> tuple[int, ...]:
    """The seats of the entrant at this place."""
    seats = rules.shape.sides[leg.side(place)].seats
    return tuple(seats) if leg.mates == 1 else (seats[place % leg.mates],)


def winning_side(result: Result, hands: Sequence[HandRecord]) -> int | None:
    """The side that won by play; nobody did in a match that was forfeited."""
    if result.ending is None or not hands:
        return None
    return winner(result.ending, result.totals, [side.delta for side in hands[-1].sides])


def tally(rules: Rules, side: int, hands: Iterable[HandRecord], seats: Sequence[int] | None = None) -> Tally:
    """What a side bid and made in these hands; only the Nils of these seats, if any are named."""
    own = rules.shape.sides[side].seats if seats is None else seats
    return add(_tally_hand(rules, side, own, hand) for hand in hands)


def add(tallies: Iterable[Tally]) -> Tally:
    """The sum of counts."""
    return Tally(*(sum(column) for column in zip(Tally(), *tallies, strict=True)))


def _tally_hand(rules: Rules, side: int, seats: Iterable[int], hand: HandRecord) -> Tally:
    own = hand.sides[side]
    nils = [seat for seat in seats if _is_nil(rules, hand.bids[seat])]
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
