"""`spades match`: how much is played, what it says of it, and that every fault is shown while nothing hangs."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from spades_harness.cli.costly import costliest
from spades_harness.cli.echo import CAP, Echo
from spades_harness.cli.matching import make_room
from spades_harness.cli.pitch import UNTIMED, distinct, entrants_of, format_of, setup_of, streams_of
from spades_harness.cli.summary import summary, table
from spades_harness.errors import UserError
from spades_harness.game.rules import Rules, make_rules
from spades_harness.game.score import Boards, Format, Game
from spades_harness.table.bounds import Limits
from spades_harness.table.match import Command, Player
from spades_harness.tournament.identity import make_spec
from spades_harness.tournament.records.ledger import FILE, RunLedger, open_run
from spades_harness.tournament.runner import Tournament, next_batch
from spades_harness.tournament.schedule import Entrant, Options
from spades_harness.tournament.schedules.round_robin import round_robin
from spades_harness.tournament.standings import Row
from tournament.playing import entrant, play, setup

from .calling import SPADES, python_bot, spades, zoo_bot

# ------------------------------------------------------------------------------------------------------ what is played


@pytest.mark.parametrize(
    ("boards", "streams", "size"),
    [
        (4, 1, 4),
        (8, 2, 4),
        (32, 8, 4),
        (60, 15, 4),
        (64, 16, 4),
        (128, 16, 8),
        (1000, 25, 40),
        (4096, 16, 256),
        (68, 17, 4),
    ],
)
def test_boards_come_in_short_streams_and_in_longer_ones_where_enough_remain(
    boards: int, streams: int, size: int
) -> None:
    assert streams_of(boards) == (streams, Boards(size))
    assert streams * size == boards


@pytest.mark.parametrize("boards", [-4, 0, 3, 30, 1_000_004])
def test_a_number_of_boards_that_gives_a_seat_more_deals_than_another_is_refused(boards: int) -> None:
    with pytest.raises(UserError, match="--boards must be a multiple of 4"):
        streams_of(boards)


def test_games_are_played_instead_of_boards_and_never_beside_them() -> None:
    assert format_of(None, 5, 32) == (5, Game())
    assert format_of(None, None, 32) == (8, Boards(4))
    with pytest.raises(UserError, match="exclude each other"):
        format_of(4, 1, 32)
    with pytest.raises(UserError, match="--games must be"):
        format_of(None, 0, 32)


def a_player(name: str) -> Player:
    return Player(name, Command((name,), "/"))


def test_two_bots_play_both_seats_of_a_side_and_four_sit_where_they_were_named() -> None:
    a, b, c, d = map(a_player, "abcd")
    shape = Rules().shape
    assert entrants_of([a, b], shape) == (Entrant("a", (a, a)), Entrant("b", (b, b)))
    assert entrants_of([a, b, c, d], shape) == (Entrant("a+c", (a, c)), Entrant("b+d", (b, d)))
    with pytest.raises(UserError, match="two bots, or four"):
        entrants_of([a, b, c], shape)


def test_where_each_plays_for_himself_every_bot_is_an_entrant() -> None:
    a, b, c, d = (Entrant(name, (a_player(name),)) for name in "abcd")
    bots = [a_player(name) for name in "abcd"]
    table, two = make_rules("cutthroat").shape, make_rules("two_player").shape
    assert entrants_of(bots[:2], table) == entrants_of(bots[:2], two) == (a, b)
    assert entrants_of(bots, table) == (a, b, c, d)
    with pytest.raises(UserError, match=r"^a match by these rules is between two bots, or 4, not 3$"):
        entrants_of(bots[:3], table)
    with pytest.raises(UserError, match=r"^a match by these rules is between two bots, not 4$"):
        entrants_of(bots, two)


def test_bots_of_one_name_get_names_that_tell_them_apart() -> None:
    names = [player.name for player in distinct([a_player(name) for name in ("a", "a", "a#2", "a")])]
    assert names == ["a", "a#2", "a#2#2", "a#3"]


# ------------------------------------------------------------------------------------------------------ what it came to


def a_run(
    folder: Path, one: Entrant, other: Entrant, game: Format, streams: int = 2, rules: Rules | None = None
) -> RunLedger:
    """A match between mannequins that was played out."""
    wished = setup_of((one, other), rules or Rules(target=100), streams, game, Limits(), 7, "spades match a b")
    ledger = open_run(folder, wished)
    options = Options(wished.options, wished.format, wished.rules)
    ledger.plan(next_batch(Tournament(round_robin, wished.entrants, options, ledger.run.terms), (), ()))
    entrants = {each.name: each for each in wished.entrants}
    for missing in ledger.missing():
        ledger.record(play(make_spec(ledger.run.terms, entrants, missing.planned.leg)))
    return ledger


def test_a_match_says_what_was_played_and_how_to_play_it_again(tmp_path: Path) -> None:
    with a_run(tmp_path, entrant("a"), entrant("b"), Boards(4)) as ledger:
        lines = list(summary(ledger, Path("runs", "match")))
    assert (
        lines[0]
        == "a against b: 16 hands in 4 matches of 4 boards, each both ways round (rules classic, target 100, seed 7)"
    )
    assert lines[2].split("   ")[1].strip() == "points a hand ± error"
    assert [line.split()[0] for line in lines[3:5]] == ["a", "b"]
    assert lines[-1] == "The match is in runs/match (again on the same boards: --seed 7)"


def test_games_say_that_they_went_to_the_target(tmp_path: Path) -> None:
    with a_run(tmp_path, entrant("a"), entrant("b"), Game(), streams=1) as ledger:
        assert "hands in 2 matches to the target, each both ways round" in next(iter(summary(ledger, tmp_path)))


def test_a_match_of_two_at_a_table_of_four_tells_each_once_and_its_copies_together(tmp_path: Path) -> None:
    two = entrant("a", seats=1), entrant("b", "dull", seats=1)
    with a_run(tmp_path, *two, Boards(8), streams=3, rules=make_rules("cutthroat")) as ledger:
        lines = list(summary(ledger, tmp_path))
        boards = costliest(((each, ledger.match(each.ordinal)) for each in ledger.planned()), 3)
    amount = "80 hands in 10 matches of 8 boards, each from every seat (rules cutthroat, seed 7)"
    assert lines[0] == f"a against b: {amount}"
    assert [line.split()[0] for line in lines[3:5]] == ["a", "b"]
    assert {len(board.legs) for board in boards} <= {2, 4}
    assert any(re.match(r"    as [NESW] and [NESW] [+-]\d+ \(bid/took N ", line) for line in lines)
    assert {len(set(leg.sides)) for board in boards for leg in board.legs} == {2}


def test_nothing_played_is_nothing_said(tmp_path: Path) -> None:
    with open_run(tmp_path, setup()) as ledger:
        assert list(summary(ledger, tmp_path)) == []


def test_a_deterministic_bot_against_its_copy_loses_no_board_and_has_no_error(tmp_path: Path) -> None:
    with a_run(tmp_path, entrant("a", "dull"), entrant("b", "dull"), Boards(4)) as ledger:
        lines = list(summary(ledger, tmp_path))
    assert all("+0.0 ± 0.0" in line for line in lines[3:5])
    assert not any("cost a most" in line for line in lines)


def test_each_costly_board_comes_with_the_commands_that_replay_its_legs(tmp_path: Path) -> None:
    kept = Path("my runs", "match")
    with a_run(tmp_path, entrant("a"), entrant("b", "dull"), Boards(8), streams=4) as ledger:
        lines = list(summary(ledger, kept))
        said = lines[lines.index("The boards that cost a most:") + 1 : -2]
        assert len(said) == 9
        for head, *legs in (said[0:3], said[3:6], said[6:9]):
            cost, hand_no, stream = map(int, re.findall(r"-?\d+", head))
            details = [re.findall(r"as (\w+) ([+-]\d+) .* (\d+) --hand (\d+)$", leg)[0] for leg in legs]
            assert sum(int(points) for _, points, _, _ in details) == cost < 0
            assert {side for side, *_ in details} == {"NS", "EW"}
            for side, points, match, hand in details:
                record = ledger.match(int(match))
                assert ledger.planned()[int(match) - 1].leg.stream == stream
                ns, ew = record.hands[hand_no - 1].sides
                assert int(hand) == hand_no
                assert int(points) == (ns.delta - ew.delta if side == "NS" else ew.delta - ns.delta)
        assert shlex.split(said[1].rpartition("   ")[2])[:3] == ["spades", "replay", str(kept)]


def test_the_costliest_boards_come_first_and_a_board_of_one_leg_alone_is_none(tmp_path: Path) -> None:
    with a_run(tmp_path, entrant("a"), entrant("b", "dull"), Boards(8), streams=3) as ledger:
        matches = [(planned, ledger.match(planned.ordinal)) for planned in ledger.planned()]
    boards = costliest(matches, 100)
    differences = [board.difference for board in boards]
    assert differences == sorted(differences)
    assert max(differences) < 0
    assert costliest(matches[:1], 100) == []
    assert {board.stream for board in costliest(matches[:3], 100)} <= {0}


def test_a_table_has_dashes_where_nothing_is_known() -> None:
    row = Row(None, "a", None, None, None, 0, 0, 1, None, None, 0, 0, 0, 0, None, 1, {"crash": 1}, 0, 1)
    _, line = table([row])
    assert line.split() == ["a", "–", "none", "none", "–", "0-0-1", "1", "1", "crash"]


# ---------------------------------------------------------------------------------------------------- where it is kept


def test_the_last_match_makes_room_for_the_next(tmp_path: Path) -> None:
    a_run(tmp_path, entrant("a"), entrant("b"), Boards(4)).close()
    make_room(tmp_path)
    assert not (tmp_path / FILE).exists()
    make_room(tmp_path / "nothing here yet")
    (tmp_path / FILE).touch()  # as a founding leaves it for which there is no room
    make_room(tmp_path)
    a_run(tmp_path, entrant("a"), entrant("b"), Boards(4)).close()


def test_a_tournament_or_a_strange_file_in_the_place_of_the_last_match_is_left_alone(tmp_path: Path) -> None:
    open_run(tmp_path, setup()).close()
    with pytest.raises(UserError, match="holds a tournament of that name: keep this match elsewhere with --out"):
        make_room(tmp_path)
    (tmp_path / FILE).write_bytes(b"precious, and no ledger" * 100)
    with pytest.raises(UserError, match="--out"):
        make_room(tmp_path)
    assert (tmp_path / FILE).read_bytes().startswith(b"precious")


def test_a_match_that_is_being_played_is_not_replaced(tmp_path: Path) -> None:
    with a_run(tmp_path, entrant("a"), entrant("b"), Boards(4)), pytest.raises(UserError, match="in use by process"):
        make_room(tmp_path)
    assert (tmp_path / FILE).exists()


# ------------------------------------------------------------------------------------------------------ standard error


def test_standard_error_is_shown_in_whole_lines_of_the_wanted_seats_only() -> None:
    shown: list[str] = []
    with Echo({0, 2}, "NESW", shown.append) as echo:
        echo.hear(0, b"one\r\ntw")
        echo.hear(1, b"nobody looks at this\n")
        echo.hear(2, b"\x1b[31mred\n")
        echo.hear(0, "ö\nthr♠"[:4].encode() + "♠".encode()[:1])
        assert shown == ["N| one", "S| \\u001b[31mred", "N| twö"]
        echo.hear(0, "♠".encode()[1:] + b"!")
    assert shown[3:] == ["N| th♠!"]


def test_a_line_that_never_ends_is_shown_in_pieces() -> None:
    shown: list[str] = []
    with Echo({0}, "NESW", shown.append) as echo:
        echo.hear(0, b"x" * (CAP + 1))
        assert shown == ["N| " + "x" * (CAP + 1)]


# ---------------------------------------------------------------------------------------------------------- the command

PLAY = "def play(self, request): return request.legal[0]"
HONEST = f"def bid(self, request): return 3\n{PLAY}"


def test_a_match_is_recorded_where_its_replay_commands_look_for_it(tmp_path: Path) -> None:
    python_bot(tmp_path, "mine", HONEST)
    done = spades("match", "mine.py", "counter", "--boards", "8", "--seed", "4", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "mine against counter: 16 hands in 4 matches of 4 boards" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr
    command = re.search(r"spades (replay runs/match \d+ --hand \d)$", done.stdout, re.MULTILINE)
    assert command
    replayed = spades(*command[1].split(), cwd=tmp_path)
    assert replayed.returncode == 0, replayed.stderr
    assert "won by" in replayed.stdout


def test_one_seed_is_one_match_and_none_is_another_each_time(tmp_path: Path) -> None:
    python_bot(tmp_path, "mine", HONEST)
    call = ("match", "mine.py", "counter", "--boards", "4")
    first, again, other = (spades(*call, *seed, cwd=tmp_path).stdout for seed in (("--seed", "9"), ("--seed", "9"), ()))
    assert first == again
    assert first.splitlines()[0] != other.splitlines()[0]


def test_four_bots_sit_on_the_seats_in_the_order_of_the_call(tmp_path: Path) -> None:
    for name in "nesw":
        python_bot(tmp_path, name, HONEST)
    done = spades("match", "n.py", "e.py", "s.py", "w.py", "--boards", "4", "--out", "kept", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "n+s against e+w" in done.stdout
    story = spades("replay", "kept", "1", "--hand", "1", cwd=tmp_path).stdout
    assert re.findall(r"^  ([NESW]) (\w) ", story, re.MULTILINE) == [("N", "n"), ("E", "e"), ("S", "s"), ("W", "w")]


def test_a_match_that_was_kept_goes_on_where_it_stood(tmp_path: Path) -> None:
    python_bot(tmp_path, "mine", HONEST)
    call = ("match", "mine.py", "counter", "--boards", "4", "--seed", "9", "--out", "kept")
    first, again = spades(*call, cwd=tmp_path), spades(*call, cwd=tmp_path)
    assert first.stdout == again.stdout
    assert "2/2 matches" in again.stderr.splitlines()[0]


def test_a_fault_shows_request_rule_last_words_cure_and_replay_and_the_next_of_its_kind_is_one_line(
    tmp_path: Path,
) -> None:
    bid = "def bid(self, request):\n    for n in range(30): print('step', n)\n    return 99\n"
    python_bot(tmp_path, "wrong", bid + PLAY)
    done = spades("match", "wrong.py", "counter", "--boards", "8", cwd=tmp_path)
    assert done.returncode == 0
    full = re.search(
        r"^FAULT \(illegal\) of wrong \((\w)\), hand 1, bid: (.*)\n((?:  .*\n)*)", done.stderr, re.MULTILINE
    )
    assert full
    assert "99" in full[2]
    shown = full[3].splitlines()
    assert shown[0] == "  it answered: 99"
    assert shown[1].startswith('  the request: {"type":"bid","id":')
    assert shown[2:23] == ["  its standard error, last 20 lines:", *(f"    | step {n}" for n in range(10, 30))]
    assert shown[23].startswith("  cure: ")
    assert re.fullmatch(r"  replay: spades replay runs.match 1", shown[24])
    assert len(re.findall(r"\(as before; match [234]\)$", done.stderr, re.MULTILINE)) == 3
    assert re.search(r"^wrong .* 4 +4 illegal$", done.stdout, re.MULTILINE)


def test_a_bot_that_never_starts_ends_the_match_at_once_with_exit_code_1(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "dead", "--exit-at-start")
    done = spades("match", "dead", "counter", cwd=tmp_path)
    assert done.returncode == 1
    assert "FAULT (start) of dead (N), at the start: exited with code 4 before it was ready" in done.stderr
    assert "    | the weights are missing" in done.stderr
    assert "hands in 1 match of" in done.stdout


@pytest.mark.parametrize(
    "habit", ["--babble", "--crash-at", "--hang-at", "--illegal-at", "--endless-at", "--close-output-at"]
)
def test_no_broken_bot_hangs_the_match_or_shows_a_traceback(tmp_path: Path, habit: str) -> None:
    zoo_bot(tmp_path, "strange", habit, *([] if habit == "--babble" else ["7"]))
    done = spades("match", "strange", "counter", "--boards", "4", cwd=tmp_path)
    assert done.returncode == 0
    assert "FAULT" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert "strange against counter: 0 hands in 2 matches" in done.stdout


def test_standard_error_of_the_first_bot_is_shown_live_and_of_no_other(tmp_path: Path) -> None:
    python_bot(
        tmp_path,
        "loud",
        "def bid(self, request):\n    print('I bid as', self.seat)\n    return 3\n" + PLAY,
    )
    python_bot(tmp_path, "other", "def bid(self, request):\n    print('not me')\n    return 3\n" + PLAY)
    done = spades("match", "loud.py", "other.py", "--boards", "4", "--stderr", cwd=tmp_path)
    assert done.returncode == 0
    assert set(re.findall(r"^(\w)\| (.*)$", done.stderr, re.MULTILINE)) == {(s, f"I bid as {s}") for s in "NESW"}
    assert "not me" not in done.stderr


def test_without_a_clock_bots_are_told_of_a_day_for_each_answer(tmp_path: Path) -> None:
    python_bot(
        tmp_path,
        "asks",
        "def bid(self, request):\n    print(self.limits['move'])\n    return 3\n" + PLAY,
    )
    done = spades("match", "asks.py", "counter", "--boards", "4", "--stderr", "--no-clock", cwd=tmp_path)
    assert f"N| {UNTIMED.move}" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_the_figures_survive_whatever_encoding_the_terminal_has(tmp_path: Path, encoding: str) -> None:
    python_bot(tmp_path, "mine", HONEST)
    done = spades("match", "mine.py", "counter", "--boards", "4", cwd=tmp_path, PYTHONIOENCODING=encoding, LC_ALL="C")
    assert done.returncode == 0, done.stderr
    assert "points a hand +/- error" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nobody",), "no bot 'nobody'"),
        (("counter", "threes", "random"), "not 3"),
        (("counter", "counter", "--boards", "6"), "--boards must be a multiple of 4"),
        (("counter", "counter", "--boards", "4", "--games", "1"), "exclude each other"),
        (("counter", "threes", "--rules", "clasic"), "did you mean 'classic'?"),
        (("counter", "threes", "--plugin", "no.py"), "no.py: no such file"),
        (("threes", "counter", "--debug"), "--debug is for bots made with spades_bot in Python"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    done = spades("match", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no polite kill")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_match_leaves_no_bot_behind(tmp_path: Path, number: int) -> None:
    hang = ["def bid(self, request):", "    import os, threading", "    print('pid', os.getpid())"]
    bid = "\n".join([*hang, "    threading.Event().wait()", ""])
    python_bot(tmp_path, "slow", bid + PLAY)
    with subprocess.Popen(
        [*SPADES, "match", "slow.py", "counter", "--boards", "4", "--no-clock", "--stderr"],
        cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        try:
            assert process.stderr is not None
            pid = next(int(found[1]) for line in process.stderr if (found := re.search(r"pid (\d+)", line)))
            process.send_signal(number)
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()  # a match that takes no notice would have no end: its bot hangs without a clock
    assert process.returncode == 3
    assert "spades: interrupted" in said
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.slow
def test_one_bot_alone_plays_32_boards_against_steady(tmp_path: Path) -> None:
    python_bot(tmp_path, "mine", HONEST)
    done = spades("match", "mine.py", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "mine against steady: 64 hands in 16 matches of 4 boards, each both ways round" in done.stdout
    assert done.stdout.count(" points on board ") == 3
