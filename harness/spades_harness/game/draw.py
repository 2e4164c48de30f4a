"""Two players draw their cards (V20): keep the top card and see the next go, or let it go and take the next. Pure.

Nothing is dealt. The dealer draws first, the two take turns until both hold thirteen. Who may bid blind is asked that
before his first draw.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeGuard

from .bidding import Bids, blind_bids, blind_choices, next_to_bid, objection_to_bid, with_bid
from .bids import Action, Bid, Draw, Look
from .cards import HAND_SIZE, Card, Cards
from .phase import BeforePlay, Deal, Hand, IllegalAction, Kind, Pass

_CHOICES: Final = (Draw.KEEP, Draw.DISCARD)


def begin_draw(deal: Deal) -> Hand:
    """The first draw of a hand, or the blind question before it."""
    return _turn(deal, deal.hands, (None,) * len(deal.hands), (), deal.dealer)


def _turn(deal: Deal, hands: tuple[Cards, ...], bids: Bids, passes: tuple[Pass, ...], seat: int) -> Hand:
    """A seat's turn to draw; the bidding when all hands are full."""
    if all(hand.bit_count() == HAND_SIZE for hand in hands):
        return next_to_bid(deal._replace(hands=hands), bids, passes)
    is_first = not hands[seat] and bids[seat] is None
    return Drawing(deal, hands, bids, passes, seat, looked=not (is_first and blind_bids(deal, bids, seat)))


class _Drawing(NamedTuple):
    deal: Deal
    hands: tuple[Cards, ...]
    bids: Bids
    passes: tuple[Pass, ...]
    seat: int
    looked: bool


class Drawing(_Drawing, BeforePlay):
    """Two players take turns at the stock; two cards leave it a turn, one to the hand and one out of play."""

    __slots__ = ()

    @property
    def kind(self) -> Kind:
        """`blind` before a first draw, if there is a blind bid; else `draw`."""
        return "draw" if self.looked else "blind"

    @property
    def drawn(self) -> Card | None:
        """The top card of the stock, once it may be seen."""
        return self.deal.stock[self._at] if self.looked else None

    @property
    def _at(self) -> int:
        """Where the top of the stock is: two cards have left it for each that is held."""
        return 2 * sum(hand.bit_count() for hand in self.hands)

    def legal(self) -> tuple[Action, ...]:
        """Keep or discard; before a first draw the blind bids, and the look."""
        return _CHOICES if self.looked else blind_choices(self.deal, self.bids, self.seat)

    def allows(self, action: Action) -> TypeGuard[Bid | Look | Draw]:
        """Whether this may be chosen now."""
        return action in self.legal()

    def objection(self, action: Action) -> str:
        """The rule against an action that `allows` refuses, in words."""
        if self.looked:
            return f"a card was drawn (V20): keep it or discard it, {action} is neither"
        return objection_to_bid(self.deal, self.bids, self.seat, action, self.legal(), looked=False)

    def apply(self, action: Action) -> Hand:
        """The hand after this choice; raises IllegalAction."""
        if not self.allows(action):
            raise IllegalAction(self.objection(action))
        if isinstance(action, Draw):
            return self._take(action)
        bids = self.bids if isinstance(action, Look) else with_bid(self.bids, self.seat, action)
        return Drawing(self.deal, self.hands, bids, self.passes, self.seat, looked=True)

    def _take(self, choice: Draw) -> Hand:
        """One of the two top cards comes to the hand, the other is seen and put aside."""
        top, following = self.deal.stock[self._at : self._at + 2]
        kept, aside = (top, following) if choice is Draw.KEEP else (following, top)
        hands = list(self.hands)
        hands[self.seat] |= 1 << kept
        passes = (*self.passes, Pass(self.seat, None, 1 << aside))
        return _turn(self.deal, tuple(hands), self.bids, passes, (self.seat + 1) % len(hands))
