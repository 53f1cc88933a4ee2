"""A user's own table as it is: names, ids, gaps and dates of any kind, by the command alone."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from smoothrank.persistence.model_file import load_tabular_model
from tests.support.project import project

pytestmark = pytest.mark.services

COMMAND = str(Path(sys.executable).parent / "smoothrank")
MODEL = "models:/smoothrank-own@champion"
OUTPUTS = ("score", "probability", "class", "note", "prototype_1", "intercept")
NAMES = ("self", "weight", "prototype", "index", "target", "rows", "count", "frame", "7", "a b",
         "é", "quo\"te's", "line\nbreak", "others", "L" * 200)  # fmt: skip


def own_table(rows=260):
    """Nasty names, levels whose features would be called the same, an id, gaps and dates."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=rows)
    columns = {name: rng.normal(size=rows).round(2) for name in (*OUTPUTS, *NAMES)}
    columns |= {
        "self": rng.choice(["init", "self"], rows),
        "class": rng.choice(["x", "y"], rows),
        "a_b": rng.choice(["c", "d"], rows),
        "a": rng.choice(["b_c", "b_d"], rows),
        "customer_id": [f"c{i}" for i in range(rows)],
        "running": np.arange(rows) + 1,
        "tail": [f"N{i % 120}" for i in range(rows)],
        "const": "k",
        "when": pd.date_range("2024-01-01", periods=rows).strftime("%d.%m.%Y"),
        "gap": [None if i % 13 else "filled" for i in range(rows)],
        "some gaps": np.where(np.arange(rows) % 50 == 3, np.nan, x.round(3)),
        "bought": np.where(x + 0.5 * rng.normal(size=rows) > 1.0, "yes", "no"),
    }
    return pd.DataFrame(columns)


def run(*arguments):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    with project(tmp_path_factory.mktemp("own") / "home") as folder:
        own_table().to_csv(folder / "own.csv")
        yield folder


@pytest.fixture(scope="module")
def retrained(home):
    return run(
        *[
            "retrain",
            "own.csv",
            "--target",
            "bought",
            "--positive",
            "yes",
            "--cost-fn",
            "4",
            "--drop",
            "count",
            "--json",
        ]
    )


def test_what_was_done_is_said_before_training_and_in_the_result(retrained):
    notes = json.loads(retrained.stdout)["notes"]
    for note in (
        "left out: customer_id (a different text in every row)",
        "left out: const (the same value in every row, 'k')",
        "left out: running (a running number)",
        "left out: Unnamed: 0 (a number of its own in every row, and the name of an id)",
        "left out: count (as --drop says)",
        "dates as numbers: when (days, month, weekday)",
        "often missing, which a 0/1 feature says: gap (92 %)",
    ):
        assert note in notes
        assert note in retrained.stderr
    assert "260 rows, 31 columns, 29 features\n" in retrained.stderr


def test_predict_takes_the_raw_file_with_or_without_the_columns_left_out(retrained, home):
    names = ["customer_id", "const", "tail", "running", "count", "bought"]
    rows = own_table().drop(columns=names)
    rows[rows.columns[::-1]].to_csv(home / "fewer.csv", index=False)
    said = [
        run("predict", MODEL, file, "-o", f"scored_{file}", "--explain")
        for file in ("own.csv", "fewer.csv")
    ]
    first, second = (pd.read_csv(home / f"scored_{file}") for file in ("own.csv", "fewer.csv"))
    added = [name for name in first.columns if name.startswith("smoothrank_")]
    assert added[:5] == [f"smoothrank_{name}" for name in OUTPUTS[:5]]
    assert first[added].equals(second[added])
    assert first["score"].equals(own_table()["score"])
    probability = first["smoothrank_probability"]
    assert list(first["smoothrank_class"] == "yes") == list(probability >= 0.2)
    for done in said:
        assert "class yes at probability >= 0.2" in done.stdout
        assert "see column smoothrank_note" in done.stdout
        assert "see smoothrank_score" in done.stdout


def test_the_served_model_says_the_same(retrained, home):
    import mlflow

    from tasks.project.mlflow_database import mlflow_uri
    from tasks.tracking.model_location import model_folder

    rows = own_table()
    rows.loc[0, "self"] = "never seen"
    rows.loc[1, "some gaps"] = np.nan
    mlflow.set_tracking_uri(mlflow_uri())
    with model_folder(MODEL) as folder:
        served = mlflow.pyfunc.load_model(str(folder)).predict(rows)
        model = load_tabular_model(folder / "artifacts" / "tabular")
    assert model.threshold == 0.2
    expected = model.scored(rows)
    assert np.abs(served["score"] - expected["score"]).max() <= 1e-12
    assert list(served["class"]) == list(expected["class"])
    assert list(served["class"] == "yes") == list(served["probability"] >= 0.2)


def test_a_column_that_is_not_there_is_refused_before_anything_is_started(retrained, home):
    from flows.servers.project_servers import running_servers, stop_servers

    stop_servers()
    asked = [COMMAND, "retrain", "own.csv", "--target", "bought", "--drop", "nobody"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--drop: there is no input column 'nobody'; there are " in done.stderr
    assert running_servers()["prefect"] is None
