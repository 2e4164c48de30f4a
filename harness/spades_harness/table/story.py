"""A match as a person reads it: cards, bids, tricks, faults and scores as lines of text. Pure.

The record is played through the rules again, so what is told here is what the rules make of the decisions, not what
somebody wrote down beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spades_harness.game.bids import Bid
from spades_harness.game.cards import SUIT_MASK, Cards, Suit, card_name, iterate, show_card
from spades_harness.game.hand import Deal, Finished, Hand, Totals, no_points, start_hand
from spades_harness.game.notation import read_action
from spades_harness.game.rules import Rules
from spades_harness.game.score import SideScore, add, score_hand

from .match import Decision, Fault, HandRecord, MatchRecord, Result


def tell_match(rules: Rules, names: Sequence[str], record: MatchRecord, hands: Iterable[int] = ()) -> Iterator[str]:
    """The whole match line by line, or only the hands whose numbers are given; `names` are the bots by seat.

    Raises ValueError when the record doesn't follow the rules.
    """
    wanted = set(hands)
    totals = no_points(rules)
    for fault in record.faults:
        if not fault.hand_no:
            yield show_fault(rules, fault)
    for hand in record.hands:
        finished = replay_hand(rules, hand, [d for d in record.decisions if d.hand_no == hand.hand_no], totals)
        if not wanted or hand.hand_no in wanted:
            faults = [fault for fault in record.faults if fault.hand_no == hand.hand_no]
            yield from _hand_lines(rules, names, finished, faults, record.decisions)
            yield ""
        totals = add(totals, score_hand(finished))
    yield from _unfinished(rules, names, record, wanted)
    yield _ending(rules, record.result, record.void)


def replay_hand(rules: Rules, hand: HandRecord, decisions: Sequence[Decision], totals: Totals) -> Finished:
    """A recorded hand played again from its decisions; raises ValueError when they break the rules or stop short."""
    state: Hand = start_hand(Deal(rules, hand.hand_no - 1, hand.dealer, hand.dealt, totals))
    for decision in decisions:
        if isinstance(state, Finished) or state.seat != decision.seat or state.kind != decision.kind:
            raise ValueError(f"hand {hand.hand_no}: a decision that nobody was asked for")
        state = state.apply(read_action(decision.kind, rules, decision.written))
    if not isinstance(state, Finished):
        raise ValueError(f"hand {hand.hand_no}: the record stops in the middle of the hand")
    return state


def show_hand(cards: Cards) -> str:
    """A hand by suits, `♠ A K 7  ♥ Q 9  ♦ –  ♣ J 4`."""
    return "  ".join(f"{suit.symbol} {_ranks(cards & SUIT_MASK[suit])}" for suit in reversed(Suit))


def _ranks(cards: Cards) -> str:
    names = [card_name(card) for card in sorted(iterate(cards), reverse=True)]
    return " ".join(name if name[1] == "J" else name[0] for name in names) or "–"


def _hand_lines(
    rules: Rules, names: Sequence[str], hand: Finished, faults: Sequence[Fault], decisions: Sequence[Decision]
) -> Iterator[str]:
    deal, seats = hand.deal, rules.shape.seats
    yield f"Hand {deal.number + 1}, dealt by {seats[deal.dealer]}.  {_totals(rules, deal.totals)}"
    width = max(len(name) for name in names)
    for seat, letter in enumerate(seats):
        yield f"  {letter} {names[seat]:<{width}}  {show_hand(deal.hands[seat])}"
    yield "  bids   " + "   ".join(f"{seats[s]} {hand.bids[s]}" for s in _from(deal.dealer + 1, len(seats)))
    for passed in hand.passes:
        cards = " ".join(show_card(card) for card in iterate(passed.cards))
        yield f"  {seats[passed.giver]} gives {seats[passed.receiver]}: {cards}"
    for number, trick in enumerate(hand.tricks, 1):
        order = _from(trick.leader, len(seats))
        cards = "  ".join(f"{seats[s]} {show_card(card)}" for s, card in zip(order, trick.cards, strict=True))
        yield f"  {number:>2}     {cards}   won by {seats[trick.winner]}"
    yield "  taken  " + "   ".join(f"{seats[s]} {hand.won[s]}" for s in range(len(seats)))
    yield from _remarks(rules, deal.number + 1, faults, decisions)
    yield from _scores(rules, score_hand(hand), add(deal.totals, score_hand(hand)))


def _from(first: int, seats: int) -> list[int]:
    return [(first + turn) % seats for turn in range(seats)]


def _remarks(rules: Rules, hand_no: int, faults: Sequence[Fault], decisions: Sequence[Decision]) -> Iterator[str]:
    """What the cards don't show: faults, substitutes, and the bots' own notes."""
    seats = rules.shape.seats
    for fault in faults:
        yield f"  {show_fault(rules, fault)}"
    for decision in decisions:
        if decision.hand_no == hand_no and decision.note:
            yield f"  {seats[decision.seat]} notes ({decision.kind}): {decision.note}"


def show_fault(rules: Rules, fault: Fault) -> str:
    """A fault in one line."""
    where = f"hand {fault.hand_no}, {fault.asked}" if fault.hand_no else "at the start"
    answer = f"; it answered {fault.answer}" if fault.answer else ""
    return f"FAULT of {rules.shape.seats[fault.seat]} ({fault.kind.value}, {where}): {fault.what}{answer}"


def _scores(rules: Rules, scores: Sequence[SideScore], after: Totals) -> Iterator[str]:
    for index, side in enumerate(rules.shape.sides):
        terms = "; ".join(f"{term.what} {term.points:+d} ({term.rule})" for term in scores[index].terms) or "nothing"
        total = f"{after.scores[index]} points, {after.bags[index]} bags"
        yield f"  {side.name}: {terms}  = {scores[index].delta:+d}  → {total}"


def _totals(rules: Rules, totals: Totals) -> str:
    sides = zip(rules.shape.sides, totals.scores, totals.bags, strict=True)
    return "  ".join(f"{side.name} {score} ({bags} bags)" for side, score, bags in sides)


def _unfinished(rules: Rules, names: Sequence[str], record: MatchRecord, wanted: set[int]) -> Iterator[str]:
    """The hand in which the match broke off: what was decided, and the fault."""
    number = len(record.hands) + 1
    rest = [d for d in record.decisions if d.hand_no == number]
    faults = [fault for fault in record.faults if fault.hand_no == number]
    if not (rest or faults) or (wanted and number not in wanted):
        return
    yield f"Hand {number} was not finished."
    seats = rules.shape.seats
    for decision in rest:
        yield f"  {seats[decision.seat]} {names[decision.seat]}: {_choice(rules, decision)}"
    for fault in faults:
        yield f"  {show_fault(rules, fault)}"
    yield ""


def _choice(rules: Rules, decision: Decision) -> str:
    action = read_action(decision.kind, rules, decision.written)
    by = " (the substitute's)" if decision.substituted else ""
    match decision.kind:
        case "play" if isinstance(action, int):
            return f"plays {show_card(action)}{by}"
        case "exchange" if isinstance(action, int):
            return f"gives {' '.join(show_card(card) for card in iterate(action))}{by}"
        case _:
            return f"{'bids ' if isinstance(action, Bid) else ''}{action}{by}"


def _ending(rules: Rules, result: Result | None, void: str) -> str:
    if result is None:
        return f"The match is void, and counts for nobody: {void}"
    shape = rules.shape
    score = "  ".join(f"{side.name} {points}" for side, points in zip(shape.sides, result.totals.scores, strict=True))
    if result.forfeits:
        losers = " and ".join(shape.sides[side].name for side in result.forfeits)
        return f"Forfeited by {losers}. Score of the last full hand: {score}."
    reason = result.ending.value.replace("_", " ") if result.ending else ""
    return f"End after {result.hands} hands ({reason}).  {score}"
