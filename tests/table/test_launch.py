"""What a bot finds when it starts: its program, its folder, its environment; and what it can't find."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest
import trio

from spades_harness.table import belongings
from spades_harness.table.conversation import Ended
from spades_harness.table.launch import LaunchError, command_line, environment, fill, prepare, remove, sdk_folder
from spades_harness.table.match import Command, Plugin
from spades_harness.table.process import PortableBot

BOT = """
import json, os, sys
import helper
open("bot.log", "x").write("hi")
print(json.dumps({
    "weights": open("weights.txt").read(),
    "nested": open("data/table.txt").read(),
    "helper": helper.VALUE,
    "sdk": __import__("spades_bot").__name__,
    "cwd": os.getcwd(),
    "environment": dict(os.environ),
}))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A bot's folder with a script, a sibling, data, and a path that needs care."""
    bot = tmp_path / "my bots" / "ünder"
    (bot / "data").mkdir(parents=True)
    (bot / "bot.py").write_text(BOT)
    (bot / "helper.py").write_text("VALUE = 5\n")
    (bot / "weights.txt").write_text("0.5")
    (bot / "data" / "table.txt").write_text("1 2 3")
    return bot


def run(launch: Command) -> dict[str, Any]:
    """What the bot of the fixture finds."""
    ready = prepare(launch)
    try:
        done = subprocess.run(ready.argv, cwd=ready.folder, env=dict(ready.env), capture_output=True, check=True)
    finally:
        remove(ready.folder)
    found: dict[str, Any] = json.loads(done.stdout + done.stderr)  # the SDK sends prints to standard error
    return found


def files(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*") if file.is_file()}


# ----------------------------------------------------------------------------------------------------- working folder


def test_a_bot_finds_its_files_its_siblings_and_the_sdk_wherever_the_harness_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PL-16."""
    for here in (Path(folder.anchor), folder):
        monkeypatch.chdir(here)
        found = run(Command(("{python}", "bot.py"), str(folder)))
        assert [found[key] for key in ("weights", "nested", "helper", "sdk")] == ["0.5", "1 2 3", 5, "spades_bot"]


def test_what_a_bot_writes_stays_out_of_its_folder_and_out_of_the_way_of_its_copies(folder: Path) -> None:
    """PL-17: the second copy opens a log that must not be there, and finds none."""
    before = files(folder)
    first, second = (run(Command(("{python}", "bot.py"), str(folder))) for _ in range(2))
    assert first["cwd"] != second["cwd"]
    assert files(folder) == before


def test_logs_and_runs_that_lie_beside_a_bot_stay_out_of_its_sight(folder: Path, tmp_path: Path) -> None:
    (folder / "bot.log").write_text("by hand")
    (folder / "runs" / "demo").mkdir(parents=True)
    (folder / "runs" / "demo" / "ledger.sqlite").write_text("the secret of the deals")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    fill(scratch, folder)
    assert not {"bot.log", "runs"} & {entry.name for entry in scratch.iterdir()}
    assert list(scratch.iterdir())


def filled(folder: Path, tmp_path: Path) -> Path:
    """A working folder with what belongs to the bot of this folder."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    fill(scratch, folder)
    return scratch


def test_a_bot_finds_nothing_that_its_content_does_not_tell(folder: Path, tmp_path: Path) -> None:
    """At any depth: what two runs could see differently while the bot's content is one."""
    left = ("__pycache__/helper.pyc", ".git/HEAD", "bot.py~", "bot.log", "t.yaml", "runs/ledger.sqlite")
    for name in (*left, *(f"data/{name}" for name in left), "ledger.sqlite", "runs/deep/b/ledger.sqlite"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("bots: [{name: rival, bot: steady}]\n")
    (folder / "data" / "brain.pyc").write_text("code")
    scratch = filled(folder, tmp_path)
    assert set(files(scratch)) == {"bot.py", "helper.py", "weights.txt", "data/table.txt", "data/brain.pyc"}
    assert not {"__pycache__", ".git", "runs"} & {entry.name for entry in scratch.rglob("*")}
    assert [leaf.name for leaf in belongings.files(belongings.belongings(folder).root)] == sorted(files(scratch))


def test_a_folder_that_is_all_the_bots_is_one_link_and_an_empty_one_is_the_working_folders_own(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "out").mkdir()
    scratch = filled(folder, tmp_path)
    assert (scratch / "data").is_symlink()
    (scratch / "out" / "notes.txt").write_text("mine")
    assert list((folder / "out").iterdir()) == []


def test_a_command_finds_the_python_environment_of_its_folder(folder: Path, tmp_path: Path) -> None:
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (folder / ".venv" / "bin" / "tool").write_text("#!/bin/sh\n")
    assert (filled(folder, tmp_path) / ".venv" / "bin" / "tool").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows asks for a privilege to make links")
def test_a_link_that_leads_round_leads_round_in_the_working_folder(folder: Path, tmp_path: Path) -> None:
    (folder / "bot.log").write_text("by hand")
    (folder / "round").symlink_to(folder)
    (folder / "data" / "up").symlink_to("..")
    scratch = filled(folder, tmp_path)
    assert (scratch / "round").resolve() == (scratch / "data" / "up").resolve() == scratch
    assert not (scratch / "data" / "up" / "bot.log").exists()


def test_a_folder_with_more_than_any_bot_has_is_shown_all_the_same(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build may have made it; what is no longer looked into is one link."""
    monkeypatch.setattr(belongings, "MAX_FILES", 1)
    (folder / "data" / "x.log").write_text("by hand")
    scratch = filled(folder, tmp_path)
    assert (scratch / "data").is_symlink()
    assert {entry.name for entry in scratch.iterdir()} == {"bot.py", "helper.py", "weights.txt", "data"}


def test_where_links_cannot_be_made_a_bot_gets_copies(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(1314, "A required privilege is not held by the client")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    before = files(folder)
    assert run(Command(("{python}", "bot.py"), str(folder)))["nested"] == "1 2 3"
    assert files(folder) == before


def test_the_working_folder_goes_and_what_its_links_point_to_stays(folder: Path) -> None:
    before = files(folder)
    ready = prepare(Command(("{python}", "bot.py"), str(folder)))
    assert {entry.name for entry in ready.folder.iterdir()} == {"bot.py", "helper.py", "weights.txt", "data"}
    remove(ready.folder)
    assert not ready.folder.exists()
    assert files(folder) == before


def test_a_folder_that_is_gone_is_one_line_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with pytest.raises(LaunchError, match=r"^the bot's folder .*gone cannot be read: No such file") as error:
        prepare(Command(("{python}", "bot.py"), str(tmp_path / "gone")))
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


EXHAUSTED = ["EMFILE", "ENFILE", "EAGAIN", "ENOMEM", "ENOSPC", "EDQUOT", "EIO"]
"""What the harness's machine can run out of."""


def without_links(monkeypatch: pytest.MonkeyPatch, number: int, broken: str) -> None:
    """Links can't be made, and copying fails with this number: `source` or `target` is the file that it is about."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(1314, "A required privilege is not held by the client")

    def fail(source: Path, target: Path) -> None:
        raise OSError(number, os.strerror(number), str({"source": source, "target": target}[broken]))

    monkeypatch.setattr(Path, "symlink_to", refuse)
    monkeypatch.setattr(shutil, "copy2", fail)


@pytest.mark.parametrize("name", EXHAUSTED)
@pytest.mark.parametrize("broken", ["source", "target"])
def test_a_machine_that_has_run_out_of_something_is_no_fault_of_the_folder(
    name: str, broken: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_links(monkeypatch, getattr(errno, name), broken)
    with pytest.raises(OSError, match=os.strerror(getattr(errno, name))):
        prepare(Command(("{python}", "bot.py"), str(folder)))


def test_a_file_that_may_not_be_read_is_the_bot_s_and_one_that_may_not_be_written_the_harness_s(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_links(monkeypatch, errno.EACCES, "source")
    with pytest.raises(LaunchError, match="cannot be read: Permission denied"):
        prepare(Command(("{python}", "bot.py"), str(folder)))
    without_links(monkeypatch, errno.EACCES, "target")
    with pytest.raises(PermissionError):
        prepare(Command(("{python}", "bot.py"), str(folder)))


# ------------------------------------------------------------------------------------------------------- command line


def test_python_in_braces_is_the_harness_s_own_interpreter_wherever_it_stands() -> None:
    launch = Command(("{python}", "--with={python}", "bot.py"), "/")
    assert command_line(launch) == (sys.executable, f"--with={sys.executable}", "bot.py")


def test_a_plugin_s_bot_is_played_by_its_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    line = command_line(Plugin("threes", ("mine.py", "/other.py")))
    mine, other = str(tmp_path / "mine.py"), str(Path("/other.py").absolute())
    assert line == (sys.executable, "-m", "spades_harness.host", "threes", "--plugin", mine, "--plugin", other)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ((), "the command is empty"),
        (("no-such-program", "x"), "cannot start 'no-such-program': no such program on the PATH"),
        (("./bot", "x"), "cannot start './bot' in {folder}: there is no such file"),
        (("/no/such/bot",), "cannot start '/no/such/bot': there is no such file"),
    ],
)
def test_a_program_that_is_not_there_is_one_line(argv: tuple[str, ...], words: str, folder: Path) -> None:
    with pytest.raises(LaunchError) as error:
        prepare(Command(argv, str(folder)))
    assert str(error.value).startswith(words.replace("{folder}", str(folder)))
    assert "\n" not in str(error.value)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows programs by their suffix")
def test_a_program_in_the_bot_s_folder_is_started_by_its_path_from_there(folder: Path) -> None:
    script = folder / "data" / "run"
    script.write_text('#!/bin/sh\nprintf \'{"weights":"%s","argument":"%s"}\' "$(cat weights.txt)" "$1"\n')
    script.chmod(0o755)
    found = run(Command(("./data/run", "a b; exit 1"), str(folder)))
    assert found == {"weights": "0.5", "argument": "a b; exit 1"}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows programs by their suffix")
@pytest.mark.parametrize(
    ("text", "mode", "words"),
    [
        ("#!/bin/sh\n", 0o644, "it is not executable; chmod +x it, or put its interpreter in front"),
        ("print(3)\n", 0o755, "it is no program; a script needs a line #!… or its interpreter in front"),
        ("#!/no/such/python\n", 0o755, "the interpreter that its first line names is not there"),
    ],
)
async def test_a_program_that_the_system_refuses_is_one_line_with_the_cure(
    text: str, mode: int, words: str, folder: Path
) -> None:
    script = folder / "run"
    script.write_text(text)
    script.chmod(mode)
    async with trio.open_nursery() as nursery:
        bot = PortableBot(Command(("./run",), str(folder)), nursery, lambda _: None)
        refused = await bot.start()
        await bot.kill()
    assert isinstance(refused, Ended)
    assert refused.how == f"cannot start './run' in {folder}: {words}"


async def started_while_popen_fails(number: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Ended | None:
    """How a bot starts when the system answers with this error."""

    def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(subprocess, "Popen", fail)
    try:
        async with trio.open_nursery() as nursery:
            bot = PortableBot(Command(("{python}", "bot.py"), str(folder)), nursery, lambda _: None)
            try:
                return await bot.start()
            finally:
                await bot.kill()
    except BaseExceptionGroup as group:
        raise group.exceptions[0] from None


@pytest.mark.parametrize("name", EXHAUSTED)
async def test_a_system_that_has_run_out_of_something_makes_no_fault_of_a_bot_s(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OSError, match=os.strerror(getattr(errno, name))):
        await started_while_popen_fails(getattr(errno, name), folder, monkeypatch)


@pytest.mark.parametrize("name", ["ENOENT", "EACCES", "EPERM", "ENOEXEC", "ENOTDIR", "EISDIR", "E2BIG", "EINVAL"])
async def test_what_the_system_says_of_the_bot_s_own_program_is_the_bot_s_fault(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = await started_while_popen_fails(getattr(errno, name), folder, monkeypatch)
    assert isinstance(refused, Ended)
    assert refused.how.startswith("cannot start ")


# -------------------------------------------------------------------------------------------------------- environment


def test_a_bot_gets_a_clean_environment_and_what_its_entry_gives() -> None:
    inherited = {"PATH": "/bin", "HOME": "/home/me", "LC_ALL": "C", "SECRET_TOKEN": "x", "PYTHONPATH": "/mine"}
    given = environment(Command(("bot",), "/", (("MODEL", "small"), ("HOME", "/tmp"))), inherited)
    assert given["PATH"] == "/bin"
    assert given["LC_ALL"] == "C"
    assert given["HOME"] == "/tmp"
    assert given["MODEL"] == "small"
    assert "SECRET_TOKEN" not in given
    assert given["PYTHONPATH"] == str(sdk_folder())
    assert given["PYTHONUNBUFFERED"] == "1"


def test_a_bot_s_own_python_path_comes_after_the_sdk() -> None:
    given = environment(Command(("bot",), "/", (("PYTHONPATH", "lib"),)), {})
    assert given["PYTHONPATH"] == os.pathsep.join([str(sdk_folder()), "lib"])
    assert given["PATH"] == os.defpath


def test_a_plugin_s_host_finds_the_harness_even_if_it_is_not_installed() -> None:
    given = environment(Plugin("threes"), {})
    assert (Path(given["PYTHONPATH"].split(os.pathsep)[1]) / "spades_harness" / "host.py").exists()


def test_the_sdk_s_folder_gives_a_bot_the_sdk_and_nothing_else() -> None:
    suffixes = (".py", sysconfig.get_config_var("EXT_SUFFIX"))
    entries = [entry for entry in sdk_folder().iterdir() if entry.name.endswith(suffixes) or (entry.is_dir())]
    assert [entry.name for entry in entries if entry.name != "__pycache__"] == ["spades_bot.py"]


def test_the_real_environment_of_a_bot_holds_nothing_but_what_is_known(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    found = run(Command(("{python}", "bot.py"), str(folder), (("MODEL", "small"),)))["environment"]
    assert "SECRET_TOKEN" not in found
    assert found["MODEL"] == "small"
    assert found["PYTHONDONTWRITEBYTECODE"] == "1"


def test_a_set_of_cards_comes_in_the_same_order_in_every_process(folder: Path) -> None:
    (folder / "bot.py").write_text("import json; print(json.dumps({'order': list({*map(str, range(40))})}))")
    launch = Command(("{python}", "bot.py"), str(folder))
    assert run(launch) == run(launch)


def test_a_read_only_bot_folder_serves(folder: Path) -> None:
    folder.chmod(stat.S_IREAD | stat.S_IEXEC)
    try:
        assert run(Command(("{python}", "bot.py"), str(folder)))["helper"] == 5
    finally:
        folder.chmod(0o755)


# ---------------------------------------------------------------------------------------------- what is passed by name


def test_a_variable_is_passed_by_its_name_alone_and_shown_nowhere(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SE-01: one that is not named isn't there, whatever it is called."""
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
    monkeypatch.setenv("GITHUB_TOKEN", "y")
    launch = prepare(Command(("{python}", "bot.py"), str(folder)), ("GITHUB_TOKEN", "NOT_SET"))
    remove(launch.folder)
    assert launch.env["GITHUB_TOKEN"] == "y"
    assert not {"AWS_SECRET_ACCESS_KEY", "NOT_SET"} & launch.env.keys()
    assert launch.secrets == {"GITHUB_TOKEN"}
    assert "'y'" not in repr(launch)


def test_where_start_scripts_look_for_what_they_run_on_is_told_and_nothing_of_the_shell_s_own(folder: Path) -> None:
    shell = {
        "JAVA_HOME": "/opt/jdk",
        "DOTNET_ROOT": "/opt/dotnet",
        "CONDA_PREFIX": "/opt/conda",
        "NODE_OPTIONS": "-r x",
    }
    found = environment(Command(("{python}",), str(folder)), {"PATH": "/bin", **shell})
    assert {name: value for name, value in found.items() if name in shell} == {
        "JAVA_HOME": "/opt/jdk",
        "DOTNET_ROOT": "/opt/dotnet",
    }


@pytest.mark.skipif(sys.platform == "win32", reason="Windows passes no descriptors on")
async def test_a_bot_without_a_box_inherits_nothing_that_is_open_either(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import os, sys\n"
        "def is_open(fd):\n"
        "    try: return bool(os.fstat(fd))\n"
        "    except OSError: return False\n"
        "sys.exit(0 if [fd for fd in range(256) if is_open(fd)] == [0, 1, 2] else 9)\n"
    )
    with (tmp_path / "held").open("w") as held:
        os.set_inheritable(held.fileno(), True)
        os.dup2(held.fileno(), 200)
        try:
            async with trio.open_nursery() as nursery:
                bot = PortableBot(Command(("{python}", "bot.py"), str(tmp_path)), nursery, lambda _: None)
                await bot.start()
                ended = await bot.next_line(trio.current_time() + 60)
                await bot.kill()
        finally:
            os.close(200)
    assert isinstance(ended, Ended)
    assert ended.how == "exited with code 0"
