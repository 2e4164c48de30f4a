"""What the phases of a hand have in common: what it starts from, what is in the open, and what may be asked of it.

Pure values, and the two shapes `Unfinished` and `FinishedHand`: all that stands above the game knows of a hand only
these, so that another game of the same shape can be refereed as this one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple, Protocol, TypeAlias

from .bids import Action, Bid
from .cards import Card, Cards, card_names
from .rules import Rules
from .score import SideScore, Totals

Kind: TypeAlias = Literal["blind", "draw", "bid", "exchange", "play"]
"""What a seat is asked for."""


class IllegalAction(ValueError):
    """An action that the rules do not allow now; the text names the rule in words."""


class Deal(NamedTuple):
    """What a hand starts from: hand number (from 0), dealer, the cards of each seat, and the totals before it."""

    rules: Rules
    number: int
    dealer: int
    hands: tuple[Cards, ...]
    """Of players who draw theirs, what they hold when they bid; nothing before."""
    totals: Totals
    stock: tuple[Card, ...] = ()
    """Two players: the cards in the order in which they are drawn."""
    second: tuple[Card, ...] = ()
    """Two players: the order in which unused cards replace those that a Double Nil throws away."""

    @property
    def first_seat(self) -> int:
        """R5, R14: the dealer's left bids first and leads to the first trick."""
        return (self.dealer + 1) % len(self.hands)


class Pass(NamedTuple):
    """Cards that changed hands face down: what the giver and the receiver know of, and nobody else."""

    giver: int | None
    """None: from the unused cards."""
    receiver: int | None
    """None: out of play."""
    cards: Cards


class Trick(NamedTuple):
    """A finished trick: its cards in the order of play from the leader on, and the seat that took it."""

    leader: int
    cards: tuple[Card, ...]
    winner: int


class Phase(Protocol):
    """What is known of a hand in any phase; bids and tricks won by seat."""

    @property
    def deal(self) -> Deal: ...
    @property
    def passes(self) -> tuple[Pass, ...]: ...
    @property
    def tricks(self) -> tuple[Trick, ...]: ...


class Unfinished(Phase, Protocol):
    """A hand in which a seat is to act."""

    @property
    def over(self) -> Literal[False]: ...
    @property
    def bids(self) -> tuple[Bid | None, ...]: ...
    @property
    def won(self) -> tuple[int, ...]: ...
    @property
    def hands(self) -> tuple[Cards, ...]: ...
    @property
    def seat(self) -> int: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def leader(self) -> int: ...
    @property
    def trick(self) -> tuple[Card, ...]: ...
    @property
    def broken(self) -> bool: ...
    @property
    def drawn(self) -> Card | None: ...
    @property
    def give(self) -> tuple[int, int]: ...

    def legal(self) -> tuple[Action, ...]:
        """Every action that may be taken now; never empty."""
        ...

    def allows(self, action: Action) -> bool:
        """Whether an action is one of them."""
        ...

    def objection(self, action: Action) -> str:
        """The rule against an action that `allows` refuses, in words."""
        ...

    def apply(self, action: Action) -> Hand:
        """The hand after this action; raises IllegalAction."""
        ...


class FinishedHand(Phase, Protocol):
    """A hand that is over."""

    @property
    def over(self) -> Literal[True]: ...
    @property
    def bids(self) -> Sequence[Bid | None]: ...
    @property
    def won(self) -> tuple[int, ...]: ...

    def scores(self) -> tuple[SideScore, ...]:
        """What it is worth, by side."""
        ...


Hand: TypeAlias = Unfinished | FinishedHand
"""A hand in whatever phase it is."""


class BeforePlay:
    """What is not yet there before the first lead; a phase overrides what it has."""

    __slots__ = ()
    over: ClassVar[Literal[False]] = False
    tricks: ClassVar[tuple[Trick, ...]] = ()
    trick: ClassVar[tuple[Card, ...]] = ()
    broken: ClassVar[bool] = False
    deal: Deal

    @property
    def won(self) -> tuple[int, ...]:
        """Nobody has taken a trick."""
        return (0,) * len(self.deal.hands)

    @property
    def leader(self) -> int:
        """Who will lead to the first trick."""
        return self.deal.first_seat

    @property
    def drawn(self) -> Card | None:
        """The card that was drawn and is to be kept or put aside."""
        return None

    @property
    def give(self) -> tuple[int, int]:
        """The fewest and the most cards to be given now."""
        return 0, 0


def listed(cards: Cards) -> str:
    """Cards in a sentence."""
    return ", ".join(card_names(cards))
