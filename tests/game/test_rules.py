"""The rules as a value: what they are by default, what may be changed, and what a person is told who mistypes."""

import dataclasses
import pickle
from typing import Any

import pytest

from game.build import CLASSIC, E, N, S, W
from spades_harness.game.cards import JOKERS, JOKERS_DEUCES, STANDARD, Deck
from spades_harness.game.options import Choice, Contradiction, RulesError, Whole
from spades_harness.game.rules import OPTIONS, PRESETS, Rules, find_rules, make_rules
from spades_harness.game.shape import Shape, Side


def changed(name: str, value: object) -> Rules:
    """`classic` with one option changed."""
    return make_rules("classic", PRESETS, **{name: value})


def test_classic_is_the_base_rules_of_the_text() -> None:
    """R2, R9, R12, R17 … R23, V17, LS-18: every option has the value that the text names first."""
    assert {name: getattr(CLASSIC, name) for name in OPTIONS} == {
        "players": 4,
        "cutthroat": False,
        "partners": "fixed",
        "deck": "standard",
        "bidding": "free",
        "minimum_bid": 0,
        "minimum_scope": "player",
        "zero": "nil",
        "nil_value": 100,
        "failed_nil": "bags",
        "blind_nil": True,
        "blind_nil_value": 200,
        "blind_deficit": 0,
        "exchange": 3,
        "nil_exchange": False,
        "suicide": "off",
        "blind_number": None,
        "ten_for_200": False,
        "overtricks": "bags",
        "bag_limit": 10,
        "bag_penalty": 100,
        "lead_spades": "broken",
        "first_trick_spades": True,
        "target": 500,
        "tie": "again",
        "behind": None,
        "floor": None,
        "hand_cap": 100,
    }
    assert Rules() == CLASSIC


def test_partners_sit_opposite_and_seats_go_clockwise() -> None:
    """R1."""
    shape = CLASSIC.shape
    assert shape.seats == ("N", "E", "S", "W")
    assert shape.sides == (Side("NS", (N, S)), Side("EW", (E, W)))
    assert [shape.partner(seat) for seat in (N, E, S, W)] == [S, W, N, E]
    assert [shape.side_of[seat] for seat in (N, E, S, W)] == [0, 1, 0, 1]


def test_a_player_who_stands_alone_has_no_partner() -> None:
    """Sides come from the shape: two of one are as good as two of two."""
    duel = Shape(("N", "S"), (Side("N", (0,)), Side("S", (1,))), (0, 1))
    assert [duel.partner(seat) for seat in (0, 1)] == [None, None]


def test_each_for_himself_sides_are_single_seats() -> None:
    """V18."""
    shape = PRESETS["cutthroat"].shape
    assert shape == Shape(
        ("N", "E", "S", "W"), tuple(Side(name, (seat,)) for seat, name in enumerate("NESW")), (*range(4),)
    )
    assert [shape.partner(seat) for seat in (N, E, S, W)] == [None] * 4


def test_two_players_sit_north_and_south_as_two_sides() -> None:
    """R24, V20."""
    shape = PRESETS["two_player"].shape
    assert shape == Shape(("N", "S"), (Side("N", (0,)), Side("S", (1,))), (0, 1))


@pytest.mark.parametrize(
    ("word", "deck"), [("standard", STANDARD), ("jokers", JOKERS), ("jokers_deuces", JOKERS_DEUCES)]
)
def test_the_rules_name_their_deck_and_hold_it(word: str, deck: Deck) -> None:
    """R2, V16."""
    rules = make_rules(deck=word)
    assert (rules.deck, rules.cards) == (word, deck)


WHOLES = {name: option.values for name, option in OPTIONS.items() if isinstance(option.values, Whole)}
CHOICES = {name: option.values for name, option in OPTIONS.items() if isinstance(option.values, Choice)}


@pytest.mark.parametrize("name", WHOLES)
def test_a_number_of_the_rules_lies_in_its_range(name: str) -> None:
    option, (low, high, _, _, none) = OPTIONS[name], WHOLES[name]
    option.check(low)
    option.check(high)
    for wrong in (low - 1, high + 1, float(low), str(low), True, *(() if none else (None,))):
        with pytest.raises(RulesError, match=f"rules: {name} must be a whole number from {low} to {high}.*, not"):
            changed(name, wrong)


@pytest.mark.parametrize("name", [name for name, whole in WHOLES.items() if whole.none])
def test_a_number_that_may_be_absent_says_so(name: str) -> None:
    OPTIONS[name].check(None)
    with pytest.raises(RulesError, match=", or none, not 'never'"):
        changed(name, "never")


@pytest.mark.parametrize("name", CHOICES)
def test_a_word_of_the_rules_is_one_of_its_words(name: str) -> None:
    for word in CHOICES[name].says:
        OPTIONS[name].check(word)
    for wrong in ("", "other", True, None, 4.0, [4]):
        with pytest.raises(RulesError, match=f"rules: {name} must be .* or .*, not "):
            changed(name, wrong)


@pytest.mark.parametrize("target", [0, -5])
def test_a_target_of_nothing_is_refused(target: int) -> None:
    """LS-18."""
    with pytest.raises(RulesError, match=f"target must be a whole number from 1 to 1000000, or none, not {target}$"):
        make_rules(target=target)


@pytest.mark.parametrize("wrong", [0, 1, "yes", None])
def test_yes_or_no_is_true_or_false(wrong: Any) -> None:
    with pytest.raises(RulesError, match="rules: blind_nil must be true or false, not"):
        make_rules(blind_nil=wrong)


def test_a_preset_is_found_by_its_name() -> None:
    assert find_rules("classic") == CLASSIC
    assert make_rules("short", bag_limit=5) == Rules(preset="short", target=200, bag_limit=5)
    assert all(rules.preset == name for name, rules in PRESETS.items())


PRESET_CHANGES: dict[str, dict[str, Any]] = {
    "classic": {},
    "short": {"target": 200},
    "encyclopedia": {"lead_spades": "any", "zero": "only", "blind_nil": False},
    "suicide": {"suicide": "one_nil"},
    "suicide_all": {"suicide": "all_double_nil"},
    "whiz": {"bidding": "whiz"},
    "mirror": {"bidding": "mirror"},
    "jokers": {"deck": "jokers"},
    "jokers_deuces": {"deck": "jokers_deuces"},
    "cutthroat": {"cutthroat": True},
    "two_player": {"players": 2},
}


def test_the_presets_are_those_of_the_rules_text() -> None:
    """And differ from `classic` in what their names say, and in nothing else."""
    changed_in = {
        name: {
            option: getattr(rules, option) for option in OPTIONS if getattr(rules, option) != getattr(CLASSIC, option)
        }
        for name, rules in PRESETS.items()
    }
    assert changed_in == PRESET_CHANGES


def test_a_contradiction_names_both_options_with_their_values_and_says_why() -> None:
    with pytest.raises(Contradiction) as refused:
        make_rules(ten_for_200=True, blind_number=6)
    said = (
        "rules: ten_for_200 true does not go with blind_number 6: a contract cannot count double and 200; "
        "change one of the two"
    )
    assert (str(refused.value), refused.value.options) == (said, ("ten_for_200", "blind_number"))


def test_a_contradiction_travels_from_a_worker_whole() -> None:
    refused = Contradiction("a", "b", "a does not go with b")
    again = pickle.loads(pickle.dumps(refused))
    assert (str(again), again.options) == (str(refused), refused.options)


@pytest.mark.parametrize(
    "changes",
    [
        {"cutthroat": True, "exchange": 0},
        {"zero": "only", "blind_nil": False, "exchange": 0},
        {"blind_nil": False, "exchange": 0},
        {"suicide": "all_double_nil", "exchange": 0},
    ],
)
def test_to_switch_off_what_has_no_use_anyhow_is_no_contradiction(changes: dict[str, Any]) -> None:
    assert make_rules(**changes).exchange == 0


def test_a_preset_of_a_plugin_is_found_among_those_that_are_known() -> None:
    known = {**PRESETS, "house": Rules(preset="house", target=300)}
    assert make_rules("house", known, exchange=2) == Rules(preset="house", target=300, exchange=2)


@pytest.mark.parametrize(
    ("preset", "changes", "message"),
    [
        ("clasic", {}, "rules: no preset 'clasic'; did you mean 'classic'?"),
        ("bridge", {}, "rules: no preset 'bridge'; there are: classic, cutthroat, encyclopedia, jokers"),
        ("CLASSIC", {}, "rules: no preset 'CLASSIC'; did you mean 'classic'?"),
        ("classic", {"taget": 3}, "rules: no option 'taget'; did you mean 'target'?"),
        ("classic", {"TARGET": 3}, "rules: no option 'TARGET'; did you mean 'target'?"),
        (
            "classic",
            {"wxyz": 3},
            "rules: no option 'wxyz'; there are: bag_limit, bag_penalty, behind, bidding, blind_deficit",
        ),
        ("classic", {"preset": "short"}, "rules: no option 'preset'; there are: bag_limit"),
        ("classic", {"known": {}}, "rules: no option 'known'; there are: bag_limit"),
    ],
)
def test_a_misspelt_word_is_told_the_nearest_or_all(preset: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError) as refused:
        make_rules(preset, **changes)
    assert str(refused.value).startswith(message)


def test_rules_never_change_and_travel_to_a_worker_whole() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        CLASSIC.target = 1  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(CLASSIC)) == CLASSIC
    assert hash(Rules()) == hash(CLASSIC)
