"""Who takes part: entries and submissions gathered into entrants, and what happens to those that can't be used."""

from pathlib import Path

import pytest

from spades_harness.errors import UserError
from spades_harness.game.rules import PRESETS, find_rules
from spades_harness.game.score import Boards
from spades_harness.tournament.file.bots import unbuilt_player
from spades_harness.tournament.file.config import open_file, read_tournament
from spades_harness.tournament.file.roster import Roster, gather, options
from spades_harness.tournament.registry import Registry
from spades_harness.tournament.schedule import Options
from spades_harness.tournament.schedules.round_robin import round_robin

REGISTRY = Registry(rules=PRESETS, schedules={"round_robin": round_robin})


def roster(folder: Path, text: str) -> Roster:
    """Who takes part in the tournament of this text, which lies in this folder."""
    (folder / "t.yaml").write_text(text, encoding="utf-8")
    file = read_tournament(open_file(folder / "t.yaml"), folder / "t.yaml", REGISTRY)
    return gather(file, REGISTRY, unbuilt_player)


def refusal(folder: Path, text: str) -> list[str]:
    """The lines that it is refused with; the folder's own name is left out of them."""
    with pytest.raises(UserError) as refused:
        roster(folder, text)
    return str(refused.value).replace(f"{folder}/", "").splitlines()


def submit(folder: Path, *names: str, manifest: str = 'command: ["{python}", bot.py]\n') -> None:
    """Bots in folders of these names."""
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "bot.yaml").write_text(manifest, encoding="utf-8")


def seats(found: Roster) -> list[tuple[str, ...]]:
    """Each entrant's name, with the names of its players."""
    return [(entrant.name, *(player.name for player in entrant.players)) for entrant in found.entrants]


HOW_TO_DROP = "to start without what can't be used, say so in the file: entrant_check: drop"
BOTS = "bots: [{name: a, bot: counter}, {name: b, bot: counter, params: {x: 1}}]\n"


def test_without_entrants_every_bot_plays_with_itself(tmp_path: Path) -> None:
    assert seats(roster(tmp_path, BOTS)) == [("a", "a", "a"), ("b", "b", "b")]


def test_an_entrant_may_be_a_pair_of_bots(tmp_path: Path) -> None:
    found = roster(tmp_path, BOTS + "entrants: [b, {name: both, pair: [a, b]}]\n")
    assert seats(found) == [("b", "b", "b"), ("both", "a", "b")]


def test_every_folder_of_submissions_is_a_bot_in_the_order_of_names(tmp_path: Path) -> None:
    submit(tmp_path / "in", "zoe", "ann", "bob")
    (tmp_path / "in" / "README.md").write_text("hello", encoding="utf-8")
    (tmp_path / "in" / "__pycache__").mkdir()
    found = roster(tmp_path, "bots:\n- {name: mine, bot: counter}\n- {folder: in}\n")
    assert [entrant.name for entrant in found.entrants] == ["mine", "ann", "bob", "zoe"]
    assert found.unusable == ()


def test_pf_25_a_submission_is_called_like_its_folder_whatever_it_calls_itself(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob", manifest='name: steady\ncommand: ["{python}", bot.py]\n')
    assert seats(roster(tmp_path, "bots: {folder: in}\n")) == [("ann", "ann", "ann"), ("bob", "bob", "bob")]


def test_a_submission_that_cannot_be_used_is_listed_and_stops_the_run(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob")
    submit(tmp_path / "in", "eve", manifest="command: bot.py\n")
    (tmp_path / "in" / "zoe").mkdir()
    assert refusal(tmp_path, "bots: {folder: in}\n") == [
        'in/eve/bot.yaml:1:10: command: must be a list, one item an argument (no shell reads it): ["bot.py"]',
        'in/zoe: no bot.yaml in it; write one that says how the bot is started: command: ["{python}", bot.py]',
        HOW_TO_DROP,
    ]


def test_a_run_starts_without_it_only_if_the_file_says_so(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob")
    (tmp_path / "in" / "zoe").mkdir()
    found = roster(tmp_path, "bots: {folder: in}\nentrant_check: drop\n")
    assert [entrant.name for entrant in found.entrants] == ["ann", "bob"]
    assert [str(left).startswith(f"{tmp_path / 'in' / 'zoe'}: no bot.yaml in it") for left in found.unusable] == [True]


def test_a_program_that_lies_loose_among_submissions_is_not_overlooked(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob")
    (tmp_path / "in" / "zoe.py").write_text("", encoding="utf-8")
    assert refusal(tmp_path, "bots: {folder: in}\n") == [
        "in/zoe.py: lies beside the folders; put it into one of its own with a bot.yaml, or elsewhere if it is no bot",
        HOW_TO_DROP,
    ]
    found = roster(tmp_path, "bots: {folder: in}\nentrant_check: drop\nentrants: [ann, bob, zoe]\n")
    assert [entrant.name for entrant in found.entrants] == ["ann", "bob"]


def test_a_submission_is_one_whatever_lies_in_it_and_what_runs_leave_is_none(tmp_path: Path) -> None:
    """An environment made right in a submission's folder must not make the bot disappear without a word."""
    submit(tmp_path / "in", "ann", "bob")
    (tmp_path / "in" / "ann" / "pyvenv.cfg").write_text("", encoding="utf-8")
    for left in ("runs/t/ledger.sqlite", "t/ledger.sqlite", "venv/pyvenv.cfg", ".git/HEAD"):
        (tmp_path / "in" / left).parent.mkdir(parents=True)
        (tmp_path / "in" / left).write_text("", encoding="utf-8")
    assert [entrant.name for entrant in roster(tmp_path, "bots: {folder: in}\n").entrants] == ["ann", "bob"]


def test_what_was_to_play_with_a_dropped_submission_is_dropped_with_it(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob")
    (tmp_path / "in" / "zoe").mkdir()
    text = "bots: {folder: in}\nentrant_check: drop\nentrants: [ann, bob, zoe, {name: duo, pair: [ann, zoe]}]\n"
    found = roster(tmp_path, text)
    assert [entrant.name for entrant in found.entrants] == ["ann", "bob"]
    assert found.absent == {"zoe", "duo"}
    assert roster(tmp_path, "bots: {folder: in}\nentrant_check: drop\n").absent == {"zoe"}
    left = found.of(found.entrants[1:])
    assert [each.name for each in left.entrants] == ["bob"]
    assert left.absent == {"ann", "zoe", "duo"}
    assert left.of(found.entrants) == found


def test_a_tournament_of_which_one_entrant_is_left_is_refused(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann")
    (tmp_path / "in" / "zoe").mkdir()
    lines = refusal(tmp_path, "bots: {folder: in}\nentrant_check: drop\n")
    assert lines[0].startswith("in/zoe: no bot.yaml in it; write one")
    assert lines[1:] == ["t: fewer than two entrants are left, and a tournament needs two"]


def test_sc_05_an_entrant_that_names_no_bot_is_refused_also_where_only_the_folder_knows(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob")
    (line,) = refusal(tmp_path, "bots: {folder: in}\nentrants: [ann, bbo]\n")
    assert line == "t.yaml:2:17: entrants[1]: no bot 'bbo' in this file; did you mean 'bob'?"


def test_cf_11_a_submission_and_a_bot_of_one_name_are_refused(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob")
    ann = "in/ann: its name 'ann' differs only in case or Unicode form from 'Ann', that of "
    for text, whose in (
        ("bots:\n- {name: Ann, bot: counter}\n- {folder: in}\n", "bots[0] in line 2"),
        ("bots:\n- {folder: in}\n- {name: Ann, bot: counter}\n", "bots[1] in line 3"),
    ):
        assert refusal(tmp_path, text) == [f"{ann}{whose}; rename one of them", HOW_TO_DROP]


@pytest.mark.parametrize(
    ("first", "second", "how"),
    [
        ("Good", "good", "'good' differs only in case or Unicode form from 'Good', that"),
        ("e\u0301", "\u00e9", "'\u00e9' is also that"),
    ],
)
def test_cf_11_of_two_submissions_that_could_be_taken_for_each_other_the_second_is_unusable(
    first: str, second: str, how: str, tmp_path: Path
) -> None:
    for folder in ("in", "late"):  # in folders of their own, since a file system may take them for one
        submit(tmp_path / folder, {"in": first, "late": second}[folder])
    submit(tmp_path / "in", "zoe")
    text = "bots: [{folder: in}, {folder: late}]\n"
    assert refusal(tmp_path, text) == [
        f"late/{second}: its name {how} of the folder in/{first}; rename one of them",
        HOW_TO_DROP,
    ]
    found = roster(tmp_path, text + "entrant_check: drop\n")
    assert [str(left.folder.relative_to(tmp_path)) for left in found.unusable] == [f"late/{second}"]
    assert len(found.entrants) == 2


def test_a_name_that_only_an_unusable_submission_had_is_free(tmp_path: Path) -> None:
    (tmp_path / "in" / "Good").mkdir(parents=True)
    submit(tmp_path / "late", "good", "zoe")
    found = roster(tmp_path, "bots: [{folder: in}, {folder: late}]\nentrant_check: drop\n")
    assert [entrant.name for entrant in found.entrants] == ["good", "zoe"]


def test_what_is_hidden_among_submissions_is_none(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob", ".old")
    (tmp_path / "in" / ".github" / "workflows").mkdir(parents=True)
    (tmp_path / "in" / "._bot.py").write_text("", encoding="utf-8")
    found = roster(tmp_path, "bots: {folder: in}\n")
    assert [entrant.name for entrant in found.entrants] == ["ann", "bob"]
    assert found.unusable == ()


def test_every_bot_that_is_not_there_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    lines = refusal(tmp_path, "bots:\n- {name: a, bot: countr}\n- {name: b, bot: ./b}\n- {folder: nowhere}\n")
    assert lines == [
        "t.yaml:2:3: bots[0]: no bot 'countr'; did you mean 'counter'?",
        "t.yaml:3:3: bots[1]: ./b: no such bot; there is nothing at b",
        "t.yaml:4:3: bots[2]: the folder nowhere cannot be read: No such file or directory; correct its path",
    ]


def test_an_empty_folder_of_submissions_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    assert refusal(tmp_path, "bots: {folder: in}\n") == [
        "t.yaml:1:7: bots: there is no folder in in; each submission needs one of its own"
    ]


def test_a_submission_with_a_name_that_nobody_could_read_is_unusable(tmp_path: Path) -> None:
    submit(tmp_path / "in", "ann", "bob", "x" * 70)
    assert "must be a name of at most 60 characters, not 70" in refusal(tmp_path, "bots: {folder: in}\n")[0]


def test_the_schedule_is_told_its_options_the_format_and_the_rules(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(
        BOTS + "rules: short\nformat: {boards: 8}\nschedule: {round_robin: {rounds: 2}}\n", encoding="utf-8"
    )
    file = read_tournament(open_file(tmp_path / "t.yaml"), tmp_path / "t.yaml", REGISTRY)
    assert options(file) == Options({"rounds": 2}, Boards(8), find_rules("short"))
    legs = round_robin(gather(file, REGISTRY, unbuilt_player).entrants, options(file), ())
    assert len(legs) == 4
