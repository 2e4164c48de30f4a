"""What one seat may know of a hand: the only door for hidden information. Pure.

A view is built from public facts and from the seat's own cards, and from nothing else: a test permutes all other
cards and compares every byte that is sent.
"""

from __future__ import annotations

from typing import NamedTuple

from .bids import Action, Bid
from .cards import Card, Cards
from .hand import Kind, Pass, Playing, Trick, Unfinished
from .rules import Rules


class View(NamedTuple):
    """A hand as the seat that is to act sees it. Seats are indices; cards are bit sets or bit positions."""

    rules: Rules
    kind: Kind
    seat: int
    number: int
    """The hand's number in the game, from 0."""
    dealer: int
    scores: tuple[int, ...]
    bags: tuple[int, ...]
    hand: Cards | None
    """One's own cards; None while a blind bid is open (D5)."""
    bids: tuple[Bid | None, ...]
    won: tuple[int, ...]
    leader: int
    broken: bool
    trick: tuple[Card, ...]
    tricks: tuple[Trick, ...]
    given: Cards
    received: Cards
    legal: tuple[Action, ...]
    """Every legal action; for an exchange empty, since `exchange` says how many cards."""
    exchange: int
    """How many cards are to be given now, 0 outside an exchange."""


def view(hand: Unfinished) -> View:
    """What the seat that is to act may know."""
    deal, seat, kind = hand.deal, hand.seat, hand.kind
    playing = hand if isinstance(hand, Playing) else None
    given, received = _exchanged(hand.passes, seat)
    return View(
        rules=deal.rules,
        kind=kind,
        seat=seat,
        number=deal.number,
        dealer=deal.dealer,
        scores=deal.totals.scores,
        bags=deal.totals.bags,
        hand=None if kind == "blind" else hand.hands[seat],
        bids=hand.bids,
        won=hand.won or (0,) * len(hand.bids),
        leader=playing.leader if playing else (deal.dealer + 1) % len(hand.bids),
        broken=playing is not None and playing.broken,
        trick=playing.trick if playing else (),
        tricks=hand.tricks,
        given=given,
        received=received,
        legal=() if kind == "exchange" else hand.legal(),
        exchange=deal.rules.exchange if kind == "exchange" else 0,
    )


def _exchanged(passes: tuple[Pass, ...], seat: int) -> tuple[Cards, Cards]:
    """What this seat gave, and what it received (D4: nobody else's cards)."""
    given = received = 0
    for one in passes:
        if one.giver == seat:
            given |= one.cards
        elif one.receiver == seat:
            received |= one.cards
    return given, received
