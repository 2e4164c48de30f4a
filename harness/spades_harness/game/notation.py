"""Actions as they are written down: in messages, in records, on the command line. Pure; one spelling for each action.

Numbers stand for themselves, 0 is Nil, None is the look that answers the blind question, cards are rank then suit,
an exchange is a tuple of cards. Reading is exact: a boolean is no number, a spelling that is not the one is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from .bids import BLIND_NIL, LOOK, NIL, NUMBERS, Action, Bid, BidKind, Look
from .cards import Card, Cards, card_name, card_names, cards_of
from .hand import Kind
from .rules import Rules

Written: TypeAlias = int | str | tuple[str, ...] | None
"""A choice in the form that messages and records hold."""


def write_bid(bid: Bid) -> int | str:
    """A bid: its number, 0 for Nil, `blind_nil`."""
    return bid.kind.value if bid.kind is BidKind.BLIND_NIL else bid.tricks


def read_bid(rules: Rules, written: object) -> Bid | Look:
    """The bid that is written so under these rules; raises ValueError."""
    if written is None:
        return LOOK
    spellings = _spellings(rules)
    if type(written) in {int, str} and written in spellings:
        return spellings[written]
    known = ", ".join(repr(spelling) for spelling in spellings)
    raise ValueError(f"no bid is written {_short(written)}; bids are written {known}")


def _spellings(rules: Rules) -> Mapping[object, Bid]:
    """Every bid of a game by these rules, by its spelling; when it may be made, `hand` says."""
    blind = (BLIND_NIL,) if rules.blind_nil else ()
    return {write_bid(bid): bid for bid in (NIL, *NUMBERS[1:], *blind)}


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
    card = rules.deck.by_name.get(written) if type(written) is str else None
    if card is None:
        raise ValueError(f"no card is written {_short(written)}; a card is rank then suit, such as TS or 4H")
    return card


def write_action(kind: Kind, action: Action) -> Written:
    """An action of this kind as it is written."""
    if isinstance(action, Look):
        return None
    if isinstance(action, Bid):
        return write_bid(action)
    return card_names(action) if kind == "exchange" else card_name(action)


def read_action(kind: Kind, rules: Rules, written: object) -> Action:
    """The action that is written so; raises ValueError with the reason in words."""
    match kind:
        case "blind" | "bid":
            return read_bid(rules, written)
        case "exchange":
            return read_cards(rules, written)
        case "play":
            return read_card(rules, written)


def _short(written: object) -> str:
    """A stranger's text, cut: 60 characters say what was meant, 60,000 would flood the record."""
    text = repr(written)
    return text if len(text) <= 60 else text[:57] + "..."
