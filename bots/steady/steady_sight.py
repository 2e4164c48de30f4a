"""Cards as numbers, and what one seat sees of a hand. Pure: no message, no input, and no decision stands in here.

A card is the position of its bit in a set, and a set of cards is one int. The suits lie one after another, 13 bits
each, the higher bit the stronger card; spades come last, so the highest bit among a trick's spades and led cards is
its winner. Above the ace of spades lie the trumps that some decks add. These are the numbers of
`spades_harness.game.cards`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

Card: TypeAlias = int
"""The bit position of one card, 0 … 55."""
Cards: TypeAlias = int
"""A set of cards, one bit a card."""

NAMES: Final = [*(rank + suit for suit in "CDHS" for rank in "23456789TJQKA"), "2S", "2D", "LJ", "BJ"]
DECKS: Final[Mapping[str, Mapping[str, Card]]] = {
    "standard": {NAMES[card]: card for card in range(52)},
    "jokers": {NAMES[card]: card for card in (*range(52), 54, 55) if NAMES[card] not in {"2C", "2H"}},
    "jokers_deuces": {NAMES[card]: card for card in range(56) if NAMES[card] not in {"2C", "2H"}},
}
"""By the name of a deck the number of each of its cards. Where deuces are high, the later number counts."""
NUMBERS: Final = DECKS["standard"]
SPADES: Final[Cards] = (1 << 56) - (1 << 39)
SUITS: Final[tuple[Cards, ...]] = (*(0x1FFF << 13 * suit for suit in range(3)), SPADES)
SUIT_OF: Final[tuple[Cards, ...]] = tuple(SUITS[min(card // 13, 3)] for card in range(56))
"""All cards of a card's suit, by card."""


def deck_of(numbers: Mapping[str, Card]) -> Cards:
    """The set of a deck's cards."""
    return sum(1 << card for card in numbers.values())


DECK: Final = deck_of(NUMBERS)


def rank(card: Card) -> int:
    """How high a card is in its suit: 0 for a deuce … 12 for an ace; 13 to 16 for the trumps that a deck adds."""
    return card - 13 * min(card // 13, 3)


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
    """All that one seat knows when it is to play. Seats are numbers clockwise, 0 … 3, or 0 and 1.

    What has a default is that of partners with classic rules.
    """

    seat: int
    hand: Cards
    legal: Cards
    bids: tuple[int, ...]
    """The tricks that each seat promised, 0 for any kind of Nil."""
    nils: tuple[bool, ...]
    """Which seats gain by taking no trick: they bid Nil, of either kind, or a zero that has a bonus."""
    won: tuple[int, ...]
    leader: int
    trick: tuple[Card, ...]
    """The cards of the current trick, from the leader's on."""
    unseen: Cards
    """The cards in the other hands; with two players those that are out of play too, unless this seat saw them go."""
    voids: tuple[Cards, ...]
    """For each seat the suits that it is known to be out of."""
    side_of: tuple[int, ...] = (0, 1, 0, 1)
    """For each seat its side."""
    helps: tuple[bool, ...] = (False,) * 4
    """Which seats' tricks count towards their side's contract even after a failed Nil."""
    overtrick: int = -9
    """What a trick above the contract is worth, in points: a bag is worth one, and a tenth of a penalty of 100."""


# ----------------------------------------------------------------------------------------------------------- the hand


@lru_cache(maxsize=64)  # there are three ways to share the seats out, and four seats
def others(side_of: tuple[int, ...], seat: int) -> tuple[int | None, tuple[int, ...]]:
    """The partner of a seat, None for one that stands alone, and its opponents. There are two seats or four."""
    rest = [seat ^ other for other in range(1, len(side_of))]
    partner = next((other for other in rest if side_of[other] == side_of[seat]), None)
    return partner, tuple(other for other in rest if other != partner)


def partner_of(s: Sight) -> int | None:
    """The seat that wins and loses with this one."""
    return others(s.side_of, s.seat)[0]


def opponents_of(s: Sight) -> tuple[int, ...]:
    """Everybody else but the partner."""
    return others(s.side_of, s.seat)[1]


def missing(s: Sight, side: int) -> int:
    """The tricks that a side still lacks; those of a failed Nil don't count towards its contract (R21, but V5)."""
    seats = [seat for seat, of in enumerate(s.side_of) if of == side]
    return sum(s.bids[seat] - (s.won[seat] if s.helps[seat] or not s.nils[seat] else 0) for seat in seats)


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
    return (s.leader + s.trick.index(best_card(s))) % len(s.won)


def winners(s: Sight) -> Cards:
    """The legal cards that would be winning the trick."""
    return s.legal & (led(s) | SPADES) & above(best_card(s))


def losers(s: Sight) -> Cards:
    """The legal cards that can't win the trick."""
    return s.legal & ~winners(s)


def to_come(s: Sight) -> list[int]:
    """The seats that play to this trick after this one."""
    seats = len(s.won)
    return [(s.seat + turn) % seats for turn in range(1, seats - len(s.trick))]


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
    partner = partner_of(s)
    return [seat for seat in to_come(s) if seat != partner]


def must_beat(s: Sight, seat: int) -> float:
    """The chance that a seat still to play holds cards of the led suit, and all of them beat the trick so far."""
    suit, over = led(s), above(best_card(s))
    return lacks(s, seat, suit & ~over) * (1 - lacks(s, seat, suit & over))
