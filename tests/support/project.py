"""A project folder of a test's own, with real servers, and what its runs left behind."""

import os
import re
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tasks.workers.processes import processes

PARAMS = """
training: {method: smooth}
selection:
  folds: 3
  repeats: 1
  scales: [none, standard]
  budget: 1h
  grids:
    smooth: [0.001, 0.1]
    l1: [0.1, 1.0]
"""

RECORDS_ARE_LATE = 1.5


@contextmanager
def project(folder: Path):
    """Work in a new project folder; its servers and one process that trains end at the end."""
    before = dict(os.environ)
    folder.mkdir(exist_ok=True)
    (folder / "params.yaml").write_text(PARAMS)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in [name for name in os.environ if name.startswith(("PREFECT_", "MLFLOW_"))]:
            patch.delenv(name)
        patch.setenv("SMOOTHRANK_HOME", str(folder))
        patch.setenv("OMP_NUM_THREADS", "1")
        patch.setattr(
            "flows.terminal.progress_bar.LINE_SECONDS", 3600.0
        )  # however busy the machine is
        try:
            with processes(1):
                yield folder
        finally:
            from flows.servers.project_servers import stop_servers

            stop_servers()
    os.environ.clear()
    os.environ.update(before)


def table(rows: int = 160, seed: int = 0) -> pd.DataFrame:
    """Two numbers in units that differ a thousandfold, a level, and a rare class."""
    rng = np.random.default_rng(seed)
    is_rare = rng.random(rows) < 0.25
    near = rng.normal(np.where(is_rare, 1.2, 0.0), 1.0)
    return pd.DataFrame(
        {
            "near": near.round(3),
            "wide": (1000.0 * rng.normal(size=rows)).round(1),
            "kind": np.where(rng.random(rows) < 0.5, "a", "b"),
            "y": np.where(is_rare, "rare", "usual"),
        }
    )


def write(path: Path, frame: pd.DataFrame) -> str:
    """Write a table as CSV, and give its path as text."""
    frame.to_csv(path, index=False)
    return str(path)


def mlflow_runs(dataset: str) -> list[Any]:
    """All MLflow runs of a data set, the latest first."""
    from tasks.tracking.mlflow_runs import mlflow_client

    client = mlflow_client()
    found = client.get_experiment_by_name(dataset)
    return list(client.search_runs([found.experiment_id])) if found else []


def parents(dataset: str) -> list[Any]:
    """The parent runs of a data set, the latest first."""
    runs = [r for r in mlflow_runs(dataset) if r.data.tags["smoothrank.part"] == "parent"]
    return sorted(runs, key=lambda run: -run.info.start_time)


def aliases(name: str) -> dict[str, int]:
    """The versions of a registered model that have an alias."""
    from tasks.tracking.mlflow_runs import mlflow_client

    found = mlflow_client().get_registered_model(name).aliases
    return {alias: int(version) for alias, version in found.items()}


def without_progress(text: str) -> list[str]:
    """The lines of stderr that do not depend on how fast the machine is."""
    return [line for line in text.splitlines() if not re.search(r"\d s so far$|\d fits", line)]


def write_training_rows(folder: Path, split: Any) -> None:
    """Keep which rows a model was trained on, as a run does."""
    from tasks.problem.training_rows import training_rows_files

    for file, content in training_rows_files(split).items():
        (folder / file).write_bytes(content)


def held_out(source: str) -> Any:
    """The raw test rows of a file of `table`, and their labels."""
    from tasks.problem.problem import load_data, make_problem
    from tasks.problem.source import fetch_source
    from tasks.project.config import Params

    found = make_problem(
        fetch_source(source, "y", "rare"), "smooth", "honest", Params(), stable=True
    )
    data = load_data(found)
    return data.raw_test, data.y[data.test]


def flow_runs(source: str) -> list[Any]:
    """The Prefect flow runs of a source, the latest first."""
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        runs = [r for r in client.read_flow_runs() if r.parameters.get("source") == source]
    return sorted(runs, key=lambda run: run.expected_start_time, reverse=True)


def task_states(flow_run) -> dict[str, str]:
    """The state of each task of a flow run that has ended, by its name without its number."""
    found, before = _task_states(flow_run), None
    while found != before:
        time.sleep(RECORDS_ARE_LATE)
        found, before = _task_states(flow_run), found
    return found


def _task_states(flow_run) -> dict[str, str]:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId

    own = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run.id]))
    with get_client(sync_client=True) as client:
        tasks: list[Any] = client.read_task_runs(flow_run_filter=own)
    return {(t.name if "=" in t.name else t.name.rpartition("-")[0]): t.state.name for t in tasks}
