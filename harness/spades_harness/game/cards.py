"""Cards, suits and decks as integers. Pure values: nothing here knows a rule, a seat or a clock.

A card is the position of its bit in a set of cards. Each suit has a lane of 16 bits, the higher bit the stronger
card; spades are the top lane, so the strongest bit of a trick's spades and led cards is its winner. Above the ace of
spades there is room for the trumps that some decks add: high deuces and jokers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias

Card: TypeAlias = int
"""The bit position of one card, 0 … 64."""
Cards: TypeAlias = int
"""A set of cards, one bit a card."""


class Suit(IntEnum):
    """The four suits; the value orders the lanes of bits."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """`C`, `D`, `H` or `S`."""
        return "CDHS"[self]

    @property
    def symbol(self) -> str:
        """`♣`, `♦`, `♥` or `♠`."""
        return "♣♦♥♠"[self]

    @property
    def word(self) -> str:
        """The suit's name in a sentence: `clubs` …"""
        return self.name.lower()


LANE: Final = 16
RANKS: Final = "23456789TJQKA"
SPADES: Final[Cards] = ((1 << 17) - 1) << (LANE * Suit.SPADES)
SUIT_MASK: Final[tuple[Cards, ...]] = (*tuple((1 << LANE) - 1 << LANE * s for s in range(3)), SPADES)
HIGH_TWO_S, HIGH_TWO_D, LITTLE_JOKER, BIG_JOKER = range(61, 65)

_NAMES: Final[Mapping[Card, str]] = {
    **{LANE * suit + rank: RANKS[rank] + suit.letter for suit in Suit for rank in range(13)},
    HIGH_TWO_S: "2S",
    HIGH_TWO_D: "2D",
    LITTLE_JOKER: "LJ",
    BIG_JOKER: "BJ",
}
SUIT_OF: Final[tuple[Suit, ...]] = tuple(Suit(min(card // LANE, 3)) for card in range(BIG_JOKER + 1))
"""The suit of a card, by card: `SUIT_OF[card]`."""


def card_name(card: Card) -> str:
    """Rank then suit, `TS`; jokers `BJ` and `LJ`."""
    return _NAMES[card]


def show_card(card: Card, *, symbols: bool = True) -> str:
    """A card as people read it, `T♠`; with letters where symbols cannot be printed."""
    name = _NAMES[card]
    if not symbols or name[1] == "J":
        return name
    return name[0] + "♣♦♥♠"["CDHS".index(name[1])]


def cards_of(cards: Iterable[Card]) -> Cards:
    """The set of the given cards."""
    result = 0
    for card in cards:
        result |= 1 << card
    return result


def iterate(cards: Cards) -> Iterator[Card]:
    """The cards of a set from the lowest bit up: clubs to spades, low to high."""
    while cards:
        low = cards & -cards
        yield low.bit_length() - 1
        cards ^= low


def strength(card: Card) -> int:
    """Rank within the suit, 0 for a plain deuce."""
    return card - LANE * SUIT_OF[card]


def card_names(cards: Cards) -> tuple[str, ...]:
    """The names of a set's cards as a player sorts them: spades, hearts, diamonds, clubs, each high to low."""
    return tuple(_NAMES[card] for card in sorted(iterate(cards), reverse=True))


@dataclass(frozen=True)
class Deck:
    """The cards that are dealt, in the order that `deal` permutes (frozen with its test vectors)."""

    name: str
    cards: tuple[Card, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Card]:
        """The deck's cards by their names, the only spelling that is read."""
        return {_NAMES[card]: card for card in self.cards}


STANDARD: Final = Deck("standard", tuple(LANE * suit + rank for suit in Suit for rank in range(13)))
