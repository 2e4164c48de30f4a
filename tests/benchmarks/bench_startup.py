"""How long `spades --help` takes, against a bare typer app, in turns in one run. Target: at most 1.5 times."""

from __future__ import annotations

import subprocess
import sys
import time
from statistics import median

RUNS = 15
SPADES = "from spades_harness.cli import main; main()"
BARE = "import typer; app = typer.Typer(); app.command()(lambda: None); app()"


def seconds(code: str) -> float:
    """Of one call with `--help`."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code, "--help"], check=True, capture_output=True)
    return time.perf_counter() - began


def test_help_against_a_bare_typer_app() -> None:
    pairs = [(seconds(SPADES), seconds(BARE)) for _ in range(RUNS + 1)][1:]  # the first fills the caches
    ours, bare = (median(column) for column in zip(*pairs, strict=True))
    ratio = median(one / other for one, other in pairs)
    print(f"\nspades --help {1000 * ours:.0f} ms, a bare typer app {1000 * bare:.0f} ms: ratio {ratio:.2f}, target 1.5")
