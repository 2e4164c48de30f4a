"""Rules for property tests: any that may be asked for, and every set that differs in what governs the play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any, Final

from hypothesis import strategies as st

from spades_harness.game.options import Choice, RulesError, Switch, Values, Whole
from spades_harness.game.rules import OPTIONS, PRESETS, Rules, make_rules

SMALL: Final = 20
"""Numbers are tried near the low end of their range, where they matter within a hand."""


COMPANIONS: Final[Mapping[tuple[str, Any], Mapping[str, Any]]] = {
    ("zero", "only"): {"blind_nil": False},
    ("target", None): {"behind": 500, "floor": -200},
    ("minimum_scope", "side"): {"minimum_bid": 4},
}
"""Values that go with nothing unless another option has changed from its default too, and to what."""


def _values(values: Values) -> st.SearchStrategy[Any]:
    match values:
        case Switch():
            return st.booleans()
        case Choice(says):
            return st.sampled_from(sorted(says, key=str))
        case Whole(low, high, none=none):
            numbers: st.SearchStrategy[Any] = st.integers(low, min(high, low + SMALL))
            return st.none() | numbers if none else numbers


def with_option(rules: Rules, name: str, value: Any) -> Rules:
    """The rules with one option changed, and whatever must change with it; as they were where that is refused."""
    for changes in ({name: value}, {name: value, **COMPANIONS.get((name, value), {})}):
        try:
            return replace(rules, **changes)
        except RulesError:
            continue
    return rules


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Rules with any number of options changed that go together, built up one option after another from a preset."""
    rules = draw(st.sampled_from(list(PRESETS.values())))
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=10, unique=True))
    for name in names:
        rules = with_option(rules, name, draw(_values(OPTIONS[name].values)))
    return rules


def play_rules() -> list[Rules]:
    """One set of rules for each combination of decks, seats, and what may be led and thrown."""
    seats: list[dict[str, Any]] = [{}, {"cutthroat": True}, {"players": 2}]
    decks, leads = ("standard", "jokers", "jokers_deuces"), ("broken", "any", "not_first")
    return [
        make_rules("classic", **who, deck=deck, lead_spades=lead, first_trick_spades=throw)
        for who, deck, lead, throw in product(seats, decks, leads, (True, False))
    ]
