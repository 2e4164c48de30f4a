"""Playing for the contract: which card takes a trick cheaply, and which loses one usefully. Pure.

Nobody's Nil is minded in here; that stands in `steady_nil`.
"""

from __future__ import annotations

from typing import Final

from steady_sight import (
    SPADES,
    SUIT_OF,
    Card,
    Cards,
    Sight,
    above,
    best_card,
    best_seat,
    count,
    highest,
    is_master,
    iterate,
    led,
    losers,
    lowest,
    missing,
    opponents_of,
    opponents_to_come,
    partner_of,
    rank,
    stays_best,
    to_come,
    winners,
)

LIKELY: Final = 0.5
"""A chance of holding that makes it worth leading a master card now, before somebody runs out of its suit."""
WORTH_TRYING: Final = 0.4
"""A chance of holding below which a high card is better kept behind the player who can beat it."""
MARGIN: Final = 0.2
"""A lower card will do if it holds nearly as well as the best one; the best one wins another trick."""
CHEAP: Final = -3
"""Points that an overtrick may cost if every set is worth a try."""
BETTER: Final = 0.25
"""A partner's winning card is only overtaken if the trick becomes so much safer: it costs a card of ours."""


def wants_tricks(s: Sight) -> bool:
    """Whether another trick is worth having: for our contract, or to set theirs. Otherwise it is a bag."""
    ours, left = missing(s, s.side_of[s.seat]), count(s.hand)
    own_contract_is_open = 0 < ours <= left and (s.helps[s.seat] or not s.nils[s.seat])
    return own_contract_is_open or any(_set_is_in_reach(s, s.side_of[seat]) for seat in opponents_of(s))


def _set_is_in_reach(s: Sight, side: int) -> bool:
    """A set costs them twenty points a bid trick, a bag costs us nine: a try pays long before a set is likely."""
    left = count(s.hand)
    return (0 if s.overtrick > CHEAP else left / 2) < missing(s, side) <= left


# ---------------------------------------------------------------------------------------------------- to take a trick


def lead_to_win(s: Sight) -> Card:
    """A card that will take the trick, or the lowest: partner or a later round may do better."""
    sure = [card for card in iterate(s.legal) if is_master(s, card)]
    side = [card for card in sure if SUIT_OF[card] != SPADES]
    best = max(side, key=lambda card: stays_best(s, card, opponents_to_come(s)), default=None)
    if best is not None and stays_best(s, best, opponents_to_come(s)) > LIKELY:
        return best
    if sure and sure[-1] not in side and rules_trumps(s):
        return sure[-1]
    return throw(s)


def rules_trumps(s: Sight) -> bool:
    """Whether we hold so many spades that drawing the others' leaves us the last ones."""
    return 2 * count(s.hand & SPADES) >= count(s.unseen & SPADES)


def follow_to_win(s: Sight) -> Card:
    """The cheapest card that should win; the least useful one where none does or the partner needs no help."""
    can = winners(s)
    if not can or partner_suffices(s, can):
        return throw(s)
    # The last to play needs no more than the cheapest. A ruff is a gamble on those who follow: with a low spade.
    if len(s.trick) == 3 or not can & led(s):
        return lowest(can)
    chances = {card: stays_best(s, card, opponents_to_come(s)) for card in iterate(can)}
    best = max(chances.values())
    if best < WORTH_TRYING:
        return throw(s)
    return next(card for card, chance in chances.items() if chance >= best - MARGIN)


def partner_suffices(s: Sight, can: Cards) -> bool:
    """Whether the partner is winning the trick, and would keep it about as well as the best of our cards."""
    if best_seat(s) != partner_of(s):
        return False
    rivals = opponents_to_come(s)
    ours = max(stays_best(s, card, rivals) for card in iterate(can))
    return not rivals or stays_best(s, best_card(s), rivals) > ours - BETTER


def throw(s: Sight) -> Card:
    """The card that is missed least: the lowest, no spade if possible, and of equals the one of the shortest suit.

    A suit that has run out can be ruffed.
    """
    return min(iterate(s.legal), key=lambda card: (card >= lowest(SPADES), rank(card), count(s.hand & SUIT_OF[card])))


# -------------------------------------------------------------------------------------------------- to lose the trick


def lead_to_duck(s: Sight) -> Card:
    """The card that is most surely beaten."""
    return min(iterate(s.legal), key=lambda card: (stays_best(s, card, to_come(s)), rank(card)))


def follow_to_duck(s: Sight) -> Card:
    """A card that loses, the most dangerous of them; if all of ours win so far, the one most likely to be beaten."""
    if losers(s):
        return max(iterate(losers(s)), key=lambda card: (danger(s, card), card))
    if len(s.trick) == 3:
        return highest(s.legal)  # the trick is ours: with the card that might have won another one
    return min(iterate(s.legal), key=lambda card: stays_best(s, card, to_come(s)))


def danger(s: Sight, card: Card) -> int:
    """How much a card threatens to win a trick one day.

    It does when few cards are above it in the other hands, and few of our own below it to be played in its place.
    """
    suit = SUIT_OF[card]
    beaten_by, sheltered_by = count(s.unseen & suit & above(card)), count(s.hand & suit & ~above(card))
    return (4 if suit == SPADES else 0) - beaten_by - sheltered_by
