"""Searcher tries what it may do on hidden hands as they may be, plays them to the end, and takes what scores best.

The hidden hands are drawn to agree with what was played, given and bid. On them everybody plays on as `steady` would,
and the score that comes out is the engine's own, so what counts is what the rules of the match make it worth. It thinks
for as long as it is given; with `params: {playouts: 400}` it tries so much and looks at no clock, and decides the same
everywhere.

This file turns messages into what the modules beside it work on, and their choices into answers.
"""

from __future__ import annotations

from typing import Final

from searcher_clock import Clock, Playouts, seconds, to_come
from searcher_draw import keeps, thrown
from searcher_search import Enough, best_bid, best_blind, best_card, gift
from searcher_sight import rules_of, sight_of
from spades_bot import Bot, CannotPlay, Message, run
from spades_harness.game.bids import Bid, Look
from spades_harness.game.cards import card_name, card_names
from spades_harness.game.notation import read_bid, read_card, write_bid

MOST_PLAYOUTS: Final = 1_000_000
"""An answer of so many takes a minute or more."""


class Searcher(Bot):
    """Keeps no state: each request says all that it needs."""

    NAME = "searcher"
    VERSION = "1"

    def start(self) -> None:
        """Read the rules and the params."""
        self._rules = rules_of(self.rules)
        playouts = self.params.get("playouts")
        if playouts is not None and (type(playouts) is not int or not 0 <= playouts <= MOST_PLAYOUTS):
            raise CannotPlay(f"the param playouts is a whole number from 0 to {MOST_PLAYOUTS}, not {playouts!r}")
        self._playouts: int | None = playouts

    def blind(self, request: Message) -> str | None:
        """A blind bid where it promises more than to look."""
        enough, legal = self._limit(request), [read_bid(self._rules, bid) for bid in request.legal]
        bids = [bid for bid in legal if isinstance(bid, Bid)]
        if len(bids) == len(legal):  # nobody may look
            return str(write_bid(bids[0]))
        choice = best_blind(sight_of(self._rules, request), bids, self.random, enough)
        return None if isinstance(choice, Look) else str(write_bid(choice))

    def bid(self, request: Message) -> int | str:
        """The bid that does best."""
        enough, legal = self._limit(request), [read_bid(self._rules, bid) for bid in request.legal]
        bids = [bid for bid in legal if isinstance(bid, Bid)]
        return write_bid(best_bid(sight_of(self._rules, request), bids, self.random, enough))

    def draw(self, request: Message) -> str:
        """Keep a card that is worth more than the next one is on average."""
        sight = sight_of(self._rules, request)
        return "keep" if keeps(sight, read_card(self._rules, request.drawn)) else "discard"

    def exchange(self, request: Message) -> tuple[str, ...]:
        """A Nil gets rid of its risks; its partner gives back what is safest."""
        sight = sight_of(self._rules, request)
        bid = sight.bids[sight.seat]
        assert bid is not None
        if not request.min:  # to nobody: two players
            return card_names(thrown(sight, request.max))
        return card_names(gift(sight.model, bid, sight.hand, request.max))

    def play(self, request: Message) -> str:
        """The card that does best."""
        enough = self._limit(request)
        if len(request.legal) == 1:
            return str(request.legal[0])
        return card_name(best_card(sight_of(self._rules, request), self.random, enough))

    def _limit(self, request: Message) -> Enough:
        """When to stop; the clock runs from here."""
        if self._playouts is not None:
            return Playouts(self._playouts).enough
        answers = to_come(self.boards, request.hand_no, len(request.tricks))
        time = seconds(request.time_left, request.bank_left, self.limits["bank"], answers)
        return Clock(time).enough


if __name__ == "__main__":
    run(Searcher)
