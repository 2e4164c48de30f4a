"""What the end of a hand is worth to a seat: the points by which its side is ahead, in whole numbers. Pure.

The score is the engine's. Bags are carried from hand to hand, so a bag counts at once as its part of the penalty that
it will bring, and a penalty that falls counts no more than the last bag of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from spades_harness.game.bids import Bid
from spades_harness.game.playout import ScoreBook
from spades_harness.game.rules import Rules


class Value:
    """Values under one set of rules, for one side, with the bags that are carried so far."""

    def __init__(self, rules: Rules, side: int, bags: Sequence[int]) -> None:
        self._rules, self._side, self._bags, self._book = rules, side, bags, ScoreBook(rules)
        self._known: dict[tuple[tuple[int, ...], tuple[Bid, ...]], int] = {}

    def of(self, bids: tuple[Bid, ...], won: Sequence[int]) -> int:
        """The value of a hand in which these tricks were taken on these bids, in parts of a point."""
        key = tuple(won), bids
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._reckon(bids, won)
        return known

    def _reckon(self, bids: tuple[Bid, ...], won: Sequence[int]) -> int:
        """Against several opponents the mean of theirs; all is multiplied by what it would have to be divided by."""
        worths = [
            self._rules.bag_limit * score.delta - self._rules.bag_penalty * (score.bags - before)
            for score, before in zip(self._book.scores(bids, won, self._bags), self._bags, strict=True)
        ]
        return len(worths) * worths[self._side] - sum(worths)
