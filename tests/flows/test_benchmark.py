"""The benchmark: its results, what it leaves in MLflow and Prefect, and how it goes on."""

import csv
import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from flows.benchmark_problems import benchmark_problems
from flows.commands.cli import app
from flows.launch import run_benchmark
from flows.requests import BenchmarkRequest
from flows.servers.project_servers import ensure_prefect_server
from smoothrank.datasets import load_dataset
from smoothrank.errors import SmoothrankError
from smoothrank.selection.experiment import run_experiment
from smoothrank.selection.methods import Method, method
from smoothrank.selection.splits import paper_parts
from smoothrank.tables.one_hot import Encoder
from tests.support.project import project, task_states
from tests.support.running import group_is_empty, wait_until

pytestmark = [pytest.mark.services, pytest.mark.long]

GRIDS = {"l1": (0.1, 1.0), "ranking-svm": (1.0, 10.0)}
ASKED = ["--datasets", "zoo-3,iris0", "--methods", "l1,ranking-svm"]
N_FOLDS = {"zoo-3": 4, "iris0": 5}
SECONDS_TO_BEGIN = 300


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("benchmark") / "home") as folder:
        ensure_prefect_server()
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
    from tasks.tracking.mlflow_runs import mlflow_client

    client = mlflow_client()
    number = client.get_experiment_by_name("benchmark").experiment_id
    return list(client.search_runs([number]))


def fold_steps(run):
    from tasks.tracking.mlflow_runs import mlflow_client

    return [p.step for p in mlflow_client().get_metric_history(run.info.run_id, "fold_auc")]


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
        for name in ("gap", "worst_gap"):
            assert parent.data.metrics[name] == pytest.approx(result[name], rel=0.06)
        for child in children:
            assert fold_steps(child) == list(range(1, 1 + N_FOLDS[result["dataset"]]))
    assert any(result["gap"] < 0.9 * result["worst_gap"] for result in first["results"])
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
    assert task_states(flow_runs()[0]) == {}


def test_an_experiment_that_mlflow_has_in_part_is_written_again(first):
    from tasks.tracking.mlflow_runs import mlflow_client

    runs = benchmark_runs()
    parent = next(r for r in runs if "mlflow.parentRunId" not in r.data.tags)
    mlflow_client().update_run(parent.info.run_id, "RUNNING")
    run(*ASKED)
    assert {r.info.status for r in benchmark_runs()} == {"FINISHED"}
    assert len(benchmark_runs()) == len(runs)


def test_what_mlflow_has_is_found_on_every_page(first, monkeypatch):
    from tasks.benchmark import track_experiment
    from tasks.tracking.mlflow_runs import mlflow_client

    client = mlflow_client()
    search = client.search_runs

    def one_a_page(*arguments, **options):
        return search(*arguments, **{**options, "max_results": 1})

    whole = track_experiment.tracked_keys()
    monkeypatch.setattr(client, "search_runs", one_a_page)
    monkeypatch.setattr(track_experiment, "mlflow_client", lambda: client)
    assert len(whole) >= 4
    assert track_experiment.tracked_keys() == whole


def test_stable_lines_are_those_of_every_machine(first, home):
    found = run(*ASKED, "--stable", "--output", "stable.csv")
    assert found["stored"] == 4
    written, clocked = (lines(home / name) for name in ("stable.csv", "reports/benchmark.csv"))
    for pair, row in written.items():
        assert row["seconds"] == ""
        assert row["test_auc"] == clocked[pair]["test_auc"]
        assert float(row["worst_gap"]) in (1e-6, 1e-5, 1e-4, 1e-3)


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
    from smoothrank.datasets.catalogue.catalogue import data_folder

    some = data_folder() / "zoo-3.dat"
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "zoo-3.dat").write_bytes(some.read_bytes())
    monkeypatch.setenv("SMOOTHRANK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("SMOOTHRANK_DATA_MIRROR", str(tmp_path))
    asked = ("--datasets", "zoo-3,survival", "--methods", "l1", "--output", "some.csv")
    found = run(*asked, code=3)
    assert [r["dataset"] for r in found["results"]] == ["zoo-3"]
    assert [r["dataset"] for r in found["failed"]] == ["survival"]


def test_an_experiment_that_fails_is_named_and_the_others_are_run(first, home):
    done = CliRunner().invoke(app, ["split", *ASKED[:2], "--output", "odd.json"])
    assert done.exit_code == 0
    parts = json.loads((home / "odd.json").read_text())
    parts["zoo-3"]["folds"] = [[0], [1]]  # one row alone has no AUC
    (home / "odd.json").write_text(json.dumps(parts))
    asked = ("--methods", "l1", "--splits", "odd.json", "--output", "odd.csv")
    found = run(*ASKED[:2], *asked, code=3)
    assert [r["dataset"] for r in found["results"]] == ["iris0"]
    assert [(r["dataset"], r["method"]) for r in found["failed"]] == [("zoo-3", "l1")]
    assert found["failed"][0]["reason"]


def test_the_largest_data_sets_are_begun_first(home):
    problems, missing = benchmark_problems(BenchmarkRequest(("zoo-3", "vowel0", "iris0"), ("l1",)))
    assert [problem.name for problem in problems] == ["vowel0", "iris0", "zoo-3"]
    assert missing == {}


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
        [sys.executable, "-m", "flows.commands.cli", "benchmark", *ASKED, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(("methods", "output"), [(("nope",), "new.csv"), (("l1",), "data.csv")])
def test_a_mistake_begins_no_flow_run(first, home, methods, output):
    (home / "data.csv").write_text("name,age\nada,36\n")
    before = len(flow_runs())
    with pytest.raises(SmoothrankError):
        run_benchmark(BenchmarkRequest(("zoo-3",), methods, output=output))
    assert len(flow_runs()) == before
    assert (home / "data.csv").read_text() == "name,age\nada,36\n"


def test_a_killed_benchmark_goes_on_and_leaves_no_process(home):
    set_grids(home, {"smooth": (1e-4, 1e-3, 1e-2, 1e-1), "l1": (0.1, 1.0)})
    asked, process = start(home / "killed.csv")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    n_written = len(lines(home / "killed.csv"))
    assert 1 <= n_written < 4
    wait_until(lambda: group_is_empty(process.pid))
    assert flow_runs()[0].state.name == "Running"
    found = run(*asked)
    assert n_written <= found["stored"] < 4
    assert len(lines(home / "killed.csv")) == 4
    assert [r.state.name for r in flow_runs()[:2]] == ["Completed", "Crashed"]


def test_ctrl_c_stops_at_once_and_leaves_no_process(home):
    set_grids(home, {"smooth": (2e-4, 2e-3, 2e-2, 2e-1), "l1": (0.2, 2.0)})
    _, process = start(home / "stopped.csv")
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    wait_until(lambda: group_is_empty(process.pid))
    assert flow_runs()[0].state.name == "Crashed"


def start(output):
    """Start the command in a group of its own, and wait for its first result."""
    asked = ["--datasets", "zoo-3,iris0", "--methods", "l1,smooth", "--output", output.name]
    asked += ["--jobs", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "flows.commands.cli", "benchmark", *asked],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: output.exists() or process.poll() is not None, SECONDS_TO_BEGIN)
    assert process.poll() is None
    return asked, process
