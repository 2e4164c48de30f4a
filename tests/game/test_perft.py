"""How many ways there are to go on from small positions: numbers that any wrong rule of legality would change."""

from copy import copy
from math import comb

import pytest

from game.build import CLASSIC, PLAIN, bid_all, deal, first_trick, hand_of, names_of
from game.perft import ORACLE, STREAMS, counts_of, moments, perft, stored, written
from game.reference import SlowPlay
from spades_harness.game.cards import card_name
from spades_harness.game.hand import Bidding, Deal, Exchanging, Hand, start_hand
from spades_harness.game.rules import PRESETS

LAST_THREE = ("AS 5H 2C", "KS QS 3D", "9H 8H 4C", "2S JD TC")
LAST_FOUR = ("AS 3S 5H 2C", "KS QS 3D 6H", "9H 8H 4C 5S", "2S JD TC 7C")
FOLLOWERS = ("AC 2C 3D 5H", "KC 3C 4D 6H", "QC 4C 5D 7H", "JC 5C 6D 8H")


def slow_perft(slow: SlowPlay) -> int:
    """The same to the end of the hand, by the slow rules."""
    legal = slow.legal()
    return sum(slow_perft(after(slow, name)) for name in legal) if legal else 1


def after(slow: SlowPlay, name: str) -> SlowPlay:
    """The slow play with one more card; the one before it stays as it was."""
    other = copy(slow)
    other.hands, other.table, other.won = [set(held) for held in slow.hands], slow.table[:], slow.won[:]
    other.play(name)
    return other


@pytest.mark.parametrize("preset", PRESETS)
def test_the_number_of_ways_to_go_on_is_the_one_in_the_file(preset: str) -> None:
    """From the deal, from the first lead and near the end of fixed hands."""
    said = "count anew with: .venv/bin/python -m tests.game.perft --write"
    assert counts_of(preset) == stored()[preset], said


def test_the_file_holds_each_preset_and_is_written_as_the_command_writes_it() -> None:
    assert list(stored()) == list(PRESETS)
    assert ORACLE.read_text(encoding="utf-8") == written(stored())


@pytest.mark.parametrize("preset", PRESETS)
def test_the_slow_rules_count_the_same_ways_to_end_a_hand(preset: str) -> None:
    """The file's numbers stand on the text of the rules, not on the game alone."""
    end = moments(PRESETS[preset], STREAMS[0])["end"]
    hands = [names_of(held) for held in end.hands]
    for trick in end.tricks:
        for turn, one in enumerate(trick.cards):
            hands[(trick.leader + turn) % len(hands)].add(card_name(one))
    slow = SlowPlay(PRESETS[preset], hands, end.tricks[0].leader)
    for one in (one for trick in end.tricks for one in trick.cards):
        slow.play(card_name(one))
    counted = slow_perft(slow)
    assert counted == stored()[preset][f"stream {STREAMS[0]}"]["end"][-1]


@pytest.mark.parametrize(
    ("hands", "counts"),
    [
        (LAST_THREE, [1, 2, 6, 9, 21, 41, 78, 110, 180, 180, 180, 180, 180]),
        (LAST_FOUR, [1, 2, 5, 6, 16, 38, 84, 180, 464, 892, 1444, 1996, 3336, 3336, 3336, 3336, 3336]),
        (FOLLOWERS, [1, 4, 6, 10, 18, 54, 58, 66, 82, 164, 168, 176, 192, 192, 192, 192, 192]),
    ],
)
def test_the_number_of_ways_to_play_is_known_after_every_card(hands: tuple[str, ...], counts: list[int]) -> None:
    start = first_trick(*hands)
    assert [perft(start, depth) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("hands", [LAST_THREE, FOLLOWERS])
@pytest.mark.parametrize("leader", range(4))
def test_the_slow_rules_count_the_same(hands: tuple[str, ...], leader: int) -> None:
    start = first_trick(*hands, leader=leader)
    assert perft(start, 16) == slow_perft(SlowPlay(PLAIN, [names_of(held) for held in start.hands], leader))


def short_deal() -> Deal:
    """Four cards each."""
    return deal(*LAST_FOUR, rules=CLASSIC)


def test_the_number_of_ways_to_bid_is_fifteen_a_seat() -> None:
    """Nil, 1 … 13, and Double Nil before looking."""
    assert len(biddings(start_hand(deal(*LAST_FOUR, rules=PLAIN)))) == 14**4
    ends = biddings(start_hand(short_deal()))
    assert len(ends) == 15**4
    # A side exchanges where just one of two bids Double Nil: 28 of its 225 ways. 197 are without, for each side.
    assert sum(isinstance(hand, Exchanging) for hand in ends) == 225**2 - 197**2


def biddings(hand: Hand) -> list[Hand]:
    """Every hand in which the bidding is over."""
    if not isinstance(hand, Bidding):
        return [hand]
    return [end for action in hand.legal() for end in biddings(hand.apply(action))]


def test_the_number_of_ways_to_exchange_is_known() -> None:
    """Three of four cards, then three of seven."""
    hand = hand_of(Exchanging, bid_all(short_deal(), "DN 3 3 3"))
    assert perft(hand, 2) == comb(4, 3) * comb(7, 3)
