"""The look at each bot before the first match: what it is asked, what is told of it, and what becomes of the run."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from cli.calling import ask, python_bot, spades, zoo_bot
from spades_harness.cli.admission import troubles
from spades_harness.cli.players import find_players
from spades_harness.game.deal import SECRET_BYTES
from spades_harness.game.rules import Rules, make_rules
from spades_harness.game.score import Boards
from spades_harness.table.bounds import Limits
from spades_harness.table.match import Forfeit
from spades_harness.tournament.execution.room import Room
from spades_harness.tournament.identity import Terms
from spades_harness.tournament.sealed import Sealed

SMALL = "{name: small, seed: 7, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, "
LISTENING = """
from spades_bot import Bot, run

heard = []

class Ear(Bot):
    def hear(self, request):
        heard.append(request.type)
        with open(PATH, "w") as file:
            file.write(" ".join(heard))
        return request.legal[0]

    blind = draw = bid = play = hear

    def exchange(self, request):
        heard.append("exchange")
        return request.hand[: request.max]

run(Ear)
"""


def looked_at(tmp_path: Path, *named: str, preset: str = "classic", **changes: object) -> dict[str, str]:
    """What is said of these bots, two at a time; no busy machine may make a sound one late."""
    return seen(tmp_path, named, make_rules(preset, **changes), Limits(start=60, move=60, bank=3600))


def seen(tmp_path: Path, named: Iterable[str], rules: Rules, limits: Limits) -> dict[str, str]:
    """The same by these limits."""
    found = find_players([str(tmp_path / name) for name in named], rules.preset, ())
    terms = Terms(rules, Boards(4), limits, Forfeit(), (Sealed(bytes(SECRET_BYTES)),))
    return dict(troubles(found.players, terms, (), Room(2, 2)))


def test_all_who_fail_are_listed_each_with_its_fault_and_its_last_words(tmp_path: Path) -> None:
    habits = {
        "broken": ["--exit-at-start"],
        "odd": ["--illegal-at", "3"],
        "still": ["--hang-at", "2"],
        "sound": [],
        "gone": ["--crash-at", "9"],
    }
    for name, flags in habits.items():
        zoo_bot(tmp_path, name, *flags)
    limits = Limits(start=60, move=2)  # which one of them is waited for, and the others never need
    found = seen(tmp_path, habits, make_rules("classic"), limits)
    assert [*found] == ["broken", "odd", "still", "gone"]
    assert found["broken"] == "exited with code 4 before it was ready: the weights are missing"
    assert found["odd"].startswith("illegal, asked for ")
    assert found["still"].startswith("timeout, asked for ")
    assert found["gone"].startswith("crash, asked for play: exited with code 3")


@pytest.mark.parametrize(
    ("preset", "changes", "kinds"),
    [
        ("classic", {}, {"blind", "bid", "exchange", "play"}),
        ("classic", {"blind_deficit": 100}, {"blind", "bid", "exchange", "play"}),
        ("encyclopedia", {}, {"bid", "play"}),
        ("two_player", {"exchange": 0}, {"draw", "blind", "bid", "play"}),
        ("cutthroat", {}, {"bid", "play"}),
    ],
)
def test_a_bot_hears_every_kind_of_request_that_the_rules_have(
    tmp_path: Path, preset: str, changes: dict[str, object], kinds: set[str]
) -> None:
    ear = LISTENING.replace("PATH", repr(str(tmp_path / "heard.txt")))
    (tmp_path / "ear.py").write_text(ear, encoding="utf-8")
    assert looked_at(tmp_path, "ear.py", preset=preset, **changes) == {}
    assert {*(tmp_path / "heard.txt").read_text(encoding="utf-8").split()} >= kinds


def test_a_bot_that_kills_the_process_it_is_started_from_kills_no_run(tmp_path: Path) -> None:
    body = "def bid(self, request):\n    import os, signal; os.kill(os.getppid(), signal.SIGTERM)\n    return 1"
    python_bot(tmp_path, "killer", body + "\ndef play(self, request):\n    return request.legal[0]")
    zoo_bot(tmp_path, "sound")
    found = looked_at(tmp_path, "killer.py", "sound")
    assert [*found] == ["killer"]
    assert found["killer"].startswith("its hand came to nothing: ")


def test_unless_the_file_says_otherwise_nothing_is_played_with_a_bot_that_fails(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "odd", "--illegal-at", "3")
    bots = "bots: [{name: odd, bot: ./odd}, {name: ann, bot: threes}, {name: bob, bot: threes, in_process: true}]}"
    (tmp_path / "t.yaml").write_text(SMALL + bots, encoding="utf-8")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing was played (entrant_check: refuse)" in done.stderr
    assert not (tmp_path / "runs").exists()
    for check, matches in (("drop", 2), ("play", 4)):
        (tmp_path / "t.yaml").write_text(SMALL + f"entrant_check: {check}, {bots}", encoding="utf-8")
        spades("run", "t.yaml", "--out", check, cwd=tmp_path)
        found = json.loads(spades("standings", check, "--json", cwd=tmp_path).stdout)["entrants"]
        assert {row["entrant"]: row["matches"] for row in found}["ann"] == matches


def test_a_founding_that_failed_lets_nobody_in_unseen(tmp_path: Path) -> None:
    """Where there was no room for it, it leaves a ledger with nothing in it."""
    zoo_bot(tmp_path, "odd", "--exit-at-start")
    bots = "bots: [{name: odd, bot: ./odd}, {name: ann, bot: threes}]}"
    (tmp_path / "t.yaml").write_text(SMALL + bots, encoding="utf-8")
    (tmp_path / "runs" / "small").mkdir(parents=True)
    (tmp_path / "runs" / "small" / "ledger.sqlite").touch()
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing was played (entrant_check: refuse)" in done.stderr
    assert (tmp_path / "runs" / "small" / "ledger.sqlite").read_bytes() == b""


NAMING = """
name: small
seed: 7
entrant_check: drop
format: {boards: 4}
schedule: SCHEDULE
bots:
  - {folder: in}
  - {name: ann, plugin: threes, in_process: true}
  - {name: bob, plugin: threes, params: {bid: 2}, in_process: true}
"""


def naming(folder: Path, schedule: str) -> tuple[int, str, str]:
    """A run whose schedule may name `odd`, whose bot fails in its hand, and `zoe`, whose folder is empty."""
    (folder / "in" / "zoe").mkdir(parents=True)
    zoo_bot(folder / "in", "odd", "--exit-at-start")
    (folder / "t.yaml").write_text(NAMING.replace("SCHEDULE", schedule), encoding="utf-8")
    done = spades("run", "t.yaml", "--jobs", "1", cwd=folder)
    return done.returncode, done.stdout, done.stderr


def test_seeds_may_name_who_is_dropped_and_the_table_says_why_it_is(tmp_path: Path) -> None:
    code, shown, told = naming(tmp_path, "{knockout: {streams: 1, seeds: [odd, zoe, bob]}}")
    why = "exited with code 4 before it was ready: the weights are missing"
    assert code == 1, told
    assert f"spades: odd is dropped: {why}\n" in told
    assert "bob (1) " in shown
    assert f"\nodd takes no part: {why}\n" in shown
    found = ask("standings", str(tmp_path / "runs/small"), "--json")
    assert f"odd takes no part: {why}\n" in found.stderr
    machine = json.loads(found.stdout)
    assert machine["troubles"] == []
    assert [(row["entrant"], row["placing"]) for row in machine["entrants"]][2:] == [("odd", "dropped")]


@pytest.mark.parametrize("gone", ["odd", "zoe"])
def test_without_a_bot_of_the_field_there_is_no_exam(tmp_path: Path, gone: str) -> None:
    code, shown, told = naming(tmp_path, f"{{gauntlet: {{rounds: 1, field: [{gone}, bob]}}}}")
    assert (code, shown) == (2, "")
    assert f"schedule: the field bot '{gone}' did not start: mend it, or change the field\n" in told
    assert not (tmp_path / "runs").exists()


def test_a_name_that_is_nobodys_is_refused_as_ever(tmp_path: Path) -> None:
    code, _, told = naming(tmp_path, "{knockout: {seeds: [zeo, bob]}}")
    assert (code, told.splitlines()[-1].split(": schedule: ")[1]) == (
        2, "seeds names 'zeo', which is no entrant; did you mean 'zoe'?"
    )  # fmt: skip
