"""One hand as its current phase: bidding, exchange, play, finished. The one home of legality; pure values throughout.

Each phase knows the seat that is to act, its legal actions, and the phase that an action leads to. `apply` refuses
whatever `legal` does not list; a phase never changes, so a refused action leaves everything as it was. Hidden cards
are in here: only `view` hands them out.

An option of the rules that says what is legal changes one place: `Bidding.blind_bids`, `Bidding.open_bids`,
`_exchange_partner`, or `Playing.legal_cards` with the words of `Playing.objection` beside it.
"""

from __future__ import annotations

from itertools import combinations
from typing import ClassVar, Final, Literal, NamedTuple, TypeAlias, TypeGuard

from .bids import BLIND_NIL, LOOK, NIL, NUMBERS, Action, Bid, Look
from .cards import EVERY_CARD, SPADES, SUIT_MASK, SUIT_OF, Card, Cards, card_name, card_names, cards_of, iterate
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
    return _turn_to_bid(deal, (None,) * len(deal.hands), _first_seat(deal))


def _first_seat(deal: Deal) -> int:
    """R5, R14: the dealer's left bids first and leads to the first trick."""
    return (deal.dealer + 1) % len(deal.hands)


# ------------------------------------------------------------------------------------------------------------- bidding


_OPEN_BIDS: Final = (NIL, *NUMBERS[1:])


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

    @property
    def blind_bids(self) -> tuple[Bid, ...]:
        """What may be bid before looking (R12); a seat that has no such bid isn't asked for one."""
        return (BLIND_NIL,) if self.deal.rules.blind_nil else ()

    @property
    def open_bids(self) -> tuple[Bid, ...]:
        """What may be bid after looking (R6, R7): Nil or any number of tricks, whatever the others have bid."""
        return _OPEN_BIDS

    def legal(self) -> tuple[Action, ...]:
        """The bids that may be made now; before looking, the look too."""
        return self.open_bids if self.looked else (LOOK, *self.blind_bids)

    def allows(self, action: Action) -> TypeGuard[Bid | Look]:
        """Whether the rules allow this bid now."""
        return action in self.legal()

    def objection(self, action: Action) -> str:
        """The rule against an action that `allows` refuses, in words."""
        choices = ", ".join("0 (nil)" if choice == NIL else str(choice) for choice in self.legal())
        if not self.looked:
            return f"{action} may not be bid before looking at the cards: the choices are {choices}"
        if isinstance(action, Look):
            return f"the cards have been looked at: now a bid is due, one of {choices}"
        if action in self.blind_bids:
            return f"{action} is bid before looking at the cards (R12): now the bid is one of {choices}"
        return f"{action} may not be bid: the bid is one of {choices}"

    def apply(self, action: Action) -> Hand:
        """The hand after this bid; raises IllegalAction."""
        if not self.allows(action):
            raise IllegalAction(self.objection(action))
        if isinstance(action, Look):
            return Bidding(self.deal, self.bids, self.seat, looked=True)
        bids = (*self.bids[: self.seat], action, *self.bids[self.seat + 1 :])
        following = (self.seat + 1) % len(bids)
        if bids[following] is None:
            return _turn_to_bid(self.deal, bids, following)
        return _after_bidding(self.deal, tuple(bid for bid in bids if bid is not None))


def _turn_to_bid(deal: Deal, bids: tuple[Bid | None, ...], seat: int) -> Bidding:
    """A seat's turn to bid: the blind question first, where there is one."""
    unseen = Bidding(deal, bids, seat, looked=False)
    return unseen if unseen.blind_bids else Bidding(deal, bids, seat, looked=True)


# ------------------------------------------------------------------------------------------------------------ exchange


def _after_bidding(deal: Deal, bids: tuple[Bid, ...]) -> Hand:
    queue = tuple(move for pair in _exchanges(deal, bids) for move in (pair, pair[::-1]))
    return Exchanging(deal, bids, deal.hands, (), queue) if queue else _first_trick(deal, bids, deal.hands, ())


def _exchanges(deal: Deal, bids: tuple[Bid, ...]) -> list[tuple[int, int]]:
    """(bidder, partner) of each exchange: one a side, sides in the order in which they first spoke (D2)."""
    side_of = deal.rules.shape.side_of
    order = [(_first_seat(deal) + turn) % len(bids) for turn in range(len(bids))]
    pairs: list[tuple[int, int]] = []
    for side in dict.fromkeys(side_of[seat] for seat in order):
        partners = ((seat, _exchange_partner(deal, bids, seat)) for seat in order if side_of[seat] == side)
        pairs += [(seat, partner) for seat, partner in partners if partner is not None][:1]
    return pairs


def _exchange_partner(deal: Deal, bids: tuple[Bid, ...], seat: int) -> int | None:
    """The partner of a Double Nil (R12, D3), None for any other bid or where both bid it (R13)."""
    partner = deal.rules.shape.partner(seat)
    if partner is None or not deal.rules.exchange or bids[seat] != BLIND_NIL or bids[partner] == BLIND_NIL:
        return None
    return partner


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
        """Every set of so many of one's own cards: 286 for three of thirteen."""
        own = iterate(self.hands[self.seat])
        return tuple(cards_of(chosen) for chosen in combinations(own, self.deal.rules.exchange))

    def allows(self, action: Action) -> TypeGuard[Cards]:
        """Whether the giver holds these cards and they are the right number."""
        if not isinstance(action, int):
            return False
        return action & ~self.hands[self.seat] == 0 and action.bit_count() == self.deal.rules.exchange

    def objection(self, action: Action) -> str:
        """The rule against an action that `allows` refuses, in words."""
        due = self.deal.rules.exchange
        if not isinstance(action, int) or action & ~EVERY_CARD:
            return f"a set of {due} cards is to be given (R12)"
        if strange := action & ~self.hands[self.seat]:
            return f"only cards of your own hand may be given (R12): {_listed(strange)} not in it"
        return f"exactly {due} cards are to be given (R12), not {action.bit_count()}"

    def apply(self, action: Action) -> Hand:
        """The hand after these cards were given; raises IllegalAction."""
        if not self.allows(action):
            raise IllegalAction(self.objection(action))
        giver, receiver = self.queue[0]
        hands = list(self.hands)
        hands[giver] &= ~action
        hands[receiver] |= action
        after, passes, queue = tuple(hands), (*self.passes, Pass(giver, receiver, action)), self.queue[1:]
        if queue:
            return Exchanging(self.deal, self.bids, after, passes, queue)
        return _first_trick(self.deal, self.bids, after, passes)


# ---------------------------------------------------------------------------------------------------------------- play


def _first_trick(deal: Deal, bids: tuple[Bid, ...], hands: tuple[Cards, ...], passes: tuple[Pass, ...]) -> Playing:
    return Playing(deal, bids, passes, hands, (), (0,) * len(hands), False, _first_seat(deal), ())


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

    @property
    def leader(self) -> int:
        """Who led, or is to lead, to the current trick."""
        return (self.seat - len(self.trick)) % len(self.hands)

    @property
    def legal_cards(self) -> Cards:
        """The cards that may be played now, as a set; never empty."""
        held = self.hands[self.seat]
        if self.trick:
            return held & SUIT_MASK[SUIT_OF[self.trick[0]]] or held  # R15, R18
        return held if self.broken else held & ~SPADES or held  # R17

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
        if not self.trick:
            return f"spades are not broken: {card_name(action)} may not be led while you hold another suit (R17)"
        suit = SUIT_OF[self.trick[0]]
        return f"{suit.word} were led and must be followed (R15): you hold {_listed(held & SUIT_MASK[suit])}"

    def _absence(self, action: Action) -> str:
        """Why a seat cannot play a card that it does not hold."""
        if not isinstance(action, int) or action not in iterate(EVERY_CARD):
            return "that is not a card"
        name, seats = card_name(action), len(self.hands)
        for number, trick in enumerate(self.tricks, start=1):
            if trick.cards[(self.seat - trick.leader) % seats] == action:
                return f"you have played {name} already, to trick {number}"
        if any(given.giver == self.seat and given.cards >> action & 1 for given in self.passes):
            return f"you gave {name} to your partner"
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
        winner = (leader + _best(trick)) % len(hands)
        tricks, won = (*tricks, Trick(leader, trick, winner)), _one_more(won, winner)
        if hands[seat]:
            return Playing(deal, bids, passes, hands, tricks, won, broken, winner, ())
        return Finished(deal, bids, passes, tricks, won)


def _best(trick: tuple[Card, ...]) -> int:
    """Which card of a trick wins (R16), counted from the leader's: of spades and led suit the highest bit."""
    counting = cards_of(trick) & (SUIT_MASK[SUIT_OF[trick[0]]] | SPADES)
    return trick.index(counting.bit_length() - 1)


def _one_more(won: tuple[int, ...], winner: int) -> tuple[int, ...]:
    return (*won[:winner], won[winner] + 1, *won[winner + 1 :])


def _listed(cards: Cards) -> str:
    return ", ".join(card_names(cards))


# ------------------------------------------------------------------------------------------------------------ finished


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


Unfinished: TypeAlias = Bidding | Exchanging | Playing
Hand: TypeAlias = Unfinished | Finished
"""A hand of Spades in whatever phase it is."""
