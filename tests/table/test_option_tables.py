"""The tables in the docs are made from the options, and say what the options do."""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from shutil import copy

import pytest

from spades_harness.bundled import bundled
from spades_harness.game.options import Choice, Option, RulesError, Value, write_value
from spades_harness.game.rules import CLASHES, OPTIONS, PRESETS, Clash, make_rules
from spades_harness.table import option_tables
from spades_harness.table.option_tables import (
    clashes_table,
    contradictions,
    keys_table,
    main,
    options_table,
    outdated,
    presets_table,
    some_values,
)


def rows(table: str) -> list[list[str]]:
    """The cells of a table, its head left out."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def named(table: str) -> list[str]:
    """What its first column names."""
    return [cells[0].strip("`") for cells in rows(table) if cells[0]]


def test_the_pages_are_what_the_options_say(capsys: pytest.CaptureFixture[str]) -> None:
    """`python -m spades_harness.table.option_tables` writes them anew."""
    assert outdated(bundled("protocol")) == []
    assert main(["--check"]) == 0
    assert capsys.readouterr().err == ""


def test_a_page_that_is_outdated_is_found_and_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for page in ("RULES.md", "PROTOCOL.md"):
        copy(bundled("protocol") / page, tmp_path)
    monkeypatch.setattr(option_tables, "bundled", lambda _: tmp_path)
    before = (tmp_path / "RULES.md").read_text(encoding="utf-8")
    (tmp_path / "RULES.md").write_text(before.replace("no jokers", "many jokers"), encoding="utf-8")
    assert main(["--check"]) == 1
    assert "RULES.md outdated: run python -m" in capsys.readouterr().err
    assert main([]) == 0
    assert (tmp_path / "RULES.md").read_text(encoding="utf-8") == before


def test_a_page_without_its_marker_is_not_written_over(tmp_path: Path) -> None:
    for page in ("RULES.md", "PROTOCOL.md"):
        (tmp_path / page).write_text("nothing\n", encoding="utf-8")
    with pytest.raises(LookupError, match=r"RULES\.md: <!-- presets"):
        outdated(tmp_path)


def test_every_option_and_every_preset_has_its_row() -> None:
    assert named(options_table()) == named(keys_table()) == list(OPTIONS)
    assert named(presets_table()) == list(PRESETS)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=lambda option: option.name)
def test_the_default_of_an_option_is_set_in_bold_and_every_word_has_its_meaning(
    option: Option,
) -> None:
    table = options_table()
    start = table.index(f"| `{option.name}` |")
    lines = re.split(r"\n(?=\| `)", table[start:])[0].splitlines()
    bold = [found for line in lines for found in re.findall(r"\*\*`([^`]+)`\*\*", line)]
    assert bold == [write_value(option.default)]
    if isinstance(option.values, Choice):
        assert len(lines) == len(option.values.says)
    meanings = [line.split("|")[4].strip() for line in lines]
    assert option.meaning(option.default).replace(str(option.default), "*n*") in [
        each.replace(str(option.default), "*n*") for each in meanings
    ]


def pairs_met(clash: Clash) -> Iterator[tuple[Value, Value]]:
    """The pairs of values that are really refused, and for this cause."""
    for one, two in product(*(some_values(OPTIONS[name]) for name in (clash.first, clash.second))):
        try:
            make_rules("classic", **{clash.first: one, clash.second: two})
        except RulesError as error:
            if clash.why in str(error):
                yield one, two


@pytest.mark.parametrize("clash", CLASHES, ids=lambda clash: f"{clash.first} {clash.second}")
def test_the_pairs_that_the_table_names_are_those_that_are_refused(clash: Clash) -> None:
    found = contradictions(clash)
    assert found
    assert found >= set(pairs_met(clash))
    assert len(found) == len({one for one, _ in found}) * len({two for _, two in found}), "each with each"


def ways_out(clash: Clash) -> Iterator[tuple[str, Value]]:
    """The values of a third option with which a pair that the table names can be played."""
    thirds = [option for option in OPTIONS.values() if option.name not in (clash.first, clash.second)]
    for (one, two), third in product(contradictions(clash), thirds):
        for value in some_values(third):
            with suppress(RulesError):
                make_rules("classic", **{clash.first: one, clash.second: two, third.name: value})
                yield third.name, value


@pytest.mark.parametrize("clash", CLASHES, ids=lambda clash: f"{clash.first} {clash.second}")
def test_a_row_holds_whatever_a_third_option_is_unless_it_says_which(clash: Clash) -> None:
    found = {
        f"`{name}` is a number" if type(value) is int and OPTIONS[name].default is None
        else f"`{name}` is `{write_value(value)}`"
        for name, value in ways_out(clash)
    }  # fmt: skip
    assert found == ({clash.unless} if clash.unless else set())
    assert not clash.unless or f", unless {clash.unless} |" in clashes_table()


def test_what_does_not_go_together_is_told_once_with_its_cause() -> None:
    table = clashes_table()
    found = rows(table)
    assert ["`players` `2`", "`cutthroat` `true`", "two players stand alone anyhow"] in found
    why = "a bid of zero does not reach the minimum"
    conditional = "`zero` `plain` or `bonus`, unless `minimum_scope` is `side`"
    assert ["`minimum_bid` other than `0`", conditional, why] in found
    for clash in CLASHES:
        assert clash.why in table
