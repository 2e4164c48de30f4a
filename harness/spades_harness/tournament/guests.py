"""Calling what strangers wrote (plugins, their schedules, their ratings): whatever comes of it is told in one line.

Knows nothing of what is called, and keeps nothing. Bots are no guests: they play, and what they do wrong is data.
"""

from __future__ import annotations

import contextlib
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

_LONGEST: Final = 300
"""Characters shown of an error: a line or three of a terminal."""


class BrokenPlugin(Exception):
    """What is wrong with a stranger's code, in one line."""


@contextlib.contextmanager
def guarded(what: str, *, lets: type[Exception] = BrokenPlugin) -> Iterator[None]:
    """Whatever a stranger's code raises becomes BrokenPlugin; what it prints goes where it spoils no result.

    `what` is the beginning of its line; errors of the class `lets` pass as they are.
    """
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    except (BrokenPlugin, lets):
        raise
    except (Exception, SystemExit) as error:
        raise BrokenPlugin(f"{what}: {_in_one_line(error)}") from error


def file_of(thing: Callable[..., object]) -> str:
    """` (plug.py)`: the file that a stranger's function or class, or what wraps one, is from; empty where that is not
    known."""
    thing = getattr(thing, "__wrapped__", thing)
    module = sys.modules.get(str(getattr(thing, "__module__", None)))
    file = getattr(module, "__file__", None)
    return f" ({Path(file).name})" if isinstance(file, str) else ""


def _in_one_line(error: BaseException) -> str:
    """The error, and the line of code that it comes from; an error of syntax says its line itself."""
    text = " ".join(str(error).split()) or "no message"
    found = [] if isinstance(error, SyntaxError) and error.filename else traceback.extract_tb(error.__traceback__)
    frames = [frame for frame in found if not frame.filename.startswith("<frozen ")]  # importlib's
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {text if len(text) <= _LONGEST else text[:_LONGEST] + '…'}{where}"
