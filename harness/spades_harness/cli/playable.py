"""Which cards may be played, as `spades legal` is asked: a hand and a trick from words, the answer as words.

No printing, and no rule of play: what is legal, and why else not, `game.play` says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from spades_harness.errors import UserError
from spades_harness.game.bids import NUMBERS
from spades_harness.game.cards import HAND_SIZE, SPADES, Card, Cards, card_name, cards_of, iterate
from spades_harness.game.hand import Deal, Playing, Trick, no_points
from spades_harness.game.rules import Rules

_LETTERS: Final = str.maketrans("♠♥♦♣", "SHDC")
"""Replays show suits as symbols; what they show may be asked about."""
_EARLIER: Final = Trick(0, (), 0)
"""Stands for the tricks before this one: what was in them has no say in what may be played."""


# --------------------------------------------------------------------------------------------------- reading a question


def read_playing(rules: Rules, hand: str, trick: str, *, broken: bool, first: bool) -> Playing:
    """The phase in which a seat is asked for a card: who it is, the trick says (N where there is none).

    Raises UserError.
    """
    held = _read_hand(rules, hand)
    played = _read_trick(rules, trick)
    if again := [card for _, card in played if held >> card & 1]:
        raise UserError(f"--trick: {card_name(again[0])} is in --hand too; correct one of them")
    is_first = first or held.bit_count() == HAND_SIZE
    on_table = cards_of(card for _, card in played)
    if is_first and broken and not on_table & SPADES:
        before = "trick, and no spade to it" if played else "lead"
        cure = "leave out --first or --broken" if first else "leave it out, or name the cards left"
        raise UserError(f"--broken: nothing was played before the first {before}; {cure}")
    seats = len(rules.shape.seats)
    seat = (played[-1][0] + 1) % seats if played else 0
    hands = tuple(held if each == seat else 0 for each in range(seats))
    return Playing(
        deal=Deal(rules, 0, 0, hands, no_points(rules)),
        bids=(NUMBERS[1],) * seats,
        passes=(),
        hands=hands,
        tricks=() if is_first else (_EARLIER,),
        won=(0,) * seats,
        broken=broken or on_table & SPADES != 0,
        seat=seat,
        trick=tuple(card for _, card in played),
    )


def _read_hand(rules: Rules, text: str) -> Cards:
    cards = [_card(rules, "--hand", word) for word in _words(text)]
    if not cards:
        raise UserError('--hand: names no card; write the cards held, such as "AS KS 5H"')
    _refuse_twice("--hand", cards)
    if len(cards) > HAND_SIZE:
        raise UserError(f"--hand: {len(cards)} cards, and a hand has {HAND_SIZE} at most; leave some out")
    return cards_of(cards)


def _read_trick(rules: Rules, text: str) -> list[tuple[int, Card]]:
    """Seats and cards in the order of play."""
    seats = rules.shape.seats
    played = [_played(rules, word) for word in _words(text)]
    if len(played) >= len(seats):
        raise UserError(f"--trick: {len(played)} cards make a whole trick here; leave out those of the next trick")
    for (before, _), (seat, card) in pairwise(played):
        due = (before + 1) % len(seats)
        if seat != due:
            said = f"{seats[seat]}:{card_name(card)} comes after {seats[before]}, but {seats[due]} plays next"
            raise UserError(f"--trick: {said} ({' '.join(seats)}, and round again)")
    _refuse_twice("--trick", [card for _, card in played])
    return played


def _played(rules: Rules, word: str) -> tuple[int, Card]:
    letter, colon, name = word.partition(":")
    if not colon or not name:
        raise UserError(f'--trick: {word!r} is not SEAT:CARD; write it as in "E:QH S:2H"')
    if letter.upper() not in rules.shape.seats:
        known = ", ".join(rules.shape.seats)
        raise UserError(f"--trick: {word}: no seat {letter!r} under these rules; there are: {known}")
    return rules.shape.seats.index(letter.upper()), _card(rules, "--trick", name)


def _words(text: str) -> list[str]:
    return re.split(r"[\s,]+", text.strip(" ,")) if text.strip(" ,") else []


def _card(rules: Rules, option: str, word: str) -> Card:
    card = rules.cards.by_name.get(word.upper().translate(_LETTERS))
    if card is None:
        form = "a card is rank then suit, such as TS or 4H" + ("" if rules.deck == "standard" else ", or BJ or LJ")
        raise UserError(f"{option}: the deck {rules.deck} has no card {word!r}; {form}")
    return card


def _refuse_twice(option: str, cards: Sequence[Card]) -> None:
    for card in cards:
        if cards.count(card) > 1:
            raise UserError(f"{option}: {card_name(card)} is named twice; name it once")


# ----------------------------------------------------------------------------------------------------------- the answer


def legal_names(playing: Playing) -> list[str]:
    """The cards that may be played, as a player sorts them."""
    return [card_name(card) for card in reversed(iterate(playing.legal_cards))]


def objections(playing: Playing) -> dict[str, str]:
    """Each other card of the hand, and the rule against it."""
    others = playing.hands[playing.seat] & ~playing.legal_cards
    return {card_name(card): playing.objection(card) for card in reversed(iterate(others))}


def as_tree(playing: Playing) -> dict[str, Any]:
    """The answer for JSON."""
    return {"legal": legal_names(playing), "illegal": objections(playing)}


def as_lines(playing: Playing) -> Iterator[str]:
    """The answer for people."""
    yield f"{_asked(playing)}: {' '.join(legal_names(playing))} may be played"
    for name, why in objections(playing).items():
        yield f"  not {name}: {why}"


def _asked(playing: Playing) -> str:
    """Who is asked, and what for."""
    seats, leader = playing.deal.rules.shape.seats, playing.leader
    which = "later trick" if playing.tricks else "first trick"
    if not playing.trick:
        return f"{seats[playing.seat]} leads to {'a' if playing.tricks else 'the'} {which}"
    played = " ".join(
        f"{seats[(leader + turn) % len(seats)]}:{card_name(card)}" for turn, card in enumerate(playing.trick)
    )
    return f"{seats[playing.seat]} plays after {played} ({which})"
