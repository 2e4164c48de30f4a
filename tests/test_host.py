"""A plugin bot in a process of its own: it speaks like any other bot, loads little, and says why it can't start."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from spades_harness.table.launch import command_line, environment
from spades_harness.table.match import Plugin

HELLO = {"type": "hello", "protocol": [1, 1], "harness": "test"}
PLUGIN = """
import os
print("loading")
os.write(1, b"and past Python")
from spades_harness import hookimpl
from spades_bot import Bot

class Mine(Bot):
    NAME = "mine"

    def bid(self, request):
        return 2

    def play(self, request):
        return request.legal[0]

@hookimpl
def spades_register_bots():
    return {"mine": Mine}
"""


def host(plugin: Plugin, *lines: object) -> subprocess.CompletedProcess[str]:
    """A plugin bot's process, started as a match starts it, fed these messages and then the end of input."""
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return run(command_line(plugin), environment(plugin), text)


def run(argv: Sequence[str], env: Mapping[str, str], text: str) -> subprocess.CompletedProcess[str]:
    """A process, to its end."""
    return subprocess.run(argv, env=env, input=text, capture_output=True, text=True, timeout=60, check=False)


def test_a_bot_that_ships_as_a_plugin_speaks_like_any_other() -> None:
    done = host(Plugin("threes"), HELLO)
    assert (done.returncode, done.stderr) == (0, "")
    hello = json.loads(done.stdout)
    assert (hello["type"], hello["name"], hello["protocol"]) == ("hello", "threes", 1)


def test_a_bot_of_a_plugin_file_speaks_and_what_the_file_prints_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "my plugin.py").write_text(PLUGIN, encoding="utf-8")
    done = host(Plugin("mine", (str(tmp_path / "my plugin.py"),)), HELLO)
    assert json.loads(done.stdout)["name"] == "mine"
    assert "loading" in done.stderr
    assert "and past Python" in done.stderr


@pytest.mark.parametrize(
    ("plugin", "why"),
    [
        (Plugin("nobody"), "no plugin registers the bot 'nobody'"),
        (Plugin("mine", ("nowhere.py",)), "nowhere.py: no such file"),
    ],
)
def test_a_bot_that_cannot_be_loaded_says_so_in_one_line(plugin: Plugin, why: str) -> None:
    done = host(plugin, HELLO)
    assert done.returncode == 1
    assert done.stdout == ""
    assert why in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_broken_plugin_file_is_named_with_its_error(tmp_path: Path) -> None:
    (tmp_path / "p.py").write_text("import does_not_exist\n", encoding="utf-8")
    done = host(Plugin("mine", (str(tmp_path / "p.py"),)), HELLO)
    assert done.returncode == 1
    assert "No module named 'does_not_exist' (p.py, line 1)" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bots_process_loads_nothing_that_a_bot_does_not_need() -> None:
    code = "import sys; from spades_harness.host import main; main(['threes']); print(*sys.modules, file=sys.stderr)"
    env = {**environment(Plugin("threes")), "PYTHONPATH": os.pathsep.join(sys.path)}
    loaded = set(run([sys.executable, "-c", code], env, "").stderr.split())
    assert "pluggy" in loaded
    assert not loaded & {"trio", "msgspec", "numpy", "yaml", "typer", "rich", "importlib.metadata", "asyncio"}


def test_a_bot_of_a_package_on_the_pythonpath_is_found_by_its_process_too(tmp_path: Path) -> None:
    (tmp_path / "third_mine.py").write_text(PLUGIN, encoding="utf-8")
    (tmp_path / "mine-1.0.dist-info").mkdir()
    (tmp_path / "mine-1.0.dist-info" / "METADATA").write_text("Name: mine\nVersion: 1.0\n", encoding="utf-8")
    entry = "[spades_harness]\nmine = third_mine\n"
    (tmp_path / "mine-1.0.dist-info" / "entry_points.txt").write_text(entry, encoding="utf-8")
    plugin = Plugin("mine")
    env = environment(plugin, {**os.environ, "PYTHONPATH": str(tmp_path)})
    done = run(command_line(plugin), env, json.dumps(HELLO) + "\n")
    assert json.loads(done.stdout)["name"] == "mine"
