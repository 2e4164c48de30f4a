"""Actions as they are written down: in messages, in records, on the command line. Pure; one spelling for each action.

Numbers stand for themselves, 0 is Nil, None is the look that answers the blind question, cards are rank then suit,
an exchange is a tuple of cards, a draw is `keep` or `discard`. Reading is exact: a boolean is no number, a spelling
that is not the one is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from .bids import BLIND_NIL, BLIND_NUMBERS, LOOK, NIL, NUMBERS, ZERO, Action, Bid, BidKind, Draw, Look
from .cards import Card, Cards, card_name, card_names, cards_of
from .phase import Kind
from .rules import Rules

Written: TypeAlias = int | str | tuple[str, ...] | None
"""A choice in the form that messages and records hold."""


def write_bid(bid: Bid) -> int | str:
    """A bid: its number, 0 for Nil, `zero`, `blind_nil`, `blind6`."""
    match bid.kind:
        case BidKind.NUMBER | BidKind.NIL:
            return bid.tricks
        case BidKind.BLIND_NUMBER:
            return f"{BidKind.BLIND_NUMBER.value}{bid.tricks}"
        case BidKind.BLIND_NIL | BidKind.ZERO:
            return str(bid.kind.value)


def read_bid(rules: Rules, written: object) -> Bid | Look:
    """The bid that is written so under these rules; raises ValueError."""
    if written is None:
        return LOOK
    spellings = _spellings(rules.zero, blind_nil=rules.blind_nil, blind_number=rules.blind_number)
    if type(written) in {int, str} and written in spellings:
        return spellings[written]
    known = ", ".join(repr(spelling) for spelling in spellings)
    raise ValueError(f"no bid is written {_short(written)}; bids are written {known}")


@lru_cache(maxsize=64)  # all there are
def _spellings(zero: str, *, blind_nil: bool, blind_number: int | None) -> Mapping[object, Bid]:
    """Every bid of a game by rules with these options, by its spelling; when it may be made, `bidding` says."""
    nothing = (NUMBERS[0],) if zero == "only" else (NIL, *((ZERO,) if zero != "nil" else ()))
    blind = (*((BLIND_NIL,) if blind_nil else ()), *(BLIND_NUMBERS[blind_number:] if blind_number else ()))
    return {write_bid(bid): bid for bid in (*nothing, *NUMBERS[1:], *blind)}


def read_cards(rules: Rules, written: object) -> Cards:
    """A set of cards from a list of their names; raises ValueError."""
    if not isinstance(written, list | tuple):
        raise ValueError(f"cards are written as a list of names, not {_short(written)}")
    cards = [read_card(rules, name) for name in written]
    if len(set(cards)) < len(cards):
        raise ValueError("a card is named twice")
    return cards_of(cards)


def read_card(rules: Rules, written: object) -> Card:
    """The card of this name in the rules' deck; raises ValueError."""
    card = rules.cards.by_name.get(written) if type(written) is str else None
    if card is None:
        raise ValueError(f"no card is written {_short(written)}; a card is rank then suit, such as TS or 4H")
    return card


def read_draw(written: object) -> Draw:
    """Keep or discard; raises ValueError."""
    for choice in Draw:
        if type(written) is str and written == choice.value:
            return choice
    raise ValueError(f"a draw is answered with 'keep' or 'discard', not {_short(written)}")


def write_action(kind: Kind, action: Action) -> Written:
    """An action of this kind as it is written."""
    if isinstance(action, int):
        return card_names(action) if kind == "exchange" else card_name(action)
    if isinstance(action, Bid):
        return write_bid(action)
    return None if isinstance(action, Look) else str(action.value)


def read_action(kind: Kind, rules: Rules, written: object) -> Action:
    """The action that is written so; raises ValueError with the reason in words."""
    match kind:
        case "play":
            return read_card(rules, written)
        case "blind" | "bid":
            return read_bid(rules, written)
        case "exchange":
            return read_cards(rules, written)
        case "draw":
            return read_draw(written)


def _short(written: object) -> str:
    """A stranger's text, cut: 60 characters say what was meant, 60,000 would flood the record."""
    text = repr(written)
    return text if len(text) <= 60 else text[:57] + "..."
