"""What the players of a hand have promised, and who belongs to whom: what stays the same while the cards are played.

Pure; no card is chosen here. Seats are numbers clockwise, as in `spades_harness.game`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from spades_harness.game.bids import Bid
from spades_harness.game.cards import Cards, cards_of
from spades_harness.game.rules import Rules

NOBODY = -1
"""The partner of a player who stands alone."""


class Promises(NamedTuple):
    """Bids and seats as the inner loop wants them: tuples by seat."""

    deck: Cards
    nils: tuple[bool, ...]
    """Which seats bid Nil, of either kind."""
    any_nil: bool
    partner: tuple[int, ...]
    contracts: tuple[tuple[int, tuple[int, ...]], ...]
    """By side the tricks that it promised, and the seats whose tricks count for them: not those that bid Nil (R21)."""
    side_of: tuple[int, ...]
    foes: tuple[tuple[int, ...], ...]
    """For each seat its opponents, clockwise."""
    to_come: tuple[tuple[tuple[int, ...], ...], ...]
    """For each seat and number of cards on the table: who plays after the seat."""
    rivals: tuple[tuple[tuple[int, ...], ...], ...]
    """The opponents among them."""


def promises(rules: Rules, bids: Sequence[Bid]) -> Promises:
    """What these bids promise under these rules."""
    shape, seats = rules.shape, range(len(rules.shape.seats))
    side_of, count = shape.side_of, len(shape.seats)
    partners = [shape.partner(seat) for seat in seats]
    come = tuple(
        tuple(tuple((seat + turn) % count for turn in range(1, count - played)) for played in seats) for seat in seats
    )
    return Promises(
        deck=cards_of(rules.cards.cards),
        nils=tuple(bid.is_nil for bid in bids),
        any_nil=any(bid.is_nil for bid in bids),
        partner=tuple(NOBODY if partner is None else partner for partner in partners),
        contracts=tuple(
            (sum(bids[seat].tricks for seat in side.seats), tuple(seat for seat in side.seats if not bids[seat].is_nil))
            for side in shape.sides
        ),
        side_of=side_of,
        foes=tuple(tuple(other for other in _after(seat, count) if side_of[other] != side_of[seat]) for seat in seats),
        to_come=come,
        rivals=tuple(
            tuple(tuple(other for other in row if side_of[other] != side_of[seat]) for row in come[seat])
            for seat in seats
        ),
    )


def _after(seat: int, count: int) -> list[int]:
    return [(seat + turn) % count for turn in range(1, count)]
