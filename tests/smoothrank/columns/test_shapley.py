from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothrank.columns.families.gaussian import Gaussian
from smoothrank.columns.shapley import bump_shapley


def by_orders(x, reference, point, weight):
    """The definition: the mean over all orders of what a feature adds when it arrives."""
    bump, d = Gaussian(), len(x)
    parameters = np.concatenate((point, weight))[None]
    found = np.zeros(d)
    orders = list(permutations(range(d)))
    for order in orders:
        row = reference.copy()
        before = bump.values(row[None], parameters)[0, 0]
        for feature in order:
            row[feature] = x[feature]
            after = bump.values(row[None], parameters)[0, 0]
            found[feature] += (after - before) / len(orders)
            before = after
    return found


@given(st.integers(1, 5), st.integers(0, 100))
def test_values_are_those_of_the_definition(d: int, seed: int):
    rng = np.random.default_rng(seed)
    X, reference = rng.normal(size=(3, d)), rng.normal(size=d)
    points, weights = rng.normal(size=(2, d)), rng.normal(size=(2, d))
    found = bump_shapley(X, reference, points, weights)
    for i, x in enumerate(X):
        for t in range(2):
            expected = by_orders(x, reference, points[t], weights[t])
            assert found[i, t] == pytest.approx(expected, abs=1e-12)


def test_values_sum_to_the_difference_from_the_reference_with_many_features():
    rng = np.random.default_rng(0)
    X, reference = rng.normal(size=(4, 100)), rng.normal(size=100)
    points, weights = rng.normal(size=(3, 100)), 0.1 * rng.normal(size=(3, 100))
    bumps = Gaussian()
    parameters = np.hstack((points, weights))
    difference = bumps.values(X, parameters) - bumps.values(reference[None], parameters)
    found = bump_shapley(X, reference, points, weights)
    assert found.sum(axis=2) == pytest.approx(difference, abs=1e-12)
