"""The main job until the pipeline: AUC and prototypes of one data set."""

import numpy as np
import pytest
from typer.testing import CliRunner

from flows.cli import app
from flows.retrain_command import Outcome, _short, fit_dataset
from smoothrank.datasets import DatasetError
from smoothrank.errors import SmoothrankError


@pytest.fixture(scope="module")
def outcome():
    return fit_dataset("glass0")


def test_parts_are_the_papers(outcome):
    assert (outcome.train_rows, outcome.test_rows) == (160, 54)


def test_auc_is_worth_having(outcome):
    assert outcome.train_auc > 0.85
    assert 0.75 < outcome.test_auc < 1.0


def test_prototypes_are_in_the_units_of_the_data(outcome):
    table = outcome.prototype_table()
    assert table.loc["RI"].between(1.5, 1.55).all()
    assert table.loc["Si"].between(68, 77).all()


def test_heaviest_prototype_comes_first():
    outcome = Outcome(3, 1, 1.0, 1.0, ["a"], np.array([[1.0], [2.0]]), np.array([0.5, -4.0]))
    table = outcome.prototype_table()
    assert list(table.columns) == ["q2", "q1"]
    assert table["q2"].to_dict() == {"weight": -4.0, "a": 2.0}


def test_rounding_error_is_not_shown():
    assert [_short(x) for x in (-2.8e-17, 0.123456, -3.0)] == ["0", "0.1235", "-3"]


def test_command_prints_auc_and_prototypes():
    done = CliRunner().invoke(app, ["retrain", "glass0"])
    assert done.exit_code == 0
    assert "test AUC" in done.stdout
    assert "weight" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["own.csv", "own"])
def test_a_file_is_refused_with_the_way_in_python(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text("a,y\n1,0\n2,1\n")
    done = CliRunner().invoke(app, ["retrain", name])
    assert isinstance(done.exception, SmoothrankError)
    message = str(done.exception)
    assert "data list" in message
    assert f"load_file('{name}')" in message
    assert "Encoder()" in message
    assert "\n" not in message


def test_unknown_data_set_is_a_named_error():
    done = CliRunner().invoke(app, ["retrain", "glass99"])
    assert isinstance(done.exception, DatasetError)
