"""A tournament file with a sandbox: what is missing is told before anything is founded, and the standings say how bots
were kept."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cli.calling import spades
from cli.packages import installed
from spades_harness.cli.custody import demand
from spades_harness.errors import UserError
from spades_harness.table.bounds import UNBOXED
from spades_harness.table.bubblewrap import Bubblewrap
from spades_harness.table.launchers import UNENCLOSED, Unboxed
from spades_harness.table.match import Command, Player
from table.boxes import demand_boxes

FILE = """
name: t
bots: [{{name: one, plugin: threes{more}}}, {{name: two, plugin: threes, params: {{bid: 2}}}}]
format: {{boards: 4}}
schedule: {{round_robin: {{rounds: 1}}}}
entrant_check: play
seed: 1
sandbox: {sandbox}
"""


THREES = """
class Threes(spades_bot.Bot):
    def bid(self, request): return 3 if 3 in request.legal else request.legal[0]
    def play(self, request): return request.legal[0]
spades_bot.run(Threes)
"""


def write(folder: Path, sandbox: str, more: str = "") -> None:
    (folder / "t.yaml").write_text(FILE.format(sandbox=sandbox, more=more), encoding="utf-8")


def test_a_sandbox_that_is_not_there_is_told_in_one_line_and_nothing_is_founded(tmp_path: Path) -> None:
    write(tmp_path, "bubblewrap")
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path, PATH=str(tmp_path))
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("spades: one: sandbox: bubblewrap: ")
    assert "sandbox: none" in line
    assert not (tmp_path / "r").exists()


def test_a_variable_that_is_to_be_passed_and_is_not_set_is_told_before_anything_is_founded(tmp_path: Path) -> None:
    write(tmp_path, "none", ", pass_env: [SPADES_TEST_KEY]")
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == ("spades: one: pass_env: SPADES_TEST_KEY is not set here: set it, or take it from the file\n")
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("key", ["waits: true", "network: true", "pass_env: [PATH]", "read: [.]", "env: {A: 1}"])
def test_what_only_a_process_can_be_held_to_is_refused_for_a_bot_that_is_none(tmp_path: Path, key: str) -> None:
    write(tmp_path, "none", f", in_process: true, {key}")
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path)
    assert done.returncode == 2
    name = key.partition(":")[0]
    assert done.stderr == f"spades: one: in_process: true goes with no {name}; take out one of them\n"
    assert not (tmp_path / "r").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="boxes are for Linux")
def test_the_standings_name_the_sandbox_and_who_has_more_and_no_value_is_kept(tmp_path: Path) -> None:
    """SE-01."""
    demand_boxes()
    (tmp_path / "model").mkdir()
    write(tmp_path, "bubblewrap", ", network: true, pass_env: [API_KEY], read: [model]")
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path, API_KEY="s3cret-value")
    assert done.returncode == 0, done.stderr
    line = f"sandbox: bubblewrap; network: one; read: one ({tmp_path / 'model'}); pass_env: one (API_KEY)"
    assert line in done.stdout.splitlines()
    shown = spades("standings", "r", "--json", cwd=tmp_path)
    assert line in shown.stderr
    assert [row["entrant"] for row in json.loads(shown.stdout)["entrants"]]
    assert not any(b"s3cret-value" in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


@pytest.mark.parametrize("dry", [False, True])
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/nosuch", "/nosuch is not there"),
        ("/", "would show it"),
        (tempfile.gettempdir(), "would show it"),
        ("/proc/self", "lies in other processes (/proc)"),
        (".", "would show it the run's own files"),
        ("t.yaml", "would show it the run's own files"),
    ],
)
def test_what_a_box_hides_is_not_to_be_read_by_a_bot_in_or_out_of_one(
    tmp_path: Path, path: str, words: str, dry: bool
) -> None:
    """SE-01."""
    write(tmp_path, "none", f", read: [{path}]")
    done = spades("run", "t.yaml", "--out", "r", *(["--dry-run"] if dry else []), cwd=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("spades: one: read: ")
    assert words in line
    assert not (tmp_path / "r").exists()


def test_neither_a_rival_s_folder_nor_a_part_of_it_is_to_be_read_but_its_own_is(tmp_path: Path) -> None:
    """SE-01."""
    (tmp_path / "rival" / "data").mkdir(parents=True)
    (tmp_path / "own" / "data").mkdir(parents=True)
    rival = Player("rival", Command(("x",), str(tmp_path / "rival")))
    for part in ("", "/rival", "/rival/data"):
        nosy = Player("nosy", Command(("x",), str(tmp_path / "own")), read=(f"{tmp_path}{part}",))
        with pytest.raises(UserError, match=r"^nosy: read: .* the folder of rival"):
            demand(UNENCLOSED, UNBOXED, [nosy, rival])
    demand(UNENCLOSED, UNBOXED, [Player("one", rival.launch, read=(str(tmp_path / "rival" / "data"),)), rival])


class _Showing(Unboxed):
    """Boxes that show the folder of whatever is started."""

    def shows(self, argv: Sequence[str], path: str) -> Sequence[Path]:
        return (Path(argv[0]).parent,)


def test_no_command_may_run_on_what_holds_the_run_or_another_bot_or_lies_in_one(tmp_path: Path) -> None:
    """SE-08: what a command runs on is shown to its bot, whoever chose it."""
    rival, mine, program = tmp_path / "env" / "rival", tmp_path / "mine", tmp_path / "env" / "program"
    for folder in (rival, mine):
        folder.mkdir(parents=True)
    for each in (program, rival / "bot"):
        each.write_text("#!/bin/sh\n")
        each.chmod(0o755)
    other = Player("rival", Command(("./bot",), str(rival)))

    def refusal(*own: Path, program: Path = program) -> str:
        players = [Player("me", Command((str(program),), str(mine))), other]
        with pytest.raises(UserError) as refused:
            demand({"none": _Showing()}, UNBOXED, players, own)
        return str(refused.value)

    where = tmp_path / "env"
    assert refusal() == (
        f"me: sandbox: none: {where} is shown to it, and the folder of rival would be with it ({rival}):"
        " keep them apart"
    )
    assert f"the run's own files would be with it ({where / 'runs'})" in refusal(where / "runs")
    assert refusal(program=rival / "bot").endswith(
        f"{rival / 'bot'} lies in the folder of rival ({rival}), which no other bot may see; correct its command"
    )


def test_what_a_box_shows_anyway_holds_no_run(tmp_path: Path) -> None:
    players = [Player("me", Command(("{python}", "bot.py"), str(tmp_path)))]
    boxes = {"bubblewrap": Bubblewrap()}
    with pytest.raises(UserError, match=r"me: sandbox: bubblewrap: /usr is shown to it, and the run's own files"):
        demand(boxes, replace(UNBOXED, sandbox="bubblewrap"), players, (Path("/usr/src/class/runs"),))


def test_a_dry_run_tells_of_a_variable_that_is_not_set(tmp_path: Path) -> None:
    write(tmp_path, "none", ", pass_env: [SPADES_TEST_KEY]")
    done = spades("run", "t.yaml", "--dry-run", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1].endswith(" matches")
    assert done.stderr == "spades: one: pass_env: SPADES_TEST_KEY is not set here: set it, or take it from the file\n"


@pytest.mark.skipif(sys.platform != "linux", reason="boxes are for Linux")
def test_a_build_sees_and_leaves_no_more_than_its_bot(tmp_path: Path) -> None:
    """SE-08: its author writes the steps as well."""
    demand_boxes()
    peeps = "import os, pathlib, sys\nkept, there = map(pathlib.Path, sys.argv[1:])\nassert not kept.exists()\n"
    peeps += "pathlib.Path('built.txt').write_text('built')\ntry: there.write_text('x')\nexcept OSError: pass\n"
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "build.py").write_text(peeps, encoding="utf-8")
    (folder / "bot.py").write_text("open('built.txt').read()\nimport spades_bot\n" + THREES, encoding="utf-8")
    (folder / "spy.py").symlink_to("../t.yaml")
    steps = json.dumps(["{python}", "build.py", str(tmp_path / "t.yaml"), str(tmp_path / "left.txt")])
    (folder / "bot.yaml").write_text(f'command: ["{{python}}", bot.py]\nbuild: {steps}\n', encoding="utf-8")
    write(tmp_path, "bubblewrap")
    text = (tmp_path / "t.yaml").read_text(encoding="utf-8").replace("plugin: threes}", "bot: mine}", 1)
    (tmp_path / "t.yaml").write_text(text, encoding="utf-8")
    for each in (tmp_path, folder):
        each.chmod(0o755)
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path, SPADES_CACHE=str(tmp_path / "cache"))
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "left.txt").exists()
    (built,) = (each for each in (tmp_path / "cache" / "builds").iterdir() if each.is_dir())
    assert (built / "built.txt").read_text(encoding="utf-8") == "built"
    assert (built / "spy.py").is_symlink()
    assert {each.name for each in built.iterdir()} == {"bot.py", "bot.yaml", "build.py", "built.txt", "spy.py"}


def test_nothing_is_written_where_it_would_become_a_part_of_a_bot(tmp_path: Path) -> None:
    """A lone file's folder is the bot's, and what changes in it makes another bot of it."""
    (tmp_path / "mine.py").write_text("import spades_bot\n" + THREES, encoding="utf-8")
    text = FILE.format(sandbox="none", more="").replace("plugin: threes}", "bot: mine.py}", 1)
    (tmp_path / "t.yaml").write_text(text, encoding="utf-8")
    for named in ("events.jsonl", "x/../events.jsonl"):
        done = spades("run", "t.yaml", "--out", "r", "--events", named, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith(f"spades: --events: {named} would lie in the folder of a bot ({tmp_path})")
    assert not (tmp_path / "r").exists()
    assert not (tmp_path / "events.jsonl").exists()
    founded = spades("run", "t.yaml", "--out", "r", "--events", "events.log", "--commit", cwd=tmp_path)
    assert founded.returncode == 0, founded.stderr
    refused = spades("export", "r", "-o", "all.csv", cwd=tmp_path)
    assert refused.returncode == 2
    assert "--output: all.csv would lie in the folder of a bot" in refused.stderr
    done = spades("run", "t.yaml", "--out", "r", "--events", "events.log", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_no_sandbox_is_named_too(tmp_path: Path) -> None:
    write(tmp_path, "none")
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path)
    assert "sandbox: none" in done.stdout.splitlines()


# -------------------------------------------------------------------------------- a launcher as an installed package

LAUNCHER = """
from dataclasses import replace
from pathlib import Path
from spades_harness import hookimpl
from spades_harness.table.launchers import Unboxed

class Noted(Unboxed):
    def objection(self, box):
        return "it notes no bot that reaches the network" if box.network else ""

    def enclose(self, launch, box):
        note = ("/bin/sh", "-c", 'echo started >> "$0"; exec "$@"', str(Path(__file__).with_name("notes")))
        return replace(launch, argv=(*note, *launch.argv))

@hookimpl
def spades_register_launchers():
    return {"noted": Noted()}
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Where a package with that launcher is installed."""
    return installed(tmp_path, "noted_launcher", LAUNCHER)


@pytest.mark.skipif(shutil.which("sh") is None, reason="this launcher needs a shell")
def test_a_launcher_of_an_installed_package_starts_the_bots_of_a_run(tmp_path: Path, site: Path) -> None:
    write(tmp_path, "noted")
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path, PYTHONPATH=str(site))
    assert done.returncode == 0, done.stderr
    assert "sandbox: noted" in done.stdout.splitlines()
    assert (site / "notes").read_text().splitlines() == ["started"] * 2 * 4


def test_the_objection_of_a_launcher_is_told_before_the_first_match(tmp_path: Path, site: Path) -> None:
    write(tmp_path, "noted", ", network: true")
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path, PYTHONPATH=str(site))
    assert (done.returncode, done.stderr) == (
        2,
        "spades: one: sandbox: noted: it notes no bot that reaches the network\n",
    )
    assert not (site / "notes").exists()


LEAKY = """
import json, os, sys
print("the key is", os.environ["API_KEY"], file=sys.stderr, flush=True)
print('{"type":"hello","protocol":1,"name":"leaky","answers":[]}', flush=True)
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "match_start":
        print(json.dumps({"id": said["id"], "ready": True}), flush=True)
    elif "id" in said:
        print("the key is", os.environ["API_KEY"], flush=True)
"""


def test_what_a_bot_is_passed_is_kept_neither_of_its_last_words_nor_of_its_answers(tmp_path: Path) -> None:
    """SE-01, PG: the fault shows the variable's name in its place."""
    (tmp_path / "leaky").mkdir()
    (tmp_path / "leaky" / "bot.yaml").write_text('command: ["{python}", "leaky.py"]\n')
    (tmp_path / "leaky" / "leaky.py").write_text(LEAKY)
    write(tmp_path, "none", "}, {name: leaky, bot: ./leaky, pass_env: [API_KEY]")
    done = spades("run", "t.yaml", "--out", "r", cwd=tmp_path, API_KEY="s3cret-value")
    assert done.returncode == 0, done.stderr
    kept = [file for file in (tmp_path / "r").rglob("*") if file.is_file()]
    assert kept
    assert not any(b"s3cret-value" in file.read_bytes() for file in kept)
    fault = spades("fault", "r", "1", cwd=tmp_path)
    assert "s3cret-value" not in done.stdout + done.stderr + fault.stdout
    assert fault.stdout.count("the key is [API_KEY]") >= 2
