"""The key `rules` of a tournament file: how each option is written, and how what can't be is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spades_harness.game.options import Choice, Option, RulesError, Switch, Value, Whole, write_value
from spades_harness.game.rules import OPTIONS, PRESETS, Rules, make_rules
from spades_harness.tournament.file.effective import effective
from spades_harness.tournament.file.entries import Tournament
from spades_harness.tournament.file.reading import document
from spades_harness.tournament.file.rules_reading import read_rules
from spades_harness.tournament.file.yaml_nodes import FileError
from spades_harness.tournament.registry import Registry

from .test_config import BOTS, read

DRAWN = Rules(preset="strangers", partners="drawn")
REGISTRY = Registry(rules={**PRESETS, "strangers": DRAWN})


def rules(text: str) -> Rules:
    """What stands after `rules:` in a file that is called t.yaml."""
    root = document(f"rules: {text}\n".encode(), "t.yaml")
    at = root.child("rules")
    assert at
    return read_rules(at, REGISTRY)


def refusal(text: str) -> str:
    """The line that it is refused with."""
    with pytest.raises(FileError) as refused:
        rules(text)
    (line,) = str(refused.value).splitlines()
    return line


def some_values(option: Option) -> list[Value]:
    """Values at the ends of what an option may be."""
    match option.values:
        case Whole(low, high, none=none):
            return [low, high, *([None] if none else [])]
        case Choice(says):
            return list(says)
        case Switch():
            return [True, False]


VALUES = [(option.name, value) for option in OPTIONS.values() for value in some_values(option)]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_every_value_of_an_option_is_read_as_it_is_written_or_contradicts_another(name: str, value: Value) -> None:
    written = f"{{{name}: {write_value(value)}}}"
    wanted = by_themselves(name, value)
    if isinstance(wanted, str):
        assert refusal(written).endswith(f"rules.{name}: {wanted.removeprefix('rules: ')}")
    elif (name, value) == ("partners", "drawn"):
        assert "is not for a tournament" in refusal(written)
    else:
        assert rules(written) == wanted


def by_themselves(name: str, value: Value) -> Rules | str:
    """Classic rules with this value, or why there are none."""
    try:
        return make_rules("classic", **{name: value})
    except RulesError as error:
        return str(error)


@pytest.mark.parametrize("word", ["none", "null", "~"])
def test_an_option_that_may_be_none_is_switched_off_with_none(word: str) -> None:
    """V4: a game without a target."""
    assert rules(f"{{target: {word}, floor: -200}}") == Rules(target=None, floor=-200)


def test_a_word_that_yaml_elsewhere_takes_for_false_is_a_word_here() -> None:
    assert rules("{preset: suicide, suicide: off}") == rules('{preset: suicide, suicide: "off"}')
    assert rules("{preset: suicide, suicide: off}") == Rules(preset="suicide")


def test_options_are_read_in_the_context_of_all_others() -> None:
    """`zero: only` and `blind_nil: true` contradict each other, and `blind_nil: false` is given beside it."""
    assert rules("{zero: only, blind_nil: false}") == Rules(zero="only", blind_nil=False)
    assert rules("{blind_nil: false, zero: only}") == Rules(zero="only", blind_nil=False)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{players: 3}", "t.yaml:1:18: rules.players: must be 4 or 2, not 3"),
        ('{players: "2"}', 't.yaml:1:18: rules.players: must be 4 or 2, not "2"'),
        (
            "{suicide: one_nul}",
            "t.yaml:1:18: rules.suicide: must be off, one_nil or all_double_nil, not one_nul; did you mean 'one_nil'?",
        ),
        ("{suicide: false}", "t.yaml:1:18: rules.suicide: must be off, one_nil or all_double_nil, not false"),
        ("{deck: [jokers]}", "t.yaml:1:15: rules.deck: must be standard, jokers or jokers_deuces, not a list"),
        ("{cutthroat: 1}", "t.yaml:1:20: rules.cutthroat: must be true or false, not 1"),
        ("{nil_value: none}", "t.yaml:1:20: rules.nil_value: must be a whole number from 0 to 10000, not none"),
        ("{floor: 0}", "t.yaml:1:16: rules.floor: must be a whole number from -1000000 to -1, or none, not 0"),
        ('{target: "none"}', "t.yaml:1:17: rules.target: target none does not go with behind none: a game without"),
        ("{target: }", "t.yaml:1:17: rules.target: must be a whole number from 1 to 1000000, or none, not nothing"),
        ("{cut: true}", "t.yaml:1:9: rules.cut: unknown key"),
    ],
)
def test_a_value_that_an_option_cannot_have_is_told_at_its_place(text: str, line: str) -> None:
    assert refusal(text).startswith(line)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "{ten_for_200: true, nil_value: 50, blind_number: 6}",
            (
                "t.yaml:1:57: rules.blind_number: ten_for_200 true does not go with blind_number 6: "
                "a contract cannot count double and 200; change one of the two"
            ),
        ),
        (
            "{preset: cutthroat, exchange: 2}",
            (
                "t.yaml:1:38: rules.exchange: cutthroat true does not go with exchange 2: "
                "nobody has a partner; change one of the two"
            ),
        ),
        (
            "\n  preset: two_player\n  cutthroat: true\n",
            (
                "t.yaml:3:14: rules.cutthroat: players 2 does not go with cutthroat true: "
                "two players stand alone anyhow; change one of the two"
            ),
        ),
        (
            "{zero: only}",
            (
                "t.yaml:1:15: rules.zero: zero only does not go with blind_nil true: "
                "without Nil there is no Double Nil; change one of the two"
            ),
        ),
        (
            "{target: none}",
            (
                "t.yaml:1:17: rules.target: target none does not go with behind none: "
                "a game without a target must end by `behind` or `floor`; change one of the two"
            ),
        ),
    ],
)
def test_a_contradiction_names_both_options_at_the_place_of_the_last_of_them(text: str, line: str) -> None:
    assert refusal(text) == line


def test_a_value_out_of_range_is_told_before_what_it_contradicts() -> None:
    with pytest.raises(FileError) as refused:
        rules("{players: 5, cutthroat: maybe, target: none}")
    assert [problem.column for problem in refused.value.problems] == [18, 32]


@pytest.mark.parametrize(
    ("text", "place"),
    [("{partners: drawn}", "19: rules.partners"), ("strangers", "8: rules"), ("{preset: strangers}", "8: rules")],
)
def test_partners_are_not_drawn_in_a_tournament(text: str, place: str) -> None:
    """V1."""
    assert refusal(text) == (
        f"t.yaml:1:{place}: partners drawn is not for a tournament: partners are drawn only in a single match of four "
        "bots (spades match); a schedule says who plays with whom"
    )


CHANGES = st.lists(st.sampled_from(VALUES), max_size=5, unique_by=lambda change: change[0])


@given(CHANGES, st.sampled_from(list(PRESETS)))
def test_the_effective_file_repeats_the_rules_whatever_they_are(changes: list[tuple[str, Value]], preset: str) -> None:
    file = file_of(preset, changes)
    assert file is None or read(effective(file)).rules == file.rules


def file_of(preset: str, changes: list[tuple[str, Value]]) -> Tournament | None:
    """A file with these rules, None if they don't go together."""
    options = "".join(f", {name}: {write_value(value)}" for name, value in changes)
    try:
        return read(f"{BOTS}rules: {{preset: {preset}{options}}}\n")
    except FileError:
        return None
