import tracemalloc
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothrank import RankingCGPrototype, SmoothRankingPrototype

SOLVERS = ["gurobi", "highs"]


@pytest.fixture(scope="module")
def data():
    return make_classification(
        n_samples=160, n_features=4, weights=[0.85], class_sep=0.8, random_state=1
    )


def quick(**parameters) -> SmoothRankingPrototype:
    return SmoothRankingPrototype(**{"solver": "highs", "max_prototypes": 6, **parameters})


THRESHOLD = (
    "predict cuts at the largest balanced accuracy, predict_proba is calibrated to the share of "
    "positives: as with TunedThresholdClassifierCV the two may differ"
)
ROW_ORDER = "the first prototype is the first row by request, so that the order of rows counts"


def expected_failures(estimator) -> dict[str, str]:
    reasons = {}
    if estimator.scale is not None or isinstance(estimator, RankingCGPrototype):
        reasons["check_classifiers_train"] = THRESHOLD
    if estimator.first_prototype == "first":
        reasons["check_classifiers_train"] = THRESHOLD
        reasons["check_sample_weight_equivalence_on_dense_data"] = ROW_ORDER
    return reasons


@parametrize_with_checks(
    [
        SmoothRankingPrototype(solver="highs"),
        SmoothRankingPrototype(),
        SmoothRankingPrototype(solver="highs", scale="quantile", max_prototypes=3),
        SmoothRankingPrototype(solver="highs", first_prototype="first", max_prototypes=3),
        RankingCGPrototype(alpha=0.05, solver="highs", max_prototypes=3),
    ],
    expected_failed_checks=expected_failures,
    xfail_strict=False,
)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)


def test_fitted_attributes(data):
    X, y = data
    model = quick().fit(X, y)
    T = len(model.weights_)
    assert model.prototypes_.shape == (T, 4)
    assert len(model.history_) == len(model.weights_path_) == T
    assert model.n_features_in_ == 4
    assert list(model.classes_) == [0, 1]
    assert [record.n_prototypes for record in model.history_] == list(range(1, T + 1))
    for record in model.history_:
        assert record.gap <= 1e-6
        assert record.lower_bound <= record.objective + 1e-9
        assert record.cuts > 0
        assert record.price > 0
        assert record.seconds_master > 0
    assert model.history_[-1].train_auc == pytest.approx(
        roc_auc_score(y, model.decision_function(X))
    )


def test_the_score_is_that_of_the_docstring(data):
    X, y = data
    model = quick().fit(X, y)
    distances = np.linalg.norm(X[:, None, :] - model.prototypes_[None], axis=2)
    z = (distances - distances.mean(axis=0)) / distances.std(axis=0)
    assert model.decision_function(X) == pytest.approx(z @ model.weights_ + model.intercept_)
    assert model.contributions(X).sum(axis=1) + model.intercept_ == pytest.approx(
        model.decision_function(X)
    )


def test_prototypes_are_in_the_units_of_the_data(data):
    X, y = data
    units = np.array([1.0, 100.0, 1e-3, 10.0])
    plain = quick(scale="standard").fit(X, y)
    other = quick(scale="standard").fit(X * units + 7.0, y)
    assert other.prototypes_ == pytest.approx(plain.prototypes_ * units + 7.0, rel=1e-6)


@pytest.mark.parametrize("scale", [None, "standard", "quantile"])
def test_row_order_leaves_the_model_as_it_is_bit_by_bit(data, scale):
    X, y = data
    order = np.random.default_rng(0).permutation(len(X))
    one, other = quick(scale=scale).fit(X, y), quick(scale=scale).fit(X[order], y[order])
    assert np.array_equal(one.prototypes_, other.prototypes_)
    assert np.array_equal(one.weights_, other.weights_)
    assert np.array_equal(one.decision_function(X), other.decision_function(X))


@pytest.mark.parametrize("solver", SOLVERS)
def test_same_seed_same_data_same_bits(data, solver):
    X, y = data
    one, other = quick(solver=solver).fit(X, y), quick(solver=solver).fit(X, y)
    assert np.array_equal(one.prototypes_, other.prototypes_)
    assert np.array_equal(one.weights_, other.weights_)
    assert one.calibration_ == other.calibration_


def test_another_seed_gives_another_model(data):
    X, y = data
    assert not np.array_equal(
        quick().fit(X, y).prototypes_, quick(random_state=1).fit(X, y).prototypes_
    )


def test_swapped_labels_turn_the_scores_round(data):
    X, y = data
    one, other = quick().fit(X, y), quick().fit(X, 1 - y)
    assert roc_auc_score(y, one.decision_function(X)) == pytest.approx(
        roc_auc_score(1 - y, other.decision_function(X)), abs=1e-3
    )
    assert one.weights_[0] == pytest.approx(-other.weights_[0], rel=1e-3)


def test_shifted_features_leave_the_scores(data):
    X, y = data
    one, other = quick(max_prototypes=3).fit(X, y), quick(max_prototypes=3).fit(X + 64.0, y)
    assert roc_auc_score(y, one.decision_function(X)) == pytest.approx(
        roc_auc_score(y, other.decision_function(X + 64.0)), abs=1e-3
    )
    assert other.prototypes_[0] - 64.0 == pytest.approx(one.prototypes_[0])


@pytest.mark.parametrize("scale", ["standard", "quantile"])
def test_with_scaling_the_units_do_not_matter(data, scale):
    X, y = data
    units = np.array([1024.0, 1.0, 0.125, 2.0])
    one = quick(scale=scale, max_prototypes=3).fit(X, y)
    other = quick(scale=scale, max_prototypes=3).fit(X * units, y)
    assert roc_auc_score(y, one.decision_function(X)) == pytest.approx(
        roc_auc_score(y, other.decision_function(X * units)), abs=1e-3
    )


def test_without_scaling_the_units_matter(data):
    X, y = data
    units = np.array([1024.0, 1.0, 0.125, 2.0])
    one, other = quick().fit(X, y), quick().fit(X * units, y)
    assert not np.allclose(one.decision_function(X), other.decision_function(X * units))


@pytest.mark.parametrize("scale", [None, "standard", "quantile"])
def test_a_row_twice_is_a_row_of_weight_two(data, scale):
    X, y = data
    twice = np.concatenate((np.arange(len(X)), [3, 5, 8]))
    weight = np.bincount(twice).astype(float)
    repeated = quick(scale=scale).fit(X[twice], y[twice])
    weighted = quick(scale=scale).fit(X, y, sample_weight=weight)
    assert np.array_equal(repeated.decision_function(X), weighted.decision_function(X))


def test_a_row_of_weight_zero_is_not_there(data):
    X, y = data
    weight = np.ones(len(X))
    weight[::7] = 0.0
    kept = weight > 0
    one = quick(scale="standard").fit(X, y, sample_weight=weight)
    other = quick(scale="standard").fit(X[kept], y[kept])
    assert np.array_equal(one.decision_function(X), other.decision_function(X))


def test_one_prototype_is_enough_when_it_separates_the_classes_with_margin():
    X = np.concatenate((np.linspace(0.0, 0.1, 20), np.linspace(5.0, 5.1, 40)))[:, None]
    model = SmoothRankingPrototype(first_prototype="first").fit(X, np.arange(60) < 20)
    assert len(model.weights_) == 1
    assert model.history_[0].objective == pytest.approx(0.0, abs=1e-9)


def test_first_prototypes(data):
    X, y = data
    first = quick(first_prototype="first", max_prototypes=1).fit(X, y)
    assert np.array_equal(first.prototypes_[0], X[0])
    drawn = {
        tuple(
            quick(first_prototype="random", max_prototypes=1, random_state=seed)
            .fit(X, y)
            .prototypes_[0]
        )
        for seed in range(5)
    }
    assert len(drawn) > 1
    assert all(np.any(np.all(point == X, axis=1)) for point in drawn)
    priced = quick(max_prototypes=1).fit(X, y).prototypes_[0]
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    g = np.abs(distances[y == 1].mean(axis=0) - distances[y == 0].mean(axis=0))
    assert np.array_equal(priced, X[np.argmax(g)])


def test_the_callback_sees_each_iteration(data):
    X, y = data
    seen = []

    def callback(model, record):
        seen.append((record.n_prototypes, roc_auc_score(y, model.score(X))))

    model = quick(callback=callback, scale="standard").fit(X, y)
    assert [n for n, _ in seen] == list(range(1, len(model.weights_) + 1))
    assert [auc for _, auc in seen] == pytest.approx([r.train_auc for r in model.history_])
    staged = [roc_auc_score(y, scores) for scores in model.staged_decision_function(X)]
    assert staged == pytest.approx([auc for _, auc in seen])


def test_column_generation_stops_by_the_papers_rule(data):
    X, y = data
    model = SmoothRankingPrototype(1e-4, solver="highs", auc_tol=0.01).fit(X, y)
    aucs = [record.train_auc for record in model.history_]
    changes = np.abs(np.diff(aucs)) / aucs[:-1]
    assert changes[-1] < 0.01 or aucs[-1] == 1.0
    assert np.all(changes[:-1] >= 0.01)


@pytest.mark.parametrize("n_positive", [3, 7, 11, 49])
def test_column_generation_stops_when_the_training_rows_are_in_order(n_positive):
    sides = np.concatenate((np.linspace(0, 3, 31), np.linspace(6, 9, 31)))
    X = np.concatenate((sides, np.linspace(4, 5, n_positive)))[:, None]
    model = quick(C=1.0, first_prototype="first", max_prototypes=20).fit(X, np.arange(len(X)) >= 62)
    assert model.history_[-1].train_auc == 1.0
    assert model.history_[-2].train_auc < 1.0


def test_ranking_cg_looks_five_columns_back_and_keeps_its_bound(data):
    X, y = data
    model = RankingCGPrototype(0.02, solver="highs").fit(X, y)
    assert np.all(np.abs(model.weights_) <= 1 + 1e-9)
    aucs = [record.train_auc for record in model.history_]
    assert len(aucs) >= 6 or aucs[-1] == 1.0
    assert aucs[-1] == 1.0 or abs(aucs[-1] - aucs[-6]) < 0.02 * aucs[-6]
    free = RankingCGPrototype(0.02, bounded=False, solver="highs", max_prototypes=8).fit(X, y)
    assert free.history_[-1].objective <= model.history_[len(free.history_) - 1].objective + 1e-6


def test_memory_stays_far_below_the_pairs():
    rng = np.random.default_rng(0)
    n, d = 8000, 3
    X = rng.standard_normal((n, d))
    y = X[:, 0] + rng.standard_normal(n) > 0
    model = quick(max_prototypes=2, adam_steps=5)
    model.fit(X[:500], y[:500])
    tracemalloc.start()
    model.fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    n_pairs = int(y.sum() * (~y).sum())
    assert peak < 8 * n_pairs / 4


def test_predict_is_the_balanced_threshold(data):
    X, y = data
    model = quick().fit(X, y)
    found = balanced_accuracy_score(y, model.predict(X))
    scores = model.decision_function(X)
    best = max(balanced_accuracy_score(y, scores > t) for t in np.append(scores, -np.inf))
    assert found == pytest.approx(best)


def test_probabilities_keep_the_order_and_the_base_rate(data):
    X, y = data
    model = quick().fit(X, y)
    far = np.concatenate((X, X * 50, X * 1e6))
    probabilities = model.predict_proba(far)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(len(far)))
    order = np.argsort(model.decision_function(far))
    assert np.all(np.diff(probabilities[order, 1]) >= 0)
    labels = np.concatenate((y, y, y))
    assert roc_auc_score(labels, probabilities[:, 1]) == roc_auc_score(
        labels, model.decision_function(far)
    )
    assert model.predict_proba(X)[:, 1].mean() == pytest.approx(y.mean(), abs=0.03)


def test_probabilities_do_not_depend_on_the_scale_of_the_weights(data):
    X, y = data
    one = quick().fit(X, y, sample_weight=np.ones(len(y)))
    other = quick().fit(X, y, sample_weight=np.full(len(y), 2.0**-40))
    assert other.predict_proba(X) == pytest.approx(one.predict_proba(X), abs=1e-6)


@pytest.mark.parametrize("scale", [None, "standard"])
@pytest.mark.parametrize("factor", [1e300, 1e154, 1e-300])
def test_values_whose_distances_overflow_or_vanish_are_refused(data, scale, factor):
    X, y = data
    with pytest.raises(ValueError, match="Rescale"):
        quick(scale=scale).fit(X * factor, y)
    quantile = quick(scale="quantile").fit(X * factor, y)
    assert np.all(np.isfinite(quantile.predict_proba(X * factor)))


def test_equal_rows_give_a_model_without_effect():
    X = np.ones((10, 3))
    model = quick().fit(X, np.arange(10) < 3)
    assert np.all(np.isfinite(model.decision_function(X)))
    assert model.history_[-1].train_auc == 0.5
    assert np.all(np.isfinite(model.decision_function(X + 5)))


def test_it_works_in_pipelines_clones_and_frames(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    model = clone(quick(C=0.01)).fit(frame, np.where(y == 1, "yes", "no"))
    assert list(model.feature_names_in_) == ["a", "b", "c", "d"]
    assert set(model.predict(frame)) <= {"yes", "no"}
    scores = cross_val_score(
        make_pipeline(StandardScaler(), quick(max_prototypes=3)), X, y, scoring="roc_auc", cv=3
    )
    assert scores.min() > 0.5


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda X, y: (np.where(X > 2, np.nan, X), y), r"NaN.*fill the gaps"),
        (lambda X, y: (np.where(X > 2, np.inf, X), y), r"infinity.*Replace or drop"),
        (lambda X, y: (X, np.zeros(len(y))), r"only one class, 0\.0.*rows of both"),
        (lambda X, y: (X[:1], y[:1]), r"1 sample.*at least two rows"),
        (lambda X, y: (np.full(X.shape, "text"), y), r"could not convert.*'text'.*Encoder"),
        (lambda X, y: (np.full(X.shape, "2026-11-16", "M8[D]"), y), r"dates.*leave them out"),
        (lambda X, y: (X[:, :0], y), r"0 feature.*at least one column"),
        (lambda X, y: (X, np.arange(len(y)) % 3), r"Only binary classification.*Keep two"),
        (lambda X, y: (X, y[:-1]), "inconsistent numbers of samples"),
    ],
)
def test_bad_data_are_refused_by_name(data, spoil, message):
    X, y = spoil(*data)
    with pytest.raises(ValueError, match=message):
        quick().fit(X, y)


def test_text_and_dates_in_a_frame_are_refused_by_their_columns(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"]).assign(
        when=pd.Timestamp("2026-11-16"), colour="red"
    )
    with pytest.raises(ValueError, match=r"'when', 'colour'.*Encoder"):
        quick().fit(frame, y)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (lambda y: -np.ones(len(y)), r"Negative values.*zero or more"),
        (lambda y: np.full(len(y), 1e308), "overflows"),
        (lambda y: np.zeros(len(y)), "zero"),
        (lambda y: (y == 0).astype(float), "zero on every row of class"),
        (lambda y: np.full(len(y), np.nan), "NaN"),
        (lambda y: np.ones(3), "sample_weight"),
    ],
)
def test_bad_weights_are_refused_by_name(data, weight, message):
    X, y = data
    with pytest.raises(ValueError, match=message):
        quick().fit(X, y, sample_weight=weight(y))


@pytest.mark.parametrize(
    "parameters",
    [
        {"C": 0}, {"C": -1.0}, {"C": "a"}, {"scale": "minmax"}, {"first_prototype": "last"},
        {"solver": "cplex"}, {"max_prototypes": 0}, {"auc_tol": -1}, {"tol": 0},
        {"adam_steps": -1}, {"learning_rate": 0}, {"random_state": -1}, {"callback": 3},
    ],
)  # fmt: skip
def test_bad_parameters_are_refused_by_name(data, parameters):
    (name,) = parameters
    with pytest.raises(ValueError, match=f"'{name}' parameter"):
        quick(**parameters).fit(*data)


def test_another_number_of_features_at_predict_is_refused(data):
    X, y = data
    with pytest.raises(ValueError, match=r"has 2 features.*columns of the training data"):
        quick(max_prototypes=1).fit(X, y).predict(X[:, :2])
