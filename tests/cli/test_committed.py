"""`spades run --commit`, salts, `spades reveal`: what an organiser does so that nobody can have chosen the deals."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from spades_harness.game.deal import commitment

from .calling import Answered, ask, spades

BOT = "{{name: {}, plugin: threes, in_process: true, params: {{bid: {}}}}}"
BOTS = ", ".join(BOT.format(*named) for named in (("ann", 3), ("bob", 4)))
FIELD = "{name: t, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, "
DRAWN = "04 11 23 31 40 46"


def write(folder: Path, keys: str = "") -> None:
    """A tournament of two matches."""
    (folder / "t.yaml").write_text(f"{FIELD}{keys}bots: [{BOTS}]}}", encoding="utf-8")


def play(folder: Path, *words: str) -> tuple[str, list[str]]:
    """What `spades run` prints, and what it tells."""
    done = spades("run", "t.yaml", "--jobs", "1", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.splitlines()


def call(folder: Path, *words: str) -> Answered:
    """`spades run` where nothing is played: in this process."""
    return ask("run", str(folder / "t.yaml"), "--out", str(folder / "runs" / "t"), *words)


def commit(folder: Path, *words: str) -> str:
    """The commitment of a run that is founded, or was."""
    done = call(folder, "--commit", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def refused(folder: Path, *words: str) -> str:
    """Why a call is refused: its last line."""
    done = call(folder, *words)
    assert (done.returncode, done.stdout) == (2, "")
    return done.stderr.splitlines()[-1]


def told(command: str, folder: Path, *words: str) -> Answered:
    """What another command says of the run."""
    return ask(command, str(folder / "runs" / "t"), *words)


def secrets(folder: Path) -> list[dict[str, Any]]:
    """What the standings know of the run's secrets."""
    found: list[dict[str, Any]] = json.loads(told("standings", folder, "--json").stdout)["secrets"]
    return found


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run without anything special, played in one go."""
    folder = tmp_path_factory.mktemp("played")
    write(folder)
    play(folder)
    return folder


# ----------------------------------------------------------------------------------------------------------- --commit


def test_a_run_is_founded_and_committed_to_and_nothing_is_played_until_the_next_call(tmp_path: Path) -> None:
    write(tmp_path)
    committed = commit(tmp_path)
    again = call(tmp_path, "--commit")
    assert again.stdout.strip() == committed
    assert again.stderr.splitlines()[-1].startswith("0 of 2 matches are played. To go on: spades run ")
    lines = play(tmp_path)[1]
    assert any(committed in line for line in lines)
    assert "2/2 matches" in "\n".join(lines)
    (secret,) = [line.split()[-1] for line in lines if line.startswith("The secret behind")]
    assert commitment(bytes.fromhex(secret)) == committed


def test_machines_are_told_that_a_call_only_committed(tmp_path: Path) -> None:
    write(tmp_path, "salt: required, ")
    committed, events = commit(tmp_path, "--events", str(tmp_path / "e.log")), tmp_path / "e.log"
    begun, ended = (json.loads(line) for line in events.read_text(encoding="utf-8").splitlines())
    assert (begun["commitment"], begun["salt"]) == (committed, "")
    assert (ended["how"], ended["done"], ended["planned"], ended["secret"]) == ("committed", 0, 2, None)


# ------------------------------------------------------------------------------------------------------------- a salt


def test_a_salt_comes_after_the_commitment_and_stands_everywhere(tmp_path: Path) -> None:
    write(tmp_path)
    committed = commit(tmp_path)
    printed, lines = play(tmp_path, "--salt", DRAWN)
    assert f"Into the secret is mixed the salt: {DRAWN}" in lines
    assert f"deals: the secret is mixed with the salt {DRAWN}" in printed
    (found,) = secrets(tmp_path)
    assert (found["commitment"], found["salt"]) == (committed, DRAWN)
    verified = told("verify", tmp_path)
    assert verified.returncode == 0
    assert f"Deals: committed to {committed}" in verified.stdout
    assert f"Deals: the secret is mixed with the salt {DRAWN}" in verified.stdout
    replayed = told("replay", tmp_path, "1", "--hand", "2").stdout
    for line in ask(
        *("deal", "--secret", found["secret"], "--salt", DRAWN, "--stream", "0", "--hand", "2")
    ).stdout.splitlines()[1:5]:
        assert line.split("  ", 2)[2] in replayed


def test_the_file_may_give_the_salt_once_there_is_a_commitment_and_need_not_later(tmp_path: Path) -> None:
    write(tmp_path)
    commit(tmp_path)
    write(tmp_path, f"salt: {DRAWN}, ")
    assert "0 of 2 matches" in call(tmp_path, "--commit").stderr
    assert secrets(tmp_path)[0]["salt"] == DRAWN
    write(tmp_path)
    assert f"mixed the salt: {DRAWN}" in call(tmp_path, "--commit").stderr


def test_a_salt_that_is_known_before_the_commitment_is_refused_and_nothing_is_founded(tmp_path: Path) -> None:
    write(tmp_path)
    for words in (("--salt", DRAWN), ("--salt", DRAWN, "--commit")):
        assert refused(tmp_path, *words).startswith("spades: salt: it has to come after the commitment: ")
    assert not (tmp_path / "runs").exists()
    (tmp_path / "runs" / "t").mkdir(parents=True)
    left = tmp_path / "runs" / "t" / "ledger.sqlite"
    left.touch()  # by a founding for which there was no room
    assert refused(tmp_path, "--salt", DRAWN).startswith("spades: salt: it has to come after the commitment: ")
    assert left.read_bytes() == b""


def test_a_run_that_asks_for_a_salt_plays_nothing_before_it_has_one(tmp_path: Path) -> None:
    write(tmp_path, "salt: required, ")
    for _ in range(2):
        assert refused(tmp_path).endswith(" --salt TEXT")
        assert secrets(tmp_path)[0]["salt"] == ""
    assert "waits for its salt" in told("standings", tmp_path).stdout
    write(tmp_path)  # nor where the file no longer asks
    assert "nothing is played before the salt is known" in refused(tmp_path)
    assert (told("reveal", tmp_path).returncode, told("reveal", tmp_path).stdout) == (2, "")
    assert "0 of 2 matches" in call(tmp_path, "--salt", DRAWN, "--commit").stderr
    assert f"salt {DRAWN}" in play(tmp_path)[0]


def test_a_salt_neither_comes_nor_changes_after_the_first_match(played: Path) -> None:
    assert "salt: match 1 has been dealt" in refused(played, "--salt", DRAWN)
    assert secrets(played)[0]["salt"] is None


@pytest.mark.parametrize(
    ("keys", "words", "why"),
    [
        ("seed: 7, salt: a, ", (), "salt: a public seed and a salt"),
        ("salt: required, ", ("--seed", "7"), "salt: a public seed and a salt"),
        ("seed: 7, ", ("--salt", "a"), "salt: a public seed and a salt"),
        ("salt: '', ", (), "salt: must be a text with something in it"),
        ("salt: ' a', ", (), "salt: must be a text of 1 to 200 characters, in one line and without blanks at its ends"),
        (f"salt: {'a' * 201}, ", (), "salt: must be a text of 1 to 200 characters"),
        ("salt: [a], ", (), "salt: must be a text"),
        ("", ("--salt", "a\nb"), "--salt: must be a text of 1 to 200 characters, in one line"),
    ],
)
def test_what_is_no_salt_or_has_no_use_for_one_is_one_line(
    tmp_path: Path, keys: str, words: tuple[str, ...], why: str
) -> None:
    write(tmp_path, keys)
    done = call(tmp_path, *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert why in done.stderr
    assert not (tmp_path / "runs").exists()


# ------------------------------------------------------------------------------------------------------------- reveal


def test_a_secret_that_is_shown_before_the_end_is_told_with_the_standings(tmp_path: Path) -> None:
    write(tmp_path)
    committed, early = commit(tmp_path), "when 0 of its 2 matches were played"
    shown = told("reveal", tmp_path)
    assert shown.returncode == 0
    assert commitment(bytes.fromhex(shown.stdout.strip())) == committed
    assert early in shown.stderr
    printed, lines = play(tmp_path)
    assert "deals: the secret was shown 20" in printed
    assert early in printed
    assert any("the secret was shown already" in line for line in lines)
    assert f"{early}; 2 matches were played after that" in told("verify", tmp_path).stdout


def test_a_match_that_is_played_again_on_known_cards_is_told_with_the_standings(played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    assert told("amend", tmp_path, "again", "2", "--reason", "it rained", "--by", "ben").returncode == 0
    assert "deals:" not in told("standings", tmp_path).stdout
    printed, _ = play(tmp_path)
    late = "when 2 of its 2 matches were played; 1 match was played after that"
    assert late in printed
    assert late in told("verify", tmp_path).stdout
    assert told("amend", tmp_path, "void", "2", "--reason", "it rained", "--by", "ben").returncode == 0
    assert late not in told("standings", tmp_path).stdout


def test_nothing_is_told_of_a_secret_that_is_shown_at_the_end(played: Path) -> None:
    again = told("reveal", played)
    assert "deals:" not in again.stderr + told("standings", played).stdout
    assert again.stdout.strip() == secrets(played)[0]["secret"]


def test_a_run_that_amendments_leave_without_matches_keeps_its_secret_until_somebody_shows_it(tmp_path: Path) -> None:
    write(tmp_path)
    commit(tmp_path)
    out = told("amend", tmp_path, "disqualify", "ann", "--reason", "a misunderstanding", "--by", "ben")
    assert "bob alone plays on: nothing is left to play, unless `spades amend RUN undo NUMBER`" in out.stderr
    said = refused(tmp_path)
    assert "too few are left to play on, and the secret stays one while they may come back" in said
    assert secrets(tmp_path)[0]["secret"] is None
    told("amend", tmp_path, "undo", "1", "--reason", "it is cleared", "--by", "ben")
    play(tmp_path)
    assert secrets(tmp_path)[0]["played"] == 2


def test_a_run_without_anybody_to_play_ends_once_its_secret_was_shown(tmp_path: Path) -> None:
    write(tmp_path)
    commit(tmp_path)
    told("amend", tmp_path, "withdraw", "ann", "bob", "--reason", "no time", "--by", "ben")
    refused(tmp_path)
    assert told("reveal", tmp_path).returncode == 0
    _, lines = play(tmp_path)
    assert any("The head of the chain of records: " in line for line in lines)


def test_a_public_seed_is_told_with_the_standings(tmp_path: Path) -> None:
    write(tmp_path, "seed: 7, ")
    commit(tmp_path)
    assert "deals: from the public seed 7, which tells them beforehand" in told("standings", tmp_path).stdout
    assert secrets(tmp_path)[0]["secret"] == told("reveal", tmp_path).stdout.strip()


def test_what_is_no_run_has_nothing_to_reveal(tmp_path: Path) -> None:
    done = told("reveal", tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("there is no ledger here\n")


# ------------------------------------------------------------------------------------------- other secrets and suits


def test_entrants_who_join_when_the_secret_was_shown_play_by_a_new_one_and_with_a_salt_by_a_new_salt(
    tmp_path: Path,
) -> None:
    write(tmp_path)
    first = commit(tmp_path)
    write(tmp_path, f"salt: {DRAWN}, ")
    play(tmp_path)
    third = BOT.format("cal", 5)
    (tmp_path / "t.yaml").write_text(f"{FIELD}salt: {DRAWN}, bots: [{BOTS}, {third}]}}", encoding="utf-8")
    done = call(tmp_path)
    assert done.returncode == 2
    assert "nothing is played before the salt is known" in done.stderr  # the old one was known before the new secret
    second = commit(tmp_path)
    assert second != first
    printed, _ = play(tmp_path, "--salt", "08 09 10")
    old, new = secrets(tmp_path)
    assert [(each["commitment"], each["salt"], each["played"]) for each in (old, new)] == [
        (first, DRAWN, 2),
        (second, "08 09 10", 4),
    ]
    assert f"deals: the secret behind {second[:16]}… is mixed with the salt 08 09 10" in printed
    verified = told("verify", tmp_path)
    assert verified.returncode == 0, verified.stdout
    assert all(f"Deals: committed to {each}" in verified.stdout for each in (first, second))


def test_a_disguised_run_is_told_and_dealt_once_more_leg_by_leg(tmp_path: Path) -> None:
    """DS-09: what `replay` tells of the second leg is what `deal --leg 1` deals."""
    write(tmp_path, "seed: 7, disguise: true, ")
    play(tmp_path)
    assert told("verify", tmp_path).returncode == 0
    legs = []
    for match, leg in (("1", "0"), ("2", "1")):
        replayed = told("replay", tmp_path, match, "--hand", "3").stdout
        held = re.findall(r"^  ([NESW]) \S+ +(♠.*)$", replayed, re.MULTILINE)
        dealt = ask("deal", "--seed", "7", "--stream", "0", "--hand", "3", "--leg", leg).stdout
        assert re.findall(r"^  ([NESW])  (♠.*)$", dealt, re.MULTILINE) == held
        legs.append(held)
    assert legs[0] != legs[1]
    assert [cards.split("  ♥")[0] for _, cards in legs[0]] == [cards.split("  ♥")[0] for _, cards in legs[1]]
