"""The play of a hand as one mutable object, for whoever plays it many times: bots that search, and benchmarks.

`hand.Playing` is the value that the referee trusts; `Playout` is the same play, quicker because it changes in place and
checks nothing. Tests hold the two equal, card by card, under every option. It may not be shown to a seat, since it
knows all hands, and it has no dice of its own: chance comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from .bids import Bid, BidKind
from .cards import SPADES, SUIT_MASK, SUIT_OF, Card, Cards, Suit, iterate
from .play import Playing
from .rules import Rules
from .score import SideScore, score_side

Dice: TypeAlias = Callable[[], float]
"""Numbers from 0 up to but not including 1, each as likely as any: `random.Random(…).random`."""
_ANY: Final[Cards] = -1
"""The mask that every card passes."""
_PLAIN: Final[Cards] = ~SPADES
_SUIT: Final[tuple[int, ...]] = tuple(map(int, SUIT_OF))
"""The suit of a card, by card, as a plain int: quicker than an enum."""
_SUITED: Final[tuple[Cards, ...]] = tuple(SUIT_MASK[suit] for suit in SUIT_OF)
"""All cards of a card's suit, by card."""
_TRUMP: Final = int(Suit.SPADES)
_NO_SUIT: Final = _TRUMP + 1
"""What was led before anything is."""
_LOWEST_TRUMP: Final[Card] = min(iterate(SPADES))


class Course(NamedTuple):
    """How a hand went on to its end."""

    cards: list[Card]
    """In the order of play."""
    won: list[int]
    """The tricks that each seat has taken in the whole hand."""


class Playout:
    """The play of a hand: `play` card after card until `over`.

    The fields are there to be read in the inner loop of a search. Only `play` may change them, but for `hands`: a
    search fills in what the hidden hands may be.
    """

    __slots__ = (
        *("hands", "won", "seat", "trick", "best", "taker", "played", "voids", "must", "may"),
        *("_lead", "_throw", "_others"),
    )

    hands: list[Cards]
    """What each seat holds."""
    won: list[int]
    """The tricks that each seat has taken."""
    seat: int
    """Who is to play; after the last card, who took the last trick."""
    trick: list[Card]
    """The cards of the current trick, from the leader's on."""
    best: Card
    """The card that is winning the current trick; before its first card, without meaning."""
    taker: int
    """The seat that is winning the current trick; before its first card, without meaning."""
    played: Cards
    """All cards that have been played, those of the current trick among them."""
    voids: list[Cards]
    """For each seat the suits that it has not followed, all their cards."""
    must: Cards
    """One of these is to be played if any is held: of the led suit, or what may be led."""
    may: Cards
    """Or else one of these if any is held, and else any card."""
    _lead: Cards
    """V15: `must` at the next lead."""
    _throw: Cards
    """V19: `may` for those who follow in this trick."""
    _others: int
    """Seats less one: so many cards follow a lead, and it masks a seat's number to go round, be they four or two."""

    def __init__(self, rules: Rules, hands: Sequence[Cards], leader: int) -> None:
        """Before the first lead. Hands by seat, four or two; a search may leave hidden ones open until it copies."""
        self.hands, self.won, self.voids = list(hands), [0] * len(hands), [0] * len(hands)
        self.seat = self.taker = leader
        self.trick, self.best, self.played = [], 0, 0
        self.must = _ANY if rules.lead_spades == "any" else _PLAIN
        self._lead = _PLAIN if rules.lead_spades == "broken" else _ANY
        self.may, self._throw = _ANY, _ANY if rules.first_trick_spades else _PLAIN
        self._others = len(hands) - 1

    @classmethod
    def of(cls, hand: Playing) -> Playout:
        """The same moment of the same play."""
        tricks = [*((trick.leader, trick.cards) for trick in hand.tricks), (hand.leader, hand.trick)]
        start = list(hand.hands)
        for leader, cards in tricks:
            for turn, card in enumerate(cards, leader):
                start[turn % len(start)] |= 1 << card
        playout = cls(hand.deal.rules, start, tricks[0][0])
        for _, cards in tricks:
            for card in cards:
                playout.play(card)
        return playout

    def copy(self) -> Playout:
        """Another one that goes its own way from here."""
        new = Playout.__new__(Playout)
        new.hands, new.won, new.voids, new.trick = self.hands[:], self.won[:], self.voids[:], self.trick[:]
        new.seat, new.taker, new.best, new.played = self.seat, self.taker, self.best, self.played
        new.must, new.may = self.must, self.may
        new._lead, new._throw, new._others = self._lead, self._throw, self._others
        return new

    @property
    def over(self) -> bool:
        """Whether the last card has been played."""
        return not self.hands[self.seat]

    @property
    def broken(self) -> bool:
        """Whether a spade has been played (R17)."""
        return self.played & SPADES != 0

    def legal(self) -> Cards:
        """The cards that may be played now, as a set; empty only when all is over."""
        held = self.hands[self.seat]
        return held & self.must or held & self.may or held

    def play(self, card: Card) -> None:
        """The seat that is to play plays a card, which must be legal: nothing is checked."""
        bit, seat, trick = 1 << card, self.seat, self.trick
        self.hands[seat] ^= bit
        self.played |= bit
        if bit & SPADES:
            self._lead = _ANY
        if not trick:
            self.best, self.taker, self.must, self.may = card, seat, _SUITED[card], self._throw
        elif bit & self.must:
            if card > self.best:  # a spade is above every other suit
                self.best, self.taker = card, seat
        else:
            self.voids[seat] |= self.must
            if card > self.best and bit & SPADES:
                self.best, self.taker = card, seat
        trick.append(card)
        if len(trick) <= self._others:
            self.seat = seat + 1 & self._others
            return
        self.seat = taker = self.taker
        self.won[taker] += 1
        trick.clear()
        self.must, self.may, self._throw = self._lead, _ANY, _ANY

    def by_chance(self, dice: Dice) -> Course:
        """Play on to the end, each legal card as likely as any other; this object stays as it is."""
        return self.by_chance_from([shuffled(iterate(held), dice) for held in self.hands], dice)

    def by_chance_from(self, hands: Sequence[Sequence[Card]], dice: Dice) -> Course:
        """As `by_chance`, with the hands in an order that chance has made, each order as likely as any other.

        So a suit's last card is one of them by chance, and the dice need only say the suit of a lead or a discard.
        """
        suits, won, cards = [_by_suit(held) for held in hands], self.won[:], list[Card]()
        seat, taker, best, others, turn = self.seat, self.taker, self.best, self._others, len(self.trick)
        lead_barred, throw_barred = self._lead != _ANY, self._throw != _ANY
        led, barred = (_SUIT[self.trick[0]], throw_barred) if turn else (_NO_SUIT, self.must != _ANY)
        left = len(hands[seat])
        while left:
            for _ in range(turn, others + 1):
                mine = suits[seat]
                own = mine[led]
                if own:
                    card = own.pop()
                    if card > best:  # a spade is above every card of the other suits
                        best, taker = card, seat
                else:
                    # One of all that is left, the spades last; so spades are barred by leaving their number out.
                    place = int(dice() * ((barred and left - len(mine[_TRUMP])) or left))
                    for own in mine:
                        if place < len(own):
                            break
                        place -= len(own)
                    card = own.pop()
                    lead_barred = lead_barred and card < _LOWEST_TRUMP
                    if led == _NO_SUIT:
                        led, best, taker, barred = _SUIT[card], card, seat, throw_barred
                    elif card > best and card >= _LOWEST_TRUMP:
                        best, taker = card, seat
                cards.append(card)
                seat = seat + 1 & others
            won[taker] += 1
            seat, turn, led, left, barred, throw_barred = taker, 0, _NO_SUIT, left - 1, lead_barred, False
        return Course(cards, won)


def shuffled(cards: Sequence[Card], dice: Dice) -> list[Card]:
    """These cards in an order by chance, each as likely as any other: by a number that each of them draws."""
    return sorted(cards, key=lambda _: dice())


def _by_suit(held: Sequence[Card]) -> tuple[list[Card], ...]:
    """The cards of each suit in the same order, and an empty list for no suit."""
    suits: tuple[list[Card], ...] = ([], [], [], [], [])
    for card in held:
        suits[_SUIT[card]].append(card)
    return suits


class ScoreBook:
    """The scores under one set of rules, each reckoned once: a search asks for the same ones over and over."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._sides = rules, tuple(side.seats for side in rules.shape.sides)
        self._sums: dict[tuple[int, int, int], SideScore] = {}
        self._known: dict[tuple[tuple[Bid, ...], tuple[int, ...], int], SideScore] = {}

    def scores(self, bids: Sequence[Bid], won: Sequence[int], bags: Sequence[int]) -> tuple[SideScore, ...]:
        """As `score.score_hand`: bids and tricks by seat, the bags carried so far by side."""
        return tuple([self._side(seats, bids, won, bags[side]) for side, seats in enumerate(self._sides)])

    def _side(self, seats: tuple[int, ...], bids: Sequence[Bid], won: Sequence[int], bags: int) -> SideScore:
        contract = taken = 0
        for seat in seats:
            if bids[seat].kind is not BidKind.NUMBER:
                return self._told_apart(seats, bids, won, bags)
            contract += bids[seat].tricks
            taken += won[seat]
        known = self._sums.get((contract, taken, bags))
        if known is None:  # R8: numbers count as their sum, and their tricks too
            score = score_side(self._rules, (Bid(BidKind.NUMBER, contract),), (taken,), bags)
            known = self._sums[contract, taken, bags] = score
        return known

    def _told_apart(self, seats: tuple[int, ...], bids: Sequence[Bid], won: Sequence[int], bags: int) -> SideScore:
        own, taken = tuple([bids[seat] for seat in seats]), tuple([won[seat] for seat in seats])
        known = self._known.get((own, taken, bags))
        if known is None:
            known = self._known[own, taken, bags] = score_side(self._rules, own, taken, bags)
        return known
