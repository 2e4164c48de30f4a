"""The tournament file: what is understood, what it is when it is absent, and how each mistake is told."""

import inspect
import re
import shlex
import tracemalloc
from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from spades_harness import builtin
from spades_harness.bundled import bundled
from spades_harness.errors import UserError
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.game.score import Boards, Game
from spades_harness.table.bounds import UNBOXED, Limits
from spades_harness.table.match import Forfeit, Scalar, Substitute
from spades_harness.tournament.anchor import Anchor
from spades_harness.tournament.file import bots_reading, config, custody_reading, rules_reading, stop_reading
from spades_harness.tournament.file.config import find_file, open_file, plugin_files, read_tournament
from spades_harness.tournament.file.effective import effective, write
from spades_harness.tournament.file.entries import (
    AnchorEntry,
    BotEntry,
    CommandLine,
    EntrantEntry,
    FromPlugin,
    Named,
    ScheduleChoice,
    Submissions,
    Tournament,
)
from spades_harness.tournament.file.reading import document
from spades_harness.tournament.file.seeds import typed_seed
from spades_harness.tournament.file.yaml_nodes import MAX_VALUES, FileError
from spades_harness.tournament.rank_by import RankBy
from spades_harness.tournament.registry import Registry, Trouble

BOTS = "bots: [{name: a, bot: steady}, {name: b, bot: counter}]\n"
SCHEDULE = {"round_robin": lambda *_: ()}


def read(text: str | bytes, registry: Registry | None = None, path: Path = Path("/arena/t.yaml")) -> Tournament:
    """A file with this content, called t.yaml."""
    content = text.encode() if isinstance(text, str) else text
    return read_tournament(document(content, path.name), path, registry or Registry(rules=PRESETS, schedules=SCHEDULE))


def refusal(text: str | bytes, registry: Registry | None = None) -> list[str]:
    """The lines that the file is refused with."""
    with pytest.raises(FileError) as refused:
        read(text, registry)
    return str(refused.value).splitlines()


def bot(text: str) -> BotEntry:
    """The entry that a bot's mapping is read as."""
    entry = read(f"bots:\n- {text}\n- {{name: other, bot: steady}}\n").bots[0]
    assert isinstance(entry, BotEntry)
    return entry


# --------------------------------------------------------------------------------------------------- what is understood


def test_every_key_of_the_file_is_understood() -> None:
    found = read("""
name: demo
rules: {preset: classic, target: 200}
format: {boards: 16}
seed: 2026
schedule: {round_robin: {rounds: 2}}
limits: {start: 5, move: 0.5, bank: 60}
faults: {substitute: 3}
entrant_check: drop
bots:
  - {name: steady, bot: steady}
  - {name: mine, command: ["{python}", mine.py], dir: ../mine, env: {THREADS: 1}}
  - {name: threes, plugin: threes, params: {bid: 3}, in_process: true}
entrants: [steady, threes, {name: mixed, pair: [steady, threes]}]
plugins: [my_plugin.py]
fail_on: [faults]
rank_by: points
anchor: {threes: 1000}
""")
    assert found == Tournament(
        name="demo",
        rules=Rules(target=200),
        format=Boards(16),
        seed=2026,
        schedule=ScheduleChoice("round_robin", (("rounds", 2),)),
        limits=Limits(5.0, 0.5, 60.0),
        custody=UNBOXED,
        faults=Substitute(3),
        entrant_check="drop",
        bots=(
            BotEntry("steady", Named("steady")),
            BotEntry("mine", CommandLine(("{python}", "mine.py"), "../mine"), env=(("THREADS", "1"),)),
            BotEntry("threes", FromPlugin("threes"), params=(("bid", 3),), in_process=True),
        ),
        entrants=(
            EntrantEntry("steady", ("steady",)),
            EntrantEntry("threes", ("threes",)),
            EntrantEntry("mixed", ("steady", "threes")),
        ),
        plugins=("my_plugin.py",),
        fail_on=("faults",),
        rank_by=RankBy.POINTS,
        anchor=AnchorEntry(Anchor("threes", 1000.0)),
    )


def test_what_is_absent_has_a_default_and_the_name_is_the_files_own() -> None:
    found = read(BOTS, path=Path("/arena/friday.yaml"))
    assert (found.name, found.rules, found.format, found.seed) == ("friday", Rules(), Game(), None)
    assert (found.schedule.name, found.limits, found.faults) == ("round_robin", Limits(), Forfeit())
    assert (found.entrant_check, found.entrants, found.plugins, found.fail_on) == ("refuse", (), (), ())


def test_a_folder_of_submissions_stands_alone_or_among_other_bots() -> None:
    assert read("bots: {folder: submissions}").bots == (Submissions("submissions"),)
    among = read("bots:\n- {folder: submissions}\n- {name: a, bot: steady}\n").bots
    assert among == (Submissions("submissions"), BotEntry("a", Named("steady")))


def test_short_forms_mean_the_plain_thing() -> None:
    found = read(BOTS + "rules: short\nformat: game\nfaults: forfeit\nschedule: round_robin\n")
    assert (found.rules, found.format, found.faults) == (PRESETS["short"], Game(), Forfeit())
    assert found.schedule == ScheduleChoice("round_robin")


def test_parameters_are_sorted_so_that_their_order_says_nothing() -> None:
    assert bot("{name: a, bot: x, params: {b: 1, a: 2}}") == bot("{name: a, bot: x, params: {a: 2, b: 1}}")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("3", 3),
        ("-3", -3),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("deep", "deep"),
        ('"3"', "3"),
        ('"no"', "no"),
        ('""', ""),
        ("1.2.3", "1.2.3"),
        ("2026-11-29", "2026-11-29"),
    ],
)
def test_a_parameter_is_what_a_person_takes_it_for(written: str, value: object) -> None:
    (found,) = bot(f"{{name: a, bot: x, params: {{p: {written}}}}}").params
    assert found == ("p", value)
    assert type(found[1]) is type(value)


@pytest.mark.parametrize(
    "written", ["0777", "1:30", "1_000", "0x10", "08", ".inf", ".nan", "+5", "1e999", "yes", "off"]
)
def test_cf_04_a_parameter_that_could_mean_two_things_is_refused_with_its_cure(written: str) -> None:
    (line,) = refusal(f"bots:\n- {{name: a, bot: x, params: {{p: {written}}}}}\n- {{name: b, bot: x}}\n")
    assert line.startswith("t.yaml:2:33: bots[0].params.p: ")
    assert f'in quotes to mean the text: "{written}"' in line


def test_paths_are_relative_to_the_file_cf_08(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "arena" / "sub").mkdir(parents=True)
    (tmp_path / "arena" / "t.yaml").write_text(f"plugins: [p.py, ../q.py]\n{BOTS}", encoding="utf-8")
    for plugin in ("arena/p.py", "q.py"):
        (tmp_path / plugin).touch()
    for place, name in (("", "arena/t.yaml"), ("arena", "t.yaml"), ("arena/sub", "../t.yaml")):
        monkeypatch.chdir(tmp_path / place)
        found = read_tournament(open_file(Path(name)), Path(name), Registry(rules=PRESETS, schedules=SCHEDULE))
        assert found.base == (tmp_path / "arena").resolve()
        plugins = plugin_files(open_file(Path(name)), found.base)
        assert plugins == ((tmp_path / "arena" / "p.py").resolve(), (tmp_path / "q.py").resolve())


def test_a_plugin_file_that_is_not_there_is_told_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError) as refused:
        plugin_files(document((BOTS + "plugins: [nope.py, folder]\n").encode(), "t.yaml"), tmp_path)
    assert str(refused.value).splitlines() == [
        f"t.yaml:2:11: plugins[0]: no such file: {(tmp_path / 'nope.py').resolve()}",
        f"t.yaml:2:20: plugins[1]: {(tmp_path / 'folder').resolve()} is a folder; name the .py file in it",
    ]


# -------------------------------------------------------------------------------------------------- names, CF-01, CF-11


@pytest.mark.parametrize(
    "name", ["no", "On", "yes", "y", "False", "007", "1e3", "@home", "a: b", "[red]x[/red]", "日本", "é"]
)
def test_cf_01_a_name_is_the_text_that_was_written(name: str) -> None:
    written = name if name.isalnum() else f'"{name}"'
    assert bot(f"{{name: {written}, bot: steady}}").name == name


def test_cf_01_entrants_find_bots_by_the_text_that_was_written() -> None:
    found = read("bots: [{name: no, bot: steady}, {name: 7, bot: steady}]\nentrants: [no, '7']\n")
    assert [entrant.bots for entrant in found.entrants] == [("no",), ("7",)]


@pytest.mark.parametrize("name", ["~", "null", "NULL"])
def test_cf_01_a_name_that_means_nothing_is_refused_with_the_advice_to_quote(name: str) -> None:
    (line,) = refusal(f"bots:\n- {{name: {name}, bot: steady}}\n- {{name: b, bot: steady}}\n")
    assert line == (
        f't.yaml:2:10: bots[0].name: {name} means "nothing" in YAML; put it in quotes to mean the text: "{name}"'
    )


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ('""', "must be a text with something in it"),
        ('"  "', "must be a text with something in it"),
        ("", "is empty"),
        ("[a]", "must be a text, not a list"),
        (r'"a\u202eb"', "U+202E"),
        (r'"a\e[2Jb"', "U+001B"),
        ("x" * 61, "at most 60 characters"),
    ],
)
def test_a_name_that_nobody_could_read_is_refused(name: str, why: str) -> None:
    lines = refusal(f"bots:\n- {{name: {name}, bot: steady}}\n- {{name: b, bot: steady}}\n")
    assert why in lines[0]


def test_a_name_is_kept_in_composed_form_without_outer_spaces() -> None:
    assert bot('{name: " e\u0301lan ", bot: steady}').name == "élan"


@pytest.mark.parametrize(
    ("first", "second"), [("Bob", "bob"), ("Bob", '"Bob "'), ("é", '"e\u0301"'), ("straße", "STRASSE"), ("ﬁsh", "fish")]
)
def test_cf_11_twins_are_refused_with_both_places(first: str, second: str) -> None:
    (line,) = refusal(f"bots:\n- {{name: {first}, bot: x}}\n- {{name: {second}, bot: x}}\n")
    assert line.startswith("t.yaml:3:3: bots[1]: ")
    assert line.endswith("the name of bots[0] in line 2")


def test_cf_11_the_same_name_twice_is_refused_with_both_places() -> None:
    (line,) = refusal("bots:\n- {name: a, bot: x}\n- {name: a, bot: y}\n")
    assert line == "t.yaml:3:3: bots[1]: 'a' is also the name of bots[0] in line 2"


def test_a_pair_may_not_take_the_name_of_a_bot_or_of_another_entrant() -> None:
    lines = refusal(BOTS + "entrants: [a, {name: B, pair: [a, b]}, a]\n")
    assert lines == [
        "t.yaml:2:15: entrants[1]: 'B' differs only in case or Unicode form from 'b', the name of bots[1] in line 1",
        "t.yaml:2:40: entrants[2]: 'a' is also the name of entrants[0] in line 2",
    ]


@pytest.mark.parametrize("name", ["a/b", "..", "a\\b", "x?", ".hidden", "end."])
def test_a_tournaments_name_must_do_for_a_folder(name: str) -> None:
    (line,) = refusal(f"name: '{name}'\n{BOTS}")
    assert line.startswith("t.yaml:1:7: name: ")
    assert "can't name a folder" in line


@pytest.mark.parametrize("name", ["CON", "nul", "Com1", "LPT³", "aux.cup", "prn .x"])
def test_a_tournament_is_not_called_like_a_device_of_windows(name: str) -> None:
    (line,) = refusal(f"name: '{name}'\n{BOTS}")
    assert "can't name a folder: Windows keeps it for a device; choose another" in line


@pytest.mark.parametrize("name", ["console", "com", "com10", "my.con"])
def test_a_name_that_only_looks_like_a_device_is_a_name(name: str) -> None:
    assert read(f"name: '{name}'\n{BOTS}").name == name


# ---------------------------------------------------------------------------------------------------------- keys, CF-07


def test_cf_07_a_misspelt_key_is_refused_with_its_path_and_the_nearest_right_one() -> None:
    lines = refusal("""
limit: {move: 1}
bots:
  - {name: a, bot: steady}
  - {name: b, bot: steady, parms: {}, tmeout: 3}
schedul: round_robin
""")
    assert lines[0] == "t.yaml:2:1: limit: unknown key; did you mean 'limits'?"
    assert lines[1] == "t.yaml:5:28: bots[1].parms: unknown key; did you mean 'params'?"
    assert lines[2].startswith("t.yaml:5:39: bots[1].tmeout: unknown key; there are: bot, command, dir, env")
    assert lines[3] == "t.yaml:6:1: schedul: unknown key; did you mean 'schedule'?"


ONE_NUMBER = "must be one entrant with a number from -10000 to 10000, as in {random: 1000}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("limits: {mov: 1}", "t.yaml:2:10: limits.mov: unknown key; did you mean 'move'?"),
        ("rules: {tagret: 1}", "t.yaml:2:9: rules.tagret: unknown key; did you mean 'target'?"),
        ("rules: clasic", "t.yaml:2:8: rules: no preset 'clasic'; did you mean 'classic'?"),
        ("rules: CLASSIC", "t.yaml:2:8: rules: no preset 'CLASSIC'; did you mean 'classic'?"),
        ("rules: {preset: clasic}", "t.yaml:2:17: rules.preset: no preset 'clasic'; did you mean 'classic'?"),
        (
            "schedule: {round_robin: {rounds: 2}, swiss: {rounds: 3}}",
            "t.yaml:2:11: schedule: names several schedules; take one of them",
        ),
        ("schedule: roundrobin", "t.yaml:2:11: schedule: no schedule 'roundrobin'; did you mean 'round_robin'?"),
        ("faults: forfit", "t.yaml:2:9: faults: must be forfeit or replace, not forfit; did you mean 'forfeit'?"),
        (
            "entrant_check: dorp",
            "t.yaml:2:16: entrant_check: must be play, drop or refuse, not dorp; did you mean 'drop'?",
        ),
        (
            "seed: 1\nsalt: a",
            "t.yaml:3:7: salt: a public seed and a salt let anybody compute the deals beforehand; leave one out",
        ),
        ("disguise: 1", "t.yaml:2:11: disguise: must be true or false, not 1"),
        (
            "rules: jokers\ndisguise: true",
            "t.yaml:3:11: disguise: in the deck jokers no plain suit can stand for another; leave it out",
        ),
        ("suspect: again", "t.yaml:2:10: suspect: must be count or replay, not again"),
        ("rank_by: point", "t.yaml:2:10: rank_by: must be elo, points or wins, not point; did you mean 'points'?"),
        ("anchor: a", f"t.yaml:2:9: anchor: {ONE_NUMBER}, not a"),
        ("anchor: {a: 1, b: 2}", f"t.yaml:2:9: anchor: {ONE_NUMBER}, not a mapping"),
        ("anchor: {a: much}", f"t.yaml:2:9: anchor: {ONE_NUMBER}, not a mapping"),
        ("anchor: {a: true}", f"t.yaml:2:9: anchor: {ONE_NUMBER}, not a mapping"),
        ("anchor: {a: 10001}", f"t.yaml:2:9: anchor: {ONE_NUMBER}, not a mapping"),
        ("fail_on: [fault]", "t.yaml:2:11: fail_on[0]: must be faults, not fault; did you mean 'faults'?"),
        ("entrants: [a, c]", "t.yaml:2:15: entrants[1]: no bot 'c' in this file; there are: a, b"),
        (
            "entrants: [a, {name: p, pair: [a, bb]}]",
            "t.yaml:2:15: entrants[1]: no bot 'bb' in this file; did you mean 'b'?",
        ),
        ("format: board", "t.yaml:2:9: format: must be game, or a number of boards, as in {boards: 16}, not board"),
        ("format: null", "t.yaml:2:9: format: must be game, or a number of boards, as in {boards: 16}, not null"),
        ("limits: 5", "t.yaml:2:9: limits: must be a mapping of keys to values, not 5"),
        ("format: {}", "t.yaml:2:9: format: boards is missing"),
        ("plugins: mine.py", "t.yaml:2:10: plugins: must be a list, not mine.py"),
        ("entrants: [{name: p, pair: [a]}]", "t.yaml:2:28: entrants[0].pair: must name two bots, not 1"),
    ],
)
def test_a_slip_is_one_line_with_its_place_and_its_cure(text: str, line: str) -> None:
    assert line in refusal(BOTS + text)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("{name: a}", "t.yaml:2:3: bots[0]: needs one of bot, command and plugin, not none of them"),
        (
            "{name: a, bot: x, plugin: y}",
            "t.yaml:2:3: bots[0]: needs one of bot, command and plugin, not bot and plugin",
        ),
        ("{bot: x}", "t.yaml:2:3: bots[0]: name is missing"),
        (
            "{name: a, bot: x, dir: y}",
            "t.yaml:2:3: bots[0]: dir belongs to command; elsewhere the bot's folder is known",
        ),
        ("{name: a, bot: x, in_process: 1}", "t.yaml:2:33: bots[0].in_process: must be true or false, not 1"),
        ("{name: a, bot: x, params: [1]}", "t.yaml:2:29: bots[0].params: must be a mapping, not a list"),
        (
            "{name: a, bot: x, params: {p: [1]}}",
            "t.yaml:2:33: bots[0].params.p: must be a text, a number, true or false, not a list",
        ),
        ("{name: a, bot: x, env: {A=B: c}}", "t.yaml:2:26: bots[0].env: 'A=B' can't name an environment variable"),
        ("{name: a, bot: x, env: {A: ~}}", 't.yaml:2:30: bots[0].env.A: ~ means "nothing" in YAML'),
        ("steady", "t.yaml:2:3: bots[0]: must be a mapping, as in {name: steady, bot: steady}"),
        ("{name: a, command: [x], in_process: true}", "t.yaml:2:3: bots[0]: in_process is for bots of plugins"),
    ],
)
def test_a_bot_that_is_not_clear_is_refused(entry: str, why: str) -> None:
    lines = refusal(f"bots:\n- {entry}\n- {{name: b, bot: steady}}\n")
    assert any(line.startswith(why) for line in lines), lines


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "t.yaml:1:1: must be a mapping of keys to values, not nothing"),
        ("- a\n", "t.yaml:1:1: must be a mapping of keys to values, not a list"),
        ("name: x\n", "t.yaml:1:1: bots is missing"),
        ("bots: []\n", "t.yaml:1:7: bots: names no bot"),
        ("bots: [{name: a, bot: x}]\n", "t.yaml:1:8: bots[0]: the only entrant; a tournament needs two"),
        (BOTS + "entrants: []\n", "t.yaml:2:11: entrants: names nobody; leave it out for every bot with itself"),
        (BOTS + "entrants: [a]\n", "t.yaml:2:12: entrants[0]: the only entrant; a tournament needs two"),
    ],
)
def test_a_file_that_names_nobody_to_play_is_refused(text: str, line: str) -> None:
    assert refusal(text) == [line]


def test_everything_that_is_wrong_is_told_at_once_in_the_order_of_the_file() -> None:
    lines = refusal("nam: x\nlimits: {move: 0}\nseed: -1\nbots:\n- {name: ~, bot: x}\n")
    assert [line.split(":")[1] for line in lines] == ["1", "2", "3", "5"]


def test_bots_that_are_wrong_are_not_missed_among_the_entrants_too() -> None:
    assert refusal("bots: [{nme: a, bot: x}]\nentrants: [a, b]\n") == [
        "t.yaml:1:8: bots[0]: name is missing",
        "t.yaml:1:9: bots[0].nme: unknown key; did you mean 'name'?",
    ]


@pytest.mark.parametrize("nothing", ["", "null", "~", "# later"])
def test_rules_that_name_no_preset_are_told_where_the_presets_are_listed(nothing: str) -> None:
    (line,) = refusal(BOTS + f"rules: {nothing}\n")
    cure = "names no preset; write one, such as classic (`spades rules` lists them), or leave the key out"
    assert line.startswith("t.yaml:2:")
    assert line.endswith(f": rules: {cure}")
    (line,) = refusal(BOTS + f"rules:\n  target: 200\n  preset: {nothing}\n")
    assert line.endswith(f": rules.preset: {cure}")


def test_of_a_file_with_more_mistakes_than_a_screen_holds_the_first_are_shown() -> None:
    lines = refusal("".join(f"key{number}: 1\n" for number in range(50)) + BOTS)
    assert len(lines) == 21
    assert lines[-1] == "t.yaml: and 30 problems more"


# ------------------------------------------------------------------------------------------- doubled keys, CF-03, CF-05


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("seed: 1\nseed: 2\n" + BOTS, "t.yaml:2:1: seed: stands twice, in line 1 and in line 2; leave one of them out"),
        (BOTS + BOTS, "t.yaml:2:1: bots: stands twice, in line 1 and in line 2; leave one of them out"),
        (
            BOTS + "rules:\n  target: 500\n  target: 250\n",
            "t.yaml:4:3: rules.target: stands twice, in line 3 and in line 4; leave one of them out",
        ),
        (
            "bots:\n- {name: a, bot: x,\n   name: b}\n",
            "t.yaml:3:4: bots[0].name: stands twice, in line 2 and in line 3; leave one of them out",
        ),
    ],
)
def test_cf_03_a_doubled_key_is_refused_with_both_lines(text: str, line: str) -> None:
    assert refusal(text) == [line]


def test_cf_03_merge_keys_with_an_override_stay_allowed() -> None:
    found = read("""
bots:
  - &base {name: a, bot: steady, params: {depth: 1}}
  - {<<: *base, name: b}
  - {<<: [{params: {depth: 9}}, *base], name: c}
""")
    assert [(entry.name, entry.params) for entry in found.bots if isinstance(entry, BotEntry)] == [
        ("a", (("depth", 1),)),
        ("b", (("depth", 1),)),
        ("c", (("depth", 9),)),
    ]


def test_cf_05_a_default_that_twenty_bots_share_works() -> None:
    bots = "".join(f"- {{name: bot{number}, bot: steady, params: {share}}}\n" for number, share in
                   enumerate(["&d {depth: 3, style: bold}", *["*d"] * 19]))  # fmt: skip
    found = read(f"bots:\n{bots}")
    assert len(found.bots) == 20
    assert {entry.params for entry in found.bots if isinstance(entry, BotEntry)} == {(("depth", 3), ("style", "bold"))}


def bomb(levels: str = "abcdefghi") -> str:
    """Each level nine times the one before: a few hundred bytes that stand for hundreds of millions of values."""
    lines = ["a: &a [x,x,x,x,x,x,x,x,x]\n"]
    lines += [f"{own}: &{own} [{','.join([f'*{before}'] * 9)}]\n" for before, own in pairwise(levels)]
    return "".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        bomb(),
        bomb() + "bots: *i\n",
        bomb() + "bots: [{name: *i, bot: x}]\n",
        "m: &m {" + ", ".join(f"k{n}: 1" for n in range(3000)) + "}\nbots:\n" + "- {<<: *m}\n" * 3000,
    ],
)
def test_cf_05_an_alias_bomb_is_refused_in_bounded_memory(text: str) -> None:
    tracemalloc.start()
    lines = refusal(text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert str(MAX_VALUES) in lines[-1]
    assert len("".join(lines)) < 1000
    assert peak < 300 * 2**20


def test_cf_05_an_alias_inside_what_it_stands_for_is_refused() -> None:
    assert refusal("bots: &b [*b]\n") == ["t.yaml:1:7: bots[0]: the alias stands inside what it stands for"]


@pytest.mark.slow
def test_cf_05_a_large_file_without_anchors_works() -> None:
    lines = [
        f"  - {{name: bot{number}, bot: steady, params: {{depth: {number}, style: '{'x' * 200}'}}}}\n"
        for number in range(8000)
    ]
    text = "bots:\n" + "".join(lines)
    assert len(text) > 2_000_000
    assert len(read(text).bots) == 8000


def test_lists_inside_lists_without_end_are_refused_in_one_line() -> None:
    for text in ("bots: " + "[" * 3_000, "bots: " + "[" * 900 + "]" * 900):
        (line,) = refusal(text)
        assert line.startswith("t.yaml:1:")


# ------------------------------------------------------------------------------------------------------- numbers, CF-13


@pytest.mark.parametrize("value", ["0", "-1", ".nan", ".inf", '"5"', "true", "1e308", "ten", "1:30", "[1]", "~"])
def test_cf_13_a_limit_that_makes_no_sense_is_refused_with_the_allowed_range(value: str) -> None:
    lines = refusal(BOTS + f"limits:\n  start: {value}\n  move: {value}\n  bank: {value}\n")
    assert [line.split(", not ")[0] for line in lines] == [
        "t.yaml:3:10: limits.start: must be a number of seconds from 0.1 to 600",
        "t.yaml:4:9: limits.move: must be a number of seconds from 0.001 to 3600",
        "t.yaml:5:9: limits.bank: must be a number of seconds from 0.01 to 604800",
    ]


@pytest.mark.parametrize(
    "value", ["-1", "2.5", "true", "~", "[1]", "18446744073709551616", "9" * 5000, '""', "x" * 201, r'"a\nb"']
)
def test_cf_13_a_seed_is_a_whole_number_or_a_text_and_true_is_neither(value: str) -> None:
    (line,) = refusal(BOTS + f"seed: {value}\n")
    why = "must be a whole number from 0 to 18446744073709551615 or a text of 1 to 200 characters, not "
    assert line.startswith(f"t.yaml:2:7: seed: {why}")
    assert len(line) < 200


@pytest.mark.parametrize("value", ["1e999", "0777", "1_000", "yes"])
def test_cf_13_a_seed_that_could_be_number_or_text_is_refused_with_its_cure(value: str) -> None:
    (line,) = refusal(BOTS + f"seed: {value}\n")
    assert line.startswith("t.yaml:2:7: seed: ")
    assert f'in quotes to mean the text: "{value}"' in line


@pytest.mark.parametrize(
    ("written", "seed"),
    [("spring cup", "spring cup"), ('"2026"', "2026"), ("2026", 2026), ("Frühling", "Frühling"), ('"no"', "no")],
)
def test_a_seed_is_a_number_or_a_text_and_reads_back_as_the_same(written: str, seed: int | str) -> None:
    file = read(BOTS + f"seed: {written}\n")
    assert file.seed == seed
    assert type(file.seed) is type(seed)
    assert read(effective(file)) == file


def test_digits_in_quotes_deal_the_same_cards_as_the_number() -> None:
    one, other = (read(BOTS + f"seed: {written}\n").seed for written in ("2026", '"2026"'))
    assert secret_of_seed(one or 0) == secret_of_seed(other or 0)


@pytest.mark.parametrize(
    ("typed", "seed"), [("0", 0), ("18446744073709551615", 2**64 - 1), ("spring cup", "spring cup")]
)
def test_a_seed_that_is_typed_is_a_number_if_it_is_digits(typed: str, seed: int | str) -> None:
    assert typed_seed(typed) == seed


@pytest.mark.parametrize("typed", ["-1", "007", "18446744073709551616", "9" * 5000, "", "x" * 201, "a\nb", "\udcff"])
def test_a_seed_that_is_typed_wrong_is_one_line(typed: str) -> None:
    with pytest.raises(UserError, match=r"^--seed: must be a whole number from 0 to \d+ or a text of .*, not '.*'$"):
        typed_seed(typed)


def test_ds_03_seed_zero_is_a_seed() -> None:
    assert read(BOTS + "seed: 0\n").seed == 0


@pytest.mark.parametrize("value", ["0", "3", "17", "true", "-4", "1004", "4.0"])
def test_cf_13_boards_are_a_multiple_of_four(value: str) -> None:
    (line,) = refusal(BOTS + f"format: {{boards: {value}}}\n")
    assert line.startswith("t.yaml:2:18: format.boards: ")
    assert "from 4 to 1000" in line


@pytest.mark.parametrize("value", ["0", "-1", "true", "2.5"])
def test_cf_13_substitutes_are_counted_from_one(value: str) -> None:
    (line,) = refusal(BOTS + f"faults: {{substitute: {value}}}\n")
    assert line == f"t.yaml:2:22: faults.substitute: must be a whole number from 1 to 1000000, not {value}"


def test_ls_18_the_target_is_500_unless_the_file_says_otherwise() -> None:
    assert read(BOTS).rules.target == 500
    assert read(BOTS + "rules: {target: 200}\n").rules.target == 200


@pytest.mark.parametrize("value", ["0", "-5", "true", '"200"', "1e3", ""])
def test_ls_18_a_target_that_nobody_can_reach_is_refused(value: str) -> None:
    (line,) = refusal(BOTS + f"rules: {{preset: classic, target: {value}}}\n")
    assert line.startswith("t.yaml:2:34: rules.target: must be a whole number from 1 to 1000000, or none, not ")


def test_options_of_rules_build_on_a_preset_that_a_plugin_brought() -> None:
    registry = Registry(rules={**PRESETS, "fast": Rules(preset="fast", target=100)}, schedules=SCHEDULE)
    found = read(BOTS + "rules: {preset: fast, nil_value: 50}\n", registry)
    assert found.rules == Rules(preset="fast", target=100, nil_value=50)


def test_pg_01_what_a_broken_plugin_might_have_brought_is_missed_with_that_cause() -> None:
    trouble = Trouble("clever 1.2", "cannot be loaded: ImportError: no numpy")
    registry = Registry(rules=PRESETS, schedules=SCHEDULE, problems=(trouble,))
    lines = refusal(BOTS + "rules: bridge\nschedule: ladder\n", registry)
    cause = "; set aside: plugin clever 1.2: cannot be loaded: ImportError: no numpy"
    assert lines == [
        f"t.yaml:2:8: rules: no preset 'bridge'{cause}",
        f"t.yaml:3:11: schedule: no schedule 'ladder'{cause}",
    ]
    assert read(BOTS, registry).name == "t"


# ------------------------------------------------------------------------------------------------------ commands, CF-09


def test_cf_09_a_command_is_passed_on_item_by_item_exactly() -> None:
    source = bot(
        """{name: a, command: ["{python}", "/tmp/my bots/ok.py", "", "a b", no, 5, "$HOME", '*'], dir: x}"""
    ).source
    assert source == CommandLine(("{python}", "/tmp/my bots/ok.py", "", "a b", "no", "5", "$HOME", "*"), "x")


@pytest.mark.parametrize(
    "command", ["python '/tmp/my bots/ok.py'", "./bot", "/tmp/my bots/ok.py", "bot; touch /tmp/pwned"]
)
def test_cf_09_se_05_a_command_in_one_text_is_refused_with_the_list_it_means(command: str) -> None:
    (line,) = refusal(f'bots:\n- {{name: a, command: "{command}"}}\n- {{name: b, bot: x}}\n')
    items = ", ".join(f'"{item}"' for item in shlex.split(command))
    assert line == f"t.yaml:2:22: bots[0].command: must be a list, one item an argument (no shell reads it): [{items}]"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("[]", "command: needs a program as its first item"),
        ('["", x]', "command: needs a program as its first item"),
        ("[[a]]", "command[0]: must be a text, not a list"),
        ("[{a: b}]", "command[0]: must be a text, not a mapping"),
        ("[{python}]", 'command[0]: must be a text, not a mapping; put it in quotes: "{python}"'),
        ('["a\\0"]', "command[0]: must be a text of at most 4096 characters without NUL"),
        ("{a: b}", "command: must be a list, one item an argument (no shell reads it)"),
    ],
)
def test_a_command_without_a_program_is_refused(command: str, why: str) -> None:
    (line,) = refusal(f"bots:\n- {{name: a, command: {command}}}\n- {{name: b, bot: x}}\n")
    assert f"bots[0].{why}" in line


# -------------------------------------------------------------------------------------- what the file is made of, CF-15


def test_cf_15_a_file_saved_by_notepad_works() -> None:
    text = b"\xef\xbb\xbf" + BOTS.replace("\n", "\r\n").encode() + b"name: caf\xc3\xa9\r\nseed: 7\r\n"
    assert (read(text).name, read(text).seed) == ("café", 7)


def test_cf_15_lines_are_counted_in_a_file_with_crlf() -> None:
    assert refusal(BOTS.replace("\n", "\r\n") + "sed: 7\r\n") == ["t.yaml:2:1: sed: unknown key; did you mean 'seed'?"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("bots:\n  - name: a\n\tbot: x\n", "t.yaml:3:1: a tab: YAML is indented with spaces"),
        ("a: 1\nb: 2\nname: @home\n", "t.yaml:3:7: '@' can't begin a value: put the value in quotes"),
        ("a: 1\nb: 2\nname: `x`\n", "t.yaml:3:7: '`' can't begin a value: put the value in quotes"),
        ("name: a: b\n", "t.yaml:1:8: a colon and a space inside a value: put the value in quotes"),
        (
            "name: *star\n",
            "t.yaml:1:7: *star stands for nothing, since no &star comes before it; to mean a text, put it in quotes",
        ),
        ("bots: [a, b\n", "t.yaml:2:1: expected ',' or ']', but got '<stream end>' (begun in line 1)"),
        ("a: 1\n---\nb: 2\n", "t.yaml:2:1: a second document (---): one file holds one"),
        ("name: \x01\n", "t.yaml:1:7: the character U+0001 can't stand in a YAML file"),
        (b"name: x\nname: caf\xe9\n", "t.yaml:2:10: the byte 0xe9 is not UTF-8; save the file as UTF-8"),
        ("name: x".encode("utf-16"), "t.yaml:1:1: the file is saved as UTF-16 or UTF-32; save it as UTF-8"),
        ("? [a, b]\n: 3\n", "t.yaml:1:3: a key must be a single word"),
        (
            "name: !!python/object:os.system x\n" + BOTS,
            "t.yaml:1:7: name: the tag !!python/object:os.system means nothing here; leave it out",
        ),
        ("<<: 3\n" + BOTS, "t.yaml:1:5: <<: only mappings can be merged"),
    ],
)
def test_cf_15_what_is_not_yaml_is_one_line_with_its_place(text: str | bytes, line: str) -> None:
    assert refusal(text) == [line]


def test_cf_15_what_stands_behind_a_hash_is_a_comment() -> None:
    assert bot("{name: a, bot: steady} #b").name == "a"
    assert read("name: a #b\n" + BOTS).name == "a"


def test_without_the_c_parser_of_yaml_the_same_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    with_it = read(BOTS + "name: x\n"), refusal("name: a: b\n")
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert (read(BOTS + "name: x\n"), refusal("name: a: b\n")) == with_it


@given(st.text(max_size=200) | st.binary(max_size=200))
def test_no_text_whatever_is_met_with_anything_but_a_line_for_its_writer(content: str | bytes) -> None:
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    with pytest.raises(FileError) as refused:
        read(data)
    assert all(line.startswith("t.yaml:") for line in str(refused.value).split("\n") if line.strip())


# ----------------------------------------------------------------------------------------------------- finding the file


def test_a_tournament_that_ships_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_file("demo").name == "demo.yaml"
    assert find_file("demo").is_absolute()


def test_ones_own_file_comes_before_a_tournament_that_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "demo").write_text(BOTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert find_file("demo") == Path("demo")


def test_a_folder_that_is_called_like_a_tournament_does_not_hide_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "demo").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_file("demo").is_file()


@pytest.mark.parametrize(
    ("named", "why"),
    [("dmeo", "did you mean 'demo'"), ("t.yml", "t.yml: no such file"), (".", ".: a folder, not a tournament file")],
)
def test_a_file_that_is_not_there_is_one_line(
    named: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=why):
        find_file(named)


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="No such file"):
        open_file(tmp_path / "t.yaml")
    (tmp_path / "big.yaml").write_bytes(b"#" * (9 * 2**20))
    with pytest.raises(UserError, match="more than 8 MiB"):
        open_file(tmp_path / "big.yaml")


# --------------------------------------------------------------------------------------------------- the effective file


def test_rules_that_are_none_stand_in_the_effective_file_as_everywhere_and_read_back() -> None:
    file = read(BOTS + "rules: {target: null, floor: -200}\n")
    text = effective(file)
    assert "target: none, " in text
    assert "behind: none, floor: -200" in text
    assert "null" not in text
    assert read(text).rules == file.rules


def test_the_effective_file_has_every_default_and_the_numbers_as_understood() -> None:
    text = effective(read(BOTS + "rules: {target: 200}\nlimits: {move: .5}\n"))
    assert text.splitlines() == [
        "name: t",
        f"rules: {write(asdict(Rules(target=200)))}".replace("null", "none"),
        "format: game",
        "# no seed: 32 secret bytes are drawn and committed to",
        "# no salt",
        "disguise: false",
        "schedule: {round_robin: {}}",
        f"limits: {write(asdict(Limits(move=0.5)))}",
        "faults: forfeit",
        "sandbox: none",
        "resources: {memory: none, cpu: none, processes: none, file_size: none, cores: 1}",
        "ponder: false",
        "suspect: count",
        "entrant_check: refuse",
        "bots:",
        *(
            f"  - {{name: {name}, bot: {bot}, params: {{}}, env: {{}}, in_process: false, waits: false,"
            " network: false, pass_env: [], read: []}"
            for name, bot in (("a", "steady"), ("b", "counter"))
        ),
        "# no entrants: every bot with itself",
        "plugins: []",
        "fail_on: []",
        "rank_by: elo",
    ]


NAMES = st.text(max_size=20).filter(lambda text: text.strip() and text.isprintable())
SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\x85\u2028\u2029\ufeff\ufffe\uffff"), max_size=30)
WORDS = st.sampled_from(
    ["no", "Yes", "~", "null", "", "1e3", "0777", "1:30", "{python}", "[x]", "a: b", "# c", "-", "'", '"', "\\", "true"]
)


def test_an_option_of_a_schedule_may_be_a_list_or_a_mapping_and_reads_back() -> None:
    file = read(BOTS + "schedule: {round_robin: {points: {b: 2, a: 1.5}, field: [b, '5', 5, null], rounds: 2}}\n")
    assert file.schedule.options == (("field", ("b", "5", 5, None)), ("points", {"a": 1.5, "b": 2}), ("rounds", 2))
    assert read(effective(file)) == file
    (line,) = refusal(BOTS + "schedule: {round_robin: {a.b: 1}}\n")
    assert line.endswith("schedule: 'a.b' can't name an option of a schedule: leave out the dot")
    (line,) = refusal(BOTS + "schedule: {round_robin: {field: [[a]]}}\n")
    assert "schedule.round_robin.field[0]: must be a text, a number, true or false, not a list" in line


@given(params=st.dictionaries(TEXTS | WORDS, SCALARS | TEXTS | WORDS, max_size=5), argv=st.lists(TEXTS | WORDS))
def test_the_effective_file_reads_back_as_the_same_tournament(params: Mapping[str, Scalar], argv: list[str]) -> None:
    plain = read(
        BOTS + "rank_by: wins\nanchor: {'no': -12.5}\nformat: {boards: 8}\n"
        "faults: {substitute: 2}\nentrants: [a, {name: 'no', pair: [a, b]}]\n"
    )
    command = CommandLine(("./bot", *argv), "../x y")
    odd = BotEntry("odd one", command, params=tuple(sorted(params.items())), env=(("A", "no"),))
    file = replace(plain, seed=3, bots=(*plain.bots, odd))
    assert read(effective(file)) == file


DEMO = bundled("tournaments") / "demo.yaml"


def test_the_demo_explains_every_key_of_the_file() -> None:
    source = "".join(map(inspect.getsource, (config, bots_reading, rules_reading, custody_reading, stop_reading)))
    keys = set(re.findall(r'keys\.(?:get|need)\(\s*"(\w+)"', source))
    assert {"name", "fail_on", "in_process", "pair", "move", "substitute", "folder", "preset"} <= keys
    assert keys <= set(re.findall(r"\w+(?=:)", DEMO.read_text(encoding="utf-8")))


def test_the_lines_that_the_demo_leaves_to_its_reader_can_be_put_in() -> None:
    text = re.sub(
        r"^( *)# (- \{|plugins:|fail_on:|rank_by:|anchor:)",
        r"\1\2",
        DEMO.read_text(encoding="utf-8"),
        flags=re.MULTILINE,
    )
    found = read(text, path=DEMO)
    assert (found.plugins, found.fail_on) == (("my_plugin.py",), ("faults",))
    assert any(isinstance(entry, BotEntry) and entry.in_process for entry in found.bots)
    assert any(isinstance(entry, Submissions) for entry in found.bots)


def test_the_tournaments_that_ship_are_read_without_a_complaint() -> None:
    shipped = sorted(bundled("tournaments").glob("*.yaml"))
    assert "demo" in [path.stem for path in shipped]
    launchers = builtin.spades_register_launchers()
    shipped_registry = Registry(rules=PRESETS, schedules=builtin.spades_register_schedules(), launchers=launchers)
    for path in shipped:
        file = read_tournament(open_file(path), path, shipped_registry)
        assert file.name == path.stem
        assert len(file.entrants or file.bots) >= 2
