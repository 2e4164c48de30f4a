"""What a hand is worth: the formula worked out the slow way, the terms that are told, and every option of the score.

The values of the rules text stand in `test_values`.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import CLASSIC, E, bid, bid_all, hand_of, play, whole_suits
from game.reference_score import slow_score
from game.rules_by_chance import any_rules
from spades_harness.game.hand import Finished, Totals
from spades_harness.game.rules import Rules, make_rules
from spades_harness.game.score import SideScore, add, score_hand, score_side


def numbers(text: str, separator: str) -> list[int]:
    """The numbers of a cell."""
    return [int(number) for number in text.split(separator)]


def score(bids: list[str], won: list[int], bags: int = 0, rules: Rules = CLASSIC) -> SideScore:
    """The score of one side, bids as the rules text writes them."""
    return score_side(rules, [bid(word) for word in bids], won, bags)


WORDS = ["DN", "Nil", "zero", *map(str, range(14)), *(f"blind{tricks}" for tricks in range(6, 14))]
RULE_NUMBERS = {"R9", "R12", "R19", "R20", "R21", "R22", "V3", "V5", "V6", "V9", "V10"}
SIDES = st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=2),
    st.integers(0, 13).flatmap(lambda tricks: st.integers(0, tricks).map(lambda first: [first, tricks - first])),
    st.integers(0, 9),
)


@given(any_rules(), SIDES)
def test_a_side_scores_as_the_slow_formula_says(rules: Rules, side: tuple[list[str], list[int], int]) -> None:
    """Also bids that nobody could make by these rules: the score takes them as they come."""
    bids, won, carried = side
    scored = score(bids, won, carried % rules.bag_limit, rules)
    assert (scored.delta, scored.bags) == slow_score(rules, bids, won, carried % rules.bag_limit)


@given(any_rules(), SIDES)
def test_the_terms_of_a_score_add_up_to_it(rules: Rules, side: tuple[list[str], list[int], int]) -> None:
    bids, won, carried = side
    scored = score(bids, won, carried, rules)
    assert sum(term.points for term in scored.terms) == scored.delta
    assert all(term.rule in RULE_NUMBERS for term in scored.terms)
    assert (carried + scored.new_bags - scored.bags) % rules.bag_limit == 0
    assert 0 <= scored.bags < rules.bag_limit


@pytest.mark.parametrize(
    ("bids", "won", "bags", "terms"),
    [
        ("3+2", "4+3", 0, ["R19 bid 5, took 7: made +50", "R19 2 overtricks +2"]),
        ("3+2", "3+3", 0, ["R19 bid 5, took 6: made +50", "R19 1 overtrick +1"]),
        ("4+2", "3+2", 9, ["R20 bid 6, took 5: set -60"]),
        ("4+Nil", "4+0", 0, ["R19 bid 4, took 4: made +40", "R9 nil made +100"]),
        (
            "4+Nil",
            "3+1",
            0,
            ["R20 bid 4, took 3: set -40", "R9 nil set by 1 trick -100", "R21 1 trick of a failed nil +1"],
        ),
        (
            "DN+DN",
            "0+3",
            0,
            ["R12 blind nil made +200", "R12 blind nil set by 3 tricks -200", "R21 3 tricks of a failed nil +3"],
        ),
        (
            "1+Nil",
            "13+0",
            9,
            ["R19 bid 1, took 13: made +10", "R19 12 overtricks +12", "R9 nil made +100", *["R22 10 bags -100"] * 2],
        ),
        ("Nil+Nil", "0+0", 0, ["R9 nil made +100", "R9 nil made +100"]),
    ],
)
def test_each_term_of_a_score_names_its_rule(bids: str, won: str, bags: int, terms: list[str]) -> None:
    scored = score(bids.split("+"), numbers(won, "+"), bags)
    assert [f"{term.rule} {term.what} {term.points:+d}" for term in scored.terms] == terms


@pytest.mark.parametrize(
    ("changes", "bids", "won", "bags", "terms"),
    [
        ({"overtricks": "none"}, "3+2", "4+3", 0, ["R19 bid 5, took 7: made +50", "V3 2 overtricks +0"]),
        (
            {"overtricks": "minus_1"},
            "3+2",
            "4+3",
            0,
            ["R19 bid 5, took 7: made +50", "V3 2 overtricks -2"],
        ),
        (
            {"overtricks": "minus_10"},
            "3+Nil",
            "4+2",
            0,
            [
                "R19 bid 3, took 4: made +30",
                "V3 1 overtrick -10",
                "R9 nil set by 2 tricks -100",
                "V3 2 tricks of a failed nil +0",
            ],
        ),
        (
            {"failed_nil": "help"},
            "4+Nil",
            "3+2",
            0,
            [
                "R19 bid 4, took 5: made +40",
                "R9 nil set by 2 tricks -100",
                "V5 1 trick of a failed nil +1",
                "V5 1 trick of a failed nil, counted for the contract +0",
            ],
        ),
        (
            {"failed_nil": "help", "overtricks": "minus_10"},
            "4+Nil",
            "5+2",
            0,
            [
                "R19 bid 4, took 7: made +40",
                "V3 1 overtrick -10",
                "R9 nil set by 2 tricks -100",
                "V3 2 tricks of a failed nil +0",
            ],
        ),
        (
            {"failed_nil": "help"},
            "Nil+DN",
            "0+2",
            0,
            ["R9 nil made +100", "R12 blind nil set by 2 tricks -200", "V5 2 tricks of a failed nil +2"],
        ),
        (
            {"failed_nil": "nothing"},
            "4+Nil",
            "4+2",
            9,
            ["R19 bid 4, took 4: made +40", "R9 nil set by 2 tricks -100", "V5 2 tricks of a failed nil +0"],
        ),
        ({"zero": "bonus"}, "zero+3", "0+3", 0, ["R19 bid 3, took 3: made +30", "V6 zero made +100"]),
        (
            {"zero": "bonus"},
            "zero+3",
            "1+3",
            0,
            ["R19 bid 3, took 4: made +30", "R19 1 overtrick +1"],
        ),
        ({"zero": "bonus", "nil_value": 50}, "zero+3", "0+3", 0, ["R19 bid 3, took 3: made +30", "V6 zero made +50"]),
        ({"zero": "plain"}, "zero+3", "0+3", 0, ["R19 bid 3, took 3: made +30"]),
        ({"zero": "plain"}, "zero+3", "1+2", 0, ["R19 bid 3, took 3: made +30"]),
        (
            {"blind_number": 7},
            "blind7+3",
            "7+4",
            0,
            ["R19 bid 10, took 11: made +100", "V9 7 of it bid blind, which count double +70", "R19 1 overtrick +1"],
        ),
        (
            {"ten_for_200": True},
            "10+Nil",
            "11+1",
            9,
            [
                "V10 bid 10, took 11: made +200",
                "V10 1 overtrick +0",
                "R9 nil set by 1 trick -100",
                "V10 1 trick of a failed nil +0",
            ],
        ),
        ({"ten_for_200": True}, "10+Nil", "9+0", 0, ["V10 bid 10, took 9: set -200", "R9 nil made +100"]),
        ({"ten_for_200": True}, "5+4", "5+4", 0, ["R19 bid 9, took 9: made +90"]),
        (
            {"bag_limit": 5, "bag_penalty": 50},
            "1+1",
            "7+6",
            4,
            ["R19 bid 2, took 13: made +20", "R19 11 overtricks +11", *["R22 5 bags -50"] * 3],
        ),
        (
            {"bag_limit": 1, "bag_penalty": 0},
            "1+1",
            "2+1",
            0,
            ["R19 bid 2, took 3: made +20", "R19 1 overtrick +1", "R22 1 bag +0"],
        ),
    ],
)
def test_an_option_of_the_score_changes_its_own_terms(
    changes: dict[str, Any], bids: str, won: str, bags: int, terms: list[str]
) -> None:
    """V3, V5, V6, V9, V10, V12, V13."""
    scored = score(bids.split("+"), numbers(won, "+"), bags, make_rules(**changes))
    assert [f"{term.rule} {term.what} {term.points:+d}" for term in scored.terms] == terms


@given(any_rules(), SIDES)
def test_every_trick_beyond_the_contract_has_a_term_whatever_the_rules_make_of_it(
    rules: Rules, side: tuple[list[str], list[int], int]
) -> None:
    """So that what an option takes away is told with its rule: V3, V5, V10."""
    bids, won, carried = side
    told = [term.what for term in score(bids, won, carried, rules).terms]
    own = sum(tricks for word, tricks in zip(bids, won, strict=True) if word not in {"DN", "Nil"})
    over = max(own - sum(bid(word).tricks for word in bids), 0)
    assert counted(told, "overtrick") == over
    assert counted(told, "of a failed nil") == sum(won) - own


def counted(told: list[str], what: str) -> int:
    """The tricks in those terms that are of this."""
    return sum(int(each.split()[0]) for each in told if what in each)


def test_each_player_of_a_cutthroat_game_scores_alone() -> None:
    """V18."""
    rules = Rules(cutthroat=True)
    scored = score_hand(rules, [bid("4"), bid("Nil"), bid("3"), bid("2")], [5, 1, 3, 4], (9, 0, 0, 8))
    assert [(side.delta, side.bags) for side in scored] == [(41 - 100, 0), (-99, 1), (30, 0), (22 - 100, 0)]


def test_a_side_knows_its_contract_and_the_tricks_that_counted_towards_it() -> None:
    """R8, R10, R21."""
    plain, beside_nil = score(["3", "2"], [4, 3]), score(["4", "Nil"], [3, 2])
    assert (plain.contract, plain.taken, plain.new_bags) == (5, 7, 2)
    assert (beside_nil.contract, beside_nil.taken, beside_nil.new_bags) == (4, 3, 2)


def test_the_numbers_of_the_rules_are_what_is_counted_with() -> None:
    """Nil, Double Nil, bag limit and bag penalty are options of the rules, never constants of the score."""
    rules = Rules(nil_value=50, blind_nil_value=70, bag_limit=5, bag_penalty=30)
    assert score(["Nil", "3"], [0, 3], rules=rules).delta == 80
    assert score(["DN", "3"], [0, 3], rules=rules).delta == 100
    crowded = score(["3", "2"], [6, 6], 4, rules)
    assert (crowded.delta, crowded.bags, crowded.new_bags) == (50 + 7 - 60, 1, 7)


def test_partners_are_scored_together_and_each_side_with_its_own_bags() -> None:
    """R1, R8: N takes all thirteen with S's Nil beside him; E and W are set."""
    start = whole_suits(rules=CLASSIC)._replace(totals=Totals((100, 200), (9, 4)))
    hand = bid_all(start, "13 2 Nil 3")
    for rank in "23456789TJQKA":
        hand = play(hand, f"{rank}S {rank}H {rank}D {rank}C")
    finished = hand_of(Finished, hand)
    ours, theirs = finished.scores()
    assert (ours.delta, ours.bags, theirs.delta, theirs.bags) == (130 + 100, 9, -50, 4)
    assert add(finished.deal.totals, (ours, theirs)) == Totals((330, 150), (9, 4))
    assert finished.bids[E] == bid("2")


def test_an_unfinished_hand_changes_no_totals() -> None:
    """LS-17: the totals are those of the last full hand until the next one is over."""
    start = whole_suits(rules=CLASSIC)._replace(totals=Totals((310, 290), (3, 1)))
    hand = bid_all(start, "13 Nil Nil Nil")
    for rank in "23456789":
        hand = play(hand, f"{rank}S {rank}H {rank}D {rank}C")
    assert (hand.over, hand.deal.totals) == (False, Totals((310, 290), (3, 1)))
