"""What a person sees: text on two streams, in whatever the streams can show, and exit codes. No game, no match.

Results go to standard output, everything else (progress, hints, errors) to standard error. Texts of strangers (names,
notes, standard error of bots) are printed literally, their control characters shown escaped.
"""

from __future__ import annotations

import functools
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from errno import EMFILE
from typing import TYPE_CHECKING, Any, ParamSpec, TextIO

import typer
from typer.core import TyperGroup

from spades_harness.errors import UserError

if TYPE_CHECKING:
    from rich.console import Console

P = ParamSpec("P")


class Exit(IntEnum):
    """What the exit code says; documented in the README."""

    DONE = 0
    TROUBLE = 1
    """Finished, but an entrant never started, or `fail_on` or `check` says so."""
    USER = 2
    INTERRUPTED = 3
    BUG = 4


class Glyphs(tuple[str, ...]):
    """Replacements for what a stream cannot show."""

    __slots__ = ()

    def __call__(self, text: str) -> str:
        """The text with each of these characters written in ASCII."""
        for glyph, plain in zip(_RICH, self, strict=False):
            text = text.replace(glyph, plain)
        return text


_RICH = ("♠", "♥", "♦", "♣", "±", "–", "−", "…", "→", "·", "×", "≥", "≤")
_PLAIN = Glyphs(("S", "H", "D", "C", "+/-", "-", "-", "...", "->", "-", "x", ">=", "<="))
_AS_IS = Glyphs(())


def glyphs(stream: TextIO) -> Glyphs:
    """How to write for this stream: as is, or in ASCII where its encoding lacks ♠ and its like."""
    try:
        "".join(_RICH).encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return _PLAIN
    return _AS_IS


_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """A stranger's text with control and direction-changing characters escaped; tabs and line ends stay."""
    return _CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def shown(text: str, stream: TextIO) -> str:
    """A stranger's text as it appears on this stream, to the character: what the stream lacks is escaped."""
    encoding = stream.encoding or "ascii"
    return glyphs(stream)(printable(text)).encode(encoding, "backslashreplace").decode(encoding)


def say(text: str = "", *, stream: TextIO | None = None) -> None:
    """One result line (or several) on standard output."""
    stream = stream or sys.stdout
    write(glyphs(stream)(printable(text)) + "\n", stream)


def write(text: str, stream: TextIO) -> None:
    """Write as it is. Where the reader of a pipe has gone (`| head -1`), this and all that follows goes nowhere: what
    the command found out, and with it the exit code, hangs on no reader. Raises OSError for anything else."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        _to_nowhere(stream)


def tell(text: str = "") -> None:
    """A line beside the results: progress, hints, warnings, on standard error. Nobody need read it."""
    try:
        say(text, stream=sys.stderr)
    except OSError:
        _to_nowhere(sys.stderr)


def rich_console(stream: TextIO) -> Console:
    """A rich console that takes nothing in a text for markup, an emoji or a highlight."""
    from rich.console import Console

    screen = stream.isatty()
    width = None if screen else 1_000  # a file has no edge to wrap at
    return Console(
        file=stream,
        force_terminal=screen,  # whatever FORCE_COLOR says of a file
        markup=False,
        emoji=False,
        highlight=False,
        soft_wrap=False,
        width=width,
    )


def command(function: Callable[P, None]) -> Callable[P, None]:
    """A typer command whose endings become exit codes: the user's mistakes one line, ours a line and a file."""

    @functools.wraps(function)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> None:
        _prepare_streams()
        try:
            function(*args, **kwargs)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except UserError as error:
            tell(f"spades: {error}")
            raise typer.Exit(Exit.USER) from None
        except KeyboardInterrupt:
            tell("spades: interrupted")
            raise typer.Exit(Exit.INTERRUPTED) from None
        except BrokenPipeError:
            _to_nowhere(sys.stdout)
            raise typer.Exit(Exit.DONE) from None
        except OSError as error:
            _to_nowhere(sys.stdout)
            tell(f"spades: {_system_says(error)}")
            raise typer.Exit(Exit.USER) from None
        except Exception as error:  # noqa: BLE001 - whatever it is, the user gets a line and not a traceback
            tell(f"spades: a fault of the harness itself ({type(error).__name__}); please report {_crash_file()}")
            raise typer.Exit(Exit.BUG) from None

    return guarded


_Misuse: type[Any] = typer.BadParameter.__mro__[1]
"""Whatever is wrong with the words of a call: the framework has a class for it, but no public name."""


class Commands(TyperGroup):
    """Commands that tell a wrong call in one line, as all else that is the user's to mend."""

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Reads the words before the command's name."""
        with _misuse_in_one_line(), _nobody_need_read():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Reads the words after it, and runs it."""
        with _misuse_in_one_line(), _nobody_need_read():
            return super().invoke(ctx)


@contextmanager
def _nobody_need_read() -> Iterator[None]:
    """Help that nobody reads on is done, which the framework would call a failure."""
    try:
        yield
    except BrokenPipeError:
        _to_nowhere(sys.stdout)
        raise typer.Exit(Exit.DONE) from None


_REFUSED = re.compile(r"^Invalid value for '([^']*)': must be ")
"""How the framework begins to tell what a reader of ours has to say of a word."""


@contextmanager
def _misuse_in_one_line() -> Iterator[None]:
    try:
        yield
    except _Misuse as error:
        said = error.format_message().replace(": Value error, ", ": ")  # the framework's word for a choice that isn't
        said = _REFUSED.sub(r"\1 must be ", said)
        said = said.partition(". Choose from:")[0]  # a list, a line each, of what the argument's name says already
        if "\n" in said:  # the help, for a call without any word
            raise
        tell(f"spades: {said.rstrip('.')}; see {error.ctx.command_path if error.ctx else 'spades'} --help")
        raise typer.Exit(Exit.USER) from None


def _system_says(error: OSError) -> str:
    """What the system refused, and where: its rights, its room and its limits are the user's to change."""
    where = f"{error.filename}: " if error.filename else ""
    more = "; raise the limit (ulimit -n), or play fewer matches at a time (--jobs)" if error.errno == EMFILE else ""
    return f"{where}{error.strerror or error}{more}"


def _prepare_streams() -> None:
    """Whatever a stream's encoding lacks is escaped instead of ending the program; a stream that is closed is none."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - it stays open as long as the process


def _to_nowhere(stream: TextIO) -> None:
    """Nobody reads on, or nothing more can be written: let all that follows, the interpreter's last flush too, go."""
    with suppress(OSError, ValueError):  # a stream that is no file needs no cure
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def _crash_file() -> str:
    """The traceback in a file of its own: code lines only, no values, since values may be secrets."""
    with tempfile.NamedTemporaryFile("w", prefix="spades-", suffix=".txt", delete=False, encoding="utf-8") as file:
        kind, _, trace = sys.exc_info()
        file.write("".join(traceback.format_tb(trace)) + f"{kind.__name__ if kind else ''}\n")
    return file.name
