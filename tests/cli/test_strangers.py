"""What strangers' bots see, leave and take up: the whole command, with bots that look round."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.calling import ZOO, python_bot, spades, zoo_bot
from spades_harness.table.match import FaultKind, MatchRecord
from spades_harness.tournament.records.ledger import FILE, read_ledger

HEAD = "name: t\nseed: 7\nformat: {boards: 4}\nschedule: {round_robin: {rounds: 1}}\nentrant_check: play\n"
HONEST = "def bid(self, r): return 3\ndef play(self, r): return r.legal[0]\n"


def run(folder: Path, *bots: str, more: str = "", **env: str) -> list[MatchRecord]:
    """The records of a tournament of these bots, which must end well."""
    listed = "".join(f"  - {{{bot}}}\n" for bot in bots)
    (folder / "t.yaml").write_text(HEAD + more + f"bots:\n{listed}", encoding="utf-8")
    done = spades("run", "t.yaml", cwd=folder, **env)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    with read_ledger(folder / "runs" / "t") as ledger:
        return [ledger.match(planned.ordinal) for planned in ledger.planned()]


def test_no_bot_sees_what_is_secret_in_the_environment_of_whoever_runs_it(tmp_path: Path) -> None:
    """SE-01: and it sees what programs need to run at all."""
    body = "def bid(self, r):\n    import os, sys\n    print(sorted(os.environ), file=sys.stderr)\n    1 / 0\n"
    python_bot(tmp_path, "curious", body + "def play(self, r): return r.legal[0]")
    records = run(
        tmp_path, "name: a, bot: ./curious.py, env: {GIVEN: yes}", "name: b, bot: counter",
        AWS_SECRET_ACCESS_KEY="hush", GITHUB_TOKEN="hush",
    )  # fmt: skip
    said = "".join(bot.stderr for record in records for bot in record.bots)
    names = set(json.loads(said.splitlines()[0].replace("'", '"')))
    assert {"PATH", "GIVEN", "PYTHONUNBUFFERED"} <= names
    assert not {"AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"} & names
    assert "hush" not in said


def test_neither_partners_nor_matches_share_a_folder(tmp_path: Path) -> None:
    """SE-08, PL-17: each seat of each match finds the bot's own files, and what it wrote itself."""
    body = """
def start(self):
    open("seen", "x").write(self.seat)
def bid(self, r):
    return 3
def play(self, r):
    import os
    assert open("seen").read() == self.seat
    assert sorted(os.listdir(".")) == ["bot.yaml", "leaver.py", "seen"], os.listdir(".")
    return r.legal[0]
"""
    folder = tmp_path / "leaver"
    folder.mkdir()
    python_bot(folder, "leaver", body)
    (folder / "bot.yaml").write_text('command: ["{python}", "leaver.py"]\n', encoding="utf-8")
    records = run(tmp_path, "name: a, bot: ./leaver", "name: b, bot: ./leaver")
    assert [record.faults for record in records] == [(), ()]
    assert sorted(path.name for path in folder.iterdir()) == ["bot.yaml", "leaver.py"]


def test_a_bot_that_floods_its_log_fills_no_disk(tmp_path: Path) -> None:
    """SE-09: of more than ten megabytes a few thousand bytes are kept, with a note of what was left out."""
    zoo_bot(tmp_path, "loud", "--stderr-flood", "--crash-at", "50")
    first, *_ = run(tmp_path, "name: a, bot: ./loud", "name: b, bot: counter", more="faults: {substitute: 1000}\n")
    (kept, _) = (first.bots[seat].stderr for seat in (0, 2))
    assert " bytes …]" in kept
    assert len(kept) < 25_000
    assert (tmp_path / "runs" / "t" / FILE).stat().st_size < 1_000_000


SPINNER = """
from spades_bot import Bot
from spades_harness import hookimpl

class Spinner(Bot):
    def bid(self, request):
        return 3
    def play(self, request):
        while True:
            pass

@hookimpl
def spades_register_bots():
    return {"spinner": Spinner}
"""


LOUD = """
import os, random, subprocess, sys
from spades_bot import Bot
from spades_harness import hookimpl

class Loud(Bot):
    def bid(self, request):
        os.write(1, b"LOUD\\n")
        subprocess.run([sys.executable, "-c", "print('LOUD')"])
        print("LOUD")
        return 3
    def play(self, request):
        random.seed(1)
        return random.choice(request.legal)

@hookimpl
def spades_register_bots():
    return {"loud": Loud}
"""


def test_nothing_that_a_bot_in_the_harness_s_process_writes_stands_among_the_results(tmp_path: Path) -> None:
    """PF-01, PG-05: not even what it writes past Python, or what a program writes that it starts."""
    (tmp_path / "plug.py").write_text(LOUD, encoding="utf-8")
    text = HEAD + "plugins: [plug.py]\nbots: [{name: a, plugin: loud, in_process: true}, {name: b, bot: counter}]\n"
    (tmp_path / "t.yaml").write_text(text, encoding="utf-8")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "LOUD" not in done.stdout
    assert done.stderr.count("LOUD") >= 3


@pytest.mark.parametrize("ponder", ["true", "false"])
def test_a_plugin_that_never_returns_is_ended_in_its_process_and_the_others_play_on(
    tmp_path: Path, ponder: str
) -> None:
    """PG-06."""
    (tmp_path / "plug.py").write_text(SPINNER, encoding="utf-8")
    limits = "limits: {start: 60, move: 2, bank: 60}"  # the others think beside two that spin, on one processor
    more = f"plugins: [plug.py]\nponder: {ponder}\n{limits}\n"
    records = run(tmp_path, "name: s, plugin: spinner", "name: a, bot: counter", "name: b, bot: steady", more=more)
    kinds = [[fault.kind for fault in record.faults] for record in records]
    assert sorted(kinds, key=len) == [[], [], *[[FaultKind.TIMEOUT]] * 4]


def test_the_readme_says_what_only_a_process_can_end() -> None:
    """PG-06."""
    readme = (ZOO.parents[2] / "README.md").read_text(encoding="utf-8")
    assert "never returns can't be stopped: only a process can be ended" in readme


def test_no_shell_reads_a_command(tmp_path: Path) -> None:
    """SE-05: the program gets its arguments as they stand in the file, and nothing else is started."""
    telling = "import sys; print(sys.argv[1:], file=sys.stderr); sys.exit(4)"
    words = ["$HOME", "*", "`id`", "; touch pwned", "a b"]
    command = json.dumps(["{python}", "-c", telling, *words])
    (tmp_path / "t.yaml").write_text(
        HEAD + f"bots: [{{name: a, command: {command}}}, {{name: b, bot: counter}}]\n", encoding="utf-8"
    )
    assert spades("run", "t.yaml", cwd=tmp_path).returncode == 1
    with read_ledger(tmp_path / "runs" / "t") as ledger:
        assert ledger.match(1).bots[0].stderr == f"{words}\n"
    assert not [*tmp_path.rglob("pwned")]


def test_a_command_in_one_string_is_no_shell_s_either(tmp_path: Path) -> None:
    """SE-05: either it is refused, or its `;` belongs to an argument."""
    line = json.dumps(f"{{python}} ok.py; touch {tmp_path / 'pwned'}")
    (tmp_path / "t.yaml").write_text(
        HEAD + f"bots: [{{name: a, command: {line}}}, {{name: b, bot: counter}}]\n", encoding="utf-8"
    )
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode in {1, 2}
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "pwned").exists()


def test_of_a_pair_of_two_bots_it_is_told_which_one_failed(tmp_path: Path) -> None:
    """The side loses, but the fault is one bot's, on its seat, in its hand."""
    zoo_bot(tmp_path, "sound")
    zoo_bot(tmp_path, "shaky", "--crash-at", "9")
    bots = "bots: [{name: sound, bot: ./sound}, {name: shaky, bot: ./shaky}, {name: other, bot: counter}]\n"
    pairs = "entrants: [{name: mixed, pair: [sound, shaky]}, other]\n"
    (tmp_path / "t.yaml").write_text(HEAD + bots + pairs, encoding="utf-8")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "shaky: crash: exited with code 3" in done.stderr
    assert "sound: crash" not in done.stderr
    with read_ledger(tmp_path / "runs" / "t") as ledger:
        faults = [ledger.match(number).faults for number in (1, 2)]
    assert [[(each.seat, each.hand_no, each.kind) for each in found] for found in faults] == [
        [(2, 1, FaultKind.CRASH)],
        [(3, 1, FaultKind.CRASH)],
    ]


def test_both_sides_that_never_start_lose_alike(tmp_path: Path) -> None:
    """PL-15: neither is charged for the other, and nobody wins by being started first."""
    zoo_bot(tmp_path, "gone", "--exit-at-start")
    (tmp_path / "t.yaml").write_text(
        HEAD + "bots: [{name: a, bot: ./gone}, {name: b, bot: ./gone}]\n", encoding="utf-8"
    )
    assert spades("run", "t.yaml", cwd=tmp_path).returncode == 1
    with read_ledger(tmp_path / "runs" / "t") as ledger:
        records = [ledger.match(number) for number in (1, 2)]
        outcomes = ledger.outcomes()
    assert [[fault.seat for fault in record.faults] for record in records] == [[0, 1, 2, 3]] * 2
    assert [(each.forfeited, each.winner) for each in outcomes] == [((True, True), None)] * 2


def test_who_loses_every_hand_loses_every_match_from_either_side(tmp_path: Path) -> None:
    """SC-09: no win goes to the other side; that of the standings is that of each record."""
    python_bot(tmp_path, "bids13", "def bid(self, r): return 13\ndef play(self, r): return r.legal[0]")
    records = run(tmp_path, "name: good, bot: counter", "name: bids13, bot: ./bids13.py")
    for number, record in enumerate(records):
        assert record.result is not None
        good, other = record.result.totals.scores if number % 2 == 0 else reversed(record.result.totals.scores)
        assert good > other == 4 * -260
    found = spades("standings", "runs/t", "--json", cwd=tmp_path)
    assert {row["entrant"]: (row["wins"], row["losses"]) for row in json.loads(found.stdout)["entrants"]} == {
        "good": (1, 0), "bids13": (0, 1),
    }  # fmt: skip
