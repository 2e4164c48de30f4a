"""`spades run` of one tournament file a preset: all bots that ship, as processes, and no fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.calling import spades
from spades_harness.bundled import shipped_bots
from spades_harness.game.rules import PRESETS, Rules

PARAMS = {"searcher": {"playouts": 0}}
"""Bots that would take the time they are given take none."""
PATIENT = {"start": 60, "move": 60, "bank": 3600}
"""No busy machine may come near a bot that answers."""


def entrants(rules: Rules) -> list[Any]:
    """Whoever has a partner enters with another bot, which is fewer matches; else everybody for himself."""
    names = [*shipped_bots()]
    if rules.shape.partner(0) is None:
        return names
    return [{"name": f"team{first}", "pair": [names[first], names[-first]]} for first in range(len(names) // 2 + 1)]


def tournament(preset: str) -> str:
    """A tournament file, in JSON, which is YAML too."""
    return json.dumps(
        {
            "name": preset,
            "rules": preset,
            "seed": 7,
            "format": {"boards": 4},
            "schedule": {"round_robin": {"rounds": 1}},
            "limits": PATIENT,
            "fail_on": ["faults"],
            "bots": [{"name": bot, "bot": bot, "params": PARAMS.get(bot, {})} for bot in shipped_bots()],
            "entrants": entrants(PRESETS[preset]),
        }
    )


@pytest.mark.parametrize("preset", PRESETS)
def test_a_tournament_of_all_bots_that_ship_ends_without_a_fault_under_each_preset(tmp_path: Path, preset: str) -> None:
    (tmp_path / "t.yaml").write_text(tournament(preset), encoding="utf-8")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(spades("standings", f"runs/{preset}", "--json", cwd=tmp_path).stdout)["entrants"]
    assert len(rows) == len(entrants(PRESETS[preset]))
    assert not any(row["faults"] or row["forfeits"] for row in rows)
    assert len({row["hands"] for row in rows}) == 1
    assert sum(row["wins"] - row["losses"] for row in rows) == 0
    assert [row["elo"] for row in rows] == sorted((row["elo"] for row in rows), reverse=True)
    assert abs(sum(row["points_per_hand"] for row in rows)) < 0.1
