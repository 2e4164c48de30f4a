"""A record told as a person reads it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from spades_harness.game.cards import STANDARD, cards_of
from spades_harness.game.hand import deal_hand
from spades_harness.game.rules import Rules
from spades_harness.table.match import Answer, Decision, Gone, MatchRecord, Reply, Silent, Substitute
from spades_harness.table.story import show_hand, tell_match

from .scripted import a_spec, play

NAMES = ("ann", "bob", "cat", "dan")


def told(record: MatchRecord, *hands: int) -> list[str]:
    spec = a_spec()
    return list(tell_match(Rules(), NAMES, record, partial(deal_hand, spec.rules, spec.secret, spec.stream), hands))


def a_match(scripts: dict[str, dict[int, Reply]] | None = None, substitutes: int = 0) -> MatchRecord:
    spec = a_spec(faults=Substitute(substitutes)) if substitutes else a_spec()
    return play(spec, scripts)[0]


def test_a_hand_is_told_from_the_cards_to_the_score() -> None:
    lines = told(a_match(), 1)
    assert lines[0] == "Hand 1, dealt by W.  NS 0 (0 bags)  EW 0 (0 bags)"
    assert [line[:7] for line in lines[1:5]] == ["  N ann", "  E bob", "  S cat", "  W dan"]
    assert lines[5] == "  bids   N 1   E 1   S 1   W 1"
    tricks = [line for line in lines if "won by" in line]
    assert len(tricks) == 13
    assert all(line.count("♠") + line.count("♥") + line.count("♦") + line.count("♣") == 4 for line in tricks)
    scores = [line for line in lines if line.startswith(("  NS: bid 2, took", "  EW: bid 2, took"))]
    assert len(scores) == 2
    assert all("(R19)" in line or "(R20)" in line for line in scores)


def test_only_the_hands_that_are_asked_for_are_told_but_always_the_ending() -> None:
    lines = told(a_match(), 2, 4)
    assert [line.split(",")[0] for line in lines if line.startswith("Hand")] == ["Hand 2", "Hand 4"]
    assert lines[-1].startswith("End after 4 hands (boards).  NS ")


def test_an_exchange_tells_both_passes() -> None:
    lines = told(a_match({"N": {1: Answer("blind_nil", 0.01)}}), 1)
    assert [line.split(":")[0] for line in lines if "gives" in line] == ["  N gives S", "  S gives N"]
    assert any("blind nil" in line and "(R12)" in line for line in lines)


def test_a_forfeited_match_tells_the_hand_that_broke_off_with_its_cards_up_to_the_fault() -> None:
    lines = told(a_match({"E": {5: Gone("exited with code 1", 0.1)}}), 1)
    assert [line[:7] for line in lines[1:5]] == ["  N ann", "  E bob", "  S cat", "  W dan"]
    assert "  bids   N 1   E 1   S 1   W 1" in lines
    assert sum("won by" in line for line in lines) == 2
    assert "  FAULT of E (crash, hand 1, play): exited with code 1" in lines
    assert lines[-3:] == [
        "Hand 1 was not finished.",
        "",
        "Forfeited by EW. Score of the last full hand: NS 0  EW 0.",
    ]


def test_a_trick_that_broke_off_shows_the_cards_that_were_played_to_it() -> None:
    lines = told(a_match({"W": {3: Gone("exited with code 1", 0.1)}}))
    (trick,) = [line for line in lines if line.startswith("   1  ")]
    assert [part.split()[0] for part in trick.split("  ") if part.strip()][1:] == ["N", "E", "S"]
    assert "won by" not in trick


def test_a_match_that_broke_off_at_the_first_question_shows_its_cards_too() -> None:
    lines = told(a_match({"N": {1: Gone("exited with code 1", 0.1)}}))
    assert lines[0].startswith("Hand 1, dealt by W.")
    assert "♠" in lines[1]
    assert "Hand 1 was not finished." in lines


def test_a_fault_that_was_substituted_is_told_with_its_hand() -> None:
    lines = told(a_match({"E": {2: Silent(1.05)}}, substitutes=1), 1)
    assert any(line.startswith("  FAULT of E (timeout, hand 1, bid): no complete line") for line in lines)
    assert "  E: the substitute bids 1" in lines


def test_the_answer_that_was_no_action_is_quoted() -> None:
    lines = told(a_match({"N": {3: Answer("10S", 0.01)}}))
    assert any(line.endswith("; it answered 10S") for line in lines)


def test_notes_of_a_bot_are_told() -> None:
    lines = told(a_match({"N": {2: Answer(4, 0.01, note="long spades")}}), 1)
    assert "  N notes (bid): long spades" in lines


def test_a_void_match_says_for_whom_it_counts() -> None:
    assert told(MatchRecord("x", 1, None, (), (), (), (), void="the lane died")) == [
        "The match is void, and counts for nobody: the lane died"
    ]


def test_a_record_that_breaks_the_rules_is_refused() -> None:
    record = a_match()
    missing = replace(record, decisions=record.decisions[:-1])
    with pytest.raises(ValueError, match="hand 4: the record stops in the middle of the hand"):
        told(missing)
    twice = replace(record, decisions=(record.decisions[0], *record.decisions))
    with pytest.raises(ValueError, match="hand 1: a decision that nobody was asked for"):
        told(twice)
    first_card = next(i for i, d in enumerate(record.decisions) if d.kind == "play")
    decisions = list(record.decisions)
    decisions[first_card] = Decision(1, decisions[first_card].seat, "play", "??", 0.0)
    with pytest.raises(ValueError, match="no card is written"):
        told(replace(record, decisions=tuple(decisions)))


def test_a_hand_shows_its_voids() -> None:
    cards = cards_of(STANDARD.by_name[name] for name in ("AS", "TS", "2C"))
    assert show_hand(cards) == "♠ A T  ♥ –  ♦ –  ♣ 2"
