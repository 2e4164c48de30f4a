"""What a hand is worth and when a game ends. Pure: a function of rules, bids, tricks and the totals before.

Every number is built from terms that carry the number of their rule, so that an argument can be settled by printing
them. An option of the rules that says what a hand is worth changes the one function of its terms, or `_count_tricks`
where it says which tricks count for what; an option that says when a game ends changes `ending`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    """A side's hand: its terms, their sum, the bags carried on after it, and what it played for."""

    terms: tuple[Term, ...]
    delta: int
    bags: int
    new_bags: int
    contract: int
    taken: int
    """Tricks that counted towards the contract."""


class _Count(NamedTuple):
    """A side's tricks, told apart: those that count towards its contract, and those that are bags."""

    contract: int
    taken: int
    over: int
    failed: int
    """Tricks of failed nils."""


def score_side(rules: Rules, bids: Sequence[Bid], won: Sequence[int], bags: int) -> SideScore:
    """The score of one side; `bids` and `won` by its seats, `bags` those carried from earlier hands."""
    count = _count_tricks(bids, won)
    new_bags = count.over + count.failed
    penalties, carried = divmod(bags + new_bags, rules.bag_limit)
    terms = (
        *_contract_terms(count),
        *(_nil_term(rules, bid, tricks) for bid, tricks in zip(bids, won, strict=True) if bid.is_nil),
        *_failed_terms(count),
        *[Term("R22", f"{rules.bag_limit} bags", -rules.bag_penalty)] * penalties,  # D6, D8
    )
    return SideScore(terms, sum(term.points for term in terms), carried, new_bags, count.contract, count.taken)


def _count_tricks(bids: Sequence[Bid], won: Sequence[int]) -> _Count:
    """R8, R10, R21: the contract is made by those who bid numbers; a failed nil's tricks are bags, and no help."""
    contract = sum(bid.tricks for bid in bids)
    taken = sum(tricks for bid, tricks in zip(bids, won, strict=True) if not bid.is_nil)
    return _Count(contract, taken, over=max(taken - contract, 0), failed=sum(won) - taken)


def _contract_terms(count: _Count) -> Iterator[Term]:
    """R19, R20. A side of two nils has no contract to make or to miss."""
    said = f"bid {count.contract}, took {count.taken}"
    if count.taken < count.contract:
        yield Term("R20", f"{said}: set", -10 * count.contract)
    elif count.contract:
        yield Term("R19", f"{said}: made", 10 * count.contract)
    if count.over:
        yield Term("R19", _plural(count.over, "overtrick"), count.over)


def _nil_term(rules: Rules, bid: Bid, tricks: int) -> Term:
    """R9, R11 … R13: each nil stands for itself."""
    rule, value = ("R12", rules.blind_nil_value) if bid.kind is BidKind.BLIND_NIL else ("R9", rules.nil_value)
    if tricks:
        return Term(rule, f"{bid} set by {_plural(tricks, 'trick')}", -value)
    return Term(rule, f"{bid} made", value)


def _failed_terms(count: _Count) -> Iterator[Term]:
    """R21, D10: a point and a bag each, whatever became of the contract."""
    if count.failed:
        yield Term("R21", f"{_plural(count.failed, 'trick')} of a failed nil", count.failed)


def _plural(number: int, noun: str) -> str:
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
