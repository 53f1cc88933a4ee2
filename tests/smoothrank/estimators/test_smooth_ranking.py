import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.metrics import roc_auc_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothrank import SmoothRanking, load_model, save_model
from smoothrank.errors import SmoothrankError
from tests.support.quick_teacher import quick_teacher


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame(
        {
            "age": rng.uniform(20, 90, n),
            "dose": rng.lognormal(size=n),
            "smoker": rng.integers(0, 2, n).astype(float),
            "noise": rng.normal(size=n),
        }
    )
    return frame, np.where(risk(frame) + 0.7 * rng.normal(size=n) > 0.6, "ill", "healthy")


def risk(frame):
    """What decides who is ill, but for chance."""
    return -(((frame["age"] - 60) / 12) ** 2) + 1.5 * frame["smoker"]


@pytest.fixture(scope="module")
def small(data):
    X, y = data
    return SmoothRanking(n_jobs=2).fit(X[:300], y[:300])


@pytest.fixture(scope="module")
def best(data):
    X, y = data
    return SmoothRanking("best").fit(X[:300], y[:300])


def test_both_sizes_learn_and_the_small_one_is_small(data, small, best):
    X, y = data
    wanted = y[300:] == "ill"
    for model in (small, best):
        assert list(model.classes_) == ["healthy", "ill"]
        assert roc_auc_score(wanted, model.decision_function(X[300:])) > 0.9
    assert 1 <= small.n_columns_ <= 20
    assert len(small.weights_) == len(small.columns_) == small.n_columns_
    assert best.n_columns_ > 100
    assert small.gap_ < 1e-9
    assert best.gap_ < 1e-9


def test_points_are_possible_rows(data, small):
    X, _ = data
    assert set(small.columns_[:, 2]) <= {0.0, 1.0}
    low, high = X[:300].min().to_numpy(), X[:300].max().to_numpy()
    assert np.all(small.columns_ >= low - 1e-9)
    assert np.all(small.columns_ <= high + 1e-9)


def test_validation_auc_is_no_better_than_the_truth(data, small, best):
    X, y = data
    truth = roc_auc_score(y[:300] == "ill", risk(X[:300]))
    columns = [auc for name, (auc, _) in small.cv_results_.items() if "columns" in name]
    assert truth - 0.05 < max(columns) < truth + 0.006
    assert truth - 0.05 < best.cv_results_["average"][0] < truth + 0.006


def test_a_number_of_columns_is_what_is_asked_for(data):
    X, y = data
    assert SmoothRanking(3).fit(X[:200], y[:200]).n_columns_ == 3


def test_parts_of_columns_and_of_features_sum_to_the_score(data, small):
    X, _ = data
    for explanation, score in zip(
        small.explain(X[300:310]), small.decision_function(X[300:310]), strict=True
    ):
        assert explanation.score == pytest.approx(score)
        difference = explanation.score - explanation.typical
        assert sum(part.part for part in explanation.columns) == pytest.approx(difference)
        assert sum(part.part for part in explanation.features) == pytest.approx(difference)


def test_the_feature_that_decides_is_named_in_words(data, small):
    X, _ = data
    young = X[300:301].assign(age=22.0)
    text = str(small.explain(young)[0])
    assert text.splitlines()[-1].strip().startswith("the features that matter: age 22 lowers")
    assert "age" in small.to_text()
    assert len(small.to_text().splitlines()) == small.n_columns_ + 1


def test_the_order_of_rows_and_repeated_rows_do_not_matter(data):
    X, y = data
    X, y = X[:150], y[:150]
    order = np.random.default_rng(0).permutation(150)
    weight = np.ones(150)
    weight[:20] = 2.0
    one = SmoothRanking(2).fit(X, y, weight)
    twice = SmoothRanking(2).fit(
        pd.concat((X.iloc[order], X[:20])), np.concatenate((y[order], y[:20]))
    )
    assert twice.decision_function(X) == pytest.approx(one.decision_function(X), abs=1e-9)


def test_an_average_is_not_explained_and_says_what_to_do(data, best):
    X, _ = data
    with pytest.raises(SmoothrankError, match='size="small"'):
        best.explain(X[:1])


def test_a_single_rare_row_is_refused_with_advice(data):
    X, _ = data
    with pytest.raises(ValueError, match="Add rows"):
        SmoothRanking().fit(X[:50], np.arange(50) == 3)


@pytest.mark.parametrize("kind", ["small", "best"])
def test_a_saved_model_is_the_same(kind, small, best, data, tmp_path):
    X, _ = data
    model = small if kind == "small" else best
    again = load_model(save_model(model, tmp_path / "model"))
    assert np.array_equal(again.decision_function(X), model.decision_function(X))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.cv_results_ == model.cv_results_
    assert again.n_columns_ == model.n_columns_
    assert again.gap_ == model.gap_
    if kind == "small":
        assert str(again.explain(X[:1])[0]) == str(model.explain(X[:1])[0])
        assert again.to_text() == model.to_text()


def test_probabilities_are_calibrated_by_held_out_scores():
    X, y = make_classification(1300, 8, n_informative=3, flip_y=0.3, weights=[0.8], random_state=3)
    model = SmoothRanking(8).fit(X[:300], y[:300])
    probability = model.predict_proba(X[300:])[:, 1]
    assert probability.mean() == pytest.approx(y[300:].mean(), abs=0.05)
    top = probability > np.quantile(probability, 0.8)
    assert probability[top].mean() == pytest.approx(y[300:][top].mean(), abs=0.1)


def test_probabilities_of_a_model_that_was_chosen_on_a_sample_are_those_of_all_rows():
    X, y = make_classification(3000, 5, flip_y=0.1, weights=[0.95], random_state=4)
    for size in (3, "best"):
        with quick_teacher(compared_rows=400):
            model = SmoothRanking(size).fit(X[:2000], y[:2000])
        probability = model.predict_proba(X[2000:])[:, 1]
        assert probability.mean() == pytest.approx(y[2000:].mean(), abs=0.03)


def test_it_can_be_cloned(small):
    assert clone(small).get_params() == small.get_params()


@parametrize_with_checks(
    [SmoothRanking(2)],
    expected_failed_checks=lambda _: {
        "check_classifiers_train": "predict cuts at the largest balanced accuracy, predict_proba "
        "is calibrated to the share of positives",
        "check_sample_weight_equivalence_on_dense_data": "cross-validation needs two distinct rows "
        "of the rarer class",
    },
    xfail_strict=False,
)
def test_scikit_learn_checks(estimator, check):
    with quick_teacher():
        check(estimator)


def test_a_path_fits_each_number_of_columns_with_one_teacher(data):
    X, y = data
    unfitted = SmoothRanking(random_state=3)
    models = unfitted.path(X[:200], y[:200], [1, 4])
    assert [model.n_columns_ for model in models] == [1, 4]
    assert [model.get_params() for model in models] == [
        SmoothRanking(size, random_state=3).get_params() for size in (1, 4)
    ]
    assert models[0].cv_results_ == models[1].cv_results_
    assert not hasattr(unfitted, "model_")
    for model in models:
        assert roc_auc_score(y[300:] == "ill", model.decision_function(X[300:])) > 0.85
        assert set(model.predict(X[300:])) == {"healthy", "ill"}
        probability = model.predict_proba(X[300:])
        assert probability.min() >= 0.0
        assert np.allclose(probability.sum(axis=1), 1.0)
