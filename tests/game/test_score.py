"""What a hand is worth: the values of the rules text, the cases, and the formula worked out the slow way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.build import CLASSIC, E, bid, bid_all, hand_of, play, whole_suits
from game.reference_score import slow_score
from spades_harness.game.hand import Finished, Totals
from spades_harness.game.rules import Rules
from spades_harness.game.score import SideScore, add, score_side

# Bids and tricks as one partner + the other, before and after as score,bags. The rule is the one that the row settles.
VALUES = """
bids    won    before   delta  after    rule
3+2     4+3    0,0      +52    52,2     R19
4+2     4+3    0,0      +61    61,1     R19
2+2     4+3    0,0      +43    43,3     R22 (1 of 3)
2+1     3+3    43,3     +33    76,6     R22 (2 of 3)
2+2     5+4    76,6     -55    21,1     R22 (3 of 3: eleven bags, one carried)
3+1     7+6    21,1     -51    -30,0    R22 (nine more bags: the next penalty)
4+2     3+2    0,0      -60    -60,0    R20
4+Nil   4+0    0,0      +140   140,0    R9 R10
4+Nil   4+2    0,0      -58    -58,2    R21
4+Nil   3+1    0,0      -139   -139,1   R21 (four tricks in all, still set)
4+Nil   3+0    0,0      +60    60,0     R9 R20
Nil+Nil 0+0    0,0      +200   200,0    R11
Nil+Nil 2+3    0,0      -195   -195,5   R11 D10
Nil+Nil 0+3    0,0      +3     3,3      R11 D10
DN+3    0+3    0,0      +230   230,0    R12
DN+3    1+3    0,0      -169   -169,1   R12 R21
DN+DN   0+0    0,0      +400   400,0    R13
DN+DN   1+2    0,0      -397   -397,3   R13
DN+DN   0+1    0,0      +1     1,1      R13
DN+Nil  0+1    0,0      +101   101,1    R9 R12
3+2     3+3    59,9     -49    10,0     R22 D6 (exactly ten bags)
3+2     4+3    337,7    +52    389,9    R22
3+2     4+4    337,7    -47    290,0    R22
3+2     5+4    337,7    -46    291,1    R22
1+Nil   13+0   0,9      -78    -78,1    D8 (21 bags: two penalties)
1+1     5+5    -48,2    -72    -120,0   D7 (a negative score)
3+3     4+3    495,9    -39    456,0    D9
Nil+1   1+0    0,0      -109   -109,1   R21
4+3     5+3    0,0      +71    71,1     LS-09 (made, one bag)
5+4     4+4    0,0      -90    -90,0    LS-09 (set, bags unchanged)
7+6     7+6    0,0      +130   130,0    LS-09 (all thirteen)
1+1     7+6    0,0      -69    -69,1    LS-09 (eleven bags at once)
Nil+4   0+6    0,0      +142   142,2    LS-11 (a)
Nil+Nil 0+0    0,0      +200   200,0    LS-11 (b)
Nil+Nil 1+1    0,0      -198   -198,2   LS-11 (c)
Nil+Nil 0+3    0,0      +3     3,3      LS-11 (d)
6+5     7+6    0,0      +112   112,2    LS-11 (the opponents of b)
Nil+5   1+4    0,0      -149   -149,1   LS-12 (tricks of a failed nil do not help)
Nil+5   2+5    0,0      -48    -48,2    LS-12 (control)
2+2     3+3    488,8    -58    430,0    LS-13
3+2     6+6    0,0      +57    57,7     LS-15 (1 of 3)
6+6     6+5    57,7     -120   -63,7    LS-15 (2 of 3: the bags of a negative score)
4+4     6+5    -63,7    -17    -80,0    LS-15 (3 of 3)
"""


def rows() -> list[tuple[list[str], list[int], Totals, int, Totals, str]]:
    """The table, row by row; totals are of one side."""
    parsed = []
    for line in VALUES.strip().splitlines()[1:]:
        bids, won, before, delta, after, rule = line.split(maxsplit=5)
        parsed.append((bids.split("+"), numbers(won, "+"), one_side(before), int(delta), one_side(after), rule))
    return parsed


def numbers(text: str, separator: str) -> list[int]:
    """The numbers of a cell."""
    return [int(number) for number in text.split(separator)]


def one_side(text: str) -> Totals:
    """`52,2` as the totals of one side."""
    score, bags = numbers(text, ",")
    return Totals((score,), (bags,))


def score(bids: list[str], won: list[int], bags: int = 0, rules: Rules = CLASSIC) -> SideScore:
    """The score of one side, bids as the rules text writes them."""
    return score_side(rules, [bid(word) for word in bids], won, bags)


@pytest.mark.parametrize(
    ("bids", "won", "before", "delta", "after", "rule"), rows(), ids=lambda cell: cell if isinstance(cell, str) else ""
)
def test_a_side_scores_as_the_rules_say(
    bids: list[str], won: list[int], before: Totals, delta: int, after: Totals, rule: str
) -> None:
    """LS-09, LS-11, LS-12, LS-13, LS-15 and the classic values of the rules text."""
    side = score(bids, won, before.bags[0])
    said = f"{rule}: bid {'+'.join(bids)}, took {won[0]}+{won[1]}, before {before}"
    assert (side.delta, add(before, [side])) == (delta, after), said
    assert score(bids[::-1], won[::-1], before.bags[0])[1:] == side[1:], f"{said}, partners exchanged"


SIDES = st.tuples(
    st.lists(st.sampled_from(["DN", "Nil", *map(str, range(1, 14))]), min_size=2, max_size=2),
    st.integers(0, 13).flatmap(lambda tricks: st.integers(0, tricks).map(lambda first: [first, tricks - first])),
    st.integers(0, 9),
)


@given(SIDES)
def test_a_side_scores_as_the_slow_formula_says(side: tuple[list[str], list[int], int]) -> None:
    bids, won, carried = side
    scored = score(bids, won, carried)
    assert (scored.delta, scored.bags) == slow_score(CLASSIC, bids, won, carried)


@given(SIDES)
def test_the_terms_of_a_score_add_up_to_it(side: tuple[list[str], list[int], int]) -> None:
    bids, won, carried = side
    scored = score(bids, won, carried)
    assert sum(term.points for term in scored.terms) == scored.delta
    assert (carried + scored.new_bags - scored.bags) % CLASSIC.bag_limit == 0
    assert 0 <= scored.bags < CLASSIC.bag_limit


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
