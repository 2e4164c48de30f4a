"""One deal, from what somebody typed to what is shown. The deal itself is `game/hand.deal_hand`, as for the referee."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from spades_harness.errors import UserError
from spades_harness.game.cards import HAND_SIZE, Card, card_name, card_names, show_card
from spades_harness.game.deal import SECRET_BYTES, commitment, secret_of_seed
from spades_harness.game.hand import Deal, deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.table.story import show_hand
from spades_harness.tournament.seeds import typed_seed

_DIGITS: Final = 2 * SECRET_BYTES
_SECRET: Final = re.compile(f"[0-9A-Fa-f]{{{_DIGITS}}}")


@dataclass(frozen=True)
class Dealt:
    """A deal, and what it came from: the commitment of its secret and its board stream."""

    committed: str
    stream: int
    deal: Deal

    @property
    def dealer(self) -> str:
        """The dealer's letter."""
        return self.deal.rules.shape.seats[self.deal.dealer]


def read_secret(seed: str | None, secret: str | None) -> bytes:
    """The secret that was typed, or that of the seed that was. Raises UserError unless it is one of them."""
    if secret is None and seed is not None:
        return secret_of_seed(typed_seed(seed))
    if secret is None or seed is not None:
        raise UserError("give either --seed, as in the tournament's file, or --secret, as a run without a seed ends")
    if not _SECRET.fullmatch(secret):
        raise UserError(f"--secret: must be {_DIGITS} hex digits, not {secret[:_DIGITS]!a}")
    return bytes.fromhex(secret)


def deal(rules: Rules, secret: bytes, stream: int, hand_no: int) -> Dealt:
    """Hand `hand_no` (from 1) of a board stream (from 0)."""
    hand = deal_hand(rules, secret, stream, hand_no - 1, no_points(rules))
    return Dealt(commitment(secret), stream, hand.deal)


def as_tree(dealt: Dealt) -> dict[str, Any]:
    """For machines: hands by seat, or the stock and the second order of two players."""
    found, seats = dealt.deal, dealt.deal.rules.shape.seats
    cards: dict[str, Any]
    if found.stock:
        cards = {name: [*map(card_name, order)] for name, order in (("stock", found.stock), ("second", found.second))}
    else:
        cards = {"hands": {seat: [*card_names(held)] for seat, held in zip(seats, found.hands, strict=True)}}
    where = {"commitment": dealt.committed, "stream": dealt.stream, "hand": found.number + 1}
    return {**where, "dealer": dealt.dealer, **cards}


def as_lines(dealt: Dealt) -> Iterator[str]:
    """For people: as a replay shows a hand."""
    found, seats = dealt.deal, dealt.deal.rules.shape.seats
    yield f"Board stream {dealt.stream}, hand {found.number + 1}, dealt by {dealt.dealer}."
    if found.stock:
        yield from _rows("stock", found.stock)
        yield from _rows("second order", found.second)
    else:
        yield from (f"  {seat}  {show_hand(held)}" for seat, held in zip(seats, found.hands, strict=True))
    yield f"Commitment of the secret: {dealt.committed}"


def _rows(name: str, order: Sequence[Card]) -> Iterator[str]:
    """A deck from its first card on, 13 in a line."""
    yield f"  {name}, from its top on:"
    for at in range(0, len(order), HAND_SIZE):
        yield "    " + " ".join(show_card(card) for card in order[at : at + HAND_SIZE])
