from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.checkout.clone import fresh_clone


@pytest.fixture
def clone(tmp_path):
    """Return a fresh clone of what is committed here."""
    return fresh_clone(tmp_path)


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "SMOOTHRANK_DATA"}
    environment |= {"PYTHONPATH": str(folder), "DVC_NO_ANALYTICS": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_after_a_fetch_into_a_fresh_clone_dvc_and_git_are_clean(clone):
    fetched = run(clone, sys.executable, "-m", "flows.commands.cli", "data", "fetch")
    assert (fetched.returncode, fetched.stderr) == (0, "")
    assert fetched.stdout == "73 fetched, 0 already here, 0 missing, in data\n"
    status = run(clone, sys.executable, "-m", "dvc", "status", "data.dvc", "dvc.yaml")
    assert status.stdout.strip() == "Data and pipelines are up to date."
    assert run(clone, "git", "status", "--porcelain").stdout == ""
    analytics = run(clone, sys.executable, "-m", "dvc", "config", "core.analytics")
    assert analytics.stdout.strip() == "false"

    (clone / "data" / "glass0.dat").unlink()
    run(clone, sys.executable, "-m", "dvc", "checkout", "--quiet")
    verified = run(clone, sys.executable, "-m", "flows.commands.cli", "data", "verify")
    assert verified.returncode == 0
