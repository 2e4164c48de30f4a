"""Searcher: hidden hands as they may be, what they are worth, when it stops, and that it plays every game."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice
from math import prod
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots_support import UNTIMED, class_of
from game.rules_by_chance import any_rules
from searcher_belief import Belief, Sampler
from searcher_clock import Clock, Playouts, seconds, to_come
from searcher_contest import best_choice, is_ahead
from searcher_policy import choose
from searcher_promises import promises
from searcher_search import best_bid, best_card, distinct, model_bid
from searcher_sight import Sight, sight_of
from searcher_value import Value
from searcher_worlds import Dealer
from spades_bot import CannotPlay, Message
from spades_harness.game.bids import NIL, NUMBERS, Bid
from spades_harness.game.cards import STANDARD, Cards, card_name, cards_of, iterate
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.hand import Finished, Hand, Unfinished, deal_hand, no_points
from spades_harness.game.rules import PRESETS, Rules, make_rules
from spades_harness.game.score import Game
from spades_harness.game.substitute import substitute
from spades_harness.game.view import view
from spades_harness.table.local import LocalSeat
from spades_harness.table.match import Command, MatchRecord, MatchSpec, Player, Request, Scalar
from spades_harness.table.messages import as_object, request_message
from spades_harness.table.referee import play_match
from spades_harness.table.seats import run_unsuspended

Searcher = class_of("searcher")
searcher = sys.modules[Searcher.__module__]
N, E, S, W = range(4)
PLAIN = Rules(blind_nil=False)


def cards(names: str) -> Cards:
    """The set of the named cards."""
    return cards_of(STANDARD.by_name[name] for name in names.split())


def ask(hand: Unfinished) -> Message:
    """The request that the seat which is to act gets."""
    return Message(as_object(request_message(Request(view(hand), 1.0, 60.0), 1)))


def moments(rules: Rules, seed: int) -> Iterator[tuple[Unfinished, Message]]:
    """Every moment of a hand by chance with its request."""
    dice = Random(seed)
    hand: Hand = deal_hand(rules, dice.randbytes(32), 0, seed % 4, no_points(rules))
    while not isinstance(hand, Finished):
        assert not hand.over
        yield hand, ask(hand)
        hand = hand.apply(substitute(view(hand)) if hand.kind == "exchange" else dice.choice(hand.legal()))


# -------------------------------------------------------------------------------------------------------------- worlds


@given(rules=any_rules(), seed=st.integers(0, 2**32))
def test_the_real_hands_are_never_excluded_and_every_world_agrees_with_what_is_known(rules: Rules, seed: int) -> None:
    for hand, request in islice((each for each in moments(rules, seed) if each[0].kind in {"bid", "play"}), 0, None, 5):
        sight, seat = sight_of(rules, request), hand.seat
        world = Sampler(sight, Random(seed)).world()
        assert [each.bit_count() for each in world] == [each.bit_count() for each in hand.hands]
        assert world[seat] == hand.hands[seat] == sight.hand
        assert sum(world) == _union(world)
        assert not _union(world) & sight.state.played
        for real, dealt, excluded in zip(hand.hands, world, sight.excluded, strict=True):
            assert not real & excluded
            assert not dealt & excluded
        partner = rules.shape.partner(seat)
        if partner is not None:
            assert sight.given & ~sight.hand & ~sight.state.played & ~world[partner] == 0


def _union(hands: list[Cards]) -> Cards:
    union = 0
    for hand in hands:
        union |= hand
    return union


def sight_at_the_end(hand: str, hidden: str, excluded: dict[int, str]) -> Sight:
    """South's sight when each has as many cards as South, and the hidden cards are known but not where they are."""
    held, unknown = cards(hand), cards(hidden)
    others = cards_of(STANDARD.cards) & ~(held | unknown)
    rest = list(iterate(others))
    share = len(rest) // 4
    played = tuple(cards_of(rest[seat * share : (seat + 1) * share]) for seat in range(4))
    _, request = next(moments(PLAIN, 1))
    blank = sight_of(PLAIN, request)
    state = blank.state.copy()
    state.hands[:], state.played, state.seat = [0, 0, held, 0], others, S
    barred = tuple(cards(excluded.get(seat, "")) for seat in range(4))
    return blank._replace(seat=S, hand=held, bids=(NUMBERS[3],) * 4, state=state, played=played, excluded=barred)


def test_each_deal_that_agrees_is_as_likely_as_any_other() -> None:
    hidden = "2C 3C 2D 3D 2H 3H"
    sight = sight_at_the_end("AS KS", hidden, {N: "2C 3C", E: "2D 3D"})
    dealer, found = Dealer(sight, Random(3)), Counter[tuple[Cards, ...]]()
    for _ in range(12_000):
        found[tuple(dealer.world(dealer.deal()))] += 1
    every = list(iterate(cards(hidden)))
    possible = [
        (north, east)
        for north in map(cards_of, combinations(every, 2))
        for east in map(cards_of, combinations(every, 2))
        if not (north & east or north & cards("2C 3C") or east & cards("2D 3D"))
    ]
    assert {(world[N], world[E]) for world in found} == set(possible)
    mean = 12_000 / len(possible)
    # Each is a binomial count; five deviations in none of a few dozen.
    assert all(abs(number - mean) < 5 * mean**0.5 for number in found.values())


def test_bids_make_hands_that_ask_for_them_more_likely() -> None:
    _, request = next(moments(PLAIN, 1))
    sight = sight_of(PLAIN, request)
    bidder = (sight.seat + 1) % 4

    def spades_held(bid: Bid) -> int:
        bids = tuple(bid if seat == bidder else None for seat in range(4))
        sampler = Sampler(sight._replace(bids=bids), Random(1))
        return sum((sampler.world()[bidder] >> 39).bit_count() for _ in range(300))

    assert spades_held(NUMBERS[6]) > spades_held(NUMBERS[2]) + 150
    assert spades_held(NUMBERS[2]) > spades_held(NIL) + 50


def test_worlds_come_up_as_often_as_they_are_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six hidden cards, and a belief that North has each club three times as likely as a card of another suit."""
    sight = sight_at_the_end("AS KS", "2C 3C 2D 3D 2H 3H", {})

    def likelihood(self: Belief, seat: int, hand: Cards) -> int:
        clubs = (hand & cards("2C 3C")).bit_count()
        return 3**clubs if seat == N else 1

    monkeypatch.setattr(Belief, "likelihood", likelihood)
    sampler, found = Sampler(sight, Random(2)), Counter[int]()
    for _ in range(6000):
        found[(sampler.world()[N] & cards("2C 3C")).bit_count()] += 1
    # Of 15 pairs 6 have no club, 8 one, 1 two: 6, 24 and 9 parts of 39. The walk's errors are some 60 worlds.
    for clubs, parts in enumerate((6, 24, 9)):
        assert abs(found[clubs] - 6000 * parts / 39) < 250


def test_the_real_hands_of_players_like_the_model_are_likelier_than_others() -> None:
    ahead = 0
    for seed in range(12):
        hand, real = after_steady_tricks(seed, cards_played=24)
        sight = sight_of(PLAIN, ask(hand))
        belief, dealer, hidden = Belief(sight), Dealer(sight, Random(seed)), [s for s in range(4) if s != hand.seat]
        for _ in range(10):
            dealt = dealer.world(dealer.deal())
            ahead += likelihood_of(belief, real, hidden) > likelihood_of(belief, dealt, hidden)
    assert ahead > 110


def likelihood_of(belief: Belief, world: list[Cards], seats: list[int]) -> int:
    """Of some seats' hands together."""
    return prod(belief.likelihood(seat, world[seat]) for seat in seats)


def after_steady_tricks(seed: int, cards_played: int) -> tuple[Unfinished, list[Cards]]:
    """A hand that was bid and played by the model as far as that, and what everybody holds."""
    dice = Random(seed)
    hand: Hand = deal_hand(PLAIN, dice.randbytes(32), 0, 0, no_points(PLAIN))
    played = 0
    while played < cards_played:
        assert not hand.over
        sight = sight_of(PLAIN, ask(hand))
        if hand.kind == "bid":
            hand = hand.apply(model_bid(sight.model, hand.deal, hand.bids, hand.seat))
        else:
            bids = [bid for bid in sight.bids if bid is not None]
            hand = hand.apply(choose(sight.state, promises(PLAIN, bids)))
            played += 1
    assert not hand.over
    return hand, list(hand.hands)


# ------------------------------------------------------------------------------------------------------------- contest


class Series:
    """Worlds that are numbers, up to a limit; counts what was tried."""

    def __init__(self, values: list[list[int]], worlds: int) -> None:
        self.values, self.worlds, self.drawn, self.tried = values, worlds, -1, Counter[int]()

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        self.drawn += 1
        return self.drawn

    def value(self, world: int, place: int) -> int:
        """What a choice is worth in it: its row, over and over."""
        self.tried[place] += 1
        return self.values[place][world % len(self.values[place])]

    def best(self, favourite: int = 0) -> int:
        """The choice that wins."""
        places = list(range(len(self.values)))
        return best_choice(places, favourite, self, self.value, lambda _: self.drawn + 1 >= self.worlds)


def test_the_choice_of_the_highest_mean_wins() -> None:
    assert Series([[0, 1, 2], [5, 0, 4], [1, 1, 1]], 300).best() == 1


def test_the_favourite_stays_where_another_is_ahead_by_chance_only() -> None:
    values = [[0, 20, 0, 0], [10, -12, 3, 0]]  # 1 a world, with a spread of 16
    assert Series(values, 8).best(favourite=1) == 1
    assert Series([[1], [0]], 8).best(favourite=1) == 0


def test_without_time_the_favourite_is_taken() -> None:
    series = Series([[9], [0], [0]], 0)
    assert series.best(favourite=2) == 2
    assert not series.tried


def test_a_choice_that_is_clearly_behind_is_tried_no_more() -> None:
    series = Series([[10, 11], [12, 10], [0, 1]], 100)
    assert series.best() == 1
    assert series.tried[2] == 16
    assert series.tried[0] == series.tried[1] > 16


def test_a_single_choice_is_not_tried_at_all() -> None:
    series = Series([[3]], 100)
    assert series.best() == 0
    assert not series.tried


def test_nothing_is_ahead_of_itself() -> None:
    assert not is_ahead([3, 1, 2], [3, 1, 2], 1)


# ---------------------------------------------------------------------------------------------------------- what counts


def test_a_bag_counts_its_part_of_the_penalty_whenever_that_falls() -> None:
    bids = (NUMBERS[3], NUMBERS[2], NUMBERS[2], NUMBERS[2])
    for bags in range(10):
        value = Value(PLAIN, 0, [bags, 0])
        # A trick from a side that makes its contract all the same: a point more and a tenth of a hundred less for us,
        # for them the same the other way round; in tenths of a point.
        assert value.of(bids, [5, 2, 2, 4]) - value.of(bids, [4, 2, 2, 5]) == 2 * 10 * (1 - 10)


def test_without_bags_an_overtrick_counts_what_the_rules_say() -> None:
    value = Value(make_rules("classic", overtricks="minus_1"), 0, [0, 0])
    bids = (NUMBERS[3], NUMBERS[2], NUMBERS[2], NUMBERS[2])
    assert value.of(bids, [5, 2, 2, 4]) - value.of(bids, [4, 2, 2, 5]) == 2 * 10 * -1


def test_alone_against_three_their_mean_counts() -> None:
    value = Value(PRESETS["cutthroat"], 0, [0, 0, 0, 0])
    bids = (NUMBERS[5], NUMBERS[2], NUMBERS[3], NUMBERS[3])
    # 50 against 20, 30, 30, times the three opponents and the ten bags of a penalty.
    assert value.of(bids, [5, 2, 3, 3]) == 10 * (3 * 50 - 80)


def test_of_cards_that_touch_only_one_is_tried_and_the_favourite_rather_than_another() -> None:
    names = "AS KS 9S 8S 6S 5H"
    others = cards("TS 7S 6H")
    found = distinct(cards(names), STANDARD.by_name["AS"], others)
    assert [card_name(card) for card in found] == ["5H", "6S", "8S", "AS"]


def test_a_spade_that_lies_above_a_heart_does_not_touch_it() -> None:
    found = distinct(cards("AH 2S"), STANDARD.by_name["AH"], cards("KH"))
    assert [card_name(card) for card in found] == ["AH", "2S"]


# ----------------------------------------------------------------------------------------------------------- the limits


def test_so_many_playouts_and_not_one_more() -> None:
    limit = Playouts(10)
    assert [limit.enough(4), limit.enough(4), limit.enough(2), limit.enough(1)] == [False, False, False, True]


def test_the_clock_says_when_its_moment_has_come() -> None:
    moment = SimpleNamespace(now=5.0)
    clock = Clock(2, lambda: moment.now)
    assert not clock.enough(1)
    moment.now = 7.0
    assert clock.enough(1)


def bank_after(boards: int | None, hands: int, move: float, bank: float) -> float:
    """What is left of it after so many hands, no answer of which took more than its share of the time for it."""
    left = bank
    for hand_no in range(1, hands + 1):
        for tricks in (0, *range(13)):
            limit = min(move, left)
            thought = max(seconds(limit, left, bank, to_come(boards, hand_no, tricks)), 0)
            assert thought < 0.7 * limit
            left -= thought
    return left


@pytest.mark.parametrize("bank", [10.0, 60.0, 600.0])
@pytest.mark.parametrize("move", [0.05, 1.0, 30.0])
@pytest.mark.parametrize("boards", [None, 1000, 4])
def test_the_bank_lasts_for_the_longest_match(boards: int | None, move: float, bank: float) -> None:
    assert bank_after(boards, boards or 1000, move, bank) > 0.1 * bank


@pytest.mark.parametrize(("boards", "hands"), [(None, 12), (8, 8), (64, 64)])
def test_most_of_a_tight_bank_is_used(boards: int | None, hands: int) -> None:
    assert bank_after(boards, hands, 1.0, 20.0) < 0.5 * 20


# -------------------------------------------------------------------------------------------------------------- the bot


def play(rules: Rules, playouts: int = 8, stream: int = 0) -> MatchRecord:
    """One hand of searchers in this process."""
    seats = range(len(rules.shape.seats))
    players = tuple(Player("searcher", Command(("none",), "/"), (("playouts", playouts),)) for _ in seats)
    capped = replace(rules, hand_cap=1)
    spec = MatchSpec("match", 1, capped, Game(), secret_of_seed("searcher"), stream, 0, players, UNTIMED)
    return run_unsuspended(play_match(spec, [LocalSeat(Searcher) for _ in seats]))


@pytest.mark.parametrize("name", PRESETS)
def test_it_plays_every_preset_without_a_fault(name: str) -> None:
    for stream in range(2):
        record = play(PRESETS[name], stream=stream)
        assert record.result
        assert not record.faults


@given(rules=any_rules(), stream=st.integers(0, 1000))
def test_it_plays_any_rules_without_a_fault(rules: Rules, stream: int) -> None:
    record = play(rules, playouts=3, stream=stream)
    assert record.result
    assert not record.faults


def test_a_fixed_number_of_playouts_decides_the_same_every_time() -> None:
    assert play(Rules()).hands == play(Rules()).hands


def test_each_request_is_all_that_it_needs() -> None:
    """A bot that is made anew for each request answers as one that has seen the whole match."""
    old = started({"playouts": 30})
    for hand, request in moments(PRESETS["classic"], 5):
        del hand
        kind = request.type
        assert getattr(at(old, request), kind)(request) == getattr(at(started({"playouts": 30}), request), kind)(
            request
        )


def started(params: Mapping[str, Scalar], rules: Rules = PRESETS["classic"]) -> Any:
    """A searcher that has been told the rules."""
    bot = Searcher()
    options = {name: getattr(rules, name) for name in rules.__dataclass_fields__}
    bot.rules, bot.params, bot.limits = options, params, {"start": 10.0, "move": 1.0, "bank": 60.0}
    bot._seed = "0" * 64
    bot.start()
    return bot


def at(bot: Any, request: Message) -> Any:
    """The bot with its dice of this moment."""
    bot._moment, bot._random = f"{request.type}/{request.hand_no}/{len(request.tricks)}", None
    return bot


@pytest.mark.parametrize("playouts", [-1, 2.5, "many", True])
def test_a_number_of_playouts_that_is_none_is_refused(playouts: Any) -> None:
    with pytest.raises(CannotPlay, match="playouts is a whole number"):
        started({"playouts": playouts})


def test_it_thinks_until_its_clock_says_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[float]()

    def clock(limit: float) -> Playouts:
        asked.append(limit)
        return Playouts(20)

    monkeypatch.setattr(searcher, "Clock", clock)
    bot = started({})
    request = next(request for hand, request in moments(PLAIN, 5) if hand.kind == "play" and len(request.legal) > 1)
    assert at(bot, request).play(request) in request.legal
    assert asked == [seconds(1.0, 60.0, 60.0, to_come(None, request.hand_no, len(request.tricks)))]


def until(playouts: int) -> Any:
    """The end of so many playouts."""
    return Playouts(playouts).enough


def test_without_time_the_policy_answers_and_no_hidden_hand_is_dealt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Dealer, "__init__", None)
    hand, request = next(each for each in moments(PLAIN, 5) if each[0].kind == "play" and len(each[1].legal) > 1)
    policy = choose(sight_of(PLAIN, request).state, promises(PLAIN, [bid for bid in hand.bids if bid is not None]))
    assert best_card(sight_of(PLAIN, request), Random(1), until(0)) == policy


def test_it_takes_the_trick_that_its_contract_needs() -> None:
    """The last two tricks: South needs one, and only the ace now is sure to take it."""
    sight = sight_at_the_end("AH 2C", "3H 4H 5S 6S 3C 4C", {})
    state = sight.state.copy()
    state.won[:] = [3, 3, 2, 3]
    found = best_card(sight._replace(state=state), Random(1), until(400))
    assert card_name(found) == "AH"


def test_a_hand_that_no_trick_should_find_is_a_nil_and_a_strong_one_is_none() -> None:
    _, request = next(moments(PLAIN, 1))
    sight = sight_of(PLAIN, request)._replace(bids=(None,) * 4)
    legal = (NIL, *NUMBERS[1:])
    low = cards("9C 6C 4C 2C 8D 5D 3D TH 7H 4H 3H 3S 2S")
    high = cards("AC KC 3C AD 5D 4D KH QH 3H AS KS 9S 2S")
    assert best_bid(sight._replace(hand=low), legal, Random(1), until(400)) == NIL
    assert 4 <= best_bid(sight._replace(hand=high), legal, Random(1), until(400)).tricks <= 7
