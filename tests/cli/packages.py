"""A plugin as it comes from an index: a wheel that is built here and installed by pip."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path


def installed(folder: Path, module: str, source: str) -> Path:
    """Install a package of this one module, which its entry point names; where it was installed to."""
    site = folder / "site"
    pip = [sys.executable, "-m", "pip", "install", "-qq", "--no-index", "--no-deps", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(site), str(_wheel(folder, module, source))], check=True, timeout=120)
    return site


def _wheel(folder: Path, module: str, source: str) -> Path:
    path = folder / f"{module}-1.0-py3-none-any.whl"
    info = f"{module}-1.0.dist-info"
    files = {
        f"{module}.py": source,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: by hand\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": f"[spades_harness]\n{module} = {module}\n",
    }
    record = "".join(f"{name},,\n" for name in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(name, text)
    return path
