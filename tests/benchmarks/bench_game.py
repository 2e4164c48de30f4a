"""How quick the game is: hands by chance a second, and microseconds a step. Reports only; a busy machine fails nothing.

`make bench PYTEST_ARGS=tests/benchmarks/bench_game.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from random import Random
from statistics import median
from time import perf_counter_ns

from benchmarks.paired import seconds
from spades_harness.game.bids import LOOK, NUMBERS
from spades_harness.game.cards import Card
from spades_harness.game.deal import permutation, secret_of_seed
from spades_harness.game.hand import Bidding, Hand, Playing, deal_hand, no_points
from spades_harness.game.rules import PRESETS
from spades_harness.game.substitute import substitute
from spades_harness.game.view import view

CLASSIC = PRESETS["classic"]
SECRET = secret_of_seed(1)
HANDS = 200
ROUNDS = 7
"""The best of so many counts: the others were disturbed."""


def dealt(number: int) -> Hand:
    """A hand of one secret."""
    return deal_hand(CLASSIC, SECRET, 0, number, no_points(CLASSIC))


def bid_threes(hand: Hand) -> Playing:
    """The hand before its first lead, where everybody bids three."""
    while isinstance(hand, Bidding):
        hand = hand.apply(LOOK if hand.kind == "blind" else NUMBERS[3])
    assert isinstance(hand, Playing)
    return hand


def lines() -> list[tuple[Playing, list[Card]]]:
    """Hands before their first lead, each with 52 cards that are legal in their order."""
    dice, found = Random(1), []
    for number in range(HANDS):
        hand: Hand = bid_threes(dealt(number))
        first, cards = hand, []
        while isinstance(hand, Playing):
            cards.append(dice.choice([card for card in hand.legal() if isinstance(card, int)]))
            hand = hand.apply(cards[-1])
        assert isinstance(first, Playing)
        found.append((first, cards))
    return found


def best(work: Callable[[], object], steps: int) -> float:
    """Microseconds a step."""
    return min(seconds(work) for _ in range(ROUNDS)) / steps * 1e6


def report(what: str, microseconds: float, of: str) -> None:
    """One line: time of a step, and steps a second."""
    sys.stdout.write(f"{what:<44} {microseconds:>9.2f} µs a {of:<5} {1e6 / microseconds:>12,.0f} a second\n")


def test_hands_by_chance_from_the_deal_to_the_score() -> None:
    dice, numbers = Random(1), count()

    def playouts() -> None:
        for _ in range(HANDS):
            hand: Hand = bid_threes(dealt(next(numbers)))
            while not hand.over:
                legal = hand.legal()
                hand = hand.apply(legal[int(dice.random() * len(legal))])
            hand.scores()

    report("deal, bid, play by chance, score", best(playouts, HANDS), "hand")


def test_the_median_of_apply() -> None:
    played, times, empty = lines(), [], []
    for first, cards in played:
        hand: Hand = first
        for card in cards:
            assert isinstance(hand, Playing)
            began = perf_counter_ns()
            hand = hand.apply(card)
            done = perf_counter_ns()
            times.append(done - began)
            empty.append(perf_counter_ns() - done)
    report("apply, the median of single calls", (median(times) - median(empty)) / 1000, "card")


def test_the_parts_of_a_hand() -> None:
    played = lines()

    def over_lines(look: Callable[[Playing], object]) -> Callable[[], None]:
        def work() -> None:
            for first, cards in played:
                hand: Hand = first
                for card in cards:
                    assert isinstance(hand, Playing)
                    look(hand)
                    hand = hand.apply(card)

        return work

    def deals() -> None:
        for number in range(HANDS):
            permutation(SECRET, 0, number)

    cards = HANDS * 52
    report("shuffle", best(deals, HANDS), "deal")
    report("deal and bid", best(lambda: [bid_threes(dealt(n)) for n in range(HANDS)], HANDS), "hand")
    report("apply", best(over_lines(id), cards), "card")
    report("legal and apply", best(over_lines(Playing.legal), cards), "card")
    report("view and apply", best(over_lines(view), cards), "card")
    report("view, substitute and apply", best(over_lines(lambda hand: substitute(view(hand))), cards), "card")
