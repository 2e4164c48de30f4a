"""`--executor`: the same run on a cluster of Dask's as in lanes, whoever comes, goes and is refused meanwhile.

Loopback alone; every process that is started here is ended here, by its number.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.calling import spades
from cli.clusters import held, standings

FIELD = (
    "{name: field, seed: 11, format: {boards: 4}, schedule: {round_robin: {rounds: 2}}, "
    "bots: [{name: ann, bot: threes}, {name: bob, bot: counter}]}"
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a run was played in lanes."""
    home = tmp_path_factory.mktemp("cluster")
    (home / "t.yaml").write_text(FIELD, encoding="utf-8")
    done = spades("run", "t.yaml", "--out", "here", "--executor", "lanes", "--jobs", "2", cwd=home)
    assert done.returncode == 0, done.stderr
    return home


def test_standings_and_ledger_of_a_cluster_on_this_machine_are_those_of_lanes(home: Path) -> None:
    done = spades("run", "t.yaml", "--out", "local", "--executor", "dask=local:2", cwd=home)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert standings(home / "local") == standings(home / "here")
    assert [*held(home / "local")] == [*held(home / "here")]
    assert spades("verify", "local", cwd=home).returncode == 0


@pytest.mark.parametrize(
    ("executor", "why"),
    [
        ("dusk", "--executor: no executor 'dusk'; did you mean 'dask'?"),
        ("lanes=4", "--executor lanes=4: lanes are here and nowhere else; how many, --jobs says"),
        ("dask=local:none", "--executor dask=local:none: the number of workers must be 1 to 256"),
        ("dask=somewhere", "--executor dask=somewhere: give the scheduler's address, as tcp://HOST:8786, or local:N"),
    ],
)
def test_an_executor_that_cannot_be_is_one_line_and_nothing_is_lost(home: Path, executor: str, why: str) -> None:
    done = spades("run", "t.yaml", "--out", "none", "--executor", executor, cwd=home)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"spades: {why}")
