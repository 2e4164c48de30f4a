"""The rules as a value: what they are by default, what may be changed, and what a person is told who mistypes."""

import dataclasses
import pickle
from typing import Any

import pytest

from game.build import CLASSIC, E, N, S, W
from spades_harness.game.cards import STANDARD
from spades_harness.game.rules import PRESETS, RANGES, Rules, RulesError, Shape, Side, find_rules, make_rules


def changed(name: str, value: object) -> Rules:
    """`classic` with one option changed."""
    return make_rules("classic", PRESETS, **{name: value})


def test_classic_has_the_numbers_of_the_rules_text() -> None:
    """R9, R12, R22, R23, V17, LS-18."""
    numbers = {name: getattr(CLASSIC, name) for name in RANGES}
    assert numbers == {
        "target": 500,
        "nil_value": 100,
        "blind_nil_value": 200,
        "exchange": 3,
        "bag_limit": 10,
        "bag_penalty": 100,
        "hand_cap": 100,
    }
    assert CLASSIC.blind_nil is True
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


def test_classic_is_played_with_the_standard_deck() -> None:
    """R2."""
    assert CLASSIC.deck == STANDARD


@pytest.mark.parametrize("name", sorted(RANGES))
def test_a_number_of_the_rules_lies_in_its_range(name: str) -> None:
    low, high = RANGES[name]
    assert getattr(changed(name, low), name) == low
    assert getattr(changed(name, high), name) == high
    for wrong in (low - 1, high + 1, float(low), str(low), True, None):
        with pytest.raises(RulesError, match=f"rules: {name} must be a whole number from {low} to {high}, not"):
            changed(name, wrong)


@pytest.mark.parametrize("target", [0, -5])
def test_a_target_of_nothing_is_refused(target: int) -> None:
    """LS-18."""
    with pytest.raises(RulesError, match=f"target must be a whole number from 1 to 1000000, not {target}$"):
        make_rules(target=target)


@pytest.mark.parametrize("wrong", [0, 1, "yes", None])
def test_yes_or_no_is_true_or_false(wrong: Any) -> None:
    with pytest.raises(RulesError, match="rules: blind_nil must be true or false, not"):
        make_rules(blind_nil=wrong)


def test_a_preset_is_found_by_its_name() -> None:
    assert find_rules("classic") == CLASSIC
    assert make_rules("short", bag_limit=5) == Rules(preset="short", target=200, bag_limit=5)
    assert all(rules.preset == name for name, rules in PRESETS.items())


def test_a_preset_of_a_plugin_is_found_among_those_that_are_known() -> None:
    known = {**PRESETS, "house": Rules(preset="house", target=300)}
    assert make_rules("house", known, exchange=2) == Rules(preset="house", target=300, exchange=2)


@pytest.mark.parametrize(
    ("preset", "changes", "message"),
    [
        ("clasic", {}, "rules: no preset 'clasic'; did you mean 'classic'?"),
        ("bridge", {}, "rules: no preset 'bridge'; there are: classic, short"),
        ("classic", {"taget": 3}, "rules: no option 'taget'; did you mean 'target'?"),
        (
            "classic",
            {"wind": 3},
            "rules: no option 'wind'; there are: bag_limit, bag_penalty, blind_nil, blind_nil_value",
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
