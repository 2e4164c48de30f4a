"""What harness and bots say to each other, as types, and how a match's values become messages. Pure; no bytes here.

Requests and notices are built from views and records and from nothing else, so what a seat may not know cannot be in
them. The keys and their order are the protocol's; `protocol/schema` is generated from these types.
"""

from __future__ import annotations

from dataclasses import fields
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta

from spades_harness import __version__
from spades_harness.game.bids import Bid
from spades_harness.game.cards import card_name, card_names
from spades_harness.game.hand import Trick
from spades_harness.game.notation import write_action, write_bid
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.game.shape import Shape
from spades_harness.game.view import View

from .bounds import Limits
from .match import HandEnd, HandStart, MatchEnd, MatchStart, Notice, Request, Scalar

PROTOCOL: Final = 1
"""The one version of the protocol that this harness speaks."""

Id: TypeAlias = Annotated[
    int, Meta(ge=1, le=2**53 - 1, description="Echoed by the answer; what any JSON reader holds.")
]
SeatName: TypeAlias = Annotated[str, Meta(description="A seat's letter: N, E, S or W; of two players N or S.")]
CardName: TypeAlias = Annotated[str, Meta(description="Rank then suit, such as TS, QH or 2C; jokers are BJ and LJ.")]
BidValue: TypeAlias = Annotated[
    int | str,
    Meta(
        description="A number of tricks; 0 is Nil, or a bid of no tricks where there is no Nil. Before looking "
        "blind_nil, or blind6 … blind13; zero where that is a bid beside Nil."
    ),
]
DrawValue: TypeAlias = Annotated[
    Literal["keep", "discard"], Meta(description="Keep the card that was drawn, or discard it and take the next.")
]
RulesObject: TypeAlias = Annotated[
    dict[str, Any],
    Meta(
        description="Every option of the rules by its name, null for none; seats in the order of play; sides: the "
        "seats of each side by its name."
    ),
]
BySide: TypeAlias = Annotated[
    dict[str, int],
    Meta(description="Keyed by the side's name: NS and EW; of players who play for themselves their seats' letters."),
]
Seconds: TypeAlias = Annotated[float, Meta(ge=0, description="Seconds.")]
HandNo: TypeAlias = Annotated[int, Meta(ge=1, description="The number of the hand in the game, from 1.")]


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Any message with a `type`."""


# -------------------------------------------------------------------------------------------------- harness to the bot


class HelloRequest(Message, tag="hello", frozen=True):
    """The first line of all: the lowest and the highest version of the protocol that the harness speaks."""

    protocol: Annotated[list[int], Meta(min_length=2, max_length=2)]
    harness: str


class TimeLimits(msgspec.Struct, frozen=True):
    """Seconds for the start, for one answer, and for all answers of a match."""

    start: Seconds
    move: Seconds
    bank: Seconds


class MatchStartRequest(Message, tag="match_start", frozen=True):
    """A match begins; to be answered with `ready` when the bot can play."""

    id: Id
    match: str
    seat: SeatName
    partner: SeatName | None
    rules: RulesObject
    boards: Annotated[int | None, Meta(description="So many hands and no other end; null: a game to its end.")]
    limits: TimeLimits
    params: dict[str, Scalar]
    random_seed: str


class TrickMessage(msgspec.Struct, frozen=True):
    """A finished trick, its cards in the order of play."""

    leader: SeatName
    cards: list[CardName]
    winner: SeatName


class Position(Message, frozen=True):
    """What each request says of the hand; it is complete in itself."""

    id: Id
    seat: SeatName
    hand_no: HandNo
    dealer: SeatName
    scores: BySide
    bags: BySide
    bids: dict[SeatName, BidValue]
    won: dict[SeatName, int]
    leader: SeatName
    broken: bool
    trick: list[CardName]
    tricks: list[TrickMessage]
    given: list[CardName]
    received: list[CardName]
    exchanged: dict[SeatName, int]
    time_left: Seconds
    bank_left: Seconds


class BlindRequest(Position, tag="blind", frozen=True):
    """Bid before looking, or null to look: asked only where a blind bid is legal."""

    legal: list[BidValue | None]


class DrawRequest(Position, tag="draw", frozen=True):
    """Keep the card that was drawn, or discard it and take the next: asked where two players draw their cards."""

    hand: list[CardName]
    drawn: CardName
    legal: list[DrawValue]


class BidRequest(Position, tag="bid", frozen=True):
    """Bid."""

    hand: list[CardName]
    legal: list[BidValue | None]


class ExchangeRequest(Position, tag="exchange", frozen=True):
    """Give cards to the partner; of two players: throw some away for as many unused ones."""

    hand: list[CardName]
    min: int
    max: int


class PlayRequest(Position, tag="play", frozen=True):
    """Play a card."""

    hand: list[CardName]
    legal: list[CardName]


class HandStartNotice(Message, tag="hand_start", frozen=True):
    """A hand begins."""

    hand_no: HandNo
    dealer: SeatName
    scores: BySide
    bags: BySide


class HandEndNotice(Message, tag="hand_end", frozen=True):
    """A hand is over: all hands as they were dealt, or as two players had drawn them, and what it was worth."""

    hand_no: HandNo
    hands: dict[SeatName, list[CardName]]
    bids: dict[SeatName, BidValue]
    won: dict[SeatName, int]
    delta: BySide
    scores: BySide
    bags: BySide


class MatchEndNotice(Message, tag="match_end", frozen=True):
    """The match is over, and the final totals.

    `target`, `tie_break`, `draw`, `behind`, `floor` and `hand_cap` are ends of a game, `boards` is that of a match of
    fixed length, and `forfeit` that of one that was lost by a fault.
    """

    reason: str
    scores: BySide
    bags: BySide


ToBot: TypeAlias = (
    HelloRequest
    | MatchStartRequest
    | BlindRequest
    | DrawRequest
    | BidRequest
    | ExchangeRequest
    | PlayRequest
    | HandStartNotice
    | HandEndNotice
    | MatchEndNotice
)


def greeting() -> HelloRequest:
    """What every bot hears first."""
    return HelloRequest(protocol=[PROTOCOL, PROTOCOL], harness=f"spades-harness {__version__}")


def match_start_message(start: MatchStart, number: int) -> MatchStartRequest:
    """The start of a match, as request `number`."""
    shape = start.rules.shape
    partner = shape.partner(start.seat)
    return MatchStartRequest(
        id=number,
        match=start.match,
        seat=shape.seats[start.seat],
        partner=None if partner is None else shape.seats[partner],
        rules=_rules(start.rules),
        boards=start.format.hands if isinstance(start.format, Boards) else None,
        limits=_limits(start.limits),
        params=dict(start.params),
        random_seed=start.random_seed,
    )


def _rules(rules: Rules) -> dict[str, Any]:
    """Every option by its name, the seats clockwise, and the seats of each side."""
    options = {field.name: getattr(rules, field.name) for field in fields(rules)}
    sides = {side.name: [rules.shape.seats[seat] for seat in side.seats] for side in rules.shape.sides}
    return {**options, "seats": list(rules.shape.seats), "sides": sides}


def _limits(limits: Limits) -> TimeLimits:
    return TimeLimits(float(limits.start), float(limits.move), float(limits.bank))


def request_message(
    request: Request, number: int
) -> BlindRequest | DrawRequest | BidRequest | ExchangeRequest | PlayRequest:
    """A request as message `number`."""
    view = request.view
    position = _position(request, number)
    hand = list(card_names(view.hand or 0))
    match view.kind:
        case "blind":
            return BlindRequest(**position, legal=_legal(view))
        case "bid":
            return BidRequest(**position, hand=hand, legal=_legal(view))
        case "draw":
            return DrawRequest(**position, hand=hand, drawn=card_name(view.drawn or 0), legal=_legal(view))
        case "exchange":
            least, most = view.give
            return ExchangeRequest(**position, hand=hand, min=least, max=most)
        case "play":
            return PlayRequest(**position, hand=hand, legal=_legal(view))


def _position(request: Request, number: int) -> dict[str, Any]:
    view = request.view
    shape = view.rules.shape
    seats = shape.seats
    return {
        "id": number,
        "seat": seats[view.seat],
        "hand_no": view.number + 1,
        "dealer": seats[view.dealer],
        "scores": _by_side(shape, view.scores),
        "bags": _by_side(shape, view.bags),
        "bids": _bids(shape, view.bids),
        "won": dict(zip(seats, view.won, strict=True)),
        "leader": seats[view.leader],
        "broken": view.broken,
        "trick": [card_name(card) for card in view.trick],
        "tricks": [_trick(seats, trick) for trick in view.tricks],
        "given": list(card_names(view.given)),
        "received": list(card_names(view.received)),
        "exchanged": dict(zip(seats, view.exchanged, strict=True)),
        "time_left": max(float(request.time_left), 0.0),
        "bank_left": max(float(request.bank_left), 0.0),
    }


def _legal(view: View) -> list[Any]:
    return [write_action(view.kind, action) for action in view.legal]


def _by_side(shape: Shape, values: tuple[int, ...]) -> dict[str, int]:
    return {side.name: value for side, value in zip(shape.sides, values, strict=True)}


def _bids(shape: Shape, bids: tuple[Bid | None, ...]) -> dict[str, int | str]:
    return {seat: write_bid(bid) for seat, bid in zip(shape.seats, bids, strict=True) if bid is not None}


@lru_cache(maxsize=256)  # a finished trick is told up to 48 times; 256 serve a few tables that take turns
def _trick(seats: tuple[str, ...], trick: Trick) -> TrickMessage:
    return TrickMessage(seats[trick.leader], [card_name(card) for card in trick.cards], seats[trick.winner])


def notice_message(notice: Notice) -> HandStartNotice | HandEndNotice | MatchEndNotice:
    """A notice as a message."""
    shape = notice.rules.shape
    match notice:
        case HandStart():
            scores, bags = (_by_side(shape, values) for values in notice.totals)
            return HandStartNotice(hand_no=notice.hand_no, dealer=shape.seats[notice.dealer], scores=scores, bags=bags)
        case HandEnd():
            return _hand_end(notice)
        case MatchEnd():
            scores, bags = (_by_side(shape, values) for values in notice.totals)
            return MatchEndNotice(reason=notice.reason, scores=scores, bags=bags)


def _hand_end(notice: HandEnd) -> HandEndNotice:
    shape, record = notice.rules.shape, notice.record
    return HandEndNotice(
        hand_no=record.hand_no,
        hands={seat: list(card_names(cards)) for seat, cards in zip(shape.seats, record.dealt, strict=True)},
        bids={seat: bid for seat, bid in zip(shape.seats, record.bids, strict=True) if bid is not None},
        won=dict(zip(shape.seats, record.won, strict=True)),
        delta=_by_side(shape, tuple(side.delta for side in record.sides)),
        scores=_by_side(shape, tuple(side.score for side in record.sides)),
        bags=_by_side(shape, tuple(side.bags for side in record.sides)),
    )


def as_object(message: ToBot) -> dict[str, Any]:
    """The message as a JSON reader would give it, `type` included: what in-process bots get."""
    plain: dict[str, Any] = msgspec.to_builtins(message)
    return plain


# ----------------------------------------------------------------------------------------------- the bot to the harness
#
# `wire.decode` reads answers key by key, since each way to go wrong has its own words; these types document them.

Note: TypeAlias = Annotated[str, Meta(description="Kept with the decision, cut; never costs a match.")]
Stats: TypeAlias = Annotated[dict[str, float], Meta(description="Up to 16 numbers by name; kept, never judged.")]


class HelloAnswer(Message, tag="hello", frozen=True):
    """The bot's first line; `answers` are the optional kinds of request that it wants to be asked."""

    protocol: int
    name: str = ""
    version: str = ""
    answers: list[str] = []


class ErrorMessage(Message, tag="error", frozen=True):
    """The bot cannot play, and says why."""

    message: str


class _Answer(msgspec.Struct, frozen=True, kw_only=True):
    id: Id


class ReadyAnswer(_Answer, frozen=True, kw_only=True):
    """The answer to `match_start`."""

    ready: bool


class _Choice(_Answer, frozen=True, kw_only=True):
    note: Note = ""
    stats: Stats = {}


class BidAnswer(_Choice, frozen=True, kw_only=True):
    """The answer to `blind` and `bid`: an element of `legal`."""

    bid: BidValue | None


class ExchangeAnswer(_Choice, frozen=True, kw_only=True):
    """The answer to `exchange`."""

    cards: list[CardName]


class DrawAnswer(_Choice, frozen=True, kw_only=True):
    """The answer to `draw`: an element of `legal`."""

    draw: DrawValue


class PlayAnswer(_Choice, frozen=True, kw_only=True):
    """The answer to `play`: an element of `legal`."""

    card: CardName


FromBot: TypeAlias = HelloAnswer | ErrorMessage | ReadyAnswer | BidAnswer | DrawAnswer | ExchangeAnswer | PlayAnswer
