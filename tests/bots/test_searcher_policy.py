"""The fast policy of searcher plays steady's cards, and its bidders bid steady's bids: in positions that steady met."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import searcher_bids
import steady_bids
from bots_support import class_of, play_boards
from searcher_policy import choose
from searcher_promises import promises
from searcher_sight import Sight, rules_of, sight_of
from spades_bot import Message
from spades_harness.game.cards import STANDARD, card_name, cards_of

Steady: Any = class_of("steady")
POSITIONS = 1000
DECK = cards_of(STANDARD.cards)


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


@given(st.permutations(range(52)), st.none() | st.integers(0, 6), st.lists(st.integers(1, 6), max_size=3))
def test_the_model_bids_what_steady_bids(hand: list[int], partner: int | None, others: list[int]) -> None:
    held = cards_of(hand[:13])
    for gifts in (0, 3):
        wish = searcher_bids.wish(held, DECK, partner, others, gifts)
        assert wish == steady_bids.choose_bid(held, partner, others, gifts)


@given(hand=st.permutations(range(52)), number=st.integers(0, 4))
def test_the_model_gives_the_cards_that_steady_gives(hand: list[int], number: int) -> None:
    held = cards_of(hand[:13])
    assert searcher_bids.riskiest(held, DECK, number) == steady_bids.riskiest(held, number)
    assert searcher_bids.safest(held, number) == steady_bids.safest(held, number)
