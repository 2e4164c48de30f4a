"""A match as a person reads it: cards, bids, tricks, faults and scores as lines of text. Pure.

The record is played through the rules again, so what is told here is what the rules make of the decisions, not what
somebody wrote down beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from spades_harness.game.bids import Bid
from spades_harness.game.cards import HIGH_TWO_S, SUIT_MASK, Card, Cards, Suit, card_name, iterate, show_card
from spades_harness.game.hand import Hand, Pass, Totals, no_points
from spades_harness.game.notation import read_action
from spades_harness.game.rules import Rules
from spades_harness.game.score import SideScore, add

from .judge import suspicion
from .match import Decision, Fault, MatchRecord, Result

DealHand: TypeAlias = Callable[[int, Totals], Hand]
"""A match's hand by its number (from 0) and the totals before it, as it was dealt."""


def tell_match(
    rules: Rules, names: Sequence[str], record: MatchRecord, deal: DealHand, hands: Iterable[int] = ()
) -> Iterator[str]:
    """The whole match line by line, or only the hands whose numbers are given; `names` are the bots by seat.

    Raises ValueError when the record doesn't follow the rules.
    """
    wanted = set(hands)
    totals = no_points(rules)
    for fault in record.faults:
        if not fault.hand_no:
            yield show_fault(rules, fault)
    for number in range(1, len(record.hands) + 2):
        decisions = [decision for decision in record.decisions if decision.hand_no == number]
        faults = [fault for fault in record.faults if fault.hand_no == number]
        state = replay(rules, deal(number - 1, totals), decisions)
        if (not wanted or number in wanted) and (decisions or faults):
            yield from _hand_lines(rules, names, state, faults, decisions)
            yield ""
        if state.over:
            totals = add(totals, state.scores())
        elif number <= len(record.hands):
            raise ValueError(f"hand {number}: the record stops in the middle of the hand")
    yield _ending(rules, record.result, record.void)


def hands_told(record: MatchRecord) -> list[int]:
    """The numbers of the hands that there is something to tell of, finished or broken off."""
    played = {decision.hand_no for decision in record.decisions}
    return sorted(played | {fault.hand_no for fault in record.faults if fault.hand_no})


def replay(rules: Rules, hand: Hand, decisions: Sequence[Decision]) -> Hand:
    """A hand played again as far as its decisions go; raises ValueError when they break the rules."""
    for decision in decisions:
        if hand.over or hand.seat != decision.seat or hand.kind != decision.kind:
            raise ValueError(f"hand {decision.hand_no}: a decision that nobody was asked for")
        hand = hand.apply(read_action(decision.kind, rules, decision.written))
    return hand


def show_hand(cards: Cards) -> str:
    """A hand by suits, `♠ A K 7  ♥ Q 9  ♦ –  ♣ J 4`."""
    return "  ".join(f"{suit.symbol} {_ranks(cards & SUIT_MASK[suit])}" for suit in reversed(Suit))


def _ranks(cards: Cards) -> str:
    """High to low by rank; jokers by their names, and high deuces with their suits."""
    return " ".join(card_name(c)[0] if c < HIGH_TWO_S else show_card(c) for c in reversed(iterate(cards))) or "–"


def _hand_lines(
    rules: Rules, names: Sequence[str], hand: Hand, faults: Sequence[Fault], decisions: Sequence[Decision]
) -> Iterator[str]:
    """A hand, finished or broken off."""
    deal, seats = hand.deal, rules.shape.seats
    dealt = deal.hands if hand.over or any(deal.hands) else hand.hands  # the latter while cards are being drawn
    yield f"Hand {deal.number + 1}, dealt by {seats[deal.dealer]}.  {_totals(rules, deal.totals)}"
    width = max(len(name) for name in names)
    for seat, letter in enumerate(seats):
        yield f"  {letter} {names[seat]:<{width}}  {show_hand(dealt[seat])}"
    bids = ((seat, hand.bids[seat]) for seat in _from(deal.dealer + 1, len(seats)))
    yield "  bids   " + "   ".join(f"{seats[seat]} {bid}" for seat, bid in bids if bid is not None)
    yield from _passes(seats, hand.passes)
    for number, trick in enumerate(hand.tricks, 1):
        yield f"  {number:>2}     {_cards(rules, trick.leader, trick.cards)}   won by {seats[trick.winner]}"
    if not hand.over and hand.trick:
        yield f"  {len(hand.tricks) + 1:>2}     {_cards(rules, hand.leader, hand.trick)}"
    yield from _remarks(rules, faults, decisions)
    if hand.over:
        yield "  taken  " + "   ".join(f"{seats[seat]} {hand.won[seat]}" for seat in range(len(seats)))
        yield from _scores(rules, hand.scores(), add(deal.totals, hand.scores()))
    else:
        yield f"Hand {deal.number + 1} was not finished."


def _passes(seats: Sequence[str], passes: Sequence[Pass]) -> Iterator[str]:
    """What was put aside while cards were drawn, in one line a player; then who gave, or threw away, what."""
    first = next((at - 1 for at, passed in enumerate(passes) if passed.giver is None), len(passes))
    for seat, letter in enumerate(seats):
        if aside := [p.cards for p in passes[:first] if p.giver == seat and p.receiver is None]:
            yield f"  {letter} puts aside: {_shown(*aside)}"
    for at, passed in enumerate(passes):
        if (at >= first or passed.receiver is not None) and (passed.cards or passed.giver is not None):
            yield f"  {_passed(seats, passed)}: {_shown(passed.cards)}"


def _passed(seats: Sequence[str], passed: Pass) -> str:
    match passed:
        case Pass(giver=int(giver), receiver=int(receiver)):
            return f"{seats[giver]} gives {seats[receiver]}"
        case Pass(giver=int(giver)):
            return f"{seats[giver]} throws away"
        case _:
            return f"{seats[passed.receiver or 0]} gets for that"


def _shown(*sets: Cards) -> str:
    """Cards, set by set."""
    return " ".join(show_card(card) for cards in sets for card in iterate(cards)) or "nothing"


def _cards(rules: Rules, leader: int, cards: Sequence[Card]) -> str:
    """The cards of a trick with their seats."""
    seats = rules.shape.seats
    order = _from(leader, len(seats))
    return "  ".join(f"{seats[seat]} {show_card(card)}" for seat, card in zip(order, cards, strict=False))


def _from(first: int, seats: int) -> list[int]:
    return [(first + turn) % seats for turn in range(seats)]


def _remarks(rules: Rules, faults: Sequence[Fault], decisions: Sequence[Decision]) -> Iterator[str]:
    """What the cards don't show: faults, substitutes, and the bots' own notes."""
    seats = rules.shape.seats
    for fault in faults:
        yield f"  {show_fault(rules, fault)}"
    faulty = {fault.seat for fault in faults}
    for decision in decisions:
        if decision.substituted and decision.seat in faulty:
            yield f"  {seats[decision.seat]}: the substitute {_choice(rules, decision)}"
        if decision.note:
            yield f"  {seats[decision.seat]} notes ({decision.kind}): {decision.note}"


def show_fault(rules: Rules, fault: Fault) -> str:
    """A fault in one line."""
    where = f"hand {fault.hand_no}, {fault.asked}" if fault.hand_no else "at the start"
    answer = f"; it answered {fault.answer}" if fault.answer else ""
    suspect = f"; suspect: {why}" if (why := suspicion(fault)) else ""
    return f"FAULT of {rules.shape.seats[fault.seat]} ({fault.kind.value}, {where}): {fault.what}{answer}{suspect}"


def _scores(rules: Rules, scores: Sequence[SideScore], after: Totals) -> Iterator[str]:
    for index, side in enumerate(rules.shape.sides):
        terms = "; ".join(f"{term.what} {term.points:+d} ({term.rule})" for term in scores[index].terms) or "nothing"
        total = f"{_plural(after.scores[index], 'point')}, {_plural(after.bags[index], 'bag')}"
        yield f"  {side.name}: {terms}  = {scores[index].delta:+d}  → {total}"


def _totals(rules: Rules, totals: Totals) -> str:
    sides = zip(rules.shape.sides, totals.scores, totals.bags, strict=True)
    return "  ".join(f"{side.name} {score} ({_plural(bags, 'bag')})" for side, score, bags in sides)


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _choice(rules: Rules, decision: Decision) -> str:
    action = read_action(decision.kind, rules, decision.written)
    match decision.kind:
        case "play" if isinstance(action, int):
            return f"plays {show_card(action)}"
        case "draw":
            return f"{action}s the card"
        case "exchange" if isinstance(action, int):
            return f"gives {' '.join(show_card(card) for card in iterate(action))}"
        case _:
            return f"bids {action}" if isinstance(action, Bid) else "looks"


def _ending(rules: Rules, result: Result | None, void: str) -> str:
    if result is None:
        return f"The match is void, and counts for nobody: {void}"
    shape = rules.shape
    score = "  ".join(f"{side.name} {points}" for side, points in zip(shape.sides, result.totals.scores, strict=True))
    if result.forfeits:
        losers = " and ".join(shape.sides[side].name for side in result.forfeits)
        return f"Forfeited by {losers}. Score of the last full hand: {score}."
    reason = result.ending.value.replace("_", " ") if result.ending else ""
    return f"End after {_plural(result.hands, 'hand')} ({reason}).  {score}"
