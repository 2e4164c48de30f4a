"""Every test value of the rules text, section 5, and of the cases: a row that fails tells the number of its rule."""

import pytest

from game.build import PLAIN, bid, bid_all, deal, hand_of, word_of
from spades_harness.game.bids import Bid
from spades_harness.game.hand import Bidding, Totals
from spades_harness.game.rules import OPTIONS, Rules, make_rules
from spades_harness.game.score import Ending, Game, add, ending, leader, score_side

# Bids and tricks as one partner + the other, before and after as score,bags. The rule is the one that the row settles;
# after | stand the options that differ from `classic`.
VALUES = """
bids    won    before   delta  after    rule
3+2     4+3    0,0      +52    52,2     R19
4+2     4+3    0,0      +61    61,1     R19
2+2     4+3    0,0      +43    43,3     R22 (1 of 3)
2+1     3+3    43,3     +33    76,6     R22 (2 of 3)
2+2     5+4    76,6     -55    21,1     R22 (3 of 3: eleven bags, one carried)
3+1     7+6    21,1     -51    -30,0    R22 (nine more bags: the next penalty)
0+0     3+2    0,0      +5     5,5      V6 (plain zero only) | zero=only blind_nil=false
zero+Nil 4+0   0,0      +104   104,4    V6 (both) | zero=plain
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
Nil+1   1+0    0,0      -90    -90,0    V5 (help) | failed_nil=help
4+2     4+3    0,0      +59    59,0     V3 (minus 1) | overtricks=minus_1
4+2     4+3    0,0      +50    50,0     V3 (minus 10) | overtricks=minus_10
blind6  7      0,0      +121   121,1    V9 (alone) | blind_number=6 cutthroat=true
blind6  5      0,0      -120   -120,0   V9 (alone) | blind_number=6 cutthroat=true
blind6+2 4+4   0,0      +140   140,0    V9 (2·60 + 20) | blind_number=6
blind6+2 4+3   0,0      -140   -140,0   V9 (2·60 + 20) | blind_number=6
6+4     6+4    0,0      +200   200,0    V10 | ten_for_200=true
6+4     7+5    0,0      +200   200,0    V10 (no bags) | ten_for_200=true
6+4     5+4    0,0      -200   -200,0   V10 | ten_for_200=true
4+3     5+3    0,0      +71    71,1     R19 LS-09 (made, one bag)
5+4     4+4    0,0      -90    -90,0    R20 LS-09 (set, bags unchanged)
7+6     7+6    0,0      +130   130,0    R19 LS-09 (all thirteen)
1+1     7+6    0,0      -69    -69,1    R22 LS-09 (eleven bags at once)
Nil+4   0+6    0,0      +142   142,2    R10 LS-11 (a)
Nil+Nil 0+0    0,0      +200   200,0    R11 LS-11 (b)
Nil+Nil 1+1    0,0      -198   -198,2   R11 LS-11 (c)
Nil+Nil 0+3    0,0      +3     3,3      R11 LS-11 (d)
6+5     7+6    0,0      +112   112,2    R19 LS-11 (the opponents of b)
Nil+5   1+4    0,0      -149   -149,1   R21 LS-12 (tricks of a failed nil do not help)
Nil+5   2+5    0,0      -48    -48,2    R21 LS-12 (control)
2+2     3+3    488,8    -58    430,0    R22 LS-13
3+2     6+6    0,0      +57    57,7     R22 LS-15 (1 of 3)
6+6     6+5    57,7     -120   -63,7    D7 LS-15 (2 of 3: the bags of a negative score)
4+4     6+5    -63,7    -17    -80,0    D7 LS-15 (3 of 3)
"""

Row = tuple[list[Bid], list[int], Totals, int, Totals, Rules]


def rows() -> dict[str, Row]:
    """The table by what a failure is called: the rule, and then the row."""
    return dict(map(_row, VALUES.strip().splitlines()[1:]))


def _row(line: str) -> tuple[str, Row]:
    bids, won, before, delta, after, rest = line.split(maxsplit=5)
    rule, _, changes = rest.partition("|")
    row = [bid(word) for word in bids.split("+")], numbers(won, "+"), one_side(before), int(delta), one_side(after)
    return f"{rule.strip()}: {bids} took {won} from {before}", (*row, rules_of(changes))


def numbers(text: str, separator: str) -> list[int]:
    """The numbers of a cell."""
    return [int(number) for number in text.split(separator)]


def one_side(text: str) -> Totals:
    """`52,2` as the totals of one side."""
    score, bags = numbers(text, ",")
    return Totals((score,), (bags,))


def rules_of(changes: str) -> Rules:
    """`classic` with these options, written as on the command line."""
    pairs = (word.split("=") for word in changes.split())
    return make_rules(**{name: OPTIONS[name].read(value) for name, value in pairs})


@pytest.mark.parametrize("rule", rows())
def test_a_side_scores_as_the_rules_say(rule: str) -> None:
    """LS-09, LS-11, LS-12, LS-13, LS-15 and all values of the rules text."""
    bids, won, before, delta, after, rules = rows()[rule]
    side = score_side(rules, bids, won, before.bags[0])
    assert (side.delta, add(before, [side])) == (delta, after), rule
    assert score_side(rules, bids[::-1], won[::-1], before.bags[0])[1:] == side[1:], f"{rule}, partners exchanged"


@pytest.mark.parametrize("scope", ["player", "side"])
def test_of_a_minimum_of_3_the_legal_bids_are_nil_double_nil_and_3_to_13(scope: str) -> None:
    """V11: of a side, the partner of a Nil has no others either."""
    rules = make_rules(minimum_bid=3, minimum_scope=scope)
    spoken = "" if scope == "player" else "Nil 3"
    asked = hand_of(Bidding, bid_all(deal("AS", "AH", "AD", "AC", rules=rules), spoken))
    looked = hand_of(
        Bidding,
        bid_all(
            deal("AS", "AH", "AD", "AC", rules=make_rules(minimum_bid=3, minimum_scope=scope, blind_nil=False)), spoken
        ),
    )
    words = {word_of(one) for hand in (asked, looked) for one in hand.legal() if isinstance(one, Bid)}
    assert words == {"Nil", "DN", *map(str, range(3, 14))}, "V11"


@pytest.mark.parametrize(
    ("rule", "scores", "end", "ahead"),
    [
        ("R23: 528 against 526 is a win for 528", (528, 526), Ending.TARGET, 0),
        ("R23: 531 against 531 plays on", (531, 531), None, None),
        ("D9: 495 and nine bags, then 39 points less", (456, 0), None, 0),
        ("D11: 500 is enough", (500, 0), Ending.TARGET, 0),
    ],
)
def test_a_game_ends_as_the_rules_say(
    rule: str, scores: tuple[int, int], end: Ending | None, ahead: int | None
) -> None:
    """R23, D9, D11: the end test uses the hand just scored."""
    totals = Totals(scores, (0, 0))
    assert ending(Game(), PLAIN, [totals]) is end, rule
    assert leader(totals) == ahead, rule
