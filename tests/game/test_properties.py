"""What holds of any hand whatever under any rules: played by chance, held against the rules as written out slowly."""

import pickle
from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from game.build import names_of, walk, word_of
from game.permuting import NUMBERS_TO_CHOOSE_BY, some_totals
from game.reference import SlowHand
from game.reference_score import slow_score
from game.rules_by_chance import any_rules
from spades_harness.game.bids import BLIND_NIL, BLIND_NUMBERS, LOOK, NIL, NUMBERS, ZERO, Action, Bid, Draw, Look
from spades_harness.game.cards import EVERY_CARD, card_name
from spades_harness.game.hand import (
    Deal,
    Drawing,
    Exchanging,
    Finished,
    Hand,
    IllegalAction,
    Totals,
    Unfinished,
    deal_hand,
)
from spades_harness.game.notation import read_action, write_action
from spades_harness.game.phase import Pass
from spades_harness.game.rules import Rules

CHOICES: tuple[Action, ...] = (LOOK, NIL, BLIND_NIL, ZERO, *NUMBERS, *BLIND_NUMBERS, *Draw)
ODD_ACTIONS: tuple[Action, ...] = (*CHOICES, *range(-1, 57), 10**30, EVERY_CARD, 7, 1 << 51, 0b11011)
"""Among them what is legal in some phases and never in others."""

numbers_to_choose_by = NUMBERS_TO_CHOOSE_BY
streams = st.integers(0, 2**64 - 1)


def dealt(rules: Rules, stream: int) -> Hand:
    """A hand of one public secret; each side has another score and other bags."""
    return deal_hand(rules, bytes(32), stream, 0, totals_of(rules))


def totals_of(rules: Rules) -> Totals:
    """Scores that a deficit can be met by, and no more bags than may be carried."""
    scores, bags = some_totals(rules)
    return Totals(scores, tuple(number % rules.bag_limit for number in bags))


def finished_of(states: list[Hand]) -> Finished:
    """The last state, which must be over."""
    assert isinstance(states[-1], Finished)
    return states[-1]


def unfinished_of(states: list[Hand]) -> list[Unfinished]:
    """The states in which a seat is to act."""
    return [hand for hand in states if not hand.over]


# ------------------------------------------------------------------------------------------------- whatever the rules


@given(any_rules(), numbers_to_choose_by, streams)
def test_any_sequence_of_legal_actions_ends_with_thirteen_tricks(rules: Rules, numbers: bytes, stream: int) -> None:
    """Of two players too: each holds thirteen cards."""
    finished = finished_of(walk(dealt(rules, stream), numbers))
    assert sum(finished.won) == len(finished.tricks) == 13
    assert finished.won == tuple(sum(t.winner == seat for t in finished.tricks) for seat in range(rules.players))


@given(any_rules(), numbers_to_choose_by, streams)
def test_somebody_has_a_legal_action_until_the_hand_is_over(rules: Rules, numbers: bytes, stream: int) -> None:
    states = walk(dealt(rules, stream), numbers)
    assert finished_of(states)
    for hand in unfinished_of(states):
        legal = hand.legal()
        assert legal
        assert len(set(legal)) == len(legal)
        assert all(hand.allows(action) for action in legal)


@given(any_rules(), numbers_to_choose_by, streams)
def test_the_52_cards_stay_the_same_52_wherever_they_lie(rules: Rules, numbers: bytes, stream: int) -> None:
    """LS-06."""
    for hand in walk(dealt(rules, stream), numbers):
        everywhere = [*cards_in(hand), *unseen_cards(hand)]
        assert sorted(everywhere) == sorted(rules.cards.cards)


def cards_in(hand: Hand) -> Iterator[int]:
    """Every card, where it is held or where it was played."""
    for trick in hand.tricks:
        yield from trick.cards
    if not hand.over:
        yield from hand.trick
        yield from (one for held in hand.hands for one in hand.deal.rules.cards.cards if held >> one & 1)


def unseen_cards(hand: Hand) -> list[int]:
    """With two players: what is still to be drawn, and what is out of play."""
    stock = hand.deal.stock
    if not stock:
        return []
    if isinstance(hand, Drawing):
        drawn = 2 * sum(held.bit_count() for held in hand.hands)
        return [*stock[drawn:], *out_of_play(hand.passes)]
    return out_of_play(hand.passes)


def out_of_play(passes: tuple[Pass, ...]) -> list[int]:
    """What was put aside or thrown away, less what came from there."""
    out: set[int] = set()
    for one in passes:
        moved = {card for card in range(56) if one.cards >> card & 1}
        out = out | moved if one.receiver is None else out - moved
    return sorted(out)


@given(any_rules(), numbers_to_choose_by, streams)
def test_whatever_is_not_legal_is_refused_with_words_and_changes_nothing(
    rules: Rules, numbers: bytes, stream: int
) -> None:
    """LS-06, D12: an illegal action is never a play, and none of one phase is taken for one of another."""
    states = unfinished_of(walk(dealt(rules, stream), numbers))
    for hand in states[numbers[-1] % 3 :: 3 + numbers[-2] % 9]:
        before, legal = pickle.dumps(hand), set(hand.legal())
        for action in ODD_ACTIONS:
            if action in legal:
                continue
            assert not hand.allows(action)
            assert " " in hand.objection(action)
            assert refusal(hand, action) == hand.objection(action)
        assert pickle.dumps(hand) == before


def refusal(hand: Unfinished, action: Action) -> str:
    """What is said when an action is refused; `pytest.raises` would take longer than all the rest."""
    try:
        hand.apply(action)
    except IllegalAction as refused:
        return str(refused)
    raise AssertionError(f"{action} was accepted")


@given(any_rules(), numbers_to_choose_by, streams)
def test_the_hand_before_an_action_is_still_what_it_was(rules: Rules, numbers: bytes, stream: int) -> None:
    assert walk(dealt(rules, stream), numbers) == walk(dealt(rules, stream), numbers)


@given(any_rules(), numbers_to_choose_by, streams)
def test_a_hand_replays_from_its_actions_as_they_are_written(rules: Rules, numbers: bytes, stream: int) -> None:
    states = walk(dealt(rules, stream), numbers)
    replayed = states[0]
    for state, number in zip(unfinished_of(states), numbers, strict=False):
        assert replayed == state
        assert not replayed.over
        legal = state.legal()
        written = write_action(state.kind, legal[number % len(legal)])
        replayed = replayed.apply(read_action(state.kind, rules, written))
    assert replayed == states[-1]


@given(any_rules(), numbers_to_choose_by, streams)
def test_everybody_holds_thirteen_cards_when_the_play_begins(rules: Rules, numbers: bytes, stream: int) -> None:
    for hand in unfinished_of(walk(dealt(rules, stream), numbers)):
        sizes = [held.bit_count() for held in hand.hands]
        if hand.kind == "exchange":
            assert sum(sizes) == 13 * rules.players
        elif hand.kind == "bid" or (hand.kind == "play" and not hand.tricks and not hand.trick):
            assert sizes == [13] * rules.players


# ----------------------------------------------------------------------------------------- against the slow reference


@given(any_rules(), numbers_to_choose_by, streams)
def test_a_hand_goes_as_the_rules_text_describes(rules: Rules, numbers: bytes, stream: int) -> None:
    """R5 … R18 and the options of bidding, exchange, play and two players; LS-01, LS-03, LS-05, LS-16."""
    states = walk(dealt(rules, stream), numbers)
    slow = slow_hand(states[0].deal)
    for hand, number in zip(unfinished_of(states), numbers, strict=False):
        legal = hand.legal()
        assert (slow.kind, slow.seat, slow.give) == (hand.kind, hand.seat, hand.give)
        assert [names_of(held) for held in hand.hands] == [*map(set, slow.hands)]
        assert hand.kind == "exchange" or slow.legal() == {in_words(hand, action) for action in legal}
        act(slow, hand, legal[number % len(legal)])
    finished = finished_of(states)
    assert slow.play
    assert tuple(slow.play.won) == finished.won


def slow_hand(deal: Deal) -> SlowHand:
    """The same hand for the slow rules."""
    if deal.stock:
        stock, second = ([card_name(one) for one in order] for order in (deal.stock, deal.second))
        return SlowHand.drawn(deal.rules, stock, second, deal.dealer, deal.totals.scores)
    return SlowHand(deal.rules, [names_of(held) for held in deal.hands], deal.dealer, deal.totals.scores)


def act(slow: SlowHand, hand: Unfinished, action: Action) -> None:
    """The same action in words."""
    if hand.kind == "exchange" and isinstance(action, int):
        slow.pass_on(names_of(action))
    else:
        slow.act(in_words(hand, action))


def in_words(hand: Unfinished, action: Action) -> str:
    """An action as the rules text writes it."""
    match action:
        case Bid():
            return word_of(action)
        case Look() | Draw():
            return str(action.value)
        case int():
            return card_name(action)


@given(any_rules(), numbers_to_choose_by, streams)
def test_a_hand_is_scored_as_the_rules_text_describes(rules: Rules, numbers: bytes, stream: int) -> None:
    """R19 … R22 and the options of the score."""
    finished = finished_of(walk(dealt(rules, stream), numbers))
    bags = finished.deal.totals.bags
    for side, score, carried in zip(rules.shape.sides, finished.scores(), bags, strict=True):
        bids = [word_of(finished.bids[seat]) for seat in side.seats]
        assert (score.delta, score.bags) == slow_score(rules, bids, [finished.won[s] for s in side.seats], carried)


@given(any_rules(), numbers_to_choose_by, streams)
def test_cards_are_exchanged_beside_a_nil_as_the_rules_say(rules: Rules, numbers: bytes, stream: int) -> None:
    """So the properties above speak of exchanges as well: chance bids Double Nil every other time."""
    states = walk(dealt(rules, stream), numbers)
    lone = [BLIND_NIL in pair and pair != [BLIND_NIL] * 2 for pair in pairs(rules, finished_of(states).bids)]
    turns = sum(isinstance(hand, Exchanging) for hand in states)
    if rules.nil_exchange or rules.cutthroat or not rules.exchange:
        assert turns <= 4 * rules.nil_exchange
    elif rules.players == 4:
        assert turns == 2 * sum(lone)


def pairs(rules: Rules, bids: tuple[Bid, ...]) -> list[list[Bid]]:
    """The bids of each side."""
    return [[bids[seat] for seat in side.seats] for side in rules.shape.sides]
