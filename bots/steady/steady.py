"""Steady plays soundly: it counts what it holds, remembers what was played, and knows what a trick is worth to it.

It bids by counter's table of honours, and Nil on a hand that no trick should find. It takes tricks as cheaply as it
can while its side needs them or the other side can be set, and ducks afterwards, since each would be a bag. It covers
its partner's Nil with high cards and hunts an opponent's with low ones. No dice: the same request, the same answer.

This file turns messages into what the pure functions beside it work on: `steady_bids` and `steady_play`.
"""

from __future__ import annotations

from collections.abc import Iterable

from spades_bot import Bot, CannotPlay, Message, run
from steady_bids import bids_blind, choose_bid, riskiest, safest
from steady_play import choose_card
from steady_sight import DECK, NAMES, NUMBERS, SUIT_OF, Cards, Sight, iterate

SEATS = "NESW"


class Steady(Bot):
    """Bids by honours, plays by rules of sound play, keeps no state: each request says all that it needs."""

    NAME = "steady"
    VERSION = "1"

    def start(self) -> None:
        """Look whether the game is one that these rules of play are made for."""
        if "".join(self.rules["seats"]) != SEATS or self.partner is None:
            raise CannotPlay("steady knows only how to play two against two")

    def blind(self, request: Message) -> str | None:
        """Double Nil when hardly anything else can win the game; never two of them, which would exchange no cards."""
        ours = next(side for side, seats in self.rules["sides"].items() if self.seat in seats)
        theirs = max(points for side, points in request.scores.items() if side != ours)
        wish = bids_blind(self.rules["target"], request.scores[ours], theirs) and not self._partner_is_blind(request)
        return "blind_nil" if wish and "blind_nil" in request.legal else None

    def bid(self, request: Message) -> int:
        """The bid of the hand, or the nearest legal one; Nil only where it is meant."""
        bids = {seat: _promised(bid) for seat, bid in request.bids.items()}
        gifts = self.rules["exchange"] if self._partner_is_blind(request) else 0
        others = [bid for bid in bids.values() if bid]
        wish = choose_bid(cards_of(request.hand), bids.get(self.partner or ""), others, gifts)
        numbers = [bid for bid in request.legal if type(bid) is int and (bid or not wish)]
        return min(numbers, key=lambda bid: abs(bid - wish))

    def _partner_is_blind(self, request: Message) -> bool:
        return request.bids.get(self.partner or "") == "blind_nil"

    def exchange(self, request: Message) -> list[str]:
        """A Double Nil gets rid of its risks; its partner gives back what is safest."""
        choose = riskiest if request.bids[request.seat] == "blind_nil" else safest
        return names_of(choose(cards_of(request.hand), request.min))

    def play(self, request: Message) -> str:
        """The card that the rules of play choose."""
        return NAMES[choose_card(sight_of(request))]


def sight_of(request: Message) -> Sight:
    """A request for a card as what the rules of play work on."""
    hand = cards_of(request.hand)
    played, voids = _shown(request)
    bids = [request.bids[seat] for seat in SEATS]
    return Sight(
        seat=SEATS.index(request.seat),
        hand=hand,
        legal=cards_of(request.legal),
        bids=tuple(_promised(bid) for bid in bids),
        nils=tuple(bid in (0, "blind_nil") for bid in bids),
        won=tuple(request.won[seat] for seat in SEATS),
        leader=SEATS.index(request.leader),
        trick=tuple(NUMBERS[name] for name in request.trick),
        unseen=DECK & ~hand & ~played,
        voids=voids,
    )


def _promised(bid: int | str) -> int:
    return bid if isinstance(bid, int) else 0


def _shown(request: Message) -> tuple[Cards, tuple[Cards, ...]]:
    """The cards that have been played, and for each seat the suits that it did not follow."""
    played, voids = 0, [0, 0, 0, 0]
    tricks = [(trick["leader"], trick["cards"]) for trick in request.tricks]
    for leader, names in [*tricks, (request.leader, request.trick)]:
        for seat, name in enumerate(names, SEATS.index(leader)):
            suit = SUIT_OF[NUMBERS[names[0]]]
            played |= 1 << NUMBERS[name]
            voids[seat % 4] |= 0 if suit >> NUMBERS[name] & 1 else suit
    return played, tuple(voids)


def cards_of(names: Iterable[str]) -> Cards:
    """The set of the named cards."""
    return sum(1 << NUMBERS[name] for name in names)


def names_of(cards: Cards) -> list[str]:
    """The names of a set's cards."""
    return [NAMES[card] for card in iterate(cards)]


if __name__ == "__main__":
    run(Steady)
