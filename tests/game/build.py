"""Short ways to say cards, bids and hands in tests. Knows no rule: what comes of them, the game says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from spades_harness.game.bids import BLIND_NIL, BLIND_NUMBERS, LOOK, NIL, NUMBERS, ZERO, Action, Bid, BidKind
from spades_harness.game.cards import STANDARD, Card, Cards, Deck, card_name, cards_of, iterate
from spades_harness.game.hand import (
    Bidding,
    Deal,
    Drawing,
    Exchanging,
    Finished,
    Hand,
    Playing,
    Totals,
    no_points,
    start_hand,
)
from spades_harness.game.rules import PRESETS, Rules

CLASSIC = PRESETS["classic"]
PLAIN = Rules(blind_nil=False)
"""`classic` without the blind question, for tests that have no use for it."""
NOTHING = Totals((0, 0), (0, 0))
N, E, S, W = range(4)
BLIND = {BidKind.BLIND_NIL, BidKind.BLIND_NUMBER}

Phase = TypeVar("Phase", Drawing, Bidding, Exchanging, Playing, Finished)


def card(name: str, deck: Deck = STANDARD) -> Card:
    """The card of this name; in another deck a deuce may be another card."""
    return deck.by_name[name]


def cards(names: str, deck: Deck = STANDARD) -> Cards:
    """The set of the named cards: `AS KS 2H`, or a run by suit such as `S:AKQ H:2`."""
    return cards_of(card(name, deck) for word in names.split() for name in _spread(word))


def _spread(word: str) -> list[str]:
    suit, colon, ranks = word.partition(":")
    return [rank + suit for rank in ranks] if colon else [word]


def bid(text: str) -> Bid:
    """`3`, `Nil`, `DN`, `zero`, `blind6`: as the rules text writes them; `0` is a plain bid of no tricks."""
    named = {"Nil": NIL, "DN": BLIND_NIL, "zero": ZERO}
    if text in named:
        return named[text]
    return BLIND_NUMBERS[int(text[5:])] if text.startswith("blind") else NUMBERS[int(text)]


def word_of(made: Bid) -> str:
    """A bid as the rules text writes it."""
    match made.kind:
        case BidKind.NUMBER:
            return str(made.tricks)
        case BidKind.BLIND_NUMBER:
            return f"blind{made.tricks}"
        case BidKind.NIL | BidKind.BLIND_NIL | BidKind.ZERO:
            return {BidKind.NIL: "Nil", BidKind.BLIND_NIL: "DN", BidKind.ZERO: "zero"}[made.kind]


def deal(*hands: str, dealer: int = W, rules: Rules = PLAIN, totals: Totals | None = None) -> Deal:
    """A deal from the named cards of N, E, S, W; hands may be short, so long as they are equally long."""
    return Deal(rules, 0, dealer, tuple(cards(names, rules.cards) for names in hands), totals or no_points(rules))


def whole_suits(dealer: int = W, rules: Rules = CLASSIC) -> Deal:
    """Spades to N, hearts to E, diamonds to S, clubs to W."""
    everything = "23456789TJQKA"
    return deal(*(f"{suit}:{everything}" for suit in "SHDC"), dealer=dealer, rules=rules)


def bid_all(start: Deal, bids: str) -> Hand:
    """The hand after these bids, in bidding order: `3 Nil DN 4`. A seat that bids a number or Nil looks first."""
    hand = start_hand(start)
    for word in bids.split():
        if bid(word).kind not in BLIND and hand_of(Bidding, hand).kind == "blind":
            hand = apply(hand, LOOK)
        hand = apply(hand, bid(word))
    return hand


def first_trick(*hands: str, leader: int = N, rules: Rules = PLAIN, bids: str = "3 3 3 3") -> Playing:
    """A hand of these cards before the first lead."""
    return hand_of(Playing, bid_all(deal(*hands, dealer=(leader - 1) % 4, rules=rules), bids))


def play(hand: Hand, names: str) -> Hand:
    """The hand after these cards, in the order of play."""
    for name in names.split():
        hand = apply(hand, card(name, hand.deal.rules.cards))
    return hand


def playing(hand: Hand, names: str) -> Playing:
    """The same, where the hand must go on afterwards."""
    return hand_of(Playing, play(hand, names))


def hand_of(phase: type[Phase], hand: Hand) -> Phase:
    """The hand, which must be in this phase."""
    assert isinstance(hand, phase), f"{type(hand).__name__} is not {phase.__name__}"
    return hand


def apply(hand: Hand, action: Action) -> Hand:
    """The hand after an action, which must not be over."""
    assert not hand.over
    return hand.apply(action)


def legal_names(hand: Playing) -> set[str]:
    """The names of the cards that may be played."""
    return names_of(hand.legal_cards)


def names_of(held: Cards) -> set[str]:
    """The names of a set's cards."""
    return {card_name(one) for one in iterate(held)}


def choose(choices: Sequence[Action], number: int) -> Action:
    """One of the choices, by a number of any size."""
    return choices[number % len(choices)]


def walk(hand: Hand, numbers: Iterable[int]) -> list[Hand]:
    """Every state from this one to the end, where the numbers choose among the legal actions; they must suffice."""
    states, dice = [hand], iter(numbers)
    while not hand.over:
        hand = hand.apply(choose(hand.legal(), next(dice)))
        states.append(hand)
    return states
