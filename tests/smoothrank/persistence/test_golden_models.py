"""Models that earlier versions saved load, and give the scores that they gave then."""

import json
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest

from scripts.make_golden_models import GOLDEN
from smoothrank import SmoothRankingPrototype, TabularModel, load_model
from smoothrank.persistence.model_file import MODEL_FILE, READABLE, SCHEMA, ModelFileError
from smoothrank.persistence.model_file import save_model as save

MODELS = sorted(path.parent for path in GOLDEN.glob(f"*/*/{MODEL_FILE}"))


def content_of(folder):
    return json.loads((folder / MODEL_FILE).read_text("utf-8"))


def outputs(model, rows):
    """Return the score, probability and class of rows, as lists."""
    if isinstance(model, TabularModel):
        found = model.scored(rows)
        return {name: found[name].tolist() for name in ("score", "probability", "class")}
    return {
        "score": model.decision_function(rows).tolist(),
        "probability": model.predict_proba(rows)[:, 1].tolist(),
        "class": model.predict(rows).tolist(),
    }


@pytest.mark.parametrize("folder", MODELS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_golden_model_gives_the_scores_that_it_gave(folder, tmp_path):
    expected = json.loads((folder.parent / "expected.json").read_text("utf-8"))[folder.name]
    rows = pd.DataFrame(expected.pop("rows"))
    model = load_model(folder)
    for loaded in (model, load_model(save(model, tmp_path / "again"))):
        found = outputs(loaded, rows)
        assert found["class"] == expected["class"]
        for name in ("score", "probability"):
            assert found[name] == pytest.approx(expected[name], rel=1e-9, abs=1e-12)


def test_every_schema_and_kind_of_model_has_a_golden_one(tmp_path):
    class Mine(SmoothRankingPrototype):
        """An estimator that is refused, with the names of those that are not."""

    rows = pd.DataFrame({"a": [0.0, 1.0, 2.0, 3.0]})
    with pytest.raises(ModelFileError) as refused:
        save(Mine(solver="highs", max_prototypes=1).fit(rows, [0, 0, 1, 1]), tmp_path / "mine")
    savable = re.search(r"only (.*) can\.", str(refused.value))
    assert savable is not None
    found = [content_of(folder) for folder in MODELS]
    assert {content["schema"] for content in found} == set(READABLE)
    of_today = {content["estimator"] for content in found if content["schema"] == SCHEMA}
    assert of_today == {*savable[1].split(", "), "ForeignRanking"}
    assert [content for content in found if content["schema"] == SCHEMA and "table" in content]


@pytest.mark.parametrize("schema", [3, 4])
def test_threshold_and_left_out_columns_are_kept(schema):
    model = load_model(GOLDEN / f"schema_{schema}" / "table")
    assert model.threshold == 0.25
    assert model.encoder.notes[0] == "left out: customer (a different text in every row)"


def test_model_of_a_newer_version_is_refused_in_one_line(tmp_path):
    copy = shutil.copytree(GOLDEN / f"schema_{SCHEMA}" / "table", tmp_path / "copy")
    (copy / MODEL_FILE).write_text(json.dumps(content_of(copy) | {"schema": SCHEMA + 1}))
    (tmp_path / "rows.csv").write_text("when,city,age,income\n2024-03-01,Ghent,30,1.5\n")
    done = subprocess.run(
        [sys.executable, "-m", "flows.commands.cli", "predict", "copy", "rows.csv", "-o", "x.csv"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"newer smoothrank (schema {SCHEMA + 1}; this version" in line
    assert "Upgrade smoothrank" in line
    assert not (tmp_path / "x.csv").exists()


@pytest.mark.parametrize("schema", [0, -1, 10**50, "6", [6], None, 6.5])
def test_what_is_no_schema_is_no_model(tmp_path, schema):
    copy = shutil.copytree(GOLDEN / f"schema_{SCHEMA}" / "smooth", tmp_path / "copy")
    (copy / MODEL_FILE).write_text(json.dumps(content_of(copy) | {"schema": schema}))
    with pytest.raises(ModelFileError, match=r"is not a model description\.$"):
        load_model(copy)
