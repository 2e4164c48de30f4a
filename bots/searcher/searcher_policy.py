"""The card that `steady` plays, for playouts: the same choice in half the time or less. Pure.

`steady` says why; these functions say it again on the bare fields of a `Playout`, and a test holds the two to the same
card in thousands of positions. What makes them quick: nothing is built, of cards that can't differ only one is tried,
and a chance is looked up. Every choice comes down to comparisons of products of few numbers, the same on all machines.
"""

from __future__ import annotations

from typing import Final

from searcher_promises import NOBODY, Promises
from spades_harness.game.cards import SPADES, SUIT_MASK, Card, Cards
from spades_harness.game.playout import Playout

LIKELY: Final = 0.5
WORTH_TRYING: Final = 0.4
MARGIN: Final = 0.2
BETTER: Final = 0.25
THREAT: Final = 0.1
_MASKS: Final[tuple[Cards, ...]] = tuple(SUIT_MASK)
_SIDE_SUITS: Final = _MASKS[:3]
_FIRST: Final[dict[Cards, Card]] = {mask: 13 * suit for suit, mask in enumerate(_MASKS)}
"""The lowest card of a suit, from which its ranks count."""
_LOWEST_SPADE: Final = _FIRST[SPADES]
_HAND: Final = 13


def _powers(possible: int) -> list[list[float]]:
    """Chances that a hand of 0, 1, 2 … cards has none of so many wanted among the possible ones, by wanted."""
    bases = [1 - wanted / possible if possible else 1.0 for wanted in range(possible + 1)]
    rows = [[1.0] * len(bases)]
    for _ in range(_HAND):  # multiplied step by step: a power may differ in its last bit from machine to machine
        rows.append([before * base for before, base in zip(rows[-1], bases, strict=True)])
    return rows


_BY_POSSIBLE: Final = [_powers(possible) for possible in range(57)]
LACKS: Final = [[rows[held] for rows in _BY_POSSIBLE] for held in range(_HAND + 1)]
"""[cards in a hand][possible cards][wanted cards]: the chance that the hand has none of the wanted."""


def choose(p: Playout, t: Promises) -> Card:
    """The card that steady would play for the seat that is to act; it looks at no other hand."""
    seat = p.seat
    hand = p.hands[seat]
    legal = hand & p.must or hand & p.may or hand
    if not legal & legal - 1:
        return legal.bit_length() - 1
    unseen = t.deck & ~(hand | p.played)
    if p.trick:
        return _follow(p, t, hand, legal, unseen) if t.any_nil else _follow_contract(p, t, hand, legal, unseen)
    return _lead(p, t, hand, legal, unseen)


def _lead(p: Playout, t: Promises, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    seat = p.seat
    if t.any_nil:
        nils, won, partner = t.nils, p.won, t.partner[seat]
        if nils[seat] and not won[seat]:
            return _lead_to_duck(p, t, hand, legal, unseen)
        if partner != NOBODY and nils[partner] and not won[partner]:
            return _lead_cover(p, hand, legal, unseen, partner)
        prey = _hunted(p, t)
        if prey != NOBODY:
            return _lead_hunt(p, hand, legal, unseen, prey)
    if wants_tricks(p, t, hand):
        return _lead_to_win(p, t, hand, legal, unseen)
    return _lead_to_duck(p, t, hand, legal, unseen)


def _follow(p: Playout, t: Promises, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    """Where somebody has bid Nil."""
    seat, nils, won = p.seat, t.nils, p.won
    if nils[seat] and not won[seat]:
        return _follow_to_duck(p, hand, legal, unseen)
    partner = t.partner[seat]
    if partner != NOBODY and nils[partner] and not won[partner]:
        return _follow_cover(p, t, hand, legal, unseen)
    prey = _hunted(p, t)
    if prey != NOBODY:
        return _follow_hunt(p, t, hand, legal, unseen)
    return _follow_contract(p, t, hand, legal, unseen)


def _follow_contract(p: Playout, t: Promises, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    if wants_tricks(p, t, hand):
        return _follow_to_win(p, t, hand, legal, unseen)
    return _follow_to_duck(p, hand, legal, unseen)


def _hunted(p: Playout, t: Promises) -> int:
    """The first opponent whose Nil can still be broken."""
    for foe in t.foes[p.seat]:
        if t.nils[foe] and not p.won[foe]:
            return foe
    return NOBODY


def wants_tricks(p: Playout, t: Promises, hand: Cards) -> bool:
    """Whether the seat that is to act needs tricks for its contract, or can set an opponents'."""
    left, won = hand.bit_count(), p.won
    own_side = t.side_of[p.seat]
    for side, (promised, seats) in enumerate(t.contracts):
        missing = promised
        for seat in seats:
            missing -= won[seat]
        if side == own_side:
            if 0 < missing <= left and not t.nils[p.seat]:
                return True
        elif left < 2 * missing <= 2 * left:
            return True
    return False


# --------------------------------------------------------------------------------------------------------- the chances


def _stays_best(p: Playout, held: int, unseen: Cards, card: Card, suit: Cards, against: tuple[int, ...]) -> float:
    """The chance that a card which is best so far in a trick of this suit isn't beaten by these seats."""
    chance, over, table, voids = 1.0, -2 << card, LACKS[held], p.voids
    for seat in against:
        possible = unseen & ~voids[seat]
        lacks = table[possible.bit_count()]
        above_in_spades = 1 - lacks[(possible & SPADES & over).bit_count()]
        if suit == SPADES:
            chance *= 1 - above_in_spades
            continue
        beats = lacks[(possible & suit).bit_count()] * above_in_spades
        if card < _LOWEST_SPADE:
            beats = beats + 1 - lacks[(possible & suit & over).bit_count()]
        chance *= 1 - beats
    return chance


def _lacks(p: Playout, held: int, unseen: Cards, seat: int, cards: Cards) -> float:
    """The chance that a seat holds none of these cards."""
    possible = unseen & ~p.voids[seat]
    return LACKS[held][possible.bit_count()][(possible & cards).bit_count()]


def _must_beat(p: Playout, held: int, unseen: Cards, seat: int) -> float:
    """The chance that a seat still to play holds cards of the led suit, and all of them beat the trick so far."""
    suit, over = p.must, -2 << p.best
    return _lacks(p, held, unseen, seat, suit & ~over) * (1 - _lacks(p, held, unseen, seat, suit & over))


# ---------------------------------------------------------------------------------------------------- to take a trick


def _lead_to_win(p: Playout, t: Promises, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    rivals, held = t.rivals[p.seat][0], hand.bit_count()
    best, best_chance = NOBODY, LIKELY
    for suit in _SIDE_SUITS:
        masters = legal & suit & -1 << (unseen & suit).bit_length()
        if masters:
            card = (masters & -masters).bit_length() - 1
            chance = _stays_best(p, held, unseen, card, suit, rivals)
            if chance > best_chance:
                best, best_chance = card, chance
    if best != NOBODY:
        return best
    master = (legal & SPADES & -1 << (unseen & SPADES).bit_length()).bit_length() - 1
    if master >= 0 and 2 * (hand & SPADES).bit_count() >= (unseen & SPADES).bit_count():
        return master
    return _throw(hand, legal)


def _follow_to_win(p: Playout, t: Promises, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    can = legal & (p.must | SPADES) & -2 << p.best
    if not can:
        return _throw(hand, legal)
    seat, held, played, led = p.seat, hand.bit_count(), len(p.trick), p.must
    rivals, taker = t.rivals[seat][played], p.taker
    if played == len(p.hands) - 1 and taker != t.partner[seat]:
        return (can & -can).bit_length() - 1
    # Of one suit the higher card holds the better: the highest winner has the best chance of all.
    best = _stays_best(p, held, unseen, can.bit_length() - 1, led, rivals)
    if taker == t.partner[seat] and (not rivals or _stays_best(p, held, unseen, p.best, led, rivals) > best - BETTER):
        return _throw(hand, legal)
    if not can & led:
        return (can & -can).bit_length() - 1
    if best < WORTH_TRYING:
        return _throw(hand, legal)
    while can & can - 1:
        card = (can & -can).bit_length() - 1
        if _stays_best(p, held, unseen, card, led, rivals) >= best - MARGIN:
            return card
        can &= can - 1
    return can.bit_length() - 1


def _throw(hand: Cards, legal: Cards) -> Card:
    """The lowest, no spade if possible, and of equals the one of the shortest suit."""
    if not legal & ~SPADES:
        return (legal & -legal).bit_length() - 1
    best, lowest = NOBODY, 1 << 30
    for suit in _SIDE_SUITS:
        own = legal & suit
        if own:
            card = (own & -own).bit_length() - 1
            key = (card - _FIRST[suit] << 8) + (hand & suit).bit_count()
            if key < lowest:
                best, lowest = card, key
    return best


# -------------------------------------------------------------------------------------------------- to lose the trick


def _lead_to_duck(p: Playout, t: Promises, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    others, held = t.to_come[p.seat][0], hand.bit_count()
    best, lowest, lowest_rank = NOBODY, 2.0, 0
    for suit in _MASKS:
        own = legal & suit
        if own:
            card = (own & -own).bit_length() - 1
            chance, rank = _stays_best(p, held, unseen, card, suit, others), card - _FIRST[suit]
            if chance < lowest or (chance == lowest and rank < lowest_rank):
                best, lowest, lowest_rank = card, chance, rank
    return best


def _follow_to_duck(p: Playout, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    losers = legal & ~((p.must | SPADES) & -2 << p.best)
    if losers:
        return _most_dangerous(losers, hand, unseen)
    if len(p.trick) == len(p.hands) - 1:
        return legal.bit_length() - 1
    return (legal & -legal).bit_length() - 1  # all of one suit: the lowest is the most likely to be beaten


def _most_dangerous(cards: Cards, hand: Cards, unseen: Cards) -> Card:
    """The one that threatens most to win a trick one day; of equals the highest."""
    best, most = NOBODY, -100
    for suit in _MASKS:
        own = cards & suit
        if not own:
            continue
        others, mine, danger_of_suit = unseen & suit, hand & suit, 4 if suit == SPADES else 0
        while own:
            bit = own & -own
            own ^= bit
            over = -bit << 1
            danger = danger_of_suit - (others & over).bit_count() - (mine & ~over).bit_count()
            if danger >= most:
                best, most = bit.bit_length() - 1, danger
    return best


# -------------------------------------------------------------------------------------------------------- others' Nils


def _lead_cover(p: Playout, hand: Cards, legal: Cards, unseen: Cards, partner: int) -> Card:
    best, key, held = NOBODY, (-1.0, 0), hand.bit_count()
    for suit in _MASKS:
        own = legal & suit
        if own:
            card = own.bit_length() - 1
            chance = _lacks(p, held, unseen, partner, suit & -2 << card)
            better = (round(chance, 1), card - _FIRST[suit])
            if better > key:
                best, key = card, better
    return best


def _lead_hunt(p: Playout, hand: Cards, legal: Cards, unseen: Cards, prey: int) -> Card:
    best, key, held = NOBODY, (-1.0, 0), hand.bit_count()
    for suit in _MASKS:
        own = legal & suit
        if own:
            card = (own & -own).bit_length() - 1
            chance = 1 - _lacks(p, held, unseen, prey, suit & -2 << card)
            better = (round(chance, 1), _FIRST[suit] - card)
            if better > key:
                best, key = card, better
    return best


def _follow_cover(p: Playout, t: Promises, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    seat, led, held, played = p.seat, p.must, hand.bit_count(), len(p.trick)
    partner, can = t.partner[seat], legal & (led | SPADES) & -2 << p.best
    if partner in t.to_come[seat][played] and _must_beat(p, held, unseen, partner) > THREAT:
        if not can:
            return _throw(hand, legal)
        return (can & led).bit_length() - 1 if can & led else (can & -can).bit_length() - 1
    if not can or p.taker != partner:
        return _follow_contract(p, t, hand, legal, unseen)
    rivals = t.rivals[seat][played]
    best = round(_stays_best(p, held, unseen, can.bit_length() - 1, led, rivals), 1)
    while can & can - 1:
        card = (can & -can).bit_length() - 1
        if round(_stays_best(p, held, unseen, card, led, rivals), 1) == best:
            return card
        can &= can - 1
    return can.bit_length() - 1


def _follow_hunt(p: Playout, t: Promises, hand: Cards, legal: Cards, unseen: Cards) -> Card:
    prey, led = _hunted(p, t), p.must
    stay = legal & ~((led | SPADES) & -2 << p.best)
    if stay:
        coming = prey in t.to_come[p.seat][len(p.trick)]
        if not coming and p.taker == prey:
            return (stay & led).bit_length() - 1 if stay & led else _heavy(stay)
        if coming and _must_beat(p, hand.bit_count(), unseen, prey) > THREAT:
            return (stay & led & -(stay & led)).bit_length() - 1 if stay & led else _throw(hand, legal)
    return _follow_contract(p, t, hand, legal, unseen)


def _heavy(cards: Cards) -> Card:
    """The highest card beside the spades; of equals that of the first suit."""
    best, most = (cards & SPADES).bit_length() - 1, -1
    for suit in _SIDE_SUITS:
        own = cards & suit
        if own and own.bit_length() - 1 - _FIRST[suit] > most:
            best = own.bit_length() - 1
            most = best - _FIRST[suit]
    return best
