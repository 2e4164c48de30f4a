"""A polite kill as an interrupt, so that a command that is ended from outside leaves no bot behind."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """SIGTERM does in here what Ctrl-C does.

    It goes on to whoever handles that: trio, while it runs, raises KeyboardInterrupt only where it can be cleaned up
    after. A script's background job is started deaf to Ctrl-C; in here it hears it, or else SIGTERM would go
    unheard too.
    """

    def interrupt(_number: int, _frame: object) -> None:
        signal.raise_signal(signal.SIGINT)

    deaf = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    if deaf:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
        if deaf:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
