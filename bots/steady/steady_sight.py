"""Cards as numbers, and what one seat sees of a hand. Pure: no message, no input, and no decision stands in here.

A card is the position of its bit in a set, and a set of cards is one int. The suits lie one after another, 13 bits
each, the higher bit the stronger card; spades come last, so the highest bit among a trick's spades and led cards is
its winner. These are the numbers of `spades_harness.game.cards`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

Card: TypeAlias = int
"""The bit position of one card, 0 … 51."""
Cards: TypeAlias = int
"""A set of cards, one bit a card."""

NAMES: Final = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
NUMBERS: Final = {name: card for card, name in enumerate(NAMES)}
DECK: Final[Cards] = (1 << 52) - 1
SUITS: Final[tuple[Cards, ...]] = tuple(0x1FFF << 13 * suit for suit in range(4))
SPADES: Final = SUITS[3]
SUIT_OF: Final[tuple[Cards, ...]] = tuple(SUITS[card // 13] for card in range(52))
"""All cards of a card's suit, by card."""


def rank(card: Card) -> int:
    """How high a card is in its suit: 0 for a deuce … 12 for an ace."""
    return card % 13


def above(card: Card) -> Cards:
    """Every higher bit: the stronger cards of the suit, and whatever lies in the suits behind it."""
    return -2 << card


def count(cards: Cards) -> int:
    """How many cards a set has."""
    return cards.bit_count()


def lowest(cards: Cards) -> Card:
    """The lowest bit of a set that isn't empty."""
    return (cards & -cards).bit_length() - 1


def highest(cards: Cards) -> Card:
    """The highest bit of a set that isn't empty."""
    return cards.bit_length() - 1


def iterate(cards: Cards) -> Iterator[Card]:
    """The cards of a set, clubs to spades, each suit low to high."""
    while cards:
        yield lowest(cards)
        cards &= cards - 1


class Sight(NamedTuple):
    """All that one seat knows when it is to play. Seats are numbers clockwise, 0 … 3: the partner is `seat ^ 2`."""

    seat: int
    hand: Cards
    legal: Cards
    bids: tuple[int, ...]
    """The tricks that each seat promised, 0 for either kind of Nil."""
    nils: tuple[bool, ...]
    """Which seats bid Nil, of either kind."""
    won: tuple[int, ...]
    leader: int
    trick: tuple[Card, ...]
    """The cards of the current trick, from the leader's on."""
    unseen: Cards
    """The cards in the other three hands."""
    voids: tuple[Cards, ...]
    """For each seat the suits that it is known to be out of."""


# ----------------------------------------------------------------------------------------------------------- the hand


def missing(s: Sight, side: int) -> int:
    """The tricks that a side (0 or 1) still lacks; those of a failed Nil don't count towards its contract (R21)."""
    return sum(s.bids[seat] - (0 if s.nils[seat] else s.won[seat]) for seat in (side, side + 2))


def keeps_nil(s: Sight, seat: int) -> bool:
    """Whether the seat has bid Nil and can still make it."""
    return s.nils[seat] and s.won[seat] == 0


def is_master(s: Sight, card: Card) -> bool:
    """Whether no higher card of its suit is left in the other hands."""
    return not s.unseen & SUIT_OF[card] & above(card)


# ---------------------------------------------------------------------------------------------------------- the trick


def led(s: Sight) -> Cards:
    """The suit that must be followed."""
    return SUIT_OF[s.trick[0]]


def best_card(s: Sight) -> Card:
    """The card that is winning the trick."""
    counting = led(s) | SPADES
    return max(card for card in s.trick if counting >> card & 1)


def best_seat(s: Sight) -> int:
    """The seat that is winning the trick."""
    return (s.leader + s.trick.index(best_card(s))) % 4


def winners(s: Sight) -> Cards:
    """The legal cards that would be winning the trick."""
    return s.legal & (led(s) | SPADES) & above(best_card(s))


def losers(s: Sight) -> Cards:
    """The legal cards that can't win the trick."""
    return s.legal & ~winners(s)


def to_come(s: Sight) -> list[int]:
    """The seats that play to this trick after this one."""
    return [(s.seat + turn) % 4 for turn in range(1, 4 - len(s.trick))]


# -------------------------------------------------------------------------------------------------------- the chances


def lacks(s: Sight, seat: int, cards: Cards) -> float:
    """The chance that a seat still to play holds none of these cards.

    Every unseen card may lie in any hand that isn't known to be out of its suit. With so many cards in the hand, each
    misses the wanted ones with the share that they have among the possible ones.
    """
    possible = s.unseen & ~s.voids[seat]
    wanted = count(possible & cards)
    return (1 - wanted / count(possible)) ** count(s.hand) if wanted else 1.0


def beats(s: Sight, seat: int, card: Card, suit: Cards) -> float:
    """The chance that a seat still to play can beat this card in a trick of this suit: over it, or with a trump."""
    if suit == SPADES:
        return 1 - lacks(s, seat, SPADES & above(card))
    trump = lacks(s, seat, suit) * (1 - lacks(s, seat, SPADES & above(card)))
    return trump if SPADES >> card & 1 else trump + 1 - lacks(s, seat, suit & above(card))


def stays_best(s: Sight, card: Card, against: list[int]) -> float:
    """The chance that a card which is best so far isn't beaten by these seats."""
    suit = led(s) if s.trick else SUIT_OF[card]
    chance = 1.0
    for seat in against:
        chance *= 1 - beats(s, seat, card, suit)
    return chance


def opponents_to_come(s: Sight) -> list[int]:
    """Those who play to this trick after this seat and are not its partner."""
    return [seat for seat in to_come(s) if seat != s.seat ^ 2]


def must_beat(s: Sight, seat: int) -> float:
    """The chance that a seat still to play holds cards of the led suit, and all of them beat the trick so far."""
    suit, over = led(s), above(best_card(s))
    return lacks(s, seat, suit & ~over) * (1 - lacks(s, seat, suit & over))
