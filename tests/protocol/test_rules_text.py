"""RULES.md explains every number that the harness shows: of rules, options and decisions."""

import inspect
import re

from spades_harness.bundled import bundled
from spades_harness.game import bidding, draw, exchange, play, score
from spades_harness.game.rules import OPTIONS

TEXT = (bundled("protocol") / "RULES.md").read_text(encoding="utf-8")


def explained(letter: str) -> set[str]:
    """The numbers that stand in bold, or in the table of options."""
    bold = re.findall(r"\*\*([^*`]+)\*\*", TEXT)
    numbers = {number for words in bold for number in re.findall(rf"\b{letter}\d+\b", words)}
    return numbers | set(re.findall(rf"^\| `\w+` \| ({letter}\d+) \|", TEXT, re.MULTILINE))


def test_the_numbers_of_rules_options_and_decisions_are_all_explained() -> None:
    assert explained("R") == {f"R{number}" for number in range(1, 25)}
    assert explained("V") == {f"V{number}" for number in range(1, 21)} == {option.rule for option in OPTIONS.values()}
    assert explained("D") == {f"D{number}" for number in range(1, 15)}


def test_every_number_in_what_the_game_says_is_explained() -> None:
    """The terms of a score, and the words of an objection."""
    said = set()
    for module in (bidding, draw, exchange, play, score):
        source = inspect.getsource(module)
        said |= set(re.findall(r"\b[RVD]\d+\b", source))
    assert said >= {"R9", "R15", "R17", "R19", "R20", "R21", "R22", "V9", "V10"}
    assert said <= explained("R") | explained("V") | explained("D")


def test_links_lead_somewhere() -> None:
    folder = bundled("protocol")
    pages = {page.name: page.read_text(encoding="utf-8") for page in folder.glob("*.md")}
    for link in re.findall(r"\]\(([^)]+)\)", TEXT):
        page, _, anchor = link.partition("#")
        titles = re.findall(r"^#+ (.*)$", pages[page or "RULES.md"], re.MULTILINE)
        anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
        assert not anchor or anchor in anchors, link
