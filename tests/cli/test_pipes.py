"""Where output goes: into pipes that nobody reads, into files, to terminals that can little, in whatever locale.

Each command is run for real, as a process of its own. One that is not listed here fails the first test.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from typer.main import get_command

import spades_harness
from spades_harness.cli.app import app

from .calling import PATIENCE, SPADES, spades, zoo_bot

FILE = (
    "{name: small, seed: 7, format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, entrant_check: play, "
    "bots: [{name: odd, bot: ./odd}, {name: '[ж] 名', plugin: threes, in_process: true}]}"
)
QUICK = (
    "{format: {boards: 4}, schedule: {round_robin: {rounds: 1}}, entrant_check: play, seed: 7, bots: ["
    "{name: a, plugin: threes, in_process: true}, {name: b, plugin: threes, in_process: true}]}"
)
CALLS = {
    "run": ("run quick.yaml", 0),
    "run --events": ("run quick.yaml --events -", 0),
    "plan": ("plan quick.yaml", 0),
    "match": ("match threes threes --boards 4 --seed 1", 0),
    "check": ("check odd", 1),
    "new": ("new another", 0),
    "standings": ("standings runs/small", 0),
    "standings --crosstable": ("standings runs/small --crosstable", 0),
    "export": ("export runs/small --of decisions", 0),
    "amend": ("amend runs/amended void 1 --reason because", 0),
    "reveal": ("reveal runs/amended", 0),
    "verify": ("verify runs/small --head " + "0" * 64, 1),
    "replay": ("replay runs/small 1", 0),
    "fault": ("fault runs/small 1", 0),
    "repro": ("repro runs/small 1", 1),
    "bots": ("bots", 0),
    "deal": ("deal --seed 1 --stream 0 --hand 1", 0),
    "rate": ("rate results.csv", 0),
    "rules": ("rules classic", 0),
    "score": ("score --bids N=3,S=0 --won N=3,S=2", 0),
    "legal": ("legal --hand 9C", 0),
    "--help": ("--help", 0),
    "standings --help": ("standings --help", 0),
    "--version": ("--version", 0),
}
"""What prints more than a line, and the exit code that it has whether or not somebody reads it."""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run in it, in which a bot made faults; and results from elsewhere."""
    cwd = tmp_path_factory.mktemp("pipes")
    zoo_bot(cwd, "odd", "--illegal-at", "5")
    (cwd / "small.yaml").write_text(FILE, encoding="utf-8")
    (cwd / "quick.yaml").write_text(QUICK, encoding="utf-8")
    (cwd / "results.csv").write_text("a,b,score\nx,y,1\ny,z,0.5\n", encoding="utf-8")
    done = spades("run", "small.yaml", cwd=cwd)
    assert (done.returncode, "illegal" in done.stdout) == (0, True), done.stderr
    shutil.copytree(cwd / "runs" / "small", cwd / "runs" / "amended")
    return cwd


def test_every_command_is_called_here() -> None:
    named = {words.split()[0] for words in CALLS}
    assert named - {"--help", "--version"} == {*getattr(get_command(app), "commands", ())}


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe without a reader is told otherwise on Windows")
@pytest.mark.parametrize("name", CALLS)
def test_what_nobody_reads_ends_quietly_and_with_the_code_that_it_has_anyway(arena: Path, name: str) -> None:
    """CL-01: the reader has gone before the first byte, which no timing changes."""
    words, code = CALLS[name]
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*SPADES, *words.split()],
            cwd=arena,
            stdin=subprocess.DEVNULL,
            stdout=writer,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            timeout=PATIENCE,
            check=False,
        )
    finally:
        os.close(writer)
    assert done.returncode == code, done.stderr
    for complaint in ("roken", "Traceback", "Exception", "fault of the harness"):
        assert complaint not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /bin/sh on Windows")
@pytest.mark.parametrize(("name", "first"), [("replay", "Match 1 of small: "), ("--help", "Usage: ")])
def test_of_a_long_text_the_first_line_can_be_had_alone(arena: Path, name: str, first: str) -> None:
    """CL-01."""
    call = f'"{SPADES[0]}" -c "{SPADES[2]}" {CALLS[name][0]} | head -1'
    done = subprocess.run(
        ["/bin/sh", "-c", call],
        cwd=arena,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout.startswith(first)
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


# ------------------------------------------------------------------------------------------------ terminals and locales

COLOURS = {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "TTY_COMPATIBLE": "1", "TERM": "xterm-256color"}
UTF8 = {"PYTHONUTF8": "1"}


@pytest.fixture(scope="module")
def plain(arena: Path) -> str:
    return spades("standings", "runs/small", cwd=arena).stdout


@pytest.mark.parametrize(
    "environment",
    [
        {**COLOURS, "LC_ALL": "de_DE.UTF-8", **UTF8},
        {**COLOURS, "NO_COLOR": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Kolkata", **UTF8},
        {"TERM": "dumb", "LC_ALL": "POSIX", **UTF8},
    ],
    ids=["German, colour asked for", "Turkish, no colour", "POSIX, dumb"],
)
def test_a_table_in_a_file_is_the_same_whatever_terminal_and_locale_are_named(
    arena: Path, plain: str, environment: dict[str, str]
) -> None:
    """CL-07. A locale that this machine lacks is named all the same, as on many servers."""
    done = spades("standings", "runs/small", cwd=arena, **environment)
    assert (done.returncode, done.stdout) == (0, plain)
    assert not {"\x1b", "\r"} & {*done.stdout, *done.stderr}


def test_where_a_stream_has_ascii_alone_the_columns_still_stand_under_each_other(arena: Path, plain: str) -> None:
    """A name that cannot be shown is as wide as what stands for it."""
    done = spades("standings", "runs/small", cwd=arena, LC_ALL="C", PYTHONIOENCODING="ascii")
    heading, *rows = [line for line in done.stdout.splitlines() if "|" in line]
    assert (done.returncode, done.stdout.isascii(), len(rows)) == (0, True, 2)
    bars = [match.start() for match in re.finditer(r"\|", heading)]
    assert len(bars) > 5
    assert all([match.start() for match in re.finditer(r"\|", row)] == bars for row in rows)
    assert "[\\u0436] \\u540d" in done.stdout
    assert re.findall(r"[-+]\d+\.\d", done.stdout) == re.findall(r"[-+]\d+\.\d", plain)


def on_a_terminal(arena: Path, **environment: str) -> str:
    """What a table is on a terminal of 200 columns."""
    if sys.platform == "win32":
        raise NotImplementedError
    import fcntl
    import pty
    import struct
    import termios

    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("4H", 50, 200, 0, 0))
    plain = {name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS"}}
    with subprocess.Popen(
        [*SPADES, "standings", "runs/small"],
        cwd=arena,
        env={**plain, "PYTHONIOENCODING": "utf-8", **environment},
        stdin=subprocess.DEVNULL,
        stdout=inner,
        stderr=subprocess.PIPE,
    ) as run:
        os.close(inner)
        said = b""
        with suppress(OSError):  # what Linux says of a terminal whose last program has ended
            while chunk := os.read(outer, 4096):
                said += chunk
        os.close(outer)
        assert run.wait(PATIENCE) == 0
    return said.decode().replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")
def test_a_terminal_gets_no_colour_where_none_is_wanted_and_no_control_where_it_knows_none(
    arena: Path, plain: str
) -> None:
    """CL-07: SGR 30 to 49 and 90 to 107 are colours."""
    without = on_a_terminal(arena, TERM="xterm-256color", NO_COLOR="1")
    assert not re.search(r"\x1b\[[\d;]*\b(3\d|4\d|9\d|10[0-7])\b", without)
    assert "\x1b" not in on_a_terminal(arena, TERM="dumb", COLUMNS="200")
    bare = re.sub(r"\x1b\[[\d;]*m", "", without)
    assert [line.rstrip() for line in bare.splitlines()] == [line.rstrip() for line in plain.splitlines()]


def test_no_number_and_no_time_is_written_in_the_manner_of_some_country() -> None:
    """Nothing asks the locale: what is printed here is what is printed anywhere."""
    package = Path(spades_harness.__file__).parent
    for path in package.rglob("*.py"):
        assert not re.search(r"import locale|from locale|strftime|:n}", path.read_text(encoding="utf-8")), path
