"""`spades check`: every kind of request is met, every mistake is named with its cure, and no bot holds it up."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from spades_harness.cli import checking, faults
from spades_harness.cli.checking import Checkup, Restart, Sitting, affordable, check_bot, put_again, sample, try_bot
from spades_harness.cli.faults import cure
from spades_harness.cli.findings import findings, grouped, optional_kinds, warnings
from spades_harness.cli.neighbours import HANDS
from spades_harness.cli.trials import TRIALS, Trial, Tried, said_of, warned_of
from spades_harness.game.bids import BidKind
from spades_harness.game.rules import PRESETS, Rules
from spades_harness.table.bounds import Limits
from spades_harness.table.match import Answer, Command, FaultKind, Player, Silent, Started

from .calling import PATIENCE, SPADES, ZOO, group_is_gone, heard, python_bot, spades, zoo_bot

RULES = Rules()
SLOW = Limits(start=60, move=60, bank=3600)
"""For bots that answer: no busy machine may come near them."""
PATIENT = replace(SLOW, shutdown=60)
"""For bots that end by themselves, too."""
LIMITS = Limits(start=60, move=0.3)
"""A short move limit: the silent bots of the zoo never answer, so nothing is won by waiting."""


def checkup_of(bot: Path, *habits: str, limits: Limits = PATIENT, rules: Rules = RULES) -> Checkup:
    """What is found of a bot of one file; how long it took to start is no reason to restart it less often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checking, "RESTARTS", 3600)
        return check_bot(Player(bot.stem, Command(("{python}", bot.name, *habits), str(bot.parent))), rules, limits)


def checkup_of_zoo(*habits: str, limits: Limits = PATIENT, rules: Rules = RULES) -> Checkup:
    return checkup_of(ZOO, *habits, limits=limits, rules=rules)


def text_of(checkup: Checkup, rules: Rules = RULES) -> list[str]:
    return list(findings(checkup, "zoo", rules, LIMITS))


@pytest.fixture(scope="module")
def honest() -> Checkup:
    return checkup_of_zoo()


def test_an_honest_bot_meets_every_kind_of_request_on_every_seat(honest: Checkup) -> None:
    assert [sitting.seat for sitting in honest.sittings] == [0, 1, 2, 3]
    for sitting in honest.sittings:
        assert {request.view.kind for request, _ in sitting.asked} == {"blind", "bid", "exchange", "play"}
        assert {request.view.number for request, _ in sitting.asked} == set(range(HANDS))


def test_an_honest_bot_sees_each_place_in_the_bidding_nils_around_it_and_both_ends_of_an_exchange(
    honest: Checkup,
) -> None:
    requests = [request for sitting in honest.sittings for request, _ in sitting.asked]
    bids = [sum(bid is not None for bid in each.view.bids) for each in requests if each.view.kind == "bid"]
    assert set(bids) == {0, 1, 2, 3}
    last = [hand for sitting in honest.sittings for hand in sitting.record.hands]
    assert len(last) == 4 * HANDS
    partners = {
        sitting.record.hands[number].bids[(sitting.seat + 2) % 4] for sitting in honest.sittings for number in (1, 2)
    }
    assert partners == {0, "blind_nil"}
    assert any(each.view.received for each in requests if each.view.kind == "exchange")


def test_an_honest_bot_gets_its_figures_and_its_verdict(honest: Checkup) -> None:
    lines = text_of(honest)
    assert lines[0] == "bot       it calls itself zoo 1"
    assert re.fullmatch(r"start     [\d.]+ m?s \(slowest of 4; limit 60 s\)", lines[1])
    assert lines[2] == "asked     16 blind, 16 bid, 208 play, 8 exchange"
    assert re.fullmatch(r"answers   median [\d.]+ m?s, worst [\d.]+ m?s \(\w+, hand [1-4]; limit 0.3 s\)", lines[3])
    assert lines[4] == "restarts  10 requests put again to a fresh process: the same answers"
    assert lines[-1].startswith("zoo: ok, no faults")


def test_requests_of_each_kind_are_put_again_the_late_ones_among_them(honest: Checkup) -> None:
    put = [request for request, _ in sample(honest.sittings[0])]
    assert {request.view.kind for request in put} == {"blind", "bid", "exchange", "play"}
    assert all(len(request.view.legal) != 1 for request in put)
    assert max(len(request.view.tricks) for request in put) >= 8


def test_a_bot_that_starts_slowly_is_restarted_less_often_but_once_at_least(honest: Checkup) -> None:
    asked = list(sample(honest.sittings[0]))
    assert [len(affordable(asked, start)) for start in (0.0, 1.0, 4.0, 100.0)] == [10, 10, 2, 1]
    assert affordable(asked, 100.0) == asked[-1:]
    slow = replace(honest.sittings[0], started=Started(4.0))
    assert len(put_again(slow)) == 2


def test_a_bot_that_leaves_the_optional_kinds_out_is_told_that_a_substitute_decides(honest: Checkup) -> None:
    started = Started(0.1, answers=frozenset({"exchange"}))
    modest = replace(honest, sittings=tuple(replace(each, started=started) for each in honest.sittings))
    said = "not asked blind: its hello doesn't list it under answers, so a substitute decides (no fault)"
    assert said in text_of(modest)


def test_rules_without_double_nil_need_no_word_about_it() -> None:
    rules = Rules(blind_nil=False)
    checkup = checkup_of_zoo(rules=rules)
    kinds = {request.view.kind for sitting in checkup.sittings for request, _ in sitting.asked}
    assert kinds == {"bid", "play"}
    assert not any("not asked" in line for line in text_of(checkup, rules))


@pytest.mark.parametrize(
    ("habits", "kind", "advice"),
    [
        (("--exit-at-start",), FaultKind.START, faults.CRASH),
        (("--refuse",), FaultKind.START, faults.REFUSAL),
        (("--protocol", "9"), FaultKind.START, faults.HELLO),
        (("--crash-at", "5"), FaultKind.CRASH, faults.CRASH_UNSAID),
        (("--hang-at", "5"), FaultKind.TIMEOUT, faults.FLUSH),
        (("--no-flush",), FaultKind.TIMEOUT, faults.FLUSH),
        (("--babble",), FaultKind.MALFORMED, faults.PRINT),
        (("--two-objects",), FaultKind.MALFORMED, faults.FORM),
        (("--endless-at", "5"), FaultKind.MALFORMED, faults.FORM),
        (("--string-id",), FaultKind.PROTOCOL, faults.ECHO),
        (("--illegal-at", "2"), FaultKind.ILLEGAL, faults.CHOOSE["bid"]),
    ],
)
def test_each_bad_habit_is_found_with_its_cure(habits: tuple[str, ...], kind: FaultKind, advice: str) -> None:
    """PF-01, PF-02, PF-16, PF-23: the author of a bot learns of them here."""
    falls_silent = kind is FaultKind.TIMEOUT or "--endless-at" in habits
    checkup = checkup_of_zoo(*habits, limits=LIMITS if falls_silent else SLOW)
    first = checkup.cases[0]
    assert (first.fault.kind, cure(first)) == (kind, advice)
    lines = text_of(checkup)
    assert f"  cure: {advice}" in lines
    assert re.match(r"zoo: \d+ faults?", lines[-1])


def test_a_bot_that_never_says_hello_is_tried_on_one_seat_only() -> None:
    checkup = checkup_of_zoo("--never-hello", limits=Limits(start=0.3))
    assert [fault.kind for fault in checkup.faults] == [FaultKind.START]
    assert len(checkup.sittings) == 1
    assert text_of(checkup)[0].startswith("FAULT (start) of zoo (N), at the start: not ready within the start limit")


def test_a_bot_that_makes_fault_after_fault_is_given_up_on_its_first_seat() -> None:
    checkup = checkup_of_zoo("--string-id", limits=SLOW)
    assert len(checkup.sittings) == 1
    assert len(checkup.faults) == 6
    assert [len(group) for group in grouped(checkup.cases)] == [6]
    assert "  and 5 more of this kind" in text_of(checkup)


def test_lines_that_nobody_asked_for_are_a_warning_and_no_fault() -> None:
    checkup = checkup_of_zoo("--old-id")
    assert not checkup.faults
    (warning, *_) = warnings(checkup, RULES)
    assert re.match(r"warning: \d+ lines came that nobody had asked for, and went unread; cure: ", warning)
    assert re.fullmatch(r"zoo: ok, no faults, \d warnings?", text_of(checkup)[-1])


def test_a_late_answer_is_a_fault_and_no_line_that_nobody_had_asked_for() -> None:
    """PROTOCOL.md: it is thrown away, and does no harm."""
    checkup = checkup_of_zoo("--late-at", "2", limits=LIMITS)
    assert {fault.kind for fault in checkup.faults} == {FaultKind.TIMEOUT}
    assert sum(sitting.record.bots[sitting.seat].dropped for sitting in checkup.sittings) > 0
    assert not [line for line in warnings(checkup, RULES) if "nobody had asked for" in line]


OUTLIVED = "warning: it, or a process that it started, ran on when its input had ended; cure: end when the input ends"


def test_a_bot_that_outlives_its_input_is_killed_and_warned_of() -> None:
    checkup = checkup_of_zoo("--ignore-sigterm", limits=SLOW)
    assert not checkup.faults
    assert [line for line in warnings(checkup, RULES) if line.startswith(OUTLIVED)]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no sessions on Windows")
def test_a_bot_is_not_said_to_live_on_when_only_what_it_started_elsewhere_does(tmp_path: Path) -> None:
    """A process in a session of its own holds the bot's output; it ends when the test lets go of the pipe."""
    if sys.platform == "win32":
        raise NotImplementedError
    opens = "import os, sys; pipe = os.open(sys.argv[1], os.O_RDONLY | os.O_NONBLOCK)"  # never waits for a writer
    reads = f"{opens}; os.set_blocking(pipe, True); os.read(pipe, 1)"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    started = f"subprocess.Popen([sys.executable, '-c', {reads!r}, {str(pipe)!r}], start_new_session=True)"
    bot = python_bot(
        tmp_path,
        "parent",
        f"def start(self):\n    import subprocess, sys; {started}\n"
        "def bid(self, request): return 3\ndef play(self, request): return request.legal[0]",
    )
    held = os.open(pipe, os.O_RDWR)
    try:
        said = spades("check", str(bot), cwd=tmp_path).stdout
    finally:
        os.close(held)
    assert OUTLIVED in said
    assert "killed" not in said


def test_a_bot_that_remembers_is_warned_of_and_one_with_the_harness_s_dice_is_not(tmp_path: Path) -> None:
    """A bot restarted before a request and fed `match_start` alone should decide the same."""
    remembering = python_bot(
        tmp_path,
        "elephant",
        "def bid(self, request): return len(request.bids) + 1\n"
        "def play(self, request):\n    self.seen = getattr(self, 'seen', 0) + 1\n"
        "    return request.legal[self.seen % len(request.legal)]",
    )
    rolling = python_bot(
        tmp_path,
        "dice",
        "def bid(self, request): return self.random.randint(1, 5)\n"
        "def play(self, request): return self.random.choice(request.legal)",
    )
    found = checkup_of(remembering)
    assert not found.faults
    (warning,) = warnings(found, RULES)
    assert warning.startswith("warning: asked again after a restart (play, hand")
    assert "it answered otherwise" in warning
    found = checkup_of(rolling)
    assert not found.faults
    assert "restarts  8 requests put again to a fresh process: the same answers" in text_of(found)


def test_a_bot_that_only_plays_on_after_a_start_is_warned_of(honest: Checkup) -> None:
    request, reply = honest.sittings[0].asked[-1]
    forgetful = replace(honest, restarts=(Restart(request, reply, Silent(1.0)),))
    (warning, *_) = warnings(forgetful, RULES)
    assert isinstance(reply, Answer)
    assert f"{reply.written} before, no answer after" in warning


def test_a_sitting_knows_when_the_bot_gave_out(honest: Checkup) -> None:
    sitting: Sitting = honest.sittings[0]
    assert not sitting.gave_out
    assert replace(sitting, started=Silent(1.0)).gave_out


# ------------------------------------------------------------------------------------------------------- by other rules


def tried(trial: Trial, *habits: str) -> Tried:
    player = Player("zoo", Command(("{python}", ZOO.name, *habits), str(ZOO.parent)))
    return Tried("./zoo", trial, try_bot(player, trial.rules, SLOW, trial.seat))


@pytest.mark.parametrize(
    ("preset", "kinds"),
    [
        ("classic", "blind exchange"),
        ("encyclopedia", ""),
        ("cutthroat", "blind"),
        ("two_player", "blind draw exchange"),
        ("whiz", "blind exchange"),
    ],
)
def test_the_optional_kinds_of_request_are_those_that_the_rules_can_ask_for(preset: str, kinds: str) -> None:
    assert " ".join(sorted(optional_kinds(PRESETS[preset]))) == kinds


def test_a_bot_is_checked_on_both_seats_of_two_players_and_draws(honest: Checkup) -> None:
    checkup = checkup_of_zoo(rules=PRESETS["two_player"])
    assert [sitting.seat for sitting in checkup.sittings] == [0, 1]
    assert not checkup.faults
    kinds = {request.view.kind for sitting in checkup.sittings for request, _ in sitting.asked}
    assert kinds == {"blind", "draw", "bid", "play"}
    assert {restart.request.view.kind for restart in checkup.restarts} == {"blind", "draw", "bid", "play"}


def test_an_honest_bot_meets_draws_lone_seats_other_decks_and_bids_in_words() -> None:
    found = [tried(trial) for trial in TRIALS]
    assert not any(each.sitting.faults for each in found)
    asked = [request.view for each in found for request, _ in each.sitting.asked]
    assert {view.kind for view in asked} >= {"blind", "draw", "bid", "play"}
    assert {len(view.won) for view in asked} == {2, 4}
    assert any(view.rules.cutthroat for view in asked)
    decks = {view.rules.deck for view in asked}
    assert decks == {"standard", "jokers_deuces"}
    bids = {bid.kind for view in asked for bid in view.bids if bid}
    assert bids == set(BidKind)
    assert list(warned_of(found)) == []
    (line,) = said_of(found)
    assert line == f"also      a few hands each, without a fault: {', '.join(trial.shown for trial in TRIALS)}"


def test_a_bot_that_declines_other_rules_is_reported_and_not_warned_of() -> None:
    found = [tried(TRIALS[0], "--refuse")]
    assert list(warned_of(found)) == []
    (line,) = said_of(found)
    assert line.startswith("declines  two_player: ")
    assert "before it was ready" not in line


def test_a_fault_by_other_rules_is_a_warning_with_the_call_that_shows_it() -> None:
    found = [tried(TRIALS[3], "--illegal-at", "1")]
    assert list(said_of(found)) == []
    (line,) = warned_of(found)
    assert line.startswith(
        "warning: by the rules classic with zero=bonus and blind_number=6 it made a fault (illegal, hand 1, blind: "
    )
    assert line.endswith("spades check ./zoo --rules classic --set zero=bonus --set blind_number=6 shows more")


def test_other_rules_are_tried_unless_rules_are_named(tmp_path: Path) -> None:
    picky = python_bot(
        tmp_path,
        "picky",
        "def start(self):\n    from spades_bot import CannotPlay\n"
        "    if len(self.rules['seats']) != 4: raise CannotPlay('four seats or none')\n"
        "def bid(self, request): return 3\ndef play(self, request): return request.legal[0]",
    )
    done = spades("check", picky.name, cwd=tmp_path)
    assert done.returncode == 0
    assert "declines  two_player: four seats or none" in done.stdout
    assert "warning: by the rules whiz it made a fault (illegal, hand 1, bid: 3 may not be bid" in done.stdout
    assert "not asked blind, draw and exchange: its hello" in done.stdout
    done = spades("check", picky.name, "--rules", "classic", cwd=tmp_path)
    assert (done.returncode, "whiz" in done.stdout, "draw" in done.stdout) == (0, False, False)
    done = spades("check", picky.name, "--set", "players=2", cwd=tmp_path)
    assert done.returncode == 1
    assert "gave up: four seats or none" in done.stdout


def test_the_bot_of_the_template_plays_by_all_of_them(tmp_path: Path) -> None:
    assert spades("new", "mine", cwd=tmp_path).returncode == 0
    done = spades("check", "mine", cwd=tmp_path)
    assert done.returncode == 0
    assert "warning" not in done.stdout
    assert done.stdout.count("two_player, cutthroat, jokers_deuces") == 1


# ---------------------------------------------------------------------------------------------------------- the command


def test_a_broken_bot_is_exit_code_1_with_its_last_words(tmp_path: Path) -> None:
    broken = python_bot(tmp_path, "broken", "def bid(self, request): return 1 // 0\ndef play(self, request): return 0")
    done = spades("check", broken.name, cwd=tmp_path)
    assert done.returncode == 1
    assert "    | ZeroDivisionError" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_the_report_survives_whatever_encoding_the_terminal_has(tmp_path: Path, encoding: str) -> None:
    """And whatever a bot writes: no escape sequence of its own reaches the terminal."""
    body = "def bid(self, request): raise ValueError('\\x1b[31m ♠ é 漢')\ndef play(self, request): return 0"
    python_bot(tmp_path, "wild", body)
    done = spades("check", "wild.py", cwd=tmp_path, PYTHONIOENCODING=encoding, LC_ALL="C")
    assert done.returncode == 1
    assert "ValueError: \\x1b[31m" in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


def test_what_is_no_bot_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    for word in ("nobody", "nothing.py", os.curdir):
        done = spades("check", word, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, ""), word
        assert len(done.stderr.splitlines()) == 1, done.stderr
    done = spades("check", "counter", "--rules", "clasic", cwd=tmp_path)
    assert (done.returncode, done.stderr.strip()) == (2, "spades: --rules: no preset 'clasic'; did you mean 'classic'?")


def test_a_zoo_folder_is_checked_by_its_manifest(tmp_path: Path) -> None:
    zoo_bot(tmp_path, "strange", "--illegal-at", "1")
    done = spades("check", "strange", cwd=tmp_path)
    assert done.returncode == 1
    assert "FAULT (illegal) of strange (N), hand 1, blind" in done.stdout


# --------------------------------------------------------------------------------------------------- ended from outside

BUILDING = """
import os, sys, time
with open(sys.argv[1], "w") as told:
    told.write(str(os.getpid()))
time.sleep(1000)
"""
"""A build that says who it is, and never ends."""


DEAF = (sys.executable, "-c", SPADES[-1].replace("import main;", "import main; import signal;"
        " signal.signal(signal.SIGINT, signal.SIG_IGN);"))  # fmt: skip
"""The command as a shell starts a script's background job: deaf to Ctrl-C."""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM for one process on Windows")
@pytest.mark.parametrize("command", [SPADES, DEAF], ids=["foreground", "background"])
@pytest.mark.parametrize("words", [("check",), ("match",), ("run", "t.yaml")], ids=lambda words: words[0])
def test_a_command_that_is_ended_while_a_bot_is_built_says_so_and_leaves_nothing(
    words: tuple[str, ...], command: tuple[str, ...], tmp_path: Path
) -> None:
    if sys.platform == "win32":
        raise NotImplementedError
    bot, pipe, cache = tmp_path / "mine", tmp_path / "pipe", tmp_path / "cache"
    bot.mkdir()
    os.mkfifo(pipe)
    fifo = os.open(pipe, os.O_RDWR)  # waits for nobody, as opening it only to read would
    (bot / "build.py").write_text(BUILDING)
    (bot / "bot.yaml").write_text(f'build: ["{{python}}", build.py, "{pipe}"]\ncommand: [./bot]\n')
    (tmp_path / "t.yaml").write_text("bots: [{name: mine, bot: ./mine}, {name: b, bot: threes}]\n")
    call = subprocess.Popen(
        [*command, *words] + ["./mine"] * (words[0] != "run"),
        cwd=tmp_path, env={**os.environ, "SPADES_CACHE": str(cache)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        build = int(heard(fifo, call))
        call.terminate()
        _, said = call.communicate(timeout=PATIENCE)
    finally:
        call.kill()
        os.close(fifo)
    assert call.returncode == 3
    assert said.splitlines() == [f"building mine: '{{python}}' build.py {pipe}", "spades: interrupted"]
    assert group_is_gone(build)
    assert list((cache / "builds").iterdir()) == []
