"""`spades score`: the rule text's own values, through the command; the words it takes, and those it refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest

from spades_harness.cli.scoring import outlook, read_question, score
from spades_harness.errors import UserError
from spades_harness.game.rules import PRESETS, Rules

from .calling import ask


def scores(*words: str) -> dict[str, Any]:
    """The answer in JSON."""
    done = ask("score", "--json", *words)
    assert (done.returncode, done.stderr) == (0, ""), done
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def pair(bids: str, won: str) -> tuple[str, ...]:
    """Bids and tricks of N and S, each as in `4+nil`."""
    one, other = bids.split("+")
    first, second = won.split("+")
    return "--bids", f"N={one},S={other}", "--won", f"N={first},S={second}"


# ---------------------------------------------------------------------------------------------------------- the scores


@pytest.mark.parametrize(
    ("rule", "bids", "won", "before", "delta", "after", "changes"),
    [
        ("R19", "3+2", "4+3", "0/0", 52, (52, 2), ""),
        ("R22", "2+2", "5+4", "76/6", -55, (21, 1), ""),
        ("V6 plain zero only", "zero+zero", "3+2", "0/0", 5, (5, 5), "zero=only blind_nil=false"),
        ("V6 both", "zero+nil", "4+0", "0/0", 104, (104, 4), "zero=plain"),
        ("R20", "4+2", "3+2", "0/0", -60, (-60, 0), ""),
        ("R9 R10", "4+nil", "4+0", "0/0", 140, (140, 0), ""),
        ("R21", "4+0", "4+2", "0/0", -58, (-58, 2), ""),
        ("R11 D10", "nil+nil", "2+3", "0/0", -195, (-195, 5), ""),
        ("R12 R21", "blind_nil+3", "1+3", "0/0", -169, (-169, 1), ""),
        ("R13", "blind_nil+blind_nil", "0+0", "0/0", 400, (400, 0), ""),
        ("exactly ten bags", "3+2", "3+3", "59/9", -49, (10, 0), ""),
        ("D8", "1+Nil", "13+0", "0/9", -78, (-78, 1), ""),
        ("D7", "1+1", "5+5", "-48/2", -72, (-120, 0), ""),
        ("V5 help", "nil+1", "1+0", "0/0", -90, (-90, 0), "failed_nil=help"),
        ("V3 -10", "4+2", "4+3", "0/0", 50, (50, 0), "overtricks=minus_10"),
        ("V9", "blind6+2", "6+2", "0/0", 140, (140, 0), "blind_number=6"),
        ("V10", "5+5", "6+6", "0/0", 200, (200, 0), "ten_for_200=true"),
        ("V12", "2+2", "5+4", "0/0", -5, (-5, 0), "bag_limit=5 bag_penalty=50"),
        ("V13", "4+nil", "4+0", "0/0", 90, (90, 0), "nil_value=50"),
    ],
)
def test_a_side_scores_as_the_rules_text_says(
    rule: str, bids: str, won: str, before: str, delta: int, after: tuple[int, int], changes: str
) -> None:
    set_options = [word for change in changes.split() for word in ("--set", change)]
    found = scores(*pair(bids, won), "--before", f"NS={before}", *set_options)
    assert list(found) == ["NS"], rule
    assert (found["NS"]["delta"], found["NS"]["score"], found["NS"]["bags"]) == (delta, *after), rule
    assert sum(term["points"] for term in found["NS"]["terms"]) == delta, rule


def test_the_json_holds_each_side_with_delta_score_bags_and_terms_and_nothing_else() -> None:
    found = scores("--bids", "N=4,S=nil,E=3,W=2", "--won", "N=4,S=2,E=4,W=3", "--before", "NS=337/7,EW=0/0")
    assert found == {
        "NS": {
            "delta": -58,
            "score": 279,
            "bags": 9,
            "terms": [
                {"rule": "R19", "what": "bid 4, took 4: made", "points": 40},
                {"rule": "R9", "what": "nil set by 2 tricks", "points": -100},
                {"rule": "R21", "what": "2 tricks of a failed nil", "points": 2},
            ],
        },
        "EW": {
            "delta": 52,
            "score": 52,
            "bags": 2,
            "terms": [
                {"rule": "R19", "what": "bid 5, took 7: made", "points": 50},
                {"rule": "R19", "what": "2 overtricks", "points": 2},
            ],
        },
    }


def test_people_get_each_term_with_its_rule_the_sum_and_the_totals() -> None:
    done = ask("score", *pair("4+nil", "4+2"), "--before", "NS=337/7")
    assert done.stdout.splitlines() == [
        "NS: N bid 4 and took 4; S bid nil and took 2",
        "  R19  bid 4, took 4: made         +40",
        "  R9   nil set by 2 tricks        -100",
        "  R21  2 tricks of a failed nil     +2",
        "  sum                              -58   score 337 → 279, bags 7 → 9",
    ]


def test_where_everybody_is_alone_each_seat_is_a_side() -> None:
    four = scores("--rules", "cutthroat", "--bids", "W=1,N=3,E=nil,S=2", "--won", "N=4,E=0,S=5,W=4")
    assert {side: each["delta"] for side, each in four.items()} == {"N": 31, "E": 100, "S": 23, "W": 13}
    two = scores("--rules", "two_player", "--bids", "n=3,s=10", "--won", "n=4,s=9", "--before", "s=400/3")
    assert {side: (each["score"], each["bags"]) for side, each in two.items()} == {"N": (31, 1), "S": (300, 3)}
    assert list(scores("--rules", "cutthroat", "--bids", "E=3", "--won", "E=3")) == ["E"]


def test_zero_means_what_the_rules_say() -> None:
    assert scores(*pair("0+3", "0+3"))["NS"]["delta"] == 130
    assert scores(*pair("0+3", "0+3"), "--rules", "encyclopedia")["NS"]["delta"] == 30
    assert scores(*pair("zero+3", "0+3"), "--set", "zero=bonus")["NS"]["delta"] == 130


@pytest.mark.parametrize(
    ("said", "is_the_bid"),
    [(each, "blind_nil") for each in ("blind nil", "Blind Nil", "blindnil", "double_nil", "Double Nil", "dn", "DN")]
    + [("blind 6", "blind6"), ("Blind_6", "blind6"), ("BLIND6", "blind6")],
)
def test_blind_bids_are_read_as_people_say_them_and_as_they_are_printed(said: str, is_the_bid: str) -> None:
    changes = ("--set", "blind_number=6")
    assert scores(*pair(f"{said}+3", "0+3"), *changes) == scores(*pair(f"{is_the_bid}+3", "0+3"), *changes)


def test_rules_of_a_plugin_are_rules_too(tmp_path: Any) -> None:
    plugin = tmp_path / "home.py"
    plugin.write_text(
        "from spades_harness import hookimpl\nfrom spades_harness.game.rules import Rules\n\n"
        "@hookimpl\ndef spades_register_rules():\n    return {'home': Rules(nil_value=50)}\n",
        encoding="utf-8",
    )
    asked = (*pair("4+nil", "4+0"), "--rules", "home", "--plugin", str(plugin))
    assert scores(*asked)["NS"]["delta"] == 90


# ----------------------------------------------------------------------------------------------------- is the game over


def over(bids: str, won: str, before: str | None, rules: Rules = PRESETS["classic"]) -> str | None:
    """What is said of the game after a hand of four."""
    question = read_question(rules, bids, won, before)
    return outlook(question, score(question))


BIDS, WON = "N=4,S=2,E=4,W=2", "N=4,S=2,E=4,W=3"
SET = "N=6,S=2,E=6,W=2", WON
"""Both sides lose eighty."""


def test_a_game_that_ends_with_the_hand_is_said_to_be_over() -> None:
    assert over(BIDS, WON, "NS=440/0,EW=300/0") == "The game is over (target): NS wins"
    assert over(BIDS, WON, "NS=440/0,EW=440/0") == "The game is over (target): EW wins"
    assert over(BIDS, WON, "NS=300/0,EW=0/0") == "The game goes on, unless this was hand 100"
    assert over(BIDS, WON, "NS=441/0,EW=440/0") == "The game goes on, unless this was hand 100"


def test_a_penalty_counts_before_the_target_is_tested() -> None:
    """D9: 495 with nine bags and 61 points more is no win."""
    assert over(BIDS, "N=5,S=2,E=4,W=2", "NS=495/9,EW=0/0") == "The game goes on, unless this was hand 100"


def test_a_tie_is_decided_as_the_rules_say_or_left_open_where_earlier_hands_decide() -> None:
    tied = "NS=441/0,EW=440/0"
    assert over(BIDS, WON, tied, Rules(tie="draw")) == "The game is over (draw): a draw"
    assert over(BIDS, WON, tied, Rules(tie="last_hand")) == "The game is over (tie break): EW wins"


def test_a_hand_after_a_tie_at_the_target_decides_where_one_more_hand_does() -> None:
    """V2."""
    rules = Rules(tie="one_more")
    assert over(BIDS, WON, "NS=510/0,EW=510/0", rules) == "The game is over (tie break): EW wins"
    assert over("N=4,S=2,E=4,W=1", "N=4,S=2,E=4,W=3", "NS=510/0,EW=510/0", rules) == (
        "The game is over (tie break): NS wins"
    )
    assert over(*SET, "NS=510/0,EW=510/0", rules) == "The game goes on, unless this was hand 100"
    assert over(*SET, "NS=510/0,EW=510/0") == "The game goes on, unless this was hand 100"
    assert over("N=9,S=2,E=4,W=2", WON, "NS=510/0,EW=510/0", rules) == "The game is over (tie break): EW wins"


def test_a_tie_below_the_target_may_have_been_one_at_the_target_where_one_more_hand_decides() -> None:
    """V2: only where this hand ended it, and where the game can't be at its start."""
    rules, plain = Rules(tie="one_more"), "The game goes on, unless this was hand 100"
    since = ", or the leaders have been equal since they were at the target (V2)"
    assert over(BIDS, WON, "NS=410/0,EW=410/0", rules) == plain + since
    assert over(BIDS, WON, "NS=0/0,EW=0/0", rules) == plain
    assert over(BIDS, WON, "NS=410/0,EW=300/0", rules) == plain
    assert over(*SET, "NS=410/0,EW=410/0", rules) == plain
    assert over(BIDS, WON, "NS=440/0,EW=440/0", rules) == "The game is over (target): EW wins"


def test_a_game_that_was_over_before_the_hand_is_said_to_have_been() -> None:
    assert over(BIDS, WON, "NS=600/0,EW=440/0") == "The game was over before this hand (target)"
    assert over(BIDS, WON, "NS=600/0,EW=600/0", Rules(tie="draw")) == "The game was over before this hand (draw)"
    assert over(BIDS, WON, "NS=600/0,EW=440/0", Rules(tie="one_more")) == "The game was over before this hand (target)"
    assert over(BIDS, WON, "NS=0/0,EW=-200/0", Rules(floor=-200)) == "The game was over before this hand (floor)"


def test_totals_that_are_not_given_are_nothing_for_the_end_of_the_game_too() -> None:
    assert over(BIDS, WON, "NS=440/0") == "The game is over (target): NS wins"
    assert over(BIDS, WON, None) == "The game goes on, unless this was hand 100"
    assert over(BIDS, WON, None, Rules(target=61)) == "The game is over (target): EW wins"


def test_where_every_hand_is_the_last_one_it_is_said_to_be() -> None:
    """V17."""
    assert over(BIDS, WON, None, Rules(hand_cap=1)) == "The game is over (hand cap): EW wins"
    assert over(*SET, None, Rules(hand_cap=1)) == "The game is over (hand cap): a draw"
    assert over(BIDS, WON, None, Rules(hand_cap=2)) == "The game goes on, unless this was hand 2"


def test_nothing_is_said_of_a_game_of_which_only_a_side_was_asked_for() -> None:
    assert over("N=4,S=2", "N=4,S=2", "NS=440/0,EW=0/0") is None


# ------------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--bids N=4,X=3 --won N=4", "--bids: no seat 'X' under these rules; there are: N, E, S, W"),
        ("--bids N=4,E=3 --won N=4,E=3 --rules two_player", "--bids: no seat 'E' under these rules; there are: N, S"),
        ("--bids N=4 --won N=4", "--bids: NS are scored together, and S is missing; give its bid too"),
        ("--bids N=4,S=3 --won N=4", "--won: S is missing; give the same seats in --bids and --won"),
        ("--bids N=4,S=3 --won N=4,S=3,E=1", "--bids: E is missing; give the same seats in --bids and --won"),
        ("--bids N=4,S=3 --won N=9,S=5", "--won: the tricks come to 14, and only 13 are played in a hand"),
        ("--bids N=1,E=1,S=1,W=1 --won N=3,E=3,S=3,W=3", "--won: the tricks come to 12, and 13 are played in a hand"),
        ("--bids N=4,S=-1 --won N=4,S=2", "--bids: S=-1: there is no such bid under these rules; write nil (or 0), 1"),
        ("--bids N=4,S=14 --won N=4,S=2", "--bids: S=14: there is no such bid"),
        ("--bids N=4,S=null --won N=4,S=2", "--bids: S=null: there is no such bid"),
        ("--bids N=4,S=1 --won N=4,S=-2", "--won: S=-2: must be a number of tricks from 0 to 13"),
        ("--bids N=4,S=1 --won N=4,S=99999999999999999999", "--won: S=99999999999999999999: must be a number"),
        ("--bids N=4,S=1,N=4 --won N=4,S=2", "--bids: N is given twice; give it once"),
        ("--bids N4 --won N=4", "--bids: 'N4' is not seat=value; write N=4,E=nil"),
        ("--bids N=4,S=1, --won N=4,S=2", "--bids: '' is not seat=value"),
        ("--bids N=4,S=1 --won N=4,S=2 --before NS=337", "--before: NS=337: must be points/bags, as in NS=337/7"),
        ("--bids N=4,S=1 --won N=4,S=2 --before NS=3.5/1", "--before: NS=3.5/1: must be points/bags"),
        ("--bids N=4,S=1 --won N=4,S=2 --before NS=-9999999999/0", "--before: NS=-9999999999/0: too large; no number"),
        ("--bids N=4,S=1 --won N=4,S=2 --before NS=1/9999999999", "--before: NS=1/9999999999: too large; no number"),
        ("--bids N=4,S=1 --won N=4,S=2 --before NS=1/10", "--before: NS=1/10: the bags must be from 0 to 9, since 10"),
        ("--bids N=4,S=1 --won N=4,S=2 --before NS=1/-1", "--before: NS=1/-1: the bags must be from 0 to 9"),
        ("--bids N=4,S=1 --won N=4,S=2 --before N=1/1", "--before: no side 'N' under these rules; there are: NS, EW"),
        ("--bids N=4,S=1 --won N=4,S=2 --before NS=1/1,NS=2/2", "--before: NS is given twice"),
        (
            "--bids N=4,S=1 --won N=4,S=2 --before NS=1/5 --set overtricks=none",
            "the bags must be from 0 to 0, since no bags are carried under these rules",
        ),
        ("--bids N=4,S=1 --won N=4,S=2 --set TARGET=none", "--set: no option 'TARGET'; did you mean 'target'?"),
        ("--bids N=4,S=1 --won N=4,S=2 --set suicide=false", "must be off, one_nil or all_double_nil, not false\n"),
        ("--bids N=4,S=1 --won N=4,S=2 --set target=null", "--set: target none does not go with behind none"),
        ("--bids N=4,S=1 --won N=4,S=2 --set targt=3", "--set: no option 'targt'; did you mean 'target'?"),
        ("--bids N=4,S=1 --won N=4,S=2 --set target=x", "--set: target must be a whole number from 1 to 1000000, or n"),
        ("--bids N=4,S=1 --won N=4,S=2 --set target=--5", "--set: target must be a whole number"),
        ("--bids N=4,S=1 --won N=4,S=2 --set target", "--set: 'target' changes nothing; write option=value"),
        ("--bids N=4,S=1 --won N=4,S=2 --set floor=-1 --set floor=-2", "--set: floor is changed twice"),
        ("--bids N=4,S=1 --won N=4,S=2 --set zero=only", "--set: zero only does not go with blind_nil true"),
        ("--bids N=4,S=1 --won N=4,S=2 --rules clasic", "--rules: no preset 'clasic'; did you mean 'classic'?"),
        (
            "--bids N=4,S=nil --won N=4,S=2 --rules encyclopedia",
            "S=nil: there is no such bid under these rules; write 0",
        ),
        ("--bids N=4,S=blind_nil --won N=4,S=2 --rules encyclopedia", "S=blind_nil: there is no such bid"),
        ("--bids N=4,S=zero --won N=4,S=2", "S=zero: there is no such bid"),
        ("--bids N=4,S=blind5 --won N=4,S=2 --set blind_number=6", "S=blind5: there is no such bid"),
        (
            "--bids N=4,S=3 --won N=4,S=2 --rules suicide",
            "S=3 may not be bid beside N=4: exactly one of each pair must bid Nil (V8), but nil, blind_nil may",
        ),
        (
            "--bids N=nil,S=nil --won N=4,S=2 --rules suicide",
            "S=nil may not be bid beside N=nil: exactly one of each pair must bid Nil (V8), but 1, 2, 3",
        ),
        (
            "--bids N=4,S=3 --won N=4,S=2 --rules suicide_all",
            "N=4 may not be bid: everybody bids Double Nil (V8), but blind_nil may",
        ),
        (
            "--bids N=2,S=3 --won N=4,S=2 --set minimum_bid=3",
            "N=2 may not be bid: the least that a player may bid is 3 (V11), but nil, 3, 4",
        ),
        (
            "--bids N=4,S=2 --won N=4,S=2 --set minimum_bid=3",
            "S=2 may not be bid: the least that a player may bid is 3",
        ),
        (
            "--bids N=2,S=1 --won N=4,S=2 --set minimum_bid=4 --set minimum_scope=side",
            "S=1 may not be bid beside N=2: the least that a side may bid is 4 (V11), but 2, 3",
        ),
        (
            "--bids N=blind_nil,S=3 --won N=0,S=3 --set blind_deficit=100 --before NS=0/0,EW=99/0",
            "N=blind_nil may not be bid: Double Nil is for a side that is 100 or more points behind (V7), but nil, 1",
        ),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(words: str, said: str) -> None:
    done = ask("score", *words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.startswith("spades: --")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("preset", ["whiz", "mirror"])
def test_that_the_cards_allow_a_bid_is_taken_on_trust(preset: str) -> None:
    assert scores("--rules", preset, *pair("3+2", "3+3"))["NS"]["delta"] == 51


def test_a_deficit_is_taken_on_trust_where_not_every_total_is_given() -> None:
    asked = (*pair("blind_nil+3", "0+3"), "--set", "blind_deficit=100")
    assert scores(*asked)["NS"]["delta"] == 230
    assert scores(*asked, "--before", "NS=0/0,EW=100/0")["NS"]["delta"] == 230


def test_a_question_of_rules_that_do_not_exist_raises_the_user_s_error() -> None:
    with pytest.raises(UserError, match="no such bid"):
        read_question(PRESETS["encyclopedia"], "N=nil,S=3", "N=0,S=3", None)
