"""The tricks, and the hand that is over. Pure: which cards may be played, and who takes what.

An option that says which cards are legal changes `Playing.legal_cards` and what it asks (`_may_lead_spades`,
`_may_throw_spades`), with the words of `Playing.objection` beside it.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal, NamedTuple, TypeGuard

from .bids import Action, Bid
from .cards import EVERY_CARD, SPADES, SUIT_MASK, SUIT_OF, Card, Cards, card_name, cards_of, iterate
from .phase import Deal, Hand, IllegalAction, Kind, Pass, Trick, listed
from .score import SideScore, score_hand

PLAIN: Final[Cards] = EVERY_CARD & ~SPADES


def first_trick(deal: Deal, bids: tuple[Bid, ...], hands: tuple[Cards, ...], passes: tuple[Pass, ...]) -> Playing:
    """The hand before its first lead (R14)."""
    return Playing(deal, bids, passes, hands, (), (0,) * len(hands), False, deal.first_seat, ())


class _Playing(NamedTuple):
    deal: Deal
    bids: tuple[Bid, ...]
    passes: tuple[Pass, ...]
    hands: tuple[Cards, ...]
    tricks: tuple[Trick, ...]
    won: tuple[int, ...]
    broken: bool
    seat: int
    trick: tuple[Card, ...]


class Playing(_Playing):
    """The tricks: follow the led suit, highest spade or else highest card of the led suit wins (R14 … R18)."""

    __slots__ = ()
    over: ClassVar[Literal[False]] = False
    kind: ClassVar[Kind] = "play"
    drawn: ClassVar[None] = None
    give: ClassVar[tuple[int, int]] = (0, 0)

    @property
    def leader(self) -> int:
        """Who led, or is to lead, to the current trick."""
        return (self.seat - len(self.trick)) % len(self.hands)

    @property
    def legal_cards(self) -> Cards:
        """The cards that may be played now, as a set; never empty."""
        held = self.hands[self.seat]
        if not self.trick:
            return held if self.broken or self._may_lead_spades() else held & PLAIN or held  # R17
        following = held & SUIT_MASK[SUIT_OF[self.trick[0]]]
        if following:  # R15
            return following
        return held if self.tricks or self.deal.rules.first_trick_spades else held & PLAIN or held  # R18, V19

    def _may_lead_spades(self) -> bool:
        """V15: whether a spade may be led that isn't broken, though another suit is held."""
        when = self.deal.rules.lead_spades
        return when == "any" or (when == "not_first" and bool(self.tricks))

    def legal(self) -> tuple[Action, ...]:
        """The cards that may be played now, from the lowest bit up."""
        return iterate(self.legal_cards)

    def allows(self, action: Action) -> TypeGuard[Card]:
        """Whether the rules allow this card now."""
        return isinstance(action, int) and action >= 0 and self.legal_cards >> action & 1 == 1

    def objection(self, action: Action) -> str:
        """The rule against an action that `allows` refuses, in words."""
        held = self.hands[self.seat]
        if not isinstance(action, int) or action not in iterate(held):
            return self._absence(action)
        name = card_name(action)
        if not self.trick:
            return f"{self._unbroken()}: {name} may not be led while you hold another suit"
        suit = SUIT_OF[self.trick[0]]
        if following := held & SUIT_MASK[suit]:
            return f"{suit.word} were led and must be followed (R15): you hold {listed(following)}"
        return f"no spade may be thrown on the first trick (V19): {name} has to wait while you hold another suit"

    def _unbroken(self) -> str:
        """Why spades may not be led."""
        if self.deal.rules.lead_spades == "not_first":
            return "spades may not be led to the first trick (V15)"
        return "spades are not broken (R17)"

    def _absence(self, action: Action) -> str:
        """Why a seat cannot play a card that it does not hold."""
        if not isinstance(action, int) or action not in iterate(EVERY_CARD):
            return "that is not a card"
        name, seats = card_name(action), len(self.hands)
        for number, trick in enumerate(self.tricks, start=1):
            if trick.cards[(self.seat - trick.leader) % seats] == action:
                return f"you have played {name} already, to trick {number}"
        for given in self.passes:
            if given.giver == self.seat and given.cards >> action & 1:
                return f"you put {name} aside" if given.receiver is None else f"you gave {name} to your partner"
        return f"{name} is not in your hand"

    def apply(self, action: Action) -> Hand:
        """The hand after this card; raises IllegalAction."""
        if not self.allows(action):
            raise IllegalAction(self.objection(action))
        deal, bids, passes, before, tricks, won, broken, seat, earlier = self
        left = list(before)
        left[seat] ^= 1 << action
        hands, trick = tuple(left), (*earlier, action)
        # R17: a spade that may be played is led where nothing else could be, thrown by a void seat, or follows a spade.
        broken = broken or 1 << action & SPADES != 0
        if len(trick) < len(hands):
            return Playing(deal, bids, passes, hands, tricks, won, broken, (seat + 1) % len(hands), trick)
        leader = (seat + 1) % len(hands)
        winner = (leader + best_of(trick)) % len(hands)
        tricks, won = (*tricks, Trick(leader, trick, winner)), _one_more(won, winner)
        if hands[seat]:
            return Playing(deal, bids, passes, hands, tricks, won, broken, winner, ())
        return Finished(deal, bids, passes, tricks, won)


def best_of(trick: tuple[Card, ...]) -> int:
    """Which card of a trick wins (R16), counted from the leader's: of spades and led suit the highest bit."""
    counting = cards_of(trick) & (SUIT_MASK[SUIT_OF[trick[0]]] | SPADES)
    return trick.index(counting.bit_length() - 1)


def _one_more(won: tuple[int, ...], winner: int) -> tuple[int, ...]:
    return (*won[:winner], won[winner] + 1, *won[winner + 1 :])


class _Finished(NamedTuple):
    deal: Deal
    bids: tuple[Bid, ...]
    passes: tuple[Pass, ...]
    tricks: tuple[Trick, ...]
    won: tuple[int, ...]


class Finished(_Finished):
    """A hand that is over: who bid and took what."""

    __slots__ = ()
    over: ClassVar[Literal[True]] = True

    def scores(self) -> tuple[SideScore, ...]:
        """What it is worth, by side."""
        return score_hand(self.deal.rules, self.bids, self.won, self.deal.totals.bags)
