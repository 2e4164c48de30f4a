"""What a machine elsewhere has to have for a run, and how what it lacks is told."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from spades_harness.cli.opening import open_tournament
from spades_harness.cli.outfitting import fitting, kits_of, noting
from spades_harness.errors import UserError
from spades_harness.table.match import Command
from spades_harness.tournament.execution.executors import Fit
from spades_harness.tournament.execution.kits import Kit
from spades_harness.tournament.file.bots import Bot, unbuilt_player

PLUGIN = "from spades_harness import hookimpl\n\n@hookimpl\ndef spades_register_rules():\n    return {}\n"


def prepared(folder: Path, *bots: dict[str, object], **more: object) -> tuple[Fit, tuple[Kit, ...]]:
    """What goes to each worker of a run of these bots and a plugin's."""
    entries = [*bots, {"name": "bob", "plugin": "threes"}, {"name": "cat", "plugin": "threes"}]
    (folder / "t.yaml").write_text(json.dumps({"name": "t", "seed": 1, "bots": entries, **more}), encoding="utf-8")
    opened = open_tournament(str(folder / "t.yaml"), None, ())
    noted: dict[str, Bot] = {}
    kits = kits_of(opened.roster(noting(unbuilt_player, noted)).entrants, noted)
    return fitting(opened, kits), kits


def script(folder: Path, first_line: str) -> dict[str, object]:
    """A bot that is a script, run by whatever its first line names."""
    (folder / "bot").mkdir()
    (folder / "bot" / "go").write_text(f"{first_line}\n", encoding="utf-8")
    (folder / "bot" / "go").chmod(0o755)
    return {"name": "ann", "command": ["./go"], "dir": "bot"}


@pytest.mark.skipif(sys.platform == "win32", reason="scripts have no first lines there")
@pytest.mark.parametrize("line", ["#!/usr/bin/env odd", "#!/usr/bin/env -S odd --fast", "#! {}/odd", "#!{}/odd -x"])
def test_what_a_script_runs_on_has_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    odd = tmp_path / "programs" / "odd"
    odd.parent.mkdir()
    odd.touch(0o755)
    monkeypatch.setenv("PATH", str(odd.parent))
    fit, kits = prepared(tmp_path, script(tmp_path, line.format(odd.parent)))
    assert [player.name for player in fit(kits)] == ["ann", "bob", "cat"]
    odd.unlink()
    with pytest.raises(UserError, match=r"^ann: there is no program '[^']*odd', which it is started with; install it$"):
        fit(kits)


@pytest.mark.skipif(sys.platform == "win32", reason="scripts have no first lines there")
def test_what_is_missing_at_home_too_is_the_bots_own_fault_and_refuses_no_worker(tmp_path: Path) -> None:
    fit, kits = prepared(tmp_path, script(tmp_path, "#!/no/such/program"))
    assert len(fit(kits)) == 3


def test_a_variable_that_a_bot_is_passed_has_to_be_set_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").touch()
    fit, kits = prepared(tmp_path, {"name": "ann", "bot": "./bot.py", "pass_env": ["ODD_KEY"]})
    monkeypatch.delenv("ODD_KEY", raising=False)
    with pytest.raises(UserError, match=r"^ann: pass_env: ODD_KEY is not set here"):
        fit(kits)
    monkeypatch.setenv("ODD_KEY", "1")
    assert len(fit(kits)) == 3


def test_a_sandbox_that_is_not_installed_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fit, kits = prepared(tmp_path, sandbox="bubblewrap")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"^bob: sandbox: bubblewrap: "):
        fit(kits)


def test_a_plugin_file_has_to_be_the_same_there(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(PLUGIN, encoding="utf-8")
    fit, kits = prepared(tmp_path, plugins=["own.py"])
    assert len(fit(kits)) == 2
    file.write_text(PLUGIN + "\n", encoding="utf-8")
    with pytest.raises(UserError, match="is not there, or is another: plugin files don't travel; use a shared disk"):
        fit(kits)


def test_a_bot_is_built_where_it_is_made_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPADES_CACHE", str(tmp_path / "cache"))
    (tmp_path / "bot").mkdir()
    make = "open('made', 'w').close()"
    (tmp_path / "bot" / "bot.yaml").write_text(
        json.dumps({"command": ["{python}", "made"], "build": ["{python}", "-c", make]}), encoding="utf-8"
    )
    fit, kits = prepared(tmp_path, {"name": "ann", "bot": "./bot"})
    launch = fit(kits)[0].launch
    assert isinstance(launch, Command)
    assert Path(launch.folder).is_relative_to(tmp_path / "cache" / "builds")
    assert (Path(launch.folder) / "made").exists()
    assert not (tmp_path / "bot" / "made").exists()
