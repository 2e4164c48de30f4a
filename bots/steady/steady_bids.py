"""What steady bids, and which cards it gives beside a Double Nil. Pure: functions of the cards and of others' bids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from steady_game import CLASSIC, Game
from steady_sight import DECK, SPADES, SUIT_OF, SUITS, Card, Cards, above, count, iterate, rank

# What an honour is worth, in tenths of a trick, when its suit has one, two, three … cards; the last number holds for
# longer suits. The table of the bot `counter`.
SIDE_SUIT: Final[Mapping[int, Sequence[int]]] = {12: (10,), 11: (3, 7), 10: (0, 1, 4)}
TRUMPS: Final[Mapping[int, Sequence[int]]] = {12: (10,), 11: (5, 10), 10: (0, 3, 9), 9: (0, 0, 3, 5)}
LONG_SPADE: Final = 9
ADDED_TRUMPS: Final = 3
"""What each two spades more than thirteen in the deck take off: more of the other honours are ruffed."""
SOLE: Final = 8
"""What more a hand takes whose partner must bid Nil: it covers him with tricks that it would have left to him."""

# The same with two players: fitted to 1900 hands in which both took what they could, which leaves 1.3 tricks to chance.
DRAWN_SIDE: Final[Mapping[int, int]] = {12: 8, 11: 5, 10: 2}
DRAWN_SPADE: Final = (5, 5, 6, 6, 6, 6, 7, 7, 9, 11, 14, 16, 16)
EMPTY_SUIT: Final = 7
CAUTION: Final = 5
"""A set costs more than a bag, and here no partner makes good what a hand misses."""

# What a card threatens a Nil with, by rank from the deuce up, when it is the lowest, the second lowest, the third
# lowest of its suit, or a spade. Ten of these points multiply the odds against the Nil by e; measured over 24,000
# hands in which each likely hand was played as a Nil.
RISK: Final[Sequence[Sequence[int]]] = (
    (0, 0, 0, 0, 2, 3, 5, 7, 9, 11, 13, 17, 46),
    (0, 0, 0, 0, 0, 0, 2, 4, 6, 7, 9, 13, 28),
    (0, 0, 0, 0, 1, 1, 1, 3, 3, 4, 5, 8, 12),
)
SPADE_RISK: Final = (0, 0, 0, 0, 1, 1, 2, 4, 5, 8, 10, 15, 99)
LONG_SUIT_RISK: Final = 4
"""The fourth card of a suit comes when the others have run out and throw their low cards on it."""
FOUR_SPADES_RISK: Final = 9
NIL_LIMIT: Final = 35
ALONE_NIL_LIMIT: Final = 24
"""Three opponents and nobody to cover it: one of three is made that would be worth a try with a partner."""
MUST_NIL_LIMIT: Final = 60
"""Where one of a pair must bid Nil: nearly half of all hands are below, the better half, if the first is to speak."""
SMALL_NIL: Final = 50
"""A Nil worth less than this is no better than the few tricks of the hand."""
GIFT: Final = 7
"""Tenths of a trick that a card is worth which a Double Nil is going to give to its partner."""
LATE: Final = 100
"""So many points below the target, a side may win with the next hand."""
FAR_BEHIND: Final = 100
"""A deficit that a hand of ordinary bids won't make good."""


def tenths(hand: Cards, deck: Cards = DECK) -> int:
    """How many tricks a hand should take, in tenths, when all cards of a deck are dealt to four."""
    honours = sum(_honours(hand & suit, TRUMPS if suit == SPADES else SIDE_SUIT, deck) for suit in SUITS)
    return honours + LONG_SPADE * max(count(hand & SPADES) - 3, 0) - _ruffs(deck)


def _ruffs(deck: Cards) -> int:
    return ADDED_TRUMPS * (count(deck & SPADES) - 13) // 2


def _honours(cards: Cards, table: Mapping[int, Sequence[int]], deck: Cards) -> int:
    rows = [table[place] for card in iterate(cards) if (place := standing(card, deck)) in table]
    return sum(row[min(count(cards), len(row)) - 1] for row in rows)


def drawn_tenths(hand: Cards, deck: Cards = DECK) -> int:
    """How many tricks a hand should take, in tenths, when half of the cards are out of play."""
    empty = sum(not hand & suit for suit in SUITS[:3])
    return sum(drawn_worth(card, deck) for card in iterate(hand)) + EMPTY_SUIT * empty - CAUTION - _ruffs(deck)


def drawn_worth(card: Card, deck: Cards) -> int:
    """What a card adds to that."""
    place = standing(card, deck)
    return DRAWN_SPADE[place] if SPADES >> card & 1 else DRAWN_SIDE.get(place, 0)


def standing(card: Card, deck: Cards) -> int:
    """A card's rank counted from the top of its suit: 12 for the highest that the deck has."""
    return max(12 - count(deck & SUIT_OF[card] & above(card)), 0)


def nil_risk(hand: Cards, deck: Cards = DECK) -> int:
    """What threatens a Nil on this hand; up to about 25 it is made more often than two times in three."""
    side = sum(_side_risk(list(iterate(hand & suit))) for suit in SUITS[:3])
    spades = [standing(card, deck) for card in iterate(hand & SPADES)]
    return side + sum(SPADE_RISK[place] for place in spades) + (FOUR_SPADES_RISK if len(spades) > 3 else 0)


def _side_risk(cards: Sequence[Card]) -> int:
    lowest_three = sum(RISK[place][rank(card)] for place, card in enumerate(cards[:3]))
    return lowest_three + (LONG_SUIT_RISK if len(cards) > 3 else 0)


def choose_bid(hand: Cards, partner: int | None, others: Sequence[int], gifts: int = 0, game: Game = CLASSIC) -> int:
    """The bid, 0 for no trick: Nil where that is Nil.

    `partner` is the partner's bid if he has spoken, `others` are all bids so far that aren't Nil, and `gifts` the
    number of cards that the partner, who has bid Double Nil, is going to give.
    """
    worth = (drawn_tenths(hand, game.deck) if game.drawn else tenths(hand, game.deck)) + GIFT * gifts
    if _wants_nil(hand, worth, partner, game):
        return 0
    if len(others) == len(game.seats) - 1:
        worth -= _too_many(others)
    if game.must_nil:
        worth += SOLE
    return max(0 if game.zero == "only" else 1, (worth + 3) // 10)  # up only from .7 on: a set costs more than a bag


def _too_many(others: Sequence[int]) -> int:
    """What the last to speak takes off: thirteen tricks are shared, and he knows how many the others expect."""
    return sum(others) - 9 if len(others) > 1 else 4 * (sum(others) - 6)


def _wants_nil(hand: Cards, worth: int, partner: int | None, game: Game) -> bool:
    """The more tricks the hand is worth, the surer a Nil must be; and nobody is left to cover it beside another."""
    if game.must_nil and partner is not None:
        return partner != 0
    if partner == 0 or game.zero == "only":
        return False
    given = riskiest(hand, game.nil_exchange, game)
    return nil_risk(hand & ~given, game.deck) + worth // 2 <= _nil_limit(game)


def _nil_limit(game: Game) -> int:
    """The risk up to which a Nil is bid: never by players who draw, each of whom holds high cards."""
    if game.must_nil:
        return MUST_NIL_LIMIT
    if game.drawn or game.nil_value < SMALL_NIL:
        return -1
    return ALONE_NIL_LIMIT if game.alone else NIL_LIMIT


def bids_blind(game: Game, ours: int, theirs: int) -> bool:
    """Whether to bid Double Nil before looking: late in the game and far behind, when nothing else is left to do.

    Only partners do it, who exchange cards; without that it is no better than a wish.
    """
    return game.exchange > 0 and not game.alone and theirs - ours >= FAR_BEHIND and _is_late(game, ours, theirs)


def _is_late(game: Game, ours: int, theirs: int) -> bool:
    """Whether the next hand may lose the game. A score beyond the target belongs to one that isn't played to it."""
    return (
        (game.target is not None and game.target - LATE <= theirs < game.target)
        or (game.behind is not None and theirs - ours >= game.behind - LATE)
        or (game.floor is not None and ours <= game.floor + LATE)
    )


def safest(hand: Cards, number: int) -> Cards:
    """What a Double Nil's partner gives: his lowest cards, no spades if possible."""
    order = sorted(iterate(hand), key=lambda card: (SPADES >> card & 1, rank(card)))
    return sum(1 << card for card in order[:number])


def riskiest(hand: Cards, number: int, game: Game = CLASSIC) -> Cards:
    """What a Double Nil gives away: one after another, the card without which the hand is safest."""
    given = 0
    for _ in range(number):
        left = hand & ~given
        given |= 1 << min(iterate(left), key=lambda card: (nil_risk(left ^ 1 << card, game.deck), -rank(card)))
    return given
