"""The whole zoo in one tournament: nobody sound is hurt, each fault is the one that was predicted, nothing is left."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import pytest

from cli.calling import ZOO, call, spades
from spades_harness.cli.playing import play_live
from spades_harness.game.rules import Rules
from spades_harness.game.score import Boards
from spades_harness.plugins import load_registry
from spades_harness.table.bounds import Limits
from spades_harness.table.launchers import Box
from spades_harness.table.match import Command, Fault, MatchSpec, Player
from spades_harness.table.referee import Event
from spades_harness.tournament.outcome import Outcome
from spades_harness.tournament.records.ledger import Ledger, read_ledger
from zoo.misbehaviours import ALL, ODD_LINES, Misbehaviour

DEEP = bool(os.environ.get("SPADES_DEEP"))
MEETS = 2 if DEEP else 1
"""How many of the sound bots each misbehaviour meets: on every change it is one, in turn."""
CRASHING = 1000 if DEEP else 50
"""Matches with crashing bots, of about a third of a second each."""
PATIENT = "limits: {start: 60, move: 60, bank: 3600, shutdown: 0.3}"
"""For those that answer, or are found out at once: no busy machine may make the sound ones late."""
BRIEF = "limits: {start: 5, move: 1, bank: 60, shutdown: 0.3}"
"""For those that are waited for until their time is up, each once in a match."""
SOUND = ("alpha", "beta")
MARK = "ZOO_MARK"
PATIENCE = 300
"""Seconds for a whole tournament."""


def animals(sandbox: str) -> tuple[Misbehaviour, ...]:
    """Who takes part: no sandbox changes what a line is, so odd lines come out of one in the deep tests alone."""
    here = [each for each in ALL if sys.platform != "win32" or not each.system]
    return tuple(each for each in here if DEEP or sandbox == "none" or each not in ODD_LINES)


def usable_launchers() -> list[str]:
    """The sandboxes that are registered and can do their work on this machine."""
    found = load_registry().launchers
    return [name for name, launcher in sorted(found.items()) if not launcher.objection(Box())]


def tournament(folder: Path, zoos: Sequence[Misbehaviour], sandbox: str, mark: str, limits: str) -> str:
    """A tournament file of two sound bots and these of the zoo; all their processes bear the mark."""
    zoo = folder / "zoo"
    zoo.mkdir(exist_ok=True)
    shutil.copy(ZOO, zoo)
    marked = f"env: {{{MARK}: {mark}}}"
    bots = [f"  - {{name: {name}, command: {json.dumps(line)}, dir: zoo, {marked}}}" for name, line in [
        ("alpha", ["{python}", "zoo.py", "--note", "alpha"]),
        *((each.name, ["{python}", "zoo.py", *each.flags]) for each in zoos),
    ]]  # fmt: skip
    beta = f"  - {{name: beta, bot: counter, {marked}}}"
    lines = [
        f"name: zoo {mark}", "seed: 4", "format: {boards: 4}", limits, f"sandbox: {sandbox}", "entrant_check: play",
        f"plugins: [{json.dumps(str(ZOO.with_name('plugin.py')))}]",
        f"schedule: {{zoo_gauntlet: {{meets: {MEETS}}}}}", "bots:", bots[0], beta, *bots[1:],
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def run(
    folder: Path, name: str, zoos: Sequence[Misbehaviour], sandbox: str, mark: str, limits: str = PATIENT
) -> Ledger:
    """The ledger of such a tournament."""
    (folder / f"{name}.yaml").write_text(tournament(folder, zoos, sandbox, mark, limits), encoding="utf-8")
    done = call(["run", f"{name}.yaml", "--out", name, "--jobs", "2"], folder, PATIENCE, {})
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return read_ledger(folder / name)


def among_the_sound(ledger: Ledger) -> list[tuple[object, ...]]:
    """The matches of the sound bots against each other, card by card."""
    found = [each for each in ledger.outcomes() if set(each.leg.entrants) == set(SOUND)]
    records = [ledger.match(each.ordinal) for each in found]
    played = [[(one.seat, one.written) for one in record.decisions] for record in records]
    return [
        (each.leg, each.scores, record.hands, cards) for each, record, cards in zip(found, records, played, strict=True)
    ]


def wrong(ledger: Ledger, outcome: Outcome, zoo: Misbehaviour) -> str:
    """What was not predicted of a match; empty if all was."""
    record = ledger.match(outcome.ordinal)
    at_fault = {place for place, kinds in enumerate(outcome.faults) if kinds}
    guilty = outcome.leg.entrants.index(zoo.name)
    kinds = tuple(fault.kind.value for fault in record.faults)
    if at_fault - {guilty}:
        return f"{zoo.name}: a sound bot is at fault: {record.faults}"
    if kinds != zoo.faults:
        return f"{zoo.name}: predicted {zoo.faults}, found {kinds}: {[each.what for each in record.faults]}"
    if outcome.forfeited[guilty] is not bool(zoo.faults) or sum(outcome.forfeited) > 1:
        return f"{zoo.name}: forfeits {outcome.forfeited}"
    return "".join(f"{zoo.name}: {each.what!r} without {zoo.words!r}" for each in record.faults if not _says(each, zoo))


def _says(fault: Fault, zoo: Misbehaviour) -> bool:
    return zoo.words in f"{fault.what} {fault.answer}"


def survivors(mark: str) -> Iterator[int]:
    """The processes that bear the mark."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                yield int(folder.name)
        except OSError:  # it has ended meanwhile, or is somebody else's
            continue


def end(processes: Sequence[int]) -> int:
    """End what is left, so that it is not left for the next test; how many there were."""
    if sys.platform == "win32":
        raise NotImplementedError
    for process in processes:
        os.kill(process, signal.SIGKILL)
    return len(processes)


# ------------------------------------------------------------------------------------------------------------ the table


def test_there_are_forty_misbehaviours_at_least_each_with_a_name_of_its_own() -> None:
    assert len(ALL) >= 40
    assert set(Counter(each.name for each in ALL).values()) == {1}
    assert len({each.flags for each in ALL}) == len(ALL)


def test_every_kind_of_fault_that_a_bot_alone_can_make_is_in_the_zoo() -> None:
    assert {each.fault for each in ALL} == {"", "start", "crash", "timeout", "malformed", "protocol", "illegal"}


# ------------------------------------------------------------------------------------------------------- the tournament


def meet(ledger: Ledger, zoos: Sequence[Misbehaviour]) -> list[tuple[object, ...]]:
    """How the sound bots played each other in a tournament in which each of these met them as it was predicted."""
    with ledger:
        assert ledger.missing() == ()
        outcomes = ledger.outcomes()
        assert len(outcomes) == 2 + 2 * MEETS * len(zoos)
        by_name = {each.name: each for each in zoos}
        met = [(each, next(by_name[n] for n in each.leg.entrants if n in by_name)) for each in outcomes[2:]]
        assert "\n".join(filter(None, (wrong(ledger, outcome, zoo) for outcome, zoo in met))) == ""
        return among_the_sound(ledger)


@pytest.mark.skipif(sys.platform != "linux", reason="what is left is looked for in /proc")
@pytest.mark.parametrize("sandbox", usable_launchers())
def test_the_zoo_hurts_nobody_sound_and_leaves_nothing_behind(tmp_path: Path, sandbox: str) -> None:
    """Each misbehaviour against the sound bots from both sides, and these against each other as without the zoo."""
    mark, zoos = f"zoo-{uuid4()}", animals(sandbox)
    waited_for, others = ([each for each in zoos if each.is_waited_for is brief] for brief in (True, False))
    try:
        with run(tmp_path, "alone", [], sandbox, f"{mark}-alone") as ledger:
            alone = among_the_sound(ledger)
        together = [
            meet(run(tmp_path, name, some, sandbox, mark, limits), some)
            for name, some, limits in (("others", others, PATIENT), ("waited for", waited_for, BRIEF))
        ]
    finally:
        left = end([*survivors(mark)])
    assert len(alone) == 2
    assert together == [alone] * 2
    assert left == (sum(each.escapes for each in zoos) * 2 * 2 * MEETS if sandbox == "none" else 0)


# --------------------------------------------------------------------------------------------------- match after match

CRASHES = ("--crash-at 1", "--exit-at-start", "--segfault-at 2", "--abort-in-line-at 1", "--fork --crash-at 2")


def crashing(number: int) -> MatchSpec:
    """A match in which the first side crashes, in each match in another way."""
    flags: tuple[list[str], list[str]] = (CRASHES[number % len(CRASHES)].split(), [])
    launches = [Command(("{python}", "-I", "-S", "zoo.py", *flags[seat % 2]), str(ZOO.parent)) for seat in range(4)]
    players = tuple(Player("ab"[seat % 2], launch) for seat, launch in enumerate(launches))
    limits = Limits(start=60, move=60, bank=600)
    return MatchSpec(str(number), 1, Rules(), Boards(4), bytes(32), number, 0, players, limits)


def children() -> set[int]:
    """The processes of this one, those that nobody has buried yet among them."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # a thread that has ended meanwhile has left its children to another
            found |= {int(pid) for pid in (task / "children").read_text().split()}
    return found


def descriptors() -> int:
    """How many files and pipes this process holds open."""
    return len([*Path("/proc/self/fd").iterdir()])


@pytest.mark.skipif(sys.platform != "linux", reason="what is left is looked for in /proc")
def test_match_after_match_with_crashing_bots_leaves_no_process_no_zombie_and_no_descriptor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PL-12, PL-03: never more than four children, and after each match none."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = children()
    at_work: list[int] = []

    def look(_: Event) -> None:
        at_work.append(len(children() - before))

    play_live(crashing(0), (), look, lambda _seat, _data: None)
    held = descriptors()
    for number in range(1, CRASHING):
        record = play_live(crashing(number), (), look, lambda _seat, _data: None)
        assert {fault.kind.value for fault in record.faults} <= {"crash", "start"}
        assert record.result is not None
        assert record.result.forfeits == (0,)
        assert (children() - before, descriptors()) == (set(), held)
    assert 0 < max(at_work) <= 4
    assert [*tmp_path.iterdir()] == []


# ---------------------------------------------------------------------------------------------------- the zoo's plugin


def with_plugin(folder: Path, *bots: str) -> Path:
    """A tournament file with the zoo's plugin."""
    plugin = json.dumps(str(ZOO.with_name("plugin.py")))
    head = (
        f"name: p\nseed: 1\nformat: {{boards: 4}}\nplugins: [{plugin}]\nschedule: {{zoo_gauntlet: {{meets: 1}}}}\n"
        "entrant_check: play\nbots:\n"
    )
    path = folder / "t.yaml"
    path.write_text(head + "".join(f"  - {{{bot}}}\n" for bot in bots), encoding="utf-8")
    return path


def test_the_zoo_is_a_plugin_whose_bots_are_what_their_flags_say(tmp_path: Path) -> None:
    sound = ("name: a, bot: counter", "name: b, bot: threes")
    with_plugin(tmp_path, *sound, "name: gone, plugin: zoo_give_up", "name: old, plugin: zoo_old_id")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with read_ledger(tmp_path / "runs" / "p") as ledger:
        found = {each.leg.entrants[0]: each.faults[0] for each in ledger.outcomes()}
        assert [kind.value for kind in found["gone"]] == ["crash"]
        assert found["old"] == found["a"] == ()


def test_a_bot_of_the_zoo_in_the_harness_s_own_process_is_refused(tmp_path: Path) -> None:
    with_plugin(tmp_path, "name: gone, plugin: zoo_give_up, in_process: true", "name: a, bot: counter")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "a bot of the zoo must be a process of its own" in done.stderr
