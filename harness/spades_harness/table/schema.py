"""The protocol's messages as JSON Schema, generated from their types: `python -m spades_harness.table.schema`.

With `--check` it writes nothing, and exits with 1 when the files are not what the types say.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_args

import msgspec

from spades_harness.bundled import bundled

from .messages import FromBot, ToBot

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
FILES: Final[Mapping[str, tuple[Any, str]]] = {
    "to_bot.json": (ToBot, "What the harness writes to a bot, one message a line."),
    "from_bot.json": (FromBot, "What a bot writes to the harness, one message a line. Unknown keys are ignored."),
}


def schemas() -> dict[str, str]:
    """The text of each schema file, by its name."""
    return {name: schema_of(union, about) for name, (union, about) in FILES.items()}


def schema_of(union: Any, about: str) -> str:
    """The text of the schema of a union of messages."""
    messages = get_args(union)
    refs, components = msgspec.json.schema_components(messages, ref_template="#/$defs/{name}")
    schema = {"$schema": DIALECT, "description": about, "anyOf": list(refs), "$defs": components}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def outdated(folder: Path) -> list[str]:
    """The files in the folder that are not what the types say."""
    return [name for name, text in schemas().items() if _read(folder / name) != text]


def _read(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def main(arguments: list[str]) -> int:
    """Write the files, or check them; the exit code."""
    folder = bundled("protocol") / "schema"
    if arguments == ["--check"]:
        stale = outdated(folder)
        if stale:
            print(f"{folder}: {', '.join(stale)} outdated: run python -m spades_harness.table.schema", file=sys.stderr)
        return 1 if stale else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in schemas().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
