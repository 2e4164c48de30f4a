"""A record told as a person reads it."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import pytest

from spades_harness.game.cards import STANDARD, card_names, cards_of, show_card
from spades_harness.game.hand import deal_hand
from spades_harness.game.rules import PRESETS, Rules, make_rules
from spades_harness.game.score import Game
from spades_harness.table.match import Answer, Circumstances, Decision, Gone, MatchRecord, Reply, Silent, Substitute
from spades_harness.table.story import hands_told, show_hand, tell_match

from .scripted import a_spec, play

NAMES = ("ann", "bob", "cat", "dan")
CLASSIC = Rules()


def told(record: MatchRecord, *hands: int, rules: Rules = CLASSIC) -> list[str]:
    spec = a_spec(rules=rules)
    return list(tell_match(rules, NAMES, record, partial(deal_hand, spec.rules, spec.secret, spec.stream), hands))


def a_match(
    scripts: dict[str, dict[int, Reply]] | None = None, substitutes: int = 0, rules: Rules = CLASSIC
) -> MatchRecord:
    spec = a_spec(faults=Substitute(substitutes), rules=rules) if substitutes else a_spec(rules=rules)
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


def test_the_hands_that_can_be_told_are_those_that_were_finished_and_the_one_that_broke_off() -> None:
    assert hands_told(a_match()) == [1, 2, 3, 4]
    assert hands_told(a_match({"E": {5: Gone("exited with code 1", 0.1)}})) == [1]
    assert hands_told(MatchRecord("x", 1, None, (), (), (), (), void="the lane died")) == []


def test_one_of_anything_is_told_in_the_singular() -> None:
    """With a penalty for every second bag each side carries one or none."""
    ended = "\n".join(told(play(a_spec(game=Game(), rules=Rules(hand_cap=1)))[0]))
    assert "End after 1 hand (hand cap)." in ended
    rules = Rules(bag_limit=2)
    lines = "\n".join(told(a_match(rules=rules), rules=rules))
    assert "(1 bag)" in lines
    assert "points, 1 bag\n" in lines
    assert not re.search(r"\b1 (hand|bag|point|trick)s\b", ended + lines)


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


# ---------------------------------------------------------------------------------------------------------- other rules

DUEL = PRESETS["two_player"]
SAYS_SO = Answer("blind_nil", 0.01)


def low_cards(dealt: MatchRecord, seat: int) -> tuple[str, ...]:
    """Two cards that this seat holds when the bids are made in the first hand."""
    return card_names(dealt.hands[0].dealt[seat])[:2]


def test_what_two_players_put_aside_is_one_line_each_and_what_they_hold_is_what_they_drew() -> None:
    lines = told(a_match(rules=DUEL), 1, rules=DUEL)
    assert lines[0] == "Hand 1, dealt by S.  N 0 (0 bags)  S 0 (0 bags)"
    assert [line[:7] for line in lines[1:3]] == ["  N ann", "  S bob"]
    assert all(len(re.findall(r"[2-9TJQKA](?= |$)", line[7:])) == 13 for line in lines[1:3])
    aside = [line for line in lines if "puts aside" in line]
    assert [line.split(":")[0] for line in aside] == ["  N puts aside", "  S puts aside"]
    assert all(len(line.split(":")[1].split()) == 13 for line in aside)
    assert sum("won by" in line for line in lines) == 13
    assert [line[:5] for line in lines if " points, " in line] == ["  N: ", "  S: "]


def test_what_a_double_nil_of_two_players_throws_away_is_told_with_what_came_for_it() -> None:
    before = a_match({"N": {1: SAYS_SO}}, rules=DUEL)
    cards = low_cards(before, 0)
    record = a_match({"N": {1: SAYS_SO, 15: Answer(cards, 0.01)}}, rules=DUEL)
    lines = told(record, 1, rules=DUEL)
    (thrown,) = [line for line in lines if "throws away" in line]
    (got,) = [line for line in lines if "gets for that" in line]
    shown = sorted(show_card(DUEL.cards.by_name[name]) for name in cards)
    assert sorted(thrown.removeprefix("  N throws away: ").split()) == shown
    assert len(got.removeprefix("  N gets for that: ").split()) == 2
    lines = told(before, 1, rules=DUEL)
    assert "  N throws away: nothing" in lines
    assert not any("gets for that" in line for line in lines)


def test_a_hand_that_broke_off_while_cards_were_drawn_shows_what_was_held() -> None:
    lines = told(a_match({"N": {5: Gone("exited with code 1", 0.1)}}, rules=DUEL), rules=DUEL)
    assert [len(re.findall(r"[2-9TJQKA](?= |$)", line[7:])) for line in lines[1:3]] == [3, 4]
    assert "Hand 1 was not finished." in lines


def test_the_draw_that_a_substitute_made_is_told() -> None:
    lines = told(a_match({"S": {2: Answer("hold", 0.01)}}, substitutes=1, rules=DUEL), 1, rules=DUEL)
    assert "  S: the substitute keeps the card" in lines


def test_four_who_play_for_themselves_have_a_line_of_points_each() -> None:
    rules = PRESETS["cutthroat"]
    lines = told(a_match(rules=rules), 1, rules=rules)
    assert lines[0].endswith("N 0 (0 bags)  E 0 (0 bags)  S 0 (0 bags)  W 0 (0 bags)")
    assert [line[:5] for line in lines if " points, " in line] == ["  N: ", "  E: ", "  S: ", "  W: "]


def test_jokers_and_high_deuces_can_be_told_apart() -> None:
    deck = PRESETS["jokers_deuces"].cards
    cards = cards_of(deck.by_name[name] for name in ("AS", "BJ", "2S", "2D", "LJ", "3D"))
    assert show_hand(cards) == "♠ BJ LJ 2♦ 2♠ A  ♥ –  ♦ 3  ♣ –"


def test_bids_in_words_are_told_in_words() -> None:
    """V6, V9."""
    rules = make_rules(zero="bonus", blind_number=6)
    lines = told(
        a_match({"N": {1: Answer("blind6", 0.01)}, "E": {2: Answer("zero", 0.01)}}, rules=rules), 1, rules=rules
    )
    assert lines[5].startswith("  bids   N blind 6   E zero   S ")
    assert any("6 of it bid blind, which count double" in line and "(V9)" in line for line in lines)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.preset)
def test_a_match_by_any_rules_is_told_to_its_end(rules: Rules) -> None:
    lines = told(a_match(rules=rules), rules=rules)
    assert [line.split(",")[0] for line in lines if line.startswith("Hand")] == ["Hand 1", "Hand 2", "Hand 3", "Hand 4"]
    assert lines[-1].startswith("End after 4 hands (boards).  ")


def test_a_hand_shows_its_voids() -> None:
    cards = cards_of(STANDARD.by_name[name] for name in ("AS", "TS", "2C"))
    assert show_hand(cards) == "♠ A T  ♥ –  ♦ –  ♣ 2"


@pytest.mark.parametrize(
    ("circumstances", "words"),
    [
        (Circumstances(), "(output not flushed?)"),
        (Circumstances(0.25), "; suspect: the harness itself looked 0.25 s late"),
        (Circumstances(0, 3, 0.125, 0.5), "; suspect: the bot stood in line for a processor for 0.50 s"),
        (Circumstances(0, 3, 0.125, 0.125), "(output not flushed?)"),
        (Circumstances(0, 3, 0.125), "; suspect: 3.0 processes wanted each processor, and the bot got 0.12 s of one"),
    ],
)
def test_a_fault_that_the_machine_may_explain_is_shown_as_suspect(circumstances: Circumstances, words: str) -> None:
    record, _, _ = play(a_spec(), {"E": {2: Silent(1.0, circumstances=circumstances)}})
    assert [line for line in told(record) if "FAULT of E" in line and line.endswith(words)]
