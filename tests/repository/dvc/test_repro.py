"""`make repro-small` on a new machine, and what the stages of DVC depend on."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pandas as pd
import pytest
import yaml

from tasks.problem.code_digest import deciding_files
from tests.support.checkout.clone import borrow_environment, clean_environment, fresh_clone
from tests.support.checkout.repository import ROOT


def benchmark_deps(pipeline: str) -> list[str]:
    stages = yaml.safe_load((ROOT / pipeline).read_text())["stages"]
    return list(stages["benchmark"]["do"]["deps"])


@pytest.mark.parametrize("pipeline", ["dvc.yaml", "small/dvc.yaml"])
def test_the_benchmark_depends_on_all_code_that_decides_a_fit(pipeline):
    named = [ROOT / dep for dep in benchmark_deps(pipeline)]
    assert all(path.exists() for path in named if path.name not in ("data", "splits.json"))
    assert {ROOT / "data", ROOT / "requirements.lock"} <= set(named)
    assert "splits.json" in {path.name for path in named}
    for file in deciding_files():
        assert any(file == path or file.is_relative_to(path) for path in named), file


def test_both_pipelines_have_the_same_stages():
    whole, small = (
        yaml.safe_load((ROOT / name).read_text())["stages"]
        for name in ("dvc.yaml", "small/dvc.yaml")
    )
    assert set(whole) - set(small) == {"verify", "figure"}
    assert benchmark_deps("small/dvc.yaml") == [
        dep.replace("reports/", "small/") for dep in benchmark_deps("dvc.yaml")
    ]


@pytest.fixture
def clone(tmp_path):
    """Return a fresh clone of what is committed here, and stop its servers at the end."""
    folder = fresh_clone(tmp_path)
    borrow_environment(folder)
    yield folder
    run(folder, ".venv/bin/smoothrank", "stop")


def run(folder: Path, *command: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=folder,
        env=clean_environment(**changes),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.services
@pytest.mark.long
def test_a_new_machine_gives_the_committed_results_and_then_does_nothing(clone):
    first = run(clone, "make", "repro-small")
    assert first.returncode == 0, first.stdout[-3000:] + first.stderr[-3000:]
    assert first.stdout.count("Running stage") == 8
    committed = pd.read_csv(ROOT / "reports" / "benchmark.csv").set_index(["dataset", "method"])
    found = pd.read_csv(clone / "small" / "report" / "benchmark.csv")
    found = found.set_index(["dataset", "method"])
    assert len(found) == 40
    for column in ("parameter", "cv_auc", "test_auc", "features_used"):
        off = (found[column] - committed.loc[found.index, column]).abs()
        assert off.max() <= 1e-6, (column, off.idxmax())
    assert run(clone, "git", "status", "--porcelain").stdout == ""

    second = run(clone, "make", "repro-small")
    assert second.returncode == 0
    assert "Running stage" not in second.stdout
    assert "Data and pipelines are up to date" in second.stdout
    assert run(clone, "git", "status", "--porcelain").stdout == ""


def test_without_the_uci_files_all_that_needs_none_of_them_goes_on(clone, tmp_path):
    (tmp_path / "empty").mkdir()
    pointer = (clone / "data.dvc").read_bytes()
    done = run(clone, "make", "repro", SMOOTHRANK_DATA_MIRROR=str(tmp_path / "empty"))
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    for name in ("ionosphere", "parkinsons", "sonar", "survival", "votes"):
        assert f"missing: {name} is not here" in done.stderr
    assert "left as committed: verify, validate, split and benchmark" in done.stderr
    assert all(f"tage '{name}'" in done.stdout for name in ("figure", "report"))
    assert (clone / "data.dvc").read_bytes() == pointer

    (clone / "data" / "votes.dat").write_text("not the votes\n")
    done = run(clone, "make", "repro", SMOOTHRANK_DATA_MIRROR=str(tmp_path / "empty"))
    assert done.returncode != 0
    assert "changed: data/votes.dat" in done.stderr
    assert (clone / "data.dvc").read_bytes() == pointer
