"""The whole flow on a small file: what is chosen, tracked, registered and kept out."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from typer.testing import CliRunner

from flows.commands.cli import app
from flows.launch import run_retrain
from flows.requests import RetrainRequest
from smoothrank.datasets.catalogue.fetch import sha256
from tasks.project.retrain_options import RetrainOptions
from tasks.results.outcome import JSON_KEYS
from tasks.steps.validate import ValidationFailed
from tests.support.checkout.repository import ROOT
from tests.support.project import (
    PARAMS,
    aliases,
    flow_runs,
    held_out,
    mlflow_runs,
    parents,
    project,
    table,
    task_states,
    without_progress,
    write,
)

pytestmark = pytest.mark.services

STEPS = {"fetch", "validate", "drift", "split", "choose", "refit", "evaluate", "track", "register"}
STEPS |= {"peers", "draw choice", "draw model", "report", "train C=0.001", "train C=0.1"}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("retrain") / "home") as folder:
        yield folder


@pytest.fixture(scope="module")
def source(home):
    return write(home / "rare.csv", table())


@pytest.fixture(scope="module")
def outcome(source):
    return run_retrain(RetrainRequest(source))


@pytest.fixture(scope="module")
def parent(outcome):
    (run,) = [r for r in parents("rare") if r.info.run_id == outcome.mlflow_run_id]
    return run


def test_test_auc_is_that_of_the_champion_on_the_rows_put_aside(outcome, source):
    from tasks.tracking.served_model import load_served_model

    X, y = held_out(source)
    scores = load_served_model("models:/smoothrank-rare@champion").decision_function(X)
    assert outcome.test_auc == pytest.approx(roc_auc_score(y, scores), abs=1e-12)
    assert outcome.test_auc_low < outcome.test_auc < outcome.test_auc_high
    assert (outcome.n_train, outcome.n_test) == (120, 40)
    assert outcome.test_auc > 0.6


def test_units_that_differ_are_scaled(outcome):
    assert outcome.scale == "standard"


def test_one_child_for_each_value_and_none_left_running(outcome, parent):
    runs = mlflow_runs("rare")
    children = [r for r in runs if r.data.tags.get("mlflow.parentRunId") == parent.info.run_id]
    by_start = sorted(children, key=lambda run: run.info.start_time)
    assert [run.info.run_name for run in by_start] == ["C=0.001", "C=0.1"]
    assert by_start[0].info.start_time > parent.info.start_time
    assert {run.info.status for run in runs} == {"FINISHED"}
    for run in children:
        assert float(run.data.params["log10_C"]) in (-3.0, -1.0)
        assert {f"fold_{i}/auc_{s}" for s in ("none", "standard") for i in (1, 2, 3)} <= set(
            run.data.metrics
        )
        assert min(run.data.metrics) == "cv_auc_mean"
    assert max(run.data.metrics["cv_auc_mean"] for run in children) == outcome.cv_auc_mean


def test_parent_says_where_the_model_comes_from(outcome, parent, source):
    tags, metrics = parent.data.tags, parent.data.metrics
    assert tags["data.sha256"] == sha256(Path(source).read_bytes())
    assert tags["solver"] in ("gurobi", "highs")
    assert tags["solver.licence"]
    assert tags["version.numpy"] == np.__version__
    for name in ("cv_auc_mean", "cv_auc_std", "test_auc", "test_auc_low", "n_prototypes", "gap"):
        assert metrics[name] == getattr(outcome, name)
    assert metrics["features_used_pct"] == pytest.approx(100 * outcome.n_prototypes / 120)
    assert parent.inputs.dataset_inputs[0].dataset.name == "rare"


def test_auc_by_iteration_has_steps(parent):
    from tasks.tracking.mlflow_runs import mlflow_client

    points = mlflow_client().get_metric_history(parent.info.run_id, "auc_by_iteration/test")
    assert [point.step for point in points] == list(range(1, len(points) + 1))
    assert points[-1].value == pytest.approx(parent.data.metrics["test_auc"], abs=1e-12)


def test_files_of_the_parent(home, parent):
    folder = home / "mlruns" / "artifacts" / "rare" / parent.info.run_id / "artifacts"
    assert len(list((folder / "figures").glob("*.png"))) == 5
    assert json.loads((folder / "validation.json").read_text())["passed"] is True
    prototypes = pd.read_csv(folder / "prototypes.csv")
    assert list(prototypes.columns) == ["prototype", "weight", "near", "wide", "kind_b"]
    assert prototypes["wide"].abs().max() > 10


def test_run_and_version_say_what_they_are_and_the_report_is_among_the_files(home, outcome, parent):
    from tasks.tracking.mlflow_runs import mlflow_client

    assert re.fullmatch(
        rf"rare smooth \d{{4}}-\d\d-\d\d \d\d:\d\d AUC {outcome.test_auc:.3f}", parent.info.run_name
    )
    version = mlflow_client().get_model_version(outcome.model_name, str(outcome.model_version))
    assert f"Test AUC {outcome.test_auc:.3f}" in version.description
    assert "Passed the gate: it is the first version." in version.description
    assert parent.data.tags["data.sha256"][:12] in version.description
    folder = home / "mlruns" / "artifacts" / "rare" / parent.info.run_id / "artifacts"
    assert (folder / "report.html").read_text() == Path(outcome.report).read_text()


def test_other_measures_and_both_peers_are_tracked(outcome, parent, source):
    from sklearn.metrics import average_precision_score, brier_score_loss

    from tasks.tracking.served_model import load_served_model

    X, y = held_out(source)
    scored = load_served_model("models:/smoothrank-rare/1").scored(X)
    metrics, is_rare = parent.data.metrics, y == 1
    said = scored["probability"]
    expected = average_precision_score(is_rare, said), brier_score_loss(is_rare, said)
    found = metrics["test_average_precision"], metrics["test_brier"]
    assert found == pytest.approx(expected, abs=1e-12)
    assert 0 < metrics["test_recall_at_precision"] <= 1
    assert outcome.confusion.true_positives == np.sum((scored["class"] == "rare") & is_rare)
    assert [peer.name for peer in outcome.peers] == ["logistic", "boosting"]
    for peer in outcome.peers:
        assert metrics[f"peer.{peer.name}.test_auc"] == peer.test_auc
        assert peer.difference == pytest.approx(outcome.test_auc - peer.test_auc)


def test_the_model_s_own_page_has_its_results_and_names_its_version(outcome):
    from tasks.tracking.mlflow_runs import mlflow_client

    of_run = f"source_run_id = '{outcome.mlflow_run_id}'"
    (model,) = mlflow_client().search_logged_models([outcome.mlflow_experiment_id], of_run)
    found = {metric.key: metric.value for metric in model.metrics}
    for name in ("test_auc", "cv_auc_mean", "n_prototypes", "gap"):
        assert found[name] == getattr(outcome, name)
    (version,) = json.loads(model.tags["mlflow.modelVersions"])
    assert version == {"name": outcome.model_name, "version": str(outcome.model_version)}


def test_every_step_is_a_recorded_task(outcome, source):
    (run, *_) = flow_runs(source)
    assert run.state.name == "Completed"
    assert set(task_states(run)) == STEPS


TWO_PROCESSES = """
import json, sys
from dataclasses import asdict
from flows.launch import run_retrain
from flows.requests import RetrainRequest
if __name__ == "__main__":
    outcome = run_retrain(RetrainRequest(sys.argv[1], jobs=2))
    print(json.dumps([asdict(outcome), "tensorflow" in sys.modules]))
"""


def test_two_processes_find_the_same_and_spare_this_one_tensorflow(outcome, home):
    (home / "two.py").write_text(TWO_PROCESSES)
    command = [sys.executable, "two.py", write(home / "twice.csv", table())]
    path = {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, env={**os.environ, **path}, capture_output=True, text=True, check=True
    )
    found, has_tensorflow = json.loads(done.stdout)
    assert not has_tensorflow
    names = ("C", "scale", "cv_auc_mean", "cv_auc_std", "test_auc", "n_prototypes", "gap")
    assert [found[name] for name in names] == [getattr(outcome, name) for name in names]


def test_report_is_one_file(outcome):
    text = Path(outcome.report).read_text()
    assert f"{outcome.test_auc:.4f}" in text
    assert "http" not in text
    assert "src=" not in text
    titles = re.findall(r"<h2[^>]*>([^<]*)</h2>", text)
    assert titles[:2] == ["The decision", "What drives it"]


def test_unchanged_data_does_no_work(outcome, source):
    before = len(mlflow_runs("rare"))
    again = run_retrain(RetrainRequest(source, only_if_changed=True))
    assert again.skipped
    assert (again.mlflow_run_id, again.test_auc) == (outcome.mlflow_run_id, outcome.test_auc)
    assert len(mlflow_runs("rare")) == before
    assert set(task_states(flow_runs(source)[0])) == {"fetch"}


def test_the_same_again_takes_the_stored_fits_and_the_gate_decides(outcome, source, home, parent):
    (home / "params.yaml").write_text(PARAMS + "gate: {significance: 0.9}\n")
    folder = home / "mlruns" / "artifacts" / "rare" / parent.info.run_id / "artifacts"
    kept = (folder / "training_rows.npy").rename(home / "kept.npy")  # as older champions are
    done = CliRunner().invoke(app, ["retrain", source, "--json"])
    kept.rename(folder / "training_rows.npy")
    (home / "params.yaml").write_text(PARAMS)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert tuple(found) == (*JSON_KEYS, "C")
    assert without_progress(done.stderr) == ["160 rows, 3 columns, 3 features"]
    assert found["test_auc"] == outcome.test_auc
    states = task_states(flow_runs(source)[0])
    assert {states[f"train C={C}"] for C in ("0.001", "0.1")} == {"Cached"}
    # An equal model has p = 0.5, which this limit calls worse.
    assert found["promoted"] is False
    assert "p = 0.5" in found["reason"]
    assert "of the same recipe (only 9 positive and 31 negative test rows" in found["reason"]
    assert aliases("smoothrank-rare") == {"champion": 1, "challenger": found["model_version"]}
    run = parents("rare")[0]
    assert run.data.metrics["gate.p_worse"] == 0.5
    assert run.data.metrics["drift_max"] < 0.1
    assert run.data.tags["drift"] == "none"
    assert run.data.tags["gate.promoted"] == "false"


def test_failed_validation_stops_before_training(outcome, source, home):
    good, before = (home / "rare.csv").read_bytes(), aliases("smoothrank-rare")
    broken = table()
    broken.loc[3:20, "near"] = 99999.0
    write(home / "rare.csv", broken)
    done = CliRunner().invoke(app, ["retrain", source])
    with pytest.raises(ValidationFailed):
        run_retrain(RetrainRequest(source))
    (home / "rare.csv").write_bytes(good)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "'near' must be between" in done.stderr
    assert "row 4" in done.stderr
    assert done.stderr.endswith("smoothrank data accept rare.csv\n")
    assert aliases("smoothrank-rare") == before
    run = flow_runs(source)[0]
    assert run.state.name == "Failed"
    assert "'near' must be between" in run.state.message
    assert "train C=0.1" not in task_states(run)
    failed = parents("rare")[0]
    assert failed.info.status == "FAILED"
    assert "'near' must be between" in failed.data.tags["error"]


def test_new_rows_are_compared_on_rows_that_neither_has_seen(outcome, home, source):
    tested = set(held_out(source)[0]["wide"])
    source = write(home / "rare.csv", pd.concat([table(), table(40, seed=1)]))
    new = run_retrain(RetrainRequest(source, only_if_changed=True))
    assert not new.skipped
    assert new.n_train + new.n_test == 200
    assert tested < set(held_out(source)[0]["wide"])
    positives = int(np.sum(held_out(source)[1] == 1))
    told = (
        f"on {new.n_test} rows that neither has seen ({positives} positive): AUC {new.test_auc:.4f}"
    )
    assert told in new.reason
    run = parents("rare")[0].data
    assert run.tags["gate.compared_on"] == "unseen rows"
    assert run.metrics["gate.unseen_rows"] == new.n_test
    assert run.metrics["gate.test_auc"] == pytest.approx(new.test_auc, abs=1e-12)


def test_another_split_leaves_too_few_unseen_rows_and_folds_decide(outcome, home, source):
    (home / "params.yaml").write_text(PARAMS + "split: {seed: 11}\n")
    done = CliRunner().invoke(app, ["retrain", source, "--json"])
    (home / "params.yaml").write_text(PARAMS)
    assert "a new split was drawn: the split.seed is 11, no longer 10" in done.stderr
    found = json.loads(done.stdout)
    assert "in 3 folds of 200 rows" in found["reason"]
    assert "test rows are new to the champion, and 10 of each are needed" in found["reason"]
    run = parents("rare")[0].data
    assert run.tags["gate.compared_on"] == "folds"
    assert 0.5 < run.metrics["gate.cv_auc"] < 1.0
    assert run.metrics["gate.unseen_positives"] < 10
    assert 0.0 < run.metrics["gate.p_worse"] < 1.0


def test_a_search_ends_with_its_budget_and_says_what_it_left_out(outcome, home):
    budget, frame = 8.0, table(4000, seed=4)
    for i in range(8):
        frame.insert(0, f"x{i}", np.random.default_rng(i).normal(size=len(frame)).round(3))
    (home / "params.yaml").write_text("training: {method: smooth}")
    options = RetrainOptions(budget=budget)
    found = run_retrain(
        RetrainRequest(write(home / "long.csv", frame), "y", "rare", options=options)
    )
    (home / "params.yaml").write_text(PARAMS)
    run = parents("long")[0]
    folder = home / "mlruns" / "artifacts" / "long" / run.info.run_id / "artifacts"
    search = json.loads((folder / "search.json").read_text())
    assert search["seconds"] < 3 * budget  # on a busy machine a fit takes seconds
    assert search["budget"] == budget
    assert search["n_fits"] < search["n_fits_of_all"] == 390
    assert 500 <= search["n_rows"] < search["n_train"]
    assert len(search["left_out"]) + search["n_finalists"] == 39
    assert run.data.tags["search.n_fits"] == str(search["n_fits"])
    chosen = (found.C, found.scale)
    assert chosen not in [(one["value"], one["scale"]) for one in search["left_out"]]
    assert {r.info.status for r in mlflow_runs("long")} == {"FINISHED"}
    assert found.test_auc > 0.7


def test_another_method_and_missing_values(home):
    from tasks.tracking.served_model import load_served_model

    frame = table(seed=2)
    frame.loc[frame.index[::7], "near"] = np.nan
    found = run_retrain(RetrainRequest(write(home / "gaps.csv", frame), "y", "rare", "l1"))
    assert found.C in (0.1, 1.0)
    assert found.scale in (None, "standard")
    model = load_served_model("models:/smoothrank-gaps@champion")
    frame.loc[0, "near"] = np.nan
    assert np.isfinite(model.decision_function(frame)).all()


def test_rows_that_drifted_from_the_champion_s_are_said_and_tracked(home):
    frame, later = table(seed=2), table(60, seed=7)
    frame.loc[frame.index[::7], "near"] = np.nan
    later["wide"] += 2500.0
    source = write(home / "gaps.csv", pd.concat([frame, later]))
    options = ["--target", "y", "--positive", "rare", "--method", "l1"]
    done = CliRunner().invoke(app, ["retrain", source, *options])
    assert done.exit_code == 0, done.output
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("drift: ")]
    assert re.fullmatch(
        r"drift: wide \d\.\d\d \(above 0\.2\) against the champion's training rows", line
    )
    run = parents("gaps")[0]
    assert run.data.tags["drift"] == line
    folder = home / "mlruns" / "artifacts" / "gaps" / run.info.run_id / "artifacts"
    table_of_all = pd.read_csv(folder / "drift.csv", index_col="column")
    assert table_of_all["moved"].to_dict() == {"wide": True, "near": False, "kind": False}
    assert run.data.metrics["drift_max"] == pytest.approx(table_of_all["psi"]["wide"])
    n_known = int(parents("gaps")[1].data.params["n_train"])
    assert run.data.metrics["drift_rows"] == 220 - n_known


def test_rows_of_one_customer_stay_together(home):
    frame = table(seed=4).assign(who=[f"c{number // 4}" for number in range(160)])
    source = write(home / "people.csv", frame)
    done = CliRunner().invoke(app, ["retrain", source, "--group", "who", "--json"])
    assert done.exit_code == 0, done.exception
    assert "left out: who (as --group says)" in done.stderr
    run = parents("people")[0]
    assert run.data.params["split_by"] == "group who"
    folder = home / "mlruns" / "artifacts" / "people" / run.info.run_id / "artifacts"
    stored = json.loads((home / ".smoothrank" / "data" / "people" / "split.json").read_text())
    assert json.loads((folder / "split.json").read_text()) == stored
    rows = np.load(folder / "training_rows.npy", allow_pickle=False)
    assert len(rows) == int(run.data.params["n_train"])
    assert len(set(rows[:, 1].tolist())) == len(rows) / 4


def test_an_error_of_any_kind_leaves_no_run_running_and_no_champion(home, monkeypatch):
    def fail(*_):
        raise RuntimeError("no room")

    monkeypatch.setattr("flows.retrain.make_outcome", fail)
    with pytest.raises(RuntimeError, match="no room"):
        run_retrain(RetrainRequest(write(home / "failed.csv", table(seed=3))))
    assert {run.info.status for run in mlflow_runs("failed")} == {"FAILED"}
    assert parents("failed")[0].data.tags["error"] == "no room"
    assert aliases("smoothrank-failed") == {"challenger": 1}


def test_text_of_the_command(outcome, source):
    done = CliRunner().invoke(app, ["retrain", source, "--selection", "paper"])
    assert done.exit_code == 0
    (line,) = without_progress(done.stderr)
    assert line.endswith(" rows, 3 columns, 3 features")
    assert "paper selection" in done.stdout
    for name in ("data", "chosen", "CV AUC", "test AUC", "peers", "threshold", "MLflow run"):
        assert f"\n{name}" in f"\n{done.stdout}"
