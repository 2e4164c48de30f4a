"""Where the folders that ship beside the package lie, in a checkout or in an installed wheel.

May not look anywhere else: a user's own `bots/` in the current folder is never taken for ours.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Folder = Literal["bots", "protocol", "tournaments"]

_PACKAGE = Path(__file__).resolve().parent
_IN_WHEEL = _PACKAGE / "_bundled"
_CHECKOUT = _PACKAGE.parents[1]


def bundled(folder: Folder) -> Path:
    """The absolute path of a folder that ships: `protocol/sdk/python` is what a bot's PYTHONPATH gets."""
    return (_IN_WHEEL if _IN_WHEEL.is_dir() else _CHECKOUT) / folder


def shipped_bots() -> Mapping[str, Path]:
    """The folders of the bots that ship, by name, sorted."""
    return {file.parent.name: file.parent for file in sorted(bundled("bots").glob("*/bot.yaml"))}


def shipped_plugins() -> tuple[Path, ...]:
    """The folders of the bots that ship as plugins: what loads plugins may load these."""
    return (bundled("bots") / "threes",)
