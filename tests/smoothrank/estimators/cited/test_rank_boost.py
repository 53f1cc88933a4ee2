"""RankBoost against the version that keeps a weight for every pair."""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothrank import RankBoost
from smoothrank.estimators.cited.rank_boost import SortedFeatures, boost

DECISIONS = "predict maximises balanced accuracy, predict_proba is calibrated to the base rate"


def naive_boost(X, is_positive, n_rounds):
    """Return (feature, threshold, α) of each round, with the distribution over pairs written out.

    After each round the pairs' weights are multiplied by exp(α (h(x_n) − h(x_p))).
    """
    positive, negative = np.flatnonzero(is_positive), np.flatnonzero(~is_positive)
    D = np.full((len(positive), len(negative)), 1.0 / (len(positive) * len(negative)))
    cuts = [
        (j, (low + high) / 2)
        for j in range(X.shape[1])
        for low, high in zip(np.unique(X[:, j])[:-1], np.unique(X[:, j])[1:], strict=True)
    ]
    terms = []
    for _ in range(n_rounds):
        found = []
        for j, threshold in cuts:
            h = (X[:, j] > threshold).astype(float)
            difference = h[positive][:, None] - h[negative][None, :]
            found.append((float(np.sum(D * difference)), j, threshold, difference))
        r, j, threshold, difference = max(found, key=lambda one: abs(one[0]))
        alpha = 0.5 * np.log((1 + r) / (1 - r))
        D *= np.exp(-alpha * difference)
        D /= D.sum()
        terms.append((j, threshold, alpha))
    return terms


@pytest.fixture
def data():
    X, y = make_classification(
        n_samples=40, n_features=3, n_informative=3, n_redundant=0, weights=[0.7], random_state=4
    )
    return np.round(X, 1), y == 1  # rounded, so that rows share values


def test_the_rounds_are_those_of_the_version_with_all_pairs(data):
    X, is_positive = data
    model = boost(X, is_positive, 12)
    features, thresholds, weights = zip(*naive_boost(X, is_positive, 12), strict=True)
    assert model.features.tolist() == list(features)
    np.testing.assert_allclose(model.thresholds, thresholds)
    np.testing.assert_allclose(model.weights, weights)


def test_r_of_the_best_threshold_is_the_sum_over_pairs(data):
    X, is_positive = data
    rng = np.random.default_rng(0)
    weight = rng.random(len(X))
    positive = np.where(is_positive, weight, 0) / weight[is_positive].sum()
    negative = np.where(is_positive, 0, weight) / weight[~is_positive].sum()
    best = SortedFeatures.from_rows(X).best(positive, negative)
    assert best is not None
    fires = (X[:, best.feature] > best.threshold).astype(float)
    rows = product(np.flatnonzero(is_positive), np.flatnonzero(~is_positive))
    assert best.r == pytest.approx(
        sum(positive[p] * negative[n] * (fires[p] - fires[n]) for p, n in rows)
    )


def test_one_fit_has_the_scores_of_every_shorter_one(data):
    X, is_positive = data
    stages = list(RankBoost(9).fit(X, is_positive).staged_decision_function(X))
    for n_rounds in (1, 4, 9):
        alone = RankBoost(n_rounds).fit(X, is_positive)
        np.testing.assert_allclose(
            stages[n_rounds - 1] + alone.intercept_, alone.decision_function(X)
        )


def test_a_perfect_threshold_has_a_finite_weight():
    model = RankBoost(5).fit([[0.0], [1.0], [2.0]], [0, 0, 1])
    assert np.isfinite(model.model_.weights).all()
    assert model.predict([[0.5], [3.0]]).tolist() == [0, 1]
    assert model.n_columns_ == 1 < model.n_rounds_


def test_without_a_threshold_better_than_chance_there_are_no_rounds():
    same = RankBoost(5).fit(np.ones((4, 2)), [0, 1, 0, 1])
    equal = RankBoost(5).fit([[0.0], [0.0], [1.0], [1.0]], [0, 1, 0, 1])
    assert (same.n_rounds_, equal.n_rounds_) == (0, 0)
    assert same.model_.score(np.ones((2, 2))).tolist() == [0.0, 0.0]


def test_a_threshold_separates_neighbours_that_have_no_number_between_them():
    low, high = 1.0, np.nextafter(1.0, 2.0)
    model = RankBoost(1).fit([[low], [low], [high], [high]], [0, 0, 1, 1])
    assert model.predict([[low], [high]]).tolist() == [0, 1]


@parametrize_with_checks(
    [RankBoost(20)],
    expected_failed_checks=lambda _: {"check_classifiers_train": DECISIONS},
    xfail_strict=False,
)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)
