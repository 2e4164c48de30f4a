"""What a person sees, whatever the stream can show, and which exit code an ending has."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
import typer

from spades_harness.cli.console import Exit, command, glyphs, printable, say
from spades_harness.errors import UserError

from .calling import ask, spades


def stream(encoding: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437", "no-such-encoding"])
def test_where_an_encoding_lacks_a_suit_everything_is_written_in_ascii(encoding: str) -> None:
    lacking = stream("ascii")
    if encoding != "no-such-encoding":
        lacking = stream(encoding)
    assert glyphs(lacking)("♠ A  +1 ± 2  3–0–1  …") == "S A  +1 +/- 2  3-0-1  ..."


def test_where_an_encoding_has_them_glyphs_stay() -> None:
    assert glyphs(stream("utf-8"))("♠ ±") == "♠ ±"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "\\u001b[2J"),
        ("a\rb", "a\\u000db"),
        ("bell\x07", "bell\\u0007"),
        ("right\u202eleft", "right\\u202eleft"),
        ("half \ud800", "half \\ud800"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("é ♠ 名", "é ♠ 名"),
    ],
)
def test_controls_in_a_stranger_s_text_are_escaped_and_all_else_stays(text: str, shown: str) -> None:
    """SE-03."""
    assert printable(text) == shown


def test_a_line_is_written_with_what_the_stream_lacks_replaced() -> None:
    there = stream("ascii")
    say("♥ \x1b", stream=there)
    there.seek(0)
    assert there.read() == "H \\u001b\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("replay", "Missing argument 'RUN'; see spades replay --help"),
        ("replay runs/demo one", "MATCH must be a number from 1 to 1000000000, not 'one'; see spades replay --help"),
        ("replay runs/demo 0", "MATCH must be a number from 1 to 1000000000, not 0; see spades replay --help"),
        ("replay runs/demo 1 --hand 0", "--hand must be a number from 1 to 1000000000, not 0; see "),
        ("replay runs/demo 1 --attempt -1", "--attempt must be a number from 1 to 1000000000, not -1; see "),
        ("plan demo --jobs 0", "--jobs must be a number from 1 to 256, not 0; see spades plan --help"),
        ("deal --seed 1 --stream 0 --hand 1 --leg 4", "--leg must be a number from 0 to 3, not 4; see "),
        ("match threes counter --boards 6", "--boards must be a multiple of 4 from 4 to 1000000, not 6; see "),
        ("match threes counter --boards all", "--boards must be a multiple of 4 from 4 to 1000000, not 'all'; see "),
        ("match threes counter --games 0", "--games must be a number from 1 to 100000, not 0; see "),
        (f"match threes --games {'9' * 5000}", f"--games must be a number from 1 to 100000, not {'9' * 20}…; see "),
        (
            "amend runs/demo frob 1 --reason x",
            "Invalid value for 'void|again|withdraw|disqualify|undo': 'frob' is not one",
        ),
        ("amend runs/demo", "Missing argument 'void|again|withdraw|disqualify|undo'; see spades amend --help"),
        ("amend runs/demo void", "Missing argument 'WHAT...'; see spades amend --help"),
        ("standings runs/demo --rank-by luck", "Invalid value for '--rank-by': 'luck' is not one of "),
        ("export runs/demo --of cards", "Invalid value for '--of': 'cards' is not one of "),
        ("export runs/demo --format xml", "Invalid value for '--format': 'xml' is not one of "),
        ("score --bid N=3", "No such option: --bid"),
        ("legal --hand", "Option '--hand' requires an argument; see spades"),
        ("bots two words", "Got unexpected extra argument"),
        ("palyed", "No such command 'palyed'"),
        ("--verison", "No such option: --verison"),
    ],
)
def test_a_wrong_call_is_one_line_that_says_where_the_help_is(words: str, said: str) -> None:
    done = ask(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"spades: {said}")
    assert "--help\n" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_call_that_asks_for_help_gets_all_of_it() -> None:
    for words, code in (((), 2), (("--help",), 0), (("score", "--help"), 0)):
        done = ask(*words)
        assert done.returncode == code
        assert (done.stdout + done.stderr).startswith("Usage: ")
        assert (done.stdout + done.stderr).count("\n") > 10


def ending(error: BaseException) -> int:
    """The exit code of a command that ends with this."""

    @command
    def ends() -> None:
        raise error

    with pytest.raises(typer.Exit) as caught:
        ends()
    return caught.value.exit_code


def test_each_way_to_end_has_its_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    """CL-05."""
    assert ending(UserError("t.yaml:1:1: no such key")) == Exit.USER
    assert ending(KeyboardInterrupt()) == Exit.INTERRUPTED
    assert ending(typer.Exit(Exit.TROUBLE)) == Exit.TROUBLE
    assert ending(ZeroDivisionError("s3cret")) == Exit.BUG
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["spades: t.yaml:1:1: no such key", "spades: interrupted"]
    assert lines[2].startswith("spades: a fault of the harness itself (ZeroDivisionError); please report ")
    report = Path(lines[2].split()[-1])
    assert "in ends" in report.read_text(encoding="utf-8")
    assert "s3cret" not in report.read_text(encoding="utf-8")
    report.unlink()


def test_the_bots_and_the_presets_that_can_be_named_are_listed(tmp_path: Path) -> None:
    listed = [line.split()[0] for line in spades("bots", cwd=tmp_path).stdout.splitlines()]
    assert listed == ["counter", "random", "searcher", "steady", "threes"]
    assert "two_player" in [line.split()[0] for line in spades("rules", cwd=tmp_path).stdout.splitlines()]
    wrong = spades("rules", "shrt", cwd=tmp_path)
    assert (wrong.returncode, wrong.stderr) == (2, "spades: rules: no preset 'shrt'; did you mean 'short'?\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /bin/sh on Windows")
def test_a_reader_who_has_seen_enough_ends_nothing_badly(tmp_path: Path) -> None:
    """CL-01, as far as there is output by now."""
    import subprocess

    call = f'"{sys.executable}" -c "from spades_harness.cli import main; main()" rules classic'
    done = subprocess.run(
        ["/bin/sh", "-c", f"{call} | head -1"], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.stderr) == ("classic: the base rules: two partnerships, to 500 points\n", "")
