"""What a seat knows of a hand, taken from a request and put as the engine has it. Pure.

A request says everything, so nothing is kept from one to the next. Hidden hands are left open: `searcher_worlds` fills
them in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any, NamedTuple

from searcher_bids import Bidder, bidder
from spades_bot import Message
from spades_harness.game.bids import Bid, Look
from spades_harness.game.cards import SPADES, Card, Cards
from spades_harness.game.notation import read_bid, read_cards
from spades_harness.game.phase import Deal
from spades_harness.game.play import PLAIN
from spades_harness.game.playout import Playout
from spades_harness.game.rules import Rules
from spades_harness.game.score import Totals


class Sight(NamedTuple):
    """All that one seat knows. Seats are numbers clockwise; tuples are by seat."""

    rules: Rules
    model: Bidder
    """How everybody bids under these rules."""
    seat: int
    deal: Deal
    """The deal without its cards: dealer and totals."""
    hand: Cards
    """One's own cards; none while they aren't seen yet."""
    bids: tuple[Bid | None, ...]
    state: Playout
    """The play so far; the hidden hands are empty in it."""
    opening: Playout
    """The moment before the first lead."""
    moves: tuple[tuple[int, Card], ...]
    """Who has played what since, in order."""
    played: tuple[Cards, ...]
    """What each seat has played."""
    excluded: tuple[Cards, ...]
    """What each seat can't hold any more: suits that it did not follow, and what else its play has told."""
    given: Cards
    """What this seat gave away, or put aside."""
    seen: bool
    """Whether the own hand has been seen."""


def rules_of(options: Mapping[str, Any]) -> Rules:
    """The rules of a match, from `match_start`."""
    return Rules(**{field.name: options[field.name] for field in fields(Rules)})


def sight_of(rules: Rules, request: Message) -> Sight:
    """A request as what this seat knows."""
    seats = rules.shape.seats
    seat, seen = seats.index(request.seat), "hand" in vars(request)
    hand = read_cards(rules, request.hand) if seen else 0
    moves = tuple(_moves(rules, request))
    played = [0] * len(seats)
    for mover, card in moves:
        played[mover] |= 1 << card
    hands = [cards | (hand if each == seat else 0) for each, cards in enumerate(played)]
    state = Playout(rules, hands, moves[0][0] if moves else seats.index(request.leader))
    opening = state.copy()
    excluded = _play_all(rules, state, moves)
    return Sight(
        rules=rules,
        model=bidder(rules),
        seat=seat,
        deal=_deal_of(rules, request),
        hand=hand,
        bids=tuple(_bid_of(rules, request, letter) for letter in seats),
        state=state,
        opening=opening,
        moves=moves,
        played=tuple(played),
        excluded=excluded,
        given=read_cards(rules, request.given),
        seen=seen,
    )


def _deal_of(rules: Rules, request: Message) -> Deal:
    sides, dealer = rules.shape.sides, rules.shape.seats.index(request.dealer)
    totals = Totals(
        tuple(request.scores[side.name] for side in sides), tuple(request.bags[side.name] for side in sides)
    )
    return Deal(rules, request.hand_no - 1, dealer, (0,) * len(rules.shape.seats), totals)


def _bid_of(rules: Rules, request: Message, letter: str) -> Bid | None:
    if letter not in request.bids:
        return None
    bid = read_bid(rules, request.bids[letter])
    return None if isinstance(bid, Look) else bid


def _moves(rules: Rules, request: Message) -> Iterator[tuple[int, Card]]:
    """Who has played what, in order."""
    seats, by_name = rules.shape.seats, rules.cards.by_name
    tricks = [(trick["leader"], trick["cards"]) for trick in request.tricks]
    for leader, names in [*tricks, (request.leader, request.trick)]:
        for turn, name in enumerate(names, seats.index(leader)):
            yield turn % len(seats), by_name[name]


def _play_all(rules: Rules, state: Playout, moves: Iterable[tuple[int, Card]]) -> tuple[Cards, ...]:
    """Bring the state up to now; what each seat can't hold."""
    only_spades = [0] * len(state.hands)
    for seat, card in moves:
        if not state.trick and not state.broken and rules.lead_spades == "broken" and SPADES >> card & 1:
            only_spades[seat] = PLAIN  # R17: unbroken spades are led by those who hold nothing else
        state.play(card)
    return tuple(void | plain for void, plain in zip(state.voids, only_spades, strict=True))
