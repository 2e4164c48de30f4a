"""What a hand is worth, as `spades score` is asked: bids and tricks from words, the score as words. No printing.

The scoring itself is the referee's: `game.score`. That bids can be made under the rules, the game's own bidding says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from spades_harness.errors import UserError
from spades_harness.game.bidding import Bids, blind_bids, must_bid_blind, open_bids, rule_against, with_bid
from spades_harness.game.bids import NIL, Bid, BidKind
from spades_harness.game.cards import HAND_SIZE
from spades_harness.game.hand import Deal, Totals, no_points
from spades_harness.game.notation import read_bid, write_bid
from spades_harness.game.options import read_whole
from spades_harness.game.rules import Rules
from spades_harness.game.score import Ending, Game, SideScore, ending, leader, score_side, winner
from spades_harness.game.shape import Side

from .pairs import Wanted, read_pairs

_DIGITS: Final = re.compile(r"[+-]?[0-9]+")
NEVER: Final = 10_000
"""A hand cap that no question reaches: how many hands were played is not told."""


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, by name: bids and tricks won by seat, of whole sides; scores and bags before the hand by side."""

    rules: Rules
    bids: Mapping[str, Bid]
    won: Mapping[str, int]
    before: Mapping[str, tuple[int, int]]
    """As far as it was given."""

    @property
    def sides(self) -> list[Side]:
        """The sides that are to be scored."""
        return [side for side in self.rules.shape.sides if _letters(self.rules, side)[0] in self.bids]

    @property
    def totals(self) -> Totals:
        """The totals before the hand; none of what was not given."""
        scores, bags = zip(*(self.before.get(side.name, (0, 0)) for side in self.rules.shape.sides), strict=True)
        return Totals(scores, bags)

    @property
    def is_complete(self) -> bool:
        """Whether the totals before the hand were given of every side."""
        return len(self.before) == len(self.rules.shape.sides)


@dataclass(frozen=True, slots=True)
class Scored:
    """A side's hand, and its totals before and after it."""

    name: str
    told: str
    """What it bid and took, in words."""
    hand: SideScore
    before: tuple[int, int]
    """Score and bags, as is `after`."""

    @property
    def after(self) -> tuple[int, int]:
        """Score and bags."""
        return self.before[0] + self.hand.delta, self.hand.bags


def _letters(rules: Rules, side: Side) -> list[str]:
    return [rules.shape.seats[seat] for seat in side.seats]


# --------------------------------------------------------------------------------------------------- reading a question


def read_question(rules: Rules, bids: str, won: str, before: str | None) -> Question:
    """The question that these words ask. Raises UserError."""
    seats = rules.shape.seats
    asked = {
        seat: _bid(rules, seat, word)
        for seat, word in read_pairs(Wanted("--bids", "seat", seats, f"{seats[0]}=4,{seats[1]}=nil"), bids).items()
    }
    _whole_sides(rules, asked)
    taken = _won(rules, asked, won)
    question = Question(rules, asked, taken, {} if before is None else _before(rules, before))
    for side in question.sides:
        _refuse_impossible(question, side)
    return question


def _bid(rules: Rules, seat: str, word: str) -> Bid:
    lower, only = _spelling(word.lower()), rules.zero == "only"
    number = read_whole(lower)
    written: int | str = 0 if lower == ("zero" if only else "nil") else lower if number is None else number
    try:
        found = read_bid(rules, written)
    except ValueError:
        found = None
    if not isinstance(found, Bid):
        raise UserError(f"--bids: {seat}={word}: there is no such bid under these rules; write {_bids_in_words(rules)}")
    return found


def _spelling(word: str) -> str:
    """A blind bid as the notation has it; people say `blind nil`, `double nil` and `blind 6` too."""
    match word.replace("_", " ").split():
        case ["blind" | "double", "nil"] | ["blindnil" | "doublenil" | "dn"]:
            return BidKind.BLIND_NIL.value
        case ["blind", number]:
            return f"{BidKind.BLIND_NUMBER.value}{number}"
        case _:
            return word


def _bids_in_words(rules: Rules) -> str:
    """Every bid of these rules, as it may be written."""
    words = ["0 (no Nil)" if rules.zero == "only" else "nil (or 0)", f"1 … {HAND_SIZE}"]
    words += ["zero"] if rules.zero in {"plain", "bonus"} else []
    words += ["blind_nil (Double Nil)"] if rules.blind_nil else []
    words += [f"blind{rules.blind_number} … blind{HAND_SIZE}"] if rules.blind_number else []
    return ", ".join(words)


def _whole_sides(rules: Rules, asked: Mapping[str, Bid]) -> None:
    for side in rules.shape.sides:
        missing = [seat for seat in _letters(rules, side) if seat not in asked]
        if 0 < len(missing) < len(side.seats):
            raise UserError(f"--bids: {side.name} are scored together, and {missing[0]} is missing; give its bid too")


def _won(rules: Rules, asked: Mapping[str, Bid], text: str) -> dict[str, int]:
    """Tricks by seat, of those seats whose bids were given: all thirteen where that is everybody."""
    seats = rules.shape.seats
    found = {
        seat: _tricks(seat, word)
        for seat, word in read_pairs(Wanted("--won", "seat", seats, f"{seats[0]}=4,{seats[1]}=0"), text).items()
    }
    for seat in seats:
        if (seat in found) != (seat in asked):
            lacking = "--won" if seat in asked else "--bids"
            raise UserError(f"{lacking}: {seat} is missing; give the same seats in --bids and --won")
    tricks = sum(found.values())
    if tricks > HAND_SIZE or (tricks < HAND_SIZE and len(found) == len(seats)):
        due = f"{HAND_SIZE} are played" if len(found) == len(seats) else f"only {HAND_SIZE} are played"
        raise UserError(f"--won: the tricks come to {tricks}, and {due} in a hand; correct one of them")
    return found


def _tricks(seat: str, word: str) -> int:
    tricks = read_whole(word)
    if tricks is None or not 0 <= tricks <= HAND_SIZE:
        raise UserError(f"--won: {seat}={word}: must be a number of tricks from 0 to {HAND_SIZE}")
    return tricks


def _before(rules: Rules, text: str) -> dict[str, tuple[int, int]]:
    sides = [side.name for side in rules.shape.sides]
    found = read_pairs(Wanted("--before", "side", sides, f"{sides[0]}=337/7"), text)
    return {side: _total(rules, side, word) for side, word in found.items()}


def _total(rules: Rules, side: str, word: str) -> tuple[int, int]:
    """A score and the bags that are carried: fewer than cost the penalty, which has been paid for the rest."""
    points, _, carried = word.partition("/")
    score, bags = read_whole(points.strip()), read_whole(carried.strip())
    if any(number is None and _DIGITS.fullmatch(part.strip()) for number, part in ((score, points), (bags, carried))):
        raise UserError(f"--before: {side}={word}: too large; no number of these has more than nine digits")
    if score is None or bags is None:
        raise UserError(f"--before: {side}={word}: must be points/bags, as in {side}=337/7")
    most = rules.bag_limit - 1 if rules.overtricks == "bags" else 0
    if not 0 <= bags <= most:
        why = f"{rules.bag_limit} bags cost a penalty at once" if most else "no bags are carried under these rules"
        raise UserError(f"--before: {side}={word}: the bags must be from 0 to {most}, since {why}")
    return score, bags


def _refuse_impossible(question: Question, side: Side) -> None:
    """Raises UserError for bids that the side's players may not make; that the cards allow them is taken on trust.

    So is a deficit for Double Nil, unless all totals are given.
    """
    trusted = replace(question.rules, bidding="free")
    if not question.is_complete:
        trusted = replace(trusted, blind_deficit=0)
    seats = trusted.shape.seats
    deal = Deal(trusted, 0, 0, (0,) * len(seats), question.totals)
    made: Bids = (None,) * len(seats)
    for seat in side.seats:
        bid, choices = question.bids[seats[seat]], _choices(deal, made, seat)
        if bid not in choices:
            may = ", ".join(_word(choice) for choice in choices) or "no bid at all"
            raise UserError(f"--bids: {_why_not(deal, made, seat, bid)}, but {may} may")
        made = with_bid(made, seat, bid)


def _why_not(deal: Deal, made: Bids, seat: int, bid: Bid) -> str:
    """The rule against a bid, and beside which other where that is what makes it illegal."""
    seats, partner = deal.rules.shape.seats, deal.rules.shape.partner(seat)
    before = None if partner is None else made[partner]
    is_free = before is not None and bid in _choices(deal, (None,) * len(made), seat)
    beside = f" beside {seats[partner or 0]}={_word(before)}" if before is not None and is_free else ""
    looked = not must_bid_blind(deal.rules) and bid.kind not in {BidKind.BLIND_NIL, BidKind.BLIND_NUMBER}
    why = rule_against(deal, made, seat, bid, looked=looked)
    return f"{seats[seat]}={_word(bid)} may not be bid{beside}: {why}"


def _choices(deal: Deal, made: Bids, seat: int) -> list[Bid]:
    """Whatever a seat might bid, before looking or after."""
    blind = blind_bids(deal, made, seat)
    return [*([] if must_bid_blind(deal.rules) else open_bids(deal, made, seat, 0)), *blind]


def _word(bid: Bid) -> str:
    """A bid as it is written on the command line."""
    return "nil" if bid == NIL else str(write_bid(bid))


# ----------------------------------------------------------------------------------------------------------- the answer


def score(question: Question) -> list[Scored]:
    """What the hand is worth to each side that was asked for."""
    return [_score(question, side) for side in question.sides]


def _score(question: Question, side: Side) -> Scored:
    letters = _letters(question.rules, side)
    bids, won = [question.bids[seat] for seat in letters], [question.won[seat] for seat in letters]
    before = question.before.get(side.name, (0, 0))
    told = "; ".join(
        f"{seat} bid {bid} and took {tricks}" for seat, bid, tricks in zip(letters, bids, won, strict=True)
    )
    return Scored(side.name, told, score_side(question.rules, bids, won, before[1]), before)


def as_tree(scored: Iterable[Scored]) -> dict[str, Any]:
    """The scores by side, for JSON."""
    return {
        side.name: {
            "delta": side.hand.delta,
            "score": side.after[0],
            "bags": side.after[1],
            "terms": [term._asdict() for term in side.hand.terms],
        }
        for side in scored
    }


def as_lines(scored: Sequence[Scored]) -> Iterator[str]:
    """The scores for people: each term with its rule's number, their sum, and the totals before and after."""
    width = max((len(term.what) for side in scored for term in side.hand.terms), default=0)
    for side in scored:
        yield f"{side.name}: {side.told}"
        for term in side.hand.terms:
            yield f"  {term.rule:<3}  {term.what:<{width}}  {term.points:+5d}"
        (score, bags), (score_after, bags_after) = side.before, side.after
        yield f"  sum  {'':<{width}}  {side.hand.delta:+5d}   score {score} → {score_after}, bags {bags} → {bags_after}"


def outlook(question: Question, scored: Sequence[Scored]) -> str | None:
    """Whether the game is over after this hand, in words; None unless it was asked for the whole table.

    How many hands there were is not told, so the hand cap is left open, and so is a tie at the target before the hand
    before this one (V2, one more hand).
    """
    rules, before = question.rules, question.totals
    if len(scored) < len(rules.shape.sides):
        return None
    uncapped = replace(rules, hand_cap=NEVER)
    if (ended := ending(Game(), uncapped, [before])) is not None:
        return f"The game was over before this hand ({_named(ended)})"
    after = Totals(tuple(side.after[0] for side in scored), tuple(side.after[1] for side in scored))
    over = ending(Game(), uncapped, [before, after]) or (Ending.HAND_CAP if rules.hand_cap == 1 else None)
    return _goes_on(rules, before, after) if over is None else _over(over, scored, after)


def _goes_on(rules: Rules, before: Totals, after: Totals) -> str:
    """And what might have ended it: equal before, below the target, may be equal still; at the start it can't be."""
    unless = f"The game goes on, unless this was hand {rules.hand_cap}"
    might_decide = rules.tie == "one_more" and leader(before) is None and leader(after) is not None
    if might_decide and before != no_points(rules):
        return f"{unless}, or the leaders have been equal since they were at the target (V2)"
    return unless


def _over(over: Ending, scored: Sequence[Scored], after: Totals) -> str:
    won = winner(over, after, [side.hand.delta for side in scored])
    return f"The game is over ({_named(over)}): {'a draw' if won is None else f'{scored[won].name} wins'}"


def _named(ended: Ending) -> str:
    return ended.value.replace("_", " ")
