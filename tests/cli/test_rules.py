"""`spades rules`: the presets, each with what it is; every option of one of them; the rules of plugins."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from spades_harness.cli.rules import as_lines, as_tree, fixed_by
from spades_harness.game.options import write_value
from spades_harness.game.rules import CLASHES, OPTIONS, PRESETS, Rules

from .calling import ask

PLUGIN = """
from spades_harness import hookimpl
from spades_harness.game.rules import Rules

@hookimpl
def spades_register_rules():
    return {"home": Rules(target=300, bag_limit=5)}
"""


@pytest.fixture
def plugin(tmp_path: Path) -> str:
    """A plugin with rules of its own."""
    path = tmp_path / "home.py"
    path.write_text(PLUGIN, encoding="utf-8")
    return str(path)


def test_every_preset_is_one_line_that_says_what_it_is(plugin: str) -> None:
    done = ask("rules", "--plugin", plugin)
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert list(lines) == [*PRESETS, "home"]
    assert lines["classic"] == "the base rules: two partnerships, to 500 points"
    assert lines["short"] == "the first side to 200 points wins (target 200)"
    assert lines["home"] == "5 bags cost a penalty (bag_limit 5); the first side to 300 points wins (target 300)"
    assert len(set(lines.values())) == len(lines)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_shows_every_option_with_value_rule_and_meaning(preset: str) -> None:
    lines, rules = list(as_lines(PRESETS[preset])), PRESETS[preset]
    rows = [re.split(r"\s{2,}", line[2:].strip(), maxsplit=3) for line in lines[2 : 2 + len(OPTIONS)]]
    for (name, value, number, meaning), option in zip(rows, OPTIONS.values(), strict=True):
        own = getattr(rules, option.name)
        assert (name, value, number) == (option.name, write_value(own), option.rule)
        fixed = "" if own != option.default else fixed_by(rules, option)
        assert meaning == option.meaning(own) + (f" ({fixed})" if fixed else "")


@pytest.mark.parametrize("preset", PRESETS)
def test_what_differs_from_classic_is_marked_and_listed(preset: str) -> None:
    lines = list(as_lines(PRESETS[preset]))
    marked = [line.split()[1] for line in lines if line.startswith("* ") and "differs" not in line]
    differing = [name for name, option in OPTIONS.items() if getattr(PRESETS[preset], name) != option.default]
    assert marked == differing == as_tree(PRESETS[preset])["differs"]
    assert all(f"{name} {write_value(getattr(PRESETS[preset], name))}" in lines[-1] for name in differing)
    assert ("nothing differs" in lines[-1]) == (preset == "classic")


def test_an_option_that_has_no_say_beside_the_others_is_marked_as_fixed_and_says_why() -> None:
    assert fixed_by(PRESETS["cutthroat"], OPTIONS["exchange"]) == "cutthroat true: nobody has a partner"
    assert fixed_by(PRESETS["encyclopedia"], OPTIONS["exchange"]) == "zero only: there is no Nil"
    assert fixed_by(PRESETS["encyclopedia"], OPTIONS["nil_value"]) == "zero only: there is no Nil"
    assert fixed_by(PRESETS["encyclopedia"], OPTIONS["bidding"]) == "zero only"
    assert not any(fixed_by(PRESETS["classic"], OPTIONS[name]) for name in ("target", "behind", "floor", "zero"))
    assert not fixed_by(PRESETS["classic"], OPTIONS["exchange"])
    lines = list(as_lines(PRESETS["cutthroat"]))
    assert any(
        line.startswith("- exchange ") and line.endswith(" (cutthroat true: nobody has a partner)") for line in lines
    )
    assert any(line.startswith("  nil_value ") and "(" not in line for line in lines)


def test_a_reason_is_found_by_the_two_options_that_contradict_each_other() -> None:
    """So no two rows may be of the same two."""
    assert len({(clash.first, clash.second) for clash in CLASHES}) == len(CLASHES)


def test_machines_get_the_same(plugin: str) -> None:
    listed = json.loads(ask("rules", "--json", "--plugin", plugin).stdout)
    assert [each["preset"] for each in listed] == [*PRESETS, "home"]
    assert all(set(each) == {"preset", "what"} for each in listed)
    found = json.loads(ask("rules", "home", "--json", "--plugin", plugin).stdout)
    assert found["differs"] == ["bag_limit", "target"]
    assert {each["option"]: each["value"] for each in found["options"]} == {
        name: getattr(Rules(target=300, bag_limit=5), name) for name in OPTIONS
    }
    assert found["options"][0] == {
        "option": "players",
        "rule": "V20",
        "value": 4,
        "meaning": "four players",
        "classic": 4,
    }


def test_a_preset_is_shown_as_it_becomes_when_options_of_it_are_changed(plugin: str) -> None:
    done = ask("rules", "home", "--set", "target=none", "--set", "floor=-200", "--plugin", plugin)
    changed = Rules(preset="home", bag_limit=5, target=None, floor=-200)
    assert done.stdout.splitlines() == list(as_lines(changed, ("target=none", "floor=-200")))
    assert done.stdout.startswith("home with target=none, floor=-200: 5 bags cost a penalty (bag_limit 5); no target (")
    alone = ask("rules", "--set", "target=200", "--json")
    assert json.loads(alone.stdout) == as_tree(Rules(target=200))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["whiz", "--set", "suicide=one_nil"], "--set: "),
        (["whiz", "--set", "tarqet=3"], "--set: no option 'tarqet'; did you mean 'target'?"),
        (["CLASSIC"], "rules: no preset 'CLASSIC'; did you mean 'classic'?"),
        (["--set", "target"], "--set: 'target' changes nothing; write option=value"),
    ],
)
def test_a_change_that_cannot_be_is_one_line(words: list[str], said: str) -> None:
    done = ask("rules", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"spades: {said}")


def test_a_name_that_is_nearly_one_is_told_the_one() -> None:
    done = ask("rules", "cuthroat")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "spades: rules: no preset 'cuthroat'; did you mean 'cutthroat'?\n"
