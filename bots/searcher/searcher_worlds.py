"""Hidden hands as they may be: each deal that agrees with the play is as likely as any other. Pure but for the dice.

A world is a hand for each seat. What the play excludes (suits not followed) and what was given away never happens in
one. What bids and cards tell beyond that, `searcher_belief` adds.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, product
from math import factorial
from random import Random
from typing import NamedTuple

from searcher_sight import Sight
from spades_harness.game.cards import HAND_SIZE, Card, Cards, cards_of, iterate

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
        self._dice, self.known = dice, _known(sight)
        self.holders = tuple(_holders(sight, self.known))
        self._pools = _pools(sight, self.known, self.holders)
        self._rooms = tuple(holder.room for holder in self.holders)
        self._splits: dict[tuple[int, tuple[int, ...]], Splits] = {}

    def deal(self) -> list[list[Card]]:
        """The hidden cards by holder. Where the play contradicts itself, what is excluded is ignored."""
        held: list[list[Card]] = [[] for _ in self.holders]
        rooms, random = self._rooms, self._dice.random
        for number, pool in enumerate(self._pools):
            split = self._split(number, rooms)
            rooms = tuple(room - took for room, took in zip(rooms, split, strict=True))
            left = list(pool.cards)
            for cards, took in zip(held, split, strict=True):
                cards += [left.pop(int(random() * len(left))) for _ in range(took)]
        return held

    def world(self, held: list[list[Card]]) -> World:
        """The hands by seat when the hidden cards are held so."""
        hands = list(self.known)
        for holder, cards in zip(self.holders, held, strict=True):
            if holder.seat is not None:
                hands[holder.seat] |= cards_of(cards)
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
            yield Holder(seat, HAND_SIZE - played.bit_count() - known[seat].bit_count(), sight.excluded[seat])
    if sight.rules.players == 2:
        unseen = _hidden(sight, known).bit_count()
        seats = 1 + (not sight.seen)
        yield Holder(None, unseen - HAND_SIZE * seats + sight.played[1 - sight.seat].bit_count(), 0)


def _hidden(sight: Sight, known: list[Cards]) -> Cards:
    """The cards that may be anywhere. What one player of two put aside is nowhere."""
    gone = sight.given if sight.rules.players == 2 else 0
    return sight.model.deck & ~(sight.state.played | gone | sum(known))


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
