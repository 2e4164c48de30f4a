"""What a hand is worth and when a game ends. Pure: a function of rules, bids, tricks and the totals before.

Every number is built from terms that carry the number of their rule, so that an argument can be settled by printing
them: a term of no points where an option takes away what the base rules would give. An option of the rules that says
what a hand is worth changes the one function of its terms, or `_count_tricks` where it says which tricks count for
what; an option that says when a game ends changes the one function of that end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from .bids import Bid, BidKind
from .rules import Rules

# ------------------------------------------------------------------------------------------------------------- a hand


class Totals(NamedTuple):
    """What each side has before a hand: points and bags, by side."""

    scores: tuple[int, ...]
    bags: tuple[int, ...]


def no_points(rules: Rules) -> Totals:
    """The totals at the start of a game."""
    zeros = (0,) * len(rules.shape.sides)
    return Totals(zeros, zeros)


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
    """A side's tricks, told apart: those that count towards its contract, and those that don't."""

    contract: int
    blind: int
    """The part of the contract that was bid blind."""
    taken: int
    over: int
    """Overtricks of those who bid numbers."""
    failed: int
    """Tricks of failed nils that are bags."""
    spared: int
    """Tricks of failed nils that V5 keeps from being bags."""


def score_hand(rules: Rules, bids: Sequence[Bid], won: Sequence[int], bags: Sequence[int]) -> tuple[SideScore, ...]:
    """The score of each side, by side; `bids` and `won` by seat, `bags` by side those carried from earlier hands."""
    return tuple(
        score_side(rules, [bids[s] for s in side.seats], [won[s] for s in side.seats], carried)
        for side, carried in zip(rules.shape.sides, bags, strict=True)
    )


def score_side(rules: Rules, bids: Sequence[Bid], won: Sequence[int], bags: int) -> SideScore:
    """The score of one side; `bids` and `won` by its seats, `bags` those carried from earlier hands."""
    count = _count_tricks(rules, bids, won)
    new_bags = _new_bags(rules, count)
    penalties, carried = divmod(bags + new_bags, rules.bag_limit)
    terms = (
        *_contract_terms(rules, count),
        *(term for bid, tricks in zip(bids, won, strict=True) for term in _bid_terms(rules, bid, tricks)),
        *_failed_terms(rules, count),
        *[Term("R22", _plural(rules.bag_limit, "bag"), -rules.bag_penalty)] * penalties,  # D6, D8
    )
    return SideScore(terms, sum(term.points for term in terms), carried, new_bags, count.contract, count.taken)


def _count_tricks(rules: Rules, bids: Sequence[Bid], won: Sequence[int]) -> _Count:
    """R8, R10: the contract is made by those who bid numbers. R21, V5: what becomes of a failed nil's tricks."""
    contract = sum(bid.tricks for bid in bids)
    blind = sum(bid.tricks for bid in bids if bid.kind is BidKind.BLIND_NUMBER)
    failed = sum(tricks for bid, tricks in zip(bids, won, strict=True) if bid.is_nil)
    taken = sum(won) - failed
    over = max(taken - contract, 0)
    match rules.failed_nil:
        case "help":
            bags = max(taken + failed - contract, 0) - over
            return _Count(contract, blind, taken + failed, over, bags, failed - bags)
        case "nothing":
            return _Count(contract, blind, taken, over, 0, failed)
        case _:
            return _Count(contract, blind, taken, over, failed, 0)


def _is_ten(rules: Rules, count: _Count) -> bool:
    """V10: whether the contract counts 200, and no bags."""
    return rules.ten_for_200 and count.contract >= 10


def _without_bags(rules: Rules, count: _Count) -> str:
    """The rule by which there are no bags (V10, V3); empty where there are."""
    if _is_ten(rules, count):
        return "V10"
    return "" if rules.overtricks == "bags" else "V3"


def _new_bags(rules: Rules, count: _Count) -> int:
    """R19, R21; V3, V10: there are no bags."""
    return 0 if _without_bags(rules, count) else count.over + count.failed


def _contract_terms(rules: Rules, count: _Count) -> Iterator[Term]:
    """R19, R20, V10; the blind part of the contract counts double (V9). A side of nils has none to make or to miss."""
    said, is_set = f"bid {count.contract}, took {count.taken}", count.taken < count.contract
    if _is_ten(rules, count):
        yield Term("V10", f"{said}: {'set' if is_set else 'made'}", -TEN_FOR if is_set else TEN_FOR)
        yield from _overtrick_terms(rules, count)
        return
    sign, rule, how = (-1, "R20", "set") if is_set else (1, "R19", "made")
    if count.contract:
        yield Term(rule, f"{said}: {how}", sign * 10 * count.contract)
    if count.blind:
        yield Term("V9", f"{count.blind} of it bid blind, which count double", sign * 10 * count.blind)
    yield from _overtrick_terms(rules, count)


def _overtrick_terms(rules: Rules, count: _Count) -> Iterator[Term]:
    """R19, V3; nothing beside the 200 of V10."""
    if count.over:
        worth = 0 if _is_ten(rules, count) else OVERTRICK[rules.overtricks]
        yield Term(_without_bags(rules, count) or "R19", _plural(count.over, "overtrick"), worth * count.over)


TEN_FOR: Final = 200
"""V10: what a contract of ten or more is worth, won or lost."""
OVERTRICK: Final = {"bags": 1, "none": 0, "minus_1": -1, "minus_10": -10}
"""V3: what an overtrick is worth."""


def _bid_terms(rules: Rules, bid: Bid, tricks: int) -> Iterator[Term]:
    """R9, R11 … R13, V6: what a bid of no tricks is worth; each stands for itself."""
    match bid.kind:
        case BidKind.NIL:
            yield _nil_term("R9", bid, tricks, rules.nil_value)
        case BidKind.BLIND_NIL:
            yield _nil_term("R12", bid, tricks, rules.blind_nil_value)
        case BidKind.ZERO if rules.zero == "bonus" and not tricks:
            yield Term("V6", "zero made", rules.nil_value)
        case _:
            pass


def _nil_term(rule: str, bid: Bid, tricks: int, value: int) -> Term:
    if tricks:
        return Term(rule, f"{bid} set by {_plural(tricks, 'trick')}", -value)
    return Term(rule, f"{bid} made", value)


def _failed_terms(rules: Rules, count: _Count) -> Iterator[Term]:
    """R21, D10, V5: a point and a bag each; V3, V10: nothing where there are no bags; V5: nor for those it spares."""
    if count.failed:
        rule = _without_bags(rules, count)
        bags = "V5" if rules.failed_nil == "help" else "R21"
        yield Term(rule or bags, f"{_plural(count.failed, 'trick')} of a failed nil", 0 if rule else count.failed)
    if count.spared:
        helps = ", counted for the contract" if rules.failed_nil == "help" else ""
        yield Term("V5", f"{_plural(count.spared, 'trick')} of a failed nil{helps}", 0)


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def add(totals: Totals, hand: Sequence[SideScore]) -> Totals:
    """The totals after a scored hand."""
    scores = tuple(score + side.delta for score, side in zip(totals.scores, hand, strict=True))
    return Totals(scores, tuple(side.bags for side in hand))


# ------------------------------------------------------------------------------------------------------------- a game


@dataclass(frozen=True, slots=True)
class Game:
    """Play to the rules' own end: the target or what stands beside it, or the hand cap."""


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
    TIE_BREAK = "tie_break"
    """V2: equal at the target, and decided by the hand after it or by the last one."""
    DRAW = "draw"
    """V2: equal at the target."""
    BEHIND = "behind"
    FLOOR = "floor"
    HAND_CAP = "hand_cap"
    BOARDS = "boards"


def ending(game: Format, rules: Rules, history: Sequence[Totals]) -> Ending | None:
    """Why the game is over, None while it goes on; `history` has the totals after each of its hands, at least one.

    The target is tested before the other ends of V4, and the hand cap last (R23, D9, D11, V2, V17).
    """
    if isinstance(game, Boards):
        return Ending.BOARDS if len(history) >= game.hands else None
    ended = _at_target(rules, history) or _by_loss(rules, history[-1])
    return ended or (Ending.HAND_CAP if len(history) >= rules.hand_cap else None)


def _at_target(rules: Rules, history: Sequence[Totals]) -> Ending | None:
    """R23, and V2 where the highest score is shared."""
    if rules.tie == "one_more" and _is_tied_at_target(rules, history[:-1]):
        return None if leader(history[-1]) is None else Ending.TIE_BREAK
    if not _reaches_target(rules, history[-1]):
        return None
    if leader(history[-1]) is not None:
        return Ending.TARGET
    match rules.tie:
        case "draw":
            return Ending.DRAW
        case "last_hand":
            return None if _best_of_last_hand(history[-1], _last_hand(history)) is None else Ending.TIE_BREAK
        case _:
            return None


def _reaches_target(rules: Rules, totals: Totals) -> bool:
    return rules.target is not None and max(totals.scores) >= rules.target


def _is_tied_at_target(rules: Rules, history: Sequence[Totals]) -> bool:
    """V2, one more hand: whether the hand after these decides; one that leaves all equal again passes that on."""
    for totals in reversed(history):
        if leader(totals) is not None:
            return False
        if _reaches_target(rules, totals):
            return True
    return False


def _last_hand(history: Sequence[Totals]) -> tuple[int, ...]:
    """The points that the last hand brought, by side."""
    before = history[-2].scores if len(history) > 1 else (0,) * len(history[-1].scores)
    return tuple(after - score for after, score in zip(history[-1].scores, before, strict=True))


def _by_loss(rules: Rules, totals: Totals) -> Ending | None:
    """V4: a side has lost by being behind, or by its own score; while the highest score is shared, play goes on."""
    if leader(totals) is None:
        return None
    lowest = min(totals.scores)
    if rules.behind is not None and max(totals.scores) - lowest >= rules.behind:
        return Ending.BEHIND
    return Ending.FLOOR if rules.floor is not None and lowest <= rules.floor else None


def leader(totals: Totals) -> int | None:
    """The side with the highest score, None where the highest is shared."""
    best = max(totals.scores)
    return totals.scores.index(best) if totals.scores.count(best) == 1 else None


def winner(over: Ending, totals: Totals, last: Sequence[int]) -> int | None:
    """The side that has won a game that ended so, None for a draw; `last` is what the last hand brought, by side."""
    return _best_of_last_hand(totals, last) if over is Ending.TIE_BREAK else leader(totals)


def _best_of_last_hand(totals: Totals, last: Sequence[int]) -> int | None:
    """V2: of the sides with the highest score the one with the best last hand; None where that is shared too."""
    best = max(totals.scores)
    tied = [side for side, score in enumerate(totals.scores) if score == best]
    most = max(last[side] for side in tied)
    found = [side for side in tied if last[side] == most]
    return found[0] if len(found) == 1 else None
