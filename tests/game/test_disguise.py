"""A disguised hand is the same hand in other suits: what is done in one can be done in the other, and scores alike."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from game.build import choose
from game.permuting import some_totals
from spades_harness.game.bids import Action
from spades_harness.game.cards import DECKS, Card, Cards, cards_of, iterate, strength
from spades_harness.game.deal import disguises, secret_of_seed
from spades_harness.game.hand import Hand, Kind, deal_hand, no_points
from spades_harness.game.rules import PRESETS, Rules

SECRET = secret_of_seed("in other suits")
LEGS = range(1, 6)
ALIKE = [rules for rules in PRESETS.values() if rules.cards.has_like_suits]


def other_card(card: Card, becomes: Sequence[int]) -> Card:
    """The card of the same rank in the suit that its own becomes; the numbers of trumps begin at 39."""
    return card if card >= 39 else 13 * becomes[card // 13] + card % 13


def other_cards(cards: Cards, becomes: Sequence[int]) -> Cards:
    return cards_of(other_card(card, becomes) for card in iterate(cards))


def other_action(kind: Kind, action: Action, becomes: Sequence[int]) -> Action:
    """What corresponds to an action: cards change, all else is what it is."""
    match kind, action:
        case "play", int(card):
            return other_card(card, becomes)
        case "exchange", int(cards):
            return other_cards(cards, becomes)
        case _:
            return action


def dealt(rules: Rules, leg: int, number: int = 0) -> Hand:
    return deal_hand(rules, SECRET, 4, number, some_totals(rules), leg)


@pytest.mark.parametrize("rules", ALIKE, ids=lambda rules: rules.preset)
@pytest.mark.parametrize("leg", [1, 2, 3])
def test_a_hand_in_other_suits_plays_and_scores_as_the_hand_itself(rules: Rules, leg: int) -> None:
    for number in range(3):
        becomes, dice = disguises(SECRET, 4, number)[leg - 1], Random(number)
        plain, other = dealt(rules, 0, number), dealt(rules, leg, number)
        while not plain.over and not other.over:
            kind = plain.kind
            assert (plain.seat, kind) == (other.seat, other.kind)
            there = {other_action(kind, action, becomes) for action in plain.legal()}
            assert there == {*other.legal()}
            action = choose(plain.legal(), dice.getrandbits(32))
            plain, other = plain.apply(action), other.apply(other_action(kind, action, becomes))
        assert plain.over
        assert other.over
        assert plain.scores() == other.scores()
        assert (plain.won, plain.deal.dealer) == (other.won, other.deal.dealer)


def test_legs_differ_from_each_other_and_from_the_first() -> None:
    for number in range(20):
        hands = [dealt(Rules(), leg, number).deal.hands for leg in (0, *LEGS)]
        assert len(set(hands)) == 6


def test_all_pairings_have_the_same_disguises_and_each_hand_its_own() -> None:
    found = [disguises(SECRET, stream, hand) for stream in range(6) for hand in range(6)]
    assert all(len({*ways, (0, 1, 2)}) == 6 for ways in found)
    assert len({*found}) > 20
    assert {ways[0] for ways in found} == {*found[0]}


def test_each_way_is_as_likely_as_any_other() -> None:
    """Chi-square with 4 degrees of freedom: beyond 23.5 in one of ten thousand fair samples."""
    ways = [disguises(SECRET, 0, hand)[0] for hand in range(2_000)]
    expected = len(ways) / 5
    assert sum((ways.count(way) - expected) ** 2 / expected for way in {*ways}) < 23.5


def test_trumps_are_never_disguised() -> None:
    rules = Rules(deck="jokers_deuces")
    for leg in LEGS:
        for one, other in zip(dealt(rules, 0).deal.hands, dealt(rules, leg).deal.hands, strict=True):
            assert one >> 39 == other >> 39
            assert sorted(map(strength, iterate(one))) == sorted(map(strength, iterate(other)))


def test_a_deck_whose_plain_suits_are_not_alike_has_no_disguise() -> None:
    """In `jokers` the deuces of clubs and hearts are out, that of diamonds isn't."""
    assert [name for name, deck in DECKS.items() if not deck.has_like_suits] == ["jokers"]
    rules = Rules(deck="jokers")
    with pytest.raises(ValueError, match="not alike"):
        deal_hand(rules, SECRET, 0, 0, no_points(rules), 1)
