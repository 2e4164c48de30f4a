"""The exchange: between the bids and the first lead partners pass cards beside a Nil (R12, V7, D1 … D4). Pure.

Two players have no partner: who has bid Double Nil may throw cards away, and gets as many unused ones (V20).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar, NamedTuple, TypeGuard

from .bids import BLIND_NIL, NIL, Action, Bid
from .cards import EVERY_CARD, Cards, cards_of, iterate
from .phase import BeforePlay, Deal, Hand, IllegalAction, Kind, Pass, listed
from .play import first_trick


class Giving(NamedTuple):
    """One turn of the exchange: who gives, and to whom; None: to nobody, and gets unused cards for them."""

    giver: int
    receiver: int | None


def after_bidding(deal: Deal, bids: tuple[Bid, ...], passes: tuple[Pass, ...]) -> Hand:
    """The exchange that these bids call for, or the first lead."""
    return _next(deal, bids, deal.hands, passes, tuple(_exchanges(deal, bids)))


def _next(
    deal: Deal, bids: tuple[Bid, ...], hands: tuple[Cards, ...], passes: tuple[Pass, ...], queue: tuple[Giving, ...]
) -> Hand:
    return Exchanging(deal, bids, hands, passes, queue) if queue else first_trick(deal, bids, hands, passes)


def _exchanges(deal: Deal, bids: tuple[Bid, ...]) -> Iterator[Giving]:
    """Who gives, in order: one exchange a side, sides in the order in which they first spoke (D2)."""
    if not deal.rules.exchange or not any(bid in bids for bid in _entitling(deal)):
        return
    side_of = deal.rules.shape.side_of
    order = [(deal.first_seat + turn) % len(bids) for turn in range(len(bids))]
    for side in dict.fromkeys(side_of[seat] for seat in order):
        yield from _exchange_of(deal, bids, [seat for seat in order if side_of[seat] == side])


def _exchange_of(deal: Deal, bids: tuple[Bid, ...], side: list[int]) -> list[Giving]:
    """The exchange of a side whose seats are given in the order in which they bid; the first entitled gives first."""
    entitled = [seat for seat in side if bids[seat] in _entitling(deal)]
    if not entitled or [bids[seat] for seat in side] == [BLIND_NIL, BLIND_NIL]:  # R13
        return []
    bidder, partner = entitled[0], deal.rules.shape.partner(entitled[0])
    if partner is None:
        return [Giving(bidder, None)] if deal.stock else []
    return [Giving(bidder, partner), Giving(partner, bidder)]


def _entitling(deal: Deal) -> tuple[Bid, ...]:
    """R12, D3; V7: a plain Nil too."""
    return (BLIND_NIL, NIL) if deal.rules.nil_exchange else (BLIND_NIL,)


class _Exchanging(NamedTuple):
    deal: Deal
    bids: tuple[Bid, ...]
    hands: tuple[Cards, ...]
    passes: tuple[Pass, ...]
    queue: tuple[Giving, ...]


class Exchanging(_Exchanging, BeforePlay):
    """Beside a Nil the bidder gives cards, then the partner gives as many back."""

    __slots__ = ()
    kind: ClassVar[Kind] = "exchange"

    @property
    def seat(self) -> int:
        """Who gives now."""
        return self.queue[0].giver

    @property
    def give(self) -> tuple[int, int]:
        """The fewest and the most cards: what goes to nobody may be none at all."""
        most = self.deal.rules.exchange
        return (0 if self.queue[0].receiver is None else most), most

    def legal(self) -> tuple[Action, ...]:
        """Every set of so many of one's own cards: 286 for three of thirteen."""
        own, (least, most) = iterate(self.hands[self.seat]), self.give
        return tuple(cards_of(chosen) for due in range(least, most + 1) for chosen in combinations(own, due))

    def allows(self, action: Action) -> TypeGuard[Cards]:
        """Whether the giver holds these cards and they are the right number."""
        if not isinstance(action, int) or action & ~self.hands[self.seat]:
            return False
        least, most = self.give
        return least <= action.bit_count() <= most

    def objection(self, action: Action) -> str:
        """The rule against an action that `allows` refuses, in words."""
        least, most = self.give
        due = f"exactly {most}" if least == most else f"{least} to {most}"
        if not isinstance(action, int) or action & ~EVERY_CARD:
            return f"a set of {due.removeprefix('exactly ')} cards is to be given (R12)"
        if strange := action & ~self.hands[self.seat]:
            return f"only cards of your own hand may be given (R12): {listed(strange)} not in it"
        return f"{due} cards are to be given (R12), not {action.bit_count()}"

    def apply(self, action: Action) -> Hand:
        """The hand after these cards were given; raises IllegalAction."""
        if not self.allows(action):
            raise IllegalAction(self.objection(action))
        giver, receiver = self.queue[0]
        hands, passes = list(self.hands), (*self.passes, Pass(giver, receiver, action))
        hands[giver] ^= action
        if receiver is None:
            unused = self._unused(action.bit_count())
            hands[giver] |= unused
            passes = (*passes, Pass(None, giver, unused))
        else:
            hands[receiver] |= action
        return _next(self.deal, self.bids, tuple(hands), passes, self.queue[1:])

    def _unused(self, number: int) -> Cards:
        """V20: the first cards of the second order that lay in no hand when the bids were made, and lie in none now."""
        used = 0
        for cards in (*self.deal.hands, *self.hands):
            used |= cards
        return cards_of([card for card in self.deal.second if not used >> card & 1][:number])
