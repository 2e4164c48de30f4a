"""What a hand is worth and when a game ends. Pure: a function of rules, bids, tricks and the totals before.

Every number is built from terms that carry the number of their rule, so that an argument can be settled by printing
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from .bids import Bid, BidKind
from .hand import Finished, Totals
from .rules import Rules


class Term(NamedTuple):
    """One part of a side's score: the rule that it comes from, what happened, and the points."""

    rule: str
    what: str
    points: int


class SideScore(NamedTuple):
    """A side's hand: its terms, their sum, and the bags carried on after it."""

    terms: tuple[Term, ...]
    delta: int
    bags: int
    new_bags: int


def score_side(rules: Rules, bids: Sequence[Bid], won: Sequence[int], bags: int) -> SideScore:
    """The score of one side; `bids` and `won` by its seats, `bags` those carried from earlier hands."""
    contract = sum(bid.tricks for bid in bids)
    own = sum(tricks for bid, tricks in zip(bids, won, strict=True) if not bid.is_nil)
    failed = sum(tricks for bid, tricks in zip(bids, won, strict=True) if bid.is_nil)
    over = max(own - contract, 0)
    terms = [*_contract_terms(contract, own, over), *_nil_terms(rules, bids, won, failed)]
    terms += _bag_penalties(rules, bags + over + failed)
    carried = (bags + over + failed) % rules.bag_limit
    return SideScore(tuple(terms), sum(term.points for term in terms), carried, over + failed)


def _contract_terms(contract: int, own: int, over: int) -> list[Term]:
    """R19 and R20. A side of two Nils has no contract to make or to miss."""
    if own < contract:
        return [Term("R20", f"bid {contract}, took {own}: set", -10 * contract)]
    made = [Term("R19", f"bid {contract}, took {own}: made", 10 * contract)] if contract else []
    return made + ([Term("R19", f"{_count(over, 'overtrick')}", over)] if over else [])


def _nil_terms(rules: Rules, bids: Sequence[Bid], won: Sequence[int], failed: int) -> list[Term]:
    """R9, R11 … R13: each Nil for itself; R21, D10: the tricks of failed ones are bags."""
    terms = []
    for bid, tricks in zip(bids, won, strict=True):
        if bid.is_nil:
            rule, value = ("R12", rules.blind_nil_value) if bid.kind is BidKind.BLIND_NIL else ("R9", rules.nil_value)
            what = f"{bid} made" if tricks == 0 else f"{bid} set by {_count(tricks, 'trick')}"
            terms.append(Term(rule, what, value if tricks == 0 else -value))
    return terms + ([Term("R21", f"{_count(failed, 'trick')} of a failed nil", failed)] if failed else [])


def _bag_penalties(rules: Rules, bags: int) -> list[Term]:
    """R22, D6, D8: a penalty for every threshold passed; the rest is carried on."""
    return [Term("R22", f"{rules.bag_limit} bags", -rules.bag_penalty)] * (bags // rules.bag_limit)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def score_hand(hand: Finished) -> tuple[SideScore, ...]:
    """The score of each side, by side."""
    rules = hand.deal.rules
    return tuple(
        score_side(rules, [hand.bids[s] for s in side.seats], [hand.won[s] for s in side.seats], bags)
        for side, bags in zip(rules.shape.sides, hand.deal.totals.bags, strict=True)
    )


def add(totals: Totals, hand: Sequence[SideScore]) -> Totals:
    """The totals after a scored hand."""
    scores = tuple(score + side.delta for score, side in zip(totals.scores, hand, strict=True))
    return Totals(scores, tuple(side.bags for side in hand))


@dataclass(frozen=True, slots=True)
class Game:
    """Play to the rules' own end: the target, or the hand cap."""


@dataclass(frozen=True, slots=True)
class Boards:
    """Play so many hands, scores and bags carried, with no target and no cap; raises ValueError unless 4 divides it."""

    hands: int

    def __post_init__(self) -> None:
        # A multiple of four, so that each seat deals equally often; the cap keeps one match inside an hour or so.
        if type(self.hands) is not int or not 4 <= self.hands <= 1000 or self.hands % 4:
            raise ValueError(f"boards must be a multiple of 4 from 4 to 1000, not {self.hands!r}")


Format: TypeAlias = Game | Boards


class Ending(Enum):
    """Why a game is over."""

    TARGET = "target"
    HAND_CAP = "hand_cap"
    BOARDS = "boards"


def ending(game: Format, rules: Rules, totals: Totals, hands: int) -> Ending | None:
    """Why the game is over after so many hands, None while it goes on (R23, D9, D11, V17)."""
    if isinstance(game, Boards):
        return Ending.BOARDS if hands >= game.hands else None
    if max(totals.scores) >= rules.target and leader(totals) is not None:
        return Ending.TARGET
    return Ending.HAND_CAP if hands >= rules.hand_cap else None


def leader(totals: Totals) -> int | None:
    """The side with the highest score, None where the highest is shared."""
    best = max(totals.scores)
    return totals.scores.index(best) if totals.scores.count(best) == 1 else None
