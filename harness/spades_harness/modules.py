"""A Python file as a module: how plugin files and shipped bots are loaded by path. May not search for anything."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def not_a_file(path: Path) -> str | None:
    """Why there is nothing to load here, in words; None for a file."""
    if path.is_dir():
        return "a folder; name the .py file in it"
    return None if path.is_file() else "no such file"


def load_module(path: Path) -> ModuleType:
    """The module of a file, loaded once a process however often it is asked for. Raises what the file raises.

    Its folder joins the end of `sys.path`: the file finds its siblings, and hides nobody else's modules.
    """
    path = path.resolve()
    name = f"spades_file_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file (.py)")
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # before it runs: dataclasses and pickle look there
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module
