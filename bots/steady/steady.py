"""Steady plays soundly: it counts what it holds, remembers what was played, and knows what a trick is worth to it.

It bids by counter's table of honours, and Nil on a hand that no trick should find. It takes tricks as cheaply as it
can while its side needs them or the other side can be set, and ducks afterwards, since each would be a bag. It covers
its partner's Nil with high cards and hunts an opponent's with low ones. No dice: the same request, the same answer.

This file turns messages into what the pure functions beside it work on: `steady_game` says what is played,
`steady_sight` what a seat sees; `steady_draw`, `steady_bids` and `steady_play` choose.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from spades_bot import Bot, Message, run
from steady_bids import bids_blind, choose_bid, riskiest, safest
from steady_draw import keeps, replaced
from steady_game import CLASSIC, Game
from steady_play import choose_card
from steady_sight import DECKS, NAMES, SUIT_OF, Cards, Sight, deck_of, iterate

OVERTRICKS = {"none": 0, "minus_1": -1, "minus_10": -10}
"""What an overtrick is worth where it is no bag."""


class Steady(Bot):
    """Bids by honours, plays by rules of sound play, keeps no state: each request says all that it needs."""

    NAME = "steady"
    VERSION = "1"
    game = CLASSIC

    def start(self) -> None:
        """Look what is played."""
        self.game = game_of(self.rules)

    def blind(self, request: Message) -> str | None:
        """Double Nil when hardly anything else can win the game; never two of them, which would exchange no cards."""
        if None not in request.legal:
            return str(request.legal[0])
        ours = next(side for side, seats in self.rules["sides"].items() if self.seat in seats)
        theirs = max(points for side, points in request.scores.items() if side != ours)
        wish = bids_blind(self.game, request.scores[ours], theirs) and not self._partner_bid(request, "blind_nil")
        return "blind_nil" if wish and "blind_nil" in request.legal else None

    def draw(self, request: Message) -> str:
        """Keep a card that is worth more for what the hand is going to be than the next one should be."""
        card, known = self.game.numbers[request.drawn], self._set([*request.hand, *request.given])
        nil = request.bids.get(self.seat) == "blind_nil"
        return "keep" if keeps(self.game, card, known, nil=nil) else "discard"

    def bid(self, request: Message) -> int | str:
        """The bid of the hand, or the nearest legal one; Nil only where it is meant or nothing else may be bid."""
        bids = {seat: _promised(bid) for seat, bid in request.bids.items()}
        partner = bids.get(self.partner or "")
        gifts = self._gifts(request)
        others = [bid for bid in bids.values() if bid]
        wish = choose_bid(self._set(request.hand), partner, others, gifts, self.game)
        return _nearest(wish, request.legal, self.game)

    def _gifts(self, request: Message) -> int:
        """How many cards a partner who has bid Nil is going to give."""
        if self._partner_bid(request, "blind_nil"):
            return self.game.exchange
        return self.game.nil_exchange if self._partner_bid(request, 0) else 0

    def _partner_bid(self, request: Message, bid: int | str) -> bool:
        return bool(request.bids.get(self.partner or "") == bid)

    def exchange(self, request: Message) -> list[str]:
        """A Nil, who gives first, gets rid of its risks; its partner gives back what is safest."""
        hand = self._set(request.hand)
        if self.partner is None:
            return names_of(replaced(self.game, hand, request.max))
        return names_of(safest(hand, request.min) if request.received else riskiest(hand, request.min, self.game))

    def play(self, request: Message) -> str:
        """The card that the rules of play choose."""
        return NAMES[choose_card(sight_of(request, self.game))]

    def _set(self, names: Iterable[str]) -> Cards:
        return cards_of(names, self.game)


def game_of(rules: Mapping[str, Any]) -> Game:
    """The rules of a match as what the choices depend on."""
    seats, sides = "".join(rules["seats"]), list(rules["sides"].values())
    numbers, alone = DECKS[rules["deck"]], len(sides) == len(seats)
    exchange = rules["exchange"] if len(seats) == 2 or not alone else 0
    return Game(
        seats=seats,
        side_of=tuple(next(number for number, side in enumerate(sides) if seat in side) for seat in seats),
        numbers=numbers,
        deck=deck_of(numbers),
        bidding=rules["bidding"],
        zero=rules["zero"],
        must_nil=rules["suicide"] == "one_nil",
        nil_value=rules["nil_value"],
        blind_value=rules["blind_nil_value"],
        exchange=exchange,
        nil_exchange=exchange if rules["nil_exchange"] else 0,
        nil_helps=rules["failed_nil"] == "help",
        overtrick=_overtrick(rules),
        target=rules["target"],
        behind=rules["behind"],
        floor=rules["floor"],
    )


def _overtrick(rules: Mapping[str, Any]) -> int:
    """A bag is worth its point, less its share of the penalty."""
    bag: int = 1 - rules["bag_penalty"] // rules["bag_limit"]
    return OVERTRICKS.get(rules["overtricks"], bag)


def _promised(bid: int | str) -> int:
    """The tricks that a bid promises: `blind7` promises seven."""
    if isinstance(bid, int):
        return bid
    return int(bid[len("blind") :]) if bid[-1].isdigit() else 0


def _is_nil(bid: int | str, game: Game) -> bool:
    """Whether a bid gains by taking no trick."""
    if bid == "zero":
        return game.zero == "bonus"
    return bid == "blind_nil" or (bid == 0 and game.zero != "only")


def _nearest(wish: int, legal: list[int | str], game: Game) -> int | str:
    """The legal bid that is meant by a number of tricks, or else the one that comes nearest to it and is no Nil."""
    meant = "zero" if wish == 0 and game.zero == "bonus" else wish
    numbers = [bid for bid in legal if bid == "zero" or not _is_nil(bid, game)]
    if meant in legal or not numbers:
        return meant if meant in legal else legal[0]
    return min(numbers, key=lambda bid: abs(_promised(bid) - wish))


def sight_of(request: Message, game: Game = CLASSIC) -> Sight:
    """A request for a card as what the rules of play work on."""
    hand, seats = cards_of(request.hand, game), game.seats
    played, voids = _shown(request, game)
    bids = [request.bids[seat] for seat in seats]
    return Sight(
        seat=seats.index(request.seat),
        hand=hand,
        legal=cards_of(request.legal, game),
        bids=tuple(_promised(bid) for bid in bids),
        nils=tuple(_is_nil(bid, game) for bid in bids),
        won=tuple(request.won[seat] for seat in seats),
        leader=seats.index(request.leader),
        trick=tuple(game.numbers[name] for name in request.trick),
        unseen=game.deck & ~hand & ~played & ~_out_of_play(request, game),
        voids=voids,
        side_of=game.side_of,
        helps=tuple(game.nil_helps or bid == "zero" for bid in bids),
        overtrick=game.overtrick,
    )


def _out_of_play(request: Message, game: Game) -> Cards:
    """The cards that this seat saw go, where they go to nobody; those that replace a Double Nil's may be among them."""
    if not game.drawn or any(bid == "blind_nil" for seat, bid in request.bids.items() if seat != request.seat):
        return 0
    return cards_of(request.given, game)


def _shown(request: Message, game: Game) -> tuple[Cards, tuple[Cards, ...]]:
    """The cards that have been played, and for each seat the suits that it did not follow."""
    played, voids = 0, [0] * len(game.seats)
    tricks = [(trick["leader"], trick["cards"]) for trick in request.tricks]
    for leader, names in [*tricks, (request.leader, request.trick)]:
        for seat, card in enumerate([game.numbers[name] for name in names], game.seats.index(leader)):
            suit = SUIT_OF[game.numbers[names[0]]]
            played |= 1 << card
            voids[seat % len(voids)] |= 0 if suit >> card & 1 else suit
    return played, tuple(voids)


def cards_of(names: Iterable[str], game: Game = CLASSIC) -> Cards:
    """The set of the named cards."""
    return sum(1 << game.numbers[name] for name in names)


def names_of(cards: Cards) -> list[str]:
    """The names of a set's cards."""
    return [NAMES[card] for card in iterate(cards)]


if __name__ == "__main__":
    run(Steady)
