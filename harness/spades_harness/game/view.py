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
    exchanged: tuple[int, ...]
    """By seat, how many cards it has got in the exchange (D4: the number is public, and who gives gets as many)."""
    legal: tuple[Action, ...]
    """Every legal action; for an exchange empty, since `give` says how many cards."""
    give: tuple[int, int]
    """The fewest and the most cards to be given now; none outside an exchange."""


def view(hand: Unfinished) -> View:
    """What the seat that is to act may know."""
    deal, seat, kind = hand.deal, hand.seat, hand.kind
    given, received, exchanged = (
        _exchanged(hand.passes, seat, len(hand.hands)) if hand.passes else (0, 0, (0,) * len(hand.hands))
    )
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
        exchanged,
        () if kind == "exchange" else hand.legal(),
        hand.give,
    )


def _exchanged(passes: tuple[Pass, ...], seat: int, seats: int) -> tuple[Cards, Cards, tuple[int, ...]]:
    """What this seat gave and what it received (D4: nobody else's cards), and how many each got."""
    given = received = 0
    counts = [0] * seats
    for one in passes:
        if one.giver == seat:
            given |= one.cards
        elif one.receiver == seat:
            received |= one.cards
        if one.receiver is not None:
            counts[one.receiver] += one.cards.bit_count()
    return given, received, tuple(counts)
