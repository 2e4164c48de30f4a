"""What a bot is: found by name, file or folder, told apart by its content, built once, gathered into entrants."""

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest

import spades_bot
from spades_harness.bundled import bundled, shipped_bots
from spades_harness.errors import UserError
from spades_harness.game.rules import PRESETS
from spades_harness.table import belongings
from spades_harness.table.match import Command, Player, Plugin
from spades_harness.tournament.file import build, content
from spades_harness.tournament.file.bots import Bot, entered_bot, find_bot, folder_bot, player, unbuilt_player
from spades_harness.tournament.file.build import cache_folder
from spades_harness.tournament.file.entries import BotEntry, CommandLine, FromPlugin, Named
from spades_harness.tournament.registry import PluginBot, Registry, Trouble

PLAIN = 'command: ["{python}", bot.py]\n'


class Registered(spades_bot.Bot):
    """A bot that a plugin registers."""

    def bid(self, request: spades_bot.Message) -> int:
        return 1

    def play(self, request: spades_bot.Message) -> str:
        return str(request.legal[0])


CLEVER = PluginBot("clever", Registered, "clever-spades 1.2", sources=(Path(__file__),), version="1.2")
REGISTRY = Registry(bots={"clever": CLEVER}, rules=PRESETS)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is built into the cache of whoever runs the tests."""
    monkeypatch.setenv("SPADES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def make_bot(folder: Path, manifest: str = PLAIN, **files: str) -> Path:
    """A bot's folder with these files; `bot_py` stands for `bot.py`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"bot_yaml": manifest, "bot_py": "print('hello')\n", **files}.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return folder


def refusal(named: str, base: Path, registry: Registry = REGISTRY) -> str:
    """The line that a bot is refused with."""
    with pytest.raises(UserError) as refused:
        find_bot(named, base, registry)
    return str(refused.value)


def content_of(folder: Path) -> str:
    """The content hash of the bot that is this folder."""
    return unbuilt_player(find_bot(str(folder), Path(), REGISTRY)).content


# ----------------------------------------------------------------------------------------------------------- finding it


def test_a_bot_that_ships_is_found_by_its_name_wherever_one_stands(tmp_path: Path) -> None:
    found = find_bot("counter", tmp_path, REGISTRY)
    assert found.name == "counter"
    assert found.launch == Command(("{python}", "counter.py"), str(bundled("bots") / "counter"))


def test_a_bot_that_a_plugin_registers_is_found_by_its_name(tmp_path: Path) -> None:
    found = find_bot("clever", tmp_path, REGISTRY)
    assert (found.name, found.launch, found.version) == ("clever", Plugin("clever"), "1.2")


def test_a_bot_of_a_plugin_file_is_launched_with_that_file(tmp_path: Path) -> None:
    registry = Registry(bots={"clever": replace(CLEVER, file=tmp_path / "p.py")})
    assert find_bot("clever", tmp_path, registry).launch == Plugin("clever", (str(tmp_path / "p.py"),))


def test_a_python_file_is_a_bot_and_its_folder_is_the_bots_folder(tmp_path: Path) -> None:
    make_bot(tmp_path / "my bots")
    found = find_bot("my bots/bot.py", tmp_path, REGISTRY)
    assert found == Bot("bot", Command(("{python}", "bot.py"), str(tmp_path / "my bots")))


def test_pl_16_a_folder_is_the_same_bot_with_and_without_a_slash_at_its_end(tmp_path: Path) -> None:
    make_bot(tmp_path / "a")
    assert find_bot("./a", tmp_path, REGISTRY) == find_bot(f"{tmp_path}/a/", Path("/"), REGISTRY)


def test_a_folder_says_in_bot_yaml_what_it_is(tmp_path: Path) -> None:
    make_bot(
        tmp_path / "a",
        'name: Anné\nversion: "2"\nauthors: [Ann, Bob]\nparams: {depth: 3}\n'
        'build: [[cc, -o, bot, bot.c], [strip, bot]]\ncommand: [./bot, --fast, ""]\n',
    )
    found = find_bot("./a", tmp_path, REGISTRY)
    assert found == Bot(
        name="Anné",
        launch=Command(("./bot", "--fast", ""), str(tmp_path / "a")),
        params=(("depth", 3),),
        build=(("cc", "-o", "bot", "bot.c"), ("strip", "bot")),
        version="2",
        authors=("Ann", "Bob"),
    )


def test_one_build_step_needs_no_list_of_lists(tmp_path: Path) -> None:
    make_bot(tmp_path / "a", PLAIN + "build: [make, bot]\nauthors: Ann\n")
    found = find_bot("./a", tmp_path, REGISTRY)
    assert (found.build, found.authors) == ((("make", "bot"),), ("Ann",))


def test_a_name_comes_before_a_folder_of_that_name_and_a_path_means_the_folder(tmp_path: Path) -> None:
    make_bot(tmp_path / "counter")
    make_bot(tmp_path / "clever")
    make_bot(tmp_path / "mine")
    assert find_bot("counter", tmp_path, REGISTRY).launch == find_bot("counter", Path("/"), REGISTRY).launch
    assert isinstance(find_bot("clever", tmp_path, REGISTRY).launch, Plugin)
    for named in ("./clever", "clever/", "mine", "../" + tmp_path.name + "/mine"):
        assert find_bot(named, tmp_path, REGISTRY).launch == Command(
            ("{python}", "bot.py"), str(tmp_path / named.strip("./").rpartition("/")[2])
        )


def test_a_name_that_is_nobodys_is_told_with_the_nearest(tmp_path: Path) -> None:
    assert refusal("countr", tmp_path) == "no bot 'countr'; did you mean 'counter'?"
    assert refusal("clevr", tmp_path) == "no bot 'clevr'; did you mean 'clever'?"
    there = refusal("zzz", tmp_path, Registry(bots={"clever": CLEVER, "threes": CLEVER})).partition("; there are: ")[2]
    assert there.split(", ") == ["clever", *sorted(shipped_bots())]  # threes ships, and is registered: it is one bot


def test_pg_01_a_name_that_a_broken_plugin_may_have_brought_is_told_with_that_cause(tmp_path: Path) -> None:
    trouble = Trouble("deep 0.1", "cannot be loaded: ImportError: no torch")
    line = refusal("zzz", tmp_path, Registry(problems=(trouble,)))
    assert line == "no bot 'zzz'; set aside: plugin deep 0.1: cannot be loaded: ImportError: no torch"


def test_sc_05_what_is_not_there_and_what_is_no_bot_is_one_line_with_the_cure(tmp_path: Path) -> None:
    make_bot(tmp_path / "a")
    (tmp_path / "a" / "bot.yaml").unlink()
    (tmp_path / "notes.txt").write_text("hello", encoding="utf-8")
    assert refusal("./b", tmp_path) == f"./b: no such bot; there is nothing at {tmp_path / 'b'}"
    assert refusal("b.py", tmp_path) == f"b.py: no such bot; there is nothing at {tmp_path / 'b.py'}"
    cure = 'write one that says how the bot is started: command: ["{python}", bot.py]'
    assert refusal("./a", tmp_path) == f"{tmp_path / 'a'}: no bot.yaml in it; {cure}"
    assert refusal("notes.txt", tmp_path).startswith("notes.txt: not a bot; a .py file is one")


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        ("name: x\n", "bot.yaml:1:1: command is missing"),
        (
            "command: ./bot --fast\n",
            'bot.yaml:1:10: command: must be a list, one item an argument (no shell reads it): ["./bot", ',
        ),
        (PLAIN + "biuld: [make]\n", "bot.yaml:2:1: biuld: unknown key; did you mean 'build'?"),
        (
            PLAIN + "build: make\n",
            'bot.yaml:2:8: build: must be a list, one item an argument (no shell reads it): ["make"]',
        ),
        (PLAIN + PLAIN, "bot.yaml:2:1: command: stands twice, in line 1 and in line 2; leave one of them out"),
        ("command: [\n", "bot.yaml:2:1: expected the node content"),
        (PLAIN + "params: {a: .nan}\n", "bot.yaml:2:13: params.a: .nan is no plain number"),
    ],
)
def test_a_mistake_in_bot_yaml_is_told_with_its_place(tmp_path: Path, manifest: str, why: str) -> None:
    make_bot(tmp_path / "a", manifest)
    assert why in refusal("./a", tmp_path)


def test_a_bot_yaml_without_end_is_refused(tmp_path: Path) -> None:
    make_bot(tmp_path / "a", PLAIN + "#" * 70_000)
    assert refusal("./a", tmp_path).endswith("bot.yaml: more than 64 KiB")


# ------------------------------------------------------------------------------------------------- as the file wants it


def test_an_entry_names_the_bot_and_adds_to_its_params(tmp_path: Path) -> None:
    make_bot(tmp_path / "a", PLAIN + "params: {depth: 3, style: bold}\n")
    entry = BotEntry("Ann", Named("./a"), params=(("depth", 5),), env=(("THREADS", "1"),))
    found = entered_bot(entry, tmp_path, REGISTRY)
    assert (found.name, found.params) == ("Ann", (("depth", 5), ("style", "bold")))
    assert found.launch == Command(("{python}", "bot.py"), str(tmp_path / "a"), env=(("THREADS", "1"),))


def test_a_command_runs_in_its_folder_which_is_relative_to_the_file(tmp_path: Path) -> None:
    make_bot(tmp_path / "mine")
    (tmp_path / "arena").mkdir()
    entry = BotEntry("m", CommandLine(("./go", "a b"), "../mine"))
    found = entered_bot(entry, tmp_path / "arena", REGISTRY)
    assert found.launch == Command(("./go", "a b"), str(tmp_path / "mine"))


@pytest.mark.parametrize("source", [Named("clever"), FromPlugin("clever")])
def test_a_plugins_bot_may_play_in_process(source: Named | FromPlugin, tmp_path: Path) -> None:
    found = entered_bot(BotEntry("c", source, in_process=True), tmp_path, REGISTRY)
    assert (found.name, found.launch) == ("c", Plugin("clever", in_process=True))


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (BotEntry("m", CommandLine(("x",), "nowhere")), "dir: nowhere is no folder"),
        (BotEntry("m", Named("counter"), in_process=True), "in_process is for bots of plugins"),
        (BotEntry("m", FromPlugin("counter")), "no plugin registers the bot 'counter'; there are: clever"),
        (BotEntry("m", Named("countr")), "no bot 'countr'; did you mean 'counter'?"),
    ],
)
def test_an_entry_that_cannot_be_met_is_refused(entry: BotEntry, why: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=why.replace("?", r"\?")):
        entered_bot(entry, tmp_path, REGISTRY)


# -------------------------------------------------------------------------------------------------------------- content


def test_content_does_not_depend_on_where_the_bot_lies(tmp_path: Path) -> None:
    contents = {content_of(make_bot(tmp_path / place / "a", lib_py="x = 1\n")) for place in ("here", "there/deep")}
    assert len(contents) == 1
    assert len(contents.pop()) == 64


def test_everything_that_a_bot_consists_of_counts(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "a", weights_txt="1")
    seen = [content_of(folder)]

    def changed() -> bool:
        seen.append(content_of(folder))
        return seen.count(seen[-1]) == 1

    (folder / "weights.txt").write_text("2", encoding="utf-8")
    assert changed()
    (folder / "weights.txt").rename(folder / "weight.txt")
    assert changed()
    (folder / "sub").mkdir()
    (folder / "sub" / "x").write_text("", encoding="utf-8")
    assert changed()
    make_bot(folder, 'command: ["{python}", bot.py, --slow]\n')
    assert changed()
    make_bot(folder, PLAIN + "build: [make]\n")
    assert changed()


@pytest.mark.skipif(os.name != "posix", reason="Windows has no executable bit")
def test_whether_a_file_is_a_program_counts(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "a")
    before = content_of(folder)
    (folder / "bot.py").chmod(0o755)
    assert content_of(folder) != before


def test_what_programs_leave_behind_does_not_count(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "a")
    before = content_of(folder)
    for name in (
        "__pycache__/bot.pyc",
        ".git/HEAD",
        "bot.py~",
        ".bot.py.swp",
        "bot.log",
        "sub/.DS_Store",
        "runs/x/ledger.sqlite",
        "ledger.sqlite-wal",
        "ledger.lock",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x", encoding="utf-8")
    (folder / "empty").mkdir()
    assert content_of(folder) == before


def test_a_runs_folder_beside_a_bot_is_not_the_bots(tmp_path: Path) -> None:
    """Else a run that is stopped would find other bots when it goes on: its ledger grew meanwhile."""
    make_bot(tmp_path)
    before = content_of(tmp_path)
    (tmp_path / "runs" / "demo" / "bots").mkdir(parents=True)
    (tmp_path / "runs" / "demo" / "ledger.sqlite").write_bytes(b"1")
    (tmp_path / "runs" / "demo" / "bots" / "stderr.txt").write_bytes(b"2")
    assert content_of(tmp_path) == before


def test_a_python_environment_beside_a_bot_is_not_the_bots(tmp_path: Path) -> None:
    make_bot(tmp_path)
    before = content_of(tmp_path)
    (tmp_path / ".venv" / "lib").mkdir(parents=True)
    for name in ("pyvenv.cfg", "lib/six.py"):
        (tmp_path / ".venv" / name).write_text("x", encoding="utf-8")
    assert content_of(tmp_path) == before


@pytest.mark.skipif(os.name != "posix", reason="Windows asks for a privilege to make links")
def test_what_stands_behind_a_link_counts_be_it_a_file_or_a_folder_and_links_that_lead_round_end(
    tmp_path: Path,
) -> None:
    folder = make_bot(tmp_path / "a")
    (tmp_path / "lib.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "data" / "deep").mkdir(parents=True)
    (tmp_path / "data" / "deep" / "big").write_text("x", encoding="utf-8")
    for name, goal in (
        ("lib.py", "../lib.py"),
        ("round", "."),
        ("data", "../data"),
        ("gone", "nowhere"),
        ("self", "self"),
    ):
        (folder / name).symlink_to(goal)
    (tmp_path / "data" / "back").symlink_to(folder)
    seen = [content_of(folder)]
    for file in (tmp_path / "data" / "deep" / "big", tmp_path / "lib.py", folder / "nowhere"):
        file.write_text("y", encoding="utf-8")
        seen.append(content_of(folder))
    assert len(set(seen)) == 4


@pytest.mark.skipif(os.name != "posix", reason="Windows asks for a privilege to make links")
def test_where_links_that_lead_round_come_from_does_not_count(tmp_path: Path) -> None:
    contents = set()
    for place in ("here", "there"):
        (make_bot(tmp_path / place / "a") / "round").symlink_to(tmp_path / place / "a")
        contents.add(content_of(tmp_path / place / "a"))
    assert len(contents) == 1


@pytest.mark.skipif(os.name != "posix", reason="Windows asks for a privilege to make links")
def test_folders_that_link_to_each_other_without_end_are_no_bots(tmp_path: Path) -> None:
    """Thirty folders with two ways to the next make a thousand million paths."""
    folder = make_bot(tmp_path / "a")
    for number in range(30):
        (tmp_path / f"{number}").mkdir()
        for way in "xy":
            (tmp_path / f"{number}" / way).symlink_to(tmp_path / f"{number + 1}")
    (tmp_path / "30").mkdir()
    (folder / "way").symlink_to(tmp_path / "0")
    with pytest.raises(UserError, match="give the bot a folder of its own"):
        content_of(folder)


def test_folders_in_folders_without_end_are_no_bots(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "a")
    (folder / "/".join("d" * 120)).mkdir(parents=True)
    with pytest.raises(UserError, match=r"or 100 folders in each other; give the bot a folder of its own"):
        content_of(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pipes in folders on Windows")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    folder, opened = make_bot(tmp_path / "a"), Event()
    os.mkfifo(folder / "pipe")

    def write_when_it_is_read() -> None:
        with (folder / "pipe").open("wb"):
            opened.set()

    writer = Thread(target=write_when_it_is_read, daemon=True)  # ends the wait, if there is one
    writer.start()
    assert len(content_of(folder)) == 64
    assert not opened.is_set()
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    writer.join()
    os.close(reader)


def test_a_folder_with_everything_in_it_is_no_bots_and_none_of_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`spades check ~/mybot.py`: the home folder would be the bot's."""
    folder = make_bot(tmp_path / "a", x_bin="x" * 1000)

    def refused() -> str:
        with pytest.raises(UserError) as error:
            content_of(folder)
        return str(error.value)

    monkeypatch.setattr(content._Digest, "_hash", None)
    monkeypatch.setattr(content, "MAX_BYTES", 2**10)
    cure = "give the bot a folder of its own"
    assert refused() == (
        f"{folder}: more than 9.53674e-07 GiB; {cure}, and keep large data elsewhere, its path in params"
    )
    monkeypatch.setattr(content, "MAX_FILES", 2)
    monkeypatch.setattr(belongings, "MAX_FILES", 2)
    assert refused() == f"{folder}: more than 2 files, or 100 folders in each other; {cure}"


@pytest.mark.parametrize("name", ["brain.pyc", "lib/brain.pyc", "out.txt", "bot.err", "bots.yaml", "sub/bot.yaml"])
def test_what_a_bot_can_find_in_its_folder_counts(tmp_path: Path, name: str) -> None:
    """A module that has no source, too: Python imports it."""
    folder = make_bot(tmp_path / "a")
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("command: [x]\nmy bots: 1\n", encoding="utf-8")
    before = content_of(folder)
    (folder / name).write_text("command: [y]\nmy bots: 1\n", encoding="utf-8")
    assert content_of(folder) != before


@pytest.mark.parametrize("start", ["", "\ufeff", "# Autumn\nseed: 5\n", "'", '"', "{", '{ "', "entrants: [a]\r\n"])
@pytest.mark.parametrize("name", ["t.yaml", "T.YML", "cups/t.yaml"])
def test_a_tournament_file_that_lies_beside_a_bot_is_not_the_bots(tmp_path: Path, name: str, start: str) -> None:
    """Else a comment in it would make another bot of each that shares its folder."""
    before = content_of(make_bot(tmp_path))
    (tmp_path / name).parent.mkdir(exist_ok=True)
    quote = start[-1] if start.endswith(("'", '"')) else ""
    (tmp_path / name).write_text(f"{start}bots{quote}: [{{name: a, bot: ./bot.py}}]\n", encoding="utf-8")
    assert content_of(tmp_path) == before


def test_a_file_with_bots_in_it_is_the_bots_unless_it_is_a_tournaments(tmp_path: Path) -> None:
    folder = make_bot(tmp_path)
    before = content_of(folder)
    for name, text in (("a.yaml", "all:\n  bots: [x]\n"), ("a.txt", "bots: [x]\n"), ("b.yaml", "robots: [x]\n")):
        (folder / name).write_text(text, encoding="utf-8")
        assert content_of(folder) != before
        (folder / name).unlink()


def test_the_content_of_a_plugins_bot_is_its_code_and_its_version(tmp_path: Path) -> None:
    def content_with(code: str, version: str, folder: str) -> str:
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "p.py").write_text(code, encoding="utf-8")
        bot = replace(CLEVER, sources=(tmp_path / folder / "p.py",), version=version)
        return unbuilt_player(find_bot("clever", tmp_path, Registry(bots={"clever": bot}))).content

    assert content_with("1", "1.2", "here") == content_with("1", "1.2", "there")
    assert len({content_with(*seen, "here") for seen in (("1", "1.2"), ("2", "1.2"), ("1", "1.3"))}) == 3


def test_a_player_has_all_that_a_seat_needs(tmp_path: Path) -> None:
    folder = make_bot(tmp_path / "a", PLAIN + "params: {b: 2, a: 1}\n")
    found = player(find_bot("./a", tmp_path, REGISTRY))
    command = Command(("{python}", "bot.py"), str(folder))
    assert found == Player("a", command, (("a", 1), ("b", 2)), content_of(folder))


# ------------------------------------------------------------------------------------------------------------- building

BUILD = """
from pathlib import Path
from threading import Event, Thread
Path("built.txt").write_text(Path("source.txt").read_text().upper())
with open({log!r}, "a") as log:
    print("built", file=log)
"""


def buildable(tmp_path: Path, **files: str) -> Bot:
    """A bot whose build makes `built.txt` from `source.txt`, and counts."""
    log = str(tmp_path / "count.txt")
    manifest = 'build: ["{python}", build.py]\ncommand: ["{python}", bot.py]\n'
    make_bot(tmp_path / "a", manifest, build_py=BUILD.format(log=log), source_txt="hello", **files)
    return find_bot("./a", tmp_path, REGISTRY)


def builds(tmp_path: Path) -> int:
    """How often it was built."""
    log = tmp_path / "count.txt"
    return len(log.read_text(encoding="utf-8").splitlines()) if log.exists() else 0


def folder_of(made: Player) -> Path:
    """Where a player is started."""
    assert isinstance(made.launch, Command)
    return Path(made.launch.folder)


def test_a_bot_is_built_once_for_each_content_and_its_own_folder_stays_as_it_is(tmp_path: Path, cache: Path) -> None:
    bot = buildable(tmp_path)
    first, second = player(bot), player(replace(bot, name="other"))
    assert folder_of(first) == folder_of(second)
    assert folder_of(first).is_relative_to(cache / "builds")
    assert (folder_of(first) / "built.txt").read_text(encoding="utf-8") == "HELLO"
    assert not (tmp_path / "a" / "built.txt").exists()
    assert builds(tmp_path) == 1

    (tmp_path / "a" / "source.txt").write_text("world", encoding="utf-8")
    third = player(bot)
    assert (folder_of(third) / "built.txt").read_text(encoding="utf-8") == "WORLD"
    assert builds(tmp_path) == 2


def test_the_content_of_a_built_bot_is_that_of_its_source(tmp_path: Path) -> None:
    bot = buildable(tmp_path)
    assert player(bot).content == unbuilt_player(bot).content


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_a_manifest_that_is_no_file_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    (tmp_path / "pipe").mkdir()
    (tmp_path / "endless").mkdir()
    subprocess.run(["mkfifo", tmp_path / "pipe" / "bot.yaml"], check=True)
    (tmp_path / "endless" / "bot.yaml").symlink_to("/dev/zero")
    for name in ("pipe", "endless"):
        with pytest.raises(UserError, match=r"bot\.yaml: not a file"):
            folder_bot(tmp_path / name)


def test_planning_builds_nothing(tmp_path: Path) -> None:
    planned = unbuilt_player(buildable(tmp_path))
    assert folder_of(planned) == tmp_path / "a"
    assert builds(tmp_path) == 0


def test_a_build_is_told_with_its_steps_before_it_runs_and_never_when_nothing_is_built(tmp_path: Path) -> None:
    bot = replace(buildable(tmp_path), build=(("{python}", "build.py"), ("{python}", "-c", "[0, 1]")))
    told: list[tuple[str, int]] = []
    for _ in range(2):
        player(bot, lambda line: told.append((line, builds(tmp_path))))
    assert told == [("building a: '{python}' build.py; '{python}' -c '[0, 1]'", 0)]


def test_another_environment_is_another_build(tmp_path: Path) -> None:
    bot = buildable(tmp_path)
    assert isinstance(bot.launch, Command)
    other = replace(bot, launch=replace(bot.launch, env=(("CFLAGS", "-O3"),)))
    assert folder_of(player(bot)) != folder_of(player(other))


def test_a_failed_build_is_one_line_with_the_end_of_its_output_and_is_tried_again(tmp_path: Path, cache: Path) -> None:
    code = "import sys\nfor n in range(100): print('line', n)\nprint('no such header', file=sys.stderr)\nsys.exit(3)\n"
    bot = buildable(tmp_path)
    (tmp_path / "a" / "build.py").write_text(code, encoding="utf-8")
    with pytest.raises(UserError) as refused:
        player(bot)
    first, *output = str(refused.value).splitlines()
    log = first.rpartition(", ")[2].rstrip(":")
    assert first.startswith("a: the build failed: '{python}' build.py exited with code 3; the end of its output, ")
    assert len(output) == 20
    assert "    no such header" in output
    assert "line 0\n" in Path(log).read_text(encoding="utf-8")
    assert not [path for path in (cache / "builds").iterdir() if path.suffix != ".log"]

    (tmp_path / "a" / "build.py").write_text("", encoding="utf-8")
    assert folder_of(player(bot)).is_dir()


def test_a_build_whose_program_is_missing_says_so(tmp_path: Path) -> None:
    bot = replace(buildable(tmp_path), build=(("no-such-compiler", "x"),))
    with pytest.raises(
        UserError, match=r"a: the build failed: there is no program 'no-such-compiler' on the PATH; install"
    ):
        player(bot)


def test_a_build_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "TIMEOUT", 0.5)
    bot = buildable(tmp_path)
    (tmp_path / "a" / "build.py").write_text("while True: pass\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"did not end within 0\.5 seconds"):
        player(bot)


def test_a_build_gets_the_entrys_environment_and_none_of_the_harnesss_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    bot = buildable(tmp_path)
    assert isinstance(bot.launch, Command)
    code = "import json, os\nopen('built.txt', 'w').write(json.dumps(dict(os.environ)))\n"
    (tmp_path / "a" / "build.py").write_text(code, encoding="utf-8")
    made = player(replace(bot, launch=replace(bot.launch, env=(("CFLAGS", "-O3"),))))
    env = json.loads((folder_of(made) / "built.txt").read_text(encoding="utf-8"))
    assert env["CFLAGS"] == "-O3"
    assert "AWS_SECRET_ACCESS_KEY" not in env


def test_two_processes_that_build_at_once_end_with_one_build(tmp_path: Path) -> None:
    buildable(tmp_path)
    code = (
        "from pathlib import Path\n"
        "from spades_harness.tournament.file.bots import find_bot, player\n"
        "from spades_harness.tournament.registry import Registry\n"
        f"print(player(find_bot('./a', Path({str(tmp_path)!r}), Registry())).launch.folder)"
    )
    racers = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    try:
        folders = {racer.communicate(timeout=60)[0] for racer in racers}
    finally:
        for racer in racers:
            racer.kill()
    assert [racer.returncode for racer in racers] == [0, 0, 0]
    assert len(folders) == 1
    ready = Path(folders.pop().strip())
    assert (ready / "built.txt").read_text(encoding="utf-8") == "HELLO"
    assert sorted(path.suffix for path in ready.parent.iterdir()) == ["", ".log"]


@pytest.mark.skipif(os.name != "posix", reason="Windows asks for a privilege to make links")
def test_a_copy_for_building_has_what_the_folder_has_and_what_its_links_lead_to(tmp_path: Path) -> None:
    (tmp_path / "shared.txt").write_text("shared", encoding="utf-8")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "table").write_text("1 2 3", encoding="utf-8")
    (tmp_path / "data" / "back").symlink_to(tmp_path / "a")
    bot = buildable(tmp_path, tool_sh="#!/bin/sh\n", old_log="left out")
    folder = tmp_path / "a"
    (folder / "tool.sh").chmod(0o755)
    (folder / "sub").mkdir()
    (folder / "sub" / "x").write_text("x", encoding="utf-8")
    for name, goal in (("shared.txt", "../shared.txt"), ("data", "../data"), ("inside", "sub")):
        (folder / name).symlink_to(goal)
    made = folder_of(player(bot))
    assert (made / "shared.txt").read_text(encoding="utf-8") == "shared"
    assert (made / "data" / "table").resolve() == tmp_path / "data" / "table"  # not its own: a box hides it still
    assert (made / "data" / "table").read_text(encoding="utf-8") == "1 2 3"
    assert (made / "data" / "back").resolve() == made.resolve()
    assert (made / "inside" / "x").read_text(encoding="utf-8") == "x"
    assert (made / "tool.sh").stat().st_mode & stat.S_IXUSR
    assert not (made / "old.log").exists()


def test_a_cache_that_cannot_be_written_is_one_line_with_the_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("SPADES_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match="name another folder with SPADES_CACHE"):
        player(buildable(tmp_path))


@pytest.mark.parametrize(
    ("environ", "platform", "end"),
    [
        ({"SPADES_CACHE": "/own", "XDG_CACHE_HOME": "/xdg"}, "linux", "/own"),
        ({"XDG_CACHE_HOME": "/xdg"}, "linux", "/xdg/spades-harness"),
        ({"XDG_CACHE_HOME": "relative"}, "linux", "/.cache/spades-harness"),
        ({}, "linux", "/.cache/spades-harness"),
        ({}, "darwin", "/Library/Caches/spades-harness"),
        ({"LOCALAPPDATA": "/local"}, "win32", "/local/spades-harness"),
        ({}, "win32", "/AppData/Local/spades-harness"),
    ],
)
def test_the_cache_lies_where_the_system_keeps_such_things(environ: dict[str, str], platform: str, end: str) -> None:
    assert cache_folder(environ, platform).as_posix().endswith(end)


@pytest.mark.slow
def test_the_bots_that_ship_can_all_be_made_ready() -> None:
    for file in sorted(bundled("bots").glob("*/bot.yaml")):
        made = player(find_bot(file.parent.name, Path(), Registry()))
        assert made.name == file.parent.name
