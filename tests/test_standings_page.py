"""STANDINGS.md held against what is printed: every column and every key is explained there, and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from cli.calling import ask
from spades_harness.builtin import spades_register_ratings
from spades_harness.bundled import bundled
from spades_harness.cli import rated
from spades_harness.cli.tables import COLUMNS
from spades_harness.table.match import FaultKind
from spades_harness.tournament.anchor import Anchor
from spades_harness.tournament.crossplay import Beside, Crossplay, Own
from spades_harness.tournament.crosstable import Crosstable, Entry
from spades_harness.tournament.records.acts import Act
from spades_harness.tournament.records.amending import Amendment
from spades_harness.tournament.schedules.placing import Unplaced
from spades_harness.tournament.standings import RANKING, Row, SetAside, Standings
from spades_harness.tournament.statistics.comparison import Compared
from spades_harness.tournament.statistics.individuals import Individual
from spades_harness.tournament.statistics.pairings import Pairing

PAGE = (bundled("tournaments") / "STANDINGS.md").read_text(encoding="utf-8")
SECTIONS: dict[str, str] = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
FOUND = re.findall(r"^(?:Table: \*\*(.*?)\*\*\. )?JSON and CSV: (.*)\.$", SECTIONS["The table"], re.MULTILINE)
"""What each column explains: its title in the table, if it has one, and its keys."""


def names(shape: type) -> set[str]:
    return {each.name for each in fields(shape)}


def quoted(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


def first_cells(text: str) -> list[str]:
    return [key for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for key in quoted(row)]


def once(found: Iterable[str]) -> set[str]:
    """As a set, none of which may have come twice."""
    listed = [*found]
    assert sorted(set(listed)) == sorted(listed)
    return set(listed)


def test_every_column_of_the_table_is_explained_once_in_the_order_of_the_table() -> None:
    assert [title for title, _ in FOUND if title] == [*COLUMNS]


def test_every_key_of_an_entrant_is_explained_once_and_no_other() -> None:
    assert once(key for _, keys in FOUND for key in quoted(keys)) == names(Row)


def test_every_heading_has_its_columns_and_every_formula_its_source() -> None:
    parts = re.split(r"^### .*$", SECTIONS["The table"], flags=re.MULTILINE)[1:]
    assert len(parts) == len(FOUND)
    assert all("\nSource: " in part for part in parts if re.search(r"^    \S", part, re.MULTILINE))


def test_every_key_of_the_object_is_explained_and_no_other() -> None:
    text = SECTIONS["The JSON object"]
    assert once(quoted(text.strip().split("\n\n")[0])) == names(Standings)
    assert set(re.findall(r"^- `(\w+)`(?: and `(\w+)`)?", text, re.MULTILINE)) == {
        ("entrants", ""),
        ("anchor", ""),
        ("groups", ""),
        ("individuals", ""),
        ("amendments", ""),
        ("secrets", ""),
        ("troubles", ""),
        ("title", "lines"),
    }
    (groups,) = re.findall(r"^- `groups`: (.*?)^- ", text, re.MULTILINE | re.DOTALL)
    assert names(Compared) <= {*quoted(groups)}
    (anchor,) = re.findall(r"^- `anchor`: (.*?)^- ", text, re.MULTILINE | re.DOTALL)
    assert names(Anchor) | {"null"} == {*quoted(anchor)}
    (bots,) = re.findall(r"^- `individuals`: (.*?)^- ", text, re.MULTILINE | re.DOTALL)
    assert names(Individual) == {*quoted(bots)}
    (acts,) = re.findall(r"^- `amendments`: (.*?)^- ", text, re.MULTILINE | re.DOTALL)
    assert names(Amendment) | {act.value for act in Act} | {"null"} == {*quoted(acts)}
    (troubles,) = re.findall(r"^- `troubles`: (.*?)^- ", text, re.MULTILINE | re.DOTALL)
    assert names(SetAside) | names(Unplaced) == {*quoted(troubles)}


def test_every_key_of_the_pairings_is_explained_and_no_other() -> None:
    text = SECTIONS["Two by two"]
    assert once(first_cells(text)) == names(Pairing)
    said = {*quoted(text.split("On the screen")[0])}
    assert said == names(Crosstable) | names(Entry)


def test_every_key_of_the_cross_play_is_explained_and_no_other() -> None:
    text = SECTIONS["Beside whom"]
    assert {*first_cells(text)} == names(Beside) | names(Own)
    assert names(Crossplay) <= {*quoted(text.split("| key of a cell")[0])}


def test_results_from_elsewhere_have_keys_that_are_explained() -> None:
    assert names(rated.Row) - names(Row) == {"elo_k"}
    assert names(rated.Table) <= names(Standings)


def test_every_rating_and_every_kind_of_fault_that_there_is_is_named() -> None:
    ratings = {*spades_register_ratings()} - {RANKING}
    assert ratings
    assert ratings | {kind.value for kind in FaultKind} <= {*quoted(PAGE)}


def test_the_page_can_be_found() -> None:
    root = Path(__file__).resolve().parents[1]
    assert "](tournaments/STANDINGS.md)" in (root / "README.md").read_text(encoding="utf-8")
    assert "tournaments/STANDINGS.md" in ask("standings", "--help").stdout
    tests = re.findall(r"`(tests/\S+\.py)`", PAGE)
    assert tests
    assert all((root / test).is_file() for test in tests)
