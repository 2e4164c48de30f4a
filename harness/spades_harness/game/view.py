"""What one seat may know of a hand: the only door for hidden information. Pure.

A view is built from public facts and from the seat's own cards, and from nothing else: a test permutes all other
cards and compares every byte that is sent.
"""

from __future__ import annotations

from typing import NamedTuple

from .bids import Action, Bid
from .cards import Card, Cards
from .phase import Kind, Pass, Trick, Unfinished
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
    drawn: Card | None
    """The card that is to be kept or put aside, where cards are drawn."""
    bids: tuple[Bid | None, ...]
    won: tuple[int, ...]
    leader: int
    broken: bool
    trick: tuple[Card, ...]
    tricks: tuple[Trick, ...]
    given: Cards
    """Cards that this seat has given away, or has seen go out of play."""
    received: Cards
    legal: tuple[Action, ...]
    """Every legal action; for an exchange empty, since `give` says how many cards."""
    give: tuple[int, int]
    """The fewest and the most cards to be given now; none outside an exchange."""


def view(hand: Unfinished) -> View:
    """What the seat that is to act may know."""
    deal, seat, kind = hand.deal, hand.seat, hand.kind
    given, received = _exchanged(hand.passes, seat) if hand.passes else (0, 0)
    return View(
        deal.rules,
        kind,
        seat,
        deal.number,
        deal.dealer,
        deal.totals.scores,
        deal.totals.bags,
        None if kind == "blind" else hand.hands[seat],
        hand.drawn,
        hand.bids,
        hand.won,
        hand.leader,
        hand.broken,
        hand.trick,
        hand.tricks,
        given,
        received,
        () if kind == "exchange" else hand.legal(),
        hand.give,
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
