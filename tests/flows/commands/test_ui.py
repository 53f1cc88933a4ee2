from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import unquote

import pytest

from flows.servers.server_process import get
from tasks.project.mlflow_database import ensure_mlflow_database
from tasks.tracking.mlflow_runs import mlflow_client

pytestmark = pytest.mark.services

SMOOTHRANK = Path(sys.executable).parent / "smoothrank"
VALUES = (0.1, 0.001, 0.01)


def ui(*arguments, **environment):
    import os

    command = [SMOOTHRANK, "ui", *arguments]
    return subprocess.run(
        command,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=400,
    )


@pytest.fixture
def runs(shared_project):
    """Make an experiment with two retrainings; give its number, both, and the second's runs."""
    ensure_mlflow_database()
    client = mlflow_client()
    experiment = client.create_experiment(f"parts {time.time_ns()}")
    name = client.get_experiment(experiment).name
    parents = []
    for start in (1_000_000, 2_000_000):
        parent = client.create_run(experiment, start, run_name="smooth").info.run_id
        client.set_terminated(parent)
        parents.append(parent)
        children = []
        for value in VALUES:
            tags, place = {"mlflow.parentRunId": parent}, 1 + sorted(VALUES).index(value)
            child = client.create_run(experiment, start + place, tags, f"C={value}").info.run_id
            children.append(child)
    failed = client.create_run(experiment, 3_000_000, run_name="smooth").info.run_id
    client.set_terminated(failed, "FAILED")
    by_c = [child for _, child in sorted(zip(VALUES, children, strict=True))]
    return name, experiment, parents, by_c


def compared(address):
    place, _, query = address.partition("/#/compare-runs?")
    parts = dict(part.split("=") for part in query.split("&"))
    return place, json.loads(unquote(parts["runs"])), json.loads(unquote(parts["experiments"]))


def test_both_servers_answer_and_the_last_runs_are_compared(runs):
    name, experiment, parents, children = runs
    done = ui(f"somewhere/{name}.csv", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    addresses = json.loads(done.stdout)
    assert get(f"{addresses['mlflow']}/health") is not None
    assert get(f"{addresses['prefect']}/api/health") is not None
    assert compared(addresses["values"]) == (addresses["mlflow"], children, [experiment])
    assert compared(addresses["compare"]) == (addresses["mlflow"], parents, [experiment])
    assert addresses["runs"] == (
        f"{addresses['mlflow']}/#/experiments/{experiment}/runs"
        "?workflowType=machine_learning&viewStateShareKey=smoothrank"
    )
    tags = mlflow_client().get_experiment(experiment).tags
    state = json.loads(json.loads(tags["mlflow.sharedViewState.smoothrank"])["state"])
    assert state["selectedColumns"][0] == "metrics.`test_auc`"


def test_browser_is_opened_on_the_page(runs, tmp_path):
    name, _, parents, _ = runs
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" >> {opened}\n')
    browser.chmod(0o755)
    shown = ui(name, BROWSER=f"{browser} %s").stdout.splitlines()
    address = opened.read_text().strip()
    assert address in next(line for line in shown if line.startswith("runs "))
    opened.unlink()
    assert ui(name, "--compare", BROWSER=f"{browser} %s").returncode == 0
    assert compared(opened.read_text().strip())[1] == parents
    opened.unlink()
    assert ui(name, "--no-browser", BROWSER=f"{browser} %s").returncode == 0
    assert not opened.exists()


def test_no_browser_here_is_no_failure(shared_project):
    done = ui(BROWSER="", DISPLAY="", WAYLAND_DISPLAY="")
    assert done.returncode == 0
    assert "MLflow   http://127.0.0.1:" in done.stdout
    assert "open the address yourself" in done.stderr


def test_data_set_without_runs_says_how_to_make_some(shared_project):
    done = ui("glass77", "--no-browser")
    assert done.returncode == 2
    assert done.stderr == (
        "smoothrank: there are no runs of glass77 yet; make some: smoothrank retrain glass77\n"
    )
