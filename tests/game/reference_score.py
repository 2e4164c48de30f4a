"""What a hand is worth and when a game ends, once more, slowly and straight from the text of the rules.

Bids are the words of the text, as in `reference`; nothing is shared with the game's own code but the names of the
options.
"""

from __future__ import annotations

from collections.abc import Sequence

from game.reference import NILS, tricks_bid
from spades_harness.game.rules import Rules


def slow_score(rules: Rules, bids: Sequence[str], won: Sequence[int], carried: int) -> tuple[int, int]:
    """Delta and carried bags of one side, by the formula at the end of section 3 and the options that change it."""
    contract = sum(tricks_bid(bid) for bid in bids)
    blind = sum(tricks_bid(bid) for bid in bids if bid.startswith("blind"))
    own = sum(tricks for bid, tricks in zip(bids, won, strict=True) if bid not in NILS)
    failed = sum(tricks for bid, tricks in zip(bids, won, strict=True) if bid in NILS)

    made = own + (failed if rules.failed_nil == "help" else 0) >= contract  # V5
    worth = 10 * contract + 10 * blind  # V9: the blind part counts double
    over = max(own - contract, 0)
    match rules.failed_nil:  # V5: those tricks of failed Nils that are bags
        case "bags":
            spilt = failed
        case "help":
            spilt = max(own + failed - contract, 0) - over
        case _:
            spilt = 0
    if rules.ten_for_200 and contract >= 10:  # V10
        worth, over, spilt = 200, 0, 0

    if rules.overtricks == "bags":
        extra, bags = over + spilt, over + spilt
    else:  # V3: without bags the tricks of a failed Nil score nothing
        extra, bags = {"none": 0, "minus_1": -1, "minus_10": -10}[rules.overtricks] * over, 0
    penalties = (carried + bags) // rules.bag_limit  # V12, D8
    bonuses = sum(slow_bonus(rules, bid, tricks) for bid, tricks in zip(bids, won, strict=True))
    delta = (worth if made else -worth) + extra + bonuses - rules.bag_penalty * penalties
    return delta, (carried + bags) % rules.bag_limit


def slow_bonus(rules: Rules, bid: str, tricks: int) -> int:
    """R9, R12, V6, V13: what a bid of no tricks is worth by itself."""
    match bid:
        case "Nil":
            return rules.nil_value if tricks == 0 else -rules.nil_value
        case "DN":
            return rules.blind_nil_value if tricks == 0 else -rules.blind_nil_value
        case "zero" if rules.zero == "bonus" and tricks == 0:
            return rules.nil_value
        case _:
            return 0


Ended = tuple[str, int | None]
"""Why a game is over, and the side that has won; None for a draw."""


def slow_ending(rules: Rules, history: Sequence[Sequence[int]]) -> tuple[int, Ended] | None:
    """After how many hands a game is over that has these scores after each hand, and how; None while it goes on."""
    waits = False  # V2: a tie at the target that one more hand decides
    before: Sequence[int] = [0] * len(history[0])
    for number, scores in enumerate(history, start=1):
        ahead = [side for side, score in enumerate(scores) if score == max(scores)]
        is_there = rules.target is not None and max(scores) >= rules.target
        if len(ahead) == 1:
            ended = slow_loss(rules, scores, ahead[0])
            if is_there:
                ended = "target", ahead[0]
            if waits:
                ended = "tie_break", ahead[0]
        else:
            waits = waits or (is_there and rules.tie == "one_more")
            ended = slow_tie(rules, scores, before, ahead) if is_there else None
        if ended is None and number == rules.hand_cap:
            ended = "hand_cap", ahead[0] if len(ahead) == 1 else None
        if ended:
            return number, ended
        before = scores
    return None


def slow_loss(rules: Rules, scores: Sequence[int], ahead: int) -> Ended | None:
    """V4: a side loses when it is so far behind, or so low."""
    if rules.behind is not None and any(max(scores) - score >= rules.behind for score in scores):
        return "behind", ahead
    if rules.floor is not None and any(score <= rules.floor for score in scores):
        return "floor", ahead
    return None


def slow_tie(rules: Rules, scores: Sequence[int], before: Sequence[int], ahead: Sequence[int]) -> Ended | None:
    """V2: equal at the target."""
    if rules.tie == "draw":
        return "draw", None
    if rules.tie == "last_hand":
        gains = {side: scores[side] - before[side] for side in ahead}
        best = [side for side in ahead if gains[side] == max(gains.values())]
        return ("tie_break", best[0]) if len(best) == 1 else None
    return None
