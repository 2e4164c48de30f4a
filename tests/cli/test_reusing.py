"""`--reuse`: what changed is played, by the content of the bots, and what another run has played is taken over."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.calling import ask, spades
from spades_harness.tournament.records.ledger import read_ledger

LADDER = """
name: class
seed: 4
format: {boards: 4}
schedule: {ladder: {streams: 1, most: 1}}
plugins: [mine.py]
bots:
  - {name: threes, plugin: threes, in_process: true}
  - {name: ones, plugin: threes, params: {bid: 1}, in_process: true}
  - {name: mine, plugin: mine, in_process: true}
  - {name: twos, plugin: threes, params: {bid: 2}, in_process: true}
"""


MINE = """
from spades_bot import Bot
from spades_harness import hookimpl

class Mine(Bot):
    def bid(self, request):
        return {bid}

    def play(self, request):
        return request.legal[-1]

@hookimpl
def spades_register_bots():
    return {{"mine": Mine}}
"""


def bidding(folder: Path, bid: int) -> None:
    (folder / "mine.py").write_text(MINE.format(bid=bid), encoding="utf-8")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder that was played, then one of its bots was changed."""
    home = tmp_path_factory.mktemp("reuse")
    (home / "class.yaml").write_text(LADDER, encoding="utf-8")
    bidding(home, 3)
    first = spades("run", "class.yaml", "--out", "monday", "--jobs", "1", cwd=home)
    assert first.returncode == 0, first.stderr
    bidding(home, 4)
    return home


def test_a_bot_that_changed_is_refused_in_the_same_folder_and_the_cure_is_told(home: Path) -> None:
    done = spades("run", "class.yaml", "--out", "monday", "--jobs", "1", cwd=home)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == "to play only what changed: --out FOLDER --reuse monday"


def test_what_changed_alone_is_played_and_the_run_verifies_as_a_whole(home: Path) -> None:
    done = spades("run", "class.yaml", "--out", "tuesday", "--reuse", "monday", "--jobs", "1", cwd=home)
    assert done.returncode == 0, done.stderr
    with read_ledger(home / "monday") as monday, read_ledger(home / "tuesday") as tuesday:
        plan, outcomes, sessions = tuesday.planned(), tuesday.outcomes(), tuesday.sessions()
        older = {each.identity for each in monday.planned()}
        began = monday.sessions()
    anew = [each for each in plan if each.identity not in older]
    assert 0 < len(anew) < len(plan) == len(outcomes)
    assert all("mine" in each.leg.entrants for each in anew)
    assert f"{len(plan) - len(anew)} matches were taken over from monday" in done.stderr
    assert {*began} < {*sessions}
    verified = ask("verify", str(home / "tuesday"))
    assert verified.returncode == 0, verified.stdout


def test_a_run_that_can_be_of_no_use_is_refused_before_anything_is_founded(home: Path) -> None:
    refused = {
        "that is the run's own folder; choose another for it with --out": ("--out", str(home / "monday")),
        "it was played on other cards; both runs need the same `seed` in the file": ("--seed", "5"),
    }
    for complaint, words in refused.items():
        done = ask("run", str(home / "class.yaml"), *words, "--reuse", str(home / "monday"))
        assert (done.returncode, done.stderr) == (2, f"spades: --reuse {home / 'monday'}: {complaint}\n")
    assert not (home / "runs").exists()


def test_a_newcomer_to_a_ladder_plays_its_own_challenges_alone_and_a_run_that_reuses_this_one_none(home: Path) -> None:
    text = LADDER.replace("  - {name: mine, plugin: mine, in_process: true}\n", "")
    (home / "open.yaml").write_text(text, encoding="utf-8")
    assert spades("run", "open.yaml", "--out", "open", "--jobs", "1", cwd=home).returncode == 0
    with read_ledger(home / "open") as ledger:
        before = ledger.planned()
    late = "  - {name: fives, plugin: threes, params: {bid: 5}, in_process: true}\n"
    (home / "open.yaml").write_text(text.replace("bots:\n", "bots:\n" + late), encoding="utf-8")
    done = spades("run", "open.yaml", "--out", "open", "--jobs", "1", cwd=home)
    assert done.returncode == 0, done.stderr
    assert f"The run is joined by fives: {len(before)} matches are kept, theirs follow" in done.stderr
    with read_ledger(home / "open") as ledger:
        after = ledger.planned()
    assert after[: len(before)] == before
    assert after[len(before) :]
    assert {each.leg.entrants[1] for each in after[len(before) :]} == {"fives"}
    assert "Entrants stand in the order in which they came" in done.stderr
    anew = spades("run", "open.yaml", "--out", "anew", "--reuse", "open", "--jobs", "1", cwd=home)
    assert anew.returncode == 0, anew.stderr
    assert "Entrants stand in the order in which they came" in anew.stderr
    with read_ledger(home / "anew") as ledger:
        assert [each.name for each in ledger.entrants()] == ["threes", "ones", "twos", "fives"]
        assert {each.leg for each in ledger.planned()} == {each.leg for each in after}
    assert f"{len(after)} matches were taken over from open" in anew.stderr
