"""RankNet: gradient, blocks of pairs, and what it learns."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.metrics import roc_auc_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothrank import RankNet
from smoothrank.datasets.xor import noisy_xor
from smoothrank.estimators.cited.hidden_layer import HiddenLayer
from smoothrank.estimators.cited.rank_net import (
    MOST_NEGATIVES,
    MOST_POSITIVES,
    Adam,
    penalised_loss,
)

DECISIONS = "predict maximises balanced accuracy, predict_proba is calibrated to the base rate"


@pytest.fixture
def layer():
    rng = np.random.default_rng(1)
    made = HiddenLayer.random(np.zeros(3), np.ones(3), 4, rng)
    return made.with_parameters(made.parameters + 0.1 * rng.normal(size=4 * 5))


@pytest.fixture
def blocks():
    rng = np.random.default_rng(2)
    return rng.normal(size=(5, 3)), rng.normal(size=(6, 3))


def test_the_loss_is_that_of_all_pairs_and_large_weights_cost(layer, blocks):
    positives, negatives = blocks
    losses = [
        np.log1p(np.exp(layer.score(n[None])[0] - layer.score(p[None])[0]))
        for p in positives
        for n in negatives
    ]
    price = 0.5 * 0.3 * float(np.sum(layer.inner**2) + np.sum(layer.outer**2))
    value, _ = penalised_loss(layer, positives, negatives, 0.3)
    assert value == pytest.approx(np.mean(losses) + price)


def test_the_gradient_is_that_of_the_loss(layer, blocks):
    positives, negatives = blocks

    def value(parameters):
        return penalised_loss(layer.with_parameters(parameters), positives, negatives, 0.3)[0]

    _, gradient = penalised_loss(layer, positives, negatives, 0.3)
    np.testing.assert_allclose(gradient, approx_fprime(layer.parameters, value), atol=1e-6)


def test_the_parameters_are_a_vector_and_back():
    rng = np.random.default_rng(0)
    inner, bias, outer = rng.normal(size=(4, 3)), rng.normal(size=4), rng.normal(size=4)
    layer = HiddenLayer(np.zeros(3), np.ones(3), inner, bias, outer)
    again = layer.with_parameters(layer.parameters)
    np.testing.assert_array_equal(again.inner, inner)
    np.testing.assert_array_equal(again.inner_bias, bias)
    np.testing.assert_array_equal(again.outer, outer)


def test_adam_finds_the_smallest_value_of_a_parabola():
    state = Adam.at(np.array([3.0, -2.0]))
    for _ in range(2000):
        state = state.moved(2.0 * (state.values - [1.0, 0.5]), 0.01)
    np.testing.assert_allclose(state.values, [1.0, 0.5], atol=1e-3)


def test_it_learns_what_no_linear_score_can_and_more_rows_than_a_block_has():
    rng = np.random.default_rng(5)
    X, y = noisy_xor(4 * (MOST_POSITIVES + MOST_NEGATIVES), 0.25, rng)
    X_test, y_test = noisy_xor(500, 0.25, rng)
    model = RankNet().fit(X * [1.0, 1e3], y)
    assert roc_auc_score(y_test, model.decision_function(X_test * [1.0, 1e3])) > 0.98
    assert model.n_columns_ == 16


def test_the_seed_decides():
    X, y = noisy_xor(60, 0.4, np.random.default_rng(0))
    first, again, other = (RankNet(n_steps=20, random_state=s).fit(X, y) for s in (0, 0, 1))
    np.testing.assert_array_equal(first.decision_function(X), again.decision_function(X))
    assert not np.array_equal(first.decision_function(X), other.decision_function(X))


@parametrize_with_checks(
    [RankNet(n_steps=100)],
    expected_failed_checks=lambda _: {"check_classifiers_train": DECISIONS},
    xfail_strict=False,
)
def test_scikit_learn_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(estimator)
