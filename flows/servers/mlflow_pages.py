"""Addresses of MLflow's pages: the runs of a data set as a table, and runs side by side.

MLflow opens on its pages for language models unless the address says otherwise. A view of the
runs table (its columns, their widths, a filter) is kept as a tag of the experiment, and named by
the address.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from smoothrank.errors import SmoothrankError

WORKFLOW = "workflowType=machine_learning"
VIEW = "smoothrank"
COLUMNS = {
    "metrics.`test_auc`": 75,
    "metrics.`cv_auc_mean`": 100,
    "metrics.`n_prototypes`": 105,
    "params.`method`": 130,
    "metrics.`C`": 60,
    "params.`chosen_scale`": 105,
}
"""The columns of the runs table in their order, and how many pixels each has."""

MOST_COMPARED = 10
_NAMES = {"attributes.`Run Name`": 262, "attributes.`Created`": 120}


class NoRunsError(SmoothrankError):
    """There are no tracked runs to show."""


@dataclass(frozen=True)
class Pages:
    """Addresses of the pages of a data set.

    Parameters
    ----------
    runs : str
        The table of its retrainings, the last one first.
    compare : str or None
        The last retrainings that succeeded side by side; None if there are not two.
    values : str or None
        The values that the last retraining chose from, side by side; None if there are none.
    """

    runs: str
    compare: str | None
    values: str | None


def pages_of(mlflow: str, name: str) -> Pages:
    """Return the pages of a data set, and have MLflow keep the view of its runs table.

    Parameters
    ----------
    mlflow : str
        The address of the MLflow server.
    name : str
        A data set, or a file whose name without its ending is the experiment's.

    Raises
    ------
    NoRunsError
        If there are no runs for it yet.
    """
    experiment = _experiment(mlflow, name)
    runs = _runs(mlflow, experiment) if experiment else []
    if not runs:
        raise NoRunsError(f"there are no runs of {name} yet; make some: smoothrank retrain {name}")
    _keep_view(mlflow, experiment)
    parents = [run for run in runs if _parent_of(run) is None]
    finished = [_id(run) for run in parents if run["info"]["status"] == "FINISHED"]
    compared = finished[:MOST_COMPARED][::-1]
    values = _last_values(parents, runs)
    return Pages(
        runs=f"{mlflow}/#/experiments/{experiment}/runs?{WORKFLOW}&viewStateShareKey={VIEW}",
        compare=_compare(mlflow, experiment, compared) if len(compared) > 1 else None,
        values=_compare(mlflow, experiment, values) if values else None,
    )


def start_page(mlflow: str) -> str:
    """Return the page of all experiments."""
    return f"{mlflow}/#/experiments?{WORKFLOW}"


def run_page(mlflow: str, experiment: str, run: str) -> str:
    """Return the page of a run."""
    return f"{mlflow}/#/experiments/{experiment}/runs/{run}?{WORKFLOW}"


def _experiment(mlflow: str, name: str) -> str:
    """Return the number of the experiment of a data set or file, or an empty string."""
    from smoothrank.datasets.files.paths import table_name
    from tasks.project.identifier import identifier

    for candidate in dict.fromkeys((name, table_name(Path(name)))):
        wanted = quote(identifier(candidate), safe="")
        answer = _ask(mlflow, f"experiments/get-by-name?experiment_name={wanted}")
        if answer:
            return str(answer["experiment"]["experiment_id"])
    return ""


def _ask(mlflow: str, path: str, question: Any = None) -> Any:
    """Return what a server answers; None if it has no answer.

    A team's server is asked by MLflow's own client, which knows the user and the password.
    """
    from flows.servers.server_process import get
    from tasks.project.mlflow_store import ask_server, mlflow_store

    if mlflow_store().kind == "server":
        return ask_server(mlflow_store(), path, question)
    answer = get(f"{mlflow}/api/2.0/mlflow/{path}", question)
    return answer and answer[1]


def _runs(mlflow: str, experiment: str) -> list[dict[str, Any]]:
    """Return all runs, the last one first."""
    question = {
        "experiment_ids": [experiment],
        "max_results": 1000,
        "order_by": ["attributes.start_time DESC"],
    }
    answer = _ask(mlflow, "runs/search", question)
    return list(answer.get("runs", [])) if answer else []


def _keep_view(mlflow: str, experiment: str) -> None:
    """Keep the view of the runs table; without it the table has MLflow's own columns."""
    state = {
        "selectedColumns": list(COLUMNS),
        "columnOrder": [*_NAMES, *COLUMNS],
        "columnWidths": {**_NAMES, **COLUMNS},
        "searchFilter": "tags.`smoothrank.part` = 'parent'",
    }
    view = {"name": VIEW, "createdAt": 0, "state": json.dumps(state)}
    tag = {"key": f"mlflow.sharedViewState.{VIEW}", "value": json.dumps(view)}
    _ask(mlflow, "experiments/set-experiment-tag", {"experiment_id": experiment, **tag})


def _last_values(parents: list[dict[str, Any]], runs: list[dict[str, Any]]) -> list[str]:
    """Return the children of the last retraining that has any; smaller values start first."""
    for parent in parents:
        children = [run for run in runs if _parent_of(run) == _id(parent)]
        if children:
            return [_id(run) for run in sorted(children, key=_start)]
    return []


def _id(run: dict[str, Any]) -> str:
    return str(run["info"]["run_id"])


def _parent_of(run: dict[str, Any]) -> str | None:
    tags = {tag["key"]: tag["value"] for tag in run["data"].get("tags", [])}
    return tags.get("mlflow.parentRunId")


def _start(run: dict[str, Any]) -> int:
    return int(run["info"]["start_time"])


def _compare(mlflow: str, experiment: str, runs: list[str]) -> str:
    listed = quote(json.dumps(runs, separators=(",", ":")), safe=",")
    experiments = quote(json.dumps([experiment]))
    return f"{mlflow}/#/compare-runs?runs={listed}&experiments={experiments}&{WORKFLOW}"
