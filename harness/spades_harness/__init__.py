"""The harness: referee, tournaments and command line for bots that play Spades.

May not import anything heavy: every command, every worker and every searching bot pays for what this module loads.
"""

from typing import TYPE_CHECKING

__version__ = "0.1.0"

__all__ = ["__version__", "hookimpl"]

if TYPE_CHECKING:
    from pluggy import HookimplMarker

    hookimpl: HookimplMarker
else:  # a module with a `__getattr__` that a type checker sees has every name, also the misspelt ones

    def __getattr__(name: str) -> object:
        """`hookimpl`, the mark that plugins put on their hooks; pluggy is loaded when the first plugin asks for it."""
        if name != "hookimpl":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from pluggy import HookimplMarker

        return HookimplMarker("spades_harness")
