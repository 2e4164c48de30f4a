"""A game that is not Spades, for the floors above the game to play: no bids, no trumps, no suit to be followed.

Each puts down one card of his hand; the highest rank takes the round, of equals the one that lay there first. A round
is worth one point to the side that takes it.
"""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple, TypeGuard

from spades_harness.game.bids import Action
from spades_harness.game.cards import Card, Cards, card_name, cards_of, iterate, strength
from spades_harness.game.deal import permutation
from spades_harness.game.phase import Deal, Hand, IllegalAction, Kind, Pass, Trick
from spades_harness.game.rules import Rules
from spades_harness.game.score import SideScore, Term, Totals
from spades_harness.table.match import CardGame


def deal_highest_card(rules: Rules, secret: bytes, stream: int, number: int, totals: Totals, disguise: int = 0) -> Hand:
    """Three cards for each seat, from the top of the shuffled deck."""
    deck, seats = rules.cards.cards, len(rules.shape.seats)
    order = [deck[place] for place in permutation(secret, stream, number, len(deck))]
    hands = tuple(cards_of(order[seat * 3 : seat * 3 + 3]) for seat in range(seats))
    deal = Deal(rules, number, (stream + number) % seats, hands, totals)
    return Round(deal, hands, (), (0,) * seats, deal.first_seat, ())


class _Round(NamedTuple):
    deal: Deal
    hands: tuple[Cards, ...]
    tricks: tuple[Trick, ...]
    won: tuple[int, ...]
    seat: int
    trick: tuple[Card, ...]


class Round(_Round):
    """A round in which somebody has yet to put down a card."""

    __slots__ = ()
    over: ClassVar[Literal[False]] = False
    kind: ClassVar[Kind] = "play"
    broken: ClassVar[bool] = False
    drawn: ClassVar[None] = None
    give: ClassVar[tuple[int, int]] = (0, 0)
    passes: ClassVar[tuple[Pass, ...]] = ()

    @property
    def bids(self) -> tuple[None, ...]:
        return (None,) * len(self.hands)

    @property
    def leader(self) -> int:
        return (self.seat - len(self.trick)) % len(self.hands)

    def legal(self) -> tuple[Action, ...]:
        return iterate(self.hands[self.seat])

    def allows(self, action: Action) -> TypeGuard[Card]:
        return action in self.legal()

    def objection(self, action: Action) -> str:
        return f"{card_name(action) if isinstance(action, int) else action} is not in your hand"

    def apply(self, action: Action) -> Hand:
        if not self.allows(action):
            raise IllegalAction(self.objection(action))
        hands = tuple(cards & ~(1 << action) if s == self.seat else cards for s, cards in enumerate(self.hands))
        trick, following = (*self.trick, action), (self.seat + 1) % len(hands)
        if len(trick) < len(hands):
            return Round(self.deal, hands, self.tricks, self.won, following, trick)
        winner = (self.leader + trick.index(max(trick, key=strength))) % len(hands)
        tricks = (*self.tricks, Trick(self.leader, trick, winner))
        won = tuple(count + (s == winner) for s, count in enumerate(self.won))
        return Round(self.deal, hands, tricks, won, winner, ()) if any(hands) else Done(self.deal, tricks, won)


class Done(NamedTuple):
    """All cards are down."""

    deal: Deal
    tricks: tuple[Trick, ...]
    won: tuple[int, ...]
    over: Literal[True] = True
    passes: tuple[Pass, ...] = ()

    @property
    def bids(self) -> tuple[None, ...]:
        return (None,) * len(self.won)

    def scores(self) -> tuple[SideScore, ...]:
        sides = self.deal.rules.shape.sides
        taken = [sum(self.won[seat] for seat in side.seats) for side in sides]
        return tuple(SideScore((Term("round", "taken", n),), n, 0, 0, 0, n) for n in taken)


HIGHEST_CARD = CardGame("highest_card", deal_highest_card)
