"""Rules for property tests: any that may be asked for, and every set that differs in what governs the play."""

from __future__ import annotations

from itertools import product
from typing import Any, Final

from hypothesis import strategies as st

from spades_harness.game.options import Choice, RulesError, Switch, Values, Whole
from spades_harness.game.rules import OPTIONS, Rules, make_rules

SMALL: Final = 20
"""Numbers are tried near the low end of their range, where they matter within a hand."""


def _values(values: Values) -> st.SearchStrategy[Any]:
    match values:
        case Switch():
            return st.booleans()
        case Choice(says):
            return st.sampled_from(sorted(says, key=str))
        case Whole(low, high, none=none):
            numbers: st.SearchStrategy[Any] = st.integers(low, min(high, low + SMALL))
            return st.none() | numbers if none else numbers


def _made(changes: dict[str, Any]) -> Rules | None:
    try:
        return make_rules("classic", **changes)
    except RulesError:
        return None


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Rules with up to six options changed that go together."""
    names = draw(st.lists(st.sampled_from(sorted(OPTIONS)), max_size=6, unique=True))
    made = _made({name: draw(_values(OPTIONS[name].values)) for name in names})
    return Rules() if made is None else made


def play_rules() -> list[Rules]:
    """One set of rules for each combination of decks, seats, and what may be led and thrown."""
    seats: list[dict[str, Any]] = [{}, {"cutthroat": True}, {"players": 2}]
    decks, leads = ("standard", "jokers", "jokers_deuces"), ("broken", "any", "not_first")
    return [
        make_rules("classic", **who, deck=deck, lead_spades=lead, first_trick_spades=throw)
        for who, deck, lead, throw in product(seats, decks, leads, (True, False))
    ]
