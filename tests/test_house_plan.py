"""The house plan names every module once, and no module that isn't there; the bots' page names their files so, too."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1] / "harness"
PLAN = (ROOT / "README.md").read_text(encoding="utf-8")


def named() -> list[str]:
    """The modules of the plan's table, by their paths in the package."""
    found = []
    table = PLAN[PLAN.index("| module | one idea |") : PLAN.index("## How one move travels")]
    for cell in re.findall(r"^\| (`[^|]*) \|", table, re.MULTILINE):
        floor = ""
        for name in re.findall(r"`([^`]+)`", cell):
            floor = f"{name.rpartition('/')[0]}/" if "/" in name else floor
            found.append(name if "/" in name else floor + name)
    return found


def test_every_module_stands_in_the_plan_once_and_nothing_else_does() -> None:
    package = ROOT / "spades_harness"
    modules = [path.relative_to(package).as_posix() for path in package.rglob("*.py") if path.name != "__init__.py"]
    plain = [module for module in modules if module not in {"errors.py", "bundled.py", "cli/template/bot.py"}]
    assert sorted(named()) == sorted(plain)


@pytest.mark.parametrize("bot", ["searcher", "steady"])
def test_every_file_of_a_bot_of_several_stands_in_its_table_once_and_nothing_else_does(bot: str) -> None:
    bots = ROOT.parent / "bots"
    section = (
        (bots / "README.md").read_text(encoding="utf-8").partition(f"## The files of {bot}\n")[2].partition("\n## ")[0]
    )
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    files = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    assert sorted(files) == sorted(path.name for path in (bots / bot).glob("*.py"))


def test_the_command_line_loads_nothing_but_itself_before_a_command_is_known() -> None:
    """Each call pays for it, also `spades --help` and the completion of a shell."""
    code = "import sys, spades_harness.cli.app; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    own = {name for name in loaded if name.startswith("spades_harness.") and not name.startswith("spades_harness.cli.")}
    values = {f"spades_harness.{name}" for name in ("cli", "errors", "tournament", "tournament.records")}
    assert own - values == {"spades_harness.tournament.rank_by", "spades_harness.tournament.records.acts"}
    assert not {*loaded} & {"trio", "msgspec", "numpy", "yaml", "sqlite3", "asyncio", "pluggy"}
