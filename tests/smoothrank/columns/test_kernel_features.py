import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from smoothrank.columns.kernel_features import JITTER, KernelFeatures, KernelSpace, landmark_rows
from smoothrank.losses.pairwise_hinge import Pairs


@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 80))
def test_landmarks_are_different_rows_of_both_classes(n_positive, n_negative, n_landmarks):
    pairs = Pairs.from_labels(np.arange(n_positive + n_negative) < n_positive)
    chosen = landmark_rows(pairs, n_landmarks, np.random.default_rng(0))
    assert len(set(chosen)) == len(chosen) == min(n_landmarks, n_positive + n_negative)
    rarer = min(n_positive, n_negative)
    n_rarer = int(np.sum((chosen < n_positive) == (n_positive <= n_negative)))
    if n_positive != n_negative:
        assert n_rarer >= min(rarer, n_landmarks // 3)


def test_products_of_features_are_the_kernel():
    X = np.random.default_rng(0).normal(size=(20, 3))
    kernel = np.exp(-cdist(X, X, "sqeuclidean"))
    features = KernelFeatures.fit(kernel).transform(kernel)
    assert features @ features.T == pytest.approx(kernel, abs=100 * JITTER)


@pytest.mark.parametrize("kernel", ["gaussian", "laplace"])
def test_a_score_in_the_space_is_a_weighted_sum_of_columns(kernel):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 2))
    space = KernelSpace.fit(kernel, 1.5, X, np.arange(0, 30, 3))
    coefficients = rng.normal(size=10)
    expected = space.of_rows @ coefficients
    assert space.weighted(coefficients, None).score(X) == pytest.approx(expected, abs=1e-6)
