"""Play while another seat's Nil is alive: the partner's, which is covered, or an opponent's, which is hunted. Pure.

One's own Nil needs no rules of its own: it is ducking, with every trick as one too many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from steady_contract import throw
from steady_sight import (
    SPADES,
    SUIT_OF,
    Card,
    Sight,
    above,
    best_seat,
    highest,
    iterate,
    lacks,
    led,
    losers,
    lowest,
    must_beat,
    opponents_to_come,
    rank,
    stays_best,
    to_come,
    winners,
)

Follow: TypeAlias = Callable[[Sight], Card]
"""How to follow when this trick is no matter of the Nil."""
THREAT: Final = 0.1
"""The chance that a trick falls to the Nil bidder from which on it is worth a sacrifice: a Nil is worth ten tricks."""


# --------------------------------------------------------------------------------------------------- the partner's Nil


def lead_cover(s: Sight, partner: int) -> Card:
    """A card that the partner can stay below, the higher the better."""
    return max(iterate(s.legal), key=lambda card: (round(_lets_stay_below(s, partner, card), 1), rank(card)))


def _lets_stay_below(s: Sight, partner: int, card: Card) -> float:
    """The chance that the partner has no higher card of this suit: only such a one could take the trick."""
    return lacks(s, partner, SUIT_OF[card] & above(card))


def follow_cover(s: Sight, partner: int, follow: Follow) -> Card:
    """Overtake the partner; or go up before he plays; otherwise the trick is like any other."""
    can = winners(s)
    if partner in to_come(s) and must_beat(s, partner) > THREAT:
        return _go_up(s) if can else throw(s)
    if can and best_seat(s) == partner:
        return max(iterate(can), key=lambda card: (round(stays_best(s, card, opponents_to_come(s)), 1), -card))
    return follow(s)


def _go_up(s: Sight) -> Card:
    """The highest card of the led suit, below which the partner finds most room; or the lowest trump, which will do."""
    can = winners(s)
    return highest(can & led(s)) if can & led(s) else lowest(can)


# -------------------------------------------------------------------------------------------------- an opponent's Nil


def lead_hunt(s: Sight, prey: int) -> Card:
    """A low card of a suit in which the Nil bidder has higher ones."""
    return max(
        iterate(s.legal), key=lambda card: (round(1 - lacks(s, prey, SUIT_OF[card] & above(card)), 1), -rank(card))
    )


def follow_hunt(s: Sight, prey: int, follow: Follow) -> Card:
    """Stay below a Nil bidder who is winning the trick or may have to; otherwise the trick is like any other."""
    stay = losers(s)
    if stay and prey not in to_come(s) and best_seat(s) == prey:
        return highest(stay & led(s)) if stay & led(s) else _heavy(s)
    if stay and prey in to_come(s) and must_beat(s, prey) > THREAT:
        return lowest(stay & led(s)) if stay & led(s) else throw(s)
    return follow(s)


def _heavy(s: Sight) -> Card:
    """The highest card beside the spades: no trick is to be won with it now."""
    return max(iterate(losers(s)), key=lambda card: (not SPADES >> card & 1, rank(card)))
