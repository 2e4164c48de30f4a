"""Threes bids the same number on every hand and always plays the lowest card that it may.

It looks at nothing: neither at its cards when it bids nor at the trick when it plays. It marks the floor: a bot that
thinks at all should beat it. The number is `bid` of its params, 3 if that is absent.
"""

from __future__ import annotations

from spades_bot import SUITS, Bot, CannotPlay, Message, run


class Threes(Bot):
    """Bids `params.bid` (default 3), plays the lowest legal card."""

    NAME = "threes"
    VERSION = "1"

    def start(self) -> None:
        """Take the bid from the params."""
        self.always = self.params.get("bid", 3)
        if type(self.always) is not int or not 0 <= self.always <= 13:
            raise CannotPlay(f"params: bid must be a whole number from 0 to 13, not {self.always!r}")

    def bid(self, request: Message) -> int:
        """The same as ever; the nearest legal bid where the rules forbid that."""
        numbers = [bid for bid in request.legal if type(bid) is int]
        return min(numbers, key=lambda bid: abs(bid - self.always))

    def play(self, request: Message) -> str:
        """The lowest card by rank, then clubs, diamonds, hearts, spades."""
        cards: list[str] = request.legal
        return min(cards, key=lambda card: (self.rank(card), SUITS.index(self.suit(card))))


if __name__ == "__main__":
    run(Threes)
