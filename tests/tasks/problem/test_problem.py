"""What a run is about: its key, its rows, its encoder."""

import numpy as np
import pandas as pd
import pytest

from smoothrank.datasets.options import ColumnOptions
from smoothrank.errors import SmoothrankError
from smoothrank.persistence.model_file import load_tabular_model
from smoothrank.tables.encoder import TableEncoder
from smoothrank.tables.one_hot import Encoder
from tasks.problem.candidates import make_estimator
from tasks.problem.folds import folds
from tasks.problem.problem import load_data, make_problem
from tasks.problem.row_parts import split_rows
from tasks.problem.source import fetch_source
from tasks.problem.table_encoding import fit_encoder
from tasks.project.config import Params, SplitParams
from tasks.project.retrain_options import DEFAULTS, DecisionOptions, RetrainOptions
from tasks.steps.refit import refit
from tasks.steps.split import split
from tests.support.chosen import chosen_by_hand
from tests.support.oracles.paper_protocol import paper_split


def problem(selection="honest", params=None, source="glass0", method="smooth"):
    return make_problem(fetch_source(source), method, selection, params or Params())


def test_the_key_changes_with_all_that_changes_a_fit(tmp_path):
    other = Params.model_validate({"selection": {"folds": 4}})
    keys = {
        problem().key,
        problem("paper").key,
        problem(params=other).key,
        problem(source="glass1").key,
        problem(method="l1").key,
    }
    assert len(keys) == 5


def test_the_key_is_the_same_for_the_same_and_for_another_gate():
    other = Params.model_validate({"gate": {"significance": 0.2}, "training": {"jobs": 7}})
    assert problem().key == problem(params=other).key
    assert problem().identity != problem(params=other).identity


def test_the_key_does_not_change_with_the_folder(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.csv").write_text("x,y\n1,0\n2,1\n")
    found = [problem(source=str(tmp_path / name / "t.csv")).key for name in ("a", "b")]
    assert found[0] == found[1]


def test_the_test_part_is_the_paper_s():
    data = load_data(problem("paper"))
    part = paper_split(data.X, data.y)
    assert np.array_equal(data.X[data.test], part.X_test)
    assert np.array_equal(data.y[data.train], part.y_train)


def test_parts_are_counted():
    found = split(problem())
    assert (found.n_train, found.n_test, found.n_folds) == (160, 54, 10)
    assert len(folds(problem("paper"), load_data(problem("paper")))) == 5


@pytest.mark.parametrize("counts", [(1, 50), (2, 50), (0, 50)])
def test_too_few_rows_of_a_class_are_named(counts):
    y = np.repeat([1, -1], counts)
    with pytest.raises(SmoothrankError, match=f"{counts[0]} positive, 50 negative"):
        split_rows(y, SplitParams())


def test_missing_values_are_filled_from_the_training_rows_alone():
    X = pd.DataFrame({"a": [1.0, 3.0, np.nan, 100.0], "b": ["u", "u", None, "v"]})
    encoder = fit_encoder(X, np.array([0, 1, 2]))
    assert encoder.transform(X)[2].tolist() == [2.0, 0.0]
    assert encoder.transform(X)[3].tolist() == [100.0, 1.0]


def own_file(folder, options=DEFAULTS, selection="honest"):
    """A problem of a file in which a level and a column are known to few rows only."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=80), "id": range(80), "kind": ["a", "b"] * 40})
    frame.loc[79, "kind"] = "only once"
    frame["y"] = [0, 1] * 40
    frame.to_csv(folder / "own.csv", index=False)
    source = fetch_source(str(folder / "own.csv"), "y", "1", options)
    return make_problem(source, "smooth", selection, Params(), options)


def test_everyday_tables_are_learnt_from_the_training_rows_alone(tmp_path):
    data = load_data(own_file(tmp_path))
    assert isinstance(data.encoder, TableEncoder)
    assert data.encoder.left_out[0].name == "id"
    seen = set(data.dataset.X["kind"].iloc[data.train])
    (kind,) = [column for column in data.encoder.columns_ if column.name == "kind"]
    assert set(kind.levels or ()) | set(kind.rare or ()) == seen
    assert data.X.shape[0] == 80


def test_the_paper_keeps_its_own_encoding(tmp_path):
    data = load_data(own_file(tmp_path, selection="paper"))
    assert isinstance(data.encoder, Encoder)
    assert [column.name for column in data.encoder.columns_] == ["x", "id", "kind"]
    assert data.encoder.columns_[2].levels == ("a", "b", "only once")
    dropped = RetrainOptions(columns=ColumnOptions(drop=("id",)))
    data = load_data(own_file(tmp_path, dropped, "paper"))
    assert [column.name for column in data.encoder.columns_] == ["x", "kind"]


def test_columns_that_are_left_out_change_the_key(tmp_path):
    dropped = RetrainOptions(columns=ColumnOptions(drop=("kind",)))
    assert own_file(tmp_path).key != own_file(tmp_path, dropped).key


@pytest.mark.parametrize(
    ("given", "threshold"),
    [({}, 0.5), ({"threshold": 0.3}, 0.3), ({"cost_fn": 4.0}, 0.2),
     ({"cost_fn": 1.0, "cost_fp": 3.0}, 0.75)],
)  # fmt: skip
def test_the_threshold_is_where_both_errors_cost_the_same(tmp_path, given, threshold):
    options = RetrainOptions(decision=DecisionOptions(**given))
    asked = own_file(tmp_path, options)
    assert asked.threshold == threshold
    assert asked.key == own_file(tmp_path).key


def test_a_threshold_and_costs_are_refused(tmp_path):
    options = RetrainOptions(decision=DecisionOptions(threshold=0.3, cost_fn=2.0))
    with pytest.raises(SmoothrankError, match="give --threshold, or --cost-fp"):
        own_file(tmp_path, options)


def test_another_threshold_needs_no_other_fit(tmp_path, project, monkeypatch):
    chosen = chosen_by_hand(0.1, 1)
    first = load_tabular_model(refit(own_file(tmp_path), chosen))
    options = RetrainOptions(decision=DecisionOptions(threshold=0.3))
    monkeypatch.setattr("tasks.steps.refit.make_estimator", None)
    second = load_tabular_model(refit(own_file(tmp_path, options), chosen))
    assert (first.threshold, second.threshold) == (0.5, 0.3)


def test_a_file_that_changes_meanwhile_is_noticed(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "1,0\n2,1\n" * 20)
    before = problem(source=str(path))
    path.write_text("x,y\n" + "1,0\n3,1\n" * 20)
    with pytest.raises(SmoothrankError, match="was changed while"):
        load_data(before)


def test_paper_and_honest_estimators():
    honest = make_estimator(problem(), 0.5, "quantile", 3)
    assert (honest.C, honest.scale, honest.max_prototypes) == (0.5, "quantile", 3)
    assert honest.first_prototype == "priced"
    paper = make_estimator(problem("paper"), 0.5, None)
    assert (paper.scale, paper.first_prototype, paper.max_prototypes) == (None, "first", 100)


def test_a_method_without_prototypes_takes_what_it_knows():
    estimator = make_estimator(problem(method="l1"), 0.5, "standard", None)
    assert (estimator.C, estimator.scale) == (0.5, "standard")


def test_a_grid_for_an_unknown_method_is_an_error():
    wrong = Params.model_validate({"selection": {"grids": {"smoth": [1.0]}}})
    with pytest.raises(SmoothrankError, match="smoth"):
        problem(params=wrong)
