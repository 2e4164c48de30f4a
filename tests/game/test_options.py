"""What an option may be: read from text, checked, and told in words."""

import pytest

from spades_harness.game.options import Choice, Option, RulesError, Switch, Value, Whole, read_whole, write_value
from spades_harness.game.rules import OPTIONS

NUMBER = Option("steps", "V0", Whole(2, 9, "{} steps", "no steps", none=True), 3)
COUNT = Option("cards", "V0", Whole(0, 4, "{} cards", "no cards"), 0)
PLAIN = Option("limit", "V0", Whole(0, 4, "up to {}"), 0)
WORD = Option("way", "V0", Choice({"left": "to the left", "right": "to the right", 4: "all four"}), "left")
SWITCH = Option("open", "V0", Switch("it is open", "it is shut"), False)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (NUMBER, "2", 2),
        (NUMBER, "none", None),
        (COUNT, "0", 0),
        (WORD, "left", "left"),
        (WORD, "4", 4),
        (SWITCH, "true", True),
        (SWITCH, "false", False),
        (OPTIONS["floor"], "-200", -200),
    ],
)
def test_a_value_is_read_as_it_is_written(option: Option, text: str, value: Value) -> None:
    assert option.read(text) == value
    assert type(option.read(text)) is type(value)
    assert write_value(value) == text


def test_none_may_be_written_as_yaml_and_json_have_it() -> None:
    assert NUMBER.read("null") is None


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        (NUMBER, "1", "rules: steps must be a whole number from 2 to 9, or none, not 1"),
        (NUMBER, "two", "rules: steps must be a whole number from 2 to 9, or none, not 'two'"),
        (NUMBER, "2.0", "rules: steps must be a whole number from 2 to 9, or none, not '2.0'"),
        (COUNT, "none", "rules: cards must be a whole number from 0 to 4, not none"),
        (COUNT, "null", "rules: cards must be a whole number from 0 to 4, not null"),
        (COUNT, "true", "rules: cards must be a whole number from 0 to 4, not true"),
        (WORD, "false", "rules: way must be left, right or 4, not false"),
        (NUMBER, "0010", "rules: steps must be a whole number from 2 to 9, or none, not 0010"),
        (WORD, "up", "rules: way must be left, right or 4, not 'up'"),
        (WORD, "", "rules: way must be left, right or 4, not ''"),
        (SWITCH, "1", "rules: open must be true or false, not 1"),
        (SWITCH, "yes", "rules: open must be true or false, not 'yes'"),
        (NUMBER, "--3", "rules: steps must be a whole number from 2 to 9, or none, not '--3'"),
        (NUMBER, "٣", "rules: steps must be a whole number from 2 to 9, or none, not '٣'"),
        (NUMBER, "³", "rules: steps must be a whole number from 2 to 9, or none, not '³'"),
        (NUMBER, "3" * 10, "rules: steps must be a whole number from 2 to 9, or none, not '3333333333'"),
    ],
)
def test_what_is_no_value_is_refused_with_what_may_be(option: Option, text: str, message: str) -> None:
    with pytest.raises(RulesError) as refused:
        option.read(text)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("-42", -42), ("+3", 3), ("007", 7), ("9" * 9, 10**9 - 1), ("9" * 10, None), ("", None), ("-", None)]
    + [(text, None) for text in ("1.0", "1e3", "1_000", " 1", "1\n", "٣", "³", "+-1", "nil")],
)
def test_a_whole_number_is_read_from_few_plain_digits_and_from_nothing_else(text: str, number: int | None) -> None:
    assert read_whole(text) == number


@pytest.mark.parametrize(
    ("option", "value", "meaning"),
    [
        (NUMBER, 5, "5 steps"),
        (NUMBER, None, "no steps"),
        (COUNT, 0, "no cards"),
        (PLAIN, 0, "up to 0"),
        (WORD, "right", "to the right"),
        (WORD, 4, "all four"),
        (SWITCH, True, "it is open"),
        (SWITCH, False, "it is shut"),
    ],
)
def test_a_value_has_a_meaning_in_words(option: Option, value: Value, meaning: str) -> None:
    assert option.meaning(value) == meaning


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_of_the_rules_has_its_rule_and_tells_what_its_default_means(name: str) -> None:
    option = OPTIONS[name]
    option.check(option.default)
    assert option.rule in {f"V{number}" for number in range(1, 21)}
    assert option.read(write_value(option.default)) == option.default
    assert "{" not in option.meaning(option.default)


def test_each_rule_of_the_text_that_is_an_option_has_its_options() -> None:
    """V1 to V20."""
    assert {option.rule for option in OPTIONS.values()} == {f"V{number}" for number in range(1, 21)}
