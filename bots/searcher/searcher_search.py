"""The search: what each choice comes to, on hidden hands as they may be, when all play on by the fast policy.

Pure but for dice and the end of the time, which are handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from random import Random
from typing import Final, TypeAlias

from searcher_belief import worlds
from searcher_bids import NIL_LIMIT, Bidder, nearest, nil_doubt, riskiest, safest, wish, worth
from searcher_contest import best_choice
from searcher_policy import choose
from searcher_promises import NOBODY, Promises, promises
from searcher_sight import Sight
from searcher_value import Value
from searcher_worlds import World
from spades_harness.game.bidding import open_bids, with_bid
from spades_harness.game.bids import BLIND_NIL, LOOK, Bid, BidKind, Look
from spades_harness.game.cards import SUIT_OF, Card, Cards, cards_of, iterate
from spades_harness.game.exchange import Exchanging, after_bidding
from spades_harness.game.phase import Deal
from spades_harness.game.play import Playing
from spades_harness.game.playout import Playout

Enough: TypeAlias = Callable[[int], bool]
"""Asked before so many playouts: whether to stop."""
Bids: TypeAlias = tuple[Bid | None, ...]
BELOW: Final = 1
ABOVE: Final = 2
"""So far from the tricks that the model sees numbers are tried."""
PREFER_BID: Final = 4
"""A bid replaces the model's when it is ahead by the root of so many standard errors: bids differ by little."""
NIL_DOUBT: Final = 15
"""So much more risk than the model takes is tried for Nil."""


def play_out(state: Playout, terms: Promises) -> list[int]:
    """The tricks that each seat has in the end, if all play on by the fast policy. Changes the state."""
    for _ in range(sum([hand.bit_count() for hand in state.hands])):
        state.play(choose(state, terms))
    return state.won


# ---------------------------------------------------------------------------------------------------------- the cards


def best_card(sight: Sight, dice: Random, enough: Enough) -> Card:
    """The legal card that does best; the policy's where none does better."""
    state, bids = sight.state, tuple(bid for bid in sight.bids if bid is not None)
    terms, value = promises(sight.rules, bids), _value(sight)
    legal, favourite = state.legal(), choose(state, terms)
    choices = distinct(legal, favourite, _others(sight))

    def value_of(world: World, card: Card) -> int:
        trial = state.copy()
        trial.hands[:] = world
        trial.play(card)
        return value.of(bids, play_out(trial, terms))

    return best_choice(choices, choices.index(favourite), worlds(sight, dice), value_of, enough)


def distinct(legal: Cards, favourite: Card, others: Cards) -> list[Card]:
    """The legal cards but for those that equal another one, since no card of others lies between the two."""
    found: list[Card] = []
    top = NOBODY
    for card in iterate(legal):
        between = others & -2 << top & (1 << card) - 1 if top != NOBODY else others
        if found and SUIT_OF[top] == SUIT_OF[card] and not between:
            found[-1] = card if card == favourite else found[-1]
        else:
            found.append(card)
        top = card
    return found


# ----------------------------------------------------------------------------------------------------------- the bids


class Auction:
    """What each bid of one seat comes to, when the others bid by the model and all play on."""

    def __init__(self, sight: Sight) -> None:
        self._sight, self._value = sight, _value(sight)
        count = len(sight.bids)
        self._order = [(sight.deal.first_seat + turn) % count for turn in range(count)]
        self._terms = cache(partial(promises, sight.rules))

    def value(self, world: World, bid: Bid | Look) -> int:
        """The value of a bid in a world; a look is followed by the model's bid on the hand that is seen then."""
        deal = self._sight.deal._replace(hands=tuple(world))
        seat = self._sight.seat
        made = bid if isinstance(bid, Bid) else model_bid(self._sight.model, deal, self._sight.bids, seat)
        bids = self._completed(deal, with_bid(self._sight.bids, seat, made))
        state = Playout.of(_to_the_lead(self._sight.model, deal, bids))
        return self._value.of(bids, play_out(state, self._terms(bids)))

    def _completed(self, deal: Deal, bids: Bids) -> tuple[Bid, ...]:
        for seat in self._order:
            if bids[seat] is None:
                bids = with_bid(bids, seat, model_bid(self._sight.model, deal, bids, seat))
        return tuple(bid for bid in bids if bid is not None)


def model_bid(model: Bidder, deal: Deal, bids: Bids, seat: int) -> Bid:
    """What the model bids on the seat's hand, having looked."""
    hand = deal.hands[seat]
    return nearest(open_bids(deal, bids, seat, hand), wish(hand, model, *_heard_by(deal, bids, seat)))


def _heard_by(deal: Deal, bids: Bids, seat: int) -> tuple[int | None, tuple[int, ...], int]:
    """What the seat goes by: its partner's bid, those that promise tricks, and the cards that a partner will give."""
    partner = deal.rules.shape.partner(seat)
    mate = None if partner is None else bids[partner]
    gifts = deal.rules.exchange if mate == BLIND_NIL else 0
    return None if mate is None else mate.tricks, tuple(bid.tricks for bid in bids if bid and bid.tricks), gifts


def _to_the_lead(model: Bidder, deal: Deal, bids: tuple[Bid, ...]) -> Playing:
    """The hand after any exchange: Nils give what is riskiest, their partners what is safest."""
    hand = after_bidding(deal, bids, ())
    while isinstance(hand, Exchanging):
        hand = hand.apply(gift(model, bids[hand.seat], hand.hands[hand.seat], hand.give[1]))
    assert isinstance(hand, Playing)
    return hand


def gift(model: Bidder, bid: Bid, hand: Cards, number: int) -> Cards:
    """The cards that a player who has bid so gives away."""
    return riskiest(hand, model, number) if bid.is_nil else safest(hand, number)


def best_bid(sight: Sight, legal: Sequence[Bid], dice: Random, enough: Enough) -> Bid:
    """The bid that does best, of those near the model's; the model's where none does better."""
    deal = sight.deal._replace(hands=tuple(sight.hand if seat == sight.seat else 0 for seat in range(len(sight.bids))))
    favourite = model_bid(sight.model, deal, sight.bids, sight.seat)
    choices = worth_trying(sight, legal, favourite)
    return best_choice(choices, choices.index(favourite), worlds(sight, dice), Auction(sight).value, enough, PREFER_BID)


def worth_trying(sight: Sight, legal: Sequence[Bid], favourite: Bid) -> list[Bid]:
    """The model's bid, numbers near the tricks that it sees, and Nil on a hand that may make it."""
    _, others, gifts = _heard_by(sight.deal, sight.bids, sight.seat)
    hand, model = sight.hand, sight.model
    number = wish(hand, model._replace(must_nil=False), 0, others, gifts)
    may_be_nil = nil_doubt(hand, model) + worth(hand, model).tenths // 2 <= max(model.nil_limit, NIL_LIMIT) + NIL_DOUBT
    near = [
        bid
        for bid in legal
        if bid.kind is BidKind.ZERO or (may_be_nil if bid.is_nil else number - BELOW <= bid.tricks <= number + ABOVE)
    ]
    return near if favourite in near else [*near, favourite]


def best_blind(sight: Sight, legal: Sequence[Bid], dice: Random, enough: Enough) -> Bid | Look:
    """What does best before the cards are seen: to look, Double Nil, or the lowest blind number."""
    numbers = [bid for bid in legal if bid.kind is BidKind.BLIND_NUMBER]
    choices: list[Bid | Look] = [LOOK, *(bid for bid in legal if bid.is_nil), *numbers[:1]]
    return best_choice(choices, 0, worlds(sight, dice), Auction(sight).value, enough)


def _value(sight: Sight) -> Value:
    return Value(sight.rules, sight.rules.shape.side_of[sight.seat], sight.deal.totals.bags)


def _others(sight: Sight) -> Cards:
    """The cards that may still take a trick from ours: all that is not ours and not played, save to this trick."""
    state = sight.state
    return sight.model.deck & ~(sight.hand | state.played) | cards_of(state.trick)
