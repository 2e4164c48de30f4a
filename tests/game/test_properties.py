"""What holds of any hand whatever, played by chance and held against the rules as written out the slow way."""

import pickle
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import CLASSIC, NOTHING, bid, hand_of, names_of, walk
from game.reference import SlowHand, slow_score
from spades_harness.game.bids import BLIND_NIL, LOOK, NIL, NUMBERS, Action, Bid
from spades_harness.game.cards import STANDARD, card_name, cards_of
from spades_harness.game.hand import Exchanging, Finished, Hand, IllegalAction, Playing, deal_hand
from spades_harness.game.notation import read_action, write_action

DECK = cards_of(STANDARD.cards)
ODD_ACTIONS: tuple[Action, ...] = (LOOK, NIL, BLIND_NIL, *NUMBERS, -1, 0, 51, 52, 55, 56, 10**30, DECK, 7, 1 << 51)
"""Among them what is legal in some phases and never in others."""

numbers_to_choose_by = st.binary(min_size=70, max_size=70)
streams = st.integers(0, 2**64 - 1)


def dealt(stream: int) -> Hand:
    """A hand of one public secret."""
    return deal_hand(CLASSIC, bytes(32), stream, 0, NOTHING)


def cards_in(hand: Hand) -> Iterator[int]:
    """Every card, where it is held or where it was played."""
    for trick in hand.tricks:
        yield from trick.cards
    if isinstance(hand, Playing):
        yield from hand.trick
    if not hand.over:
        yield from (one for held in hand.hands for one in STANDARD.cards if held >> one & 1)


@given(numbers_to_choose_by, streams)
def test_any_sequence_of_legal_actions_ends_with_thirteen_tricks(numbers: bytes, stream: int) -> None:
    finished = hand_of(Finished, walk(dealt(stream), numbers)[-1])
    assert sum(finished.won) == len(finished.tricks) == 13
    assert finished.won == tuple(sum(trick.winner == seat for trick in finished.tricks) for seat in range(4))


@given(numbers_to_choose_by, streams)
def test_somebody_has_a_legal_action_until_the_hand_is_over(numbers: bytes, stream: int) -> None:
    for hand in walk(dealt(stream), numbers):
        assert hand.over == isinstance(hand, Finished)
        if not hand.over:
            legal = hand.legal()
            assert legal
            assert len(set(legal)) == len(legal)
            assert all(hand.allows(action) for action in legal)


@given(numbers_to_choose_by, streams)
def test_the_52_cards_stay_the_same_52_held_or_played(numbers: bytes, stream: int) -> None:
    """LS-06."""
    for hand in walk(dealt(stream), numbers):
        assert sorted(cards_in(hand)) == list(STANDARD.cards)


@given(numbers_to_choose_by, streams)
def test_whatever_is_not_legal_is_refused_with_words_and_changes_nothing(numbers: bytes, stream: int) -> None:
    """LS-06, D12: an illegal action is never a play, and none of one phase is taken for one of another."""
    states = [hand for hand in walk(dealt(stream), numbers) if not hand.over]
    for hand in states[:: 1 + numbers[-1] % 17]:
        before, legal = pickle.dumps(hand), set(hand.legal())
        for action in (*STANDARD.cards, *ODD_ACTIONS):
            if action in legal:
                continue
            assert not hand.allows(action)
            with pytest.raises(IllegalAction, match=r"\w+ \w+") as refused:
                hand.apply(action)
            assert str(refused.value) == hand.objection(action)
        assert pickle.dumps(hand) == before


@given(numbers_to_choose_by, streams)
def test_the_hand_before_an_action_is_still_what_it_was(numbers: bytes, stream: int) -> None:
    states = walk(dealt(stream), numbers)
    again = walk(dealt(stream), numbers)
    assert states == again


@given(numbers_to_choose_by, streams)
def test_a_hand_replays_from_its_actions_as_they_are_written(numbers: bytes, stream: int) -> None:
    states = walk(dealt(stream), numbers)
    replayed = states[0]
    for state, number in zip(states, numbers, strict=False):
        assert replayed == state
        if not state.over and not replayed.over:
            legal = state.legal()
            written = write_action(state.kind, legal[number % len(legal)])
            replayed = replayed.apply(read_action(state.kind, CLASSIC, written))
    assert replayed == states[-1]


@given(numbers_to_choose_by, streams)
def test_every_exchange_keeps_thirteen_cards_in_each_hand(numbers: bytes, stream: int) -> None:
    for hand in walk(dealt(stream), numbers):
        if isinstance(hand, Exchanging):
            given_so_far = len(hand.passes) % 2
            sizes = [held.bit_count() for held in hand.hands]
            assert sum(sizes) == 52
            assert sorted(sizes) == ([10, 13, 13, 16] if given_so_far else [13] * 4)


# ----------------------------------------------------------------------------------------- against the slow reference


@given(numbers_to_choose_by, streams)
def test_the_play_is_the_one_that_the_rules_text_describes(numbers: bytes, stream: int) -> None:
    """R14 … R18, LS-01, LS-03, LS-05, LS-16."""
    states = [hand for hand in walk(dealt(stream), numbers) if isinstance(hand, Playing)]
    slow = SlowHand([names_of(held) for held in states[0].hands], (states[0].deal.dealer + 1) % 4)
    for hand, following in zip(states, [*states[1:], None], strict=True):
        assert (slow.turn, slow.broken, tuple(slow.won)) == (hand.seat, hand.broken, hand.won)
        assert slow.legal() == names_of(hand.legal_cards)
        slow.play(card_name(played_between(hand, following)))


def played_between(hand: Playing, following: Playing | None) -> int:
    """The card that leads from one state to the next, the last card where there is none."""
    left = following.hands[hand.seat] if following else 0
    return (hand.hands[hand.seat] ^ left).bit_length() - 1


@given(numbers_to_choose_by, streams, st.integers(0, 9), st.integers(0, 9))
def test_the_score_is_the_one_that_the_rules_text_describes(
    numbers: bytes, stream: int, ours: int, theirs: int
) -> None:
    start = dealt(stream)
    start = deal_hand(CLASSIC, bytes(32), stream, 0, start.deal.totals._replace(bags=(ours, theirs)))
    finished = hand_of(Finished, walk(start, numbers)[-1])
    for side, seats, bags in zip(finished.scores(), ((0, 2), (1, 3)), (ours, theirs), strict=True):
        bids = [in_words(finished.bids[seat]) for seat in seats]
        assert (side.delta, side.bags) == slow_score(bids, [finished.won[seat] for seat in seats], bags)


def in_words(made: Bid) -> str:
    """A bid as the rules text writes it."""
    return next(word for word in ("Nil", "DN", *map(str, range(1, 14))) if bid(word) == made)


@given(numbers_to_choose_by, streams)
def test_a_double_nil_of_one_partner_is_followed_by_an_exchange(numbers: bytes, stream: int) -> None:
    """So the properties above speak of exchanges as well: chance bids Double Nil every other time."""
    states = walk(dealt(stream), numbers)
    bids = hand_of(Finished, states[-1]).bids
    lone = [side for side in ((0, 2), (1, 3)) if [bids[seat] for seat in side].count(BLIND_NIL) == 1]
    assert sum(isinstance(hand, Exchanging) for hand in states) == 2 * len(lone)
