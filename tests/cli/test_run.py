"""`spades run` and what is read of a run afterwards: real files, real processes, real standings."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cli.calling import PATIENCE, SPADES, gated_bot, group_is_gone, heard, shut_gate, spades, zoo_bot

BARE = "{name: small, seed: 7, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, "
SMALL = BARE + "entrant_check: play, "
TWO = SMALL + "bots: [{name: ann, bot: threes}, {name: bob, bot: counter}]}"


def write(folder: Path, text: str, name: str = "t.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rows(run: str, cwd: Path) -> Mapping[str, Mapping[str, Any]]:
    done = spades("standings", run, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    return {row["entrant"]: row for row in json.loads(done.stdout)["entrants"]}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the small tournament was run."""
    folder = tmp_path_factory.mktemp("small run")
    write(folder, TWO)
    done = spades("run", "t.yaml", "--jobs", "1", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


# --------------------------------------------------------------------------------------------------------- the job


def test_six_entrants_of_which_three_are_broken_end_with_right_standings_and_those_three_marked(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "crashing", "--crash-at", "3")
    zoo_bot(tmp_path, "hanging", "--hang-at", "2")
    zoo_bot(tmp_path, "babbling", "--babble")
    zoo_bot(tmp_path, "honest")
    bots = ", ".join(f"{{name: {name}, bot: ./{name}}}" for name in ("crashing", "hanging", "babbling", "honest"))
    shipped = "{name: threes, bot: threes}, {name: counter, bot: counter}"
    write(tmp_path, SMALL + f"limits: {{start: 60, move: 1, bank: 60}}, bots: [{bots}, {shipped}]}}")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    table = rows("runs/small", tmp_path)
    assert {name: row["forfeits"] > 0 for name, row in table.items()} == {
        "crashing": True, "hanging": True, "babbling": True, "honest": False, "threes": False, "counter": False,
    }  # fmt: skip
    assert {name: list(row["faults"]) for name, row in table.items() if row["faults"]} == {
        "crashing": ["crash"], "hanging": ["timeout"], "babbling": ["malformed"],
    }  # fmt: skip
    sound = [row for row in table.values() if not row["faults"]]
    assert all(row["matches"] == 10 and row["wins"] >= 3 for row in sound)
    assert min(row["elo"] for row in sound) > max(row["elo"] for row in table.values() if row["faults"])
    for name in ("crashing", "hanging", "babbling"):
        assert f"{name}: " in done.stderr


def test_a_run_ends_with_a_table_on_standard_output_and_all_else_beside_it(small: Path) -> None:
    """CL-07: no control characters in files, progress as plain lines on standard error."""
    done = spades("run", "t.yaml", cwd=small, TERM="dumb", NO_COLOR="1")
    assert done.returncode == 0
    assert "ann" in done.stdout
    assert "entrant" in done.stdout
    assert "matches" in done.stderr
    assert "matches" not in done.stdout
    assert not {"\x1b", "\r"} & set(done.stdout + done.stderr)


def test_the_standings_hold_what_machines_are_promised(small: Path) -> None:
    (ann, bob) = rows("runs/small", small).values()
    promised = ["rank", "entrant", "elo", "elo_low", "elo_high", "wins", "draws", "losses", "points_per_hand"]
    assert list(ann)[:9] == promised
    assert {"forfeits", "faults", "contracts_made", "nils_made", "bags_per_hand"} <= set(ann)
    assert ann["points_per_hand"] == -bob["points_per_hand"]
    assert (ann["matches"], ann["hands"]) == (2, 8)


def test_csv_and_json_say_the_same_and_exclude_each_other(small: Path) -> None:
    header, *lines = spades("standings", "runs/small", "--csv", cwd=small).stdout.splitlines()
    assert header.startswith("rank,entrant,elo,elo_low,elo_high,wins,draws,losses,points_per_hand")
    assert {line.split(",")[1] for line in lines} == set(rows("runs/small", small))
    both = spades("standings", "runs/small", "--csv", "--json", cwd=small)
    assert (both.returncode, both.stderr) == (2, "spades: --json and --csv: choose one\n")


def test_a_replay_tells_a_match_hand_by_hand(small: Path) -> None:
    done = spades("replay", "runs/small", "2", cwd=small)
    assert done.stdout.startswith("Match 2 of small: bob (NS) against ann (EW). Round 1, board stream 0.\n")
    assert done.stdout.count("won by") == 4 * 13
    only = spades("replay", "runs/small", "2", "--hand", "3", cwd=small).stdout
    assert "Hand 3, dealt by S." in only
    assert "Hand 2" not in only


@pytest.mark.parametrize("words", [["99"], ["99", "--hand", "1"], ["1", "--hand", "99"], ["1", "--hand", "5"]])
def test_a_hand_that_a_match_does_not_have_is_named_before_anything_is_told(small: Path, words: list[str]) -> None:
    done = spades("replay", "runs/small", "1", "--hand", *words, cwd=small)
    assert (done.returncode, done.stdout) == (2, "")
    missing = "5" if "5" in words else "99"
    assert done.stderr == f"spades: match 1 has no hand {missing}: it has hands 1 to 4\n"


# ------------------------------------------------------------------------------------------ the same, and on from there


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_two_runs_of_one_seed_give_the_same_standings_byte_for_byte_on_any_number_of_lanes(
    tmp_path: Path, jobs: str, small: Path
) -> None:
    write(tmp_path, TWO)
    again = spades("run", "t.yaml", "--jobs", jobs, cwd=tmp_path)
    assert again.stdout == spades("standings", "runs/small", cwd=small).stdout
    (json_here, json_there) = (spades("standings", "runs/small", "--json", cwd=cwd).stdout for cwd in (tmp_path, small))
    assert json_here == json_there


def test_a_finished_run_is_not_played_again(small: Path) -> None:
    before = spades("replay", "runs/small", "1", cwd=small).stdout
    done = spades("run", "t.yaml", cwd=small)
    assert "2/2 matches" in done.stderr
    assert "0/2" not in done.stderr
    assert spades("replay", "runs/small", "1", cwd=small).stdout == before


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT for one process on Windows")
def test_an_interrupted_run_says_how_to_go_on_and_goes_on(tmp_path: Path) -> None:
    """PL-01: whichever signal ends it, nothing is left, and nothing is lost."""
    gated_bot(tmp_path, "slow")
    text = "{name: long, seed: 1, format: {boards: 4}, schedule: {round_robin: {rounds: 2}}, entrant_check: play, "
    limits, bots = "limits: {move: 60, bank: 600}, ", "bots: [{name: a, bot: ./slow/slow.py}, {name: b, bot: threes}]}"
    write(tmp_path, text + limits + bots)
    for number, free in ((signal.SIGINT, 2), (signal.SIGTERM, 0)):
        with shut_gate(tmp_path, free) as fifo:
            run = subprocess.Popen(
                [*SPADES, "run", "t.yaml", "--jobs", "1"], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                text=True, start_new_session=True,
            )  # fmt: skip
            try:
                assert heard(fifo, run)
                run.send_signal(number)
                _, said = run.communicate(timeout=PATIENCE)
            finally:
                run.kill()
        assert run.returncode == 3, said
        assert "To go on: spades run t.yaml" in said
        assert group_is_gone(run.pid)
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert rows("runs/long", tmp_path)["a"]["matches"] == 4


def test_another_tournament_in_the_same_folder_is_refused_with_what_differs(small: Path) -> None:
    """PR-12: the numbers of the first stay as they are."""
    write(small, TWO.replace("seed: 7", "seed: 8"), "other.yaml")
    before = spades("standings", "runs/small", "--json", cwd=small).stdout
    done = spades("run", "other.yaml", cwd=small)
    assert done.returncode == 2
    assert "holds another run; choose another folder with --out" in done.stderr
    assert "seed: 7 there, 8 here" in done.stderr
    assert spades("standings", "runs/small", "--json", cwd=small).stdout == before


# ------------------------------------------------------------------------------------------------------ fair deals


def test_without_a_seed_the_deals_are_committed_to_before_and_opened_after(tmp_path: Path) -> None:
    from spades_harness.game.deal import commitment

    write(tmp_path, TWO.replace("seed: 7, ", ""))
    done = spades("run", "t.yaml", cwd=tmp_path)
    lines = done.stderr.splitlines()
    (shown,) = [line.split()[5] for line in lines if line.startswith("The deals are committed to")]
    (secret,) = [line.split()[-1] for line in lines if line.startswith("The secret behind")]
    assert commitment(bytes.fromhex(secret)) == shown
    assert lines.index(next(line for line in lines if "committed" in line)) < lines.index("0/2 matches")


def test_a_seed_on_the_command_line_overrides_the_file_and_is_called_public(tmp_path: Path) -> None:
    write(tmp_path, TWO)
    done = spades("run", "t.yaml", "--seed", "0", cwd=tmp_path)
    assert "The deals come from the public seed 0" in done.stderr
    assert done.returncode == 0


# -------------------------------------------------------------------------------------------------- plan and exit codes


def test_a_dry_run_prints_the_effective_file_and_the_matches_and_plays_nothing(tmp_path: Path) -> None:
    write(tmp_path, TWO)
    done = spades("run", "t.yaml", "--dry-run", cwd=tmp_path)
    assert done.returncode == 0
    assert "limits: {start: 10.0, move: 1.0, bank: 60.0, " in done.stdout
    assert "match    2  round 1  board stream 0  bob against ann" in done.stdout
    assert done.stdout.endswith("2 matches\n")
    assert not (tmp_path / "runs").exists()


def test_values_of_a_bot_s_environment_are_shown_and_kept_nowhere(tmp_path: Path) -> None:
    """CL-11."""
    write(tmp_path, TWO.replace("bot: threes", "bot: threes, env: {API_KEY: s3cret}"))
    done = spades("run", "t.yaml", "--dry-run", cwd=tmp_path)
    assert 'env: {API_KEY: "***"}' in done.stdout
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "s3cret" not in done.stdout + done.stderr
    assert b"s3cret" not in (tmp_path / "runs" / "small" / "ledger.sqlite").read_bytes()


def test_paths_in_the_file_are_relative_to_it_and_the_run_lies_where_one_stands(tmp_path: Path) -> None:
    """CF-08."""
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    zoo_bot(tmp_path / "there", "own")
    write(tmp_path / "there", SMALL + "bots: [{name: a, bot: ./own}, {name: b, bot: threes}]}")
    assert spades("run", "../there/t.yaml", cwd=tmp_path / "here").returncode == 0
    assert (tmp_path / "here" / "runs" / "small" / "ledger.sqlite").exists()


def test_an_entrant_that_never_started_makes_the_exit_code_1(tmp_path: Path) -> None:
    """CL-05, and what it says on its standard error can be read in the replay's place at once."""
    zoo_bot(tmp_path, "broken", "--exit-at-start")
    write(tmp_path, SMALL + "bots: [{name: broken, bot: ./broken}, {name: b, bot: threes}]}")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 1
    assert "spades: broken never started" in done.stderr
    assert "exited with code 4 before it was ready" in done.stderr


@pytest.mark.parametrize(("check", "code", "told"), [("drop", 1, "broken is dropped"), ("refuse", 2, "broken")])
def test_a_bot_that_fails_its_first_handshake_is_dropped_or_refused_as_the_file_says(
    tmp_path: Path, check: str, code: int, told: str
) -> None:
    zoo_bot(tmp_path, "broken", "--exit-at-start")
    bots = "[{name: broken, bot: ./broken}, {name: b, bot: threes}, {name: c, bot: counter}]"
    write(tmp_path, BARE + f"entrant_check: {check}, bots: {bots}}}")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert f"{told}: exited with code 4 before it was ready: the weights are missing" in done.stderr
    if check == "drop":
        assert rows("runs/small", tmp_path)["b"]["matches"] == 2


def test_who_is_left_after_the_handshakes_must_fill_a_table_or_nothing_is_played(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "broken", "--exit-at-start")
    bots = ", ".join(f"{{name: {name}, bot: threes}}" for name in "abc")
    write(tmp_path, BARE + f"rules: cutthroat, entrant_check: drop, bots: [{{name: broken, bot: ./broken}}, {bots}]}}")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "nothing was played: without these, t.yaml:1:" in done.stderr
    assert "round_robin can't fill tables of 4 with 3 entrants" in done.stderr
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("preset", "names", "matches"), [("cutthroat", "abcd", 4), ("cutthroat", "ab", 4), ("two_player", "abc", 6)]
)
def test_single_players_run_by_a_file_of_their_preset_to_standings_that_resuming_leaves_alone(
    tmp_path: Path, preset: str, names: str, matches: int
) -> None:
    bots = ", ".join(f"{{name: {name}, bot: {'threes' if name in 'ad' else 'counter'}}}" for name in names)
    write(tmp_path, SMALL + f"rules: {preset}, bots: [{bots}]}}")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    again = spades("run", "t.yaml", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    found = rows("runs/small", tmp_path)
    assert sorted(found) == [*names]
    assert sum(row["wins"] for row in found.values()) == sum(row["losses"] for row in found.values())
    seats = 2 if preset == "two_player" else 4
    assert {row["matches"] for row in found.values()} == {matches * min(seats, len(names)) // len(names)}
    assert {row["forfeits"] for row in found.values()} == {0}


def test_fail_on_faults_makes_the_exit_code_1(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "odd", "--crash-at", "9")
    write(tmp_path, SMALL + "fail_on: [faults], bots: [{name: odd, bot: ./odd}, {name: b, bot: threes}]}")
    assert spades("run", "t.yaml", cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bots: [", "t.yaml:1:8"),
        (TWO.replace("format", "fromat"), "did you mean 'format'?"),
        (TWO.replace("bot: threes", "bot: threees"), "no bot 'threees'; did you mean 'threes'?"),
        (TWO.replace("rounds: 1", "round: 1"), "did you mean 'rounds'?"),
        (TWO.replace("format", "rules: klassic, format"), "did you mean 'classic'?"),
        (
            TWO.replace("bots:", "rules: cutthroat, entrants: [ann, {name: x, pair: [ann, bob]}], bots:"),
            "names 2 bots, but a side has one seat under these rules",
        ),
        (
            TWO.replace("bots: [", "rules: cutthroat, bots: [{name: c, bot: threes}, "),
            "round_robin can't fill tables of 4 with 3 entrants; it takes two, with copies, or 4 and more",
        ),
    ],
)
def test_a_mistake_in_the_file_is_one_line_and_exit_code_2_and_nothing_is_founded(
    tmp_path: Path, text: str, words: str
) -> None:
    write(tmp_path, text)
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("words", [["standings", "nowhere"], ["replay", "nowhere", "1"], ["run", "nowhere.yaml"]])
def test_what_is_not_there_is_one_line_and_exit_code_2(tmp_path: Path, words: list[str]) -> None:
    done = spades(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "nowhere" in done.stderr


def test_a_match_that_is_not_in_the_plan_is_named(small: Path) -> None:
    done = spades("replay", "runs/small", "3", cwd=small)
    assert done.returncode == 2
    assert "there is no match 3: the plan has 1 to 2" in done.stderr


# ------------------------------------------------------------------------------------------------------ odd terminals


@pytest.mark.parametrize("environment", [{"PYTHONIOENCODING": "cp1252"}, {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}])
def test_suits_print_as_letters_where_the_encoding_lacks_them(small: Path, environment: dict[str, str]) -> None:
    done = spades("replay", "runs/small", "1", cwd=small, **environment)
    assert done.returncode == 0, done.stderr
    assert "  N ann  S " in done.stdout
    assert "\\u" not in done.stdout
    table = spades("standings", "runs/small", cwd=small, **environment)
    assert table.returncode == 0
    assert "W-D-L" in table.stdout


def test_names_are_shown_as_they_are_whatever_they_look_like(tmp_path: Path) -> None:
    """CL-03."""
    names = ["[blue] b", "[/marketing]", "%s", ":smile:", "a[0]", "{x}"]
    bots = ", ".join(f'{{name: "{name}", bot: threes}}' for name in names)
    write(tmp_path, SMALL.replace("round_robin: {rounds", "swiss: {streams: 1, rounds") + f"bots: [{bots}]}}")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in names:
        assert name in done.stdout


def test_a_fault_is_told_with_the_bot_s_name_as_it_is(tmp_path: Path) -> None:
    """CL-03."""
    names = ["[red]a[0]", "{x} %s"]
    zoo_bot(tmp_path, "odd", "--crash-at", "3")
    bots = ", ".join(f'{{name: "{name}", bot: ./odd}}' for name in names)
    write(tmp_path, SMALL + f"bots: [{bots}, {{name: b, bot: threes}}]}}")
    done = spades("run", "t.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if ": crash: " in line]
    assert {line.partition(": crash: ")[0] for line in told} == set(names)
    assert len(told) == len(names)


def test_what_a_bot_calls_itself_changes_nothing(tmp_path: Path) -> None:
    """PF-25: faults and results go to the entrant of the file."""
    zoo_bot(tmp_path, "alpha", "--wrong-name", "--crash-at", "4")
    write(tmp_path, SMALL + "bots: [{name: alpha, bot: ./alpha}, {name: beta, bot: threes}]}")
    spades("run", "t.yaml", cwd=tmp_path)
    table = rows("runs/small", tmp_path)
    assert (table["alpha"]["forfeits"], table["beta"]["forfeits"]) == (2, 0)


def plugin_file(folder: Path, body: str) -> Path:
    """A plugin file with this code after the usual imports."""
    path = folder / "plug.py"
    path.write_text(f"from spades_harness import hookimpl\n{body}", encoding="utf-8")
    return path


def test_a_fault_of_the_harness_is_told_in_one_line_without_any_value(tmp_path: Path) -> None:
    """CL-11: the traceback goes to a file, without values; exit code 4."""
    plugin_file(
        tmp_path,
        "from spades_harness.cli import running\n"
        "def broken(*_):\n    raise KeyError('s3cret')\n"
        "running.first_batch = broken\n"
        "@hookimpl\ndef spades_register_bots():\n    return {}\n",
    )
    write(tmp_path, TWO.replace("bot: threes", "bot: threes, env: {KEY: s3cret}"))
    done = spades("run", "t.yaml", "--plugin", "plug.py", cwd=tmp_path)
    assert done.returncode == 4
    assert "s3cret" not in done.stdout + done.stderr
    assert done.stderr.count("\n") == 1
    report = Path(done.stderr.split()[-1])
    assert "s3cret" not in report.read_text().replace("raise KeyError('s3cret')", "")


SCHEDULE = "def odd(entrants, options, results):\n    {}\n"
SCHEDULE += "@hookimpl\ndef spades_register_schedules():\n    return {{'odd': odd}}\n"


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("raise KeyError('no such place')", "odd fails: KeyError: 'no such place' (plug.py, line 3)"),
        ("return 3", "odd must answer with a tuple of Leg, not int (plug.py)"),
        (
            "return 3\nfrom spades_harness.tournament.schedules.placing import Placed\nodd = Placed(odd)",
            "odd must answer with a tuple of Leg, not int (plug.py)",
        ),
    ],
)
@pytest.mark.parametrize("words", [[], ["--dry-run"]])
def test_a_schedule_that_is_broken_is_told_in_one_line_before_anything_is_founded(
    tmp_path: Path, does: str, said: str, words: list[str]
) -> None:
    """PG-01."""
    plugin_file(tmp_path, SCHEDULE.format(does))
    write(tmp_path, TWO.replace("round_robin: {rounds: 1}", "odd: {}"))
    done = spades("run", "t.yaml", "--plugin", "plug.py", *words, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("spades: t.yaml:1:")
    assert done.stderr.endswith(f": {said}\n")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def f(:\n", "cannot be loaded: SyntaxError: invalid syntax (plug.py, line 2)"),
        (
            SCHEDULE.format("return ()").replace("'odd'", "'round_robin'"),
            "registers the schedule 'round_robin', which is the name of one that ships; choose another",
        ),
    ],
)
def test_a_plugin_that_somebody_names_and_that_is_broken_ends_the_call_before_anything_is_founded(
    tmp_path: Path, body: str, said: str
) -> None:
    """PG-01: only an installed one, that nobody may have asked for, is set aside."""
    plugin_file(tmp_path, body)
    write(tmp_path, TWO)
    for words in (["run", "t.yaml", "--plugin", "plug.py"], ["plan", "t.yaml", "--plugin", "plug.py"]):
        done = spades(*words, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (2, f"spades: plugin {tmp_path / 'plug.py'}: {said}\n")
    assert not (tmp_path / "runs").exists()


def test_a_schedule_that_breaks_in_the_middle_is_told_in_one_line_and_what_was_played_stays(tmp_path: Path) -> None:
    """PG-01."""
    first = "from spades_harness.tournament.outcome import Leg; "
    first += "return (Leg(('ann', 'bob'), 0, 0, 1),) if not results else 1 / 0"
    plugin_file(tmp_path, SCHEDULE.format(first))
    write(tmp_path, TWO.replace("round_robin: {rounds: 1}", "odd: {}"))
    done = spades("run", "t.yaml", "--plugin", "plug.py", cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("spades: ")]
    why = "odd fails: ZeroDivisionError: division by zero (plug.py, line 3)"
    assert line == f"spades: schedule: {why}; 1 matches are recorded in {Path('runs', 'small')}"
    assert rows("runs/small", tmp_path)["ann"]["matches"] == 1


def test_a_rating_that_is_broken_is_told_once_and_the_table_is_shown_without_it(tmp_path: Path, small: Path) -> None:
    """PG-01: ratings come from plugins, and cost nobody the standings."""
    plugin_file(
        tmp_path,
        "def raising(entrants, pairs):\n    print('rating')\n    raise ValueError('no pairs')\n"
        "def floating(entrants, pairs):\n    return {name: 1.5 for name in entrants}\n"
        "@hookimpl\ndef spades_register_ratings():\n    return {'a': raising, 'b': floating}\n",
    )
    write(tmp_path, TWO)
    done = spades("run", "t.yaml", "--plugin", "plug.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == spades("standings", "runs/small", cwd=small).stdout
    assert [line for line in done.stderr.splitlines() if line.startswith("spades: ")] == [
        "spades: the rating a is left out: it fails: ValueError: no pairs (plug.py, line 4)",
        "spades: the rating b is left out: it must answer with Rated for 'ann', not float (plug.py)",
    ]
    done = spades("standings", "runs/small", "--json", "--plugin", "plug.py", cwd=tmp_path)
    assert done.stderr.count("is left out") == 2
    for row in json.loads(done.stdout)["entrants"]:
        assert (row["ratings"]["a"], row["ratings"]["b"]) == (None, None)
        assert row["ratings"]["elo_k"] is not None


def test_a_replay_ends_with_each_fault_in_full(tmp_path: Path) -> None:
    """The request, the answer, the last words and a cure, without another command."""
    zoo_bot(tmp_path, "odd", "--illegal-at", "3")
    write(tmp_path, SMALL + "bots: [{name: odd, bot: ./odd}, {name: b, bot: threes}]}")
    spades("run", "t.yaml", cwd=tmp_path)
    told = spades("replay", "runs/small", "1", cwd=tmp_path).stdout
    story, _, fault = told.partition("\nFAULT (illegal) of odd (")
    assert "Hand 1 was not finished." in story
    for part in (
        "  it answered: ",
        '  the request: {"type":"play"',
        "  it wrote nothing to its standard error",
        "  cure: ",
    ):
        assert part in fault
    assert "FAULT (illegal)" in spades("replay", "runs/small", "1", "--hand", "1", cwd=tmp_path).stdout
    other = spades("replay", "runs/small", "1", "--hand", "2", cwd=tmp_path)
    assert (other.returncode, other.stdout) == (2, "")
    assert other.stderr == "spades: match 1 has no hand 2: it has hand 1\n"


def test_a_bot_that_was_refused_and_mended_plays_with_the_same_call(tmp_path: Path) -> None:
    folder = zoo_bot(tmp_path, "broken", "--exit-at-start")
    write(tmp_path, BARE + "entrant_check: refuse, bots: [{name: broken, bot: ./broken}, {name: b, bot: threes}]}")
    assert spades("run", "t.yaml", cwd=tmp_path).returncode == 2
    assert not (tmp_path / "runs").exists()
    (folder / "bot.yaml").write_text('command: ["{python}", zoo.py]\n', encoding="utf-8")
    assert spades("run", "t.yaml", cwd=tmp_path).returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /bin/sh on Windows")
@pytest.mark.parametrize(
    ("redirection", "code"),
    [("2>&1 | head -1", 0), ("> /dev/full", 2), (">&- 2>&-", 0), ("2> /dev/full > /dev/null", 0)],
)
def test_a_run_that_nobody_reads_is_played_all_the_same(tmp_path: Path, redirection: str, code: int) -> None:
    """CL-01."""
    write(tmp_path, TWO)
    call = f'{{ "{SPADES[0]}" -c "{SPADES[2]}" run t.yaml; echo $? > code; }} {redirection}'
    subprocess.run(["/bin/sh", "-c", call], cwd=tmp_path, capture_output=True, timeout=PATIENCE, check=False)
    assert (tmp_path / "code").read_text() == f"{code}\n"
    assert rows("runs/small", tmp_path)["ann"]["matches"] == 2


def test_help_names_every_command_and_exit_code(tmp_path: Path) -> None:
    text = spades("--help", cwd=tmp_path).stdout
    for word in ("run", "match", "check", "new", "standings", "replay", "bots", "rules", "Exit codes: 0 done"):
        assert word in text


@pytest.mark.parametrize(("waits", "warned"), [("", 1), (", waits: true", 0)])
def test_more_matches_at_a_time_than_cores_are_warned_of_unless_all_bots_wait(
    tmp_path: Path, waits: str, warned: int
) -> None:
    write(tmp_path, TWO.replace("bot: threes", f"bot: threes{waits}").replace("bot: counter", f"bot: counter{waits}"))
    done = spades("run", "t.yaml", "--jobs", "256", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("spades: 256 matches at a time on ") == warned


@pytest.mark.parametrize("jobs", ["0", "-3", "2.5", "true", "257"])
def test_a_number_of_lanes_that_is_none_is_refused_in_one_message_and_nothing_is_founded(
    tmp_path: Path, jobs: str
) -> None:
    """CF-13."""
    write(tmp_path, TWO)
    done = spades("run", "t.yaml", "--jobs", jobs, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    (error,) = done.stderr.splitlines()
    assert error.startswith("spades: --jobs must be a number from 1 to 256, not ")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "runs").exists()
