"""Cards, suits and decks as integers. Pure values: nothing here knows a rule, a seat or a clock.

A card is the position of its bit in a set of cards. The suits lie one after another, 13 bits each, the higher bit the
stronger card; spades come last, so the highest bit among a trick's spades and led cards is its winner. Above the ace
of spades there is room for the trumps that some decks add: high deuces and jokers. A set takes 56 bits at most: it
fits an integer of any language and any database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias

Card: TypeAlias = int
"""The bit position of one card, 0 … 55."""
Cards: TypeAlias = int
"""A set of cards, one bit a card."""


class Suit(IntEnum):
    """The four suits; the value orders them in a set of cards."""

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


PLAIN_SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS)
"""Those that are no trumps."""
RANKS: Final = "23456789TJQKA"
HAND_SIZE: Final = 13
"""Cards that a player bids on (R3), and the tricks of a hand, whatever the deck and the number of players."""
HIGH_TWO_S, HIGH_TWO_D, LITTLE_JOKER, BIG_JOKER = range(52, 56)

_NAMES: Final[tuple[str, ...]] = (*(rank + suit.letter for suit in Suit for rank in RANKS), "2S", "2D", "LJ", "BJ")
SUIT_OF: Final[tuple[Suit, ...]] = (*(suit for suit in Suit for _ in RANKS), *(Suit.SPADES,) * 4)
"""The suit of a card, by card: the added trumps are spades in every respect."""


_BIT: Final[tuple[Cards, ...]] = tuple(1 << card for card in range(len(_NAMES)))
"""The set of one card, by card: quicker looked up than shifted."""


def cards_of(cards: Iterable[Card]) -> Cards:
    """The set of the given cards."""
    result = 0
    for card in cards:
        result |= _BIT[card]
    return result


SUIT_MASK: Final[tuple[Cards, ...]] = tuple(cards_of(c for c, of in enumerate(SUIT_OF) if of is suit) for suit in Suit)
"""All cards of a suit, by suit."""
SPADES: Final[Cards] = SUIT_MASK[Suit.SPADES]
EVERY_CARD: Final[Cards] = sum(SUIT_MASK)


def iterate(cards: Cards) -> tuple[Card, ...]:
    """The cards of a set from the lowest bit up: clubs to spades, low to high."""
    found = []
    while cards:  # from the top: `bit_length` finds the highest bit at once, the lowest would take two steps more
        card = cards.bit_length() - 1
        found.append(card)
        cards ^= 1 << card
    return tuple(found[::-1])


def strength(card: Card) -> int:
    """Rank within the suit, 0 for a plain deuce."""
    return card - len(RANKS) * SUIT_OF[card]


def card_name(card: Card) -> str:
    """Rank then suit, `TS`; jokers `BJ` and `LJ`."""
    return _NAMES[card]


def show_card(card: Card, *, symbols: bool = True) -> str:
    """A card as people read it, `T♠`; with letters where symbols cannot be printed."""
    name = _NAMES[card]
    if not symbols or card in {LITTLE_JOKER, BIG_JOKER}:
        return name
    return name[0] + Suit("CDHS".index(name[1])).symbol


def card_names(cards: Cards) -> tuple[str, ...]:
    """The names of a set's cards as a player sorts them: spades, hearts, diamonds, clubs, each high to low."""
    found = []
    while cards:
        card = cards.bit_length() - 1
        found.append(_NAMES[card])
        cards ^= 1 << card
    return tuple(found)


@dataclass(frozen=True)
class Deck:
    """The cards that are dealt, in the order that `deal` permutes (frozen with its test vectors)."""

    name: str
    cards: tuple[Card, ...]

    @cached_property
    def by_name(self) -> Mapping[str, Card]:
        """The deck's cards by their names, the only spelling that is read."""
        return {_NAMES[card]: card for card in self.cards}

    @cached_property
    def has_like_suits(self) -> bool:
        """Whether clubs, diamonds and hearts have the same ranks, so that one may stand for another."""
        clubs, *others = ({strength(card) for card in self.cards if SUIT_OF[card] is suit} for suit in PLAIN_SUITS)
        return all(other == clubs for other in others)


_PLAIN: Final = (*range(52),)
_DEUCES_OUT: Final = (0, 26)
"""2♣ and 2♥, which make room for the jokers."""


def _with_jokers(added: tuple[Card, ...], removed: tuple[Card, ...]) -> tuple[Card, ...]:
    return (*(card for card in _PLAIN if card not in removed), *added)


STANDARD: Final = Deck("standard", _PLAIN)
"""2C … AC, 2D … AD, 2H … AH, 2S … AS."""
JOKERS: Final = Deck("jokers", _with_jokers((LITTLE_JOKER, BIG_JOKER), _DEUCES_OUT))
"""V16: 3C … AC, 2D … AD, 3H … AH, 2S … AS, LJ, BJ."""
JOKERS_DEUCES: Final = Deck(
    "jokers_deuces",
    _with_jokers((HIGH_TWO_S, HIGH_TWO_D, LITTLE_JOKER, BIG_JOKER), (*_DEUCES_OUT, 13, 39)),
)
"""V16: 3C … AC, 3D … AD, 3H … AH, 3S … AS, 2S, 2D, LJ, BJ: the deuces are spades, and high ones."""
DECKS: Final[Mapping[str, Deck]] = {deck.name: deck for deck in (STANDARD, JOKERS, JOKERS_DEUCES)}
