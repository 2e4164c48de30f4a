"""Whole hands written out for people to read, every choice with its alternatives: `tests/playthroughs/*.txt`.

The files are golden: a test plays them again and compares. When the game is meant to change, write them anew with

    .venv/bin/python -m tests.game.playthrough --write

and read the difference before committing it. Without `--write` the command names the files that differ.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

from spades_harness.game.bids import BLIND_NIL, LOOK, Action, Bid, Draw
from spades_harness.game.cards import (
    HIGH_TWO_S,
    SPADES,
    SUIT_MASK,
    Cards,
    Suit,
    card_name,
    card_names,
    iterate,
    strength,
)
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import (
    Deal,
    Drawing,
    FinishedHand,
    Hand,
    Pass,
    Playing,
    Totals,
    Unfinished,
    deal_hand,
    no_points,
    start_hand,
)
from spades_harness.game.notation import read_action
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Game, add, ending, leader

FOLDER = Path(__file__).resolve().parents[1] / "playthroughs"
SEED = 2026
CLASSIC = PRESETS["classic"]

Chooser = Callable[[Unfinished], Action]


@dataclass
class Dice:
    """A generator of our own, so that no version of Python throws other numbers."""

    state: int

    def choose(self, hand: Unfinished) -> Action:
        """Any legal action."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        legal = hand.legal()
        return legal[(self.state >> 33) % len(legal)]


def scripted(bids: str, dice: Dice) -> Chooser:
    """Bids from a script in bidding order (`DN` without looking), everything else by dice."""
    words = iter(bids.split())
    pending: list[str] = []

    def choose(hand: Unfinished) -> Action:
        if hand.kind == "blind":
            word = next(words)
            pending[:] = [] if word == "DN" else [word]
            return BLIND_NIL if word == "DN" else LOOK
        if hand.kind == "bid":
            return read_action("bid", hand.deal.rules, int(pending.pop()))
        return dice.choose(hand)

    return choose


def by_honours(dice: Dice) -> Chooser:
    """The bid nearest to one for every ace, king, joker, and fourth spade; high cards drawn; the rest by dice."""

    def choose(hand: Unfinished) -> Action:
        match hand.kind:
            case "blind":
                return LOOK if hand.allows(LOOK) else BLIND_NIL
            case "bid":
                return _nearest_bid(hand.legal(), _honours(hand.hands[hand.seat]))
            case "draw":
                return Draw.KEEP if hand.drawn is not None and strength(hand.drawn) >= TEN else Draw.DISCARD
            case _:
                return dice.choose(hand)

    return choose


TEN = 8
"""The strength of a ten."""


def _honours(held: Cards) -> int:
    high = sum(strength(one) > TEN + 2 for one in iterate(held))
    return high + max((held & SPADES).bit_count() - 3, 0)


def _nearest_bid(legal: Sequence[Action], honours: int) -> Bid:
    """Nil is as far as any number of no tricks; of equals the first."""
    return min((bid for bid in legal if isinstance(bid, Bid)), key=lambda bid: abs(bid.tricks - honours))


# ------------------------------------------------------------------------------------------------------- in words


def tell(hand: Hand, choose: Chooser) -> Iterator[str]:
    """A hand from its deal to its score."""
    yield from _opening(hand.deal)
    asked = ""
    while not hand.over:
        if asked != (asked := _heading(hand)):
            yield asked
            yield from _drawn_hands(hand)
        action = choose(hand)
        before, hand = hand, hand.apply(action)
        yield _decision(before, action, hand.passes[len(before.passes) :])
        if len(hand.tricks) > len(before.tricks):
            yield f"    {hand.deal.rules.shape.seats[hand.tricks[-1].winner]} takes it"
    yield from _closing(hand)


def _opening(deal: Deal) -> Iterator[str]:
    seats = deal.rules.shape.seats
    yield f"Rules {deal.rules.preset}, hand {deal.number + 1}, dealer {seats[deal.dealer]}"
    yield f"  {_totals(deal.rules, deal.totals)}"
    if not deal.stock:
        yield from _hands(deal.rules, deal.hands)


def _hands(rules: Rules, hands: Sequence[Cards]) -> Iterator[str]:
    for seat, held in zip(rules.shape.seats, hands, strict=True):
        yield f"  {seat}  {_by_suit(held)}"


def _drawn_hands(hand: Unfinished) -> Iterator[str]:
    """What two players hold when all is drawn."""
    if hand.deal.stock and hand.kind == "bid":
        yield from _hands(hand.deal.rules, hand.hands)


def _heading(hand: Unfinished) -> str:
    if isinstance(hand, Playing):
        return f"Trick {len(hand.tricks) + 1}"
    if isinstance(hand, Drawing):
        return "Draw"
    return "Exchange" if hand.kind == "exchange" else "Bidding"


def _decision(hand: Unfinished, action: Action, moved: Sequence[Pass]) -> str:
    """Who chose what, of which choices, and which cards moved by it."""
    seat = hand.deal.rules.shape.seats[hand.seat]
    match hand.kind:
        case "exchange" if isinstance(action, int):
            gift, held = " ".join(card_names(action)), _by_suit(hand.hands[hand.seat])
            got = "".join(f", gets {' '.join(card_names(one.cards))}" for one in moved if one.giver is None)
            return f"  {seat} gives {gift} of {held} ({len(hand.legal())} choices){got}"
        case "draw" if hand.drawn is not None:
            aside = " ".join(card_names(moved[0].cards))
            return f"  {seat} draws {card_name(hand.drawn)}: {action}; {aside} goes"
        case "play" if isinstance(hand, Playing) and isinstance(action, int):
            broken = " (spades broken)" if hand.broken else ""
            return f"  {seat} plays {card_name(action)} of {' '.join(card_names(hand.legal_cards))}{broken}"
        case kind:
            return f"  {seat} {kind}: {action} of {', '.join(map(str, hand.legal()))}"


def _closing(hand: FinishedHand) -> Iterator[str]:
    rules = hand.deal.rules
    scores = hand.scores()
    yield "Score"
    yield f"  {_bids_and_tricks(rules, hand.bids, hand.won)}"
    for side, score in zip(rules.shape.sides, scores, strict=True):
        yield f"  {side.name}  {score.delta:+d}"
        yield from (f"      {term.points:+d}  {term.what} ({term.rule})" for term in score.terms)
    yield f"  {_totals(rules, add(hand.deal.totals, scores))}"


def tell_game(rules: Rules, seed: int, stream: int) -> Iterator[str]:
    """A whole game, one hand a paragraph."""
    totals, choose, history = no_points(rules), by_honours(Dice(seed)), list[Totals]()
    for number in count():
        hand = deal_hand(rules, secret_of_seed(seed), stream, number, totals)
        yield f"Hand {number + 1}, dealer {rules.shape.seats[hand.deal.dealer]}"
        while not hand.over:
            hand = hand.apply(choose(hand))
        scores = hand.scores()
        totals = add(totals, scores)
        history.append(totals)
        yield f"  {_bids_and_tricks(rules, hand.bids, hand.won)}"
        for side, score in zip(rules.shape.sides, scores, strict=True):
            yield f"  {side.name} {score.delta:+d}: " + "; ".join(
                f"{term.what} {term.points:+d}" for term in score.terms
            )
        yield f"  {_totals(rules, totals)}"
        if over := ending(Game(), rules, history):
            ahead = leader(totals)
            yield f"Over ({over.value}): " + ("a draw" if ahead is None else f"{rules.shape.sides[ahead].name} wins")
            return


def _bids_and_tricks(rules: Rules, bids: Sequence[Bid | None], won: tuple[int, ...]) -> str:
    parts = zip(rules.shape.seats, bids, won, strict=True)
    return ", ".join(f"{seat} bid {bid} took {tricks}" for seat, bid, tricks in parts)


def _totals(rules: Rules, totals: Totals) -> str:
    parts = zip(rules.shape.sides, totals.scores, totals.bags, strict=True)
    return ", ".join(f"{side.name} {score} points {bags} bags" for side, score, bags in parts)


def _by_suit(held: Cards) -> str:
    return "  ".join(f"{suit.letter} {_in_suit(held & SUIT_MASK[suit])}" for suit in reversed(Suit))


def _in_suit(held: Cards) -> str:
    """The ranks in a row, what a deck adds to its spades by its whole name."""
    cards = iterate(held)[::-1]
    added = [card_name(one) for one in cards if one >= HIGH_TWO_S]
    ranks = "".join(card_name(one)[0] for one in cards if one < HIGH_TWO_S)
    return " ".join([*added, ranks] if ranks else added) or "-"


# -------------------------------------------------------------------------------------------------- the playthroughs


def _dealt(bids: str, stream: int, totals: Totals, rules: Rules = CLASSIC) -> Iterator[str]:
    hand = deal_hand(rules, secret_of_seed(SEED), stream, 0, totals)
    return tell(hand, scripted(bids, Dice(stream)))


def _preset(name: str, stream: int) -> Iterator[str]:
    """A hand by the rules of a preset, bid by what is held."""
    rules = PRESETS[name]
    sides = len(rules.shape.sides)
    totals = Totals((150, 90, -40, 210)[:sides], (3, 0, 8, 5)[:sides])
    return tell(deal_hand(rules, secret_of_seed(SEED), stream, 0, totals), by_honours(Dice(stream)))


def _whole_suits(bids: str) -> Iterator[str]:
    """Clubs to N, diamonds to E, hearts to S, spades to W: N leads, and the spades take every trick unbroken or not."""
    suits = tuple(0x1FFF << 13 * suit for suit in range(4))
    return tell(start_hand(Deal(CLASSIC, 0, 3, suits, Totals((0, 0), (9, 9)))), scripted(bids, Dice(1)))


PLAYTHROUGHS: Mapping[str, Callable[[], Iterator[str]]] = {
    "numbers": lambda: _dealt("3 4 2 3", 1, Totals((211, 187), (4, 9))),
    "nil": lambda: _dealt("0 4 3 5", 2, Totals((-60, 340), (0, 2))),
    "double_nil": lambda: _dealt("4 DN 3 2", 3, Totals((470, 120), (8, 0))),
    "double_nil_on_both_sides": lambda: _dealt("DN 3 0 DN", 4, Totals((0, 0), (0, 0))),
    "four_double_nils": lambda: _dealt("DN DN DN DN", 5, Totals((0, 0), (0, 0))),
    "whole_suits": lambda: _whole_suits("0 1 0 12"),
    "two_player_double_nil": lambda: _dealt("DN 4", 8, Totals((90, 40), (1, 2)), PRESETS["two_player"]),
    **{f"preset_{name}": partial(_preset, name, stream) for stream, name in enumerate(PRESETS, start=20)},
    "game": lambda: tell_game(CLASSIC, SEED, 6),
}


def text_of(name: str) -> str:
    """The playthrough of this name as its file must be."""
    return "\n".join(PLAYTHROUGHS[name]()) + "\n"


def stored(name: str) -> str:
    """The file of this name, empty where there is none."""
    path = FOLDER / f"{name}.txt"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main(arguments: list[str]) -> int:
    """Write or compare; 1 when files differ and were not written."""
    differing = [name for name in PLAYTHROUGHS if text_of(name) != stored(name)]
    for name in differing:
        if arguments == ["--write"]:
            (FOLDER / f"{name}.txt").write_text(text_of(name), encoding="utf-8", newline="\n")
        sys.stdout.write(f"{'written' if arguments == ['--write'] else 'differs'}: {name}.txt\n")
    return int(bool(differing) and arguments != ["--write"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
