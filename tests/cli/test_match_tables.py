"""`spades match` at other tables than two sides of one bot each: four bots, partners by draw, everybody for himself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spades_harness.cli.costly import Board, Played
from spades_harness.cli.drawn import seat
from spades_harness.cli.matching import Wishes, prepare
from spades_harness.cli.summary import show_board
from spades_harness.errors import UserError
from spades_harness.game.deal import secret_of_seed
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.table.match import Command, Player

from .calling import python_bot, spades

SEED = 3
"""Its first four cards for partners are 9♥ 3♠ 8♥ T♦: the first and the third between the second and the fourth."""
DRAWN = Rules(partners="drawn")


def players(names: str) -> list[Player]:
    return [Player(name, Command((name,), "/")) for name in names]


# -------------------------------------------------------------------------------------------------------------- seats


def test_partners_who_are_fixed_sit_as_they_were_named() -> None:
    four = players("abcd")
    assert seat(four, Rules(), secret_of_seed(SEED)) == (tuple(four), ())


def test_v1_who_drew_highest_and_lowest_sit_opposite_and_it_is_told_who_drew_what() -> None:
    table = seat(players("abcd"), DRAWN, secret_of_seed(SEED))
    assert "".join(player.name for player in table.players) == "abcd"
    assert table.told == (
        "Drawn for partners: a 9♥, b 3♠, c 8♥, d T♦",
        "a and c (N and S) play against b and d (E and W)",
    )


def test_v1_the_first_stays_in_the_first_seat_whoever_becomes_its_partner() -> None:
    seated = {"".join(p.name for p in seat(players("abcd"), DRAWN, secret_of_seed(s)).players) for s in range(30)}
    assert seated == {"abcd", "acbd", "abdc"}  # with c, b and d as the first one's partner, opposite


@pytest.mark.parametrize("names", ["ab", "abc"])
def test_v1_partners_are_drawn_by_four_only(names: str) -> None:
    with pytest.raises(UserError, match=f"match of four bots, not of {len(names)}; name four, or add --set"):
        seat(players(names), DRAWN, secret_of_seed(SEED))


def test_v1_the_draw_hangs_on_the_seed_and_holds_for_the_whole_match(tmp_path: Path) -> None:
    for name in "abcd":
        python_bot(tmp_path, name, "def bid(self, request): return 3")
    bots = tuple(str(tmp_path / f"{name}.py") for name in "abcd")
    asked = Wishes(
        bots, "classic", ("partners=drawn",), 8, None, "11", (), None, stderr=False, no_clock=False, debug=False
    )
    one, again = prepare(asked, 32), prepare(asked, 32)
    assert one.told == again.told
    assert one.told[0].startswith("Drawn for partners: a ")
    assert [entrant.name for entrant in one.setup.entrants] == [entrant.name for entrant in again.setup.entrants]
    assert {name for entrant in one.setup.entrants for name in entrant.name.split("+")} == {*"abcd"}
    assert "--set partners=drawn" in one.setup.text


# -------------------------------------------------------------------------------------------------------- what is said


@pytest.mark.parametrize(
    ("rules", "bids", "said"),
    [
        (PRESETS["classic"], (0, 3, "blind_nil", 4), "N nil/0, E 3/4, S blind nil/3, W 4/6"),
        (PRESETS["encyclopedia"], (0, 3, 5, 4), "N 0/0, E 3/4, S 5/3, W 4/6"),
        (Rules(zero="bonus"), (0, 3, "zero", 4), "N nil/0, E 3/4, S zero/3, W 4/6"),
        (Rules(blind_number=6), (0, 3, "blind7", 4), "N nil/0, E 3/4, S blind 7/3, W 4/6"),
    ],
)
def test_a_bid_of_zero_is_what_the_rules_make_of_it(rules: Rules, bids: tuple[int | str, ...], said: str) -> None:
    board = Board(0, 1, (Played(1, (0,), bids, (0, 4, 3, 6), -50),))
    _, leg = show_board(board, rules, Path("runs", "match"))
    assert f"as NS -50 (bid/took {said})" in leg


# ---------------------------------------------------------------------------------------------------------- the command

HONEST = "def bid(self, request): return 3\ndef play(self, request): return request.legal[0]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four bots in a folder."""
    for name in "nesw":
        python_bot(tmp_path, name, HONEST)
    return tmp_path


FOUR = ("match", "n.py", "e.py", "s.py", "w.py", "--boards", "4", "--seed", str(SEED))


def test_v1_four_bots_play_as_they_have_drawn(folder: Path) -> None:
    done = spades(*FOUR, "--set", "partners=drawn", cwd=folder)
    assert done.returncode == 0, done.stderr
    drawn, sides, heading, *_ = done.stdout.splitlines()
    assert drawn == "Drawn for partners: n 9♥, e 3♠, s 8♥, w T♦"
    assert sides == "n and s (N and S) play against e and w (E and W)"
    assert heading.startswith("n+s against e+w: 8 hands in 2 matches of 4 boards, each both ways round")
    assert heading.endswith("(rules classic, partners drawn, seed 3)")


def test_v18_four_bots_play_each_for_himself_from_every_seat(folder: Path) -> None:
    done = spades(*FOUR, "--rules", "cutthroat", cwd=folder)
    assert done.returncode == 0, done.stderr
    heading, _, _, *rows = done.stdout.splitlines()
    assert heading.startswith(
        "n against e against s against w: 16 hands in 4 matches of 4 boards, each from every seat"
    )
    assert sorted(row.split()[0] for row in rows[:4]) == sorted("nesw")
    told = [spades("replay", "runs/match", match, "--hand", "1", cwd=folder).stdout for match in "1234"]
    seats = ["".join(re.findall(r"^  [NESW] (\w) ", story, re.MULTILINE)) for story in told]
    assert {order[turn] for order in seats for turn in range(4)} == {*"nesw"}
    assert len(set(seats)) == 4


@pytest.mark.parametrize("rules", ["cutthroat", "two_player"])
def test_two_bots_play_where_everybody_is_alone(folder: Path, rules: str) -> None:
    done = spades("match", "n.py", "e.py", "--boards", "4", "--seed", "3", "--rules", rules, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("n against e: ")
    assert f"(rules {rules}, seed 3)" in done.stdout


def test_options_are_changed_on_the_command_line_and_named_in_the_summary(folder: Path) -> None:
    call = ("match", "n.py", "e.py", "--games", "1", "--seed", "3", "--set", "target=50", "--set", "blind_nil=false")
    done = spades(*call, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "to the target, each both ways round (rules classic, blind_nil false, target 50, seed 3)" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "n.py e.py --set partners=drawn",
            "partners are drawn in a match of four bots, not of 2; name four, or add --set",
        ),
        ("n.py --set partners=drawn", "partners are drawn in a match of four bots, not of 2"),
        ("n.py e.py s.py --set partners=drawn", "not 3"),
        ("n.py e.py s.py --rules cutthroat", "not 3"),
        ("n.py e.py s.py w.py --rules two_player", "a match by these rules is between two bots, not 4"),
        (
            "n.py e.py s.py w.py --rules cutthroat --set partners=drawn",
            "cutthroat true does not go with partners drawn",
        ),
        ("n.py e.py --set bag_limt=5", "--set: no option 'bag_limt'; did you mean 'bag_limit'?"),
        ("n.py e.py --set bag_limit", "--set: 'bag_limit' changes nothing; write option=value"),
    ],
)
def test_a_table_that_cannot_be_is_one_line_and_exit_code_2(folder: Path, words: str, said: str) -> None:
    done = spades("match", *words.split(), cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (folder / "runs").exists()
