"""The comparison in MLflow."""

from __future__ import annotations

import pytest

from benchmarks.peers.results import Line
from benchmarks.peers.track import EXPERIMENT, track
from tasks.tracking.mlflow_runs import mlflow_client

LINES = [
    Line("glass0", 10, "svm", 0.8, 0.7, None, 80, 0.5),
    Line("iris0", 10, "svm", 0.9, 0.7, None, 40, 1.5),
    Line("iris0", 0, "svm", 1.0, 0.9, None, 20, 1.0),
    Line("iris0", 10, "rank-net", 0.7, 0.9, 0.1, 16, 1.0),
]


@pytest.mark.services
def test_every_method_and_seed_is_a_run_written_once(project):
    track(LINES)
    track(LINES)
    client = mlflow_client()
    experiment = client.get_experiment_by_name(EXPERIMENT).experiment_id
    runs = {run.info.run_name: run for run in client.search_runs([experiment])}
    assert sorted(runs) == ["rank-net, seed 10", "svm, seed 0", "svm, seed 10"]
    assert len(client.search_runs([experiment])) == 3
    run = runs["svm, seed 10"]
    assert run.info.status == "FINISHED"
    assert run.data.params == {"method": "svm", "seed": "10", "datasets": "2"}
    assert run.data.metrics["mean_test_auc"] == pytest.approx(0.85)
    assert run.data.metrics["mean_size"] == 60
    assert run.data.metrics["seconds"] == 2.0
    assert "mean_brier" not in run.data.metrics
    assert runs["rank-net, seed 10"].data.metrics["mean_brier"] == 0.1
    assert len(client.get_metric_history(run.info.run_id, "test_auc")) == 2
