"""One hand as its current phase: bidding, exchange, play, finished. The one home of legality; pure values throughout.

Each phase knows the seat that is to act, its legal actions, and the phase that an action leads to. `apply` refuses
whatever `legal` does not list and changes nothing then. Hidden cards are in here: only `view` hands them out.
"""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from .bids import BLIND_NIL, LOOK, NIL, NUMBERS, Action, Bid, Look
from .cards import SPADES, SUIT_MASK, SUIT_OF, Card, Cards, card_names, cards_of, iterate
from .deal import permutation
from .rules import Rules

Kind: TypeAlias = Literal["blind", "bid", "exchange", "play"]
"""What a seat is asked for."""


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the text names the rule in words."""


class Totals(NamedTuple):
    """What each side has before a hand: points and bags, by side."""

    scores: tuple[int, ...]
    bags: tuple[int, ...]


class Deal(NamedTuple):
    """What a hand starts from: hand number (from 0), dealer, the cards of each seat, and the totals before it."""

    rules: Rules
    number: int
    dealer: int
    hands: tuple[Cards, ...]
    totals: Totals


class Pass(NamedTuple):
    """Cards that one partner gave the other, face down."""

    giver: int
    receiver: int
    cards: Cards


class Trick(NamedTuple):
    """A finished trick: its cards in the order of play from the leader on, and the seat that took it."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


def no_points(rules: Rules) -> Totals:
    """The totals at the start of a game."""
    zeros = (0,) * len(rules.shape.sides)
    return Totals(zeros, zeros)


def deal_hand(rules: Rules, secret: bytes, stream: int, number: int, totals: Totals) -> Hand:
    """Hand `number` (from 0) of a board stream, ready for the first bid (D14: dealer = stream + number, clockwise)."""
    deck, seats = rules.deck.cards, len(rules.shape.seats)
    order = permutation(secret, stream, number, len(deck))
    share = len(deck) // seats
    hands = tuple(cards_of(deck[p] for p in order[s * share : (s + 1) * share]) for s in range(seats))
    return start_hand(Deal(rules, number, (stream + number) % seats, hands, totals))


def start_hand(deal: Deal) -> Hand:
    """A hand from cards that were chosen by somebody else."""
    seats = len(deal.hands)
    return Bidding(deal, (None,) * seats, (deal.dealer + 1) % seats, looked=not deal.rules.blind_nil)


class _Bidding(NamedTuple):
    deal: Deal
    bids: tuple[Bid | None, ...]
    seat: int
    looked: bool


class Bidding(_Bidding):
    """Each seat bids once, from the dealer's left; a seat that may bid blind is asked that before it looks (D5)."""

    __slots__ = ()
    over: ClassVar[Literal[False]] = False
    won: ClassVar[tuple[int, ...]] = ()
    tricks: ClassVar[tuple[Trick, ...]] = ()
    passes: ClassVar[tuple[Pass, ...]] = ()

    @property
    def kind(self) -> Kind:
        """`blind` until the seat has looked, then `bid`."""
        return "bid" if self.looked else "blind"

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The cards of each seat."""
        return self.deal.hands

    def legal(self) -> tuple[Action, ...]:
        """R6, R7, R12: any number, Nil for 0; before looking, Double Nil or a look."""
        return (NIL, *NUMBERS[1:]) if self.looked else (LOOK, BLIND_NIL)

    def allows(self, action: Action) -> bool:
        """Whether the rules allow this bid now."""
        return action in self.legal()

    def objection(self, action: Action) -> str:
        """The rule against an illegal bid, in words."""
        if self.looked:
            return f"a bid is a number of tricks from 0 (Nil) to {len(NUMBERS) - 1}"
        return "before looking, bid Double Nil or look at the cards"

    def apply(self, action: Action) -> Hand:
        """The hand after this bid; raises IllegalAction."""
        if not self.allows(action):
            raise IllegalAction(self.objection(action))
        if isinstance(action, Look):
            return Bidding(self.deal, self.bids, self.seat, looked=True)
        assert isinstance(action, Bid)
        bids = (*self.bids[: self.seat], action, *self.bids[self.seat + 1 :])
        following = (self.seat + 1) % len(bids)
        if bids[following] is None:
            return Bidding(self.deal, bids, following, looked=not self.deal.rules.blind_nil)
        return _after_bidding(self.deal, tuple(bid for bid in bids if bid is not None))


def _after_bidding(deal: Deal, bids: tuple[Bid, ...]) -> Hand:
    queue = tuple(move for pair in _exchanges(deal, bids) for move in (pair, pair[::-1]))
    return Exchanging(deal, bids, deal.hands, (), queue) if queue else _first_trick(deal, bids, deal.hands, ())


def _exchanges(deal: Deal, bids: tuple[Bid, ...]) -> list[tuple[int, int]]:
    """(giver, partner) of each side that exchanges, in bidding order (D2); two Double Nils have none (R13)."""
    if not deal.rules.exchange:
        return []
    found: list[tuple[int, int]] = []
    for turn in range(len(bids)):
        seat = (deal.dealer + 1 + turn) % len(bids)
        partner = deal.rules.shape.partner(seat)
        if bids[seat] == BLIND_NIL and partner is not None and bids[partner] != BLIND_NIL:
            found.append((seat, partner))
    return sorted(found, key=lambda pair: _side_turn(deal, pair[0]))


def _side_turn(deal: Deal, seat: int) -> int:
    """When this seat's side first spoke in the bidding."""
    shape = deal.rules.shape
    return min((other - deal.dealer - 1) % len(shape.seats) for other in shape.sides[shape.side_of[seat]].seats)


class _Exchanging(NamedTuple):
    deal: Deal
    bids: tuple[Bid, ...]
    hands: tuple[Cards, ...]
    passes: tuple[Pass, ...]
    queue: tuple[tuple[int, int], ...]


class Exchanging(_Exchanging):
    """Beside a Double Nil the bidder gives cards, then the partner gives as many back (R12, D1, D2)."""

    __slots__ = ()
    over: ClassVar[Literal[False]] = False
    kind: ClassVar[Kind] = "exchange"
    won: ClassVar[tuple[int, ...]] = ()
    tricks: ClassVar[tuple[Trick, ...]] = ()

    @property
    def seat(self) -> int:
        """Who gives now."""
        return self.queue[0][0]

    def legal(self) -> tuple[Action, ...]:
        """Every set of so many of one's own cards."""
        own = tuple(iterate(self.hands[self.seat]))
        return tuple(cards_of(chosen) for chosen in combinations(own, self.deal.rules.exchange))

    def allows(self, action: Action) -> bool:
        """Whether the giver holds these cards and they are the right number."""
        if not isinstance(action, int):
            return False
        return action & ~self.hands[self.seat] == 0 and action.bit_count() == self.deal.rules.exchange

    def objection(self, action: Action) -> str:
        """The rule against an illegal exchange, in words."""
        return f"exactly {self.deal.rules.exchange} different cards of your own hand must be given"

    def apply(self, action: Action) -> Hand:
        """The hand after these cards were given; raises IllegalAction."""
        if not isinstance(action, int) or not self.allows(action):
            raise IllegalAction(self.objection(action))
        giver, receiver = self.queue[0]
        hands = list(self.hands)
        hands[giver] &= ~action
        hands[receiver] |= action
        after, passes, queue = tuple(hands), (*self.passes, Pass(giver, receiver, action)), self.queue[1:]
        if queue:
            return Exchanging(self.deal, self.bids, after, passes, queue)
        return _first_trick(self.deal, self.bids, after, passes)


def _first_trick(deal: Deal, bids: tuple[Bid, ...], hands: tuple[Cards, ...], passes: tuple[Pass, ...]) -> Playing:
    leader = (deal.dealer + 1) % len(hands)
    return Playing(deal, bids, passes, hands, False, (), leader, (), (0,) * len(hands))


class _Playing(NamedTuple):
    deal: Deal
    bids: tuple[Bid, ...]
    passes: tuple[Pass, ...]
    hands: tuple[Cards, ...]
    broken: bool
    tricks: tuple[Trick, ...]
    leader: int
    trick: tuple[Card, ...]
    won: tuple[int, ...]


class Playing(_Playing):
    """The tricks: follow the led suit, highest spade or else highest card of the led suit wins (R14 … R18)."""

    __slots__ = ()
    over: ClassVar[Literal[False]] = False
    kind: ClassVar[Kind] = "play"

    @property
    def seat(self) -> int:
        """Who plays now."""
        return (self.leader + len(self.trick)) % len(self.hands)

    @property
    def legal_cards(self) -> Cards:
        """The cards that may be played now, as a set."""
        held = self.hands[self.seat]
        if self.trick:
            return held & SUIT_MASK[SUIT_OF[self.trick[0]]] or held
        return held if self.broken else held & ~SPADES or held

    def legal(self) -> tuple[Action, ...]:
        """The cards that may be played now, from the lowest bit up."""
        return tuple(iterate(self.legal_cards))

    def allows(self, action: Action) -> bool:
        """Whether the rules allow this card now."""
        return isinstance(action, int) and action >= 0 and self.legal_cards >> action & 1 == 1

    def objection(self, action: Action) -> str:
        """The rule against an illegal card, in words."""
        held = self.hands[self.seat]
        if not isinstance(action, int) or not held >> action & 1:
            return "that card is not in your hand"
        if not self.trick:
            return "spades may not be led before they are broken while you hold another suit (R17)"
        suit = SUIT_OF[self.trick[0]]
        follow = ", ".join(card_names(held & SUIT_MASK[suit]))
        return f"you held {follow}: {suit.word} had to be followed (R15)"

    def apply(self, action: Action) -> Hand:
        """The hand after this card; raises IllegalAction."""
        if not isinstance(action, int) or not self.allows(action):
            raise IllegalAction(self.objection(action))
        deal, bids, passes, before, broken, tricks, leader, trick, won = self
        seat = self.seat
        left = before[seat] ^ 1 << action
        hands = (*before[:seat], left, *before[seat + 1 :])
        # R17: by now a spade is either a lead that nothing else could replace, a follow, or a throw by a void seat;
        # following a spade lead finds them broken already.
        broken = broken or 1 << action & SPADES != 0
        trick = (*trick, action)
        if len(trick) < len(hands):
            return Playing(deal, bids, passes, hands, broken, tricks, leader, trick, won)
        winner = (leader + _best(trick)) % len(hands)
        tricks = (*tricks, Trick(leader, trick, winner))
        won = (*won[:winner], won[winner] + 1, *won[winner + 1 :])
        if left:
            return Playing(deal, bids, passes, hands, broken, tricks, winner, (), won)
        return Finished(deal, bids, passes, tricks, won)


def _best(trick: tuple[Card, ...]) -> int:
    """Which card of a trick wins, counted from the leader's: spades are the top lane, so the highest bit."""
    counting = cards_of(trick) & (SUIT_MASK[SUIT_OF[trick[0]]] | SPADES)
    return trick.index(counting.bit_length() - 1)


class Finished(NamedTuple):
    """A hand that is over: who bid and took what."""

    deal: Deal
    bids: tuple[Bid, ...]
    passes: tuple[Pass, ...]
    tricks: tuple[Trick, ...]
    won: tuple[int, ...]
    over: Literal[True] = True


Unfinished: TypeAlias = Bidding | Exchanging | Playing
Hand: TypeAlias = Unfinished | Finished
"""A hand of Spades in whatever phase it is."""
