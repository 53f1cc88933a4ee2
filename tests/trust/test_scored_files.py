"""`predict` refuses what it cannot score, in words, and writes nothing."""

from __future__ import annotations

import os
import resource

import numpy as np
import pandas as pd
import pytest

from smoothrank.datasets.errors import DatasetError
from smoothrank.errors import SmoothrankError
from smoothrank.estimators.input_checks import ScoreError
from smoothrank.tables.one_hot import EncodingError
from tasks.steps.predict import ScoringError, score_file
from tests.support.trust.scoring import model_of_buyers, write_rows

HEADER = "age,city,income\n"
MB = 1024  # ru_maxrss is in kilobytes


@pytest.fixture(scope="module")
def model():
    return model_of_buyers()


def refused(model, path, kind=SmoothrankError) -> str:
    out = next(folder for folder in path.parents if folder.is_dir()) / "out.csv"
    with pytest.raises(kind) as caught:
        score_file(model, path, out)
    assert not out.exists()
    return str(caught.value)


@pytest.mark.parametrize("name", ["new.csv", "new.dat", "new.csv.gz", "new.parquet", "new.xlsx"])
@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
def test_only_regular_files_are_read(model, tmp_path, name, kind):
    path = tmp_path / name
    if kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    said = refused(model, path, DatasetError)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50 * MB
    assert kind in said


def test_a_link_to_a_regular_file_is_read(model, tmp_path):
    rows = write_rows(tmp_path, HEADER + "30,Bern,10\n", "rows.csv")
    (tmp_path / "link.csv").symlink_to(rows)
    assert score_file(model, tmp_path / "link.csv", tmp_path / "out.csv").rows == 1


@pytest.mark.parametrize("name", ["x" * 5000 + ".csv", "a/b.csv", "new.csv/x.csv", "x" * 5000])
def test_a_name_that_leads_nowhere(model, tmp_path, name):
    write_rows(tmp_path, HEADER)
    assert "there is no file" in refused(model, tmp_path / name, DatasetError)


@pytest.mark.parametrize("value", ["1e308", "-1e308", "1e160", "1.7976931348623157e308"])
def test_a_value_that_overflows_has_no_score_and_is_named(model, tmp_path, value):
    path = write_rows(tmp_path, f"{HEADER}30,Bern,10\n40,Ghent,{value}\n")
    said = refused(model, path, ScoringError)
    assert f"{path}, row 2: column 'income' is {float(value):.3g}, and has no score." in said
    assert said.endswith("correct it, or leave the row out.")


def test_the_estimator_itself_says_so_too(model):
    rows = np.array([[30.0, 10.0, 0.0], [40.0, 1e308, 1.0]])
    with pytest.raises(ScoreError, match="Row 1 of X has no finite score: column 1 is 1e") as error:
        model.classifier.predict_proba(rows)
    assert (error.value.row, error.value.column) == (1, 1)


@pytest.mark.parametrize("text", ["x,y\n1,2\n", "age,city\n1,Bern\n", "x,y\n"])
def test_columns_that_are_missing_are_named(model, tmp_path, text):
    said = refused(model, write_rows(tmp_path, text))
    assert ("'income'" in said) or text == "x,y\n"
    with pytest.raises(EncodingError, match="missing columns: 'age'"):
        model.encode_rows(pd.DataFrame({"x": []}))


BINARIES = {
    "bytes": bytes(range(256)) * 30,
    "zip": b"PK\x03\x04" + b"\x14\x00" * 40,
    "gzip": b"\x1f\x8b\x08\x00" + b"\x99\x88" * 40,
    "parquet": b"PAR1" + bytes(40),
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(1, 200)),
    "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\n",
    "returns": b"a,b\rc\x00\r\n11,2\r",
    "controls": bytes([1, 2, 3, 4, 5, 6, 65, 66, 10]) * 50,
}


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".dat"])
@pytest.mark.parametrize("kind", BINARIES)
def test_a_binary_file_is_called_one(model, tmp_path, kind, ending):
    said = refused(model, write_rows(tmp_path, BINARIES[kind], f"new{ending}"), DatasetError)
    assert "is not text" in said
    assert "newline" not in said
