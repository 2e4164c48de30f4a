"""`make demo` and `make test`, tried with a stand-in for Python that only notes how it is called."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# Once it has "made" .venv, it stands there as every program that the Makefile calls.
STAND_IN = """#!/bin/sh
echo "$(basename "$0") $*" >> calls.log
case "$*" in
  '-m venv --clear .venv') mkdir -p .venv/bin && for name in python spades; do cp "$0" .venv/bin/$name; done ;;
  *sys.version_info*) exit ${TOO_OLD:-0} ;;
  *requirements-bench.lock) exit ${NO_WHEEL:-0} ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with a space in its name that holds what setting up reads, and a stand-in `./python`."""
    folder = tmp_path / "a check out"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock", "requirements-bench.lock"):
        shutil.copy(ROOT / name, folder)
    (folder / "python").write_text(STAND_IN, encoding="utf-8")
    (folder / "python").chmod(0o755)
    return folder


def make(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """One call of make there, with nothing of the make that may run these tests."""
    words = ("make", "PYTHONS=./python", *words)
    return subprocess.run(
        words, cwd=folder, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True, timeout=60, check=False
    )


def calls(folder: Path) -> list[str]:
    """How the stand-in was called since this was last asked, without the questions that only look at it."""
    log = folder / "calls.log"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return [line for line in lines if " -c " not in line]


def test_demo_installs_from_the_lock_with_hashes_and_plays(checkout: Path) -> None:
    assert make(checkout, "demo").returncode == 0
    made, *installs, compiled, played = calls(checkout)
    assert made == "python -m venv --clear .venv"
    assert [line.split("install ")[1] for line in installs] == [
        "--require-hashes -r requirements.lock",
        "--no-deps --no-build-isolation --editable .",
    ]
    assert compiled == "python -m compileall -q harness protocol/sdk/python"
    assert played == "spades run tournaments/demo.yaml"


def test_a_second_demo_sets_nothing_up(checkout: Path) -> None:
    make(checkout, "demo")
    calls(checkout)
    make(checkout, "demo")
    assert calls(checkout) == ["spades run tournaments/demo.yaml"]


def test_tests_add_what_they_need_to_what_demo_set_up(checkout: Path) -> None:
    make(checkout, "demo")
    calls(checkout)
    make(checkout, "test", "PYTEST_ARGS=-k word")
    installed, tested = calls(checkout)
    assert installed.endswith("install --require-hashes -r requirements-dev.lock")
    assert tested == "python -m pytest -n auto -k word"


def test_only_benchmarks_install_what_they_compare_with_and_only_once(checkout: Path) -> None:
    make(checkout, "test")
    assert not [line for line in calls(checkout) if "bench" in line]
    make(checkout, "bench")
    installed, measured = calls(checkout)
    assert installed.endswith("install --only-binary :all: --require-hashes -r requirements-bench.lock")
    assert measured == "python -m pytest -s -o python_files=bench_*.py tests/benchmarks"
    make(checkout, "bench")
    assert calls(checkout) == [measured]


def test_benchmarks_say_in_one_line_what_cannot_be_installed_and_measure_the_rest(checkout: Path) -> None:
    (checkout / "python").write_text(STAND_IN.replace("NO_WHEEL:-0", "NO_WHEEL:-1"), encoding="utf-8")
    make(checkout, "test")
    calls(checkout)
    done = make(checkout, "bench")
    assert done.returncode == 0
    assert [line.split(":")[0] for line in done.stdout.splitlines() if "OpenSpiel" in line] == [
        "OpenSpiel cannot be installed for this Python"
    ]
    assert calls(checkout)[-1].startswith("python -m pytest")
    make(checkout, "bench")
    assert "requirements-bench.lock" in calls(checkout)[0]  # tried again: the network may have been away


def test_a_checkout_that_was_moved_is_set_up_anew(checkout: Path) -> None:
    make(checkout, "demo")
    moved = checkout.rename(checkout.with_name("else where"))
    calls(moved)
    make(moved, "demo")
    assert calls(moved)[0] == "python -m venv --clear .venv"


def test_a_python_that_is_too_old_is_passed_over_and_named_in_one_line(checkout: Path) -> None:
    (checkout / "python").write_text(STAND_IN.replace("TOO_OLD:-0", "TOO_OLD:-1"), encoding="utf-8")
    done = make(checkout, "demo")
    said = [line for line in done.stderr.splitlines() if not line.startswith("make: ")]
    assert done.returncode == 2
    assert len(said) == 1
    assert "3.11 or newer" in said[0]
    assert "make PYTHON=/path/to/python" in said[0]
    assert calls(checkout) == []


def test_a_python_that_is_named_is_the_one_that_serves(checkout: Path) -> None:
    named = checkout / "my python"
    shutil.copy(checkout / "python", named)
    make(checkout, "demo", f"PYTHON={named}")
    assert calls(checkout)[0] == "my python -m venv --clear .venv"


def test_every_command_of_the_makefile_is_explained_by_make_help(checkout: Path) -> None:
    phony = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert phony is not None
    explained = re.findall(r"^make (\w+) ", make(checkout, "help").stdout, re.MULTILINE)
    assert sorted([*explained, "help"]) == sorted(phony[1].split())


def test_the_gate_calls_only_commands_that_the_makefile_has() -> None:
    called = set(
        re.findall(r"^(?:bounded )?make (\w+)$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert called >= {"setup", "lint", "test"}
    assert called <= set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
