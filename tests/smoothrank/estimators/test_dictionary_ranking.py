"""Ranking by a few columns of several families, through the scikit-learn interface."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import roc_auc_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothrank import DictionaryRanking, load_model, save_model
from smoothrank.estimators.dictionary_ranking import FAMILIES


@pytest.fixture(scope="module")
def data():
    X, y = make_classification(90, 4, weights=[0.7], class_sep=0.7, random_state=1)
    return pd.DataFrame(X * [1.0, 10.0, 0.1, 1.0], columns=["age", "income", "dose", "size"]), y


@pytest.fixture(scope="module")
def model(data):
    return DictionaryRanking(0.05, max_columns=12, solver="highs").fit(*data)


def test_the_score_is_the_sum_of_the_columns(data, model):
    X, y = data
    parts = model.contributions(X)
    assert parts.shape == (90, model.n_columns_)
    assert model.columns_.shape == (model.n_columns_, 4)
    assert len(model.weights_) == model.n_columns_ <= 12
    assert np.all(model.weights_ != 0.0)
    assert model.decision_function(X) == pytest.approx(parts.sum(axis=1) + model.intercept_)
    assert roc_auc_score(y, model.decision_function(X)) > 0.85


def test_enough_columns_close_the_gap_and_few_report_it(data, model):
    assert model.gap_ > 1e-3
    whole = DictionaryRanking(0.2, max_columns=200, solver="highs").fit(*data)
    assert whole.gap_ <= 1e-6
    cut_short = DictionaryRanking(0.2, max_columns=2, solver="highs").fit(*data)
    missing = (cut_short.objective_ - whole.objective_) / cut_short.objective_
    assert 0.0 < missing <= cut_short.gap_


def test_a_norm_that_is_too_dear_leaves_no_column(data):
    X, y = data
    model = DictionaryRanking(50.0).fit(X, y)
    assert (model.n_columns_, model.objective_) == (0, 1.0)
    assert model.gap_ <= 1e-12
    assert np.ptp(model.decision_function(X)) == 0.0
    assert model.columns_.shape == (0, 4)


def test_a_saved_model_is_the_same_bit_by_bit(data, model, tmp_path):
    X, _ = data
    again = load_model(save_model(model, tmp_path / "model"))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.columns_, model.columns_)
    assert again.get_params() == model.get_params()
    assert again.history_ == model.history_
    assert (again.gap_, again.objective_) == (model.gap_, model.objective_)
    assert (again.n_columns_, again.n_dictionary_) == (model.n_columns_, model.n_dictionary_)
    assert again.to_text() == model.to_text()
    assert [str(one) for one in again.explain(X[:3])] == [str(one) for one in model.explain(X[:3])]


@pytest.mark.parametrize("name", [*FAMILIES, "distance"])
def test_parts_sum_to_the_difference_from_the_typical_row(data, name):
    X, y = data
    model = DictionaryRanking(0.02, families=(name,), max_columns=5).fit(X, y)
    assert {block.family.name for block in model.model_.blocks} == {name}
    for score, found in zip(model.decision_function(X), model.explain(X), strict=True):
        assert found.score == pytest.approx(score)
        difference = found.score - found.typical
        assert sum(part.part for part in found.columns) == pytest.approx(difference, abs=1e-9)
        assert sum(part.part for part in found.features) == pytest.approx(difference, abs=1e-9)


def test_a_feature_that_is_typical_has_no_part(data, model):
    row = pd.DataFrame([model.typical_row_], columns=data[0].columns)
    row["dose"] += 0.3
    parts = {part.name: part.part for part in model.explain(row)[0].features}
    assert [parts[name] for name in ("age", "income", "size")] == [0.0, 0.0, 0.0]


def test_the_model_is_said_in_the_units_of_the_data():
    income = np.array([10.0, 20.0, 30.0, 40.0, 50.0, 60.0])
    X = pd.DataFrame({"income": income, "noise": [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]})
    model = DictionaryRanking(0.1, families=("step",)).fit(X, income > 35.0)
    assert "income above 35: raises the score by" in model.to_text()
    assert "higher on column 1 (income above 35): raises" in str(model.explain(X[-1:])[0])
    model = DictionaryRanking(0.1, families=("feature",)).fit(X, income < 35.0)
    assert "large income: lowers the score by" in model.to_text()


def test_large_tables_are_sampled_in_rows_and_points(data):
    X, y = data
    small = DictionaryRanking(0.05, max_rows=40, max_points=10, families=("gaussian",)).fit(X, y)
    assert small.n_dictionary_ == 2 * 3 * 10
    fewer = DictionaryRanking(0.05, max_rows=40, families=("gaussian",)).fit(X, y)
    assert fewer.n_dictionary_ == 2 * 3 * 40


def test_a_row_of_weight_two_is_a_row_given_twice(data):
    X, y = data
    weight = np.where(np.arange(90) < 20, 2.0, 1.0)
    weighted = DictionaryRanking(0.1, max_columns=5).fit(X, y, weight)
    twice = DictionaryRanking(0.1, max_columns=5).fit(
        pd.concat([X, X[:20]]), np.concatenate((y, y[:20]))
    )
    assert weighted.decision_function(X) == pytest.approx(twice.decision_function(X))


@pytest.mark.parametrize("wrong", [{"families": ("nope",)}, {"families": ()}, {"views": ("raw",)}])
def test_unknown_families_and_views_are_refused_with_those_there_are(data, wrong):
    with pytest.raises(ValueError, match="give one or more of"):
        DictionaryRanking(**wrong).fit(*data)


def test_refined_columns_are_better_in_the_objective(data, model):
    X, y = data
    refined = DictionaryRanking(0.05, max_columns=12, solver="highs", refine=True).fit(X, y)
    assert refined.objective_ < model.objective_


@parametrize_with_checks(
    [DictionaryRanking(0.1, max_columns=5)],
    expected_failed_checks=lambda _: {
        "check_classifiers_train": "predict cuts at the largest balanced accuracy, predict_proba "
        "is calibrated to the share of positives"
    },
    xfail_strict=False,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)
