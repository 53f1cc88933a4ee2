"""`kill -9` at random moments of a benchmark: the results stay the same.

One kill is made with the other tests; `make faults` makes fifty.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.faults.disturbed import DisturbedProject, disturbed_project
from tests.support.faults.kills import Killer

pytestmark = [pytest.mark.services, pytest.mark.long]

OUTPUT = "results.csv"
DATA = ("--datasets", "zoo-3,iris0", "--methods", "l1,ranking-svm")
BENCHMARK = ("benchmark", *DATA, "--jobs", "1", "--output", OUTPUT, "--stable")
GRIDS = "selection: {grids: {l1: [0.1, 1.0], ranking-svm: [1.0]}}"


def test_a_killed_benchmark_ends_as_if_nothing_had_happened(tmp_path):
    killer = Killer()
    with disturbed_project(tmp_path) as project:
        (project.home / "params.yaml").write_text(GRIDS)
        assert project.run(*BENCHMARK, "--datasets", "zoo-3", "--methods", "l1").code == 0
        before = Path(shutil.copytree(project.home / "mlruns", tmp_path / "before"))
        forget_results(project, before)
        assert killer.timed(project, *BENCHMARK).code == 0
        undisturbed = lines(project)
        assert len(undisturbed) == 5
        runs = project.mlflow_runs("benchmark")

        def no_other_result() -> None:
            assert set(lines(project)) <= set(undisturbed)

        for _ in killer.rounds_left():
            forget_results(project, before)
            assert killer.disturbed(project, BENCHMARK, no_other_result).code == 0
            assert lines(project) == undisturbed
            assert project.mlflow_runs("benchmark") == runs
            project.nothing_is_left()
    print(f"benchmark: {killer}; all as undisturbed")


def forget_results(project: DisturbedProject, before: Path) -> None:
    """Forget all results, as if they had never been computed nor written to MLflow."""
    shutil.rmtree(project.home / "mlruns")
    shutil.copytree(before, project.home / "mlruns")
    shutil.rmtree(project.home / ".smoothrank" / "benchmark")
    (project.home / OUTPUT).unlink()


def lines(project: DisturbedProject) -> list[str]:
    """The lines of the results that are written by now."""
    written = project.home / OUTPUT
    return written.read_text().splitlines() if written.exists() else []
