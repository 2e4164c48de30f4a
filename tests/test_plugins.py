"""Plugins as files and as installed packages: what they register, and how each way of being broken is told."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spades_harness.cli.opening import registered
from spades_harness.errors import UserError
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.plugins import load_bot, load_registry
from spades_harness.tournament.file.bots import find_bot, unbuilt_player
from spades_harness.tournament.guests import BrokenPlugin
from spades_harness.tournament.registry import Registry, Trouble

BOT = """
from spades_harness import hookimpl
from spades_bot import Bot

class {name}(Bot):
    def bid(self, request):
        return 2

    def play(self, request):
        return request.legal[0]

@hookimpl
def spades_register_bots():
    return {{"{name}": {name}}}
"""
ALL_KINDS = """
from spades_harness import hookimpl
from spades_harness.game.rules import Rules

@hookimpl
def spades_register_rules():
    return {"fast": Rules(target=100)}

@hookimpl
def spades_register_schedules():
    def nobody(entrants, options, results, /):
        return ()
    return {"nobody": nobody}

@hookimpl
def spades_register_ratings():
    return {"flat": lambda *args: ()}
"""


@pytest.fixture(autouse=True)
def forgets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test loads is gone when it ends."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith(("spades_file_", "third_")):
            del sys.modules[name]


def write(path: Path, code: str) -> Path:
    """A plugin file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(code, encoding="utf-8")
    return path


def install(site: Path, package: str, module: str, code: str, version: str = "1.0") -> None:
    """A package as pip leaves it: a module, and the metadata that declares its entry point."""
    write(site / f"{module}.py", code)
    info = site / f"{package.replace('-', '_')}-{version}.dist-info"
    write(info / "METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    write(info / "entry_points.txt", f"[spades_harness]\n{module} = {module}\n")


def troubles(registry: Registry) -> list[str]:
    """What was set aside and why, as it is printed."""
    return [str(trouble) for trouble in registry.problems]


# --------------------------------------------------------------------------------------------------- what is registered


def test_what_ships_comes_through_the_same_hooks_as_everything_else() -> None:
    registry = load_registry()
    assert [*registry.bots] == ["threes"]
    assert registry.rules == PRESETS
    assert [*registry.schedules] == ["adaptive", "gauntlet", "knockout", "ladder", "mixer", "round_robin", "swiss"]
    assert [*registry.ratings] == ["elo", "elo_k"]
    assert registry.problems == ()


def test_a_plugin_file_registers_a_bot(tmp_path: Path) -> None:
    registry = load_registry([write(tmp_path / "p.py", BOT.format(name="mine"))])
    bot = registry.bots["mine"]
    assert bot.factory().bid(None) == 2
    assert (bot.plugin, bot.file, bot.sources) == (str(tmp_path / "p.py"), tmp_path / "p.py", (tmp_path / "p.py",))
    assert registry.problems == ()


def test_a_plugin_file_registers_rules_schedules_and_ratings(tmp_path: Path) -> None:
    registry = load_registry([write(tmp_path / "p.py", ALL_KINDS)])
    assert registry.rules["fast"] == Rules(preset="fast", target=100)
    assert registry.schedules["nobody"]([], object(), ()) == ()  # type: ignore[arg-type]
    assert "flat" in registry.ratings


def test_an_installed_package_registers_a_bot_with_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "third-party", "third_party", BOT.format(name="mine"), version="2.5")
    monkeypatch.syspath_prepend(str(tmp_path))
    bot = load_registry().bots["mine"]
    assert (bot.plugin, bot.file, bot.version) == ("third-party 2.5 (third_party)", None, "2.5")
    assert bot.sources == (tmp_path / "third_party.py",)


def test_an_installed_package_is_seen_by_a_fresh_process(tmp_path: Path) -> None:
    install(tmp_path, "third-party", "third_party", BOT.format(name="mine"))
    code = "from spades_harness.plugins import load_registry; print(*load_registry(kinds=('bots',)).bots)"
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["mine", "threes"]


def test_all_modules_of_a_package_belong_to_its_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "third-pack", "third_pack/plugin", BOT.format(name="mine"))
    write(tmp_path / "third_pack" / "__init__.py", "")
    write(tmp_path / "third_pack" / "search.py", "depth = 3\n")
    write(tmp_path / "third_pack-1.0.dist-info" / "entry_points.txt", "[spades_harness]\nx = third_pack.plugin\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def content() -> str:
        return unbuilt_player(find_bot("mine", tmp_path, load_registry())).content

    assert {path.name for path in load_registry().bots["mine"].sources} == {"__init__.py", "plugin.py", "search.py"}
    before = content()
    write(tmp_path / "third_pack" / "search.py", "depth = 4\n")
    assert content() != before


def test_a_plugin_file_finds_its_siblings_and_hides_nobody_elses(tmp_path: Path) -> None:
    write(tmp_path / "json.py", "raise ImportError('not this one')\n")
    write(tmp_path / "third_sibling.py", "DEPTH = 3\n")
    code = "import json\nimport third_sibling\nassert third_sibling.DEPTH == 3\n" + BOT.format(name="mine")
    assert troubles(load_registry([write(tmp_path / "p.py", code)])) == []


def test_a_plugin_file_that_is_named_twice_is_one_plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "p.py", BOT.format(name="mine"))
    monkeypatch.chdir(tmp_path)
    registry = load_registry([path, "p.py", "../" + tmp_path.name + "/p.py"])
    assert "mine" in registry.bots
    assert registry.problems == ()


def test_two_plugin_files_of_one_name_are_two_plugins(tmp_path: Path) -> None:
    files = [write(tmp_path / name / "p.py", BOT.format(name=name)) for name in ("a", "b")]
    assert {"a", "b"} <= set(load_registry(files).bots)


def test_pg_07_a_bot_is_made_anew_for_every_seat(tmp_path: Path) -> None:
    factory = load_registry([write(tmp_path / "p.py", BOT.format(name="mine"))]).bots["mine"].factory
    assert factory() is not factory()


def test_pg_03_nothing_depends_on_the_order_in_which_plugins_come(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{name}.py", BOT.format(name=name)) for name in ("cc", "aa", "bb")]
    seen = [load_registry(order) for order in (files, files[::-1])]
    assert [*seen[0].bots] == [*seen[1].bots] == ["aa", "bb", "cc", "threes"]


def test_what_a_plugin_prints_spoils_no_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load_registry([write(tmp_path / "p.py", "print('hello')\n" + BOT.format(name="mine"))])
    assert capsys.readouterr() == ("", "hello\n")


# ------------------------------------------------------------------------------------------------------- what is broken


def test_pg_01_a_broken_plugin_is_named_and_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "a-bots", "third_a", BOT.format(name="first"))
    install(tmp_path, "b-bots", "third_b", "import does_not_exist\n")
    install(tmp_path, "c-bots", "third_c", BOT.format(name="last"))
    monkeypatch.syspath_prepend(str(tmp_path))
    registry = load_registry()
    assert [*registry.bots] == ["first", "last", "threes"]
    (line,) = troubles(registry)
    assert line == (
        "plugin b-bots 1.0 (third_b): cannot be loaded: "
        "ModuleNotFoundError: No module named 'does_not_exist' (third_b.py, line 1)"
    )


def test_pg_01_what_uses_a_broken_plugin_fails_with_that_cause(tmp_path: Path) -> None:
    registry = load_registry([write(tmp_path / "p.py", "import does_not_exist\n")])
    with pytest.raises(
        UserError, match=r"no bot 'mine'; set aside: plugin .*p\.py: cannot be loaded: ModuleNotFoundError"
    ):
        find_bot("mine", tmp_path, registry)
    assert find_bot("counter", tmp_path, registry).name == "counter"


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("x = 1\ndef f(:\n", "cannot be loaded: SyntaxError: invalid syntax (p.py, line 2)"),
        ("raise SystemExit(3)\n", "cannot be loaded: SystemExit: 3 (p.py, line 1)"),
        ("1 / 0\n", "cannot be loaded: ZeroDivisionError: division by zero (p.py, line 1)"),
        ("raise ValueError('a\\nb\\n' + 'c' * 1000)\n", "cannot be loaded: ValueError: a b ccc"),
        ("raise ValueError\n", "cannot be loaded: ValueError: no message (p.py, line 1)"),
        ("x = 1\n", "implements no hook; mark its hooks with @hookimpl (from spades_harness import hookimpl)"),
    ],
)
def test_a_plugin_that_cannot_be_loaded_is_told_in_one_line(tmp_path: Path, code: str, why: str) -> None:
    (line,) = troubles(load_registry([write(tmp_path / "p.py", code)]))
    assert line.startswith(f"plugin {tmp_path / 'p.py'}: {why}")
    assert "\n" not in line
    assert len(line) < 600


HOOK = "from spades_harness import hookimpl\n\n@hookimpl\ndef "
MISFITS = {
    "spades_botz():\n    return []\n": "there is no hook spades_botz",
    "spades_register_bot():\n    return {}\n": (
        "there is no hook spades_register_bot; did you mean 'spades_register_bots'?"
    ),
    "spades_register_rules(config):\n    return {}\n": (
        "spades_register_rules does not fit the hook, which takes no arguments"
    ),
}


@pytest.mark.parametrize(("code", "why"), MISFITS.items())
def test_pg_09_a_hook_that_does_not_fit_is_told_and_the_plugin_set_aside(tmp_path: Path, code: str, why: str) -> None:
    files = [
        write(tmp_path / "p.py", BOT.format(name="mine") + HOOK + code),
        write(tmp_path / "q.py", BOT.format(name="other")),
    ]
    registry = load_registry(files)
    (line,) = troubles(registry)
    assert line.startswith(f"plugin {tmp_path / 'p.py'}: {why}")
    assert [*registry.bots] == ["other", "threes"]


HALF_A_LAUNCHER = """launchers():
    wanted = ("objection", "enclose", "members", "freeze", "thaw", "end")
    return {"a": type("Own", (), dict.fromkeys(wanted, print))}
"""


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("bots():\n    return [1]\n", "spades_register_bots must return a mapping of names, not list"),
        (
            "bots():\n    return {'a.b': object}\n",
            "spades_register_bots: the name 'a.b' must be letters, digits, _ and -",
        ),
        ("bots():\n    return {3: object}\n", "spades_register_bots: the name 3 must be letters"),
        ("bots():\n    return {'a': 3}\n", "spades_register_bots: a must be a class or a function, not int"),
        ("bots():\n    return {'a': object}\n", "spades_register_bots: the bot a has no method bid and no play"),
        (
            "bots():\n    import spades_bot\n    return {'a': spades_bot.Bot}\n",
            "spades_register_bots: the bot a has no method bid and no play",
        ),
        ("bots():\n    1 / 0\n", "spades_register_bots fails: ZeroDivisionError: division by zero (p.py, line 5)"),
        ("rules():\n    return {'a': {'target': 3}}\n", "spades_register_rules: a must be Rules, not dict"),
        (
            HALF_A_LAUNCHER,
            "spades_register_launchers: the launcher a has no method shows and no trouble",
        ),
        (
            "schedules():\n    return {'a': None}\n",
            "spades_register_schedules: a must be a class or a function, not NoneType",
        ),
        (
            "rules():\n    from spades_harness.game.rules import Rules\n    return {'a': Rules(target=0)}\n",
            "spades_register_rules fails: RulesError: rules: target must be a whole number",
        ),
    ],
)
def test_a_hook_that_returns_nonsense_is_told_and_the_plugin_set_aside(tmp_path: Path, body: str, why: str) -> None:
    registry = load_registry([write(tmp_path / "p.py", HOOK + "spades_register_" + body)])
    (line,) = troubles(registry)
    assert line.startswith(f"plugin {tmp_path / 'p.py'}: {why}")
    assert "a" not in registry.bots


def test_a_hook_that_returns_nothing_registers_nothing(tmp_path: Path) -> None:
    registry = load_registry([write(tmp_path / "p.py", HOOK + "spades_register_bots():\n    return None\n")])
    assert [*registry.bots] == ["threes"]


def test_a_name_that_two_plugins_claim_is_nobodys_and_both_are_named(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{name}.py", BOT.format(name="smart")) for name in ("p", "q")]
    for order in (files, files[::-1]):
        registry = load_registry(order)
        assert [*registry.bots] == ["threes"]
        p, q = map(str, files)
        assert troubles(registry) == [
            f"plugin {p}: registers the bot 'smart', and so does {q}; none of them is used",
            f"plugin {q}: registers the bot 'smart', and so does {p}; none of them is used",
        ]
        with pytest.raises(
            UserError, match=r"no bot 'smart'; set aside: plugin .*p\.py: registers the bot 'smart', and so does"
        ):
            find_bot("smart", tmp_path, registry)


@pytest.mark.parametrize("name", ["threes", "counter"])
def test_a_plugin_cannot_take_the_name_of_a_bot_that_ships(tmp_path: Path, name: str) -> None:
    registry = load_registry([write(tmp_path / "p.py", BOT.format(name=name))])
    assert troubles(registry) == [
        f"plugin {tmp_path / 'p.py'}: registers the bot {name!r}, which is the name of one that ships; choose another"
    ]
    assert registry.bots.get(name) == load_registry().bots.get(name)


def test_a_plugin_cannot_change_the_rules_that_ship(tmp_path: Path) -> None:
    registry = load_registry([write(tmp_path / "p.py", ALL_KINDS.replace("fast", "classic"))])
    assert registry.rules["classic"] == Rules()
    assert "registers the rules 'classic', which is the name of one that ships" in troubles(registry)[0]


def test_a_plugin_file_that_is_not_there_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"plugin nowhere\.py: no such file"):
        load_registry(["nowhere.py"])


def test_a_folder_as_a_plugin_file_is_called_a_folder(tmp_path: Path) -> None:
    why = r"plugin .*: a folder; name the \.py file in it$"
    with pytest.raises(UserError, match=why):
        load_registry([tmp_path])
    with pytest.raises(UserError, match=f"^--{why}"):
        registered([tmp_path])


def test_of_an_error_of_syntax_nothing_is_told_but_the_file_and_the_line(tmp_path: Path) -> None:
    write(tmp_path / "helper.py", "\n\nx = (\n")
    for code in ("import helper\n", "\n\nx = (\n"):
        (line,) = troubles(load_registry([write(tmp_path / f"p{len(code)}.py", code)]))
        assert "py, line 3)" in line
        assert "frozen" not in line


def test_a_plugin_file_must_be_python(tmp_path: Path) -> None:
    (line,) = troubles(load_registry([write(tmp_path / "p.txt", "hello")]))
    assert "cannot be loaded: ImportError" in line
    assert "is no Python file (.py)" in line


def test_what_ships_and_is_broken_is_no_plugins_trouble_but_a_fault_of_the_harness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "spades_harness.builtin", None)
    with pytest.raises(BrokenPlugin, match="cannot be loaded: ModuleNotFoundError"):
        load_registry()


def test_a_trouble_without_names_may_be_the_cause_of_any_missing_name_and_one_with_names_only_of_those() -> None:
    registry = Registry(problems=(Trouble("p 1", "broken"), Trouble("q 2", "clash", frozenset({"smart"}))))
    assert registry.missing("smart", ["start"]) == "; set aside: plugin q 2: clash"
    assert registry.missing("strat", ["start"]) == "; did you mean 'start'?"
    assert registry.missing("zzz", ["start"]) == "; set aside: plugin p 1: broken"


# -------------------------------------------------------------------------------------------------------------- one bot


def test_one_bot_is_found_in_its_file_or_among_what_is_installed(tmp_path: Path) -> None:
    path = write(tmp_path / "p.py", BOT.format(name="mine"))
    assert load_bot("mine", [path])().bid(None) == 2
    assert load_bot("threes")().NAME == "threes"


def test_one_bot_that_nobody_registers_is_told_with_what_was_set_aside(tmp_path: Path) -> None:
    path = write(tmp_path / "p.py", "import does_not_exist\n")
    with pytest.raises(
        UserError, match=r"no plugin registers the bot 'mine'; plugin .*: cannot be loaded: ModuleNotFound"
    ):
        load_bot("mine", [path])


def test_the_manager_the_marks_and_the_entry_points_have_one_name() -> None:
    from spades_harness import hookimpl, plugins

    assert plugins.GROUP == hookimpl.project_name == "spades_harness"
