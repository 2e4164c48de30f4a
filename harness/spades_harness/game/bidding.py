"""Bidding: each seat bids once, and may be asked before it looks at its cards. Pure.

Which bids are legal stands in `blind_bids` and `open_bids`, and in nothing else: candidates by the rules' options, less
those that `_fits` refuses because of what others have bid.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeGuard

from .bids import BLIND_NIL, BLIND_NUMBERS, LOOK, NIL, NUMBERS, ZERO, Action, Bid, BidKind, Look
from .cards import SPADES, Cards
from .exchange import after_bidding
from .notation import write_bid
from .phase import BeforePlay, Deal, Hand, IllegalAction, Kind, Pass
from .rules import OPTIONS, Rules

Bids = tuple[Bid | None, ...]
"""By seat; None for one that hasn't bid."""


# ------------------------------------------------------------------------------------------------- which bids are legal


def blind_bids(deal: Deal, bids: Sequence[Bid | None], seat: int) -> tuple[Bid, ...]:
    """What a seat may bid before looking (R12, V7, V9); one that has no such bid isn't asked for one."""
    rules = deal.rules
    if not rules.blind_nil and rules.blind_number is None:
        return ()
    nils = (BLIND_NIL,) if rules.blind_nil and _is_far_behind(deal, seat) else ()
    numbers = () if rules.blind_number is None else BLIND_NUMBERS[rules.blind_number :]
    return _fitting(deal, bids, seat, (*nils, *numbers))


def _is_far_behind(deal: Deal, seat: int) -> bool:
    """Whether the seat's side is so many points behind the leader that it may bid Double Nil."""
    scores, least = deal.totals.scores, deal.rules.blind_deficit
    return not least or max(scores) - scores[deal.rules.shape.side_of[seat]] >= least


def must_bid_blind(rules: Rules) -> bool:
    """V8: whether nobody may look first."""
    return rules.suicide == "all_double_nil"


def open_bids(deal: Deal, bids: Sequence[Bid | None], seat: int, held: Cards) -> tuple[Bid, ...]:
    """What a seat may bid after looking (R6, R7, V6, V8, V11, V14)."""
    if deal.rules.bidding == "free":
        return _fitting(deal, bids, seat, _any_bid(deal.rules.zero))
    spades = (held & SPADES).bit_count()
    if not spades:
        return (NIL,)
    return (NIL, NUMBERS[spades]) if deal.rules.bidding == "whiz" else (NUMBERS[spades],)


@lru_cache(maxsize=8)  # there are four values
def _any_bid(zero: str) -> tuple[Bid, ...]:
    """V6: what there is to bid, from the lowest."""
    if zero == "only":
        return NUMBERS
    return (NIL, *((ZERO,) if zero in {"plain", "bonus"} else ()), *NUMBERS[1:])


def _fitting(deal: Deal, bids: Sequence[Bid | None], seat: int, candidates: tuple[Bid, ...]) -> tuple[Bid, ...]:
    """Those that go with what the partner has bid."""
    if not _hangs_on_partner(deal.rules):
        return candidates
    return tuple(bid for bid in candidates if not _misfit(deal, bids, seat, bid))


def _misfit(deal: Deal, bids: Sequence[Bid | None], seat: int, bid: Bid) -> str:
    """The rule by which a bid does not go with what the partner has bid, in words; empty where it does."""
    rules, partner = deal.rules, deal.rules.shape.partner(seat)
    before = None if partner is None else bids[partner]
    if not _leaves_one_nil(rules, bid, before):
        return "exactly one of each pair must bid Nil (V8)"
    if not _reaches_minimum(rules, bid, before):
        return f"the least that a {rules.minimum_scope} may bid is {rules.minimum_bid} (V11)"
    return ""


def _hangs_on_partner(rules: Rules) -> bool:
    """Whether `_misfit` has anything to refuse: asked first, since under most rules it has not."""
    return rules.suicide == "one_nil" or rules.minimum_bid > 0


def _leaves_one_nil(rules: Rules, bid: Bid, before: Bid | None) -> bool:
    """V8, one nil: the second of a pair bids Nil if the first did not, and only then."""
    return rules.suicide != "one_nil" or before is None or bid.is_nil != before.is_nil


def _reaches_minimum(rules: Rules, bid: Bid, before: Bid | None) -> bool:
    """V11: Nil is exempt, but of a side one number alone must reach the minimum where the other bid is Nil."""
    if rules.minimum_scope == "player":
        return bid.is_nil or bid.tricks >= rules.minimum_bid
    together = [each for each in (bid, before) if each is not None and not each.is_nil]
    # The first of a side may leave the rest to the second, who can always bid enough, unless he will have to bid Nil.
    if before is None and rules.suicide != "one_nil":
        return True
    return not together or sum(each.tricks for each in together) >= rules.minimum_bid


def objection_to_bid(
    deal: Deal, bids: Sequence[Bid | None], seat: int, action: Action, choices: Iterable[Action], *, looked: bool
) -> str:
    """The rule against a bid that isn't one of the choices, in words, and the choices as they are written."""
    why = rule_against(deal, bids, seat, action, looked=looked)
    return f"{action} may not be bid: {why}; the choices are {', '.join(map(_spelled, choices))}"


def rule_against(deal: Deal, bids: Sequence[Bid | None], seat: int, action: Action, *, looked: bool) -> str:
    """The rule against a bid that isn't one of the choices, in words."""
    misfit = _misfit(deal, bids, seat, action) if isinstance(action, Bid) else ""
    return misfit or (_against_open(deal, bids, seat, action) if looked else _against_blind(deal.rules, action))


def _against_open(deal: Deal, bids: Sequence[Bid | None], seat: int, action: Action) -> str:
    """Why a seat that has looked may not bid this."""
    rules = deal.rules
    if isinstance(action, Look):
        return "the cards have been looked at"
    if action in blind_bids(deal, bids, seat):
        return f"that is bid before looking at the cards ({'R12' if action == BLIND_NIL else 'V9'})"
    if rules.bidding != "free":
        return f"the bid is {OPTIONS['bidding'].meaning(rules.bidding)} (V14)"
    return "there is no such bid by these rules"


def _against_blind(rules: Rules, action: Action) -> str:
    """Why a seat that has not looked may not bid this."""
    if must_bid_blind(rules):
        return "everybody bids Double Nil (V8)"
    if action == BLIND_NIL and rules.blind_nil:
        return f"Double Nil is for a side that is {rules.blind_deficit} or more points behind (V7)"
    return "the cards have not been looked at"


def _spelled(choice: Action) -> str:
    """As an answer has it in JSON."""
    match choice:
        case Look():
            return "null (look)"
        case Bid(kind=BidKind.NIL):
            return "0 (nil)"
        case Bid():
            written = write_bid(choice)
            return f'"{written}"' if isinstance(written, str) else str(written)
        case _:
            return str(choice)


# ------------------------------------------------------------------------------------------------------------ the phase


class _Bidding(NamedTuple):
    deal: Deal
    bids: Bids
    passes: tuple[Pass, ...]
    seat: int
    looked: bool


class Bidding(_Bidding, BeforePlay):
    """Each seat bids once, from the dealer's left; a seat that may bid blind is asked that before it looks (D5)."""

    __slots__ = ()

    @property
    def kind(self) -> Kind:
        """`blind` until the seat has looked, then `bid`."""
        return "bid" if self.looked else "blind"

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The cards of each seat."""
        return self.deal.hands

    def legal(self) -> tuple[Action, ...]:
        """The bids that may be made now; before looking, the look too."""
        if self.looked:
            return open_bids(self.deal, self.bids, self.seat, self.hands[self.seat])
        return blind_choices(self.deal, self.bids, self.seat)

    def allows(self, action: Action) -> TypeGuard[Bid | Look]:
        """Whether the rules allow this bid now."""
        return action in self.legal()

    def objection(self, action: Action) -> str:
        """The rule against an action that `allows` refuses, in words."""
        return objection_to_bid(self.deal, self.bids, self.seat, action, self.legal(), looked=self.looked)

    def apply(self, action: Action) -> Hand:
        """The hand after this bid; raises IllegalAction."""
        if not self.allows(action):
            raise IllegalAction(self.objection(action))
        if isinstance(action, Look):
            return Bidding(self.deal, self.bids, self.passes, self.seat, looked=True)
        return next_to_bid(self.deal, with_bid(self.bids, self.seat, action), self.passes)


def blind_choices(deal: Deal, bids: Sequence[Bid | None], seat: int) -> tuple[Action, ...]:
    """The answers to the blind question; none where it isn't asked."""
    blind = blind_bids(deal, bids, seat)
    return blind if must_bid_blind(deal.rules) or not blind else (LOOK, *blind)


def with_bid(bids: Bids, seat: int, bid: Bid) -> Bids:
    """The bids with one more."""
    return (*bids[:seat], bid, *bids[seat + 1 :])


def next_to_bid(deal: Deal, bids: Bids, passes: tuple[Pass, ...]) -> Hand:
    """The turn of the next seat that has not bid, or what comes after the last.

    The blind question comes first, where there is one, save to players who have seen their cards while drawing them.
    """
    seats = ((deal.first_seat + turn) % len(bids) for turn in range(len(bids)))
    seat = next((seat for seat in seats if bids[seat] is None), None)
    if seat is None:
        return after_bidding(deal, tuple(bid for bid in bids if bid is not None), passes)
    return Bidding(deal, bids, passes, seat, looked=bool(deal.stock) or not blind_bids(deal, bids, seat))
