"""One plugin bot as a process of its own: `python -m spades_harness.host NAME [--plugin FILE]…`.

So that every limit holds for it that holds for any other bot. May import only what the bot needs: its start is timed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str]) -> None:
    """Load the bot and be it until the input ends; a bot that can't be loaded is one line on standard error."""
    import spades_bot  # noqa: PLC0415 - first of all: it takes standard output, before a plugin can print on it
    from spades_harness.errors import UserError  # noqa: PLC0415
    from spades_harness.plugins import load_bot  # noqa: PLC0415

    name, *files = [argument for argument in arguments if argument != "--plugin"]
    try:
        factory = load_bot(name, files)
    except UserError as error:
        sys.exit(str(error))
    spades_bot.run(factory)


if __name__ == "__main__":
    main(sys.argv[1:])
