"""The fast policy of searcher plays steady's cards, and its bidders bid steady's bids: in positions that steady met."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import searcher_bids
import steady_bids
import steady_game
from bots_support import class_of, play_boards
from searcher_policy import choose
from searcher_promises import promises
from searcher_sight import Sight, rules_of, sight_of
from spades_bot import Message
from spades_harness.game.cards import card_name, cards_of
from spades_harness.game.rules import PRESETS

Steady: Any = class_of("steady")
POSITIONS = 1000


class Recorder(Steady):  # type: ignore[misc]
    """Steady, with its requests and answers written down."""

    NAME = "recorder"

    def play(self, request: Message) -> str:
        """What steady plays."""
        card: str = super().play(request)
        RECORDED.append((self.rules, request, card))
        return card

    def blind(self, request: Message) -> str | None:
        """Double Nil on one hand in three, which steady itself bids in lost games only."""
        mate_is_blind = request.bids.get(self.partner or "") == "blind_nil"
        return None if mate_is_blind or (request.hand_no + "NESW".index(self.seat)) % 3 else "blind_nil"


RECORDED: list[tuple[Any, Message, str]] = []


@cache
def recorded() -> list[tuple[Sight, str]]:
    """Positions of steady's own play in which there was a choice, as the search sees them, and steady's card."""
    for stream in range(20):
        play_boards([Recorder] * 4, stream, hands=4)
    return [(sight_of(rules_of(rules), request), card) for rules, request, card in RECORDED if len(request.legal) > 1]


def chosen(sight: Sight) -> str:
    """The card of the fast policy."""
    bids = [bid for bid in sight.bids if bid is not None]
    return card_name(choose(sight.state, promises(sight.rules, bids)))


def test_the_policy_plays_the_card_of_steady_in_each_recorded_position() -> None:
    positions = recorded()
    assert len(positions) >= POSITIONS
    assert [chosen(sight) for sight, _ in positions] == [card for _, card in positions]


GAMES = {
    "classic": steady_game.CLASSIC,
    "two_player": steady_game.Game(seats="NS", side_of=(0, 1)),
    "cutthroat": steady_game.Game(side_of=(0, 1, 2, 3)),
    "encyclopedia": steady_game.Game(zero="only"),
    "suicide": steady_game.Game(must_nil=True),
}


@pytest.mark.parametrize("name", GAMES)
@given(st.permutations(range(52)), st.none() | st.integers(0, 6), st.lists(st.integers(1, 6), max_size=3))
def test_the_model_bids_what_steady_bids(name: str, hand: list[int], partner: int | None, others: list[int]) -> None:
    held, model, game = cards_of(hand[:13]), searcher_bids.bidder(PRESETS[name]), GAMES[name]
    for gifts in (0, 3):
        wish = searcher_bids.wish(held, model, partner, others, gifts)
        assert wish == steady_bids.choose_bid(held, partner, others, gifts, game)


@given(hand=st.permutations(range(52)), number=st.integers(0, 4))
def test_the_model_gives_the_cards_that_steady_gives(hand: list[int], number: int) -> None:
    held, model = cards_of(hand[:13]), searcher_bids.bidder(PRESETS["classic"])
    assert searcher_bids.riskiest(held, model, number) == steady_bids.riskiest(held, number)
    assert searcher_bids.safest(held, number) == steady_bids.safest(held, number)
