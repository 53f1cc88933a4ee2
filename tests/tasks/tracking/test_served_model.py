"""The logged model: the estimator's scores from MLflow, in process and over HTTP."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from smoothrank import L1Ranking, SmoothRankingPrototype
from smoothrank.errors import SmoothrankError
from smoothrank.persistence.model_file import save_model
from tasks.project.mlflow_database import ensure_mlflow_database
from tasks.tracking import model_location
from tasks.tracking.served_model import load_served_model, log_served_model, pinned_requirements
from tests.support.checkout.repository import ROOT
from tests.support.fitted import fitted

pytestmark = pytest.mark.services

NAME = "smoothrank-people"


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(20, 80, 60),
            "income": rng.lognormal(8, 1, 60),
            "city": rng.choice(["Łódź", "Bergen", "Ghent"], 60),
            "member": rng.choice(["True", "False"], 60),
        }
    )
    y = np.where((frame["age"] > 50) ^ (frame["city"] == "Ghent"), 1, -1)
    y[:6] *= -1
    frame.loc[3, "income"] = np.nan
    frame.loc[4, "city"] = None
    return frame, y


@pytest.fixture(scope="module")
def model(table):
    estimator = SmoothRankingPrototype(solver="highs", scale="standard", max_prototypes=3)
    return fitted(table, estimator)


def logged(model, rows, experiment):
    """Log a model to a new run; give its address."""
    import mlflow

    client = mlflow.MlflowClient()
    run = client.create_run(experiment).info.run_id
    model_id = log_served_model(client, experiment, run, model, rows)
    assert client.get_run(run).info.status == "RUNNING"
    return f"models:/{model_id}"


@pytest.fixture(scope="module")
def registered(model, table, tmp_path_factory):
    """A project of its own with the model in its registry, as champion."""
    import mlflow

    home = tmp_path_factory.mktemp("project")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SMOOTHRANK_HOME", str(home))
        uri = ensure_mlflow_database()
        before = mlflow.get_tracking_uri(), mlflow.get_registry_uri()
        mlflow.set_tracking_uri(uri)
        mlflow.set_registry_uri(uri)
        artifacts = (home / "mlruns" / "artifacts").as_uri()
        experiment = mlflow.create_experiment("people", artifact_location=artifacts)
        address = logged(model, table[0], experiment)
        version = mlflow.register_model(address, NAME).version
        mlflow.MlflowClient().set_registered_model_alias(NAME, "champion", version)
        yield mlflow.models.get_model_info(address)
        mlflow.set_tracking_uri(before[0])
        mlflow.set_registry_uri(before[1])


@pytest.fixture(scope="module")
def folder(registered, tmp_path_factory):
    from mlflow.artifacts import download_artifacts

    target = tmp_path_factory.mktemp("download")
    return Path(download_artifacts(f"models:/{NAME}@champion", dst_path=str(target)))


def test_pyfunc_gives_the_estimators_scores(registered, model, table):
    import mlflow

    frame, _ = table
    found = mlflow.pyfunc.load_model(f"models:/{NAME}@champion").predict(frame)
    assert list(found.columns) == ["score", "probability", "class"]
    rows = model.encoder.transform(frame)
    expected = model.classifier.decision_function(rows)
    assert np.abs(found["score"] - expected).max() <= 1e-12
    assert np.abs(found["probability"] - model.classifier.predict_proba(rows)[:, 1]).max() <= 1e-12
    assert list(found["class"]) == list(model.predict(frame))


@pytest.mark.parametrize(
    "change",
    [
        lambda frame: frame.assign(age=frame["age"].astype(float)),
        lambda frame: frame.assign(income=frame["income"].fillna(1.0).round().astype("int64")),
        lambda frame: frame.assign(member=frame["member"] == "True"),
        lambda frame: frame.assign(age=frame["age"].astype(float).where(frame.index > 3)),
        lambda frame: frame[frame.columns[::-1]].assign(buys="no"),
        lambda frame: frame.astype({"city": object}),
    ],
)
def test_pyfunc_takes_rows_however_they_were_read(registered, model, table, change):
    import mlflow

    frame = change(table[0])
    found = mlflow.pyfunc.load_model(registered.model_uri).predict(frame)
    assert np.abs(found["score"] - model.decision_function(frame)).max() <= 1e-12


def test_signature_and_example_are_those_of_the_raw_rows(registered, folder, table):
    names = ["age", "income", "city", "member"]
    assert registered.signature.inputs.input_names() == names
    assert registered.signature.outputs.input_names() == ["score", "probability", "class"]
    example = json.loads((folder / "input_example.json").read_text())
    assert example["columns"] == names
    assert len(example["data"]) == 5
    assert example["data"][0] == table[0].iloc[0].tolist()


def test_there_is_no_pickle_and_every_requirement_is_pinned(folder):
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.name for path in (folder / "artifacts" / "tabular").iterdir()} == {
        "model.json",
        "arrays.npz",
    }
    assert not [path for path in files if path.suffix in (".pkl", ".pickle", ".joblib", ".pyc")]
    assert not [path for path in files if path.read_bytes()[:2] in (b"\x80\x04", b"\x80\x05")]
    flavour = yaml.safe_load((folder / "MLmodel").read_text())["flavors"]["python_function"]
    assert Path(flavour["model_code_path"]).name == "pyfunc_model.py"
    assert (folder / "pyfunc_model.py").is_file()
    assert "python_model" not in flavour
    requirements = (folder / "requirements.txt").read_text().split()
    assert sorted(requirements) == sorted(pinned_requirements())
    assert all("==" in requirement for requirement in requirements)


def test_the_model_brings_its_own_code(folder, model, table):
    rows = table[0].head(5)
    code = (
        "import sys, json, pandas as pd\n"
        "sys.path = [path for path in sys.path if path != sys.argv[1]]\n"
        "import mlflow\n"
        "model = mlflow.pyfunc.load_model(sys.argv[2])\n"
        "import smoothrank\n"
        "rows = pd.read_json(sys.argv[3], orient='split')\n"
        "print(json.dumps([smoothrank.__file__, model.predict(rows)['score'].tolist()]))\n"
    )
    saved = folder.parent / "rows.json"
    saved.write_text(rows.to_json(orient="split", double_precision=15))
    done = subprocess.run(
        [sys.executable, "-c", code, str(ROOT), str(folder), str(saved)],
        cwd=folder, capture_output=True, text=True, check=True,
    )  # fmt: skip
    home, scores = json.loads(done.stdout)
    assert Path(home).is_relative_to(folder)
    assert scores == pytest.approx(model.decision_function(rows), rel=1e-9)


@pytest.fixture(scope="module")
def server(folder):
    """`mlflow models serve` on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "mlflow", "models", "serve", "-m", str(folder)]
    command += ["--env-manager", "local", "--host", "127.0.0.1", "--port", str(port)]
    programs = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([programs, os.environ["PATH"]])}
    log = folder.parent / "server.log"
    with log.open("w") as file:
        process = subprocess.Popen(
            command,
            stdout=file,
            stderr=file,
            cwd=folder.parent,
            env=environment,
            start_new_session=True,
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{address}/ping", process, log)
        yield address
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(30)


def _wait_for(address, process, log):
    for _ in range(600):
        try:
            urllib.request.urlopen(address, timeout=5).close()  # noqa: S310
        except OSError:
            assert process.poll() is None, log.read_text()
            time.sleep(0.2)
        else:
            return
    pytest.fail(log.read_text())


def _ask(address, content, kind="application/json"):
    body = content if kind == "text/csv" else json.dumps(content)
    request = urllib.request.Request(  # noqa: S310
        f"{address}/invocations", data=body.encode(), headers={"Content-Type": kind}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        return pd.DataFrame(json.loads(answer.read())["predictions"])


def _refusal(address, *content):
    """Return the status and the line with which the server refuses."""
    with pytest.raises(urllib.error.HTTPError) as failed:
        _ask(address, *content)
    answer = json.loads(failed.value.read())
    assert "stack_trace" not in answer
    assert "Traceback" not in answer["message"]
    return failed.value.code, answer["message"]


def test_serving_gives_the_estimators_scores(server, model, table):
    frame, _ = table
    rows = frame.astype(object).where(frame.notna(), None)
    split = {"columns": list(rows.columns), "data": rows.values.tolist()}
    records = rows.to_dict(orient="records")
    answers = [
        _ask(server, {"dataframe_split": split}),
        _ask(server, {"dataframe_records": records}),
        _ask(server, frame.to_csv(index=False), "text/csv"),
        _ask(server, frame[frame.columns[::-1]].assign(buys="?").to_csv(), "text/csv"),
    ]
    for found in answers:
        assert np.abs(found["score"] - model.decision_function(frame)).max() <= 1e-12
        assert np.abs(found["probability"] - model.predict_proba(frame)).max() <= 1e-12
        assert list(found["class"]) == list(model.predict(frame))
    whole = frame.dropna()  # of a missing text MLflow makes the text None in this form
    found = _ask(server, {"inputs": whole.to_dict(orient="list")})
    assert np.abs(found["score"] - model.decision_function(whole)).max() <= 1e-12


def test_serving_says_in_a_line_what_is_wrong_with_a_row(server, table):
    row = table[0].dropna().head(1).assign(city="Oslo")
    line = "column 'city', row 1: unknown level 'Oslo'; known are 'Bergen', 'Ghent', 'Łódź'"
    records = {"dataframe_records": row.to_dict(orient="records")}
    assert _refusal(server, records) == (400, line)
    assert _refusal(server, row.to_csv(index=False), "text/csv") == (400, line)
    old = _refusal(server, row.assign(age="old", city="Ghent").to_csv(index=False), "text/csv")
    assert old == (400, "column 'age', row 1: 'old' is not a number, as all were when fitted")
    assert _refusal(server, "", "text/csv")[1].startswith("the CSV cannot be read: ")
    status, message = _refusal(server, row.drop(columns="age").to_csv(index=False), "text/csv")
    assert status == 400
    assert "missing inputs ['age']" in message


@pytest.mark.parametrize("reference", [f"models:/{NAME}@champion", f"models:/{NAME}/1"])
def test_a_registered_model_is_read_back_bit_by_bit(registered, model, table, reference):
    frame, _ = table
    scores = load_served_model(reference).decision_function(frame)
    assert np.array_equal(scores, model.decision_function(frame))


def forms(registered):
    return (
        f"models:/{NAME}@champion",
        f"models:/{NAME}/1",
        registered.model_uri,
        f"runs:/{registered.run_id}/model",
    )


def test_every_registered_form_is_scored_by_the_command(registered, model, table, tmp_path):
    """In a process of its own, which knows of MLflow only what the project's folder says."""
    program = Path(sys.executable).parent / "smoothrank"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MLFLOW_")}
    table[0].head(10).to_csv(tmp_path / "new.csv", index=False)
    for form in forms(registered):
        done = subprocess.run(
            [program, "predict", form, "new.csv", "-o", "scored.csv", "--explain"],
            cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), form
        found = pd.read_csv(tmp_path / "scored.csv")
        expected = model.decision_function(table[0].head(10))
        assert found["score"].to_numpy() == pytest.approx(expected, rel=1e-12)
        assert {path.name for path in tmp_path.iterdir()} == {"new.csv", "scored.csv"}
        (tmp_path / "scored.csv").unlink()


def folders(registered):
    for form in forms(registered):
        with model_location.model_folder(form) as folder:
            yield folder


def test_mlflow_names_the_same_folder_as_its_tables(registered, monkeypatch):
    quick = list(folders(registered))
    assert len(set(quick)) == 1
    monkeypatch.setattr(model_location, "look_up", lambda *_: None)
    assert list(folders(registered)) == quick


def test_tables_that_have_changed_are_left_to_mlflow(registered, tmp_path):
    changed = tmp_path / "changed.db"
    with closing(sqlite3.connect(changed)) as tables:
        tables.execute("CREATE TABLE somewhere (place TEXT)")
    assert [model_location.look_up(changed, form) for form in forms(registered)] == [None] * 4


def test_a_downloaded_or_saved_folder_is_read_too(folder, model, table, tmp_path):
    frame, _ = table
    for source in (folder, save_model(model, tmp_path / "model")):
        scores = load_served_model(str(source)).decision_function(frame)
        assert np.array_equal(scores, model.decision_function(frame))


def test_a_norm_is_logged_as_well(registered, table):
    import mlflow

    model = fitted(table, L1Ranking(5.0, scale="quantile"))
    experiment = mlflow.search_experiments(filter_string="name = 'people'")[0]
    address = logged(model, table[0], experiment.experiment_id)
    found = mlflow.pyfunc.load_model(address).predict(table[0])
    assert np.abs(found["score"] - model.decision_function(table[0])).max() <= 1e-12


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("models:/nobody@champion", f"no model models:/nobody@champion.*registered are: {NAME}"),
        (f"models:/{NAME}@nobody", "alias nobody not found"),
        (f"models:/{NAME}/99", "version=99"),
        ("models:/", "no model models:/"),
        ("runs:/0123/model", "no model runs:/0123/model"),
        ("no-such-folder", "no model 'no-such-folder'.*models:/NAME@champion"),
    ],
)
def test_a_model_that_is_not_there_is_said_in_one_line(registered, reference, message):
    with pytest.raises(SmoothrankError, match=message) as refused:
        load_served_model(reference)
    assert "\n" not in str(refused.value)


def test_a_project_without_models_says_so_and_makes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("SMOOTHRANK_HOME", str(tmp_path))
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    with pytest.raises(SmoothrankError, match="smoothrank retrain"):
        load_served_model("models:/anything@champion")
    assert list(tmp_path.iterdir()) == []


def test_a_foreign_mlflow_model_is_refused(tmp_path):
    (tmp_path / "MLmodel").write_text("flavors: {}\n")
    with pytest.raises(SmoothrankError, match="not one that smoothrank logged"):
        load_served_model(str(tmp_path))


def test_a_changed_model_is_refused(folder, tmp_path):
    import shutil

    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    arrays = copy / "artifacts" / "tabular" / "arrays.npz"
    arrays.write_bytes(arrays.read_bytes().replace(b"weights", b"weighty", 1))
    with pytest.raises(SmoothrankError, match="was changed"):
        load_served_model(str(copy))
