"""One deal, from what somebody typed to what is shown. The deal itself is `game/hand.deal_hand`, as for the referee."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from spades_harness.errors import UserError
from spades_harness.game.cards import HAND_SIZE, Card, card_name, card_names, show_card
from spades_harness.game.deal import SECRET_BYTES, secret_of_seed
from spades_harness.game.hand import Deal, deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.table.story import show_hand
from spades_harness.tournament.file.seeds import typed_salt, typed_seed
from spades_harness.tournament.sealed import Sealed

_DIGITS: Final = 2 * SECRET_BYTES
_SECRET: Final = re.compile(f"[0-9A-Fa-f]{{{_DIGITS}}}")


@dataclass(frozen=True)
class Dealt:
    """A deal, and what it came from."""

    source: Sealed
    stream: int
    leg: int
    """As which it is disguised, 0 for not at all."""
    deal: Deal

    @property
    def dealer(self) -> str:
        """The dealer's letter."""
        return self.deal.rules.shape.seats[self.deal.dealer]


def read_source(seed: str | None, secret: str | None, salt: str | None) -> Sealed:
    """The secret as by `read_secret`, with the salt that was typed. Raises UserError for what is none."""
    return Sealed(read_secret(seed, secret), None if salt is None else typed_salt(salt))


def read_secret(seed: str | None, secret: str | None) -> bytes:
    """The secret that was typed, or that of the seed that was. Raises UserError unless it is one of them."""
    if secret is None and seed is not None:
        return secret_of_seed(typed_seed(seed))
    if secret is None or seed is not None:
        raise UserError("give either --seed, as in the tournament's file, or --secret, as a run without a seed ends")
    if not _SECRET.fullmatch(secret):
        raise UserError(f"--secret: must be {_DIGITS} hex digits, not {secret[:_DIGITS]!a}")
    return bytes.fromhex(secret)


def deal(rules: Rules, source: Sealed, stream: int, hand_no: int, leg: int = 0) -> Dealt:
    """Hand `hand_no` (from 1) of a board stream (from 0), as in this leg. Raises UserError where none is disguised."""
    if leg and not rules.cards.has_like_suits:
        why = f"the plain suits of the deck {rules.deck} are not alike, so that no leg is disguised"
        raise UserError(f"--leg: {why}; leave it out")
    hand = deal_hand(rules, source.source, stream, hand_no - 1, no_points(rules), leg)
    return Dealt(source, stream, leg, hand.deal)


def as_tree(dealt: Dealt) -> dict[str, Any]:
    """For machines: hands by seat, or the stock and the second order of two players."""
    found, seats = dealt.deal, dealt.deal.rules.shape.seats
    cards: dict[str, Any]
    if found.stock:
        cards = {name: [*map(card_name, order)] for name, order in (("stock", found.stock), ("second", found.second))}
    else:
        cards = {"hands": {seat: [*card_names(held)] for seat, held in zip(seats, found.hands, strict=True)}}
    salt = {"salt": dealt.source.salt} if dealt.source.salt else {}
    where = {"commitment": dealt.source.commitment, **salt, "stream": dealt.stream, "hand": found.number + 1}
    return {**where, **({"leg": dealt.leg} if dealt.leg else {}), "dealer": dealt.dealer, **cards}


def as_lines(dealt: Dealt) -> Iterator[str]:
    """For people: as a replay shows a hand."""
    found, seats = dealt.deal, dealt.deal.rules.shape.seats
    leg = f", disguised as in leg {dealt.leg}" if dealt.leg else ""
    yield f"Board stream {dealt.stream}, hand {found.number + 1}, dealt by {dealt.dealer}{leg}."
    if found.stock:
        yield from _rows("stock", found.stock)
        yield from _rows("second order", found.second)
    else:
        yield from (f"  {seat}  {show_hand(held)}" for seat, held in zip(seats, found.hands, strict=True))
    yield f"Commitment of the secret: {dealt.source.commitment}"
    if dealt.source.salt:
        yield f"Salt: {dealt.source.salt}"


def _rows(name: str, order: Sequence[Card]) -> Iterator[str]:
    """A deck from its first card on, 13 in a line."""
    yield f"  {name}, from its top on:"
    for at in range(0, len(order), HAND_SIZE):
        yield "    " + " ".join(show_card(card) for card in order[at : at + HAND_SIZE])
