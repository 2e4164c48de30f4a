"""A run whose plug is pulled, or whose disk is full: it goes on, and comes to what it would have come to.

Three moments on every change, fifty with `SPADES_DEEP`. The moments are drawn from a seed; where in the run they fall
hangs on the machine, and whatever is true at one of them is to be true at all.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from spades_harness.tournament.records.ledger import FILE, read_ledger
from spades_harness.tournament.records.ledger_file import LedgerError

from .calling import PATIENCE, SPADES, spades

DEEP = bool(os.environ.get("SPADES_DEEP"))
KILLS, ROUNDS = (50, 7) if DEEP else (3, 1)
KILLED = -9
"""The exit code of a call that SIGKILL ended; Windows has no such name for mypy to find."""
FIELD = (
    f"{{name: field, seed: 11, format: {{boards: 4}}, schedule: {{round_robin: {{rounds: {ROUNDS}}}}}, "
    "entrant_check: play, bots: [{name: ann, bot: threes}, {name: bob, bot: counter}, {name: cat, bot: threes}]}"
)
RUN = ("run", "t.yaml", "--jobs", "2", "--out")

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL and limits of file sizes are POSIX's")


class Undisturbed(NamedTuple):
    """A run that nobody stopped: where it is, its standings, and the seconds of all of it and of a call alone."""

    cwd: Path
    standings: str
    whole: float
    call: float


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    cwd = tmp_path_factory.mktemp("killed")
    (cwd / "t.yaml").write_text(FIELD, encoding="utf-8")
    times = [time.monotonic()]
    for _ in range(2):  # the second has nothing left to play
        assert run_for(PATIENCE, cwd, "whole") == 0  # as those that are killed: an interpreter that starts anew
        times.append(time.monotonic())
    return Undisturbed(cwd, standings("whole", cwd), times[1] - times[0], times[2] - times[1])


def standings(run: str, cwd: Path) -> str:
    done = spades("standings", run, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def recorded(run: Path) -> set[str]:
    """The identities that have a result; none where the plug was pulled before there was a run."""
    try:
        with read_ledger(run) as ledger:
            missing = {each.planned.identity for each in ledger.missing()}
            return {each.identity for each in ledger.planned()} - missing
    except LedgerError as nothing_yet:
        if "stopped before it began" in str(nothing_yet) or "there is no ledger here" in str(nothing_yet):
            return set()
        raise


def run_for(seconds: float, cwd: Path, run: str = "killed") -> int:
    """Start a run or go on with it, and kill it after so long: its exit code, which is KILLED if it was killed."""
    with subprocess.Popen(
        [*SPADES, *RUN, run],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as call:
        try:
            call.wait(seconds)
        except subprocess.TimeoutExpired:
            call.kill()
        return call.wait(PATIENCE)


def test_a_run_killed_at_random_moments_comes_to_the_standings_of_one_that_nobody_stopped(
    undisturbed: Undisturbed,
) -> None:
    """PR-01, PR-08: no match is lost or played twice, nothing recorded is ever taken back, and all of it verifies."""
    cwd, chance, had, codes = undisturbed.cwd, random.Random(1), set[str](), []
    share = (undisturbed.whole - undisturbed.call) * 2 / KILLS  # so that the run is over at about the last of them
    for _ in range(KILLS):
        codes.append(run_for(chance.uniform(0, undisturbed.call + share), cwd))
        assert codes[-1] in {0, KILLED}
        has = recorded(cwd / "killed")
        assert had <= has
        had = has
    assert KILLED in codes
    assert spades(*RUN, "killed", cwd=cwd).returncode == 0
    assert standings("killed", cwd) == undisturbed.standings
    found = json.loads(spades("verify", "killed", "--json", cwd=cwd).stdout)
    assert (found["verified"], found["differences"], found["void"]) == (True, [], 0)
    assert found["matches"] == found["planned"] == 6 * ROUNDS
    assert had <= recorded(cwd / "killed")


LIMITED = (
    "import resource, sys; limit = int(sys.argv.pop(1)); resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit));"
    "from spades_harness.cli import main; main()"
)
"""The command with files of so many bytes at most, which stands in for a full disk."""


@pytest.mark.parametrize("limit", [4_096, 60_000, 200_000])
def test_a_full_disk_ends_a_run_in_one_line_and_with_room_again_it_goes_on(
    undisturbed: Undisturbed, tmp_path: Path, limit: int
) -> None:
    """PR-09: before there are tables, before they can be used by several, and in the middle of the matches."""
    (tmp_path / "t.yaml").write_text(FIELD, encoding="utf-8")
    words = [sys.executable, "-c", LIMITED, str(limit), *RUN, "full"]
    done = subprocess.run(
        words, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    *_, last = done.stderr.splitlines()
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert last.startswith(f"spades: {Path('full', FILE)}: ")
    assert "make room" in last or "what was recorded before is safe" in last
    had = recorded(tmp_path / "full")
    assert spades(*RUN, "full", cwd=tmp_path).returncode == 0
    assert had <= recorded(tmp_path / "full")
    assert spades("verify", "full", cwd=tmp_path).returncode == 0
    assert standings("full", tmp_path) == undisturbed.standings


NOBODY = (
    "import os, sys; from pathlib import Path; from tournament.playing import FIELD;"
    "from spades_harness.errors import UserError; from spades_harness.tournament.records.ledger import open_run;"
    "os.geteuid() or os.seteuid(65534)\n"  # the superuser may write anywhere
    "try: open_run(Path(sys.argv[1]), FIELD)\n"
    "except UserError as error: print(error)"
)


def test_a_folder_that_may_not_be_written_to_is_told_in_one_line_and_left_as_it_is(
    undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """PR-09: one that is to become a run, and a run that another user made."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "run").mkdir()
    for name in (FILE, "ledger.lock"):
        (tmp_path / "run" / name).write_bytes((undisturbed.cwd / "whole" / name).read_bytes())
        (tmp_path / "run" / name).chmod(0o444)
    before = (tmp_path / "run" / FILE).read_bytes()
    for folder in ("empty", "run"):
        (tmp_path / folder).chmod(0o555)
        told = subprocess.run(
            [sys.executable, "-c", NOBODY, folder],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        (tmp_path / folder).chmod(0o755)
        assert told.stdout.startswith(f"{folder}: a run cannot be kept here: Permission denied; "), told.stderr
        assert len(told.stdout.splitlines()) == 1
    assert (tmp_path / "run" / FILE).read_bytes() == before
    assert not list((tmp_path / "empty").iterdir())
