"""Conversations of the referee with a scripted table: who is asked what, when, and what becomes of the answers."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.notation import write_action
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Boards, Ending, Game
from spades_harness.table.bounds import Limits
from spades_harness.table.match import (
    Answer,
    Decision,
    Fault,
    FaultKind,
    Garbled,
    Gone,
    HandRecord,
    Replace,
    Reply,
    Request,
    Silent,
    Started,
    Substitute,
)
from spades_harness.table.referee import play_match
from spades_harness.table.seats import run_unsuspended

from .scripted import ScriptedSeat, a_spec, play

LATE = Silent(1.05)
DEAD = Gone("exited with code 1", 0.2)
BAD = Garbled(FaultKind.MALFORMED, "not a JSON object", "[]", 0.1)


def test_a_hand_is_opened_with_everyone_seated_and_each_seat_is_asked_in_turn() -> None:
    _, heard, _ = play(a_spec())
    assert heard[:20] == [
        "N start: Started",
        "E start: Started",
        "S start: Started",
        "W start: Started",
        "N hears hand 1 begin",
        "E hears hand 1 begin",
        "S hears hand 1 begin",
        "W hears hand 1 begin",
        "N blind: look",
        "N bid: 1",
        "E blind: look",
        "E bid: 1",
        "S blind: look",
        "S bid: 1",
        "W blind: look",
        "W bid: 1",
        *heard[16:20],
    ]
    assert [line.split()[:2] for line in heard[16:20]] == [
        ["N", "play:"],
        ["E", "play:"],
        ["S", "play:"],
        ["W", "play:"],
    ]


def test_the_match_ends_with_the_last_hand_told_and_then_nothing_more() -> None:
    record, heard, _ = play(a_spec(game=Boards(4)))
    assert heard[-8:] == [
        *(f"{seat} hears hand 4 end" for seat in "NESW"),
        *(f"{seat} hears the match end: boards" for seat in "NESW"),
    ]
    assert record.result is not None
    assert (record.result.ending, record.result.hands, record.result.forfeits) == (Ending.BOARDS, 4, ())


def test_the_dealer_moves_on_and_the_seat_to_his_left_is_asked_first() -> None:
    """LS-16: every hand, not only the first."""
    record, heard, _ = play(a_spec(game=Boards(8), stream=0))
    assert [hand.dealer for hand in record.hands] == [0, 1, 2, 3, 0, 1, 2, 3]
    first = [heard[i + 1][0] for i, line in enumerate(heard) if line.startswith("W hears hand") and "begin" in line]
    assert first == list("ESWNESWN")


def test_a_seat_that_does_not_answer_blind_is_not_asked_and_not_charged() -> None:
    record, heard, _ = play(a_spec(), starts={"E": Started(0.01, answers=frozenset())})
    assert not [line for line in heard if line.startswith("E blind")]
    unasked = [d for d in record.decisions if d.substituted]
    assert {(d.seat, d.kind, d.written) for d in unasked} == {(1, "blind", None)}
    assert record.faults == ()


def test_a_double_nil_is_followed_by_an_exchange_with_the_partner() -> None:
    _, heard, _ = play(a_spec(), {"N": {1: Answer("blind_nil", 0.01)}})
    exchange = [line.split(":")[0] for line in heard if "exchange" in line]
    assert exchange == ["N exchange", "S exchange"]


def test_partners_who_do_not_answer_exchange_give_their_lowest_cards() -> None:
    blind_only = Started(0.01, answers=frozenset({"blind"}))
    record, heard, _ = play(a_spec(), {"N": {1: Answer("blind_nil", 0.01)}}, {"N": blind_only, "S": blind_only})
    assert not [line for line in heard if "exchange" in line]
    assert [d.seat for d in record.decisions if d.kind == "exchange"] == [0, 2]
    assert record.faults == ()


DUEL = PRESETS["two_player"]


def test_two_players_draw_in_turns_the_dealer_first_and_the_other_bids_and_leads() -> None:
    """V20: the blind question comes before one's first draw; N deals."""
    _, heard, _ = play(a_spec(rules=DUEL, stream=0))
    said = [line.split(":")[0] for line in heard]
    assert said[:8] == [
        "N start",
        "S start",
        "N hears hand 1 begin",
        "S hears hand 1 begin",
        "N blind",
        "N draw",
        "S blind",
        "S draw",
    ]
    assert said[8:32] == ["N draw", "S draw"] * 12
    assert said[32:35] == ["S bid", "N bid", "S play"]
    assert sum(line.endswith("draw") for line in said) == 4 * 26


def test_a_seat_that_does_not_answer_draw_keeps_every_card_and_is_not_asked() -> None:
    record, heard, _ = play(a_spec(rules=DUEL, stream=0), starts={"N": Started(0.01, answers=frozenset({"blind"}))})
    assert not [line for line in heard if line.startswith("N draw")]
    assert {(d.seat, d.written) for d in record.decisions if d.kind == "draw" and d.substituted} == {(0, "keep")}
    assert record.faults == ()


def test_who_bids_double_nil_against_one_other_may_replace_cards_and_is_asked_alone() -> None:
    _, heard, seats = play(a_spec(rules=DUEL, stream=0), {"N": {1: Answer("blind_nil", 0.01)}})
    first = [line.split(":")[0] for line in heard if "exchange" in line or "play" in line][:2]
    assert first == ["N exchange", "S play"]
    exchange = next(request.view for request in seats["N"].requests if request.view.kind == "exchange")
    assert exchange.give == (0, 3)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("hold", "a draw is answered with 'keep' or 'discard', not 'hold'"),
        ("KEEP", "a draw is answered with 'keep' or 'discard', not 'KEEP'"),
    ],
)
def test_a_draw_that_is_neither_kept_nor_discarded_is_illegal(written: str, words: str) -> None:
    record, _, _ = play(a_spec(rules=DUEL, stream=0), {"S": {2: Answer(written, 0.01)}})
    (fault,) = record.faults
    assert (fault.kind, fault.seat, fault.asked, fault.what) == (FaultKind.ILLEGAL, 1, "draw", words)
    assert record.result is not None
    assert record.result.forfeits == (1,)


def test_a_forfeit_at_a_table_of_lone_players_is_the_one_player_s() -> None:
    record, _, _ = play(a_spec(rules=PRESETS["cutthroat"]), {"S": {2: DEAD}})
    assert record.result is not None
    assert record.result.forfeits == (2,)


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (LATE, FaultKind.TIMEOUT, "no complete line received within 1 s (output not flushed?)"),
        (Silent(1.05, partial='{"id"'), FaultKind.TIMEOUT, "begun but not ended"),
        (Silent(1.0, outdated=2), FaultKind.TIMEOUT, "no answer within 1 s, only to earlier requests"),
        (Answer(None, 1.06), FaultKind.TIMEOUT, "the answer came after 1.060 s, the limit was 1 s"),
        (DEAD, FaultKind.CRASH, "exited with code 1"),
        (BAD, FaultKind.MALFORMED, "not a JSON object"),
        (Garbled(FaultKind.PROTOCOL, "id 9 was never asked", "{}", 0.1), FaultKind.PROTOCOL, "never asked"),
        (Answer(3, 0.01), FaultKind.ILLEGAL, "3 may not be bid: the cards have not been looked at; the choices"),
        (Answer("blindnil", 0.01), FaultKind.ILLEGAL, "no bid is written 'blindnil'"),
    ],
)
def test_each_kind_of_fault_forfeits_with_its_reason_in_words(reply: Reply, kind: FaultKind, words: str) -> None:
    record, heard, _ = play(a_spec(), {"E": {1: reply}})
    (fault,) = record.faults
    assert (fault.kind, fault.seat, fault.hand_no, fault.asked) == (kind, 1, 1, "blind")
    assert words in fault.what
    assert record.result is not None
    assert (record.result.forfeits, record.result.ending) == ((1,), None)
    assert heard[-1].endswith("the match end: forfeit")


def test_a_fault_keeps_the_request_and_the_last_words_of_its_bot() -> None:
    record, _, _ = play(a_spec(), {"S": {2: LATE}})
    (fault,) = record.faults
    assert (fault.request, record.bots[fault.seat].stderr, fault.decision) == ("request 2", "last words of S", 5)


def test_last_words_are_kept_once_a_seat_and_only_where_there_was_a_fault() -> None:
    words = "x" * 20_000
    record, _, _ = play(a_spec(faults=Substitute(100)), {"E": dict.fromkeys(range(2, 50), BAD)}, stderr=words)
    assert len(record.faults) == 48
    assert [bot.stderr for bot in record.bots] == ["", words, "", ""]
    assert repr(record).count(words) == 1


def test_an_answer_within_the_grace_is_in_time() -> None:
    record, _, _ = play(a_spec(), {"E": {1: Answer(None, 1.049)}})
    assert record.faults == ()


def test_an_illegal_card_is_answered_with_the_rule_that_it_breaks() -> None:
    record, _, _ = play(a_spec(), {"N": {3: Answer("10S", 0.01)}})
    (fault,) = record.faults
    assert (fault.kind, fault.asked, fault.answer) == (FaultKind.ILLEGAL, "play", "10S")
    assert "a card is rank then suit" in fault.what


def test_a_forfeit_in_a_later_hand_keeps_the_totals_of_the_last_full_hand() -> None:
    """LS-17: no points are made up for the side that gains, and the partner of the culprit is not charged."""
    undisturbed, _, seats = play(a_spec(game=Boards(8)))
    fourth_hand = next(
        i for i, r in enumerate(seats["N"].requests, 1) if r.view.number == 3 and len(r.view.tricks) == 9
    )
    record, _, _ = play(a_spec(game=Boards(8)), {"N": {fourth_hand: DEAD}})
    assert record.result is not None
    assert (record.result.forfeits, record.result.hands) == ((0,), 3)
    assert record.result.totals.scores == tuple(side.score for side in undisturbed.hands[2].sides)
    assert [(f.seat, f.kind, f.hand_no) for f in record.faults] == [(0, FaultKind.CRASH, 4)]


def test_the_substitute_stands_in_for_so_many_faults_and_the_next_one_forfeits() -> None:
    policy = Substitute(2)
    two, _, _ = play(a_spec(faults=policy), {"E": {2: LATE, 3: BAD}})
    assert two.result is not None
    assert two.result.forfeits == ()
    assert next((d.kind, d.written) for d in two.decisions if d.substituted) == ("bid", 1)
    three, _, _ = play(a_spec(faults=policy), {"E": {2: LATE, 3: BAD, 4: LATE}})
    assert three.result is not None
    assert three.result.forfeits == (1,)
    assert len(three.faults) == 3


def test_a_replaced_seat_is_charged_once_and_the_match_is_played_out() -> None:
    record, _, seats = play(a_spec(faults=Replace()), {"E": {2: LATE}, "N": {5: DEAD}})
    assert record.result is not None
    assert record.result.ending
    assert record.result.forfeits == ()
    assert [(fault.seat, fault.kind) for fault in record.faults] == [(1, FaultKind.TIMEOUT), (0, FaultKind.CRASH)]
    assert (seats["E"].asked, seats["N"].asked) == (2, 5)


def test_a_fault_policy_that_the_referee_does_not_know_is_never_taken_for_a_forfeit() -> None:
    with pytest.raises(AssertionError, match="resign"):
        play(replace(a_spec(), faults="resign"), {"E": {2: LATE}})  # type: ignore[arg-type]


def test_a_dead_bot_is_charged_once_and_never_asked_again() -> None:
    record, heard, seats = play(a_spec(faults=Substitute(1)), {"E": {2: DEAD}})
    assert record.result is not None
    assert record.result.forfeits == ()
    assert len(record.faults) == 1
    assert seats["E"].asked == 2
    assert not [line for line in heard if line.startswith("E hears hand 1 end")]


def test_faults_are_counted_for_each_seat_by_itself() -> None:
    record, _, _ = play(a_spec(faults=Substitute(1)), {"E": {2: LATE}, "W": {2: LATE}})
    assert record.result is not None
    assert record.result.forfeits == ()


def test_a_seat_that_does_not_come_up_forfeits_when_all_had_their_chance() -> None:
    record, heard, _ = play(a_spec(), starts={"N": DEAD})
    assert heard[:4] == ["N start: Gone", "E start: Started", "S start: Started", "W start: Started"]
    assert [(f.kind, f.seat, f.asked, f.hand_no) for f in record.faults] == [(FaultKind.START, 0, "start", 0)]
    assert record.result is not None
    assert (record.result.forfeits, record.result.hands, record.hands) == ((0,), 0, ())


def test_when_both_sides_fail_to_start_both_forfeit() -> None:
    record, _, _ = play(a_spec(), starts={"N": DEAD, "W": LATE})
    assert record.result is not None
    assert record.result.forfeits == (0, 1)


def test_under_a_substitute_policy_a_seat_that_never_started_is_played_by_the_substitute() -> None:
    record, _, seats = play(a_spec(faults=Substitute(1)), starts={"N": DEAD})
    assert record.result is not None
    assert (record.result.forfeits, seats["N"].asked, len(record.faults)) == ((), 0, 1)


def test_a_seat_that_is_ready_too_late_has_not_started() -> None:
    record, _, _ = play(a_spec(limits=Limits(start=2.0)), starts={"S": Started(2.06, answers=frozenset())})
    assert [(f.kind, f.what) for f in record.faults] == [
        (FaultKind.START, "ready only after 2.060 s, the start limit is 2 s")
    ]


def test_the_bank_shrinks_by_each_answer_and_caps_the_time_that_is_told() -> None:
    _, _, seats = play(a_spec(limits=Limits(move=1.0, bank=1.5)), {"N": {1: Answer(None, 0.8)}})
    told = [(r.time_left, r.bank_left) for r in seats["N"].requests[:2]]
    assert told[0] == (1.0, 1.5)
    assert told[1] == pytest.approx((0.7, 0.7))


def test_a_used_up_bank_is_a_timeout_without_another_question() -> None:
    """TM-13: no zero or negative time is ever sent."""
    record, _, seats = play(a_spec(limits=Limits(move=1.0, bank=0.5)), {"N": {1: Answer(None, 0.52)}})
    (fault,) = record.faults
    assert (fault.kind, seats["N"].asked) == (FaultKind.TIMEOUT, 1)
    assert "the bank of 0.5 s for the whole match is used up" in fault.what
    assert fault.request == ""  # nothing was asked, and the request before was answered
    assert all(r.time_left > 0 for r in seats["N"].requests)


def test_the_listener_hears_what_the_record_holds_in_its_order() -> None:
    heard: list[Decision | Fault | HandRecord] = []
    table = [ScriptedSeat(letter, []) for letter in "NESW"]
    record = run_unsuspended(play_match(a_spec(), table, heard.append))
    assert [e for e in heard if isinstance(e, Decision)] == list(record.decisions)
    assert [e for e in heard if isinstance(e, HandRecord)] == list(record.hands)


def test_a_game_goes_to_its_target_or_to_the_hand_cap() -> None:
    capped, _, _ = play(a_spec(game=Game(), rules=Rules(hand_cap=3)))
    assert capped.result is not None
    assert (capped.result.ending, capped.result.hands) == (Ending.HAND_CAP, 3)
    won, _, _ = play(a_spec(game=Game(), rules=Rules(target=20)))
    assert won.result is not None
    assert won.result.ending is Ending.TARGET
    assert max(won.result.totals.scores) >= 20


def test_each_seat_has_dice_of_its_own_and_a_tag_that_all_share() -> None:
    starts = []

    class Listening(ScriptedSeat):
        async def start(self, start):  # type: ignore[no-untyped-def]
            starts.append(start)
            return await super().start(start)

    run_unsuspended(play_match(a_spec(), [Listening(letter, []) for letter in "NESW"]))
    assert len({start.random_seed for start in starts}) == 4
    assert len({start.match for start in starts}) == 1
    assert [start.seat for start in starts] == [0, 1, 2, 3]


class Dicing(ScriptedSeat):
    """Chooses among the legal actions by the dice that it was given."""

    async def start(self, start):  # type: ignore[no-untyped-def]
        self.dice = random.Random(start.random_seed)
        return await super().start(start)

    async def ask(self, request: Request) -> Reply:
        if request.view.kind == "exchange":
            return await super().ask(request)
        return Answer(write_action(request.view.kind, self.dice.choice(request.view.legal)), 0.001)


@given(stream=st.integers(0, 2**40))
def test_any_table_of_legal_choices_plays_to_the_end_without_a_fault(stream: int) -> None:
    table = [Dicing(letter, []) for letter in "NESW"]
    record = run_unsuspended(play_match(a_spec(stream=stream), table))
    assert record.faults == ()
    assert record.result is not None
    assert record.result.hands == 4
    assert all(sum(hand.won) == 13 for hand in record.hands)
    assert Counter(d.kind for d in record.decisions)["play"] == 4 * 52
    assert pickle.loads(pickle.dumps(record)) == record
