"""A fresh clone of what is committed here."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import MIRROR, ROOT


def fresh_clone(folder: Path) -> Path:
    """Clone the repository into a folder; skip the test where that or a fetch cannot be."""
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        pytest.skip("this is no git checkout")
    if not os.environ.get("SMOOTHRANK_DATA_MIRROR"):
        pytest.skip(f"a complete fetch needs the UCI files, and {MIRROR} is not there")
    subprocess.run(["git", "clone", "-q", ROOT, folder / "clone"], check=True)
    return folder / "clone"
