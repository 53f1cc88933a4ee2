"""A clone that has been used: git sees nothing of it, and the repository's own tests hold."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.support.checkout.repository import ROOT
from tests.support.project import table, write

pytestmark = pytest.mark.services

REPOSITORY_TESTS = (
    "tests/repository/test_tree.py",
    "tests/tasks/project/test_config.py",
    "tests/tasks/validation/test_validate.py::test_there_is_no_suite_without_a_data_set",
)


@pytest.fixture
def clone(tmp_path):
    if not (ROOT / ".git").exists():
        pytest.skip("this is no git checkout")
    subprocess.run(["git", "clone", "-q", ROOT, tmp_path / "clone"], check=True)
    yield tmp_path / "clone"
    smoothrank(tmp_path / "clone", "stop")


def run(folder, *command):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SMOOTHRANK_", "PREFECT_"))}
    return subprocess.run(
        command,
        cwd=folder,
        env=kept | {"PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def smoothrank(folder, *arguments):
    return run(folder, sys.executable, "-m", "flows.commands.cli", *arguments)


def test_a_used_clone_is_clean_and_its_tests_hold(clone):
    write(clone / "customers.csv", table(60))
    (clone / "inside").mkdir()
    write(clone / "inside" / "customers.csv", table(60, seed=1))
    options = ("--method", "l1", "--jobs", "1", "--budget", "2s")
    done = smoothrank(clone, "retrain", "customers.csv", *options)
    assert done.returncode == 0, done.stderr
    done = smoothrank(clone, "data", "validate", "inside/customers.csv")
    assert done.returncode == 0, done.stdout
    assert (clone / ".smoothrank/data/customers/suite.json").is_file()
    assert (clone / "mlruns/mlflow.db").is_file()
    done = smoothrank(clone, "data", "export", "customers", "../copy", "--json")
    copied = json.loads(done.stdout)["files"]
    assert {"suite.json", "split.json", "champion/MLmodel"} <= set(copied)
    assert all((clone / "../copy" / name).is_file() for name in copied)
    left = run(clone, "git", "status", "--porcelain", "--untracked-files=all").stdout
    assert left.splitlines() == ["?? inside/customers.csv"]

    # What a week leaves beside it: a suite of an earlier version, scripts, tables among the data.
    (clone / "expectations" / "customers.json").write_text("{}")
    (clone / "try_out.py").write_text("import os, pickle\nx = 1")
    (clone / "data").mkdir()
    write(clone / "data" / "mine.dat", table(4))
    tested = run(clone, sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *REPOSITORY_TESTS)
    assert tested.returncode == 0, tested.stdout
    linted = run(clone, sys.executable, "-m", "ruff", "check", "--no-cache", ".")
    assert linted.returncode == 0, linted.stdout
