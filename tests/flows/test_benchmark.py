"""The benchmark: its results, what it leaves in MLflow and Prefect, and how it goes on."""

import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from flows.cli import app
from smoothrank.datasets import load_dataset
from smoothrank.experiment import paper_parts, run_experiment
from smoothrank.methods import Method, method
from smoothrank.preprocess import Encoder
from tests.flows.project import project, task_states

pytestmark = pytest.mark.services

GRIDS = {"l1": (0.1, 1.0), "ranking-svm": (1.0, 10.0)}
ASKED = ["--datasets", "zoo-3,iris0", "--methods", "l1,ranking-svm"]
SECONDS_TO_BEGIN = 300


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("benchmark") / "home") as folder:
        set_grids(folder, GRIDS)
        yield folder


def set_grids(folder, grids):
    known = {name: list(grid) for name, grid in grids.items()}
    (folder / "params.yaml").write_text(json.dumps({"selection": {"grids": known}}))


def run(*arguments, code=0):
    done = CliRunner().invoke(app, ["benchmark", *arguments, "--json"], catch_exceptions=False)
    assert done.exit_code == code, done.output
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def first(home):
    return run(*ASKED)


def lines(path):
    with path.open(newline="") as file:
        return {(row["dataset"], row["method"]): row for row in csv.DictReader(file)}


def benchmark_runs():
    from tasks.mlflow_runs import mlflow_client

    client = mlflow_client()
    number = client.get_experiment_by_name("benchmark").experiment_id
    return list(client.search_runs([number]))


def flow_runs():
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        runs = client.read_flow_runs()
    return sorted(runs, key=lambda flow_run: flow_run.expected_start_time, reverse=True)


def test_results_are_those_of_the_experiment(first, home):
    written = lines(home / "reports" / "benchmark.csv")
    assert len(written) == 4
    for result in first["results"]:
        name, of_method = result["dataset"], result["method"]
        data, known = load_dataset(name), method(of_method)
        chosen = Method(of_method, known.make, GRIDS[of_method], "last", known.fit_grid)
        X = Encoder().fit_transform(data.X)
        expected = run_experiment(chosen, X, data.y, paper_parts(data.y))
        assert result["parameter"] == expected.value
        assert result["test_auc"] == pytest.approx(expected.test_auc, abs=1e-6)
        assert result["cv_auc"] == pytest.approx(expected.cv_auc, abs=1e-6)
        assert result["features_used"] == expected.n_used
        assert float(written[name, of_method]["test_auc"]) == result["test_auc"]
        assert float(written[name, of_method]["seconds"]) > 0


def test_everything_is_in_mlflow_and_prefect(first):
    runs = benchmark_runs()
    parents = [r for r in runs if "mlflow.parentRunId" not in r.data.tags]
    assert {r.info.status for r in runs} == {"FINISHED"}
    assert (len(parents), len(runs)) == (4, 12)
    for result in first["results"]:
        name = f"{result['method']} on {result['dataset']}"
        (parent,) = [r for r in parents if r.info.run_name == name]
        assert parent.data.metrics["test_auc"] == pytest.approx(result["test_auc"], abs=1e-6)
        children = [r for r in runs if r.data.tags.get("mlflow.parentRunId") == parent.info.run_id]
        means = {float(r.data.params["C"]): r.data.metrics["cv_auc_mean"] for r in children}
        assert set(means) == set(GRIDS[result["method"]])
        assert means[result["parameter"]] == pytest.approx(result["cv_auc"], abs=1e-6)
    flow_run = flow_runs()[-1]
    assert flow_run.state.name == "Completed"
    states = task_states(flow_run)
    assert set(states.values()) == {"Completed"}


def test_what_was_run_is_not_run_again(first, home):
    before = (home / "reports" / "benchmark.csv").read_bytes()
    n_runs = len(benchmark_runs())
    again = run(*ASKED)
    assert again["stored"] == 4
    assert (home / "reports" / "benchmark.csv").read_bytes() == before
    assert len(benchmark_runs()) == n_runs


def test_only_what_changed_is_run_and_other_lines_are_kept(first, home):
    set_grids(home, {**GRIDS, "l1": (0.1, 10.0)})
    try:
        changed = run(*ASKED)
        assert changed["stored"] == 2
        part = run("--datasets", "zoo-3", "--methods", "l1")
        assert [r["dataset"] for r in part["results"]] == ["zoo-3"]
        assert len(lines(home / "reports" / "benchmark.csv")) == 4
    finally:
        set_grids(home, GRIDS)


def test_parts_come_from_a_file(first, home):
    done = CliRunner().invoke(app, ["split", "--datasets", "zoo-3", "--output", "own.json"])
    assert done.exit_code == 0
    asked = ("--datasets", "zoo-3", "--methods", "l1", "--splits", "own.json", "--output", "o.csv")
    assert run(*asked)["stored"] == 1
    parts = json.loads((home / "own.json").read_text())
    parts["zoo-3"]["folds"].reverse()
    (home / "own.json").write_text(json.dumps(parts))
    assert run(*asked)["stored"] == 0


def test_a_data_set_that_is_not_here_is_named_and_the_others_are_run(
    first, home, monkeypatch, tmp_path
):
    from smoothrank.datasets.catalog import data_folder

    some = data_folder() / "zoo-3.dat"
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "zoo-3.dat").write_bytes(some.read_bytes())
    monkeypatch.setenv("SMOOTHRANK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SMOOTHRANK_DATA_MIRROR", str(tmp_path))
    asked = ("--datasets", "zoo-3,survival", "--methods", "l1", "--output", "some.csv")
    found = run(*asked, code=3)
    assert [r["dataset"] for r in found["results"]] == ["zoo-3"]
    assert [r["dataset"] for r in found["failed"]] == ["survival"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--datasets", "nope"], "there is no data set 'nope'"),
        (["--methods", "nope"], "There is no method 'nope'"),
        (["--splits", "nope.json"], "there is no nope.json"),
        (["--selection", "nope"], "selection is 'honest' or 'paper'"),
    ],
)
def test_mistakes_are_one_line(home, arguments, words):
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", "benchmark", *ASKED, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_killed_benchmark_goes_on_and_leaves_no_process(home):
    set_grids(home, {"smooth": (1e-4, 1e-3, 1e-2, 1e-1), "l1": (0.1, 1.0)})
    asked = ["--datasets", "zoo-3,iris0", "--methods", "l1,smooth", "--output", "killed.csv"]
    process = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "benchmark", *asked, "--jobs", "1"],
        start_new_session=True,
    )
    deadline = time.monotonic() + SECONDS_TO_BEGIN
    while not (home / "killed.csv").exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    n_written = len(lines(home / "killed.csv"))
    assert 1 <= n_written < 4
    while group_lives(process.pid):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert flow_runs()[0].state.name == "Running"
    found = run(*asked, "--jobs", "1")
    assert n_written <= found["stored"] < 4
    assert len(lines(home / "killed.csv")) == 4
    assert [r.state.name for r in flow_runs()[:2]] == ["Completed", "Crashed"]


def group_lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
