"""What bids and cards tell of hidden hands: worlds come up as often as their players would have bid and played so.

Pure but for the dice. Each seat's bid and cards are held against what the model would have done on the hand that it has
in a world; nothing is impossible, since nobody need think like the model. The worlds are a walk: from each to the next
some cards change hands, and the change stands as often as it is likely.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, NamedTuple

from searcher_bids import nil_doubt, wish, worth
from searcher_policy import choose
from searcher_promises import NOBODY, Promises, promises
from searcher_sight import Sight
from searcher_worlds import Dealer, World
from spades_harness.game.bids import Bid, BidKind
from spades_harness.game.cards import SPADES, Card, Cards, cards_of
from spades_harness.game.playout import Playout

AGREES: Final = (27, 9, 3, 1)
"""How likely a bid is that is 0, 1, 2, 3 or more tricks off the one that the hand asks for: parts of no fixed whole."""
SURE: Final = (2700, 9, 3, 1)
"""The same where the rules tie the bid to the spades held."""
NIL_AGREES: Final = ((35, 27), (45, 9), (60, 3))
"""A Nil's risk, and how likely it is bid up to there."""
MISSED_NIL: Final = 5
"""How likely it is that somebody bids a number on a hand for a Nil."""
SAME_CARD: Final = 6
"""How many times as likely a card is that the policy would have played as one that it would not."""
FIRST: Final = 12
"""So many deals are drawn to begin the walk with one of them."""
STEPS: Final = 8
"""Changes that are tried from one world to the next."""
MOST_SWAPS: Final = 3
"""Cards that change hands at a time."""


class Heard(NamedTuple):
    """A bid of a hidden hand, and what its bidder knew."""

    bid: Bid
    played: Cards
    partner: int | None
    others: tuple[int, ...]


class Played(NamedTuple):
    """A card of a hidden hand: the moment of its play, the cards that its player still had of those now played."""

    terms: Promises
    moment: Playout
    card: Card
    later: Cards


class Belief:
    """How likely the bid and the cards of a seat are, by its hand now."""

    def __init__(self, sight: Sight) -> None:
        self._free, self._heard = sight.rules.bidding == "free", dict(_heard(sight))
        self._played = _played(sight)
        self._model = sight.model
        self._known: dict[tuple[int, Cards], int] = {}

    def likelihood(self, seat: int, hand: Cards) -> int:
        """In parts of no fixed whole, at least 1."""
        known = self._known.get((seat, hand))
        if known is None:
            heard = self._heard.get(seat)
            known = 1 if heard is None else self._agreement(heard, hand | heard.played)
            for played in self._played.get(seat, ()):
                known *= SAME_CARD if _would_play(played, hand) else 1
            self._known[seat, hand] = known
        return known

    def _agreement(self, heard: Heard, hand: Cards) -> int:
        if not self._free:
            return 1 if heard.bid.is_nil else SURE[min(abs((hand & SPADES).bit_count() - heard.bid.tricks), 3)]
        if heard.bid.is_nil:
            doubt = nil_doubt(hand, self._model) + worth(hand, self._model).tenths // 2
            return next((parts for limit, parts in NIL_AGREES if doubt <= limit), 1)
        expected = wish(hand, self._model, heard.partner, heard.others)
        return AGREES[min(abs(expected - heard.bid.tricks), 3)] if expected else MISSED_NIL


def _would_play(played: Played, hand: Cards) -> bool:
    """Whether the policy, with this hand now, would have played the card then."""
    moment = played.moment
    moment.hands[moment.seat] = hand | played.later
    return choose(moment, played.terms) == played.card


def _heard(sight: Sight) -> Iterator[tuple[int, Heard]]:
    """The bids that tell of a hidden hand: not the blind ones, nor those of a side that has exchanged cards since."""
    shape, count = sight.rules.shape, len(sight.bids)
    order = [(sight.deal.dealer + 1 + turn) % count for turn in range(count)]
    for turn, seat in enumerate(order):
        bid, partner = sight.bids[seat], shape.partner(seat)
        if bid is None or (seat == sight.seat and sight.seen) or bid.kind not in {BidKind.NUMBER, BidKind.NIL}:
            continue
        if _may_have_exchanged(sight, shape.sides[shape.side_of[seat]].seats):
            continue
        before = {each: made.tricks for each in order[:turn] if (made := sight.bids[each]) is not None}
        others = tuple(tricks for tricks in before.values() if tricks)
        yield seat, Heard(bid, sight.played[seat], before.get(NOBODY if partner is None else partner), others)


def _may_have_exchanged(sight: Sight, seats: Iterable[int]) -> bool:
    """Whether cards have left the hands of a side since it bid."""
    rules, bids = sight.rules, [sight.bids[seat] for seat in seats]
    entitled = {BidKind.BLIND_NIL, BidKind.NIL} if rules.nil_exchange else {BidKind.BLIND_NIL}
    return rules.exchange > 0 and any(bid is not None and bid.kind in entitled for bid in bids)


def _played(sight: Sight) -> dict[int, list[Played]]:
    """The cards that hidden hands have played, each with its moment."""
    found: dict[int, list[Played]] = {}
    if not sight.moves:
        return found
    terms = promises(sight.rules, [bid for bid in sight.bids if bid is not None])
    state, gone = sight.opening.copy(), [0] * len(sight.bids)
    for seat, card in sight.moves:
        if seat != sight.seat:
            later = sight.played[seat] & ~gone[seat]
            found.setdefault(seat, []).append(Played(terms, state.copy(), card, later))
        gone[seat] |= 1 << card
        state.play(card)
    return found


def worlds(sight: Sight, dice: Random) -> Iterator[World]:
    """Worlds without end, each a few changes away from the one before; no work is done until one is asked for."""
    sampler = Sampler(sight, dice)
    while True:
        yield sampler.world()


class Sampler:
    """The walk from world to world."""

    def __init__(self, sight: Sight, dice: Random) -> None:
        self._dealer, self._belief, self._dice = Dealer(sight, dice), Belief(sight), dice
        deals = [self._dealer.deal() for _ in range(FIRST)]
        self._held = max(deals, key=lambda held: self._weight(self._dealer.world(held)))

    def _weight(self, world: World) -> int:
        weight = 1
        for holder in self._dealer.holders:
            if holder.seat is not None:
                weight *= self._belief.likelihood(holder.seat, world[holder.seat])
        return weight

    def world(self) -> World:
        """The next one."""
        if len(self._held) > 1:
            for _ in range(STEPS):
                self._step()
        return self._dealer.world(self._held)

    def _step(self) -> None:
        """Swap some cards of two holders; take it back if the hands are excluded, or too unlikely for the dice."""
        random, count = self._dice.random, len(self._held)
        first = int(random() * count)
        second = (first + 1 + int(random() * (count - 1))) % count
        one, other = self._held[first], self._held[second]
        if not one or not other:
            return
        before = self._likelihood(first) * self._likelihood(second)
        swaps = [(int(random() * len(one)), int(random() * len(other))) for _ in range(1 + int(random() * MOST_SWAPS))]
        _swap(one, other, swaps)
        if self._is_excluded(first) or self._is_excluded(second) or not self._stands(before, first, second):
            _swap(one, other, swaps[::-1])

    def _stands(self, before: int, first: int, second: int) -> bool:
        after = self._likelihood(first) * self._likelihood(second)
        return after >= before or self._dice.randrange(before) < after

    def _likelihood(self, place: int) -> int:
        seat = self._dealer.holders[place].seat
        return (
            1 if seat is None else self._belief.likelihood(seat, self._dealer.known[seat] | cards_of(self._held[place]))
        )

    def _is_excluded(self, place: int) -> bool:
        return self._dealer.holders[place].excluded & cards_of(self._held[place]) != 0


def _swap(one: list[Card], other: list[Card], swaps: Iterable[tuple[int, int]]) -> None:
    for mine, yours in swaps:
        one[mine], other[yours] = other[yours], one[mine]
