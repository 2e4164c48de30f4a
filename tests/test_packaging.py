"""What an organiser installs: the package's edges, the folders that ship, the lock files, and no named interpreter."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

import spades_harness
from spades_harness.bundled import Folder, bundled

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-bench.lock")
SHIPPED = ("harness", "bots", "protocol", "tournaments")


def loaded_by(code: str) -> set[str]:
    """The names of all modules that a fresh interpreter has loaded once it has run `code`."""
    report = f"{code}\nimport sys\nsys.stderr.write('\\n'.join(['', *sys.modules]))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, timeout=60, check=True)
    return set(done.stderr.split())


def pinned(lock: str) -> dict[str, list[str]]:
    """Each requirement line of a lock file, with the hashes that stand under it."""
    hashes: dict[str, list[str]] = {}
    current = ""
    for line in (ROOT / lock).read_text(encoding="utf-8").splitlines():
        if match := re.match(r"[a-z0-9][^\\]*==[^\\]*", line):
            current = match[0].strip()
            hashes[current] = []
        hashes.get(current, []).extend(re.findall(r"--hash=sha256:[0-9a-f]{64}", line))
    return hashes


def shipped_text() -> list[tuple[Path, str]]:
    """Every text file below the folders that ship; what isn't UTF-8 text (a compiled bot) names nobody."""
    found = []
    files = (path for folder in SHIPPED for path in (ROOT / folder).rglob("*") if path.is_file())
    for path in sorted(path for path in files if "__pycache__" not in path.parts):
        try:
            found.append((path.relative_to(ROOT), path.read_text(encoding="utf-8")))
        except UnicodeDecodeError:
            continue
    return found


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = loaded_by("import spades_harness")
    assert "spades_harness" in loaded
    assert not loaded & {"pluggy", "trio", "numpy", "msgspec", "typer", "rich", "yaml"}


def test_the_command_answers_help_without_loading_trio_msgspec_or_numpy() -> None:
    loaded = loaded_by(
        "import sys\n"
        "sys.argv = ['spades', '--help']\n"
        "from spades_harness.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
    )
    assert "typer" in loaded
    assert not loaded & {"trio", "msgspec", "numpy", "networkx"}


def test_hookimpl_is_the_mark_of_this_project() -> None:
    assert spades_harness.hookimpl.project_name == "spades_harness"


def test_an_unknown_name_of_the_package_is_an_attribute_error_that_says_it() -> None:
    with pytest.raises(AttributeError, match="no attribute 'hookimple'"):
        _ = spades_harness.hookimple  # type: ignore[attr-defined]


@pytest.mark.parametrize("folder", get_args(Folder))
def test_the_folders_that_ship_are_found_and_hold_something(folder: Folder) -> None:
    found = bundled(folder)
    assert found.is_absolute()
    assert found == ROOT / folder
    assert any(found.iterdir())


def test_the_sdk_that_bots_import_lies_in_the_bundled_protocol_folder() -> None:
    assert (bundled("protocol") / "sdk" / "python" / "spades_bot.py").is_file()


@pytest.mark.parametrize("folder", get_args(Folder))
def test_the_folders_that_ship_are_no_import_packages(folder: Folder) -> None:
    assert not list((ROOT / folder).glob("**/__init__.py"))


@pytest.mark.parametrize("lock", LOCKS)
def test_everything_in_a_lock_file_is_pinned_and_hashed(lock: str) -> None:
    hashes = pinned(lock)
    assert len(hashes) > 10
    assert [requirement for requirement, found in hashes.items() if not found] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_file_names_no_registry(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    assert not re.findall(r"://|--index|--extra-index|--find-links|--trusted-host", text)


@pytest.mark.parametrize("lock", LOCKS[1:])
def test_a_lock_for_development_agrees_with_the_lock_of_the_harness(lock: str) -> None:
    run, more = set(pinned("requirements.lock")), set(pinned(lock))
    names = {requirement.split("==")[0] for requirement in run & more}
    differing = {requirement for requirement in run ^ more if requirement.split("==")[0] in names}
    assert differing == set()


def test_what_the_benchmarks_compare_with_is_locked_and_neither_the_harness_nor_the_tests_need_it() -> None:
    holding = [lock for lock in LOCKS if any(pin.startswith("open-spiel==") for pin in pinned(lock))]
    assert holding == ["requirements-bench.lock"]


def test_every_dependency_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = {re.split(r"[^A-Za-z0-9_-]", requirement)[0] for requirement in project["project"]["dependencies"]}
    assert declared <= {requirement.split("==")[0] for requirement in pinned("requirements.lock")}


def test_no_shipped_file_names_an_interpreter_that_a_system_may_lack() -> None:
    # A venv on Windows has no `python3`, and elsewhere it may be another Python than the harness's own.
    naming = [str(path) for path, text in shipped_text() if re.search(r"\bpython3\b", text)]
    assert naming == []


def test_the_version_is_written_once() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", spades_harness.__version__)
    assert "version" in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dynamic"]
