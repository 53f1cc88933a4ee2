"""`smoothrank ui`: the MLflow and Prefect pages of this project."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import quote

import typer

from smoothrank.errors import SmoothrankError


class NoRunsError(SmoothrankError):
    """There are no tracked runs to show."""


def ui(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME|FILE]", help="Show the last runs of this data set or file."),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON instead of text, and open no browser.")
    ] = False,
) -> None:
    """Start the MLflow and Prefect pages on this machine, print their addresses, open MLflow.

    With the name of a data set, opens the page that compares the last runs on it.
    """
    from flows.servers import ensure_mlflow_server, ensure_prefect_server

    mlflow = ensure_mlflow_server()
    compare = compare_page(mlflow, name) if name else None
    prefect = ensure_prefect_server().removesuffix("/api")
    if as_json:
        typer.echo(json.dumps({"mlflow": mlflow, "prefect": prefect, "compare": compare}))
        return
    typer.echo(f"MLflow   {mlflow}")
    typer.echo(f"Prefect  {prefect}")
    if compare:
        typer.echo(f"compare  {compare}")
    typer.echo("`smoothrank stop` ends both")
    if browser and not _open(compare or mlflow):
        typer.echo("no browser was found here; open the address yourself", err=True)


def compare_page(mlflow: str, name: str) -> str:
    """Give the address of the page that compares the runs of the last retraining.

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
    parents, children = _last_runs(mlflow, experiment) if experiment else ([], {})
    for parent in parents:
        if parent in children:
            return _compare_address(mlflow, experiment, children[parent])
    if not parents:
        raise NoRunsError(f"there are no runs of {name} yet; make some: smoothrank retrain {name}")
    return _compare_address(mlflow, experiment, parents)


def _experiment(mlflow: str, name: str) -> str:
    """Give the number of the experiment of a data set or file, or an empty text."""
    from flows.server_process import get
    from smoothrank.tables.paths import table_name

    for candidate in dict.fromkeys((name, table_name(Path(name)))):
        address = f"{mlflow}/api/2.0/mlflow/experiments/get-by-name?experiment_name="
        answer = get(address + quote(candidate, safe=""))
        if answer:
            return str(answer[1]["experiment"]["experiment_id"])
    return ""


def _last_runs(mlflow: str, experiment: str) -> tuple[list[str], dict[str, list[str]]]:
    """Give the parent runs, the last one first, and the children of each by their names."""
    from flows.server_process import get

    question = {
        "experiment_ids": [experiment],
        "max_results": 1000,
        "order_by": ["attributes.start_time DESC"],
    }
    answer = get(f"{mlflow}/api/2.0/mlflow/runs/search", question)
    runs = answer[1].get("runs", []) if answer else []
    parents = [run["info"]["run_id"] for run in runs if "mlflow.parentRunId" not in _tags(run)]
    children: dict[str, list[str]] = {}
    for run in sorted(runs, key=_c):
        parent = _tags(run).get("mlflow.parentRunId")
        if parent:
            children.setdefault(parent, []).append(run["info"]["run_id"])
    return parents, children


def _tags(run: dict[str, Any]) -> dict[str, str]:
    return {tag["key"]: tag["value"] for tag in run["data"].get("tags", [])}


def _c(run: dict[str, Any]) -> float:
    """Give C, so that the page shows the runs in its order."""
    for param in run["data"].get("params", []):
        if param["key"] == "C":
            return float(param["value"])
    return 0.0


def _compare_address(mlflow: str, experiment: str, runs: list[str]) -> str:
    listed = quote(json.dumps(runs, separators=(",", ":")), safe=",")
    return f"{mlflow}/#/compare-runs?runs={listed}&experiments={quote(json.dumps([experiment]))}"


def _open(address: str) -> bool:
    """Open an address in the person's browser; tell whether there is one."""
    import webbrowser

    can_show = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    )
    return can_show and webbrowser.open(address)
