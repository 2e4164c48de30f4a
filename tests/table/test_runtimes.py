"""What a command line needs to read of a machine, told from its files: environments, pyenv, conda, JDKs; no more."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spades_harness.table.runtimes import runtimes

if sys.platform == "win32":
    pytest.skip("what is shown is shown to boxes, and boxes are for Linux", allow_module_level=True)


def program(path: Path, text: str = "#!/bin/true\n") -> Path:
    """A file that can be started."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def runtime(folder: Path, name: str, mark: str = "lib") -> Path:
    """A runtime with a program of this name in its `bin`."""
    (folder / mark).mkdir(parents=True)
    return program(folder / "bin" / name)


def shown(*argv: object, path: str = "/nowhere") -> set[str]:
    return {str(each) for each in runtimes([str(word) for word in argv], path)} - {"/bin/true", "/usr/bin/true"}


@pytest.mark.parametrize(("name", "mark"), [("java", "lib"), ("python", "conda-meta"), ("node", "lib64")])
def test_an_interpreter_is_shown_with_the_folder_that_it_belongs_to(tmp_path: Path, name: str, mark: str) -> None:
    assert shown(runtime(tmp_path / "jdk", name, mark)) == {str(tmp_path / "jdk")}


def test_an_environment_is_shown_with_the_python_that_it_stands_on(tmp_path: Path) -> None:
    base = runtime(tmp_path / "versions" / "3.11", "python3.11")
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    (venv / "bin" / "python").symlink_to("python3.11")
    (venv / "bin" / "python3.11").symlink_to(base)
    assert shown(venv / "bin" / "python") == {str(venv), str(tmp_path / "versions" / "3.11")}


def test_an_environment_of_copies_says_itself_what_it_stands_on(tmp_path: Path) -> None:
    base = runtime(tmp_path / "py", "python")
    copy = program(tmp_path / "venv" / "bin" / "python")
    (tmp_path / "venv" / "pyvenv.cfg").write_text(f"home = {base.parent}\n")
    assert shown(copy) == {str(tmp_path / "venv"), str(tmp_path / "py")}


def test_a_script_is_shown_with_the_interpreter_of_its_first_line(tmp_path: Path) -> None:
    ruby = runtime(tmp_path / "ruby", "ruby")
    for head in (f"#!{ruby} -w", "#!/usr/bin/env ruby", "#!/usr/bin/env -S ruby -w"):
        script = program(tmp_path / "bot", f"{head}\nputs 1\n")
        assert str(tmp_path / "ruby") in shown(script, path=str(ruby.parent))


def test_a_chooser_of_versions_is_shown_with_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "pyenv" / "versions").mkdir(parents=True)
    assert shown(program(tmp_path / "pyenv" / "shims" / "python")) == {str(tmp_path / "pyenv")}


def test_a_program_that_stands_alone_is_shown_alone(tmp_path: Path) -> None:
    assert shown(program(tmp_path / "engine")) == {str(tmp_path / "engine")}


@pytest.mark.parametrize("mark", [".ssh", ".bashrc", "ledger.sqlite", "bot.yaml"])
def test_a_home_a_run_and_a_bot_s_folder_are_no_runtimes(tmp_path: Path, mark: str) -> None:
    folder = tmp_path / "somebody"
    tool = runtime(folder, "tool")
    (folder / mark).mkdir()
    assert str(folder) not in shown(tool)


def test_neither_files_that_are_no_programs_nor_other_bots_programs_are_shown(tmp_path: Path) -> None:
    ledger = tmp_path / "run" / "ledger.sqlite"
    ledger.parent.mkdir()
    ledger.write_text("secret")
    rival = program(tmp_path / "rival" / "solver")
    (tmp_path / "rival" / "bot.yaml").write_text("command: [./solver]\n")
    assert shown(ledger) == set()
    assert shown(rival) == set()
    assert shown("/bin/true", ledger, rival) == set()


def test_the_harness_s_own_python_is_shown_wherever_a_command_names_it() -> None:
    assert shown("/bin/true", sys.executable) >= {str(Path(sys.executable).parents[1])} - {"/usr"}
