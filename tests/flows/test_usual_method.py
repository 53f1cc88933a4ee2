"""A first retraining in a new folder: the usual method, with no settings at all."""

import json

import pandas as pd
import pytest
from typer.testing import CliRunner

from flows.commands.cli import app
from smoothrank.estimators.smooth_ranking import SIZES
from tests.support.project import (
    PARAMS,
    flow_runs,
    mlflow_runs,
    parents,
    project,
    table,
    task_states,
    write,
)

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("usual") / "home") as folder:
        (folder / "params.yaml").unlink()
        yield folder


def run(*arguments):
    done = CliRunner().invoke(app, arguments)
    if done.exit_code != 0 and done.exception is not None:
        raise AssertionError(done.output) from done.exception
    return done


def test_few_columns_are_trained_registered_and_explained_and_the_papers_method_on_request(home):
    source = write(home / "rare.csv", table(200))
    asked = ("retrain", source, "--target", "y", "--positive", "rare", "--budget", "10s", "--json")
    found = json.loads(run(*asked).stdout)
    assert found["method"] == "smoothrank-small"
    assert found["columns"] == found["n_prototypes"]
    assert "C" not in found
    assert found["test_auc"] > 0.6
    assert 1 <= found["n_prototypes"] <= 20
    assert found["promoted"] is True
    assert f"smoothrank-small on {source}" == flow_runs(source)[0].name
    assert any(name.startswith("train columns=1") for name in task_states(flow_runs(source)[0]))

    (parent,) = parents("rare")
    assert parent.data.metrics["columns"] == found["n_prototypes"]
    assert "C" not in parent.data.metrics
    children = [run for run in mlflow_runs("rare") if run.info.run_id != parent.info.run_id]
    assert {run.info.run_name for run in children} == {f"columns={size}" for size in SIZES}

    model = "models:/smoothrank-rare@champion"
    run("predict", model, source, "-o", str(home / "scored.csv"), "--explain")
    scored = pd.read_csv(home / "scored.csv")
    assert len(scored) == 200
    assert scored["probability"].between(0.0, 1.0).all()
    outputs = {"score", "probability", "class", "note"}
    assert len(set(scored) - set(table(1)) - outputs) >= found["n_prototypes"]

    again = json.loads(run(*asked, "--method", "smooth").stdout)
    assert again["method"] == "smooth"
    assert again["model_version"] == 2
    assert parents("rare")[0].data.metrics["C"] == again["C"]


def test_a_run_whose_budget_ended_early_can_be_repeated(home):
    """Prefect keeps no result of work that the budget cut short."""
    (home / "params.yaml").write_text(PARAMS)
    source = write(home / "late.csv", table(seed=3))
    asked = ("retrain", source, "--target", "y", "--positive", "rare", "--budget", "1s", "--json")
    for version in (1, 2):
        assert json.loads(run(*asked).stdout)["model_version"] == version
        assert "Cancelled" in task_states(flow_runs(source)[0]).values()
