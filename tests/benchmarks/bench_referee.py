"""What fair play costs in this process, against a bare loop over the same deals, in turns. Target: at most four times.

The bare loop is `while not hand.over: hand = hand.apply(choice(hand.legal()))`, on hands that were dealt beforehand.
The referee deals them itself, shows each seat its view, judges each answer, logs each decision, scores, and returns the
whole record; on its seats sits what picks a legal action from the view. Both choose by dice of one kind.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import median

import spades_bot
from benchmarks.paired import Work, in_turns, profile, say, seconds, spread
from spades_harness.game.bids import Action
from spades_harness.game.cards import cards_of, iterate
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Hand, deal_hand, no_points
from spades_harness.game.notation import write_action
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Boards
from spades_harness.game.view import View
from spades_harness.table.local import LocalSeat
from spades_harness.table.match import (
    Answer,
    BotReport,
    MatchRecord,
    MatchSpec,
    MatchStart,
    Notice,
    Player,
    Plugin,
    Request,
    Started,
)
from spades_harness.table.referee import OPTIONAL, play_match
from spades_harness.table.seats import Seat, Table, run_unsuspended

SECRET = secret_of_seed(1)
HANDS = 60
"""Hands in a match: a block of some 50 ms."""
CLASSIC = PRESETS["classic"]
GAMES = {"classic": CLASSIC, "classic without Double Nil": replace(CLASSIC, blind_nil=False)}
"""In `classic` chance exchanges cards in most hands, and the bare loop lists all 286 triples then; the second game has
no such request, and is the harder measure."""


class Chancer:
    """A seat that does nothing but pick one of the legal actions."""

    def __init__(self, dice: Random) -> None:
        self.dice = dice

    async def start(self, start: MatchStart) -> Started:
        return Started(0.0, answers=frozenset(OPTIONAL))

    async def ask(self, request: Request) -> Answer:
        view = request.view
        return Answer(write_action(view.kind, self.choice(view)), 0.0)

    def choice(self, view: View) -> Action:
        """Any legal action; of an exchange, any set of so many cards."""
        if view.kind == "exchange":
            return cards_of(self.dice.sample(iterate(view.hand or 0), view.give[1]))
        return self.dice.choice(view.legal)

    async def tell(self, notice: Notice) -> None:
        """Nothing is told to dice."""

    def sent(self) -> str:
        return ""

    def answered(self) -> bytes:
        return b""

    def report(self) -> BotReport:
        return BotReport()


class ChanceBot(spades_bot.Bot):
    """The same as a bot of the SDK, which hears whole messages."""

    dice = Random(4)

    def blind(self, request: spades_bot.Message) -> str | None:
        bid: str | None = self.dice.choice(request.legal)
        return bid

    def bid(self, request: spades_bot.Message) -> int | str:
        bid: int | str = self.dice.choice(request.legal)
        return bid

    def exchange(self, request: spades_bot.Message) -> list[str]:
        return self.dice.sample(request.hand, request.min)

    def play(self, request: spades_bot.Message) -> str:
        card: str = self.dice.choice(request.legal)
        return card


def spec_of(rules: Rules) -> MatchSpec:
    """A match of so many hands."""
    players = tuple(Player(seat, Plugin("chance", in_process=True)) for seat in rules.shape.seats)
    return MatchSpec("bench", 1, rules, Boards(HANDS), SECRET, 0, 0, players)


def refereed(rules: Rules, table: Table) -> MatchRecord:
    """One match by the referee, without an event loop."""
    return run_unsuspended(play_match(spec_of(rules), table))


def by_chance(rules: Rules) -> Work:
    """A match of seats that pick by chance."""
    dice = Random(2)
    table: list[Seat] = [Chancer(dice) for _ in rules.shape.seats]
    return lambda: refereed(rules, table)


def by_messages(rules: Rules) -> Work:
    """A match of SDK bots in this process."""
    return lambda: refereed(rules, [LocalSeat(ChanceBot) for _ in rules.shape.seats])


def bare(rules: Rules) -> Work:
    """The loop that is compared with."""
    hands = [deal_hand(rules, SECRET, 0, number, no_points(rules)) for number in range(HANDS)]
    choice = Random(3).choice

    def play() -> None:
        for dealt in hands:
            hand: Hand = dealt
            while not hand.over:
                hand = hand.apply(choice(hand.legal()))

    return play


def decisions_a_match(rules: Rules) -> int:
    """So many choices in a match by chance."""
    return len(refereed(rules, [Chancer(Random(2)) for _ in rules.shape.seats]).decisions)


def test_the_referee_against_a_bare_loop() -> None:
    say("")
    for name, rules in GAMES.items():
        pairs = list(in_turns(by_chance(rules), bare(rules)))
        decision = 1e6 * median(pair.ours for pair in pairs) / decisions_a_match(rules)
        ratios = spread([pair.ours / pair.theirs for pair in pairs])
        say(f"referee, {name:<34} {decision:>6.1f} µs a decision: ratio {ratios}, target at most 4")


def test_what_a_bot_in_this_process_costs() -> None:
    for name, rules in GAMES.items():
        play, times = by_messages(rules), decisions_a_match(rules)
        micro = 1e6 * median(seconds(play) for _ in range(7)) / times
        say(f"LocalSeat, whole messages, {name:<34} {micro:>6.1f} µs a decision")


def test_where_the_time_of_the_referee_goes() -> None:
    say(profile(by_chance(GAMES["classic without Double Nil"])))
