"""Hidden hands as they may be: drawn so that each deal that agrees with the play is as likely, then sifted by the bids.

Pure but for the dice that are handed in. A world is a hand for each seat. What the play excludes (suits not followed)
and what was given away never happens in one; what a bid tells makes a world more or less likely.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, product
from math import factorial
from random import Random
from typing import Final, NamedTuple

from searcher_bids import wish, worth
from searcher_sight import Sight
from spades_harness.game.bids import Bid, BidKind
from spades_harness.game.cards import SPADES, Card, Cards, cards_of, iterate
from spades_harness.game.draw import HELD

World = list[Cards]
"""The hands by seat."""


class Holder(NamedTuple):
    """Where hidden cards may lie: a seat, or out of play (None)."""

    seat: int | None
    room: int
    """How many hidden cards it has."""
    excluded: Cards


class Pool(NamedTuple):
    """Hidden cards that may lie with the same holders."""

    cards: tuple[Card, ...]
    open_to: tuple[bool, ...]
    """By holder."""


class Splits(NamedTuple):
    """How a pool may be shared out among the holders, and how many deals follow from each way and all before it."""

    ways: list[tuple[int, ...]]
    up_to: list[int]


class Dealer:
    """Deals the hidden cards, each deal that agrees with what is known as likely as any other."""

    def __init__(self, sight: Sight, dice: Random) -> None:
        self._dice, self._known = dice, _known(sight)
        self._holders = tuple(_holders(sight, self._known))
        self._pools = _pools(sight, self._known, self._holders)
        self._rooms = tuple(holder.room for holder in self._holders)
        self._splits: dict[tuple[int, tuple[int, ...]], Splits] = {}

    def world(self) -> World:
        """A deal; impossible ones, after an opponent's slip that shows in the play, ignore what is excluded."""
        hands, rooms = list(self._known), self._rooms
        for number, pool in enumerate(self._pools):
            split = self._split(number, rooms)
            rooms = tuple(room - took for room, took in zip(rooms, split, strict=True))
            left, random = list(pool.cards), self._dice.random
            for holder, took in zip(self._holders, split, strict=True):
                got = 0
                for _ in range(took):
                    got |= 1 << left.pop(int(random() * len(left)))
                if holder.seat is not None:
                    hands[holder.seat] |= got
        return hands

    def _split(self, number: int, rooms: tuple[int, ...]) -> tuple[int, ...]:
        """One way to share out a pool, as likely as there are deals that follow from it."""
        if number == len(self._pools) - 1:
            return rooms
        splits = self._all_splits(number, rooms)
        return splits.ways[bisect_right(splits.up_to, self._dice.randrange(splits.up_to[-1]))]

    def _all_splits(self, number: int, rooms: tuple[int, ...]) -> Splits:
        key = number, rooms
        if key not in self._splits:
            pool, counted = self._pools[number], list[tuple[tuple[int, ...], int]]()
            for split in _ways(len(pool.cards), [room * free for room, free in zip(rooms, pool.open_to, strict=True)]):
                after = tuple(room - took for room, took in zip(rooms, split, strict=True))
                deals = _orders(split) * self._deals(number + 1, after)
                if deals:
                    counted.append((split, deals))
            self._splits[key] = Splits([split for split, _ in counted], list(accumulate(deals for _, deals in counted)))
        return self._splits[key]

    def _deals(self, number: int, rooms: tuple[int, ...]) -> int:
        """How many deals of the pools from this one on fill the rooms."""
        if number == len(self._pools):
            return not any(rooms)
        if number == len(self._pools) - 1:
            pool = self._pools[number]
            fits = all(free or not room for room, free in zip(rooms, pool.open_to, strict=True))
            return _orders(rooms) if fits else 0
        return (self._all_splits(number, rooms).up_to or [0])[-1]


def _known(sight: Sight) -> list[Cards]:
    """What is known of each hand: one's own, and what was given to the partner and not played since."""
    known = [0] * len(sight.played)
    known[sight.seat] = sight.hand
    partner = sight.rules.shape.partner(sight.seat)
    if partner is not None:
        known[partner] = sight.given & ~sight.hand & ~sight.state.played
    return known


def _holders(sight: Sight, known: list[Cards]) -> Iterator[Holder]:
    for seat, played in enumerate(sight.played):
        if seat != sight.seat or not sight.seen:
            yield Holder(seat, HELD - played.bit_count() - known[seat].bit_count(), sight.excluded[seat])
    if sight.rules.players == 2:
        unseen = _hidden(sight, known).bit_count()
        seats = 1 + (not sight.seen)
        yield Holder(None, unseen - HELD * seats + sight.played[1 - sight.seat].bit_count(), 0)


def _hidden(sight: Sight, known: list[Cards]) -> Cards:
    """The cards that may be anywhere. What one player of two put aside is nowhere."""
    gone = sight.given if sight.rules.players == 2 else 0
    return cards_of(sight.rules.cards.cards) & ~(sight.state.played | gone | sum(known))


def _pools(sight: Sight, known: list[Cards], holders: tuple[Holder, ...]) -> list[Pool]:
    """The hidden cards by who may have them, the most restricted first. Contradictions free a card for everybody."""
    found: dict[tuple[bool, ...], list[Card]] = {}
    for card in iterate(_hidden(sight, known)):
        open_to = tuple(not holder.excluded >> card & 1 for holder in holders)
        found.setdefault(open_to if any(open_to) else (True,) * len(holders), []).append(card)
    pools = [Pool(tuple(cards), open_to) for open_to, cards in found.items()]
    return sorted(pools, key=lambda pool: sum(pool.open_to))


def _ways(number: int, rooms: list[int]) -> Iterator[tuple[int, ...]]:
    """Every way to put so many cards into these rooms."""
    for first in product(*(range(min(room, number) + 1) for room in rooms[:-1])):
        last = number - sum(first)
        if 0 <= last <= rooms[-1]:
            yield (*first, last)


def _orders(split: Iterable[int]) -> int:
    """In how many ways cards can be shared out so."""
    sizes = list(split)
    orders = factorial(sum(sizes))
    for size in sizes:
        orders //= factorial(size)
    return orders


# ------------------------------------------------------------------------------------------------------------ the bids


AGREES: Final = (27, 9, 3, 1)
"""How likely a bid is that is 0, 1, 2, 3 or more tricks off the one that the hand asks for: parts of no fixed whole."""
SURE: Final = (2700, 9, 3, 1)
"""The same where the rules tie the bid to the spades held."""
NIL_AGREES: Final = ((35, 27), (45, 9), (60, 3))
"""A Nil's risk, and how likely it is bid up to there."""
MISSED_NIL: Final = 5
"""How likely it is that somebody bids a number on a hand for a Nil."""
SIFT: Final = 6
"""So many deals are drawn for one that is kept."""


class Heard(NamedTuple):
    """A bid of a hidden hand, and what its bidder knew."""

    seat: int
    bid: Bid
    played: Cards
    partner: int | None
    others: tuple[int, ...]


class Sampler:
    """Worlds that agree with the play, and more often than not with the bids."""

    def __init__(self, sight: Sight, dice: Random) -> None:
        self._deal, self._dice, self._heard = Dealer(sight, dice).world, dice, tuple(_heard(sight))
        self._free = sight.rules.bidding == "free"

    def world(self) -> World:
        """One of a few deals, each as likely as the bids are on it."""
        if not self._heard:
            return self._deal()
        worlds = [self._deal() for _ in range(SIFT)]
        weights = list(accumulate(self.weight(world) for world in worlds))
        return worlds[bisect_right(weights, self._dice.randrange(weights[-1]))]

    def weight(self, world: World) -> int:
        """How likely these hands make the bids; at least 1."""
        weight = 1
        for heard in self._heard:
            weight *= self._agreement(heard, world[heard.seat] | heard.played)
        return weight

    def _agreement(self, heard: Heard, hand: Cards) -> int:
        if not self._free:
            return 1 if heard.bid.is_nil else SURE[min(abs((hand & SPADES).bit_count() - heard.bid.tricks), 3)]
        if heard.bid.is_nil:
            tenths, risk = worth(hand)
            return next((parts for limit, parts in NIL_AGREES if risk + tenths // 2 <= limit), 1)
        expected = wish(hand, heard.partner, heard.others)
        return AGREES[min(abs(expected - heard.bid.tricks), 3)] if expected else MISSED_NIL


def _heard(sight: Sight) -> Iterator[Heard]:
    """The bids that tell of a hidden hand: not the blind ones, nor those of a side that has exchanged cards since."""
    shape, order = sight.rules.shape, _bidding_order(sight)
    for turn, seat in enumerate(order):
        bid, partner = sight.bids[seat], shape.partner(seat)
        if bid is None or (seat == sight.seat and sight.seen) or bid.kind not in {BidKind.NUMBER, BidKind.NIL}:
            continue
        if may_exchange(sight.rules.exchange, [sight.bids[each] for each in shape.sides[shape.side_of[seat]].seats]):
            continue
        before = {each: made.tricks for each in order[:turn] if (made := sight.bids[each]) is not None}
        others = tuple(tricks for tricks in before.values() if tricks)
        yield Heard(seat, bid, sight.played[seat], before.get(NO_SEAT if partner is None else partner), others)


NO_SEAT: Final = -1


def may_exchange(number: int, bids: Iterable[Bid | None]) -> bool:
    """Whether a side with these bids has exchanged cards, or may have."""
    return number > 0 and any(bid is not None and bid.kind is BidKind.BLIND_NIL for bid in bids)


def _bidding_order(sight: Sight) -> list[int]:
    count = len(sight.bids)
    return [(sight.deal.dealer + 1 + turn) % count for turn in range(count)]
