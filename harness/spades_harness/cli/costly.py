"""Where a match was lost: boards by what they cost the first entrant over all legs of their meeting. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from statistics import fmean
from typing import NamedTuple

from spades_harness.table.match import HandRecord, MatchRecord
from spades_harness.tournament.outcome import legs_of
from spades_harness.tournament.records.ledger import Planned


class Played(NamedTuple):
    """A board as it went in one leg."""

    match: int
    """The match's number in the plan, from 1."""
    sides: tuple[int, ...]
    """The first entrant's: one, or one a copy of it."""
    bids: tuple[int | str | None, ...]
    won: tuple[int, ...]
    difference: int
    """Points of the first entrant's side, less those of the other; the means, rounded, where there are several."""


class Board(NamedTuple):
    """A board in all legs of its meeting."""

    stream: int
    hand_no: int
    legs: tuple[Played, ...]

    @property
    def difference(self) -> int:
        """What the first entrant won on it in all legs, in points; the luck of the cards falls out of the sum."""
        return sum(leg.difference for leg in self.legs)


def costliest(matches: Iterable[tuple[Planned, MatchRecord]], count: int) -> list[Board]:
    """The boards that cost the first entrant most, worst first; only such as were lost, and played in every leg."""
    by_stream = sorted(matches, key=lambda match: (match[0].leg.stream, match[0].leg.leg))
    boards = [
        board
        for stream, legs in groupby(by_stream, key=lambda match: match[0].leg.stream)
        for board in _boards(stream, list(legs))
        if board.difference < 0
    ]
    return sorted(boards, key=lambda board: (board.difference, board.stream, board.hand_no))[:count]


def _boards(stream: int, legs: list[tuple[Planned, MatchRecord]]) -> Iterator[Board]:
    """The boards that all legs of a meeting have in common; none where a leg is missing."""
    if len(legs) < legs_of(legs[0][0].leg.entrants, legs[0][0].leg.mates):
        return
    hands = [{hand.hand_no: hand for hand in record.hands} for _, record in legs]
    for hand_no in sorted(set.intersection(*(set(of_leg) for of_leg in hands))):
        played = (_played(planned, of_leg, hand_no) for (planned, _), of_leg in zip(legs, hands, strict=True))
        yield Board(stream, hand_no, tuple(played))


def _played(planned: Planned, hands: Mapping[int, HandRecord], hand_no: int) -> Played:
    hand, by_side = hands[hand_no], planned.leg.by_side
    own = tuple(side for side, name in enumerate(by_side) if name == planned.leg.entrants[0])
    others = [result.delta for side, result in enumerate(hand.sides) if side not in own]
    lead = fmean(hand.sides[side].delta for side in own) - fmean(others)
    return Played(planned.ordinal, own, hand.bids, hand.won, round(lead))
