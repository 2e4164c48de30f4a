"""Hands and games by chance through the phases of `hand`, for tests. Any legal action is as likely as any other."""

from __future__ import annotations

from random import Random

from spades_harness.game.cards import cards_of, iterate
from spades_harness.game.hand import Finished, Hand, Totals, Unfinished, deal_hand, no_points
from spades_harness.game.rules import Rules
from spades_harness.game.score import Game, add, ending


def hand_by_chance(hand: Hand, dice: Random) -> Finished:
    """A hand to its end."""
    while not hand.over:
        hand = hand.apply(_gift(hand, dice) if hand.kind == "exchange" else dice.choice(hand.legal()))
    assert isinstance(hand, Finished)
    return hand


def _gift(hand: Unfinished, dice: Random) -> int:
    """As many cards as are to be given: the list of all such sets is long."""
    return cards_of(dice.sample(iterate(hand.hands[hand.seat]), dice.randint(*hand.give)))


def game_by_chance(rules: Rules, dice: Random, stream: int = 0, most: int = 10_000) -> list[Totals]:
    """The totals after each hand of a game to its end, or of so many hands."""
    history, before = list[Totals](), no_points(rules)
    while not (history and ending(Game(), rules, history)) and len(history) < most:
        hand = deal_hand(rules, bytes(32), stream, len(history), before)
        before = add(before, hand_by_chance(hand, dice).scores())
        history.append(before)
    return history
