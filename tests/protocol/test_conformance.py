"""Bots in any language are held against the transcripts; the runner finds those that leave the protocol."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bots_support import build_random, environment, folder_of

from . import conformance
from .conformance import Violation, main, play, read_steps, restarting, transcripts
from .documents import code
from .transcripts import FOLDER, MADE, Transcript, text_of

EVERY_METHOD = '''
from spades_bot import Bot, run

print("a stray print while the bot is imported")

class Everything(Bot):
    """Answers every kind of request, by its dice, and prints."""

    def start(self):
        print("a stray print")

    def bid(self, request):
        print("a stray print")
        return self.random.choice(request.legal)

    def blind(self, request):
        return self.random.choice(request.legal)

    def exchange(self, request):
        return tuple(self.random.sample(request.hand, self.random.randint(request.min, request.max)))

    def draw(self, request):
        return self.random.choice(request.legal)

    def play(self, request):
        self.note = f"one of {len(request.legal)}: \\u2028"
        return self.random.choice(request.legal)

    def hand_end(self, notice):
        print(notice.hands[self.seat])

if __name__ == "__main__":
    run(Everything)
'''
SOURCES = {
    "everything.py": EVERY_METHOD,
    "minimal.py": code("python", "# minimal.py"),
    "mybot.py": code("python", "# mybot.py"),
}
BOTS = ["random", "threes", "counter", *SOURCES]
WITHOUT_MEMORY = ["random", "everything.py"]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the C bot and the bots of this file."""
    folder = tmp_path_factory.mktemp("conformance")
    build_random(folder)
    for name, source in SOURCES.items():
        (folder / name).write_text(source, encoding="utf-8")
    return folder


def command_of(bot: str, built: Path) -> list[str]:
    """How a bot is started."""
    if bot == "random":
        return [str(built / bot)]
    return [sys.executable, str(built / bot if bot in SOURCES else folder_of(bot) / f"{bot}.py")]


def environment_of_bots() -> dict[str, str]:
    """The harness's mark for bots is set."""
    return environment(SPADES_HARNESS="1")


@pytest.mark.parametrize("make", MADE, ids=lambda make: make.__name__)
def test_a_transcript_is_what_the_harness_says_today(make: Transcript) -> None:
    """`python -m protocol.transcripts`, run in the folder `tests`, writes them anew."""
    assert (FOLDER / f"{make.__name__}.jsonl").read_bytes().decode() == text_of(make)


def test_every_file_of_the_folder_is_one_of_the_transcripts() -> None:
    assert {path.stem for path in transcripts()} == {make.__name__ for make in MADE}


@pytest.mark.parametrize("transcript", transcripts(), ids=lambda path: path.stem)
@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_answers_a_transcript(bot: str, transcript: Path, built: Path) -> None:
    steps = read_steps(transcript)
    answers = play(steps, command_of(bot, built), env=environment_of_bots())
    asked = [step for step in steps if "expect" in step and "only" not in step]
    assert len(answers) >= len(asked)


@pytest.mark.parametrize("bot", WITHOUT_MEMORY)
@pytest.mark.parametrize("transcript", ["exchange_back", "two_players_blind", "two_matches"])
def test_a_bot_that_is_started_anew_for_each_request_answers_the_same(bot: str, transcript: str, built: Path) -> None:
    command, env = command_of(bot, built), environment_of_bots()
    steps = read_steps(FOLDER / f"{transcript}.jsonl")
    at_a_stretch = {answer.get("id"): answer for answer in play(steps, command, env=env)}
    alone = [play(part, command, env=env)[-1] for part in restarting(steps)]
    assert [at_a_stretch[answer["id"]] for answer in alone] == alone


# ------------------------------------------------------------------------------------- the runner finds the wrong ones

MINIMAL = code("python", "# minimal.py")
WRONG = {
    "an id as a text": ('"card": ', '"id": str(message["id"]), "card": ', "id is '"),
    "a card that isn't legal": ('"card": message["legal"][0]', '"card": "XX"', "card is 'XX'"),
    "a bid as a fraction": ("3 if 3 in", "3.0 if 3 in", "bid is 3.0"),
    "a stray print": ("    reply = ", "    print('thinking')\n    reply = ", "not a JSON object"),
    "an answer to what is no question": ("\nfor", '    return {"id": 0, "bid": 3}\n\nfor', "id is 0"),
    "another exit code": ("flush=True)", "flush=True)\nsys.exit(3)", "exit code 3"),
    "a crash": ('"ready": True', '"ready": True + None', "TypeError"),
    "another version": ('"protocol": 1', '"protocol": 2', "protocol is 2"),
}
HANGING = {
    "a missing answer": ('message["type"] == "match_start"', "False"),
    "a line that isn't ended": ("print(json.dumps(reply), ", "print(json.dumps(reply), end='', "),
    "an input that is never read": ("for line in", "import time\ntime.sleep(600)\nfor line in"),
}


def play_changed(tmp_path: Path, old: str, new: str, transcript: str) -> None:
    """Play a transcript to the minimal bot with something changed in it."""
    assert old in MINIMAL
    (tmp_path / "changed.py").write_text(MINIMAL.replace(old, new), encoding="utf-8")
    play(read_steps(FOLDER / f"{transcript}.jsonl"), [sys.executable, "changed.py"], cwd=tmp_path, env=environment())


@pytest.mark.parametrize("wrong", WRONG)
def test_a_bot_that_leaves_the_protocol_is_found(wrong: str, tmp_path: Path) -> None:
    old, new, message = WRONG[wrong]
    with pytest.raises(Violation, match=message):
        play_changed(tmp_path, old, new, "end_in_hand")


@pytest.mark.parametrize("hanging", HANGING)
def test_a_bot_that_hangs_is_found(hanging: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "PATIENCE", 0.5)
    with pytest.raises(Violation, match="no line within"):
        play_changed(tmp_path, *HANGING[hanging], "end_in_hand")


def test_a_bot_that_stays_after_the_end_of_input_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "PATIENCE", 0.5)
    with pytest.raises(Violation, match="still running"):
        play_changed(tmp_path, "for line in", "import time\ntime.sleep(600)\nfor line in", "end_at_once")


def test_a_line_at_the_end_that_nobody_asked_for_is_found(tmp_path: Path) -> None:
    with pytest.raises(Violation, match="nobody asked for"):
        play_changed(tmp_path, "flush=True)", "flush=True)\nprint('bye')", "end_after_hello")


def test_the_runner_says_for_each_transcript_how_it_went(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(built / "random")]) == 0
    assert capsys.readouterr().out.splitlines() == [f"ok    {path.stem}" for path in transcripts()]


def test_the_runner_fails_if_any_transcript_does(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "silent.py").write_text("", encoding="utf-8")
    assert main([sys.executable, str(tmp_path / "silent.py")]) == 1
    told = capsys.readouterr().out.splitlines()
    assert f"WRONG {MADE[0].__name__}: step 3: the bot's output ended" in told
    assert "ok    end_at_once" in told


def test_a_bot_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("conformance: name the command that starts the bot: ")
    assert main([str(tmp_path / "nothing")]) == 2
    told = capsys.readouterr()
    assert (told.out, told.err.count("\n")) == ("", 1)
    assert told.err.startswith(f"conformance: {tmp_path / 'nothing'} cannot be started: ")
