"""The pairwise logistic loss against a loop over all pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import approx_fprime

from smoothrank.losses.pairwise_logistic import pairwise_logistic


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    return rng.normal(size=4), rng.normal(size=7)


def test_the_value_is_the_mean_over_all_pairs(scores):
    positives, negatives = scores
    pairs = [math.log1p(math.exp(n - p)) for p in positives for n in negatives]
    assert pairwise_logistic(positives, negatives).value == pytest.approx(sum(pairs) / len(pairs))


def test_the_gradient_is_that_of_the_value(scores):
    positives, negatives = scores
    loss = pairwise_logistic(positives, negatives)
    by_positives = approx_fprime(positives, lambda s: pairwise_logistic(s, negatives).value)
    by_negatives = approx_fprime(negatives, lambda s: pairwise_logistic(positives, s).value)
    np.testing.assert_allclose(loss.positive_gradient, by_positives, atol=1e-6)
    np.testing.assert_allclose(loss.negative_gradient, by_negatives, atol=1e-6)


def test_large_scores_do_not_overflow():
    loss = pairwise_logistic(np.array([-1e4, 1e4]), np.array([0.0]))
    assert loss.value == pytest.approx(5e3)
    assert loss.positive_gradient.tolist() == [-0.5, 0.0]
